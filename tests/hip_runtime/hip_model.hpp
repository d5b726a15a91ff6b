// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_HPP
#define KOKKOS_TEST_HIP_MODEL_HPP

/// \file
/// Control and inspection of the HIP model (a test instrument, not a GPU) by tests.
///
/// Error codes are `int` here, so that a program can include this file before, after or without HIP's headers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hip_model {

/// A violation of a rule of HIP.
struct Report {
  std::string rule;     ///< short and stable: "event-of-destroyed-stream", "use-after-free", "leak", ...
  std::string call;     ///< the called function, "at exit" for leaks
  int error = 0;        ///< the return value of the call
  std::string message;  ///< a sentence, and the history of the object
};

// ---- inspection ---------------------------------------------------------------------------------------------------

std::size_t violation_count();
/// The most recent report; empty fields if there is none.
Report last_report();
std::vector<Report> reports();
/// Removes the reports, the recorded kernels and the counts of calls; nothing else changes.
void reset_reports();
/// Reports each object that still exists as a violation of the rule "leak"; returns their number. Drains streams first.
/// Also called when the process exits.
std::size_t check_leaks();
/// Waits until the destructors of released user objects have ended, which run on a thread of the model.
void wait_for_releases();
/// Number of calls of a function of HIP since the last reset; of all functions for "*".
std::size_t call_count(char const* function);
/// The functions of HIP called since the last reset, sorted.
std::vector<std::string> functions_called();

/// A launched kernel. The model's own kernels run; kernels from HIP's compiler are only recorded.
struct LaunchRecord {
  std::string kernel;  ///< mangled name, or "kernel at <address>"
  void const* entry    = nullptr;
  unsigned grid[3]     = {};
  unsigned block[3]    = {};
  std::size_t shared   = 0;
  std::uint64_t stream = 0;              ///< number of the stream's life; 0 for a default stream
  std::vector<unsigned char> arguments;  ///< concatenated, at the offsets from the kernel's metadata
  bool ran = false;
};
/// The most recent launches, at most 4096.
std::vector<LaunchRecord> launches();

/// Work that a call has given to a stream, whether it has run or not; also what a capture records.
struct Submission {
  char const* what   = "";       ///< "a kernel", "a copy", "a fill", ...
  std::size_t bytes  = 0;        ///< of copies and fills
  void const* stream = nullptr;  ///< as the call named it
  int device         = 0;        ///< of the stream
  int current        = 0;        ///< device of the calling thread
};
/// The most recent submissions, at most 4096.
std::vector<Submission> submissions();
/// Number of submissions since the start; a reset does not change it.
std::size_t submission_count();

/// Number of streams, events and allocations of memory other than pinned memory, which every device reaches, that calls have
/// made while `device` was the current one.
std::size_t objects_made(int device);

/// The calls of all threads for which `device` was the current one, without those that ask for the device or choose it.
struct CallsOnDevice {
  std::size_t count = 0;
  char const* last  = "";  ///< name of the last one
};
CallsOnDevice calls_on(int device);

/// Whether the calling thread is in a function of HIP.
bool is_in_call();

/// Counts of the work of all streams, and of host threads that wait for work. With these a test detects blocked work
/// without a clock.
struct WorkCount {
  int running = 0;  ///< taken by a thread of the model
  int ready   = 0;  ///< would begin as soon as a thread takes it
  int held_up = 0;  ///< first in its stream, and waits for other work, a value in memory or a queue
  int callers = 0;  ///< host threads in a call that waits for work, or for a stream that another thread has locked
};
WorkCount work_count();

// ---- steering -----------------------------------------------------------------------------------------------------

/// Makes the `nth` call (1: the next one) of `function` return `error` without any other effect. "*" means any
/// function.
void fail_call(char const* function, unsigned nth, int error);
/// Makes each call of `function` take that much longer; "operation" means each piece of work of a stream.
void slow_call(char const* function, unsigned microseconds);
void clear_faults();

/// Selects a profile by name (see profiles()); false if there is none. Only while no object exists.
bool use_profile(char const* name);
std::string profile();
std::vector<std::string> profiles();
/// Determines the order of work in streams by a seed: work only advances inside calls of HIP, as the seed determines,
/// so that a single host thread reproduces it exactly. 0 restores free-running threads.
void use_seed(std::uint64_t seed);
bool has_seed();
/// For a thread that waits for work without a call of HIP: with a seed, lets work advance as a call does.
void advance();
/// Behaviour of ROCm that is undocumented, or that the documentation permits. All off by default; HIP_MODEL_AS_ROCM
/// turns all on.
struct Modes {
  bool one_kernel       = false;  ///< kernels run one at a time, and a wait for a value is a kernel that spins
  int queues            = 0;      ///< hardware queues of each device that its streams share; 0: one for each stream
  bool locked_streams   = false;  ///< other threads' calls on a stream wait while a thread synchronizes it
  bool signal_memory    = false;  ///< waits for values accept only memory of hipMallocSignalMemory
  bool captures_as_cuda = false;  ///< CUDA's stricter rules: only the thread that began a capture records events in it
                                  ///< (CUDA's driver crashes otherwise), and captures elsewhere forbid
                                  ///< hipGraphInstantiate; HIP_MODEL_AS_ROCM leaves it off
  bool at_once = false;           ///< a call returns when the work that it submits has ended, as on a device that is
                                  ///< faster than its host; HIP_MODEL_AS_ROCM leaves it off
  bool protects_memory = false;   ///< host code that accesses device memory while no work runs ends the program. For
                                  ///< memory from then on; HIP_MODEL_AS_ROCM leaves it off
};
/// The number of queues to which ROCm maps the streams of a device by default (GPU_MAX_HW_QUEUES).
inline constexpr int rocm_queues = 4;
/// Sets the modes. To be called only while streams have no work.
void use_modes(Modes const&);
Modes modes();
/// Reuses the values of destroyed handles at once, as HIP does. Otherwise each value is used only once, so every use of
/// a destroyed handle is detected.
void reuse_handles(bool yes);
void set_device_count(int devices);         ///< before the first call of HIP
void set_device_memory(std::size_t bytes);  ///< of each device; allocations that exceed it fail
void set_wavefront_size(int lanes);         ///< 32 or 64
/// `change` gets the hipDeviceProp_t of `device` whenever a call asks for properties or attributes; null: none.
void change_properties(int device, void (*change)(void* properties));
/// `device` cannot access the memory of `peer`; -1: each can access that of each, as at first.
void refuse_peer_access(int device, int peer);
/// Puts the current device into an error state: each later call returns `error` until hipDeviceReset.
void make_error_sticky(int error);

}  // namespace hip_model

// The same for programs that access the shared library only through dlsym.
extern "C" {
std::size_t hip_model_violation_count();
/// Valid until the next call of this function by the same thread.
char const* hip_model_last_report();
void hip_model_reset();
std::size_t hip_model_check_leaks();
void hip_model_fail_call(char const* function, unsigned nth, int error);
std::size_t hip_model_call_count(char const* function);
std::size_t hip_model_launch_count();
/// The arguments of a recorded launch, in the layout of the kernel. Valid until the next call by the same thread.
void const* hip_model_launch_arguments(std::size_t launch, std::size_t* bytes);
}

#endif
