// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_RACES_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_RACES_HPP

/// \file
/// Races between wavefronts of a workgroup in LDS: two accesses to a byte, at least one of which writes, that neither a
/// barrier nor atomic operations order.
///
/// Each wavefront has a vector clock. A barrier joins the clocks of all wavefronts; an atomic operation, in any memory,
/// joins that of its wavefront with that of its address, in both directions. Each word of LDS remembers its last write
/// and two last reads, so a race may stay unnoticed.
///
/// Compilers implement atomic loads and stores by plain instructions. So an access to an address of global memory that
/// the workgroup has accessed by an atomic operation counts as one, and so does a store to such a word of LDS, as at
/// the end of a lock. A load from such a word does not: a wavefront that waits there for a value of another one is
/// reported.

#include "instruction.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hip_model::isa {

enum class Access : std::uint8_t { read, write, update };  // update: an atomic operation
char const* name_of(Access);

class Races {
 public:
  /// Prepares for the next workgroup in this slot.
  void begin(unsigned waves, std::uint32_t shared_bytes);
  /// All wavefronts have arrived at a barrier. The wavefronts of the mask have not waited for all of their accesses to
  /// LDS.
  void barrier(std::uint32_t unsettled);
  /// An access to global memory. An atomic one orders the accesses of the wavefronts that make it.
  void global(unsigned wave, std::uint64_t address, Access access) {
    if (m_waves > 1 && (access == Access::update || is_atomic(address))) join_with(wave, address);
  }
  /// Stops the kernel if the access races with an earlier one.
  void shared(unsigned wave, Instruction const* by, std::uint32_t offset, unsigned bytes, Access access) {
    if (m_waves > 1) check(wave, by, offset, bytes, access);
  }

 private:
  static constexpr unsigned max_waves = 32, filter_bits = 1024;
  using Clock = std::array<std::uint32_t, max_waves>;
  struct Record {
    Instruction const* by = nullptr;
    std::uint32_t time    = 0;  // of its wavefront
    std::uint8_t wave     = 0;
    std::uint8_t bytes    = 0;  // mask
    bool is_atomic        = false;
  };
  struct Word {
    Record write, read, other_read;
  };

  static std::size_t filter_of(std::uint64_t address) { return (address / 4 ^ address / 4096) % filter_bits; }
  bool is_atomic(std::uint64_t address) const {
    return m_filter[filter_of(address)] && m_atomics.find(address) != m_atomics.end();
  }
  void join_with(unsigned wave, std::uint64_t address);
  void check(unsigned wave, Instruction const* by, std::uint32_t offset, unsigned bytes, Access);
  bool is_unordered(Record const& r, unsigned wave, unsigned bytes) const {
    return r.time > m_clocks[wave][r.wave] && (r.bytes & bytes);
  }

  unsigned m_waves = 0;
  std::array<Clock, max_waves> m_clocks{};
  std::uint32_t m_latest = 0;
  std::vector<Word> m_words;
  std::unordered_map<std::uint64_t, Clock> m_atomics;
  std::bitset<filter_bits> m_filter;  // of addresses in m_atomics
};

}  // namespace hip_model::isa

#endif
