// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SPACE_IMPL_HPP
#define KOKKOS_GPU_SPACE_IMPL_HPP

/// \file
/// The members of GPUExecutionSpace, and the functions of a vendor's Backend; included by the one source file of each
/// vendor that instantiates them.

#include <impl/GPU/portable/Kokkos_GPU_HostNode.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ExecutionSpace.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance_Impl.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ResultCells_Impl.hpp>
#include <impl/GPU/memory/Kokkos_GPU_ViewMemory.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CompletionEvent.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <Kokkos_IdleMemory.hpp>
#include <Kokkos_InitializationSettings.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_CopySettings.hpp>
#include <impl/runtime/Kokkos_DeviceSelection.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <ostream>
#include <string>
#include <vector>

namespace Kokkos::Impl {

// ---- execution space ----------------------------------------------------------------------------------------------

template <class D, class Runtime, class M>
int GPUExecutionSpace<D, Runtime, M>::impl_host_numa_node() const {
  return Impl::host_node_beside<Runtime>(impl_instance().device());
}

template <class D, class Runtime, class M>
int GPUExecutionSpace<D, Runtime, M>::impl_concurrency() const {
  auto const& device = impl_instance().properties();
  return device.multiprocessors * device.threads_per_multiprocessor;
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::fence(std::string const& label) const {
  FenceReport report(label, Tools::Experimental::device_id(static_cast<D const&>(*this)));
  if (refuses_fence_in_report()) return;
  // A label that only tools would read is empty without them.
  char const* const purpose = label.empty() ? "waiting for an instance" : label.c_str();
  if (impl_instance().is_capturing(purpose))
    throw_runtime_exception(
        purpose + std::string(": a fence of an instance whose stream is being captured. Nothing runs during a "
                              "capture, so there is nothing to wait for: end the capture first."));
  if (!impl_instance().has_work()) impl_instance().require_working_device(purpose);
  impl_instance().synchronize(purpose);
  GraphKeeper<Runtime>::collect();
  // Only if the pool can find out whether the device is at rest.
  if constexpr (Runtime::default_stream_query_covers_ordered) GPUViewMemory<Runtime>::collect_due(false);
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::impl_require_waitable(char const* call) const {
  impl_instance().require_waitable(call);
}

template <class D>
std::uint32_t gpu_id_of_all_instances() {
  return Tools::Experimental::device_id_root<D>() |
         Tools::Experimental::int_for_synchronization_reason(Tools::Experimental::GlobalDeviceSynchronization);
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::impl_static_fence(std::string const& label) {
  FenceReport report(label, Impl::gpu_id_of_all_instances<D>());
  GPUInstance<Runtime>::synchronize_all(label.c_str());
  GPUViewMemory<Runtime>::collect_due(true);
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::impl_fence_before(GPUInstance<Runtime>& next, std::string const& label) {
  Impl::require_initialized("Kokkos::deep_copy");
  if (tools_loaded()) {  // they see a fence, so it is one
    impl_static_fence(label);
  } else {
    GPUInstance<Runtime>::synchronize_all(label.c_str(), &next);
    if constexpr (Runtime::default_stream_query_covers_ordered) GPUViewMemory<Runtime>::collect_due(false);
  }
  Impl::fence_host_backends(label);
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::print_configuration(std::ostream& os, bool verbose) const {
  auto const& device = impl_instance().properties();
  os << D::name() << " instance " << impl_instance_id() << ": device " << impl_instance().device() << ", "
     << device.name << ", compute capability " << device.compute_major << '.' << device.compute_minor << ", "
     << device.multiprocessors << " multiprocessors, " << device.shared_per_block
     << " bytes of shared memory per block\n";
  if (!verbose) return;
  os << "  L2 cache: " << Impl::human_memory_size(device.l2_bytes)
     << ", stream-ordered allocation: " << (device.async_allocation ? "yes" : "no")
     << ", host and device access managed memory concurrently: " << (device.managed_concurrent ? "yes" : "no")
     << ", kernels access pageable host memory: " << (device.pageable_access ? "yes" : "no")
     << "\n  staging buffer for copies of pageable memory: "
     << CopyEngines<Runtime>::describe_staging(impl_instance().device()) << '\n';
  using Memory                 = GPUViewMemory<Runtime>;
  GPUPoolUsage const in_device = Memory::template usage<DeviceMemoryKind>(impl_instance().device());
  os << "  pool of device memory: ";
  if (!Memory::is_open())
    os << "none, because KOKKOS_DEVICE_MEMORY_POOL_MB=0\n";
  else
    os << human_memory_size(in_device.in_use) << " in use (at most " << human_memory_size(in_device.highest)
       << " so far), " << human_memory_size(in_device.taken - in_device.in_use) << " kept; at most "
       << human_memory_size(Memory::bounds().keep) << " stay idle, and " << human_memory_size(Memory::bounds().rest)
       << " for longer than a second";
  if (std::size_t const limit = Memory::is_open() ? Memory::bounds().limit : 0)
    os << ", and " << human_memory_size(limit) << " are the limit of all";
  if (Memory::is_open()) os << '\n';
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::impl_partition(double const*, std::size_t count, D* parts) const {
  for (std::size_t i = 0; i < count; ++i)
    parts[i] = D(GPUInstanceHandle<Runtime>(new GPUInstance<Runtime>(impl_instance().device())));
}

template <class D, class Runtime, class M>
GPUInstanceHandle<Runtime> GPUExecutionSpace<D, Runtime, M>::shared_default() {
  auto* instance = GPUInstance<Runtime>::default_instance();
  if (!instance) Impl::require_initialized((std::string("Kokkos::") + D::name() + "::" + D::name() + "()").c_str());
  return GPUInstanceHandle<Runtime>::uncounted(instance);
}

template <class D, class Runtime, class M>
GPUInstanceHandle<Runtime> GPUExecutionSpace<D, Runtime, M>::adopt(typename Runtime::stream_t stream) {
  std::string const caller = std::string("Kokkos::") + D::name() + "(stream)";
  require_initialized(caller.c_str());
  int device = 0;
  if (stream == nullptr) {
    std::string use;
    if constexpr (requires { Runtime::default_stream_name; })
      use = std::string("; for the default stream of the device, pass ") + Runtime::default_stream_name;
    throw_runtime_exception(caller +
                            ": the handle is null, like that of a stream that has not been created yet. Pass an "
                            "existing stream" +
                            use + '.');
  }
  if (auto const error = Runtime::stream_device(stream, &device); error != Runtime::success) {
    Runtime::clear_last_error();
    Impl::throw_runtime_exception(caller + ": the handle is not a stream, or belongs to a stream that was destroyed (" +
                                  GPUVendorCallName<Runtime>::of("stream_device") + " returns " +
                                  Runtime::error_name(error) + "). Pass a stream that outlives the instance.");
  }
  return GPUInstanceHandle<Runtime>(new GPUInstance<Runtime>(stream, device));
}

// ---- backend ------------------------------------------------------------------------------------------------------

/// The operations of a vendor's execution space for initialize, finalize, and the other functions that apply to all
/// backends.
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
    int count        = 0;
    auto const error = Runtime::device_count(&count);
    if (error != Runtime::success || count == 0) {
      Runtime::clear_last_error();
      std::string why = Impl::gpu_error_text<Runtime>(error) +
                        ". Run where there is a device, with a driver at least as new as the toolkit.";
      if constexpr (requires { Runtime::why_no_device(error); }) why = Runtime::why_no_device(error);
      Impl::throw_runtime_exception(std::string("Kokkos::initialize: ") + Runtime::vendor + " cannot be used: " + why);
    }
    std::vector<int> const devices = Impl::visible_devices(count);
    int const device               = Impl::select_device(settings, devices);
    number_among_visible = static_cast<int>(std::find(devices.begin(), devices.end(), device) - devices.begin());
    Impl::gpu_check<Runtime>(Runtime::set_device(device), "set_device", "choosing the device");
    CopyPreferences const& wanted = copy_preferences();
    CopySettings copies(Runtime::copy_policy);
    copies.blocking              = wanted.pageable == PageableCopies::blocking;
    copies.check                 = wanted.check;
    bool const always            = wanted.pageable == PageableCopies::always_async;
    copies.device_waits          = Runtime::device_may_wait_for_host || always;
    copies.long_by_kernel        = !Runtime::repeats_kernels();
    copies.waits_may_hold_others = !Runtime::device_may_wait_for_host;
    copies.starts_behind         = !always;  // so that the first copy is asynchronous, too
    copies.warn                  = [](char const* sentence) { warn(sentence); };
    if (wanted.staging_bytes > 0) copies.staging_bytes = wanted.staging_bytes;
    copies.threads = wanted.staging_threads;
    CopyEngines<Runtime>::configure(copies);
    GPUViewMemory<Runtime>::open(pool_bounds());
    try {
      GPUInstance<Runtime>::set_default_instance(new GPUInstance<Runtime>(device));
    } catch (...) {
      GPULockTable<Runtime>::get().release();
      throw;
    }
  }

  /// The memory that each pool of device memory keeps, and its limit: settings of initialize, or fractions of the device's
  /// memory.
  static GPUPoolBounds pool_bounds() {
    MemoryPreferences const& wanted = memory_preferences();
    std::size_t free = 0, total = 0;
    if (Runtime::memory_info(&free, &total) != Runtime::success) Runtime::clear_last_error();
    GPUPoolBounds bounds = GPUViewMemory<Runtime>::default_bounds(total);
    if (wanted.is_pool_size_given) bounds = {wanted.pool_bytes, wanted.pool_bytes, 0};
    if (wanted.limit.empty()) return bounds;
    bounds.limit = Impl::memory_limit(wanted.limit, total);
    if (bounds.keep == 0)
      Impl::throw_runtime_exception(
          "Kokkos::initialize: the setting device_memory_limit = \"" + wanted.limit +
          "\" needs the pool, which device_memory_pool_mb = 0 switches off. Give one of them.");
    bounds.keep = std::min(bounds.keep, bounds.limit);
    bounds.rest = std::min(bounds.rest, bounds.limit);
    return bounds;
  }

  /// Waits for all instances and frees the memory of destroyed views, and work memory of instances.
  static void release_memory() {
    WaitScope const waits(WaitReason::idle_memory);
    GPUInstance<Runtime>::synchronize_all("Kokkos::Experimental::release_idle_memory");
    GPUInstance<Runtime>::release_idle_work_memory(GPUInstance<Runtime>::all_devices);
    GPUViewMemory<Runtime>::for_each([](auto& pool) { pool.release_idle(); });
  }

  static Experimental::DeviceMemoryUsage memory_usage() {
    GPUInstance<Runtime> const* const instance = GPUInstance<Runtime>::default_instance();
    if (!instance) return {};
    GPUPoolUsage const pool = GPUViewMemory<Runtime>::template usage<DeviceMemoryKind>(instance->device());
    return {pool.in_use, pool.taken - pool.in_use, pool.highest};
  }

  /// Continues if a kernel has failed: the error is written to the error stream, and all resources are released.
  static void finalize() {
    GPUInstance<Runtime>* instance = GPUInstance<Runtime>::default_instance();
    if (instance) instance->submitted();  // Wait in any case, because a failed device reports its error at every wait.
    try {
      GPUInstance<Runtime>::synchronize_all("Kokkos::finalize");
    } catch (std::exception const& failure) {
      std::fprintf(stderr, "Kokkos error: %s\n", failure.what());
    }
    GPUInstance<Runtime>::set_default_instance(nullptr);
    if (instance) instance->close();
    CopyEngines<Runtime>::release_all();
    FunctorRings<Runtime>::release_all();
    GraphKeeper<Runtime>::collect_last();
    GPUResultSlot<Runtime>::release_all();
    GPUViewMemory<Runtime>::close();
    GPUFenceMarks<Runtime>::release_all();
    ObservingStreams<Runtime>::release_all();
    GPULockTable<Runtime>::get().release();
  }

  static void fence(std::string const& label) { Space::impl_static_fence(label); }
  static void print_configuration(std::ostream& os, bool verbose) { Space().print_configuration(os, verbose); }
  static int num_devices() { return static_cast<int>(visible().size()); }
  static int device_id() { return GPUInstance<Runtime>::default_instance() ? number_among_visible : -1; }

 private:
  /// The position of the default instance's device in the list of visible devices, as in the setting device_id.
  static inline int number_among_visible = -1;
};

}  // namespace Kokkos::Impl

#endif
