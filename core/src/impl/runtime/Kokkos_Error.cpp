// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Exceptions, warnings and aborts of the library.

#include <impl/runtime/Kokkos_Error.hpp>
#include <Kokkos_Abort.hpp>
#include <Kokkos_Initialize.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>

#include <cstdio>
#include <cstdlib>

namespace Kokkos::Impl {

void host_abort(char const* message) noexcept {
  // Earlier output must appear before the message.
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", message);
  std::fflush(stderr);
  std::abort();
}

// The exceptions below flush the output first, because a program that does not catch them ends without doing so.

void throw_runtime_exception(std::string const& sentence) {
  std::fflush(stdout);
  throw std::runtime_error(sentence);
}

namespace {

// Programs search for its beginning.
std::string out_of_memory_sentence(std::string_view space, std::size_t bytes, std::string_view label) {
  return std::string("Kokkos ERROR: ").append(space) + " memory space failed to allocate " + human_memory_size(bytes) +
         " (label=\"" + std::string(label) + "\"). " + std::to_string(bytes) +
         " bytes were requested, which are not available: free memory first, or request less.";
}

}  // namespace

void throw_out_of_memory(char const* space, std::size_t bytes, std::string const& label) {
  std::fflush(stdout);
  throw Experimental::RawMemoryAllocationFailure(space, bytes, label, out_of_memory_sentence(space, bytes, label));
}

void require_initialized(char const* what) {
  if (is_active()) return;
  std::string sentence = what;
  if (is_finalized()) {
    sentence += " was called after Kokkos::finalize. Kokkos objects must be used, and views destroyed, before finalize";
  } else {
    sentence += " was called before Kokkos::initialize. Call Kokkos::initialize, or create a Kokkos::ScopeGuard, first";
  }
  host_abort((sentence + '.').c_str());
}

void warn(std::string const& sentence) {
  if (show_warnings()) std::fprintf(stderr, "Kokkos warning: %s\n", sentence.c_str());
}

void warn_once(int& done, std::string const& sentence) {
  if (__atomic_exchange_n(&done, 1, __ATOMIC_RELAXED) == 0) warn(sentence);
}

std::string human_memory_size(std::size_t bytes) {
  char const* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value              = static_cast<double>(bytes);
  int unit                  = 0;
  while (value >= 1024 && unit < 6) value /= 1024, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", value, units[unit]);
  return text;
}

}  // namespace Kokkos::Impl

namespace Kokkos::Experimental {

BadAlloc::BadAlloc(std::string_view memory_space_name, std::size_t bytes, std::string_view label)
    : BadAlloc(memory_space_name, bytes, label, Impl::out_of_memory_sentence(memory_space_name, bytes, label)) {}

}  // namespace Kokkos::Experimental
