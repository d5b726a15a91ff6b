// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SPACE_IMPL_HPP
#define KOKKOS_GPU_SPACE_IMPL_HPP

/// \file
/// The members of GPUExecutionSpace and GPUMemorySpace, and the functions of a vendor's Backend; included by the one
/// source file of each vendor that instantiates them.

#include <GPU/instance/Kokkos_GPU_ExecutionSpace.hpp>
#include <GPU/instance/Kokkos_GPU_Instance_Impl.hpp>
#include <GPU/instance/Kokkos_GPU_MemorySpace.hpp>
#include <GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <Kokkos_InitializationSettings.hpp>
#include <runtime/Kokkos_Backend.hpp>
#include <runtime/Kokkos_CopySettings.hpp>
#include <runtime/Kokkos_DeviceSelection.hpp>
#include <runtime/Kokkos_Error.hpp>
#include <runtime/Kokkos_ToolsHooks.hpp>

#include <cstdio>
#include <exception>
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
  if (refuses_fence_in_report()) return;
  if (impl_instance().is_capturing(label.c_str()))
    throw_runtime_exception(label + ": a fence of an instance whose stream is being captured. Nothing runs during a "
                                    "capture, so there is nothing to wait for: end the capture first.");
  impl_instance().synchronize(label.c_str());
  GraphKeeper<Runtime>::collect();
}

template <class D, class Runtime, class M>
void GPUExecutionSpace<D, Runtime, M>::impl_require_waitable(const char* call) const {
  impl_instance().require_waitable(call);
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
     << (device.pageable_access ? "yes" : "no") << "\n  staging buffer for copies of pageable memory: "
     << CopyEngines<Runtime>::describe_staging(impl_instance().device()) << '\n';
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
    std::string use;
    if constexpr (requires { Runtime::default_stream_name; })
      use = std::string("; where the default stream of the device is meant, give ") + Runtime::default_stream_name;
    throw_runtime_exception(who + ": the handle is null, as that of a stream is that has not been created yet. Give a "
                                  "stream that exists" + use + '.');
  }
  if (const auto error = Runtime::stream_device(stream, &device); error != Runtime::success) {
    Runtime::clear_last_error();
    throw_runtime_exception(who + ": the handle is no stream, or that of a stream that was destroyed (" +
                            GPUCallWords<Runtime>::of("stream_device") + " answers " + Runtime::error_name(error) +
                            "). Give a stream that lives longer than the instance.");
  }
  return GPUInstanceHandle<Runtime>(new GPUInstance<Runtime>(stream, device));
}

// ---- memory spaces ------------------------------------------------------------------------------------------------

/// Throws RawMemoryAllocationFailure: there is not enough memory, or no memory can be had because something failed before.
template <class Runtime>
[[noreturn]] void gpu_allocation_failed(GPUMemoryPlace place, const char* space, std::size_t bytes, const char* label,
                                        typename Runtime::error_t error, const char* call,
                                        GPUInstance<Runtime> const& instance) {
  Runtime::clear_last_error();
  std::string sentence = std::string("Kokkos memory space ") + space + " could not supply " +
                         human_memory_size(bytes) + " (" + std::to_string(bytes) + " bytes) for \"" +
                         (label ? label : "") + "\": ";
  std::size_t free = 0, total = 0;
  bool is_full     = true;
  if constexpr (requires { Runtime::out_of_memory; }) is_full = error == Runtime::out_of_memory;
  if (is_full && place == GPUMemoryPlace::pinned) {
    sentence += "the system has no more host memory that can be pinned. Ask for less, or free memory before.";
  } else if (is_full && Runtime::memory_info(&free, &total) == Runtime::success) {
    sentence += "the device has " + human_memory_size(free) + " of " + human_memory_size(total) +
                " free. Ask for less, or free memory before.";
  } else {
    sentence += GPUCallWords<Runtime>::of(call) + " answers " + gpu_error_words<Runtime>(error) +
                ". Something that ran before has failed; a fence says more about it." + instance.words(error);
  }
  Runtime::clear_last_error();
  throw Experimental::RawMemoryAllocationFailure(sentence, bytes);
}

/// Allocates memory of a kind, ordered in the stream of `instance` where the device can do that. `call` gets the
/// operation that the answer is of.
template <class Runtime>
typename Runtime::error_t gpu_allocate(GPUMemoryPlace place, GPUInstance<Runtime>& instance, bool wait, void** p,
                                       std::size_t bytes, const char** call) {
  if (place == GPUMemoryPlace::pinned) return *call = "malloc_pinned", Runtime::malloc_pinned(p, bytes);
  if (place == GPUMemoryPlace::managed) return *call = "malloc_managed", Runtime::malloc_managed(p, bytes);
  bool capturing = false;
  *call          = "stream_is_capturing";
  if (const auto answer = instance.ask_capturing(&capturing); answer != Runtime::success) return answer;
  *call = "malloc_device";
  if (!instance.properties().async_allocation || capturing) return Runtime::malloc_device(p, bytes);
  *call            = "malloc_device_async";
  const auto error = Runtime::malloc_device_async(p, bytes, instance.stream());
  if (error != Runtime::success || !wait) return error;
  *call             = "stream_synchronize";
  const auto answer = Runtime::stream_synchronize(instance.stream());
  if (answer != Runtime::success) (void)Runtime::free_device_async(*p, instance.stream());  // a kernel has failed
  return answer;
}

/// What is allocated for `bytes` bytes: whole words of four, because an atomic operation on one or two bytes is one on
/// the word that they lie in.
constexpr std::size_t gpu_whole_words(std::size_t bytes) {
  return bytes > std::size_t(-4) ? bytes : (bytes + 3) / 4 * 4;
}

/// What fills the last word up is read and written back by atomic operations: it is to have a value. Nothing is wrong if
/// it has not.
template <class Runtime>
void gpu_clear_rest_of_word(GPUInstance<Runtime>& instance, void* p, std::size_t bytes) {
  const std::size_t rest = gpu_whole_words(bytes) - bytes;
  bool capturing         = true;
  if (rest == 0 || instance.ask_capturing(&capturing) != Runtime::success || capturing) return;
  if (Runtime::memset_async(static_cast<char*>(p) + bytes, 0, rest, instance.stream()) != Runtime::success)
    Runtime::clear_last_error();
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
  void* p          = nullptr;
  const char* call = "";
  const auto error = gpu_allocate<Runtime>(MemSpace::impl_place, *instance, instance_given == nullptr, &p,
                                           gpu_whole_words(bytes), &call);
  if (error != Runtime::success)
    gpu_allocation_failed<Runtime>(MemSpace::impl_place, MemSpace::name(), bytes, label, error, call, *instance);
  gpu_clear_rest_of_word(*instance, p, bytes);
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
  GPUInstance<Runtime>::synchronize_device(device < 0 ? 0 : device);
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
    int count        = 0;
    const auto error = Runtime::device_count(&count);
    if (error != Runtime::success || count == 0) {
      Runtime::clear_last_error();
      std::string why = gpu_error_words<Runtime>(error) +
                        ". Run where there is a device, with a driver at least as new as the toolkit.";
      if constexpr (requires { Runtime::why_no_device(error); }) why = Runtime::why_no_device(error);
      throw_runtime_exception(std::string("Kokkos::initialize: ") + Runtime::vendor + " cannot be used: " + why);
    }
    const int device = select_device(settings, visible_devices(count));
    gpu_check<Runtime>(Runtime::set_device(device), "set_device", "choosing the device");
    CopyPreferences const& wanted = copy_preferences();
    CopySettings copies;
    copies.blocking      = wanted.pageable == PageableCopies::blocking;
    copies.check         = wanted.check;
    copies.read_by_runtime_bytes = Runtime::read_during_call_bytes;
    const bool always    = wanted.pageable == PageableCopies::always_async;
    copies.device_waits  = Runtime::device_may_wait_for_host || always;
    copies.starts_behind = !always;  // the first copy is to be asynchronous, too
    copies.warn          = [](const char* sentence) { warn(sentence); };
    copies.staging_bytes = wanted.staging_bytes;
    copies.threads       = wanted.staging_threads;
    CopyEngines<Runtime>::configure(copies);
    try {
      GPUInstance<Runtime>::set_default_instance(new GPUInstance<Runtime>(device));
    } catch (...) {
      GPULockTable<Runtime>::get().release();
      throw;
    }
  }

  /// Goes on when a kernel has failed: what it says then is on the error stream, and everything is given back.
  static void finalize() {
    try {
      GPUInstance<Runtime>::synchronize_all("Kokkos::finalize");
    } catch (std::exception const& failure) {
      std::fprintf(stderr, "Kokkos error: %s\n", failure.what());
    }
    GPUInstance<Runtime>* instance = GPUInstance<Runtime>::default_instance();
    GPUInstance<Runtime>::set_default_instance(nullptr);
    if (instance) instance->close();
    CopyEngines<Runtime>::release_all();
    FunctorRings<Runtime>::release_all();
    GraphKeeper<Runtime>::collect_last();
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
