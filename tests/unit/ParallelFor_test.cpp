// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa team
/// \file
/// parallel_for over ranges: each iteration once, for all ranges, index types and schedules.

#include "PatternTest.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace {

using Kokkos::Testing::on_host;
using Kokkos::Testing::Visits;

template <class Space>
class ParallelForTest : public ::testing::Test {};
TYPED_TEST_SUITE(ParallelForTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Policy>
void visit_range(std::size_t places, Policy const& policy) {
  Visits<typename Policy::execution_space> visits(places);
  Kokkos::parallel_for("visit", policy, KOKKOS_LAMBDA(typename Policy::index_type i) { visits.visit(i); });
  visits.expect(static_cast<std::size_t>(policy.begin()), static_cast<std::size_t>(policy.end()));
}

TYPED_TEST(ParallelForTest, EachIterationOnce) {
  using Policy = Kokkos::RangePolicy<TypeParam>;
  for (std::size_t n : {0, 1, 2, 3, 7, 64, 1000, 100003}) visit_range(n, Policy(0, n));
  visit_range(1000, Policy(17, 930));
  visit_range(1000, Policy(999, 1000));
  visit_range(1000, Policy(500, 500));
  visit_range(1000, Policy(3, 997, Kokkos::ChunkSize(10)));
}

TYPED_TEST(ParallelForTest, DynamicSchedule) {
  using Policy = Kokkos::RangePolicy<TypeParam, Kokkos::Schedule<Kokkos::Dynamic>>;
  for (std::size_t n : {0, 1, 5, 64, 100003}) visit_range(n, Policy(0, n));
  visit_range(1000, Policy(17, 930, Kokkos::ChunkSize(7)));
  visit_range(1000, Policy(17, 930, Kokkos::ChunkSize(5000)));
  visit_range(1000, Kokkos::RangePolicy<TypeParam, Kokkos::Schedule<Kokkos::Static>>(17, 930));
}

TYPED_TEST(ParallelForTest, IndexTypes) {
  visit_range(100, Kokkos::RangePolicy<TypeParam, std::int8_t>(0, 100));
  visit_range(127, Kokkos::RangePolicy<TypeParam, std::int8_t>(0, 127));
  visit_range(255, Kokkos::RangePolicy<TypeParam, std::uint8_t>(3, 255));
  visit_range(1000, Kokkos::RangePolicy<TypeParam, int>(3, 997));
  visit_range(1000, Kokkos::RangePolicy<TypeParam, unsigned>(3, 997));
  visit_range(1000, Kokkos::RangePolicy<TypeParam, std::int64_t>(3, 997));
}

template <class Space, class Index>
void visit_far(Index offset, std::size_t n) {
  Visits<Space> visits(n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Index>(offset, static_cast<Index>(offset + static_cast<Index>(n))),
      KOKKOS_LAMBDA(Index i) { visits.visit(i - offset); });
  visits.expect(0, n);
}

TYPED_TEST(ParallelForTest, RangesFarFromZero) {
  visit_far<TypeParam>(std::int64_t{-500}, 1000);
  visit_far<TypeParam>(std::int64_t{1} << 40, 1000);
  visit_far<TypeParam>((std::int64_t{1} << 31) - 500, 1000);
  visit_far<TypeParam>(std::numeric_limits<std::int64_t>::max() - 1000, 1000);
  visit_far<TypeParam>(std::numeric_limits<std::int64_t>::min(), 1000);
  visit_far<TypeParam>(std::numeric_limits<std::uint64_t>::max() - 1000, 1000);
  visit_far<TypeParam>(std::numeric_limits<int>::max() - 1000, 1000);
  visit_far<TypeParam>(std::numeric_limits<int>::min(), 1000);
}

// LAMMPS derives its functors from a class with such a destructor.
template <class Space>
struct WithThrowingDestructor {
  Kokkos::View<int*, Space> calls;
  explicit WithThrowingDestructor(Kokkos::View<int*, Space> const& c) : calls(c) {}
  WithThrowingDestructor(WithThrowingDestructor const&) = default;
  KOKKOS_FUNCTION ~WithThrowingDestructor() noexcept(false) {}
  KOKKOS_FUNCTION void operator()(int i) const { calls(i) += 1; }
};

TYPED_TEST(ParallelForTest, FunctorWhoseDestructorMayThrow) {
  Kokkos::View<int*, TypeParam> calls("calls", 100);
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, 100), WithThrowingDestructor<TypeParam>(calls));
  auto const host = on_host(calls);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(host(i), 1) << i;
}

// ---- forms of the call --------------------------------------------------------------------------------------------

template <class Space>
struct VisitFunctor {
  using execution_space = Space;
  Visits<Space> visits;
  KOKKOS_FUNCTION void operator()(int i) const { visits.visit(i); }
};

template <class Space>
struct DeviceFunctor {
  using device_type = Kokkos::Device<Space, typename Space::memory_space>;
  Visits<Space> visits;
  KOKKOS_FUNCTION void operator()(std::size_t const& i) const { visits.visit(i); }
};

template <class Space, class Count>
void visit_count(Count count) {
  auto const n = static_cast<std::size_t>(count);
  {
    VisitFunctor<Space> functor{Visits<Space>(n + 1)};
    Kokkos::parallel_for("labelled", count, functor);
    functor.visits.expect(0, n);
  }
  {
    DeviceFunctor<Space> functor{Visits<Space>(n + 1)};
    Kokkos::parallel_for(count, functor);
    functor.visits.expect(0, n);
  }
}

TYPED_TEST(ParallelForTest, ACountOfAnyIntegerType) {
  visit_count<TypeParam>(10);
  visit_count<TypeParam>(0);
  visit_count<TypeParam>(10u);
  visit_count<TypeParam>(10l);
  visit_count<TypeParam>(std::size_t{10});
  visit_count<TypeParam>(static_cast<short>(10));
  visit_count<TypeParam>(std::integral_constant<int, 10>{});
  enum Size { ten = 10 };
  visit_count<TypeParam>(ten);
}

/// Constants that are declared in a class but never defined: a pattern that took one by reference would not link.
struct Undefined {
  static int const count = 10;
  static int const begin = 2;
};

TYPED_TEST(ParallelForTest, CountsAndBoundsNeedNoAddress) {
  VisitFunctor<TypeParam> functor{Visits<TypeParam>(20)};
  Kokkos::parallel_for(Undefined::count, functor);
  functor.visits.expect(0, 10);
  Kokkos::parallel_for("label", Undefined::count, functor);
  functor.visits.expect(0, 10, 2);
  VisitFunctor<TypeParam> part{Visits<TypeParam>(20)};
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(Undefined::begin, Undefined::count), part);
  part.visits.expect(2, 10);
}

TYPED_TEST(ParallelForTest, ANegativeCountIsRefused) {
  VisitFunctor<TypeParam> functor{Visits<TypeParam>(1)};
  auto const thrown_message = [&](auto const&... arguments) -> std::string {
    try {
      Kokkos::parallel_for(arguments..., functor);
    } catch (std::runtime_error const& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(thrown_message("halo", -7)
                .find("with -7 iterations. The number of iterations cannot be negative. In the kernel "
                      "\"halo\"."),
            std::string::npos);
  EXPECT_NE(thrown_message(-1).find("::VisitFunctor<"), std::string::npos) << thrown_message(-1);
}

TYPED_TEST(ParallelForTest, LabelsOfAnyStringType) {
  VisitFunctor<TypeParam> functor{Visits<TypeParam>(10)};
  std::string const label = "label";
  Kokkos::parallel_for(label, 10, functor);
  Kokkos::parallel_for("label", Kokkos::RangePolicy<TypeParam>(0, 10), functor);
  Kokkos::parallel_for(label + "2", Kokkos::RangePolicy<TypeParam>(0, 10), functor);
  functor.visits.expect(0, 10, 3);
}

struct Twice {};
struct Once {};

template <class Space>
struct TaggedFunctor {
  Visits<Space> visits;
  KOKKOS_FUNCTION void operator()(Once, int i) const { visits.visit(i); }
  KOKKOS_FUNCTION void operator()(Twice const&, int i) const {
    visits.visit(i);
    visits.visit(i);
  }
};

TYPED_TEST(ParallelForTest, TagsChooseTheOperator) {
  TaggedFunctor<TypeParam> once{Visits<TypeParam>(100)};
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, Once>(0, 90), once);
  once.visits.expect(0, 90, 1);
  TaggedFunctor<TypeParam> twice{Visits<TypeParam>(100)};
  Kokkos::parallel_for("tagged", Kokkos::RangePolicy<Twice, TypeParam>(0, 90), twice);
  twice.visits.expect(0, 90, 2);
}

// A functor instead of a generic lambda, which nvcc does not accept as a kernel.
template <class Space>
struct GenericVisit {
  Visits<Space> visits;
  template <class Index>
  KOKKOS_FUNCTION void operator()(Index i) const {
    visits.visit(i);
  }
};

TYPED_TEST(ParallelForTest, GenericFunctor) {
  GenericVisit<TypeParam> functor{Visits<TypeParam>(50)};
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, 50), functor);
  functor.visits.expect(0, 50);
}

template <class Space>
void visit_in_order() {
  Kokkos::View<int*, Space> x("x", 1000);
  Kokkos::RangePolicy<Space> const policy(0, 1000);
  for (int k = 0; k < 20; ++k) {
    Kokkos::parallel_for(policy, KOKKOS_LAMBDA(int i) { x(i) = 2 * x(i) % 1009 + i; });
  }
  auto const host = on_host(x);
  for (int i = 0; i < 1000; ++i) {
    int expected = 0;
    for (int k = 0; k < 20; ++k) expected = 2 * expected % 1009 + i;
    ASSERT_EQ(host(i), expected);
  }
}

TYPED_TEST(ParallelForTest, KernelsOfAnInstanceRunInOrder) { visit_in_order<TypeParam>(); }

template <class Space>
void check_use_count() {
  Kokkos::View<int*, Space> x("x", 10);
  ASSERT_EQ(x.use_count(), 1);
  Kokkos::View<long, Space> seen("seen");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        seen() = x.data() != nullptr;
        KOKKOS_IF_ON_HOST((seen() = x.use_count();))
      });
  Kokkos::fence();
  EXPECT_EQ(x.use_count(), 1);
  // The kernel's copy of the lambda does not own the view; only x itself and the caller's lambda do.
  if constexpr (Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible) {
    EXPECT_EQ(on_host(seen)(), 0);
  }
}

TYPED_TEST(ParallelForTest, TheKernelsCopyCountsNoReferences) { check_use_count<TypeParam>(); }

}  // namespace

// Programs write the code of KOKKOS_IF_ON_HOST in one pair of parentheses or in two. Only two may contain a comma.
template <class Space>
void check_if_on_host() {
  Kokkos::View<int*, Space> where("where", 2);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        KOKKOS_IF_ON_HOST(if (where(0) == 0) { where(0) = 1; })
        KOKKOS_IF_ON_DEVICE(if (where(0) == 0) { where(0) = 2; })
        KOKKOS_IF_ON_HOST((int a = 1, b = 0; where(1) = a + b;))
        KOKKOS_IF_ON_DEVICE((int a = 1, b = 1; where(1) = a + b;))
        KOKKOS_IF_ON_HOST(())
        KOKKOS_IF_ON_DEVICE(())
      });
  int expected = 1;
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  if (std::is_same_v<Space, Kokkos::Testing::DeviceSpace>) expected = 2;
#endif
  EXPECT_EQ(on_host(where)(0), expected);
  EXPECT_EQ(on_host(where)(1), expected);
}

TYPED_TEST(ParallelForTest, TheCodeForAHostMayStandInOneParenthesis) { check_if_on_host<TypeParam>(); }
