// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_TOOLS_TEST_HPP
#define KOKKOS_TEST_TOOLS_TEST_HPP

/// \file
/// A fixture for tests of tools: callbacks that record their arguments, removed after each test.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

namespace Kokkos::Testing {

namespace ToolsExperimental = Kokkos::Tools::Experimental;

/// The records of callbacks, in order. Callbacks are plain functions, so this is global.
inline std::vector<std::string>& events() {
  static std::vector<std::string> all;
  return all;
}

/// May be called by several threads concurrently.
inline void write_down(std::string line) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  events().push_back(std::move(line));
}

class ToolsTest : public ::testing::Test {
 protected:
  ToolsTest() : before_(ToolsExperimental::get_callbacks()) {
    ToolsExperimental::set_callbacks({});
    events().clear();
  }
  ~ToolsTest() override {
    ToolsExperimental::resume_tools();
    ToolsExperimental::set_callbacks(before_);
  }

 private:
  ToolsExperimental::EventSet before_;
};

}  // namespace Kokkos::Testing

#endif
