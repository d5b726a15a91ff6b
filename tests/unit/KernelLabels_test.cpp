// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reports about a pattern to tools: its kind, name and instance, and its end.

#include "PatternTest.hpp"

#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

struct Event {
  char kind;  // 'f'or, 'r'educe, 's'can
  std::string name;
  std::uint32_t device;
  bool ended;
};
std::vector<Event> events;

template <char Kind>
void begin(char const* name, std::uint32_t device, std::uint64_t* id) {
  *id = events.size();
  events.push_back({Kind, name, device, false});
}
void end(std::uint64_t id) { events.at(id).ended = true; }

template <class Space>
class KernelLabelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    namespace tools = Kokkos::Tools::Experimental;
    events.clear();
    tools::set_begin_parallel_for_callback(begin<'f'>);
    tools::set_end_parallel_for_callback(end);
    tools::set_begin_parallel_reduce_callback(begin<'r'>);
    tools::set_end_parallel_reduce_callback(end);
    tools::set_begin_parallel_scan_callback(begin<'s'>);
    tools::set_end_parallel_scan_callback(end);
  }
  void TearDown() override {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_end_parallel_for_callback(nullptr);
    tools::set_begin_parallel_reduce_callback(nullptr);
    tools::set_end_parallel_reduce_callback(nullptr);
    tools::set_begin_parallel_scan_callback(nullptr);
    tools::set_end_parallel_scan_callback(nullptr);
  }
  void expect_one(char kind, std::string const& part_of_name) {
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, kind);
    EXPECT_NE(events[0].name.find(part_of_name), std::string::npos) << events[0].name;
    EXPECT_TRUE(events[0].ended);
    events.clear();
  }
};
TYPED_TEST_SUITE(KernelLabelsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct KernelTag {};
struct NamedKernel {
  KOKKOS_FUNCTION void operator()(int) const {}
  KOKKOS_FUNCTION void operator()(KernelTag, int) const {}
  KOKKOS_FUNCTION void operator()(int, long& v) const { ++v; }
  KOKKOS_FUNCTION void operator()(int, long& v, long& w) const { ++v, ++w; }
  KOKKOS_FUNCTION void operator()(int, long& v, bool) const { ++v; }
};

TYPED_TEST(KernelLabelsTest, TheLabelIsTheName) {
  Kokkos::RangePolicy<TypeParam> const policy(0, 3);
  long v = 0, w = 0;
  Kokkos::parallel_for("my for", policy, NamedKernel{});
  this->expect_one('f', "my for");
  Kokkos::parallel_reduce("my reduce", policy, NamedKernel{}, v);
  this->expect_one('r', "my reduce");
  Kokkos::parallel_reduce("my two", policy, NamedKernel{}, v, Kokkos::Sum<long>(w));
  this->expect_one('r', "my two");
  Kokkos::parallel_scan("my scan", policy, NamedKernel{}, v);
  this->expect_one('s', "my scan");
}

struct NamedEnd {
  KOKKOS_FUNCTION void operator()(int, long& v) const { ++v; }
  KOKKOS_FUNCTION void final(long&) const {}
};

struct NamedArray {
  using value_type = long[];
  std::size_t value_count;
  KOKKOS_FUNCTION void operator()(int, long* v) const { ++v[0]; }
};

/// Each form of result is another path of the launch.
TYPED_TEST(KernelLabelsTest, WhateverAReductionStoresTo) {
  using Number = Kokkos::View<long, TypeParam>;
  Kokkos::RangePolicy<TypeParam> const policy(0, 3);
  Number const view("view"), other("other");
  Kokkos::View<long*, TypeParam> const elements("elements", 2);
  long v = 0, w = 0, array[2] = {};
  Kokkos::Experimental::PendingResult<long> pending, second;
  events.clear();  // the views' own
  int forms        = 0;
  auto const label = [&forms] { return "form " + std::to_string(++forms) + "."; };
  Kokkos::parallel_reduce(label(), policy, NamedEnd{});
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, v);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, Kokkos::Sum<long>(v));
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, view);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, Kokkos::Sum<long, TypeParam>(view));
  Kokkos::parallel_reduce(label(), policy, NamedArray{2}, array);
  Kokkos::parallel_reduce(label(), policy, NamedArray{2}, elements);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, pending);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, v, w);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, v, Kokkos::Sum<long>(w));
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, view, other);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, view, Kokkos::Sum<long, TypeParam>(other));
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, pending, second);
  Kokkos::parallel_reduce(label(), policy, NamedKernel{}, v, other);
  Kokkos::fence();
  ASSERT_EQ(events.size(), static_cast<std::size_t>(forms));
  for (int form = 1; form <= forms; ++form) {
    Event const& event = events[static_cast<std::size_t>(form) - 1];
    EXPECT_EQ(event.name, "form " + std::to_string(form) + ".");
    EXPECT_TRUE(event.kind == 'r' && event.ended) << form;
  }
}

TYPED_TEST(KernelLabelsTest, WithoutALabelTheTypeIsTheName) {
  Kokkos::RangePolicy<TypeParam> const policy(0, 3);
  long v = 0;
  Kokkos::parallel_for(policy, NamedKernel{});
  this->expect_one('f', "NamedKernel");
  Kokkos::parallel_for("", policy, NamedKernel{});
  this->expect_one('f', "NamedKernel");
  Kokkos::parallel_reduce(policy, NamedKernel{}, v);
  this->expect_one('r', "NamedKernel");
  Kokkos::parallel_scan(policy, NamedKernel{}, v);
  this->expect_one('s', "NamedKernel");
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, KernelTag>(0, 3), NamedKernel{});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NE(events[0].name.find("KernelTag"), std::string::npos) << events[0].name;
}

/// Launches a lambda; nvcc refuses one in a test's body, which is private.
/// \return the lambda's type as the compiler spells it
template <class Space>
std::string launch_lambda() {
  auto const lambda = KOKKOS_LAMBDA(int){};
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 3), lambda);
  return std::string(Kokkos::Impl::TypeInfo<std::remove_const_t<decltype(lambda)>>::name());
}

/// As upstream reports it: tools that compare two runs, or filter by name, find kernels by this text.
TYPED_TEST(KernelLabelsTest, TheTypeIsSpelledAsByTheCompiler) {
  std::string const lambda = launch_lambda<TypeParam>();
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, KernelTag>(0, 3), NamedKernel{});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].name, lambda);
  EXPECT_EQ(events[1].name, std::string(Kokkos::Impl::TypeInfo<NamedKernel>::name()) + "/" +
                                std::string(Kokkos::Impl::TypeInfo<KernelTag>::name()));
}

TYPED_TEST(KernelLabelsTest, InstancesAreToldApart) {
  auto parts = Kokkos::partition_space(TypeParam(), 1, 1);
  for (auto const& part : parts)
    Kokkos::parallel_for("part", Kokkos::RangePolicy<TypeParam>(part, 0, 3), NamedKernel{});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].device, Kokkos::Tools::Experimental::device_id(parts[0]));
  EXPECT_EQ(events[1].device, Kokkos::Tools::Experimental::device_id(parts[1]));
}

TEST(ReadableType, NamesTheFunctionOfALambdaThatNvccHasWrapped) {
  using Kokkos::Impl::readable_type;
  EXPECT_EQ(
      readable_type(
          "__nv_hdl_wrapper_t<false, false, false, __nv_dl_tag<void (*)(int, double*), &(solve(int, double*)), 2u>, "
          "void (int, double&), int const, Kokkos::Array<float, 16ul>, Kokkos::View<double*> >"),
      "lambda 2 in solve");
  EXPECT_EQ(readable_type("__nv_dl_wrapper_t<__nv_dl_tag<void (Grid<f(1)>::*)(void (*)(int)), "
                          "&(ns::Grid<f(1)>::step(void (*)(int))), 11u> >"),
            "lambda 11 in ns::Grid<f(1)>::step");
  EXPECT_EQ(readable_type("__nv_dl_wrapper_t<>"), "__nv_dl_wrapper_t<>");
  EXPECT_EQ(readable_type("__nv_dl_wrapper_t<&("), "__nv_dl_wrapper_t<&(");
  EXPECT_EQ(readable_type("main::{lambda(int)#1}"), "main::{lambda(int)#1}");
}

}  // namespace
