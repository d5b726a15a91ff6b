// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Messages about impossible team policies.

#include <impl/policy/Kokkos_TeamShape.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

namespace Kokkos::Impl {

int checked_team_number(const char* what, std::int64_t value) {
  constexpr int max = std::numeric_limits<int>::max();
  if (value < 0 || value > max) {
    throw_runtime_exception("Kokkos::TeamPolicy was given " + std::to_string(value) + " as its " + what +
                            "; it must be between 0 and " + std::to_string(max) + ".");
  }
  return static_cast<int>(value);
}

int vector_length_for(std::int64_t request, int max) {
  return std::bit_floor(static_cast<unsigned>(std::clamp<std::int64_t>(request, 1, max)));
}

int checked_scratch_level(int level) {
  if (level != 0 && level != 1) {
    throw_runtime_exception("Kokkos::TeamPolicy was called with the scratch memory level " + std::to_string(level) +
                            "; the levels are 0, the nearest, and 1, the larger.");
  }
  return level;
}

void require_team_size(const char* space, int team_size, int max) {
  if (team_size >= 1 && team_size <= max) return;
  throw_runtime_exception("Kokkos::TeamPolicy requests teams of " + std::to_string(team_size) + " threads, but " +
                          space + " can run this kernel here with " +
                          (max <= 1 ? std::string("1 thread") : "1 to " + std::to_string(max) + " threads") +
                          " in a team. Call TeamPolicy::team_size_max(functor, ParallelForTag()) for the maximum, or "
                          "pass Kokkos::AUTO as the team size to let Kokkos choose. (Inside another kernel, teams have "
                          "1 thread on the host.)" + in_which_kernel());
}

void require_scratch_size(const char* space, int level, std::size_t bytes, std::size_t max) {
  if (bytes <= max) return;
  throw_runtime_exception(
      "Kokkos::TeamPolicy requests " + std::to_string(bytes) + " bytes of scratch memory of level " +
      std::to_string(level) + " per team, but " + space + " has at most " + std::to_string(max) +
      ". Request less in set_scratch_size or team_shmem_size" + (level == 0 ? ", or use level 1." : ".") + in_which_kernel());
}

}  // namespace Kokkos::Impl
