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

enum class MemoryKind { pageable, device, pinned, managed, registered };
char const* words(MemoryKind);

/// The advice of hipMemAdvise and hipMemPrefetchAsync about managed memory. It is stored, but has no effect here.
struct Advice {
  bool read_mostly = false;
  int coherency    = 0;  // hipMemRangeCoherencyModeFineGrain
  int preferred = no_device, prefetched = no_device;
  std::set<int> accessed_by;
};

/// The advice about each page of an allocation.
class PageAdvice {
 public:
  /// Applies `f` to the advice about every page that has a byte of the range.
  template <class F>
  void change(std::size_t offset, std::size_t bytes, F&& f) {
    auto const end = split((offset + bytes + page - 1) / page);
    for (auto at = split(offset / page); at != end; ++at) f(at->second);
  }
  /// The advice that all pages of the range share; for the rest, the values that HIP documents for unequal pages.
  Advice common(std::size_t offset, std::size_t bytes) const;

  static constexpr std::size_t page = 4096;

 private:
  using Pages = std::map<std::size_t, Advice>;
  Pages::iterator split(std::size_t at);
  Pages m_pages{{0, {}}};  // each advice applies from its page to the next entry
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
  bool of_any_free    = false;  ///< hipFree and hipHostFree both free it
  bool of_graph       = false;  ///< a graph allocates it
  bool with_program   = false;  ///< memory of a graph: submitted launches give it to the program
  bool graph_is_gone  = false;  ///< memory of a graph that has been destroyed
  bool of_program     = false;  ///< memory that the program owns: registered, or a managed variable
  std::shared_ptr<struct MemoryPool> pool;
  PageAdvice advice;
  CompletionPtr available;  ///< stream-ordered: usable when this is done
  std::string description() const;
};
using AllocationPtr = std::shared_ptr<Allocation>;

/// Memory of a graph that the program frees counts as used no longer.
void graph_memory_freed(Allocation&);
/// Work of hipFreeAsync and of nodes that free. A later launch of the graph allocates the memory again, at the same
/// place; memory of a destroyed graph is freed permanently. The caller has the scheduler's lock.
void free_graph_memory(AllocationPtr const&);

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
  /// Takes memory of the program into the table.
  AllocationPtr adopt(MemoryKind, void*, std::size_t bytes, unsigned flags);
  void free(AllocationPtr const&);
  /// Makes freed memory of a graph usable again, at the same place.
  void revive(AllocationPtr const&);
  /// The allocation that has the address, alive or freed lately; null for pageable memory.
  AllocationPtr find(void const*) const;
  bool overlaps(void const*, std::size_t bytes) const;

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
  void const* address;
  std::size_t bytes;
  AllocationPtr allocation;  ///< null: pageable memory
};
/// Looks up a range of memory; reports a freed one, or one that is too short. \returns the error for the caller to
/// return
hipError_t touch(Call&, void const* address, std::size_t bytes, char const* what, Touch* out);
/// Reports memory that has been freed since the work was submitted, or is not available yet. Called when the work
/// begins.
void check_touch(char const* what, Touch const&);

}  // namespace hip_model

#endif
