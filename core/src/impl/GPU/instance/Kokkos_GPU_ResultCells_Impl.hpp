// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RESULT_CELLS_IMPL_HPP
#define KOKKOS_GPU_RESULT_CELLS_IMPL_HPP

/// \file
/// Definitions for Kokkos_GPU_ResultCells.hpp; included by the one source file of each vendor that instantiates them.

#include <impl/GPU/instance/Kokkos_GPU_Instance_Impl.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ResultCells.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// Cells of one size in one allocation. Shared by the lists and the handles.
template <class Runtime>
struct GPUResultChunk : std::enable_shared_from_this<GPUResultChunk<Runtime>> {
  static constexpr std::size_t smallest = 4096;

  GPUResultChunk(int c, std::size_t cell_bytes)
      : size_class(c), memory(std::max(cell_bytes, smallest)), cells(memory.bytes() / cell_bytes) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = {static_cast<std::byte*>(memory.get()) + i * cell_bytes, this, nullptr};
  }

  int size_class;
  bool is_listed = true;  // until finalize; guarded by the mutex of the lists
  PinnedMemory<Runtime> memory;
  std::vector<GPUResultCell<Runtime>> cells;
};

/// The cells of all devices of a vendor: each device can access all pinned memory.
///
/// A cell whose handles are gone is free when its word is `arrived`, because the kernel touches the cell for the last time
/// when it sets the word. So the host reads the word, and queries no stream. If the kernel fails, its cell stays in the
/// list of returned cells until finalize.
///
/// The mutex guards the lists, and is not held during a call of the runtime. After finalize, chunks belong to their
/// handles alone.
template <class Runtime>
class GPUResultCells {
 public:
  using Cell  = GPUResultCell<Runtime>;
  using Chunk = GPUResultChunk<Runtime>;

  static GPUResultCells& get() {
    static auto* const cells = new GPUResultCells;  // never destroyed: handles in static storage may outlive main
    return *cells;
  }

  /// A cell for `bytes` bytes. The caller is in a DeviceScope.
  Cell* take(std::size_t bytes) {
    auto const c = std::bit_width((Cell::value_offset + bytes - 1) / Cell::smallest);
    {
      std::lock_guard const lock(m_mutex);
      if (m_lists.size() <= static_cast<std::size_t>(c)) m_lists.resize(c + 1);
      collect(m_lists[c]);
      if (Cell* const cell = pop(m_lists[c].free)) return cell;
    }
    auto chunk = std::make_shared<Chunk>(c, Cell::smallest << c);
    std::lock_guard const lock(m_mutex);
    m_chunks.push_back(chunk);
    for (std::size_t i = 1; i < chunk->cells.size(); ++i) push(m_lists[c].free, &chunk->cells[i]);
    return &chunk->cells[0];
  }

  /// Returns a cell, whose kernel may still run.
  void put(Cell* cell) noexcept {
    std::lock_guard const lock(m_mutex);
    if (!cell->chunk->is_listed) return;
    Lists& lists                                                       = m_lists[cell->chunk->size_class];
    cell->next                                                         = nullptr;
    (lists.last_returned ? lists.last_returned->next : lists.returned) = cell;
    lists.last_returned                                                = cell;
  }

  void clear() noexcept {
    std::vector<std::shared_ptr<Chunk>> chunks;  // destroyed without the mutex
    std::lock_guard const lock(m_mutex);
    for (auto const& chunk : m_chunks) chunk->is_listed = false;
    chunks.swap(m_chunks);
    m_lists.clear();
  }

 private:
  struct Lists {
    Cell* free          = nullptr;
    Cell* returned      = nullptr;  // the oldest first
    Cell* last_returned = nullptr;
  };

  static void push(Cell*& list, Cell* cell) noexcept {
    cell->next = list;
    list       = cell;
  }
  static Cell* pop(Cell*& list) noexcept {
    Cell* const cell = list;
    if (cell) list = cell->next;
    return cell;
  }
  /// Moves some returned cells to the free ones. A cell whose kernel runs long does not keep the others: it goes to the end.
  static void collect(Lists& lists) noexcept {
    for (int look = 0; look < 8 && lists.returned; ++look) {
      Cell* const cell = pop(lists.returned);
      if (!lists.returned) lists.last_returned = nullptr;
      if (__atomic_load_n(cell->flag(), __ATOMIC_ACQUIRE) == ResultSlot::arrived) {
        push(lists.free, cell);
      } else {
        cell->next                                                         = nullptr;
        (lists.last_returned ? lists.last_returned->next : lists.returned) = cell;
        lists.last_returned                                                = cell;
      }
    }
  }

  std::mutex m_mutex;
  std::vector<Lists> m_lists;  // by size
  std::vector<std::shared_ptr<Chunk>> m_chunks;
};

template <class Runtime>
SharedPtr<ResultSlot> GPUResultSlot<Runtime>::take(GPUInstance<Runtime>& instance, std::size_t bytes) {
  auto* const cell = instance.errors().with_context([&] {
    DeviceScope<Runtime> const scope(instance.device());
    return GPUResultCells<Runtime>::get().take(bytes);
  });
  __atomic_store_n(cell->flag(), 0, __ATOMIC_RELAXED);  // before the launch, so the kernel writes later
  return SharedPtr<ResultSlot>(
      new GPUResultSlot(cell->chunk->shared_from_this(), cell, instance.id(), instance.device()));
}

template <class Runtime>
void GPUResultSlot<Runtime>::release_all() noexcept {
  GPUResultCells<Runtime>::get().clear();
}

template <class Runtime>
GPUResultSlot<Runtime>::GPUResultSlot(std::shared_ptr<GPUResultChunk<Runtime>> chunk, GPUResultCell<Runtime>* cell,
                                      std::uint32_t instance, int device) noexcept
    : ResultSlot(cell->data + GPUResultCell<Runtime>::value_offset, cell->flag()),
      m_chunk(std::move(chunk)),
      m_cell(cell),
      m_instance(instance),
      m_device(device) {}

template <class Runtime>
GPUResultSlot<Runtime>::~GPUResultSlot() {
  GPUResultCells<Runtime>::get().put(m_cell);
}

/// Watches the word, and from time to time queries whether the kernel has failed. A handle does not keep its instance,
/// because a program may destroy its own stream with the last handle of the instance. So the stream is used only inside of
/// a visit of the instance; the end of the instance waits for the kernel.
template <class Runtime>
void GPUResultSlot<Runtime>::wait_for_arrival() const {
  for (int query = 1;; ++query) {
    for (int spin = 0; spin < 2000; ++spin)
      if (has_arrived()) return;
    auto state = GPUInstance<Runtime>::look_at(m_instance, "waiting for a pending result");
    if (state == GPUInstanceState::unknown && query % 64 == 0) {
      // The stream may be captured by another thread. A failed device reports its error at any call.
      DeviceScope<Runtime> const scope(m_device);
      RelaxedCaptureScope<Runtime> const relaxed;
      std::size_t free = 0, total = 0;
      Impl::gpu_check<Runtime>(Runtime::memory_info(&free, &total), "memory_info", "waiting for a pending result");
    }
    if (state == GPUInstanceState::busy || state == GPUInstanceState::unknown) continue;
    if (has_arrived()) return;
    throw std::runtime_error(
        "Kokkos::Experimental::PendingResult: the kernel of the reduction ended without a result. It has failed, or "
        "was "
        "not launched.");
  }
}

}  // namespace Kokkos::Impl

#endif
