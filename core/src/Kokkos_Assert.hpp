// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ASSERT_HPP
#define KOKKOS_ASSERT_HPP

/// \file
/// `KOKKOS_ASSERT(condition)`: like `assert`, but callable in kernels.
///
/// If the condition is false, Kokkos::abort ends the program with the condition's text, file and line. `KOKKOS_EXPECTS`
/// and `KOKKOS_ENSURES` are the same check, with a message about a precondition or a postcondition. The checks are
/// compiled in unless, at the point where this file is included, NDEBUG is defined and neither KOKKOS_ENABLE_DEBUG nor
/// KOKKOS_ENFORCE_CONTRACTS is. Like <cassert>, this file may be included again with other macros: the last inclusion
/// counts.
///
/// The check is a block, or nothing: a semicolon may follow, but not between `if` and `else` without braces.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Abort.hpp>

#define KOKKOS_IMPL_TEXT_OF_(...) #__VA_ARGS__
#define KOKKOS_IMPL_TEXT_OF(...) KOKKOS_IMPL_TEXT_OF_(__VA_ARGS__)

// A block, since programs also write the check without a semicolon behind it. The whole message is one string literal,
// so that device code needs no formatting.
#define KOKKOS_IMPL_CHECK(KIND, TEXT, ...)                                                                       \
  {                                                                                                              \
    if (!static_cast<bool>(__VA_ARGS__))                                                                         \
      ::Kokkos::abort(KIND " does not hold: `" TEXT "`\n  at " __FILE__ ":" KOKKOS_IMPL_TEXT_OF(__LINE__) "\n"); \
  }

#endif

#undef KOKKOS_ASSERT
#undef KOKKOS_EXPECTS
#undef KOKKOS_ENSURES

/// @{
/// Ends the program with a message if the condition is false, in builds that check (see the top of this file).
#if !defined(NDEBUG) || defined(KOKKOS_ENABLE_DEBUG) || defined(KOKKOS_ENFORCE_CONTRACTS)
#define KOKKOS_ASSERT(...) KOKKOS_IMPL_CHECK("The assertion", #__VA_ARGS__, __VA_ARGS__)
#define KOKKOS_EXPECTS(...) KOKKOS_IMPL_CHECK("The precondition", #__VA_ARGS__, __VA_ARGS__)
#define KOKKOS_ENSURES(...) KOKKOS_IMPL_CHECK("The postcondition", #__VA_ARGS__, __VA_ARGS__)
#else
#define KOKKOS_ASSERT(...)
#define KOKKOS_EXPECTS(...)
#define KOKKOS_ENSURES(...)
#endif
/// @}
