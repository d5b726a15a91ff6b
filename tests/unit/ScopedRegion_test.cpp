// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::Profiling::ScopedRegion, and regions that are pushed and popped by hand.

#include "ToolsTest.hpp"

#include <stdexcept>
#include <type_traits>

namespace {

using Kokkos::Profiling::ScopedRegion;
using Kokkos::Testing::events;
using Kokkos::Testing::write_down;
using Strings = std::vector<std::string>;

class Regions : public Kokkos::Testing::ToolsTest {
 protected:
  Regions() {
    Kokkos::Tools::Experimental::set_push_region_callback(
        [](char const* name) { write_down(std::string("+") + name); });
    Kokkos::Tools::Experimental::set_pop_region_callback([] { write_down("-"); });
  }
};

TEST_F(Regions, EndWithTheirScope) {
  {
    ScopedRegion outer("outer");
    {
      ScopedRegion inner(std::string("inner"));
    }
    EXPECT_EQ(events(), (Strings{"+outer", "+inner", "-"}));
  }
  EXPECT_EQ(events(), (Strings{"+outer", "+inner", "-", "-"}));
}

TEST_F(Regions, EndWhenAnExceptionLeavesTheScope) {
  try {
    ScopedRegion region("region");
    throw std::runtime_error("");
  } catch (std::runtime_error const&) {
  }
  EXPECT_EQ(events(), (Strings{"+region", "-"}));
}

TEST_F(Regions, CanBePushedUnderBothNames) {
  Kokkos::Profiling::pushRegion("a");
  Kokkos::Tools::pushRegion("b");
  Kokkos::Tools::popRegion();
  Kokkos::Profiling::popRegion();
  EXPECT_EQ(events(), (Strings{"+a", "+b", "-", "-"}));
}

static_assert(!std::is_copy_constructible_v<ScopedRegion> && !std::is_move_constructible_v<ScopedRegion>);
static_assert(!std::is_copy_assignable_v<ScopedRegion> && !std::is_default_constructible_v<ScopedRegion>);
static_assert(!std::is_convertible_v<std::string, ScopedRegion>);

}  // namespace
