// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_ALGORITHM_TEST_HPP
#define KOKKOS_TEST_ALGORITHM_TEST_HPP

/// \file
/// Compares an algorithm with the standard library's: for views and iterators, called on the host and in a team. Its kernels
/// run in the instance that it is given.

#include "KernelWatch.hpp"
#include "RandomCases.hpp"

#include <Kokkos_StdAlgorithms.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

// Cases call host functions or device functions, depending on their place.
#ifdef __NVCC__
#pragma nv_diag_suppress 20011
#pragma nv_diag_suppress 20014
#endif

namespace Kokkos::Testing {

namespace KE = Kokkos::Experimental;
using Ints   = std::vector<int>;

/// A case is a call with the views a, b and c, with their iterators, and with vectors. `w` is an instance or a team.
/// All return a number, such as the found position, and may change all three.
#define KOKKOS_TEST_CASE(NAME, VIEWS, ITERATORS, EXPECTED)                                                          \
  struct NAME {                                                                                                     \
    template <class W, class V>                                                                                     \
    KOKKOS_FUNCTION static long views(W const& w, [[maybe_unused]] V const& a, [[maybe_unused]] V const& b,         \
                                      [[maybe_unused]] V const& c) {                                                \
      VIEWS                                                                                                         \
    }                                                                                                               \
    template <class W, class I>                                                                                     \
    KOKKOS_FUNCTION static long iterators(W const& w, [[maybe_unused]] I a, [[maybe_unused]] I ae,                  \
                                          [[maybe_unused]] I b, [[maybe_unused]] I be, [[maybe_unused]] I c) {      \
      ITERATORS                                                                                                     \
    }                                                                                                               \
    static long expected([[maybe_unused]] Ints& a, [[maybe_unused]] Ints& b, [[maybe_unused]] Ints& c) { EXPECTED } \
  };

// The position of a vector's iterator.
inline long at(Ints const& v, Ints::const_iterator it) { return it - v.begin(); }
template <class V, class I>
  requires Kokkos::is_view_v<V>
KOKKOS_FUNCTION long at(V const& view, I it) {
  return it - KE::begin(view);
}

struct IsOdd {
  KOKKOS_FUNCTION bool operator()(int x) const { return (x & 1) != 0; }
};
struct IsLarge {
  KOKKOS_FUNCTION bool operator()(int x) const { return x > 1; }
};
struct NearlyEqual {
  KOKKOS_FUNCTION bool operator()(int x, int y) const { return x / 2 == y / 2; }
};
struct Above {
  KOKKOS_FUNCTION bool operator()(int x, int y) const { return x > y; }
};
struct TimesThree {
  KOKKOS_FUNCTION int operator()(int x) const { return 3 * x; }
};
struct Mix {
  KOKKOS_FUNCTION int operator()(int x, int y) const { return 10 * x + y; }
};
/// Associative and commutative, and without an identity among the ints of the tests.
struct Largest {
  KOKKOS_FUNCTION int operator()(int x, int y) const { return x > y ? x : y; }
};
struct Increment {
  KOKKOS_FUNCTION void operator()(int& x) const { ++x; }
};
struct Seven {
  KOKKOS_FUNCTION int operator()() const { return 7; }
};

struct Sequences {
  Ints a, b, c;
  std::string origin = {};  // of random ones
};

/// A random sequence with few values, and another one, which may be a part of it or begin like it.
inline Sequences any_sequences(Random& random) {
  std::size_t const n = random.length({32, 64, 256, 1024, 2048, 5000});
  Sequences s{Ints(n), Ints(n), Ints(n, -1)};
  long const kinds  = random.between(1, 6);
  auto const values = [&](Ints& v) {
    for (int& x : v) x = static_cast<int>(random.between(0, kinds));
  };
  values(s.a);
  values(s.b);
  if (random.once_in(3)) std::sort(s.a.begin(), s.a.end());
  if (n > 0 && random.once_in(2)) std::copy(s.a.begin(), s.a.begin() + static_cast<long>(random.below(n)), s.b.begin());
  return s;
}

/// Sequences of up to 300 elements: random ones of few values, equal ones, and, if they have several elements,
/// ascending ones and ones that differ at one position; and random ones.
inline std::vector<Sequences> sequences() {
  std::vector<Sequences> all;
  for (int n : is_thorough() ? Ints{0, 1, 2, 3, 40, 300} : Ints{0, 1, 3, 300}) {
    unsigned random    = 12345;
    auto const element = [&] { return static_cast<int>((random = random * 1664525u + 1013904223u) >> 16 & 3); };
    Sequences few{Ints(n), Ints(n), Ints(n, -1)}, equal{Ints(n, 2), Ints(n, 2), Ints(n, -1)}, up = equal, one = equal;
    for (int i = 0; i < n; ++i) few.a[i] = element(), few.b[i] = element();
    std::iota(up.a.begin(), up.a.end(), -3);
    std::iota(up.b.begin(), up.b.end(), -3);
    all.push_back(few);
    if (n < 100 || is_thorough()) all.push_back(equal);
    if (n < 2) continue;
    one.a[n * 2 / 3] = 1;
    all.insert(all.end(), {up, one});
  }
  for_each_case(1, 60, [&](Random& random) {
    all.push_back(any_sequences(random));
    all.back().origin = random.origin();
  });
  return all;
}

template <class Space>
struct SequenceViews {
  using View = Kokkos::View<int*, Space>;
  View a, b, c;
  explicit SequenceViews(Sequences const& s) : a(copy(s.a)), b(copy(s.b)), c(copy(s.c)) {}

  static View copy(Ints const& values) {
    View const view("values", values.size());
    Kokkos::deep_copy(
        view, Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
    return view;
  }
  static Ints back(View const& view) {
    auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return Ints(here.data(), here.data() + here.extent(0));
  }
  void expect(Sequences const& expected) const {
    EXPECT_EQ(back(a), expected.a);
    EXPECT_EQ(back(b), expected.b);
    EXPECT_EQ(back(c), expected.c);
  }
};

template <class Case, bool ByViews, class Place, class V>
KOKKOS_FUNCTION long run_case(Place const& place, V const& a, V const& b, V const& c) {
  if constexpr (ByViews)
    return Case::views(place, a, b, c);
  else
    return Case::iterators(place, KE::begin(a), KE::end(a), KE::begin(b), KE::end(b), KE::begin(c));
}

template <class Case, bool ByViews, class Space>
struct CaseInTeam {
  using View = Kokkos::View<int*, Space>;
  View a, b, c;
  Kokkos::View<long*, Space> results;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    long const result         = run_case<Case, ByViews>(team, a, b, c);
    results(team.team_rank()) = result;
  }
};

template <class Case, bool ByViews, class Space>
void check_by_host(Sequences const& sequences, Sequences const& expected, long result) {
  SequenceViews<Space> const views(sequences);
  EXPECT_EQ((run_case<Case, ByViews>(Space(), views.a, views.b, views.c)), result);
  views.expect(expected);
}

template <class Case, bool ByViews, class Space>
void check_in_team(Sequences const& sequences, Sequences const& expected, long result) {
  using Policy = Kokkos::TeamPolicy<Space>;
  SequenceViews<Space> const views(sequences);
  CaseInTeam<Case, ByViews, Space> body{views.a, views.b, views.c, {}};
  int const lanes = std::min(2, Policy::vector_length_max());
  int const size  = std::min(8, Policy(1, 1, lanes).team_size_max(body, Kokkos::ParallelForTag()));
  body.results    = Kokkos::View<long*, Space>("results", size);
  Kokkos::parallel_for(Policy(1, size, lanes), body);
  auto const results = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), body.results);
  for (int i = 0; i < size; ++i) EXPECT_EQ(results(i), result) << "thread " << i << " of a team of " << size;
  views.expect(expected);
}

template <class Case, bool ByViews, class Space>
void check_by_instance(char const* name, Sequences const& sequences, Sequences const& expected, long result) {
  auto const parts = two_partitions<Space>();
  SequenceViews<Space> const views(sequences);
  expect_no_kernels_elsewhere(
      parts[1], name, [&] { EXPECT_EQ((run_case<Case, ByViews>(parts[1], views.a, views.b, views.c)), result); });
  views.expect(expected);
}

template <class Case, class Space>
void check_algorithm(char const* name) {
  bool by_instance = false;
  for (Sequences const& before : sequences()) {
    Sequences after   = before;
    long const result = Case::expected(after.a, after.b, after.c);
    SCOPED_TRACE(std::string(name) + ", " + std::to_string(before.a.size()) + " elements" + before.origin);
    check_by_host<Case, true, Space>(before, after, result);
    check_in_team<Case, true, Space>(before, after, result);
    // The forms for iterators and views share their implementation, which long sequences test.
    if (is_thorough() || before.a.size() < 100) {
      check_by_host<Case, false, Space>(before, after, result);
      check_in_team<Case, false, Space>(before, after, result);
    }
    if (before.a.size() == 300 && !by_instance) {
      check_by_instance<Case, true, Space>(name, before, after, result);
      check_by_instance<Case, false, Space>(name, before, after, result);
      by_instance = true;
    }
    if (::testing::Test::HasFailure()) return;
  }
}

#define KOKKOS_TEST_CHECK(CASE) Kokkos::Testing::check_algorithm<CASE, TypeParam>(#CASE)

}  // namespace Kokkos::Testing

#endif
