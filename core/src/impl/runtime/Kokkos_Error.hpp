// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_ERROR_HPP
#define KOKKOS_RUNTIME_ERROR_HPP

/// \file
/// Exceptions, warnings and aborts of the library. Messages are composed out of line, once an error is certain.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace Kokkos::Experimental {

/// Thrown if a memory space cannot supply the requested memory. what() contains the space, the size and the label of
/// the allocation, and what to do.
class BadAlloc : public std::runtime_error {
 public:
  /// An exception with a sentence about the name of the space, the requested bytes, and the label.
  BadAlloc(std::string_view memory_space_name, std::size_t bytes, std::string_view label);

  std::string const& memory_space_name() const noexcept { return m_space; }  ///< name() of the memory space
  std::size_t allocation_size() const noexcept { return m_bytes; }           ///< the requested size, in bytes
  std::string const& label() const noexcept { return m_label; }              ///< the label of the allocation

 protected:
  /// `sentence` is what() of the exception.
  BadAlloc(std::string_view memory_space_name, std::size_t bytes, std::string_view label, std::string const& sentence)
      : std::runtime_error(sentence), m_space(memory_space_name), m_label(label), m_bytes(bytes) {}

 private:
  std::string m_space;
  std::string m_label;
  std::size_t m_bytes;
};

/// The type of these exceptions, under the name that Kokkos 4 has.
class RawMemoryAllocationFailure : public BadAlloc {
 public:
  /// `sentence` is what() of the exception; the other arguments are those of BadAlloc.
  RawMemoryAllocationFailure(std::string_view memory_space_name, std::size_t bytes, std::string_view label,
                             std::string const& sentence)
      : BadAlloc(memory_space_name, bytes, label, sentence) {}
  /// The requested size, in bytes.
  std::size_t attempted_size() const noexcept { return allocation_size(); }
};

}  // namespace Kokkos::Experimental

namespace Kokkos::Impl {

/// Throws std::runtime_error with this sentence.
[[noreturn]] void throw_runtime_exception(std::string const& sentence);

/// Throws Experimental::RawMemoryAllocationFailure, whose text contains space, size and label.
[[noreturn]] void throw_out_of_memory(char const* space, std::size_t bytes, std::string const& label);

/// Aborts unless Kokkos is initialized and not finalized. The message begins with `what`.
void require_initialized(char const* what);

/// Writes "Kokkos warning: <sentence>" to the standard error stream, unless warnings are disabled.
void warn(std::string const& sentence);
/// Like `warn` above, once in a run, for what a program may repeat in a loop. `done` is a static variable, at first 0.
void warn_once(int& done, std::string const& sentence);

/// `bytes` with a binary unit and four significant digits: "1.5 GiB".
std::string human_memory_size(std::size_t bytes);

}  // namespace Kokkos::Impl

#endif
