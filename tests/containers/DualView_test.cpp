// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_DualView.hpp>

#include "TestSpaces.hpp"

#include <algorithm>
#include <stdexcept>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace {

template <class Space>
struct DualViewTest : ::testing::Test {};
TYPED_TEST_SUITE(DualViewTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// A device whose view differs from the host's, even in builds without a GPU, because the execution spaces differ.
template <class Space>
using Dual = Kokkos::DualView<double**, Kokkos::LayoutLeft, Space>;

template <class Space>
void add_on_device(Dual<Space> const& dual, double value) {
  auto const v = dual.view_device();
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {v.extent_int(0), v.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j) { v(i, j) += value; });
}

template <class Space>
double sum_on_device(Dual<Space> const& dual) {
  auto const v = dual.template view<Space>();
  double sum   = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, v.extent_int(0)),
      KOKKOS_LAMBDA(int i, double& s) {
        for (int j = 0; j < v.extent_int(1); ++j) s += v(i, j);
      },
      sum);
  return sum;
}

template <class DualView>
void set_on_host(DualView const& dual, double value) {
  for (std::size_t i = 0; i < dual.extent(0); ++i)
    for (std::size_t j = 0; j < dual.extent(1); ++j) dual.view_host()(i, j) = value;
}

TYPED_TEST(DualViewTest, SyncCopiesOnlyTheNewerSide) {
  Dual<TypeParam> dual("a", 3, 4);
  EXPECT_FALSE(dual.need_sync_host());
  add_on_device(dual, 2.0);
  dual.modify_device();
  bool const single = Dual<TypeParam>::impl_dualview_is_single_device;
  EXPECT_EQ(dual.need_sync_host(), !single);
  EXPECT_FALSE(dual.need_sync_device());
  dual.sync_device();  // the host side is not newer
  EXPECT_EQ(sum_on_device(dual), 24.0);
  dual.sync_host();
  EXPECT_FALSE(dual.need_sync_host());
  EXPECT_EQ(dual.view_host()(2, 3), 2.0);

  set_on_host(dual, 5.0);
  dual.template modify<typename Dual<TypeParam>::t_host>();
  EXPECT_EQ(dual.template need_sync<TypeParam>(), !single);
  dual.template sync<TypeParam>();
  EXPECT_EQ(sum_on_device(dual), 60.0);
  EXPECT_FALSE(dual.need_sync_device());
}

TYPED_TEST(DualViewTest, SyncInTheOrderOfAnInstance) {
  Dual<TypeParam> dual(Kokkos::view_alloc(Kokkos::WithoutInitializing, "a"), 8, 8);
  set_on_host(dual, 1.0);
  dual.modify_host();
  TypeParam const space;
  dual.sync_device(space);
  add_on_device(dual, 1.0);
  dual.modify_device();
  dual.template sync<typename Dual<TypeParam>::host_mirror_space>(space);
  space.fence();
  EXPECT_EQ(dual.view_host()(7, 7), 2.0);
}

// ---- all states, and all changes of them ------------------------------------------------------------------------------

/// The side that is newer, as a DualView records it.
enum class Newer { neither, host, device };

template <class Space>
Newer newer(Dual<Space> const& dual) {
  EXPECT_FALSE(dual.need_sync_device() && dual.need_sync_host());
  return dual.need_sync_device() ? Newer::host : dual.need_sync_host() ? Newer::device : Newer::neither;
}

/// 1 in each element of the host's side and 2 in those of the device's, which shows the side that a call copies.
template <class Space>
Dual<Space> dual_in(Newer state) {
  Dual<Space> dual("d", 2, 3);
  Kokkos::deep_copy(dual.view_device(), 2.0);
  Kokkos::deep_copy(dual.view_host(), 1.0);
  Kokkos::fence();
  if (state == Newer::host) dual.modify_host();
  if (state == Newer::device) dual.modify_device();
  return dual;
}

/// In memory that both sides share, a side has no elements of its own to compare.
template <class Space>
bool has_memory_for_each_side() {
  Dual<Space> const dual("d", 1, 1);
  return static_cast<void const*>(dual.view_device().data()) != static_cast<void const*>(dual.view_host().data());
}

template <class View>
double element(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view)(1, 2);
}

template <class Space>
struct Transition {
  char const* name;
  void (*call)(Dual<Space>&);
  Newer after[3];      ///< for each state before the call
  double sides[3][2];  ///< afterwards, the elements of the host's side and of the device's
};

template <class Space>
std::vector<Transition<Space>> transitions() {
  using D = Dual<Space>;
  using enum Newer;
  constexpr double none[3][2] = {{1, 2}, {1, 2}, {1, 2}};
  std::vector<Transition<Space>> all;
  auto const add = [&](char const* name, void (*call)(D&), std::initializer_list<Newer> after,
                       double const(&sides)[3][2]) {
    Transition<Space> t{name, call, {}, {}};
    std::copy(after.begin(), after.end(), t.after);
    for (int s = 0; s < 3; ++s) std::copy(sides[s], sides[s] + 2, t.sides[s]);
    all.push_back(t);
  };
  constexpr double to_device[3][2] = {{1, 2}, {1, 1}, {1, 2}}, to_host[3][2] = {{1, 2}, {1, 2}, {2, 2}};
  add("modify_host", [](D& d) { d.modify_host(); }, {host, host, host}, none);
  add("modify_device", [](D& d) { d.modify_device(); }, {device, device, device}, none);
  add("clear_sync_state", [](D& d) { d.clear_sync_state(); }, {neither, neither, neither}, none);
  add("sync_device", [](D& d) { d.sync_device(); }, {neither, neither, device}, to_device);
  add("sync_device, instance", [](D& d) { d.sync_device(Space()); }, {neither, neither, device}, to_device);
  add("sync_host", [](D& d) { d.sync_host(); }, {neither, host, neither}, to_host);
  add("sync_host, instance", [](D& d) { d.sync_host(Space()); }, {neither, host, neither}, to_host);
  add(
      "sync of the device", [](D& d) { d.template sync<typename D::t_dev::device_type>(); }, {neither, neither, device},
      to_device);
  add(
      "sync of the host", [](D& d) { d.template sync<typename D::t_host::device_type>(); }, {neither, host, neither},
      to_host);
  add("resize to the same", [](D& d) { d.resize(2, 3); }, {neither, host, device}, none);
  // The newer side keeps its elements, and the other one is undefined until sync.
  constexpr double kept[3][2] = {{2, 2}, {1, 1}, {2, 2}}, zero[3][2] = {{0, 0}, {0, 0}, {0, 0}};
  add(
      "resize and sync", [](D& d) { d.resize(4, 5), d.sync_host(), d.sync_device(); }, {neither, neither, neither},
      kept);
  add("realloc", [](D& d) { d.realloc(2, 3); }, {neither, neither, neither}, zero);
  return all;
}

/// Whether the call would modify one side while the other one has changes, which ModifiedOnBothSidesDeathTest tests.
bool is_refused([[maybe_unused]] std::string const& call, [[maybe_unused]] Newer state) {
#ifdef KOKKOS_ENABLE_DEBUG_DUALVIEW_MODIFY_CHECK
  return (call == "modify_host" && state == Newer::device) || (call == "modify_device" && state == Newer::host);
#else
  return false;
#endif
}

TYPED_TEST(DualViewTest, GoesFromStateToState) {
  if constexpr (!Dual<TypeParam>::impl_dualview_is_single_device) {
    bool const apart = has_memory_for_each_side<TypeParam>();
    for (auto const& t : transitions<TypeParam>())
      for (Newer const state : {Newer::neither, Newer::host, Newer::device}) {
        if (is_refused(t.name, state)) continue;
        std::string const what = std::string(t.name) + " in state " + std::to_string(static_cast<int>(state));
        auto dual              = dual_in<TypeParam>(state);
        t.call(dual);
        Kokkos::fence();
        EXPECT_EQ(newer(dual), t.after[static_cast<int>(state)]) << what;
        if (!apart) continue;
        EXPECT_EQ(element(dual.view_host()), t.sides[static_cast<int>(state)][0]) << what;
        EXPECT_EQ(element(dual.view_device()), t.sides[static_cast<int>(state)][1]) << what;
      }
  }
}

// The newer side is copied to the same side; where neither is, the device's. It then is the newer side of the destination.
TYPED_TEST(DualViewTest, CopiesTheNewerSideInEachState) {
  if constexpr (!Dual<TypeParam>::impl_dualview_is_single_device) {
    bool const apart = has_memory_for_each_side<TypeParam>();
    for (Newer const from : {Newer::neither, Newer::host, Newer::device})
      for (Newer const before : {Newer::neither, Newer::host, Newer::device})
        for (bool const by_instance : {false, true}) {
          if (is_refused(from == Newer::host ? "modify_host" : "modify_device", before)) continue;
          auto const source = dual_in<TypeParam>(from);
          auto dual         = dual_in<TypeParam>(before);
          Kokkos::deep_copy(dual.view_device(), 7.0);
          Kokkos::deep_copy(dual.view_host(), 7.0);
          if (by_instance)
            Kokkos::deep_copy(TypeParam(), dual, source);
          else
            Kokkos::deep_copy(dual, source);
          Kokkos::fence();
          bool const of_host = from == Newer::host;
          EXPECT_EQ(newer(dual), of_host ? Newer::host : Newer::device);
          EXPECT_EQ(newer(source), from);
          if (!apart) continue;
          EXPECT_EQ(element(dual.view_host()), of_host ? 1.0 : 7.0);
          EXPECT_EQ(element(dual.view_device()), of_host ? 7.0 : 2.0);
        }
  }
}

std::vector<std::string> tool_events;
void write_down(char const* event, char const* label, bool device) {
  tool_events.push_back(std::string(event) + ' ' + label + (device ? " device" : " host"));
}

// Two views that are one have nothing to report.
std::vector<std::string> fences;

// In memory that both sides share, sync waits for kernels even if no change was reported, as programs for upstream
// expect.
TYPED_TEST(DualViewTest, SyncOfSharedMemoryFences) {
  if constexpr (Kokkos::has_shared_space) {
    using Shared = Kokkos::DualView<double*, Kokkos::Device<TypeParam, Kokkos::SharedSpace>>;
    Shared dual("a", 4);
    ASSERT_EQ(dual.view_device().data(), dual.view_host().data());
    Kokkos::Tools::Experimental::set_begin_fence_callback(
        [](char const* name, std::uint32_t, std::uint64_t*) { fences.emplace_back(name); });
    auto const fences_of = [](auto const& call) {
      fences.clear();
      call();
      return std::count(fences.begin(), fences.end(), "Kokkos::DualView::sync: memory that both sides share");
    };
    int const both = Shared::impl_dualview_is_single_device ? 0 : 2;
    EXPECT_EQ(fences_of([&] { dual.sync_host(); }), both);
    EXPECT_EQ(fences_of([&] { dual.template sync<TypeParam>(); }), both);
    dual.modify_device();
    EXPECT_EQ(fences_of([&] { dual.sync_host(TypeParam()); }), 0);
    Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
  }
}

// Tools recognise the record of changes by the name that it has in other Kokkos versions.
TYPED_TEST(DualViewTest, ToolsGetTheAllocationOfTheRecord) {
  namespace Tools   = Kokkos::Tools::Experimental;
  auto const before = Tools::get_callbacks();
  tool_events.clear();
  Tools::set_allocate_data_callback([](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t) {
    tool_events.emplace_back(label);
  });
  Dual<TypeParam> const dual("reported", 2, 2);
  Tools::set_callbacks(before);
  EXPECT_EQ(std::count(tool_events.begin(), tool_events.end(), "DualView::modified_flags"), 1);
}

TYPED_TEST(DualViewTest, ToolsGetChangesAndCopies) {
  Dual<TypeParam> dual("reported", 2, 2);
  namespace Tools   = Kokkos::Tools::Experimental;
  auto const before = Tools::get_callbacks();
  tool_events.clear();
  Tools::set_dual_view_modify_callback(
      [](char const* label, void const* const, bool device) { write_down("modify", label, device); });
  Tools::set_dual_view_sync_callback(
      [](char const* label, void const* const, bool device) { write_down("sync", label, device); });
  dual.sync_device();  // nothing was modified
  dual.modify_host();
  dual.sync_device();
  dual.sync_device();
  dual.template modify<TypeParam>();
  dual.sync_host(TypeParam());
  Tools::set_callbacks(before);
  std::string const device = dual.d_view.label() + " device", host = dual.h_view.label() + " host";
  std::vector<std::string> expected;
  if (!Dual<TypeParam>::impl_dualview_is_single_device)
    expected = {"modify " + host, "sync " + device, "modify " + device, "sync " + host};
  EXPECT_EQ(tool_events, expected);
}

TYPED_TEST(DualViewTest, CopiesAndSubviewsShareTheRecord) {
  using Const = Kokkos::DualView<double const* [4], Kokkos::LayoutLeft, TypeParam>;
  Dual<TypeParam> dual("a", 3, 4);
  Const fixed = dual;
  EXPECT_EQ(fixed.view_device().data(), dual.view_device().data());
  auto part = Kokkos::subview(dual, std::pair<int, int>(1, 3), Kokkos::ALL);
  EXPECT_EQ(part.extent(0), 2u);
  EXPECT_EQ(part.extent_int(1), 4);
  part.modify_host();
  bool const single = Dual<TypeParam>::impl_dualview_is_single_device;
  EXPECT_EQ(dual.need_sync_device(), !single);
  EXPECT_EQ(fixed.need_sync_device(), !single);
  if (!single) {
    EXPECT_THROW(fixed.sync_device(), std::runtime_error);
  }
  Dual<TypeParam> same(dual, Kokkos::ALL, Kokkos::ALL);
  same.clear_sync_state();
  EXPECT_FALSE(part.need_sync_device());
}

TYPED_TEST(DualViewTest, DeepCopyTakesTheNewerSide) {
  Dual<TypeParam> a("a", 2, 2), b("b", 2, 2), c("c", 2, 2);
  set_on_host(a, 7.0);
  a.modify_host();
  Kokkos::deep_copy(b, a);
  b.sync_device();
  EXPECT_EQ(sum_on_device(b), 28.0);
  Kokkos::deep_copy(TypeParam(), c, b);
  c.sync_host();
  Kokkos::fence();
  EXPECT_EQ(c.view_host()(1, 1), 7.0);
  Dual<TypeParam> none, other;
  Kokkos::deep_copy(none, other);
}

TYPED_TEST(DualViewTest, ResizeKeepsTheNewerSide) {
  Dual<TypeParam> dual("a", 2, 2);
  set_on_host(dual, 3.0);
  dual.modify_host();
  Kokkos::resize(dual, 4, 3);
  EXPECT_EQ(dual.extent(0), 4u);
  EXPECT_EQ(dual.view_host().extent(1), 3u);
  dual.sync_device();
  EXPECT_EQ(sum_on_device(dual), 12.0);
  add_on_device(dual, 1.0);
  dual.modify_device();
  Kokkos::resize(Kokkos::WithoutInitializing, dual, 1, 3);
  dual.sync_host();
  EXPECT_EQ(dual.view_host()(0, 0), 4.0);
  EXPECT_EQ(dual.view_host()(0, 2), 1.0);
  auto const before = dual.view_device().data();
  dual.resize(1, 3);
  EXPECT_EQ(dual.view_device().data(), before);
  dual.modify_device();
  Kokkos::realloc(dual, 5, 5);
  EXPECT_FALSE(dual.need_sync_host());
  EXPECT_EQ(sum_on_device(dual), 0.0);
  EXPECT_EQ(dual.view_host()(4, 4), 0.0);
}

/// Elements (0, 0) and (1, 1) of a side after the other one was synchronised; they were 9 on the side that was newer.
template <class Space>
void expect_resized(Dual<Space> dual, std::size_t extent, double kept) {
  dual.sync_device();
  dual.sync_host();
  EXPECT_EQ(dual.view_device().extent(0), extent);
  EXPECT_EQ(dual.view_host().extent(0), extent);
  auto const device = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dual.view_device());
  EXPECT_EQ(dual.view_host()(1, 1), kept);
  EXPECT_EQ(device(1, 1), kept);
  EXPECT_EQ(dual.view_device().label(), "a");
}

/// Resizes dual views by properties with an instance, where the host is newer and where the device is.
template <class Space, class Properties, class Exec>
void resize_by(Properties const& properties, Exec const& exec) {
  Dual<Space> on_host("a", 2, 2), on_device("a", 2, 2), created("a", 2, 2);
  set_on_host(on_host, 9.0);
  on_host.modify_host();
  add_on_device(on_device, 9.0);
  on_device.modify_device();
  on_host.resize(properties, 5, 4);
  Kokkos::resize(properties, on_device, 5, 4);
  Kokkos::realloc(properties, created, 5, 4);
  exec.fence();
  expect_resized(on_host, 5, 9.0);
  expect_resized(on_device, 5, 9.0);
  Kokkos::deep_copy(created.view_device(), 1.0);  // WithoutInitializing leaves the elements undefined
  created.modify_device();
  expect_resized(created, 5, 1.0);
  created.realloc(properties, 5, 4);  // the same extents
  exec.fence();
  EXPECT_FALSE(created.need_sync_host());
}

template <class Space, class Exec>
void resize_by_instance(Exec const& exec) {
  resize_by<Space>(exec, exec);
  resize_by<Space>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing), exec);
  resize_by<Space>(Kokkos::view_alloc(exec, Kokkos::SequentialHostInit), exec);
  Dual<Space> const made(Kokkos::view_alloc(exec, "a"), 3, 2);
  Dual<Space> const sequential(Kokkos::view_alloc("a", exec, Kokkos::SequentialHostInit), 3, 2);
  exec.fence();
  expect_resized(made, 3, 0.0);
  expect_resized(sequential, 3, 0.0);
}

TYPED_TEST(DualViewTest, AnInstanceOfEitherSideResizes) {
  resize_by_instance<TypeParam>(TypeParam());
  resize_by_instance<TypeParam>(Kokkos::DefaultHostExecutionSpace());
}

// Work of an instance may still copy to the memory that resize and realloc release, so they wait for it. That is read
// off the fences, because only some builds copy to pageable memory after the call has returned.
TYPED_TEST(DualViewTest, ResizeFollowsCopiesOfItsInstance) {
  TypeParam const space;
  for (bool const keep : {true, false}) {
    Dual<TypeParam> dual("a", 300, 300);
    add_on_device(dual, 1.0);
    dual.modify_device();
    dual.sync_host(space);
    dual.modify_host();
    fences.clear();
    Kokkos::Tools::Experimental::set_begin_fence_callback(
        [](char const* name, std::uint32_t, std::uint64_t*) { fences.emplace_back(name); });
    if (keep)
      dual.resize(space, 400, 300);
    else
      dual.realloc(space, 400, 300);
    Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
    bool const waits = std::any_of(fences.begin(), fences.end(),
                                   [](auto const& name) { return name.starts_with("Kokkos::DualView::re"); });
    using Sides      = Dual<TypeParam>;
    if (!std::is_same_v<typename Sides::t_dev::memory_space, typename Sides::t_host::memory_space>) {
      EXPECT_TRUE(waits);
    }
    if (Sides::impl_dualview_is_single_device) {
      EXPECT_FALSE(waits);
    }
    space.fence();
    expect_resized(dual, 400, keep ? 1.0 : 0.0);
  }
}

// kokkos #4193
TYPED_TEST(DualViewTest, LabelsDoNotGrow) {
  auto const grow = [](auto const& change) {
    Dual<TypeParam> dual("A", 1, 1);
    std::string const host = dual.view_host().label();
    for (int n = 2; n < 5; ++n) {
      change(dual, n);
      EXPECT_EQ(dual.view_device().label(), "A");
      EXPECT_TRUE(dual.view_host().label() == host || dual.view_host().label() == "A") << dual.view_host().label();
      dual.sync_device();
      dual.sync_host();
    }
  };
  auto const sequential = Kokkos::view_alloc(Kokkos::SequentialHostInit);
  grow([](auto& dual, int n) { dual.modify_host(), dual.resize(n, 1); });
  grow([](auto& dual, int n) { dual.modify_device(), dual.resize(n, 1); });
  grow([](auto& dual, int n) { dual.modify_host(), dual.resize(Kokkos::WithoutInitializing, n, 1); });
  grow([](auto& dual, int n) { dual.realloc(n, 1); });
  grow([&](auto& dual, int n) { dual.modify_host(), dual.resize(sequential, n, 1); });
  grow([&](auto& dual, int n) { dual.modify_device(), dual.resize(sequential, n, 1); });
  grow([&](auto& dual, int n) { dual.realloc(sequential, n, 1); });
}

// LAMMPS multiplies a number of atoms by 1.5 and passes the product.
TYPED_TEST(DualViewTest, ExtentsThatWereComputed) {
  Dual<TypeParam> dual("a", 2.9, 3.f);
  EXPECT_EQ(dual.extent(0), 2u);
  EXPECT_EQ(dual.extent(1), 3u);
  EXPECT_EQ(Dual<TypeParam>(Kokkos::view_alloc("b", Kokkos::WithoutInitializing), 4.5, 1).view_host().extent(0), 4u);
  dual.resize(3.5, 3);
  EXPECT_EQ(dual.extent(0), 3u);
  Kokkos::resize(dual, 1.5 * 3, 3);
  EXPECT_EQ(dual.view_host().extent(0), 4u);
  dual.realloc(5.5, 3);
  EXPECT_EQ(dual.extent(0), 5u);
  Kokkos::realloc(dual, 6.5, 3);
  EXPECT_EQ(dual.view_host().extent(0), 6u);
}

TYPED_TEST(DualViewTest, DefaultConstructedHasNoRecord) {
  Dual<TypeParam> dual;
  EXPECT_FALSE(dual.is_allocated());
  dual.modify_host();
  EXPECT_FALSE(dual.need_sync_device());
  dual.sync_device();
  dual.clear_sync_state();
  dual.resize(2, 3);
  EXPECT_TRUE(dual.is_allocated());
  EXPECT_EQ(dual.span(), 6u);
  EXPECT_TRUE(dual.span_is_contiguous());
}

TYPED_TEST(DualViewTest, SpacesNameSides) {
  using D = Dual<TypeParam>;
  static_assert(Kokkos::is_dual_view_v<D> && Kokkos::is_dual_view<D const>::value && !Kokkos::is_dual_view_v<int>);
  static_assert(D::template get_device_side<typename D::t_dev::device_type>() == 1);
  static_assert(D::template get_device_side<TypeParam>() == 1);
  static_assert(D::impl_dualview_is_single_device ||
                D::template get_device_side<typename D::t_host::device_type>() == 0);
  D dual("a", 1, 1);
  EXPECT_EQ(dual.template view<typename D::t_dev::memory_space>().data(), dual.view_device().data());
  EXPECT_EQ(dual.template view<typename D::t_host::memory_space>().data(), dual.view_host().data());
}

TYPED_TEST(DualViewTest, SequentialHostInitConstructsOnTheHost) {
  using Inner = Kokkos::View<double*, TypeParam>;
  Kokkos::DualView<Inner*, TypeParam> dual(Kokkos::view_alloc("views", Kokkos::SequentialHostInit), 2);
  dual.view_host()(0) = Inner("inner", 3);
  dual.modify_host();
  dual.sync_device();
  dual.resize(Kokkos::view_alloc(Kokkos::SequentialHostInit), 3);
  EXPECT_EQ(dual.view_host()(0).extent(0), 3u);
  EXPECT_EQ(dual.view_device().extent(0), 3u);
}

struct StartsAt7 {
  int value = 7;
};
TYPED_TEST(DualViewTest, SequentialHostInitIsOnBothSides) {
  auto const sequential = Kokkos::view_alloc("sevens", Kokkos::SequentialHostInit);
  Kokkos::DualView<StartsAt7*, TypeParam> dual(sequential, 5);
  auto const device = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dual.view_device());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(device(i).value, 7) << i;
}

TYPED_TEST(DualViewTest, SideThatWasResizedAloneIsReported) {
  Dual<TypeParam> dual("odd", 2, 2);
  if (Dual<TypeParam>::impl_dualview_is_single_device) return;
  Kokkos::resize(dual.h_view, 3, 2);
  dual.modify_host();
  EXPECT_THROW(dual.sync_device(), std::runtime_error);
}

// Death tests fork; tests/unit documents how they are made safe.
TYPED_TEST(DualViewTest, ModifiedOnBothSidesDeathTest) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
#ifdef KOKKOS_ENABLE_DEBUG_DUALVIEW_MODIFY_CHECK
  if (!Dual<TypeParam>::impl_dualview_is_single_device) {
    Dual<TypeParam> dual("both", 2, 2);
    dual.modify_host();
    EXPECT_DEATH(dual.modify_device(), "\"both\".*device side while the host side has changes");
    dual.clear_sync_state();
    dual.modify_device();
    EXPECT_DEATH(dual.modify_host(), "\"both\".*host side while the device side has changes");
  }
#endif
  if constexpr (Dual<TypeParam>::impl_dualview_is_single_device) {
    Dual<TypeParam> a("a", 1, 1), b("b", 1, 1);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
    // Each stays as it is, as in Kokkos 4. In a process of its own, because the warning comes once.
    auto const use_both = [&] {
      a.view_host()(0, 0) = 1;
      b.view_host()(0, 0) = 2;
      Dual<TypeParam> two(a.view_device(), b.view_host());
      two.modify_device();
      two.sync_host();
      bool const is_kept = !two.need_sync_host() && two.view_device()(0, 0) == 1 && two.view_host()(0, 0) == 2;
      testing::internal::CaptureStderr();
      Dual<TypeParam> const again(a.view_device(), b.view_host());
      std::_Exit(is_kept && testing::internal::GetCapturedStderr().empty() ? 0 : 1);
    };
    EXPECT_EXIT(use_both(), testing::ExitedWithCode(0), "must refer to the same elements.*sync copies nothing");
#else
    EXPECT_DEATH(Dual<TypeParam>(a.view_device(), b.view_host()), "must refer to the same elements");
#endif
  }
}

}  // namespace
