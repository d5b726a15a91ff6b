// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_SORT_TEST_HPP
#define KOKKOS_TEST_SORT_TEST_HPP

/// \file
/// Sequences for tests of sorts, and copies of them between host and device.

#include "TestSpaces.hpp"

#include <Kokkos_Random.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace Kokkos::Testing {

template <class T, class Space>
Kokkos::View<T*, Space> to_device(std::vector<T> const& values) {
  Kokkos::View<T*, Space> view("values", values.size());
  auto const here = Kokkos::create_mirror_view(Kokkos::HostSpace(), view);
  for (std::size_t i = 0; i < values.size(); ++i) here(i) = values[i];
  Kokkos::deep_copy(view, here);
  return view;
}

template <class ViewType>
auto to_host(ViewType const& view) {
  // Strided views are copied through a dense one.
  Kokkos::View<typename ViewType::non_const_value_type*, typename ViewType::device_type> dense("dense", view.extent(0));
  Kokkos::deep_copy(dense, view);
  auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dense);
  return std::vector<typename ViewType::non_const_value_type>(here.data(), here.data() + here.extent(0));
}

/// Numbers from the whole range of type T, with many equal ones if `kinds` is small.
template <class T>
std::vector<T> random_numbers(std::size_t n, unsigned kinds = 0, std::uint64_t seed = 1) {
  Kokkos::Random_SFC64<Kokkos::DefaultHostExecutionSpace> generator(Kokkos::Impl::SFC64Engine::make(seed, n), 0);
  std::vector<T> values(n);
  for (auto& v : values) {
    auto const bits = kinds == 0 ? generator.urand64() : generator.urand64(kinds);
    if constexpr (std::is_floating_point_v<T>)
      v = static_cast<T>(kinds == 0 ? static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-40 : -1.0 * bits);
    else
      v = static_cast<T>(bits);
  }
  return values;
}

struct Greater {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return b < a;
  }
};

/// A comparator that contradicts itself: it may return true for (a, b) and for (b, a), and for (a, a).
struct Contradiction {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return ((whole(a) * 2654435761u) ^ (whole(b) * 40503u)) & 64;
  }
  template <class T>
  KOKKOS_FUNCTION static unsigned whole(T const& value) {
    if constexpr (requires { value.key; })
      return static_cast<unsigned>(value.key);
    else
      return static_cast<unsigned>(static_cast<std::int64_t>(value));  // no negative number is an unsigned one
  }
};

}  // namespace Kokkos::Testing

#endif
