// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_ErrorReporter.hpp>

#include "Messages.hpp"
#include "TestSpaces.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace {

template <class Space>
struct DynamicViewTest : ::testing::Test {};
TYPED_TEST_SUITE(DynamicViewTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

template <class Space, class V>
void add_index(V const& v, int first, int last) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(first, last), KOKKOS_LAMBDA(int i) { v(i) += i; });
}
template <class Space, class V>
long long sum_of(V const& v) {
  long long sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 1),
      KOKKOS_LAMBDA(int, long long& s) {
        for (std::size_t i = 0; i < v.size(); ++i) s += v(i);
      },
      sum);
  return sum;
}

TYPED_TEST(DynamicViewTest, ElementsStayWhereTheyAre) {
  using View = Kokkos::Experimental::DynamicView<int*, TypeParam>;
  View v("v", 1000, 100000), none;
  static_assert(Kokkos::is_dynamic_view_v<View> && View::rank() == 1);
  EXPECT_EQ(v.chunk_size(), 1024u);
  EXPECT_EQ(v.chunk_max(), 98u);  // of 1024 elements, for 100000
  EXPECT_EQ(none.chunk_max(), 0u);
  EXPECT_FALSE(v.is_allocated());
  EXPECT_FALSE(none.is_allocated());
  EXPECT_EQ(none.size(), 0u);
  View const copy = v;
  v.resize_serial(3000);
  EXPECT_EQ(copy.size(), 3000u);  // copies share their size
  EXPECT_EQ(copy.allocation_extent(), 3072u);
  add_index<TypeParam>(copy, 0, 3000);
  EXPECT_EQ(sum_of<TypeParam>(v), 2999 * 1500);
  v.resize_serial(50000);
  EXPECT_EQ(sum_of<TypeParam>(copy), 2999 * 1500);
  add_index<TypeParam>(v, 3000, 50000);
  EXPECT_EQ(sum_of<TypeParam>(v), 49999ll * 25000);
  v.resize_serial(1500.5);
  EXPECT_EQ(v.extent(0), 1500u);
  EXPECT_EQ(v.extent(1), 1u);
  EXPECT_EQ(v.extent_int(0), 1500);
  EXPECT_EQ(v.extent_int(1), 1);
  EXPECT_TRUE(v.stride(0) == 0 && v.span() == 0 && !v.span_is_contiguous() && v.data() == nullptr);
  EXPECT_EQ(sum_of<TypeParam>(v), 1499 * 750);
  EXPECT_EQ(v.label(), "v");
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([&] { v.resize_serial(200000); }),
      {"resize_serial was called for 200000 elements, but the constructor's max_extent allows only"});
  EXPECT_EQ(v.size(), 1500u);
  EXPECT_THROW(v.resize_serial(98 * 1024 + 1), std::runtime_error);
  v.resize_serial(98 * 1024);  // whole chunks
  EXPECT_EQ(v.size(), 98u * 1024);
  EXPECT_EQ(v.allocation_extent(), 98u * 1024);
  v.resize_serial(1500);
  typename View::const_type const constant = v;
  EXPECT_EQ(sum_of<TypeParam>(constant), 1499 * 750);
}

TYPED_TEST(DynamicViewTest, Copies) {
  using View = Kokkos::Experimental::DynamicView<int*, TypeParam>;
  View v("v", 64, 1000), w("w", 256, 1000);
  v.resize_serial(500);
  w.resize_serial(400);
  add_index<TypeParam>(v, 0, 500);
  Kokkos::deep_copy(w, v);
  EXPECT_EQ(sum_of<TypeParam>(w), 399 * 200);
  Kokkos::View<int*, TypeParam> plain("plain", 1000);
  Kokkos::deep_copy(TypeParam(), plain, v);
  TypeParam().fence();
  EXPECT_EQ(sum_of<TypeParam>(plain), 499 * 250);
  Kokkos::deep_copy(v, 3);
  EXPECT_EQ(sum_of<TypeParam>(v), 1500);
  Kokkos::deep_copy(v, plain);
  EXPECT_EQ(sum_of<TypeParam>(v), 499 * 250);
  auto const h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  EXPECT_EQ(h(499), 499);
  EXPECT_EQ(Kokkos::create_mirror(v).size(), 500u);
  using Device = Kokkos::Device<TypeParam, typename TypeParam::memory_space>;
  EXPECT_EQ(Kokkos::create_mirror_view(Device(), v).size(), 500u);
}

/// Mirrors and conversions of a view to another execution space of the same memory share its elements.
template <class Space, class Other>
void share_with_other_space() {
  using View = Kokkos::Experimental::DynamicView<int*, Space>;
  View v("v", 64, 1000);
  v.resize_serial(300);
  add_index<Space>(v, 0, 300);
  auto const mirror   = Kokkos::create_mirror_view(v);
  auto const in_space = Kokkos::create_mirror_view(Kokkos::HostSpace(), v);
  auto const copied   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  Kokkos::Experimental::DynamicView<int const*, Other> const constant = v;
  Kokkos::Experimental::DynamicView<int*, Other> other;
  other = v;
  other.resize_serial(500);
  add_index<Other>(other, 0, 500);
  v = View();
  EXPECT_EQ(sum_of<Other>(constant), 299 * 150 + 499 * 250);
  EXPECT_EQ(sum_of<Other>(other), 299 * 150 + 499 * 250);
  EXPECT_EQ(mirror.size(), 500u);
  EXPECT_EQ(&mirror(1), &in_space(1));
  EXPECT_EQ(&mirror(1), &copied(1));
  EXPECT_EQ(copied(299), 2 * 299);
}

// kokkos #5274
TEST(DynamicView, HasNoStrides) {
  using Dynamic = Kokkos::Experimental::DynamicView<int*, Kokkos::HostSpace>;
  // Each is a constant, without an object.
  static_assert(Dynamic::stride_0() + Dynamic::stride_1() + Dynamic::stride_2() + Dynamic::stride_3() +
                    Dynamic::stride_4() + Dynamic::stride_5() + Dynamic::stride_6() + Dynamic::stride_7() ==
                0);
  Dynamic const v("v", 4, 8);
  EXPECT_EQ(v.stride(0), 0u);
  EXPECT_EQ(v.stride_0(), 0u);
  EXPECT_EQ(v.stride_7(), 0u);
}

TEST(DynamicView, HoldsAsManyElementsAsItsLargestExtent) {
  Kokkos::Experimental::DynamicView<int*, Kokkos::HostSpace> v("v", 4, 8);
  v.resize_serial(8);
  EXPECT_EQ(v.size(), 8u);
  v(7) = 3;
  EXPECT_THROW(v.resize_serial(9), std::runtime_error);
  EXPECT_EQ(v(7), 3);
}

TEST(DynamicView, HostSpacesShareElements) {
#ifdef KOKKOS_ENABLE_SERIAL
  share_with_other_space<Kokkos::Serial, Kokkos::DefaultHostExecutionSpace>();
#endif
  share_with_other_space<Kokkos::DefaultHostExecutionSpace, Kokkos::DefaultHostExecutionSpace>();
}

template <class Space, class Reporter>
void report_odd(Reporter const& reporter, int n) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        if (i % 2 == 1) reporter.add_report(i, 10.0 * i);
      });
}

template <class Space>
void check_reports(int capacity, int items, int kept) {
  Kokkos::Experimental::ErrorReporter<double, Space> reporter("reporter", capacity);
  EXPECT_EQ(reporter.capacity(), capacity);
  EXPECT_FALSE(reporter.full());
  report_odd<Space>(reporter, items);
  EXPECT_EQ(reporter.num_report_attempts(), items / 2);
  EXPECT_EQ(reporter.num_reports(), kept);
  EXPECT_EQ(reporter.getNumReportAttempts(), items / 2);
  EXPECT_EQ(reporter.getNumReports(), kept);
  EXPECT_EQ(reporter.getCapacity(), capacity);
  EXPECT_EQ(reporter.full(), capacity <= items / 2);
  auto const reports = reporter.get_reports();
  ASSERT_EQ(reports.first.size(), static_cast<std::size_t>(kept));
  for (int i = 0; i < kept; ++i) EXPECT_EQ(reports.second[i], 10.0 * reports.first[i]);
  using Device = typename decltype(reporter)::device_type;
  typename Kokkos::View<int*, Device>::host_mirror_type reporters;
  typename Kokkos::View<double*, Device>::host_mirror_type values;
  reporter.getReports(reporters, values);
  ASSERT_TRUE(reporters.extent(0) == reports.first.size() && values.extent(0) == reports.first.size());
  for (std::size_t i = 0; i < reports.first.size(); ++i)
    EXPECT_TRUE(reporters(i) == reports.first[i] && values(i) == reports.second[i]) << i;
  auto ids = reports.first;
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()) - ids.begin(), kept);
  reporter.clear();
  EXPECT_EQ(reporter.num_reports(), 0);
  reporter.resize(static_cast<std::size_t>(items));
  report_odd<Space>(reporter, items);
  EXPECT_EQ(reporter.getNumReports(), items / 2);
}

TYPED_TEST(DynamicViewTest, UniformTypesReferToTheSameElements) {
  using View = Kokkos::Experimental::DynamicView<int*, TypeParam>;
  using Same = Kokkos::Experimental::DynamicView<int*, typename View::device_type>;
  static_assert(std::is_same_v<typename View::uniform_type, typename Same::uniform_type>);
  static_assert(std::is_same_v<typename View::uniform_runtime_const_type, typename Same::const_type>);
  View v("v", 16, 100);
  v.resize_serial(40);
  typename View::uniform_nomemspace_type const elements                  = v;
  typename View::uniform_runtime_const_nomemspace_type const for_reading = v;
  add_index<TypeParam>(elements, 0, 40);
  EXPECT_EQ(for_reading.size(), 40u);
  EXPECT_EQ(sum_of<TypeParam>(for_reading), 39 * 20);
}

TYPED_TEST(DynamicViewTest, ErrorReporterKeepsTheFirst) {
  check_reports<TypeParam>(100, 20, 10);
  check_reports<TypeParam>(10, 1000, 10);
  check_reports<TypeParam>(10, 20, 10);
}

// Chunks that are no longer needed are released at once, and the others stay.
TEST(DynamicView, ReleasesChunks) {
  static int chunks;
  Kokkos::Experimental::DynamicView<int*, Kokkos::HostSpace> v("v", 1024, 10000);
  v.resize_serial(1024);
  int const* const first = &v(0);
  chunks                 = 1;
  Kokkos::Tools::Experimental::set_allocate_data_callback([](auto, auto, auto, auto) { ++chunks; });
  Kokkos::Tools::Experimental::set_deallocate_data_callback([](auto, auto, auto, auto) { --chunks; });
  for (int const size : {3 * 1024, 3 * 1024 + 1, 1024, 1025, 0, 10 * 1024, 2 * 1024, 1}) {
    v.resize_serial(static_cast<std::size_t>(size));
    EXPECT_EQ(chunks, (size + 1023) / 1024) << size;
    if (size == 3 * 1024 || size == 1025) {
      EXPECT_EQ(&v(0), first);
    }
  }
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
}

#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
TEST(DynamicViewDeathTest, TheFirstIndexBeyondTheEnd) {
  Kokkos::Experimental::DynamicView<int*, Kokkos::HostSpace> v("v", 16, 64);
  v.resize_serial(20);
  EXPECT_EQ(v(19), 0);
  EXPECT_DEATH(v(20) = 1, "index \\(20\\), extents are \\(20\\)");
}
#endif

TEST(DynamicView, CopiesOfViewsAsElementsShareOwnership) {
  using Inner = Kokkos::View<int*, Kokkos::HostSpace>;
  using Outer = Kokkos::Experimental::DynamicView<Inner*, Kokkos::DefaultHostExecutionSpace>;
  Inner inner("inner", 3);
  Outer from("from", 16, 64), to("to", 16, 64);
  from.resize_serial(1);
  to.resize_serial(1);
  from(0) = inner;
  Kokkos::deep_copy(to, from);
  EXPECT_EQ(inner.use_count(), 3);
}

}  // namespace
