// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// On a machine without a GPU, or with all GPUs hidden, initialize reports that in a message, and the program can
/// continue and end in order. Needs no GPU; if there is one, it is hidden.

#include "CommandLine.hpp"
#include "DeviceTest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <thread>

namespace {

using Kokkos::Testing::CommandLine;
using Kokkos::Testing::expect_all;
using Kokkos::Testing::thrown_message;

class NoDevice : public testing::Test {
 protected:
  // Sets the variables before the first call of the runtime, which reads them only once.
  NoDevice() {
    for (char const* variable : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
      setenv(variable, "", 1);
    setenv("HIP_MODEL_DEVICES", "0", 1);
  }
};

TEST_F(NoDevice, IsReportedByInitialize) {
  std::string const message = thrown_message([] { Kokkos::initialize(); });
  std::printf("%s\n", message.c_str());
  expect_all(message, {"Kokkos::initialize: ", Kokkos::Testing::Runtime::vendor, " cannot be used: "});
  // The advice depends on whether there is a driver, and on its version.
  std::string const advice[] = {"Run where there", "unset it", "Install a newer driver", "shows whether driver"};
  EXPECT_TRUE(
      std::any_of(std::begin(advice), std::end(advice), [&](auto& a) { return message.find(a) != message.npos; }));
  EXPECT_EQ(message.back(), '.');
  // All devices are hidden by a variable, and kokkos-doctor finds that.
  expect_all(message, {"kokkos-doctor finds: visible devices: ", "_VISIBLE_DEVICES= is set. Unset it"});
  EXPECT_FALSE(Kokkos::is_initialized());
  EXPECT_FALSE(Kokkos::is_finalized());
}

TEST_F(NoDevice, IsSaidWhateverDeviceIsAskedFor) {
  CommandLine line({"--kokkos-device-id=3"});
  EXPECT_NE(thrown_message([&] { Kokkos::initialize(line.argc, line.argv()); }), "");
  EXPECT_NE(thrown_message([] { Kokkos::initialize(Kokkos::InitializationSettings().set_map_device_id_by("random")); }),
            "");
}

TEST_F(NoDevice, LeavesQuestionsAnswered) {
  EXPECT_EQ(Kokkos::num_devices(), 0);
  EXPECT_EQ(Kokkos::device_id(), -1);
}

// The program ends by returning from main, with static objects destroyed.
TEST_F(NoDevice, LetsTheProgramEnd) {
  EXPECT_EXIT(
      {
        EXPECT_NE(thrown_message([] { Kokkos::initialize(); }), "");
        EXPECT_NE(thrown_message([] { Kokkos::initialize(); }), "") << "a second attempt is refused in the same way";
        std::exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(NoDevice, IsSaidWhereNoOneCatches) {
  // GoogleTest catches exceptions; nothing does so on a thread, as in a main() without a handler.
  EXPECT_DEATH(std::thread([] { Kokkos::ScopeGuard guard; }).join(), "Kokkos::initialize: .* cannot be used");
}

TEST_F(NoDevice, MakesUseBeforeInitializeAbortWithASentence) {
  EXPECT_DEATH(Kokkos::Testing::GPU(), "was called before Kokkos::initialize");
  EXPECT_DEATH(Kokkos::View<int*>("early", 3), "early.* was called before Kokkos::initialize");
}

}  // namespace
