// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The library's messages for invalid input. Afterwards the program can continue or exit.
///
/// One row for each input. Each runs in a child process, because a process can initialize only once.

#include "CommandLine.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <ToolPaths.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::InitializationSettings;
using Kokkos::Testing::CommandLine;
using Kokkos::Testing::set_variables;
using Kokkos::Testing::Variables;

// ---- values that initialize refuses ---------------------------------------------------------------------------------

struct Refused {
  Variables variables;
  std::vector<std::string> arguments;
  InitializationSettings settings;
  char const* message;  // regular expression: source, value and allowed values
};

// Exits with 0 if initialize threw, left the library unchanged, and the library can then be initialized.
[[noreturn]] void run_refused(Refused const& row) {
  set_variables(row.variables);
  CommandLine line(row.arguments);
  int const argc = line.argc;
  try {
    row.arguments.empty() ? Kokkos::initialize(row.settings) : Kokkos::initialize(line.argc, line.argv());
    std::exit(1);
  } catch (std::runtime_error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (Kokkos::is_initialized() || Kokkos::is_finalized() || line.argc != argc) std::exit(2);
  for (auto const& [name, value] : row.variables) unsetenv(name.c_str());
  Kokkos::initialize();
  Kokkos::finalize();
  std::exit(0);
}

std::vector<Refused> const refused = {
    {{{"KOKKOS_NUM_THREADS", "abc"}},
     {},
     {},
     "variable KOKKOS_NUM_THREADS=abc is not an integer. Allowed .* from 1 to"},
    {{{"KOKKOS_NUM_THREADS", "0"}}, {}, {}, "KOKKOS_NUM_THREADS=0 is out of range. Allowed .* from 1 to"},
    {{{"KOKKOS_NUM_THREADS", "-1"}}, {}, {}, "KOKKOS_NUM_THREADS=-1 is out of range. Allowed .* from 1 to"},
    {{{"KOKKOS_NUM_THREADS", "1000000000"}}, {}, {}, "KOKKOS_NUM_THREADS=1000000000 is out of range. Allowed .* to"},
    {{{"KOKKOS_NUM_THREADS", "99999999999999999999"}}, {}, {}, "=99999999999999999999 is out of range. Allowed"},
    {{{"KOKKOS_NUM_THREADS", "-99999999999999999999"}}, {}, {}, "=-99999999999999999999 is out of range. Allowed"},
    {{{"KOKKOS_NUM_THREADS", "4x"}}, {}, {}, "KOKKOS_NUM_THREADS=4x is not an integer"},
    {{{"KOKKOS_NUM_THREADS", "1.5"}}, {}, {}, "KOKKOS_NUM_THREADS=1.5 is not an integer"},
    {{{"KOKKOS_DEVICE_ID", "-1"}},
     {},
     {},
     "KOKKOS_DEVICE_ID=-1 is out of range. Allowed is the number of a device from 0"},
    {{{"KOKKOS_MAP_DEVICE_ID_BY", "rank"}}, {}, {}, "KOKKOS_MAP_DEVICE_ID_BY=rank .* Allowed is random or mpi_rank"},
    {{{"KOKKOS_DISABLE_WARNINGS", "maybe"}},
     {},
     {},
     "KOKKOS_DISABLE_WARNINGS=maybe is not a truth value. Allowed is one of true"},
    {{{"KOKKOS_PRINT_CONFIGURATION", "2"}}, {}, {}, "KOKKOS_PRINT_CONFIGURATION=2 is not a truth value"},
    {{{"KOKKOS_TUNE_INTERNALS", "on"}}, {}, {}, "KOKKOS_TUNE_INTERNALS=on is not a truth value"},
    {{{"KOKKOS_PAGEABLE_COPY", "later"}},
     {},
     {},
     "KOKKOS_PAGEABLE_COPY=later is not a mode of copies.* Allowed is blocking, default or async"},
    {{{"KOKKOS_COPY_CHECK", "on"}}, {}, {}, "KOKKOS_COPY_CHECK=on is not a truth value"},
    {{{"KOKKOS_STAGING_MB", "0"}},
     {},
     {},
     "KOKKOS_STAGING_MB=0 is out of range. Allowed is a number of MiB from 1 to 65536"},
    {{{"KOKKOS_STAGING_MB", "64M"}}, {}, {}, "KOKKOS_STAGING_MB=64M is not an integer"},
    {{{"KOKKOS_STAGING_THREADS", "-2"}}, {}, {}, "KOKKOS_STAGING_THREADS=-2 is out of range. Allowed .* from 1 to"},
    {{}, {"--kokkos-pageable-copy"}, {}, "--kokkos-pageable-copy has no value"},
    {{}, {"--kokkos-staging-mb=many"}, {}, "--kokkos-staging-mb=many is not an integer"},
    {{}, {}, InitializationSettings().set_staging_mb(-1), "setting staging_mb = -1 is out of range"},
    {{}, {}, InitializationSettings().set_staging_threads(0), "setting staging_threads = 0 is out of range"},
    {{},
     {},
     InitializationSettings().set_pageable_copy("now"),
     "setting pageable_copy = \"now\" is not a mode of copies"},
    {{{"KOKKOS_TOOLS_HELP", "please"}}, {}, {}, "KOKKOS_TOOLS_HELP=please is not a truth value"},
    {{},
     {"--kokkos-num-threads=many"},
     {},
     "argument --kokkos-num-threads=many is not an integer. Allowed .* from 1 to"},
    {{}, {"--kokkos-num-threads=0"}, {}, "--kokkos-num-threads=0 is out of range"},
    {{}, {"--kokkos-num-threads="}, {}, "--kokkos-num-threads= is not an integer"},
    {{}, {"--kokkos-num-threads", "4"}, {}, "--kokkos-num-threads has no value. Allowed is --kokkos-num-threads=INT"},
    {{},
     {"--kokkos-device-id=-3"},
     {},
     "--kokkos-device-id=-3 is out of range. Allowed is the number of a device from 0"},
    {{}, {"--kokkos-map-device-id-by=fast"}, {}, "--kokkos-map-device-id-by=fast .* Allowed is random or mpi_rank"},
    {{}, {"--kokkos-tune-internals=", "x"}, {}, "--kokkos-tune-internals= is not a truth value"},
    {{}, {"--kokkos-tools-libs"}, {}, "--kokkos-tools-libs has no value. Allowed is --kokkos-tools-libs=STR"},
    {{},
     {},
     InitializationSettings().set_num_threads(-7),
     "setting num_threads = -7 is out of range. Allowed .* from 1 to"},
    {{}, {}, InitializationSettings().set_num_threads(1000000000), "num_threads = 1000000000 is out of range"},
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
    {{}, {}, InitializationSettings().set_device_id(-1), "device -1 was requested, .* Allowed are numbers from 0"},
#endif
    {{},
     {},
     InitializationSettings().set_map_device_id_by("x"),
     "map_device_id_by = \"x\" .* Allowed is random or mpi_rank"},
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
    {{{"KOKKOS_TOOLS_LIBS", "a.so"}, {"KOKKOS_PROFILE_LIBRARY", "b.so"}},
     {},
     {},
     "KOKKOS_PROFILE_LIBRARY=b.so contradicts KOKKOS_TOOLS_LIBS=a.so.* Allowed is one of them, KOKKOS_TOOLS_LIBS"},
#endif
};

TEST(BadInput, ValuesThatAreRefused) {
  for (std::size_t i = 0; i < refused.size(); ++i) {
    EXPECT_EXIT(run_refused(refused[i]), testing::ExitedWithCode(0), refused[i].message) << "row " << i;
  }
}

TEST(BadInput, AnExceptionThatIsNotCaughtSaysTheSentence) {
  // GoogleTest catches exceptions; noexcept represents the end of main.
  auto program = []() noexcept { Kokkos::initialize(InitializationSettings().set_num_threads(-7)); };
  EXPECT_DEATH(program(), "num_threads = -7 is out of range");
}

// ---- input that only gets a message ---------------------------------------------------------------------------------

struct Remarked {
  Variables variables;
  std::vector<std::string> arguments;
  char const* message;
  bool is_warning = true;  // not printed if warnings are disabled
};

[[noreturn]] void run_remarked(Remarked const& row) {
  set_variables(row.variables);
  CommandLine line(row.arguments);
  Kokkos::initialize(line.argc, line.argv());
  Kokkos::finalize();
  std::exit(0);
}

std::vector<Remarked> const remarked = {
    {{}, {"--kokkos-foo"}, "warning: .*--kokkos-foo is not recognised and stays in the argument list; --kokkos-help"},
    {{}, {"--kokkos-num-thread=4"}, "--kokkos-num-thread=4 is not recognised .*did you mean --kokkos-num-threads. "},
    {{}, {"--kokkos-print-config"}, "did you mean --kokkos-print-configuration. "},
    {{}, {"--kokkos-hepl"}, "did you mean --kokkos-help. "},
    {{}, {"--kokkos-xy"}, "--kokkos-xy is not recognised and stays in the argument list; --kokkos-help lists"},
    {{}, {"--kokkos-tools-nothing=a"}, "warning: .*--kokkos-tools-nothing=a is not recognised"},
    {{}, {"--kokkos-"}, "warning: .*--kokkos- is not recognised"},
    {{}, {"--kokkos-device-id=0", "--kokkos-map-device-id-by=random"}, "warning: .*specify both device 0 and .*random"},
#ifdef KOKKOS_ENABLE_OPENMP
    {{},
     {"--kokkos-num-threads=" + std::to_string(std::thread::hardware_concurrency() + 1)},
     "warning: Kokkos::OpenMP runs .* processors, which slows kernels down. Request at most"},
#endif
    {{{"KOKKOS_TOOLS_LIBS", "/nowhere/libtool.so"}}, {}, "tool '/nowhere/libtool.so' cannot be loaded", false},
    {{}, {"--kokkos-tools-libs=/nowhere/libtool.so"}, "tool '/nowhere/libtool.so' cannot be loaded", false},
    {{{"KOKKOS_TOOLS_LIBS", KOKKOS_TEST_TOOL_SILENT}}, {}, "tool '.*' has none of the kokkosp_. functions", false},
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
    {{}, {"--kokkos-treads=1"}, "did you mean --kokkos-num-threads. "},
    {{}, {"--kokkos-threads=1"}, "warning: .*--kokkos-threads=1 is deprecated; use --kokkos-num-threads"},
    {{{"KOKKOS_PROFILE_LIBRARY", KOKKOS_TEST_TOOL_RECORDER}}, {}, "is deprecated; use KOKKOS_TOOLS_LIBS"},
#endif
};

TEST(BadInput, ValuesThatGetAMessage) {
  for (std::size_t i = 0; i < remarked.size(); ++i) {
    EXPECT_EXIT(run_remarked(remarked[i]), testing::ExitedWithCode(0), remarked[i].message) << "row " << i;
  }
}

std::string stderr_of(Remarked const& row) {
  testing::internal::CaptureStderr();
  set_variables(row.variables);
  CommandLine line(row.arguments);
  Kokkos::initialize(line.argc, line.argv());
  Kokkos::finalize();
  return testing::internal::GetCapturedStderr();
}

TEST(BadInput, WarningsCanBeDisabled) {
  EXPECT_EQ(stderr_of({{}, {"--kokkos-foo", "--kokkos-disable-warnings"}, "", true}), "");
}

TEST(BadInput, AMissingToolIsToldEvenThen) {
  std::string const text =
      stderr_of({{{"KOKKOS_TOOLS_LIBS", "/nowhere/t.so"}}, {"--kokkos-disable-warnings"}, "", false});
  EXPECT_NE(text.find("/nowhere/t.so"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << "it is told once: " << text;
}

// ---- a device by number and by strategy -----------------------------------------------------------------------------

enum class Source { none, arguments, environment, settings };
constexpr Source sources[] = {Source::none, Source::arguments, Source::environment, Source::settings};

char const* name_of(Source source) {
  char const* const names[] = {"none", "arguments", "environment", "settings"};
  return names[static_cast<int>(source)];
}

/// The text that a call writes to stderr. In a child process of EXPECT_EXIT, GoogleTest cannot capture it a second time.
template <class Call>
std::string written_to_stderr(Call const& call) {
  std::FILE* const file = std::tmpfile();
  int const before      = dup(STDERR_FILENO);
  std::fflush(stderr);
  dup2(fileno(file), STDERR_FILENO);
  call();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

/// Initializes with device 0 from one source and a strategy from another one; prints the source that the warning names.
[[noreturn]] void run_with_two_devices(Source id, Source strategy) {
  std::vector<std::string> words;
  InitializationSettings settings;
  if (id == Source::arguments) words.emplace_back("--kokkos-device-id=0");
  if (id == Source::environment) setenv("KOKKOS_DEVICE_ID", "0", 1);
  if (id == Source::settings) settings.set_device_id(0);
  if (strategy == Source::arguments) words.emplace_back("--kokkos-map-device-id-by=random");
  if (strategy == Source::environment) setenv("KOKKOS_MAP_DEVICE_ID_BY", "random", 1);
  if (strategy == Source::settings) settings.set_map_device_id_by("random");
  CommandLine line(words);
  std::string const text = written_to_stderr([&] {
    words.empty() ? Kokkos::initialize(settings) : Kokkos::initialize(line.argc, line.argv());
    Kokkos::finalize();
  });
  std::string named      = "none";
  for (char const* source : {"command-line arguments", "environment variables"})
    if (text.find(std::string(source) + " specify both device 0 and the strategy random") != text.npos)
      named = named == "none" ? source : "both";
  std::fprintf(stderr, "warned of: %s.\n", named.c_str());
  std::exit(0);
}

// Only one source that contradicts itself gets a warning; of two sources, arguments override variables.
TEST(BadInput, TwoChoicesOfADevice) {
  for (Source const id : sources)
    for (Source const strategy : sources) {
      bool const impossible = (id == Source::arguments && strategy == Source::settings) ||
                              (id == Source::settings && strategy == Source::arguments);
      if (impossible) continue;  // initialize takes either arguments or settings
      std::string const expected = id != strategy              ? "none"
                                   : id == Source::arguments   ? "command-line arguments"
                                   : id == Source::environment ? "environment variables"
                                                               : "none";
      EXPECT_EXIT(run_with_two_devices(id, strategy), testing::ExitedWithCode(0), "warned of: " + expected + "\\.")
          << "device by " << name_of(id) << ", strategy by " << name_of(strategy);
    }
}

// ---- calls at the wrong time ----------------------------------------------------------------------------------------

struct Misused {
  std::function<void()> program;
  char const* message;
};

void twice() {
  Kokkos::initialize();
  Kokkos::initialize();
}
void guard_twice() {
  Kokkos::ScopeGuard one;
  Kokkos::ScopeGuard two;
}
void again() {
  Kokkos::initialize();
  Kokkos::finalize();
  Kokkos::initialize();
}
void finalize_twice() {
  Kokkos::initialize();
  Kokkos::finalize();
  Kokkos::finalize();
}
void use_after(void (*use)()) {
  Kokkos::initialize();
  Kokkos::finalize();
  use();
}
void fence() { Kokkos::fence(); }
void threads() { std::fprintf(stderr, "%d", Kokkos::num_threads()); }
void view() { Kokkos::View<int*> early("early", 3); }
void view_that_outlives() {
  Kokkos::View<int*> late;
  Kokkos::initialize();
  late = Kokkos::View<int*>("late", 3);
  Kokkos::finalize();
  late = {};
}
// Memory that a program keeps beyond finalize, for use_after.
void* kept = nullptr;
void keep_memory() {
  Kokkos::initialize();
  kept = Kokkos::kokkos_malloc<Kokkos::HostSpace>(8);
  Kokkos::finalize();
}
void raw_malloc() { Kokkos::kokkos_malloc<Kokkos::HostSpace>("early", 8); }
void raw_realloc() { Kokkos::kokkos_realloc<Kokkos::HostSpace>(kept, 8); }
void raw_free() { Kokkos::kokkos_free<Kokkos::HostSpace>(kept); }
struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};
void kernel() { Kokkos::parallel_for(3, Nothing()); }
/// Kernels of the host, which may not be the default space.
template <int What>
void on_host() {
  using Space  = Kokkos::DefaultHostExecutionSpace;
  using Member = Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::RangePolicy<Space> const range(0, 3);
  int sum = 0;
  if constexpr (What == 0) Kokkos::parallel_for(range, [](int) {});
  if constexpr (What == 1) Kokkos::parallel_reduce(range, [](int, int&) {}, sum);
  if constexpr (What == 2) Kokkos::parallel_scan(range, [](int, int&, bool) {});
  if constexpr (What == 3) Kokkos::parallel_for(Kokkos::TeamPolicy<Space>(2, 1), [](Member const&) {});
  if constexpr (What == 4) Kokkos::parallel_reduce(Kokkos::TeamPolicy<Space>(2, 1), [](Member const&, int&) {}, sum);
}
void initialize_in_hook() {
  Kokkos::initialize();
  Kokkos::push_finalize_hook([] { Kokkos::initialize(); });
  Kokkos::finalize();
}
void finalize_in_hook() {
  Kokkos::initialize();
  Kokkos::push_finalize_hook([] { Kokkos::finalize(); });
  Kokkos::finalize();
}

std::vector<Misused> const misused = {
    {twice,
     "Kokkos::initialize .* was called a second time.*call Kokkos::is_initialized\\(\\) first if it may be initialized "
     "already"},
    {guard_twice, "Kokkos::ScopeGuard. was called a second time"},
    {again, "Kokkos::initialize was called after Kokkos::finalize.* once in a program; call finalize at its end"},
    {initialize_in_hook, "Kokkos::initialize was called after Kokkos::finalize"},
    {finalize_twice, "Kokkos::finalize was called a second time. It ends Kokkos for the rest of the program"},
    {finalize_in_hook, "Kokkos::finalize was called a second time"},
    {Kokkos::finalize, "Kokkos::finalize was called before Kokkos::initialize. There is nothing to finalize"},
    {fence, "Kokkos::fence was called before Kokkos::initialize"},
    {[] { use_after(fence); }, "Kokkos::fence was called after Kokkos::finalize"},
    {threads, "Kokkos::num_threads was called before Kokkos::initialize"},
    {[] { use_after(threads); }, "Kokkos::num_threads was called after Kokkos::finalize"},
    {view, "View .early. was called before Kokkos::initialize"},
    {[] { use_after(view); }, "View .early. was called after Kokkos::finalize"},
    {view_that_outlives,
     "allocation .late. is being deallocated after Kokkos::finalize was called. Destroy every view, or assign an empty "
     "one to it, before finalize"},
    {raw_malloc, "Kokkos::kokkos_malloc was called before Kokkos::initialize"},
    {[] { use_after(raw_malloc); }, "Kokkos::kokkos_malloc was called after Kokkos::finalize"},
    {raw_realloc, "Kokkos::kokkos_realloc was called before Kokkos::initialize"},
    {[] { keep_memory(), raw_realloc(); }, "Kokkos::kokkos_realloc was called after Kokkos::finalize"},
    {[] { keep_memory(), raw_free(); }, "Kokkos::kokkos_free was called after Kokkos::finalize"},
    {kernel, "was called before Kokkos::initialize"},
    {[] { use_after(kernel); }, "was called after Kokkos::finalize"},
    {on_host<0>, "A kernel .* was called before Kokkos::initialize"},
    {on_host<1>, "A kernel .* was called before Kokkos::initialize"},
    {on_host<2>, "A kernel .* was called before Kokkos::initialize"},
    {on_host<3>, "A kernel .* was called before Kokkos::initialize"},
    {on_host<4>, "A kernel .* was called before Kokkos::initialize"},
    {[] { use_after(on_host<0>); }, "A kernel .* was called after Kokkos::finalize"},
    {[] { use_after(on_host<3>); }, "A kernel .* was called after Kokkos::finalize"},
};

TEST(BadInput, CallsAtTheWrongTime) {
  for (std::size_t i = 0; i < misused.size(); ++i)
    EXPECT_DEATH(misused[i].program(), misused[i].message) << "row " << i;
}

// Sanitizers end a program that requests too much memory, unless this option makes them return null.
extern "C" char const* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" char const* __tsan_default_options() { return "allocator_may_return_null=1"; }

// ---- memory ---------------------------------------------------------------------------------------------------------

TEST(BadInput, MoreMemoryThanThereIs) {
  Kokkos::ScopeGuard guard;
  for (std::size_t bytes : {std::size_t(-1), std::size_t(1) << 62, std::size_t(1) << 60}) {
    try {
      Kokkos::HostSpace().allocate("much", bytes);
      ADD_FAILURE() << bytes;
    } catch (Kokkos::Experimental::RawMemoryAllocationFailure const& failure) {
      EXPECT_EQ(failure.attempted_size(), bytes);
      Kokkos::Experimental::BadAlloc const& new_name = failure;
      EXPECT_EQ(new_name.allocation_size(), bytes);
      EXPECT_EQ(new_name.memory_space_name(), "Host");
      EXPECT_EQ(new_name.label(), "much");
      std::string const message = failure.what();
      EXPECT_NE(message.find("Host memory space failed to allocate"), message.npos) << message;
      EXPECT_NE(message.find(std::to_string(bytes) + " bytes"), message.npos) << message;
      EXPECT_NE(message.find("label=\"much\""), message.npos) << message;
    }
  }
}

/// A sum of arrays, of which no machine can store one for each thread.
template <class Member>
struct HugeArrays {
  using value_type = long[];
  std::size_t value_count;
  void operator()(int, long*) const {}
  void operator()(int, long*, bool) const {}
  void operator()(Member const&, long*) const {}
};

// The memory in which a kernel of a host keeps the values of its threads, also that of a kernel inside a kernel.
TEST(BadInput, MoreScratchMemoryThanThereIs) {
  using Space  = Kokkos::DefaultHostExecutionSpace;
  using Teams  = Kokkos::TeamPolicy<Space>;
  using Member = Teams::member_type;
  Kokkos::ScopeGuard guard;
  Kokkos::RangePolicy<Space> const range(0, 10);
  HugeArrays<Member> const huge{std::size_t(1) << 54};
  long result = 0;
  std::vector<std::pair<char const*, std::function<void()>>> const kernels{
      {"reduce", [&] { Kokkos::parallel_reduce(range, huge, &result); }},
      {"scan", [&] { Kokkos::parallel_scan(range, huge); }},
      {"reduce teams", [&] { Kokkos::parallel_reduce(Teams(10, 1), huge, &result); }},
  };
  auto const expect_failures = [&] {
    for (auto const& [what, kernel] : kernels) {
      try {
        kernel();
        ADD_FAILURE() << what;
      } catch (Kokkos::Experimental::RawMemoryAllocationFailure const& failure) {
        EXPECT_GE(failure.attempted_size(), huge.value_count * sizeof(long)) << what;
        EXPECT_EQ(failure.label(), std::string("scratch memory of Kokkos::") + Space::name()) << what;
      }
      int sum = 0;
      Kokkos::parallel_reduce(range, [](int i, int& s) { s += i; }, sum);
      EXPECT_EQ(sum, 45) << "after: " << what;
    }
  };
  expect_failures();
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), [&](int) { expect_failures(); });
}

}  // namespace
