// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of vector registers (12.13 LDS, 12.17 MUBUF, 12.18 FLAT, GLOBAL): one template for every space.
#include "memory.hpp"
#include "table.hpp"
#include "values.hpp"

namespace hip_model::isa {

namespace {

/// The part of a register that a load of less than 4 bytes writes.
enum class Half16 { none, low, high };

void write_half(Wave& w, unsigned r, std::uint32_t* values, Half16 half) {
  std::uint32_t const* const old = w.lanes_of(r);
  for (unsigned l = 0; l < lanes; ++l)
    values[l] =
        half == Half16::low ? (old[l] & 0xffff0000u) | (values[l] & 0xffff) : (old[l] & 0xffff) | values[l] << 16;
}

template <class T, Half16 Half>
void load_small(Wave& w, Instruction const& i, Addressing how, unsigned address, unsigned base) {
  Addresses const a(w, i, how, address, base);
  alignas(32) std::uint32_t values[lanes] = {};
  LaneMask defined                        = 0;
  for (LaneMask left = a.active; left; left &= left - 1) {
    unsigned const l = static_cast<unsigned>(std::countr_zero(left));
    Place const p    = a.at(w, l, sizeof(T), Access::read);
    T value;
    std::memcpy(&value, p.data, sizeof value);
    values[l] = static_cast<std::uint32_t>(value);  // with its sign
    defined |= static_cast<LaneMask>(is_defined(w, p, l, sizeof(T))) << l;
  }
  if (Half != Half16::none) write_half(w, i[0].first, values, Half);
  write_register(w, i[0].first, values, a.active, defined);
  note_outstanding(w, how, &i[0]);
}

// Registers may hold the address, too, so all lanes are read before any is written.
template <unsigned Words>
void load_words(Wave& w, Instruction const& i, Addressing how, unsigned address, unsigned base) {
  Addresses const a(w, i, how, address, base);
  alignas(32) std::uint32_t values[Words][lanes];
  LaneMask defined[Words] = {};
  for (LaneMask left = a.active; left; left &= left - 1) {
    unsigned const l = static_cast<unsigned>(std::countr_zero(left));
    Place const p    = a.at(w, l, 4 * Words, Access::read);
    std::uint32_t words[Words];
    std::memcpy(words, p.data, sizeof words);
    for (unsigned k = 0; k < Words; ++k) values[k][l] = words[k];
    if (p.space == Space::global) {
      for (unsigned k = 0; k < Words; ++k) defined[k] |= LaneMask(1) << l;
    } else {
      for (unsigned k = 0; k < Words; ++k) {
        Place const part{p.data + 4 * k, p.space, p.offset + 4 * k};
        defined[k] |= static_cast<LaneMask>(is_defined(w, part, l, 4)) << l;
      }
    }
  }
  for (unsigned k = 0; k < Words; ++k) write_register(w, i[0].first + k, values[k], a.active, defined[k]);
  note_outstanding(w, how, &i[0]);
}

template <unsigned Bytes, bool High>
void store(Wave& w, Instruction const& i, Addressing how, unsigned address, unsigned data, unsigned base) {
  Addresses const a(w, i, how, address, base);
  constexpr unsigned words = (Bytes + 3) / 4;
  unsigned const r         = i[data].first;
  for (LaneMask left = a.active; left; left &= left - 1) {
    unsigned const l = static_cast<unsigned>(std::countr_zero(left));
    Place const p    = a.at(w, l, Bytes, Access::write);
    std::uint32_t values[words];
    for (unsigned k = 0; k < words; ++k) values[k] = w.lanes_of(r + k)[l];
    if (High) values[0] >>= 16;
    std::memcpy(p.data, values, Bytes);
    if (p.space != Space::global)
      for (unsigned k = 0; k < words; ++k)
        set_defined(w, {p.data + 4 * k, p.space, p.offset + 4 * k}, l, Bytes < 4 ? Bytes : 4,
                    w.vector_defined[r + k] >> l & 1);
  }
  note_outstanding(w, how, nullptr);
}

// Places of operands in the text: load result, address[, base]; store address, data[, base]; buffers always data,
// address, buffer, offset.
template <Addressing How, class T, Half16 Half = Half16::none>
void load_small_op(Wave& w, Instruction const& i) {
  load_small<T, Half>(w, i, How, 1, 2);
}
template <Addressing How, unsigned Words>
void load_words_op(Wave& w, Instruction const& i) {
  load_words<Words>(w, i, How, 1, 2);
}
template <Addressing How, unsigned Bytes, bool High = false>
void store_op(Wave& w, Instruction const& i) {
  if constexpr (How == Addressing::buffer)
    store<Bytes, High>(w, i, How, 1, 0, 2);
  else
    store<Bytes, High>(w, i, How, 0, 1, 2);
}

template <Addressing How>
void add_space(Table& t, std::string const& prefix) {
  t.add(prefix + "_load_ubyte", &load_small_op<How, u8>);
  t.add(prefix + "_load_sbyte", &load_small_op<How, i8>);
  t.add(prefix + "_load_ushort", &load_small_op<How, u16>);
  t.add(prefix + "_load_sshort", &load_small_op<How, i16>);
  t.add(prefix + "_load_ubyte_d16", &load_small_op<How, u8, Half16::low>);
  t.add(prefix + "_load_ubyte_d16_hi", &load_small_op<How, u8, Half16::high>);
  t.add(prefix + "_load_sbyte_d16", &load_small_op<How, i8, Half16::low>);
  t.add(prefix + "_load_sbyte_d16_hi", &load_small_op<How, i8, Half16::high>);
  t.add(prefix + "_load_short_d16", &load_small_op<How, u16, Half16::low>);
  t.add(prefix + "_load_short_d16_hi", &load_small_op<How, u16, Half16::high>);
  t.add(prefix + "_load_dword", &load_words_op<How, 1>);
  t.add(prefix + "_load_dwordx2", &load_words_op<How, 2>);
  t.add(prefix + "_load_dwordx3", &load_words_op<How, 3>);
  t.add(prefix + "_load_dwordx4", &load_words_op<How, 4>);
  t.add(prefix + "_store_byte", &store_op<How, 1>);
  t.add(prefix + "_store_short", &store_op<How, 2>);
  t.add(prefix + "_store_byte_d16_hi", &store_op<How, 1, true>);
  t.add(prefix + "_store_short_d16_hi", &store_op<How, 2, true>);
  t.add(prefix + "_store_dword", &store_op<How, 4>);
  t.add(prefix + "_store_dwordx2", &store_op<How, 8>);
  t.add(prefix + "_store_dwordx3", &store_op<How, 12>);
  t.add(prefix + "_store_dwordx4", &store_op<How, 16>);
}

void add_shared(Table& t) {
  constexpr Addressing how = Addressing::shared;
  t.add("ds_read_u8", &load_small_op<how, std::uint8_t>);
  t.add("ds_read_i8", &load_small_op<how, std::int8_t>);
  t.add("ds_read_u16", &load_small_op<how, std::uint16_t>);
  t.add("ds_read_i16", &load_small_op<how, std::int16_t>);
  t.add("ds_read_u8_d16", &load_small_op<how, std::uint8_t, Half16::low>);
  t.add("ds_read_u8_d16_hi", &load_small_op<how, std::uint8_t, Half16::high>);
  t.add("ds_read_i8_d16", &load_small_op<how, std::int8_t, Half16::low>);
  t.add("ds_read_i8_d16_hi", &load_small_op<how, std::int8_t, Half16::high>);
  t.add("ds_read_u16_d16", &load_small_op<how, std::uint16_t, Half16::low>);
  t.add("ds_read_u16_d16_hi", &load_small_op<how, std::uint16_t, Half16::high>);
  t.add("ds_read_b32", &load_words_op<how, 1>);
  t.add("ds_read_b64", &load_words_op<how, 2>);
  t.add("ds_read_b96", &load_words_op<how, 3>);
  t.add("ds_read_b128", &load_words_op<how, 4>);
  t.add("ds_write_b8", &store_op<how, 1>);
  t.add("ds_write_b16", &store_op<how, 2>);
  t.add("ds_write_b8_d16_hi", &store_op<how, 1, true>);
  t.add("ds_write_b16_d16_hi", &store_op<how, 2, true>);
  t.add("ds_write_b32", &store_op<how, 4>);
  t.add("ds_write_b64", &store_op<how, 8>);
  t.add("ds_write_b96", &store_op<how, 12>);
  t.add("ds_write_b128", &store_op<how, 16>);
}

}  // namespace

void add_global_memory(Table& t) {
  add_space<Addressing::flat>(t, "flat");
  add_space<Addressing::global>(t, "global");
  add_space<Addressing::buffer>(t, "buffer");
  add_space<Addressing::scratch>(t, "scratch");
  add_shared(t);
}

}  // namespace hip_model::isa
