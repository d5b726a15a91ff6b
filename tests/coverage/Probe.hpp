// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TESTS_COVERAGE_PROBE_HPP
#define KOKKOS_TESTS_COVERAGE_PROBE_HPP

/// \file
/// How tests/coverage lists the documented names. A line is a probe that the compiler accepts only if the name is there;
/// scripts/coverage makes docs/coverage.md of the same lines. PAGE is a page of the documentation, in docs/source/API
/// unless it begins with a slash, or "programs" for what applications use beside the documented names.

#include <Kokkos_Core.hpp>

#define KOKKOS_PROBE_JOIN2(A, B) A##B
#define KOKKOS_PROBE_JOIN(A, B) KOKKOS_PROBE_JOIN2(A, B)

/// Something in a namespace: a type, template, function, variable or enumerator.
#define NAME(PAGE, QUALIFIED)                         \
  namespace KOKKOS_PROBE_JOIN(probe_at_, __LINE__) {  \
  using ::QUALIFIED;                                  \
  }
/// A type.
#define TYPE(PAGE, ...) using KOKKOS_PROBE_JOIN(type_at_, __LINE__) = __VA_ARGS__;
/// An expression that compiles; it is not evaluated.
#define EXPR(PAGE, ...) using KOKKOS_PROBE_JOIN(type_at_, __LINE__) = decltype(__VA_ARGS__);
/// What is documented and not here, and why.
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
