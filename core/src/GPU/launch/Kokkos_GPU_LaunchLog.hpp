// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_LAUNCH_LOG_HPP
#define KOKKOS_GPU_LAUNCH_LOG_HPP

/// \file
/// Which kernels an error of the device can have come from.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace Kokkos::Impl {

/// The labels of the last kernels launched on an instance. A device reports an error late, without saying which kernel
/// it was: one of those that were launched since the last fence that went well.
class LaunchLog {
 public:
  static constexpr std::uint64_t length   = 16;
  static constexpr std::size_t label_size = 64;

  void add(const char* label) noexcept {
    const std::size_t size = std::strlen(label);
    char* const kept       = m_labels[m_count++ % length];
    std::memcpy(kept, label, size < label_size ? size + 1 : label_size - 1);
    ++m_open;
  }

  /// Everything launched so far has ended well.
  void all_done() noexcept { m_open = 0; }

  /// The kernels in question as part of a sentence, oldest first; empty if there are none.
  std::string window() const {
    if (m_open == 0) return {};
    const std::uint64_t kept = m_open < length ? m_open : length;
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
  std::uint64_t m_count             = 0;  // launches in all
  std::uint64_t m_open              = 0;  // of these, since the last fence
};

}  // namespace Kokkos::Impl

#endif
