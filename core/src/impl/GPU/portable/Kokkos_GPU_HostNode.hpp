// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_NODE_HPP
#define KOKKOS_GPU_HOST_NODE_HPP

/// \file
/// The NUMA node of the host beside a device, and host memory on it.

#include <cstddef>
#include <fstream>
#include <string>
#include <type_traits>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace Kokkos::Impl {

inline constexpr char const* pci_devices = "/sys/bus/pci/devices";

/// The node that Linux reports for the device at a PCI address such as "0000:3B:00.0"; -1 if it reports none, as on
/// machines with one node. `devices` is pci_devices, and another folder in tests.
inline int host_node_of_pci(std::string address, std::string const& devices) {
  for (char& c : address)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');  // the runtimes write capitals, Linux does not
  int node = -1;
  std::ifstream file(devices + '/' + address + "/numa_node");
  return file >> node ? node : -1;
}

/// The node beside a device of the runtime; -1 if it is unknown.
template <class Runtime>
int host_node_beside(int device, char const* devices = pci_devices) {
  char address[32] = "";
  if (Runtime::device_pci_address(address, static_cast<int>(sizeof address), device) == Runtime::success)
    return Impl::host_node_of_pci(address, devices);
  Runtime::clear_last_error();
  return -1;
}

/// Whether a runtime knows the PCI addresses of its devices.
template <class Runtime, class = void>
inline constexpr bool has_pci_addresses = false;
template <class Runtime>
inline constexpr bool
    has_pci_addresses<Runtime, std::void_t<decltype(Runtime::device_pci_address(static_cast<char*>(nullptr), 0, 0))>> =
        true;

/// The node beside the thread's current device; -1 if it is unknown.
template <class Runtime>
int host_node_beside_current_device(char const* devices = pci_devices) {
  if constexpr (has_pci_addresses<Runtime>) {
    int device = 0;
    if (Runtime::get_device(&device) == Runtime::success) return Impl::host_node_beside<Runtime>(device, devices);
    Runtime::clear_last_error();
  }
  return -1;
}

/// The node of the processor that runs this thread; -1 if the system does not report it.
inline int host_node_of_this_thread() noexcept {
#ifdef __linux__
  unsigned node = 0;
  if (syscall(SYS_getcpu, nullptr, &node, nullptr) == 0) return static_cast<int>(node);
#endif
  return -1;
}

/// Asks for pages on the node, or elsewhere if it is full, when a thread first touches them. It is only advice, which
/// the system may refuse. Returns whether it accepted.
inline bool prefer_host_node([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes,
                             [[maybe_unused]] int node) noexcept {
#ifdef __linux__
  constexpr int preferred = 1;  // MPOL_PREFERRED, whose header comes with libnuma
  if (node < 0 || static_cast<std::size_t>(node) >= 8 * sizeof(unsigned long)) return false;
  unsigned long const nodes = 1ul << node;
  return syscall(SYS_mbind, first, bytes, preferred, &nodes, 8 * sizeof nodes + 1, 0u) == 0;
#else
  return false;
#endif
}

}  // namespace Kokkos::Impl

#endif
