// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: sinh and cosh of a complex number are infinite where the result is an ordinary number
// upstream: not reported
// needs: nothing
#include "Symptom.hpp"

#include <Kokkos_Complex.hpp>

#include <cmath>

symptom::Report complex_sinh() {
  // The imaginary part of the result is cosh(x) sin(y). Each factor alone is far from 1, their product is not.
  float const x = 100, y = 1e-30f;
  float const wanted = static_cast<float>(std::cosh(100.0) * std::sin(1e-30));
  auto const wrong   = [&](float result) { return !(std::fabs(result - wanted) <= 1e-4f * wanted); };
  float const sinh   = Kokkos::sinh(Kokkos::complex<float>(x, y)).imag();
  return symptom::found(wrong(sinh),
                        "sinh(100 + 1e-30 i) has the imaginary part " + std::to_string(sinh) + " instead of 1.3e13.",
                        "sinh(100 + 1e-30 i) is right.");
}
