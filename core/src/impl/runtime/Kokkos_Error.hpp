// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_ERROR_HPP
#define KOKKOS_RUNTIME_ERROR_HPP

/// \file
/// Exceptions, warnings and aborts of the library. Messages are composed out of line, once an error is certain.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace Kokkos::Experimental {

/// Thrown if a memory space cannot supply the requested memory. what() contains the space, the size and the label of
/// the allocation.
class RawMemoryAllocationFailure : public std::runtime_error {
 public:
  /// `sentence` is what() of the exception, `bytes` the requested size.
  RawMemoryAllocationFailure(std::string const& sentence, std::size_t bytes)
      : std::runtime_error(sentence), attempted_(bytes) {}
  /// The requested size, in bytes.
  std::size_t attempted_size() const noexcept { return attempted_; }

 private:
  std::size_t attempted_;
};

}  // namespace Kokkos::Experimental

namespace Kokkos::Impl {

/// Throws std::runtime_error with this sentence.
[[noreturn]] void throw_runtime_exception(std::string const& sentence);

/// Throws Experimental::RawMemoryAllocationFailure, whose text contains space, size and label.
[[noreturn]] void throw_out_of_memory(const char* space, std::size_t bytes, std::string const& label);

/// Aborts unless Kokkos is initialized and not finalized. The message begins with `what`.
void require_initialized(const char* what);

/// Writes "Kokkos warning: <sentence>" to the standard error stream, unless warnings are disabled.
void warn(std::string const& sentence);

/// `bytes` with a binary unit and four significant digits: "1.5 GiB".
std::string human_memory_size(std::size_t bytes);

}  // namespace Kokkos::Impl

#endif
