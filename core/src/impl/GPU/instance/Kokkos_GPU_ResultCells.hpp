// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RESULT_CELLS_HPP
#define KOKKOS_GPU_RESULT_CELLS_HPP

/// \file
/// Pinned memory for results that the host reads later, in cells that are reused.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/runtime/Kokkos_ResultSlot.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace Kokkos::Impl {

template <class Runtime>
struct GPUResultChunk;

/// A cell: a word that the kernel sets, and at `value_offset` the value.
template <class Runtime>
struct GPUResultCell {
  static constexpr std::size_t value_offset = 64;   ///< also the largest alignment of a value
  static constexpr std::size_t smallest     = 128;  ///< bytes of a cell

  std::byte* data                = nullptr;
  GPUResultChunk<Runtime>* chunk = nullptr;  // contains the cell
  GPUResultCell* next            = nullptr;  // in the list of the cell

  std::uint32_t* flag() const noexcept { return reinterpret_cast<std::uint32_t*>(data); }
};

/// A cell that belongs to a handle, or to several handles.
template <class Runtime>
class GPUResultSlot final : public ResultSlot {
 public:
  /// \throws GPUError if there is no pinned memory
  static SharedPtr<ResultSlot> take(GPUInstance<Runtime>& instance, std::size_t bytes);
  /// Frees the cells. Called by finalize, after a wait for all streams. The memory of a cell that has a handle is freed
  /// with the handle, so the value can still be read.
  static void release_all() noexcept;

  GPUResultSlot(std::shared_ptr<GPUResultChunk<Runtime>> chunk, GPUResultCell<Runtime>* cell, std::uint32_t instance,
                int device) noexcept;
  ~GPUResultSlot() override;

 private:
  void wait_for_arrival() const override;

  std::shared_ptr<GPUResultChunk<Runtime>> m_chunk;
  GPUResultCell<Runtime>* m_cell;
  std::uint32_t m_instance;
  int m_device;
};

}  // namespace Kokkos::Impl

#endif
