// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::Profiling::ProfilingSection.

#include "ToolsTest.hpp"

#include <type_traits>

namespace {

using Kokkos::Profiling::ProfilingSection;
using Kokkos::Testing::events;
using Kokkos::Testing::write_down;
using Strings = std::vector<std::string>;

void create(char const* name, std::uint32_t* section) {
  static std::uint32_t next = 0;
  *section                  = ++next;
  write_down("create " + std::string(name) + ' ' + std::to_string(*section));
}

class Sections : public Kokkos::Testing::ToolsTest {
 protected:
  Sections() {
    using namespace Kokkos::Tools::Experimental;
    set_create_profile_section_callback(create);
    set_start_profile_section_callback([](std::uint32_t s) { write_down("start " + std::to_string(s)); });
    set_stop_profile_section_callback([](std::uint32_t s) { write_down("stop " + std::to_string(s)); });
    set_destroy_profile_section_callback([](std::uint32_t s) { write_down("destroy " + std::to_string(s)); });
  }
};

TEST_F(Sections, OverlapAndKeepTheirNumbers) {
  {
    ProfilingSection a("a");
    ProfilingSection b("b");
    a.start();
    b.start();
    a.stop();
    a.start();
    b.stop();
    a.stop();
  }
  EXPECT_EQ(events(), (Strings{"create a 1", "create b 2", "start 1", "start 2", "stop 1", "start 1", "stop 2",
                               "stop 1", "destroy 2", "destroy 1"}));
}

static_assert(!std::is_copy_constructible_v<ProfilingSection> && !std::is_move_constructible_v<ProfilingSection>);
static_assert(!std::is_copy_assignable_v<ProfilingSection>);

}  // namespace
