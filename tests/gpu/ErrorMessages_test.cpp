// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The exception when a call of HIP for an instance fails: it contains the call, the instance, whether its stream is
/// alive, is being captured or was destroyed, and the real meaning of an error code that ROCm is known to misuse. On
/// the HIP model, where each call can be made to fail. Each test is a separate process.

#include "DeviceTest.hpp"

#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_Graph.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_Sort.hpp>

#include <impl/GPU/Kokkos_GPU_CallNames.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::expect_all;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::thrown_message;
using View  = Kokkos::View<double*, GPU>;
using Small = Kokkos::Testing::AddPayload<View, 2>;
using Large = Kokkos::Testing::AddPayload<View, 1000>;

struct Count {
  KOKKOS_FUNCTION void operator()(int, double& sum) const { sum += 1; }
};

template <class Functor>
void add(GPU const& space, View const& view) {
  Kokkos::parallel_for("add", RangePolicy<GPU>(space, 0, static_cast<int>(view.extent(0))), Functor(view, 1));
}

/// "instance 2 on device 0"
std::string name_of(GPU const& space) {
  auto& instance = space.impl_instance();
  return "instance " + std::to_string(instance.id()) + " on device " + std::to_string(instance.device());
}

/// The message when the next call of `function` returns `error`, which the exception contains, too.
std::string thrown_message_of(char const* function, hipError_t error, std::function<void()> const& action) {
  hip_model::fail_call(function, 1, static_cast<int>(error));
  std::string const message = thrown_message([&] {
    try {
      action();
    } catch (Kokkos::Impl::GPUError const& failure) {
      EXPECT_EQ(failure.code(), static_cast<int>(error)) << failure.what();
      throw;
    } catch (std::exception const& failure) {
      ADD_FAILURE() << "an exception without a code: " << failure.what();
      throw;
    }
  });
  hip_model::clear_faults();
  return message;
}

struct ErrorMessages : testing::Test {
  ErrorMessages() { Kokkos::initialize(); }
  ~ErrorMessages() override { Kokkos::finalize(); }
};

TEST(CallNames, FollowFromThoseOfOperations) {
  constexpr Kokkos::Impl::GPUCallName others[] = {{"free_device", "hipFree"}};
  char const* const names[][2]                 = {{"free_device", "hipFree"},
                                                  {"memset_async", "hipMemsetAsync"},
                                                  {"memcpy_2d_async", "hipMemcpy2DAsync"},
                                                  {"stream_wait_value32", "hipStreamWaitValue32"}};
  for (auto const& [operation, call] : names) EXPECT_EQ(Kokkos::Impl::gpu_call_name("hip", others, operation), call);
}

TEST(NoDeviceMessages, NameTheVariableThatHidesThem) {
  char const* const variables[] = {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};
  for (char const* variable : variables) unsetenv(variable);
  std::string const none = Runtime::why_no_device(hipErrorNoDevice);
  EXPECT_NE(none.find("Run where there is one"), none.npos) << none;
  for (char const* variable : variables) {
    setenv(variable, "7", 1);
    for (auto const error : {hipSuccess, hipErrorNoDevice}) {
      std::string const message = Runtime::why_no_device(error);
      EXPECT_EQ(message.find(std::string("the driver shows no GPU. ") + variable + "=7 hides"), 0u) << message;
    }
    unsetenv(variable);
  }
}

// A null handle is more often a forgotten stream than the default one, which has a name.
TEST_F(ErrorMessages, SayWhatToPassForTheDefaultStream) {
  expect_all(thrown_message([] { (void)Kokkos::HIP(hipStream_t()); }),
             {"Kokkos::HIP(stream)", "the handle is null", "for the default stream of the device, pass",
              Runtime::default_stream_name});
}

// A library of the vendor fails only without memory, so the test plays one. It leaves its error with the runtime.
TEST_F(ErrorMessages, OfALibraryOfTheVendor) {
  static std::string allocated;
  GPU const space;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
        allocated += std::to_string(bytes) + " for " + label;
      });
  int calls = 0;
  Kokkos::Impl::call_vendor(space, "of a test", "Kokkos::test", [&](void* memory, std::size_t& bytes) {
    EXPECT_EQ(memory != nullptr, ++calls == 2);
    bytes = 100;
    return hipSuccess;
  });
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(allocated, "101 for of a test");
  for (int const last : {1, 2}) {  // the call that fails
    calls              = 0;
    auto const failing = [&](void*, std::size_t& bytes) {
      bytes = 100;
      return ++calls == last ? hipSetDevice(99) : hipSuccess;
    };
    EXPECT_EQ(thrown_message([&] { Kokkos::Impl::call_vendor(space, "label", "Kokkos::test", failing); }),
              "Kokkos::test: the library of the GPU's vendor failed with hipErrorInvalidDevice.");
    EXPECT_EQ(calls, last);
    EXPECT_EQ(hipPeekAtLastError(), hipSuccess) << "the next launch would report the error again";
    calls = 0;
    EXPECT_EQ(thrown_message([&] { Kokkos::Impl::run_vendor_sort(space, failing); }),
              "Kokkos::sort: the library of the GPU's vendor failed with hipErrorInvalidDevice.");
  }
}

// The error is that of the first failed call, and nothing is done with what it did not answer.
TEST_F(ErrorMessages, ACopyToASymbolEndsAtItsFirstError) {
  int value        = 3;
  auto const calls = [] {
    std::size_t all = 0;
    for (char const* call : {"hipStreamCreateWithFlags", "hipMemcpyAsync", "hipStreamSynchronize", "hipStreamDestroy"})
      all += hip_model::call_count(call);
    return all;
  };
  void* address      = nullptr;
  auto const unknown = hipGetSymbolAddress(&address, &value);
  ASSERT_NE(unknown, hipSuccess);
  std::size_t const before = calls();
  EXPECT_EQ(Runtime::memcpy_to_symbol(&value, &value, sizeof value), unknown);
  hip_model::fail_call("hipGetSymbolAddress", 1, hipErrorUnknown);
  EXPECT_EQ(Runtime::memcpy_to_symbol(&value, &value, sizeof value), hipErrorUnknown);
  hip_model::clear_faults();
  EXPECT_EQ(calls(), before);
  Runtime::clear_last_error();
  hip_model::reset_reports();
}

TEST_F(ErrorMessages, NameTheCallTheInstanceAndItsStream) {
  auto const parts = Kokkos::Experimental::partition_space(GPU(), 1, 1);
  const GPU space  = parts[1];
  View const view("view", 10), other("other", 10);
  Kokkos::View<double, GPU> const result("result");
  Kokkos::fence();
  auto graph = Kokkos::Experimental::create_graph(
      space, [&](auto root) { root.then_parallel_for("node", RangePolicy<GPU>(0, 10), Small(view, 1)); });
  struct Case {
    char const* function;
    std::function<void()> action;
    char const* purpose;
  };
  // Memory that grows at its first use is allocated before the calls that use it.
  Case const cases[] = {
      {"hipMalloc", [&] { Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 10), Count(), result); },
       "bytes of device memory"},
      {"hipMemsetAsync", [&] { Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 10), Count(), result); },
       "clearing the counters of reductions"},
      {"hipHostMalloc",
       [&] {
         double sum = 0;
         Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 10), Count(), sum);
       },
       "bytes of pinned host memory"},
      {"hipStreamIsCapturing",
       [&] {
         (void)space.hip_stream();
         add<Small>(space, view);
       },
       "querying whether a stream is being captured"},
      {"hipLaunchKernel", [&] { add<Small>(space, view); }, "did not launch the kernel \"add\""},
      {"hipMemcpyAsync", [&] { add<Large>(space, view); }, "sending a functor to the device"},
      {"hipMemsetAsync", [&] { View(Kokkos::view_alloc("new", space), 10000); }, "initializing a view"},
      {"hipMemcpyAsync", [&] { Kokkos::deep_copy(space, view, other); }, "copying a view"},
      {"hipMemsetAsync", [&] { Kokkos::deep_copy(space, view, 0.0); }, "filling a view"},
      {"hipGraphLaunch", [&] { graph.submit(space); }, "submitting a graph of 1 node (node)"},
      {"hipStreamSynchronize", [&] { space.fence("my fence"); }, "my fence"},
  };
  for (Case const& one : cases) {
    std::string const message = thrown_message_of(one.function, hipErrorUnknown, one.action);
    expect_all(message, {one.function, one.purpose, "hipErrorUnknown", "The call was for " + name_of(space),
                         ", whose stream is alive and not being captured."});
    EXPECT_EQ(message.find("The call was for"), message.rfind("The call was for")) << message;
  }
  expect_all(thrown_message_of("hipStreamSynchronize", hipErrorUnknown,
                               [&] {
                                 add<Small>(GPU(), view);
                                 Kokkos::fence("of all");
                               }),
             {"of all", "hipStreamSynchronize"});
  expect_all(thrown_message_of("hipStreamSynchronize", hipErrorUnknown,
                               [&] {
                                 add<Small>(GPU(), view);  // a fence queries only instances with work
                                 GPU().fence();
                               }),
             {"The call was for instance 1, the default one, on device 0"});
}

TEST_F(ErrorMessages, NameTheCallOfTheProgramAndItsPlace) {
  EXPECT_EQ(thrown_message([] { KOKKOS_IMPL_HIP_SAFE_CALL(hipSuccess); }), "");
  std::string const message = thrown_message([] { KOKKOS_IMPL_HIP_SAFE_CALL(hipErrorInvalidValue); });
  EXPECT_NE(message.find("ErrorMessages_test.cpp:"), message.npos) << message;
  EXPECT_NE(message.find("hipErrorInvalidValue failed: "), message.npos) << message;
}

TEST_F(ErrorMessages, SayThatTheStreamIsBeingCaptured) {
  OwnStream stream;
  const GPU space(stream.get());
  View const view("view", 10);
  Kokkos::fence();
  Kokkos::Testing::CapturedGraph capture(stream.get());
  std::string const captured = "The call was for " + name_of(space) + ", whose stream is being captured.";
  expect_all(thrown_message_of("hipLaunchKernel", hipErrorUnknown, [&] { add<Small>(space, view); }),
             {"hipLaunchKernel", captured});
  expect_all(thrown_message_of("hipUserObjectCreate", hipErrorUnknown, [&] { add<Small>(space, view); }),
             {"hipUserObjectCreate", captured});
  expect_all(thrown_message_of("hipMemcpyAsync", hipErrorUnknown, [&] { add<Large>(space, view); }),
             {"hipMemcpyAsync", captured});
  capture.end();
}

// The copy of the graph for the capture, and its place among the captured work: whichever call fails, its error is reported.
TEST_F(ErrorMessages, OfAGraphThatIsSubmittedIntoACapture) {
  View const view("view", 10);
  auto graph = Kokkos::Experimental::create_graph(
      GPU(), [&](auto root) { root.then_parallel_for("node", RangePolicy<GPU>(0, 10), Small(view, 1)); });
  graph.instantiate();
  auto const submit_captured = [&](char const* fails) {
    OwnStream const stream;
    GPU const space(stream.get());
    Kokkos::Testing::CapturedGraph capture(stream.get());
    std::map<std::string, std::size_t> calls;
    for (std::string const& name : hip_model::functions_called()) calls[name] = hip_model::call_count(name.c_str());
    if (fails) {
      std::string const message = thrown_message_of(fails, hipErrorUnknown, [&] { graph.submit(space); });
      expect_all(message, {fails, "hipErrorUnknown"});
    } else {
      graph.submit(space);
    }
    std::vector<std::string> used;
    for (std::string const& name : hip_model::functions_called())
      if (name != "hipGetLastError" && hip_model::call_count(name.c_str()) > calls[name]) used.push_back(name);
    capture.end();
    return used;
  };
  (void)submit_captured(nullptr);
  std::vector<std::string> const used = submit_captured(nullptr);
  EXPECT_NE(std::find(used.begin(), used.end(), "hipGraphAddChildGraphNode"), used.end());
  for (std::string const& function : used)
    if (function.find("Graph") != std::string::npos || function.find("Capture") != std::string::npos)
      (void)submit_captured(function.c_str());
  hip_model::reset_reports();
}

// A graph of the program that cannot be extended remains the program's.
TEST_F(ErrorMessages, AGraphOfTheProgramThatIsRefusedRemains) {
  for (bool const is_refused : {true, false}) {
    hipGraph_t native = nullptr;
    ASSERT_EQ(hipGraphCreate(&native, 0), hipSuccess);
    auto const wrap = [&] { Kokkos::Experimental::Graph<GPU> const graph(GPU(), native); };
    if (is_refused) {
      expect_all(thrown_message_of("hipGraphAddEmptyNode", hipErrorUnknown, wrap),
                 {"hipGraphAddEmptyNode", "adding the root node of a graph"});
      EXPECT_EQ(hipGraphDestroy(native), hipSuccess);
    } else {
      wrap();  // and otherwise Kokkos destroys it
      EXPECT_NE(hipGraphDestroy(native), hipSuccess);
      hip_model::reset_reports();
      (void)hipGetLastError();
    }
  }
}

TEST_F(ErrorMessages, SayThatTheStreamHasGone) {
  OwnStream stream;
  {
    const GPU space(stream.get());
    std::string const gone =
        "The call was for " + name_of(space) +
        ", whose stream has been destroyed; a stream must outlive the instances that were created with it.";
    View const view("view", 10);
    stream.destroy();
    expect_all(thrown_message([&] { space.fence("my fence"); }), {"my fence", "hipStreamIsCapturing", gone});
    expect_all(thrown_message([&] { add<Small>(space, view); }), {"hipStreamIsCapturing", gone});
  }
  hip_model::reset_reports();  // the program did violate a rule
}

// Each code with a meaning that its name does not tell, and what a program can do.
TEST_F(ErrorMessages, ExplainCodesThatDoNotExplainThemselves) {
  std::pair<hipError_t, char const*> const explained[] = {
      {hipErrorCapturedEvent, "for an event whose stream has been destroyed"},
      {hipErrorStreamCaptureUnsupported,
       "is being captured, perhaps by another thread, and HIP forbids the call meanwhile"},
      {hipErrorStreamCaptureImplicit,
       "is being captured, perhaps by another thread, and HIP forbids the call meanwhile"},
      {hipErrorNoBinaryForGpu, "configure Kokkos with its architecture, as in -DKokkos_ARCH_AMD_GFX90A=ON"},
      {hipErrorOutOfMemory, "free memory first, or request less"},
      {hipErrorIllegalAddress, "a build with Kokkos_ENABLE_DEBUG_BOUNDS_CHECK=ON reports the index"},
      {hipErrorAssert, "the GPU runs nothing more for this process, which can still finalize"},
      {hipErrorLaunchFailure, "the GPU runs nothing more for this process, which can still finalize"},
      {hipErrorNotSupported, "this ROCm lacks it"},
  };
  const GPU space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  (void)space.hip_stream();  // a launch then asks whether the stream is being captured
  View const view("view", 10);
  Kokkos::fence();
  for (auto const& [code, meaning] : explained)
    expect_all(thrown_message_of("hipStreamIsCapturing", code, [&] { add<Small>(space, view); }),
               {"hipStreamIsCapturing", hipGetErrorName(code), meaning});
  // Others have only their name.
  std::string const other =
      thrown_message_of("hipStreamIsCapturing", hipErrorInvalidValue, [&] { add<Small>(space, view); });
  expect_all(other, {"hipErrorInvalidValue"});
  for (auto const& [code, meaning] : explained) EXPECT_EQ(other.find(meaning), std::string::npos) << other;
}

// ROCm issue 4670: the code refers to a capture although there is none.
TEST_F(ErrorMessages, SayWhatACapturedEventMeans) {
  const GPU space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  View const view("view", 10);
  Kokkos::fence();
  Kokkos::Testing::Gate gate;  // the slots of large functors stay in use, so that a launch queries an event
  gate.close(space.impl_instance().stream());
  std::string const message = thrown_message_of("hipEventQuery", hipErrorCapturedEvent, [&] {
    for (int i = 0; i < 100; ++i) add<Large>(space, view);
  });
  expect_all(message,
             {"hipEventQuery", "hipErrorCapturedEvent", "an event whose stream has been destroyed", "ROCm issue 4670",
              "The call was for " + name_of(space) + ", whose stream is alive and not being captured."});
  gate.open();
  space.fence();
}

#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
template <class Kernel>
void run_once(Kernel const& kernel) {
  Kokkos::parallel_for(RangePolicy<GPU>(0, 1), KOKKOS_LAMBDA(int i) { kernel(i); });
  Kokkos::fence();
}

struct WrongUse {
  char const* words;  ///< what the device prints
  std::function<void()> use;
};

/// Wrong uses of views in a kernel.
std::vector<WrongUse> wrong_uses_of_views() {
  using Line    = Kokkos::View<int*, GPU>;
  using Matrix  = Kokkos::View<int**, Kokkos::LayoutLeft, GPU>;
  using Strided = Kokkos::View<int**, Kokkos::LayoutStride, GPU>;
  Line const line("line", 4);
  Matrix const matrix("matrix", 4, 5);
  Strided const rows(Kokkos::subview(Strided(matrix), std::pair(0, 2), Kokkos::ALL));
  int* const p = line.data();
  return {
      {"an extent is negative or differs from that in the data type",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Line(p, i - 1); }); }},
      {"an extent is negative or differs from that in the data type",
       [=] { run_once(KOKKOS_LAMBDA(int) { Kokkos::View<int* [3], GPU>(p, 1, 2); }); }},
      {"out of bounds access", [=] { run_once(KOKKOS_LAMBDA(int i) { line(i + 4) = 1; }); }},
      {"out of bounds access", [=] { run_once(KOKKOS_LAMBDA(int i) { matrix(i + 3, i + 5) = 1; }); }},
      {"an index beyond the rank is not 0", [=] { run_once(KOKKOS_LAMBDA(int i) { line.access(i, i + 1) = 1; }); }},
      {"the number of extents is not that of the dimensions",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::View<int** [2], GPU>(p, i + 1); }); }},
      {"the number of extents in a layout object is not that of the view",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Matrix(p, Kokkos::LayoutLeft(i + 1)); }); }},
      {"the stride in a layout object is less than the extent of a row",
       [=] {
         run_once(KOKKOS_LAMBDA(int i) {
           Kokkos::LayoutLeft layout(4, 1);
           layout.stride = i + 3;
           Matrix(p, layout);
         });
       }},
      {"an extent differs from that in the data type",
       [=] { run_once(KOKKOS_LAMBDA(int) { Kokkos::View<int[3], GPU> const three(line); }); }},
      {"the strides do not fit the layout",
       [=] { run_once(KOKKOS_LAMBDA(int) { Kokkos::View<int**, Kokkos::LayoutRight, GPU> const other(rows); }); }},
      {"a slice is out of bounds",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::subview(matrix, i + 4, Kokkos::ALL); }); }},
      {"a slice is out of bounds",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::subview(line, Kokkos::pair<int, int>(i, i + 5)); }); }},
  };
}

/// The same for containers.
std::vector<WrongUse> wrong_uses_of_containers() {
  using Dynamic = Kokkos::DynRankView<int, Kokkos::LayoutLeft, GPU>;
  using Offset  = Kokkos::Experimental::OffsetView<int*, GPU>;
  using Growing = Kokkos::Experimental::DynamicView<int*, GPU>;
  Dynamic const matrix("matrix", 4, 5);
  Growing growing("growing", 16, 64);
  growing.resize_serial(20);
  int* const p = matrix.data();
  return {
      {"fewer slices than dimensions of the DynRankView",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::subview(matrix, i); }); }},
      {"a slice is out of bounds",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::subview(matrix, i + 4, Kokkos::ALL); }); }},
      {"a slice is out of bounds",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::subview(matrix, i, Kokkos::pair<int, int>(2, i + 1)); }); }},
      {"a slice is out of bounds",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Kokkos::subview(matrix, i, Kokkos::pair<int, int>(2, i + 6)); }); }},
      {"fewer indices than dimensions", [=] { run_once(KOKKOS_LAMBDA(int i) { matrix(i) = 1; }); }},
      {"DynRankView: out of bounds access", [=] { run_once(KOKKOS_LAMBDA(int i) { matrix(i, 5) = 1; }); }},
      {"converted to a View of another rank",
       [=] { run_once(KOKKOS_LAMBDA(int) { Kokkos::Impl::as_view_of_rank_n<3>(matrix); }); }},
      {"there are at most 7 dimensions",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Dynamic(p, Kokkos::LayoutLeft(1, 1, 1, 1, 1, 1, 1, i + 2)); }); }},
      {"there must be one index for each dimension to begin at",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Offset(Kokkos::View<int*, GPU>(p, 4), {i, i}); }); }},
      {"end before they begin", [=] { run_once(KOKKOS_LAMBDA(int i) { Offset(p, {i + 1}, {i}); }); }},
      {"one index for each dimension to begin and to end at",
       [=] { run_once(KOKKOS_LAMBDA(int i) { Offset(p, {i, i}, {i + 1}); }); }},
      {"DynamicView: out of bounds access", [=] { run_once(KOKKOS_LAMBDA(int i) { growing(i + 20) = 1; }); }},
  };
}

/// Ends the process with 0 if the device prints the words. It has only one output stream, which the host prints as
/// standard output.
[[noreturn]] void use_wrongly(WrongUse const& wrong) {
  testing::internal::CaptureStdout();
  std::string const message = thrown_message(wrong.use), printed = testing::internal::GetCapturedStdout();
  std::fprintf(stderr, "\"%s\" is not in \"%s\", %s\n", wrong.words, printed.c_str(), message.c_str());
  std::_Exit(printed.find(wrong.words) != printed.npos && !message.empty() ? 0 : 1);
}

/// Each use in a process of its own, since the device runs nothing more after it.
void expect_words_of(std::vector<WrongUse> (*list)(), std::size_t count) {
  auto const use_number = [&](std::size_t k) {
    Kokkos::initialize();
    auto const uses = list();
    if (uses.size() == count) use_wrongly(uses[k]);
  };
  for (std::size_t k = 0; k < count; ++k) EXPECT_EXIT(use_number(k), testing::ExitedWithCode(0), "") << k;
}
TEST(KernelAborts, OfViews) { expect_words_of(wrong_uses_of_views, 12); }
TEST(KernelAborts, OfContainers) { expect_words_of(wrong_uses_of_containers, 12); }
#endif

}  // namespace
