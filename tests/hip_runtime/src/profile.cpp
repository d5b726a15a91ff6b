// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profile.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hip_model {

namespace {
constexpr std::size_t GiB = std::size_t(1) << 30;

// Common to ROCm 6: hipGetLastError reports on the last call, even a successful one (hip-7-changes.rst, "Update
// hipGetLastError", documents the change in 7.0). hipStreamWaitEvent takes an event whose stream is gone for one that
// has happened, and hipEventQuery pays no attention to captures of other streams (clr, rocm-6.2.0, hip_stream.cpp and
// hip_event.cpp), and answers with hipErrorContextIsDestroyed to a destroyed stream; hipEventSynchronize reads the
// destroyed stream's memory and may find a capture there.
constexpr Profile table[] = {
    {.name                      = "strict",
     .source                    = "The documentation of ROCm 5.2 to 7: hipEventSynchronize and hipEventQuery document "
                                  "hipErrorInvalidHandle; hipGetLastError as of ROCm 7.0.",
     .device_name               = "HIP model, strict",
     .architecture              = "gfx90a",
     .compute_units             = 8,
     .wavefront                 = 64,
     .memory                    = 4 * GiB,
     .unified_memory            = false,
     .integrated                = false,
     .event_of_destroyed_stream = hipErrorInvalidHandle,
     .destroyed_stream          = hipErrorInvalidHandle,
     .wait_for_event_of_destroyed_stream     = false,
     .event_query_ignores_captures_elsewhere = false,
     .memset_takes_plain_memory              = false,
     .last_error_is_of_last_call             = false,
     .runtime_version                        = 60443480},
    {.name                               = "radeon-pro-vii-rocm-6.4",
     .source                             = "github.com/kokkos/kokkos/issues/8006 and github.com/ROCm/ROCm/issues/4670 "
                                           "(hipErrorCapturedEvent from hipEventSynchronize for an event of a destroyed stream; "
                                           "sporadic there, each time here), github.com/ROCm/clr/issues/157; kokkos/issues/7942 "
                                           "(hipErrorStreamCaptureUnsupported while another stream is captured).",
     .device_name                        = "HIP model of AMD Radeon Pro VII",
     .architecture                       = "gfx906:sramecc+:xnack-",
     .compute_units                      = 60,
     .wavefront                          = 64,
     .memory                             = 16 * GiB,
     .unified_memory                     = false,
     .integrated                         = false,
     .event_of_destroyed_stream          = hipErrorCapturedEvent,
     .destroyed_stream                   = hipErrorContextIsDestroyed,
     .wait_for_event_of_destroyed_stream = true,
     .event_query_ignores_captures_elsewhere = true,
     .memset_takes_plain_memory              = false,
     .last_error_is_of_last_call             = true,
     .runtime_version                        = 60443480},
    {.name           = "mi300a-rocm-6.2",
     .source         = "github.com/kokkos/kokkos/issues/7377 (hipErrorInvalidValue from hipMemsetAsync for memory "
                       "of malloc, which kernels reach; ROCm 6.2.0 and before).",
     .device_name    = "HIP model of AMD Instinct MI300A",
     .architecture   = "gfx942:sramecc+:xnack+",
     .compute_units  = 228,
     .wavefront      = 64,
     .memory         = 16 * GiB,
     .unified_memory = true,
     .integrated     = true,
     .event_of_destroyed_stream              = hipErrorCapturedEvent,
     .destroyed_stream                       = hipErrorContextIsDestroyed,
     .wait_for_event_of_destroyed_stream     = true,
     .event_query_ignores_captures_elsewhere = true,
     .memset_takes_plain_memory              = false,
     .last_error_is_of_last_call             = true,
     .runtime_version                        = 60241133},
    {.name           = "mi300a-rocm-6.4",
     .source         = "As mi300a-rocm-6.2; kokkos/issues/7377 names ROCm 6.2.0 and before, so memset takes plain "
                       "memory here (the report's converse, not seen on hardware).",
     .device_name    = "HIP model of AMD Instinct MI300A",
     .architecture   = "gfx942:sramecc+:xnack+",
     .compute_units  = 228,
     .wavefront      = 64,
     .memory         = 16 * GiB,
     .unified_memory = true,
     .integrated     = true,
     .event_of_destroyed_stream              = hipErrorCapturedEvent,
     .destroyed_stream                       = hipErrorContextIsDestroyed,
     .wait_for_event_of_destroyed_stream     = true,
     .event_query_ignores_captures_elsewhere = true,
     .memset_takes_plain_memory              = true,
     .last_error_is_of_last_call             = true,
     .runtime_version                        = 60443480},
    {.name                               = "mi250x-rocm-6.4",
     .source                             = "clr, hip_event.cpp and hip_stream.cpp (the same code for every device); "
                                           "hipGetDeviceProperties of an MI250X: 110 compute units per die.",
     .device_name                        = "HIP model of AMD Instinct MI250X",
     .architecture                       = "gfx90a:sramecc+:xnack-",
     .compute_units                      = 110,
     .wavefront                          = 64,
     .memory                             = 16 * GiB,
     .unified_memory                     = false,
     .integrated                         = false,
     .event_of_destroyed_stream          = hipErrorCapturedEvent,
     .destroyed_stream                   = hipErrorContextIsDestroyed,
     .wait_for_event_of_destroyed_stream = true,
     .event_query_ignores_captures_elsewhere = true,
     .memset_takes_plain_memory              = false,
     .last_error_is_of_last_call             = true,
     .runtime_version                        = 60443480},
};

Profile const* from_environment() {
  const char* name = std::getenv("HIP_MODEL_PROFILE");
  if (!name || !*name) return &table[0];
  if (Profile const* found = find_profile(name)) return found;
  std::fprintf(stderr, "HIP model (a test instrument, not a GPU): HIP_MODEL_PROFILE=%s is not a profile. There are:\n",
               name);
  for (Profile const& p : table) std::fprintf(stderr, "  %s: %s\n", p.name, p.source);
  std::exit(2);
}

std::atomic<Profile const*>& current() {
  static std::atomic<Profile const*> profile{from_environment()};
  return profile;
}
}  // namespace

Profile const& current_profile() { return *current().load(); }
void set_profile(Profile const* profile) { current().store(profile); }

Profile const* find_profile(const char* name) {
  for (Profile const& p : table)
    if (std::strcmp(p.name, name) == 0) return &p;
  return nullptr;
}

Profile const* profile_table(std::size_t* size) {
  *size = sizeof table / sizeof *table;
  return table;
}

}  // namespace hip_model
