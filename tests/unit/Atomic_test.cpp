// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa
#include <TestSpaces.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

template <class Space>
class AtomicTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtomicTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// The effect of one call: the object before and after it, and the returned value.
template <class T>
struct Outcome {
  T returned, stored;
};

/// Calls `call(p)` in a kernel with a pointer to an object whose value is `start`.
template <class Space, class T, class Call>
Outcome<T> outcome_of(T start, Call call) {
  Kokkos::View<T*, Space> cells("cells", 2);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        cells(0) = start;
        cells(1) = call(&cells(0));
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, cells);
  return {host(1), host(0)};
}

/// One row of a table: the operation, the object before and after it, and the operand if there is one.
enum class Op { add, sub, mul, div, mod, min, max, and_, or_, xor_, nand, lshift, rshift, inc, dec, inc_mod, dec_mod };
template <class T>
struct Update {
  Op op;
  T before, after, operand = T();
};

// The three names of an operation, each applied to a different object: p[0] to p[2], with the returned values in p[3]
// and p[4].
#define THREE_NAMES(NAME, ...)                                                                      \
  static_assert(std::is_void_v<decltype(Kokkos::atomic_##NAME(p + 2 __VA_OPT__(, ) __VA_ARGS__))>); \
  p[3] = Kokkos::atomic_fetch_##NAME(p __VA_OPT__(, ) __VA_ARGS__);                                 \
  p[4] = Kokkos::atomic_##NAME##_fetch(p + 1 __VA_OPT__(, ) __VA_ARGS__);                           \
  Kokkos::atomic_##NAME(p + 2 __VA_OPT__(, ) __VA_ARGS__);                                          \
  return

template <class T>
KOKKOS_FUNCTION void apply_arithmetic(Op op, T* p, T x) {
  switch (op) {
    case Op::add:
      THREE_NAMES(add, x);
    case Op::sub:
      THREE_NAMES(sub, x);
    case Op::mul:
      THREE_NAMES(mul, x);
    case Op::div:
      THREE_NAMES(div, x);
    case Op::min:
      THREE_NAMES(min, x);
    case Op::max:
      THREE_NAMES(max, x);
    case Op::inc:
      THREE_NAMES(inc);
    case Op::dec:
      THREE_NAMES(dec);
    default:
      return;  // the objects are unchanged, and the test fails
  }
}

template <class T>
KOKKOS_FUNCTION void apply(Op op, T* p, T x) {
  if constexpr (std::is_integral_v<T>) {
    [[maybe_unused]] unsigned const bits = static_cast<unsigned>(x);
    switch (op) {
      case Op::mod:
        THREE_NAMES(mod, x);
      case Op::and_:
        THREE_NAMES(and, x);
      case Op::or_:
        THREE_NAMES(or, x);
      case Op::xor_:
        THREE_NAMES(xor, x);
      case Op::nand:
        THREE_NAMES(nand, x);
      case Op::lshift:
        THREE_NAMES(lshift, bits);
      case Op::rshift:
        THREE_NAMES(rshift, bits);
      default:
        break;
    }
  }
  if constexpr (std::is_same_v<T, unsigned>) {
    switch (op) {
      case Op::inc_mod:
        THREE_NAMES(inc_mod, x);
      case Op::dec_mod:
        THREE_NAMES(dec_mod, x);
      default:
        break;
    }
  }
  apply_arithmetic(op, p, x);
}
#undef THREE_NAMES

/// Applies all updates in one kernel, because one kernel for each would mean compiling several hundred.
template <class Space, class T>
void expect_updates(std::vector<Update<T>> const& updates) {
  SCOPED_TRACE(typeid(T).name());
  int const n = static_cast<int>(updates.size());
  Kokkos::View<Update<T>*, Space> rows("rows", n);
  Kokkos::View<T* [5], Kokkos::LayoutRight, Space> cells("cells", n);
  Kokkos::deep_copy(rows, Kokkos::View<Update<T> const*, Kokkos::HostSpace>(updates.data(), n));
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        T* const p = &cells(i, 0);
        p[0] = p[1] = p[2] = rows(i).before;
        apply(rows(i).op, p, rows(i).operand);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, cells);
  for (int i = 0; i < n; ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(host(i, 0), updates[i].after);
    EXPECT_EQ(host(i, 3), updates[i].before) << "returned by atomic_fetch_";
    EXPECT_EQ(host(i, 1), updates[i].after);
    EXPECT_EQ(host(i, 4), updates[i].after) << "returned by atomic_..._fetch";
    EXPECT_EQ(host(i, 2), updates[i].after);
  }
}

template <class T>
std::vector<Update<T>> arithmetic_updates() {
  return {{Op::add, 20, 23, 3},  {Op::sub, 20, 17, 3},  {Op::mul, 20, 60, 3}, {Op::div, 20, 5, 4}, {Op::min, 20, 3, 3},
          {Op::min, 20, 20, 21}, {Op::max, 20, 21, 21}, {Op::max, 20, 20, 3}, {Op::inc, 20, 21},   {Op::dec, 20, 19}};
}

template <class Space, class T>
void expect_integral() {
  T const lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
  auto updates = arithmetic_updates<T>();
  for (Update<T> const& update : {Update<T>{Op::mod, 20, 2, 3},
                                  {Op::and_, 0b1100, 0b1000, 0b1010},
                                  {Op::or_, 0b1100, 0b1110, 0b1010},
                                  {Op::xor_, 0b1100, 0b0110, 0b1010},
                                  {Op::nand, 0b1100, static_cast<T>(~0b1000), 0b1010},
                                  {Op::lshift, 3, 24, 3},
                                  {Op::rshift, 24, 3, 3},
                                  {Op::mul, highest, 1, highest},  // products wrap around as sums do
                                  {Op::inc, highest, lowest},
                                  {Op::dec, lowest, highest}})
    updates.push_back(update);
  expect_updates<Space, T>(updates);
}

TYPED_TEST(AtomicTest, IntegersOfEverySize) {
  expect_integral<TypeParam, std::int8_t>();
  expect_integral<TypeParam, std::uint16_t>();
  expect_integral<TypeParam, std::int32_t>();
  expect_integral<TypeParam, std::uint32_t>();
  expect_integral<TypeParam, std::int64_t>();
  expect_integral<TypeParam, unsigned long>();
  expect_integral<TypeParam, unsigned long long>();
}

TYPED_TEST(AtomicTest, FloatingPoint) {
  expect_updates<TypeParam, float>(arithmetic_updates<float>());
  auto updates = arithmetic_updates<double>();
  updates.push_back({Op::add, 1.0, 1.5, 0.5});
  expect_updates<TypeParam, double>(updates);
}

TYPED_TEST(AtomicTest, SignedMinimumAndMaximumCompareSigned) {
  expect_updates<TypeParam, int>({{Op::min, 1, -1, -1}, {Op::max, -1, 1, 1}});
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  expect_updates<TypeParam, double>({{Op::max, -2.0, -1.0, -1.0},
                                     {Op::max, 2.0, 2.0, 2.0},
                                     {Op::max, 2.0, 2.0, nan},
                                     {Op::min, 2.0, 2.0, nan},
                                     {Op::max, -infinity, -1.0, -1.0},
                                     {Op::min, 1.0, -infinity, -infinity}});
}

TYPED_TEST(AtomicTest, ModularCountersWrapAtTheirBound) {
  expect_updates<TypeParam, unsigned>({{Op::inc_mod, 0, 1, 3},
                                       {Op::inc_mod, 2, 3, 3},
                                       {Op::inc_mod, 3, 0, 3},
                                       {Op::inc_mod, 4, 0, 3},
                                       {Op::inc_mod, 9, 0, 3},
                                       {Op::inc_mod, 0, 0, 0},
                                       {Op::dec_mod, 0, 3, 3},
                                       {Op::dec_mod, 1, 0, 3},
                                       {Op::dec_mod, 2, 1, 3},
                                       {Op::dec_mod, 3, 2, 3},
                                       {Op::dec_mod, 4, 3, 3},
                                       {Op::dec_mod, 9, 3, 3},
                                       {Op::dec_mod, 0, 0, 0}});
}

template <class Space>
void expect_accesses() {
  auto loaded =
      outcome_of<Space>(7.5, KOKKOS_LAMBDA(double* p) { return Kokkos::atomic_load(static_cast<double const*>(p)); });
  EXPECT_EQ(loaded.returned, 7.5);
  auto stored = outcome_of<Space>(
      7.5, KOKKOS_LAMBDA(double* p) {
        Kokkos::atomic_store(p, 8);
        return 0.0;
      });
  EXPECT_EQ(stored.stored, 8.0);
  auto exchanged = outcome_of<Space>(7.5, KOKKOS_LAMBDA(double* p) { return Kokkos::atomic_exchange(p, 9); });
  EXPECT_EQ(exchanged.returned, 7.5);
  EXPECT_EQ(exchanged.stored, 9.0);
  auto hit = outcome_of<Space>(7.0f, KOKKOS_LAMBDA(float* p) { return Kokkos::atomic_compare_exchange(p, 7, 9); });
  EXPECT_EQ(hit.returned, 7.0f);
  EXPECT_EQ(hit.stored, 9.0f);
  auto miss = outcome_of<Space>(7.0f, KOKKOS_LAMBDA(float* p) { return Kokkos::atomic_compare_exchange(p, 8, 9); });
  EXPECT_EQ(miss.returned, 7.0f);
  EXPECT_EQ(miss.stored, 7.0f);
}

TYPED_TEST(AtomicTest, LoadStoreExchange) { expect_accesses<TypeParam>(); }

template <class Space>
void expect_volatile() {
  auto added = outcome_of<Space>(
      5L, KOKKOS_LAMBDA(long* p) {
        long volatile* const v = p;
        Kokkos::atomic_inc(v);
        Kokkos::atomic_store(v, Kokkos::atomic_load(v) * 2);
        Kokkos::atomic_fetch_mul(v, 3);
        return Kokkos::atomic_exchange(v, Kokkos::atomic_compare_exchange(v, 36, 1));
      });
  EXPECT_EQ(added.returned, 1);
  EXPECT_EQ(added.stored, 36);
}

TYPED_TEST(AtomicTest, PointersToVolatile) { expect_volatile<TypeParam>(); }

template <class Space>
void expect_names_of_desul() {
  auto all = outcome_of<Space>(
      5, KOKKOS_LAMBDA(int* p) {
        desul::MemoryScopeDevice const scope;
        desul::MemoryOrderSeqCst const order;
        int const five = desul::atomic_fetch_add(p, 2, desul::MemoryOrderRelaxed(), scope);
        desul::atomic_mul(p, 3, order, scope);
        int expected      = 20;
        bool const missed = !desul::atomic_compare_exchange_strong(p, expected, 1, order, order, scope);
        bool const hit    = desul::atomic_compare_exchange_strong(p, expected, 40, order, order, scope);
        desul::AtomicRef<int, desul::MemoryOrderRelaxed, desul::MemoryScopeDevice> const ref(*p);
        ref += 1;
        int const before = ref++;
        desul::atomic_thread_fence(order, scope);
        return five == 5 && missed && hit && expected == 21 && before == 41 ? 1 : 0;
      });
  EXPECT_EQ(all.returned, 1);
  EXPECT_EQ(all.stored, 42);
}

TYPED_TEST(AtomicTest, NamesOfDesul) { expect_names_of_desul<TypeParam>(); }

// Counts the wrong results of one operation of desul on the value 12: of its three names, of those with an order that has
// fences, and of the members of AtomicRef.
#define DESUL_FUNCTIONS(NAME, AFTER, ...)                                                                        \
  *p = 12;                                                                                                       \
  wrong += desul::atomic_fetch_##NAME(p, __VA_ARGS__ __VA_OPT__(, ) order, scope) != 12 || *p != (AFTER);        \
  *p = 12;                                                                                                       \
  wrong += desul::atomic_##NAME##_fetch(p, __VA_ARGS__ __VA_OPT__(, ) order, scope) != (AFTER) || *p != (AFTER); \
  *p = 12;                                                                                                       \
  desul::atomic_##NAME(p, __VA_ARGS__ __VA_OPT__(, ) order, scope);                                              \
  wrong += *p != (AFTER)
#define DESUL_MEMBERS(NAME, OPERATOR, AFTER, OPERAND)             \
  DESUL_FUNCTIONS(NAME, AFTER, OPERAND);                          \
  *p = 12;                                                        \
  wrong += ref.fetch_##NAME(OPERAND) != 12 || *p != (AFTER);      \
  *p = 12;                                                        \
  wrong += ref.NAME##_fetch(OPERAND) != (AFTER) || *p != (AFTER); \
  *p = 12;                                                        \
  wrong += (ref OPERATOR OPERAND) != (AFTER) || *p != (AFTER)

template <class Order>
KOKKOS_FUNCTION unsigned wrong_results_of_desul(unsigned* p) {
  Order const order;
  desul::MemoryScopeDevice const scope;
  desul::AtomicRef<unsigned, Order, desul::MemoryScopeDevice> const ref(*p);
  unsigned wrong = 0;
  DESUL_MEMBERS(add, +=, 17u, 5u);
  DESUL_MEMBERS(sub, -=, 7u, 5u);
  DESUL_MEMBERS(mul, *=, 60u, 5u);
  DESUL_MEMBERS(div, /=, 2u, 5u);
  DESUL_MEMBERS(and, &=, 4u, 5u);
  DESUL_MEMBERS(or, |=, 13u, 5u);
  DESUL_MEMBERS(xor, ^=, 9u, 5u);
  DESUL_FUNCTIONS(mod, 2u, 5u);
  DESUL_FUNCTIONS(min, 5u, 5u);
  DESUL_FUNCTIONS(max, 20u, 20u);
  DESUL_FUNCTIONS(nand, ~4u, 5u);
  DESUL_FUNCTIONS(lshift, 48u, 2u);
  DESUL_FUNCTIONS(rshift, 3u, 2u);
  DESUL_FUNCTIONS(inc_mod, 13u, 20u);
  DESUL_FUNCTIONS(dec_mod, 11u, 20u);
  DESUL_FUNCTIONS(inc, 13u);
  DESUL_FUNCTIONS(dec, 11u);
  *p = 12;
  wrong += ref.fetch_min(5) != 12 || ref.fetch_max(20) != 5 || ref.fetch_inc() != 20 || ref.fetch_dec() != 21;
  wrong += ++ref != 21 || ref++ != 21 || --ref != 21 || ref-- != 21 || ref.load() != 20 || ref != 20u;
  ref.store(3);
  wrong += ref.exchange(4) != 3 || (ref = 6u) != 6;
  unsigned seen = 7;
  wrong += ref.compare_exchange_strong(seen, 8) || seen != 6 || !ref.compare_exchange_weak(seen, 9);
  wrong += desul::atomic_exchange(p, 10, order, scope) != 9 || desul::atomic_load(p, order, scope) != 10;
  wrong += desul::atomic_compare_exchange(p, 11, 1, order, scope) != 10 || *p != 10;
  wrong += desul::atomic_compare_exchange(p, 10, 1, order, scope) != 10 || *p != 1;
  desul::atomic_store(p, 2, order, scope);
  wrong += *p != 2 || !desul::atomic_compare_exchange_weak(p, seen = 2, 0, order, order, scope);
  return wrong;
}

template <class Space>
void expect_each_name_of_desul() {
  auto const relaxed = outcome_of<Space>(
      1u, KOKKOS_LAMBDA(unsigned* p) { return wrong_results_of_desul<desul::MemoryOrderRelaxed>(p); });
  auto const ordered = outcome_of<Space>(
      1u, KOKKOS_LAMBDA(unsigned* p) {
        Kokkos::load_fence();
        Kokkos::store_fence();
        return wrong_results_of_desul<desul::MemoryOrderAcqRel>(p);
      });
  EXPECT_EQ(relaxed.returned, 0u);
  EXPECT_EQ(ordered.returned, 0u);
  EXPECT_EQ(relaxed.stored, 0u);
  EXPECT_EQ(ordered.stored, 0u);
}

TYPED_TEST(AtomicTest, EachNameOfDesul) { expect_each_name_of_desul<TypeParam>(); }

enum class Colour : std::uint8_t { red, green };

template <class Space>
void expect_other_small_types() {
  auto colour =
      outcome_of<Space>(Colour::red, KOKKOS_LAMBDA(Colour * p) { return Kokkos::atomic_exchange(p, Colour::green); });
  EXPECT_EQ(colour.returned, Colour::red);
  EXPECT_EQ(colour.stored, Colour::green);
  auto flag = outcome_of<Space>(false, KOKKOS_LAMBDA(bool* p) { return Kokkos::atomic_or_fetch(p, true); });
  EXPECT_TRUE(flag.returned);
  EXPECT_TRUE(flag.stored);
}

TYPED_TEST(AtomicTest, EnumerationsAndBool) { expect_other_small_types<TypeParam>(); }

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
template <class Space>
void expect_deprecated_names() {
  auto all = outcome_of<Space>(
      5, KOKKOS_LAMBDA(int* p) {
        Kokkos::atomic_assign(p, 6);
        Kokkos::atomic_increment(p);
        Kokkos::atomic_increment(p);
        Kokkos::atomic_decrement(p);
        Kokkos::volatile_store(p, Kokkos::volatile_load(p));
        bool const missed = !Kokkos::atomic_compare_exchange_strong(p, 6, 70);
        bool const hit    = Kokkos::atomic_compare_exchange_strong(p, 7, 80);
        return missed && hit ? 1 : 0;
      });
  EXPECT_EQ(all.returned, 1);
  EXPECT_EQ(all.stored, 80);
}

TYPED_TEST(AtomicTest, DeprecatedNames) {
  expect_deprecated_names<TypeParam>();
  EXPECT_STREQ(Kokkos::atomic_query_version(), "KOKKOS_STEADFAST_ATOMICS");
}
#pragma GCC diagnostic pop
#endif

/// n iterations update one object; every update counts.
template <class Space, class T, class Update>
T contended(int n, T start, Update update) {
  Kokkos::View<T, Space> cell("cell");
  Kokkos::deep_copy(cell, start);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { update(&cell(), i); });
  T result;
  Kokkos::deep_copy(result, cell);
  return result;
}

struct AddOne {
  template <class T>
  KOKKOS_FUNCTION void operator()(T* p, int) const {
    Kokkos::atomic_add(p, 1);
  }
};

struct Greatest {
  KOKKOS_FUNCTION static int value(int i) { return (i * 7919) % 50021; }
  template <class T>
  KOKKOS_FUNCTION void operator()(T* p, int i) const {
    Kokkos::atomic_max(p, value(i));
  }
};

struct FlipBit {
  KOKKOS_FUNCTION void operator()(unsigned* p, int i) const { Kokkos::atomic_xor(p, 1u << (i % 32)); }
};

template <class Space>
void expect_no_lost_update() {
  int const n = 50000;
  AddOne const add_one;
  EXPECT_EQ((contended<Space, int>(n, 0, add_one)), n);
  EXPECT_EQ((contended<Space, long>(n, 0, add_one)), n);
  EXPECT_EQ((contended<Space, float>(n, 0, add_one)), n);
  EXPECT_EQ((contended<Space, double>(n, 0, add_one)), n);
  EXPECT_EQ((contended<Space, std::uint16_t>(n, 0, add_one)), n);
  int greatest = 0;
  for (int i = 0; i < n; ++i) greatest = Kokkos::max(greatest, Greatest::value(i));
  EXPECT_EQ((contended<Space, int>(n, -1, Greatest{})), greatest);
  EXPECT_EQ((contended<Space, double>(n, -1, Greatest{})), greatest);
  EXPECT_EQ((contended<Space, unsigned>(32 * 1001, 0u, FlipBit{})), ~0u);
}

TYPED_TEST(AtomicTest, NoUpdateIsLost) { expect_no_lost_update<TypeParam>(); }

template <class Space>
int tickets_not_taken_once(int n) {
  Kokkos::View<int, Space> next("next");
  Kokkos::View<int*, Space> taken("taken", n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int) { taken(Kokkos::atomic_fetch_inc(&next()))++; });
  int wrong = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i, int& sum) { sum += taken(i) != 1; }, wrong);
  return wrong;
}

TYPED_TEST(AtomicTest, FetchReturnsEachValueOnce) { EXPECT_EQ(tickets_not_taken_once<TypeParam>(20000), 0); }

}  // namespace
