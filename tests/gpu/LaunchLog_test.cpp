// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The message about the kernels that may have caused an error. Needs no GPU.

#include <impl/GPU/instance/Kokkos_GPU_LaunchLog.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using Kokkos::Impl::LaunchLog;

TEST(LaunchLog, IsSilentWithoutLaunches) {
  LaunchLog log;
  EXPECT_EQ(log.window(), "");
}

TEST(LaunchLog, NamesOneKernel) {
  LaunchLog log;
  log.add("one");
  EXPECT_EQ(log.window(), "the kernel \"one\"");
}

TEST(LaunchLog, NamesAFewOldestFirst) {
  LaunchLog log;
  for (char const* label : {"a", "b", "c"}) log.add(label);
  EXPECT_EQ(log.window(), "one of the 3 kernels launched since the last fence: \"a\", \"b\", \"c\"");
}

TEST(LaunchLog, AFenceThatWentWellClearsIt) {
  LaunchLog log;
  log.add("before");
  log.all_done();
  EXPECT_EQ(log.window(), "");
  log.add("after");
  EXPECT_EQ(log.window(), "the kernel \"after\"");
}

TEST(LaunchLog, KeepsTheLastOfMany) {
  LaunchLog log;
  for (int i = 0; i < 100; ++i) log.add(("kernel " + std::to_string(i)).c_str());
  std::string const window = log.window();
  EXPECT_EQ(window.find("one of the 100 kernels launched since the last fence, the last of which are \"kernel 84\","),
            0u)
      << window;
  EXPECT_NE(window.find("\"kernel 99\""), window.npos);
}

// Labels are kept behind each other: one that has no end would run into the next.
TEST(LaunchLog, KeepsLabelsOfEachLengthApart) {
  for (std::size_t length = 0; length < 2 * LaunchLog::label_size; ++length) {
    LaunchLog log;
    for (std::uint64_t i = 0; i < LaunchLog::length; ++i) log.add(std::string(100, 'y').c_str());
    log.all_done();
    log.add(std::string(length, 'x').c_str());
    log.add("next");
    std::string const kept(std::min(length, LaunchLog::label_size - 1), 'x');
    EXPECT_EQ(log.window(), "one of the 2 kernels launched since the last fence: \"" + kept + "\", \"next\"") << length;
  }
}

TEST(LaunchLog, CutsLongLabels) {
  LaunchLog log;
  log.add(std::string(200, 'x').c_str());
  EXPECT_EQ(log.window(), "the kernel \"" + std::string(LaunchLog::label_size - 1, 'x') + "\"");
  for (int i = 0; i < 16; ++i) log.add("short");
  log.all_done();
  log.add("again");
  EXPECT_EQ(log.window(), "the kernel \"again\"");
}

}  // namespace
