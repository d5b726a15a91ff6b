// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_DetectionIdiom.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace {

template <class T>
using difference_type_of = typename T::difference_type;
template <class T>
using copy_assignment_of = decltype(std::declval<T&>() = std::declval<T const&>());

struct WithDifference {
  using difference_type = short;
};
struct Fixed {
  Fixed& operator=(Fixed const&) = delete;
};
struct OddAssignment {
  int operator=(OddAssignment const&);
};

static_assert(Kokkos::is_detected_v<difference_type_of, WithDifference>);
static_assert(!Kokkos::is_detected_v<difference_type_of, Fixed>);
static_assert(!Kokkos::is_detected_v<difference_type_of, int>);
static_assert(std::is_same_v<Kokkos::is_detected<difference_type_of, WithDifference>, std::true_type>);
static_assert(std::is_same_v<Kokkos::is_detected<difference_type_of, int>, std::false_type>);

static_assert(std::is_same_v<Kokkos::detected_t<difference_type_of, WithDifference>, short>);
static_assert(std::is_same_v<Kokkos::detected_t<difference_type_of, int>, Kokkos::nonesuch>);
static_assert(!std::is_destructible_v<Kokkos::nonesuch> && !std::is_move_constructible_v<Kokkos::nonesuch>);

static_assert(std::is_same_v<Kokkos::detected_or_t<std::ptrdiff_t, difference_type_of, WithDifference>, short>);
static_assert(std::is_same_v<Kokkos::detected_or_t<std::ptrdiff_t, difference_type_of, int>, std::ptrdiff_t>);
static_assert(std::is_same_v<Kokkos::detected_or<long, difference_type_of, int>::type, long>);
static_assert(!Kokkos::detected_or<long, difference_type_of, int>::value_t::value);

static_assert(Kokkos::is_detected_exact_v<int&, copy_assignment_of, int>);
static_assert(!Kokkos::is_detected_exact_v<OddAssignment&, copy_assignment_of, OddAssignment>);
static_assert(!Kokkos::is_detected_exact<Fixed&, copy_assignment_of, Fixed>::value);

static_assert(Kokkos::is_detected_convertible_v<long, copy_assignment_of, OddAssignment>);
static_assert(!Kokkos::is_detected_convertible_v<long, copy_assignment_of, Fixed>);
static_assert(Kokkos::is_detected_convertible<long, difference_type_of, WithDifference>::value);

// The assertions above are the test; this shows that they were compiled.
TEST(DetectionIdiom, Compiles) { SUCCEED(); }

}  // namespace
