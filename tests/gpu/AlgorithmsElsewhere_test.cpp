// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sorts, algorithms and contributions of scattered sums in an instance of another device: right results, and on the HIP
/// model all work on the device of the instance, with that device as the current one.

#include "DeviceTest.hpp"

#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace KE = Kokkos::Experimental;
using Kokkos::RangePolicy;
using Kokkos::view_alloc;
using Kokkos::Testing::GPU;
using View   = Kokkos::View<int*, GPU>;
using Values = std::vector<int>;

constexpr int n = 2000;

Values numbers() {
  Values values(n);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * 7919 % 3001 - 1500;
  return values;
}
View on_device(GPU const& space, Values const& values) {
  View view(view_alloc(space, Kokkos::WithoutInitializing, "values"), values.size());
  Kokkos::deep_copy(space, view, Kokkos::View<int const*, Kokkos::HostSpace>(values.data(), values.size()));
  space.fence();
  return view;
}
Values on_host(GPU const& space, View const& view) {
  Values values(view.extent(0));
  Kokkos::deep_copy(space, Kokkos::View<int*, Kokkos::HostSpace>(values.data(), values.size()), view);
  space.fence();
  return values;
}

struct Descending {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a > b; }
};
struct IsEven {
  KOKKOS_FUNCTION bool operator()(int a) const { return a % 2 == 0; }
};
struct Larger {  // an operation whose identity no algorithm knows
  KOKKOS_FUNCTION int operator()(int a, int b) const { return a > b ? a : b; }
};
struct AddToEach {
  KE::ScatterView<int*, GPU::array_layout, GPU> sums;
  KOKKOS_FUNCTION void operator()(int i) const { sums.access()(i % 100) += i; }
};

Values sorted(Values values) {
  std::sort(values.begin(), values.end());
  return values;
}

using Work = std::function<void(GPU const&, View const&)>;

void expect_same(GPU const& space, View const& view, Values const& expected) {
  EXPECT_EQ(on_host(space, view), expected);
}

/// Each has the numbers() as its view, in memory of the device of the instance.
std::vector<std::pair<std::string, Work>> works() {
  std::vector<std::pair<std::string, Work>> all;
  all.emplace_back("sort", [](GPU const& space, View const& v) {
    Kokkos::sort(space, v);
    expect_same(space, v, sorted(numbers()));
  });
  all.emplace_back("sort in another order", [](GPU const& space, View const& v) {
    Kokkos::sort(space, v, Descending());
    Values expected = sorted(numbers());
    std::reverse(expected.begin(), expected.end());
    expect_same(space, v, expected);
  });
  all.emplace_back("sort by key", [](GPU const& space, View const& v) {
    Kokkos::View<double*, GPU> const keys(view_alloc(space, "keys"), n);
    Kokkos::deep_copy(space, keys, v);
    KE::sort_by_key(space, keys, v);
    expect_same(space, v, sorted(numbers()));
  });
  all.emplace_back("sort of floating-point numbers", [](GPU const& space, View const& v) {
    Kokkos::View<float*, GPU> const floats(view_alloc(space, "floats"), n);
    Kokkos::deep_copy(space, floats, v);
    Kokkos::sort(space, floats);
    Kokkos::deep_copy(space, v, floats);
    expect_same(space, v, sorted(numbers()));
  });
  all.emplace_back("sort by bins", [](GPU const& space, View const& v) {
    using Bins = Kokkos::BinOp1D<View>;
    Kokkos::BinSort<View, Bins, GPU> bins(space, v, Bins(100, -1500, 1501), true);
    bins.create_permute_vector(space);
    bins.sort(space, v);
    expect_same(space, v, sorted(numbers()));
  });
  all.emplace_back("inclusive scan by an operation", [](GPU const& space, View const& v) {
    KE::inclusive_scan(space, v, v, Larger());
    Values expected = numbers();
    std::inclusive_scan(expected.begin(), expected.end(), expected.begin(), Larger());
    expect_same(space, v, expected);
  });
  all.emplace_back("exclusive scan", [](GPU const& space, View const& v) {
    KE::exclusive_scan(space, v, v, 5);
    Values expected = numbers();
    std::exclusive_scan(expected.begin(), expected.end(), expected.begin(), 5);
    expect_same(space, v, expected);
  });
  all.emplace_back("copy of some", [](GPU const& space, View const& v) {
    View const to(view_alloc(space, "to"), n);
    auto const count = KE::copy_if(space, v, to, IsEven()) - KE::begin(to);
    Values expected(n, 0), from = numbers();
    EXPECT_EQ(std::copy_if(from.begin(), from.end(), expected.begin(), IsEven()) - expected.begin(), count);
    expect_same(space, to, expected);
  });
  all.emplace_back("unique", [](GPU const& space, View const& v) {
    Kokkos::sort(space, v);
    Values expected = sorted(numbers());
    EXPECT_EQ(KE::unique(space, v) - KE::begin(v), std::unique(expected.begin(), expected.end()) - expected.begin());
  });
  all.emplace_back("remove", [](GPU const& space, View const& v) {
    Values expected = numbers();
    EXPECT_EQ(KE::remove_if(space, v, IsEven()) - KE::begin(v),
              std::remove_if(expected.begin(), expected.end(), IsEven()) - expected.begin());
  });
  all.emplace_back("rotate and shift", [](GPU const& space, View const& v) {
    KE::rotate(space, v, 1234);
    KE::shift_left(space, v, 7);
    Values expected = numbers();
    std::rotate(expected.begin(), expected.begin() + 1234, expected.end());
    Values const result = on_host(space, v);
    EXPECT_TRUE(std::equal(result.begin(), result.end() - 7, expected.begin() + 7));
  });
  all.emplace_back("questions", [](GPU const& space, View const& v) {
    Values const values = numbers();
    EXPECT_EQ(KE::find(space, v, 77) - KE::begin(v), std::find(values.begin(), values.end(), 77) - values.begin());
    EXPECT_EQ(KE::count_if(space, v, IsEven()), std::count_if(values.begin(), values.end(), IsEven()));
    EXPECT_EQ(KE::min_element(space, v) - KE::begin(v),
              std::min_element(values.begin(), values.end()) - values.begin());
    EXPECT_EQ(KE::reduce(space, v, 3, Larger()), std::accumulate(values.begin(), values.end(), 3, Larger()));
  });
  all.emplace_back("partition", [](GPU const& space, View const& v) {
    View const yes(view_alloc(space, "yes"), n), no(view_alloc(space, "no"), n);
    auto const ends     = KE::partition_copy(space, v, yes, no, IsEven());
    Values const values = numbers();
    EXPECT_EQ(ends.first - KE::begin(yes), std::count_if(values.begin(), values.end(), IsEven()));
  });
  all.emplace_back("scattered sums", [](GPU const& space, View const&) {
    View const to(view_alloc(space, "to"), 100);
    KE::ScatterView<int*, GPU::array_layout, GPU> sums(to);
    Kokkos::parallel_for("add", RangePolicy<GPU>(space, 0, n), AddToEach{sums});
    KE::contribute(space, to, sums);
    Values expected(100, 0);
    for (int i = 0; i < n; ++i) expected[static_cast<std::size_t>(i % 100)] += i;
    expect_same(space, to, expected);
  });
  return all;
}

#ifdef KOKKOS_IMPL_GPU_MODEL
/// Expects that all memory of GPUs that is allocated while it exists is on one device.
class MemoryOnDevice {
 public:
  explicit MemoryOnDevice(int device) {
    expected() = device;
    Kokkos::Tools::Experimental::set_allocate_data_callback(see);
  }
  ~MemoryOnDevice() { Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr); }
  MemoryOnDevice(MemoryOnDevice const&)            = delete;
  MemoryOnDevice& operator=(MemoryOnDevice const&) = delete;

 private:
  static int& expected() {
    static int device;
    return device;
  }
  static void see(Kokkos_Profiling_SpaceHandle, char const* label, void const* memory, std::uint64_t) {
    hipPointerAttribute_t facts{};
    if (hipPointerGetAttributes(&facts, memory) != hipSuccess) {
      (void)hipGetLastError();  // other memory of the host
    } else if (facts.hostPointer == nullptr) {
      EXPECT_EQ(facts.device, expected()) << label;
    }
  }
};
#endif

TEST(AlgorithmsElsewhere, AreRightAndOnTheDeviceOfTheirInstance) {
  if (Kokkos::Testing::device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  for (int device = 0; device < 2; ++device) {
    Kokkos::Testing::OwnStream const stream(device);
    GPU const space(stream.get());
    for (auto const& [what, work] : works()) {
      SCOPED_TRACE(what + ", device " + std::to_string(device));
      View const values = on_device(space, numbers());
#ifdef KOKKOS_IMPL_GPU_MODEL
      std::size_t const before = hip_model::submission_count();
      MemoryOnDevice const memory(device);
#endif
      ASSERT_NO_THROW(work(space, values));
#ifdef KOKKOS_IMPL_GPU_MODEL
      auto const done         = hip_model::submissions();
      std::size_t const count = hip_model::submission_count() - before;
      ASSERT_LE(count, done.size());
      for (auto one = done.end() - static_cast<std::ptrdiff_t>(count); one != done.end(); ++one) {
        EXPECT_EQ(one->device, device) << one->what;
        EXPECT_EQ(one->current, device) << one->what;
      }
#endif
    }
  }
}

}  // namespace
