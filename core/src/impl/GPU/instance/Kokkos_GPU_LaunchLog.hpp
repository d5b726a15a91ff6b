// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_LAUNCH_LOG_HPP
#define KOKKOS_GPU_LAUNCH_LOG_HPP

/// \file
/// The kernels that a late error of the device may come from.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace Kokkos::Impl {

/// The labels of the last kernels launched on an instance. A device reports an error late and does not name the
/// kernel. The error comes from one of the kernels launched since the last successful fence.
class LaunchLog {
 public:
  static constexpr std::uint64_t length   = 16;
  static constexpr std::size_t label_size = 64;

  void add(char const* label) noexcept {
    std::size_t const size = std::strlen(label);
    char* const kept       = m_labels[m_count++ % length];
    std::memcpy(kept, label, size < label_size ? size + 1 : label_size - 1);
    ++m_open;
  }

  /// Every kernel launched so far has succeeded.
  void all_done() noexcept { m_open = 0; }

  /// The suspected kernels as part of a sentence, oldest first; empty if there are none.
  std::string window() const {
    if (m_open == 0) return {};
    std::uint64_t const kept = m_open < length ? m_open : length;
    std::string words        = "the kernel ";
    if (m_open > 1) {
      words = "one of the " + std::to_string(m_open) + " kernels launched since the last fence";
      words += kept < m_open ? ", the last of which are " : ": ";
    }
    for (std::uint64_t i = m_count - kept; i < m_count; ++i) {
      if (i > m_count - kept) words += ", ";
      words += std::string("\"") + m_labels[i % length] + "\"";
    }
    return words;
  }

 private:
  char m_labels[length][label_size] = {};
  std::uint64_t m_count             = 0;  // number of all launches
  std::uint64_t m_open              = 0;  // number of launches since the last fence
};

}  // namespace Kokkos::Impl

#endif
