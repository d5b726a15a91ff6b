// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of the library: states, arguments, precedence of settings, hooks. Each TEST runs in a separate process.

#include "CommandLine.hpp"

#include "../unit/Journal.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <impl/runtime/Kokkos_CopySettings.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>
#include <impl/runtime/Kokkos_WaitReport.hpp>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using Kokkos::InitializationSettings;
using Kokkos::Testing::CommandLine;
using Kokkos::Testing::set_variables;
using Kokkos::Testing::Variables;
using Strings = std::vector<std::string>;

/// Whether is_initialized() of each enabled backend returns true.
std::vector<bool> backends_are_initialized() {
  std::vector<bool> are;
#ifdef KOKKOS_ENABLE_SERIAL
  are.push_back(Kokkos::Serial::impl_is_initialized());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  are.push_back(Kokkos::OpenMP::impl_is_initialized());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  are.push_back(Kokkos::Threads::impl_is_initialized());
#endif
  are.push_back(Kokkos::DefaultExecutionSpace::impl_is_initialized());
  return are;
}
bool all_are(bool what, std::vector<bool> const& are) { return std::vector<bool>(are.size(), what) == are; }

TEST(Initialize, GoesFromStateToState) {
  EXPECT_FALSE(Kokkos::is_initialized());
  EXPECT_FALSE(Kokkos::is_finalized());
  EXPECT_TRUE(all_are(false, backends_are_initialized()));
  Kokkos::initialize();
  EXPECT_TRUE(Kokkos::is_initialized());
  EXPECT_FALSE(Kokkos::is_finalized());
  EXPECT_TRUE(all_are(true, backends_are_initialized()));
  Kokkos::finalize();
  EXPECT_FALSE(Kokkos::is_initialized());
  EXPECT_TRUE(Kokkos::is_finalized());
  EXPECT_TRUE(all_are(false, backends_are_initialized()));
}

// With deprecated code of version 4, host spaces warn of instances that nobody can use yet, once for each backend.
// Otherwise, and on devices, the program ends.
template <class Space>
void expect_complaint_about_early_instance(char const* when) {
  std::string const text = std::string(Space::name()) + ".* was called " + when;
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  if constexpr (std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>) {
    testing::internal::CaptureStderr();
    Space kept;
    std::string const warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(
        warning.find(std::string("Kokkos warning: A constructor of Kokkos::") + Space::name() + " was called " + when),
        std::string::npos)
        << warning;
    testing::internal::CaptureStderr();
    Space again;
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    return;
  }
#endif
  EXPECT_DEATH(Space(), text);
}

TEST(Initialize, InstancesBeforeItAreReported) {
  expect_complaint_about_early_instance<Kokkos::DefaultHostExecutionSpace>("before Kokkos::initialize");
  if (!std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>)
    expect_complaint_about_early_instance<Kokkos::DefaultExecutionSpace>("before Kokkos::initialize");
}

TEST(Initialize, AnEarlyInstanceIsUsableLater) {
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  Kokkos::DefaultHostExecutionSpace const early;
  Kokkos::initialize();
  testing::internal::CaptureStderr();
  int sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy(early, 0, 10), [](int i, int& s) { s += i; }, sum);
  Kokkos::DefaultHostExecutionSpace();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(sum, 45);
  Kokkos::finalize();
#endif
}

TEST(Initialize, InstancesAfterFinalizeAreReported) {
  Kokkos::initialize();
  Kokkos::finalize();
  expect_complaint_about_early_instance<Kokkos::DefaultHostExecutionSpace>("after Kokkos::finalize");
}

#if defined(KOKKOS_ENABLE_OPENMP) && defined(__linux__)
int threads_of_this_process() {
  auto const tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

// Otherwise the first kernel would start them, and take a thousand times as long as the next one.
TEST(Initialize, StartsTheThreadsOfOpenMP) {
  set_variables({{"KOKKOS_NUM_THREADS", "3"}});
  int const before = threads_of_this_process();
  Kokkos::initialize();
  EXPECT_GE(threads_of_this_process(), before + 2);
  Kokkos::finalize();
}
#endif

TEST(Initialize, RemovesItsArgumentsAndNoOthers) {
  CommandLine line({"--kokkos-num-threads=1", "input.txt", "--kokkos-disable-warnings", "--other", "--kokkos-foo"});
  testing::internal::CaptureStderr();
  Kokkos::initialize(line.argc, line.argv());
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.rest(), (Strings{"input.txt", "--other", "--kokkos-foo"}));
  EXPECT_EQ(line.argv()[line.argc], nullptr);
  EXPECT_FALSE(Kokkos::show_warnings());
  Kokkos::finalize();
}

TEST(Initialize, AcceptsTheMinimumAndTheMaximum) {
  set_variables({{"KOKKOS_STAGING_MB", "65536"}, {"KOKKOS_STAGING_THREADS", "1"}, {"KOKKOS_NUM_THREADS", "1"}});
  EXPECT_NO_THROW(Kokkos::initialize());
  EXPECT_EQ(Kokkos::num_threads(), 1);
  Kokkos::finalize();
}

TEST(Initialize, LastOfEqualArgumentsCounts) {
  CommandLine line({"--kokkos-tune-internals=yes", "--kokkos-tune-internals=NO"});
  Kokkos::initialize(line.argc, line.argv());
  EXPECT_FALSE(Kokkos::tune_internals());
  Kokkos::finalize();
}

TEST(Initialize, AcceptsNoArgumentsAtAll) {
  int argc = 0;
  Kokkos::initialize(argc, nullptr);
  EXPECT_EQ(argc, 0);
  Kokkos::finalize();
}

TEST(Initialize, AFlagTakesEveryDocumentedTruthValue) {
  // Parsed in child processes, because a process can initialize only once.
  for (char const* value : {"true", "YES", "1", "True", "yes"}) {
    EXPECT_EXIT(
        {
          CommandLine line({std::string("--kokkos-tune-internals=") + value});
          Kokkos::initialize(line.argc, line.argv());
          std::_Exit(Kokkos::tune_internals() ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << value;
  }
  for (char const* value : {"false", "NO", "0"}) {
    EXPECT_EXIT(
        {
          CommandLine line({std::string("--kokkos-disable-warnings=") + value});
          Kokkos::initialize(line.argc, line.argv());
          std::_Exit(Kokkos::show_warnings() ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << value;
  }
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
TEST(Initialize, SettingsWithoutEffectAreReported) {
  std::string const warning =
      "the settings num_devices and skip_device have no effect. Choose a device by device_id or";
  for (auto const& settings : {InitializationSettings().set_num_devices(1), InitializationSettings().set_skip_device(1),
                               InitializationSettings().set_num_devices(1).set_skip_device(1)}) {
    EXPECT_EXIT(
        {
          Kokkos::initialize(settings);
          std::_Exit(0);
        },
        testing::ExitedWithCode(0), warning)
        << settings.has_num_devices() << settings.has_skip_device();
  }
  testing::internal::CaptureStderr();
  Kokkos::initialize(InitializationSettings().set_num_threads(1));
  Kokkos::finalize();
  EXPECT_EQ(testing::internal::GetCapturedStderr().find(warning), std::string::npos);
}
#endif

/// Initializes with a flag from one source; the exit status is 1 if its effect was observed, otherwise 0.
template <class Observe>
[[noreturn]] void run_with_flag(Variables const& variables, Strings const& words,
                                InitializationSettings const& settings, Observe const& observe) {
  set_variables(variables);
  CommandLine line(words);
  testing::internal::CaptureStdout();
  words.empty() ? Kokkos::initialize(settings) : Kokkos::initialize(line.argc, line.argv());
  bool const on = observe();
  Kokkos::finalize();
  std::_Exit(on ? 1 : 0);
}

// Each flag from each source, on and off. A flag that is off is not one that is missing, whose default may be another one.
TEST(Initialize, AFlagIsOnOrOffFromEverySource) {
  struct Flag {
    char const *argument, *variable;
    void (*set)(InitializationSettings&, bool);
    bool (*observe)();
  };
  Flag const flags[] = {
      {"--kokkos-print-configuration", "KOKKOS_PRINT_CONFIGURATION",
       [](InitializationSettings& s, bool on) { s.set_print_configuration(on); },
       [] { return !testing::internal::GetCapturedStdout().empty(); }},
      {"--kokkos-tune-internals", "KOKKOS_TUNE_INTERNALS",
       [](InitializationSettings& s, bool on) { s.set_tune_internals(on); }, [] { return Kokkos::tune_internals(); }},
      {"--kokkos-disable-warnings", "KOKKOS_DISABLE_WARNINGS",
       [](InitializationSettings& s, bool on) { s.set_disable_warnings(on); }, [] { return !Kokkos::show_warnings(); }},
      {"--kokkos-copy-explain", "KOKKOS_COPY_EXPLAIN",
       [](InitializationSettings& s, bool on) { s.set_copy_explain(on); },
       [] { return Kokkos::Impl::copies_are_explained; }},
      {"--kokkos-explain-waits", "KOKKOS_EXPLAIN_WAITS",
       [](InitializationSettings& s, bool on) { s.set_explain_waits(on); },
       [] { return Kokkos::Impl::waits_are_recorded(); }},
  };
  for (Flag const& flag : flags) {
    EXPECT_EXIT(run_with_flag({}, {}, {}, flag.observe), testing::ExitedWithCode(0), "") << flag.argument;
    for (bool const on : {false, true}) {
      std::string const value = on ? "true" : "false";
      InitializationSettings settings;
      flag.set(settings, on);
      testing::ExitedWithCode const expected(on ? 1 : 0);
      EXPECT_EXIT(run_with_flag({}, {flag.argument + ('=' + value)}, {}, flag.observe), expected, "")
          << flag.argument << value;
      EXPECT_EXIT(run_with_flag({{flag.variable, value}}, {}, {}, flag.observe), expected, "")
          << flag.variable << value;
      EXPECT_EXIT(run_with_flag({}, {}, settings, flag.observe), expected, "") << "setting " << flag.argument << value;
    }
  }
}

TEST(Precedence, ASettingCountsAlone) {
  unsetenv("KOKKOS_NUM_THREADS");
  Kokkos::initialize(InitializationSettings().set_num_threads(1).set_tune_internals(true).set_disable_warnings(true));
  EXPECT_EQ(Kokkos::num_threads(), 1);
  EXPECT_TRUE(Kokkos::tune_internals());
  EXPECT_FALSE(Kokkos::show_warnings());
  Kokkos::finalize();
  EXPECT_TRUE(Kokkos::show_warnings()) << "finalize restores the default";
  EXPECT_FALSE(Kokkos::tune_internals());
}

TEST(Precedence, ASettingOverridesTheEnvironment) {
  set_variables({{"KOKKOS_TUNE_INTERNALS", "false"}, {"KOKKOS_DISABLE_WARNINGS", "1"}});
  Kokkos::initialize(InitializationSettings().set_tune_internals(true));
  EXPECT_TRUE(Kokkos::tune_internals());
  EXPECT_FALSE(Kokkos::show_warnings()) << "the environment supplies what the program does not set";
  Kokkos::finalize();
}

// Programs whose users chose no number pass 0 or -1, and a device of -1 where the program does not run on one.
void expect_threads_of_the_environment(InitializationSettings settings) {
#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
  settings.set_device_id(-1);
#endif
  set_variables({{"KOKKOS_NUM_THREADS", "1"}});
  Kokkos::initialize(settings);
  EXPECT_EQ(Kokkos::num_threads(), 1);
  Kokkos::finalize();
}

TEST(Precedence, ASettingOfNoThreadsChoosesNone) {
  expect_threads_of_the_environment(InitializationSettings().set_num_threads(0));
}
TEST(Precedence, ASettingOfMinusOneThreadChoosesNone) {
  expect_threads_of_the_environment(InitializationSettings().set_num_threads(-1));
}

TEST(Precedence, AnArgumentOverridesTheEnvironment) {
  set_variables({{"KOKKOS_TUNE_INTERNALS", "false"}, {"KOKKOS_NUM_THREADS", "1"}});
  CommandLine line({"--kokkos-tune-internals", "--kokkos-num-threads=2"});
  Kokkos::initialize(line.argc, line.argv());
  EXPECT_TRUE(Kokkos::tune_internals());
  EXPECT_EQ(Kokkos::num_threads(), Kokkos::DefaultHostExecutionSpace().concurrency());
#ifdef KOKKOS_ENABLE_OPENMP
  EXPECT_EQ(Kokkos::num_threads(), 2);
#endif
  Kokkos::finalize();
}

TEST(Precedence, ArgumentOverridesASettingButNoInvalidVariable) {
  set_variables({{"KOKKOS_TUNE_INTERNALS", "maybe"}});
  CommandLine line({"--kokkos-tune-internals=no"});
  EXPECT_THROW(Kokkos::initialize(line.argc, line.argv()), std::runtime_error);
  EXPECT_EQ(line.rest(), (Strings{"--kokkos-tune-internals=no"})) << "a failed initialize leaves the arguments alone";
}

TEST(Initialize, AnEmptyVariableCountsAsAbsent) {
  set_variables({{"KOKKOS_TUNE_INTERNALS", ""}, {"KOKKOS_NUM_THREADS", ""}, {"KOKKOS_TOOLS_LIBS", ""}});
  Kokkos::initialize(InitializationSettings().set_tune_internals(true));
  EXPECT_TRUE(Kokkos::tune_internals());
  Kokkos::finalize();
}

TEST(Initialize, PrintsTheConfigurationWhenAsked) {
  testing::internal::CaptureStdout();
  CommandLine line({"--kokkos-print-configuration"});
  Kokkos::initialize(line.argc, line.argv());
  std::string const printed = testing::internal::GetCapturedStdout();
  std::ostringstream again;
  Kokkos::print_configuration(again);
  EXPECT_EQ(printed, again.str());
  Kokkos::finalize();
}

TEST(Initialize, HelpListsEveryOptionAndExits) {
  EXPECT_EXIT(
      {
        // The help text is printed to standard output; death tests check standard error.
        dup2(2, 1);
        CommandLine line({"--kokkos-help"});
        Kokkos::initialize(line.argc, line.argv());
      },
      testing::ExitedWithCode(0),
      "--kokkos-num-threads=INT(.|\n)*--kokkos-device-id=INT(.|\n)*--kokkos-map-device-id-by=(.|\n)*"
      "--kokkos-disable-warnings(.|\n)*--kokkos-print-configuration(.|\n)*--kokkos-tune-internals(.|\n)*"
      "--kokkos-tools-libs=STR(.|\n)*--kokkos-tools-help(.|\n)*--kokkos-tools-args=STR");
}

// Kernels of host spaces have ended when their launch returns, so one thread never waits.
TEST(ExplainWaits, WritesATableAtFinalize) {
  set_variables({{"KOKKOS_EXPLAIN_WAITS", "1"}});
  Kokkos::initialize();
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 10), [](int) {});
  Kokkos::DefaultHostExecutionSpace().fence();
  bool const has_device = Kokkos::num_devices() >= 0;
  testing::internal::CaptureStderr();
  Kokkos::finalize();
  std::string const text = testing::internal::GetCapturedStderr();
  if (has_device)
    EXPECT_EQ(text.find("Kokkos: waits of the host between initialize and finalize"), 0u) << text;
  else
    EXPECT_EQ(text, "Kokkos: no host thread waited for a device.\n");
}

// A scope that began before the record has no place in it, and neither has a wait before or after it.
TEST(ExplainWaits, RecordsWhatIsBetweenStartAndStop) {
  using Kokkos::Impl::HostWait;
  using Kokkos::Impl::WaitReason;
  auto const wait = [](char const* place, int milliseconds) {
    HostWait const waits(WaitReason::result, place);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  wait("before", 1);
  {
    Kokkos::Impl::WaitScope const early(WaitReason::fence, "early");
    Kokkos::Impl::start_wait_record();
    wait("a", 1);
    wait("b", 9);
    wait("c", 3);
    Kokkos::Impl::stop_wait_record();
    wait("after", 1);
  }
  auto const rows = Kokkos::Impl::recorded_waits();
  std::set<std::string> places;
  for (auto const& row : rows) places.insert(row.where);
  EXPECT_EQ(places, (std::set<std::string>{"\"a\"", "\"b\"", "\"c\""}));
  EXPECT_EQ(rows.size(), 3u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](auto const& a, auto const& b) {
    return a.nanoseconds > b.nanoseconds;
  })) << "the longest is first";
}

TEST(ExplainWaits, ShowsTheLongestWaitsFirstAndWhatToChange) {
  using Kokkos::Impl::WaitReason;
  std::string const text = Kokkos::Impl::wait_report(
      {
          {WaitReason::result, "\"dot\"", 1000, 250000000, 2000000},
          {WaitReason::finalize, "", 1, 1000, 1000},
          {WaitReason::graph_end, "", 2, 900, 600},
      },
      {1.0, 1});
  EXPECT_EQ(
      text,
      "Kokkos: waits of the host between initialize and finalize, which took 1.000 s; 1 host thread waited.\n"
      "   ms in all  % time     count  longest ms  why                                    where\n"
      "     250.000    25.0      1000       2.000  result of a kernel in a host variable  \"dot\"\n"
      "       0.001     0.0         1       0.001  finalize\n"
      "       0.001     0.0         2       0.001  destruction of a running graph\n"
      "     250.002    25.0      1003       2.000                                         in all\n"
      "To wait less:\n"
      "  result of a kernel in a host variable  Pass a view that the device can access as the result of the reduction\n"
      "                                         or scan, use it in later kernels, and read it on the host once. One\n"
      "                                         parallel_reduce can have several results. If the host needs the\n"
      "                                         value, pass an Experimental::PendingResult, and enqueue more work\n"
      "                                         before get().\n"
      "  finalize                               Nothing: finalize waits for the work that is left, and frees all\n"
      "                                         memory.\n"
      "  destruction of a running graph         Keep the graph until its last submission has ended.\n");
}

// Each reason has a text of its own.
TEST(ExplainWaits, KnowsEveryReason) {
  using Kokkos::Impl::WaitReason;
  for (int i = 0; i < static_cast<int>(WaitReason::background); ++i) {
    std::string const text = Kokkos::Impl::wait_report({{static_cast<WaitReason>(i), "here", 1, 1, 1}}, {1.0, 1});
    EXPECT_EQ(text.find("No reason is known"), std::string::npos) << i << '\n' << text;
  }
}

// All words of the report, for each reason, and around the longest list of places.
TEST(ExplainWaits, HasTheWordsOfItsTable) {
  using Kokkos::Impl::WaitReason;
  std::vector<Kokkos::Impl::WaitRow> every, places;
  for (int i = 0; i <= static_cast<int>(WaitReason::other); ++i)
    every.push_back({static_cast<WaitReason>(i), i % 3 == 0 ? "" : "place " + std::to_string(i), std::size_t(1) + i,
                     1500000 * i, 1000000 + i});
  for (int i = 0; i < 42; ++i) places.push_back({WaitReason::fence, std::to_string(i), 2, 1000000, 500000});
  auto const add = [](char const* title, std::vector<Kokkos::Impl::WaitRow> const& rows,
                      Kokkos::Impl::WaitTotals totals) {
    std::istringstream text(Kokkos::Impl::wait_report(rows, totals));
    std::string lines;
    for (std::string line; std::getline(text, line);) lines += "  " + line + '\n';
    Kokkos::Testing::Journal::of_this_test().add(title, lines);
  };
  add("every reason, two threads", every, {0.5, 2});
  add("none", {}, {0.5, 2});
  add("no time, no thread", {every[1]}, {0, 0});
  for (std::size_t const n : {39, 40, 41, 42})
    add(("places: " + std::to_string(n)).c_str(), {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(n)},
        {1.0, 1});
  Kokkos::Testing::Journal::of_this_test().expect_as_in("Waits");
}

TEST(ExplainWaits, AddsThePlacesBeyondTheLongest) {
  std::vector<Kokkos::Impl::WaitRow> rows;
  for (int i = 0; i < 45; ++i) rows.push_back({Kokkos::Impl::WaitReason::fence, std::to_string(i), 2, 1000000, 500000});
  std::string const text = Kokkos::Impl::wait_report(rows, {1.0, 2});
  EXPECT_NE(text.find("       5.000     0.2        10       0.500                        in 5 more places\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2 host threads waited"), std::string::npos);
}

TEST(CopyExplain, WritesALineForEachCopy) {
  Kokkos::initialize(InitializationSettings().set_copy_explain(true));
  {
    Kokkos::View<double*, Kokkos::HostSpace> const from("from", 1000), to("to", 1000);
    Kokkos::View<float*, Kokkos::HostSpace> const shorter("shorter", 1000);
    testing::internal::CaptureStderr();
    Kokkos::deep_copy(to, from);
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "Kokkos::deep_copy of \"from\" to \"to\": 8000 bytes, host to host, route host_threads, because both sides "
        "are memory of the host\n");
    testing::internal::CaptureStderr();
    Kokkos::deep_copy(shorter, from);
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "Kokkos::deep_copy of \"from\" to \"shorter\": 4000 bytes, Host to Host, route kernel, because elements of "
        "these types are assigned one by one\n");
  }
  Kokkos::finalize();
}

TEST(ScopeGuard, InitializesAndFinalizes) {
  static_assert(!std::is_copy_constructible_v<Kokkos::ScopeGuard>);
  static_assert(!std::is_move_constructible_v<Kokkos::ScopeGuard>);
  static_assert(!std::is_copy_assignable_v<Kokkos::ScopeGuard>);
  static_assert(std::is_constructible_v<Kokkos::ScopeGuard, int&, char**>);
  {
    Kokkos::ScopeGuard guard(InitializationSettings().set_tune_internals(true));
    EXPECT_TRUE(Kokkos::is_initialized());
    EXPECT_TRUE(Kokkos::tune_internals());
  }
  EXPECT_TRUE(Kokkos::is_finalized());
}

#ifdef KOKKOS_ENABLE_OPENMP
// The regions of the program get as many threads as Kokkos meanwhile, and as many as before afterwards.
TEST(Initialize, SetsTheThreadsOfTheProgramsRegions) {
  omp_set_num_threads(5);
  Kokkos::initialize(InitializationSettings().set_num_threads(2));
  EXPECT_EQ(omp_get_max_threads(), 2);
  Kokkos::finalize();
  EXPECT_EQ(omp_get_max_threads(), 5);
}
#endif

std::vector<int> order;

TEST(FinalizeHooks, RunInReverseOrderWhileEverythingStillWorks) {
  Kokkos::initialize();
  Kokkos::push_finalize_hook([] { order.push_back(1); });
  auto shared = std::make_shared<int>(5);
  Kokkos::push_finalize_hook([shared] {
    EXPECT_TRUE(Kokkos::is_initialized());
    Kokkos::fence("hook");
    order.push_back(*shared);
    // A hook that another hook registers runs next.
    Kokkos::push_finalize_hook([] { order.push_back(3); });
  });
  std::weak_ptr<int> watch = shared;
  shared.reset();
  Kokkos::finalize();
  EXPECT_EQ(order, (std::vector<int>{5, 3, 1}));
  EXPECT_TRUE(watch.expired()) << "a hook is destroyed after its call";
}

TEST(FinalizeHooks, MayBeRegisteredBeforeInitialize) {
  Kokkos::push_finalize_hook(std::function<void()>([] { order.push_back(1); }));
  Kokkos::initialize();
  Kokkos::finalize();
  EXPECT_EQ(order, (std::vector<int>{1}));
}

TEST(FinalizeHooks, ThatThrowTerminate) {
  EXPECT_DEATH(
      {
        Kokkos::initialize();
        Kokkos::push_finalize_hook([] { throw std::runtime_error("thrown by a hook"); });
        Kokkos::finalize();
      },
      "thrown by a hook");
}

TEST(Finalize, CanBeLeftToAtexit) {
  EXPECT_EXIT(
      {
        Kokkos::initialize();
        std::atexit(Kokkos::finalize);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KOKKOS_TEST_REPLACES_MALLOC
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(KOKKOS_TEST_REPLACES_MALLOC)
#if __GLIBC_PREREQ(2, 33)  // the first one with mallinfo2
struct Page {
  char bytes[4096];
  Page& operator+=(Page const&) { return *this; }
};
struct Pages {
  using value_type = Page[];
  std::size_t value_count;
  void operator()(int, Page*) const {}
};

/// Bytes of the blocks that malloc has got from the system one by one.
std::size_t bytes_of_large_blocks() { return mallinfo2().hblkhd; }

template <class Space>
void use_scratch_memory(std::size_t bytes) {
  std::vector<Page> result(bytes / sizeof(Page));
  Page* const place = result.data();
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 1), Pages{result.size()}, place);
}

// Each host space keeps the memory of the largest kernel for the next one, and no longer than until finalize.
TEST(Finalize, FreesTheScratchMemoryOfEachHostSpace) {
  constexpr std::size_t bytes = std::size_t(40) << 20;  // malloc keeps no block of this size for itself
  Kokkos::initialize();
  std::size_t const before = bytes_of_large_blocks();
  std::size_t spaces       = 0;
#ifdef KOKKOS_ENABLE_SERIAL
  use_scratch_memory<Kokkos::Serial>(bytes), ++spaces;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  use_scratch_memory<Kokkos::OpenMP>(bytes), ++spaces;
#endif
#ifdef KOKKOS_ENABLE_THREADS
  use_scratch_memory<Kokkos::Threads>(bytes), ++spaces;
#endif
  EXPECT_GE(bytes_of_large_blocks(), before + spaces * bytes);
  Kokkos::finalize();
  EXPECT_LT(bytes_of_large_blocks(), before + bytes / 2);
}
#endif
#endif

}  // namespace
