// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SPACE_IMPL_HPP
#define KOKKOS_GPU_SPACE_IMPL_HPP

/// \file
/// The members of GPUExecutionSpace and GPUMemorySpace, and the functions of a vendor's Backend; included by the one
/// source file of each vendor that instantiates them.

#include <GPU/Kokkos_GPU_ExecutionSpace.hpp>
#include <GPU/Kokkos_GPU_Instance_Impl.hpp>
#include <GPU/Kokkos_GPU_MemorySpace.hpp>
#include <Kokkos_InitializationSettings.hpp>
#include <runtime/Kokkos_Backend.hpp>
#include <runtime/Kokkos_DeviceSelection.hpp>
#include <runtime/Kokkos_Error.hpp>
#include <runtime/Kokkos_ToolsHooks.hpp>

#include <numeric>
#include <ostream>
#include <string>
#include <vector>

namespace Kokkos::Impl {

// ---- execution space ----------------------------------------------------------------------------------------------

template <class D, class Runtime, class M>
int GPUExecutionSpace<D, Runtime, M>::concurrency() const {
  const auto& device = impl_instance().properties();
  return device.multiprocessors * device.threads_per_multiprocessor;
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::fence(const std::string& label) const {
  FenceReport report(label, Tools::Experimental::device_id(static_cast<D const&>(*this)));
  if (impl_instance().is_capturing())
    throw_runtime_exception(label + ": a fence of an instance whose stream is being captured. Nothing runs during a "
                                    "capture, so there is nothing to wait for: end the capture first.");
  impl_instance().synchronize(label.c_str());
  GraphKeeper<Runtime>::collect();
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::impl_static_fence(const std::string& label) {
  FenceReport report(label, Tools::Experimental::device_id_root<D>() |
                                Tools::Experimental::int_for_synchronization_reason(
                                    Tools::Experimental::GlobalDeviceSynchronization));
  GPUInstance<Runtime>::synchronize_all(label.c_str());
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::print_configuration(std::ostream& os, bool verbose) const {
  const auto& device = impl_instance().properties();
  os << D::name() << " instance " << impl_instance_id() << ": device " << impl_instance().device() << ", "
     << device.name << ", compute capability " << device.compute_major << '.' << device.compute_minor << ", "
     << device.multiprocessors << " multiprocessors, " << device.shared_per_block
     << " bytes of shared memory per block\n";
  if (!verbose) return;
  os << "  L2 cache: " << human_memory_size(device.l2_bytes) << ", stream-ordered allocation: "
     << (device.async_allocation ? "yes" : "no") << ", host and device share managed memory at once: "
     << (device.managed_concurrent ? "yes" : "no") << ", kernels reach ordinary host memory: "
     << (device.pageable_access ? "yes" : "no") << '\n';
}

template <class D, class Runtime, class M>
std::vector<D> GPUExecutionSpace<D, Runtime, M>::impl_partition(const std::vector<double>& weights) const {
  std::vector<D> parts;
  for (std::size_t i = 0; i < weights.size(); ++i)
    parts.emplace_back(D(GPUInstanceHandle<Runtime>(new GPUInstance<Runtime>(impl_instance().device()))));
  return parts;
}

template <class D, class Runtime, class M>
GPUInstanceHandle<Runtime> GPUExecutionSpace<D, Runtime, M>::shared_default() {
  auto* instance = GPUInstance<Runtime>::default_instance();
  if (!instance) require_initialized((std::string("Kokkos::") + D::name() + "::" + D::name() + "()").c_str());
  return GPUInstanceHandle<Runtime>::uncounted(instance);
}

template <class D, class Runtime, class M>
GPUInstanceHandle<Runtime> GPUExecutionSpace<D, Runtime, M>::adopt(typename Runtime::stream_t stream) {
  const std::string who = std::string("Kokkos::") + D::name() + "(stream)";
  require_initialized(who.c_str());
  int device = 0;
  if (stream == nullptr) {
    // The legacy default stream, which is a stream of the current device.
    gpu_check<Runtime>(Runtime::get_device(&device), "get_device", "looking up the device of the default stream");
  } else if (Runtime::stream_device(stream, &device) != Runtime::success) {
    Runtime::clear_last_error();
    throw_runtime_exception(who + ": the handle is no stream, or that of a stream that was destroyed. Give a stream "
                                  "that lives longer than the instance.");
  }
  return GPUInstanceHandle<Runtime>(new GPUInstance<Runtime>(stream, device));
}

// ---- memory spaces ------------------------------------------------------------------------------------------------

template <class Runtime>
[[noreturn]] void gpu_out_of_memory(const char* space, std::size_t bytes, const char* label) {
  Runtime::clear_last_error();
  std::size_t free = 0, total = 0;
  (void)Runtime::memory_info(&free, &total);
  throw Experimental::RawMemoryAllocationFailure(
      std::string("Kokkos memory space ") + space + " could not supply " + human_memory_size(bytes) + " (" +
          std::to_string(bytes) + " bytes) for \"" + (label ? label : "") + "\": the device has " +
          human_memory_size(free) + " of " + human_memory_size(total) + " free. Ask for less, or free memory before.",
      bytes);
}

/// Allocates memory of a kind, ordered in the stream of `instance` where the device can do that.
template <class Runtime>
typename Runtime::error_t gpu_allocate(GPUMemoryPlace place, GPUInstance<Runtime>& instance, bool wait, void** p,
                                       std::size_t bytes) {
  if (place == GPUMemoryPlace::pinned) return Runtime::malloc_pinned(p, bytes);
  if (place == GPUMemoryPlace::managed) return Runtime::malloc_managed(p, bytes);
  if (!instance.properties().async_allocation || instance.is_capturing()) return Runtime::malloc_device(p, bytes);
  const auto error = Runtime::malloc_device_async(p, bytes, instance.stream());
  return error == Runtime::success && wait ? Runtime::stream_synchronize(instance.stream()) : error;
}

template <class Runtime, class MemSpace, class Exec>
void* gpu_allocate_or_throw(Exec const* instance_given, const char* label, std::size_t bytes) {
  require_initialized("An allocation in a GPU's memory space");
  GPUInstance<Runtime>* instance = GPUInstance<Runtime>::default_instance();
  if constexpr (requires { typename Exec::runtime_type; })
    if (instance_given) instance = &instance_given->impl_instance();
  DeviceScope<Runtime> scope(instance->device());
  RelaxedCaptureScope<Runtime> relaxed;
  GraphKeeper<Runtime>::collect();
  void* p = nullptr;
  if (gpu_allocate<Runtime>(MemSpace::impl_place, *instance, instance_given == nullptr, &p, bytes) != Runtime::success)
    gpu_out_of_memory<Runtime>(MemSpace::name(), bytes, label);
  if (label) report_allocation(MemSpace::name(), label, p, bytes);
  return p;
}

template <class Runtime, class MemSpace>
void gpu_deallocate(const char* label, void* p, std::size_t bytes) noexcept {
  if (!p) return;
  if (label) report_deallocation(MemSpace::name(), label, p, bytes);
  // Kernels may still use the memory, on any instance.
  PointerKind kind = PointerKind::device;
  int device       = 0;
  (void)Runtime::pointer_kind(p, &kind, &device);
  try {
    GPUInstance<Runtime>::synchronize_device(device < 0 ? 0 : device, "releasing memory");
  } catch (...) {
    // A failed kernel is reported by the next fence; the memory goes back all the same.
  }
  RelaxedCaptureScope<Runtime> relaxed;
  if (MemSpace::impl_place == GPUMemoryPlace::pinned)
    (void)Runtime::free_pinned(p);
  else
    (void)Runtime::free_device(p);
  Runtime::clear_last_error();
}

// ---- backend ------------------------------------------------------------------------------------------------------

/// What initialize, finalize and the others do for a vendor's execution space.
template <class Space>
struct GPUBackend {
  using Runtime = typename Space::runtime_type;

  static std::vector<int> visible() {
    int count = 0;
    if (Runtime::device_count(&count) != Runtime::success) {
      Runtime::clear_last_error();
      count = 0;
    }
    return visible_devices(count);
  }

  static void initialize(InitializationSettings const& settings) {
    int count = 0;
    if (const auto error = Runtime::device_count(&count); error != Runtime::success) {
      Runtime::clear_last_error();
      throw_runtime_exception(std::string("Kokkos::initialize: ") + Runtime::vendor + " cannot be used: " +
                              Runtime::error_string(error) +
                              ". Run where there is a device, with a driver at least as new as the toolkit.");
    }
    const int device = select_device(settings, visible_devices(count));
    gpu_check<Runtime>(Runtime::set_device(device), "set_device", "choosing the device");
    auto* instance = new GPUInstance<Runtime>(device);
    GPUInstance<Runtime>::set_default_instance(instance);
  }

  static void finalize() {
    GPUInstance<Runtime>::synchronize_all("Kokkos::finalize");
    GPUInstance<Runtime>* instance = GPUInstance<Runtime>::default_instance();
    GPUInstance<Runtime>::set_default_instance(nullptr);
    if (instance) instance->release();
    FunctorRings<Runtime>::release_all();
    GraphKeeper<Runtime>::collect();
    GPULockTable<Runtime>::get().release();
  }

  static void fence(std::string const& label) { Space::impl_static_fence(label); }
  static void print_configuration(std::ostream& os, bool verbose) { Space().print_configuration(os, verbose); }
  static int num_devices() { return static_cast<int>(visible().size()); }
  static int device_id() {
    auto* instance = GPUInstance<Runtime>::default_instance();
    return instance ? instance->device() : -1;
  }
};

}  // namespace Kokkos::Impl

#endif
