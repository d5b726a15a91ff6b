// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_DEVICES_HPP
#define HALO_DEVICES_HPP

/// \file
/// Two instances of the execution space on any device: one for the interior, one for the border and its exchange.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

using Space = Kokkos::DefaultExecutionSpace;
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define HALO_HAS_GPU
#if defined(KOKKOS_ENABLE_CUDA)
#define HALO_GPU(name) cuda##name
#define HALO_GPU_PROPERTIES cudaDeviceProp
#else
#define HALO_GPU(name) hip##name
#define HALO_GPU_PROPERTIES hipDeviceProp_t
#endif

inline void gpu_check(HALO_GPU(Error_t) error, char const* call) {
  if (error != HALO_GPU(Success)) {
    throw std::runtime_error(std::string(call) + " failed: " + HALO_GPU(GetErrorString)(error) + ".");
  }
}

/// A stream on a device, destroyed by the destructor. The calling thread's current device does not change.
class Stream {
 public:
  Stream(int device, bool urgent) {
    int before = 0, lowest = 0, highest = 0;
    gpu_check(HALO_GPU(GetDevice)(&before), "GetDevice");
    gpu_check(HALO_GPU(SetDevice)(device), "SetDevice");
    gpu_check(HALO_GPU(DeviceGetStreamPriorityRange)(&lowest, &highest), "DeviceGetStreamPriorityRange");
    gpu_check(HALO_GPU(StreamCreateWithPriority)(&m_stream, HALO_GPU(StreamNonBlocking), urgent ? highest : lowest),
              "StreamCreateWithPriority");
    gpu_check(HALO_GPU(SetDevice)(before), "SetDevice");
  }
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;
  ~Stream() { (void)HALO_GPU(StreamDestroy)(m_stream); }
  HALO_GPU(Stream_t) get() const { return m_stream; }

 private:
  HALO_GPU(Stream_t) m_stream = nullptr;
};

/// On a GPU the border has priority: its small kernels start while blocks of the interior's kernel are still waiting.
class Instances {
 public:
  explicit Instances(int device)
      : m_interior_stream(device, false),
        m_border_stream(device, true),
        interior(m_interior_stream.get()),
        border(m_border_stream.get()) {}

 private:
  Stream m_interior_stream, m_border_stream;  // before the instances, which are destroyed first

 public:
  Space interior, border;
};

inline int number_of_devices() { return Kokkos::num_devices(); }

/// Bytes of the smallest device that a program can fill. The other bytes are left for the runtimes and communication
/// libraries.
inline double memory_of_a_device() {
  constexpr double for_runtimes = 2.0 * (1 << 30);
  double smallest               = 0;
  for (int device = 0; device < number_of_devices(); ++device) {
    HALO_GPU_PROPERTIES properties;
    gpu_check(HALO_GPU(GetDeviceProperties)(&properties, device), "GetDeviceProperties");
    double const bytes = double(properties.totalGlobalMem) - for_runtimes;
    smallest           = device == 0 ? bytes : std::min(smallest, bytes);
  }
  return smallest;
}
#else
/// Kernels of host backends have ended when their launch returns, so one instance is enough.
class Instances {
 public:
  explicit Instances(int /*device*/) {}
  Space interior, border = interior;
};

inline int number_of_devices() { return 0; }
inline double memory_of_a_device() { return std::numeric_limits<double>::infinity(); }  // swapping is not prevented
#endif

#endif
