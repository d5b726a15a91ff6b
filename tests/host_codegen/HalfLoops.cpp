// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over numbers of 16 bits, whose code check_half_loops.py examines.
#include <Kokkos_Half.hpp>

using Kokkos::Experimental::bhalf_t;
using Kokkos::Experimental::half_t;

extern "C" void narrow_half(half_t* to, float const* from, long n) {
  for (long i = 0; i < n; ++i) to[i] = half_t(from[i]);
}
extern "C" void integers_half(half_t* to, int const* from, long n) {
  for (long i = 0; i < n; ++i) to[i] = half_t(from[i]);
}
extern "C" void widen_half(float* to, half_t const* from, long n) {
  for (long i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}
extern "C" void axpy_half(half_t* y, half_t const* x, half_t a, long n) {
  for (long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
extern "C" void magnitude_half(half_t* y, half_t const* x, long n) {
  for (long i = 0; i < n; ++i) y[i] = Kokkos::fmax(Kokkos::fabs(x[i]), y[i]);
}
extern "C" void choice_half(half_t* to, half_t* x, half_t* y, long n) {
  for (long i = 0; i < n; ++i) to[i] = x[i] < y[i] ? x[i] : y[i];
}
extern "C" void smaller_half(half_t* to, half_t const* x, half_t const* y, long n) {
  for (long i = 0; i < n; ++i) to[i] = Kokkos::min(x[i], y[i]);
}
extern "C" void clamp_half(half_t* to, half_t const* x, half_t low, half_t high, long n) {
  for (long i = 0; i < n; ++i) to[i] = Kokkos::clamp(x[i], low, high);
}
extern "C" void larger_bhalf(bhalf_t* to, bhalf_t const* x, bhalf_t const* y, long n) {
  for (long i = 0; i < n; ++i) to[i] = Kokkos::max(x[i], y[i]);
}
extern "C" void narrow_bhalf(bhalf_t* to, float const* from, long n) {
  for (long i = 0; i < n; ++i) to[i] = bhalf_t(from[i]);
}
extern "C" void axpy_bhalf(bhalf_t* y, bhalf_t const* x, bhalf_t a, long n) {
  for (long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
extern "C" void fused_half(half_t* y, half_t const* x, half_t a, long n) {
  for (long i = 0; i < n; ++i) y[i] = Kokkos::fma(a, x[i], y[i]);
}
extern "C" void exponential_half(half_t* y, half_t const* x, long n) {
  for (long i = 0; i < n; ++i) y[i] = Kokkos::exp(x[i]);
}
