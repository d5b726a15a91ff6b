// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_TEST_HPP
#define KOKKOS_TEST_HIP_MODEL_TEST_HPP

/// \file
/// Common parts of the tests of the HIP model.

#include "hip_model.hpp"
#include "hip_model_device.hpp"
#include "hip_model_rocm6.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#define EXPECT_HIP(call) EXPECT_EQ(call, hipSuccess)
#define ASSERT_HIP(call) ASSERT_EQ(call, hipSuccess)

/// Each test starts under `strict` without reports or faults, and ends without leaks, with exactly the reports that it
/// expected.
class HipModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(hip_model::use_profile("strict"));
    hip_model::clear_faults();
    hip_model::reset_reports();
    (void)hipGetLastError();
  }
  void TearDown() override {
    hip_model::clear_faults();
    EXPECT_EQ(hip_model::check_leaks(), 0u);
    std::string all;
    for (auto const& r : hip_model::reports()) all += r.rule + ": " + r.message + "\n";
    EXPECT_EQ(hip_model::violation_count(), 0u) << all;
    hip_model::reset_reports();
    ASSERT_TRUE(hip_model::use_profile("strict"));
    (void)hipGetLastError();
  }
  /// Checks that the last call violated `rule`, and nothing else was reported since the last check.
  static void expect_violation(char const* rule, int count = 1) {
    EXPECT_EQ(hip_model::violation_count(), static_cast<std::size_t>(count));
    EXPECT_EQ(hip_model::last_report().rule, rule) << hip_model::last_report().message;
    hip_model::reset_reports();
  }
};

/// A kernel that runs until the test lets it end.
class Gate {
 public:
  explicit Gate(hipStream_t stream) {
    auto* flag        = new Flag(m_flag);
    void* arguments[] = {&flag};
    EXPECT_HIP(hipLaunchKernel(hip_model::kernel_entry<&wait>(), 1, 1, arguments, 0, stream));
  }
  ~Gate() { open(); }
  void open() { *m_flag = true; }

 private:
  using Flag = std::shared_ptr<std::atomic<bool>>;  // the stream may read it after the gate was destroyed
  static void wait(Flag* p) {
    std::unique_ptr<Flag> const flag(p);
    while (!**flag) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  Flag m_flag = std::make_shared<std::atomic<bool>>(false);
};

#endif
