// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised own-program
/// \file
/// Each setting with each value, from arguments and from the environment, and two sources together: the results are tables in
/// tests/journals, with all words of the errors and warnings.

#include "Journal.hpp"

#include "../lifecycle/CommandLine.hpp"

#include <Kokkos_Core.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_DeviceSelection.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::InitializationSettings;
using Kokkos::Impl::ParsedSettings;
using Kokkos::Testing::CommandLine;
using Kokkos::Testing::Journal;
using Strings = std::vector<std::string>;

Strings const options          = {"num-threads",
                                  "device-id",
                                  "map-device-id-by",
                                  "disable-warnings",
                                  "tune-internals",
                                  "print-configuration",
                                  "pageable-copy",
                                  "copy-check",
                                  "copy-explain",
                                  "explain-waits",
                                  "staging-mb",
                                  "staging-threads",
                                  "profiler-ranges",
                                  "device-memory-limit",
                                  "device-memory-pool-mb",
                                  "tools-libs",
                                  "tools-help",
                                  "tools-args",
                                  "threads",
                                  "device",
                                  "tools-library",
                                  "num-thread",
                                  "help"};
std::string const most_threads = std::to_string(Kokkos::Impl::max_num_threads());
// Exact limits and their neighbours, each word that an option knows, and what none knows.
Strings const values = {most_threads, std::to_string(Kokkos::Impl::max_num_threads() + 1),
                        "65536",      "65537",
                        "1048576",    "1048577",
                        "",           "-2",
                        "-1",         "0",
                        "1",          "2",
                        "2147483647", "2147483648",
                        "1x",         " 1",
                        "true",       "yes",
                        "no",         "false",
                        "TRUE",       "random",
                        "mpi_rank",   "blocking",
                        "default",    "async",
                        "nvtx",       "roctx",
                        "50%",        "100%",
                        "101%",       "0%",
                        "2GiB",       "2 GiB",
                        "3MiB",       "1GB",
                        "0.5GiB",     "1e30GiB",
                        "abc"};

std::string variable_of(std::string option) {
  for (char& c : option) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return "KOKKOS_" + option;
}

std::string words_of(InitializationSettings const& s) {
  std::ostringstream out;
  out << std::boolalpha;
#define KOKKOS_TEST_SETTING(NAME) \
  if (s.has_##NAME()) out << ' ' << #NAME << '=' << s.get_##NAME()
  KOKKOS_TEST_SETTING(num_threads);
  KOKKOS_TEST_SETTING(device_id);
  KOKKOS_TEST_SETTING(map_device_id_by);
  KOKKOS_TEST_SETTING(disable_warnings);
  KOKKOS_TEST_SETTING(print_configuration);
  KOKKOS_TEST_SETTING(tune_internals);
  KOKKOS_TEST_SETTING(pageable_copy);
  KOKKOS_TEST_SETTING(copy_check);
  KOKKOS_TEST_SETTING(copy_explain);
  KOKKOS_TEST_SETTING(explain_waits);
  KOKKOS_TEST_SETTING(staging_mb);
  KOKKOS_TEST_SETTING(staging_threads);
  KOKKOS_TEST_SETTING(device_memory_pool_mb);
  KOKKOS_TEST_SETTING(profiler_ranges);
  KOKKOS_TEST_SETTING(device_memory_limit);
  KOKKOS_TEST_SETTING(tools_help);
  KOKKOS_TEST_SETTING(tools_libs);
  KOKKOS_TEST_SETTING(tools_args);
#undef KOKKOS_TEST_SETTING
  return out.str();
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The result of `parse`: settings, warnings, or the words of its error. The maximum of this machine is MAX.
template <class Parse>
std::string outcome(Parse const& parse) {
  std::string text;
  try {
    ParsedSettings const parsed = parse();
    text                        = words_of(parsed.settings) + (parsed.help ? " help" : "");
    for (std::string const& warning : parsed.warnings) text += " warns: " + warning;
    Kokkos::Impl::check_settings(parsed.settings);
  } catch (std::runtime_error const& error) {
    text += std::string(" throws: ") + error.what();
  }
  text = replaced(replaced(text, "\n", " | "), most_threads, "MAX");
  return text.empty() ? " nothing" : text;
}

/// A line for each outcome, with the values that have it. `parse` gets a value.
template <class Parse>
std::string outcomes(Parse const& parse) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (std::string const& value : values) {
    std::string const text =
        replaced(outcome([&] { return parse(value); }), '=' + value, value.empty() ? "=" : "=VALUE");
    auto const known = std::find_if(lines.begin(), lines.end(), [&](auto const& line) { return line.first == text; });
    std::string& of_text = (known == lines.end() ? lines.emplace_back(text, "") : *known).second;
    of_text += value == most_threads ? " MAX" : value == values[1] ? " MAX + 1" : " \"" + value + '"';
  }
  std::string all;
  for (auto const& [text, of_text] : lines) all += " " + of_text + ":" + text + '\n';
  return all;
}

/// The environment without variables of settings, while it exists.
class SettingsTables : public testing::Test {
 protected:
  void SetUp() override {
    for (std::string const& option : options) {
      std::string const name = variable_of(option);
      if (char const* value = std::getenv(name.c_str())) m_before[name] = value;
      unsetenv(name.c_str());
    }
  }
  void TearDown() override {
    for (auto const& [name, value] : m_before) setenv(name.c_str(), value.c_str(), 1);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
    Journal::of_this_test().expect_as_in("Settings");
#else
    Journal::of_this_test().expect_as_in("");  // names of earlier versions are in the tables
#endif
  }

 private:
  std::map<std::string, std::string> m_before;
};

ParsedSettings parse(Strings const& words) {
  CommandLine line(words);
  ParsedSettings parsed = Kokkos::Impl::parse_arguments(line.argc, line.argv());
  if (!line.rest().empty()) parsed.warnings.push_back("(" + std::to_string(line.rest().size()) + " words are left)");
  return parsed;
}

TEST_F(SettingsTables, FromArguments) {
  for (std::string const& option : options) {
    std::string const argument = "--kokkos-" + option;
    Journal::of_this_test().add(
        argument, "  alone:" + outcome([&] { return parse({argument}); }) + '\n' +
                      outcomes([&](std::string const& value) { return parse({argument + '=' + value}); }));
  }
  for (std::string const& option : {"num-threads", "tools-args", "copy-check"}) {
    std::string const argument = "--kokkos-" + option;
    Journal::of_this_test().add(argument + " and a word", outcomes([&](std::string const& value) {
                                  return parse({"first", argument, value, "last"});
                                }));
    Journal::of_this_test().add(argument + " twice", outcomes([&](std::string const& value) {
                                  return parse({argument + '=' + value, argument + "=1"});
                                }));
  }
}

TEST_F(SettingsTables, FromTheEnvironment) {
  for (std::string const& option : options) {
    std::string const name = variable_of(option);
    Journal::of_this_test().add(name, outcomes([&](std::string const& value) {
                                  setenv(name.c_str(), value.c_str(), 1);
                                  struct Unset {
                                    std::string const& name;
                                    ~Unset() { unsetenv(name.c_str()); }
                                  } const unset{name};
                                  return Kokkos::Impl::parse_environment();
                                }));
  }
}

// Settings of the program are checked like those of the other sources.
TEST_F(SettingsTables, FromTheProgram) {
  using Settings       = InitializationSettings;
  int const most       = Kokkos::Impl::max_num_threads();
  auto const with_ints = [&](char const* title, auto set, std::vector<int> const& numbers) {
    std::string lines;
    for (int const number : numbers) {
      ParsedSettings given;
      (given.settings.*set)(number);
      lines += "  " + replaced(outcome([&] { return given; }), std::to_string(most + 1), "MORE") + '\n';
    }
    Journal::of_this_test().add(title, lines);
  };
  for (auto const& [name, set] :
       {std::pair{"num_threads", &Settings::set_num_threads}, {"staging_threads", &Settings::set_staging_threads}})
    with_ints(name, set, {-2, -1, 0, 1, most, most + 1});
  for (auto const& [name, set] : {std::pair{"staging_mb", &Settings::set_staging_mb},
                                  {"device_memory_pool_mb", &Settings::set_device_memory_pool_mb}})
    with_ints(name, set, {-2, -1, 0, 1, 65536, 65537, 1048576, 1048577, 2147483647});
  for (auto const& [name, set] : {std::pair{"map_device_id_by", &Settings::set_map_device_id_by},
                                  {"pageable_copy", &Settings::set_pageable_copy},
                                  {"device_memory_limit", &Settings::set_device_memory_limit},
                                  {"profiler_ranges", &Settings::set_profiler_ranges}}) {
    std::string lines;
    for (char const* value : {"",        "random", "mpi_rank", "Random", "mpi-rank", "rank",  "async", "blocking",
                              "default", "Async",  "nvtx",     "roctx",  "NVTX",     "vtune", "50%",   "100%",
                              "101%",    "0%",     "40GiB",    "1MiB",   "0.99MiB",  "1GB"}) {
      ParsedSettings given;
      (given.settings.*set)(value);
      lines += "  " + outcome([&] { return given; }) + '\n';
    }
    Journal::of_this_test().add(name, lines);
  }
}

std::string words_of(Kokkos::Impl::MemoryPreferences const& p) {
  return (p.is_pool_size_given ? "pool of " + std::to_string(p.pool_bytes) : std::string("any pool")) + ", limit \"" +
         p.limit + '"';
}

// The settings that initialize passes to the memory of devices. Those of an earlier call do not remain.
TEST_F(SettingsTables, OfTheMemoryOfDevices) {
  auto const before = Kokkos::Impl::memory_preferences();
  std::string lines;
  for (char const* limit : {"", "50%", "2GiB"})
    for (int const pool : {-1, 0, 1, 65536}) {
      InitializationSettings settings;
      if (*limit != '\0') settings.set_device_memory_limit(limit);
      if (pool >= 0) settings.set_device_memory_pool_mb(pool);
      Kokkos::Impl::set_memory_preferences(settings);
      lines += " " + words_of(settings) + ": " + words_of(Kokkos::Impl::memory_preferences()) + '\n';
    }
  Journal::of_this_test().add("memory", lines);
  InitializationSettings restored;
  if (before.is_pool_size_given) restored.set_device_memory_pool_mb(static_cast<int>(before.pool_bytes >> 20));
  if (!before.limit.empty()) restored.set_device_memory_limit(before.limit);
  Kokkos::Impl::set_memory_preferences(restored);
}

TEST_F(SettingsTables, VisibleDevices) {
  char const* const name    = "KOKKOS_VISIBLE_DEVICES";
  char const* const given   = std::getenv(name);
  std::string const outside = given != nullptr ? given : "";
  for (int const count : {1, 2, 4}) {
    std::string lines;
    for (char const* value : {"", "0", "1", "1,0", "0,1,2,3", "3,1,0", "2,3,1", "3,0,2,1", "0,0", "1,", ",1", "4", "-1",
                              "+1", "0 1", "0, 1", "all", "1x", "99999999999"}) {
      setenv(name, value, 1);
      std::string text;
      try {
        for (int const id : Kokkos::Impl::visible_devices(count)) text += ' ' + std::to_string(id);
      } catch (std::runtime_error const& error) {
        text = std::string(" throws: ") + error.what();
      }
      lines += std::string("  \"") + value + "\":" + text + '\n';
    }
    Journal::of_this_test().add("of " + std::to_string(count), lines);
  }
  given != nullptr ? setenv(name, outside.c_str(), 1) : unsetenv(name);
}

// Each of two sources gives nothing, one setting or another.
TEST_F(SettingsTables, OfTwoSources) {
  Strings const arguments = {"",
                             "--kokkos-num-threads=3",
                             "--kokkos-device-id=0",
                             "--kokkos-map-device-id-by=random",
                             "--kokkos-copy-check=no",
                             "--kokkos-pageable-copy=async",
                             "--kokkos-tools-libs=some.so",
                             "--kokkos-device-memory-limit=1GiB",
                             "--kokkos-disable-warnings"};
  auto const words = [](std::string const& argument) { return argument.empty() ? Strings() : Strings{argument}; };
  for (std::string const& base : arguments) {
    std::string lines;
    for (std::string const& over : arguments)
      lines += "  below " + over + ":" +
               outcome([&] { return Kokkos::Impl::merge(parse(words(base)), parse(words(over))); }) + '\n';
    Journal::of_this_test().add(base.empty() ? "nothing" : base, lines);
  }
}

TEST_F(SettingsTables, LimitsOfMemory) {
  for (std::size_t const device : {std::size_t(1) << 20, (std::size_t(3) << 30) + 5, std::size_t(80) << 30}) {
    std::string lines;
    for (std::string const& value : values)
      lines +=
          "  \"" + replaced(value, most_threads, "MAX") + "\" is " +
          std::to_string(value == most_threads || value == values[1] ? 0 : Kokkos::Impl::memory_limit(value, device)) +
          '\n';
    for (char const* value : {"1MiB", "1048575", "0.99MiB", "1.5MiB", "-1GiB", "1KiB", "1024KiB", "1TiB", "50 %", "GiB",
                              "1e300GiB", "nan%", "inf", "33.3%", "0.00001%", "1GiBx", "1B"})
      lines +=
          std::string("  \"") + value + "\" is " + std::to_string(Kokkos::Impl::memory_limit(value, device)) + '\n';
    Journal::of_this_test().add("a device of " + std::to_string(device), lines);
  }
}

// Names of other programs that end or begin like one of these, and have many other letters.
TEST(ClosestVariable, IsNoneIfManyLettersDiffer) {
  for (char const* name :
       {"KOKKOS_QWERTYUIOP_NUM_THREADS", "KOKKOS_QWERTYUIOPNUM_THREADS", "KOKKOS_NUM_THREADS_QWERTYUIOP",
        "KOKKOS_XYZXYZXYZDEVICE_ID", "KOKKOS_OURPROGRAMCOPY_CHECK", "KOKKOS_COPY_QWERTY_CHECK_UIOP"})
    EXPECT_EQ(Kokkos::Impl::closest_variable(name), "") << name;
  EXPECT_EQ(Kokkos::Impl::closest_variable("KOKKOS_XNUM_THREADS"), "KOKKOS_NUM_THREADS");
  EXPECT_EQ(Kokkos::Impl::closest_variable("KOKKOS_NUM_HTREADS"), "KOKKOS_NUM_THREADS");
}

TEST_F(SettingsTables, NamesOfVariables) {
  std::string lines;
  for (std::string const& name :
       {"KOKKOS_NUM_THREADS", "KOKKOS_NUM_THREAD", "KOKKOS_NUMTHREADS", "KOKKOS_THREADS", "KOKKOS_DEVICE",
        "KOKKOS_VISIBLE_DEVICE", "KOKKOS_VISIBLE_DEVICES", "KOKKOS_PROFILE_LIBRARY", "KOKKOS_TOOLS_LIB",
        "KOKKOS_TOOLS_LIBS", "KOKKOS_TOOLS_TIMER_JSON", "KOKKOS_ROOT", "KOKKOS_STAGE_MB", "KOKKOS_COPYCHECK",
        "KOKKOS_EXPLAIN_WAIT", "KOKKOS_"})
    lines += std::string("  ") + name + (Kokkos::Impl::is_known_variable(name) ? " is known" : " is not known") +
             ", means \"" + Kokkos::Impl::closest_variable(name) + "\"\n";
  Journal::of_this_test().add("variables", lines);
  Journal::of_this_test().add("--kokkos-help", "  " + replaced(Kokkos::Impl::help_text(), "\n", "\n  ") + '\n');
}

}  // namespace
