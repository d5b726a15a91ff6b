// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_COPY_HPP
#define KOKKOS_TEST_HIP_MODEL_COPY_HPP

/// \file
/// Copies and fills of index ranges of bytes, to which every form of HIP's copies and fills is converted.

#include "state.hpp"

namespace hip_model {

struct CopyRegion {
  void* dst;
  void const* src;
  std::size_t width, height = 1, depth = 1;  ///< bytes, rows, slices
  std::size_t dst_pitch = 0, dst_slice = 0;  ///< distance between rows in bytes, distance between slices in rows
  std::size_t src_pitch = 0, src_slice = 0;
};
struct FillRegion {
  void* dst;
  unsigned value;
  unsigned element;                          ///< size in bytes: 1, 2 or 4
  std::size_t width, height = 1, depth = 1;  ///< elements, rows, slices
  std::size_t pitch = 0, slice = 0;          ///< distance between rows in bytes, distance between slices in rows
};

inline constexpr std::size_t longest_pitch = 0x7fffffff;  ///< memPitch of every device

/// Checks arguments; the operation is complete except for its position in a stream.
hipError_t make_copy(Call&, CopyRegion const&, hipMemcpyKind, Operation* out);
hipError_t make_fill(Call&, FillRegion const&, Operation* out);

enum class HostWaits { yes, no };
hipError_t copy(Call&, Lock&, CopyRegion const&, hipMemcpyKind, StreamPtr const&, HostWaits);
hipError_t fill(Call&, Lock&, FillRegion const&, StreamPtr const&, HostWaits);

/// A copy to or from a variable of device code, with its address and size checked. `other` is the other side.
hipError_t symbol_box(Call&, void const* symbol, void* other, std::size_t bytes, std::size_t offset, hipMemcpyKind,
                      bool to_symbol, CopyRegion* out);

/// Checks the parameters of hipMemcpy3D and of graph nodes.
hipError_t check_parameters(Call&, hipMemcpy3DParms const&);
/// The parameters of hipMemcpy3D and of graph nodes, as an index range. Arrays are not modelled.
hipError_t region_of(hipMemcpy3DParms const&, CopyRegion* out);
FillRegion region_of(hipMemsetParams const&);

}  // namespace hip_model

#endif
