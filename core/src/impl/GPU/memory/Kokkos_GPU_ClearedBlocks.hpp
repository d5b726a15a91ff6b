// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_CLEARED_BLOCKS_HPP
#define KOKKOS_GPU_CLEARED_BLOCKS_HPP

/// \file
/// A stock of small zeroed blocks of device memory, so that the initialization of a small view needs no kernel and no
/// wait.
///
/// The stock clears many blocks at a time, in a stream of its own that is ordered with no other. A block joins the
/// stock when the host has seen the end of that clearing. All work that is submitted afterwards, in any stream,
/// therefore sees the zeros.

#include <impl/GPU/memory/Kokkos_GPU_MemoryRegions.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The stock of one device. `GPUMemoryRegions` counts its blocks as in use. The stock has no lock of its own: the
/// caller holds the lock of the pool, and is in a DeviceScope and a RelaxedCaptureScope.
template <class Runtime>
class GPUClearedBlocks {
 public:
  static constexpr std::size_t batch    = 1024;  ///< number of blocks that are cleared at a time
  static constexpr std::size_t low      = batch / 2;
  static constexpr int ranges_at_a_time = 16;  ///< one call of the runtime for each contiguous range

  GPUClearedBlocks() = default;
  ~GPUClearedBlocks() { end(); }
  GPUClearedBlocks(GPUClearedBlocks const&)            = delete;
  GPUClearedBlocks& operator=(GPUClearedBlocks const&) = delete;

  /// Returns a cleared block; without data if there is none.
  GPUMemoryBlock take(int size_class) {
    auto& list = m_cleared[size_class];
    if (list.empty()) return {};
    GPUMemoryBlock const block = list.back();
    list.pop_back();
    return block;
  }
  bool is_low(int size_class) const { return m_cleared[size_class].size() < low && m_clearing[size_class].empty(); }
  /// Whether the next block must come from a clearing in progress.
  bool awaits(int size_class) const { return m_cleared[size_class].empty() && m_in_progress; }

  /// Adds the blocks whose clearing has ended.
  void poll() {
    if (!m_in_progress) return;
    // After an error the blocks are kept: a later query may succeed, and return_to() waits for them.
    if (Runtime::event_query(m_end->get()) != Runtime::success) return Runtime::clear_last_error();
    m_in_progress = false;
    for (int c = 0; c < GPUSizeClasses::cleared_count; ++c) {
      m_cleared[c].insert(m_cleared[c].end(), m_clearing[c].rbegin(), m_clearing[c].rend());
      m_clearing[c].clear();
    }
  }

  /// Starts to clear free blocks of a class.
  void refill(int size_class, GPUMemoryRegions& regions) {
    if (m_in_progress || !start()) return;
    auto& blocks = m_clearing[size_class];
    while (blocks.size() < batch) {
      GPUMemoryBlock const block = regions.take(size_class);
      if (!block.data) break;
      blocks.push_back(block);
    }
    std::sort(blocks.begin(), blocks.end(),
              [](GPUMemoryBlock const& a, GPUMemoryBlock const& b) { return a.data < b.data; });
    std::size_t const bytes = GPUSizeClasses::bytes_of(size_class);
    std::size_t done        = 0;
    for (int range = 0; range < ranges_at_a_time && done < blocks.size(); ++range) {
      // Two regions may be neighbours, but the runtime fills no more than one allocation.
      std::size_t end = done + 1;
      while (end < blocks.size() && blocks[end].region == blocks[done].region &&
             blocks[end].data == blocks[end - 1].data + bytes)
        ++end;
      if (!Impl::gpu_succeeded<Runtime>(Runtime::memset_async(blocks[done].data, 0, (end - done) * bytes, m_stream)))
        break;
      done = end;
    }
    for (std::size_t i = blocks.size(); i > done; --i) regions.put(blocks[i - 1]);
    blocks.resize(done);
    if (done == 0) return;
    m_in_progress = Impl::gpu_succeeded<Runtime>(Runtime::event_record(m_end->get(), m_stream));
    if (m_in_progress) return;
    (void)Impl::gpu_succeeded<Runtime>(Runtime::stream_synchronize(m_stream));
    for (GPUMemoryBlock const& block : blocks) regions.put(block);
    blocks.clear();
  }

  /// Returns all blocks to the regions. Waits for a clearing in progress.
  void return_to(GPUMemoryRegions& regions) {
    if (m_in_progress) (void)Impl::gpu_succeeded<Runtime>(Runtime::event_synchronize(m_end->get()));
    m_in_progress = false;
    for (int c = 0; c < GPUSizeClasses::cleared_count; ++c)
      for (auto* list : {&m_cleared[c], &m_clearing[c]}) {
        for (GPUMemoryBlock const& block : *list) regions.put(block);
        list->clear();
      }
  }

  /// Destroys the stream. The stock must be empty.
  void end() noexcept {
    if (!m_stream) return;
    (void)Impl::gpu_succeeded<Runtime>(Runtime::stream_synchronize(m_stream));
    m_end.reset();
    (void)Impl::gpu_succeeded<Runtime>(Runtime::stream_destroy(std::exchange(m_stream, nullptr)));
  }

 private:
  bool start() {
    if (m_stream) return true;
    if (Runtime::stream_create_unordered(&m_stream) != Runtime::success) {
      m_stream = nullptr;
      Runtime::clear_last_error();
      return false;
    }
    try {
      m_end.emplace();
    } catch (...) {
      end();
      return false;
    }
    return true;
  }

  std::vector<GPUMemoryBlock> m_cleared[GPUSizeClasses::cleared_count];
  std::vector<GPUMemoryBlock> m_clearing[GPUSizeClasses::cleared_count];
  typename Runtime::stream_t m_stream = nullptr;
  std::optional<Event<Runtime>> m_end;
  bool m_in_progress = false;
};

}  // namespace Kokkos::Impl

#endif
