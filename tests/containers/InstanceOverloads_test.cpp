// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Functions that take an instance run all of their kernels in it. The instance is one of two partitions, since with the
/// default instance a function that ignores its argument is right, too. Tools report the instance of each kernel. The
/// tests of each algorithm do the same (AlgorithmTest.hpp).

#include <Kokkos_Bitset.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <Kokkos_UnorderedMap.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "KernelWatch.hpp"
#include "TestSpaces.hpp"

namespace {

using Kokkos::Testing::expect_fence_after;
using Kokkos::Testing::expect_fences_around;
using Kokkos::Testing::expect_kernels_in;

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

/// An element that only kernels can destroy, too.
struct Destroyed : Element {
  KOKKOS_FUNCTION ~Destroyed() { number = 0; }
};

// Without an instance, copies wait for earlier work, and are complete on return.
template <class Space>
void copies_without_instance() {
  Kokkos::View<Element*, Space> v("v", 400), w("w", 400);
  expect_fences_around("deep_copy", [&] { Kokkos::deep_copy(v, w); });
  expect_fences_around("deep_copy of a value", [&] { Kokkos::deep_copy(v, Element()); });
  Kokkos::DynRankView<Element, Space> d("d", 40, 50), e("e", 40, 50);
  expect_fences_around("deep_copy of a DynRankView", [&] { Kokkos::deep_copy(d, e); });
  expect_fences_around("deep_copy to a DynRankView", [&] { Kokkos::deep_copy(d, Element()); });
  Kokkos::DualView<Element*, Space> dual("dual", 400), other("other", 400);
  expect_fences_around("deep_copy of a DualView", [&] { Kokkos::deep_copy(dual, other); });
  Kokkos::Experimental::OffsetView<Element*, Space> offset("o", {-5, 300}), from("f", {-5, 300});
  expect_fences_around("deep_copy of an OffsetView", [&] { Kokkos::deep_copy(offset, from); });
  expect_fences_around("deep_copy to an OffsetView", [&] { Kokkos::deep_copy(offset, Element()); });
  Kokkos::Experimental::DynamicView<Element*, Space> chunks("c", 64, 4096), source("s", 64, 4096);
  chunks.resize_serial(300);
  source.resize_serial(300);
  expect_fences_around("deep_copy of a DynamicView", [&] { Kokkos::deep_copy(chunks, source); });
  expect_fences_around("deep_copy to a DynamicView", [&] { Kokkos::deep_copy(chunks, Element()); });
  Kokkos::UnorderedMap<int, Element, Space> map(300), copy(300);
  expect_fences_around("deep_copy of an UnorderedMap", [&] { Kokkos::deep_copy(copy, map); });
  expect_fence_after("create_copy_view of an UnorderedMap", [&] { copy.create_copy_view(map); });
}

struct HasNumber {
  int number;
  KOKKOS_FUNCTION bool operator()(Element const& element) const { return element.number == number; }
};

template <class Map>
struct InsertKey {
  Map map;
  KOKKOS_FUNCTION void operator()(int key) const { map.insert(key); }
};
template <class Map>
struct EraseKey {
  Map map;
  KOKKOS_FUNCTION void operator()(int key) const { map.erase(key); }
};

// The fills and kernels of a call are waited for once.
template <class Space, class Value>
void map_without_instance(std::string const& what) {
  using Map          = Kokkos::UnorderedMap<int, Value, Space>;
  auto const observe = [&](char const* call_name, auto const& call) {
    {
      Kokkos::Testing::KernelWatch const watch{Kokkos::DefaultExecutionSpace()};
      call();
      Kokkos::Testing::KernelWatch::events().end();
    }
    Kokkos::Testing::Journal::of_this_test().add(what + ", " + call_name,
                                                 Kokkos::Testing::KernelWatch::events().text());
  };
  Map map(300);
  observe("construction", [&] { Map const other(300); });
  observe("clear", [&] { map.clear(); });
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 7), InsertKey<Map>{map});
  observe("begin_erase", [&] { map.begin_erase(); });
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 3), EraseKey<Map>{map});
  observe("end_erase", [&] { map.end_erase(); });
  observe("rehash", [&] { map.rehash(600); });
  EXPECT_EQ(map.size(), 4u);
}

struct Backwards {
  KOKKOS_FUNCTION bool operator()(int x, int y) const { return x > y; }
};

template <class Space>
void views(Space const& exec) {
  using View   = Kokkos::View<Element*, Space>;
  using Layout = typename View::array_layout;
  View v, w("w", 400);
  auto const with = [&] { return Kokkos::view_alloc(exec); };
  expect_kernels_in(exec, "View", [&] { v = View(Kokkos::view_alloc(exec, "v"), 400); });
  expect_kernels_in(exec, "View, layout", [&] { v = View(Kokkos::view_alloc(exec, "v"), Layout(400)); });
  expect_kernels_in(exec, "resize", [&] { Kokkos::resize(exec, v, 390); });
  expect_kernels_in(exec, "resize, layout", [&] { Kokkos::resize(exec, v, Layout(380)); });
  expect_kernels_in(exec, "resize, view_alloc", [&] { Kokkos::resize(with(), v, 370); });
  expect_kernels_in(exec, "resize, view_alloc, layout", [&] { Kokkos::resize(with(), v, Layout(360)); });
  expect_kernels_in(exec, "realloc", [&] { Kokkos::realloc(exec, v, 350); });
  expect_kernels_in(exec, "realloc, layout", [&] { Kokkos::realloc(exec, v, Layout(340)); });
  expect_kernels_in(exec, "realloc, view_alloc", [&] { Kokkos::realloc(with(), v, 330); });
  expect_kernels_in(exec, "realloc, view_alloc, layout", [&] { Kokkos::realloc(with(), v, Layout(400)); });
  expect_kernels_in(exec, "realloc, same extents", [&] { Kokkos::realloc(exec, v, 400); });
  expect_kernels_in(exec, "realloc, view_alloc, same extents", [&] { Kokkos::realloc(with(), v, 400); });
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

  Kokkos::View<int*, Space> sums("sums", 400);
  auto scatter = Kokkos::Experimental::create_scatter_view<Kokkos::Experimental::ScatterSum,
                                                           Kokkos::Experimental::ScatterDuplicated>(sums);
  expect_kernels_in(exec, "contribute", [&] { Kokkos::Experimental::contribute(exec, sums, scatter); });
  expect_kernels_in(exec, "ScatterView::contribute_into", [&] { scatter.contribute_into(exec, sums); });
}

template <class Space>
void dual_views(Space const& exec) {
  using Dual = Kokkos::DualView<Element*, Space>;
  Dual dual("d", 400), other("o", 400);
  expect_kernels_in(exec, "DualView", [&] { dual = Dual(Kokkos::view_alloc(exec, "d"), 400); });
  dual.modify_device();
  expect_kernels_in(exec, "resize of a DualView", [&] { dual.resize(exec, 390); });
  expect_kernels_in(exec, "realloc of a DualView", [&] { dual.realloc(exec, 400); });
  expect_kernels_in(exec, "deep_copy of a DualView", [&] { Kokkos::deep_copy(exec, other, dual); });

  Kokkos::Experimental::OffsetView<Element*, Space> offset("o", {-5, 300});
  expect_kernels_in(exec, "OffsetView", [&] { offset = decltype(offset)(Kokkos::view_alloc(exec, "o"), {-5, 300}); });
  expect_kernels_in(exec, "deep_copy to an OffsetView", [&] { Kokkos::deep_copy(exec, offset, Element()); });

  Kokkos::Experimental::DynamicView<Element*, Space> chunks("c", 64, 4096), source("s", 64, 4096);
  chunks.resize_serial(300);
  source.resize_serial(300);
  expect_kernels_in(exec, "deep_copy of a DynamicView", [&] { Kokkos::deep_copy(exec, chunks, source); });
  expect_kernels_in(exec, "deep_copy to a DynamicView", [&] { Kokkos::deep_copy(exec, chunks, Element()); });
}

template <class Space>
void maps(Space const& exec) {
  // Only elements that kernels construct, or copies of another layout, need kernels.
  using Map = Kokkos::UnorderedMap<int, Element, Space>;
  Map map(300), copy(300);
  expect_kernels_in(exec, "UnorderedMap", [&] { map = Map(Kokkos::view_alloc(exec, "map"), 300); });
  expect_kernels_in(exec, "deep_copy of an UnorderedMap", [&] { Kokkos::deep_copy(exec, copy, map); });
}

template <class Space>
void algorithms(Space const& exec) {
  namespace KE = Kokkos::Experimental;
  Kokkos::View<int*, Space> a("a", 400), b("b", 400);
  Kokkos::Random_XorShift64_Pool<Space> pool(3);
  expect_kernels_in(exec, "fill_random", [&] { Kokkos::fill_random(exec, a, pool, 100); });
  Kokkos::View<int*, Space> keys("keys", 200), values("values", 200);
  // On hosts the calling thread sorts so few elements, without a kernel.
  auto const in_sorts = [&exec](char const* what, auto const& call) {
    int const kernels = Kokkos::Testing::expect_no_kernels_elsewhere(exec, what, call);
    if constexpr (!Kokkos::Impl::sorts_on_host_v<Space>) {
      EXPECT_GT(kernels, 0) << what << ": no kernel was reported";
    }
  };
  in_sorts("sort", [&] { Kokkos::sort(exec, keys, Backwards()); });
  in_sorts("sort_by_key", [&] { KE::sort_by_key(exec, keys, values, Backwards()); });
  using Bins = Kokkos::BinOp1D<Kokkos::View<int*, Space>>;
  Kokkos::BinSort<Kokkos::View<int*, Space>, Bins, Space> bins(exec, keys, Bins(50, 0, 100), true);
  expect_kernels_in(exec, "create_permute_vector", [&] { bins.create_permute_vector(exec); });
  expect_kernels_in(exec, "BinSort::sort", [&] { bins.sort(exec, values); });
  expect_kernels_in(exec, "transform_reduce", [&] { (void)KE::transform_reduce(exec, a, b, 0); });
  expect_kernels_in(exec, "count", [&] { (void)KE::count(exec, a, 4); });
  expect_kernels_in(exec, "count with a label", [&] { (void)KE::count("a label", exec, a, 4); });
  expect_kernels_in(exec, "fill with a label, iterators",
                    [&] { KE::fill("another label", exec, KE::begin(a), KE::end(a), 4); });
  expect_kernels_in(exec, "reverse", [&] { KE::reverse(exec, a); });
  expect_kernels_in(exec, "exclusive_scan", [&] { KE::exclusive_scan(exec, a, b, 0); });
  expect_kernels_in(exec, "unique_copy", [&] { KE::unique_copy(exec, a, b); });
  expect_kernels_in(exec, "is_sorted", [&] { (void)KE::is_sorted(exec, a); });
}

// These calls give mostly fills and copies to a device, which tools do not see. On the HIP model the journal records to which
// stream they go.
template <class Space>
void fills_and_copies(Space const& exec) {
  namespace KE   = Kokkos::Experimental;
  auto const see = [&exec](char const* what, auto const& call) {
    Kokkos::Testing::expect_no_kernels_elsewhere(exec, what, call);
  };
  using View = Kokkos::View<int*, Space>;
  View v("v", 400), w("w", 400);
  see("View of int", [&] { v = View(Kokkos::view_alloc(exec, "v"), 400); });
  see("resize of int", [&] { Kokkos::resize(exec, v, 500); });
  see("realloc of int", [&] { Kokkos::realloc(exec, v, 400); });
  see("deep_copy of int", [&] { Kokkos::deep_copy(exec, w, v); });
  see("deep_copy of 0", [&] { Kokkos::deep_copy(exec, v, 0); });
  // From the host only: how a copy to the host ends depends on which thread notices first.
  Kokkos::View<int*, Kokkos::HostSpace> const h("h", 400);  // in the default instance of the host
  decltype(Kokkos::create_mirror_view_and_copy(typename Space::memory_space(), h)) from_host;
  see("create_mirror_view_and_copy", [&] {
    from_host = Kokkos::create_mirror_view_and_copy(Kokkos::view_alloc(exec, typename Space::memory_space()), h);
  });
  see("deep_copy of a number of four bytes", [&] { Kokkos::deep_copy(exec, v, 0x01020304); });

  Kokkos::Bitset<Space> bits(300), other(300);
  see("deep_copy of a Bitset", [&] { Kokkos::deep_copy(exec, bits, other); });
  auto scatter = KE::create_scatter_view<KE::ScatterSum, KE::ScatterDuplicated>(v);
  see("ScatterView", [&] { scatter = decltype(scatter)(exec, v); });
  see("ScatterView::reset", [&] { scatter.reset(exec); });
  see("ScatterView::reset_except", [&] { scatter.reset_except(exec, v); });
  using Map = Kokkos::UnorderedMap<int, int, Space>;
  Map map(300), copy(300);
  see("UnorderedMap of int", [&] { map = Map(Kokkos::view_alloc(exec, "map"), 300); });
  see("deep_copy of an UnorderedMap of int", [&] { Kokkos::deep_copy(exec, copy, map); });

  see("Random_XorShift64_Pool", [&] { Kokkos::Random_XorShift64_Pool<Space> const pool(exec, 5, 100); });
  see("Random_SFC64_Pool", [&] { Kokkos::Random_SFC64_Pool<Space> const pool(exec, 5, 100); });
  see("sort", [&] { Kokkos::sort(exec, v); });
  see("sort of a range", [&] { Kokkos::sort(exec, v, 10, 390); });
  see("sort_by_key", [&] { KE::sort_by_key(exec, v, w); });
  Kokkos::View<Element*, Space> elements("e", 400);
  see("sort_by_key of elements that do not travel with their keys", [&] { KE::sort_by_key(exec, v, elements); });
  see("remove_if of elements", [&] { (void)KE::remove_if(exec, elements, HasNumber{4}); });
  see("shift_left of elements", [&] { (void)KE::shift_left(exec, elements, 3); });

  Kokkos::DualView<int*, Space> dual("dual", 400);
  dual.modify_host();
  see("DualView::sync_device", [&] { dual.sync_device(exec); });
  dual.modify_host();
  see("DualView::sync", [&] { dual.template sync<typename Space::device_type>(exec); });
}

template <class Space>
void algorithms_without_instance() {
  Kokkos::View<int*, Space> a("a", 400);
  Kokkos::Random_XorShift64_Pool<Space> pool(3);
  Kokkos::Random_XorShift64_Pool<Space> other;
  expect_fence_after("Random_XorShift64_Pool", [&] { other = Kokkos::Random_XorShift64_Pool<Space>(3, 100); });
  expect_fence_after("RandomPool::init", [&] { other.init(4, 200); });
  expect_fence_after("Random_SFC64_Pool", [] { (void)Kokkos::Random_SFC64_Pool<Space>(3, 100); });
  expect_fence_after("Random_SFC64_Pool of later streams", [] { (void)Kokkos::Random_SFC64_Pool<Space>(3, 40, 100); });
  expect_fences_around("fill_random", [&] { Kokkos::fill_random(a, pool, 100); });
  expect_fences_around("fill_random of a range", [&] { Kokkos::fill_random(a, pool, 50, 100); });
  if constexpr (std::is_same_v<Space, Kokkos::DefaultExecutionSpace>)
    expect_fence_after("iter_swap", [&] {
      Kokkos::Experimental::iter_swap(Kokkos::Experimental::begin(a), Kokkos::Experimental::begin(a) + 3);
    });
  using Bins = Kokkos::BinOp1D<Kokkos::View<int*, Space>>;
  Kokkos::BinSort<Kokkos::View<int*, Space>, Bins, Space> bins(a, Bins(50, 0, 100), true);
  expect_fences_around("create_permute_vector", [&] { bins.create_permute_vector(); });
  expect_fences_around("BinSort::sort", [&] { bins.sort(a); });
  expect_fences_around("BinSort::sort of a range", [&] { bins.sort(a, 0, 400); });
  if constexpr (!Kokkos::Impl::sorts_on_host_v<Space>) {
    expect_fences_around("sort", [&] { Kokkos::sort(a); });
    expect_fences_around("sort, comparator", [&] { Kokkos::sort(a, Backwards()); });
    expect_fences_around("sort of a range", [&] { Kokkos::sort(a, 10, 390); });
    Kokkos::View<int*, Space> b("b", 400);
    expect_fences_around("sort_by_key", [&] { Kokkos::Experimental::sort_by_key(a, b); });
    expect_fences_around("sort_by_key, comparator", [&] { Kokkos::Experimental::sort_by_key(a, b, Backwards()); });
  }
}

struct CountUp {
  KOKKOS_FUNCTION void operator()(int, int& sum, bool) const { ++sum; }
};
/// A GPU's instance clears the counters of its memory for scans and reductions at the first of them, which may be in another
/// test: then the fill would be in the journal or not.
template <class Space>
void use_first(Space const& exec) {
  Kokkos::parallel_scan("first use", Kokkos::RangePolicy<Space>(exec, 0, 10), CountUp());
  exec.fence();
}

template <class Space>
class InstanceOverloads : public testing::Test {};
TYPED_TEST_SUITE(InstanceOverloads, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(InstanceOverloads, RunInTheInstance) {
  auto const parts = Kokkos::Testing::two_partitions<TypeParam>();
  use_first(parts[1]);
  views(parts[1]);
  containers(parts[1]);
  dual_views(parts[1]);
  maps(parts[1]);
  algorithms(parts[1]);
  fills_and_copies(parts[1]);
  Kokkos::Testing::Journal::of_this_test().expect_as_in(Kokkos::Testing::journal_of<TypeParam>("InstanceOverloads"));
}

TYPED_TEST(InstanceOverloads, WaitWithoutAnInstance) {
  use_first(TypeParam());
  copies_without_instance<TypeParam>();
  map_without_instance<TypeParam, int>("UnorderedMap of int");
  map_without_instance<TypeParam, double>("UnorderedMap of double");
  algorithms_without_instance<TypeParam>();
  Kokkos::Testing::Journal::of_this_test().expect_as_in(Kokkos::Testing::journal_of<TypeParam>("InstanceOverloads"));
}

// Hosts fill and destroy elements by kernels, which tools see.
TEST(InstanceOverloads, HostsFillAndDestroyInTheInstance) {
  namespace KE     = Kokkos::Experimental;
  using Space      = Kokkos::DefaultHostExecutionSpace;
  auto const parts = KE::partition_space(Space(), 1, 1);
  expect_kernels_in(parts[1], "a View and its destruction",
                    [&] { Kokkos::View<Destroyed*, Space> const own(Kokkos::view_alloc(parts[1], "own"), 400); });
  using Products = KE::ScatterView<double*, Kokkos::LayoutRight, Space, KE::ScatterProd, KE::ScatterDuplicated>;
  using Single   = KE::ScatterView<double*, Kokkos::LayoutRight, Space, KE::ScatterMax, KE::ScatterNonDuplicated>;
  // Tools see no fills, but these wait for a kernel of their instance.
  auto const waits = [&](char const* what, auto const& call) {
    std::atomic<bool> runs{false}, may_end{false}, has_ended{false};
    std::thread kernel([&] {
      Kokkos::parallel_for(Kokkos::RangePolicy<Space>(parts[1], 0, 1), [&](int) {
        runs = true;
        while (!may_end) std::this_thread::yield();
      });
    });
    while (!runs) std::this_thread::yield();
    std::thread caller([&] {
      call();
      has_ended = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(has_ended) << what;
    may_end = true;
    kernel.join();
    caller.join();
  };
  waits("View", [&] { Kokkos::View<double*, Space> const own(Kokkos::view_alloc(parts[1], "own"), 400000); });
  constexpr std::size_t n = 400000;
  Kokkos::View<double*, Space> v("v", n), w("w", n);
  waits("resize", [&] { Kokkos::resize(parts[1], v, n + 100); });
  waits("realloc", [&] { Kokkos::realloc(parts[1], v, n); });
  waits("realloc, same extents", [&] { Kokkos::realloc(Kokkos::view_alloc(parts[1]), v, n); });
  waits("deep_copy", [&] { Kokkos::deep_copy(parts[1], v, w); });
  waits("deep_copy of a value", [&] { Kokkos::deep_copy(parts[1], v, 3.0); });
  Kokkos::DynRankView<double, Space> ranks("r", n);
  waits("DynRankView", [&] { ranks = decltype(ranks)(Kokkos::view_alloc(parts[1], "r"), n); });
  waits("deep_copy to a DynRankView", [&] { Kokkos::deep_copy(parts[1], ranks, 3.0); });
  KE::OffsetView<double*, Space> offset("o", {-5, 300});
  waits("OffsetView", [&] { offset = decltype(offset)(Kokkos::view_alloc(parts[1], "o"), {-5, 400000}); });
  waits("deep_copy to an OffsetView", [&] { Kokkos::deep_copy(parts[1], offset, 3.0); });
  Kokkos::DualView<double*, Space> dual("d", 10);
  waits("DualView", [&] { dual = decltype(dual)(Kokkos::view_alloc(parts[1], "d"), n); });
  waits("deep_copy of a DualView", [&] { Kokkos::deep_copy(parts[1], dual, decltype(dual)("other", n)); });
  Kokkos::UnorderedMap<int, double, Space> map(10);
  waits("UnorderedMap", [&] { map = decltype(map)(Kokkos::view_alloc(parts[1], "map"), n); });
  waits("deep_copy of an UnorderedMap", [&] { Kokkos::deep_copy(parts[1], map, decltype(map)(n)); });
  waits("Random_XorShift64_Pool", [&] { Kokkos::Random_XorShift64_Pool<Space> const pool(parts[1], 5, 100000); });
  Products products(w);
  waits("ScatterView::reset", [&] { products.reset(parts[1]); });
  waits("ScatterView of a View", [&] { Products const other(parts[1], w); });
  waits("ScatterView", [&] { Products const products(Kokkos::view_alloc(parts[1], "products"), 400000); });
  waits("ScatterView, not duplicated", [&] { Single const single(Kokkos::view_alloc(parts[1], "single"), 400000); });
}

}  // namespace
