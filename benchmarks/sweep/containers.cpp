// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Containers.

#include "Sweep.hpp"

#include <Kokkos_Bitset.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_UnorderedMap.hpp>

namespace sweep {
namespace {

void map(Sweep const& s, std::size_t n) {
  if (n > 10000000) return;
  Kokkos::UnorderedMap<int, int, Exec> const map(static_cast<unsigned>(2 * n));
  auto const insert = KOKKOS_LAMBDA(long i) { map.insert(static_cast<int>(i * 7), 1); };
  s.row("map_insert", n, [&] { Kokkos::parallel_for(Range(0, n), insert); });
  Kokkos::View<int*, Exec> const found("found", n);
  auto const find = KOKKOS_LAMBDA(long i) { found(i) = map.find(static_cast<int>(i * 7)); };
  s.row("map_find", n, [&] { Kokkos::parallel_for(Range(0, n), find); });
  s.row("map_size", n, [&] { (void)map.size(); });
  auto same = map;
  s.row("map_erase_nothing", n, [&] {
    same.begin_erase();
    same.end_erase();
  });
  Kokkos::UnorderedMap<int, int, Exec> filled(static_cast<unsigned>(n));
  auto const fill = KOKKOS_LAMBDA(long i) { filled.insert(static_cast<int>(i * 7), 1); };
  s.row("map_clear_insert", n, [&] {
    filled.clear();
    Kokkos::parallel_for(Range(0, n), fill);
  });
  Kokkos::Bitset<Exec> const bits(static_cast<unsigned>(n));
  auto const set = KOKKOS_LAMBDA(long i) { bits.set(static_cast<unsigned>(i)); };
  s.row("bitset_set", n, [&] { Kokkos::parallel_for(Range(0, n), set); });
  s.row("bitset_count", n, [&] { (void)bits.count(); });
}

void scatter(Sweep const& s, std::size_t n) {
  for (int places : {1000, 1000000}) {
    Vector target("target", places);
    auto const scattered = Kokkos::Experimental::create_scatter_view(target);
    auto const add       = KOKKOS_LAMBDA(long i) {
      auto const access = scattered.access();
      access((i * 7919) % places) += 1.;
      access((i * 31) % places) += 2.;
    };
    s.row(places == 1000 ? "scatter_1000" : "scatter_1000000", n, [&] {
      Kokkos::parallel_for(Range(0, n), add);
      Kokkos::Experimental::contribute(target, scattered);
    });
  }
}

/// Combines a copy of each thread with the view.
void contribution(Sweep const& s, std::size_t n) {
  if (n > 10000000) return;
  Vector target("target", n);
  auto const scattered = Kokkos::Experimental::create_scatter_view(target);
  s.row("scatter_contribute", n, [&] { Kokkos::Experimental::contribute(target, scattered); });
  s.row("scatter_make", n, [&] { (void)Kokkos::Experimental::create_scatter_view(target); });
}

/// Particles that add to 27 nodes of a grid: one access and several subscripts.
void scatter_grid(Sweep const& s, std::size_t n) {
  Kokkos::View<double****, Exec> const grid("grid", 24, 24, 24, 3);
  auto const scattered = Kokkos::Experimental::create_scatter_view(grid);
  auto const add       = KOKKOS_LAMBDA(long p) {
    auto const access = scattered.access();
    int const x = p * 7 % 21, y = p * 11 % 21, z = p * 13 % 21;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          for (int d = 0; d < 3; ++d) access(x + i, y + j, z + k, d) += 0.25 * d;
  };
  s.row("scatter_grid", n, [&] { Kokkos::parallel_for(Range(0, n / 27), add); });
}

/// At most 100,000 items: the pool would otherwise be full.
void pool(Sweep const& s, std::size_t n) {
  std::size_t const items = n > 100000 ? 100000 : n;
  Kokkos::MemoryPool<Exec> const pool(Memory(), std::size_t(64) << 20, 64, 1024, std::size_t(64) << 10);
  auto const allocate_and_free = KOKKOS_LAMBDA(long i) {
    std::size_t const bytes = 64 + static_cast<std::size_t>(i * 37 % 128);
    auto* const block       = static_cast<double*>(pool.allocate(bytes));
    if (block == nullptr) return;
    block[0] = static_cast<double>(i);
    pool.deallocate(block, bytes);
  };
  s.row("memory_pool", n, [&] { Kokkos::parallel_for(Range(0, items), allocate_and_free); });
  Kokkos::View<unsigned long long*, Exec> const blocks("blocks", items);
  auto const allocate = KOKKOS_LAMBDA(long i) { blocks(i) = reinterpret_cast<unsigned long long>(pool.allocate(128)); };
  auto const free     = KOKKOS_LAMBDA(long i) { pool.deallocate(reinterpret_cast<void*>(blocks(i)), 128); };
  s.row("memory_pool_keep", n, [&] {
    Kokkos::parallel_for(Range(0, items), allocate);
    Kokkos::parallel_for(Range(0, items), free);
  });
}

}  // namespace

void containers(Sweep const& s) {
  for (std::size_t n : s.sizes()) {
    map(s, n);
    scatter(s, n);
    contribution(s, n);
    scatter_grid(s, n);
    pool(s, n);
    Kokkos::DynRankView<double, Exec> const from("from", n, 2), to("to", n, 2);
    s.row("dynrank_copy", n, [&] { Kokkos::deep_copy(Exec(), to, from); }, 32. * n);
    Kokkos::Experimental::DynamicView<double*, Exec> chunks("chunks", 1024, static_cast<unsigned>(n + 2048));
    bool longer = false;
    s.row("dynamicview_resize", n, [&] {
      longer = !longer;
      chunks.resize_serial(longer ? n + 1500 : n);
    });
    Kokkos::DualView<double*, Exec> dual("dual", n);
    s.row("dualview_sync", n, [&] {
      dual.modify_host();
      dual.sync_device();
      dual.modify_device();
      dual.sync_host();
    });
  }
}

}  // namespace sweep
