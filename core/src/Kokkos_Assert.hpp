// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ASSERT_HPP
#define KOKKOS_ASSERT_HPP

/// \file
/// `KOKKOS_ASSERT(condition)`: like `assert`, but callable in kernels.
///
/// A condition that is false ends the program through Kokkos::abort with its text, file and line. The check is
/// compiled in unless NDEBUG is defined and KOKKOS_ENABLE_DEBUG is not, at the point where this file is included.
/// `KOKKOS_EXPECTS` and `KOKKOS_ENSURES` are the same check, and say in the message that what was violated is a
/// precondition or a postcondition; KOKKOS_ENFORCE_CONTRACTS keeps these two in builds with NDEBUG.
/// As <cassert>, this file may be included again under other macros: the last time counts.

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
