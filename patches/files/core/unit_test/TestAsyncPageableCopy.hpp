// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_ASYNC_PAGEABLE_COPY_HPP
#define KOKKOS_TEST_ASYNC_PAGEABLE_COPY_HPP

// Copies between memory of malloc and a device, in the order of an instance, are complete after a fence of the
// instance, whether or not they are asynchronous (Kokkos_ENABLE_IMPL_ASYNC_PAGEABLE_COPIES).

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

#if defined(KOKKOS_ENABLE_IMPL_ASYNC_PAGEABLE_COPIES) && (defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP))
#define KOKKOS_TEST_COPY_ENGINE
#include <impl/GPU/Kokkos_GPU_PageableCopy.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <Cuda/Kokkos_Cuda_GPURuntime.hpp>
#else
#include <HIP/Kokkos_HIP_GPURuntime.hpp>
#endif

#include <memory>
#include <stdexcept>
#include <string>
#endif

namespace Test {

namespace AsyncPageableCopy {

struct AddOne {
  Kokkos::View<int*, TEST_EXECSPACE> view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};

inline void there_and_back(std::size_t n) {
  auto parts   = Kokkos::Experimental::partition_space(TEST_EXECSPACE(), 1, 1);
  using Host   = Kokkos::View<int*, Kokkos::HostSpace>;
  Host from[2] = {Host("from 0", n), Host("from 1", n)}, back[2] = {Host("back 0", n), Host("back 1", n)};
  Kokkos::View<int*, TEST_EXECSPACE> device[2] = {Kokkos::View<int*, TEST_EXECSPACE>("device 0", n),
                                                  Kokkos::View<int*, TEST_EXECSPACE>("device 1", n)};
  for (int k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < n; ++i) from[k](i) = int(i) + 1000000 * k;
  for (int k = 0; k < 2; ++k) {
    Kokkos::deep_copy(parts[k], device[k], from[k]);
    Kokkos::parallel_for("add", Kokkos::RangePolicy<TEST_EXECSPACE>(parts[k], 0, int(n)), AddOne{device[k]});
    Kokkos::deep_copy(parts[k], back[k], device[k]);
  }
  for (auto& part : parts) part.fence();
  for (int k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(back[k](i), from[k](i) + 1) << "element " << i << " of " << n;
}

// A small copy to the device must not read its source before a copy in progress has written it. Repeats, because the
// first large copies wait.
inline void from_what_is_being_written() {
  constexpr int n = 10000000, part = 1000, repeats = 6;
  TEST_EXECSPACE space;
  Kokkos::View<int*, TEST_EXECSPACE> large("large", n), small("small", part);
  Kokkos::View<int*, Kokkos::HostSpace> between("between", n), back("back", part);
  auto const end = Kokkos::subview(between, std::make_pair(n - part, n));
  for (int k = 1; k <= repeats; ++k) {
    Kokkos::deep_copy(space, large, k);
    Kokkos::deep_copy(space, between, large);
    Kokkos::deep_copy(space, small, end);
    Kokkos::deep_copy(space, back, small);
    space.fence();
    for (int i = 0; i < part; ++i) ASSERT_EQ(back(i), k) << "element " << i;
  }
}

#ifdef KOKKOS_TEST_COPY_ENGINE
#ifdef KOKKOS_ENABLE_CUDA
using GPU        = Kokkos::Cuda;
using GPURuntime = Kokkos::Impl::CudaGPURuntime;
#else
using GPU        = Kokkos::HIP;
using GPURuntime = Kokkos::Impl::HIPGPURuntime;
#endif

/// Host memory whose read fails. The blocks of memory that deep_copy uses can always be read.
class Unreadable final : public Kokkos::Impl::HostSide {
 public:
  void gather(void*, std::size_t, std::size_t) const override { throw std::runtime_error("cannot be read"); }
  void scatter(void const*, std::size_t, std::size_t) const override {}
  Kokkos::Impl::HostSpan span() const override { return {}; }
  void poison() const override {}
};

inline void enqueue_unreadable(GPU const& where, Kokkos::View<char*, GPU> const& to) {
  Kokkos::Impl::StagedCopy copy;
  copy.to_device     = true;
  copy.bytes         = to.size();
  copy.device        = Kokkos::Impl::DeviceRows::block(to.data(), copy.bytes);
  copy.host          = std::make_unique<Unreadable>();
  copy.what          = "copy of unreadable memory";
  auto const& stream = *where.impl_internal_space_instance()->m_stream_life;
  Kokkos::Impl::CopyEngines<GPURuntime>::of(stream.device()).copy(std::move(copy), &stream);
}

/// The message of the fence after a failed copy. If copies are synchronous, the call itself throws.
inline std::string message_of_fence(GPU const& where, Kokkos::View<char*, GPU> const& to, bool all_instances) {
  try {
    enqueue_unreadable(where, to);
    if (all_instances)
      Kokkos::fence();
    else
      where.fence();
  } catch (std::runtime_error const& e) {
    return e.what();
  }
  return "no error";
}

inline void failures_are_reported(GPU const&) {
  std::size_t const n = 4 << 20;
  Kokkos::View<char*, Kokkos::HostSpace> from("from", n);
  Kokkos::View<char*, GPU> to("to", n);
  auto parts = Kokkos::Experimental::partition_space(GPU(), 1, 1);
  Kokkos::deep_copy(parts[0], to, from);  // the first copy reads the environment variables
  for (bool all_instances : {false, true}) {
    std::string const message = message_of_fence(parts[0], to, all_instances);
    EXPECT_NE(message.find("cannot be read"), message.npos) << message;
    parts[0].fence();  // an error is reported once
    Kokkos::fence();
  }
}
template <class Other>
void failures_are_reported(Other const&) {
  GTEST_SKIP() << "Copies to and from " << Other::name() << " do not use the copy engine.";
}
#endif

}  // namespace AsyncPageableCopy

TEST(TEST_CATEGORY, copies_in_the_order_of_instances) {
  AsyncPageableCopy::there_and_back(1);
  AsyncPageableCopy::there_and_back(1000);
  AsyncPageableCopy::there_and_back(100001);
  AsyncPageableCopy::there_and_back(10000000);
}

TEST(TEST_CATEGORY, copies_from_what_a_copy_in_progress_writes) { AsyncPageableCopy::from_what_is_being_written(); }

#ifdef KOKKOS_TEST_COPY_ENGINE
TEST(TEST_CATEGORY, copies_that_fail_are_reported_by_fences) {
  AsyncPageableCopy::failures_are_reported(TEST_EXECSPACE());
}
#endif

}  // namespace Test

#endif
