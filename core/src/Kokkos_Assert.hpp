// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ASSERT_HPP
#define KOKKOS_ASSERT_HPP

/// \file
/// `KOKKOS_ASSERT(condition)`: like `assert`, but callable in kernels.
///
/// If the condition is false, Kokkos::abort ends the program with the condition's text, file and line. The check is
/// compiled in unless, at the point where this file is included, NDEBUG is defined and KOKKOS_ENABLE_DEBUG is not.
/// `KOKKOS_EXPECTS` and `KOKKOS_ENSURES` are the same check, with a message about a precondition or a postcondition.
/// KOKKOS_ENFORCE_CONTRACTS enables these two also in builds with NDEBUG. Like <cassert>, this file may be included
/// again with other macros: the last inclusion counts.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Abort.hpp>

#define KOKKOS_IMPL_TEXT_OF_(...) #__VA_ARGS__
#define KOKKOS_IMPL_TEXT_OF(...) KOKKOS_IMPL_TEXT_OF_(__VA_ARGS__)

// The whole message is one string literal, so that device code needs no formatting.
#define KOKKOS_IMPL_CHECK(KIND, TEXT, ...) \
  (static_cast<bool>(__VA_ARGS__)          \
       ? static_cast<void>(0)              \
       : ::Kokkos::abort(KIND " does not hold: `" TEXT "`\n  at " __FILE__ ":" KOKKOS_IMPL_TEXT_OF(__LINE__) "\n"))

#endif

#undef KOKKOS_ASSERT
#undef KOKKOS_EXPECTS
#undef KOKKOS_ENSURES

#if !defined(NDEBUG) || defined(KOKKOS_ENABLE_DEBUG)
#define KOKKOS_ASSERT(...) KOKKOS_IMPL_CHECK("The assertion", #__VA_ARGS__, __VA_ARGS__)
#else
#define KOKKOS_ASSERT(...) static_cast<void>(0)
#endif

#if !defined(NDEBUG) || defined(KOKKOS_ENABLE_DEBUG) || defined(KOKKOS_ENFORCE_CONTRACTS)
#define KOKKOS_EXPECTS(...) KOKKOS_IMPL_CHECK("The precondition", #__VA_ARGS__, __VA_ARGS__)
#define KOKKOS_ENSURES(...) KOKKOS_IMPL_CHECK("The postcondition", #__VA_ARGS__, __VA_ARGS__)
#else
#define KOKKOS_EXPECTS(...) static_cast<void>(0)
#define KOKKOS_ENSURES(...) static_cast<void>(0)
#endif
