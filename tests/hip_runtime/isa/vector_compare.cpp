// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons (12.10 VOPC).
#include "table.hpp"
#include "values.hpp"

#include <limits>

namespace hip_model::isa {

namespace {

template <class T>
bool never(T, T) {
  return false;
}
template <class T>
bool always(T, T) {
  return true;
}
template <class T>
bool lt(T a, T b) {
  return a < b;
}
template <class T>
bool eq(T a, T b) {
  return a == b;
}
template <class T>
bool le(T a, T b) {
  return a <= b;
}
template <class T>
bool gt(T a, T b) {
  return a > b;
}
template <class T>
bool ne(T a, T b) {
  return a != b;
}
template <class T>
bool lg(T a, T b) {
  return a < b || a > b;
}
template <class T>
bool ge(T a, T b) {
  return a >= b;
}
template <class T>
bool ordered(T a, T b) {
  return a == a && b == b;
}
template <class T>
bool unordered(T a, T b) {
  return a != a || b != b;
}
template <class T, bool (*F)(T, T)>
bool negated(T a, T b) {
  return !F(a, b);
}

template <auto F>
void add_both(Table& t, std::string const& relation, std::string const& type) {
  t.add("v_cmp_" + relation + "_" + type, &CompareOp<F>::run);
  t.add("v_cmpx_" + relation + "_" + type, &CompareOp<F, true>::run);
}

template <class T>
void add_relations(Table& t, std::string const& type) {
  add_both<&never<T>>(t, "f", type);
  add_both<&lt<T>>(t, "lt", type);
  add_both<&eq<T>>(t, "eq", type);
  add_both<&le<T>>(t, "le", type);
  add_both<&gt<T>>(t, "gt", type);
  add_both<&ge<T>>(t, "ge", type);
  if constexpr (is_real<T>) {
    add_both<&lg<T>>(t, "lg", type);
    add_both<&ordered<T>>(t, "o", type);
    add_both<&unordered<T>>(t, "u", type);
    add_both<&negated<T, &ge<T>>>(t, "nge", type);
    add_both<&negated<T, &lg<T>>>(t, "nlg", type);
    add_both<&negated<T, &gt<T>>>(t, "ngt", type);
    add_both<&negated<T, &le<T>>>(t, "nle", type);
    add_both<&ne<T>>(t, "neq", type);
    add_both<&negated<T, &lt<T>>>(t, "nlt", type);
    add_both<&always<T>>(t, "tru", type);
  } else {
    add_both<&ne<T>>(t, "ne", type);
    add_both<&always<T>>(t, "t", type);
  }
}

// Bits of the mask: signaling NaN, quiet NaN, then -inf, -normal, -subnormal, -0, and the same upwards for positive.
template <class T>
bool is_in_class(T x, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t> classes) {
  constexpr int mantissa = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10, width = 8 * sizeof(T);
  std::uint64_t const bits  = std::bit_cast<BitsOf<T>>(x);
  std::uint64_t const field = bits >> mantissa & ((1u << (width - 1 - mantissa)) - 1),
                      all   = (1u << (width - 1 - mantissa)) - 1;
  std::uint64_t const rest  = bits & ((std::uint64_t(1) << mantissa) - 1);
  if (field == all && rest != 0) return classes >> (rest >> (mantissa - 1) ? 1 : 0) & 1;
  int const distance = field == all ? 3 : field != 0 ? 2 : rest != 0 ? 1 : 0;  // from zero
  return classes >> (bits >> (width - 1) ? 5 - distance : 6 + distance) & 1;
}

}  // namespace

void add_vector_compare(Table& t) {
  add_relations<Half>(t, "f16");
  add_relations<float>(t, "f32");
  add_relations<double>(t, "f64");
  add_relations<std::int16_t>(t, "i16");
  add_relations<std::uint16_t>(t, "u16");
  add_relations<std::int32_t>(t, "i32");
  add_relations<std::uint32_t>(t, "u32");
  add_relations<std::int64_t>(t, "i64");
  add_relations<std::uint64_t>(t, "u64");
  add_both<&is_in_class<Half>>(t, "class", "f16");
  add_both<&is_in_class<float>>(t, "class", "f32");
  add_both<&is_in_class<double>>(t, "class", "f64");
}

}  // namespace hip_model::isa
