// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_ALLOCATION_HPP
#define KOKKOS_VIEW_ALLOCATION_HPP

/// \file
/// Shared ownership of the memory behind views.
///
/// An AllocationRecord is a control block on the host; the last AllocationTracker that refers to it releases it.
/// Kernels may create thousands of copies of a view. Such copies are *untracked*: they refer to the record for its
/// label, but never change its count. A copy is untracked if it is made
/// - while an UntrackedScope is alive on the thread (a pattern opens one while it copies the functor), or
/// - from an untracked copy (subviews and assignments inside a kernel, on any thread), or
/// - on a device.
///
/// An untracked copy must not outlive the kernel for which it was made; the view that was passed to the launch keeps
/// the memory alive meanwhile.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos::Impl {

/// The control block of one allocation. The allocating code supplies the function that releases it.
class AllocationRecord {
 public:
  AllocationRecord(AllocationRecord const&)            = delete;
  AllocationRecord& operator=(AllocationRecord const&) = delete;

  char const* label() const noexcept { return m_label.c_str(); }
  void* data() const noexcept { return m_data; }
  /// Size of the allocation.
  std::size_t bytes() const noexcept { return m_bytes; }
  /// Whether the memory holds elements that its release destroys.
  bool destroys_elements() const noexcept { return m_destroys_elements; }
  int use_count() const noexcept { return __atomic_load_n(&m_count, __ATOMIC_RELAXED); }

  // The caller already owns a reference, so no release can happen meanwhile, and no ordering is needed.
  void add_reference() noexcept { __atomic_fetch_add(&m_count, 1, __ATOMIC_RELAXED); }
  // A thread that drops its reference releases its accesses to the elements. The last one acquires the accesses of all
  // others before it destroys the elements. (Not by a fence after the test: the thread sanitizer does not support
  // fences.)
  void drop_reference() noexcept {
    if (__atomic_fetch_sub(&m_count, 1, __ATOMIC_ACQ_REL) == 1) release();
  }

 protected:
  /// Destroys elements, releases memory and the record itself.
  using ReleaseFunction = void (*)(AllocationRecord*);

  AllocationRecord(std::string label, void* data, std::size_t bytes, ReleaseFunction how_to_release)
      : m_label(static_cast<std::string&&>(label)), m_data(data), m_bytes(bytes), m_release(how_to_release) {}
  ~AllocationRecord() = default;

  void set_destroys_elements() noexcept { m_destroys_elements = true; }

 private:
  void release() noexcept;

  int m_count              = 1;
  bool m_destroys_elements = false;
  std::string m_label;
  void* m_data;
  std::size_t m_bytes;
  ReleaseFunction m_release;
};

/// The number of live UntrackedScopes on this thread; negative inside a TrackedScope.
extern constinit thread_local int untracked_depth;

/// During its life, copies of views on this thread do not count references.
class [[nodiscard]] UntrackedScope {
 public:
  UntrackedScope() noexcept { ++untracked_depth; }
  ~UntrackedScope() { --untracked_depth; }
  UntrackedScope(UntrackedScope const&)            = delete;
  UntrackedScope& operator=(UntrackedScope const&) = delete;
};

/// During its life, copies on this thread count references although an UntrackedScope is alive, and in builds for GPUs
/// even if they are made from untracked ones. For code that keeps a kernel's functor longer than the launch. The views
/// that were copied into the functor must be alive meanwhile.
class [[nodiscard]] TrackedScope {
 public:
  TrackedScope() noexcept : m_before(untracked_depth) { untracked_depth = -1; }
  ~TrackedScope() { untracked_depth = m_before; }
  TrackedScope(TrackedScope const&)            = delete;
  TrackedScope& operator=(TrackedScope const&) = delete;

 private:
  int m_before;
};

struct NoTracker;

/// A reference to a record, or none. It has the size of a pointer: the lowest bit of the address means "untracked". No
/// record counts as untracked, so a copy inside a kernel depends on this one bit, and compilers test it before the loop.
class AllocationTracker {
 public:
  KOKKOS_DEFAULTED_FUNCTION constexpr AllocationTracker() = default;

  /// Adopts the initial reference of a new record.
  explicit AllocationTracker(AllocationRecord* record) noexcept : m_bits(reinterpret_cast<std::uintptr_t>(record)) {}

  KOKKOS_FUNCTION constexpr AllocationTracker(NoTracker const&) noexcept {}

  KOKKOS_FUNCTION AllocationTracker(AllocationTracker const& other) noexcept : m_bits(other.share()) {}
  KOKKOS_FUNCTION AllocationTracker(AllocationTracker&& other) noexcept : m_bits(other.m_bits) {
    other.m_bits = untracked_bit;
  }

  KOKKOS_FUNCTION AllocationTracker& operator=(AllocationTracker const& other) noexcept {
    std::uintptr_t const shared = other.share();  // first, in case both refer to the same record
    drop();
    m_bits = shared;
    return *this;
  }
  KOKKOS_FUNCTION AllocationTracker& operator=(AllocationTracker&& other) noexcept {
    std::uintptr_t const taken = other.m_bits;
    other.m_bits               = untracked_bit;
    drop();
    m_bits = taken;
    return *this;
  }

  KOKKOS_FUNCTION ~AllocationTracker() { drop(); }

  /// Whether this object owns one of the references that keep the allocation alive.
  KOKKOS_FUNCTION bool is_tracking() const noexcept { return (m_bits & untracked_bit) == 0 && m_bits != 0; }
  KOKKOS_FUNCTION bool has_record() const noexcept { return m_bits > untracked_bit; }
  /// Number of references to the allocation; 0 for an untracked copy.
  int use_count() const noexcept { return is_tracking() ? record()->use_count() : 0; }
  /// Empty on a device.
  KOKKOS_FUNCTION const char* label() const noexcept {
    KOKKOS_IF_ON_HOST((if (has_record()) return record()->label();))
    return "";
  }
  /// The record of the allocation; null if there is none. Only on the host.
  AllocationRecord* record() const noexcept { return reinterpret_cast<AllocationRecord*>(m_bits & ~untracked_bit); }

 private:
  static constexpr std::uintptr_t untracked_bit = 1;

  /// The bits of a copy of this object; increments the count if the copy is tracked.
  KOKKOS_FUNCTION std::uintptr_t share() const noexcept {
    if ((m_bits & untracked_bit) != 0) {
#ifdef KOKKOS_IMPL_GPU_BACKEND
      // Launches in a graph keep drivers that were made of untracked bodies.
      KOKKOS_IF_ON_HOST((if (untracked_depth < 0 && has_record()) {
        record()->add_reference();
        return m_bits & ~untracked_bit;
      }))
#endif
      return m_bits;
    }
    KOKKOS_IF_ON_HOST((if (untracked_depth <= 0 && m_bits != 0) {
      record()->add_reference();
      return m_bits;
    }))
    return m_bits | untracked_bit;
  }

  KOKKOS_FUNCTION void drop() noexcept { KOKKOS_IF_ON_HOST((if (is_tracking()) record()->drop_reference();)) }

  // Cleared memory, all zero bits, refers to no record either.
  std::uintptr_t m_bits = untracked_bit;
};
static_assert(alignof(AllocationRecord) > 1, "The lowest bit of a record's address must be free.");

/// Replaces AllocationTracker in unmanaged views.
struct NoTracker {
  KOKKOS_DEFAULTED_FUNCTION constexpr NoTracker() = default;
  KOKKOS_FUNCTION constexpr NoTracker(AllocationTracker const&) noexcept {}
  KOKKOS_FUNCTION bool is_tracking() const noexcept { return false; }
  KOKKOS_FUNCTION bool has_record() const noexcept { return false; }
  int use_count() const noexcept { return 0; }
  KOKKOS_FUNCTION const char* label() const noexcept { return ""; }
};

/// The members of a view of T. Mapping and tracker are base classes because they may be empty.
template <class T, class Mapping, class Tracker>
struct ViewStorage : private Mapping, private Tracker {
  T* data = nullptr;

  KOKKOS_DEFAULTED_FUNCTION constexpr ViewStorage() = default;
  template <class OtherTracker = Tracker>
  KOKKOS_FUNCTION constexpr ViewStorage(T* pointer, Mapping const& mapping, OtherTracker const& tracker = {})
      : Mapping(mapping), Tracker(tracker), data(pointer) {}

  KOKKOS_FUNCTION constexpr Mapping& mapping() { return *this; }
  KOKKOS_FUNCTION constexpr Mapping const& mapping() const { return *this; }
  KOKKOS_FUNCTION constexpr Tracker& tracker() { return *this; }
  KOKKOS_FUNCTION constexpr Tracker const& tracker() const { return *this; }
};

}  // namespace Kokkos::Impl

#endif
