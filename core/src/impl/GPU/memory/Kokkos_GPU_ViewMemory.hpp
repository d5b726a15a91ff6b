// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_VIEW_MEMORY_HPP
#define KOKKOS_GPU_VIEW_MEMORY_HPP

/// \file
/// Allocation and deallocation of views' memory; included by the one source file of each vendor that instantiates
/// GPUMemorySpace.
///
/// | memory | from | returned |
/// |---|---|---|
/// | device, pinned | the pool of the device | to the pool, without a wait |
/// | managed, and all where the pools are switched off | the runtime | to the runtime, after a wait for the device |

#include <impl/GPU/instance/Kokkos_GPU_Instance_Impl.hpp>
#include <impl/GPU/instance/Kokkos_GPU_MemorySpace.hpp>
#include <impl/GPU/memory/Kokkos_GPU_MemoryPools.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <cstddef>
#include <string>

namespace Kokkos::Impl {

/// The streams that a pool queries.
template <class Runtime>
struct GPUInstanceStreams {
  template <class F>
  static bool visit_default_stream(F const& f) {
    return GPUInstance<Runtime>::visit_default_stream(f);
  }
  static void note_capture_in_default_stream() noexcept { GPUInstance<Runtime>::note_capture_in_default_stream(); }
  template <class F>
  static void visit_unordered(int device, F const& f) {
    GPUInstance<Runtime>::visit_unordered(device, f);
  }
};

template <class Runtime>
using GPUViewMemory = GPUMemoryPools<Runtime, GPUInstanceStreams<Runtime>>;

/// Throws RawMemoryAllocationFailure: memory is exhausted, or an earlier error prevents the allocation.
template <class Runtime>
[[noreturn]] void gpu_allocation_failed(MemoryKind kind, char const* space, std::size_t bytes, char const* label,
                                        typename Runtime::error_t error, char const* call,
                                        GPUInstance<Runtime> const& instance) {
  Runtime::clear_last_error();
  std::string sentence = std::string("Kokkos memory space ") + space + " could not supply " + human_memory_size(bytes) +
                         " (" + std::to_string(bytes) + " bytes) for \"" + (label ? label : "") + "\": ";
  std::size_t free = 0, total = 0;
  bool is_full = true;
  if constexpr (requires { Runtime::out_of_memory; }) is_full = error == Runtime::out_of_memory;
  std::size_t const limit = kind == MemoryKind::device ? GPUViewMemory<Runtime>::bounds().limit : 0;
  std::size_t const taken = GPUViewMemory<Runtime>::template usage<DeviceMemoryKind>(instance.device()).taken;
  if (is_full && limit > 0 && (bytes > limit || taken > limit - bytes)) {
    sentence += "the limit of this process on the device is " + human_memory_size(limit) +
                " (KOKKOS_DEVICE_MEMORY_LIMIT), of which " + human_memory_size(taken) +
                " are taken. Request less, free memory first, or raise the limit.";
  } else if (is_full && kind == MemoryKind::pinned) {
    sentence += "the system has no more host memory that can be pinned. Request less, or free memory first.";
  } else if (is_full && Runtime::memory_info(&free, &total) == Runtime::success) {
    sentence += "the device has " + human_memory_size(free) + " of " + human_memory_size(total) +
                " free. Request less, or free memory first.";
  } else {
    sentence += GPUVendorCallName<Runtime>::of(call) + " answers " + Impl::gpu_error_text<Runtime>(error) +
                ". An earlier operation has failed; a fence reports it." + instance.errors().details(error);
  }
  Runtime::clear_last_error();
  throw Experimental::RawMemoryAllocationFailure(space, bytes, label ? label : "", sentence);
}

/// Frees the memory that Kokkos keeps for reuse: work memory of instances, and the memory of destroyed views. Waits for the
/// work that may still use it.
template <class Runtime>
void gpu_release_idle(int device) {
  WaitScope const waits(WaitReason::memory_short);
  GPUInstance<Runtime>::release_idle_work_memory(device);
  GPUInstance<Runtime>::synchronize_device(device);
  GraphKeeper<Runtime>::collect();
  GPUViewMemory<Runtime>::for_each([](auto& pool) { pool.release_idle(); });
}

/// Allocates by a function of the runtime or a pool. If that has no memory, frees idle memory and calls the function
/// once more.
template <class Runtime, class Allocate>
typename Runtime::error_t gpu_allocate_with_retry(int device, Allocate const& allocate) {
  auto const error = allocate();
  if (error != Runtime::out_of_memory) return error;
  Runtime::clear_last_error();
  Impl::gpu_release_idle<Runtime>(device);
  return allocate();
}

/// Allocates memory of a kind. `call` receives the name of the operation that returned the result.
template <class Runtime>
typename Runtime::error_t gpu_allocate(MemoryKind kind, int device, void** p, std::size_t bytes, bool* cleared,
                                       char const** call) {
  using Pools = GPUViewMemory<Runtime>;
  if (Pools::is_open() && kind != MemoryKind::managed) {
    *call = kind == MemoryKind::device ? "malloc_device" : "malloc_pinned_view";
    return Impl::gpu_allocate_with_retry<Runtime>(device, [&] {
      if (kind == MemoryKind::device) return Pools::template of<DeviceMemoryKind>(device).allocate(bytes, p, cleared);
      return Pools::template of<PinnedViewMemoryKind>(device).allocate(bytes, p);
    });
  }
  DeviceScope<Runtime> scope(device);
  RelaxedCaptureScope<Runtime> relaxed;
  return Impl::gpu_allocate_with_retry<Runtime>(device, [&] {
    switch (kind) {
      case MemoryKind::pinned:
        return *call = "malloc_pinned_view", Runtime::malloc_pinned_view(p, bytes);
      case MemoryKind::managed:
        return *call = "malloc_managed", Runtime::malloc_managed(p, bytes);
      default:
        return *call = "malloc_device", Runtime::malloc_device(p, bytes);
    }
  });
}

/// The allocated size for `bytes` bytes: whole 4-byte words, because an atomic operation on one or two bytes accesses
/// the whole word that contains them.
constexpr std::size_t gpu_whole_words(std::size_t bytes) {
  return bytes > std::size_t(-4) ? bytes : (bytes + 3) / 4 * 4;
}

/// Atomic operations read and write back the bytes that pad the last word, so this initializes them. An uninitialized
/// value would do no harm.
template <class Runtime>
void gpu_clear_rest_of_word(GPUInstance<Runtime>& instance, void* p, std::size_t bytes) {
  std::size_t const rest = gpu_whole_words(bytes) - bytes;
  bool capturing         = true;
  if (rest == 0 || instance.query_capturing(&capturing) != Runtime::success || capturing) return;
  DeviceScope<Runtime> scope(instance.device());
  if (Runtime::memset_async(static_cast<char*>(p) + bytes, 0, rest, instance.stream()) != Runtime::success)
    Runtime::clear_last_error();
}

template <class Runtime, class MemSpace, class Exec>
void* gpu_allocate_or_throw(Exec const* instance_given, char const* label, std::size_t bytes, bool* cleared) {
  require_initialized("An allocation in a GPU's memory space");
  GPUInstance<Runtime>* instance = GPUInstance<Runtime>::default_instance();
  if constexpr (requires { typename Exec::runtime_type; })
    if (instance_given) instance = &instance_given->impl_instance();
  constexpr bool has_pool = MemSpace::impl_memory_kind != MemoryKind::managed;
  WaitScope const waits(has_pool && GPUViewMemory<Runtime>::is_open() ? WaitReason::allocation : WaitReason::unpooled,
                        label);
  GraphKeeper<Runtime>::collect();
  if (cleared) *cleared = false;
  void* p          = nullptr;
  char const* call = "";
  auto const error = Impl::gpu_allocate<Runtime>(MemSpace::impl_memory_kind, instance->device(), &p,
                                                 gpu_whole_words(bytes), cleared, &call);
  if (error != Runtime::success)
    Impl::gpu_allocation_failed<Runtime>(MemSpace::impl_memory_kind, MemSpace::name(), bytes, label, error, call,
                                         *instance);
  if (bytes % 4 != 0 && !(cleared && *cleared)) Impl::gpu_clear_rest_of_word(*instance, p, bytes);
  if (label) Impl::report_allocation(MemSpace::name(), label, p, bytes);
  return p;
}

template <class Runtime, class MemSpace>
void gpu_deallocate(char const* label, void* p, std::size_t bytes) noexcept {
  if (!p) return;
  WaitScope const waits(WaitReason::unpooled, label);
  if (label) Impl::report_deallocation(MemSpace::name(), label, p, bytes);
  using Pools         = GPUViewMemory<Runtime>;
  constexpr auto kind = MemSpace::impl_memory_kind;
  if (kind == MemoryKind::device && Pools::template deallocate<DeviceMemoryKind>(p)) return;
  if (kind == MemoryKind::pinned && Pools::template deallocate<PinnedViewMemoryKind>(p)) return;
  // Kernels may still use the memory, on any instance.
  MemoryKind found = kind;
  int device       = 0;
  (void)Impl::gpu_succeeded<Runtime>(Runtime::pointer_kind(p, &found, &device));
  GPUInstance<Runtime>::synchronize_device(device < 0 ? 0 : device);
  RelaxedCaptureScope<Runtime> relaxed;
  if (kind == MemoryKind::pinned)
    (void)Impl::gpu_succeeded<Runtime>(Runtime::free_pinned(p));
  else if (kind == MemoryKind::managed)
    (void)Impl::gpu_succeeded<Runtime>(Runtime::free_managed(p, gpu_whole_words(bytes)));
  else
    (void)Impl::gpu_succeeded<Runtime>(Runtime::free_device(p));
}

/// As GPUMemorySpace::impl_work_has_ended. Without a wait, the answer is no if the runtime has no query that covers all
/// streams.
template <class Runtime>
bool gpu_work_has_ended(bool wait) {
  GPUInstance<Runtime> const* const instance = GPUInstance<Runtime>::default_instance();
  if (!instance) return true;  // finalize has waited
  WaitScope const waits(WaitReason::memory_short);
  DeviceScope<Runtime> const scope(instance->device());
  RelaxedCaptureScope<Runtime> const relaxed;
  using Marker = GPUWorkMarker<Runtime, GPUInstanceStreams<Runtime>>;
  if (!wait) return Marker().place(instance->device(), Marker::Effort::query) == Marker::Answer::ended;
  return Impl::wait_for_device<Runtime>(instance->device()) == Runtime::success;
}

template <class Derived, class GPU, MemoryKind Kind, bool Unified>
bool GPUMemorySpace<Derived, GPU, Kind, Unified>::impl_work_has_ended(bool wait) {
  return Impl::gpu_work_has_ended<typename GPU::runtime_type>(wait);
}

template <class Derived, class GPU, MemoryKind Kind, bool Unified>
void* GPUMemorySpace<Derived, GPU, Kind, Unified>::impl_allocate(ExecSpace const* instance, char const* label,
                                                                 std::size_t bytes, bool* cleared) {
  return Impl::gpu_allocate_or_throw<typename GPU::runtime_type, Derived>(instance, label, bytes, cleared);
}

template <class Derived, class GPU, MemoryKind Kind, bool Unified>
void GPUMemorySpace<Derived, GPU, Kind, Unified>::impl_deallocate(char const* label, void* p,
                                                                  std::size_t bytes) noexcept {
  Impl::gpu_deallocate<typename GPU::runtime_type, Derived>(label, p, bytes);
}

}  // namespace Kokkos::Impl

#endif
