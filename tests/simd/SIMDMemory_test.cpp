// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which elements of memory vectors of every width and type read and write: all, the first ones, selected ones, by indices.

#include <vector>

#include "SIMDTest.hpp"

namespace {

using namespace Kokkos::Testing;

template <class C>
class SIMDMemory : public testing::Test {};
TYPED_TEST_SUITE(SIMDMemory, SIMDCases);

TYPED_TEST(SIMDMemory, LoadsAndStores) {
  using Value             = typename TypeParam::Value;
  using Mask              = typename TypeParam::Mask;
  using T                 = typename Value::value_type;
  constexpr std::size_t n = Value::size();
  alignas(Value) T memory[2 * n + 1];
  for (std::size_t i = 0; i < 2 * n + 1; ++i) memory[i] = T(10 + i);
  Value unaligned;
  unaligned.copy_from(memory + 1, KE::simd_flag_default);
  expect_lanes(unaligned, [](std::size_t i) { return T(11 + i); });
  Value const aligned = KE::simd_unchecked_load<Value>(memory + n, KE::simd_flag_aligned);
  expect_lanes(aligned, [&](std::size_t i) { return T(10 + n + i); });
  expect_lanes(KE::simd_partial_load<Value>(memory, n - 1), [](std::size_t i) { return i < n - 1 ? T(10 + i) : T(0); });

  Mask const odd([](std::size_t i) { return i % 2 == 1; });
  expect_lanes(KE::simd_unchecked_load<Value>(memory, odd), [](std::size_t i) { return i % 2 ? T(10 + i) : T(0); });
  T out[n + 1];
  for (T& x : out) x = T(7);
  KE::simd_unchecked_store(unaligned, out, odd);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], i % 2 ? T(11 + i) : T(7));
  KE::simd_partial_store(unaligned, out, n + 5);  // a count larger than the vector stores the whole vector
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], T(11 + i));
  EXPECT_EQ(out[n], T(7));

  // Elements of another type are converted.
  float floats[n];
  for (std::size_t i = 0; i < n; ++i) floats[i] = 2.0f * static_cast<float>(i);
  Value converted;
  converted.copy_from(floats, KE::simd_flag_default);
  expect_lanes(converted, [](std::size_t i) { return T(2 * i); });
}

TYPED_TEST(SIMDMemory, LoadsAndStoresWithoutFlags) {
  using Value = typename TypeParam::Value;
  using T     = typename Value::value_type;
  std::vector<T> memory(Value::size() + 1);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<T>(i + 1);
  Value a(memory.data() + 1), b;
  b.copy_from(memory.data() + 1);
  typename Value::mask_type const odd([](std::size_t i) { return i % 2 == 1; });
  Value const c(memory.data() + 1, odd), d(memory.data() + 1, odd, KE::simd_flag_default);
  for (std::size_t i = 0; i < Value::size(); ++i) {
    EXPECT_EQ(a[i], memory[i + 1]);
    EXPECT_EQ(b[i], memory[i + 1]);
    EXPECT_EQ(c[i], i % 2 == 1 ? memory[i + 1] : T(0));
    EXPECT_EQ(d[i], c[i]);
  }
  std::vector<T> copy(Value::size());
  a.copy_to(copy.data());
  EXPECT_EQ(copy, std::vector<T>(memory.begin() + 1, memory.end()));
}

TYPED_TEST(SIMDMemory, PartsOfMemory) {
  using Value             = typename TypeParam::Value;
  using Mask              = typename TypeParam::Mask;
  using T                 = typename Value::value_type;
  using Index             = KE::basic_simd<std::int32_t, typename Value::abi_type>;
  constexpr std::size_t n = Value::size();
  Mask const odd([](std::size_t i) { return i % 2 == 1; });
  Value const a = sample<Value>(20);
  T memory[n];
  for (std::size_t i = 0; i < n; ++i) memory[i] = T(70 + i);
  auto const stored = [&](auto const& store, auto const& expected, char const* what) {
    T out[n];
    for (T& x : out) x = T(7);
    store(out);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], expected(i) ? a[i] : T(7)) << what << ", lane " << i;
  };
  for (std::size_t count = 0; count <= n; ++count) {
    auto const first     = [&](std::size_t i) { return i < count; };
    auto const odd_first = [&](std::size_t i) { return i < count && i % 2 == 1; };
    expect_lanes(KE::simd_partial_load<Value>(memory, count),
                 [&](std::size_t i) { return first(i) ? memory[i] : T(0); });
    expect_lanes(KE::simd_partial_load<Value>(memory, count, odd),
                 [&](std::size_t i) { return odd_first(i) ? memory[i] : T(0); });
    stored([&](T* out) { KE::simd_partial_store(a, out, count); }, first, "count");
    stored([&](T* out) { KE::simd_partial_store(a, out, count, odd); }, odd_first, "count and mask");
    // Indices that are not in a range of `count` elements are skipped.
    Index const index([](std::size_t i) { return std::int32_t(i); });
    std::vector<T> range(memory, memory + count);
    expect_lanes(KE::partial_gather_from(range, index), [&](std::size_t i) { return first(i) ? memory[i] : T(0); });
    expect_lanes(KE::partial_gather_from(range, odd, index),
                 [&](std::size_t i) { return odd_first(i) ? memory[i] : T(0); });
    KE::partial_scatter_to(a, range, odd, index);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(range[i], i % 2 == 1 ? a[i] : memory[i]);
    KE::partial_scatter_to(a, range, index);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(range[i], a[i]);
  }
  auto const all     = [](std::size_t) { return true; };
  auto const are_odd = [](std::size_t i) { return i % 2 == 1; };
  Index const index([](std::size_t i) { return std::int32_t(i); });
  expect_lanes(KE::simd_partial_load<Value>(memory), [&](std::size_t i) { return memory[i]; });
  expect_lanes(KE::simd_partial_load<Value>(memory, odd), [&](std::size_t i) { return i % 2 ? memory[i] : T(0); });
  expect_lanes(KE::partial_gather_from(+memory, odd, index), [&](std::size_t i) { return i % 2 ? memory[i] : T(0); });
  stored([&](T* out) { KE::simd_unchecked_store(a, out); }, all, "store");
  stored([&](T* out) { KE::simd_partial_store(a, out); }, all, "partial store");
  stored([&](T* out) { KE::simd_partial_store(a, out, odd); }, are_odd, "mask");
  stored([&](T* out) { KE::unchecked_scatter_to(a, out, odd, index); }, are_odd, "scatter with a mask");
  stored([&](T* out) { KE::partial_scatter_to(a, out, odd, index); }, are_odd, "scatter without a range");
}

TYPED_TEST(SIMDMemory, GathersAndScatters) {
  using Value             = typename TypeParam::Value;
  using Mask              = typename TypeParam::Mask;
  using T                 = typename Value::value_type;
  using Index             = KE::basic_simd<std::int32_t, typename Value::abi_type>;
  constexpr std::size_t n = Value::size();
  std::vector<T> table(3 * n);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = T(100 + i);
  Index const index([](std::size_t i) { return std::int32_t(3 * (n - 1 - i)); });
  auto const expected = [](std::size_t i) { return T(100 + 3 * (n - 1 - i)); };
  expect_lanes(KE::unchecked_gather_from(table, index), expected);
  Mask const first([](std::size_t i) { return i == 0; });
  expect_lanes(KE::unchecked_gather_from(table.data(), first, index),
               [&](std::size_t i) { return i == 0 ? expected(i) : T(0); });
  Index const beyond([](std::size_t i) { return std::int32_t(i == 0 ? 1000000 : i); });
  EXPECT_EQ(KE::partial_gather_from(table, beyond)[0], T(0));

  std::vector<T> out(3 * n, T(1));
  KE::unchecked_scatter_to(sample<Value>(5), out, index);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[3 * (n - 1 - i)], T(5 + 3 * i));
  KE::partial_scatter_to(sample<Value>(5), out, beyond);  // the index that is out of range is skipped
  EXPECT_EQ(out[0], n == 1 ? T(5) : out[0]);
}

TYPED_TEST(SIMDMemory, WhereReadsAndWritesMemoryOfSelectedLanes) {
  using Value             = typename TypeParam::Value;
  using Mask              = typename TypeParam::Mask;
  using T                 = typename Value::value_type;
  using Index             = KE::basic_simd<std::int32_t, typename Value::abi_type>;
  constexpr std::size_t n = Value::size();
  Mask const even([](std::size_t i) { return i % 2 == 0; });
  Index const backwards([](std::size_t i) { return std::int32_t(n - 1 - i); });
  T memory[n], written[n];
  for (std::size_t i = 0; i < n; ++i) memory[i] = T(50 + i);
  Value const a = sample<Value>(1);
  Value read = a, gathered = a;
  KE::where(even, read).copy_from(memory, KE::simd_flag_default);
  expect_lanes(read, [&](std::size_t i) { return i % 2 == 0 ? memory[i] : a[i]; });
  KE::where(even, gathered).gather_from(memory, backwards);
  expect_lanes(gathered, [&](std::size_t i) { return i % 2 == 0 ? memory[n - 1 - i] : a[i]; });
  for (T& x : written) x = T(9);
  KE::where(even, a).scatter_to(written, backwards);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(written[n - 1 - i], i % 2 == 0 ? a[i] : T(9));
  expect_lanes(KE::where(even, a).mask(), [](std::size_t i) { return i % 2 == 0; });
  expect_lanes(KE::where(even, a).value(), [&](std::size_t i) { return a[i]; });
  for (bool const selected : {false, true}) {
    T one                    = T(3);
    KE::where(selected, one) = 4;
    EXPECT_EQ(one, selected ? T(4) : T(3));
    EXPECT_EQ(KE::where(selected, one).mask(), selected);
    EXPECT_EQ(&KE::where(selected, one).value(), &one);
  }
}

}  // namespace
