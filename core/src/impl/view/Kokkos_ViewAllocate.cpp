// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/view/Kokkos_ViewAllocate.hpp>
#include <Kokkos_Initialize.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

namespace Kokkos::Impl {

void require_initialized_for_view(std::string const& label) {
  if (is_active()) return;
  require_initialized(("Allocating Kokkos::View \"" + label + "\"").c_str());
}

std::string view_report_label(char const* what, char const* label) {
  if (!tools_loaded() && !waits_are_recorded()) return {};
  return std::string(what) + " [" + label + "]";
}

}  // namespace Kokkos::Impl
