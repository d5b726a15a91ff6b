// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on every space (12.13 LDS, 12.17 MUBUF, 12.18 FLAT). Host threads and kernels of other streams may
// work on the same memory, so each is atomic on the host, too. Lanes follow each other upwards.
#include "arithmetic.hpp"
#include "memory.hpp"
#include "table.hpp"
#include "values.hpp"

#include <algorithm>
#include <atomic>

namespace hip_model::isa {

namespace {

// The positions of an instruction's operands. In an instruction without a result the address comes first.
struct Layout {
  bool returns;
  unsigned address, data;
  Layout(Instruction const& i, Addressing how, bool is_returning_name) {
    returns = how == Addressing::shared ? is_returning_name : i.glc;
    address = returns ? 1 : 0;
    data    = address + 1;
  }
};

template <class T>
T register_value(Wave& w, unsigned r, unsigned lane) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(w.lanes_of(r)[lane] | static_cast<std::uint64_t>(w.lanes_of(r + 1)[lane]) << 32);
  else
    return std::bit_cast<T>(w.lanes_of(r)[lane]);
}

template <class Bits>
Bits& checked(Place const& p) {
  if (reinterpret_cast<std::uintptr_t>(p.data) % sizeof(Bits))
    throw Stop("the address of an atomic operation is not aligned");
  return *reinterpret_cast<Bits*>(p.data);
}

// The first registers of an operation's operands; only compare-and-swap has the second.
struct Operands {
  unsigned value, desired;
};

// Changes the memory for one lane and returns the old value. It is a pointer, so that the function below, which is long, is
// compiled for each width and not for each operation.
template <class Bits>
using Change = Bits (*)(Bits& memory, Wave& w, Operands const& operands, unsigned lane);

template <class Bits>
void atomic(Wave& w, Instruction const& i, Addressing how, Layout const& at, unsigned data_words,
            Operands const& operands, Change<Bits> change) {
  Addresses const a(w, i, how, at.address, at.data + (how == Addressing::shared ? 2 : 1));
  LaneMask known = all_lanes;
  for (unsigned k = 0; k < data_words; ++k) known &= w.vector_defined[i[at.data].first + k];
  Result<Bits> old_values;
  LaneMask defined = 0;
  for (LaneMask left = a.active; left; left &= left - 1) {
    unsigned const l       = static_cast<unsigned>(std::countr_zero(left));
    Place const p          = a.at(w, l, sizeof(Bits), Access::update);
    bool const was_defined = is_defined(w, p, l, sizeof(Bits));
    old_values.set(l, change(checked<Bits>(p), w, operands, l));
    defined |= static_cast<LaneMask>(was_defined) << l;
    set_defined(w, p, l, sizeof(Bits), was_defined && (known >> l & 1));
  }
  if (at.returns) old_values.store(w, i, defined);
  note_outstanding(w, how, at.returns ? &i[0] : nullptr);
}

template <auto F, Addressing How, bool Returns>
struct AtomicOp;
template <class T, T (*F)(T, T), Addressing How, bool Returns>
struct AtomicOp<F, How, Returns> {
  using Bits = BitsOf<T>;
  static Bits change(Bits& memory, Wave& w, Operands const& operands, unsigned lane) {
    std::atomic_ref<Bits> const cell(memory);
    T const operand = register_value<T>(w, operands.value, lane);
    Bits old        = cell.load();
    while (!cell.compare_exchange_weak(old, std::bit_cast<Bits>(F(std::bit_cast<T>(old), operand)))) {
    }
    return old;
  }
  static void run(Wave& w, Instruction const& i) {
    Layout const at(i, How, Returns);
    atomic<Bits>(w, i, How, at, sizeof(T) / 4, {i[at.data].first, 0}, &change);
  }
};

template <class Bits>
Bits swap_if_equal(Bits& memory, Wave& w, Operands const& operands, unsigned lane) {
  Bits old = register_value<Bits>(w, operands.value, lane);
  std::atomic_ref<Bits>(memory).compare_exchange_strong(old, register_value<Bits>(w, operands.desired, lane));
  return old;
}

// Global memory: the new value, then the one to compare with, in consecutive registers. LDS: the reverse, in two
// operands, which gfx11 has in the order of global memory.
template <class Bits, Addressing How, bool Returns, bool NewFirst = false>
void compare_and_swap(Wave& w, Instruction const& i) {
  Layout const at(i, How, Returns);
  constexpr unsigned words = sizeof(Bits) / 4;
  bool const shared        = How == Addressing::shared;
  unsigned const expected  = shared ? i[at.data + NewFirst].first : i[at.data].first + words;
  unsigned const desired   = shared ? i[at.data + !NewFirst].first : i[at.data].first;
  atomic<Bits>(w, i, How, at, shared ? words : 2 * words, {expected, desired}, &swap_if_equal<Bits>);
}

template <class T>
T inc(T a, T limit) {
  return a >= limit ? 0 : a + 1;
}
template <class T>
T dec(T a, T limit) {
  return a == 0 || a > limit ? limit : a - 1;
}
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return b > a ? b : a;
}
template <class T>
T band(T a, T b) {
  return a & b;
}
template <class T>
T bor(T a, T b) {
  return a | b;
}
template <class T>
T bxor(T a, T b) {
  return a ^ b;
}
template <class T>
T swap(T, T b) {
  return b;
}

// gfx90a; flat_atomic_add_f32: gfx942
template <Addressing How>
void add_real_memory(Table& t, std::string const& prefix) {
  t.add(prefix + "add_f64", &AtomicOp<&add<double>, How, false>::run);
  t.add(prefix + "min_f64", &AtomicOp<&min<double>, How, false>::run);
  t.add(prefix + "max_f64", &AtomicOp<&max<double>, How, false>::run);
  t.add(prefix + "add_f32", &AtomicOp<&add<float>, How, false>::run);
}

template <class T, Addressing How>
void add_memory(Table& t, std::string const& prefix, std::string const& ending) {
  using S = std::make_signed_t<T>;
  t.add(prefix + "add" + ending, &AtomicOp<&add<T>, How, false>::run);
  t.add(prefix + "sub" + ending, &AtomicOp<&sub<T>, How, false>::run);
  t.add(prefix + "smin" + ending, &AtomicOp<&min<S>, How, false>::run);
  t.add(prefix + "umin" + ending, &AtomicOp<&min<T>, How, false>::run);
  t.add(prefix + "smax" + ending, &AtomicOp<&max<S>, How, false>::run);
  t.add(prefix + "umax" + ending, &AtomicOp<&max<T>, How, false>::run);
  t.add(prefix + "and" + ending, &AtomicOp<&band<T>, How, false>::run);
  t.add(prefix + "or" + ending, &AtomicOp<&bor<T>, How, false>::run);
  t.add(prefix + "xor" + ending, &AtomicOp<&bxor<T>, How, false>::run);
  t.add(prefix + "inc" + ending, &AtomicOp<&inc<T>, How, false>::run);
  t.add(prefix + "dec" + ending, &AtomicOp<&dec<T>, How, false>::run);
  t.add(prefix + "swap" + ending, &AtomicOp<&swap<T>, How, false>::run);
  t.add(prefix + "cmpswap" + ending, &compare_and_swap<T, How, false>);
}

template <auto F>
void add_shared_op(Table& t, std::string const& name, std::string const& type) {
  t.add("ds_" + name + "_" + type, &AtomicOp<F, Addressing::shared, false>::run);
  t.add("ds_" + name + "_rtn_" + type, &AtomicOp<F, Addressing::shared, true>::run);
}

template <class T>
void add_shared(Table& t, std::string const& width) {
  using S = std::make_signed_t<T>;
  using R = std::conditional_t<sizeof(T) == 8, double, float>;
  add_shared_op<&add<T>>(t, "add", "u" + width);
  add_shared_op<&sub<T>>(t, "sub", "u" + width);
  add_shared_op<&subrev<T>>(t, "rsub", "u" + width);
  add_shared_op<&inc<T>>(t, "inc", "u" + width);
  add_shared_op<&dec<T>>(t, "dec", "u" + width);
  add_shared_op<&min<S>>(t, "min", "i" + width);
  add_shared_op<&max<S>>(t, "max", "i" + width);
  add_shared_op<&min<T>>(t, "min", "u" + width);
  add_shared_op<&max<T>>(t, "max", "u" + width);
  add_shared_op<&band<T>>(t, "and", "b" + width);
  add_shared_op<&bor<T>>(t, "or", "b" + width);
  add_shared_op<&bxor<T>>(t, "xor", "b" + width);
  add_shared_op<&min<R>>(t, "min", "f" + width);
  add_shared_op<&max<R>>(t, "max", "f" + width);
  t.add("ds_wrxchg_rtn_b" + width, &AtomicOp<&swap<T>, Addressing::shared, true>::run);
  t.add("ds_cmpst_b" + width, &compare_and_swap<T, Addressing::shared, false>);
  t.add("ds_cmpst_rtn_b" + width, &compare_and_swap<T, Addressing::shared, true>);
  t.add("ds_cmpstore_b" + width, &compare_and_swap<T, Addressing::shared, false, true>);  // gfx11
  t.add("ds_cmpstore_rtn_b" + width, &compare_and_swap<T, Addressing::shared, true, true>);
}

}  // namespace

void add_atomics(Table& t) {
  add_memory<std::uint32_t, Addressing::flat>(t, "flat_atomic_", "");
  add_memory<std::uint64_t, Addressing::flat>(t, "flat_atomic_", "_x2");
  add_memory<std::uint32_t, Addressing::global>(t, "global_atomic_", "");
  add_memory<std::uint64_t, Addressing::global>(t, "global_atomic_", "_x2");
  add_real_memory<Addressing::flat>(t, "flat_atomic_");
  add_real_memory<Addressing::global>(t, "global_atomic_");
  add_shared<std::uint32_t>(t, "32");
  add_shared<std::uint64_t>(t, "64");
  add_shared_op<&add<float>>(t, "add", "f32");
  add_shared_op<&add<double>>(t, "add", "f64");
}

}  // namespace hip_model::isa
