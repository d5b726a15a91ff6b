// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of HIP's copies and fills.
#include "copy.hpp"

using namespace hip_model;

namespace {

struct Where {
  bool synchronous;  // whether the call uses the default stream and returns when the copy has completed
  hipStream_t stream;
};
constexpr Where on_default{true, nullptr};
Where in(hipStream_t s) { return {false, s}; }

// A synchronous copy uses the default stream, so it fails while a stream that the default stream waits for is captured.
template <class Body>
hipError_t with_stream(char const* function, Where where, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, where.stream, &stream)) return error;
    return body(call, lock, stream, where.synchronous ? HostWaits::yes : HostWaits::no);
  });
}

hipError_t copy_region(char const* function, CopyRegion const& range, hipMemcpyKind kind, Where where) {
  return with_stream(function, where, [&](Call& call, Lock& lock, StreamPtr const& stream, HostWaits waits) {
    return copy(call, lock, range, kind, stream, waits);
  });
}
hipError_t fill_region(char const* function, FillRegion const& range, Where where) {
  return with_stream(function, where, [&](Call& call, Lock& lock, StreamPtr const& stream, HostWaits waits) {
    return fill(call, lock, range, stream, waits);
  });
}

CopyRegion line(void* dst, void const* src, size_t bytes) { return {dst, src, bytes}; }

hipError_t copy_3d(char const* function, hipMemcpy3DParms const* p, Where where) {
  return with_stream(function, where,
                     [&](Call& call, Lock& lock, StreamPtr const& stream, HostWaits waits) -> hipError_t {
                       CopyRegion range{};
                       if (!p) return hipErrorInvalidValue;
                       if (auto error = check_parameters(call, *p)) return error;
                       if (auto error = region_of(*p, &range)) return error;
                       return copy(call, lock, range, p->kind, stream, waits);
                     });
}

/// The first byte of the region of one side. A region that begins behind the memory that `base` points to is reported.
/// The rest of the region is checked by make_copy.
hipError_t first_byte(Call& call, void const* base, std::size_t offset, char const** out) {
  if (!base) return hipErrorInvalidValue;
  Touch before{};
  *out = static_cast<char const*>(base) + offset;
  return touch(call, base, offset + 1, "region", &before);
}

hipError_t copy_param_2d(char const* function, hip_Memcpy2D const* p, Where where) {
  auto const body = [&](Call& call, Lock& lock, StreamPtr const& stream, HostWaits waits) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    if (p->srcMemoryType == hipMemoryTypeArray) return p->srcArray ? hipErrorNotSupported : hipErrorInvalidValue;
    if (p->dstMemoryType == hipMemoryTypeArray) return p->dstArray ? hipErrorNotSupported : hipErrorInvalidValue;
    if (p->WidthInBytes == 0 || p->Height == 0) return hipSuccess;
    void const* src = p->srcMemoryType == hipMemoryTypeHost ? p->srcHost : p->srcDevice;
    void const* dst = p->dstMemoryType == hipMemoryTypeHost ? p->dstHost : p->dstDevice;
    char const *from, *to;
    if (auto error = first_byte(call, dst, p->dstY * p->dstPitch + p->dstXInBytes, &to)) return error;
    if (auto error = first_byte(call, src, p->srcY * p->srcPitch + p->srcXInBytes, &from)) return error;
    CopyRegion const range{const_cast<char*>(to), from, p->WidthInBytes, p->Height, 1, p->dstPitch, 0, p->srcPitch, 0};
    return copy(call, lock, range, hipMemcpyDefault, stream, waits);
  };
  return with_stream(function, where, body);
}

FillRegion pitched(hipPitchedPtr p, int value, hipExtent e) {
  return {p.ptr, unsigned(value), 1, e.width, e.height, e.depth, p.pitch, p.ysize};
}

hipError_t copy_peer(char const* function, void* dst, int dst_device, void const* src, int src_device, size_t bytes,
                     Where where) {
  return with_stream(
      function, where, [&](Call& call, Lock& lock, StreamPtr const& stream, HostWaits waits) -> hipError_t {
        if (!valid_device(dst_device) || !valid_device(src_device)) return hipErrorInvalidDevice;
        if (!dst || !src) return hipErrorInvalidValue;
        for (auto [p, device] : {std::pair<void const*, int>{dst, dst_device}, {src, src_device}}) {
          AllocationPtr a = MemoryTable::get().find(p);
          if (a && a->memory == MemoryKind::device && a->device != device)
            return call.violation(
                hipErrorInvalidValue, "memory-of-other-device",
                a->description() + " is on device " + std::to_string(a->device) + ", not on " + std::to_string(device),
                a.get());
        }
        return copy(call, lock, line(dst, src, bytes), hipMemcpyDefault, stream, waits);
      });
}

}  // namespace

extern "C" {

hipError_t hipMemcpy(void* d, void const* s, size_t n, hipMemcpyKind k) {
  return copy_region("hipMemcpy", line(d, s, n), k, on_default);
}
hipError_t hipMemcpyAsync(void* d, void const* s, size_t n, hipMemcpyKind k, hipStream_t stream) {
  return copy_region("hipMemcpyAsync", line(d, s, n), k, in(stream));
}
hipError_t hipMemcpyWithStream(void* d, void const* s, size_t n, hipMemcpyKind k, hipStream_t stream) {
  return copy_region("hipMemcpyWithStream", line(d, s, n), k, {true, stream});
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t d, void* s, size_t n) {
  return copy_region("hipMemcpyHtoD", line(d, s, n), hipMemcpyHostToDevice, on_default);
}
hipError_t hipMemcpyDtoH(void* d, hipDeviceptr_t s, size_t n) {
  return copy_region("hipMemcpyDtoH", line(d, s, n), hipMemcpyDeviceToHost, on_default);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t d, hipDeviceptr_t s, size_t n) {
  return copy_region("hipMemcpyDtoD", line(d, s, n), hipMemcpyDeviceToDevice, on_default);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t d, void* s, size_t n, hipStream_t stream) {
  return copy_region("hipMemcpyHtoDAsync", line(d, s, n), hipMemcpyHostToDevice, in(stream));
}
hipError_t hipMemcpyDtoHAsync(void* d, hipDeviceptr_t s, size_t n, hipStream_t stream) {
  return copy_region("hipMemcpyDtoHAsync", line(d, s, n), hipMemcpyDeviceToHost, in(stream));
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t d, hipDeviceptr_t s, size_t n, hipStream_t stream) {
  return copy_region("hipMemcpyDtoDAsync", line(d, s, n), hipMemcpyDeviceToDevice, in(stream));
}
hipError_t hipMemcpy2D(void* d, size_t dp, void const* s, size_t sp, size_t width, size_t height, hipMemcpyKind k) {
  return copy_region("hipMemcpy2D", {d, s, width, height, 1, dp, 0, sp, 0}, k, on_default);
}
hipError_t hipMemcpy2DAsync(void* d, size_t dp, void const* s, size_t sp, size_t width, size_t height, hipMemcpyKind k,
                            hipStream_t stream) {
  return copy_region("hipMemcpy2DAsync", {d, s, width, height, 1, dp, 0, sp, 0}, k, in(stream));
}
hipError_t hipMemcpy3D(hipMemcpy3DParms const* p) { return copy_3d("hipMemcpy3D", p, on_default); }
hipError_t hipMemcpy3DAsync(hipMemcpy3DParms const* p, hipStream_t stream) {
  return copy_3d("hipMemcpy3DAsync", p, in(stream));
}
hipError_t hipMemcpyParam2D(hip_Memcpy2D const* p) { return copy_param_2d("hipMemcpyParam2D", p, on_default); }
hipError_t hipMemcpyParam2DAsync(hip_Memcpy2D const* p, hipStream_t stream) {
  return copy_param_2d("hipMemcpyParam2DAsync", p, in(stream));
}
hipError_t hipMemcpyPeer(void* d, int dd, void const* s, int sd, size_t n) {
  return copy_peer("hipMemcpyPeer", d, dd, s, sd, n, on_default);
}
hipError_t hipMemcpyPeerAsync(void* d, int dd, void const* s, int sd, size_t n, hipStream_t stream) {
  return copy_peer("hipMemcpyPeerAsync", d, dd, s, sd, n, in(stream));
}

hipError_t hipMemset(void* d, int value, size_t n) {
  return fill_region("hipMemset", {d, unsigned(value), 1, n}, on_default);
}
hipError_t hipMemsetAsync(void* d, int value, size_t n, hipStream_t stream) {
  return fill_region("hipMemsetAsync", {d, unsigned(value), 1, n}, in(stream));
}
hipError_t hipMemsetD8(hipDeviceptr_t d, unsigned char value, size_t n) {
  return fill_region("hipMemsetD8", {d, value, 1, n}, on_default);
}
hipError_t hipMemsetD8Async(hipDeviceptr_t d, unsigned char value, size_t n, hipStream_t stream) {
  return fill_region("hipMemsetD8Async", {d, value, 1, n}, in(stream));
}
hipError_t hipMemsetD16(hipDeviceptr_t d, unsigned short value, size_t n) {
  return fill_region("hipMemsetD16", {d, value, 2, n}, on_default);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t d, unsigned short value, size_t n, hipStream_t stream) {
  return fill_region("hipMemsetD16Async", {d, value, 2, n}, in(stream));
}
hipError_t hipMemsetD32(hipDeviceptr_t d, int value, size_t n) {
  return fill_region("hipMemsetD32", {d, unsigned(value), 4, n}, on_default);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t d, int value, size_t n, hipStream_t stream) {
  return fill_region("hipMemsetD32Async", {d, unsigned(value), 4, n}, in(stream));
}
hipError_t hipMemset2D(void* d, size_t pitch, int value, size_t width, size_t height) {
  return fill_region("hipMemset2D", {d, unsigned(value), 1, width, height, 1, pitch, height}, on_default);
}
hipError_t hipMemset2DAsync(void* d, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return fill_region("hipMemset2DAsync", {d, unsigned(value), 1, width, height, 1, pitch, height}, in(stream));
}
hipError_t hipMemset3D(hipPitchedPtr p, int value, hipExtent e) {
  return fill_region("hipMemset3D", pitched(p, value, e), on_default);
}
hipError_t hipMemset3DAsync(hipPitchedPtr p, int value, hipExtent e, hipStream_t stream) {
  return fill_region("hipMemset3DAsync", pitched(p, value, e), in(stream));
}
}
