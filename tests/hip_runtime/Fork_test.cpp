// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file A child process of fork() has one thread, and locks that other threads of its parent held stay locked. ROCm
/// documents nothing about calls in the child. On the model no call hangs there, so that tests of programs that fork do
/// not depend on timing.
#include "HipModelTest.hpp"

#include <sys/wait.h>
#include <unistd.h>

using ForkTest = HipModelTest;

// Without this option, the thread sanitizer ends a child process that starts threads.
extern "C" char const* __tsan_default_options() { return "die_after_fork=0"; }

namespace {

constexpr int forks = 30;

// Calls that the model answers under its lock, and others that are counted under a lock of the fault injection.
void call_until(std::atomic<bool> const& end) {
  while (!end) {
    (void)hipStreamQuery(nullptr);
    void* memory = nullptr;
    (void)hipMallocAsync(&memory, 64, nullptr);
    (void)hipFreeAsync(memory, nullptr);
  }
}

/// The exit status of a child that runs `body`; a child that takes more than 200 seconds is killed by a signal.
template <class Body>
int status_of_child(Body body) {
  pid_t const child = fork();
  if (child == 0) {
    alarm(200);
    body();
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

}  // namespace

TEST_F(ForkTest, AChildCallsWhatOtherThreadsWereCalling) {
  std::atomic<bool> end{false};
  std::vector<std::thread> others;
  for (int t = 0; t < 2; ++t) others.emplace_back([&] { call_until(end); });
  int failed = 0;
  for (int i = 0; i < forks && failed == 0; ++i)
    failed += status_of_child([] { EXPECT_HIP(hipGetLastError()), (void)hipStreamQuery(nullptr); }) != 0;
  end = true;
  for (auto& t : others) t.join();
  EXPECT_EQ(failed, 0);
}

// The threads that ran the parent's work wait for more; in the child they do not exist, so it starts others.
TEST_F(ForkTest, AChildRunsWork) {
  static std::atomic<int> calls;
  hipStream_t stream;
  ASSERT_HIP(hipStreamCreate(&stream));
  auto const work = [stream] {
    EXPECT_HIP(hipLaunchHostFunc(stream, [](void*) { ++calls; }, nullptr));
    EXPECT_HIP(hipStreamSynchronize(stream));
  };
  for (int i = 0; i < 5; ++i) {
    calls = 0;
    work();
    EXPECT_EQ(status_of_child([&] {
                work();
                EXPECT_EQ(calls, 2);
              }),
              0);
  }
  EXPECT_HIP(hipStreamDestroy(stream));
}
