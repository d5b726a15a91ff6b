// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copy.hpp"

#include <algorithm>
#include <cstring>

namespace hip_model {

namespace {

constexpr std::size_t staged = 64 << 10;  // bytes of plain memory that a copy takes along instead of waiting

void move_bytes(CopyBox const& b) {
  for (std::size_t z = 0; z < b.depth; ++z)
    for (std::size_t y = 0; y < b.height; ++y)
      std::memcpy(static_cast<char*>(b.dst) + (z * b.dst_slice + y) * b.dst_pitch,
                  static_cast<const char*>(b.src) + (z * b.src_slice + y) * b.src_pitch, b.width);
}

void fill_bytes(FillBox const& b) {
  for (std::size_t z = 0; z < b.depth; ++z)
    for (std::size_t y = 0; y < b.height; ++y) {
      char* row = static_cast<char*>(b.dst) + (z * b.slice + y) * b.pitch;
      if (b.element == 1)
        std::memset(row, static_cast<int>(b.value), b.width);
      else
        for (std::size_t x = 0; x < b.width; ++x) std::memcpy(row + x * b.element, &b.value, b.element);
    }
}

// From the first byte to the last one of a box.
std::size_t span(std::size_t width, std::size_t height, std::size_t depth, std::size_t pitch, std::size_t slice) {
  return ((depth - 1) * slice + height - 1) * pitch + width;
}

bool on_device(Touch const& t) { return t.allocation && t.allocation->memory == MemoryKind::device; }
bool is_plain(Touch const& t) { return !t.allocation; }

// The direction that a program states must be one that the two pointers allow.
hipError_t check_direction(Call& call, hipMemcpyKind kind, Touch const& dst, Touch const& src) {
  const bool reaches_plain = current_profile().unified_memory;
  auto wrong               = [&](const char* what) {
    return call.violation(hipErrorInvalidMemcpyDirection, "copy-direction",
                                        std::string("the direction of the copy says otherwise than its ") + what);
  };
  switch (kind) {
    case hipMemcpyHostToHost:
      if (on_device(dst)) return wrong("destination, which is device memory");
      return on_device(src) ? wrong("source, which is device memory") : hipSuccess;
    case hipMemcpyHostToDevice:
      if (is_plain(dst) && !reaches_plain) return wrong("destination, which is plain host memory");
      return on_device(src) ? wrong("source, which is device memory") : hipSuccess;
    case hipMemcpyDeviceToHost:
      if (is_plain(src) && !reaches_plain) return wrong("source, which is plain host memory");
      return on_device(dst) ? wrong("destination, which is device memory") : hipSuccess;
    case hipMemcpyDeviceToDevice:
      if (is_plain(dst) && !reaches_plain) return wrong("destination, which is plain host memory");
      return is_plain(src) && !reaches_plain ? wrong("source, which is plain host memory") : hipSuccess;
    case hipMemcpyDefault:
      return hipSuccess;
    default:
      return hipErrorInvalidMemcpyDirection;
  }
}

}  // namespace

hipError_t make_copy(Call& call, CopyBox const& given, hipMemcpyKind kind, Operation* out) {
  CopyBox box = given;
  out->type   = hipGraphNodeTypeMemcpy;
  out->what   = "a copy";
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) return hipErrorInvalidMemcpyDirection;
  if (box.width == 0 || box.height == 0 || box.depth == 0) return hipSuccess;
  if (!box.dst || !box.src) return hipErrorInvalidValue;
  if (box.height * box.depth > 1 && (box.dst_pitch < box.width || box.src_pitch < box.width))
    return call.violation(hipErrorInvalidPitchValue, "pitch",
                          "rows of " + std::to_string(box.width) + " bytes lie closer together than that");
  // CUDA documents that. HIP has the property and the error; to be strict is to take them for the same.
  if (box.height * box.depth > 1 && std::max(box.dst_pitch, box.src_pitch) > longest_pitch)
    return call.violation(hipErrorInvalidPitchValue, "pitch",
                          "rows lie " + std::to_string(std::max(box.dst_pitch, box.src_pitch)) +
                              " bytes apart, memPitch is " + std::to_string(longest_pitch));
  out->touches.resize(2);
  const auto dst_bytes = span(box.width, box.height, box.depth, box.dst_pitch, box.dst_slice);
  const auto src_bytes = span(box.width, box.height, box.depth, box.src_pitch, box.src_slice);
  if (auto error = touch(call, box.dst, dst_bytes, "destination", &out->touches[0])) return error;
  if (auto error = touch(call, box.src, src_bytes, "source", &out->touches[1])) return error;
  if (auto error = check_direction(call, kind, out->touches[0], out->touches[1])) return error;
  out->run            = [box] { move_bytes(box); };
  hipMemcpy3DParms& p = out->copy;
  p.dstPtr            = make_hipPitchedPtr(box.dst, box.dst_pitch, box.width, box.dst_slice);
  p.srcPtr            = make_hipPitchedPtr(const_cast<void*>(box.src), box.src_pitch, box.width, box.src_slice);
  p.extent            = make_hipExtent(box.width, box.height, box.depth);
  p.kind              = kind;
  return hipSuccess;
}

hipError_t make_fill(Call& call, FillBox const& box, Operation* out) {
  out->type = hipGraphNodeTypeMemset;
  out->what = "a fill";
  if (box.element != 1 && box.element != 2 && box.element != 4) return hipErrorInvalidValue;
  if (box.width == 0 || box.height == 0 || box.depth == 0) return hipSuccess;
  if (!box.dst) return hipErrorInvalidValue;
  const auto row = box.width * box.element;
  if (box.height * box.depth > 1 && box.pitch < row)
    return call.violation(hipErrorInvalidValue, "pitch",
                          "rows of " + std::to_string(row) + " bytes lie closer together than that");
  out->touches.resize(1);
  if (auto error =
          touch(call, box.dst, span(row, box.height, box.depth, box.pitch, box.slice), "destination", &out->touches[0]))
    return error;
  if (is_plain(out->touches[0]) && !current_profile().memset_takes_plain_memory)
    return call.violation(hipErrorInvalidValue, "memset-of-plain-memory",
                          "the destination is plain host memory, which this platform does not fill");
  out->run = [box] { fill_bytes(box); };
  out->set = {box.dst, box.element, box.height, box.pitch, box.value, box.width};
  return hipSuccess;
}

// Plain memory is not to be touched after the call: small sources are taken along, otherwise the call waits.
hipError_t copy(Call& call, Lock& lock, CopyBox const& box, hipMemcpyKind kind, StreamPtr const& stream,
                HostWaits waits) {
  Operation operation;
  if (auto error = make_copy(call, box, kind, &operation)) return error;
  if (!operation.run) return hipSuccess;
  const bool plain_dst = is_plain(operation.touches[0]), plain_src = is_plain(operation.touches[1]);
  const bool one_block = box.height * box.depth == 1;
  if (waits == HostWaits::yes) return submit_and_wait(call, lock, stream, std::move(operation));
  if (stream->capture || (!plain_dst && !plain_src)) return submit(call, lock, stream, std::move(operation));
  if (!plain_dst && one_block && box.width <= staged && !current_profile().unified_memory) {
    std::vector<char> taken(static_cast<const char*>(box.src), static_cast<const char*>(box.src) + box.width);
    operation.run = [taken = std::move(taken), to = box.dst] { std::memcpy(to, taken.data(), taken.size()); };
    return submit(call, lock, stream, std::move(operation));
  }
  return submit_and_wait(call, lock, stream, std::move(operation));
}

hipError_t fill(Call& call, Lock& lock, FillBox const& box, StreamPtr const& stream, HostWaits waits) {
  Operation operation;
  if (auto error = make_fill(call, box, &operation)) return error;
  if (!operation.run) return hipSuccess;
  // Fills of device memory return before they are done, whatever the function.
  if (waits == HostWaits::no || on_device(operation.touches[0]))
    return submit(call, lock, stream, std::move(operation));
  return submit_and_wait(call, lock, stream, std::move(operation));
}

hipError_t box_of(hipMemcpy3DParms const& p, CopyBox* out) {
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

FillBox box_of(hipMemsetParams const& p) {
  return {p.dst, p.value, p.elementSize, p.width, p.height, 1, p.pitch, p.height};
}

}  // namespace hip_model
