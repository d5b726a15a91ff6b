// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MEMORY_POOL_HPP
#define KOKKOS_GPU_MEMORY_POOL_HPP

/// \file
/// A memory pool for views: it allocates regions from the runtime, hands out blocks, and reuses them without a wait.
///
/// The runtimes' functions that free memory wait for the whole device, and meanwhile delay launches of other threads.
/// Their functions that allocate take as long as ten launches. Memory of the runtimes' stream-ordered pools cannot be
/// shared between processes, which MPI does with the memory of views. This pool therefore uses the runtime's basic
/// allocation, so each address can be shared.
///
/// A block goes through these states:
///
///     free --allocate--> in use --deallocate--> returned --the work before its marker has ended--> free
///
/// Work that was submitted before a block was returned may still use the block. Returned blocks are collected in a
/// list. `poll` checks whether all work that was submitted so far has ended (GPUWorkMarker), and if so, frees the whole
/// list. So no work on any stream uses a free block. Its next owner may use it at once on the host, on any instance and
/// in any stream, whatever the order between streams.
///
/// If the device is never idle, events close the list once it contains `barrier_bytes`. The blocks become free when
/// these events have happened. While another thread may capture a stream, events cannot be recorded; then the pool
/// waits for the device each time the list contains `barrier_bytes`.
///
/// A view in the functor of a captured launch returns its block only after the graph has ended, because the graph
/// contains a copy of the view.

#include <impl/GPU/memory/Kokkos_GPU_ClearedBlocks.hpp>
#include <impl/GPU/memory/Kokkos_GPU_MemoryRegions.hpp>
#include <impl/GPU/memory/Kokkos_GPU_WorkMarker.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The memory of a pool in bytes, for reports and tests.
struct GPUPoolUsage {
  std::size_t taken    = 0;  ///< allocated from the runtime
  std::size_t idle     = 0;  ///< part of `taken`: regions that no view uses
  std::size_t returned = 0;  ///< blocks that work in progress may still use
  std::size_t in_use   = 0;  ///< blocks of views
  std::size_t highest  = 0;  ///< the largest value of `in_use` so far
};

/// The memory that a pool keeps although no view uses it, in bytes.
struct GPUPoolBounds {
  std::size_t keep  = 0;  ///< at most, or twice as much while the device is never idle
  std::size_t rest  = 0;  ///< after no view has used it for a while
  std::size_t limit = 0;  ///< of all memory of the pool, also in use; 0: none
};

/// Pinned memory of views. The library's own pinned memory is of PinnedMemoryKind. The kinds differ where a runtime
/// distinguishes memory that the host may read while a kernel runs.
template <class Runtime>
struct PinnedViewMemoryKind {
  static constexpr char const* call = "malloc_pinned_view";
  static constexpr char const* name = "pinned host memory";
  static auto allocate(void** p, std::size_t bytes) { return Runtime::malloc_pinned_view(p, bytes); }
  static auto release(void* p) { return Runtime::free_pinned(p); }
};

/// The pool of one device for one kind of memory (DeviceMemoryKind, PinnedViewMemoryKind).
///
/// The mutex guards everything. Under it, the pool calls the runtime, which may wait for the device, and visits
/// instances, but a visit waits for nothing. A stream that ends calls forget() under the mutex of StreamObservers,
/// which the pool never locks under its own.
template <class Runtime, template <class> class Kind, class Streams>
class GPUMemoryPool final : public StreamObserver {
 public:
  using error_t = typename Runtime::error_t;

  explicit GPUMemoryPool(int device) : m_device(device) { StreamObservers<Runtime>::get().add(this); }
  ~GPUMemoryPool() {
    StreamObservers<Runtime>::get().remove(this);
    close();
  }
  GPUMemoryPool(GPUMemoryPool const&)            = delete;
  GPUMemoryPool& operator=(GPUMemoryPool const&) = delete;

  /// For how long a region counts as recently used; tests change it.
  static inline std::atomic<std::chrono::nanoseconds> recent{std::chrono::seconds(1)};

  /// Must be called before the first allocation.
  void open(GPUPoolBounds bounds) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_keep          = bounds.keep;
    m_rest          = bounds.rest;
    m_limit         = bounds.limit;
    m_barrier_bytes = m_keep / 4 > min_barrier_bytes ? m_keep / 4 : min_barrier_bytes;
    m_largest_slab = std::min(m_keep / 16, GPUGranules::max_count * GPUSizeClasses::granule) / GPUSizeClasses::granule *
                     GPUSizeClasses::granule;
    m_open = true;
  }

  /// Allocates `bytes` bytes, aligned to 256, without waiting for any work. `cleared` is null, or receives whether the
  /// memory contains zeros; only small blocks can.
  /// \return the runtime's error if it has no memory
  error_t allocate(std::size_t bytes, void** p, bool* cleared = nullptr) {
    std::lock_guard<std::mutex> lock(m_mutex);
    GPUMemoryBlock block;
    error_t error = Runtime::success;
    if (bytes <= GPUSizeClasses::largest_in_superblock)
      error = take_from_superblock(bytes, &block, cleared);
    else
      error = take_region(bytes, &block);
    *p = block.data;
    if (block.data) {
      m_in_use += block.region->block_bytes(block.data);
      if (m_in_use > m_highest) m_highest = m_in_use;
    }
    return error;
  }

  /// Returns a block. Waits for no work, unless the pool holds more than twice its bound, or returned blocks exceed
  /// `barrier_bytes` while another thread may capture a stream.
  /// \return false if the address does not belong to this pool
  bool deallocate(void* p) {
    std::lock_guard<std::mutex> lock(m_mutex);
    GPUMemoryRegion* const region = m_regions.find(p);
    if (!region) return false;
    m_returned.push_back({static_cast<char*>(p), region});
    std::size_t const bytes = region->block_bytes(p);
    m_returned_bytes += bytes;
    m_in_use -= bytes;
    if (!m_open)
      close_locked();  // after finalize, which has waited for everything
    else if (m_returned_bytes > m_barrier_bytes || region->bytes > m_keep)
      poll();
    note_due();
    return true;
  }

  /// Whether collect() would free memory.
  bool is_due() const noexcept {
    Clock::duration const at = m_due.load(std::memory_order_relaxed);
    return at != never && (at == at_once || Clock::now().time_since_epoch() >= at);
  }
  /// Detects which blocks have become free, and frees the memory beyond the bounds. `at_rest`: the caller has waited
  /// for all instances, so the runtime's functions that free memory wait for little or nothing.
  void collect(bool at_rest) {
    std::lock_guard<std::mutex> lock(m_mutex);
    poll(at_rest);
  }
  /// Waits for the device, and frees all regions that no view uses.
  void release_idle() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (Impl::wait_for_device<Runtime>(m_device) == Runtime::success) recycle_all();
    give_back_idle();
  }

  /// Frees all memory that no view uses. All streams must have been synchronised. Later deallocations use the runtime.
  void close() noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_open = false;
    close_locked();
    m_stock.end();
  }

  void forget(StreamToken token) noexcept override {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (Batch& batch : m_batches) batch.marker.forget(token);
  }

  GPUPoolUsage usage() const {
    std::lock_guard<std::mutex> lock(m_mutex);
    return {m_regions.bytes(), m_regions.idle_bytes(), returned_bytes(), m_in_use, m_highest};
  }

 private:
  using Clock                                    = std::chrono::steady_clock;
  static constexpr Clock::duration never         = Clock::duration::max();
  static constexpr Clock::duration at_once       = Clock::duration::min();
  static constexpr std::size_t min_barrier_bytes = std::size_t(64) << 20;
  static constexpr int regions_before_slabs      = 16;
  static constexpr int queries_before_spare      = 16;
  static constexpr std::size_t enough_blocks     = 16;
  static constexpr bool has_stock                = std::is_same_v<Kind<Runtime>, DeviceMemoryKind<Runtime>>;

  using Marker = GPUWorkMarker<Runtime, Streams>;
  /// Blocks that become free when the work before the marker has ended.
  struct Batch {
    Marker marker;
    std::vector<GPUMemoryBlock> blocks;
    std::size_t bytes;
  };

  // ---- blocks -------------------------------------------------------------------------------------------------------

  error_t take_from_superblock(std::size_t bytes, GPUMemoryBlock* block, bool* cleared) {
    int const c        = GPUSizeClasses::of(bytes);
    bool const stocked = has_stock && cleared && c < GPUSizeClasses::cleared_count;
    if (stocked && (m_stock.is_low(c) || m_stock.awaits(c))) restock(c);
    if (stocked) *block = m_stock.take(c);
    if (block->data) {
      *cleared = true;
      return Runtime::success;
    }
    *block = m_regions.take(c);
    if (!block->data) {
      poll();
      *block = m_regions.take(c);
      if (block->data) add_spare_superblock(c);
    }
    if (block->data) return Runtime::success;
    GPUMemoryRegion* region = nullptr;
    if (add_region(GPUSizeClasses::superblock_bytes(c), c, &region) == Runtime::success) {
      *block = m_regions.take(c);
      return Runtime::success;
    }
    if (has_stock && c < GPUSizeClasses::cleared_count) *block = m_stock.take(c);
    if (block->data) return Runtime::success;
    // There may be enough memory for this block, though not for a superblock.
    error_t const error = add_region(GPUSizeClasses::bytes_of(c), GPUMemoryRegion::large, &region);
    if (error == Runtime::success) *block = {region->base, region};
    return error;
  }

  /// A program with few large views gets regions of their sizes. With many, a call of the runtime for each combination
  /// of sizes that comes and goes costs more than the rest of the pool, and slabs serve all sizes.
  error_t take_region(std::size_t bytes, GPUMemoryBlock* block) {
    take_large(bytes, block);
    if (block->data) return Runtime::success;
    poll();
    take_large(bytes, block);
    if (block->data) {
      add_spare(bytes);
      return Runtime::success;
    }
    GPUMemoryRegion* region = nullptr;
    if (m_regions_made >= regions_before_slabs)
      if (std::size_t const slab = GPUSizeClasses::slab_bytes(bytes, m_in_use, m_largest_slab);
          slab > 0 && add_region(slab, GPUMemoryRegion::slab, &region) == Runtime::success) {
        *block = m_regions.take_from_slab(bytes);
        return Runtime::success;
      }
    ++m_regions_made;
    std::size_t const size = GPUSizeClasses::region_bytes(bytes);
    error_t error          = add_region(size, GPUMemoryRegion::large, &region);
    if (error != Runtime::success && size > bytes) error = add_region(bytes, GPUMemoryRegion::large, &region);
    if (error == Runtime::success) *block = {region->base, region};
    return error;
  }
  /// The device had to be queried for a block of `bytes`, which takes longer than the rest of an allocation. If that
  /// happens often, some spare memory makes it rare.
  void add_spare(std::size_t bytes) {
    if (bytes > m_keep / 32 || ++m_queries < queries_before_spare) return;
    m_queries               = 0;
    std::size_t const slab  = GPUSizeClasses::slab_bytes(bytes, ~std::size_t(0), m_largest_slab);
    std::size_t const size  = slab > 0 ? slab : GPUSizeClasses::region_bytes(bytes);
    GPUMemoryRegion* region = nullptr;
    if (m_regions.idle_bytes() + size > m_keep / 8) return;
    if (add_region(size, slab > 0 ? GPUMemoryRegion::slab : GPUMemoryRegion::large, &region) != Runtime::success)
      return;
    if (slab == 0) m_regions.put({region->base, region});
  }
  /// Like add_spare, for a block of a superblock, if the class has few blocks. With enough of them, one query frees
  /// many.
  void add_spare_superblock(int size_class) {
    std::size_t const size = GPUSizeClasses::superblock_bytes(size_class);
    if (m_regions.free_blocks(size_class) >= enough_blocks || m_regions.idle_bytes() + size > m_keep / 8) return;
    if (++m_queries < queries_before_spare) return;
    m_queries               = 0;
    GPUMemoryRegion* region = nullptr;
    (void)add_region(size, size_class, &region);
  }
  void take_large(std::size_t bytes, GPUMemoryBlock* block) {
    *block = m_regions.take_large(bytes);
    if (!block->data && bytes <= m_largest_slab) *block = m_regions.take_from_slab(bytes);
  }

  error_t add_region(std::size_t bytes, int size_class, GPUMemoryRegion** region) {
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    void* base    = nullptr;
    error_t error = Runtime::out_of_memory;
    if (makes_space_below_limit(bytes, size_class)) error = Kind<Runtime>::allocate(&base, bytes);
    if (error == Runtime::success)
      *region = m_regions.add(base, bytes, size_class);
    else
      Runtime::clear_last_error();
    return error;
  }

  /// Frees idle memory if that is needed for a region within the limit. A slab is never worth that.
  /// \return false if the region would exceed the limit all the same
  bool makes_space_below_limit(std::size_t bytes, int size_class) {
    if (m_limit == 0) return true;
    auto const fits = [&] { return bytes <= m_limit && m_regions.bytes() <= m_limit - bytes; };
    while (!fits() && size_class != GPUMemoryRegion::slab && m_regions.idle_bytes() > 0)
      give_back(m_regions.remove_oldest_idle());
    return fits();
  }

  /// Ensures that cleared blocks of a class will be available.
  void restock(int size_class) {
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    m_stock.poll();
    if (!m_stock.is_low(size_class)) return;
    if (m_regions.free_blocks(size_class) < m_stock.low) poll();
    if (m_regions.free_blocks(size_class) == 0) return;
    m_stock.refill(size_class, m_regions);
  }

  // ---- returned blocks ----------------------------------------------------------------------------------------------

  /// Detects which returned blocks have become free.
  void poll(bool at_rest = false) noexcept {
    if (m_returned.empty() && m_batches.empty() && m_regions.idle_bytes() <= m_keep && !has_old()) return;
    try {
      DeviceScope<Runtime> scope(m_device);
      RelaxedCaptureScope<Runtime> relaxed;
      poll_here(at_rest);
    } catch (...) {
      Runtime::clear_last_error();  // the device cannot be made current; nothing is free then
    }
  }
  void poll_here(bool at_rest) {
    while (!m_batches.empty() && m_batches.front().marker.has_ended()) {
      recycle(m_batches.front().blocks);
      m_batches.pop_front();
    }
    Marker marker;
    auto answer      = Marker::Answer::unknown;
    using Effort     = typename Marker::Effort;
    auto const least = Marker::queries_default_stream ? Effort::query : Effort::barrier;
    if (Marker::queries_default_stream || !m_returned.empty())
      answer = marker.place(m_device, m_returned_bytes > m_barrier_bytes ? Effort::wait : least);
    if (answer == Marker::Answer::ended) {
      recycle_all();
    } else if (answer == Marker::Answer::marked && !m_returned.empty()) {
      m_batches.push_back({std::move(marker), std::move(m_returned), m_returned_bytes});
      m_returned.clear();
      m_returned_bytes = 0;
    }
    trim(at_rest || answer == Marker::Answer::ended);
  }

  void recycle(std::vector<GPUMemoryBlock>& blocks) {
    for (GPUMemoryBlock const& block : blocks) m_regions.put(block);
    blocks.clear();
  }

  /// Whether more than `m_rest` bytes are idle, and the oldest region has not been used recently.
  bool has_old() const {
    return m_regions.idle_bytes() > m_rest &&
           Clock::now() - m_regions.oldest_idle_since() >= recent.load(std::memory_order_relaxed);
  }

  /// Frees idle regions beyond the bounds. The runtime waits for the device then, so a busy device gets a higher bound,
  /// and keeps old regions.
  void trim(bool at_rest) {
    WaitScope const waits(WaitReason::pool_bound);
    std::size_t const limit = at_rest ? m_keep : 2 * m_keep;
    while (m_regions.idle_bytes() > limit) {
      void* base = m_regions.remove_idle_above(m_keep);
      if (!base) base = m_regions.remove_oldest_idle();
      give_back(base);
    }
    while (at_rest && has_old()) give_back(m_regions.remove_oldest_idle());
    note_due();
  }

  std::size_t returned_bytes() const {
    std::size_t bytes = m_returned_bytes;
    for (Batch const& batch : m_batches) bytes += batch.bytes;
    return bytes;
  }
  void note_due() {
    auto due = never;
    if (m_regions.idle_bytes() > m_rest)
      due = m_regions.oldest_idle_since().time_since_epoch() + recent.load(std::memory_order_relaxed);
    if (returned_bytes() > m_keep || m_regions.idle_bytes() > m_keep) due = at_once;
    m_due.store(due, std::memory_order_relaxed);
  }

  void give_back_idle() {
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    give_back_idle_here();
  }
  void give_back_idle_here() {
    m_stock.return_to(m_regions);
    while (void* base = m_regions.remove_oldest_idle()) give_back(base);
    m_due.store(never, std::memory_order_relaxed);
  }

  void give_back(void* base) {
    if (Kind<Runtime>::release(base) != Runtime::success) Runtime::clear_last_error();
  }

  /// All work that may use returned blocks has ended.
  void recycle_all() {
    for (Batch& batch : m_batches) recycle(batch.blocks);
    m_batches.clear();
    recycle(m_returned);
    m_returned_bytes = 0;
  }

  void close_locked() noexcept {
    recycle_all();
    try {
      give_back_idle();
    } catch (...) {
      // The device cannot be made current. The runtime finds the device of an address by itself.
      Runtime::clear_last_error();
      give_back_idle_here();
    }
  }

  int m_device;
  mutable std::mutex m_mutex;
  bool m_open                 = false;
  std::size_t m_keep          = 0;  // see GPUPoolBounds
  std::size_t m_rest          = 0;
  std::size_t m_limit         = 0;
  std::size_t m_in_use        = 0;  // see GPUPoolUsage
  std::size_t m_highest       = 0;
  std::size_t m_barrier_bytes = min_barrier_bytes;
  std::size_t m_largest_slab  = 0;
  int m_queries               = 0;  // after which there was a block, since the last addition of spare memory
  int m_regions_made          = 0;  // of more than a superblock's largest block, each in a call of the runtime
  GPUMemoryRegions m_regions;
  GPUClearedBlocks<Runtime> m_stock;
  std::vector<GPUMemoryBlock> m_returned;
  std::size_t m_returned_bytes = 0;
  std::deque<Batch> m_batches;
  std::atomic<Clock::duration> m_due{never};  // when collect() would free memory, since the clock's epoch
};

}  // namespace Kokkos::Impl

#endif
