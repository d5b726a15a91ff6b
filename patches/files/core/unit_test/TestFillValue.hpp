// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_FILL_VALUE_HPP
#define KOKKOS_TEST_FILL_VALUE_HPP

// deep_copy of values of many sizes to views that begin at any element. All elements of the view get the value, and the
// elements before and after the view do not change.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace Test {

namespace FillValue {

template <int Bytes>
struct Value {
  unsigned char byte[Bytes];
  static Value make(int seed) {
    Value v;
    for (int i = 0; i < Bytes; ++i) v.byte[i] = static_cast<unsigned char>(seed + 7 * i);
    return v;
  }
  friend bool operator==(Value const& a, Value const& b) { return std::memcmp(a.byte, b.byte, Bytes) == 0; }
};

// Not trivially copyable.
struct Counted {
  int x;
  KOKKOS_FUNCTION Counted() : x(1) {}
  KOKKOS_FUNCTION Counted(int x_) : x(x_) {}
  KOKKOS_FUNCTION Counted(Counted const& other) : x(other.x) {}
  KOKKOS_FUNCTION Counted& operator=(Counted const& other) {
    x = other.x;
    return *this;
  }
  KOKKOS_FUNCTION ~Counted() {}
  friend bool operator==(Counted const& a, Counted const& b) { return a.x == b.x; }
};

template <class T>
void fill_part(std::size_t n, std::size_t begin, std::size_t end, T const& before, T const& value) {
  Kokkos::View<T*, TEST_EXECSPACE> view("view", n);
  auto on_host = Kokkos::create_mirror(Kokkos::HostSpace(), view);
  for (std::size_t i = 0; i < n; ++i) on_host(i) = before;
  Kokkos::deep_copy(view, on_host);
  TEST_EXECSPACE space;
  Kokkos::deep_copy(space, Kokkos::subview(view, std::make_pair(begin, end)), value);
  space.fence();
  Kokkos::deep_copy(on_host, view);
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_TRUE(on_host(i) == (i >= begin && i < end ? value : before))
        << "element " << i << " of " << n << ", filled from " << begin << " to " << end << ", of " << sizeof(T)
        << " bytes";
}

template <class T>
void fill_parts(T const& before, T const& value) {
  fill_part(1, 0, 1, before, value);
  fill_part(3000, 0, 3000, before, value);
  fill_part(3000, 1, 2999, before, value);
  fill_part(3000, 5, 6, before, value);
  fill_part(3000, 17, 17, before, value);
}

template <int Bytes>
void fill_parts_of_size() {
  fill_parts(Value<Bytes>::make(1), Value<Bytes>::make(100));
}

}  // namespace FillValue

TEST(TEST_CATEGORY, fill_with_values_of_many_sizes) {
  FillValue::fill_parts_of_size<1>();
  FillValue::fill_parts_of_size<2>();
  FillValue::fill_parts_of_size<3>();
  FillValue::fill_parts_of_size<12>();
  FillValue::fill_parts_of_size<16>();
  FillValue::fill_parts_of_size<24>();
  FillValue::fill_parts_of_size<40>();
  FillValue::fill_parts_of_size<333>();
  FillValue::fill_parts(1., 1.5);
  FillValue::fill_parts(1., 0.);
  FillValue::fill_parts(1., -0.);
  FillValue::fill_parts(1, -1);
  FillValue::fill_parts(Kokkos::complex<double>(1, 2), Kokkos::complex<double>(3, 4));
  FillValue::fill_parts(FillValue::Counted(2), FillValue::Counted(3));
}

}  // namespace Test

#endif
