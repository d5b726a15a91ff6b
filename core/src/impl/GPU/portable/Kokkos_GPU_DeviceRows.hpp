// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEVICE_ROWS_HPP
#define KOKKOS_GPU_DEVICE_ROWS_HPP

/// \file
/// The device's side of a copy, the runtime's copies of a part of it, and the question whether they have ended.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <cstddef>

namespace Kokkos::Impl {

/// The device's side of a copy: rows of `width` bytes at a distance of `pitch` bytes; one row if it is contiguous.
struct DeviceRows {
  char* data        = nullptr;
  std::size_t width = 0, pitch = 0;

  static DeviceRows block(void const* data, std::size_t bytes) {
    return {static_cast<char*>(const_cast<void*>(data)), bytes, bytes};
  }

  /// Calls `move(device, device_pitch, packed, width, rows)` for each rectangle of bytes [first, first + bytes) of the
  /// concatenated rows; `packed` is the offset from `first`.
  template <class Move>
  void for_each_rectangle(std::size_t first, std::size_t bytes, Move const& move) const {
    if (pitch == width) return move(data + first, bytes, std::size_t(0), bytes, std::size_t(1));
    std::size_t packed = 0;
    while (packed < bytes) {
      std::size_t const at = first + packed, column = at % width, left = bytes - packed;
      bool const whole_rows = column == 0 && left >= width;
      std::size_t const n   = whole_rows ? width : std::min(width - column, left);
      std::size_t const m   = whole_rows ? left / width : 1;
      move(data + at / width * pitch + column, pitch, packed, n, m);
      packed += n * m;
    }
  }
};

/// Enqueues a copy between packed host memory that the device can access and bytes [first, first + bytes) of `device`.
/// \throws GPUError from the runtime
template <class Runtime>
void copy_rows_async(bool to_device, DeviceRows const& device, char* packed, std::size_t first, std::size_t bytes,
                     typename Runtime::stream_t stream) {
  auto const move = [&](char* p, std::size_t pitch, std::size_t at, std::size_t n, std::size_t rows) {
    char* const q = packed + at;
    if (rows == 1)
      gpu_check<Runtime>(Runtime::memcpy_async(to_device ? p : q, to_device ? q : p, n, stream), "memcpy_async",
                         "copying between host and device");
    else
      gpu_check<Runtime>(to_device ? Runtime::memcpy_2d_async(p, pitch, q, n, n, rows, stream)
                                   : Runtime::memcpy_2d_async(q, n, p, pitch, n, rows, stream),
                         "memcpy_2d_async", "copying rows between host and device");
  };
  device.for_each_rectangle(first, bytes, move);
}

/// Whether work has ended, from the answer to a query of its stream or event. \throws GPUError if the work has failed
template <class Runtime>
bool gpu_has_ended(typename Runtime::error_t answer, char const* call, char const* purpose) {
  if (answer == Runtime::success) return true;
  Runtime::clear_last_error();
  if (answer != Runtime::not_ready) gpu_check<Runtime>(answer, call, purpose);
  return false;
}

}  // namespace Kokkos::Impl

#endif
