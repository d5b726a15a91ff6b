// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_DOCTOR_MACHINES_HPP
#define KOKKOS_TEST_DOCTOR_MACHINES_HPP

/// \file
/// Simulated machines in good order, for tests of kokkos-doctor, and what it prints.

#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <cstdint>
#include <sstream>
#include <string>

namespace Kokkos::Testing::Machines {

using Kokkos::Impl::Findings;
using Kokkos::Impl::FolderState;
using Kokkos::Impl::GPUVendorName;
using Kokkos::Impl::Limits;
using Kokkos::Impl::MachineFacts;

/// A machine with an MI250X in good order.
inline MachineFacts amd_machine() {
  MachineFacts m;
  m.system        = "Linux 5.15.0";
  m.compiler      = "clang 18.0.0";
  m.clang_major   = 18;
  m.backends      = {"HIP", "OpenMP", "Serial"};
  m.vendor        = GPUVendorName::amd;
  m.toolkit       = {6, 2, 41133};
  m.runtime       = {6, 2, 41133};
  m.gpu_driver    = "amdgpu 6.8.5";
  m.installations = {{"ROCm", "/opt/rocm-6.2.0", {6, 2, 0}}};
  m.libraries   = {"/opt/rocm-6.2.0/lib/libamdhip64.so.6.2.60200", "/opt/rocm-6.2.0/lib/libhsa-runtime64.so.1.14.60200",
                   "/usr/lib/x86_64-linux-gnu/libc.so.6"};
  m.devices     = {{"AMD Instinct MI250X",
                    "gfx90a:sramecc+:xnack-",
                    std::int64_t(64) << 30,
                    std::int64_t(63) << 30,
                    false,
                    true,
                    {1}},
                   {"AMD Instinct MI250X",
                    "gfx90a:sramecc+:xnack-",
                    std::int64_t(64) << 30,
                    std::int64_t(63) << 30,
                    false,
                    true,
                    {0}}};
  m.pci_devices = {{"0000:c1:00.0", GPUVendorName::amd, "16.0 GT/s x16", "16.0 GT/s x16"}};
  m.device_files = {{"/dev/kfd", true, true, "render"}, {"/dev/dri/renderD128", true, true, "render"}};
  m.caches       = {
      {"COMGR and hipRTC", "AMD_COMGR_CACHE_DIR", "/home/u/.cache/comgr", FolderState::creatable, "", "", false},
      {"MIOpen", "MIOPEN_CUSTOM_CACHE_DIR", "/home/u/.cache/miopen", FolderState::writable, "", "", false},
      {"temporary files", "TMPDIR", "/tmp", FolderState::writable, "", "", false}};
  m.limits            = {Limits::unlimited, std::int64_t(8) << 20, 100000, 1024};
  m.cgroup            = {Limits::unlimited, Limits::unlimited, -1};
  m.memory            = std::int64_t(512) << 30;
  m.processors_online = 64;
  for (int i = 0; i < 64; ++i) m.allowed_processors.push_back(i);
  m.numa_nodes  = 4;
  m.groups      = {"users", "render", "video"};
  m.user        = 1000;
  m.environment = {
      {"HOME", "/home/u"}, {"OMP_PROC_BIND", "spread"}, {"OMP_PLACES", "threads"}, {"KOKKOS_NUM_THREADS", "64"}};
  return m;
}

inline MachineFacts nvidia_machine() {
  MachineFacts m  = amd_machine();
  m.vendor        = GPUVendorName::nvidia;
  m.backends      = {"Cuda", "Serial"};
  m.toolkit       = {12, 4, 0};
  m.runtime       = {12, 4, 0};
  m.driver_serves = {12, 4, 0};
  m.gpu_driver    = "nvidia 550.54.15";
  m.installations = {{"CUDA", "/usr/local/cuda-12.4", {12, 4, 0}}};
  m.libraries     = {"/usr/local/cuda-12.4/lib64/libcudart.so.12.4.127"};
  m.devices       = {{"NVIDIA H200", "sm_90", std::int64_t(140) << 30, std::int64_t(139) << 30, false, true, {}}};
  m.pci_devices   = {{"0000:19:00.0", GPUVendorName::nvidia, "32.0 GT/s x16", "32.0 GT/s x16"}};
  m.device_files.clear();
  m.caches = {{"CUDA", "CUDA_CACHE_PATH", "/home/u/.nv/ComputeCache", FolderState::creatable, "", "", false}};
  return m;
}

inline MachineFacts host_machine() {
  MachineFacts m = amd_machine();
  m.vendor       = GPUVendorName::none;
  m.backends     = {"Serial"};
  m.toolkit = m.runtime = {};
  m.devices.clear();
  m.pci_devices.clear();
  m.libraries.clear();
  return m;
}

inline std::string printed(Findings const& findings) {
  std::ostringstream out;
  print_findings(out, findings);
  return out.str();
}

/// A line for each finding that `usual` does not contain.
inline std::string lines_of(Findings const& findings, std::string const& usual = "") {
  std::istringstream all(printed(findings));
  std::string lines;
  for (std::string line; std::getline(all, line);)
    if (usual.find(line + '\n') == usual.npos) lines += "  " + line + '\n';
  return lines;
}

}  // namespace Kokkos::Testing::Machines

#endif
