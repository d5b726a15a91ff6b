// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_RANDOM_CASES_HPP
#define KOKKOS_TEST_RANDOM_CASES_HPP

/// \file
/// Random cases that compare the library with plain loops and the standard library.
///
/// Each case has its own generator, so a case is repeated alone by the two variables that its failure prints:
/// KOKKOS_TEST_SEED, and KOKKOS_TEST_CASE, the number of the case. KOKKOS_TEST_CASES sets how many cases there are.

#include "PatternTest.hpp"
#include "Thorough.hpp"

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace Kokkos::Testing {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t number) : seed_(seed), number_(number), engine_(seed * 1000003 + number) {}
  /// The variables that repeat this case alone.
  std::string origin() const {
    return " KOKKOS_TEST_SEED=" + std::to_string(seed_) + " KOKKOS_TEST_CASE=" + std::to_string(number_);
  }
  std::uint64_t bits() { return engine_(); }
  /// A number in [first, last].
  long between(long first, long last) {
    return first + static_cast<long>(engine_() % static_cast<std::uint64_t>(last - first + 1));
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool once_in(long n) { return between(1, n) == 1; }
  /// A length: mostly short, and otherwise near one of those at which the library changes its method.
  std::size_t length(std::initializer_list<long> changes) {
    if (once_in(4)) return static_cast<std::size_t>(between(0, 3));
    if (once_in(2)) return static_cast<std::size_t>(between(4, 300));
    long const near = *(changes.begin() + below(changes.size()));
    return static_cast<std::size_t>(near + between(near < 40 ? -near : -40, 40));
  }

 private:
  std::uint64_t seed_, number_;
  std::mt19937_64 engine_;
};

/// The whole number in an environment variable, or `otherwise`.
inline std::uint64_t number_from_environment(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Calls test(random) for each case, until one fails.
template <class Test>
void for_each_case(std::uint64_t usual, std::uint64_t thorough, Test const& test) {
  constexpr std::uint64_t every = ~std::uint64_t(0);
  std::uint64_t const seed      = number_from_environment("KOKKOS_TEST_SEED", 1);
  std::uint64_t const only      = number_from_environment("KOKKOS_TEST_CASE", every);
  std::uint64_t const count     = number_from_environment("KOKKOS_TEST_CASES", is_thorough() ? thorough : usual);
  for (std::uint64_t i = only == every ? 0 : only; i < (only == every ? count : only + 1); ++i) {
    Random random(seed, i);
    SCOPED_TRACE("repeated alone by" + random.origin());
    test(random);
    if (::testing::Test::HasFailure()) return;
  }
}

/// A view of `space` with the values, and its values.
template <class Space, class T>
Kokkos::View<T*, Space> view_of(std::vector<T> const& values) {
  Kokkos::View<T*, Space> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, "values"), values.size());
  Kokkos::deep_copy(view, Kokkos::View<T const*, Kokkos::HostSpace>(values.data(), values.size()));
  return view;
}
template <class View>
auto values_of(View const& view) {
  using T         = typename View::non_const_value_type;
  auto const here = on_host(view);
  std::vector<T> values(here.extent(0));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = here(i);
  return values;
}

}  // namespace Kokkos::Testing

#endif
