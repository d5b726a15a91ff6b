// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MEMORY_REGIONS_HPP
#define KOKKOS_GPU_MEMORY_REGIONS_HPP

/// \file
/// The bookkeeping of a memory pool: the region of each block, and the list of free blocks. It calls no runtime and has
/// no lock.

#include <impl/GPU/memory/Kokkos_GPU_Granules.hpp>
#include <impl/GPU/memory/Kokkos_GPU_SizeClasses.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

namespace Kokkos::Impl {

/// Memory from one allocation of the runtime: a *superblock*, which is divided into blocks of one size class, a *slab*,
/// which is divided into runs of granules, or one large block.
struct GPUMemoryRegion {
  static constexpr int large = -1;
  static constexpr int slab  = -2;

  char* base            = nullptr;
  std::size_t bytes     = 0;
  int size_class        = large;
  unsigned in_use       = 0;  ///< number of blocks that are not free
  std::uint64_t idle_at = 0;  ///< a number for the order in which regions became idle; 0 while a block is in use
  std::chrono::steady_clock::time_point idle_since{};  ///< when the last block became free
  std::unique_ptr<GPUGranules> granules{};             ///< of a slab
  /// The size of the block at an address.
  std::size_t block_bytes(void const* block) const {
    if (size_class >= 0) return GPUSizeClasses::bytes_of(size_class);
    return size_class == large ? bytes : granules->length(granule_of(block)) * GPUSizeClasses::granule;
  }
  int granule_of(void const* block) const {
    return static_cast<int>(static_cast<std::size_t>(static_cast<char const*>(block) - base) / GPUSizeClasses::granule);
  }
};

/// A block and its region.
struct GPUMemoryBlock {
  char* data              = nullptr;
  GPUMemoryRegion* region = nullptr;
};

/// A block is either *in use* or free. Free blocks of superblocks are in the list of their class, those of slabs are
/// free granules; a free large region is in the index by size. A region without a block in use is *idle*, and may be
/// returned to the runtime.
class GPUMemoryRegions {
 public:
  /// Adds a superblock or a slab, whose blocks are free, or a large region, whose block is in use.
  GPUMemoryRegion* add(void* base, std::size_t bytes, int size_class) {
    auto* const region = &m_regions[reinterpret_cast<std::uintptr_t>(base)];
    *region            = {static_cast<char*>(base), bytes, size_class, 0, 0, {}, nullptr};
    m_bytes += bytes;
    if (size_class == GPUMemoryRegion::large) {
      region->in_use = 1;
      return region;
    }
    if (size_class == GPUMemoryRegion::slab) {
      region->granules = std::make_unique<GPUGranules>(static_cast<int>(bytes / GPUSizeClasses::granule));
      m_slabs.push_back(region);
      becomes_idle(region);
      return region;
    }
    // In descending order, because the list is a stack: take() then returns the lowest address first.
    std::size_t const block = GPUSizeClasses::bytes_of(size_class);
    for (std::size_t i = bytes / block; i > 0; --i)
      m_free[size_class].push_back({region->base + (i - 1) * block, region});
    becomes_idle(region);
    return region;
  }

  /// Takes a free block of a class; without data if there is none.
  GPUMemoryBlock take(int size_class) {
    auto& list = m_free[size_class];
    if (list.empty()) return {};
    GPUMemoryBlock const block = list.back();
    list.pop_back();
    use(block.region);
    return block;
  }

  /// Takes the smallest idle region that suits a request of `bytes`.
  GPUMemoryBlock take_large(std::size_t bytes) {
    auto const found = m_large.lower_bound(bytes);
    if (found == m_large.end() || !GPUSizeClasses::fits(found->first, bytes)) return {};
    GPUMemoryRegion* const region = found->second;
    m_large.erase(found);
    use(region);
    return {region->base, region};
  }

  /// Takes granules for `bytes` from the oldest slab that has them. So younger slabs become idle.
  GPUMemoryBlock take_from_slab(std::size_t bytes) {
    auto const length = static_cast<int>((bytes + GPUSizeClasses::granule - 1) / GPUSizeClasses::granule);
    for (GPUMemoryRegion* const slab : m_slabs) {
      if (slab->granules->free_count() < length) continue;
      int const first = slab->granules->take(length);
      if (first < 0) continue;
      use(slab);
      return {slab->base + static_cast<std::size_t>(first) * GPUSizeClasses::granule, slab};
    }
    return {};
  }

  /// Frees a block.
  void put(GPUMemoryBlock block) {
    GPUMemoryRegion* const region = block.region;
    if (region->size_class == GPUMemoryRegion::large)
      m_large.emplace(region->bytes, region);
    else if (region->size_class == GPUMemoryRegion::slab)
      region->granules->put(region->granule_of(block.data));
    else
      m_free[region->size_class].push_back(block);
    if (--region->in_use == 0) becomes_idle(region);
  }

  std::size_t free_blocks(int size_class) const { return m_free[size_class].size(); }

  /// The region that contains an address; null if there is none.
  GPUMemoryRegion* find(void const* p) {
    auto after = m_regions.upper_bound(reinterpret_cast<std::uintptr_t>(p));
    if (after == m_regions.begin()) return nullptr;
    GPUMemoryRegion& region = std::prev(after)->second;
    return static_cast<char const*>(p) < region.base + region.bytes ? &region : nullptr;
  }

  /// Removes the region that has been idle longest, and returns its base; null if none is idle.
  void* remove_oldest_idle() { return m_idle.empty() ? nullptr : remove(m_idle.begin()->second); }
  /// Removes the largest idle region, if it is larger than `bytes`, and returns its base; null if there is none.
  void* remove_idle_above(std::size_t bytes) {
    if (m_large.empty() || m_large.rbegin()->first <= bytes) return nullptr;
    return remove(m_large.rbegin()->second);
  }

  /// Since when that region is idle. Precondition: there is one.
  std::chrono::steady_clock::time_point oldest_idle_since() const { return m_idle.begin()->second->idle_since; }

  std::size_t bytes() const noexcept { return m_bytes; }            ///< of all regions
  std::size_t idle_bytes() const noexcept { return m_idle_bytes; }  ///< of idle regions
  bool empty() const noexcept { return m_regions.empty(); }

 private:
  void use(GPUMemoryRegion* region) {
    if (region->in_use++ > 0) return;
    m_idle.erase(region->idle_at);
    region->idle_at = 0;
    m_idle_bytes -= region->bytes;
  }
  void* remove(GPUMemoryRegion* region) {
    m_idle.erase(region->idle_at);
    m_idle_bytes -= region->bytes;
    m_bytes -= region->bytes;
    if (region->size_class == GPUMemoryRegion::large) {
      auto at = m_large.lower_bound(region->bytes);
      while (at->second != region) ++at;
      m_large.erase(at);
    } else if (region->size_class == GPUMemoryRegion::slab) {
      std::erase(m_slabs, region);
    } else {
      std::erase_if(m_free[region->size_class], [&](GPUMemoryBlock const& b) { return b.region == region; });
    }
    void* const base = region->base;
    m_regions.erase(reinterpret_cast<std::uintptr_t>(base));
    return base;
  }
  void becomes_idle(GPUMemoryRegion* region) {
    region->idle_at    = ++m_now;
    region->idle_since = std::chrono::steady_clock::now();
    m_idle.emplace_hint(m_idle.end(), region->idle_at, region);
    m_idle_bytes += region->bytes;
  }

  std::map<std::uintptr_t, GPUMemoryRegion> m_regions;
  std::vector<GPUMemoryBlock> m_free[GPUSizeClasses::count];
  std::multimap<std::size_t, GPUMemoryRegion*> m_large;
  std::vector<GPUMemoryRegion*> m_slabs;             // the oldest first
  std::map<std::uint64_t, GPUMemoryRegion*> m_idle;  // in the order in which they became idle
  std::uint64_t m_now      = 0;
  std::size_t m_bytes      = 0;
  std::size_t m_idle_bytes = 0;
};

}  // namespace Kokkos::Impl

#endif
