// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_DEVICE_HPP
#define KOKKOS_TEST_HIP_MODEL_DEVICE_HPP

/// \file
/// Kernels on the HIP model (a test instrument, not a GPU): ordinary functions, called once for each thread of a grid,
/// each in its own fiber, and the instructions that they may use.
///
/// A fiber runs until it waits for others (barrier, shuffle, vote, pause); then the next one of its block runs. All
/// fibers of a block stay on one host thread, so one thread_local pointer identifies the running one.

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

/// Number of lanes of a wavefront for which kernels are compiled: 32 or 64.
#ifndef HIP_MODEL_WAVEFRONT
#define HIP_MODEL_WAVEFRONT 64
#endif

#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif

namespace hip_model {

using Mask = unsigned long long;

/// The position of a kernel's thread.
struct ThreadPosition {
  dim3 thread, block_dim, block, grid_dim;
  char* shared;
};
/// Null outside of kernels.
inline thread_local constinit ThreadPosition const* position = nullptr;
constexpr bool in_kernel() { return !std::is_constant_evaluated() && position != nullptr; }

template <dim3 ThreadPosition::* Which>
struct Coordinates {
  template <unsigned dim3::* Axis>
  struct Coordinate {
    operator unsigned() const { return (position->*Which).*Axis; }
  };
  Coordinate<&dim3::x> x;
  Coordinate<&dim3::y> y;
  Coordinate<&dim3::z> z;
};

// Operations in which a thread waits for others.
void block_barrier();
void wavefront_barrier(Mask);
Mask converged_lanes();
enum class Shuffle { down, up, exclusive_or, from };
unsigned shuffle_lanes(Shuffle, Mask, unsigned word, int argument, int width);
Mask vote(Mask, bool yes);
void let_others_run();
/// Ends the kernel with a sticky error: each later call of HIP on the device returns hipErrorLaunchFailure.
[[noreturn]] void trap(char const* sentence);

/// Calls a kernel's function with the arguments at the given addresses.
using Trampoline = void (*)(void* const* arguments);

/// Registers a kernel with the model: `entry` is the address that launches use, `sizes` are the sizes of its arguments
/// in bytes. Arguments are copied byte by byte at the launch, and all threads of the grid share the same copy. Repeated
/// calls are cheap.
void describe_kernel(void const* entry, std::initializer_list<std::size_t> sizes, Trampoline,
                     char const* name = nullptr, int wavefront = HIP_MODEL_WAVEFRONT);

/// Tells the model the size of a variable of the program that kernels use, which is its own storage on all devices.
void describe_variable(void const* address, std::size_t bytes, char const* name);
/// The same for a variable in managed memory (`__managed__`).
void describe_managed_variable(void* address, std::size_t bytes, char const* name);

namespace detail {
template <auto Kernel, class... P>
struct Entry {
  template <std::size_t... I>
  static void call(void* const* arguments, std::index_sequence<I...>) {
    Kernel(*static_cast<std::remove_cvref_t<P>*>(arguments[I])...);
  }
  static void run(void* const* arguments) { call(arguments, std::index_sequence_for<P...>{}); }
  static void const* get() {
    static void const* const entry = [] {
      void const* e = reinterpret_cast<void const*>(Kernel);
      describe_kernel(e, {sizeof(P)...}, &run);
      return e;
    }();
    return entry;
  }
};
template <auto Kernel, class... P>
void const* entry(void (*)(P...)) {
  return Entry<Kernel, P...>::get();
}
}  // namespace detail

/// The address for launching a function as a kernel: `kernel_entry<&f>()`.
template <auto Kernel>
void const* kernel_entry() {
  return detail::entry<Kernel>(Kernel);
}

/// hipLaunchKernel under another name.
inline hipError_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                         hipStream_t stream) {
  return hipLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

/// The instructions beyond C++ that kernels in Kokkos' GPU/ use.
struct Intrinsics {
  using mask_type                = Mask;
  static constexpr int warp_size = HIP_MODEL_WAVEFRONT;

  static constexpr bool has_paired_access = false;

  static int thread_x() { return static_cast<int>(position->thread.x); }
  static int thread_y() { return static_cast<int>(position->thread.y); }
  static int thread_z() { return static_cast<int>(position->thread.z); }
  static int team_zero() { return 0; }
  static int block_dim_x() { return static_cast<int>(position->block_dim.x); }
  static int block_dim_y() { return static_cast<int>(position->block_dim.y); }
  static int block_dim_z() { return static_cast<int>(position->block_dim.z); }
  static unsigned block_x() { return position->block.x; }
  static unsigned block_y() { return position->block.y; }
  static unsigned block_z() { return position->block.z; }
  static unsigned grid_dim_x() { return position->grid_dim.x; }
  static unsigned grid_dim_y() { return position->grid_dim.y; }
  static unsigned grid_dim_z() { return position->grid_dim.z; }

  static void barrier() { block_barrier(); }
  static void warp_barrier(mask_type mask) { wavefront_barrier(mask); }
  static mask_type active_mask() { return converged_lanes(); }
  static void fence_device() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static void fence_system() { std::atomic_thread_fence(std::memory_order_seq_cst); }

  static unsigned shuffle_down(mask_type mask, unsigned word, int delta, int width) {
    return shuffle_lanes(Shuffle::down, mask, word, delta, width);
  }
  static unsigned shuffle_up(mask_type mask, unsigned word, int delta, int width) {
    return shuffle_lanes(Shuffle::up, mask, word, delta, width);
  }
  static unsigned shuffle_xor(mask_type mask, unsigned word, int bits, int width) {
    return shuffle_lanes(Shuffle::exclusive_or, mask, word, bits, width);
  }
  static unsigned shuffle(mask_type mask, unsigned word, int from, int width) {
    return shuffle_lanes(Shuffle::from, mask, word, from, width);
  }
  static int uniform(int number) { return number; }
  static unsigned long long ballot(mask_type mask, bool yes) { return vote(mask, yes); }
  /// -1 if no bit is set.
  static int first_set(unsigned long long bits) { return __builtin_ffsll(static_cast<long long>(bits)) - 1; }

  static void store_release(unsigned* p, unsigned value) {
    std::atomic_ref<unsigned>(*p).store(value, std::memory_order_release);
  }
  static void store_release_system(unsigned* p, unsigned value) { store_release(p, value); }
  static unsigned load_acquire(unsigned const* p) {
    return std::atomic_ref<unsigned>(*const_cast<unsigned*>(p)).load(std::memory_order_acquire);
  }
  static unsigned load_acquire_system(unsigned const* p) { return load_acquire(p); }
  static void store_pair_system(unsigned long long* p, unsigned long long a, unsigned long long b) {
    p[0] = a, p[1] = b;
  }
  static void load_pair_system(unsigned long long const* p, unsigned long long& a, unsigned long long& b) {
    a = p[0], b = p[1];
  }
  static void pause() { let_others_run(); }
  static char* shared() { return position->shared; }
  static constexpr bool has_own_shared = false;
  template <int>
  static char* own_shared() {
    return shared();
  }
  static unsigned fetch_add(unsigned* p, unsigned n) { return std::atomic_ref<unsigned>(*p).fetch_add(n); }
  static int fetch_add(int* p, int n) { return std::atomic_ref<int>(*p).fetch_add(n); }
};

}  // namespace hip_model

// HIP's names for a thread's position.
inline constexpr hip_model::Coordinates<&hip_model::ThreadPosition::thread> threadIdx{};
inline constexpr hip_model::Coordinates<&hip_model::ThreadPosition::block> blockIdx{};
inline constexpr hip_model::Coordinates<&hip_model::ThreadPosition::block_dim> blockDim{};
inline constexpr hip_model::Coordinates<&hip_model::ThreadPosition::grid_dim> gridDim{};

#endif
