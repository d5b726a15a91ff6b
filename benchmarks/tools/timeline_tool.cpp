// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tool that records the begin and end of kernels, copies, fences and regions; benchmarks/timeline.py draws them.
///
///     c++ -std=c++17 -O2 -shared -fPIC benchmarks/tools/timeline_tool.cpp -o libkokkos_timeline.so
///     KOKKOS_TOOLS_LIBS=$PWD/libkokkos_timeline.so KOKKOS_TIMELINE=pageable.tsv <program>
///     benchmarks/timeline.py pageable.tsv -o timeline.svg
///
/// It depends only on the C interface of tools, so it works with any version of Kokkos since 3.4. Events stay in memory
/// until the program ends; recording an event waits for no device.
///
/// One line for each event, separated by tabs:
///   seconds  event  thread  number  device  bytes  label  details
/// `event` is for, reduce, scan, copy, fence, region or mark, with + for begin and - for end. `number` links the end to
/// the begin if the interface provides that. Ends of copies have no number, and asynchronous copies end on other
/// threads.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace timeline {

struct Event {
  double seconds;
  char const* what;
  int thread;
  std::uint64_t number;
  std::uint32_t device;
  std::uint64_t bytes;
  std::string label, details;
};

using Clock = std::chrono::steady_clock;

std::mutex mutex;  // guards the next two variables
std::vector<Event> events;
std::uint64_t last_number = 0;
Clock::time_point start;

int this_thread() {  // must be called under the mutex
  static int threads      = 0;
  thread_local int number = threads++;
  return number;
}

/// Records an event; the begin of a numbered one gets the next number, which is returned.
std::uint64_t record(char const* what, std::uint64_t number, std::uint32_t device = 0, std::uint64_t bytes = 0,
                     std::string label = {}, std::string details = {}, bool numbered = false) {
  double const seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::lock_guard<std::mutex> lock(mutex);
  if (numbered) number = ++last_number;
  events.push_back({seconds, what, this_thread(), number, device, bytes, std::move(label), std::move(details)});
  return number;
}

std::uint64_t begin(char const* what, char const* label, std::uint32_t device) {
  return record(what, 0, device, 0, label ? label : "", {}, true);
}

/// Labels may contain any character, but a line must not contain additional tabs and line ends.
void print(std::FILE* file, std::string const& text) {
  for (char const c : text) std::fputc(c == '\t' || c == '\n' || c == '\r' ? ' ' : c, file);
}

void write() {
  char const* path = std::getenv("KOKKOS_TIMELINE");
  if (path == nullptr || *path == '\0') path = "kokkos_timeline.tsv";
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) {
    std::fprintf(stderr, "timeline tool: %s (from KOKKOS_TIMELINE) cannot be written; nothing was kept.\n", path);
    return;
  }
  std::fputs("seconds\tevent\tthread\tnumber\tdevice\tbytes\tlabel\tdetails\n", file);
  std::lock_guard<std::mutex> lock(mutex);
  for (Event const& e : events) {
    std::fprintf(file, "%.9f\t%s\t%d\t%llu\t%u\t%llu\t", e.seconds, e.what, e.thread,
                 static_cast<unsigned long long>(e.number), e.device, static_cast<unsigned long long>(e.bytes));
    print(file, e.label);
    std::fputc('\t', file);
    print(file, e.details);
    std::fputc('\n', file);
  }
  if (std::fclose(file) != 0) std::fprintf(stderr, "timeline tool: %s is incomplete: the disk is full?\n", path);
}

}  // namespace timeline

/// Layouts of the C interface, as the library defines them.
struct TimelineSpace {
  char name[64];
};
struct TimelineSettings {
  bool requires_global_fencing;
  bool padding[255];
};

extern "C" {

void kokkosp_init_library(int const, std::uint64_t const, std::uint32_t const, void*) {
  timeline::events.reserve(1 << 16);
  timeline::start = timeline::Clock::now();
}
void kokkosp_finalize_library() { timeline::write(); }

// Otherwise the library would wait for all devices at each event, and nothing would overlap.
void kokkosp_request_tool_settings(std::uint32_t const, TimelineSettings* settings) {
  settings->requires_global_fencing = false;
}

#define KOKKOS_TIMELINE_PAIR(name, what)                                                            \
  void kokkosp_begin_##name(const char* label, const std::uint32_t device, std::uint64_t* number) { \
    *number = timeline::begin(what "+", label, device);                                             \
  }                                                                                                 \
  void kokkosp_end_##name(std::uint64_t number) { timeline::record(what "-", number); }
KOKKOS_TIMELINE_PAIR(parallel_for, "for")
KOKKOS_TIMELINE_PAIR(parallel_reduce, "reduce")
KOKKOS_TIMELINE_PAIR(parallel_scan, "scan")
KOKKOS_TIMELINE_PAIR(fence, "fence")
#undef KOKKOS_TIMELINE_PAIR

void kokkosp_begin_deep_copy(TimelineSpace to_space, const char* to, const void*, TimelineSpace from_space,
                             const char* from, const void*, std::uint64_t bytes) {
  std::string label = std::string(from ? from : "") + " > " + (to ? to : "");
  timeline::record("copy+", 0, 0, bytes, std::move(label), std::string(from_space.name) + " > " + to_space.name, true);
}
void kokkosp_end_deep_copy() { timeline::record("copy-", 0); }

void kokkosp_push_profile_region(char const* name) { timeline::record("region+", 0, 0, 0, name ? name : ""); }
void kokkosp_pop_profile_region() { timeline::record("region-", 0); }
void kokkosp_profile_event(char const* name) { timeline::record("mark", 0, 0, 0, name ? name : ""); }

}  // extern "C"
