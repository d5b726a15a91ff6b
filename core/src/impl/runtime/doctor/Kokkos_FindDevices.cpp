// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Findings about GPUs, and about the folders to which their runtimes write.

#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <algorithm>
#include <string_view>

namespace Kokkos::Impl {

namespace {

std::string list_of(std::vector<std::string> const& names) {
  std::string list;
  for (std::string const& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

std::string gpus(std::size_t count) { return std::to_string(count) + (count == 1 ? " GPU" : " GPUs"); }

char const* vendor_text(GPUVendorName vendor) { return vendor == GPUVendorName::amd ? "AMD" : "NVIDIA"; }

std::size_t count_on_bus(MachineFacts const& facts) {
  return static_cast<std::size_t>(std::count_if(
      facts.pci_devices.begin(), facts.pci_devices.end(),
      [&](PciDevice const& d) { return facts.vendor == GPUVendorName::none || d.vendor == facts.vendor; }));
}

void find_device_files(MachineFacts const& facts, Findings& findings) {
  for (DeviceFile const& file : facts.device_files) {
    if (file.usable) {
      findings.push_back({Severity::ok, Topic::devices, "device file", file.path + " can be opened.", ""});
    } else if (!file.exists) {
      findings.push_back({Severity::problem, Topic::devices, "device file", file.path + " does not exist.",
                          "Load the kernel's amdgpu driver; give a container --device=/dev/kfd --device=/dev/dri."});
    } else {
      findings.push_back(
          {Severity::problem, Topic::devices, "device file",
           file.path + " belongs to the group " + file.group + ", and this user's groups are " + list_of(facts.groups) +
               '.',
           "Add the user to the groups render and video (usermod -aG render,video) and log in again; give a "
           "container --group-add."});
    }
  }
}

// Variables by which users and batch systems hide devices.
void find_hidden_devices(MachineFacts const& facts, Findings& findings) {
  for (char const* name :
       {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}) {
    auto const set = facts.environment.find(name);
    if (set == facts.environment.end()) continue;
    // ROCm reads CUDA's variable, too.
    if (facts.vendor == GPUVendorName::nvidia && name != std::string_view("CUDA_VISIBLE_DEVICES")) continue;
    bool const hides_all = facts.devices.empty() && facts.vendor != GPUVendorName::none;
    findings.push_back({hides_all ? Severity::problem : Severity::note, Topic::devices, "visible devices",
                        std::string(name) + '=' + set->second + " is set.",
                        hides_all ? "Unset it, or let it list numbers of devices that are there."
                                  : "Devices that it does not list are hidden from this process."});
  }
}

void find_missing_devices(MachineFacts const& facts, Findings& findings) {
  std::size_t const on_bus = count_on_bus(facts);
  if (facts.vendor == GPUVendorName::none) {
    findings.push_back({on_bus > 0 ? Severity::note : Severity::ok, Topic::devices, "GPUs",
                        (on_bus > 0 ? gpus(on_bus) + " on the PCI bus" : std::string("none on the PCI bus")) +
                            ", and this Kokkos was built for host threads.",
                        on_bus > 0 ? "To use them, configure with the backend of their vendor." : ""});
    return;
  }
  if (!facts.devices.empty() || facts.is_model) return;
  if (on_bus == 0) {
    findings.push_back({Severity::problem, Topic::devices, "GPUs",
                        std::string("this Kokkos was built for GPUs of ") + vendor_text(facts.vendor) +
                            ", and the PCI bus shows none.",
                        "Run where there is one; give a container or virtual machine access to it."});
    return;
  }
  findings.push_back(
      {Severity::problem, Topic::devices, "GPUs",
       "the PCI bus shows " + gpus(on_bus) + " of " + vendor_text(facts.vendor) + ", and the runtime finds none" +
           (facts.gpu_driver.empty() ? "; no driver is loaded." : "; the driver is " + facts.gpu_driver + '.'),
       facts.gpu_driver.empty() ? "Load the driver, or give a container access to it."
                                : "The findings on device files, versions and visible devices have the cause."});
}

void find_one_device(MachineFacts const& facts, std::size_t number, Findings& findings) {
  DeviceFacts const& device = facts.devices[number];
  std::string seen          = "device " + std::to_string(number) + ": " + device.name + ", " + device.architecture;
  bool const memory_known   = device.total_bytes > 0 && device.free_bytes >= 0;
  if (memory_known)
    seen += ", " + human_memory_size(std::size_t(device.free_bytes)) + " of " +
            human_memory_size(std::size_t(device.total_bytes)) + " free";
  if (facts.devices.size() > 1) {
    std::vector<std::string> peers;
    for (int peer : device.peers) peers.push_back(std::to_string(peer));
    seen += ", reaches the memory of devices " + list_of(peers);
  }
  bool const is_full = memory_known && device.free_bytes < device.total_bytes / 10;
  findings.push_back(
      {is_full ? Severity::note : Severity::ok, Topic::devices, "GPU", seen + '.',
       is_full ? "Another process uses most of its memory; the vendor's tool (nvidia-smi, rocm-smi) names it." : ""});
}

void find_links(MachineFacts const& facts, Findings& findings) {
  for (PciDevice const& device : facts.pci_devices) {
    if (device.link.empty()) continue;
    bool const as_fast = device.fastest_link.empty() || device.link == device.fastest_link;
    findings.push_back(
        {as_fast ? Severity::ok : Severity::note, Topic::devices, "link",
         device.address + " is connected by PCIe, " + device.link +
             (as_fast ? "." : ", and could be by " + device.fastest_link + '.'),
         as_fast ? "" : "An idle GPU lowers its link's rate. If it stays low under load, look at the slot."});
  }
}

// The access of kernels to pageable memory. XNACK is AMD's name for page faults.
void find_unified_memory(MachineFacts const& facts, Findings& findings) {
  if (facts.devices.empty()) return;
  DeviceFacts const& device = facts.devices.front();
  std::string const xnack   = facts.variable("HSA_XNACK");
  std::string seen =
      std::string("kernels ") + (device.pageable_access ? "reach" : "do not reach") + " pageable host memory";
  if (!xnack.empty()) seen += ", HSA_XNACK=" + xnack;
  bool const is_without = xnack == "1" && device.architecture.find("xnack-") != std::string::npos;
  findings.push_back(
      {is_without ? Severity::note : Severity::ok, Topic::devices, "unified memory", seen + '.',
       is_without ? "The device runs without page faults; boot the kernel's driver with noretry=0." : ""});
}

void find_cache(MachineFacts const& facts, CacheFolder const& cache, Findings& findings) {
  bool const temporary  = cache.variable == "TMPDIR";
  std::string const off = cache.variable == "CUDA_CACHE_PATH"           ? " or CUDA_CACHE_DISABLE=1"
                          : cache.variable == "AMD_COMGR_CACHE_DIR"     ? " or AMD_COMGR_CACHE=0"
                          : cache.variable == "MIOPEN_CUSTOM_CACHE_DIR" ? " or MIOPEN_DISABLE_CACHE=1"
                                                                        : "";
  std::string const advice =
      "Set " + cache.variable + " to a folder on a local disk that this user may write" + off + '.';
  Severity const bad = temporary || facts.vendor != GPUVendorName::none ? Severity::problem : Severity::note;
  auto const add     = [&](Severity severity, std::string const& seen) {
    findings.push_back(
        {severity, Topic::caches, "cache of " + cache.owner, seen + '.', severity == Severity::ok ? "" : advice});
  };
  if (cache.is_disabled) return add(Severity::ok, "disabled");
  switch (cache.state) {
    case FolderState::no_home:
      return add(bad, "HOME and " + cache.variable + " are not set, so there is no place for it");
    case FolderState::full:
      return add(bad, cache.path + " is on a full file system");
    case FolderState::not_writable:
      return add(bad, cache.path + " cannot be written (" + cache.reason + ')');
    default:
      break;
  }
  if (temporary && cache.state == FolderState::creatable) return add(bad, cache.path + " does not exist");
  std::string const verb = cache.state == FolderState::creatable ? " can be created" : " can be written";
  if (!cache.network.empty())
    return add(Severity::note, cache.path + verb + ", and is on a network file system (" + cache.network + ')');
  add(Severity::ok, cache.path + verb);
}

}  // namespace

void find_devices(MachineFacts const& facts, Findings& findings) {
  find_missing_devices(facts, findings);
  find_hidden_devices(facts, findings);
  if (facts.vendor == GPUVendorName::amd && !facts.is_model) find_device_files(facts, findings);
  for (std::size_t i = 0; i < facts.devices.size(); ++i) find_one_device(facts, i, findings);
  find_links(facts, findings);
  find_unified_memory(facts, findings);
}

void find_caches(MachineFacts const& facts, Findings& findings) {
  for (CacheFolder const& cache : facts.caches) {
    // Without a GPU backend this library starts no runtime with a cache.
    if (facts.vendor != GPUVendorName::none || cache.variable == "TMPDIR") find_cache(facts, cache, findings);
  }
}

}  // namespace Kokkos::Impl
