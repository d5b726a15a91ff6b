// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions that take an instance run all of their kernels in it. The instance is one of two partitions, since with the
/// default instance a function that ignores its argument is right, too. Tools report the instance of each kernel.

#include <Kokkos_DynRankView.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "TestSpaces.hpp"

namespace {

/// Kernels that tools have seen begin, with the numbers of their instances.
struct SeenKernel {
  std::string name;
  std::uint32_t device;
};
std::vector<SeenKernel> seen;

void see(char const* name, std::uint32_t device, std::uint64_t* kernel) {
  *kernel = 0;
  seen.push_back({name, device});
}

/// Sets the callbacks of kernels while it lives.
struct KernelWatch {
  KernelWatch() { set(see); }
  ~KernelWatch() { set(nullptr); }

 private:
  static void set(Kokkos_Profiling_beginFunction f) {
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(f);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(f);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(f);
  }
};

/// An element that only kernels can construct, assign and copy, so that each of these is reported.
struct Element {
  int number = 3;
  KOKKOS_FUNCTION Element() {}
  KOKKOS_FUNCTION Element(Element const& other) : number(other.number) {}
  KOKKOS_FUNCTION Element& operator=(Element const& other) {
    number = other.number;
    return *this;
  }
  KOKKOS_FUNCTION Element& operator+=(Element const& other) {
    number += other.number;
    return *this;
  }
};

template <class Space, class Call>
void expect_kernels_in(Space const& exec, char const* what, Call const& call) {
  std::uint32_t const device = Kokkos::Tools::Experimental::device_id(exec);
  seen.clear();
  {
    KernelWatch const watch;
    call();
  }
  exec.fence();
  EXPECT_FALSE(seen.empty()) << what << ": no kernel was reported";
  for (SeenKernel const& kernel : seen)
    EXPECT_EQ(kernel.device, device) << what << ": the kernel " << kernel.name << " ran in another instance";
}

template <class Space>
void views(Space const& exec) {
  using View   = Kokkos::View<Element*, Space>;
  using Layout = typename View::array_layout;
  View v, w("w", 2000);
  auto const with = [&] { return Kokkos::view_alloc(exec); };
  expect_kernels_in(exec, "View", [&] { v = View(Kokkos::view_alloc(exec, "v"), 2000); });
  expect_kernels_in(exec, "View, layout", [&] { v = View(Kokkos::view_alloc(exec, "v"), Layout(2000)); });
  expect_kernels_in(exec, "resize", [&] { Kokkos::resize(exec, v, 1990); });
  expect_kernels_in(exec, "resize, layout", [&] { Kokkos::resize(exec, v, Layout(1980)); });
  expect_kernels_in(exec, "resize, view_alloc", [&] { Kokkos::resize(with(), v, 1970); });
  expect_kernels_in(exec, "resize, view_alloc, layout", [&] { Kokkos::resize(with(), v, Layout(1960)); });
  expect_kernels_in(exec, "realloc", [&] { Kokkos::realloc(exec, v, 1950); });
  expect_kernels_in(exec, "realloc, layout", [&] { Kokkos::realloc(exec, v, Layout(1940)); });
  expect_kernels_in(exec, "realloc, view_alloc", [&] { Kokkos::realloc(with(), v, 1930); });
  expect_kernels_in(exec, "realloc, view_alloc, layout", [&] { Kokkos::realloc(with(), v, Layout(2000)); });
  expect_kernels_in(exec, "realloc, same extents", [&] { Kokkos::realloc(exec, v, 2000); });
  expect_kernels_in(exec, "realloc, view_alloc, same extents", [&] { Kokkos::realloc(with(), v, 2000); });
  expect_kernels_in(exec, "deep_copy", [&] { Kokkos::deep_copy(exec, v, w); });
  expect_kernels_in(exec, "deep_copy of a value", [&] { Kokkos::deep_copy(exec, v, Element()); });
  expect_kernels_in(exec, "create_mirror",
                    [&] { (void)Kokkos::create_mirror(Kokkos::view_alloc(exec, typename Space::memory_space()), w); });
}

template <class Space>
void containers(Space const& exec) {
  Kokkos::DynRankView<Element, Space> dynamic("d", 40, 50);
  expect_kernels_in(exec, "DynRankView", [&] { dynamic = decltype(dynamic)(Kokkos::view_alloc(exec, "d"), 40, 50); });
  expect_kernels_in(exec, "resize of a DynRankView", [&] { Kokkos::resize(exec, dynamic, 41, 50); });
  expect_kernels_in(exec, "realloc of a DynRankView", [&] { Kokkos::realloc(exec, dynamic, 42, 50); });
  expect_kernels_in(exec, "deep_copy to a DynRankView", [&] { Kokkos::deep_copy(exec, dynamic, Element()); });

  Kokkos::View<int*, Space> sums("sums", 2000);
  auto scatter = Kokkos::Experimental::create_scatter_view<Kokkos::Experimental::ScatterSum,
                                                           Kokkos::Experimental::ScatterDuplicated>(sums);
  expect_kernels_in(exec, "ScatterView::contribute_into", [&] { scatter.contribute_into(exec, sums); });
}

template <class Space>
void algorithms(Space const& exec) {
  namespace KE = Kokkos::Experimental;
  Kokkos::View<int*, Space> a("a", 2000), b("b", 2000);
  Kokkos::Random_XorShift64_Pool<Space> pool(3);
  expect_kernels_in(exec, "fill_random", [&] { Kokkos::fill_random(exec, a, pool, 100); });
  expect_kernels_in(exec, "transform_reduce", [&] { (void)KE::transform_reduce(exec, a, b, 0); });
  expect_kernels_in(exec, "count", [&] { (void)KE::count(exec, a, 4); });
  expect_kernels_in(exec, "reverse", [&] { KE::reverse(exec, a); });
  expect_kernels_in(exec, "exclusive_scan", [&] { KE::exclusive_scan(exec, a, b, 0); });
  expect_kernels_in(exec, "unique_copy", [&] { KE::unique_copy(exec, a, b); });
  expect_kernels_in(exec, "is_sorted", [&] { (void)KE::is_sorted(exec, a); });
}

template <class Space>
class InstanceOverloads : public testing::Test {};
TYPED_TEST_SUITE(InstanceOverloads, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(InstanceOverloads, RunInTheInstance) {
  std::vector<TypeParam> const parts = Kokkos::Experimental::partition_space(TypeParam(), std::vector<int>{1, 1});
  ASSERT_NE(Kokkos::Tools::Experimental::device_id(parts[1]), Kokkos::Tools::Experimental::device_id(TypeParam()));
  views(parts[1]);
  containers(parts[1]);
  algorithms(parts[1]);
}

}  // namespace
