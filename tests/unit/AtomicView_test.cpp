// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa
#include <TestSpaces.hpp>

namespace {

template <class Space>
class AtomicViewTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtomicViewTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class DataType, class Space>
using AtomicView = Kokkos::View<DataType, Space, Kokkos::MemoryTraits<Kokkos::Atomic>>;

/// The result of each operator, and the final value of the element.
template <class Space>
void expect_operators() {
  AtomicView<int*, Space> a("a", 2);
  Kokkos::View<int*, Space> r("returned", 16);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        r(0)  = (a(0) = 20);
        r(1)  = (a(0) += 3);
        r(2)  = (a(0) -= 1);
        r(3)  = (a(0) *= 4);
        r(4)  = (a(0) /= 2);
        r(5)  = (a(0) %= 25);
        r(6)  = (a(0) |= 3);
        r(7)  = (a(0) &= 6);
        r(8)  = (a(0) ^= 12);
        r(9)  = (a(0) <<= 3);
        r(10) = (a(0) >>= 1);
        r(11) = a(0)++;
        r(12) = ++a(0);
        r(13) = a(0)--;
        r(14) = --a(0);
        a(1)  = a(0);
        r(15) = a(1) + 1;
      });
  auto h               = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, r);
  int const expected[] = {20, 23, 22, 88, 44, 19, 19, 2, 14, 112, 56, 56, 58, 58, 56, 57};
  for (int i = 0; i < 16; ++i) EXPECT_EQ(h(i), expected[i]) << "operator " << i;
}

TYPED_TEST(AtomicViewTest, EveryOperator) { expect_operators<TypeParam>(); }

/// The operators of complex numbers are templates, which accept no reference that only converts.
template <class Space>
void expect_complex_operators() {
  using Complex = Kokkos::complex<double>;
  AtomicView<Complex*, Space> a("a", 2);
  Kokkos::View<Complex*, Space> r("returned", 8);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        a(0) = Complex(1, 2);
        a(1) = a(0) + Complex(2, 0);
        r(0) = a(1);
        r(1) = a(0) * a(1);
        r(2) = a(1) - a(0);
        r(3) = Complex(6, 0) / (a(1) - Complex(0, 2));
        r(4) = a(0) * 2.0;
        r(5) = 2.0 + a(0);
        r(6) = Complex(a(0) == Complex(1, 2) ? 1 : 0, a(0) == a(1) ? 1 : 0);
        r(7) = Complex(Complex(1, 2) == a(0) ? 1 : 0, a(0) != a(1) ? 1 : 0);
      });
  auto h                   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, r);
  Complex const expected[] = {{3, 2}, {-1, 8}, {2, 0}, {2, 0}, {2, 4}, {3, 2}, {1, 0}, {1, 1}};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(h(i), expected[i]) << "result " << i;
}

TYPED_TEST(AtomicViewTest, OperatorsOfComplexNumbers) { expect_complex_operators<TypeParam>(); }

/// A class whose operators are templates. Each result has the operation and both values.
template <class T>
struct Traced {
  T value;
  int result = 0;
};
#define TRACED_OPERATOR(OP, NUMBER)                                                      \
  template <class T>                                                                     \
  KOKKOS_FUNCTION Traced<T> operator OP(Traced<T> const& a, Traced<T> const& b) {        \
    return {static_cast<T>(0), NUMBER * 100 + static_cast<int>(a.value * 10 + b.value)}; \
  }
TRACED_OPERATOR(+, 1)
TRACED_OPERATOR(-, 2)
TRACED_OPERATOR(*, 3)
TRACED_OPERATOR(/, 4)
TRACED_OPERATOR(%, 5)
TRACED_OPERATOR(&, 6)
TRACED_OPERATOR(|, 7)
TRACED_OPERATOR(^, 8)
TRACED_OPERATOR(==, 9)
TRACED_OPERATOR(!=, 10)
TRACED_OPERATOR(<, 11)
TRACED_OPERATOR(<=, 12)
TRACED_OPERATOR(>, 13)
TRACED_OPERATOR(>=, 14)
#undef TRACED_OPERATOR

template <class Space>
void expect_operators_of_classes() {
  using Value = Traced<int>;
  AtomicView<Value*, Space> a("a", 2);
  AtomicView<int*, Space> counter("counter", 2);
  Kokkos::View<int* [3], Space> r("results", 15);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        a(0) = Value{3};
        a(1) = Value{5};
#define APPLY(OP, NUMBER)                   \
  r(NUMBER, 0) = (a(0) OP Value{4}).result; \
  r(NUMBER, 1) = (Value{2} OP a(1)).result; \
  r(NUMBER, 2) = (a(0) OP a(1)).result
        APPLY(+, 1);
        APPLY(-, 2);
        APPLY(*, 3);
        APPLY(/, 4);
        APPLY(%, 5);
        APPLY(&, 6);
        APPLY(|, 7);
        APPLY(^, 8);
        APPLY(==, 9);
        APPLY(!=, 10);
        APPLY(<, 11);
        APPLY(<=, 12);
        APPLY(>, 13);
        APPLY(>=, 14);
#undef APPLY
        counter(0).inc();
        counter(0).inc();
        counter(0).dec();
        auto reference = counter(1);
        reference      = counter(0);  // a reference keeps its object
        r(0, 1)        = reference;
        r(0, 2)        = reference.address() == &counter.data()[1] ? 1 : 0;
        r(0, 0)        = counter(0);
      });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, r);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(h(0, i), 1) << i;
  for (int number = 1; number < 15; ++number) {
    EXPECT_EQ(h(number, 0), 100 * number + 34);
    EXPECT_EQ(h(number, 1), 100 * number + 25);
    EXPECT_EQ(h(number, 2), 100 * number + 35);
  }
}

TYPED_TEST(AtomicViewTest, OperatorsOfClasses) { expect_operators_of_classes<TypeParam>(); }

template <class Space, class T>
void expect_histogram(int n) {
  Kokkos::View<T*, Space> bins("bins", 4);
  AtomicView<T*, Space> atomic_bins = bins;
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { atomic_bins(i % 4) += T(1); });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, bins);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(h(i), T(n / 4));
}

TYPED_TEST(AtomicViewTest, NoUpdateIsLost) {
  expect_histogram<TypeParam, int>(40000);
  expect_histogram<TypeParam, double>(40000);
  expect_histogram<TypeParam, Kokkos::complex<double>>(40000);
}

}  // namespace
