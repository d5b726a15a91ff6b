// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The whole text of the exceptions of containers, sorts and pools of generators. The numbers of a call differ from each
/// other, so that a message which names one of them in the place of another is not the expected one.

#include "Messages.hpp"

#include <Kokkos_Bitset.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StaticCrsGraph.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <limits>
#include <string>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Kokkos::Testing::thrown_message;

TEST(ContainerMessages, OfCopiesBetweenContainersOfOtherSizes) {
  Kokkos::Bitset<Exec> bits(70);
  Kokkos::Bitset<Exec> const fewer(33);
  Kokkos::ConstBitset<Exec> const constant(fewer);
  std::string const of_bits =
      "Kokkos::deep_copy: the destination, a Kokkos::Bitset, has 70 bits, but the source has 33; the numbers must be "
      "equal.";
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(bits, fewer); }), of_bits);
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(bits, constant); }), of_bits);
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(Exec(), bits, fewer); }), of_bits);
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(Exec(), bits, constant); }), of_bits);
#ifndef KOKKOS_ENABLE_DEPRECATED_CODE_4
  Kokkos::UnorderedMap<int, int, Exec> map(100);
  Kokkos::UnorderedMap<int, int, Exec> const larger(1000);
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(map, larger); }),
            "Kokkos::deep_copy: the destination, a Kokkos::UnorderedMap, has " + std::to_string(map.capacity()) +
                " indexes, but the source has " + std::to_string(larger.capacity()) + "; the numbers must be equal.");
#endif
  Kokkos::DynRankView<int, Exec> const two("two", 4, 3), three("three", 4, 3, 2);
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(two, three); }),
            "Kokkos::deep_copy: the destination \"two\" has rank 2, but the source \"three\" has rank 3; they must be "
            "equal.");
}

TEST(ContainerMessages, OfSizesThatAreTooLarge) {
  using Map = Kokkos::UnorderedMap<int, int, Exec>;
  EXPECT_EQ(
      thrown_message([] { Map(Kokkos::view_alloc("keys"), 3000000000u); }),
      "Kokkos::UnorderedMap \"keys\": a capacity of 3000000000 elements was requested, but an index can represent at "
      "most 1840700268.");
  Kokkos::Experimental::DynamicView<int*, Exec> chunks("chunks", 4, 10);
  EXPECT_EQ(
      thrown_message([&] { chunks.resize_serial(70); }),
      "Kokkos::DynamicView \"chunks\": resize_serial was called for 70 elements, but the constructor's max_extent "
      "allows only 12. Construct it with a larger max_extent.");
  Kokkos::Experimental::DynamicView<int*, Exec> unnamed("", 4, 10);
  EXPECT_EQ(thrown_message([&] { unnamed.resize_serial(71); }),
            "Kokkos::DynamicView (without a label): resize_serial was called for 71 elements, but the constructor's "
            "max_extent "
            "allows only 12. Construct it with a larger max_extent.");
  using Graph = Kokkos::StaticCrsGraph<int, Exec, void, void, unsigned char>;
  EXPECT_EQ(
      thrown_message([] { Kokkos::create_staticcrsgraph<Graph>("graph", std::vector<int>{200, 57}); }),
      "Kokkos::create_staticcrsgraph(\"graph\"): 257 entries are more than the type of the offsets can count. Give "
      "StaticCrsGraph a larger SizeType, its last template argument.");
  EXPECT_EQ(
      thrown_message([] { Kokkos::Random_SFC64_Pool<Exec>(1, 2, 0x80000007u); }),
      "Kokkos: a pool of random number generators was requested with 2147483655 states. It can have 1 to 2147483647; "
      "omit the number to get one for each concurrent work item.");
}

// In memory of its own, a DualView of const elements cannot receive a copy.
TEST(ContainerMessages, OfSyncsOfConstElements) {
  Kokkos::DualView<int*, Exec> dual("dual", 5);
  Kokkos::DualView<int const*, Exec> const constant = dual;
  auto const text                                   = [&](std::string const& side) {
    return "Kokkos::DualView \"dual\": sync of the " + side +
           " side has changes to copy, but the elements are const. Call sync on the DualView of elements that are not "
                                             "const.";
  };
  if (dual.view_host().data() == dual.view_device().data()) return;  // the sides are one
  auto reader = constant;
  dual.modify_host();
  EXPECT_EQ(thrown_message([&] { reader.sync_device(); }), text("device"));
  dual.sync_device();
  dual.modify_device();
  EXPECT_EQ(thrown_message([&] { reader.sync_host(); }), text("host"));
}

// One bin, whatever the key is.
struct OneBin {
  int bins = 1;
  template <class Keys>
  KOKKOS_FUNCTION int bin(Keys const&, int) const {
    return 0;
  }
  KOKKOS_FUNCTION int max_bins() const { return bins; }
  template <class Keys, class I, class J>
  KOKKOS_FUNCTION bool operator()(Keys const& keys, I const& i, J const& j) const {
    return keys(i) < keys(j);
  }
};

TEST(ContainerMessages, OfSortsOfRanges) {
  Kokkos::View<int*, Exec> const view("view", 10);
  auto const of_sort = [](std::string const& range) {
    return "Kokkos::sort: the range [" + range +
           ") was requested for a view with 10 elements. It must be inside the view, and its end must not come before "
           "its "
           "begin.";
  };
  EXPECT_EQ(thrown_message([&] { Kokkos::sort(view, 3, 12); }), of_sort("3, 12"));
  EXPECT_EQ(thrown_message([&] { Kokkos::sort(Exec(), view, 7, 5); }), of_sort("7, 5"));
  using Sorter       = Kokkos::BinSort<Kokkos::View<int*, Exec>, OneBin, Exec>;
  auto const of_keys = [](std::string const& range) {
    return "Kokkos::BinSort: the range [" + range +
           ") was requested for a view with 10 keys. It must be inside the view.";
  };
  EXPECT_EQ(thrown_message([&] { Sorter(view, 3, 11, OneBin()); }), of_keys("3, 11"));
  EXPECT_EQ(thrown_message([&] { Sorter(view, -1, 5, OneBin()); }), of_keys("-1, 5"));
  EXPECT_EQ(thrown_message([&] { Sorter(view, 5, 4, OneBin()); }), of_keys("5, 4"));
  EXPECT_EQ(thrown_message([&] { Sorter(view, OneBin{-3}); }),
            "Kokkos::BinSort: the bin operator has -3 bins. There must be at least one.");
  Sorter sorter(view, 2, 6, OneBin());
  sorter.create_permute_vector();
  auto const of_values = [](std::string const& range) {
    return "Kokkos::BinSort::sort: values range length != permutation vector length, or not inside the view. The "
           "values [" +
           range + ") of a view with extent 10 were to be sorted by 4 keys.";
  };
  EXPECT_EQ(thrown_message([&] { sorter.sort(view, 2, 7); }), of_values("2, 7"));
  EXPECT_EQ(thrown_message([&] { sorter.sort(Exec(), view, 8, 12); }), of_values("8, 12"));
  EXPECT_EQ(thrown_message([&] { sorter.sort(Exec(), view, -1, 3); }), of_values("-1, 3"));
}

// The last number that is accepted, and the first one that is not.
TEST(ContainerMessages, OfBinsBeyondTheLimit) {
  constexpr int most   = std::numeric_limits<int>::max();
  using Points         = Kokkos::View<float* [3], Exec>;
  float const first[3] = {0, 0, 0}, last[3] = {1, 1, 1};
  auto const of_three = [&](int x, int y, int z) {
    return thrown_message([&] {
      int bins[3] = {x, y, z};
      Kokkos::BinOp3D<Points>(bins, first, last);
    });
  };
  auto const refused = [](std::string const& op, std::string const& bins) {
    return "Kokkos::" + op + ": " + bins + " or more bins were requested. There can be at most 2147483647.";
  };
  EXPECT_EQ(of_three(most, 1, 1), "");
  EXPECT_EQ(of_three(1, 1, most), "");
  EXPECT_EQ(of_three(1 << 16, 1 << 15, 1), refused("BinOp3D", "2147483648"));
  using Keys        = Kokkos::View<int*, Exec>;
  auto const of_one = [](int intervals) { return thrown_message([=] { Kokkos::BinOp1D<Keys>(intervals, 0, 1); }); };
  EXPECT_EQ(of_one(most - 1), "");
  EXPECT_EQ(of_one(most), refused("BinOp1D", "2147483648"));
}

}  // namespace
