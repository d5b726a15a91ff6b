// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar arithmetic (12.1 SOP2, 12.2 SOPK, 12.3 SOP1, 12.4 SOPC). Each sets SCC as its function specifies.
#include "table.hpp"
#include "values.hpp"

#include <limits>

namespace hip_model::isa {

namespace {

template <class T>
void set_scalar(Wave& w, Operand const& o, T value, u64 undefined) {
  auto const bits = std::bit_cast<BitsOf<T>>(value);
  if constexpr (sizeof(T) == 8) {
    w.set_pair(o.first, bits, undefined);
  } else {
    w.scalar[o.first]           = bits;
    w.scalar_undefined[o.first] = static_cast<u32>(undefined);
  }
  if (o.first == exec_register || o.first == exec_register + 1) require_exec_defined(w);
}
void set_scc(Wave& w, bool value, bool defined) {
  w.scc         = value;
  w.scc_defined = defined;
}

/// Value and SCC.
template <class T>
struct Both {
  T value;
  bool scc;
};

// A function returns a value, which leaves SCC unchanged; or a value and SCC; or, as bool, only SCC.
template <class R>
struct Writes {
  static void store(Wave& w, Instruction const& i, R r, bool defined) { set_scalar(w, i[0], r, defined ? 0 : ~u64(0)); }
  static constexpr unsigned first_source = 1;
};
template <class T>
struct Writes<Both<T>> {
  static void store(Wave& w, Instruction const& i, Both<T> r, bool defined) {
    set_scalar(w, i[0], r.value, defined ? 0 : ~u64(0));
    set_scc(w, r.scc, defined);
  }
  static constexpr unsigned first_source = 1;
};
template <>
struct Writes<bool> {
  static void store(Wave& w, Instruction const&, bool r, bool defined) { set_scc(w, r, defined); }
  static constexpr unsigned first_source = 0;
};

template <auto F>
struct ScalarOp;
template <class R, class A, R (*F)(A)>
struct ScalarOp<F> {
  static void run(Wave& w, Instruction const& i) {
    u64 undefined;
    A const a = scalar_value<A>(w, i[Writes<R>::first_source], &undefined);
    Writes<R>::store(w, i, F(a), undefined == 0);
  }
};
template <class R, class A, class B, R (*F)(A, B)>
struct ScalarOp<F> {
  static void run(Wave& w, Instruction const& i) {
    u64 undefined_a, undefined_b;
    A const a = scalar_value<A>(w, i[Writes<R>::first_source], &undefined_a);
    B const b = scalar_value<B>(w, i[Writes<R>::first_source + 1], &undefined_b);
    Writes<R>::store(w, i, F(a, b), (undefined_a | undefined_b) == 0);
  }
};
/// Operand 0 is both a source and the result.
template <auto F>
struct ScalarUpdate;
template <class R, class A, class B, R (*F)(A, B)>
struct ScalarUpdate<F> {
  static void run(Wave& w, Instruction const& i) {
    u64 undefined;
    A const a = scalar_value<A>(w, i[0], &undefined);
    Writes<R>::store(w, i, F(a, static_cast<B>(static_cast<std::int16_t>(i[1].integer))), undefined == 0);
  }
};

template <class T>
Both<T> nonzero(T x) {
  return {x, x != 0};
}

// A bit of the result is also defined if one operand alone determines it, as 0 does in a conjunction.
enum class Logic { conjunction, disjunction, difference };
template <class T, Logic Operation, bool NotB, bool NotResult>
void logic(Wave& w, Instruction const& i) {
  u64 ua, ub;
  T a = scalar_value<T>(w, i[1], &ua), b = scalar_value<T>(w, i[2], &ub);
  if (NotB) b = static_cast<T>(~b);
  T r;
  u64 undefined;
  if constexpr (Operation == Logic::conjunction) {
    r         = a & b;
    undefined = (ua & ub) | (ua & b) | (ub & a);
  } else if constexpr (Operation == Logic::disjunction) {
    r         = a | b;
    undefined = (ua & ub) | (ua & ~u64(b)) | (ub & ~u64(a));
  } else {
    r         = a ^ b;
    undefined = ua | ub;
  }
  if (NotResult) r = static_cast<T>(~r);
  set_scalar(w, i[0], r, undefined);
  set_scc(w, r != 0, (r & ~undefined) != 0 || undefined == 0);
}

// s_<op>_saveexec_b64, _b32: the old exec mask is stored in operand 0, and exec becomes operand 1 <op> exec.
template <class T, Logic Operation, bool NotA, bool NotB, bool NotResult>
void save_exec(Wave& w, Instruction const& i) {
  if (8 * sizeof(T) != w.width) throw Stop("it changes " + std::to_string(8 * sizeof(T)) + " bits of the exec mask");
  u64 undefined;
  T a = scalar_value<T>(w, i[1], &undefined), exec = static_cast<T>(w.exec());
  T const old = exec;
  if (NotA) a = ~a;
  if (NotB) exec = ~exec;
  T r = Operation == Logic::conjunction ? a & exec : Operation == Logic::disjunction ? a | exec : a ^ exec;
  undefined &= Operation == Logic::conjunction ? exec : Operation == Logic::disjunction ? ~exec : all_lanes;
  if (NotResult) r = ~r;
  w.set_mask(i[0].first, old);
  w.set_mask(exec_register, r, undefined);
  require_exec_defined(w);
  set_scc(w, r != 0, true);
}

template <class T>
void move(Wave& w, Instruction const& i) {
  u64 undefined;
  T const value = scalar_value<T>(w, i[1], &undefined);
  set_scalar(w, i[0], value, undefined);
}
template <class T>
void invert(Wave& w, Instruction const& i) {
  u64 undefined;
  T const value = static_cast<T>(~scalar_value<T>(w, i[1], &undefined));
  set_scalar(w, i[0], value, undefined);
  set_scc(w, value != 0, undefined == 0);
}
template <class T>
void select(Wave& w, Instruction const& i) {
  u64 ua, ub;
  T const a = scalar_value<T>(w, i[1], &ua), b = scalar_value<T>(w, i[2], &ub);
  set_scalar(w, i[0], w.scc ? a : b, w.scc_defined ? (w.scc ? ua : ub) : ~u64(0));
}
template <class T>
void move_if(Wave& w, Instruction const& i) {
  require_defined(w, w.scc_defined, "the condition SCC");
  if (w.scc) move<T>(w, i);
}
void movk(Wave& w, Instruction const& i) {
  set_scalar(w, i[0], static_cast<u32>(static_cast<i32>(static_cast<std::int16_t>(i[1].integer))), 0);
}
void cmovk(Wave& w, Instruction const& i) {
  require_defined(w, w.scc_defined, "the condition SCC");
  if (w.scc) movk(w, i);
}

template <bool Subtract>
void with_carry(Wave& w, Instruction const& i) {
  u64 ua, ub;
  u64 const a = scalar_value<u32>(w, i[1], &ua), b = scalar_value<u32>(w, i[2], &ub), c = w.scc;
  u64 const r        = Subtract ? a - b - c : a + b + c;
  bool const defined = (ua | ub) == 0 && w.scc_defined;
  set_scalar(w, i[0], static_cast<u32>(r), defined ? 0 : ~u64(0));
  set_scc(w, r >> 32 & 1, defined);
}

Both<u32> add_u(u32 a, u32 b) { return {a + b, a + b < a}; }
Both<u32> sub_u(u32 a, u32 b) { return {a - b, a < b}; }
Both<i32> add_i(i32 a, i32 b) {
  i32 r;
  bool const overflow = __builtin_add_overflow(a, b, &r);
  return {r, overflow};
}
Both<i32> sub_i(i32 a, i32 b) {
  i32 r;
  bool const overflow = __builtin_sub_overflow(a, b, &r);
  return {r, overflow};
}
u32 mul(u32 a, u32 b) { return a * b; }
i32 mulk(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(a) * static_cast<u32>(b)); }
u32 mul_hi_u(u32 a, u32 b) { return static_cast<u32>(u64(a) * b >> 32); }
i32 mul_hi_i(i32 a, i32 b) { return static_cast<i32>(i64(a) * b >> 32); }
template <class T>
Both<T> min(T a, T b) {
  return {a < b ? a : b, a < b};
}
template <class T>
Both<T> max(T a, T b) {
  return {a > b ? a : b, a > b};
}
// Undefined bits move with the others.
template <class T, bool Left>
void shift(Wave& w, Instruction const& i) {
  u64 undefined, undefined_amount;
  T const a         = scalar_value<T>(w, i[1], &undefined);
  u32 const n       = scalar_value<u32>(w, i[2], &undefined_amount) & (8 * sizeof(T) - 1);
  auto const moved  = static_cast<T>(undefined);
  T const r         = Left ? static_cast<T>(a << n) : static_cast<T>(a >> n);
  u64 const unknown = undefined_amount ? ~u64(0) : static_cast<u64>(static_cast<T>(Left ? moved << n : moved >> n));
  set_scalar(w, i[0], r, unknown);
  set_scc(w, r != 0, unknown == 0);
}
template <int N>
Both<u32> lshl_add(u32 a, u32 b) {
  u64 const sum = (u64(a) << N) + b;
  return {static_cast<u32>(sum), sum >> 32 != 0};
}
template <class T>
T bfm(u32 width, u32 offset) {
  constexpr u32 mask = 8 * sizeof(T) - 1;
  return ((T(1) << (width & mask)) - 1) << (offset & mask);
}
// Offset in bits 0 to 5, width in bits 16 to 22.
template <class T>
Both<T> bfe(T a, u32 field) {
  constexpr u32 bits = 8 * sizeof(T);
  u32 const offset = field & (bits - 1), width = field >> 16 & 0x7f;
  if (width == 0) return {0, false};
  T const down = static_cast<T>(a >> offset);
  if (width >= bits - offset && !std::numeric_limits<T>::is_signed) return nonzero<T>(down);
  if (width >= bits) return nonzero<T>(down);
  using U = std::make_unsigned_t<T>;
  return nonzero<T>(static_cast<T>(static_cast<T>(static_cast<U>(down) << (bits - width)) >> (bits - width)));
}
// Undefined bits outside of the field make no difference: compilers extend a byte of one register to 64 bits in this way.
template <class T>
void extract(Wave& w, Instruction const& i) {
  u64 undefined, undefined_field;
  T const a         = scalar_value<T>(w, i[1], &undefined);
  u32 const field   = scalar_value<u32>(w, i[2], &undefined_field);
  Both<T> const r   = bfe<T>(a, field);
  T const unknown   = bfe<T>(static_cast<T>(undefined), field).value;
  bool const is_set = undefined_field == 0 && unknown == 0;
  set_scalar(w, i[0], r.value, undefined_field ? ~u64(0) : static_cast<std::make_unsigned_t<T>>(unknown));
  set_scc(w, r.scc, is_set);
}
Both<i32> abs(i32 a) { return nonzero<i32>(a < 0 ? static_cast<i32>(0u - static_cast<u32>(a)) : a); }
Both<i32> absdiff(i32 a, i32 b) {
  return nonzero<i32>(abs(static_cast<i32>(static_cast<u32>(a) - static_cast<u32>(b))).value);
}
template <class T>
Both<i32> bcnt1(T a) {
  return nonzero<i32>(std::popcount(a));
}
template <class T>
Both<i32> bcnt0(T a) {
  return nonzero<i32>(static_cast<i32>(8 * sizeof(T)) - std::popcount(a));
}
template <class T>
T brev(T a) {
  T r = 0;
  for (unsigned k = 0; k < 8 * sizeof(T); ++k) r |= (a >> k & 1) << (8 * sizeof(T) - 1 - k);
  return r;
}
template <class T>
i32 ff1(T a) {
  return a ? std::countr_zero(a) : -1;
}
template <class T>
i32 ff0(T a) {
  return ff1<T>(~a);
}
template <class T>
i32 flbit(T a) {
  return a ? std::countl_zero(a) : -1;
}
template <class T>
i32 flbit_signed(T a) {
  auto const changes = static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a);
  return changes ? std::countl_zero(changes) : -1;
}
template <class T>
i32 sext(u32 a) {
  return static_cast<T>(a);
}
template <class T>
Both<T> wqm(T a) {
  T r = 0;
  for (unsigned k = 0; k < 8 * sizeof(T); k += 4)
    if (a >> k & 15) r |= T(15) << k;
  return nonzero<T>(r);
}
u32 pack_ll(u32 a, u32 b) { return (a & 0xffff) | b << 16; }
u32 pack_lh(u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff0000); }
u32 pack_hh(u32 a, u32 b) { return a >> 16 | (b & 0xffff0000); }

template <class T>
bool eq(T a, T b) {
  return a == b;
}
template <class T>
bool lg(T a, T b) {
  return a != b;
}
template <class T>
bool gt(T a, T b) {
  return a > b;
}
template <class T>
bool ge(T a, T b) {
  return a >= b;
}
template <class T>
bool lt(T a, T b) {
  return a < b;
}
template <class T>
bool le(T a, T b) {
  return a <= b;
}
template <class T, bool Set>
bool bitcmp(T a, u32 n) {
  return ((a >> (n & (8 * sizeof(T) - 1)) & 1) != 0) == Set;
}

// One bit of operand 0 is set or cleared.
template <class T, bool Set>
void bitset(Wave& w, Instruction const& i) {
  u64 undefined, old_undefined;
  u32 const n = scalar_value<u32>(w, i[1], &undefined) & (8 * sizeof(T) - 1);
  T value     = scalar_value<T>(w, i[0], &old_undefined);
  value       = Set ? value | T(1) << n : value & ~(T(1) << n);
  set_scalar(w, i[0], value, undefined ? ~u64(0) : old_undefined & ~(u64(1) << n));
}

template <class T>
void add_compares(Table& t, std::string const& type) {
  std::pair<char const*, Handler> const all[] = {{"eq", &ScalarOp<&eq<T>>::run}, {"lg", &ScalarOp<&lg<T>>::run},
                                                 {"gt", &ScalarOp<&gt<T>>::run}, {"ge", &ScalarOp<&ge<T>>::run},
                                                 {"lt", &ScalarOp<&lt<T>>::run}, {"le", &ScalarOp<&le<T>>::run}};
  for (auto const& [relation, handler] : all) t.add(std::string("s_cmp_") + relation + "_" + type, handler);
  if constexpr (sizeof(T) == 4) {
    // The constant is signed or not, as the comparison is.
    std::pair<char const*, Handler> const constants[] = {
        {"eq", &ScalarUpdate<&eq<T>>::run}, {"lg", &ScalarUpdate<&lg<T>>::run}, {"gt", &ScalarUpdate<&gt<T>>::run},
        {"ge", &ScalarUpdate<&ge<T>>::run}, {"lt", &ScalarUpdate<&lt<T>>::run}, {"le", &ScalarUpdate<&le<T>>::run}};
    if (std::is_signed_v<T>)
      for (auto const& [relation, handler] : constants) t.add(std::string("s_cmpk_") + relation + "_" + type, handler);
  }
}

template <class R, class A, R (*F)(A, u32)>
void compare_unsigned_constant(Wave& w, Instruction const& i) {
  u64 undefined;
  u32 const a = scalar_value<u32>(w, i[0], &undefined);
  set_scc(w, F(a, static_cast<u32>(i[1].integer) & 0xffff), undefined == 0);
}

template <class T>
void add_logic(Table& t, std::string const& type) {
  using enum Logic;
  t.add("s_and_" + type, &logic<T, conjunction, false, false>);
  t.add("s_or_" + type, &logic<T, disjunction, false, false>);
  t.add("s_xor_" + type, &logic<T, difference, false, false>);
  t.add("s_andn2_" + type, &logic<T, conjunction, true, false>);
  t.add("s_orn2_" + type, &logic<T, disjunction, true, false>);
  t.add("s_nand_" + type, &logic<T, conjunction, false, true>);
  t.add("s_nor_" + type, &logic<T, disjunction, false, true>);
  t.add("s_xnor_" + type, &logic<T, difference, false, true>);
  t.add("s_mov_" + type, &move<T>);
  t.add("s_cmov_" + type, &move_if<T>);
  t.add("s_not_" + type, &invert<T>);
  t.add("s_cselect_" + type, &select<T>);
  t.add("s_wqm_" + type, &ScalarOp<&wqm<T>>::run);
  t.add("s_lshl_" + type, &shift<T, true>);
  t.add("s_lshr_" + type, &shift<T, false>);
  t.add("s_bfm_" + type, &ScalarOp<&bfm<T>>::run);
  t.add("s_brev_" + type, &ScalarOp<&brev<T>>::run);
  t.add("s_ff0_i32_" + type, &ScalarOp<&ff0<T>>::run);
  t.add("s_ff1_i32_" + type, &ScalarOp<&ff1<T>>::run);
  t.add("s_flbit_i32_" + type, &ScalarOp<&flbit<T>>::run);
  t.add("s_bcnt0_i32_" + type, &ScalarOp<&bcnt0<T>>::run);
  t.add("s_bcnt1_i32_" + type, &ScalarOp<&bcnt1<T>>::run);
  t.add("s_bitcmp0_" + type, &ScalarOp<&bitcmp<T, false>>::run);
  t.add("s_bitcmp1_" + type, &ScalarOp<&bitcmp<T, true>>::run);
  t.add("s_bitset0_" + type, &bitset<T, false>);
  t.add("s_bitset1_" + type, &bitset<T, true>);
}

template <class T>
void add_save_exec(Table& t, std::string const& type) {
  using enum Logic;
  t.add("s_and_saveexec_" + type, &save_exec<T, conjunction, false, false, false>);
  t.add("s_or_saveexec_" + type, &save_exec<T, disjunction, false, false, false>);
  t.add("s_xor_saveexec_" + type, &save_exec<T, difference, false, false, false>);
  t.add("s_andn2_saveexec_" + type, &save_exec<T, conjunction, false, true, false>);
  t.add("s_orn2_saveexec_" + type, &save_exec<T, disjunction, false, true, false>);
  t.add("s_andn1_saveexec_" + type, &save_exec<T, conjunction, true, false, false>);
  t.add("s_orn1_saveexec_" + type, &save_exec<T, disjunction, true, false, false>);
  t.add("s_nand_saveexec_" + type, &save_exec<T, conjunction, false, false, true>);
  t.add("s_nor_saveexec_" + type, &save_exec<T, disjunction, false, false, true>);
  t.add("s_xnor_saveexec_" + type, &save_exec<T, difference, false, false, true>);
}

void add_integers(Table& t) {
  t.add("s_add_u32", &ScalarOp<&add_u>::run);
  t.add("s_sub_u32", &ScalarOp<&sub_u>::run);
  t.add("s_add_i32", &ScalarOp<&add_i>::run);
  t.add("s_sub_i32", &ScalarOp<&sub_i>::run);
  t.add("s_addc_u32", &with_carry<false>);
  t.add("s_subb_u32", &with_carry<true>);
  t.add("s_mul_i32", &ScalarOp<&mul>::run);
  t.add("s_mul_hi_u32", &ScalarOp<&mul_hi_u>::run);
  t.add("s_mul_hi_i32", &ScalarOp<&mul_hi_i>::run);
  t.add("s_addk_i32", &ScalarUpdate<&add_i>::run);
  t.add("s_mulk_i32", &ScalarUpdate<&mulk>::run);
  t.add("s_movk_i32", &movk);
  t.add("s_cmovk_i32", &cmovk);
  t.add("s_min_u32", &ScalarOp<&min<u32>>::run);
  t.add("s_max_u32", &ScalarOp<&max<u32>>::run);
  t.add("s_min_i32", &ScalarOp<&min<i32>>::run);
  t.add("s_max_i32", &ScalarOp<&max<i32>>::run);
  t.add("s_ashr_i32", &shift<i32, false>);
  t.add("s_ashr_i64", &shift<i64, false>);
  t.add("s_lshl1_add_u32", &ScalarOp<&lshl_add<1>>::run);
  t.add("s_lshl2_add_u32", &ScalarOp<&lshl_add<2>>::run);
  t.add("s_lshl3_add_u32", &ScalarOp<&lshl_add<3>>::run);
  t.add("s_lshl4_add_u32", &ScalarOp<&lshl_add<4>>::run);
  t.add("s_bfe_u32", &extract<u32>);
  t.add("s_bfe_i32", &extract<i32>);
  t.add("s_bfe_u64", &extract<u64>);
  t.add("s_bfe_i64", &extract<i64>);
  t.add("s_abs_i32", &ScalarOp<&abs>::run);
  t.add("s_absdiff_i32", &ScalarOp<&absdiff>::run);
  t.add("s_flbit_i32", &ScalarOp<&flbit_signed<i32>>::run);
  t.add("s_flbit_i32_i64", &ScalarOp<&flbit_signed<i64>>::run);
  t.add("s_sext_i32_i8", &ScalarOp<&sext<std::int8_t>>::run);
  t.add("s_sext_i32_i16", &ScalarOp<&sext<std::int16_t>>::run);
  t.add("s_pack_ll_b32_b16", &ScalarOp<&pack_ll>::run);
  t.add("s_pack_lh_b32_b16", &ScalarOp<&pack_lh>::run);
  t.add("s_pack_hh_b32_b16", &ScalarOp<&pack_hh>::run);
}

}  // namespace

void add_scalar(Table& t) {
  add_logic<u32>(t, "b32");
  add_logic<u64>(t, "b64");
  add_save_exec<u32>(t, "b32");
  add_save_exec<u64>(t, "b64");
  add_integers(t);
  add_compares<u32>(t, "u32");
  add_compares<i32>(t, "i32");
  add_compares<u64>(t, "u64");
  t.add("s_cmpk_eq_u32", &compare_unsigned_constant<bool, u32, &eq<u32>>);
  t.add("s_cmpk_lg_u32", &compare_unsigned_constant<bool, u32, &lg<u32>>);
  t.add("s_cmpk_gt_u32", &compare_unsigned_constant<bool, u32, &gt<u32>>);
  t.add("s_cmpk_ge_u32", &compare_unsigned_constant<bool, u32, &ge<u32>>);
  t.add("s_cmpk_lt_u32", &compare_unsigned_constant<bool, u32, &lt<u32>>);
  t.add("s_cmpk_le_u32", &compare_unsigned_constant<bool, u32, &le<u32>>);
}

}  // namespace hip_model::isa
