// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: device2
#include <TestSpaces.hpp>

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <impl/GPU/instance/Kokkos_GPU_LockTable.hpp>
#include <impl/atomic/Kokkos_GPU_AtomicLocks.hpp>

#include <hip_model.hpp>
#endif

#include <atomic>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

template <class Space>
class AtomicLargeTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtomicLargeTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// N doubles that are equal in every value that a program stores; a torn access results in unequal ones.
template <int N>
struct Wide {
  double x[N];

  KOKKOS_FUNCTION Wide(double v = 0) {
    for (double& e : x) e = v;
  }
  KOKKOS_FUNCTION friend Wide operator+(Wide const& a, Wide const& b) {
    Wide sum;
    for (int i = 0; i < N; ++i) sum.x[i] = a.x[i] + b.x[i];
    return sum;
  }
  KOKKOS_FUNCTION friend bool operator<(Wide const& a, Wide const& b) { return a.x[0] < b.x[0]; }
  KOKKOS_FUNCTION bool is_torn() const {
    for (double const e : x) {
      if (e != x[0]) return true;
    }
    return false;
  }
};

/// 8 bytes with an alignment of 4, so that some objects are aligned to a word and others span two.
struct Halves {
  float first, second;
  KOKKOS_FUNCTION Halves& operator+=(Halves const& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};
static_assert(sizeof(Halves) == 8 && alignof(Halves) == 4);

template <class Space, class T, class Update>
T contended(int n, T start, Update update) {
  Kokkos::View<T, Space> cell("cell");
  Kokkos::deep_copy(cell, start);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { update(&cell(), i); });
  T result;
  Kokkos::deep_copy(result, cell);
  return result;
}

template <class Space, int N>
void expect_wide_updates_are_whole() {
  int const n    = 20000;
  auto const sum = contended<Space, Wide<N>>(
      n, Wide<N>(1), KOKKOS_LAMBDA(Wide<N> * p, int) {
        if (Kokkos::atomic_load(p).is_torn()) Kokkos::atomic_add(p, Wide<N>(1e9));
        if (Kokkos::atomic_fetch_add(p, Wide<N>(1)).is_torn()) Kokkos::atomic_add(p, Wide<N>(1e9));
      });
  EXPECT_FALSE(sum.is_torn());
  EXPECT_EQ(sum.x[0], n + 1);
  auto const greatest = contended<Space, Wide<N>>(
      n, Wide<N>(-1), KOKKOS_LAMBDA(Wide<N> * p, int i) { Kokkos::atomic_max(p, Wide<N>(i)); });
  EXPECT_EQ(greatest.x[N - 1], n - 1);
}

TYPED_TEST(AtomicLargeTest, ObjectsLargerThanWords) {
  expect_wide_updates_are_whole<TypeParam, 2>();
  expect_wide_updates_are_whole<TypeParam, 3>();
  expect_wide_updates_are_whole<TypeParam, 9>();
}

template <class Space, class Real>
void expect_complex_sum() {
  using C       = Kokkos::complex<Real>;
  int const n   = 20000;
  auto const of = contended<Space, C>(n, C(0, 0), KOKKOS_LAMBDA(C * p, int) { Kokkos::atomic_add(p, C(1, -1)); });
  EXPECT_EQ(of.real(), n);
  EXPECT_EQ(of.imag(), -n);
}

TYPED_TEST(AtomicLargeTest, Complex) {
  expect_complex_sum<TypeParam, float>();
  expect_complex_sum<TypeParam, double>();
}

template <class Space>
void expect_exchanges() {
  Kokkos::View<Wide<4>*, Space> w("w", 5);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        w(0) = Wide<4>(1);
        w(1) = Kokkos::atomic_exchange(&w(0), Wide<4>(2));
        w(2) = Kokkos::atomic_compare_exchange(&w(0), Wide<4>(2), Wide<4>(3));
        w(3) = Kokkos::atomic_compare_exchange(&w(0), Wide<4>(2), Wide<4>(4));
        w(4) = Kokkos::atomic_add_fetch(&w(0), Wide<4>(10));
      });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, w);
  EXPECT_EQ(h(1).x[3], 1);
  EXPECT_EQ(h(2).x[3], 2);
  EXPECT_EQ(h(3).x[3], 3);
  EXPECT_EQ(h(4).x[3], 13);
  EXPECT_EQ(h(0).x[3], 13);
}

TYPED_TEST(AtomicLargeTest, ExchangeAndCompareExchange) { expect_exchanges<TypeParam>(); }

// Neighbours that share a word: an update of one must not change the other, wherever the word boundaries are.
template <class Space>
void expect_aligned_and_unaligned_sums(int n) {
  Kokkos::View<float*, Space> memory("memory", 16);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        auto* const aligned   = reinterpret_cast<Halves*>(&memory(2));
        auto* const unaligned = reinterpret_cast<Halves*>(&memory(7));
        Kokkos::atomic_add(i % 2 == 0 ? aligned : unaligned, Halves{1, 2});
      });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, memory);
  EXPECT_EQ(h(2), n / 2);
  EXPECT_EQ(h(3), n);
  EXPECT_EQ(h(7), n / 2);
  EXPECT_EQ(h(8), n);
  EXPECT_EQ(h(1) + h(4) + h(6) + h(9), 0);
}

TYPED_TEST(AtomicLargeTest, ObjectsBetweenTwoWords) { expect_aligned_and_unaligned_sums<TypeParam>(20000); }

#ifndef __NVCC__  // whose device functions may not call those of a host
// Reads and updates of an object that spans two words wait for a thread that has its lock; those of an aligned one do not.
TEST(AtomicLarge, ObjectsBetweenTwoWordsHaveALock) {
  alignas(8) float memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  struct Access {
    char const* name;
    void (*run)(Halves*);
  };
  Access const accesses[] = {
      {"load", [](Halves* p) { (void)Kokkos::atomic_load(p); }},
      {"store", [](Halves* p) { Kokkos::atomic_store(p, Halves{5, 6}); }},
      {"exchange", [](Halves* p) { (void)Kokkos::atomic_exchange(p, Halves{7, 8}); }},
      {"compare_exchange", [](Halves* p) { (void)Kokkos::atomic_compare_exchange(p, Halves{7, 8}, Halves{9, 10}); }},
      {"add", [](Halves* p) { Kokkos::atomic_add(p, Halves{1, 1}); }},
  };
  for (Access const& access : accesses)
    for (bool const spans : {true, false}) {
      auto* const p = reinterpret_cast<Halves*>(memory + (spans ? 3 : 2));
      std::atomic<bool> is_held{false}, may_end{false}, has_ended{false};
      std::thread holder([&] {
        Kokkos::Impl::AtomicPrimitives::locked(p, [&] {
          is_held = true;
          while (!may_end) std::this_thread::yield();
        });
      });
      while (!is_held) std::this_thread::yield();
      std::thread other([&] {
        access.run(p);
        has_ended = true;
      });
      if (spans) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_FALSE(has_ended) << access.name;
      } else {
        while (!has_ended) std::this_thread::yield();  // needs no lock
      }
      may_end = true;
      holder.join();
      other.join();
    }
}
#endif

/// More threads than processors, so that owners of locks are descheduled.
template <class T, class Step>
void on_many_threads(T* p, Step step) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([=] {
      for (int i = 0; i < 2000; ++i) step(p);
    });
  }
  for (auto& t : threads) t.join();
}

TEST(AtomicLocks, ExcludeHostThreadsOfAnyOrigin) {
  Wide<4> wide(0);
  on_many_threads(&wide, [](Wide<4>* p) { Kokkos::atomic_add(p, Wide<4>(1)); });
  EXPECT_EQ(wide.x[0], 16000);
  EXPECT_FALSE(wide.is_torn());
  long double extended = 0;
  on_many_threads(&extended, [](long double* p) { Kokkos::atomic_inc(p); });
  EXPECT_EQ(extended, 16000);
  std::complex<double> z;
  on_many_threads(&z, [](std::complex<double>* p) { Kokkos::atomic_add(p, std::complex<double>(1, 2)); });
  EXPECT_EQ(z, std::complex<double>(16000, 32000));
}

TEST(AtomicLocks, TypesThatAreNotTriviallyCopyableAreAssigned) {
  std::vector<int> v{1, 2, 3};
  auto const before = Kokkos::atomic_exchange(&v, std::vector<int>{4});
  EXPECT_EQ(before.size(), 3u);
  EXPECT_EQ(Kokkos::atomic_load(&v), std::vector<int>{4});
}

TEST(AtomicLocks, LongDoubleIsComparedByValue) {
  // Padding bytes of a long double may differ.
  long double object;
  std::memset(&object, 0xff, sizeof object);
  object = 1.5L;
  EXPECT_EQ(Kokkos::atomic_compare_exchange(&object, 1.5L, 2.5L), 1.5L);
  EXPECT_EQ(object, 2.5L);
}

#ifdef KOKKOS_IMPL_GPU_MODEL
// A translation unit that is loaded late gets the table of the device at once: all bytes of its address, before the call
// returns, although work of the device takes long.
TEST(AtomicLocks, VariablesOfLateUnitsPointToTheTable) {
  static unsigned* first;
  static unsigned* second;
  first = second = reinterpret_cast<unsigned*>(~std::uintptr_t(0));
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>(0, 1), KOKKOS_LAMBDA(int){});
  Kokkos::fence();
  hip_model::slow_call("operation", 2000);
  for (unsigned* const* variable : {&first, &second}) {
    Kokkos::Impl::register_gpu_lock_pointer(variable);
    EXPECT_LT(reinterpret_cast<std::uintptr_t>(*variable), std::uintptr_t(1) << 56);
  }
  hip_model::clear_faults();
  ASSERT_EQ(first, second);
  using Locks = Kokkos::View<unsigned const*, Kokkos::DefaultExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
  auto const locks =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, Locks(first, Kokkos::Impl::gpu_atomic_lock_count));
  for (std::size_t i = 0; i < locks.size(); ++i) ASSERT_EQ(locks(i), 0u) << i;
  // A variable that is there before the table is.
  first = nullptr;
  Kokkos::Impl::GPULockTable<Kokkos::DefaultExecutionSpace::runtime_type> table;
  table.add_variable(&first);
  EXPECT_EQ(first, nullptr);
  table.add_device(0);
  ASSERT_NE(first, nullptr);
  EXPECT_NE(first, second) << "each table has memory of its own";
  table.release();
  EXPECT_EQ(hip_model::violation_count(), 0u);
}
#endif

}  // namespace
