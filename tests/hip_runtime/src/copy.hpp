// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_COPY_HPP
#define KOKKOS_TEST_HIP_MODEL_COPY_HPP

/// \file
/// Copying and filling boxes of bytes; every form of HIP's copies and fills becomes one of these.

#include "state.hpp"

namespace hip_model {

struct CopyBox {
  void* dst;
  const void* src;
  std::size_t width, height = 1, depth = 1;  ///< bytes, rows, slices
  std::size_t dst_pitch = 0, dst_slice = 0;  ///< bytes from row to row, rows from slice to slice
  std::size_t src_pitch = 0, src_slice = 0;
};
struct FillBox {
  void* dst;
  unsigned value;
  unsigned element;                          ///< bytes: 1, 2 or 4
  std::size_t width, height = 1, depth = 1;  ///< elements, rows, slices
  std::size_t pitch = 0, slice = 0;          ///< bytes from row to row, rows from slice to slice
};

inline constexpr std::size_t longest_pitch = 0x7fffffff;  ///< memPitch of every device

/// Checks arguments; the operation is complete but for its place in a stream.
hipError_t make_copy(Call&, CopyBox const&, hipMemcpyKind, Operation* out);
hipError_t make_fill(Call&, FillBox const&, Operation* out);

enum class HostWaits { yes, no };
hipError_t copy(Call&, Lock&, CopyBox const&, hipMemcpyKind, StreamPtr const&, HostWaits);
hipError_t fill(Call&, Lock&, FillBox const&, StreamPtr const&, HostWaits);

/// A copy to or from a variable of device code, its address and size checked. `other` is the other side.
hipError_t symbol_box(Call&, const void* symbol, void* other, std::size_t bytes, std::size_t offset, hipMemcpyKind,
                      bool to_symbol, CopyBox* out);

/// What hipMemcpy3D and graph nodes are given, as a box. Arrays are not modelled.
hipError_t box_of(hipMemcpy3DParms const&, CopyBox* out);
FillBox box_of(hipMemsetParams const&);

}  // namespace hip_model

#endif
