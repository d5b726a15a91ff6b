// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The choice of a process's device.

#include <impl/runtime/Kokkos_DeviceSelection.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <Kokkos_InitializationSettings.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

namespace Kokkos::Impl {

namespace {

// -1 if `text` is not a nonnegative number.
int parse_number(std::string_view text) {
  int value          = -1;
  char const* end    = text.data() + text.size();
  auto const [p, ec] = std::from_chars(text.data(), end, value);
  return ec == std::errc() && p == end && value >= 0 ? value : -1;
}

std::string below(int count) { return "Allowed are numbers from 0 to " + std::to_string(count - 1) + ", each once."; }

}  // namespace

std::vector<int> visible_devices(int count) {
  std::vector<int> visible;
  char const* variable = std::getenv("KOKKOS_VISIBLE_DEVICES");
  if (variable == nullptr || *variable == '\0') {
    for (int i = 0; i < count; ++i) visible.push_back(i);
    return visible;
  }
  for (std::string_view rest = variable;;) {
    std::size_t const comma = rest.find(',');
    std::string const item(rest.substr(0, comma));
    int const id = parse_number(item);
    if (id < 0 || id >= count || std::find(visible.begin(), visible.end(), id) != visible.end()) {
      throw_runtime_exception(
          "Kokkos::initialize: the environment variable KOKKOS_VISIBLE_DEVICES=" + std::string(variable) + " lists '" +
          item + "', and " + std::to_string(count) + " devices are present. " + below(count));
    }
    visible.push_back(id);
    if (comma == std::string_view::npos) return visible;
    rest.remove_prefix(comma + 1);
  }
}

int mpi_local_rank() {
  // Open MPI, MVAPICH, MPICH (Hydra), Intel MPI, PALS, Flux, Slurm. Slurm comes last, because another launcher that
  // runs under Slurm has more accurate information.
  for (char const* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                           "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID", "FLUX_TASK_LOCAL_ID", "SLURM_LOCALID"}) {
    if (char const* value = std::getenv(name)) {
      if (int const rank = parse_number(value); rank >= 0) return rank;
    }
  }
  return -1;
}

int select_device(InitializationSettings const& settings, std::vector<int> const& visible) {
  int const count = static_cast<int>(visible.size());
  if (count == 0) {
    throw_runtime_exception(
        "Kokkos::initialize: a device backend is enabled, but no device is available. Run where there is one, and "
        "check that the driver works and that no environment variable (CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES) "
        "hides "
        "it.");
  }
  if (settings.has_device_id()) {
    int const id = settings.get_device_id();
    if (id < 0 || id >= count) {
      throw_runtime_exception("Kokkos::initialize: device " + std::to_string(id) + " was requested, but " +
                              std::to_string(count) + " are available. Allowed are numbers from 0 to " +
                              std::to_string(count - 1) + '.');
    }
    return visible[static_cast<std::size_t>(id)];
  }
  if (settings.has_map_device_id_by() && settings.get_map_device_id_by() == "random") {
    std::random_device seed;
    return visible[std::uniform_int_distribution<std::size_t>(0, visible.size() - 1)(seed)];
  }
  int const rank = mpi_local_rank();
  if (rank < 0 && settings.has_map_device_id_by()) {
    warn(
        "Kokkos::initialize: map_device_id_by is mpi_rank, but no launcher provides the local rank in the environment; "
        "the first device is used.");
  }
  return visible[rank < 0 ? 0 : static_cast<std::size_t>(rank % count)];
}

}  // namespace Kokkos::Impl
