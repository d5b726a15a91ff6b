// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_PROFILE_HPP
#define KOKKOS_TEST_HIP_MODEL_PROFILE_HPP

/// \file
/// The behaviour of one platform, as data.

#include "api.hpp"

#include <cstddef>

namespace hip_model {

struct Profile {
  char const* name;
  char const* source;  ///< where each entry that differs from `strict` was reported or documented

  // The device.
  char const* device_name;
  char const* architecture;
  int compute_units;
  int wavefront;
  std::size_t memory;   ///< maximum of a program's allocations in the model, not the hardware's memory
  bool unified_memory;  ///< kernels and the runtime can access pageable host memory
  bool integrated;

  // The behaviour for violations of rules, or where versions differ.
  hipError_t event_of_destroyed_stream;     ///< from hipEventSynchronize and hipEventQuery
  hipError_t destroyed_stream;              ///< from any function with the handle of a destroyed stream
  hipError_t destroyed_event_again;         ///< from hipEventDestroy of a handle that is not an event
  hipError_t free_of_unknown_memory;        ///< from hipFree of memory that HIP did not allocate
  hipError_t wrong_copy_direction;          ///< from copies whose kind contradicts their pointers
  hipError_t released_too_often;            ///< from a release of more references than the user object has
  bool user_objects_end_in_release;         ///< the release of the last reference returns when the destructor has
  bool wait_for_event_of_destroyed_stream;  ///< hipStreamWaitEvent succeeds and waits for nothing
  bool event_query_ignores_captures_elsewhere;
  /// A stream that is being captured also lends this state to events that were recorded in it before: hipEventQuery and
  /// hipEventSynchronize return hipErrorCapturedEvent and invalidate the capture, and hipStreamWaitEvent by another
  /// stream returns hipErrorStreamCaptureIsolation and changes nothing.
  bool events_share_capture_of_stream;
  /// hipLaunchHostFunc in a stream that is being captured returns hipErrorStreamCaptureUnsupported and invalidates the
  /// capture.
  bool captures_refuse_host_functions;
  /// A capture in global mode forbids hipEventQuery and hipEventSynchronize also to threads in relaxed or thread-local
  /// mode.
  bool events_ignore_mode_of_thread;
  /// hipStreamEndCapture of an invalidated capture leaves the stream in it, and the capture goes on to forbid calls. It
  /// ends with its stream.
  bool invalidated_captures_stay;
  /// hipMallocManaged allocates pinned host memory, as hipHostMalloc does, and the device has no managed memory.
  bool managed_memory_is_pinned;
  bool memset_accepts_pageable;
  bool last_error_is_of_last_call;  ///< a successful call resets the result of hipGetLastError
  int runtime_version;
};

Profile const& current_profile();
Profile const* find_profile(char const* name);
Profile const* profile_table(std::size_t* size);
void set_profile(Profile const*);

}  // namespace hip_model

#endif
