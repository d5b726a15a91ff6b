// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Copies between host and device by their number of bytes, which is 8 for each element of the sizes: on one instance, on
/// several at once, of strided views; and launches on several instances.

#include "Sweep.hpp"

#include <thread>

namespace sweep {
namespace {

using Device = Kokkos::View<char*, Memory>;
using Host   = Kokkos::View<char*, Kokkos::HostSpace>;
using Pinned = Kokkos::View<char*, Kokkos::SharedHostPinnedSpace>;

constexpr std::size_t MiB = std::size_t(1) << 20;

struct Change {
  Device v;
  KOKKOS_FUNCTION void operator()(long i) const { ++v(i); }
};

/// Pages that the host has touched.
Host touched(std::size_t bytes) {
  Host const v(Kokkos::view_alloc("host", Kokkos::WithoutInitializing), bytes);
  Kokkos::deep_copy(v, 1);
  return v;
}
Device on_device(std::size_t bytes) { return Device(Kokkos::view_alloc("device", Kokkos::WithoutInitializing), bytes); }

/// The library may create a staging buffer after some copies.
void warm_up(Exec const& exec) {
  Device const device = on_device(32 * MiB);
  Host const host     = touched(32 * MiB);
  for (int i = 0; i < 8; ++i) Kokkos::deep_copy(exec, device, host);
  Kokkos::deep_copy(exec, host, device);
  exec.fence();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void one_instance(Sweep const& s, Exec const& exec, std::size_t n) {
  std::size_t const bytes = 8 * n;
  Device const device     = on_device(bytes);
  Host const host         = touched(bytes);
  Pinned const pinned(Kokkos::view_alloc("pinned", Kokkos::WithoutInitializing), bytes);
  auto const change = [&] { Kokkos::parallel_for(Range(exec, 0, 8), Change{device}); };
  auto const fenced = [&](char const* name, auto const& call) {
    s.row(name, n, [&] {
      call();
      exec.fence();
    });
  };
  s.row("to_device", n, [&] { Kokkos::deep_copy(device, host); });
  s.row("to_host", n, [&] { Kokkos::deep_copy(host, device); });
  s.row("to_device_exec", n, [&] { Kokkos::deep_copy(exec, device, host); });
  s.row("to_host_exec", n, [&] { Kokkos::deep_copy(exec, host, device); });
  fenced("to_device_exec_fence", [&] { Kokkos::deep_copy(exec, device, host); });
  fenced("to_host_exec_fence", [&] { Kokkos::deep_copy(exec, host, device); });
  fenced("to_device_launch_fence", [&] {
    Kokkos::deep_copy(exec, device, host);
    change();
  });
  fenced("launch_to_host_fence", [&] {
    change();
    Kokkos::deep_copy(exec, host, device);
  });
  s.row("pinned_to_device_exec", n, [&] { Kokkos::deep_copy(exec, device, pinned); });
  fenced("pinned_to_host_exec_fence", [&] { Kokkos::deep_copy(exec, pinned, device); });
}

/// One block of n elements for each of several instances.
class Streams {
 public:
  Streams(int count, std::size_t n)
      : m_instances(Kokkos::Experimental::partition_space(Exec(), std::vector<int>(count, 1))) {
    for (int k = 0; k < count; ++k) {
      m_devices.push_back(on_device(8 * n));
      m_hosts.push_back(touched(8 * n));
    }
  }

  void measure(Sweep const& s, std::size_t n) const {
    auto const row = [&](char const* name, auto const& call) {
      s.row(("streams_" + std::to_string(m_hosts.size()) + name).c_str(), n, [&] {
        for (std::size_t k = 0; k < m_hosts.size(); ++k) call(k);
        for (Exec const& exec : m_instances) exec.fence();
      });
    };
    row("_launch", [&](std::size_t k) { launch(k); });
    row("_to_device", [&](std::size_t k) { to_device(k); });
    row("_to_host", [&](std::size_t k) { to_host(k); });
    row("_both_ways", [&](std::size_t k) { k % 2 == 0 ? to_device(k) : to_host(k); });
    row("_there_and_back", [&](std::size_t k) {
      to_device(k);
      launch(k);
      to_host(k);
    });
    s.row(("streams_" + std::to_string(m_hosts.size()) + "_threads").c_str(), n, [&] {
      std::vector<std::thread> threads;
      for (std::size_t k = 0; k < m_hosts.size(); ++k)
        threads.emplace_back([&, k] {
          for (int i = 0; i < 10; ++i) {
            to_device(k);
            launch(k);
            to_host(k);
          }
          m_instances[k].fence();
        });
      for (std::thread& thread : threads) thread.join();
    });
  }

 private:
  void to_device(std::size_t k) const { Kokkos::deep_copy(m_instances[k], m_devices[k], m_hosts[k]); }
  void to_host(std::size_t k) const { Kokkos::deep_copy(m_instances[k], m_hosts[k], m_devices[k]); }
  void launch(std::size_t k) const {
    Kokkos::parallel_for("change", Range(m_instances[k], 0, m_devices[k].extent(0)), Change{m_devices[k]});
  }

  std::vector<Exec> m_instances;
  std::vector<Device> m_devices;
  std::vector<Host> m_hosts;
};

}  // namespace

/// On devices with memory of their own; at most 1 GiB at once.
void transfers(Sweep const& s) {
  if constexpr (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible) {
    Exec const exec = Kokkos::Experimental::partition_space(Exec(), std::vector<int>(1, 1))[0];
    if (s.measures()) warm_up(exec);
    for (std::size_t n : s.sizes()) {
      if (8 * n > 1024 * MiB) continue;
      one_instance(s, exec, n);
      for (int count : {2, 4, 8})
        if (8 * n * static_cast<std::size_t>(count) <= 1024 * MiB) Streams(count, n).measure(s, n);
    }
  }
}

}  // namespace sweep
