// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "TestSpaces.hpp"

#include <cstddef>
#include <cstring>
#include <initializer_list>

namespace {

namespace Text = Kokkos::Impl;

constexpr bool copies_in_a_constant_expression() {
  char text[8] = {};
  Text::strcat(Text::strcpy(text, "ab"), "cd");
  Text::strncat(text, "efgh", 2);
  return Text::strcmp(text, "abcdef") == 0 && Text::strlen(text) == 6;
}
static_assert(copies_in_a_constant_expression());

int sign(int value) { return (value > 0) - (value < 0); }

TEST(StringManipulation, ComparesAsTheStandardLibrary) {
  auto const texts = {"", "a", "ab", "abc", "b", "\xff", "a\xff"};
  for (char const* a : texts)
    for (char const* b : texts) {
      EXPECT_EQ(sign(Text::strcmp(a, b)), sign(std::strcmp(a, b))) << a << " and " << b;
      for (std::size_t n = 0; n < 4; ++n)
        EXPECT_EQ(sign(Text::strncmp(a, b, n)), sign(std::strncmp(a, b, n))) << a << " and " << b << ", " << n;
    }
}

TEST(StringManipulation, CopiesAsTheStandardLibrary) {
  for (char const* from : {"", "a", "abc", "abcdef"}) {
    EXPECT_EQ(Text::strlen(from), std::strlen(from));
    for (std::size_t n = 0; n < 8; ++n) {
      char here[16], there[16];
      std::memset(here, 'x', sizeof here);
      std::memset(there, 'x', sizeof there);
      EXPECT_EQ(Text::strncpy(here, from, n), here);
      std::strncpy(there, from, n);
      EXPECT_EQ(std::memcmp(here, there, sizeof here), 0) << from << ", " << n;
      EXPECT_EQ(Text::strcpy(here, "pq"), here);
      std::strcpy(there, "pq");
      EXPECT_EQ(Text::strncat(here, from, n), here);
      std::strncat(there, from, n);
      EXPECT_EQ(Text::strcat(here, from), here);
      std::strcat(there, from);
      EXPECT_EQ(std::memcmp(here, there, sizeof here), 0) << from << ", " << n;
    }
  }
}

template <class Exec>
class StringManipulationKernel : public testing::Test {};
TYPED_TEST_SUITE(StringManipulationKernel, Kokkos::Testing::ExecutionSpaces);

template <class Exec>
void copy_in_a_kernel() {
  Kokkos::View<char*, Exec> text("text", 8);
  Kokkos::View<int, Exec> order("order");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Exec>(0, 1), KOKKOS_LAMBDA(int) {
        Text::strcat(Text::strcpy(text.data(), "abc"), "de");
        order() = Text::strcmp(text.data(), "abcdf");
      });
  auto const written = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), text);
  auto const result  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), order);
  EXPECT_STREQ(written.data(), "abcde");
  EXPECT_LT(result(), 0);
}

TYPED_TEST(StringManipulationKernel, CopiesAndCompares) { copy_in_a_kernel<TypeParam>(); }

}  // namespace
