// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_DOCTOR_MACHINE_FACTS_HPP
#define KOKKOS_RUNTIME_DOCTOR_MACHINE_FACTS_HPP

/// \file
/// The facts about a machine and a process that kokkos-doctor uses. Findings are functions of this struct only, so
/// tests can specify any machine.
///
/// Empty strings, empty lists and -1 represent facts that could not be read; `refused` then contains the reason if
/// there is one.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace Kokkos::Impl {

enum class GPUVendorName { none, nvidia, amd };

/// A release of a toolkit: 6.2.41133 as three numbers. Zero if it is not known.
struct ReleaseNumber {
  int major = 0, minor = 0, patch = 0;
  bool is_known() const { return major > 0; }
  friend bool operator==(ReleaseNumber const&, ReleaseNumber const&) = default;
};
/// The numbers at the beginning of a text such as "6.2.0-66"; zeros if it does not begin with one.
[[gnu::visibility("hidden")]] ReleaseNumber parse_release(std::string const& text);
[[gnu::visibility("hidden")]] std::string to_text(ReleaseNumber const& release);

/// A toolkit on the disk, such as /opt/rocm-6.2.0.
struct Installation {
  std::string toolkit;  ///< "ROCm" or "CUDA"
  std::string path;
  ReleaseNumber release;
};

/// A device, as the vendor's runtime reports it.
struct DeviceFacts {
  std::string name;
  std::string architecture;  ///< "sm_90", "gfx90a:sramecc+:xnack-"
  std::int64_t total_bytes = -1;
  std::int64_t free_bytes  = -1;
  bool pageable_access     = false;
  bool managed_concurrent  = false;
  std::vector<int> peers;  ///< devices whose memory this one can access
};

/// A display or compute device on the PCI bus, as the kernel lists it.
struct PciDevice {
  std::string address;
  GPUVendorName vendor = GPUVendorName::none;
  std::string link, fastest_link;  ///< "16.0 GT/s x16"; the second is the best that device and slot support
};

enum class FolderState { writable, creatable, not_writable, full, no_home };

/// A folder in which a vendor's runtime keeps compiled kernels or temporary files.
struct CacheFolder {
  std::string owner;     ///< "CUDA", "COMGR and hipRTC", "MIOpen", "temporary files"
  std::string variable;  ///< the environment variable that changes the folder
  std::string path;
  FolderState state = FolderState::writable;
  std::string reason;        ///< the reason of not_writable: "Permission denied", "Read-only file system"
  std::string network;       ///< the kind of network file system that contains it, or empty
  bool is_disabled = false;  ///< an environment variable disables the cache
};

struct DeviceFile {
  std::string path;
  bool exists = false, usable = false;  ///< usable: this process may read and write it
  std::string group;                    ///< the group that may access it
};

/// -1: unlimited; -2: not known.
struct Limits {
  static constexpr std::int64_t unlimited = -1, unknown = -2;
  std::int64_t locked_memory = unknown, stack = unknown, processes = unknown, open_files = unknown;
};

struct CgroupFacts {
  std::int64_t memory    = Limits::unknown;  ///< bytes
  std::int64_t processes = Limits::unknown;
  double processors      = -1;  ///< the quota in processors; -1: none
};

struct MachineFacts {
  std::string system;    ///< kernel and its release
  std::string compiler;  ///< the compiler of this library
  int clang_major = 0;   ///< 0 if the compiler is not clang
  std::vector<std::string> backends;

  GPUVendorName vendor = GPUVendorName::none;  ///< the vendor of this library's GPU backend
  bool is_model        = false;                ///< the backend runs on a model of the vendor's runtime
  ReleaseNumber toolkit, runtime,
      driver_serves;       ///< versions: at the build, of the loaded runtime, and the newest one that the driver
                           ///< supports
  std::string gpu_driver;  ///< the kernel's driver and its version
  std::vector<Installation> installations;
  std::vector<std::string> libraries;  ///< shared objects in this process
  std::vector<DeviceFacts> devices;
  std::vector<PciDevice> pci_devices;
  std::vector<DeviceFile> device_files;
  std::vector<CacheFolder> caches;

  Limits limits;
  CgroupFacts cgroup;
  std::int64_t memory   = -1;  ///< bytes of host memory
  int processors_online = -1;
  std::vector<int> allowed_processors;  ///< for this thread, after an OpenMP runtime has bound it
  int numa_nodes = -1;
  std::vector<std::string> groups;  ///< groups of the user
  std::int64_t user = -1;

  std::map<std::string, std::string> environment;  ///< every variable
  struct Misspelt {
    std::string variable, meant;  ///< `meant` is empty if no variable is similar
  };
  std::vector<Misspelt> unknown_variables;  ///< KOKKOS_* variables that this library does not read
  std::vector<std::string> refused;         ///< sentences: the refused query, and the fact that is unknown for this
                                            ///< reason

  /// The value of an environment variable; empty if it is not set.
  std::string variable(std::string const& name) const {
    auto const found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  }
};

/// The facts of this process. `root` is a prefix of every absolute path that is read (/proc, /sys, /etc, /opt, /dev),
/// so that tests can supply files of another machine; `environment` is the environment of the process.
[[gnu::visibility("hidden")]] void gather_host_facts(std::string const& root,
                                                     std::map<std::string, std::string> const& environment,
                                                     MachineFacts& facts);
/// Host facts of this process, and the report of each backend. Starts the vendor's runtime, and changes nothing.
MachineFacts gather_machine_facts();

}  // namespace Kokkos::Impl

#endif
