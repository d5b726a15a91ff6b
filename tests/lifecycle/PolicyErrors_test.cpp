// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Errors of a policy name the line that constructs it, or, in a launch with a number of iterations, the kernel. Each
/// TEST runs in a separate process, because with deprecated code of version 4 these are warnings, and a run prints one.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>

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

}  // namespace
