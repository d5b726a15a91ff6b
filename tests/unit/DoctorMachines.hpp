// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_DOCTOR_MACHINES_HPP
#define KOKKOS_TEST_DOCTOR_MACHINES_HPP

/// \file
/// Simulated machines, for tests of kokkos-doctor: facts of machines in good order, and the files of one with faults.

#include "FakeRoot.hpp"

#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <cstdint>
#include <filesystem>
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

/// The system files of the report's machine: an AMD GPU, two releases of ROCm, a user who is not in the group render.
inline void write_machine(FakeRoot const& root) {
  root.write("/proc/sys/kernel/osrelease", "5.15.0-91-generic");
  root.write("/proc/self/limits",
             "Limit                     Soft Limit           Hard Limit           Units\n"
             "Max stack size            8388608              unlimited            bytes\n"
             "Max processes             4096                 4096                 processes\n"
             "Max open files            1024                 524288               files\n"
             "Max locked memory         65536                65536                bytes");
  root.write("/proc/self/status",
             "Name:\tapp\n\nUid:\t7\t1000\t1000\t1000\nGid:\t7\t100\t100\t100\nGroups:\t44 999\n"
             "Cpus_allowed_list:\t0-3,8");
  root.write("/etc/group", "users:x:100:\nvideo:x:44:u\nrender:x:109:");
  root.write("/proc/self/maps",
             "7f00-7f01 r-xp 00000000 08:01 1 /opt/rocm-6.2.0/lib/libamdhip64.so.6.2.60200\n"
             "7f01-7f02 r-xp 00001000 08:01 1 /opt/rocm-6.2.0/lib/libamdhip64.so.6.2.60200\n"
             "7f02-7f03 r-xp 00000000 08:01 2 /opt/rocm-6.1.2/lib/libamd_comgr.so.2.7.60102\n"
             "7ffc-7ffd rw-p 00000000 00:00 0 [stack]");
  root.write("/proc/self/cgroup", "0::/slurm/job_1");
  root.write("/sys/fs/cgroup/slurm/job_1/memory.max", "17179869184");
  // Files of control groups of version 1, which do not count beside those of version 2.
  root.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824");
  root.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000");
  root.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  root.write("/sys/fs/cgroup/slurm/job_1/cpu.max", "400000 100000");
  root.write("/sys/fs/cgroup/slurm/job_1/pids.max", "max");
  root.write("/proc/meminfo", "MemTotal:       67108864 kB");
  root.write("/sys/devices/system/cpu/online", "0-15");
  root.write("/sys/devices/system/node/online", "0-1");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/vendor", "0x1002");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/class", "0x038000");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/current_link_speed", "8.0 GT/s PCIe");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/current_link_width", "8");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/max_link_speed", "16.0 GT/s PCIe");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/max_link_width", "16");
  root.write("/sys/bus/pci/devices/0000:c2:00.0/vendor", "0x8086");
  root.write("/sys/bus/pci/devices/0000:c2:00.0/class", "0x030000");
  root.write("/sys/module/amdgpu/version", "6.7.0");
  root.write("/opt/rocm-6.2.0/.info/version", "6.2.0-66");
  root.write("/opt/rocm-6.1.2/.info/version", "6.1.2-119");
  std::filesystem::create_directory_symlink("rocm-6.2.0", root.at("/opt/rocm"));
  root.write("/dev/kfd", "");
  using std::filesystem::perms;
  std::filesystem::permissions(root.at("/dev/kfd"),
                               perms::owner_read | perms::owner_write | perms::group_read | perms::group_write);
  root.write("/dev/dri/card0", "");
  root.write("/dev/dri/renderD128", "");
  root.write("/home/u/afile", "");
  std::filesystem::create_directories(root.at("/tmp"));
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
