// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
// Random copies and fills: random shapes, types, memories, instances and threads of the program. Every byte is checked.
//
// KOKKOS_TEST_SOAK is the number of copies of each test (default 400), KOKKOS_TEST_SEED the seed of the first one. On
// the HIP model, calls of the runtime also fail at random (KOKKOS_TEST_FAULTS=0 prevents that), and the copy is then
// repeated. Each test's result has the counts as properties (--gtest_output=json).
#include <CopyImages.hpp>
#include <TestSpaces.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <hip_model.hpp>
#endif

namespace {

using Kokkos::Testing::between;
using Kokkos::Testing::Image;
using Kokkos::Testing::lay_out_at_random;
using Kokkos::Testing::Random;
using Kokkos::Testing::random_shape;
using Kokkos::Testing::Shape;

using Exec = Kokkos::DefaultExecutionSpace;

int number_from(char const* variable, int otherwise) {
  char const* text = std::getenv(variable);
  return text && *text ? std::atoi(text) : otherwise;
}

constexpr int max_elements = 20000;
constexpr int image_size   = 8 * max_elements;

/// Arrays in every kind of memory, of one type; at any time each is used on only one instance.
template <class T>
class Arrays {
 public:
  using Host = Kokkos::HostSpace;
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  using Device = Exec::memory_space;
  using Shared = Kokkos::SharedSpace;
  using Pinned = Kokkos::SharedHostPinnedSpace;
#else
  using Device = Host;
  using Shared = Host;
  using Pinned = Host;
#endif
  static constexpr int count = 8;

  Arrays() {
    for (int k = 0; k < count; ++k) with(k, [&](auto& image) { image.number(1000 * k); });
  }
  /// Calls f with array k.
  template <class F>
  void with(int k, F const& f) {
    switch (k) {
      case 0:
        return f(m_host);
      case 1:
        return f(m_other_host);
      case 2:
        return f(m_device);
      case 3:
        return f(m_other_device);
      case 4:
        return f(m_shared);
      case 5:
        return f(m_pinned);
      case 6:
        return f(m_plain_device);
      default:
        return f(m_plain_host);
    }
  }

 private:
  static constexpr auto plain = Image<T, Device>::Origin::plain;
  Image<T, Host> m_host{"host", image_size}, m_other_host{"other host", image_size};
  Image<T, Device> m_device{"device", image_size}, m_other_device{"other device", image_size};
  Image<T, Shared> m_shared{"shared", image_size};
  Image<T, Pinned> m_pinned{"pinned", image_size};
  Image<T, Device> m_plain_device{"", image_size, plain};
  Image<T, Host> m_plain_host{"", image_size, Image<T, Host>::Origin::plain};
};

/// The operations of a program.
struct Counts {
  long copies = 0, fills = 0;
  long faults  = 0;  // number of failed calls of the runtime
  long refused = 0;  // number of copies and fills that threw because of a failed call, and were repeated

  Counts& operator+=(Counts const& other) {
    copies += other.copies;
    fills += other.fills;
    faults += other.faults;
    refused += other.refused;
    return *this;
  }
  void record() const {
    testing::Test::RecordProperty("copies", std::to_string(copies));
    testing::Test::RecordProperty("fills", std::to_string(fills));
    testing::Test::RecordProperty("calls_that_failed", std::to_string(faults));
    testing::Test::RecordProperty("refused_and_repeated", std::to_string(refused));
  }
};

/// A thread of the program with its own instances and arrays.
template <class T>
class Program {
 public:
  explicit Program(unsigned seed) : m_random(seed) {
    m_instances = Kokkos::partition_space(Exec(), std::vector<int>{1, 1, 1});
  }

  void run(int copies) {
    for (int i = 0; m_counts.copies + m_counts.fills < copies; ++i) {
      one();
      if (i % 50 == 49) look();
    }
    look();
  }
  Counts const& counts() const { return m_counts; }

 private:
  static constexpr int no_user = -1;

  /// Prepares the use of an array by an instance: waits for another instance that has used it before.
  void claim(int array, int instance) {
    int& last = m_user[array];
    if (last != no_user && last != instance) fence(last);
    last = instance;
  }
  void fence(int instance) {
    m_instances[static_cast<std::size_t>(instance)].fence();
    for (int& user : m_user)
      if (user == instance) user = no_user;
  }

  void one() {
    int const to = between(m_random, 0, Arrays<T>::count - 1), from = between(m_random, 0, Arrays<T>::count - 1);
    int const instance = between(m_random, -1, 2);  // -1: no instance
    Shape shape = random_shape(m_random, between(m_random, 1, 5), random_size()), other = shape;
    lay_out_at_random(other, m_random);
    if (shape.span() > image_size || other.span() > image_size || to == from) return;
    if (instance >= 0) {
      claim(to, instance);
      claim(from, instance);
    }
    bool const fill = m_random() % 8 == 0;
    with_rank(shape.rank, [&](auto rank) {
      m_arrays.with(to, [&](auto& dst) {
        if (fill) return filled<rank.value>(dst, shape, instance);
        m_arrays.with(from, [&](auto& src) { copied<rank.value>(dst, shape, src, other, instance); });
      });
    });
    if (instance < 0)
      for (int& user : m_user) user = no_user;  // a copy without an instance waits for all of them
  }
  std::size_t random_size() {
    int const sizes[] = {1, 30, 1000, max_elements};
    return static_cast<std::size_t>(sizes[m_random() % 4]);
  }

  template <class F>
  static void with_rank(int rank, F const& f) {
    switch (rank) {
      case 1:
        return f(std::integral_constant<int, 1>());
      case 2:
        return f(std::integral_constant<int, 2>());
      case 3:
        return f(std::integral_constant<int, 3>());
      case 4:
        return f(std::integral_constant<int, 4>());
      default:
        return f(std::integral_constant<int, 5>());
    }
  }

  template <int Rank, class Dst, class Src>
  void copied(Dst& dst, Shape const& to, Src& src, Shape const& from, int instance) {
    auto const dst_view = dst.template view<Rank>(to);
    auto const src_view = src.template view<Rank>(from);
    insist([&] {
      if (instance < 0)
        Kokkos::deep_copy(dst_view, src_view);
      else
        Kokkos::deep_copy(m_instances[static_cast<std::size_t>(instance)], dst_view, src_view);
    });
    dst.expect_copy(to, src, from);
    ++m_counts.copies;
  }
  template <int Rank, class Dst>
  void filled(Dst& dst, Shape const& shape, int instance) {
    T const value   = static_cast<T>(m_random() % 100);
    auto const view = dst.template view<Rank>(shape);
    insist([&] {
      if (instance < 0)
        Kokkos::deep_copy(view, value);
      else
        Kokkos::deep_copy(m_instances[static_cast<std::size_t>(instance)], view, value);
    });
    dst.expect_fill(shape, value);
    ++m_counts.fills;
  }

  /// Repeats the action if it failed: a refused copy may have been made in part, and the same copy completes it.
  template <class Action>
  void insist(Action const& action) {
#ifdef KOKKOS_IMPL_GPU_MODEL
    static const bool faults  = number_from("KOKKOS_TEST_FAULTS", 1) != 0;
    char const* const calls[] = {"hipMemcpyAsync", "hipMemcpy2DAsync", "hipLaunchKernel",      "hipMemsetAsync",
                                 "hipHostMalloc",  "hipMalloc",        "hipStreamWriteValue32"};
    bool const armed          = faults && m_random() % 8 == 0;
    char const* const call    = calls[m_random() % 7];
    unsigned const nth        = 1 + m_random() % 3;
    std::size_t const before  = hip_model::call_count(call);
    if (armed) hip_model::fail_call(call, nth, 2 /* hipErrorOutOfMemory */);
    for (int tries = 0;; ++tries) {
      try {
        action();
        if (armed) hip_model::clear_faults();  // a fault that did not occur here must not occur elsewhere
        // With several threads, one may get another one's fault, so these counts are approximate.
        if (armed && hip_model::call_count(call) >= before + nth) ++m_counts.faults;
        return;
      } catch (std::runtime_error const& error) {
        if (!faults || tries > 20) throw;
        ++m_counts.refused;
      }
    }
#else
    action();
#endif
  }

  void look() {
    Kokkos::fence();
    for (int& user : m_user) user = no_user;
    for (int k = 0; k < Arrays<T>::count; ++k)
      insist([&] { m_arrays.with(k, [&](auto& image) { EXPECT_EQ(image.wrong(), 0) << "array " << k; }); });
  }

  Random m_random;
  Arrays<T> m_arrays;
  std::vector<Exec> m_instances;
  int m_user[Arrays<T>::count] = {no_user, no_user, no_user, no_user, no_user, no_user, no_user, no_user};
  Counts m_counts;
};

TEST(DeepCopySoak, RandomCopies) {
  int const copies    = number_from("KOKKOS_TEST_SOAK", 400);
  unsigned const seed = static_cast<unsigned>(number_from("KOKKOS_TEST_SEED", 1));
  Program<int> ints(seed);
  ints.run((copies + 1) / 2);
  Program<char> chars(seed + 1);
  chars.run(copies / 2);
  Counts counts = ints.counts();
  (counts += chars.counts()).record();
#ifdef KOKKOS_IMPL_GPU_MODEL
  hip_model::clear_faults();
#endif
}

// One instance for each thread, and one engine.
TEST(DeepCopySoak, RandomCopiesByThreads) {
  int const copies    = number_from("KOKKOS_TEST_SOAK", 400);
  unsigned const seed = static_cast<unsigned>(number_from("KOKKOS_TEST_SEED", 1));
  std::vector<std::unique_ptr<Program<int>>> programs;
  for (unsigned t = 0; t < 3; ++t) programs.push_back(std::make_unique<Program<int>>(seed + 10 + t));
  std::vector<std::thread> threads;
  for (auto& program : programs) threads.emplace_back([&] { program->run((copies + 2) / 3); });
  for (auto& thread : threads) thread.join();
  Counts counts;
  for (auto& program : programs) counts += program->counts();
  counts.record();
#ifdef KOKKOS_IMPL_GPU_MODEL
  hip_model::clear_faults();
#endif
}

}  // namespace
