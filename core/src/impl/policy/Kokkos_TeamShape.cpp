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

int checked_team_number(char const* what, std::int64_t value) {
  constexpr int max = std::numeric_limits<int>::max();
  if (value < 0 || value > max) {
    throw_runtime_exception("Kokkos::TeamPolicy was given " + std::to_string(value) + " as its " + what +
                            "; it must be between 0 and " + std::to_string(max) + ".");
  }
  return static_cast<int>(value);
}

namespace {

void report_vector_length(std::int64_t request, int length, int max) {
  static int warned = 0;
  Impl::warn_once(warned, "Kokkos::TeamPolicy was given the vector length " + std::to_string(request) +
                              "; allowed are powers of two from 1 to " + std::to_string(max) + ". The length is " +
                              std::to_string(length) + " here. Pass one of them, or Kokkos::AUTO.");
}

std::string describe_scratch(char const* space, int level, std::size_t bytes, std::size_t max) {
  return "Kokkos::TeamPolicy requests " + std::to_string(bytes) + " bytes of scratch memory of level " +
         std::to_string(level) + " per team, but " + space + " has at most " + std::to_string(max) +
         ". Request less in set_scratch_size or team_shmem_size" + (level == 0 ? ", or use level 1." : ".");
}

}  // namespace

int vector_length_for(std::int64_t request, int max) {
  int const length = std::bit_floor(static_cast<unsigned>(std::clamp<std::int64_t>(request, 1, max)));
  if (length != request) report_vector_length(request, length, max);
  return length;
}

std::size_t checked_scratch_bytes(std::size_t bytes) {
  if (bytes > scratch_bytes_max) {
    throw_runtime_exception("Kokkos::TeamPolicy::set_scratch_size was given " +
                            std::to_string(static_cast<std::int64_t>(bytes)) + " bytes; allowed are 0 to " +
                            std::to_string(scratch_bytes_max) + ".");
  }
  return bytes;
}

int checked_scratch_level(int level) {
  if (level != 0 && level != 1) {
    throw_runtime_exception("Kokkos::TeamPolicy was called with the scratch memory level " + std::to_string(level) +
                            "; the levels are 0, the nearest, and 1, the larger.");
  }
  return level;
}

void require_team_size(char const* space, int team_size, int max) {
  if (team_size >= 1 && team_size <= max) return;
  throw_runtime_exception("Kokkos::TeamPolicy requests teams of " + std::to_string(team_size) + " threads, but " +
                          space + " can run this kernel here with " +
                          (max <= 1 ? std::string("1 thread") : "1 to " + std::to_string(max) + " threads") +
                          " in a team. Call TeamPolicy::team_size_max(functor, ParallelForTag()) for the maximum, or "
                          "pass Kokkos::AUTO as the team size to let Kokkos choose. (Inside another kernel, teams have "
                          "1 thread on the host.)" +
                          in_which_kernel());
}

void require_scratch_size(char const* space, int level, std::size_t bytes, std::size_t max) {
  if (bytes <= max) return;
  throw_runtime_exception(describe_scratch(space, level, bytes, max) + in_which_kernel());
}

void report_large_scratch(char const* space, int level, std::size_t bytes, std::size_t max) {
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static int warned = 0;
  warn_once(warned,
            describe_scratch(space, level, bytes, max) + " As in Kokkos 4, it gets them here." + in_which_kernel());
#else
  require_scratch_size(space, level, bytes, max);
#endif
}

}  // namespace Kokkos::Impl
