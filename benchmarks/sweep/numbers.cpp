// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Mathematical functions, complex numbers and random numbers in kernels.

#include "Sweep.hpp"

#include <Kokkos_Complex.hpp>
#include <Kokkos_Half.hpp>
#include <Kokkos_MathematicalSpecialFunctions.hpp>
#include <Kokkos_Random.hpp>

namespace sweep {
namespace {

template <class F>
void each_number(Sweep const& s, char const* name, F const& f) {
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n), b = ascending(n);
    auto const apply = KOKKOS_LAMBDA(long i) { b(i) = f(a(i)); };
    s.row(name, n, [&] { Kokkos::parallel_for(Range(0, n), apply); }, 16. * n);
  }
}

using Complex = Kokkos::complex<double>;
KOKKOS_INLINE_FUNCTION double sum_of_parts(Complex const& z) { return z.real() + z.imag(); }

/// Bessel functions of order 0.
KOKKOS_INLINE_FUNCTION Complex between_2_and_24(double x) { return Complex(2 + Kokkos::fmod(x, 22.), 0.1); }
KOKKOS_INLINE_FUNCTION Complex k0(Complex const& z) {
  return Kokkos::Experimental::cyl_bessel_k0<Complex, double, int>(z);
}
KOKKOS_INLINE_FUNCTION Complex j0(Complex const& z) {
  return Kokkos::Experimental::cyl_bessel_j0<Complex, double, int>(z);
}
KOKKOS_INLINE_FUNCTION Complex i0(Complex const& z) {
  return Kokkos::Experimental::cyl_bessel_i0<Complex, double, int>(z);
}

#define SWEEP_FUNCTION(NAME, EXPRESSION)                                     \
  struct NAME {                                                              \
    KOKKOS_FUNCTION double operator()(double x) const { return EXPRESSION; } \
  }
SWEEP_FUNCTION(Exp, Kokkos::exp(-x));
SWEEP_FUNCTION(Log, Kokkos::log(x + 1));
SWEEP_FUNCTION(Sin, Kokkos::sin(x));
SWEEP_FUNCTION(Pow, Kokkos::pow(x + 1, 1.37));
SWEEP_FUNCTION(Sqrt, Kokkos::sqrt(x));
SWEEP_FUNCTION(Erf, Kokkos::erf(x * 1e-6));
SWEEP_FUNCTION(Hypot, Kokkos::hypot(x, x + 1));
SWEEP_FUNCTION(Fmod, Kokkos::fmod(x, 17.3));
SWEEP_FUNCTION(BitCeil, Kokkos::Experimental::bit_ceil_builtin(static_cast<unsigned>(x)));
SWEEP_FUNCTION(Mix, Kokkos::sqrt(Kokkos::exp(Kokkos::sin(x)) + Kokkos::cbrt(x) + Kokkos::tanh(x)));
SWEEP_FUNCTION(ComplexMix,
               Kokkos::abs(Kokkos::exp(Kokkos::complex<double>(0.1, x)) / Kokkos::complex<double>(x + 1, 2)));
SWEEP_FUNCTION(HypotOfThree, Kokkos::hypot(x, x + 1, 2.));
SWEEP_FUNCTION(BesselK0, sum_of_parts(k0(between_2_and_24(x))));
SWEEP_FUNCTION(BesselJ0, sum_of_parts(j0(between_2_and_24(x))));
SWEEP_FUNCTION(BesselI0Far, sum_of_parts(i0(Complex(25) + between_2_and_24(x))));
SWEEP_FUNCTION(ComplexQuotient, sum_of_parts(Complex(x, 1) / Complex(2, x - 100)));
SWEEP_FUNCTION(ComplexSqrt, sum_of_parts(Kokkos::sqrt(Complex(x - 100, x))));
SWEEP_FUNCTION(ComplexLog, sum_of_parts(Kokkos::log(Complex(x - 100, x))));
SWEEP_FUNCTION(ComplexSinh, sum_of_parts(Kokkos::sinh(Complex(1e-3 * x, x))));
SWEEP_FUNCTION(ComplexTan, sum_of_parts(Kokkos::tan(Complex(x, 0.5))));
SWEEP_FUNCTION(ComplexAcos, sum_of_parts(Kokkos::acos(Complex(x - 100, 0.5))));
SWEEP_FUNCTION(ComplexAtan, sum_of_parts(Kokkos::atan(Complex(0.01 * x, 0.5))));
#undef SWEEP_FUNCTION

/// Numbers of 16 bits, which some libraries store as floats on hosts: the rows compare what a program sees.
template <class Half>
void each_half(Sweep const& s, std::string const& type) {
  using Halves = Kokkos::View<Half*, Exec>;
  for (std::size_t n : s.sizes()) {
    Halves const x("x", n), y("y", n);
    Kokkos::View<float*, Exec> const floats("floats", n);
    Kokkos::deep_copy(x, Half(0.5f));
    Kokkos::deep_copy(y, Half(1.5f));
    Half const a(0.25f);
    auto const row = [&](char const* name, auto const& kernel) {
      s.row((type + name).c_str(), n, [&] { Kokkos::parallel_for(Range(0, n), kernel); });
    };
    row("_axpy", KOKKOS_LAMBDA(long i) { y(i) = a * x(i) + y(i); });
    row("_log1p", KOKKOS_LAMBDA(long i) { y(i) = Kokkos::log1p(x(i)); });
    row("_fabs", KOKKOS_LAMBDA(long i) { y(i) = Kokkos::fabs(x(i)); });
    row("_to_float", KOKKOS_LAMBDA(long i) { floats(i) = static_cast<float>(x(i)); });
    row("_from_float", KOKKOS_LAMBDA(long i) { x(i) = static_cast<Half>(floats(i)); });
    float sum;
    auto const add = KOKKOS_LAMBDA(long i, float& update) { update += static_cast<float>(x(i)); };
    s.row((type + "_sum").c_str(), n, [&] { Kokkos::parallel_reduce(Range(0, n), add, sum); });
  }
}

struct Draws {
  template <class Generator>
  KOKKOS_FUNCTION double operator()(Generator& generator) const {
    return generator.drand();
  }
};
struct DrawsBelow {
  template <class Generator>
  KOKKOS_FUNCTION double operator()(Generator& generator) const {
    return generator.drand(2);
  }
};
struct Normals {
  template <class Generator>
  KOKKOS_FUNCTION double operator()(Generator& generator) const {
    return generator.normal();
  }
};
struct Integers {
  template <class Generator>
  KOKKOS_FUNCTION double operator()(Generator& generator) const {
    return generator.rand(100);
  }
};

template <class Pool, class Draw>
void each_draw(Sweep const& s, char const* name, int draws, Draw const& draw) {
  Pool const pool(11);
  for (std::size_t n : s.sizes()) {
    Vector const b  = ascending(n);
    auto const fill = KOKKOS_LAMBDA(long i) {
      auto generator = pool.get_state();
      double sum     = 0;
      for (int k = 0; k < draws; ++k) sum += draw(generator);
      b(i) = sum;
      pool.free_state(generator);
    };
    s.row(name, n, [&] { Kokkos::parallel_for(Range(0, n), fill); });
  }
}

}  // namespace

void numbers(Sweep const& s) {
  each_number(s, "math_exp", Exp());
  each_number(s, "math_log", Log());
  each_number(s, "math_sin", Sin());
  each_number(s, "math_pow", Pow());
  each_number(s, "math_sqrt", Sqrt());
  each_number(s, "math_erf", Erf());
  each_number(s, "math_hypot", Hypot());
  each_number(s, "math_fmod", Fmod());
  each_number(s, "math_mix", Mix());
  each_number(s, "bit_ceil", BitCeil());
  each_number(s, "math_hypot_3", HypotOfThree());
  each_number(s, "bessel_k0", BesselK0());
  each_number(s, "bessel_j0", BesselJ0());
  each_number(s, "bessel_i0_far", BesselI0Far());
  each_number(s, "complex_mix", ComplexMix());
  each_number(s, "complex_quotient", ComplexQuotient());
  each_number(s, "complex_sqrt", ComplexSqrt());
  each_number(s, "complex_log", ComplexLog());
  each_number(s, "complex_sinh", ComplexSinh());
  each_number(s, "complex_tan", ComplexTan());
  each_number(s, "complex_acos", ComplexAcos());
  each_number(s, "complex_atan", ComplexAtan());
  each_half<Kokkos::Experimental::half_t>(s, "half");
  each_half<Kokkos::Experimental::bhalf_t>(s, "bhalf");
  using Pool64   = Kokkos::Random_XorShift64_Pool<Exec>;
  using Pool1024 = Kokkos::Random_XorShift1024_Pool<Exec>;
  each_draw<Pool64>(s, "random_in_kernel_1", 1, Draws());
  each_draw<Pool64>(s, "random_in_kernel_10", 10, Draws());
  each_draw<Pool64>(s, "random_range_10", 10, DrawsBelow());
  each_draw<Pool1024>(s, "random1024_in_kernel_10", 10, Draws());
  each_draw<Pool64>(s, "random_normal", 10, Normals());
  each_draw<Pool64>(s, "random_integers_10", 10, Integers());
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n);
    s.row("random_pool_make", n, [] { Pool64 const other(7); });
    Pool64 const pool(5);
    s.row("fill_random", n, [&] { Kokkos::fill_random(a, pool, 1.); }, 8. * n);
  }
}

}  // namespace sweep
