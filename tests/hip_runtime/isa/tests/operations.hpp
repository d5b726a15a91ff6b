// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_OPERATIONS_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_OPERATIONS_HPP

/// \file
/// `OP` states an instruction and its result by arithmetic of the host; `check_all` compares the two for edge values in
/// every operand.

#include "check.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

using u16  = std::uint16_t;
using i16  = std::int16_t;
using u32  = std::uint32_t;
using i32  = std::int32_t;
using u64  = std::uint64_t;
using i64  = std::int64_t;
using i128 = __int128;

#ifndef LANES
#define LANES 64  // of a wavefront
#endif
#if LANES == 32
#define VCC "vcc_lo"
#else
#define VCC "vcc"
#endif

// The modifier of an atomic operation that returns a value.
#ifdef GFX94
#define RETURNS " sc0"
#else
#define RETURNS " glc"
#endif

// The assembler takes most of the names that gfx11 changed in both forms.
#ifdef GFX11
#define SINCE_GFX11(BEFORE, NOW) NOW
#else
#define SINCE_GFX11(BEFORE, NOW) BEFORE
#endif

template <class To, class From>
To bits_as(From x) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &x, sizeof to);
  return to;
}

// An instruction of up to three operands, and its result as an expression of a, b and c.
#define OP(LABEL, R, A, B, C, TEXT, RESULT)                                                            \
  struct LABEL {                                                                                       \
    using Result                 = R;                                                                  \
    static constexpr char name[] = #LABEL;                                                             \
    __device__ static R device(A a, B b, C c) {                                                        \
      R r;                                                                                             \
      asm volatile(TEXT : "=&v"(r) : "v"(a), "v"(b), "v"(c) : "vcc");                                  \
      return r;                                                                                        \
    }                                                                                                  \
    static R host([[maybe_unused]] A a, [[maybe_unused]] B b, [[maybe_unused]] C c) { return RESULT; } \
  }

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

template <class Op, class A, class B, class C>
__global__ void run(A const* a, B const* b, C const* c, typename Op::Result* out, u32 n) {
  u32 const t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) {
    A const x = a[t];
    B const y = b[t];
    C const z = c[t];
    // Registers that the longer texts above use.
    asm volatile("" ::: "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "s20", "s21", "s22", "s23");
    out[t] = Op::device(x, y, z);
  }
}

template <class Op, class A, class B, class C>
void check(Array<A>& a, Array<B>& b, Array<C>& c) {
  u32 const n = static_cast<u32>(a.host.size());
  Array<typename Op::Result> out(n);
  run<Op><<<(n + 255) / 256, 256>>>(a.device(), b.device(), c.device(), out.device(), n);
  out.to_host();
  for (u32 i = 0; i < n; ++i)
    if (!same(out[i], Op::host(a[i], b[i], c[i]))) {
      std::printf("%s of operands number %u: found %.17g, not %.17g\n", Op::name, i, static_cast<double>(out[i]),
                  static_cast<double>(Op::host(a[i], b[i], c[i])));
      ++failures;
      return;
    }
}

template <class... Ops, class A, class B, class C>
void check_all(std::vector<A> const& a, std::vector<B> const& b, std::vector<C> const& c) {
  std::vector<A> x;
  std::vector<B> y;
  std::vector<C> z;
  for (A i : a)
    for (B j : b)
      for (C k : c) x.push_back(i), y.push_back(j), z.push_back(k);
  Array<A> in_a(x);
  Array<B> in_b(y);
  Array<C> in_c(z);
  (check<Ops>(in_a, in_b, in_c), ...);
}

template <class T>
std::vector<T> reals() {
  using L = std::numeric_limits<T>;
  return {T(0),       -T(0),         T(1),          T(-1.5),          T(2.5),
          T(-3.25e5), T(7e9),        L::min(),      -L::denorm_min(), L::min() / 4,
          L::max(),   -L::max() / 3, L::infinity(), -L::infinity(),   L::quiet_NaN(),
          T(1) / 3};
}

#endif
