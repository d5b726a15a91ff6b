// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised own-program
/// \file
/// Functions that only decide: each with many arguments, at exact limits and beside them. How often each result occurs, or all
/// results, are tables in tests/journals. So a test detects a condition that is wrong for a few of the arguments.

#include "Journal.hpp"
#include "Messages.hpp"

#include <Cuda/Kokkos_Cuda_CopyPolicy.hpp>
#include <HIP/Kokkos_HIP_CopyPolicy.hpp>
#include <Kokkos_Core.hpp>
#include <impl/GPU/launch/Kokkos_GPU_BlockSize.hpp>
#include <impl/GPU/memory/Kokkos_GPU_Granules.hpp>
#include <impl/GPU/memory/Kokkos_GPU_SizeClasses.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingCores.hpp>
#include <impl/Host/Kokkos_Host_CopyRoute.hpp>
#include <impl/Host/Kokkos_Host_League.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>
#include <impl/policy/Kokkos_PolicyErrors.hpp>
#include <impl/policy/Kokkos_TeamShape.hpp>
#include <impl/view/Kokkos_SubviewPlan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Kokkos::Impl;
using Kokkos::Testing::Journal;

/// The same numbers with every standard library.
class Numbers {
 public:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(m_engine() >> 11) % n; }
  bool flag() { return below(2) == 1; }
  template <class T>
  T one_of(std::vector<T> const& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 m_engine{53};
};

/// How often each result occurs, by title.
class Counts {
 public:
  void add(std::string const& title, std::string const& result) { ++m_counts[title][result]; }
  void expect_as_in_journal() const {
    for (auto const& [title, results] : m_counts) {
      std::ostringstream lines;
      for (auto const& [result, count] : results) lines << "  " << count << ": " << result << '\n';
      Journal::of_this_test().add(title, lines.str());
    }
    Journal::of_this_test().expect_as_in("Decisions");
  }

 private:
  std::map<std::string, std::map<std::string, int>> m_counts;
};

/// A line for each call, under one title.
class Lines {
 public:
  template <class... Parts>
  void add(Parts const&... parts) {
    m_lines << "  ";
    ((m_lines << parts), ...);
    m_lines << '\n';
  }
  void end(std::string const& title) {
    Journal::of_this_test().add(title, m_lines.str());
    m_lines.str("");
  }

 private:
  std::ostringstream m_lines;
};

std::vector<std::size_t> around(std::vector<std::size_t> const& limits) {
  std::vector<std::size_t> all;
  for (std::size_t const limit : limits)
    for (std::size_t const n : {limit - 1, limit, limit + 1}) all.push_back(n);
  return all;
}

// ---- copies -------------------------------------------------------------------------------------------------------

/// The answers to all questions of choose().
struct Answers {
  CopyFacts copy;
  MemoryKind dst, src;
  CopyWait wait_for;
  StagingState buffer;
  bool flags[12];

  CopyFacts facts() const { return copy; }
  MemoryKind destination() const { return dst; }
  MemoryKind source() const { return src; }
  CopyWait wait() const { return wait_for; }
  StagingState staging() const { return buffer; }
  bool has_mailbox() const { return flags[0] && flags[1]; }
  bool has_known_source() const { return src == MemoryKind::pageable && !is_on_host(dst) && flags[2]; }
  bool source_may_be_early() const { return flags[3]; }
  bool is_captured() const { return flags[4] && flags[1]; }
  bool graph_keeps_memory() const { return flags[5]; }
  bool may_be_graph_kernel() const { return flags[6]; }
  bool reaches_device() const { return flags[7] || flags[1]; }
  bool is_packed_on_device() const { return flags[8]; }
  bool reports() const { return flags[9]; }
  bool host_is_block() const { return flags[10]; }
  bool takes_slot() const { return flags[11]; }
  bool takes_kernel() const { return flags[9]; }
  bool streams_wait() const { return flags[11] || flags[3]; }
};

TEST(Decisions, RouteOfACopy) {
  using enum MemoryKind;
  Numbers numbers;
  Counts counts;
  auto const sizes = around(
      {1, 64 << 10, 512 << 10, 768 << 10, 1 << 20, 4 << 20, 32 << 20, std::size_t(1) << 30, std::size_t(30) << 30});
  for (int i = 0; i < 60000; ++i) {
    Answers answers{};
    answers.copy     = {numbers.one_of(sizes),
                        numbers.one_of<CopyShape>({CopyShape::block, CopyShape::long_rows, CopyShape::strided}),
                        numbers.one_of<CopyOrder>({CopyOrder::in_stream, CopyOrder::at_once, CopyOrder::after_all})};
    answers.dst      = numbers.one_of<MemoryKind>({pageable, pageable, pinned, managed, device, device, elsewhere});
    answers.src      = numbers.one_of<MemoryKind>({pageable, pageable, pinned, managed, device, device, elsewhere});
    answers.wait_for = numbers.one_of<CopyWait>({CopyWait::nothing, CopyWait::host_memory, CopyWait::end});
    answers.buffer   = numbers.one_of<StagingState>({StagingState::unknown, StagingState::preparing,
                                                     StagingState::unusable, StagingState::usable, StagingState::usable});
    for (bool& flag : answers.flags) flag = numbers.flag();
    for (bool const is_cuda : {false, true}) {
      CopyDecision const decision = choose(answers, is_cuda ? cuda_copy_policy : hip_copy_policy, answers);
      counts.add(std::string(is_cuda ? "CUDA: " : "HIP: ") + memory_kind_name(answers.src) + " to " +
                     memory_kind_name(answers.dst),
                 std::string(copy_method_name(decision.method)) + ", because " + decision.reason);
    }
  }
  counts.expect_as_in_journal();
}

TEST(Decisions, PiecesOfACopy) {
  Lines lines;
  constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
  for (bool const waits : {false, true})
    for (std::size_t const bytes :
         {std::size_t(0), std::size_t(1), 64 * KiB + 1, MiB, 5 * MiB - 3, 64 * MiB, 3000 * MiB + 7}) {
      for (bool const to_device : {false, true})
        lines.add(bytes, " bytes, ", waits ? "waits" : "does not wait", to_device ? ", to the device" : ", to the host",
                  ": buffer ", wanted_staging_bytes(bytes, to_device, waits, cuda_copy_policy), " or ",
                  wanted_staging_bytes(bytes, to_device, waits, hip_copy_policy));
      for (std::size_t const granule : {std::size_t(1), std::size_t(24), 3 * MiB})
        for (StagingSpace const& space : {StagingSpace{MiB, false}, StagingSpace{MiB, true},
                                          StagingSpace{48 * MiB + 64, false}, StagingSpace{48 * MiB + 64, true}})
          for (int const threads : {0, 1, 3, 20}) {
            CopyCut const cut = size_copy(bytes, granule, waits, space, threads, hip_copy_policy);
            if (threads == 3 || (granule == 24 && bytes == MiB))
              lines.add("granule ", granule, ", memory ", space.bytes, space.alone ? " alone" : "", ", ", threads,
                        " threads: ", cut.pieces, " of ", cut.piece, ", ", cut.slabs, " slabs at ", cut.stride,
                        ", chunks of ", cut.chunk, " by ", cut.threads);
            std::size_t const last = bytes - (cut.pieces > 0 ? (cut.pieces - 1) * cut.piece : 0);
            EXPECT_TRUE(cut.pieces == 0 ||
                        (last > 0 && last <= cut.piece && cut.slabs * cut.stride <= std::max(space.bytes, cut.stride)));
          }
    }
  for (int const cores : {1, 2, 3, 7, 15, 16, 17, 64})
    for (double const quota : {0.0, 0.5, 2.0, 3.9, 100.0}) {
      CopySettings settings;
      lines.add(cores, " cores, quota ", quota, ": ", staging_thread_count(settings, cores, quota), " threads");
      settings.threads = 5;
      EXPECT_EQ(staging_thread_count(settings, cores, quota), 5);
    }
  for (char const* const text : {"max 100000", "200000 100000", "150000 100000", "50000 0", "", "x"})
    lines.add(text, ": ", cores_of_quota(text));
  lines.end("copies");
  Journal::of_this_test().expect_as_in("Decisions");
}

std::string words_of(CopyPlan const& plan) {
  std::ostringstream out;
  out << "blocks of " << plan.block;
  for (int d = 0; d < plan.rank; ++d)
    out << " x " << plan.dimension[d].extent << " at " << plan.dimension[d].dst_stride << " from "
        << plan.dimension[d].src_stride;
  return out.str();
}

/// A side whose dimensions have this order in memory, each padded by a few elements.
CopySide side_of(std::vector<std::size_t> const& extents, std::vector<std::size_t> const& order, Numbers& numbers) {
  CopySide side;
  side.rank          = extents.size();
  std::size_t stride = numbers.below(4) == 0 ? 2 : 1;
  for (std::size_t const d : order) {
    side.extent[d] = extents[d];
    side.stride[d] = stride;
    stride *= extents[d] + (numbers.below(3) == 0 ? 1 : 0);
  }
  return side;
}

TEST(Decisions, PlanOfACopy) {
  Numbers numbers;
  Lines lines;
  for (int i = 0; i < 50; ++i) {
    std::vector<std::size_t> extents(numbers.below(5)), order;
    for (std::size_t& extent : extents) extent = numbers.one_of<std::size_t>({0, 1, 2, 3, 4, 6, 6, 4, 9});
    for (std::size_t d = 0; d < extents.size(); ++d)
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(numbers.below(d + 1)), d);
    CopySide const dst = side_of(extents, order, numbers);
    if (numbers.flag()) std::reverse(order.begin(), order.end());
    CopySide const src   = side_of(extents, order, numbers);
    CopyPlan const plan  = plan_copy(4, dst, src);
    CopyPlan const loops = loops_of(plan);
    std::ostringstream title;
    for (std::size_t d = 0; d < extents.size(); ++d)
      title << extents[d] << " at " << dst.stride[d] << " from " << src.stride[d] << ", ";
    lines.add(title.str(), "span ", dst.span(), ": ", words_of(plan), "; loops ", loops.rank, ", ", loops.size(),
              "; fill ", words_of(plan_fill(4, dst)));
    EXPECT_EQ(plan.size(), dst.size());
    for (CopyEnd const end : {CopyEnd::dst, CopyEnd::src}) {
      PackedOrder const packed = packed_order(plan, end);
      std::size_t const limit  = numbers.below(30);
      CopyChunks chunks(packed, limit);
      std::ostringstream all;
      std::size_t total = 0;
      int count         = 0;
      for (CopyChunk chunk; chunks.next(&chunk); total += chunk.count)
        if (++count <= 3)
          all << "; " << chunk.count << " from " << chunk.first << " at " << chunk.own_offset << " and "
              << chunk.other_offset << ", " << words_of(chunk.plan);
      lines.add(" by ", end == CopyEnd::dst ? "dst" : "src", packed.is_dense() ? ", dense" : "",
                packed.other_is_packed() ? ", both" : "", ", run ", packed.run, ", at most ", limit, ": ", count,
                all.str());
      EXPECT_EQ(total, plan.size());
    }
  }
  lines.end("copies");
  Journal::of_this_test().expect_as_in("Decisions");
}

/// Numbers of the bytes that the elements of a side have, and of the first byte of each element in the order of its indices.
struct Places {
  std::set<std::size_t> bytes;
  std::vector<std::size_t> elements;
};
Places places_of(CopySide const& side, std::size_t element_bytes) {
  Places all;
  for (std::size_t i = 0; i < side.size(); ++i) {
    std::size_t at = reinterpret_cast<std::uintptr_t>(side.data), rest = i;
    for (std::size_t r = 0; r < side.rank; rest /= side.extent[r++])
      at += rest % side.extent[r] * side.stride[r] * element_bytes;
    all.elements.push_back(at);
    for (std::size_t b = 0; b < element_bytes; ++b) all.bytes.insert(at + b);
  }
  return all;
}

// A copy is refused only if both sides have an element in common, and then it is if neither has gaps.
TEST(Decisions, SidesOfACopyThatOverlap) {
  static char memory[400];
  Numbers numbers;
  Counts counts;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::size_t> extents(1 + numbers.below(2)), order;
    for (std::size_t& extent : extents) extent = 1 + numbers.below(4);
    for (std::size_t d = 0; d < extents.size(); ++d) order.push_back(d);
    CopySide dst                = side_of(extents, order, numbers), src;
    std::size_t const dst_bytes = numbers.one_of<std::size_t>({1, 4}),
                      src_bytes = numbers.one_of<std::size_t>({4, dst_bytes});
    if (numbers.flag()) std::reverse(order.begin(), order.end());
    src             = side_of(extents, order, numbers);
    dst.data        = memory + 4 * numbers.below(20);
    src.data        = numbers.below(4) == 0 ? dst.data : memory + 4 * numbers.below(20);
    Places const to = places_of(dst, dst_bytes), from = places_of(src, src_bytes);
    bool const share =
        std::any_of(to.bytes.begin(), to.bytes.end(), [&](std::size_t b) { return from.bytes.count(b) > 0; });
    bool const same  = dst_bytes == src_bytes && to.elements == from.elements;
    bool const dense = dst.span() == dst.size() && src.span() == src.size();
    std::string result;
    try {
      result = is_copy_to_itself(dst, dst_bytes, src, src_bytes) ? "is one to itself" : "copies";
    } catch (std::runtime_error const&) {
      result = "is refused";
    }
    EXPECT_EQ(result == "is one to itself", same);
    EXPECT_TRUE(result != "is refused" || share) << "nothing in common";
    EXPECT_TRUE(result != "copies" || !share || !dense) << "the copy would overwrite its source";
    counts.add(std::string(share ? "common elements" : "no common element") + (dense ? ", without gaps" : ""), result);
  }
  counts.expect_as_in_journal();
}

TEST(Decisions, RefusedCopies) {
  static int memory[100];
  auto const side = [](char const* label, std::vector<std::size_t> const& extents, int* data, std::size_t stride = 1) {
    CopySide all;
    all.label = label;
    all.data  = data;
    all.rank  = extents.size();
    for (std::size_t r = 0; r < extents.size(); stride *= extents[r++])
      all.extent[r] = extents[r], all.stride[r] = stride;
    return all;
  };
  Counts counts;
  auto const sides = {side("", {}, memory),         side("x", {}, nullptr),       side("", {3}, memory),
                      side("", {3}, memory + 1),    side("x", {3}, memory + 2),   side("x", {3}, nullptr),
                      side("", {3}, nullptr),       side("", {4}, memory),        side("x", {2, 3}, memory),
                      side("", {2, 3}, memory + 2), side("x", {2, 3}, memory, 2), side("", {0, 3}, nullptr)};
  for (CopySide const& dst : sides)
    for (CopySide const& src : sides) {
      std::string const message = Kokkos::Testing::thrown_message([&] {
        require_copyable(dst, src);
        (void)is_copy_to_itself(dst, sizeof(int), src, sizeof(int));
      });
      if (!message.empty()) counts.add("copies", message);
    }
  counts.expect_as_in_journal();
}

// ---- memory -------------------------------------------------------------------------------------------------------

TEST(Decisions, SizesOfDeviceMemory) {
  using Sizes = GPUSizeClasses;
  Lines lines;
  std::vector<std::size_t> limits;
  for (int c = 0; c < Sizes::count; ++c) {
    std::size_t const bytes = Sizes::bytes_of(c);
    lines.add("class ", c, ": ", bytes, " bytes, in ", Sizes::superblock_bytes(c));
    limits.push_back(bytes);
  }
  for (std::size_t const bytes : around(limits))
    if (bytes <= Sizes::largest_in_superblock) lines.add(bytes, ": class ", Sizes::of(bytes));
  std::size_t const MiB = std::size_t(1) << 20;
  for (std::size_t const bytes : around({MiB, 2 * MiB, 3 * MiB, 4 * MiB, 64 * MiB, 1000 * MiB, ~std::size_t(0) - 1})) {
    std::ostringstream text;
    for (std::size_t const in_use : {0 * MiB, 8 * MiB, 100 * MiB, 4000 * MiB})
      for (std::size_t const largest : {8 * MiB, 12 * MiB, 256 * MiB})
        text << ' ' << Sizes::slab_bytes(bytes, in_use, largest);
    lines.add(bytes, ": region of ", Sizes::region_bytes(bytes), ", slabs of", text.str());
    if (bytes > 2000 * MiB) continue;
    for (std::size_t const region : around({bytes, bytes + bytes / 4 + Sizes::granule}))
      lines.add(bytes, " in ", region, Sizes::fits(region, bytes) ? ": fits" : ": does not fit");
  }
  lines.end("sizes");
  Journal::of_this_test().expect_as_in("Decisions");
}

TEST(Decisions, GranulesOfASlab) {
  Lines lines;
  for (int const count : {1, 2, 7, 63, 64}) {
    Numbers numbers;
    GPUGranules granules(count);
    std::vector<int> taken;
    std::ostringstream text;
    for (int i = 0; i < 120; ++i) {
      if (taken.empty() || numbers.below(5) < 3) {
        int const length = 1 + static_cast<int>(numbers.below(numbers.flag() ? 3 : static_cast<std::size_t>(count)));
        int const first  = granules.take(length);
        text << ' ' << length << '@' << first;
        if (first >= 0) taken.push_back(first);
      } else {
        auto const at = taken.begin() + static_cast<std::ptrdiff_t>(numbers.below(taken.size()));
        text << " -" << granules.length(*at) << '@' << *at;
        granules.put(*at);
        taken.erase(at);
      }
      if (i % 40 == 39) text << " (" << granules.free_count() << " free)";
    }
    lines.add(count, ':', text.str());
  }
  lines.end("granules");
  Journal::of_this_test().expect_as_in("Decisions");
}

// ---- hosts --------------------------------------------------------------------------------------------------------

TEST(Decisions, LeaguesOfHosts) {
  Lines lines;
  for (int const threads : {1, 2, 7, 64})
    for (int const team : {1, 2, 3, 64})
      for (int const league : {0, 1, 5, 1000})
        for (std::size_t const scratch : {std::size_t(0), std::size_t(1), std::size_t(64), std::size_t(65)}) {
          if (team > threads) continue;
          TeamShape shape;
          shape.league_size           = league;
          shape.team_size             = team;
          shape.scratch[0].per_team   = scratch;
          shape.scratch[1].per_thread = scratch / 2;
          shape.scratch[0].per_thread = scratch == 65 ? 5 : 0;
          std::ostringstream text;
          for (bool const dynamic : {false, true})
            for (std::size_t const functor : {0, 17}) {
              HostLeague const all("Space", shape, threads, dynamic, functor);
              text << ' ' << all.bytes() << (all.is_for_one_thread() ? " alone" : "");
              if (league > 0) text << " by " << all.workers(threads);
            }
          lines.add(league, " teams of ", team, ", ", threads, " threads, ", scratch, " bytes:", text.str());
        }
  for (int const threads : {1, 2, 100})
    for (std::size_t const per_team : {0, 1000000})
      for (std::size_t const per_thread : {0, 100000, 600000}) {
        TeamShape shape;
        shape.scratch[0].per_team   = per_team;
        shape.scratch[0].per_thread = per_thread;
        lines.add("of ", threads, " threads with ", per_team, " and ", per_thread, " bytes: teams of ",
                  host_team_size_with_scratch(shape, threads, [](int size) { return std::size_t(1000) * size; }));
      }
  lines.end("leagues");
  Journal::of_this_test().expect_as_in("Decisions");
}

// Whatever the tiles are, each element is copied or filled once, and no other byte changes.
TEST(Decisions, TilesOfCopiesOnHosts) {
  Numbers numbers;
  Lines lines;
  for (int i = 0; i < 120; ++i) {
    std::vector<std::size_t> extents(1 + numbers.below(3)), order;
    for (std::size_t& extent : extents) extent = numbers.one_of<std::size_t>({1, 2, 5, 33, 127, 300, 1000, 5000});
    for (std::size_t d = 0; d < extents.size(); ++d)
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(numbers.below(d + 1)), d);
    CopySide const dst = side_of(extents, order, numbers);
    if (numbers.flag()) std::reverse(order.begin(), order.end());
    CopySide const src              = side_of(extents, order, numbers);
    std::size_t const element_bytes = numbers.one_of<std::size_t>({1, 2, 4, 8, 12, 16, 40});
    if (dst.span() * element_bytes > (std::size_t(3) << 19) || src.span() * element_bytes > (std::size_t(1) << 20))
      continue;
    CopyPlan const plan = plan_copy(element_bytes, dst, src), fill = plan_fill(element_bytes, dst);
    std::vector<unsigned char> from(src.span() * element_bytes), to(dst.span() * element_bytes, 0xee),
        expected = to, filled = to, expected_fill = to;
    for (std::size_t b = 0; b < from.size(); ++b) from[b] = static_cast<unsigned char>(b * 7 + b / 251);
    unsigned char element[40];
    for (int b = 0; b < 40; ++b) element[b] = static_cast<unsigned char>(i % 3 == 0 ? 100 : 100 + b);
    std::size_t size = 1;
    for (std::size_t const extent : extents) size *= extent;
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t rest = k, at = 0, source = 0;
      for (std::size_t d = 0; d < extents.size(); ++d) {
        at += rest % extents[d] * dst.stride[d];
        source += rest % extents[d] * src.stride[d];
        rest /= extents[d];
      }
      std::memcpy(expected.data() + at * element_bytes, from.data() + source * element_bytes, element_bytes);
      std::memcpy(expected_fill.data() + at * element_bytes, element, element_bytes);
    }
    std::ostringstream text;
    for (int const threads : {1, 2, 5, 64}) {
      HostCopyTiles const tiles(plan, threads), of_fill(fill, threads);
      text << ' ' << tiles.count() << (tiles.for_one_thread() ? " alone" : "") << " and " << of_fill.count()
           << (of_fill.for_one_thread() ? " alone" : "");
      bool const streamed = numbers.flag();
      std::fill(to.begin(), to.end(), 0xee);
      std::fill(filled.begin(), filled.end(), 0xee);
      // In parts, from the last one.
      std::size_t const parts = 1 + numbers.below(4);
      for (std::size_t part = parts; part-- > 0;) {
        tiles.copy({plan, to.data(), from.data()}, tiles.count() * part / parts, tiles.count() * (part + 1) / parts,
                   streamed);
        of_fill.fill({fill, filled.data(), element, i % 3 == 0}, of_fill.count() * part / parts,
                     of_fill.count() * (part + 1) / parts, streamed);
      }
      EXPECT_TRUE(to == expected) << "case " << i << ", copy by " << threads;
      EXPECT_TRUE(filled == expected_fill) << "case " << i << ", fill by " << threads;
    }
    if (HostStridedRuns::suits(plan)) {
      std::fill(to.begin(), to.end(), 0xee);
      HostStridedRuns const runs({plan, to.data(), from.data()});
      std::size_t const count = plan.dimension[0].extent;
      runs.copy(count / 2, count);
      runs.copy(0, count / 2);
      EXPECT_TRUE(to == expected) << "case " << i;
      text << ", runs" << (runs.for_one_thread(count) ? " alone" : "");
      for (std::size_t n : around({1000, 100000})) text << (runs.for_one_thread(n) ? '1' : '0');
    }
    lines.add(plan.rank, " of ", plan.block, " x ", element_bytes, " bytes:", text.str());
  }
  lines.end("tiles");
  Journal::of_this_test().expect_as_in("Decisions");
}

// ---- launches -----------------------------------------------------------------------------------------------------

GPUProperties device_like(bool is_cuda) {
  GPUProperties device;
  device.warp_size                  = is_cuda ? 32 : 64;
  device.multiprocessors            = is_cuda ? 132 : 104;
  device.threads_per_block          = 1024;
  device.threads_per_multiprocessor = 2048;
  device.blocks_per_multiprocessor  = 32;
  device.registers_per_block        = 65536;
  device.shared_per_block           = is_cuda ? 227 * 1024 : 64 * 1024;
  device.shared_per_multiprocessor  = is_cuda ? 228 * 1024 : 64 * 1024;
  device.shared_reserved            = is_cuda ? 1024 : 0;
  return device;
}

TEST(Decisions, ThreadsOfABlock) {
  Lines lines;
  for (bool const is_cuda : {true, false}) {
    GPUProperties const device = device_like(is_cuda);
    for (int const most : {1024, 640, 256})
      for (int const registers : {0, 32, 33, 40, 64, 72, 255})
        for (std::size_t const shared : {std::size_t(0), std::size_t(8) << 10, std::size_t(60) << 10}) {
          GPUKernelNeeds const kernel{most, registers, shared};
          std::ostringstream text;
          for (int const threads : {32, 65, 256, 1024}) text << ' ' << gpu_resident_blocks(device, kernel, threads);
          text << ", threads";
          for (std::uint64_t const n : {std::uint64_t(1), std::uint64_t(20000), std::uint64_t(67584),
                                        std::uint64_t(67585), std::uint64_t(1) << 40})
            for (unsigned const bound : {0u, 100u}) text << ' ' << gpu_block_threads(device, kernel, n, bound);
          text << ' ' << gpu_block_threads(device, kernel, 100000, 0, 1024, 2, 128) << ", teams";
          for (int const league : {10, 10000})
            for (int const lanes : {1, 8, 32})
              text << ' ' << gpu_team_size(device, kernel, league, lanes, most / lanes, [&](int size) {
                return 1024 + shared + static_cast<std::size_t>(size) * 8;
              });
          lines.add(device.warp_size, " lanes, at most ", most, ", ", registers, " registers, ", shared,
                    " bytes: blocks", text.str());
        }
  }
  lines.end("kernels");
  Journal::of_this_test().expect_as_in("Decisions");
}

TEST(Decisions, SharesOfThreads) {
  Lines lines;
  for (std::uint64_t const n : {0ull, 1ull, 7ull, 8191ull, 8192ull, 8193ull, 1000000ull, 4611686018427387904ull})
    for (int const size : {1, 2, 3, 8, 129}) {
      std::ostringstream text;
      std::uint64_t at = 0;
      for (int rank = 0; rank < size; ++rank) {
        HostPart const part = host_part(n, rank, size);
        if (rank < 2 || rank + 2 >= size) text << ' ' << part.begin << '-' << part.end;
        if (!part.empty()) {
          EXPECT_EQ(part.begin, at);
          at = part.end;
        }
      }
      EXPECT_EQ(at, n) << size;
      lines.add(n, " by ", size, ", chunk ", host_default_chunk(n, size), ':', text.str());
    }
  lines.end("hosts");
  Journal::of_this_test().expect_as_in("Decisions");
}

// ---- policies -----------------------------------------------------------------------------------------------------

TEST(Decisions, RefusedPolicies) {
  Lines lines;
  auto const refusal = [&](auto const&... parts) {
    return [&, text = (std::ostringstream() << ... << parts).str()](auto const& call) {
      std::string const words = Kokkos::Testing::thrown_message(call);
      lines.add(text, ": ", words.empty() ? "accepted" : words);
    };
  };
  for (int const max : {0, 1, 2, 1024})
    for (int const size : {-1, 0, 1, 2, 3, 1024, 1025})
      refusal("team of ", size, ", at most ", max)([&] { require_team_size("Space", size, max); });
  for (int const level : {0, 1})
    for (std::size_t const bytes : {99, 100, 101})
      refusal("level ", level, ", ", bytes, " bytes")([&] { require_scratch_size("Space", level, bytes, 100); });
  for (int const level : {-1, 0, 1, 2}) refusal("level ", level)([&] { (void)checked_scratch_level(level); });
  for (std::size_t const bytes : {scratch_bytes_max - 1, scratch_bytes_max, scratch_bytes_max + 1, ~std::size_t(0)})
    refusal(bytes, " bytes")([&] { (void)checked_scratch_bytes(bytes); });
  for (std::int64_t const n : {-1ll, 0ll, 2147483647ll, 2147483648ll})
    refusal("number ", n)([&] { (void)checked_team_number("league size", n); });
  for (int const bits : {8, 16, 32, 64})
    for (bool const is_signed : {false, true})
      lines.add(bits, is_signed ? " bits, signed: " : " bits, unsigned: ",
                describe_bound("RangePolicy", AnyInteger::of(-5), bits, is_signed), ' ',
                describe_bound("MDRangePolicy", AnyInteger::of(5000000000ull), bits, is_signed));
  for (int const dim : {-1, 0, 7})
    lines.add("dimension ", dim, ": ", describe_inverted("RangePolicy", dim, AnyInteger::of(3), AnyInteger::of(-3)));
  lines.end("policies");
  Journal::of_this_test().expect_as_in("Decisions");
}

// ---- subviews -----------------------------------------------------------------------------------------------------

// Every choice of slices of up to four dimensions. A subview's type is a constant; here the function runs.
TEST(Decisions, LayoutsOfSubviews) {
  Counts counts;
  Lines lines;
  for (LayoutKind const layout : {LayoutKind::left, LayoutKind::right, LayoutKind::stride})
    for (std::size_t rank = 0; rank <= 4; ++rank) {
      std::size_t choices = 1;
      for (std::size_t r = 0; r < rank; ++r) choices *= 3;
      for (std::size_t fixed = 0; fixed <= rank; ++fixed)
        for (std::size_t choice = 0; choice < choices; ++choice) {
          SubviewInput in{layout, rank, {}, {}};
          std::string slices;
          for (std::size_t r = 0, rest = choice; r < rank; ++r, rest /= 3) {
            in.kind[r]          = rest % 3 == 0 ? SliceKind::all : rest % 3 == 1 ? SliceKind::index : SliceKind::range;
            in.static_extent[r] = r + fixed >= rank ? r + 2 : 0;
            slices += rest % 3 == 0 ? 'a' : rest % 3 == 1 ? 'i' : 'r';
          }
          SubviewPlan const plan = plan_subview(in);
          std::string result     = plan.keeps_layout ? "kept" : "strided";
          for (std::size_t d = 0; d < plan.rank; ++d)
            result += ' ' + std::to_string(plan.source[d]) +
                      (d < plan.rank_dynamic ? "" : "=" + std::to_string(plan.static_extent[d]));
          if (rank <= 2)
            lines.add("layout ", static_cast<int>(layout), ", slices ", slices, ", ", fixed, " fixed: ", result);
          counts.add("layout " + std::to_string(static_cast<int>(layout)) + ", rank " + std::to_string(rank), result);
        }
    }
  lines.end("up to two dimensions");
  counts.expect_as_in_journal();
}

}  // namespace
