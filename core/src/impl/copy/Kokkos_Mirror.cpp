// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Labels of mirrors.

#include <impl/copy/Kokkos_Mirror.hpp>

#include <string>

namespace Kokkos::Impl {

std::string mirror_label(std::string const& label) {
  static std::string const suffix = "_mirror";
  return label.ends_with(suffix) ? label : label + suffix;
}

}  // namespace Kokkos::Impl
