// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares kernels with Kokkos_SIMD.hpp to intrinsics. Each benchmark runs both alternately, on arrays that stay in
/// the cache. Compile for AVX-512 or AVX2 (Kokkos_ARCH_NATIVE=ON, or -march=x86-64-v3). Each kernel is a separate
/// function, simd_<kernel> or hand_<kernel>, so that a disassembler shows both.

#include "Ratio.hpp"

#include <Kokkos_SIMD.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>

namespace {

namespace KE = Kokkos::Experimental;
using Kokkos::Benchmarks::compare;
using Vector = KE::simd<double>;
using Mask   = Vector::mask_type;

constexpr std::size_t width = Vector::size();
constexpr std::size_t n     = 2048;  // elements of an array
constexpr double cutoff     = 6.25;  // squared

// ---- intrinsics ----------------------------------------------------------------------------------------------------

#ifdef __AVX512F__
using Register = __m512d;
using Lanes    = __mmask8;
Register load(double const* p) { return _mm512_loadu_pd(p); }
void store(double* p, Register x) { _mm512_storeu_pd(p, x); }
Register all(double x) { return _mm512_set1_pd(x); }
Register add(Register a, Register b) { return _mm512_add_pd(a, b); }
Register sub(Register a, Register b) { return _mm512_sub_pd(a, b); }
Register mul(Register a, Register b) { return _mm512_mul_pd(a, b); }
Register div(Register a, Register b) { return _mm512_div_pd(a, b); }
Register fma(Register a, Register b, Register c) { return _mm512_fmadd_pd(a, b, c); }
Register fnma(Register a, Register b, Register c) { return _mm512_fnmadd_pd(a, b, c); }
Register fms(Register a, Register b, Register c) { return _mm512_fmsub_pd(a, b, c); }
Register root(Register a) { return _mm512_sqrt_pd(a); }
Register greatest(Register a, Register b) { return _mm512_max_pd(a, b); }
Lanes less(Register a, Register b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
Register zero_unless(Lanes m, Register a) { return _mm512_maskz_mov_pd(m, a); }
double sum_of(Register a) { return _mm512_reduce_add_pd(a); }
double greatest_of(Register a) { return _mm512_reduce_max_pd(a); }
#else
using Register = __m256d;
using Lanes    = __m256d;
Register load(double const* p) { return _mm256_loadu_pd(p); }
void store(double* p, Register x) { _mm256_storeu_pd(p, x); }
Register all(double x) { return _mm256_set1_pd(x); }
Register add(Register a, Register b) { return _mm256_add_pd(a, b); }
Register sub(Register a, Register b) { return _mm256_sub_pd(a, b); }
Register mul(Register a, Register b) { return _mm256_mul_pd(a, b); }
Register div(Register a, Register b) { return _mm256_div_pd(a, b); }
Register fma(Register a, Register b, Register c) { return _mm256_fmadd_pd(a, b, c); }
Register fnma(Register a, Register b, Register c) { return _mm256_fnmadd_pd(a, b, c); }
Register fms(Register a, Register b, Register c) { return _mm256_fmsub_pd(a, b, c); }
Register root(Register a) { return _mm256_sqrt_pd(a); }
Register greatest(Register a, Register b) { return _mm256_max_pd(a, b); }
Lanes less(Register a, Register b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
Register zero_unless(Lanes m, Register a) { return _mm256_and_pd(m, a); }
double sum_of(Register a) {
  __m128d const halves = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_add_sd(halves, _mm_unpackhi_pd(halves, halves)));
}
double greatest_of(Register a) {
  __m128d const halves = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(_mm_max_sd(halves, _mm_unpackhi_pd(halves, halves)));
}
#endif

#ifdef KOKKOS_STEADFAST_VERSION
Vector load_simd(double const* p) { return KE::simd_unchecked_load<Vector>(p, KE::simd_flag_default); }
void store_simd(double* p, Vector const& x) { KE::simd_unchecked_store(x, p, KE::simd_flag_default); }
#else  // upstream 4.7
Vector load_simd(double const* p) { return Vector(p, KE::simd_flag_default); }
void store_simd(double* p, Vector const& x) { x.copy_to(p, KE::simd_flag_default); }
#endif

/// Seven arrays; kernels write to the last two. Equal indices are at different places of a page, because a load waits
/// for an earlier store to the same place of another page.
struct Arrays {
  static constexpr std::size_t distance = n + 24;
  Arrays() : storage(7 * distance) {
    for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = 0.25 + static_cast<double>(i * 7919 % 1000) / 200;
  }
  double* operator[](int k) { return storage.data() + static_cast<std::size_t>(k) * distance; }
  std::vector<double> storage;
};

#define KERNEL(name) [[gnu::noinline]] double name([[maybe_unused]] Arrays& a)
#define FOR_EACH_VECTOR for (std::size_t i = 0; i < n; i += width)

// ---- kernels -------------------------------------------------------------------------------------------------------

KERNEL(simd_axpy) {
  FOR_EACH_VECTOR store_simd(a[6] + i, Kokkos::fma(Vector(1.5), load_simd(a[0] + i), load_simd(a[6] + i)));
  return 0;
}
KERNEL(hand_axpy) {
  FOR_EACH_VECTOR store(a[6] + i, fma(all(1.5), load(a[0] + i), load(a[6] + i)));
  return 0;
}

KERNEL(simd_complex_product) {
  FOR_EACH_VECTOR {
    Vector const r1 = load_simd(a[0] + i), i1 = load_simd(a[1] + i), r2 = load_simd(a[2] + i), i2 = load_simd(a[3] + i);
    store_simd(a[5] + i, r1 * r2 - i1 * i2);
    store_simd(a[6] + i, r1 * i2 + i1 * r2);
  }
  return 0;
}
KERNEL(hand_complex_product) {
  FOR_EACH_VECTOR {
    Register const r1 = load(a[0] + i), i1 = load(a[1] + i), r2 = load(a[2] + i), i2 = load(a[3] + i);
    store(a[5] + i, fms(r1, r2, mul(i1, i2)));
    store(a[6] + i, fma(r1, i2, mul(i1, r2)));
  }
  return 0;
}

/// The force on one particle by all others within the cutoff.
KERNEL(simd_lennard_jones) {
  Vector fx(0.0), fy(0.0), fz(0.0);
  FOR_EACH_VECTOR {
    Vector const dx = Vector(1.0) - load_simd(a[0] + i), dy = Vector(1.0) - load_simd(a[1] + i),
                 dz  = Vector(1.0) - load_simd(a[2] + i);
    Vector const r2  = dx * dx + dy * dy + dz * dz;
    Vector const s2  = Vector(1.0) / r2;
    Vector const s6  = s2 * s2 * s2;
    Vector const all = s6 * (s6 - Vector(0.5)) * s2;
    Vector const f   = KE::condition(r2 < Vector(cutoff), all, Vector(0.0));
    fx               = fx + dx * f;
    fy               = fy + dy * f;
    fz               = fz + dz * f;
  }
  return KE::reduce(fx) + KE::reduce(fy) + KE::reduce(fz);
}
KERNEL(hand_lennard_jones) {
  Register fx = all(0), fy = all(0), fz = all(0);
  FOR_EACH_VECTOR {
    Register const dx = sub(all(1), load(a[0] + i)), dy = sub(all(1), load(a[1] + i)), dz = sub(all(1), load(a[2] + i));
    Register const r2 = fma(dz, dz, fma(dy, dy, mul(dx, dx)));
    Register const s2 = div(all(1), r2);
    Register const s6 = mul(mul(s2, s2), s2);
    Register const f  = zero_unless(less(r2, all(cutoff)), mul(mul(s6, sub(s6, all(0.5))), s2));
    fx                = fma(dx, f, fx);
    fy                = fma(dy, f, fy);
    fz                = fma(dz, f, fz);
  }
  return sum_of(fx) + sum_of(fy) + sum_of(fz);
}

KERNEL(simd_dot) {
  Vector sum(0.0);
  FOR_EACH_VECTOR sum = Kokkos::fma(load_simd(a[0] + i), load_simd(a[1] + i), sum);
  return KE::reduce(sum);
}
KERNEL(hand_dot) {
  Register sum        = all(0);
  FOR_EACH_VECTOR sum = fma(load(a[0] + i), load(a[1] + i), sum);
  return sum_of(sum);
}

KERNEL(simd_greatest) {
  Vector most          = load_simd(a[0]);
  FOR_EACH_VECTOR most = Kokkos::max(most, load_simd(a[0] + i));
  return KE::reduce_max(most);
}
KERNEL(hand_greatest) {
  Register most        = load(a[0]);
  FOR_EACH_VECTOR most = greatest(most, load(a[0] + i));
  return greatest_of(most);
}

KERNEL(simd_lengths) {
  FOR_EACH_VECTOR {
    Vector const x = load_simd(a[0] + i), y = load_simd(a[1] + i), z = load_simd(a[2] + i);
    store_simd(a[6] + i, Kokkos::sqrt(x * x + y * y + z * z));
  }
  return 0;
}
KERNEL(hand_lengths) {
  FOR_EACH_VECTOR {
    Register const x = load(a[0] + i), y = load(a[1] + i), z = load(a[2] + i);
    store(a[6] + i, root(fma(z, z, fma(y, y, mul(x, x)))));
  }
  return 0;
}

KERNEL(simd_polynomial) {
  FOR_EACH_VECTOR {
    Vector const x = load_simd(a[0] + i);
    Vector p(0.1);
    for (double c : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) p = Kokkos::fma(p, x, Vector(c));
    store_simd(a[6] + i, p);
  }
  return 0;
}
KERNEL(hand_polynomial) {
  FOR_EACH_VECTOR {
    Register const x = load(a[0] + i);
    Register p       = all(0.1);
    for (double c : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) p = fma(p, x, all(c));
    store(a[6] + i, p);
  }
  return 0;
}

KERNEL(simd_sum_below) {
  Vector sum(0.0);
  FOR_EACH_VECTOR {
    Vector const x = load_simd(a[0] + i);
    sum            = sum + KE::condition(x < Vector(2.0), x, Vector(0.0));
  }
  return KE::reduce(sum);
}
KERNEL(hand_sum_below) {
  Register sum = all(0);
  FOR_EACH_VECTOR {
    Register const x = load(a[0] + i);
    sum              = add(sum, zero_unless(less(x, all(2)), x));
  }
  return sum_of(sum);
}

KERNEL(simd_clamp) {
  FOR_EACH_VECTOR {
    Vector const x = load_simd(a[0] + i);
    store_simd(a[6] + i, KE::condition(x < Vector(3.0), x - Vector(1.0), Vector(0.0)));
  }
  return 0;
}
KERNEL(hand_clamp) {
  FOR_EACH_VECTOR {
    Register const x = load(a[0] + i);
    store(a[6] + i, zero_unless(less(x, all(3)), sub(x, all(1))));
  }
  return 0;
}

KERNEL(simd_divide) {
  FOR_EACH_VECTOR store_simd(a[6] + i, load_simd(a[0] + i) / load_simd(a[1] + i));
  return 0;
}
KERNEL(hand_divide) {
  FOR_EACH_VECTOR store(a[6] + i, div(load(a[0] + i), load(a[1] + i)));
  return 0;
}

template <double (*Ours)(Arrays&), double (*Hand)(Arrays&)>
void kernel(benchmark::State& state) {
  Arrays a;
  double const ours = Ours(a);
  std::vector<double> const our_results(a[5], a[6] + n);
  Arrays b;
  double const by_hand = Hand(b);
  for (std::size_t i = 0; i < our_results.size(); ++i)
    if (!(std::abs(our_results[i] - b[5][i]) <= 1e-12 * std::abs(b[5][i]))) state.SkipWithError("results differ");
  if (!(std::abs(ours - by_hand) <= 1e-9 * std::abs(by_hand))) state.SkipWithError("results differ");
  auto const repeat = [&](auto const& f) {
    for (int r = 0; r < 100; ++r) benchmark::DoNotOptimize(f(a));
  };
  compare(state, 0, [&] { repeat(Hand); }, [&] { repeat(Ours); });
}

#define KERNEL_BENCHMARK(name) \
  BENCHMARK(kernel<simd_##name, hand_##name>)->Name("simd/" #name)->UseManualTime()->Iterations(301)
KERNEL_BENCHMARK(axpy);
KERNEL_BENCHMARK(complex_product);
KERNEL_BENCHMARK(lennard_jones);
KERNEL_BENCHMARK(dot);
KERNEL_BENCHMARK(greatest);
KERNEL_BENCHMARK(lengths);
KERNEL_BENCHMARK(polynomial);
KERNEL_BENCHMARK(sum_below);
KERNEL_BENCHMARK(clamp);
KERNEL_BENCHMARK(divide);

}  // namespace
#endif

BENCHMARK_MAIN();
