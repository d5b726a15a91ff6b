// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_MEMORY_HPP
#define KOKKOS_TEST_HIP_MODEL_MEMORY_HPP

/// \file
/// The kinds of memory: every allocation, alive or recently freed.
///
/// Freed memory is kept for a while, filled with a pattern, so that no later allocation gets its addresses and each use
/// of it can be reported. Guarded by Scheduler::lock.

#include "work.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>

namespace hip_model {

inline constexpr int no_device = -2;  // hipInvalidDeviceId

enum class MemoryKind { plain, device, pinned, managed, registered };
const char* words(MemoryKind);

/// What hipMemAdvise and hipMemPrefetchAsync said of managed memory. It makes no difference here, but is kept.
struct Advice {
  bool read_mostly = false, coarse_grain = false;
  int preferred = no_device, prefetched = no_device;
  std::set<int> accessed_by;
};

struct Allocation : Object {
  Allocation() : Object("allocation") {}
  ~Allocation();
  char* base          = nullptr;
  std::size_t bytes   = 0;
  MemoryKind memory   = MemoryKind::device;
  int device          = 0;
  unsigned flags      = 0;
  bool stream_ordered = false;
  bool free_pending   = false;  ///< hipFreeAsync has been called
  bool synchronous    = false;  ///< HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: copies between device memory wait, too
  bool of_graph       = false;  ///< a graph allocates it
  std::shared_ptr<struct MemoryPool> pool;
  Advice advice;
  CompletionPtr available;      ///< stream-ordered: usable when this is done
  std::string description() const;
};
using AllocationPtr = std::shared_ptr<Allocation>;

/// Memory of a graph that the program frees counts as used no longer.
void graph_memory_freed(Allocation&);

struct MemoryPool : Object {
  MemoryPool() : Object("memory pool") {}
  int device              = 0;
  std::uint64_t threshold = 0;
  std::size_t used = 0, used_high = 0, reserved_high = 0;
  std::map<int, unsigned> access;  ///< by device; its own may always read and write
  std::map<int, std::uint64_t> attributes;
};

class MemoryTable {
 public:
  static MemoryTable& get();

  /// Null if this exceeds the limit of the device (or of the host, for pinned memory).
  AllocationPtr allocate(MemoryKind, int device, std::size_t bytes, unsigned flags);
  AllocationPtr register_plain(void*, std::size_t bytes, unsigned flags);
  void free(AllocationPtr const&);
  /// Makes freed memory of a graph usable again, at the same place.
  void revive(AllocationPtr const&);
  /// The allocation that has the address, alive or freed lately; null for plain memory.
  AllocationPtr find(const void*) const;
  bool overlaps(const void*, std::size_t bytes) const;

  /// Changes with each allocation and each release. Needs no lock.
  static std::uint64_t generation() { return s_generation.load(std::memory_order_relaxed); }

  std::size_t used(int device) const;
  std::size_t limit() const { return m_limit; }
  void set_limit(std::size_t bytes) { m_limit = bytes; }
  template <class F>
  void for_each_alive(F&& f) const {
    for (auto const& entry : m_alive) f(*entry.second);
  }

 private:
  MemoryTable();
  static AllocationPtr in(std::map<std::uintptr_t, AllocationPtr> const&, std::uintptr_t);
  std::map<std::uintptr_t, AllocationPtr> m_alive, m_freed;
  std::deque<std::uintptr_t> m_freed_order;
  std::size_t m_freed_bytes = 0;
  std::map<int, std::size_t> m_used;  // by device; -1: pinned
  std::size_t m_limit = 0;
  static inline std::atomic<std::uint64_t> s_generation{0};
};

/// A range of memory that an operation accesses.
struct Touch {
  const void* address;
  std::size_t bytes;
  AllocationPtr allocation;  ///< null: pageable memory
};
/// Looks up a range of memory; reports a freed one, or one that is too short. \returns the error for the caller to
/// return
hipError_t touch(Call&, const void* address, std::size_t bytes, const char* what, Touch* out);
/// Reports memory that has been freed since the work was submitted, or is not available yet. Called when the work
/// begins.
void check_touch(const char* what, Touch const&);

}  // namespace hip_model

#endif
