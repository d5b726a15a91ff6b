// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <TestSpaces.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

template <class Space>
class AtomicTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtomicTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// What one call did: the object before and after it, and what it returned.
template <class T>
struct Outcome {
  T returned, stored;
};

/// Calls `call(p)` in a kernel with a pointer to an object that holds `start`.
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

// One functor for each operation: the three names in turn, so that one object of each type says which is called.
#define FETCH(NAME)                                                                            \
  struct Fetch_##NAME {                                                                        \
    template <class T, class... Operand>                                                       \
    KOKKOS_FUNCTION static T fetch(T* p, Operand... operand) {                                 \
      return Kokkos::atomic_fetch_##NAME(p, operand...);                                       \
    }                                                                                          \
    template <class T, class... Operand>                                                       \
    KOKKOS_FUNCTION static T op_fetch(T* p, Operand... operand) {                              \
      return Kokkos::atomic_##NAME##_fetch(p, operand...);                                     \
    }                                                                                          \
    template <class T, class... Operand>                                                       \
    KOKKOS_FUNCTION static T op(T* p, Operand... operand) {                                    \
      static_assert(std::is_void_v<decltype(Kokkos::atomic_##NAME(p, operand...))>);           \
      Kokkos::atomic_##NAME(p, operand...);                                                    \
      return *p;                                                                               \
    }                                                                                          \
  };
FETCH(add)
FETCH(sub)
FETCH(mul)
FETCH(div)
FETCH(mod)
FETCH(min)
FETCH(max)
FETCH(and)
FETCH(or)
FETCH(xor)
FETCH(nand)
FETCH(lshift)
FETCH(rshift)
FETCH(inc)
FETCH(dec)
FETCH(inc_mod)
FETCH(dec_mod)
#undef FETCH

/// Stands where an operation takes no operand. (Kernels capture no parameter packs: nvcc refuses them.)
struct NoOperand {};

template <class Operand, class F>
KOKKOS_FUNCTION auto with_operand(Operand const& operand, F const& f) {
  if constexpr (std::is_same_v<Operand, NoOperand>) {
    return f();
  } else {
    return f(operand);
  }
}

// What does not depend on the operation is compiled once for each type: there are some four hundred operations here.
template <class Space, class T>
Kokkos::View<T*, Space> three_objects_and_two_results() {
  return Kokkos::View<T*, Space>("cells", 5);
}
template <class Space, class T>
void expect_outcomes(Kokkos::View<T*, Space> const& cells, T before, T after) {
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, cells);
  EXPECT_EQ(host(0), after);
  EXPECT_EQ(host(3), before) << "returned by atomic_fetch_";
  EXPECT_EQ(host(1), after);
  EXPECT_EQ(host(4), after) << "returned by atomic_..._fetch";
  EXPECT_EQ(host(2), after);
}

/// The three names of an operation in one kernel, each on an object of its own.
template <class Space, class Op, class T, class Operand = NoOperand>
void expect_update(T before, T after, Operand operand = Operand()) {
  const auto cells = three_objects_and_two_results<Space, T>();
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        T* const p = &cells(0);
        p[0] = p[1] = p[2] = before;
        p[3] = with_operand(operand, [p](auto const&... o) { return Op::fetch(p, o...); });
        p[4] = with_operand(operand, [p](auto const&... o) { return Op::op_fetch(p + 1, o...); });
        with_operand(operand, [p](auto const&... o) { return Op::op(p + 2, o...); });
      });
  expect_outcomes<Space, T>(cells, before, after);
}

template <class Space, class T>
void expect_arithmetic() {
  SCOPED_TRACE(typeid(T).name());
  expect_update<Space, Fetch_add, T>(20, 23, T(3));
  expect_update<Space, Fetch_sub, T>(20, 17, T(3));
  expect_update<Space, Fetch_mul, T>(20, 60, T(3));
  expect_update<Space, Fetch_div, T>(20, 5, T(4));
  expect_update<Space, Fetch_min, T>(20, 3, T(3));
  expect_update<Space, Fetch_min, T>(20, 20, T(21));
  expect_update<Space, Fetch_max, T>(20, 21, T(21));
  expect_update<Space, Fetch_max, T>(20, 20, T(3));
  expect_update<Space, Fetch_inc, T>(20, 21);
  expect_update<Space, Fetch_dec, T>(20, 19);
}

template <class Space, class T>
void expect_integral() {
  expect_arithmetic<Space, T>();
  expect_update<Space, Fetch_mod, T>(20, 2, T(3));
  expect_update<Space, Fetch_and, T>(0b1100, 0b1000, T(0b1010));
  expect_update<Space, Fetch_or, T>(0b1100, 0b1110, T(0b1010));
  expect_update<Space, Fetch_xor, T>(0b1100, 0b0110, T(0b1010));
  expect_update<Space, Fetch_nand, T>(0b1100, static_cast<T>(~0b1000), T(0b1010));
  expect_update<Space, Fetch_lshift, T>(3, 24, 3u);
  expect_update<Space, Fetch_rshift, T>(24, 3, 3u);
  T const lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
  expect_update<Space, Fetch_inc, T>(highest, lowest);
  expect_update<Space, Fetch_dec, T>(lowest, highest);
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
  expect_arithmetic<TypeParam, float>();
  expect_arithmetic<TypeParam, double>();
  expect_update<TypeParam, Fetch_add, double>(1.0, 1.5, 0.5);
}

TYPED_TEST(AtomicTest, SignedMinimumAndMaximumCompareSigned) {
  expect_update<TypeParam, Fetch_min, int>(1, -1, -1);
  expect_update<TypeParam, Fetch_max, int>(-1, 1, 1);
  expect_update<TypeParam, Fetch_max, double>(-2.0, -1.0, -1.0);
}

TYPED_TEST(AtomicTest, ModularCountersWrapAtTheirBound) {
  expect_update<TypeParam, Fetch_inc_mod, unsigned>(2u, 3u, 3u);
  expect_update<TypeParam, Fetch_inc_mod, unsigned>(3u, 0u, 3u);
  expect_update<TypeParam, Fetch_inc_mod, unsigned>(9u, 0u, 3u);
  expect_update<TypeParam, Fetch_dec_mod, unsigned>(2u, 1u, 3u);
  expect_update<TypeParam, Fetch_dec_mod, unsigned>(0u, 3u, 3u);
  expect_update<TypeParam, Fetch_dec_mod, unsigned>(9u, 3u, 3u);
}

template <class Space>
void expect_accesses() {
  auto loaded = outcome_of<Space>(7.5, KOKKOS_LAMBDA(double* p) {
    return Kokkos::atomic_load(static_cast<double const*>(p));
  });
  EXPECT_EQ(loaded.returned, 7.5);
  auto stored = outcome_of<Space>(7.5, KOKKOS_LAMBDA(double* p) {
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
  auto added = outcome_of<Space>(5L, KOKKOS_LAMBDA(long* p) {
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
  auto all = outcome_of<Space>(5, KOKKOS_LAMBDA(int* p) {
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

enum class Colour : std::uint8_t { red, green };

template <class Space>
void expect_other_small_types() {
  auto colour = outcome_of<Space>(
      Colour::red, KOKKOS_LAMBDA(Colour * p) { return Kokkos::atomic_exchange(p, Colour::green); });
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
  auto all = outcome_of<Space>(5, KOKKOS_LAMBDA(int* p) {
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

TYPED_TEST(AtomicTest, DeprecatedNames) { expect_deprecated_names<TypeParam>(); }
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
