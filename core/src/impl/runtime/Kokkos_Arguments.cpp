// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parsing of environment variables and command-line arguments.
///
/// One table lists the options. The names in the environment and on the command line, values, checks, messages and the
/// help text are all derived from it.

#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <thread>
#include <variant>

namespace Kokkos::Impl {

namespace {

using Settings   = InitializationSettings;
using BoolSetter = Settings& (Settings::*)(bool);
using IntSetter  = Settings& (Settings::*)(int);
using TextSetter = Settings& (Settings::*)(std::string);
using Setter     = std::variant<BoolSetter, IntSetter, TextSetter>;

struct Option {
  char const* name;  // without prefix: "num-threads" is --kokkos-num-threads and KOKKOS_NUM_THREADS
  Setter set;
  char const* value;  // the value's placeholder in the help text; "" if no value is needed
  char const* help;
};

Option const options[] = {
    {"num-threads", &Settings::set_num_threads, "INT", "number of threads of the host's parallel backend"},
    {"device-id", &Settings::set_device_id, "INT", "device to use, counted from 0"},
    {"map-device-id-by", &Settings::set_map_device_id_by, "(random|mpi_rank)",
     "strategy for choosing a device if none is specified: random, or cyclic by the rank among\n"
     "the MPI processes of this node (the default)"},
    {"disable-warnings", &Settings::set_disable_warnings, "", "write no warnings"},
    {"print-configuration", &Settings::set_print_configuration, "",
     "print the configuration of Kokkos and of the machine"},
    {"tune-internals", &Settings::set_tune_internals, "",
     "let a tool tune launch parameters; otherwise heuristics are used"},
    {"pageable-copy", &Settings::set_pageable_copy, "(blocking|default|async)",
     "when deep_copy with an instance returns, for pageable host memory: when the copy has ended;\n"
     "at once if a view owns the memory, otherwise when the copy no longer uses the memory\n"
     "(default); or always at once"},
    {"copy-check", &Settings::set_copy_check, "",
     "overwrite host destinations of asynchronous copies until the data has arrived, so that a\n"
     "program that reads them without a fence sees it"},
    {"copy-explain", &Settings::set_copy_explain, "",
     "write a line for each copy: its size, the kinds of memory, its route, and why"},
    {"explain-waits", &Settings::set_explain_waits, "",
     "write a table when Kokkos is finalized: where and why the host waited for devices, for how\n"
     "long, and what to change"},
    {"staging-mb", &Settings::set_staging_mb, "INT",
     "MiB of pinned memory for copies of pageable host memory, for each device"},
    {"staging-threads", &Settings::set_staging_threads, "INT", "maximum number of host threads for such copies"},
    {"device-memory-pool-mb", &Settings::set_device_memory_pool_mb, "INT",
     "MiB of each device's memory that Kokkos keeps for later views while no view uses\n"
     "them; 0: views take their memory from the system and return it"},
    {"profiler-ranges", &Settings::set_profiler_ranges, "(nvtx|roctx)",
     "without a tool, name kernels, regions and fences as ranges in the profiler: NVIDIA's or AMD's"},
    {"device-memory-limit", &Settings::set_device_memory_limit, "SIZE",
     "maximum memory of views on each device, with what Kokkos keeps for later views: 40GiB,\n"
     "512MiB, or 50% of the device"},
    {"tools-libs", &Settings::set_tools_libs, "STR",
     "tool to load: a path, or a name that the dynamic linker finds (LD_LIBRARY_PATH)"},
    {"tools-help", &Settings::set_tools_help, "", "let the tool print which arguments it takes, and exit"},
    {"tools-args", &Settings::set_tools_args, "STR",
     "arguments for the tool, one string of words: --kokkos-tools-args=\"-c input.txt\""},
};

// Names of earlier versions.
struct OldName {
  char const* old;
  char const* now;
};
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
const OldName old_arguments[] = {{"threads", "num-threads"}, {"device", "device-id"}, {"tools-library", "tools-libs"}};
#endif

const Option* find_option(std::string_view name) {
  for (Option const& o : options)
    if (name == o.name) return &o;
  return nullptr;
}

/// The number of insertions, deletions and replacements of letters between two words.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0]               = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal                   = row[j];
      row[j]                     = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// The most likely correct name for a misspelt one: a name that starts with it, or that differs in few letters; else
/// empty.
std::string_view closest_name(std::string_view name) {
  std::string_view best;
  std::size_t distance = 3 + name.size() / 5;
  auto const consider  = [&](std::string_view candidate, std::string_view meant) {
    bool const begins       = name.size() >= 3 && candidate.starts_with(name);
    std::size_t const apart = begins ? 1 : letters_apart(name, candidate);
    if (apart >= distance) return;
    distance = apart;
    best     = meant;
  };
  for (Option const& o : options) consider(o.name, o.name);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  for (OldName const& o : old_arguments) consider(o.old, o.now);
#endif
  consider("help", "help");
  return best;
}

std::string variable_name(Option const& o) {
  std::string name = std::string("KOKKOS_") + o.name;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// ---- values -----------------------------------------------------------------------------------------------------

struct IntRange {
  int lowest, highest;
  std::string meaning;
};

IntRange allowed_range(std::string_view option) {
  if (option == "num-threads" || option == "staging-threads") return {1, max_num_threads(), "a number of threads"};
  if (option == "device-memory-pool-mb") return {0, 1 << 20, "a number of MiB"};
  if (option == "staging-mb") return {1, 65536, "a number of MiB"};
  return {0, INT_MAX, "the number of a device"};
}

// `where` begins the message: "the environment variable KOKKOS_NUM_THREADS=abc".
[[noreturn]] void refuse(std::string const& where, std::string const& found, std::string const& allowed) {
  throw_runtime_exception("Kokkos::initialize: " + where + ' ' + found + ". Allowed is " + allowed + '.');
}

int check_int(std::string const& where, std::string_view option, long long value) {
  IntRange const range = allowed_range(option);
  if (value < range.lowest || value > range.highest) {
    refuse(where, "is out of range",
           range.meaning + " from " + std::to_string(range.lowest) + " to " + std::to_string(range.highest));
  }
  return static_cast<int>(value);
}

int parse_int(std::string const& where, std::string_view option, std::string_view text) {
  long long value    = 0;
  char const* begin  = text.data();
  char const* end    = begin + text.size();
  auto const [p, ec] = std::from_chars(begin, end, value);
  bool const too_big = ec == std::errc::result_out_of_range && p == end;
  if (!too_big && (ec != std::errc() || p != end)) {
    IntRange const range = allowed_range(option);
    refuse(where, "is not an integer",
           range.meaning + " from " + std::to_string(range.lowest) + " to " + std::to_string(range.highest));
  }
  // A number that does not fit into a long long is out of range, whatever its sign.
  return check_int(where, option, too_big ? LLONG_MAX : value);
}

bool parse_bool(std::string const& where, std::string_view text) {
  for (char const* yes : {"true", "yes", "1"})
    if (same_ignoring_case(text, yes)) return true;
  for (char const* no : {"false", "no", "0"})
    if (same_ignoring_case(text, no)) return false;
  refuse(where, "is not a truth value", "one of true, yes, 1, false, no, 0");
}

void check_strategy(std::string const& where, std::string_view text) {
  if (text != "random" && text != "mpi_rank")
    refuse(where, "is not a strategy for choosing a device", "random or mpi_rank");
}

void check_pageable_copy(std::string const& where, std::string_view text) {
  if (text != "async" && text != "blocking" && text != "default")
    refuse(where, "is not a mode of copies", "blocking, default or async");
}

void check_memory_limit(std::string const& where, std::string_view text) {
  constexpr std::size_t any_device = std::size_t(1) << 40;
  if (memory_limit(text, any_device) == 0)
    refuse(where, "is not a size of at least 1 MiB", "a number and a unit: 40GiB, 512MiB, or 50%");
}

void check_profiler_ranges(std::string const& where, std::string_view text) {
  if (text != "nvtx" && text != "roctx") refuse(where, "is not an interface of a profiler", "nvtx or roctx");
}

void apply(Settings& settings, Option const& o, std::string const& where, std::string_view text) {
  if (auto const* set_bool = std::get_if<BoolSetter>(&o.set)) {
    (settings.**set_bool)(parse_bool(where, text));
  } else if (auto const* set_int = std::get_if<IntSetter>(&o.set)) {
    (settings.**set_int)(parse_int(where, o.name, text));
  } else {
    if (std::string_view(o.name) == "map-device-id-by") check_strategy(where, text);
    if (std::string_view(o.name) == "pageable-copy") check_pageable_copy(where, text);
    if (std::string_view(o.name) == "device-memory-limit") check_memory_limit(where, text);
    if (std::string_view(o.name) == "profiler-ranges") check_profiler_ranges(where, text);
    (settings.*std::get<TextSetter>(o.set))(std::string(text));
  }
}

void warn_of_two_devices(ParsedSettings& parsed, char const* source) {
  if (parsed.settings.has_device_id() && parsed.settings.has_map_device_id_by()) {
    parsed.warnings.push_back(std::string("Kokkos::initialize: ") + source + " specify both device " +
                              std::to_string(parsed.settings.get_device_id()) + " and the strategy " +
                              parsed.settings.get_map_device_id_by() + "; the specified device is used.");
  }
}

// ---- one argument -----------------------------------------------------------------------------------------------

constexpr std::string_view prefix = "--kokkos-";

// True if the argument was recognised.
bool parse_argument(ParsedSettings& parsed, std::string_view argument) {
  std::string_view const body = argument.substr(prefix.size());
  std::size_t const equals    = body.find('=');
  bool const has_value        = equals != std::string_view::npos;
  std::string_view name       = body.substr(0, equals);
  std::string where           = "the command-line argument " + std::string(argument);
  if (name == "help" && !has_value) return parsed.help = true;

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  for (OldName const& o : old_arguments) {
    if (name != o.old) continue;
    name = o.now;
    parsed.warnings.push_back("Kokkos::initialize: " + where + " is deprecated; use --kokkos-" + o.now + " instead.");
  }
#endif
  const Option* option = find_option(name);
  if (option == nullptr) {
    std::string_view const meant = closest_name(name);
    parsed.warnings.push_back(
        "Kokkos::initialize: " + where + " is not recognised and stays in the argument list; " +
        (meant.empty() ? std::string() : "did you mean " + std::string(prefix) + std::string(meant) + "? ") +
        "--kokkos-help lists the arguments.");
    return false;
  }
  if (has_value) {
    apply(parsed.settings, *option, where, body.substr(equals + 1));
  } else if (std::holds_alternative<BoolSetter>(option->set)) {
    apply(parsed.settings, *option, where, "true");
  } else {
    refuse(where, "has no value", std::string(prefix) + option->name + '=' + option->value);
  }
  return true;
}

}  // namespace

int max_num_threads() {
  // Counted once: the C library reads a file for it, which would take longer than to make an instance.
  static int const processors = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1024, processors > INT_MAX / 16 ? INT_MAX : 16 * processors);
}

/// The value of an environment variable, or null. A program with the privileges of another user (set-user-ID) gets null:
/// among the settings is the name of a library to load.
static char const* variable_value(char const* name) {
#if defined(__GLIBC__)
  return ::secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

ParsedSettings parse_environment() {
  ParsedSettings parsed;
  for (Option const& o : options) {
    std::string const name = variable_name(o);
    char const* value      = variable_value(name.c_str());
    if (value == nullptr || *value == '\0') continue;
    apply(parsed.settings, o, "the environment variable " + name + '=' + value, value);
  }
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  if (const char* library = variable_value("KOKKOS_PROFILE_LIBRARY"); library != nullptr && *library != '\0') {
    std::string const where = std::string("the environment variable KOKKOS_PROFILE_LIBRARY=") + library;
    if (parsed.settings.has_tools_libs() && parsed.settings.get_tools_libs() != library) {
      refuse(where, "contradicts KOKKOS_TOOLS_LIBS=" + parsed.settings.get_tools_libs(),
             "one of them, KOKKOS_TOOLS_LIBS");
    }
    parsed.settings.set_tools_libs(library);
    parsed.warnings.push_back("Kokkos::initialize: " + where + " is deprecated; use KOKKOS_TOOLS_LIBS instead.");
  }
#endif
  warn_of_two_devices(parsed, "environment variables");
  return parsed;
}

ParsedSettings parse_arguments(int& argc, char* argv[]) {
  ParsedSettings parsed;
  std::vector<char*> kept;
  for (int i = 0; i < argc; ++i) {
    bool const is_text = argv[i] != nullptr && std::string_view(argv[i]).starts_with(prefix);
    if (!is_text || !parse_argument(parsed, argv[i])) kept.push_back(argv[i]);
  }
  warn_of_two_devices(parsed, "command-line arguments");
  int const remaining = static_cast<int>(kept.size());
  std::copy(kept.begin(), kept.end(), argv);
  // argv[old argc] is the terminating null pointer, so it needs no write if nothing was removed.
  if (remaining < argc) argv[remaining] = nullptr;
  argc = remaining;
  return parsed;
}

namespace {

// Programs that let their users choose pass 0 or -1 for "as many as there are".
bool chooses_threads(Settings const& settings) {
  return settings.has_num_threads() && settings.get_num_threads() != 0 && settings.get_num_threads() != -1;
}

}  // namespace

ParsedSettings merge(ParsedSettings const& base, ParsedSettings const& over) {
  ParsedSettings merged;
  Settings const& b = base.settings;
  Settings const& o = over.settings;
  Settings& m       = merged.settings;
#define KOKKOS_IMPL_TAKE(NAME)    \
  if (o.has_##NAME())             \
    m.set_##NAME(o.get_##NAME()); \
  else if (b.has_##NAME())        \
  m.set_##NAME(b.get_##NAME())
  if (chooses_threads(o))
    m.set_num_threads(o.get_num_threads());
  else if (chooses_threads(b))
    m.set_num_threads(b.get_num_threads());
  KOKKOS_IMPL_TAKE(device_id);
  KOKKOS_IMPL_TAKE(map_device_id_by);
  KOKKOS_IMPL_TAKE(disable_warnings);
  KOKKOS_IMPL_TAKE(print_configuration);
  KOKKOS_IMPL_TAKE(tune_internals);
  KOKKOS_IMPL_TAKE(pageable_copy);
  KOKKOS_IMPL_TAKE(copy_check);
  KOKKOS_IMPL_TAKE(copy_explain);
  KOKKOS_IMPL_TAKE(explain_waits);
  KOKKOS_IMPL_TAKE(staging_mb);
  KOKKOS_IMPL_TAKE(staging_threads);
  KOKKOS_IMPL_TAKE(device_memory_pool_mb);
  KOKKOS_IMPL_TAKE(profiler_ranges);
  KOKKOS_IMPL_TAKE(device_memory_limit);
  KOKKOS_IMPL_TAKE(tools_help);
  KOKKOS_IMPL_TAKE(tools_libs);
  KOKKOS_IMPL_TAKE(tools_args);
#undef KOKKOS_IMPL_TAKE
  merged.help     = base.help || over.help;
  merged.warnings = base.warnings;
  merged.warnings.insert(merged.warnings.end(), over.warnings.begin(), over.warnings.end());
  return merged;
}

bool is_known_variable(std::string const& name) {
  // Tools have their own variables with this prefix.
  if (name == "KOKKOS_VISIBLE_DEVICES" || name == "KOKKOS_PROFILE_LIBRARY") return true;
  if (name.starts_with("KOKKOS_TOOLS_") && closest_variable(name).empty()) return true;
  return std::any_of(std::begin(options), std::end(options), [&](Option const& o) { return name == variable_name(o); });
}

std::string closest_variable(std::string const& name) {
  std::string option = name.substr(std::string_view("KOKKOS_").size());
  for (char& c : option) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (letters_apart(option, "visible-devices") <= 3) return "KOKKOS_VISIBLE_DEVICES";
  Option const* const meant = find_option(closest_name(option));
  return meant == nullptr ? std::string() : variable_name(*meant);
}

void check_settings(InitializationSettings const& settings) {
  if (chooses_threads(settings)) {
    check_int("the setting num_threads = " + std::to_string(settings.get_num_threads()), "num-threads",
              settings.get_num_threads());
  }
  if (settings.has_map_device_id_by()) {
    check_strategy("the setting map_device_id_by = \"" + settings.get_map_device_id_by() + '"',
                   settings.get_map_device_id_by());
  }
  if (settings.has_pageable_copy()) {
    check_pageable_copy("the setting pageable_copy = \"" + settings.get_pageable_copy() + '"',
                        settings.get_pageable_copy());
  }
  if (settings.has_device_memory_limit()) {
    check_memory_limit("the setting device_memory_limit = \"" + settings.get_device_memory_limit() + '"',
                       settings.get_device_memory_limit());
  }
  if (settings.has_profiler_ranges()) {
    check_profiler_ranges("the setting profiler_ranges = \"" + settings.get_profiler_ranges() + '"',
                          settings.get_profiler_ranges());
  }
  if (settings.has_staging_mb()) {
    check_int("the setting staging_mb = " + std::to_string(settings.get_staging_mb()), "staging-mb",
              settings.get_staging_mb());
  }
  if (settings.has_device_memory_pool_mb()) {
    check_int("the setting device_memory_pool_mb = " + std::to_string(settings.get_device_memory_pool_mb()),
              "device-memory-pool-mb", settings.get_device_memory_pool_mb());
  }
  if (settings.has_staging_threads()) {
    check_int("the setting staging_threads = " + std::to_string(settings.get_staging_threads()), "staging-threads",
              settings.get_staging_threads());
  }
}

std::string help_text() {
  std::string text =
      "Arguments of Kokkos. Each can also be given as an environment variable: KOKKOS_NUM_THREADS=4 is equivalent to\n"
      "--kokkos-num-threads=4. Arguments, and settings of the program, take precedence over variables.\n"
      "Truth values are true, yes, 1, false, no and 0; an argument without a value means true.\n\n"
      "  --kokkos-help\n      print this text and exit\n";
  for (Option const& o : options) {
    text += std::string("  --kokkos-") + o.name + (*o.value != '\0' ? "=" : "") + o.value + "\n      ";
    for (char const* c = o.help; *c != '\0'; ++c) text += *c == '\n' ? std::string("\n      ") : std::string(1, *c);
    text += '\n';
  }
  return text;
}

}  // namespace Kokkos::Impl
