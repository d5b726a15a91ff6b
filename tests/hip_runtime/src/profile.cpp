// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hip_model {

namespace {
constexpr std::size_t GiB = std::size_t(1) << 30;

// The result of hipRuntimeGetVersion.
constexpr int rocm_6_2 = 60241133;
constexpr int rocm_6_4 = 60443480;
constexpr int rocm_7_0 = 70051831;

/// A discrete GPU under a runtime that behaves as documented.
constexpr Profile documented = {
    .name = "strict",
    .source =
        "The documentation of ROCm 5.2 to 7: hipEventSynchronize and hipEventQuery document "
        "hipErrorInvalidHandle; hipGetLastError as of ROCm 7.0. Events share the capture of their stream as in clr, "
        "hip_event.cpp, since ROCm 6.0.2 (hipEventSynchronize) and 6.2 (hipEventQuery).",
    .device_name                            = "HIP model, strict",
    .architecture                           = "gfx90a",
    .compute_units                          = 8,
    .wavefront                              = 64,
    .memory                                 = 4 * GiB,
    .unified_memory                         = false,
    .integrated                             = false,
    .event_of_destroyed_stream              = hipErrorInvalidHandle,
    .destroyed_stream                       = hipErrorInvalidHandle,
    .destroyed_event_again                  = hipErrorInvalidHandle,
    .free_of_unknown_memory                 = hipErrorInvalidDevicePointer,
    .wrong_copy_direction                   = hipErrorInvalidMemcpyDirection,
    .released_too_often                     = hipErrorInvalidValue,
    .user_objects_end_in_release            = false,
    .wait_for_event_of_destroyed_stream     = false,
    .event_query_ignores_captures_elsewhere = false,
    .events_share_capture_of_stream         = true,
    .captures_refuse_host_functions         = false,
    .events_ignore_mode_of_thread           = false,
    .invalidated_captures_stay              = false,
    .managed_memory_is_pinned               = false,
    .memset_accepts_pageable                = false,
    .last_error_is_of_last_call             = false,
    .runtime_version                        = rocm_6_4,
};

/// Common to ROCm 6: hipGetLastError reports on the last call, even a successful one (hip-7-changes.rst, "Update
/// hipGetLastError", documents the change in 7.0). hipStreamWaitEvent treats an event whose stream was destroyed as
/// completed, and hipEventQuery ignores captures of other streams (clr, rocm-6.2.0, hip_stream.cpp and hip_event.cpp),
/// and returns hipErrorContextIsDestroyed for a destroyed stream or event, and hipErrorInvalidValue for hipFree of
/// memory that it did not allocate (hip_memory.cpp). It derives the direction of a copy from the pointers
/// (hip_memory.cpp), and does not check counts of references to user objects (hip_graph_internal.hpp);
/// hipEventSynchronize reads the destroyed stream's memory and may find a capture there.
constexpr Profile rocm_6(char const* name, char const* source, int runtime_version) {
  Profile p                                = documented;
  p.name                                   = name;
  p.source                                 = source;
  p.memory                                 = 16 * GiB;
  p.event_of_destroyed_stream              = hipErrorCapturedEvent;
  p.destroyed_stream                       = hipErrorContextIsDestroyed;
  p.destroyed_event_again                  = hipErrorContextIsDestroyed;
  p.free_of_unknown_memory                 = hipErrorInvalidValue;
  p.wrong_copy_direction                   = hipSuccess;
  p.released_too_often                     = hipSuccess;
  p.user_objects_end_in_release            = true;
  p.wait_for_event_of_destroyed_stream     = true;
  p.event_query_ignores_captures_elsewhere = true;
  p.last_error_is_of_last_call             = true;
  p.runtime_version                        = runtime_version;
  return p;
}

/// ROCm 7.0 as it was released. Later versions of ROCm 7 corrected each of the three.
constexpr Profile rocm_7(char const* name, char const* source) {
  Profile p                        = documented;
  p.name                           = name;
  p.source                         = source;
  p.captures_refuse_host_functions = true;
  p.events_ignore_mode_of_thread   = true;
  p.invalidated_captures_stay      = true;
  p.runtime_version                = rocm_7_0;
  return p;
}

/// A GPU without page faults (XNACK), whose kernel driver has no managed memory: hip_runtime_api.h of ROCm 6 documents
/// that hipMallocManaged then does what hipMallocHost does.
constexpr Profile radeon_pro_vii(Profile p) {
  p.device_name              = "HIP model of AMD Radeon Pro VII";
  p.architecture             = "gfx906:sramecc+:xnack-";
  p.compute_units            = 60;
  p.managed_memory_is_pinned = true;
  return p;
}

constexpr Profile mi300x(Profile p) {
  p.device_name   = "HIP model of AMD Instinct MI300X";
  p.architecture  = "gfx942:sramecc+:xnack-";
  p.compute_units = 304;
  p.memory        = 16 * GiB;
  return p;
}

constexpr Profile mi250x(Profile p) {
  p.device_name   = "HIP model of AMD Instinct MI250X";
  p.architecture  = "gfx90a:sramecc+:xnack-";
  p.compute_units = 110;  // of one die, as hipGetDeviceProperties reports
  return p;
}

constexpr Profile mi300a(Profile p, bool memset_accepts_pageable) {
  p.device_name             = "HIP model of AMD Instinct MI300A";
  p.architecture            = "gfx942:sramecc+:xnack+";
  p.compute_units           = 228;
  p.unified_memory          = true;
  p.integrated              = true;
  p.memset_accepts_pageable = memset_accepts_pageable;
  return p;
}

constexpr Profile table[] = {
    documented,
    radeon_pro_vii(rocm_6("radeon-pro-vii-rocm-6.4",
                          "github.com/kokkos/kokkos/issues/8006 and github.com/ROCm/ROCm/issues/4670 "
                          "(hipErrorCapturedEvent from hipEventSynchronize for an event of a destroyed stream; "
                          "sporadic there, each time here), github.com/ROCm/clr/issues/157; kokkos/issues/7942 "
                          "(hipErrorStreamCaptureUnsupported while another stream is captured).",
                          rocm_6_4)),
    mi300a(rocm_6("mi300a-rocm-6.2",
                  "github.com/kokkos/kokkos/issues/7377 (hipErrorInvalidValue from hipMemsetAsync for memory "
                  "of malloc, which kernels reach; ROCm 6.2.0 and before).",
                  rocm_6_2),
           false),
    mi300a(rocm_6("mi300a-rocm-6.4",
                  "As mi300a-rocm-6.2; kokkos/issues/7377 names ROCm 6.2.0 and before, so memset accepts pageable "
                  "memory here (the report's converse, not seen on hardware).",
                  rocm_6_4),
           true),
    mi250x(rocm_6("mi250x-rocm-6.4",
                  "clr, hip_event.cpp and hip_stream.cpp (the same code for every device); "
                  "hipGetDeviceProperties of an MI250X: 110 compute units per die.",
                  rocm_6_4)),
    mi300x(rocm_7("mi300x-rocm-7.0",
                  "github.com/ROCm/ROCm/issues/5337 (hipErrorStreamCaptureUnsupported from hipLaunchHostFunc); "
                  "github.com/ROCm/rocm-systems/pull/3169 and 3176 (hipEventQuery and hipEventSynchronize disregard "
                  "the capture mode of the thread), 6097 and 6509 (after an unsafe call, streams stay in the "
                  "invalidated capture, and calls go on to fail).")),
};

Profile const* profile_of_environment() {
  char const* name = std::getenv("HIP_MODEL_PROFILE");
  if (!name || !*name) return &table[0];
  if (Profile const* found = find_profile(name)) return found;
  std::fprintf(stderr, "HIP model (a test instrument, not a GPU): HIP_MODEL_PROFILE=%s is not a profile. There are:\n",
               name);
  for (Profile const& p : table) std::fprintf(stderr, "  %s: %s\n", p.name, p.source);
  std::exit(2);
}

std::atomic<Profile const*>& chosen_profile() {
  static std::atomic<Profile const*> profile{profile_of_environment()};
  return profile;
}
}  // namespace

Profile const& current_profile() { return *chosen_profile().load(); }
void set_profile(Profile const* profile) { chosen_profile().store(profile); }

Profile const* find_profile(char const* name) {
  for (Profile const& p : table)
    if (std::strcmp(p.name, name) == 0) return &p;
  return nullptr;
}

Profile const* profile_table(std::size_t* size) {
  *size = sizeof table / sizeof *table;
  return table;
}

}  // namespace hip_model
