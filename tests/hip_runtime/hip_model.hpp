// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_HPP
#define KOKKOS_TEST_HIP_MODEL_HPP

/// \file
/// How tests steer the HIP model (a test instrument, not a GPU) and ask it what it has seen.
///
/// Error codes are `int` here, so that a program can include this file before, after or without HIP's headers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hip_model {

/// A rule of HIP that a program broke.
struct Report {
  std::string rule;     ///< short and stable: "event-of-destroyed-stream", "use-after-free", "leak", ...
  std::string call;     ///< the function that was called, "at exit" for leaks
  int error = 0;        ///< what the call returned
  std::string message;  ///< a sentence, and the history of the object
};

// ---- what it has seen ---------------------------------------------------------------------------------------------

std::size_t violation_count();
/// The youngest report; empty fields when there is none.
Report last_report();
std::vector<Report> reports();
/// Forgets the reports, the recorded kernels and the counts of calls; nothing else changes.
void reset_reports();
/// Reports each object that is still alive as a violation of the rule "leak"; returns their number. Streams are drained
/// first. Also happens when the process exits.
std::size_t check_leaks();
/// How often a function of HIP has been called since the last reset; all functions together for "*".
std::size_t call_count(const char* function);
/// The functions of HIP called since the last reset, sorted.
std::vector<std::string> functions_called();

/// A kernel that was launched. The model's own kernels run; those that HIP's compiler built are only recorded.
struct LaunchRecord {
  std::string kernel;  ///< mangled name, or "kernel at <address>"
  const void* entry    = nullptr;
  unsigned grid[3]     = {};
  unsigned block[3]    = {};
  std::size_t shared   = 0;
  std::uint64_t stream = 0;              ///< number of the stream's life; 0 for a default stream
  std::vector<unsigned char> arguments;  ///< one after the other, at the offsets that the kernel's metadata give
  bool ran = false;
};
/// The youngest launches, at most 4096.
std::vector<LaunchRecord> launches();

// ---- steering -----------------------------------------------------------------------------------------------------

/// Lets the `nth` call (1: the next one) of `function` return `error` and do nothing else. "*" stands for any function.
void fail_call(const char* function, unsigned nth, int error);
/// Lets each call of `function` take so much longer; "operation" stands for each piece of work of a stream.
void slow_call(const char* function, unsigned microseconds);
void clear_faults();

/// Picks a profile by name (see profiles()); false if there is none. Only while nothing is alive.
bool use_profile(const char* name);
std::string profile();
std::vector<std::string> profiles();
/// Drives the order of work in streams by a seed: work only advances inside calls of HIP, as the seed says, so that a
/// single host thread replays exactly. 0 gives streams back to free running threads.
void use_seed(std::uint64_t seed);
/// Gives out destroyed handles again, at once, as HIP does. Otherwise no value comes twice, and each use of a destroyed
/// handle is found.
void reuse_handles(bool yes);
void set_device_count(int devices);         ///< before the first call of HIP
void set_device_memory(std::size_t bytes);  ///< of each device; later allocations fail beyond it
void set_wavefront_size(int lanes);         ///< 32 or 64
/// Puts the current device in error: each later call returns `error` until hipDeviceReset.
void make_error_sticky(int error);

}  // namespace hip_model

// The same for programs that know the shared library only by dlsym.
extern "C" {
std::size_t hip_model_violation_count();
/// Lives until the next call of this function by the same thread.
const char* hip_model_last_report();
void hip_model_reset();
std::size_t hip_model_check_leaks();
void hip_model_fail_call(const char* function, unsigned nth, int error);
std::size_t hip_model_call_count(const char* function);
std::size_t hip_model_launch_count();
/// The arguments of a recorded launch, in the layout of the kernel. Lives until the next call by the same thread.
const void* hip_model_launch_arguments(std::size_t launch, std::size_t* bytes);
}

#endif
