// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_KERNEL_WATCH_HPP
#define KOKKOS_TEST_KERNEL_WATCH_HPP

/// \file
/// Checks that the kernels of a call run in one instance, as tools see them. With the default instance, a function that
/// ignores its argument is right, too; so use one of two partitions.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace Kokkos::Testing {

/// Records the kernels and fences that begin while it exists; the kernels with the numbers of their instances. One exists
/// at a time.
class KernelWatch {
 public:
  struct Kernel {
    std::string name;
    std::uint32_t device;
  };
  KernelWatch() {
    seen().clear();
    order().clear();
    set(see, see_fence);
  }
  ~KernelWatch() { set(nullptr, nullptr); }
  KernelWatch(KernelWatch const&)            = delete;
  KernelWatch& operator=(KernelWatch const&) = delete;

  /// The kernels of this watch, or of the last one.
  static std::vector<Kernel>& seen() {
    static std::vector<Kernel> kernels;
    return kernels;
  }
  /// 'k' for each kernel and 'f' for each fence, in their order.
  static std::string& order() {
    static std::string events;
    return events;
  }

 private:
  static void see_fence(char const*, std::uint32_t, std::uint64_t* fence) {
    *fence = 0;
    order() += 'f';
  }
  static void see(char const* name, std::uint32_t device, std::uint64_t* kernel) {
    *kernel = 0;
    seen().push_back({name, device});
    order() += 'k';
  }
  static void set(Kokkos_Profiling_beginFunction f, Kokkos_Profiling_beginFenceFunction fence) {
    Kokkos::Tools::Experimental::set_begin_fence_callback(fence);
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(f);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(f);
    Kokkos::Tools::Experimental::set_begin_parallel_scan_callback(f);
  }
};

/// Two instances that share the resources of the default one; neither is the default one.
template <class Space>
std::vector<Space> two_partitions() {
  auto const parts = Kokkos::Experimental::partition_space(Space(), std::vector<int>{1, 1});
  EXPECT_NE(Kokkos::Tools::Experimental::device_id(parts[1]), Kokkos::Tools::Experimental::device_id(Space()));
  return parts;
}

/// Expects that `call` runs all kernels of the kind of `exec` in `exec`; returns their number. A kernel that initializes the
/// host's side of a view for a device is of another kind.
template <class Space, class Call>
int expect_no_kernels_elsewhere(Space const& exec, std::string const& what, Call const& call) {
  std::uint32_t const device = Kokkos::Tools::Experimental::device_id(exec);
  {
    KernelWatch const watch;
    call();
  }
  exec.fence();
  namespace Tools     = Kokkos::Tools::Experimental;
  auto const kind     = Tools::identifier_from_devid(device).type;
  int kernels_of_kind = 0;
  for (KernelWatch::Kernel const& kernel : KernelWatch::seen()) {
    if (Tools::identifier_from_devid(kernel.device).type != kind) continue;
    ++kernels_of_kind;
    EXPECT_EQ(kernel.device, device) << what << ": the kernel " << kernel.name << " ran in another instance";
  }
  return kernels_of_kind;
}

/// Like `expect_no_kernels_elsewhere` above; expects at least one kernel.
template <class Space, class Call>
void expect_kernels_in(Space const& exec, std::string const& what, Call const& call) {
  EXPECT_GT(expect_no_kernels_elsewhere(exec, what, call), 0) << what << ": no kernel was reported";
}

/// Expects that `call`, which has no instance, waits for earlier work of all instances and for its own kernels.
template <class Call>
void expect_fences_around(std::string const& what, Call const& call) {
  {
    KernelWatch const watch;
    call();
  }
  std::string const& order = KernelWatch::order();
  EXPECT_NE(order.find('k'), std::string::npos) << what << ": no kernel was reported";
  EXPECT_TRUE(order.starts_with('f') && order.ends_with('f')) << what << ": " << order;
}

}  // namespace Kokkos::Testing

#endif
