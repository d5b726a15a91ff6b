// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and kernels in the order of their instances: chains through host and device memory on several instances, from
// one thread and from one thread for each, without a fence until the end. Every value is checked.
#include <TestSpaces.hpp>

#include <memory>
#include <thread>
#include <vector>

namespace {

template <class Space>
class DeepCopyOrderTest : public ::testing::Test {};
TYPED_TEST_SUITE(DeepCopyOrderTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class View>
struct Advance {
  View view;
  int by;
  KOKKOS_FUNCTION void operator()(int i) const { view(i, 0) = view(i, 0) * 3 + by; }
};

/// A chain: each link copies to the device, changes the values there, and copies them to its own host memory, which is
/// the source of the next link.
template <class Space>
class Chain {
 public:
  using Device  = Kokkos::View<long**, Kokkos::LayoutLeft, Space>;
  using Host    = Kokkos::View<long**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  using Flipped = Kokkos::View<long**, Kokkos::LayoutRight, Kokkos::HostSpace>;

  Chain(Space const& instance, int size, int number)
      : m_instance(instance), m_size(size), m_number(number), m_device("device", size, 2), m_first("first", size, 2) {
    for (int i = 0; i < size; ++i) m_first(i, 0) = number + i;
    m_hosts.push_back(m_first);
  }

  void link(int k) {
    int const n = m_size;
    Kokkos::deep_copy(m_instance, m_device, m_hosts.back());
    Kokkos::parallel_for("link", Kokkos::RangePolicy<Space>(m_instance, 0, n), Advance<Device>{m_device, k});
    if (k % 4 == 3) {  // through another layout and a subview
      Flipped const flipped("flipped", n, 2);
      Kokkos::deep_copy(m_instance, flipped, m_device);
      Kokkos::deep_copy(m_instance, m_device, -1L);
      Kokkos::deep_copy(m_instance, Kokkos::subview(m_device, Kokkos::ALL, 0),
                        Kokkos::subview(flipped, Kokkos::ALL, 0));
    }
    Host const host("host", n, 2);
    Kokkos::deep_copy(m_instance, host, m_device);
    m_hosts.push_back(host);
  }

  /// Number of wrong values in all links, after a fence.
  int wrong() const {
    int count = 0;
    for (int i = 0; i < m_size; ++i) {
      long value = m_number + i;
      for (std::size_t k = 0; k + 1 < m_hosts.size(); ++k) {
        value = value * 3 + static_cast<long>(k);
        count += m_hosts[k + 1](i, 0) != value;
      }
    }
    return count;
  }
  Space const& instance() const { return m_instance; }

 private:
  Space m_instance;
  int m_size, m_number;
  Device m_device;
  Host m_first;
  std::vector<Host> m_hosts;
};

constexpr int links = 12;

template <class Space>
std::vector<Chain<Space>> chains_of(std::vector<Space> const& instances) {
  int const sizes[] = {1, 700, 30000};
  std::vector<Chain<Space>> chains;
  for (int k = 0; k < 6; ++k)
    chains.emplace_back(instances[static_cast<std::size_t>(k) % instances.size()], sizes[k % 3], 100 * k);
  return chains;
}

template <class Space>
void expect_chains_of_one_thread() {
  // Two chains for each instance; the links of all chains are interleaved.
  auto chains = chains_of(Kokkos::partition_space(Space(), std::vector<int>{1, 1, 1}));
  Kokkos::fence();
  for (int k = 0; k < links; ++k)
    for (auto& chain : chains) chain.link(k);
  for (auto& chain : chains) chain.instance().fence();
  for (auto& chain : chains) EXPECT_EQ(chain.wrong(), 0);
}

TYPED_TEST(DeepCopyOrderTest, ChainsOfOneThread) { expect_chains_of_one_thread<TypeParam>(); }

template <class Space>
void expect_chains_of_threads() {
  auto chains = chains_of(Kokkos::partition_space(Space(), std::vector<int>(6, 1)));
  Kokkos::fence();
  std::vector<std::thread> threads;
  for (auto& chain : chains)
    threads.emplace_back([&chain] {
      for (int k = 0; k < links; ++k) chain.link(k);
      chain.instance().fence();
    });
  for (auto& thread : threads) thread.join();
  for (auto& chain : chains) EXPECT_EQ(chain.wrong(), 0);
}

TYPED_TEST(DeepCopyOrderTest, ChainsOfThreads) { expect_chains_of_threads<TypeParam>(); }

}  // namespace
