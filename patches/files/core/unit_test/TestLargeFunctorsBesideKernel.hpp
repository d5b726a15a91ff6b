// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_LARGE_FUNCTORS_BESIDE_KERNEL_HPP
#define KOKKOS_TEST_LARGE_FUNCTORS_BESIDE_KERNEL_HPP

// Launches of large functors do not wait for a kernel with a large functor that runs in another instance.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace Test {

namespace LargeFunctorsBesideKernel {

template <int Words>
struct AddOne {
  Kokkos::View<int, TEST_EXECSPACE> sum;
  int words[Words];
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_add(sum.data(), words[0]); }
};

// Runs until the host sets `go`.
template <int Words>
struct WaitForHost {
  int volatile* go;
  int words[Words];
  KOKKOS_FUNCTION void operator()(int) const {
    while (*go == 0) {
    }
  }
};

/// A word in pinned memory that a running kernel can see change. SharedHostPinnedSpace is not coherent on HIP: a kernel
/// may never see what the host writes there.
class WordForKernel {
 public:
  WordForKernel() {
#ifdef KOKKOS_ENABLE_HIP
    KOKKOS_IMPL_HIP_SAFE_CALL(
        hipHostMalloc(reinterpret_cast<void**>(&m_word), sizeof(int), hipHostMallocMapped | hipHostMallocCoherent));
#else
    m_word = static_cast<int*>(Kokkos::kokkos_malloc<Kokkos::SharedHostPinnedSpace>("word for a kernel", sizeof(int)));
#endif
    *m_word = 0;
  }
  ~WordForKernel() {
#ifdef KOKKOS_ENABLE_HIP
    (void)hipHostFree(m_word);
#else
    Kokkos::kokkos_free<Kokkos::SharedHostPinnedSpace>(m_word);
#endif
  }
  WordForKernel(WordForKernel const&)            = delete;
  WordForKernel& operator=(WordForKernel const&) = delete;
  int volatile* data() { return m_word; }

 private:
  int* m_word = nullptr;
};

template <int Words>
void launch_beside_running_kernel() {
  auto parts = Kokkos::Experimental::partition_space(TEST_EXECSPACE(), 1, 1);
  Kokkos::View<int, TEST_EXECSPACE> sum("sum");
  WordForKernel go;
  auto launch = [&] {
    Kokkos::parallel_for("add", Kokkos::RangePolicy<TEST_EXECSPACE>(parts[1], 0, 1), AddOne<Words>{sum, {1}});
  };
  // Buffers are allocated at their first use, which may wait for kernels, so launch more often than there are buffers.
  for (int i = 0; i < 100; ++i) launch();
  parts[1].fence();

  Kokkos::parallel_for("wait", Kokkos::RangePolicy<TEST_EXECSPACE>(parts[0], 0, 1), WaitForHost<Words>{go.data(), {}});
  std::mutex mutex;
  std::condition_variable done_changed;
  bool done = false, too_late = false;
  std::thread watchdog([&] {  // ends the kernel, so that the test fails instead of hanging if a launch waits
    std::unique_lock<std::mutex> lock(mutex);
    too_late   = !done_changed.wait_for(lock, std::chrono::seconds(30), [&] { return done; });
    *go.data() = 1;
  });
  for (int i = 0; i < 20; ++i) launch();
  parts[1].fence();
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  done_changed.notify_one();
  watchdog.join();
  parts[0].fence();
  int on_host = 0;
  Kokkos::deep_copy(on_host, sum);
  EXPECT_EQ(on_host, 120);
  EXPECT_FALSE(too_late) << "launches of functors of " << sizeof(AddOne<Words>) << " bytes waited for a kernel";
}

}  // namespace LargeFunctorsBesideKernel

TEST(TEST_CATEGORY, large_functors_do_not_wait_for_a_running_kernel) {
  LargeFunctorsBesideKernel::launch_beside_running_kernel<250>();
  LargeFunctorsBesideKernel::launch_beside_running_kernel<5000>();
  LargeFunctorsBesideKernel::launch_beside_running_kernel<16000>();
}

}  // namespace Test

#endif
