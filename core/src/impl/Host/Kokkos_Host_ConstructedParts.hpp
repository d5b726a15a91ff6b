// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_CONSTRUCTED_PARTS_HPP
#define KOKKOS_HOST_CONSTRUCTED_PARTS_HPP

/// \file
/// A record of the elements that the threads of a team have constructed, in case a constructor throws.

#include <impl/Host/Kokkos_Host_Partition.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// An exception must not leave a thread of a team, which would end the program. So each thread records its part when all
/// of its elements exist, or else its exception; after the team has ended, the caller destroys the recorded parts and
/// throws the first exception.
class HostConstructedParts {
 public:
  explicit HostConstructedParts(int threads);
  ~HostConstructedParts();
  HostConstructedParts(HostConstructedParts const&)            = delete;
  HostConstructedParts& operator=(HostConstructedParts const&) = delete;

  /// All elements of the part of `rank` exist.
  void record(int rank, HostPart part) noexcept { m_parts[rank] = part; }
  /// In an exception handler of any thread: keeps the exception, unless there is one already.
  void record_exception() noexcept;

  // After the team has ended:
  bool failed() const noexcept { return m_exception != nullptr; }
  HostPart const* begin() const noexcept { return m_parts; }  ///< the parts of all threads
  HostPart const* end() const noexcept { return m_parts + m_threads; }
  [[noreturn]] void rethrow() const;

 private:
  struct Exception;

  HostPart* m_parts;
  int m_threads;
  Exception* m_exception = nullptr;
};

}  // namespace Kokkos::Impl

#endif
