// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_THOROUGH_HPP
#define KOKKOS_TEST_THOROUGH_HPP

#include <cstdlib>

namespace Kokkos::Testing {

/// Whether a test that repeats itself with other seeds, lengths or counts does the whole of it, as in a build with
/// Kokkos_TEST_THOROUGH. Otherwise it does what takes a few seconds under a sanitizer.
inline bool is_thorough() { return std::getenv("KOKKOS_TEST_THOROUGH") != nullptr; }

/// The same at compile time, for tests that instantiate templates: whether they do so for every type, or only for types
/// of each kind.
#ifdef KOKKOS_TEST_EVERY_TYPE
inline constexpr bool every_type = true;
#else
inline constexpr bool every_type = false;
#endif

}  // namespace Kokkos::Testing

#endif
