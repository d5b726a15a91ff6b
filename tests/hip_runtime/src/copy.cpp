// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copy.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hip_model {

namespace {

constexpr std::size_t staged = 64 << 10;  // bytes of pageable memory that a copy buffers instead of waiting

void move_bytes(CopyRegion const& b) {
  for (std::size_t z = 0; z < b.depth; ++z)
    for (std::size_t y = 0; y < b.height; ++y)
      std::memcpy(static_cast<char*>(b.dst) + (z * b.dst_slice + y) * b.dst_pitch,
                  static_cast<char const*>(b.src) + (z * b.src_slice + y) * b.src_pitch, b.width);
}

void fill_bytes(FillRegion const& b) {
  for (std::size_t z = 0; z < b.depth; ++z)
    for (std::size_t y = 0; y < b.height; ++y) {
      char* row = static_cast<char*>(b.dst) + (z * b.slice + y) * b.pitch;
      if (b.element == 1)
        std::memset(row, static_cast<int>(b.value), b.width);
      else
        for (std::size_t x = 0; x < b.width; ++x) std::memcpy(row + x * b.element, &b.value, b.element);
    }
}

// Distance from the first to the last byte of an index range.
std::size_t span(std::size_t width, std::size_t height, std::size_t depth, std::size_t pitch, std::size_t slice) {
  return ((depth - 1) * slice + height - 1) * pitch + width;
}

bool on_device(Touch const& t) { return t.allocation && t.allocation->memory == MemoryKind::device; }
bool is_pageable(Touch const& t) { return !t.allocation; }

// The direction that a program specifies must be possible for the two pointers.
hipError_t check_direction(Call& call, hipMemcpyKind kind, Touch const& dst, Touch const& src) {
  bool const pageable_access = current_profile().unified_memory;
  auto wrong                 = [&](char const* what) {
    return call.violation(current_profile().wrong_copy_direction, "copy-direction",
                                          std::string("the direction of the copy contradicts its ") + what);
  };
  switch (kind) {
    case hipMemcpyHostToHost:
      if (on_device(dst)) return wrong("destination, which is device memory");
      return on_device(src) ? wrong("source, which is device memory") : hipSuccess;
    case hipMemcpyHostToDevice:
      if (is_pageable(dst) && !pageable_access) return wrong("destination, which is pageable host memory");
      return on_device(src) ? wrong("source, which is device memory") : hipSuccess;
    case hipMemcpyDeviceToHost:
      if (is_pageable(src) && !pageable_access) return wrong("source, which is pageable host memory");
      return on_device(dst) ? wrong("destination, which is device memory") : hipSuccess;
    case hipMemcpyDeviceToDevice:
      if (is_pageable(dst) && !pageable_access) return wrong("destination, which is pageable host memory");
      return is_pageable(src) && !pageable_access ? wrong("source, which is pageable host memory") : hipSuccess;
    case hipMemcpyDefault:
      return hipSuccess;
    default:
      return hipErrorInvalidMemcpyDirection;
  }
}

}  // namespace

hipError_t make_copy(Call& call, CopyRegion const& given, hipMemcpyKind kind, Operation* out) {
  constexpr int without_kernels = 1024;  // hipMemcpyDeviceToDeviceNoCU, since ROCm 5.7
  if (static_cast<int>(kind) == without_kernels) kind = hipMemcpyDeviceToDevice;
  CopyRegion range = given;
  out->type        = hipGraphNodeTypeMemcpy;
  out->what        = "a copy";
  out->engine      = Engine::copy;
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) return hipErrorInvalidMemcpyDirection;
  if (range.width == 0 || range.height == 0 || range.depth == 0) return hipSuccess;
  if (!range.dst || !range.src) return hipErrorInvalidValue;
  if (range.height * range.depth > 1 && (range.dst_pitch < range.width || range.src_pitch < range.width))
    return call.violation(hipErrorInvalidPitchValue, "pitch",
                          "rows of " + std::to_string(range.width) + " bytes are closer together than that");
  // CUDA documents this. HIP has the property and the error; `strict` assumes the same meaning.
  if (range.height * range.depth > 1 && std::max(range.dst_pitch, range.src_pitch) > longest_pitch)
    return call.violation(hipErrorInvalidPitchValue, "pitch",
                          "rows lie " + std::to_string(std::max(range.dst_pitch, range.src_pitch)) +
                              " bytes apart, memPitch is " + std::to_string(longest_pitch));
  out->touches.resize(2);
  auto const dst_bytes = span(range.width, range.height, range.depth, range.dst_pitch, range.dst_slice);
  auto const src_bytes = span(range.width, range.height, range.depth, range.src_pitch, range.src_slice);
  if (auto error = touch(call, range.dst, dst_bytes, "destination", &out->touches[0])) return error;
  if (auto error = touch(call, range.src, src_bytes, "source", &out->touches[1])) return error;
  if (auto error = check_direction(call, kind, out->touches[0], out->touches[1])) return error;
  out->run            = [range] { move_bytes(range); };
  hipMemcpy3DParms& p = out->copy;
  p.dstPtr            = make_hipPitchedPtr(range.dst, range.dst_pitch, range.width, range.dst_slice);
  p.srcPtr            = make_hipPitchedPtr(const_cast<void*>(range.src), range.src_pitch, range.width, range.src_slice);
  p.extent            = make_hipExtent(range.width, range.height, range.depth);
  p.kind              = kind;
  return hipSuccess;
}

hipError_t make_fill(Call& call, FillRegion const& range, Operation* out) {
  out->type   = hipGraphNodeTypeMemset;
  out->what   = "a fill";
  out->engine = Engine::kernel;  // ROCm fills by kernels
  if (range.element != 1 && range.element != 2 && range.element != 4) return hipErrorInvalidValue;
  if (range.width == 0 || range.height == 0 || range.depth == 0) return hipSuccess;
  if (!range.dst) return hipErrorInvalidValue;
  auto const row = range.width * range.element;
  if (range.height * range.depth > 1 && range.pitch < row)
    return call.violation(hipErrorInvalidValue, "pitch",
                          "rows of " + std::to_string(row) + " bytes are closer together than that");
  out->touches.resize(1);
  if (auto error = touch(call, range.dst, span(row, range.height, range.depth, range.pitch, range.slice), "destination",
                         &out->touches[0]))
    return error;
  if (is_pageable(out->touches[0]) && !current_profile().memset_accepts_pageable)
    return call.violation(hipErrorInvalidValue, "memset-of-pageable-memory",
                          "the destination is pageable host memory, which this platform does not fill");
  out->run = [range] { fill_bytes(range); };
  out->set = {range.dst, range.element, range.height, range.pitch, range.value, range.width};
  return hipSuccess;
}

// Pageable memory must not be accessed after the call: small sources are buffered, otherwise the call waits.
hipError_t copy(Call& call, Lock& lock, CopyRegion const& range, hipMemcpyKind kind, StreamPtr const& stream,
                HostWaits waits) {
  Operation operation;
  if (auto error = make_copy(call, range, kind, &operation)) return error;
  if (!operation.run) return hipSuccess;
  bool const pageable_dst = is_pageable(operation.touches[0]), pageable_src = is_pageable(operation.touches[1]);
  bool const one_block = range.height * range.depth == 1;
  // Between two places of device memory no copy waits, whatever the function.
  bool const asked_to_wait = std::any_of(operation.touches.begin(), operation.touches.end(),
                                         [](Touch const& t) { return t.allocation && t.allocation->synchronous; });
  if (on_device(operation.touches[0]) && on_device(operation.touches[1]) && !asked_to_wait) waits = HostWaits::no;
  if (waits == HostWaits::yes) return submit_and_wait(call, lock, stream, std::move(operation));
  if (stream->capture || (!pageable_dst && !pageable_src)) return submit(call, lock, stream, std::move(operation));
  if (!pageable_dst && one_block && range.width <= staged && !current_profile().unified_memory) {
    std::vector<char> taken(static_cast<char const*>(range.src), static_cast<char const*>(range.src) + range.width);
    operation.run = [taken = std::move(taken), to = range.dst] { std::memcpy(to, taken.data(), taken.size()); };
    return submit(call, lock, stream, std::move(operation));
  }
  return submit_and_wait(call, lock, stream, std::move(operation));
}

hipError_t fill(Call& call, Lock& lock, FillRegion const& range, StreamPtr const& stream, HostWaits waits) {
  Operation operation;
  if (auto error = make_fill(call, range, &operation)) return error;
  if (!operation.run) return hipSuccess;
  // Fills of device memory return before they have completed, for every function.
  if (waits == HostWaits::no || on_device(operation.touches[0]))
    return submit(call, lock, stream, std::move(operation));
  return submit_and_wait(call, lock, stream, std::move(operation));
}

hipError_t check_parameters(Call& call, hipMemcpy3DParms const& p) {
  // One source and one destination.
  if ((p.srcArray != nullptr) == (p.srcPtr.ptr != nullptr) || (p.dstArray != nullptr) == (p.dstPtr.ptr != nullptr))
    return hipErrorInvalidValue;
  if (p.srcPtr.pitch < p.srcPtr.xsize || p.dstPtr.pitch < p.dstPtr.xsize)
    return call.violation(hipErrorInvalidPitchValue, "pitch", "a pitch is smaller than its row");
  if (p.srcPtr.pitch >= longest_pitch || p.dstPtr.pitch >= longest_pitch) return hipErrorInvalidValue;
  if (p.srcArray || p.dstArray) return hipSuccess;
  for (auto const& [pointer, position] : {std::pair(p.srcPtr, p.srcPos), std::pair(p.dstPtr, p.dstPos)})
    if (p.extent.width + position.x > pointer.pitch) return hipErrorInvalidValue;
  return hipSuccess;
}

hipError_t region_of(hipMemcpy3DParms const& p, CopyRegion* out) {
  if (p.srcArray || p.dstArray) return hipErrorNotSupported;
  auto start = [](hipPitchedPtr const& ptr, hipPos const& pos) {
    return static_cast<char*>(ptr.ptr) + (pos.z * ptr.ysize + pos.y) * ptr.pitch + pos.x;
  };
  *out = {start(p.dstPtr, p.dstPos),
          start(p.srcPtr, p.srcPos),
          p.extent.width,
          p.extent.height,
          p.extent.depth,
          p.dstPtr.pitch,
          p.dstPtr.ysize,
          p.srcPtr.pitch,
          p.srcPtr.ysize};
  return hipSuccess;
}

FillRegion region_of(hipMemsetParams const& p) {
  return {p.dst, p.value, p.elementSize, p.width, p.height, 1, p.pitch, p.height};
}

}  // namespace hip_model
