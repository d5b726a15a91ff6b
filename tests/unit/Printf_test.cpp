// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::printf, on the host and in kernels.

#include "TestSpaces.hpp"

#include <algorithm>
#include <string>

namespace {

TEST(Printf, FormatsAsTheCFunction) {
  testing::internal::CaptureStdout();
  Kokkos::printf("%d %5.2f %s %x|", 3, 3.14159, "text", 255u);
  Kokkos::printf("plain|");
  Kokkos::printf("100%%");
  static_assert(std::is_void_v<decltype(Kokkos::printf("%d", 1))>);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "3  3.14 text ff|plain|100%");
}

struct PrintIndex {
  KOKKOS_FUNCTION void operator()(int i) const { Kokkos::printf("[%d]\n", i); }
};

template <class Space>
std::string print_in_kernel(int n) {
  testing::internal::CaptureStdout();
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), PrintIndex());
  Kokkos::fence();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

template <class Space>
class PrintfInKernel : public testing::Test {};
TYPED_TEST_SUITE(PrintfInKernel, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(PrintfInKernel, PrintsEveryLineOnce) {
  std::string const printed = print_in_kernel<TypeParam>(20);
  EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 20);
  for (int i = 0; i < 20; ++i) EXPECT_NE(printed.find('[' + std::to_string(i) + ']'), printed.npos) << i;
}

}  // namespace
