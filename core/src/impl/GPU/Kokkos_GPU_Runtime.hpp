// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RUNTIME_HPP
#define KOKKOS_GPU_RUNTIME_HPP

/// \file
/// The interface of a vendor's runtime: a struct of static functions with one name for each operation.
///
/// `CudaRuntime` and `HIPRuntime` implement it. A function returns the vendor's error code and has no other effect;
/// GPU/ turns codes into exceptions. If a runtime lacks an operation, its struct returns the error that the runtime
/// itself would return.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_ValueStep.hpp>

#include <concepts>
#include <cstddef>
#include <vector>

namespace Kokkos::Impl {

/// The properties of a device that determine launches.
struct GPUProperties {
  int warp_size                         = 0;
  int multiprocessors                   = 0;
  int threads_per_block                 = 0;
  int threads_per_multiprocessor        = 0;
  int blocks_per_multiprocessor         = 0;
  int registers_per_block               = 0;
  std::size_t shared_per_block          = 0;  ///< bytes that a kernel may use
  std::size_t shared_per_multiprocessor = 0;
  std::size_t shared_reserved           = 0;  ///< bytes of each block that the system uses
  std::size_t l2_bytes                  = 0;
  std::size_t memory_bytes              = 0;
  bool async_allocation                 = false;  ///< stream-ordered allocation works
  bool managed_concurrent               = false;  ///< host and device may access managed memory at the same time
  bool pageable_access                  = false;  ///< kernels can access pageable host memory
  bool stream_values                    = false;  ///< streams can wait for, and write, words in pinned memory
  int compute_major                     = 0;
  int compute_minor                     = 0;
  char name[256]                        = {};
};

/// The parts of a runtime's user object, so that an object which no graph has taken can be released without
/// destroying what it refers to.
struct GPUUserObject {
  void* object;
  void (*destroy)(void*);  ///< null if this object must not destroy it

  static void end(void* user_object) {
    auto* self = static_cast<GPUUserObject*>(user_object);
    if (self->destroy) self->destroy(self->object);
    delete self;
  }
};

// clang-format off
template <class R>
concept GPURuntime = requires(typename R::stream_t stream, typename R::event_t event, typename R::error_t error,
                              typename R::capture_mode_t mode, void* p, void const* q, void** pp, std::size_t n,
                              int i, bool flag, char* text, GPUProperties props, MemoryKind kind,
                              typename R::dim3_t grid, void (*destroy)(void*)) {
  { R::vendor } -> std::convertible_to<const char*>;             // "CUDA", "HIP"
  { R::device_may_wait_for_host } -> std::convertible_to<bool>;  // in streams, unless a setting requests it
  { R::copy_policy } -> std::convertible_to<CopyPolicy const&>;  // every number that copies use
  { R::by_value_limit } -> std::convertible_to<std::size_t>;     // bytes of kernel parameters
  { R::full_register_threads } -> std::convertible_to<unsigned>;  // in a block of a kernel with all registers; 0: any number
  { R::grid_threads } -> std::convertible_to<std::uint64_t>;  // along an axis of a grid
  { R::success } -> std::convertible_to<typename R::error_t>;
  { R::not_ready } -> std::convertible_to<typename R::error_t>;
  { R::error_name(error) } -> std::same_as<const char*>;
  { R::error_string(error) } -> std::same_as<const char*>;
  R::clear_last_error();
  { R::last_error() } -> std::same_as<typename R::error_t>;

  { R::device_count(&i) } -> std::same_as<typename R::error_t>;
  { R::get_device(&i) } -> std::same_as<typename R::error_t>;
  { R::set_device(i) } -> std::same_as<typename R::error_t>;
  { R::device_properties(&props, i) } -> std::same_as<typename R::error_t>;
  { R::device_pci_address(text, i, i) } -> std::same_as<typename R::error_t>;
  { R::device_synchronize() } -> std::same_as<typename R::error_t>;
  { R::memory_info(&n, &n) } -> std::same_as<typename R::error_t>;     // free, total

  { R::stream_create(&stream) } -> std::same_as<typename R::error_t>;
  { R::stream_destroy(stream) } -> std::same_as<typename R::error_t>;
  { R::stream_synchronize(stream) } -> std::same_as<typename R::error_t>;
  { R::stream_query(stream) } -> std::same_as<typename R::error_t>;
  { R::stream_wait_event(stream, event) } -> std::same_as<typename R::error_t>;
  { R::stream_device(stream, &i) } -> std::same_as<typename R::error_t>;
  { R::stream_is_capturing(stream, &flag) } -> std::same_as<typename R::error_t>;
  { R::is_stale_stream(error) } -> std::same_as<bool>;  // whether the error means that the stream was destroyed
  { R::thread_exchange_capture_mode(&mode) } -> std::same_as<typename R::error_t>;
  { R::graph_retain(stream, p, destroy) } -> std::same_as<typename R::error_t>;
  { R::launch_host_function(stream, destroy, p) } -> std::same_as<typename R::error_t>;

  { R::default_stream() } -> std::same_as<typename R::stream_t>;
  { R::default_stream_query_covers_ordered } -> std::convertible_to<bool>;
  // And event_synchronize of this event is allowed when its stream is gone.
  { R::ordered_event_covers_default_stream } -> std::convertible_to<bool>;

  { R::event_create(&event) } -> std::same_as<typename R::error_t>;
  { R::event_destroy(event) } -> std::same_as<typename R::error_t>;
  { R::event_record(event, stream) } -> std::same_as<typename R::error_t>;
  { R::event_query(event) } -> std::same_as<typename R::error_t>;
  { R::event_synchronize(event) } -> std::same_as<typename R::error_t>;

  { R::malloc_device(pp, n) } -> std::same_as<typename R::error_t>;
  { R::free_device(p) } -> std::same_as<typename R::error_t>;
  { R::malloc_device_async(pp, n, stream) } -> std::same_as<typename R::error_t>;
  { R::free_device_async(p, stream) } -> std::same_as<typename R::error_t>;
  { R::malloc_pinned(pp, n) } -> std::same_as<typename R::error_t>;
  { R::free_pinned(p) } -> std::same_as<typename R::error_t>;
  { R::malloc_pinned_view(pp, n) } -> std::same_as<typename R::error_t>;
  { R::malloc_managed(pp, n) } -> std::same_as<typename R::error_t>;
  { R::free_managed(p, n) } -> std::same_as<typename R::error_t>;
  { R::pointer_kind(q, &kind, &i) } -> std::same_as<typename R::error_t>;

  { R::memcpy_async(p, q, n, stream) } -> std::same_as<typename R::error_t>;
  { R::memcpy_2d_async(p, n, q, n, n, n, stream) } -> std::same_as<typename R::error_t>;
  { R::memcpy_2d_between_devices(p, n, i, q, n, i, n, n, stream) } -> std::same_as<typename R::error_t>;
  { R::memset(p, i, n) } -> std::same_as<typename R::error_t>;
  { R::memcpy_to_symbol(q, q, n) } -> std::same_as<typename R::error_t>;
  { R::memset_async(p, i, n, stream) } -> std::same_as<typename R::error_t>;
  { R::kernel_limits(q, &i, &i) } -> std::same_as<typename R::error_t>;  // maximum number of threads in a block; registers
  { R::kernel_allow_shared(q, n) } -> std::same_as<typename R::error_t>;
  { R::launch(q, grid, grid, pp, n, stream) } -> std::same_as<typename R::error_t>;
};

/// Further functions that the copy engine requires. The runtime refuses these where `GPUProperties::stream_values` is
/// false. If a runtime has register_host(p, n) and unregister_host(p), the engine uses them to pin memory that the
/// runtime did not allocate, under the host's address. If it has copy_slabs() and load_slab_kernel(), one kernel makes
/// the steps of a long copy (portable/Kokkos_GPU_SlabCopy.hpp), unless repeats_kernels() is true: a tool runs each
/// kernel several times, and restores only the device's memory between the runs.
template <class R>
concept GPUStagingRuntime = GPURuntime<R> && requires(typename R::stream_t stream, GPUValueStep const* steps, int n) {
  { R::stream_create_unordered(&stream) } -> std::same_as<typename R::error_t>;  // not ordered with the legacy stream
  // The steps in order: one call costs less than n. Each is enqueued whole or not at all.
  { R::stream_values(stream, steps, n) } -> std::same_as<typename R::error_t>;
  { R::repeats_kernels() } -> std::same_as<bool>;
};

/// Further functions that graphs require. The nodes that a runtime returns live as long as their graph.
template <class R>
concept GPUGraphRuntime = GPURuntime<R> && requires(typename R::stream_t stream, typename R::graph_t graph,
                                                    typename R::graph_exec_t exec, typename R::graph_node_t node,
                                                    typename R::graph_node_t const* before, std::size_t n,
                                                    std::vector<typename R::graph_node_t> ends) {
  { R::stream_create_unordered(&stream) } -> std::same_as<typename R::error_t>;  // not ordered with the legacy stream
  { R::graph_create(&graph) } -> std::same_as<typename R::error_t>;
  { R::graph_destroy(graph) } -> std::same_as<typename R::error_t>;
  { R::graph_add_empty(&node, graph, before, n) } -> std::same_as<typename R::error_t>;
  // Between record_begin and record_end, what is enqueued in the stream becomes nodes of the graph that follow the n
  // nodes at `before`. `ends` receives the nodes that the next node must follow.
  { R::record_begin(stream, graph, before, n) } -> std::same_as<typename R::error_t>;
  { R::record_end(stream, graph, before, n, &ends) } -> std::same_as<typename R::error_t>;
  { R::graph_instantiate(&exec, graph) } -> std::same_as<typename R::error_t>;
  { R::graph_exec_destroy(exec) } -> std::same_as<typename R::error_t>;
  { R::graph_launch(exec, stream) } -> std::same_as<typename R::error_t>;
  { R::graph_capture(graph, stream) } -> std::same_as<typename R::error_t>;
};
// clang-format on

}  // namespace Kokkos::Impl

#endif
