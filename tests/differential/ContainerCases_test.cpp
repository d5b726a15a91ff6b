// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Random sequences of operations on containers, compared with those of the standard library.

#include "RandomCases.hpp"

#include <Kokkos_UnorderedMap.hpp>
#include <Kokkos_Bitset.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DualView.hpp>

#include <algorithm>
#include <cstdint>
#include <map>

namespace {

using namespace Kokkos::Testing;
namespace KE = Kokkos::Experimental;

template <class Space>
class ContainerCases : public ::testing::Test {};
TYPED_TEST_SUITE(ContainerCases, PatternSpaces, SpaceName);

// ---- UnorderedMap --------------------------------------------------------------------------------------------------

enum class MapStep { insert, erase, find };

template <class Map, class Space>
struct MapWork {
  Map map;
  Kokkos::View<int*, Space> keys;
  Kokkos::View<int*, Space> found;  // for each key the value, or -1
  MapStep step;
  KOKKOS_FUNCTION void operator()(int i) const {
    int const key = keys(i);
    if (step == MapStep::insert) {
      found(i) = map.insert(key, 3 * key).failed() ? -1 : 1;
    } else if (step == MapStep::erase) {
      map.erase(key);
    } else {
      auto const at = map.find(key);
      found(i)      = map.valid_at(at) && map.key_at(at) == key ? map.value_at(at) : -1;
    }
  }
};

TYPED_TEST(ContainerCases, MapsInsertEraseAndFind) {
  using Map = Kokkos::UnorderedMap<int, int, TypeParam>;
  for_each_case(2, 1500, [](Random& random) {
    long const range = random.once_in(2) ? 50 : 3000;
    Map map(static_cast<typename Map::size_type>(random.between(1, 4000)));
    std::map<int, int> expected;
    for (int step = 0; step < 6; ++step) {
      std::vector<int> keys(random.length({64, 1000, 2000}));
      for (auto& k : keys) k = static_cast<int>(random.between(0, range)) * (random.once_in(9) ? 65536 : 1);
      MapWork<Map, TypeParam> work{map, view_of<TypeParam>(keys), Kokkos::View<int*, TypeParam>("found", keys.size()),
                                   random.once_in(3) ? MapStep::erase : MapStep::insert};
      Kokkos::RangePolicy<TypeParam> const policy(0, static_cast<int>(keys.size()));
      if (work.step == MapStep::erase) {
        ASSERT_TRUE(map.begin_erase());
        Kokkos::parallel_for(policy, work);
        ASSERT_TRUE(map.end_erase());
        for (int const k : keys) expected.erase(k);
      } else {
        Kokkos::parallel_for(policy, work);
        auto const inserted = values_of(work.found);
        if (std::find(inserted.begin(), inserted.end(), -1) != inserted.end()) {
          ASSERT_TRUE(map.failed_insert());
          map.rehash(2 * map.capacity() + 2 * static_cast<typename Map::size_type>(keys.size()));
          work.map = map;
          Kokkos::parallel_for(policy, work);
          auto const again = values_of(work.found);
          ASSERT_EQ(std::count(again.begin(), again.end(), -1), 0);
        }
        for (int const k : keys) expected[k] = 3 * k;
      }
      ASSERT_EQ(map.size(), expected.size()) << "step " << step;
      work.step = MapStep::find;
      Kokkos::parallel_for(policy, work);
      auto const found = values_of(work.found);
      for (std::size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(found[i], expected.count(keys[i]) != 0 ? 3 * keys[i] : -1) << "key " << keys[i] << ", step " << step;
    }
  });
}

// ---- Bitset --------------------------------------------------------------------------------------------------------

template <class Space>
struct ChangeBits {
  Kokkos::Bitset<Space> bits;
  Kokkos::View<int*, Space> positions;
  Kokkos::View<int*, Space> changed;
  bool to;
  KOKKOS_FUNCTION void operator()(int i) const {
    auto const p = static_cast<unsigned>(positions(i));
    changed(i)   = to ? bits.set(p) : bits.reset(p);
  }
};

TYPED_TEST(ContainerCases, BitsAreSetAndReset) {
  for_each_case(5, 2000, [](Random& random) {
    auto const n = static_cast<unsigned>(random.length({32, 64, 1000}) + 1);
    Kokkos::Bitset<TypeParam> bits(n);
    std::vector<char> expected(n, 0);
    for (int step = 0; step < 4; ++step) {
      std::vector<int> positions(random.below(600));
      for (auto& p : positions) p = static_cast<int>(random.below(n));
      ChangeBits<TypeParam> const work{bits, view_of<TypeParam>(positions),
                                       Kokkos::View<int*, TypeParam>("changed", positions.size()), random.once_in(2)};
      Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, static_cast<int>(positions.size())), work);
      long changes = 0;
      for (int const p : positions) changes += expected[p] != char(work.to), expected[p] = char(work.to);
      auto const changed = values_of(work.changed);
      ASSERT_EQ(std::count(changed.begin(), changed.end(), 1), changes);
      ASSERT_EQ(bits.count(), static_cast<unsigned>(std::count(expected.begin(), expected.end(), 1)));
    }
    Kokkos::Bitset<Kokkos::DefaultHostExecutionSpace> here(n);
    Kokkos::deep_copy(here, bits);
    for (unsigned i = 0; i < n; ++i) ASSERT_EQ(here.test(i), expected[i] != 0) << i << " of " << n;
  });
}

// ---- ScatterView ---------------------------------------------------------------------------------------------------

template <class Scatter, class Space>
struct Contribute {
  Scatter scatter;
  Kokkos::View<int*, Space> places;
  KOKKOS_FUNCTION void operator()(int i) const {
    auto const access = scatter.access();
    access(places(i), i % 3) += i + 1;
  }
};

TYPED_TEST(ContainerCases, ScatteredSums) {
  for_each_case(16, 1500, [](Random& random) {
    std::size_t const n = random.below(300) + 1;
    Kokkos::View<long* [3], TypeParam> sums("sums", n);
    auto scatter = KE::create_scatter_view(sums);
    std::vector<long> expected(3 * n, 0);
    for (int round = 0; round < 2; ++round) {
      std::vector<int> places(random.length({1000, 10000}));
      for (auto& p : places) p = static_cast<int>(random.below(random.once_in(3) ? 1 : n));
      Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, static_cast<int>(places.size())),
                           Contribute<decltype(scatter), TypeParam>{scatter, view_of<TypeParam>(places)});
      for (std::size_t i = 0; i < places.size(); ++i) expected[3 * places[i] + i % 3] += static_cast<long>(i) + 1;
      KE::contribute(sums, scatter);
      scatter.reset_except(sums);
      auto const here = on_host(sums);
      for (std::size_t i = 0; i < 3 * n; ++i) ASSERT_EQ(here(i / 3, i % 3), expected[i]) << i;
    }
  });
}

// ---- DynamicView, DynRankView, OffsetView, DualView ----------------------------------------------------------------

template <class View>
struct AddIndex {
  View view;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { view(i) += static_cast<int>(i); }
};

TYPED_TEST(ContainerCases, DynamicViewsGrowAndShrink) {
  using View = KE::DynamicView<int*, TypeParam>;
  for_each_case(3, 1500, [](Random& random) {
    View view("view", static_cast<unsigned>(1u << random.between(1, 10)), 20000);
    std::vector<int> expected;
    for (int step = 0; step < 5; ++step) {
      std::size_t const n = random.length({512, 1024, 9000});
      view.resize_serial(n);
      // New elements have no value yet.
      std::size_t const kept = std::min(expected.size(), n);
      expected.resize(n);
      if (n > kept) {
        Kokkos::View<int*, TypeParam> all("all", n);
        std::fill(expected.begin() + static_cast<long>(kept), expected.end(), static_cast<int>(random.between(-9, 9)));
        Kokkos::deep_copy(all, Kokkos::View<int*, Kokkos::HostSpace>(expected.data(), n));
        Kokkos::deep_copy(view, all);
      }
      Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, static_cast<int>(n)), AddIndex<View>{view});
      for (std::size_t i = 0; i < n; ++i) expected[i] += static_cast<int>(i);
      Kokkos::View<int*, TypeParam> dense("dense", n);
      Kokkos::deep_copy(dense, view);
      ASSERT_EQ(values_of(dense), expected) << "step " << step;
    }
  });
}

TYPED_TEST(ContainerCases, OffsetViewsHaveAnyBegin) {
  using View = KE::OffsetView<int*, TypeParam>;
  for_each_case(16, 1500, [](Random& random) {
    long const begin = random.between(-3000, 3000), end = begin + static_cast<long>(random.length({100, 1000})) + 1;
    View const view("view", {begin, end - 1});  // the first and the last index
    Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam, Kokkos::IndexType<std::int64_t>>(begin, end),
                         AddIndex<View>{view});
    auto const here = Kokkos::create_mirror_view(view);
    Kokkos::deep_copy(here, view);
    ASSERT_EQ(here.begin(0), begin);
    ASSERT_EQ(here.end(0), end);
    for (long i = begin; i < end; ++i) ASSERT_EQ(here(i), i);
  });
}

TYPED_TEST(ContainerCases, DynRankViewsOfEveryRank) {
  using View = Kokkos::DynRankView<int, TypeParam>;
  for_each_case(16, 1500, [](Random& random) {
    std::size_t const rank = random.below(8);
    std::size_t e[7], count = 1;
    for (std::size_t d = 0; d < 7; ++d) {
      e[d] = d < rank ? random.below(5) + 1 : KOKKOS_INVALID_INDEX;
      count *= d < rank ? e[d] : 1;
    }
    View const view("view", e[0], e[1], e[2], e[3], e[4], e[5], e[6]);
    ASSERT_EQ(view.rank(), rank);
    ASSERT_EQ(view.size(), count);
    auto const here = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < count; ++i) here.data()[i] = static_cast<int>(random.bits() % 1000);
    Kokkos::deep_copy(view, here);
    View other("other", e[0], e[1], e[2], e[3], e[4], e[5], e[6]);
    Kokkos::deep_copy(other, view);
    auto const back = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), other);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(back.data()[i], here.data()[i]) << i << ", rank " << rank;
  });
}

/// Each side is as if one array were changed by both in turn.
TYPED_TEST(ContainerCases, DualViewsSync) {
  using Dual = Kokkos::DualView<int*, TypeParam>;
  using View = typename Dual::t_dev;
  for_each_case(16, 1500, [](Random& random) {
    std::vector<int> expected(random.length({100, 1000}) + 1, 0);
    Dual dual("dual", expected.size());
    for (int step = 0; step < 8; ++step) {
      int const n = static_cast<int>(expected.size());
      if (random.once_in(4)) {
        expected.resize(random.below(1000) + 1, 0);
        dual.resize(expected.size());
      } else if (random.once_in(2)) {
        dual.sync_device();
        Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, n), AddIndex<View>{dual.view_device()});
        dual.modify_device();
        for (int i = 0; i < n; ++i) expected[i] += i;
      } else {
        dual.sync_host();
        for (int i = 0; i < n; ++i) expected[i] ^= step, dual.view_host()(i) ^= step;
        dual.modify_host();
      }
    }
    dual.sync_device();
    ASSERT_EQ(values_of(dual.view_device()), expected);
    dual.sync_host();
    ASSERT_EQ(values_of(dual.view_host()), expected);
  });
}

}  // namespace
