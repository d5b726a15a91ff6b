// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TESTS_COVERAGE_PROBE_HPP
#define KOKKOS_TESTS_COVERAGE_PROBE_HPP

/// \file
/// The macros with which tests/coverage lists the documented names. Each line is a probe that compiles only if the name
/// exists; scripts/coverage generates docs/coverage.md from the same lines. PAGE is a page of the documentation, in
/// docs/source/API unless it begins with a slash, or "programs" for undocumented names that applications use.

#include <Kokkos_Core.hpp>

#define KOKKOS_PROBE_JOIN2(A, B) A##B
#define KOKKOS_PROBE_JOIN(A, B) KOKKOS_PROBE_JOIN2(A, B)

/// A name in a namespace: a type, template, function, variable or enumerator.
#define NAME(PAGE, QUALIFIED)                        \
  namespace KOKKOS_PROBE_JOIN(probe_at_, __LINE__) { \
  using ::QUALIFIED;                                 \
  }
/// A type.
#define TYPE(PAGE, ...) using KOKKOS_PROBE_JOIN(type_at_, __LINE__) = __VA_ARGS__;
/// An expression that compiles; it is not evaluated.
#define EXPR(PAGE, ...) using KOKKOS_PROBE_JOIN(type_at_, __LINE__) = decltype(__VA_ARGS__);
/// A documented name that does not exist here, and the reason.
#define MISSING(PAGE, SHOWN, REASON)

namespace {

/// An object for expressions that are not evaluated.
template <class T>
T& some();

struct Body {
  KOKKOS_FUNCTION void operator()(int) const;
  KOKKOS_FUNCTION void operator()(int, int) const;
  KOKKOS_FUNCTION void operator()(int, double&) const;
  KOKKOS_FUNCTION void operator()(int, double&, bool) const;
};

}  // namespace

#endif
