// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MATHEMATICAL_CONSTANTS_HPP
#define KOKKOS_MATHEMATICAL_CONSTANTS_HPP

/// \file
/// The constants of `<numbers>` under the names `Kokkos::numbers::pi_v<T>` and, as double, `Kokkos::numbers::pi`.

#include <Kokkos_Macros.hpp>

#include <numbers>

namespace Kokkos::numbers {

using std::numbers::e, std::numbers::e_v;
using std::numbers::egamma, std::numbers::egamma_v;
using std::numbers::inv_pi, std::numbers::inv_pi_v;
using std::numbers::inv_sqrt3, std::numbers::inv_sqrt3_v;
using std::numbers::inv_sqrtpi, std::numbers::inv_sqrtpi_v;
using std::numbers::ln10, std::numbers::ln10_v;
using std::numbers::ln2, std::numbers::ln2_v;
using std::numbers::log10e, std::numbers::log10e_v;
using std::numbers::log2e, std::numbers::log2e_v;
using std::numbers::phi, std::numbers::phi_v;
using std::numbers::pi, std::numbers::pi_v;
using std::numbers::sqrt2, std::numbers::sqrt2_v;
using std::numbers::sqrt3, std::numbers::sqrt3_v;

}  // namespace Kokkos::numbers

#endif
