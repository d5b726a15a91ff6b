// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_KERNEL_LAUNCH_HPP
#define KOKKOS_GPU_KERNEL_LAUNCH_HPP

/// \file
/// Kernel launches. A functor is a kernel parameter where the size allows it and goes through the ring otherwise; in
/// a captured stream the graph keeps it. A launch does not wait.
///
/// A *driver* is the object that each thread runs: trivially relocatable, with `operator()() const` for the device.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/launch/Kokkos_GPU_BlockSize.hpp>
#include <Kokkos_Concepts.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>
#include <impl/view/Kokkos_Allocation.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

namespace Kokkos::Impl {

#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#define KOKKOS_IMPL_GRID_CONSTANT const __grid_constant__
#else
#define KOKKOS_IMPL_GRID_CONSTANT const
#endif

// Launches name a kernel by this pointer. For a GPU model the pointer is an object that can call the kernel,
// whose threads share the parameters.
#ifdef KOKKOS_IMPL_GPU_MODEL
#define KOKKOS_IMPL_GPU_PARAMETER(...) __VA_ARGS__ const&
#define KOKKOS_IMPL_GPU_ENTRY(...) ::hip_model::kernel_entry<&__VA_ARGS__>()
#else
#define KOKKOS_IMPL_GPU_PARAMETER(...) KOKKOS_IMPL_GRID_CONSTANT __VA_ARGS__
#define KOKKOS_IMPL_GPU_ENTRY(...) reinterpret_cast<const void*>(&__VA_ARGS__)
#endif

/// The second number of __launch_bounds__ for a minimum number of blocks on a multiprocessor. CUDA takes that number
/// itself. HIP takes the wavefronts of one SIMD of a compute unit, which has four SIMDs up to gfx9 and two later.
constexpr unsigned gpu_min_residents([[maybe_unused]] unsigned threads, unsigned blocks) {
#if defined(KOKKOS_ENABLE_HIP) && !defined(KOKKOS_IMPL_GPU_MODEL)
  constexpr unsigned simds = KOKKOS_IMPL_HIP_WAVEFRONT == 64 ? 4 : 2;
  unsigned const waves     = (threads + KOKKOS_IMPL_HIP_WAVEFRONT - 1) / KOKKOS_IMPL_HIP_WAVEFRONT * blocks;
  unsigned const each      = (waves + simds - 1) / simds;
  return each < 8 ? each : 8;  // the maximum of every SIMD
#else
  return blocks;
#endif
}

// The device's copy of a driver is constant while the kernel runs, and __restrict__ states that. AMD's compiler then
// loads it through the scalar cache, as it loads a parameter, even after the kernel has written to memory.
template <class Driver>
__global__ void gpu_by_value(KOKKOS_IMPL_GPU_PARAMETER(Driver) driver) {
  driver();
}
template <class Driver>
__global__ void gpu_by_pointer(Driver const* KOKKOS_RESTRICT driver) {
  (*driver)();
}
template <class Driver, unsigned MaxThreads, unsigned MinBlocks>
__global__ void __launch_bounds__(MaxThreads, gpu_min_residents(MaxThreads, MinBlocks))
    gpu_by_value_bounded(KOKKOS_IMPL_GPU_PARAMETER(Driver) driver) {
  driver();
}
template <class Driver, unsigned MaxThreads, unsigned MinBlocks>
__global__ void __launch_bounds__(MaxThreads, gpu_min_residents(MaxThreads, MinBlocks))
    gpu_by_pointer_bounded(Driver const* KOKKOS_RESTRICT driver) {
  (*driver)();
}

/// The limits of one kernel on one device.
struct KernelLimits {
  /// The maximum number of threads in a block, and the registers of a thread shifted by 16 bits; 0 before the first
  /// query.
  std::atomic<std::uint32_t> threads_and_registers{0};
  std::size_t shared = 0;  ///< bytes of dynamic shared memory allowed so far
};

/// The limits of one kernel on each device. They are queried once; later a launch reads one number without a lock.
template <class Runtime>
class KernelLimitsTable {
 public:
  GPUKernelNeeds needs(void const* entry, GPUInstance<Runtime> const& instance) {
    auto& known              = m_limits[instance.device()].threads_and_registers;
    std::uint32_t const both = known.load(std::memory_order_relaxed);
    if (both != 0) return {static_cast<int>(both & 0xffff), static_cast<int>(both >> 16), 0};
    DeviceScope<Runtime> scope(instance.device());
    RelaxedCaptureScope<Runtime> relaxed;  // may load the kernel
    int threads = 0, registers = 0;
    auto const error = Runtime::kernel_limits(entry, &threads, &registers);
    if (error != Runtime::success)
      instance.errors().throw_refused_launch(error, "kernel_limits", current_kernel_label());
    known.store(static_cast<std::uint32_t>(threads) | static_cast<std::uint32_t>(registers) << 16,
                std::memory_order_relaxed);
    return {threads, registers, 0};
  }

  /// Allows the kernel to use `bytes` of dynamic shared memory on the instance's device, which is the current device.
  void allow_shared(void const* entry, GPUInstance<Runtime> const& instance, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(m_mutex);
    KernelLimits& limits = m_limits[instance.device()];
    if (bytes <= limits.shared) return;
    RelaxedCaptureScope<Runtime> relaxed;
    instance.errors().check(Runtime::kernel_allow_shared(entry, bytes), "kernel_allow_shared",
                            "requesting a kernel's shared memory");
    limits.shared = bytes;
  }

 private:
  std::mutex m_mutex;
  KernelLimits m_limits[FunctorRings<Runtime>::max_devices];
};

/// Whether a launch passes the driver as the kernel's parameter, instead of a pointer to the device's copy.
template <class Runtime, class Driver>
inline constexpr bool gpu_passes_by_value = sizeof(Driver) <= Runtime::by_value_limit;

/// The kernel that runs a driver, and its limits.
template <class Runtime, class Driver, class Bounds>
struct GPUKernel {
  static constexpr bool by_value = gpu_passes_by_value<Runtime, Driver>;

  static void const* entry() {
    constexpr unsigned threads = Bounds::maxTperB;
    if constexpr (threads == 0) {
      if constexpr (by_value)
        return KOKKOS_IMPL_GPU_ENTRY(gpu_by_value<Driver>);
      else
        return KOKKOS_IMPL_GPU_ENTRY(gpu_by_pointer<Driver>);
    } else {
      constexpr unsigned blocks = Bounds::minBperSM > 0 ? Bounds::minBperSM : 1;
      if constexpr (by_value)
        return KOKKOS_IMPL_GPU_ENTRY(gpu_by_value_bounded<Driver, threads, blocks>);
      else
        return KOKKOS_IMPL_GPU_ENTRY(gpu_by_pointer_bounded<Driver, threads, blocks>);
    }
  }

  static GPUKernelNeeds needs(GPUInstance<Runtime> const& instance) { return table().needs(entry(), instance); }
  static int max_threads(GPUInstance<Runtime> const& instance) { return needs(instance).max_threads; }
  static KernelLimitsTable<Runtime>& table() {
    static KernelLimitsTable<Runtime> limits;
    return limits;
  }
};

/// Launch bounds of a kernel for blocks of at most 256 threads: those of the program, if it gives any.
template <class Runtime, class Bounds>
using GPUFullRegisterBounds =
    std::conditional_t<Bounds::maxTperB == 0,
                       LaunchBounds<Runtime::full_register_threads, (Runtime::full_register_threads > 0)>, Bounds>;

/// Launch bounds of a kernel whose blocks may have any size. Such a kernel is compiled twice. The first version has as
/// many registers as the compiler wants, on AMD GPUs for blocks of up to `Runtime::full_register_threads` threads. The
/// second version allows blocks of 1024 threads, and keeps in memory what does not fit into its registers.
struct AnyBlockSize {};

template <class Runtime>
struct ChosenKernel {
  void const* entry;
  KernelLimitsTable<Runtime>& limits;
};

/// The kernel for a block: of two versions the first one, if it allows the block.
template <class Runtime, class Driver, class Bounds>
ChosenKernel<Runtime> gpu_choose_kernel([[maybe_unused]] GPUInstance<Runtime> const& instance,
                                        [[maybe_unused]] dim3 const& block) {
  if constexpr (std::is_same_v<Bounds, AnyBlockSize>) {
    constexpr unsigned max = Runtime::full_register_threads;
    using FullRegisters    = GPUKernel<Runtime, Driver, GPUFullRegisterBounds<Runtime, LaunchBounds<>>>;
    using LargeBlocks      = GPUKernel<Runtime, Driver, LaunchBounds<1024, 1>>;
    unsigned const threads = block.x * block.y * block.z;
    if ((max == 0 || threads <= max) && threads <= static_cast<unsigned>(FullRegisters::max_threads(instance)))
      return {FullRegisters::entry(), FullRegisters::table()};
    return {LargeBlocks::entry(), LargeBlocks::table()};
  } else {
    using Kernel = GPUKernel<Runtime, Driver, Bounds>;
    return {Kernel::entry(), Kernel::table()};
  }
}

/// Shared memory, dynamic and static, that every kernel may use without a call to the runtime.
inline constexpr std::size_t shared_always_allowed = 48 * 1024;
/// At most this much of it is static.
inline constexpr std::size_t most_static_shared = 2048;

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;  ///< bytes of dynamic shared memory
};

/// A copy of a driver that a graph keeps.
template <class Runtime>
struct GraphDriver : GraphKept {
  void* driver      = nullptr;
  std::size_t bytes = 0;
  DeviceMemory<Runtime> on_device;  ///< a copy of these bytes, if the kernel takes a pointer to its driver
};

/// The copy is tracked, so that the driver's views keep their memory.
template <class Runtime, class Driver>
struct GraphDriverOf final : GraphDriver<Runtime> {
  explicit GraphDriverOf(Driver const& original) : value(copy_tracked(original)) {
    this->driver = &value;
    this->bytes  = sizeof value;
  }
  ~GraphDriverOf() noexcept override {}  // also if the functor's destructor may throw
  static Driver copy_tracked(Driver const& original) {
    TrackedScope tracked;
    return original;
  }
  Driver value;
};

/// Copies bytes to new device memory at once, on a stream of its own, while another stream of this thread is captured.
template <class Runtime>
DeviceMemory<Runtime> gpu_copy_outside_capture(void const* from, std::size_t bytes) {
  WaitScope const waits(WaitReason::recording);
  RelaxedCaptureScope<Runtime> relaxed;
  DeviceMemory<Runtime> to(bytes);
  PinnedMemory<Runtime> staging(bytes);
  std::memcpy(staging.get(), from, bytes);
  int device = 0;
  Impl::gpu_check<Runtime>(Runtime::get_device(&device), "get_device", "looking up the current device");
  InstanceStream<Runtime> stream(device);
  Impl::gpu_check<Runtime>(Runtime::memcpy_async(to.get(), staging.get(), bytes, stream.get()), "memcpy_async",
                           "sending a captured functor to the device");
  Impl::gpu_check<Runtime>(Runtime::stream_synchronize(stream.get()), "stream_synchronize",
                           "sending a captured functor to the device");
  return to;
}

/// Starts a kernel whose parameter is at `argument`: the driver, or a pointer to it.
template <class Runtime>
void gpu_start(GPUInstance<Runtime>& instance, void const* entry, LaunchShape const& shape, void* argument) {
  void* arguments[] = {argument};
  auto const error  = Runtime::launch(entry, shape.grid, shape.block, arguments, shape.shared, instance.stream());
  if (error != Runtime::success) instance.errors().throw_refused_launch(error, "launch", current_kernel_label());
}

/// Starts a kernel in the graph that is being captured. The graph takes the copy of the driver before the launch that
/// needs it, so a failed launch leaves at most an unused copy.
template <class Runtime>
void gpu_start_in_graph(GPUInstance<Runtime>& instance, void const* entry, LaunchShape const& shape,
                        std::unique_ptr<GraphDriver<Runtime>> copy, bool by_value) {
  void* const driver = copy->driver;
  void* on_device    = nullptr;
  instance.errors().with_context([&] {
    if (!by_value) copy->on_device = Impl::gpu_copy_outside_capture<Runtime>(driver, copy->bytes);
    on_device = copy->on_device.get();
    GraphKeeper<Runtime>::keep(instance.stream(), std::move(copy));
  });
  Impl::gpu_start(instance, entry, shape, by_value ? driver : &on_device);
}

/// Enqueues a Driver{parts...} on `instance`. The driver is built where the launch copies it from, because copies
/// dominate the cost of launching a large functor.
///
/// Every kernel of a program instantiates this function, so what does not depend on the driver is done in others.
/// \throws GPUError if the runtime refuses; nothing is left behind
template <class Driver, class Bounds = LaunchBounds<>, class Runtime, class... Parts>
void gpu_launch(GPUInstance<Runtime>& instance, LaunchShape const& shape, Parts const&... parts) {
  constexpr bool by_value = gpu_passes_by_value<Runtime, Driver>;
  DeviceScope<Runtime> scope(instance.device());
  UntrackedScope untracked;
  auto const [entry, limits] = Impl::gpu_choose_kernel<Runtime, Driver, Bounds>(instance, shape.block);
  if (shape.shared + most_static_shared > shared_always_allowed) limits.allow_shared(entry, instance, shape.shared);

  if (instance.is_capturing()) {
    std::unique_ptr<GraphDriver<Runtime>> copy(new GraphDriverOf<Runtime, Driver>(Driver{parts...}));
    Impl::gpu_start_in_graph(instance, entry, shape, std::move(copy), by_value);
  } else if constexpr (by_value) {
    Driver driver{parts...};
    Impl::gpu_start(instance, entry, shape, &driver);
  } else {
    auto make       = [&](void* staging) { ::new (staging) Driver{parts...}; };
    auto by_pointer = [&, entry = entry](void* on_device) { Impl::gpu_start(instance, entry, shape, &on_device); };
    instance.errors().with_context([&] {
      FunctorRings<Runtime>::of(instance.device()).ship(sizeof(Driver), make, instance.stream(), by_pointer);
    });
  }
  instance.errors().launched(current_kernel_label());
}

}  // namespace Kokkos::Impl

#endif
