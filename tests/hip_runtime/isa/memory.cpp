// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses, and the memory that they may access (8 Vector Memory, 9 Flat Memory, 10 Local Data Share).
#include "memory.hpp"
#include "counts.hpp"
#include "values.hpp"

#include "../src/memory.hpp"
#include "../src/profile.hpp"
#include "../src/scheduler.hpp"

#include <algorithm>
#include <cstdio>

namespace hip_model::isa {

void LiveMemory::add(void const* base, std::size_t bytes) {
  auto const begin = reinterpret_cast<std::uintptr_t>(base);
  m_own.push_back({begin, bytes, reinterpret_cast<char*>(begin), nullptr});
  m_generation = ~std::uint64_t(0);
}

bool LiveMemory::is_current() const { return m_generation == MemoryTable::generation(); }

void LiveMemory::refresh() {
  Lock lock    = Scheduler::get().lock();
  m_generation = MemoryTable::generation();
  m_ranges     = m_own;
  MemoryTable::get().for_each_alive([&](Allocation const& a) {
    m_ranges.push_back({reinterpret_cast<std::uintptr_t>(a.base), a.bytes, a.base,
                        CachedMemory::is_cached(a) ? MemoryTable::get().find(a.base) : AllocationPtr()});
  });
  std::sort(m_ranges.begin(), m_ranges.end(), [](Range const& a, Range const& b) { return a.begin < b.begin; });
  m_last = {};
}

bool LiveMemory::look_up(std::uint64_t address, std::uint64_t bytes) {
  if (!is_current()) refresh();
  auto next = std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                               [](std::uint64_t a, Range const& r) { return a < r.begin; });
  if (next == m_ranges.begin()) return false;
  Range const& r = *std::prev(next);
  if (address - r.begin >= r.bytes || address - r.begin + bytes > r.bytes) return false;
  m_last = r;
  if (m_last.of) {
    auto used = std::find_if(m_used.begin(), m_used.end(), [&](auto const& u) { return u.base() == m_last.of->base; });
    if (used == m_used.end()) {
      m_used.emplace_back(m_last.of);
      used = std::prev(m_used.end());
    }
    m_last.data = used->data();
  }
  return true;
}

namespace {

std::string hexadecimal(std::uint64_t n) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}

[[noreturn]] void fail(unsigned lane, unsigned bytes, Access access, std::string const& where) {
  throw Stop("lane " + std::to_string(lane) + " " + name_of(access) + " " + std::to_string(bytes) + " bytes " + where);
}

}  // namespace

namespace {

// The null pointer into LDS is not 0 but this number ("Address Spaces" in LLVM's User Guide for AMDGPU Backend).
constexpr std::uint32_t null_in_shared = 0xffffffff;

[[noreturn]] void fail_null(unsigned lane, unsigned bytes, Access access, std::uint32_t distance) {
  fail(lane, bytes, access,
       "through a null pointer into shared memory (LDS)" +
           (distance ? ", " + std::to_string(distance) + " bytes behind it" : std::string()) +
           ". The program did not check a pointer, such as that of a request for more scratch memory than the team has "
           "left: get_shmem returns null then");
}

}  // namespace

Place shared_place(Wave& w, std::uint64_t offset, unsigned lane, unsigned bytes, Access access) {
  Workgroup& g = *w.group;
  if (offset + bytes > g.shared_bytes)
    fail(lane, bytes, access,
         "at offset " + std::to_string(offset) + " of shared memory (LDS), of which the workgroup has " +
             std::to_string(g.shared_bytes) + " bytes");
  g.races.shared(w.number, w.running, static_cast<std::uint32_t>(offset), bytes, access);
  return {g.shared.data() + offset, Space::shared, static_cast<std::uint32_t>(offset)};
}

Place scratch_place(Wave& w, std::uint64_t offset, unsigned lane, unsigned bytes, Access access) {
  if (offset + bytes > w.scratch_bytes)
    fail(lane, bytes, access,
         "at offset " + std::to_string(offset) + " of private memory, of which each lane has " +
             std::to_string(w.scratch_bytes) + " bytes");
  return {w.scratch + std::size_t(lane) * w.scratch_bytes + offset, Space::scratch, static_cast<std::uint32_t>(offset)};
}

namespace {

// A load that bypasses caches of the GPU, as of an atomic or volatile object, and that finds its place again and again.
void check_polling(Wave& w, std::uint64_t address, unsigned lane, unsigned bytes, Access access) {
  constexpr unsigned most = 200000;
  if (access == Access::write) return;
  w.polls  = address == w.polled ? w.polls + 1 : 0;
  w.polled = address;
  if (w.polls < most) return;
  std::string const& text = w.running->text;
  if (text.find(" glc") == std::string::npos && text.find(" sc") == std::string::npos && access == Access::read) return;
  fail(lane, bytes, access,
       "at address " + hexadecimal(address) + ", as it has done " + std::to_string(most) +
           " times. The memory is pinned and not coherent (hipHostMallocNonCoherent): while a kernel runs, it does not "
           "see what the host writes there");
}

}  // namespace

Place global_place(Wave& w, std::uint64_t address, unsigned lane, unsigned bytes, Access access) {
  LiveMemory::Found const found = w.group->memory->find(address, bytes);
  if (found.cached) check_polling(w, address, lane, bytes, access);
  if (!found.data && !(current_profile().unified_memory && address > 0xffff))
    fail(lane, bytes, access,
         address < 4096 ? "at address " + hexadecimal(address) + ", which is that of a null pointer"
                        : "at address " + hexadecimal(address) + ", which are not in memory that a kernel may use");
  w.group->races.global(w.number, address, access);
  return {found.data ? found.data : reinterpret_cast<char*>(static_cast<std::uintptr_t>(address)), Space::global, 0};
}

Place place_of(Wave& w, std::uint64_t address, unsigned lane, unsigned bytes, Access access) {
  if (address >> 48 == 0) return global_place(w, address, lane, bytes, access);
  std::uint64_t const offset = address & 0xffffffff;
  if (address >> 32 == aperture_of_shared << 16) return shared_place(w, offset, lane, bytes, access);
  if (address >> 32 == aperture_of_private << 16) return scratch_place(w, offset, lane, bytes, access);
  return global_place(w, address, lane, bytes, access);
}

bool is_defined(Wave const& w, Place const& p, unsigned lane, unsigned bytes) {
  if (p.space == Space::global) return true;
  if (p.space == Space::shared) {
    unsigned char const* defined = w.group->shared_defined.data() + p.offset;
    return std::all_of(defined, defined + bytes, [](unsigned char d) { return d != 0; });
  }
  for (unsigned word = p.offset / 4; word <= (p.offset + bytes - 1) / 4; ++word)
    if (!(w.scratch_defined[word] >> lane & 1)) return false;
  return true;
}

void set_defined(Wave& w, Place const& p, unsigned lane, unsigned bytes, bool defined) {
  if (p.space == Space::shared) {
    std::memset(w.group->shared_defined.data() + p.offset, defined, bytes);
  } else if (p.space == Space::scratch) {
    LaneMask const bit = LaneMask(1) << lane;
    for (unsigned word = p.offset / 4; word <= (p.offset + bytes - 1) / 4; ++word)
      w.scratch_defined[word] = defined ? w.scratch_defined[word] | bit : w.scratch_defined[word] & ~bit;
  }
}

Addresses::Addresses(Wave& w, Instruction const& i, Addressing kind, unsigned address, unsigned base) : how(kind) {
  active   = w.exec();
  constant = static_cast<std::uint32_t>(i.offset);
  if (i.index_enabled) throw Stop("the modifier 'idxen' is unknown");
  Operand const& o      = i[address];
  std::uint64_t scalars = static_cast<std::uint64_t>(static_cast<std::int64_t>(i.offset)), undefined = 0;
  bool defined = true;
  if (how == Addressing::global && base < i.count && i[base].is_scalar()) {
    scalars += scalar_value<std::uint64_t>(w, i[base], &undefined);
    defined = undefined == 0;
  } else if (how == Addressing::scratch && i[base].is_scalar()) {
    scalars += scalar_value<std::uint32_t>(w, i[base], &undefined);
    defined = undefined == 0;
  } else if (how == Addressing::buffer) {
    // The stack pointer counts bytes of the whole wavefront, the other offsets those of a lane.
    std::uint64_t const place = scalar_value<std::uint64_t>(w, i[base], &undefined) & 0xffffffffffff;
    if (undefined || place != reinterpret_cast<std::uintptr_t>(w.scratch))
      throw Stop("its buffer is not the private memory of the wavefront");
    scalars += scalar_value<std::uint32_t>(w, i[base + 1], &undefined) / w.width;
    defined = undefined == 0;
  }
  if (o.is_vector()) {
    bool const wide                 = how == Addressing::flat || (how == Addressing::global && o.words == 2);
    std::uint32_t const* const low  = w.lanes_of(o.first);
    std::uint32_t const* const high = wide ? low + lanes : nullptr;
    LaneMask known                  = w.vector_defined[o.first];
    if (wide) known &= w.vector_defined[o.first + 1];
    for (unsigned l = 0; l < lanes; ++l)
      value[l] = scalars + (low[l] | (wide ? static_cast<std::uint64_t>(high[l]) << 32 : 0));
    defined = defined && !(active & ~known);
  } else {
    for (unsigned l = 0; l < lanes; ++l) value[l] = scalars;
  }
  require_defined(w, defined, "an address");
  if (w.counts) w.counts->add_access(i, how, value, active);
}

Place Addresses::at(Wave& w, unsigned lane, unsigned bytes, Access access, unsigned more) const {
  std::uint64_t const a = value[lane] + more;
  switch (how) {
    case Addressing::flat:
      return place_of(w, a, lane, bytes, access);
    case Addressing::global:
      return global_place(w, a, lane, bytes, access);
    // 32 bits wrap, so that a negative address and an offset may name a byte of private memory or LDS.
    case Addressing::buffer:
    case Addressing::scratch:
      return scratch_place(w, static_cast<std::uint32_t>(a), lane, bytes, access);
    default:
      // A small number behind null wraps into LDS. Only a byte may be there: larger objects are aligned.
      if (auto const behind = static_cast<std::uint32_t>(a) - null_in_shared;
          static_cast<std::uint32_t>(value[lane]) - constant == null_in_shared && (bytes > 1 || behind == 0))
        fail_null(lane, bytes, access, behind);
      return shared_place(w, static_cast<std::uint32_t>(a), lane, bytes, access);
  }
}

// Flat accesses may go to LDS, so both counters count them. On gfx9 they return in any order. vmcnt of gfx10 does not
// count stores, which have their own counter.
void note_outstanding(Wave& w, Addressing how, Operand const* result) {
  Outstanding o;
  if (result) {
    o.first = result->first;
    o.words = result->words;
  }
  o.in_order = w.is_rdna || how != Addressing::flat;
  if (how != Addressing::shared && (result || !w.is_rdna)) w.vector_memory.push_back(o);
  if (how == Addressing::flat || how == Addressing::shared) w.lgkm.push_back(o);
}

}  // namespace hip_model::isa
