// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_VENDOR_CALLS_HPP
#define KOKKOS_GPU_VENDOR_CALLS_HPP

/// \file
/// The calls of the CUDA and HIP runtimes that differ only in the prefix of their names, under the names that GPU/
/// uses.
///
/// A vendor's runtime includes its own headers, defines `KOKKOS_IMPL_GPU_VENDOR(name)` as the name with its prefix,
/// includes this file, derives from GPUVendorCalls, and adds the calls that differ in more than the prefix. A program
/// has one vendor, so the struct has no template parameter.

#ifndef KOKKOS_IMPL_GPU_VENDOR
#error "Define KOKKOS_IMPL_GPU_VENDOR(name), as in cuda##name, before this file is included."
#endif

#include <cstddef>

namespace Kokkos::Impl {

struct GPUVendorCalls {
  using error_t        = KOKKOS_IMPL_GPU_VENDOR(Error_t);
  using stream_t       = KOKKOS_IMPL_GPU_VENDOR(Stream_t);
  using event_t        = KOKKOS_IMPL_GPU_VENDOR(Event_t);
  using dim3_t         = dim3;
  using capture_mode_t = KOKKOS_IMPL_GPU_VENDOR(StreamCaptureMode);

  static constexpr error_t success                     = KOKKOS_IMPL_GPU_VENDOR(Success);
  static constexpr error_t not_ready                   = KOKKOS_IMPL_GPU_VENDOR(ErrorNotReady);
  static constexpr capture_mode_t capture_mode_relaxed = KOKKOS_IMPL_GPU_VENDOR(StreamCaptureModeRelaxed);

  static char const* error_name(error_t e) { return KOKKOS_IMPL_GPU_VENDOR(GetErrorName)(e); }
  static char const* error_string(error_t e) { return KOKKOS_IMPL_GPU_VENDOR(GetErrorString)(e); }
  static error_t last_error() { return KOKKOS_IMPL_GPU_VENDOR(GetLastError)(); }
  static void clear_last_error() { (void)last_error(); }

  static error_t device_count(int* n) { return KOKKOS_IMPL_GPU_VENDOR(GetDeviceCount)(n); }
  static error_t get_device(int* device) { return KOKKOS_IMPL_GPU_VENDOR(GetDevice)(device); }
  static error_t set_device(int device) { return KOKKOS_IMPL_GPU_VENDOR(SetDevice)(device); }
  /// Of at most n - 1 characters, such as "0000:3B:00.0".
  static error_t device_pci_address(char* out, int n, int device) {
    return KOKKOS_IMPL_GPU_VENDOR(DeviceGetPCIBusId)(out, n, device);
  }
  static error_t device_synchronize() { return KOKKOS_IMPL_GPU_VENDOR(DeviceSynchronize)(); }
  static error_t memory_info(std::size_t* free, std::size_t* total) {
    return KOKKOS_IMPL_GPU_VENDOR(MemGetInfo)(free, total);
  }

  static error_t stream_create(stream_t* s) { return KOKKOS_IMPL_GPU_VENDOR(StreamCreate)(s); }
  /// Not ordered with the legacy default stream.
  static error_t stream_create_unordered(stream_t* s) {
    return KOKKOS_IMPL_GPU_VENDOR(StreamCreateWithFlags)(s, KOKKOS_IMPL_GPU_VENDOR(StreamNonBlocking));
  }
  static error_t stream_destroy(stream_t s) { return KOKKOS_IMPL_GPU_VENDOR(StreamDestroy)(s); }
  static error_t stream_synchronize(stream_t s) { return KOKKOS_IMPL_GPU_VENDOR(StreamSynchronize)(s); }
  static error_t stream_query(stream_t s) { return KOKKOS_IMPL_GPU_VENDOR(StreamQuery)(s); }
  static error_t stream_wait_event(stream_t s, event_t e) { return KOKKOS_IMPL_GPU_VENDOR(StreamWaitEvent)(s, e, 0); }
  static error_t stream_is_capturing(stream_t s, bool* capturing) {
    auto status         = KOKKOS_IMPL_GPU_VENDOR(StreamCaptureStatusNone);
    error_t const error = KOKKOS_IMPL_GPU_VENDOR(StreamIsCapturing)(s, &status);
    *capturing          = status != KOKKOS_IMPL_GPU_VENDOR(StreamCaptureStatusNone);
    return error;
  }
  static error_t thread_exchange_capture_mode(capture_mode_t* mode) {
    return KOKKOS_IMPL_GPU_VENDOR(ThreadExchangeStreamCaptureMode)(mode);
  }

  static error_t event_create(event_t* e) {
    return KOKKOS_IMPL_GPU_VENDOR(EventCreateWithFlags)(e, KOKKOS_IMPL_GPU_VENDOR(EventDisableTiming));
  }
  static error_t event_destroy(event_t e) { return KOKKOS_IMPL_GPU_VENDOR(EventDestroy)(e); }
  static error_t event_record(event_t e, stream_t s) { return KOKKOS_IMPL_GPU_VENDOR(EventRecord)(e, s); }
  static error_t event_query(event_t e) { return KOKKOS_IMPL_GPU_VENDOR(EventQuery)(e); }
  static error_t event_synchronize(event_t e) { return KOKKOS_IMPL_GPU_VENDOR(EventSynchronize)(e); }

  static error_t malloc_device(void** p, std::size_t n) { return KOKKOS_IMPL_GPU_VENDOR(Malloc)(p, n); }
  static error_t free_device(void* p) { return KOKKOS_IMPL_GPU_VENDOR(Free)(p); }
  static error_t malloc_managed(void** p, std::size_t n) {
    return KOKKOS_IMPL_GPU_VENDOR(MallocManaged)(p, n, KOKKOS_IMPL_GPU_VENDOR(MemAttachGlobal));
  }

  static error_t memcpy_async(void* dst, void const* src, std::size_t n, stream_t s) {
    return KOKKOS_IMPL_GPU_VENDOR(MemcpyAsync)(dst, src, n, KOKKOS_IMPL_GPU_VENDOR(MemcpyDefault), s);
  }
  /// Copies `rows` rows of `width` bytes; the distance between rows is `dst_pitch` and `src_pitch` bytes.
  static error_t memcpy_2d_async(void* dst, std::size_t dst_pitch, void const* src, std::size_t src_pitch,
                                 std::size_t width, std::size_t rows, stream_t s) {
    return KOKKOS_IMPL_GPU_VENDOR(Memcpy2DAsync)(dst, dst_pitch, src, src_pitch, width, rows,
                                                 KOKKOS_IMPL_GPU_VENDOR(MemcpyDefault), s);
  }
  static error_t memset(void* p, int byte, std::size_t n) { return KOKKOS_IMPL_GPU_VENDOR(Memset)(p, byte, n); }
  static error_t memset_async(void* p, int byte, std::size_t n, stream_t s) {
    return KOKKOS_IMPL_GPU_VENDOR(MemsetAsync)(p, byte, n, s);
  }
  /// Avoids the default stream, which would invalidate a capture in progress.
  static error_t memcpy_to_symbol(void const* symbol, void const* from, std::size_t n) {
    void* address = nullptr;
    error_t error = KOKKOS_IMPL_GPU_VENDOR(GetSymbolAddress)(&address, symbol);
    stream_t own  = nullptr;
    if (error == success) error = stream_create_unordered(&own);
    if (error != success) return error;
    error             = memcpy_async(address, from, n, own);
    error_t const end = stream_synchronize(own);
    (void)stream_destroy(own);
    return error != success ? error : end;
  }

  static error_t kernel_limits(void const* kernel, int* max_threads, int* registers) {
    KOKKOS_IMPL_GPU_VENDOR(FuncAttributes) attributes{};
    error_t const error = KOKKOS_IMPL_GPU_VENDOR(FuncGetAttributes)(&attributes, kernel);
    *max_threads        = attributes.maxThreadsPerBlock;
    *registers          = attributes.numRegs;
    return error;
  }
  static error_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, stream_t s) {
    return KOKKOS_IMPL_GPU_VENDOR(LaunchKernel)(kernel, grid, block, arguments, shared, s);
  }
};

}  // namespace Kokkos::Impl

#endif
