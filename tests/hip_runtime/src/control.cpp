// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control and inspection by tests, and the end of the process.
#include "faults.hpp"
#include "kernels.hpp"
#include "reports.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace hip_model {

void reset_reports() {
  Reports::get().reset();
  Faults::get().reset_counts();
  Kernels::get().reset_launches();
}
std::size_t call_count(char const* function) { return Faults::get().count(function); }
std::vector<std::string> functions_called() { return Faults::get().called(); }
std::vector<LaunchRecord> launches() { return Kernels::get().launches(); }

void fail_call(char const* function, unsigned nth, int error) {
  Faults::get().fail(function, nth, static_cast<hipError_t>(error));
}
void slow_call(char const* function, unsigned microseconds) { Faults::get().slow(function, microseconds); }
void clear_faults() { Faults::get().clear(); }

bool use_profile(char const* name) {
  Profile const* found = find_profile(name);
  if (!found) return false;
  set_profile(found);
  MemoryTable::get().set_limit(found->memory);
  return true;
}
std::string profile() { return current_profile().name; }
std::vector<std::string> profiles() {
  std::size_t size;
  Profile const* all = profile_table(&size);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size; ++i) names.push_back(all[i].name);
  return names;
}
void use_seed(std::uint64_t seed) { Scheduler::get().use_seed(seed); }
bool has_seed() { return Scheduler::get().has_seed(); }
void advance() { Scheduler::get().on_call(); }
void reuse_handles(bool yes) { HandleValues::reuse(yes); }
void set_device_memory(std::size_t bytes) {
  Lock lock = Scheduler::get().lock();
  MemoryTable::get().set_limit(bytes);
}
void make_error_sticky(int error) { set_sticky_error(this_thread().device, static_cast<hipError_t>(error)); }

namespace {

void add_leak(std::vector<Report>& leaks, Object const& object, std::string const& what, char const* note = "") {
  if (object.internal) return;
  leaks.push_back(
      {"leak", "at exit", 0, what + " was never given back." + note + "\n History:\n" + object.history.text()});
}

constexpr char const* note_on_memory =
    " The program, or a library in it, allocated it and still held it at the end, as a view does that outlives "
    "finalize(). The driver frees it then, so this is harmless unless such memory grows while a program runs.";

}  // namespace

std::size_t check_leaks() {
  Lock lock    = Scheduler::get().lock();
  State& state = State::get();
  for (int d = 0; d < device_count(); ++d) wait_for_device(lock, d);
  lock.unlock();
  wait_for_releases();
  lock.lock();
  std::vector<Report> leaks;
  auto add = [&](auto, Object const& object) { add_leak(leaks, object, object.name()); };
  state.streams.for_each_alive(add);
  state.events.for_each_alive(add);
  state.graphs.for_each_alive([&](hipGraph_t, Graph const& g) {
    if (!g.owned_by_node) add_leak(leaks, g, g.name());
  });
  state.execs.for_each_alive(add);
  state.user_objects.for_each_alive(add);
  state.pools.for_each_alive(add);
  MemoryTable::get().for_each_alive([&](Allocation const& a) { add_leak(leaks, a, a.description(), note_on_memory); });
  lock.unlock();
  for (Report& leak : leaks) Reports::get().add(std::move(leak));
  return leaks.size();
}

namespace {

// Runs after the destructors of static objects, which may still free what they own. With HIP_MODEL_STRICT_EXIT, a
// process that violated a rule exits with status 86; HIP_MODEL_CALLS names a file for the counts of calls.
__attribute__((destructor(101))) void at_exit() {
  static bool const strict = std::getenv("HIP_MODEL_STRICT_EXIT") != nullptr;
  check_leaks();
  if (char const* path = std::getenv("HIP_MODEL_CALLS"))
    if (std::FILE* file = std::fopen(path, "w")) {
      for (std::string const& name : functions_called())
        std::fprintf(file, "%s %zu\n", name.c_str(), call_count(name.c_str()));
      std::fclose(file);
    }
  std::size_t const broken = violation_count();
  if (broken == 0) return;
  std::fprintf(stderr, "HIP model (a test instrument, not a GPU), profile %s: %zu violation%s of HIP's rules.\n",
               profile().c_str(), broken, broken == 1 ? "" : "s");
  if (strict) {
    std::fflush(nullptr);
    _exit(86);
  }
}

}  // namespace
}  // namespace hip_model

using namespace hip_model;

extern "C" {
std::size_t hip_model_violation_count() { return violation_count(); }
char const* hip_model_last_report() {
  thread_local std::string text;
  Report const r = last_report();
  text           = r.rule.empty() ? "" : r.rule + ": " + r.message;
  return text.c_str();
}
void hip_model_reset() { reset_reports(); }
std::size_t hip_model_check_leaks() { return check_leaks(); }
void hip_model_fail_call(char const* function, unsigned nth, int error) { fail_call(function, nth, error); }
std::size_t hip_model_call_count(char const* function) { return call_count(function); }
std::size_t hip_model_launch_count() { return launches().size(); }
void const* hip_model_launch_arguments(std::size_t launch, std::size_t* bytes) {
  thread_local std::vector<unsigned char> arguments;
  auto const all = launches();
  arguments      = launch < all.size() ? all[launch].arguments : std::vector<unsigned char>();
  *bytes         = arguments.size();
  return arguments.data();
}
}
