// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SCRATCHSPACE_HPP
#define KOKKOS_SCRATCHSPACE_HPP

/// \file
/// Scratch memory: memory for a team, or for each of its threads, while it works on one item of the league.

#include <Kokkos_Concepts.hpp>
#include <Kokkos_Core_fwd.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos {
namespace Impl {

/// One level of the scratch memory of one team: `per_team` bytes that its threads share, followed by `per_thread` bytes
/// for each of them. A backend rounds both sizes up to its alignment.
struct ScratchRegion {
  char* base             = nullptr;
  std::size_t per_team   = 0;
  std::size_t per_thread = 0;
};

/// The bytes of `PerTeam(bytes)`.
struct PerTeamValue {
  std::size_t value;
  KOKKOS_FUNCTION constexpr explicit PerTeamValue(std::size_t bytes) : value(bytes) {}
};

/// The bytes of `PerThread(bytes)`.
struct PerThreadValue {
  std::size_t value;
  KOKKOS_FUNCTION constexpr explicit PerThreadValue(std::size_t bytes) : value(bytes) {}
};

/// Bytes of scratch memory at one level, as passed to `TeamPolicy::set_scratch_size`.
struct ScratchRequest {
  std::size_t per_team   = 0;
  std::size_t per_thread = 0;

  KOKKOS_FUNCTION constexpr std::size_t total(int team_size) const {
    return per_team + (team_size > 0 ? static_cast<std::size_t>(team_size) * per_thread : 0);
  }
};

/// Allocates from one level of scratch memory, front to back. Every thread of a team has its own copy and makes the
/// same calls, so that all get the same addresses without communication.
///
/// Positions are offsets from one pointer. With a pointer for each position, compilers could not see where allocated
/// memory comes from. They would then store local arrays to memory, in case a view refers to them.
class ScratchCursor {
 public:
  KOKKOS_DEFAULTED_FUNCTION constexpr ScratchCursor() = default;
  KOKKOS_FUNCTION ScratchCursor(ScratchRegion const& region, int rank, int size)
      : m_base(region.base),
        m_team_end(region.per_team),
        m_own(region.per_team + static_cast<std::size_t>(rank) * region.per_thread),
        m_own_end(m_own + region.per_thread),
        m_end(region.per_team + static_cast<std::size_t>(size) * region.per_thread) {}

  /// Memory that the team shares, or null if less is left. Once the shared part is used up, the team uses the threads'
  /// part, unless this thread has allocated from it.
  KOKKOS_FUNCTION void* take_for_team(std::size_t bytes, std::size_t alignment) {
    std::size_t const start = aligned(m_team, alignment);
    if (!fits(start, m_team_end, bytes)) {
      if (m_own_used || !fits(start, m_end, bytes)) return nullptr;
      m_team_end = m_own = m_own_end = m_end;
    }
    m_team = start + bytes;
    return m_base + start;
  }

  /// Memory for the calling thread only, or null if less is left. It comes from this thread's part, independently of
  /// the other threads. Once that is used up, the threads of the team can still divide the shared part, if all of them
  /// request the same size.
  KOKKOS_FUNCTION void* take_for_thread(std::size_t bytes, std::size_t alignment, int rank, int size) {
    if (std::size_t const start = aligned(m_own, alignment); fits(start, m_own_end, bytes)) {
      m_own      = start + bytes;
      m_own_used = true;
      return m_base + start;
    }
    std::size_t const start  = aligned(m_team, alignment);
    std::size_t const stride = (bytes + alignment - 1) & ~(alignment - 1);
    std::size_t const all    = stride * static_cast<std::size_t>(size);
    if (!fits(start, m_team_end, all)) return nullptr;
    m_team = start + all;
    return m_base + start + stride * static_cast<std::size_t>(rank);
  }

 private:
  /// The first offset from `from` on whose address is a multiple of `alignment`, a power of two.
  KOKKOS_FUNCTION std::size_t aligned(std::size_t from, std::size_t alignment) const {
    std::size_t const misfit = (reinterpret_cast<std::uintptr_t>(m_base) + from) & (alignment - 1);
    return misfit == 0 ? from : from + (alignment - misfit);
  }
  KOKKOS_FUNCTION static bool fits(std::size_t start, std::size_t end, std::size_t bytes) {
    return start <= end && bytes <= end - start;
  }

  char* m_base           = nullptr;
  std::size_t m_team     = 0;
  std::size_t m_team_end = 0;
  std::size_t m_own      = 0;
  std::size_t m_own_end  = 0;
  std::size_t m_end      = 0;
  bool m_own_used        = false;
};

}  // namespace Impl

/// The handle of a team's scratch memory, returned by `team_scratch(level)` and `thread_scratch(level)` of a team's
/// member. It is the first argument of the constructor of a view in that memory. Allocated memory is freed only when
/// the team has finished its item of the league. The handle must not outlive the member.
template <class ExecSpace>
class ScratchMemorySpace {
  static_assert(is_execution_space_v<ExecSpace>, "Kokkos::ScratchMemorySpace<E>: E must be an execution space.");

 public:
  using memory_space    = ScratchMemorySpace;                           ///< the space itself
  using execution_space = ExecSpace;                                    ///< runs the team
  using device_type     = Device<execution_space, memory_space>;        ///< both spaces
  using array_layout    = typename ExecSpace::array_layout;             ///< the default layout of views
  using size_type       = typename ExecSpace::memory_space::size_type;  ///< type of sizes

  /// Alignment of memory from `get_shmem`, in bytes.
  static constexpr int ALIGN = 8;

  static constexpr char const* name() { return "ScratchMemorySpace"; }  ///< the name in messages

  KOKKOS_DEFAULTED_FUNCTION ScratchMemorySpace() = default;

  /// Allocates from `size` bytes at `memory` as level 0 and from `size_level_1` bytes at `memory_level_1` as level 1.
  template <class IntType>
  KOKKOS_FUNCTION ScratchMemorySpace(void* memory, IntType size, void* memory_level_1 = nullptr,
                                     IntType size_level_1 = 0)
      : ScratchMemorySpace({static_cast<char*>(memory), static_cast<std::size_t>(size), 0},
                           {static_cast<char*>(memory_level_1), static_cast<std::size_t>(size_level_1), 0}, 0, 1) {}

  /// For backends: thread `rank` of a team of `size` threads whose scratch memory is in the two regions.
  KOKKOS_FUNCTION ScratchMemorySpace(Impl::ScratchRegion const& level_0, Impl::ScratchRegion const& level_1, int rank,
                                     int size)
      : m_level_0(level_0, rank, size), m_level_1(level_1, rank, size), m_rank(rank), m_size(size) {}

  /// Returns `bytes` bytes aligned to ALIGN, or null if fewer are left. Level -1 is the level for which the handle was
  /// requested.
  template <class IntType>
  KOKKOS_FUNCTION void* get_shmem(IntType bytes, int level = -1) const {
    return get_shmem_aligned(bytes, ALIGN, level);
  }

  /// Like `get_shmem` above, with an alignment of `alignment` bytes, a power of two.
  template <class IntType>
  KOKKOS_FUNCTION void* get_shmem_aligned(IntType bytes, std::ptrdiff_t alignment, int level = -1) const {
    bool const level_0 = (level == -1 ? m_level : level) == 0;
    auto const n_bytes = static_cast<std::size_t>(bytes);
    auto const align   = static_cast<std::size_t>(alignment);
    // Only the values of a cursor depend on the level, never its address. With an address that depends on a level known
    // at run time, compilers would store both cursors, and the member around them, to memory for every team.
    Impl::ScratchCursor cursor = m_level_0;
    if (!level_0) cursor = m_level_1;
    void* const taken =
        m_for_thread ? cursor.take_for_thread(n_bytes, align, m_rank, m_size) : cursor.take_for_team(n_bytes, align);
    if (level_0)
      m_level_0 = cursor;
    else
      m_level_1 = cursor;
    return taken;
  }

  /// For team members: selects the level, and whether later allocations are for the team or for the calling thread.
  KOKKOS_FUNCTION ScratchMemorySpace const& impl_select(int level, bool for_thread) const {
    m_level      = level;
    m_for_thread = for_thread;
    return *this;
  }

 private:
  // A member is const while a kernel runs, but an allocation moves a cursor.
  mutable Impl::ScratchCursor m_level_0{};
  mutable Impl::ScratchCursor m_level_1{};
  int m_rank                = 0;
  int m_size                = 1;
  mutable int m_level       = 0;
  mutable bool m_for_thread = false;
};

/// For `TeamPolicy::set_scratch_size`: the number of bytes that the threads of a team share.
template <class IntType>
  requires(std::is_integral_v<IntType> || std::is_enum_v<IntType>)
KOKKOS_INLINE_FUNCTION constexpr Impl::PerTeamValue PerTeam(IntType bytes) {
  return Impl::PerTeamValue(static_cast<std::size_t>(bytes));
}

/// For `TeamPolicy::set_scratch_size`: the number of bytes for each thread of a team.
template <class IntType>
  requires(std::is_integral_v<IntType> || std::is_enum_v<IntType>)
KOKKOS_INLINE_FUNCTION constexpr Impl::PerThreadValue PerThread(IntType bytes) {
  return Impl::PerThreadValue(static_cast<std::size_t>(bytes));
}

}  // namespace Kokkos

#endif
