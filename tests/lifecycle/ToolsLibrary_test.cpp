// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tool that is loaded as a shared object: the calls that it receives, their order, and the layouts that it expects.

#include "CommandLine.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <impl/runtime/Kokkos_Backend.hpp>

#include <ToolPaths.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

// In place of a profiler's library, which the library finds in the process.
namespace {
std::vector<std::string>& profiler_calls() {
  static std::vector<std::string> calls;
  return calls;
}
}  // namespace
extern "C" int roctxRangePushA(char const* name) {
  profiler_calls().push_back(std::string("push ") + name);
  return 0;
}
extern "C" int roctxRangePop() {
  profiler_calls().push_back("pop");
  return 0;
}
extern "C" void roctxMarkA(char const* name) { profiler_calls().push_back(std::string("mark ") + name); }

namespace {

using Kokkos::InitializationSettings;
using Kokkos::Testing::CommandLine;
using Kokkos::Testing::set_variables;
using Lines     = std::vector<std::string>;
namespace Tools = Kokkos::Tools;

// The output file of this process's tool.
class ToolsLibrary : public testing::Test {
 protected:
  ToolsLibrary() : path_(testing::TempDir() + "kokkos_record_" + std::to_string(getpid())) {
    set_variables({{"KOKKOS_TEST_RECORD", path_}, {"KOKKOS_TEST_TOOL_REQUESTS", ""}});
    unsetenv("KOKKOS_TOOLS_LIBS");
  }
  ~ToolsLibrary() override { std::remove(path_.c_str()); }

  // The recorded lines, without the metadata.
  Lines record() const {
    Lines lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);)
      if (!line.starts_with("metadata")) lines.push_back(line);
    return lines;
  }

  // The recorded lines from the first one that begins with `first`, without the end of the tool.
  Lines record_from(char const* first) const {
    Lines lines = record();
    auto begin  = std::find_if(lines.begin(), lines.end(), [&](auto const& line) { return line.starts_with(first); });
    auto end    = std::find(begin, lines.end(), "finalize");
    return Lines(begin, end);
  }

  // Initializes with the recorder.
  void start(InitializationSettings settings = {}) {
    Kokkos::initialize(settings.set_tools_libs(KOKKOS_TEST_TOOL_RECORDER));
  }

 private:
  std::string path_;
};

TEST_F(ToolsLibrary, IsGreetedAndDismissed) {
  start();
  EXPECT_TRUE(Tools::profileLibraryLoaded());
  Kokkos::finalize();
  EXPECT_FALSE(Tools::profileLibraryLoaded());
  Lines const lines = record();
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[0], "init sequence 0 version 20240906 devices " + std::to_string(Kokkos::num_devices() > 0));
  EXPECT_EQ(lines[1], "settings 1 fencing 1");
  EXPECT_EQ(lines[2], "interface 1 fence 1");
  EXPECT_EQ(lines.back(), "finalize");
}

TEST_F(ToolsLibrary, IsFoundByVariableAndArgument) {
  set_variables({{"KOKKOS_TOOLS_LIBS", "/nowhere/libtool.so"}});
  CommandLine line({std::string("--kokkos-tools-libs=") + KOKKOS_TEST_TOOL_RECORDER + ";/nowhere/libother.so",
                    "--kokkos-tools-args=-c  input.txt"});
  testing::internal::CaptureStderr();
  Kokkos::initialize(line.argc, line.argv());
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("/nowhere"), std::string::npos)
      << "the rest of a list is the tool's affair";
  EXPECT_EQ(line.rest(), Lines{});
  Kokkos::finalize();
  EXPECT_EQ(record_from("arguments"), (Lines{"arguments 3", "argument 1 '-c'", "argument 2 'input.txt'"}));
}

TEST_F(ToolsLibrary, PrintsItsHelpAndTheProgramExits) {
  EXPECT_EXIT(
      {
        dup2(2, 1);
        CommandLine line({std::string("--kokkos-tools-libs=") + KOKKOS_TEST_TOOL_RECORDER, "--kokkos-tools-help"});
        Kokkos::initialize(line.argc, line.argv());
      },
      testing::ExitedWithCode(0), "recorder of program");
}

TEST_F(ToolsLibrary, HelpWithoutAToolIsSaid) {
  EXPECT_EXIT(
      {
        CommandLine line({"--kokkos-tools-help"});
        Kokkos::initialize(line.argc, line.argv());
      },
      testing::ExitedWithCode(0), "there is no tool to print its help");
}

TEST_F(ToolsLibrary, IsToldMetadata) {
  start();
  Kokkos::finalize();
  std::ifstream file(std::getenv("KOKKOS_TEST_RECORD"));
  std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(all.find("metadata 'Kokkos Version' '"), all.npos);
}

struct NamedFunctor {
  KOKKOS_FUNCTION void operator()(int) const {}
};

std::string device_of(Kokkos::DefaultExecutionSpace const& space) {
  auto const id = Tools::Experimental::identifier_from_devid(Tools::Experimental::device_id(space));
  return " type " + std::to_string(static_cast<int>(id.type)) + " device " + std::to_string(id.device_id);
}

TEST_F(ToolsLibrary, SeesKernelsWithNameAndDevice) {
  set_variables({{"KOKKOS_TEST_TOOL_REQUESTS", "no-fencing"}});
  start();
  std::string const device = device_of(Kokkos::DefaultExecutionSpace());
  Kokkos::parallel_for("named", 10, NamedFunctor());
  Kokkos::parallel_for(10, NamedFunctor());
  Kokkos::finalize();
  Lines const all = record();
  Lines kernels;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kernels),
               [](std::string const& line) { return line.find(" for ") != line.npos; });
  std::string const functor(Kokkos::Impl::TypeInfo<NamedFunctor>::name());
  EXPECT_EQ(kernels, (Lines{"begin for 'named'" + device + " id 100", "end for id 100",
                            "begin for '" + functor + "'" + device + " id 101", "end for id 101"}));
}

TEST_F(ToolsLibrary, SeesRegionsEventsAndSections) {
  start();
  {
    Kokkos::Profiling::ScopedRegion outer("outer");
    Tools::markEvent("reached");
    Kokkos::Profiling::ProfilingSection section("part");
    section.start();
    section.stop();
  }
  Kokkos::finalize();
  EXPECT_EQ(record_from("push"), (Lines{"push 'outer'", "event 'reached'", "create section 'part' 7", "start section 7",
                                        "stop section 7", "destroy section 7", "pop"}));
}

TEST_F(ToolsLibrary, SeesMemory) {
  start();
  void* p = Kokkos::HostSpace().allocate("block", 100);
  Kokkos::HostSpace().deallocate("block", p, 100);
  void* silent = Kokkos::HostSpace().allocate(50);
  Kokkos::HostSpace().deallocate(silent, 50);
  {
    Kokkos::Impl::CopyReport copy("Host", "to", p, "Elsewhere", "from", p, 12);
  }
  Tools::syncDualView("dual", p, true);
  Tools::modifyDualView("dual", p, false);
  Kokkos::finalize();
  EXPECT_EQ(record_from("allocate Host 'block'"),
            (Lines{"allocate Host 'block' 1 100", "deallocate Host 'block' 1 100",
                   "begin copy Host 'to' from Elsewhere 'from' 12", "end copy", "sync 'dual' 1", "modify 'dual' 0"}));
}

int fences_named(Lines const& lines, std::string const& name) {
  return static_cast<int>(std::count_if(
      lines.begin(), lines.end(), [&](std::string const& line) { return line.starts_with("begin fence '" + name); }));
}

TEST_F(ToolsLibrary, SeesFencesAndCanFence) {
  set_variables({{"KOKKOS_TEST_TOOL_REQUESTS", "fence-at-event"}});
  start();
  Kokkos::fence("mine");
  Tools::markEvent("now");
  Kokkos::finalize();
  int backends = 0;
  while (Kokkos::Impl::backend_table[backends] != nullptr) ++backends;
  EXPECT_EQ(fences_named(record(), "mine"), backends);
  EXPECT_EQ(fences_named(record(), "Kokkos::Tools::Experimental::Impl::tool_invoked_fence: Tool Requested Fence"),
            backends);
}

TEST_F(ToolsLibrary, FencesOnItsBehalfAreNotReported) {
  start();
  Tools::pushRegion("r");
  Tools::popRegion();
  Kokkos::finalize();
  EXPECT_EQ(record_from("push"), (Lines{"push 'r'", "pop"}));
}

TEST_F(ToolsLibrary, Tunes) {
  namespace Tuning = Kokkos::Tools::Experimental;
  start();
  EXPECT_TRUE(Tuning::have_tuning_tool());
  Tuning::VariableInfo input_info = {};
  input_info.type                 = kokkos_value_int64;
  input_info.category             = kokkos_value_ratio;
  input_info.valueQuantity        = kokkos_value_unbounded;
  std::size_t const input         = Tuning::declare_input_type("size", input_info);

  std::size_t output;
  {
    std::vector<std::int64_t> candidates = {32, 64, 128};
    Tuning::VariableInfo output_info     = input_info;
    output_info.valueQuantity            = kokkos_value_set;
    output_info.candidates               = Tuning::make_candidate_set(candidates.size(), candidates.data());
    output                               = Tuning::declare_output_type("block", output_info);
  }
  Tuning::VariableInfo time_info = input_info;
  time_info.type                 = kokkos_value_double;
  std::size_t const time         = Tuning::declare_input_type("time", time_info);

  std::size_t const context = Tuning::get_new_context_id();
  EXPECT_EQ(Tuning::get_current_context_id(), context);
  Tuning::begin_context(context);
  Tuning::declare_optimization_goal(context, {time, Kokkos_Tools_Minimize});
  Tuning::VariableValue size = Tuning::make_variable_value(input, std::int64_t(1000));
  Tuning::set_input_values(context, 1, &size);
  Tuning::VariableValue block = Tuning::make_variable_value(output, std::int64_t(32));
  Tuning::request_output_values(context, 1, &block);
  EXPECT_EQ(block.value.int_value, 64) << "what the recorder chooses";
  Tuning::VariableValue seconds = Tuning::make_variable_value(time, 2.5);
  Tuning::set_input_values(context, 1, &seconds);
  Tuning::end_context(context);
  Kokkos::finalize();

  std::string const c = std::to_string(context), in = std::to_string(input), out = std::to_string(output),
                    t = std::to_string(time);
  EXPECT_EQ(
      record_from("input type"),
      (Lines{"input type 'size' " + in + " type 1 category 3 quantity 2",
             "output type 'block' " + out + " candidates 3 first 32",
             "input type 'time' " + t + " type 0 category 3 quantity 2", "begin context " + c,
             "goal context " + c + " type " + t + " goal 0", "request context " + c + " inputs 1 outputs 1 metadata 1",
             "request input " + in + " integer 1000", "end context " + c + " goal " + t + " real 2.5"}));
}

TEST_F(ToolsLibrary, CanBeStartedWithoutTheLibrary) {
  Tools::InitArguments arguments;
  arguments.lib = KOKKOS_TEST_TOOL_RECORDER;
  Tools::initialize(arguments);
  Tools::pushRegion("early");
  Tools::popRegion();
  Tools::finalize();
  EXPECT_EQ(record_from("push"), (Lines{"push 'early'", "pop"}));
}

// By the program, and by the library, in any order.
// As IsFoundByVariableAndArgument; the program keeps its arguments, for initialize.
TEST_F(ToolsLibrary, CanBeStartedWithArgumentsOfTheProgram) {
  set_variables({{"KOKKOS_TOOLS_LIBS", KOKKOS_TEST_TOOL_RECORDER}, {"KOKKOS_TOOLS_ARGS", "of the variable"}});
  CommandLine line({"own", "--kokkos-tools-args=-c  input.txt"});
  Tools::initialize(line.argc, line.argv());
  EXPECT_TRUE(Tools::profileLibraryLoaded());
  EXPECT_EQ(line.rest(), (Lines{"own", "--kokkos-tools-args=-c  input.txt"}));
  Tools::finalize();
  EXPECT_EQ(record_from("arguments"), (Lines{"arguments 3", "argument 1 '-c'", "argument 2 'input.txt'"}));
}

TEST_F(ToolsLibrary, TheProgramsArgumentsCanRequestHelp) {
  EXPECT_EXIT(
      {
        dup2(2, 1);
        CommandLine line({std::string("--kokkos-tools-libs=") + KOKKOS_TEST_TOOL_RECORDER, "--kokkos-tools-help"});
        Tools::initialize(line.argc, line.argv());
        std::exit(9);
      },
      testing::ExitedWithCode(9), "recorder of program");
}

TEST_F(ToolsLibrary, IsStartedOnceAndEndedOnce) {
  Tools::InitArguments arguments;
  arguments.lib = KOKKOS_TEST_TOOL_RECORDER;
  Tools::finalize();  // nothing was started
  Tools::initialize(arguments);
  Tools::initialize(arguments);
  start();
  Tools::initialize(arguments);
  Tools::markEvent("once");
  Kokkos::finalize();
  Tools::finalize();
  Lines const lines   = record();
  auto const times_of = [&](char const* what) {
    return std::count_if(lines.begin(), lines.end(), [&](std::string const& line) { return line.starts_with(what); });
  };
  for (char const* what : {"init sequence", "settings", "interface", "event 'once'", "finalize"})
    EXPECT_EQ(times_of(what), 1) << what;
}

TEST_F(ToolsLibrary, Pauses) {
  start();
  Tools::Experimental::pause_tools();
  EXPECT_FALSE(Tools::profileLibraryLoaded());
  Tools::pushRegion("unseen");
  Tools::Experimental::resume_tools();
  Tools::pushRegion("seen");
  Kokkos::finalize();
  EXPECT_EQ(record_from("push"), (Lines{"push 'seen'"}));
}

TEST_F(ToolsLibrary, IsReplacedByRangesOfAProfiler) {
  Kokkos::initialize(InitializationSettings().set_profiler_ranges("roctx"));
  {
    Kokkos::View<int*, Kokkos::HostSpace> a("a", 3), b("b", 3);
    profiler_calls().clear();
    Tools::pushRegion("step");
    Kokkos::parallel_for("named", 10, NamedFunctor());
    Kokkos::deep_copy(b, a);
    Tools::markEvent("event");
    Tools::popRegion();
  }
  Lines const calls = profiler_calls();
  profiler_calls().clear();
  Kokkos::fence("end of the step");
  Lines const fences = profiler_calls();
  Kokkos::finalize();
  auto const position = [&](std::string const& call) {
    return std::find(calls.begin(), calls.end(), call) - calls.begin();
  };
  ASSERT_EQ(position("push step"), 0);
  EXPECT_EQ(calls.back(), "pop");
  ASSERT_LT(position("push named"), std::ptrdiff_t(calls.size()));
  EXPECT_EQ(calls[static_cast<std::size_t>(position("push named")) + 1], "pop")
      << "no fence for the profiler, and no lack of an end";
  EXPECT_LT(position("mark deep_copy b (Host) from a (Host), 12 bytes"), std::ptrdiff_t(calls.size()));
  EXPECT_LT(position("mark event"), std::ptrdiff_t(calls.size()));
  EXPECT_EQ(std::count(fences.begin(), fences.end(), "push end of the step"),
            std::count(fences.begin(), fences.end(), "pop"));
  EXPECT_GE(fences.size(), 2u);
}

// The program does not see the functions of the library, which is loaded by its name.
TEST_F(ToolsLibrary, IsReplacedByRangesOfALibraryThatItLoads) {
  void* const library = dlopen(KOKKOS_TEST_PROFILER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* const calls = reinterpret_cast<int (*)()>(dlsym(library, "kokkos_test_profiler_calls"));
  ASSERT_NE(calls, nullptr);
  Kokkos::initialize(InitializationSettings().set_profiler_ranges("nvtx"));
  int const before = calls();
  Tools::pushRegion("step");
  Tools::markEvent("event");
  Tools::markEvent("event");
  Tools::popRegion();
  int const after = calls();
  Kokkos::finalize();
  EXPECT_EQ(after - before, 10102) << "one push, one pop and two marks";
}

TEST_F(ToolsLibrary, IsNotReplacedByAProfilerThatIsNotHere) {
  EXPECT_THROW(Kokkos::initialize(InitializationSettings().set_profiler_ranges("vtune")), std::runtime_error);
  testing::internal::CaptureStderr();
  Kokkos::initialize(InitializationSettings().set_profiler_ranges("nvtx"));
  Kokkos::parallel_for("named", 10, NamedFunctor());
  Kokkos::finalize();
  std::string const said = testing::internal::GetCapturedStderr();
  // With the header of a CUDA toolkit, the calls do nothing here.
  if (!said.empty()) {
    EXPECT_NE(said.find("needs nvtxRangePushA, but no library has it"), said.npos) << said;
  }
}

TEST_F(ToolsLibrary, ComesBeforeRangesOfAProfiler) {
  testing::internal::CaptureStderr();
  start(InitializationSettings().set_profiler_ranges("roctx"));
  Kokkos::parallel_for("named", 10, NamedFunctor());
  Kokkos::finalize();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("profiler_ranges has no effect beside a tool"),
            std::string::npos);
  EXPECT_TRUE(profiler_calls().empty());
}

}  // namespace
