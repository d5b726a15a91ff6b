// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program of random kernels, copies, reductions, scans and graphs on instances that begin and end, compared with the
/// same steps on the host. On the HIP model the seed also determines the order in which streams run, and in which
/// threads of blocks start: HIP_MODEL_SEED=<seed> reproduces an order.

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace {

using Device = Kokkos::DefaultExecutionSpace;
using Values = Kokkos::View<long*, Device>;
using Range  = Kokkos::RangePolicy<Device>;

/// Passed as a parameter of the kernel, or through the ring if it is large.
template <int Longs>
struct Step {
  Values values;
  long table[Longs];
  explicit Step(Values const& v, long c) : values(v) {
    for (int i = 0; i < Longs; ++i) table[i] = c + i;
  }
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = values(i) % 1000003 * 3 + table[i % Longs]; }
};
template <int Longs>
void step_on_host(std::vector<long>& values, long c) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = values[i] % 1000003 * 3 + c + static_cast<long>(i % Longs);
}

struct Sum {
  Values values;
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += values(i); }
};
struct Prefix {
  Values values;
  KOKKOS_FUNCTION void operator()(int i, long& sum, bool final) const {
    long const mine = values(i) % 1000;
    if (final) values(i) = sum;
    sum += mine;
  }
};

/// A value for which scans have tiles of other sizes. Each part has the sum of every `parts`th element.
struct Parts {
  static constexpr int parts = 20;
  long sum[parts];
};
struct PrefixInParts {
  using value_type = Parts;
  Values values;
  KOKKOS_FUNCTION void init(Parts& sum) const { sum = {}; }
  KOKKOS_FUNCTION void join(Parts& to, Parts const& from) const {
    for (int i = 0; i < Parts::parts; ++i) to.sum[i] += from.sum[i];
  }
  KOKKOS_FUNCTION void operator()(int i, Parts& sum, bool final) const {
    sum.sum[i % Parts::parts] += values(i) % 1000;
    if (final) values(i) = sum.sum[i % Parts::parts];
  }
};

long sum_of(std::vector<long> const& values) {
  long sum = 0;
  for (long v : values) sum += v;
  return sum;
}

/// An instance with a view that only it uses, and the expected content of the view.
struct Actor {
  std::optional<Device> instance;
  Values values;
  Kokkos::View<long*, Kokkos::HostSpace> host;
  std::vector<long> expected;

  explicit Actor(int n) : instance(fresh()), values("values", n), host("host", n), expected(n, 0) {}
  static Device fresh() { return Kokkos::Experimental::partition_space(Device(), 1)[0]; }
  int size() const { return static_cast<int>(expected.size()); }
  Range all() const { return Range(*instance, 0, size()); }
};

class Program {
 public:
  explicit Program(unsigned seed) : m_random(seed) {
    for (int n : {1, 64, 300, longest}) m_actors.emplace_back(n);
    Kokkos::fence();
  }

  void run(int steps) {
    while (steps-- > 0 && !::testing::Test::HasFailure()) one(m_actors[pick(m_actors.size())]);
    for (Actor& actor : m_actors) check(actor);
  }

 private:
  unsigned pick(std::size_t n) { return static_cast<unsigned>(m_random() % n); }

  void one(Actor& a) {
    long const c = pick(100);
    switch (pick(12)) {
      case 0:
      case 1:
        Kokkos::parallel_for("small", a.all(), Step<4>(a.values, c));
        return step_on_host<4>(a.expected, c);
      case 2:
      case 3:
        Kokkos::parallel_for("large", a.all(), Step<700>(a.values, c));
        return step_on_host<700>(a.expected, c);
      case 4: {
        long sum = 0;
        Kokkos::parallel_reduce("sum", a.all(), Sum{a.values}, sum);
        EXPECT_EQ(sum, sum_of(a.expected));
        return;
      }
      case 5: {
        long total = 0;
        Kokkos::parallel_scan("prefix", a.all(), Prefix{a.values}, total);
        long sum = 0;
        for (long& v : a.expected) sum += std::exchange(v, sum) % 1000;
        EXPECT_EQ(total, sum);
        return;
      }
      case 6:
        return check(a);
      case 7:
        for (int i = 0; i < a.size(); ++i) a.host(i) = a.expected[i] = c + i;
        Kokkos::deep_copy(*a.instance, a.values, a.host);
        a.instance->fence();  // the host writes to the view again
        return;
      case 8:  // an instance that ends drains its stream first
        a.instance.reset();
        a.instance = Actor::fresh();
        return;
      case 9:
        return exchange(a, m_actors[pick(m_actors.size())]);
      case 10:
        return graph(a, c);
      case 11: {
        Kokkos::parallel_scan("prefix in parts", a.all(), PrefixInParts{a.values});
        Parts sums{};
        for (std::size_t i = 0; i < a.expected.size(); ++i) {
          long& sum     = sums.sum[i % Parts::parts];
          a.expected[i] = sum += a.expected[i] % 1000;
        }
        return;
      }
    }
  }

  void check(Actor& a) {
    Kokkos::deep_copy(*a.instance, a.host, a.values);
    a.instance->fence();
    for (int i = 0; i < a.size() && !::testing::Test::HasFailure(); ++i)
      EXPECT_EQ(a.host(i), a.expected[i]) << "element " << i;
  }

  /// Copies the first elements of one view to the other. Nothing here allocates, because that would wait for the
  /// device.
  void exchange(Actor& from, Actor& to) {
    from.instance->fence();
    int const n = from.size() < to.size() ? from.size() : to.size();
    Kokkos::pair<int, int> const first(0, n);
    Kokkos::deep_copy(*to.instance, Kokkos::subview(m_between, first), Kokkos::subview(from.values, first));
    Kokkos::deep_copy(*to.instance, Kokkos::subview(to.values, first), Kokkos::subview(m_between, first));
    to.instance->fence();
    for (int i = 0; i < n; ++i) to.expected[i] = from.expected[i];
  }

  void graph(Actor& a, long c) {
    auto steps = Kokkos::Experimental::create_graph(*a.instance, [&](auto root) {
      root.then_parallel_for(a.size(), Step<4>(a.values, c)).then_parallel_for(a.size(), Step<700>(a.values, c));
    });
    for (unsigned runs = 1 + pick(2); runs > 0; --runs) {
      steps.submit(*a.instance);
      step_on_host<4>(a.expected, c);
      step_on_host<700>(a.expected, c);
    }
  }

  static constexpr int longest = 1600;  // several tiles of a scan, which a seed lets begin in any order

  std::mt19937 m_random;
  std::vector<Actor> m_actors;
  Values m_between{"between", longest};
};

TEST(SchedulesTest, RandomProgram) {
  char const* given = std::getenv("HIP_MODEL_SEED");
  Program(given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 1).run(120);
}

}  // namespace
