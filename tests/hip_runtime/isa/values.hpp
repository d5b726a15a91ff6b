// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_VALUES_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_VALUES_HPP

/// \file
/// Operands as typed values: `Source<T>` reads one for all lanes, with its modifiers; `write_lanes` stores a result.
/// `VectorOp<f>` and its relatives make a handler from a function of one lane.

#include "wave.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace hip_model::isa {

using Half = _Float16;

template <class T>
constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, Half>;
template <std::size_t Bytes>
using Bits =
    std::conditional_t<Bytes == 8, std::uint64_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint16_t>>;
template <class T>
using BitsOf = Bits<sizeof(T)>;

inline constexpr std::uint32_t lane_bit[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/// The bits of an inline constant or a literal for an operand of a type.
template <class T>
BitsOf<T> constant_bits(Operand const& o) {
  using B = BitsOf<T>;
  if (o.is_real) {
    if constexpr (sizeof(T) == 8) return std::bit_cast<B>(o.real);
    if constexpr (sizeof(T) == 4) return std::bit_cast<B>(static_cast<float>(o.real));
    if constexpr (sizeof(T) == 2) return std::bit_cast<B>(static_cast<Half>(o.real));
  }
  if (std::is_same_v<T, double> && o.is_literal) return static_cast<B>(static_cast<std::uint64_t>(o.integer) << 32);
  return static_cast<B>(o.integer);
}

/// The value of an operand that is the same for all lanes, and which of its bits are undefined.
template <class T>
T scalar_value(Wave const& w, Operand const& o, std::uint64_t* undefined) {
  using B    = BitsOf<T>;
  B bits     = 0;
  *undefined = 0;
  switch (o.kind) {
    case Operand::Kind::scalar:
      if constexpr (sizeof(T) == 8) {
        bits       = w.pair_at(o.first);
        *undefined = w.undefined_pair_at(o.first);
      } else {
        bits       = static_cast<B>(w.scalar[o.first]);
        *undefined = static_cast<B>(w.scalar_undefined[o.first]);
      }
      break;
    case Operand::Kind::scc:
      bits       = w.scc;
      *undefined = w.scc_defined ? 0 : 1;
      break;
    case Operand::Kind::vccz:
      bits       = w.mask_at(vcc_register) == 0;
      *undefined = w.undefined_mask_at(vcc_register) ? 1 : 0;
      break;
    case Operand::Kind::execz:
      bits = w.exec() == 0;
      break;
    default:
      bits = constant_bits<T>(o);
  }
  return std::bit_cast<T>(bits);
}

/// Lanes that DPP lets an instruction write.
LaneMask dpp_writable(Wave const&, Instruction const&);
/// Reads an operand of 32 bits for all lanes through DPP and SDWA. \returns lanes that are defined
LaneMask read_moved(Wave&, Instruction const&, unsigned operand, std::uint32_t* out);

/// An operand for all lanes.
template <class T>
class Source {
  static constexpr bool wide = sizeof(T) == 8;
  using B                    = BitsOf<T>;

 public:
  Source(Wave& w, Instruction const& i, unsigned operand) {
    Operand const& o = i.operands[operand];
    if (o.is_vector()) {
      m_low         = w.lanes_of(o.first);
      m_low_defined = m_defined = w.vector_defined[o.first];
      if constexpr (wide) {
        m_high         = m_low + lanes;
        m_high_defined = w.vector_defined[o.first + 1];
        m_defined &= m_high_defined;
      } else if (i.sdwa || (i.dpp && operand == i.first_source)) {
        m_defined = read_moved(w, i, operand, m_buffer);
        m_low     = m_buffer;
      }
      if constexpr (sizeof(T) == 2)
        if (is_upper_half(i, operand)) shift_down();
    } else {
      std::uint64_t undefined = 0;
      std::uint64_t bits;
      if constexpr (sizeof(T) == 2) {
        // The whole register, since op_sel may choose its upper half.
        bits = o.is_scalar() ? scalar_value<std::uint32_t>(w, o, &undefined) : constant_bits<T>(o);
        if (i.sdwa) bits = read_sdwa_scalar(o, bits);
        if (is_upper_half(i, operand)) bits >>= 16;
      } else {
        bits = std::bit_cast<B>(scalar_value<T>(w, o, &undefined));
        if (!wide && i.sdwa) bits = read_sdwa_scalar(o, bits);
      }
      m_defined      = undefined ? 0 : all_lanes;
      m_low_defined  = static_cast<std::uint32_t>(undefined) ? 0 : all_lanes;
      m_high_defined = undefined >> 32 ? 0 : all_lanes;
      fill(m_buffer, static_cast<std::uint32_t>(bits));
      m_low = m_buffer;
      if constexpr (wide) {
        fill(m_buffer + lanes, static_cast<std::uint32_t>(bits >> 32));
        m_high = m_buffer + lanes;
      }
    }
    if (o.negate || o.absolute) change_sign(o);
  }
  Source(Source const&) = delete;

  T operator[](unsigned lane) const {
    if constexpr (wide)
      return std::bit_cast<T>(static_cast<B>(m_low[lane] | static_cast<std::uint64_t>(m_high[lane]) << 32));
    else
      return std::bit_cast<T>(static_cast<B>(m_low[lane]));
  }
  LaneMask defined() const { return m_defined; }
  /// The lanes that are defined in the lower and in the upper register of a 64-bit value: compilers leave one of the
  /// two undefined if a result does not need it.
  LaneMask low_defined() const { return m_low_defined; }
  LaneMask high_defined() const { return m_high_defined; }

 private:
  static bool is_upper_half(Instruction const& i, unsigned operand) {
    if (operand < i.first_source) return i.writes_upper_half;  // the result, to which an instruction adds
    return i.op_sel >> (operand - i.first_source) & 1;
  }
  static void fill(std::uint32_t* p, std::uint32_t value) {
    for (unsigned l = 0; l < lanes; ++l) p[l] = value;
  }
  static std::uint64_t read_sdwa_scalar(Operand const& o, std::uint64_t bits) {
    if (o.part == 6) return bits;
    unsigned const width = o.part < 4 ? 8 : 16, shift = o.part < 4 ? o.part * 8 : (o.part - 4) * 16;
    std::uint32_t const part = static_cast<std::uint32_t>(bits) >> shift << (32 - width);
    return o.sign_extend ? static_cast<std::uint32_t>(static_cast<std::int32_t>(part) >> (32 - width))
                         : part >> (32 - width);
  }
  void shift_down() {
    for (unsigned l = 0; l < lanes; ++l) m_buffer[l] = m_low[l] >> 16;
    m_low = m_buffer;
  }
  void change_sign(Operand const& o) {
    constexpr std::uint32_t sign = sizeof(T) == 2 ? 0x8000u : 0x80000000u;
    std::uint32_t const keep = o.absolute ? ~sign : ~0u, flip = o.negate ? sign : 0u;
    std::uint32_t* const out        = wide ? m_buffer + lanes : m_buffer;
    std::uint32_t const* const from = wide ? m_high : m_low;
    for (unsigned l = 0; l < lanes; ++l) out[l] = (from[l] & keep) ^ flip;
    (wide ? m_high : m_low) = out;
  }

  std::uint32_t const *m_low = nullptr, *m_high = nullptr;
  LaneMask m_defined = 0, m_low_defined = 0, m_high_defined = 0;
  alignas(32) std::uint32_t m_buffer[wide ? 2 * lanes : lanes];
};

/// Writes a register in the lanes of a mask.
inline void write_register(Wave& w, unsigned r, std::uint32_t const* values, LaneMask mask, LaneMask defined) {
  std::uint32_t* const out = w.lanes_of(r);
  if (mask == all_lanes) {
    std::memcpy(out, values, lanes * sizeof *out);
  } else if (mask == all_lanes >> 32) {
    std::memcpy(out, values, lanes / 2 * sizeof *out);
  } else {
    for (unsigned half = 0; half < 2; ++half) {
      std::uint32_t const m = static_cast<std::uint32_t>(mask >> (half * 32));
      for (unsigned l = 0; l < 32; ++l)
        out[half * 32 + l] = (m & lane_bit[l]) ? values[half * 32 + l] : out[half * 32 + l];
    }
  }
  w.vector_defined[r] = (w.vector_defined[r] & ~mask) | (defined & mask);
}

/// Lanes that a vector instruction writes.
inline LaneMask writable(Wave& w, Instruction const& i) {
  LaneMask const exec = w.exec();
  return i.dpp ? exec & dpp_writable(w, i) : exec;
}

/// Writes the part of the result that SDWA selects.
void write_part(Wave&, Instruction const&, unsigned r, std::uint32_t* values, LaneMask mask, LaneMask defined);

template <class T>
T scaled(T x, Instruction const& i) {  // omod, then clamp
  if (i.output_scale) x = x * static_cast<T>(i.output_scale == 2 ? 4.0 : i.output_scale == 1 ? 2.0 : 0.5);
  if (i.clamp) x = x > T(0) ? (x < T(1) ? x : T(1)) : T(0);  // NaN becomes 0: DX10_CLAMP is set
  return x;
}

/// Collects results of all lanes and stores them.
template <class T>
class Result {
  static constexpr bool wide = sizeof(T) == 8;

 public:
  void set(unsigned lane, T value) {
    auto const bits = std::bit_cast<BitsOf<T>>(value);
    m_words[lane]   = static_cast<std::uint32_t>(bits);
    if constexpr (wide) m_words[lanes + lane] = static_cast<std::uint32_t>(bits >> 32);
  }
  void store(Wave& w, Instruction const& i, LaneMask defined, unsigned operand = 0) {
    store_words(w, i, defined, defined, operand);
  }
  void store_words(Wave& w, Instruction const& i, LaneMask defined, [[maybe_unused]] LaneMask high_defined,
                   unsigned operand = 0) {
    LaneMask const mask = writable(w, i);
    unsigned const r    = i.operands[operand].first;
    if constexpr (is_real<T>) {
      if (i.output_scale || i.clamp)
        for (unsigned l = 0; l < lanes; ++l) set(l, scaled(get(l), i));
    }
    if (sizeof(T) == 2 && !i.sdwa && (i.writes_upper_half || i.keeps_upper_half)) keep_half(w.lanes_of(r), i);
    if (!wide && i.sdwa)
      write_part(w, i, r, m_words, mask, defined);
    else
      write_register(w, r, m_words, mask, defined);
    if constexpr (wide) write_register(w, r + 1, m_words + lanes, mask, high_defined);
  }

 private:
  T get(unsigned lane) const {
    if constexpr (wide)
      return std::bit_cast<T>(m_words[lane] | static_cast<std::uint64_t>(m_words[lanes + lane]) << 32);
    else
      return std::bit_cast<T>(static_cast<BitsOf<T>>(m_words[lane]));
  }
  // The other half may be written later: a register that is built in two steps counts as defined.
  void keep_half(std::uint32_t const* old, Instruction const& i) {
    for (unsigned l = 0; l < lanes; ++l)
      m_words[l] = i.writes_upper_half ? m_words[l] << 16 | (old[l] & 0xffff) : m_words[l] | (old[l] & 0xffff0000u);
  }
  alignas(32) std::uint32_t m_words[wide ? 2 * lanes : lanes];
};

/// Operand 0 becomes f(operand 1, operand 2, ...).
template <auto F>
struct VectorOp;
template <class R, class A, R (*F)(A)>
struct VectorOp<F> {
  static void run(Wave& w, Instruction const& i) {
    Source<A> const a(w, i, 1);
    Result<R> r;
    for (unsigned l = 0; l < lanes; ++l) r.set(l, F(a[l]));
    r.store(w, i, a.defined());
  }
};
template <class R, class A, class B, R (*F)(A, B)>
struct VectorOp<F> {
  static void run(Wave& w, Instruction const& i) {
    Source<A> const a(w, i, 1);
    Source<B> const b(w, i, 2);
    Result<R> r;
    for (unsigned l = 0; l < lanes; ++l) r.set(l, F(a[l], b[l]));
    r.store(w, i, a.defined() & b.defined());
  }
};
template <class R, class A, class B, class C, R (*F)(A, B, C)>
struct VectorOp<F> {
  static void run(Wave& w, Instruction const& i) { with_third(w, i, 3); }
  static void with_third(Wave& w, Instruction const& i, unsigned third) {
    Source<A> const a(w, i, 1);
    Source<B> const b(w, i, 2);
    Source<C> const c(w, i, third);
    Result<R> r;
    for (unsigned l = 0; l < lanes; ++l) r.set(l, F(a[l], b[l], c[l]));
    r.store(w, i, a.defined() & b.defined() & c.defined());
  }
};

/// Operand 0 becomes f(operand 1, operand 2, operand 0).
template <auto F>
struct AccumulateOp;
template <class R, class A, class B, class C, R (*F)(A, B, C)>
struct AccumulateOp<F> {
  static void run(Wave& w, Instruction const& i) { VectorOp<F>::with_third(w, i, 0); }
};

/// The lanes of a scalar pair (operand 0) become f(operand 1, operand 2), inactive ones 0. With `Exec` the exec mask,
/// too.
template <auto F, bool Exec = false>
struct CompareOp;
template <class A, class B, bool (*F)(A, B), bool Exec>
struct CompareOp<F, Exec> {
  static void run(Wave& w, Instruction const& i) {
    Source<A> const a(w, i, 1);
    Source<B> const b(w, i, 2);
    LaneMask yes = 0;
    for (unsigned l = 0; l < lanes; ++l) yes |= static_cast<LaneMask>(F(a[l], b[l])) << l;
    LaneMask const exec      = w.exec();
    LaneMask const undefined = exec & ~(a.defined() & b.defined());
    w.set_mask(i[0].first, yes & exec, undefined);
    if (Exec) {
      w.set_mask(exec_register, yes & exec, undefined);
      require_exec_defined(w);
    }
  }
};

}  // namespace hip_model::isa

#endif
