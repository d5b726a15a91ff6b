// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Errors of a policy name the line that constructs it, or, in a launch with a number of iterations, the kernel. Each
/// TEST runs in a separate process, because with deprecated code of version 4 these are warnings, and a run prints one.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Range = Kokkos::RangePolicy<Space>;

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
constexpr bool only_warns = true;
#else
constexpr bool only_warns = false;
#endif

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

/// The warning or the exception of a function that makes a policy.
template <class Function>
std::string complaint(Function const& make) {
  Kokkos::ScopeGuard const kokkos;
  std::string thrown;
  testing::internal::CaptureStderr();
  try {
    make();
  } catch (std::runtime_error const& error) {
    thrown = error.what();
  }
  return testing::internal::GetCapturedStderr() + thrown;
}

/// A function whose text is on one line constructs its policy on that line.
struct Maker {
  int line;
  void (*make)();
  /// For the names of tests.
  friend void PrintTo(Maker const& maker, std::ostream* out) { *out << "line_" << maker.line; }
};
#define KOKKOS_TEST_MAKER(...)    \
  Maker {                         \
    __LINE__, [] { __VA_ARGS__; } \
  }

const Maker inverted[] = {
    KOKKOS_TEST_MAKER(Range(10, 5)),
    KOKKOS_TEST_MAKER(Range(10, 5, Kokkos::ChunkSize(2))),
    KOKKOS_TEST_MAKER(Range(Space(), 10, 5)),
    KOKKOS_TEST_MAKER(Range(Space(), 10, 5, Kokkos::ChunkSize(2))),
    KOKKOS_TEST_MAKER(Kokkos::RangePolicy(10.5, 5.5)),
    KOKKOS_TEST_MAKER(Kokkos::parallel_for("launch", Range(10, 5), Nothing())),
};
class InvertedBounds : public testing::TestWithParam<Maker> {};

TEST_P(InvertedBounds, NameTheLineOfThePolicy) {
  std::string const place = "PolicyErrors_test.cpp:" + std::to_string(GetParam().line) + ".";
  std::string const text  = complaint(GetParam().make);
  EXPECT_NE(text.find("Kokkos::RangePolicy bounds error: The lower bound (10) is greater than the upper bound (5)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("The policy is constructed in "), std::string::npos) << text;
  EXPECT_NE(text.find(place), std::string::npos) << text;
}
INSTANTIATE_TEST_SUITE_P(Ranges, InvertedBounds, testing::ValuesIn(inverted), testing::PrintToStringParamName());

using Narrow = Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>;
// Its own bounds fit, so only the conversion can complain.
using Wide = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

Maker const too_wide[] = {
    KOKKOS_TEST_MAKER(Narrow(0, std::int64_t{1} << 40)),
    KOKKOS_TEST_MAKER(Narrow(-(std::int64_t{1} << 40), 0)),
    KOKKOS_TEST_MAKER(Narrow narrow(Wide(0, std::int64_t{1} << 40))),
    KOKKOS_TEST_MAKER(Narrow narrow(Wide(-(std::int64_t{1} << 40), 0))),
};
class BoundsThatDoNotFit : public testing::TestWithParam<Maker> {};

TEST_P(BoundsThatDoNotFit, NameTheLineOfThePolicy) {
  std::string const place = "PolicyErrors_test.cpp:" + std::to_string(GetParam().line) + ".";
  std::string const text  = complaint(GetParam().make);
  EXPECT_NE(text.find("1099511627776 does not fit the policy's index type"), std::string::npos) << text;
  EXPECT_NE(text.find(place), std::string::npos) << text;
}
INSTANTIATE_TEST_SUITE_P(Ranges, BoundsThatDoNotFit, testing::ValuesIn(too_wide), testing::PrintToStringParamName());

using Teams = Kokkos::TeamPolicy<Space>;
using Team  = Teams::member_type;
struct TeamKernel {
  KOKKOS_FUNCTION void operator()(Team const&) const {}
};

TEST(PolicyErrors, OfAVectorLengthAreReportedOnce) {
  std::string const text = complaint([] {
    for (int right = 1; right <= Teams::vector_length_max(); right *= 2) Teams(1, 1, right);
    Teams(1, 1, 3);
    Teams(1, 1, 1 << 20);
  });
  EXPECT_EQ(
      text.find("Kokkos warning: Kokkos::TeamPolicy was given the vector length 3; allowed are powers of two from 1"),
      0u)
      << text;
  EXPECT_EQ(text.find("1048576"), std::string::npos) << text;
}

TEST(PolicyErrors, OfAVectorLengthOf0) {
  std::string const text = complaint([] { Teams(1, 1, 0); });
  EXPECT_EQ(text.find("Kokkos warning: Kokkos::TeamPolicy was given the vector length 0; allowed are powers"), 0u)
      << text;
  EXPECT_NE(text.find("The length is 1 here"), std::string::npos) << text;
}

// With deprecated code of version 4 a warning, otherwise an error. Programs for Kokkos 4 rely on it.
TEST(PolicyErrors, OfMoreScratchMemoryThanProgramsCanRelyOn) {
  std::string const text = complaint([] {
    Teams policy(1, 1);
    Kokkos::parallel_for("most", policy.set_scratch_size(1, Kokkos::PerTeam(Teams::scratch_size_max(1))), TeamKernel());
    for (int i = 0; i < 2; ++i)
      Kokkos::parallel_for("greedy", policy.set_scratch_size(1, Kokkos::PerThread(8)), TeamKernel());
    Kokkos::fence();
  });
  auto const first       = text.find("bytes of scratch memory of level 1 per team");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("bytes of scratch memory", first + 1), std::string::npos) << text;
  EXPECT_NE(text.find("In the kernel \"greedy\"."), std::string::npos) << text;
  EXPECT_EQ(text.find("Kokkos warning") == 0, only_warns) << text;
}

// Devices count with 32 bits by default.
TEST(PolicyErrors, OfACountNameTheKernel) {
  if (sizeof(Range::index_type) == sizeof(std::uint64_t)) GTEST_SKIP() << Space::name() << " counts with 64 bits";
  std::string const text = complaint([] { Kokkos::parallel_for("halo", std::uint64_t{1} << 32, Nothing()); });
  EXPECT_NE(text.find("the bound 4294967296 does not fit"), std::string::npos) << text;
  EXPECT_NE(text.find("In the kernel \"halo\"."), std::string::npos) << text;
  EXPECT_EQ(text.find("The policy is constructed"), std::string::npos) << text;
}

// ---- several dimensions ---------------------------------------------------------------------------------------------

using Tiles                  = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>, Kokkos::IndexType<int>>;
using Points                 = Kokkos::Array<std::int64_t, 2>;
using List                   = std::initializer_list<std::int64_t>;
constexpr std::int64_t wide  = std::int64_t{1} << 40;
std::int64_t const origin[2] = {0, 0}, behind[2] = {5, -1}, beyond[2] = {wide, 1}, tile[2] = {2, 2};
Points const from_origin{0, 0}, to_behind{5, -1}, to_beyond{1, wide}, tiles{2, 2};

/// A complaint about bounds, and functions that make a policy with such bounds by each constructor.
struct MakersOf {
  std::string complaint;
  std::vector<Maker> makers;
};
std::vector<MakersOf> const of_tiles = {
    {"The lower bound (0) is greater than the upper bound (-1) in dimension 1.",
     {
         KOKKOS_TEST_MAKER(Tiles({0, 0}, {5, -1})),
         KOKKOS_TEST_MAKER(Tiles({0, 0}, {5, -1}, {2, 2})),
         KOKKOS_TEST_MAKER(Tiles(Space(), {0, 0}, {5, -1})),
         KOKKOS_TEST_MAKER(Tiles(Space(), {0, 0}, {5, -1}, {2, 2})),
         KOKKOS_TEST_MAKER(Tiles(origin, behind)),
         KOKKOS_TEST_MAKER(Tiles(origin, behind, tile)),
         KOKKOS_TEST_MAKER(Tiles(Space(), origin, behind)),
         KOKKOS_TEST_MAKER(Tiles(Space(), origin, behind, tile)),
         KOKKOS_TEST_MAKER(Tiles(from_origin, to_behind)),
         KOKKOS_TEST_MAKER(Tiles(from_origin, to_behind, tiles)),
         KOKKOS_TEST_MAKER(Tiles(Space(), from_origin, to_behind)),
         KOKKOS_TEST_MAKER(Tiles(Space(), from_origin, to_behind, tiles)),
         KOKKOS_TEST_MAKER(Tiles(List{0, 0}, List{5, -1})),
         KOKKOS_TEST_MAKER(Tiles(List{0, 0}, List{5, -1}, List{2, 2})),
         KOKKOS_TEST_MAKER(Tiles(Space(), List{0, 0}, List{5, -1})),
         KOKKOS_TEST_MAKER(Tiles(Space(), List{0, 0}, List{5, -1}, List{2, 2})),
     }},
    {"The lower bound (3) is greater than the upper bound (2) in dimension 0.",
     {KOKKOS_TEST_MAKER(Tiles({3, 0}, {2, 5}))}},
    {"1099511627776 does not fit the policy's index type",
     {
         KOKKOS_TEST_MAKER(Tiles({0, 0}, {wide, std::int64_t(1)})),
         KOKKOS_TEST_MAKER(Tiles({-wide, std::int64_t(0)}, {1, 1})),
         KOKKOS_TEST_MAKER(Tiles(Space(), {std::int64_t(0), -wide}, {1, 1}, {2, 2})),
         KOKKOS_TEST_MAKER(Tiles(origin, beyond)),
         KOKKOS_TEST_MAKER(Tiles(Space(), origin, beyond, tile)),
         KOKKOS_TEST_MAKER(Tiles(from_origin, to_beyond)),
         KOKKOS_TEST_MAKER(Tiles(Space(), from_origin, to_beyond, tiles)),
         KOKKOS_TEST_MAKER(Tiles(Points{-wide, 0}, from_origin)),
         KOKKOS_TEST_MAKER(Tiles(Space(), Points{0, -wide}, from_origin, tiles)),
         KOKKOS_TEST_MAKER(Tiles(List{0, 0}, List{wide, 1})),
         KOKKOS_TEST_MAKER(Tiles(Space(), List{0, 0}, List{1, wide}, List{2, 2})),
     }},
};

/// As `complaint`, in a child process: a warning is printed once.
std::string complaint_of_child(Maker const& maker) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  pid_t const child = ::fork();
  if (child == 0) {
    std::string const text = complaint(maker.make);
    (void)!::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof(buffer))) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

TEST(PolicyErrors, OfSeveralDimensionsNameTheLineOfThePolicy) {
  for (auto const& [words, makers] : of_tiles)
    for (Maker const& maker : makers) {
      std::string const text = complaint_of_child(maker);
      EXPECT_NE(text.find(words), std::string::npos) << maker.line << ": " << text;
      EXPECT_NE(text.find("PolicyErrors_test.cpp:" + std::to_string(maker.line) + "."), std::string::npos)
          << maker.line << ": " << text;
    }
}

// The smallest and the largest bounds that are right.
TEST(PolicyErrors, ThereAreNoneForBoundsThatFit) {
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  EXPECT_EQ(complaint([=] {
              for (int d = 0; d < 2; ++d)
                for (auto const& [low, high] : {std::pair(0, 0), std::pair(5, 5), std::pair(-1, 0), std::pair(-3, -3),
                                                std::pair(most - 1, most), std::pair(least, least + 1)}) {
                  Points lower{0, 0}, upper{0, 5};
                  lower[d] = low;
                  upper[d] = high;
                  Tiles const policy(lower, upper);
                  Tiles const in_space(Space(), lower, upper, tiles);
                  EXPECT_EQ(policy.m_lower[d], low);
                  EXPECT_EQ(in_space.m_upper[d], high);
                  (void)Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(low, high);
                }
            }),
            "");
}

}  // namespace
