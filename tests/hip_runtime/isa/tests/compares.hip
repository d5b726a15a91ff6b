// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests each comparison (v_cmp, v_cmpx) alone, with edge values in both operands, against comparisons of the host.
#include "operations.hpp"

#include <cmath>

using Half = _Float16;

#if LANES == 32
#define SAVE "s_mov_b32 s20, exec_lo\n "
#define RESTORE "\n s_mov_b32 exec_lo, s20"
#define CMPX_RESULT ""
#else
#define SAVE "s_mov_b64 s[20:21], exec\n "
#define RESTORE "\n s_mov_b64 exec, s[20:21]"
#define CMPX_RESULT "vcc, "
#endif

// Operands of 16 bits are the lower halves of registers whose upper halves differ.
template <class T, class Register>
T operand(Register r) {
  if constexpr (sizeof(T) == 2)
    return bits_as<T>(static_cast<u16>(r));
  else
    return bits_as<T>(r);
}

// v_cmp gives 1 where the relation holds, and v_cmpx, 2.
#define COMPARE(RELATION, TYPE, T, REGISTER)                                                                       \
  OP(v_cmp_##RELATION##_##TYPE, u32, REGISTER, REGISTER, u32,                                                      \
     "v_cmp_" #RELATION "_" #TYPE " " VCC ", %1, %2\n v_cndmask_b32 %0, 0, 1, " VCC "\n " SAVE "v_cmpx_" #RELATION \
     "_" #TYPE " " CMPX_RESULT "%1, %2\n v_or_b32 %0, 2, %0" RESTORE,                                              \
     relation_##RELATION(operand<T>(a), operand<T>(b)) ? 3 : 0)

#define RELATION(NAME, CONDITION)                                    \
  template <class T>                                                 \
  bool relation_##NAME([[maybe_unused]] T a, [[maybe_unused]] T b) { \
    return CONDITION;                                                \
  }
RELATION(f, false)
RELATION(lt, a < b)
RELATION(eq, a == b)
RELATION(le, a <= b)
RELATION(gt, a > b)
RELATION(ge, a >= b)
RELATION(ne, a != b)
RELATION(t, true)
RELATION(tru, true)
RELATION(lg, a<b || a> b)
RELATION(o, a == a && b == b)
RELATION(u, a != a || b != b)
RELATION(nge, !(a >= b))
RELATION(nlg, !(a < b || a > b))
RELATION(ngt, !(a > b))
RELATION(nle, !(a <= b))
RELATION(neq, !(a == b))
RELATION(nlt, !(a < b))

#define ORDERS(TYPE, T, REGISTER) \
  COMPARE(lt, TYPE, T, REGISTER); \
  COMPARE(eq, TYPE, T, REGISTER); \
  COMPARE(le, TYPE, T, REGISTER); \
  COMPARE(gt, TYPE, T, REGISTER); \
  COMPARE(ge, TYPE, T, REGISTER)
#define INTEGERS(TYPE, T, REGISTER) \
  ORDERS(TYPE, T, REGISTER);        \
  COMPARE(ne, TYPE, T, REGISTER)
#define REALS(TYPE, T, REGISTER)   \
  ORDERS(TYPE, T, REGISTER);       \
  COMPARE(f, TYPE, T, REGISTER);   \
  COMPARE(tru, TYPE, T, REGISTER); \
  COMPARE(lg, TYPE, T, REGISTER);  \
  COMPARE(o, TYPE, T, REGISTER);   \
  COMPARE(u, TYPE, T, REGISTER);   \
  COMPARE(nge, TYPE, T, REGISTER); \
  COMPARE(nlg, TYPE, T, REGISTER); \
  COMPARE(ngt, TYPE, T, REGISTER); \
  COMPARE(nle, TYPE, T, REGISTER); \
  COMPARE(neq, TYPE, T, REGISTER); \
  COMPARE(nlt, TYPE, T, REGISTER)

INTEGERS(i16, i16, u32);
INTEGERS(u16, u16, u32);
INTEGERS(i32, i32, u32);
INTEGERS(u32, u32, u32);
INTEGERS(i64, i64, u64);
INTEGERS(u64, u64, u64);
COMPARE(f, i32, i32, u32);
COMPARE(t, i32, i32, u32);
COMPARE(f, u64, u64, u64);
COMPARE(t, u64, u64, u64);
REALS(f16, Half, u32);
REALS(f32, float, u32);
REALS(f64, double, u64);

#define CHECK_INTEGERS(TYPE, VALUES)                                                                               \
  check_all<v_cmp_lt_##TYPE, v_cmp_eq_##TYPE, v_cmp_le_##TYPE, v_cmp_gt_##TYPE, v_cmp_ge_##TYPE, v_cmp_ne_##TYPE>( \
      VALUES, VALUES, one)
#define CHECK_REALS(TYPE, VALUES)                                                                                  \
  check_all<v_cmp_lt_##TYPE, v_cmp_eq_##TYPE, v_cmp_le_##TYPE, v_cmp_gt_##TYPE, v_cmp_ge_##TYPE, v_cmp_f_##TYPE,   \
            v_cmp_tru_##TYPE, v_cmp_lg_##TYPE, v_cmp_o_##TYPE, v_cmp_u_##TYPE, v_cmp_nge_##TYPE, v_cmp_nlg_##TYPE, \
            v_cmp_ngt_##TYPE, v_cmp_nle_##TYPE, v_cmp_neq_##TYPE, v_cmp_nlt_##TYPE>(VALUES, VALUES, one)

int main() {
  const std::vector<u32> one{0};
  const std::vector<u32> words{0,          1,          0x7fff,     0x8000,     0x8001,     0xffff,    0x10000,
                               0x7fffffff, 0x80000000, 0x80000001, 0x12340001, 0xffff8000, 0xffffffff};
  const std::vector<u64> wide{0,          1,           0xffffffff,      0x100000000, 0x100000001,
                              0x80000000, ~u64(0) / 2, ~u64(0) / 2 + 1, ~u64(0),     0xffffffff00000000};
  std::vector<u32> halves, singles;
  for (u32 h : {0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d01})
    halves.push_back(h | (h + 7) << 16);
  std::vector<u64> doubles;
  for (float x : reals<float>()) singles.push_back(bits_as<u32>(x));
  for (double x : reals<double>()) doubles.push_back(bits_as<u64>(x));
  CHECK_INTEGERS(i16, words);
  CHECK_INTEGERS(u16, words);
  CHECK_INTEGERS(i32, words);
  CHECK_INTEGERS(u32, words);
  CHECK_INTEGERS(i64, wide);
  CHECK_INTEGERS(u64, wide);
  check_all<v_cmp_f_i32, v_cmp_t_i32>(words, words, one);
  check_all<v_cmp_f_u64, v_cmp_t_u64>(wide, wide, one);
  CHECK_REALS(f16, halves);
  CHECK_REALS(f32, singles);
  CHECK_REALS(f64, doubles);
  return finish();
}
