// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::Experimental::HostPlacement: its decisions on simulated machines, the arguments of the system call, and views on
/// this machine.

#include "FakeRoot.hpp"
#include "Messages.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <impl/runtime/Kokkos_NumaNodes.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using Kokkos::Experimental::HostPlacement;
using Kokkos::Impl::NumaNodes;
using Kokkos::Impl::PagePolicy;

constexpr int preferred = 1, interleave = 3;  // modes of mbind
constexpr std::size_t mega = std::size_t(1) << 20;

TEST(HostPlacement, NodesAreThoseOfTheSystemAndOfTheCpuset) {
  Kokkos::Testing::FakeRoot const root;
  auto const nodes = [&] { return Kokkos::Impl::numa_nodes(root.path()); };
  EXPECT_EQ(nodes().with_memory, (std::vector{0}));  // a system that reports nothing
  EXPECT_EQ(nodes().allowed, (std::vector{0}));
  root.write("/sys/devices/system/node/online", "0-3");
  EXPECT_EQ(nodes().with_memory, (std::vector{0, 1, 2, 3}));
  root.write("/sys/devices/system/node/has_memory", "0,2-3");
  EXPECT_EQ(nodes().with_memory, (std::vector{0, 2, 3}));
  EXPECT_EQ(nodes().allowed, (std::vector{0, 2, 3}));
  root.write("/proc/self/status", "Name:\ttest\nMems_allowed:\t6\nMems_allowed_list:\t1-2");
  EXPECT_EQ(nodes().with_memory, (std::vector{0, 2, 3}));
  EXPECT_EQ(nodes().allowed, (std::vector{2}));
}

TEST(HostPlacement, PolicyOnEachMachine) {
  struct Row {
    char const* what;
    NumaNodes nodes;
    int node;  // of a placement on a node
    PagePolicy interleaved, on_node;
  };
  std::vector<int> const one{0}, two{0, 1}, apart{0, 70};
  Row const rows[] = {
      {"one node", {one, one}, 0, {}, {}},
      {"two nodes", {two, two}, 1, {interleave, {3}}, {preferred, {2}}},
      {"two nodes, of which the process may use one", {two, {1}}, 1, {}, {}},
      {"node numbers beyond a word", {apart, apart}, 70, {interleave, {1, 1 << 6}}, {preferred, {0, 1 << 6}}},
      {"the last node of a word", {{0, 63}, {0, 63}}, 63, {interleave, {1 | 1ul << 63}}, {preferred, {1ul << 63}}},
      {"the first node of a word", {{0, 64}, {0, 64}}, 64, {interleave, {1, 1}}, {preferred, {0, 1}}},
      {"the last node of the second word",
       {{63, 127}, {63, 127}},
       127,
       {interleave, {1ul << 63, 1ul << 63}},
       {preferred, {0, 1ul << 63}}},
      {"the first node of the third word",
       {{64, 128}, {64, 128}},
       128,
       {interleave, {0, 1, 1}},
       {preferred, {0, 0, 1}}},
  };
  for (Row const& row : rows) {
    SCOPED_TRACE(row.what);
    auto const expect_policy = [&](HostPlacement const& placement, PagePolicy const& expected) {
      PagePolicy const policy = Kokkos::Impl::plan_pages(placement, row.nodes);
      EXPECT_EQ(policy.mode, expected.mode);
      EXPECT_EQ(policy.nodes, expected.nodes);
    };
    expect_policy(HostPlacement::first_touch(), {});
    expect_policy(HostPlacement::interleaved(), row.interleaved);
    expect_policy(HostPlacement::impl_unchecked(row.node), row.on_node);
  }
}

TEST(HostPlacement, ANodeMustExistAndBeAllowed) {
  using Kokkos::Testing::expect_all;
  using Kokkos::Testing::thrown_message;
  NumaNodes const nodes{{0, 1, 4}, {0, 1}};
  EXPECT_NO_THROW(Kokkos::Impl::require_numa_node(1, nodes));
  expect_all(thrown_message([&] { Kokkos::Impl::require_numa_node(2, nodes); }),
             {"HostPlacement::on_node(2): this machine has memory on NUMA nodes 0, 1 and 4"});
  expect_all(thrown_message([&] { Kokkos::Impl::require_numa_node(4, nodes); }),
             {"on_node(4): the cpuset of this process allows memory on NUMA nodes 0 and 1 only"});
  expect_all(thrown_message([&] { Kokkos::Impl::require_numa_node(-1, {{0}, {0}}); }), {"on_node(-1)", "NUMA node 0."});
  EXPECT_THROW(HostPlacement::on_node(100000), std::runtime_error);
  EXPECT_EQ(HostPlacement::on_node(Kokkos::Impl::numa_nodes().allowed[0]).kind(), HostPlacement::Kind::node);
}

struct Call {
  void* first;
  std::size_t bytes;
  int mode;
  std::vector<unsigned long> nodes;
};
std::vector<Call> calls;
int record(void* first, std::size_t bytes, int mode, unsigned long const* nodes, unsigned long bits) {
  calls.push_back({first, bytes, mode, {nodes, nodes + bits / (8 * sizeof *nodes)}});
  EXPECT_EQ(bits % (8 * sizeof *nodes), 1u);
  return 0;
}
int refuse(void*, std::size_t, int, unsigned long const*, unsigned long) { return EPERM; }

// The whole pages are placed before anything is written to them.
TEST(HostPlacement, TheSystemCallGetsWholePages) {
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t const bytes : {std::size_t(1), page, page + 1, 7 * mega + 5}) {
    calls.clear();
    auto* const p = static_cast<char*>(Kokkos::Impl::map_pages(bytes, PagePolicy{interleave, {5, 2}}, record));
    ASSERT_NE(p, nullptr);
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].first, p);
    EXPECT_EQ(calls[0].bytes, (bytes + page - 1) / page * page);
    EXPECT_EQ(calls[0].mode, interleave);
    EXPECT_EQ(calls[0].nodes, (std::vector<unsigned long>{5, 2}));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % page, 0u);
    p[0] = p[bytes - 1] = 1;
    Kokkos::Impl::unmap_pages(p, bytes);
    for (std::size_t at = 0; at < bytes; at += page)
      ASSERT_EQ(msync(p + at, page, MS_ASYNC), -1) << "page " << at / page << " is still mapped";
  }
  calls.clear();
  void* const p = Kokkos::Impl::map_pages(page, PagePolicy(), record);
  EXPECT_TRUE(calls.empty()) << "first touch needs no call";
  Kokkos::Impl::unmap_pages(p, page);
  EXPECT_EQ(Kokkos::Impl::map_pages(~std::size_t(0), PagePolicy(), record), nullptr);
  Kokkos::Impl::unmap_pages(nullptr, page);
}

// Neither what was mapped for the alignment nor a block itself stays mapped.
TEST(HostPlacement, NothingStaysMapped) {
  auto const mapped_pages = [] {
    std::ifstream file("/proc/self/statm");
    long pages = 0;
    file >> pages;
    return pages;
  };
  std::size_t const sizes[] = {4096, 5 * mega + 4096, 8 * mega, 40 * mega};
  auto const round          = [&] {
    for (std::size_t const bytes : sizes) {
      void* const odd = Kokkos::Impl::map_pages(4096, PagePolicy(), record);  // so that blocks begin anywhere
      void* const p   = Kokkos::Impl::map_pages(bytes, PagePolicy(), record);
      Kokkos::Impl::unmap_pages(p, bytes);
      Kokkos::Impl::unmap_pages(odd, 4096);
    }
  };
  round();
  long const before = mapped_pages();
  if (before == 0) GTEST_SKIP() << "the system does not tell the size of this process";
  for (int i = 0; i < 50; ++i) round();
  auto const page = static_cast<long>(sysconf(_SC_PAGESIZE));
  EXPECT_LT((mapped_pages() - before) * page, 8 * static_cast<long>(mega));
}

TEST(HostPlacement, ARefusalIsReportedOnceAndLeavesMemory) {
  testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    auto* const p = static_cast<char*>(Kokkos::Impl::map_pages(100, PagePolicy{preferred, {2}}, refuse));
    ASSERT_NE(p, nullptr);
    p[99] = 1;
    Kokkos::Impl::unmap_pages(p, 100);
  }
  std::string const warned = testing::internal::GetCapturedStderr();
  std::string const words  = "the system refuses to place memory on NUMA nodes (mbind: Operation not permitted)";
  auto const first         = warned.find(words);
  EXPECT_NE(first, std::string::npos) << warned;
  EXPECT_EQ(warned.find(words, first + 1), std::string::npos) << warned;
}

// On this machine, which may have one node: the system reports the policy of the pages.
TEST(HostPlacement, TheSystemKeepsThePolicy) {
  static int error = 0;
  auto const place = [](void* first, std::size_t bytes, int mode, unsigned long const* nodes, unsigned long bits) {
    error = syscall(SYS_mbind, first, bytes, mode, nodes, bits, 0u) == 0 ? 0 : errno;
    return error;
  };
  int const node       = Kokkos::Impl::numa_nodes().allowed[0];
  PagePolicy const all = {interleave,
                          Kokkos::Impl::plan_pages(HostPlacement::impl_unchecked(node), {{0}, {node, node + 1}}).nodes};
  void* const p        = Kokkos::Impl::map_pages(mega, all, place);
  ASSERT_NE(p, nullptr);
  int mode                 = -1;
  constexpr int of_address = 2;  // MPOL_F_ADDR
  bool const reported      = error == 0 && syscall(SYS_get_mempolicy, &mode, nullptr, 0ul, p, of_address) == 0;
  Kokkos::Impl::unmap_pages(p, mega);
  if (!reported) GTEST_SKIP() << "this system refuses mbind or get_mempolicy";
  EXPECT_EQ(mode, interleave);
}

TEST(HostPlacement, ServesViews) {
  using View      = Kokkos::View<double*, Kokkos::HostSpace>;
  int const node  = Kokkos::Impl::numa_nodes().allowed[0];
  auto const exec = Kokkos::DefaultExecutionSpace();
  for (HostPlacement const& placement :
       {HostPlacement::first_touch(), HostPlacement::interleaved(), HostPlacement::on_node(node),
        HostPlacement::beside(exec), HostPlacement::beside(Kokkos::DefaultHostExecutionSpace())}) {
    for (std::size_t const n : {std::size_t(0), std::size_t(1000), mega}) {
      View const x(Kokkos::view_alloc(placement, "x"), n),
          y(Kokkos::view_alloc("y", placement, Kokkos::WithoutInitializing), n);
      EXPECT_EQ(x.label(), "x");
      if (n > 0) {
        EXPECT_EQ(x(n - 1), 0);
      }
      Kokkos::deep_copy(y, 3.0);
      Kokkos::deep_copy(x, y);
      if (n > 0) {
        EXPECT_EQ(x(n - 1), 3);
      }
    }
    Kokkos::Experimental::MemoryResource<Kokkos::HostSpace> const pool("pool", mega, placement);
    View const z(Kokkos::view_alloc(pool, "z"), 1000);
    EXPECT_EQ(z(999), 0);
    EXPECT_EQ(pool.usage().in_use, 8192u);
  }
  EXPECT_TRUE(HostPlacement::interleaved() == HostPlacement::interleaved());
  EXPECT_FALSE(HostPlacement::interleaved() == HostPlacement::first_touch());
  auto const far_too_large = std::size_t(1) << 60;
  EXPECT_THROW(View(Kokkos::view_alloc(HostPlacement::interleaved(), "x"), far_too_large / 8),
               Kokkos::Experimental::RawMemoryAllocationFailure);
}

}  // namespace
