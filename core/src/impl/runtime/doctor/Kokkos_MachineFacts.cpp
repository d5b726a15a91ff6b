// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads facts from /proc, /sys and other files of the system. If a file is missing or cannot be read, its fact is
/// unknown; this throws no exception.

#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>
#include <impl/runtime/doctor/Kokkos_SystemFiles.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <string_view>

namespace Kokkos::Impl {

namespace {

std::int64_t limit_of(std::string const& text) {
  if (text.empty()) return Limits::unknown;
  return text == "unlimited" || text == "max" ? Limits::unlimited : std::strtoll(text.c_str(), nullptr, 10);
}

// ---- process

void gather_limits(SystemFiles const& files, MachineFacts& facts) {
  for (std::string const& line : files.lines("/proc/self/limits")) {
    auto const value_after = [&](std::string_view name) {
      return std::string_view(line).starts_with(name) ? limit_of(word(line.substr(name.size()), 0)) : Limits::unknown;
    };
    auto const take = [&](std::int64_t& limit, std::string_view name) {
      if (auto const value = value_after(name); value != Limits::unknown) limit = value;
    };
    take(facts.limits.locked_memory, "Max locked memory");
    take(facts.limits.stack, "Max stack size");
    take(facts.limits.processes, "Max processes");
    take(facts.limits.open_files, "Max open files");
  }
}

std::string group_name(SystemFiles const& files, std::string const& number) {
  for (std::string const& line : files.lines("/etc/group")) {
    auto const fields = split(line, ':');
    if (fields.size() > 2 && fields[2] == number) return fields[0];
  }
  return number;
}

// The effective group, and the supplementary groups.
void gather_user(SystemFiles const& files, MachineFacts& facts) {
  for (std::string const& line : files.lines("/proc/self/status")) {
    auto const fields = split_words(line);
    if (fields.size() < 2) continue;
    if (fields[0] == "Uid:" && fields.size() > 2) facts.user = std::strtoll(fields[2].c_str(), nullptr, 10);
    if (fields[0] == "Gid:" && fields.size() > 2) facts.groups.push_back(group_name(files, fields[2]));
    if (fields[0] == "Cpus_allowed_list:") facts.allowed_processors = parse_number_list(fields[1]);
    if (fields[0] == "Groups:") {
      for (std::size_t i = 1; i < fields.size(); ++i) facts.groups.push_back(group_name(files, fields[i]));
    }
  }
}

void gather_libraries(SystemFiles const& files, MachineFacts& facts) {
  std::set<std::string> paths;
  for (std::string const& line : files.lines("/proc/self/maps")) {
    std::size_t const begin = line.find('/');
    if (begin == std::string::npos) continue;
    std::string path = line.substr(begin);
    if (path.find(".so") != std::string::npos) paths.insert(std::move(path));
  }
  facts.libraries.assign(paths.begin(), paths.end());
}

void gather_cgroup(SystemFiles const& files, MachineFacts& facts) {
  std::string own;  // this process's group in the unified hierarchy
  for (std::string const& line : files.lines("/proc/self/cgroup"))
    if (line.starts_with("0::")) own = line.substr(3);
  if (own == "/") own.clear();
  // A container sees its own group as the root of the file system.
  for (std::string const& folder : {"/sys/fs/cgroup" + own, std::string("/sys/fs/cgroup")}) {
    if (facts.cgroup.memory == Limits::unknown)
      facts.cgroup.memory = limit_of(files.first_line(folder + "/memory.max"));
    if (facts.cgroup.processes == Limits::unknown)
      facts.cgroup.processes = limit_of(files.first_line(folder + "/pids.max"));
    auto const quota = split_words(files.first_line(folder + "/cpu.max"));
    if (quota.size() == 2 && quota[0] != "max" && std::atof(quota[1].c_str()) > 0 && facts.cgroup.processors < 0)
      facts.cgroup.processors = std::atof(quota[0].c_str()) / std::atof(quota[1].c_str());
  }
  // The hierarchies of version 1. A number near the largest one means that there is no limit.
  if (facts.cgroup.memory == Limits::unknown) {
    facts.cgroup.memory = limit_of(files.first_line("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    if (facts.cgroup.memory > std::int64_t(1) << 60) facts.cgroup.memory = Limits::unlimited;
  }
  if (facts.cgroup.processors < 0) {
    double const quota  = std::atof(files.first_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").c_str());
    double const period = std::atof(files.first_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us").c_str());
    if (quota > 0 && period > 0) facts.cgroup.processors = quota / period;
  }
}

// ---- machine

void gather_host(SystemFiles const& files, MachineFacts& facts) {
  std::string const release = files.first_line("/proc/sys/kernel/osrelease");
  facts.system              = release.empty() ? "" : "Linux " + release;
  auto const online         = parse_number_list(files.first_line("/sys/devices/system/cpu/online"));
  if (!online.empty()) facts.processors_online = static_cast<int>(online.size());
  auto const nodes = parse_number_list(files.first_line("/sys/devices/system/node/online"));
  if (!nodes.empty()) facts.numa_nodes = static_cast<int>(nodes.size());
  for (std::string const& line : files.lines("/proc/meminfo")) {
    auto const fields = split_words(line);
    if (fields.size() > 1 && fields[0] == "MemTotal:") facts.memory = std::atoll(fields[1].c_str()) * 1024;
  }
  if (facts.processors_online < 0 || facts.numa_nodes < 0) {
    facts.refused.push_back("/sys/devices/system could not be read, so " +
                            std::string(facts.processors_online < 0 ? "the number of processors and NUMA nodes"
                                                                    : "the number of NUMA nodes") +
                            " is not known. A container may hide it.");
  }
  if (facts.limits.locked_memory == Limits::unknown) {
    facts.refused.push_back("/proc/self/limits could not be read, so the limits of this process are not known.");
  }
}

std::string link_of(SystemFiles const& files, std::string const& folder, std::string const& which) {
  std::string const speed = files.first_line(folder + '/' + which + "_link_speed");
  std::string const width = files.first_line(folder + '/' + which + "_link_width");
  if (speed.empty() || width.empty() || width == "0" || speed.find("nknown") != std::string::npos) return {};
  return word(speed, 0) + " GT/s x" + width;
}

void gather_pci(SystemFiles const& files, MachineFacts& facts) {
  for (std::string const& address : files.names_in("/sys/bus/pci/devices")) {
    std::string const folder = "/sys/bus/pci/devices/" + address;
    std::string const vendor = files.first_line(folder + "/vendor"), kind = files.first_line(folder + "/class");
    PciDevice device;
    if (vendor == "0x10de") device.vendor = GPUVendorName::nvidia;
    if (vendor == "0x1002") device.vendor = GPUVendorName::amd;
    // Display controllers, and the accelerators that AMD lists as processing accelerators.
    if (device.vendor == GPUVendorName::none || !(kind.starts_with("0x03") || kind.starts_with("0x12"))) continue;
    device.address      = address;
    device.link         = link_of(files, folder, "current");
    device.fastest_link = link_of(files, folder, "max");
    facts.pci_devices.push_back(device);
  }
}

void gather_driver(SystemFiles const& files, MachineFacts& facts) {
  for (std::string const& line : files.lines("/proc/driver/nvidia/version")) {
    if (!line.starts_with("NVRM version:")) continue;
    for (std::string const& field : split_words(line))
      if (std::isdigit(static_cast<unsigned char>(field[0])) && field.find('.') != std::string::npos) {
        facts.gpu_driver = "nvidia " + field;
        break;
      }
  }
  std::string const amd = files.first_line("/sys/module/amdgpu/version");
  if (!amd.empty()) {
    facts.gpu_driver = "amdgpu " + amd;
  } else if (files.is_folder("/sys/module/amdgpu")) {
    facts.gpu_driver = "amdgpu of the kernel";
  }
}

void gather_device_files(SystemFiles const& files, MachineFacts& facts) {
  std::vector<std::string> paths{"/dev/kfd"};
  for (std::string const& name : files.names_in("/dev/dri"))
    if (name.starts_with("renderD")) paths.push_back("/dev/dri/" + name);
  for (std::string const& path : paths) {
    DeviceFile file{path, false, false, {}};
    if (auto const access = files.access_of(path); access.exists) {
      file.exists         = true;
      file.group          = group_name(files, std::to_string(access.group));
      bool const in_group = std::find(facts.groups.begin(), facts.groups.end(), file.group) != facts.groups.end();
      file.usable = facts.user == 0 || (access.mode & 0006) == 0006 || (in_group && (access.mode & 0060) == 0060) ||
                    (access.owner == facts.user && (access.mode & 0600) == 0600);
    }
    facts.device_files.push_back(file);
  }
}

void gather_installations(SystemFiles const& files, MachineFacts& facts) {
  for (std::string const& name : files.names_in("/opt")) {
    if (!name.starts_with("rocm")) continue;
    std::string const path = "/opt/" + name;
    if (files.is_link(path)) continue;  // usually /opt/rocm, another name of one of the others
    auto const release = parse_release(files.first_line(path + "/.info/version"));
    if (release.is_known()) facts.installations.push_back({"ROCm", path, release});
  }
  for (std::string const& name : files.names_in("/usr/local")) {
    if (!name.starts_with("cuda-") || files.is_link("/usr/local/" + name)) continue;
    auto const release = parse_release(name.substr(5));
    if (release.is_known()) facts.installations.push_back({"CUDA", "/usr/local/" + name, release});
  }
}

// ---- caches

CacheFolder cache_folder(SystemFiles const& files, std::string owner, std::string variable, std::string path) {
  CacheFolder cache{std::move(owner), std::move(variable), std::move(path), FolderState::no_home, {}, {}, false};
  if (!cache.path.empty()) files.examine_folder(cache);
  return cache;
}

void gather_caches(SystemFiles const& files, MachineFacts& facts) {
  auto const below = [](std::string const& folder, char const* rest) {
    return folder.empty() ? std::string() : folder + rest;
  };
  auto const or_else = [&](char const* name, std::string const& other) {
    std::string const value = facts.variable(name);
    return value.empty() ? other : value;
  };
  std::string const home = facts.variable("HOME"), cache_home = or_else("XDG_CACHE_HOME", below(home, "/.cache"));
  bool const nvidia = facts.vendor != GPUVendorName::amd, amd = facts.vendor != GPUVendorName::nvidia;
  if (nvidia) {
    CacheFolder cuda =
        cache_folder(files, "CUDA", "CUDA_CACHE_PATH", or_else("CUDA_CACHE_PATH", below(home, "/.nv/ComputeCache")));
    cuda.is_disabled = facts.variable("CUDA_CACHE_DISABLE") == "1";
    facts.caches.push_back(cuda);
  }
  if (amd) {
    CacheFolder comgr = cache_folder(files, "COMGR and hipRTC", "AMD_COMGR_CACHE_DIR",
                                     or_else("AMD_COMGR_CACHE_DIR", below(cache_home, "/comgr")));
    comgr.is_disabled = facts.variable("AMD_COMGR_CACHE") == "0";
    facts.caches.push_back(comgr);
    CacheFolder miopen = cache_folder(files, "MIOpen", "MIOPEN_CUSTOM_CACHE_DIR",
                                      or_else("MIOPEN_CUSTOM_CACHE_DIR", below(home, "/.cache/miopen")));
    miopen.is_disabled = !facts.variable("MIOPEN_DISABLE_CACHE").empty();
    facts.caches.push_back(miopen);
    facts.caches.push_back(cache_folder(files, "MIOpen's database", "MIOPEN_USER_DB_PATH",
                                        or_else("MIOPEN_USER_DB_PATH", below(home, "/.config/miopen"))));
  }
  facts.caches.push_back(cache_folder(files, "temporary files", "TMPDIR", or_else("TMPDIR", "/tmp")));
}

}  // namespace

ReleaseNumber parse_release(std::string const& text) {
  ReleaseNumber release;
  char const* at = text.c_str();
  for (int* number : {&release.major, &release.minor, &release.patch}) {
    if (!std::isdigit(static_cast<unsigned char>(*at))) break;
    char* end = nullptr;
    *number   = static_cast<int>(std::strtol(at, &end, 10));
    if (*end != '.') break;
    at = end + 1;
  }
  return release;
}

std::string to_text(ReleaseNumber const& release) {
  if (!release.is_known()) return "unknown";
  std::string text = std::to_string(release.major) + '.' + std::to_string(release.minor);
  return release.patch == 0 ? text : text + '.' + std::to_string(release.patch);
}

void gather_host_facts(std::string const& root, std::map<std::string, std::string> const& environment,
                       MachineFacts& facts) {
  SystemFiles const files(root);
  facts.environment = environment;
  gather_limits(files, facts);
  gather_user(files, facts);
  gather_libraries(files, facts);
  gather_cgroup(files, facts);
  gather_host(files, facts);
  gather_pci(files, facts);
  gather_driver(files, facts);
  gather_device_files(files, facts);
  gather_installations(files, facts);
  gather_caches(files, facts);
}

}  // namespace Kokkos::Impl
