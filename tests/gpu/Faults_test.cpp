// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bad input and faults of a GPU backend: each results in a message that states the error and what to do, and the
/// program can finalize. Each test is a separate process.

#include "CommandLine.hpp"
#include "DeviceTest.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef KOKKOS_IMPL_GPU_MODEL
#include "../unit/KernelWatch.hpp"

#include <sys/mman.h>
#include <sys/wait.h>

#include <cstring>
#include <map>
#endif

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::CommandLine;
using Kokkos::Testing::common_value;
using Kokkos::Testing::expect_all;
using Kokkos::Testing::expect_no_leaks;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::thrown_message;
using Kokkos::Testing::words;
using View  = Kokkos::View<double*, GPU>;
using Small = Kokkos::Testing::AddPayload<View, 2>;
using Large = Kokkos::Testing::AddPayload<View, 5000>;

template <class Functor>
void add(std::string const& label, GPU const& space, Functor const& functor) {
  Kokkos::parallel_for(label, RangePolicy<GPU>(space, 0, static_cast<int>(functor.view.extent(0))), functor);
}

struct Idle {
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<GPU>::member_type const&) const {}
};
struct Count {
  KOKKOS_FUNCTION void operator()(int, double& sum) const { sum += 1; }
};

// ---- more iterations than a GPU can count ------------------------------------------------------------------------

struct Touch {
  KOKKOS_FUNCTION void operator()(unsigned, unsigned) const {}
};

TEST(Faults, BoundsThatDoNotFitTheIndicesOfAGPU) {
  using Policy = Kokkos::MDRangePolicy<GPU, Kokkos::Rank<2>, Kokkos::IndexType<unsigned>>;
  Kokkos::ScopeGuard guard;
  expect_all(thrown_message([] { Kokkos::parallel_for(Policy({0u, 0u}, {1u, 3000000000u}), Touch()); }),
             {"bound 3000000000 was passed", "IndexType<std::int64_t>"});
  expect_all(thrown_message([] { Kokkos::parallel_for(Policy({0u, 2147483648u}, {1u, 2147483649u}), Touch()); }),
             {"bound 2147483648 was passed"});
  EXPECT_EQ(thrown_message([] { Kokkos::parallel_for(Policy({0u, 2147483640u}, {1u, 2147483647u}), Touch()); }), "");
  Kokkos::fence();
}

// ---- the choice of a device ----------------------------------------------------------------------------------------

struct BadChoice {
  char const* variable;
  char const* value;
  std::vector<std::string> arguments;
  std::vector<std::string> message;
};

// After each error, the library can be initialized.
TEST(Faults, DevicesThatAreNotThere) {
  std::string const count   = std::to_string(Kokkos::num_devices());
  std::string const allowed = "Allowed are numbers from 0 to " + std::to_string(Kokkos::num_devices() - 1);
  BadChoice const choices[] = {
      {nullptr, nullptr, {"--kokkos-device-id=61"}, {"device 61 was requested, but " + count, allowed}},
      {"KOKKOS_DEVICE_ID", "61", {}, {"device 61 was requested, but " + count, allowed}},
      {"KOKKOS_VISIBLE_DEVICES", "61", {}, {"KOKKOS_VISIBLE_DEVICES=61 lists '61'", count, allowed}},
      {"KOKKOS_VISIBLE_DEVICES", "0,0", {}, {"KOKKOS_VISIBLE_DEVICES=0,0 lists '0'", allowed + ", each once"}},
      {"KOKKOS_MAP_DEVICE_ID_BY", "luck", {}, {"KOKKOS_MAP_DEVICE_ID_BY=luck", "random or mpi_rank"}},
  };
  for (BadChoice const& choice : choices) {
    if (choice.variable) setenv(choice.variable, choice.value, 1);
    CommandLine line(choice.arguments);
    std::string const message = thrown_message([&] { Kokkos::initialize(line.argc, line.argv()); });
    for (std::string const& part : choice.message) expect_all(message, {part});
    EXPECT_FALSE(Kokkos::is_initialized());
    if (choice.variable) unsetenv(choice.variable);
  }
  Kokkos::initialize();
  Kokkos::finalize();
  expect_no_leaks();
}

// kokkos #6713: device_id is a number among the visible devices, as in the setting.
void expect_device(std::string const& visible, int setting, int number, int device) {
  setenv("KOKKOS_VISIBLE_DEVICES", visible.c_str(), 1);
  Kokkos::InitializationSettings settings;
  if (setting >= 0) settings.set_device_id(setting);
  EXPECT_EQ(Kokkos::device_id(), -1);
  Kokkos::initialize(settings);
  EXPECT_EQ(Kokkos::device_id(), number);
  EXPECT_EQ(GPU().impl_instance().device(), device);
  EXPECT_LT(Kokkos::device_id(), Kokkos::num_devices());
  Kokkos::finalize();
  EXPECT_EQ(Kokkos::device_id(), -1);
}

// Each source, with the number of the last device and those next to it.
TEST(Faults, NumbersAroundTheLastDevice) {
  int const count        = Kokkos::num_devices();
  auto const message_for = [](char const* variable, std::string const& value, std::string const& argument,
                              Kokkos::InitializationSettings const& settings) {
    if (*variable) setenv(variable, value.c_str(), 1);
    CommandLine line(argument.empty() ? std::vector<std::string>{} : std::vector<std::string>{argument});
    std::string const message = thrown_message(
        [&] { argument.empty() ? Kokkos::initialize(settings) : Kokkos::initialize(line.argc, line.argv()); });
    EXPECT_FALSE(Kokkos::is_initialized());
    if (*variable) unsetenv(variable);
    return message;
  };
  std::string const allowed = "Allowed are numbers from 0 to " + std::to_string(count - 1);
  for (int const number : {count, count + 1}) {
    std::string const text = std::to_string(number);
    for (std::string const& message :
         {message_for("KOKKOS_DEVICE_ID", text, "", {}), message_for("", "", "--kokkos-device-id=" + text, {}),
          message_for("", "", "", Kokkos::InitializationSettings().set_device_id(number))})
      expect_all(message, {"device " + text + " was requested, but " + std::to_string(count), allowed});
    expect_all(message_for("KOKKOS_VISIBLE_DEVICES", text, "", {}),
               {"lists '" + text + "', and ", " devices are present.", allowed});
    expect_all(message_for("KOKKOS_VISIBLE_DEVICES", "0," + text, "", {}), {"lists '" + text + "'", allowed});
  }
  expect_device(std::to_string(count - 1), 0, 0, count - 1);
}

TEST(Faults, ALocalRankBeyondTheDevicesGoesRound) {
  setenv("OMPI_COMM_WORLD_LOCAL_RANK", "61", 1);
  setenv("KOKKOS_MAP_DEVICE_ID_BY", "mpi_rank", 1);
  Kokkos::initialize();
  EXPECT_EQ(Kokkos::device_id(), 61 % Kokkos::num_devices());
  Kokkos::finalize();
}

TEST(Faults, DeviceIdCountsVisibleDevices) {
  setenv("HIP_MODEL_DEVICES", "4", 1);
  int const last = Kokkos::num_devices() - 1;
  expect_device(std::to_string(last), -1, 0, last);
}

TEST(Faults, DeviceIdFollowsTheOrderOfVisibleDevices) {
  setenv("HIP_MODEL_DEVICES", "4", 1);
  if (Kokkos::num_devices() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  expect_device("1,0", 1, 1, 0);
}

// ---- streams --------------------------------------------------------------------------------------------------------

TEST(Faults, ANullStreamIsRefused) {
  Kokkos::initialize();
  expect_all(thrown_message([] { GPU(Kokkos::Testing::Stream{}); }),
             {GPU::name(), "the handle is null", "Pass an existing stream"});
  View view("view", 10);
  add("after", GPU(), Small(view, 1));
  EXPECT_EQ(common_value(view), 2);
  view = View();
  Kokkos::finalize();
  expect_no_leaks();
}

// CUDA does not guarantee to detect the use of a destroyed handle. HIP's runtime does.
#ifdef KOKKOS_IMPL_GPU_MODEL
TEST(Faults, ADestroyedStreamIsRefused) {
  Kokkos::initialize();
  OwnStream stream;
  auto const handle = stream.get();
  stream.destroy();
  expect_all(thrown_message([&] { GPU space(handle); }),
             {GPU::name(), "the handle is not a stream", "outlives the instance"});
  hip_model::reset_reports();
  Kokkos::finalize();
  expect_no_leaks();
}
#endif

// ---- memory ---------------------------------------------------------------------------------------------------------

TEST(Faults, MoreMemoryThanTheDeviceHas) {
  Kokkos::initialize();
  std::size_t const bytes   = std::size_t(1) << 50;
  std::string const message = thrown_message([&] { Kokkos::View<char*, GPU> huge("huge", bytes); });
  expect_all(message, {GPU::memory_space::name(), "1 PiB", std::to_string(bytes), "\"huge\"", " free. Request less"});
  EXPECT_THROW(GPU::memory_space().allocate(bytes), Kokkos::Experimental::RawMemoryAllocationFailure);
  try {
    Kokkos::View<char*, GPU> huge("huge", bytes);
    ADD_FAILURE();
  } catch (Kokkos::Experimental::BadAlloc const& failure) {
    EXPECT_EQ(failure.memory_space_name(), GPU::memory_space::name());
    EXPECT_GE(failure.allocation_size(), bytes);
    EXPECT_EQ(failure.label(), "huge");
  }
  expect_all(thrown_message([&] { Kokkos::SharedHostPinnedSpace().allocate("pinned", bytes); }),
             {"pinned", "1 PiB", "Request less"});
  {
    View view("view", 10);
    add("after", GPU(), Large(view, 1));
    EXPECT_EQ(common_value(view), 2);
  }
  Kokkos::finalize();
  expect_no_leaks();
}

TEST(Faults, MoreScratchMemoryThanTheDeviceHas) {
  Kokkos::initialize();
  {
    View view("view", 10);
    auto policy = Kokkos::TeamPolicy<GPU>(10, 32, 1).set_scratch_size(0, Kokkos::PerTeam(1 << 28));
    expect_all(thrown_message([&] { Kokkos::parallel_for("teams", policy, Idle()); }),
               {GPU::name(), std::to_string(1 << 28), "level 0"});
    add("after", GPU(), Small(view, 1));
    EXPECT_EQ(common_value(view), 2);
  }
  Kokkos::finalize();
  expect_no_leaks();
}

// ---- a kernel that fails --------------------------------------------------------------------------------------------

// Real AMD GPUs end the process when a kernel fails, so no message is possible.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_IMPL_GPU_MODEL)

struct Fails {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (i == 3 && view.extent(0) > 0) Kokkos::abort("This kernel fails on purpose.");
  }
};

struct Owner {  // memset cannot construct or destroy it
  double value = 1;
  KOKKOS_FUNCTION Owner() {}
  KOKKOS_FUNCTION ~Owner() { value = 0; }
};

void expect_finalize_after_failure() {
  testing::internal::CaptureStderr();
  Kokkos::finalize();
  expect_all(testing::internal::GetCapturedStderr(),
             {"Kokkos error: ", Runtime::vendor, "Kokkos::finalize", "\"culprit\""});
  EXPECT_TRUE(Kokkos::is_finalized());
}

/// A failed device runs nothing and frees nothing, so leaks cannot be detected.
void expect_failure() { unsetenv("HIP_MODEL_STRICT_EXIT"); }

TEST(Faults, AFenceNamesTheKernelThatFailed) {
  expect_failure();
  Kokkos::initialize();
  {
    View view("view", 10);
    add("fine", GPU(), Small(view, 1));
    Kokkos::fence();
    add("culprit", GPU(), Fails{view});
    std::string const message = thrown_message([] { GPU().fence("my fence"); });
    expect_all(message, {Runtime::vendor, "my fence", "in the kernel \"culprit\""});
    EXPECT_EQ(message.find("\"fine\""), message.npos) << message;
  }  // destroys the view, too
  expect_finalize_after_failure();
}

TEST(Faults, AFenceOfAllNamesTheWindowOfLaunches) {
  expect_failure();
  Kokkos::initialize();
  {
    View view("view", 10);
    auto const parts = Kokkos::Experimental::partition_space(GPU(), 1, 1);
    Kokkos::Testing::Gate gate;  // so that all three are launched before one fails
    gate.close(parts[0].impl_instance().stream());
    add("first", parts[0], Large(view, 1));
    add("culprit", parts[0], Fails{view});
    add("last", parts[0], Small(view, 1));
    gate.open();
    expect_all(thrown_message([] { Kokkos::fence("global"); }),
               {"global", "one of the 3 kernels launched since the last fence: \"first\", \"culprit\", \"last\""});
    // An instance without a failed kernel reports the same.
    expect_all(thrown_message([&] { parts[1].fence("other"); }), {"other", "\"culprit\""});
  }
  testing::internal::CaptureStderr();
  Kokkos::finalize();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("Kokkos::finalize"), std::string::npos);
}

TEST(Faults, WhatComesAfterAFailureIsRefusedInSentences) {
  expect_failure();
  Kokkos::initialize();
  {
    View view("view", 10);
    Kokkos::View<Owner*, GPU> owners("owners", 10);
    Kokkos::fence();
    add("culprit", GPU(), Fails{view});
    (void)Runtime::device_synchronize();
    expect_all(thrown_message([&] { add("next", GPU(), Small(view, 1)); }), {"\"next\"", "\"culprit\""});
    expect_all(thrown_message([&] { View more("more", 1 << 20); }), {"\"more\"", "has failed", "a fence reports it"});
    EXPECT_NE(thrown_message([&] { add("large", GPU(), Large(view, 1)); }), "");
    EXPECT_NE(thrown_message([&] { Kokkos::deep_copy(view, 1.0); }), "");
    EXPECT_NE(thrown_message([&] {
                OwnStream stream;
                GPU space(stream.get());
              }),
              "");
    double sum = 0;
    EXPECT_NE(thrown_message([&] { Kokkos::parallel_reduce("reduce", RangePolicy<GPU>(0, 10), Count(), sum); }), "");
  }  // views whose elements have destructors are freed without running them
  testing::internal::CaptureStderr();
  Kokkos::finalize();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("\"culprit\""), std::string::npos);
}

/// A kernel of each pattern that fails before its result exists.
struct FailsBeforeItsResult {
  View view;
  KOKKOS_FUNCTION void fail(int i) const { Fails{view}(i); }
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { fail(i), sum += 1; }
  KOKKOS_FUNCTION void operator()(int i, int, double& sum) const { fail(i), sum += 1; }
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool) const { fail(i), sum += 1; }
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<GPU>::member_type const& team, double& sum) const {
    fail(team.league_rank()), sum += 1;
  }
};
void wait_for_result_of_failed_kernel(int pattern) {
  View const view("view", 10);
  FailsBeforeItsResult const kernel{view};
  RangePolicy<GPU> const range(0, 10);
  Kokkos::Experimental::PendingResult<double> pending;
  double result = 0;
  switch (pattern) {
    case 0:
      return Kokkos::parallel_reduce("culprit", range, kernel, result);
    case 1:
      return Kokkos::parallel_reduce("culprit", Kokkos::MDRangePolicy<GPU, Kokkos::Rank<2>>({0, 0}, {10, 10}), kernel,
                                     result);
    case 2:
      return Kokkos::parallel_reduce("culprit", Kokkos::TeamPolicy<GPU>(10, 4), kernel, result);
    case 3:
      return Kokkos::parallel_scan("culprit", range, kernel, result);
    default:
      Kokkos::parallel_reduce("culprit", range, kernel, pending);
      (void)pending.get();
  }
}

// A wait for a value that never comes ends, too.
TEST(Faults, NoOneWaitsForTheResultOfAKernelThatFailed) {
  expect_failure();
  for (int pattern = 0; pattern <= 4; ++pattern)
    EXPECT_EXIT(
        {
          Kokkos::initialize();
          alarm(20);
          std::string const message = thrown_message([&] { wait_for_result_of_failed_kernel(pattern); });
          std::fprintf(stderr, "%s\n", message.c_str());
          std::_Exit(message.empty() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "the kernel \"culprit\"|PendingResult: the kernel of the reduction ended")
        << pattern;
}

TEST(Faults, TheProgramEndsInOrderAfterAFailure) {
  expect_failure();
  EXPECT_EXIT(
      {
        {
          Kokkos::ScopeGuard guard;
          View view("view", 10);
          add("culprit", GPU(), Fails{view});
        }
        std::exit(0);
      },
      testing::ExitedWithCode(0), "Kokkos error: .*\"culprit\"");
}

#endif

// ---- calls at the wrong time ---------------------------------------------------------------------------------------

// Calls through handles that outlive finalize report an error; their instances have been released.
struct Survivors {
  GPU default_instance;
  std::unique_ptr<GPU> own;
};
Survivors survivors_of_finalize() {
  Kokkos::initialize();
  Survivors survivors{GPU(), std::make_unique<GPU>(Kokkos::Experimental::partition_space(GPU(), 1)[0])};
  Kokkos::finalize();
  return survivors;
}
void use_of_default() { survivors_of_finalize().default_instance.fence("late"); }
void launch_on_default() {
  Survivors const survivors = survivors_of_finalize();
  Kokkos::parallel_for("late", RangePolicy<GPU>(survivors.default_instance, 0, 3), KOKKOS_LAMBDA(int){});
}
void launch_on_own() {
  Survivors const survivors = survivors_of_finalize();
  Kokkos::parallel_for("late", RangePolicy<GPU>(*survivors.own, 0, 3), KOKKOS_LAMBDA(int){});
}
void instance_of_stream() {
  Survivors const survivors = survivors_of_finalize();
  GPU(survivors.own->impl_instance().stream());
}
void allocation() {
  Survivors const survivors = survivors_of_finalize();
  (void)GPU::memory_space().allocate("late", 100);
}

TEST(Faults, UseAfterFinalize) {
  for (auto use : {use_of_default, launch_on_default, launch_on_own, instance_of_stream, allocation})
    EXPECT_DEATH(use(), "was called after Kokkos::finalize");
}

TEST(Faults, HandlesMayOutliveFinalize) {
  (void)survivors_of_finalize();
  expect_no_leaks();
}

// ---- every call of the runtime may fail -------------------------------------------------------------------------------

#ifdef KOKKOS_IMPL_GPU_MODEL
// A little of everything; throws at the first call that fails. Each instance has its own view, because kernels of
// different instances are not ordered.
void work() {
  View of_default("of_default", 100);
  add("small", GPU(), Small(of_default, 1));
  add("large", GPU(), Large(of_default, 1));
  const GPU part = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  View of_part("of_part", 100);
  add("part", part, Large(of_part, 1));
  double sum = 0;
  Kokkos::parallel_reduce("sum", RangePolicy<GPU>(part, 0, 100), Count(), sum);
  auto policy = Kokkos::TeamPolicy<GPU>(part, 10, 16, 1).set_scratch_size(1, Kokkos::PerTeam(100));
  Kokkos::parallel_for("teams", policy, Idle());
  OwnStream stream;
  const GPU own(stream.get());
  View of_own("of_own", 100);
  add("own", own, Small(of_own, 1));
  own.fence();
  OwnStream other(1);
  const GPU elsewhere(other.get());
  View of_other(Kokkos::view_alloc("of_other", elsewhere), 100);
  add("elsewhere", elsewhere, Large(of_other, 1));
  Kokkos::parallel_reduce("sum", RangePolicy<GPU>(elsewhere, 0, 100), Count(), sum);
  Kokkos::fence();
}

/// A text that the processes of a test share.
class SharedText {
 public:
  SharedText()
      : m_text(static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedText() { munmap(m_text, size); }
  SharedText(SharedText const&)            = delete;
  SharedText& operator=(SharedText const&) = delete;
  void write(std::string const& text) {
    std::string line = text;
    for (char& c : line)
      if (c == '\n') c = ' ';
    std::strncpy(m_text, line.c_str(), size - 1);
  }
  /// Empties it.
  std::string take() {
    std::string text = m_text;
    *m_text          = 0;
    return text;
  }

 private:
  static constexpr std::size_t size = 4096;
  char* m_text;
};

/// Outcomes of failed calls, for a journal. Consecutive equal ones become one line.
class OutcomesOfCalls {
 public:
  void add(unsigned nth, std::string const& outcome) {
    if (m_all.empty() || m_all.back().outcome != outcome) m_all.push_back({nth, nth, outcome});
    m_all.back().last = nth;
  }
  std::string lines() const {
    std::string text;
    for (Run const& run : m_all)
      text += "  " + std::to_string(run.first) + (run.last > run.first ? " to " + std::to_string(run.last) : "") +
              ": " + (run.outcome.empty() ? "goes on" : run.outcome) + '\n';
    return text;
  }

 private:
  struct Run {
    unsigned first, last;
    std::string outcome;
  };
  std::vector<Run> m_all;
};

// Initializes, works and finalizes while the nth call of `function` fails. Exits with 0 if that succeeded without a
// leak, with 1 if not, with 2 if there is no nth call.
[[noreturn]] void run_with_failing_call(std::string const& function, unsigned nth, SharedText& outcome) {
  hip_model::set_device_count(2);
  hip_model::use_modes({.at_once = true});
  std::size_t const before = hip_model::call_count(function.c_str());
  hip_model::fail_call(function.c_str(), nth, static_cast<int>(hipErrorOutOfMemory));
  std::string message = thrown_message([] { Kokkos::initialize(); });
  if (Kokkos::is_initialized()) {
    if (message.empty()) message = thrown_message(work);
    hip_model::clear_faults();
    Kokkos::finalize();
  }
  bool const reached = hip_model::call_count(function.c_str()) >= before + nth;
  hip_model::clear_faults();
  outcome.write(message);
  if (hip_model::check_leaks() != 0) {
    std::fprintf(stderr, "leak after call %u of %s: %s\n", nth, function.c_str(),
                 hip_model::last_report().message.c_str());
    std::_Exit(1);
  }
  if (!message.empty() && message.back() != '.') {
    std::fprintf(stderr, "no sentence: %s\n", message.c_str());
    std::_Exit(1);
  }
  std::_Exit(reached ? 0 : 2);
}

TEST(Faults, NoLeakWhicheverCallFails) {
  SharedText outcome;
  for (char const* function :
       {"hipMalloc", "hipHostMalloc", "hipStreamCreate", "hipStreamCreateWithFlags", "hipEventCreateWithFlags",
        "hipMemcpyAsync", "hipMemsetAsync", "hipLaunchKernel", "hipEventRecord", "hipFuncGetAttributes", "hipSetDevice",
        "hipGetDeviceCount", "hipDeviceGetAttribute", "hipStreamIsCapturing", "hipGetSymbolAddress"}) {
    OutcomesOfCalls outcomes;
    for (unsigned nth = 1; nth < 40; ++nth) {
      int status      = -1;
      auto const keep = [&](int s) {
        status = WIFEXITED(s) ? WEXITSTATUS(s) : 99;
        return status == 0 || status == 2;
      };
      EXPECT_EXIT(run_with_failing_call(function, nth, outcome), keep, "") << function << ", call " << nth;
      std::string const text = outcome.take();
      if (status == 2) break;
      outcomes.add(nth, text.substr(0, text.find(" kokkos-doctor finds: ")));  // which depends on this machine
    }
    Kokkos::Testing::Journal::of_this_test().add(function, outcomes.lines());
  }
  Kokkos::Testing::Journal::of_this_test().expect_as_in(Kokkos::Testing::journal_of<GPU>("FaultOutcomes"));
}

/// Ends the process with 0 if a second initialize works after one in which the n-th call of the function failed, and with 2
/// if there is no n-th call. Facts about the device remain in the process.
void initialize_again_after(std::string const& function, unsigned nth) {
  hip_model::fail_call(function.c_str(), nth, static_cast<int>(hipErrorUnknown));
  std::string const message = thrown_message([] { Kokkos::initialize(); });
  bool const reached        = hip_model::call_count(function.c_str()) >= nth;
  hip_model::clear_faults();
  if (!Kokkos::is_initialized()) Kokkos::initialize();
  int const n = 100000;
  double sum  = 0;
  Kokkos::parallel_reduce(RangePolicy<GPU>(0, n), Count(), sum);
  Kokkos::parallel_for(Kokkos::TeamPolicy<GPU>(n, 1), Idle());
  Kokkos::fence();
  Kokkos::finalize();
  hip_model::reset_reports();
  if (sum != n) std::fprintf(stderr, "the sum is %g after \"%s\"\n", sum, message.c_str());
  std::_Exit(sum != n ? 1 : reached ? 0 : 2);
}

TEST(Faults, InitializeAfterOneThatFailed) {
  for (char const* function :
       {"hipDeviceGetAttribute", "hipGetDeviceProperties", "hipGetDeviceCount", "hipMemGetInfo"}) {
    int status = 0;
    for (unsigned nth = 1; status == 0 && nth < 40; ++nth) {
      auto const keep = [&](int s) {
        status = WIFEXITED(s) ? WEXITSTATUS(s) : 99;
        return status == 0 || status == 2;
      };
      EXPECT_EXIT(initialize_again_after(function, nth), keep, "") << function << ", call " << nth;
    }
  }
}
#endif

}  // namespace
