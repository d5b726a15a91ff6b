// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GRANULES_HPP
#define KOKKOS_GPU_GRANULES_HPP

/// \file
/// Up to 64 equal pieces of a region, which are handed out in runs. Neighbours that are freed form a longer run at once.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace Kokkos::Impl {

class GPUGranules {
 public:
  static constexpr int max_count = 64;

  /// All `count` granules are free; `count` is from 1 to max_count.
  explicit GPUGranules(int count) : m_free(mask_of(count)) {}

  /// Takes the first free run of `length` granules, from 1 to max_count, and returns the number of its first one; -1 if
  /// there is none.
  int take(int length) noexcept {
    // A bit of `starts` means that a run of `known` free granules starts there. Each step joins two such runs, so the
    // number of steps is the logarithm of the length.
    std::uint64_t starts = m_free;
    for (int known = 1; known < length && starts != 0;) {
      int const more = std::min(known, length - known);
      starts &= starts >> more;
      known += more;
    }
    if (starts == 0) return -1;
    int const first = std::countr_zero(starts);
    m_free &= ~(mask_of(length) << first);
    m_length[first] = static_cast<std::uint8_t>(length);
    return first;
  }
  /// Frees the run that starts with granule `first`.
  void put(int first) noexcept { m_free |= mask_of(m_length[first]) << first; }

  int length(int first) const noexcept { return m_length[first]; }
  int free_count() const noexcept { return std::popcount(m_free); }

 private:
  static std::uint64_t mask_of(int length) noexcept { return ~std::uint64_t(0) >> (max_count - length); }

  std::uint64_t m_free;
  std::uint8_t m_length[max_count] = {};  // of the run that starts with this granule
};

}  // namespace Kokkos::Impl

#endif
