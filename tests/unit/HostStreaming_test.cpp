// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies and fills of host memory by ordinary stores and by those that bypass the caches.

#include "FakeRoot.hpp"

#include <Kokkos_Core.hpp>
#include <impl/runtime/doctor/Kokkos_SystemFiles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Kokkos::Impl::copy_side;
using Kokkos::Impl::CopyJob;
using Kokkos::Impl::FillJob;
using Kokkos::Impl::host_cache_bytes;
using Kokkos::Impl::HostBlocks;
using Kokkos::Impl::HostCopyTiles;
using Kokkos::Impl::HostFillElement;
using Kokkos::Impl::HostStreamingStores;
using Kokkos::Impl::SystemFiles;

constexpr std::size_t mebibyte = std::size_t(1) << 20;

/// Bytes that differ from their neighbours, also from those at distances of powers of two.
std::vector<unsigned char> different_bytes(std::size_t n) {
  std::vector<unsigned char> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(i % 251 + 1);
  return bytes;
}

TEST(HostStreamingStores, CopyBlocksOfAnyLengthAndAlignment) {
  constexpr std::size_t five_pages = 5 * 4096;
  auto const from                  = different_bytes(five_pages + 256);
  std::vector<unsigned char> to(five_pages + 512), expected(to.size());
  for (std::size_t const length : {0, 1, 3, 4, 15, 16, 63, 64, 65, 130, 1024, 4096, 4 * 4096 + 70, int(five_pages)})
    for (std::size_t offset = 0; offset < 130; offset += offset < 70 ? 1 : 13) {
      std::size_t const skipped = offset % 7;
      std::fill(expected.begin(), expected.end(), 0);
      for (std::size_t i = 0; i < length; ++i) expected[offset + i] = from[skipped + i];
      for (std::size_t const pages : {1, 4}) {
        std::fill(to.begin(), to.end(), 0);
        HostStreamingStores().copy_in_turn(pages, to.data() + offset, from.data() + skipped, length);
        ASSERT_EQ(to, expected) << length << " bytes at " << offset << ", " << pages << " pages in turn";
      }
    }
}

TEST(HostStreamingStores, PayOffIfTheBytesExceedTheCaches) {
  std::size_t const caches = host_cache_bytes(SystemFiles(""));
  EXPECT_GE(caches, mebibyte);
  for (std::size_t const bytes : {std::size_t(0), mebibyte, caches}) {
    EXPECT_FALSE(HostStreamingStores::pay_off(bytes)) << bytes;
    EXPECT_FALSE(HostStreamingStores::pay_off_in_fill(bytes)) << bytes;
  }
#if defined(__SSE2__)
  EXPECT_TRUE(HostStreamingStores::pay_off(caches + 4 * mebibyte));
#endif
}

TEST(HostCacheBytes, AreTheSumOverAllProcessors) {
  Kokkos::Testing::FakeRoot const root;
  std::size_t const usual = host_cache_bytes(SystemFiles(root.path()));
  EXPECT_EQ(usual, 64 * mebibyte);
  // Four processors, of two threads each, share a cache.
  root.write("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "0-3,64-67");
  EXPECT_EQ(host_cache_bytes(SystemFiles(root.path())), usual);
  root.write("/sys/devices/system/cpu/cpu0/cache/index3/size", "32768K");
  EXPECT_EQ(host_cache_bytes(SystemFiles(root.path())), 32 * mebibyte);
  root.write("/sys/devices/system/cpu/online", "0-127");
  EXPECT_EQ(host_cache_bytes(SystemFiles(root.path())), 16 * 32 * mebibyte);
  root.write("/sys/devices/system/cpu/cpu0/cache/index3/size", "300M");
  EXPECT_EQ(host_cache_bytes(SystemFiles(root.path())), 16 * 300 * mebibyte);
  root.write("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "");
  EXPECT_EQ(host_cache_bytes(SystemFiles(root.path())), usual);
}

/// A matrix whose rows begin at a distance of 700 elements, and a view of 600 of them.
template <class T>
struct Rows {
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  Matrix all{"all", 9, 700};
  Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace> part =
      Kokkos::subview(all, Kokkos::ALL, std::pair<int, int>(33, 633));
};

template <class T>
class HostStreaming : public ::testing::Test {};
using Elements =
    ::testing::Types<char, short, float, double, std::array<int, 3>, std::array<char, 2000>, std::array<char, 5000>>;
TYPED_TEST_SUITE(HostStreaming, Elements);

template <class T>
T element(std::size_t seed) {
  T value;
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<unsigned char>((seed * 31 + i) % 100 + 1);
  return value;
}

template <class T>
FillJob fill_job(T const& value) {
  FillJob job{};
  job.plan.element_bytes = sizeof(T);
  job.element            = &value;
  return job;
}

TYPED_TEST(HostStreaming, BlocksAreFilledAtAnyAddress) {
  TypeParam const value = element<TypeParam>(5);
  HostFillElement const filled(fill_job(value));
  constexpr std::size_t most = sizeof(TypeParam) < 100 ? 2000 : 7;
  std::vector<unsigned char> to(most * sizeof(TypeParam) + 200), expected(to.size());
  for (bool const streamed : {false, true})
    for (std::size_t const n : {0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 65, 129, int(most)})
      for (std::size_t offset = 0; n <= most && offset < 80; offset += offset < 17 ? 1 : 9) {
        std::fill(to.begin(), to.end(), 0);
        std::fill(expected.begin(), expected.end(), 0);
        for (std::size_t i = 0; i < n; ++i)
          std::memcpy(expected.data() + offset + i * sizeof(TypeParam), &value, sizeof(TypeParam));
        HostBlocks(streamed).fill(to.data() + offset, filled, n * sizeof(TypeParam));
        ASSERT_EQ(to, expected) << n << " elements at " << offset << ", streamed: " << streamed;
      }
}

TEST(HostBlocks, AreCopied) {
  for (std::size_t const bytes : {3, 1023, 1024, 5003}) {
    auto const from = different_bytes(bytes);
    std::vector<unsigned char> to(bytes + 1), expected = from;
    expected.push_back(0);
    HostBlocks(true).copy(to.data(), from.data(), bytes);
    ASSERT_EQ(to, expected) << bytes;
  }
}

/// Calls work(first, last) for the shares of three threads.
template <class Work>
void in_three_parts(HostCopyTiles const& tiles, Work const& work) {
  std::size_t const third = tiles.count() / 3;
  work(std::size_t{0}, third);
  work(third, 2 * third);
  work(2 * third, tiles.count());
}

// A tile has the number of elements whose memory, with what is between them, fits into it; at most a line of the cache is read
// for each.
TEST(HostCopyTilesTest, AreShorterForLongerStrides) {
  auto const tiles = [](std::size_t stride) {
    Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const all(
        Kokkos::view_alloc("all", Kokkos::WithoutInitializing), 1 << 18, stride),
        other(Kokkos::view_alloc("other", Kokkos::WithoutInitializing), 1 << 18, stride);
    auto const to = Kokkos::subview(all, Kokkos::ALL, 0), from = Kokkos::subview(other, Kokkos::ALL, 0);
    return HostCopyTiles(plan_copy(sizeof(double), copy_side(to), copy_side(from)), 1).count();
  };
  EXPECT_EQ(tiles(4), 2 * tiles(2));
  EXPECT_EQ(tiles(8), 4 * tiles(2));
  EXPECT_EQ(tiles(32), tiles(8));
}

TYPED_TEST(HostStreaming, RowsAreFilledAndTheirNeighboursKept) {
  TypeParam const value = element<TypeParam>(5), zero{};
  Rows<TypeParam> rows;
  FillJob const job{plan_fill(sizeof(TypeParam), copy_side(rows.part)), rows.part.data(), &value, false};
  HostCopyTiles const tiles(job.plan, 3);
  in_three_parts(tiles, [&](std::size_t first, std::size_t last) { tiles.fill(job, first, last, true); });
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 700; ++j) ASSERT_EQ(rows.all(i, j), j >= 33 && j < 633 ? value : zero) << i << ' ' << j;
}

TYPED_TEST(HostStreaming, RowsAreCopiedAndTheirNeighboursKept) {
  Rows<TypeParam> from, to;
  for (std::size_t i = 0; i < from.all.size(); ++i) from.all.data()[i] = element<TypeParam>(i);
  CopyJob const job{plan_copy(sizeof(TypeParam), copy_side(to.part), copy_side(from.part)), to.part.data(),
                    from.part.data()};
  HostCopyTiles const tiles(job.plan, 3);
  in_three_parts(tiles, [&](std::size_t first, std::size_t last) { tiles.copy(job, first, last, true); });
  TypeParam const zero{};
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 700; ++j)
      ASSERT_EQ(to.all(i, j), j >= 33 && j < 633 ? from.all(i, j) : zero) << i << ' ' << j;
}

/// A function in a stream copies and fills single blocks by tiles, too.
TYPED_TEST(HostStreaming, OneBlockIsCopiedByTiles) {
  Kokkos::View<TypeParam*, Kokkos::HostSpace> x("x", 7'003), y("y", x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x(i) = element<TypeParam>(i);
  CopyJob const job{plan_copy(sizeof(TypeParam), copy_side(y), copy_side(x)), y.data(), x.data()};
  HostCopyTiles const tiles(job.plan, 3);
  in_three_parts(tiles, [&](std::size_t first, std::size_t last) { tiles.copy(job, first, last, true); });
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y(i), x(i)) << i;
}

/// The most elements that one of `threads` threads copies.
template <class View>
std::size_t largest_share(View const& to, View const& from, int threads) {
  CopyJob const job{plan_copy(sizeof(double), copy_side(to), copy_side(from)), to.data(), from.data()};
  HostCopyTiles const tiles(job.plan, threads);
  std::size_t largest = 0;
  for (int rank = 0; rank < threads; ++rank) {
    Kokkos::deep_copy(to, 0.);
    auto const part = Kokkos::Impl::host_part(tiles.count(), rank, threads);
    tiles.copy(job, part.begin, part.end, false);
    std::size_t share = 0;
    for (std::size_t i = 0; i < to.extent(0); ++i)
      for (std::size_t j = 0; j < to.extent(1); ++j) share += to(i, j) != 0;
    largest = std::max(largest, share);
  }
  return largest;
}

TEST(HostCopyTilesTest, ThreadsHaveEqualShares) {
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  for (std::size_t const columns : {1, 2000, 9000})
    for (std::size_t const n : {20'000, 60'000}) {
      std::size_t const rows = n / columns;
      Matrix const x("x", rows, columns + 1), y("y", rows, columns + 1);
      Kokkos::pair<std::size_t, std::size_t> const some(0, columns);
      auto const from = Kokkos::subview(x, Kokkos::ALL, some), to = Kokkos::subview(y, Kokkos::ALL, some);
      Kokkos::deep_copy(from, 1.);
      for (int const threads : {2, 3, 16})
        EXPECT_LE(static_cast<double>(largest_share(to, from, threads)),
                  (columns == 1 ? 1.02 : 1.25) * double(from.size()) / threads)
            << rows << " rows of " << columns << " by " << threads << " threads";
    }
}

/// On a machine whose caches are larger than this, the views would need too much memory for a test.
constexpr std::size_t largest_tested_caches = 512 * mebibyte;

TEST(HostStreamingCopy, IsRightBeyondTheCaches) {
  std::size_t const caches = host_cache_bytes(SystemFiles(""));
  if (caches > largest_tested_caches) GTEST_SKIP() << "The machine's caches have " << caches << " bytes.";
  using Host          = Kokkos::DefaultHostExecutionSpace;
  std::size_t const n = caches / sizeof(double) + mebibyte + 3;
  Kokkos::View<double*, Host> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), n), y("y", n);
  double* const number =
      x.data();  // the loop and comparisons of whole blocks take a tenth of those by View under a sanitizer
  for (std::size_t i = 0; i < n; ++i) number[i] = double(i);
  Kokkos::deep_copy(y, x);
  EXPECT_EQ(std::memcmp(y.data(), x.data(), n * sizeof(double)), 0);
  Kokkos::deep_copy(x, 2.5);
  EXPECT_EQ(x(0), 2.5);
  EXPECT_EQ(std::memcmp(x.data(), x.data() + 1, (n - 1) * sizeof(double)), 0) << "all elements are equal";
}

}  // namespace
