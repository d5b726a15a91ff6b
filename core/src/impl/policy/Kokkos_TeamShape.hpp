// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_TEAMSHAPE_HPP
#define KOKKOS_POLICY_TEAMSHAPE_HPP

/// \file
/// The numbers of a team policy, and their checks.

#include <Kokkos_ScratchSpace.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// The numbers of a team policy. All policies use the same type, so that checks are compiled once.
struct TeamShape {
  int league_size         = 0;
  int team_size           = -1;  // -1: the backend chooses it at the launch
  int vector_length       = 1;
  int chunk_size          = 0;  // 0: the backend chooses it
  bool auto_team_size     = true;
  bool auto_vector_length = false;
  ScratchRequest scratch[2]{};
};

/// \throws std::runtime_error unless the value is representable as an int and not negative; `what` is its name in the
/// message.
int checked_team_number(char const* what, std::int64_t value);
/// The vector length for a request: the largest power of two that exceeds neither the request nor `max`, and at least
/// 1, with a warning if that is not the request. Vector lanes exchange values by shuffles, which need a power of two.
int vector_length_for(std::int64_t request, int max);
/// The maximum that a policy accepts as its scratch memory for a team or a thread, so that sums do not overflow.
inline constexpr std::size_t scratch_bytes_max = std::size_t{1} << 40;
/// \throws std::runtime_error if `bytes` is more than that, as a negative number is
std::size_t checked_scratch_bytes(std::size_t bytes);
/// \throws std::runtime_error unless the level is 0 or 1
int checked_scratch_level(int level);

/// Called by executors before a launch.
/// \throws std::runtime_error if a team of `team_size` threads is impossible, because the maximum is `max`
void require_team_size(char const* space, int team_size, int max);
/// \throws std::runtime_error if a team needs `bytes` bytes of scratch memory of a level, and the maximum is `max`
void require_scratch_size(char const* space, int level, std::size_t bytes, std::size_t max);
/// Like require_scratch_size, where the space could supply more than the maximum on which programs can rely. Kokkos 4
/// does, so with deprecated code of that version this warns once in a run, and the launch supplies it.
void report_large_scratch(char const* space, int level, std::size_t bytes, std::size_t max);
inline void expect_scratch_size(char const* space, int level, std::size_t bytes, std::size_t max) {
  if (bytes > max) report_large_scratch(space, level, bytes, max);
}

/// Bytes of level 0 scratch memory that the functor itself requests for a team of `team_size` threads.
template <class Functor>
std::size_t functor_scratch_size(Functor const& functor, int team_size) {
  if constexpr (requires { functor.team_shmem_size(team_size); }) {
    return static_cast<std::size_t>(functor.team_shmem_size(team_size));
  } else if constexpr (requires { functor.shmem_size(team_size); }) {
    return static_cast<std::size_t>(functor.shmem_size(team_size));
  } else {
    return 0;
  }
}

}  // namespace Kokkos::Impl

#endif
