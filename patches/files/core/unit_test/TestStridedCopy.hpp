// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_STRIDED_COPY_HPP
#define KOKKOS_TEST_STRIDED_COPY_HPP

// Reported: kokkos #3567, #2603. deep_copy between host and device of views that are strided, or of different layouts.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_CopyThreads.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace Test {

namespace StridedCopy {

using Device = typename TEST_EXECSPACE::memory_space;

template <class ViewType>
void number_elements(ViewType const& view, int first) {
  for (std::size_t i = 0; i < view.extent(0); ++i)
    for (std::size_t j = 0; j < view.extent(1); ++j) view(i, j) = first + int(100 * i + j);
}

// The elements on the device, by a copy between contiguous views.
template <class ViewType>
auto on_host(ViewType const& view) {
  auto copy = Kokkos::create_mirror(Kokkos::HostSpace(), view);
  Kokkos::deep_copy(copy, view);
  return copy;
}

// Copies a part of a matrix to a part of a matrix on the device, and from there to a part of another matrix, with or
// without an instance.
template <class HostLayout, class DeviceLayout>
void there_and_back(bool with_instance) {
  Kokkos::View<int**, HostLayout, Kokkos::HostSpace> from("from", 11, 13), back("back", 11, 13);
  Kokkos::View<int**, DeviceLayout, Device> device("device", 17, 19);
  number_elements(from, 1);
  Kokkos::deep_copy(back, -1);
  Kokkos::deep_copy(device, -2);
  auto part_of_host   = Kokkos::subview(from, std::make_pair(2, 9), std::make_pair(3, 11));
  auto part_of_device = Kokkos::subview(device, std::make_pair(4, 11), std::make_pair(5, 13));
  auto part_of_back   = Kokkos::subview(back, std::make_pair(1, 8), std::make_pair(4, 12));
  TEST_EXECSPACE space;
  auto copy = [&](auto const& dst, auto const& src) {
    if (with_instance)
      Kokkos::deep_copy(space, dst, src);
    else
      Kokkos::deep_copy(dst, src);
  };
  copy(part_of_device, part_of_host);
  copy(part_of_back, part_of_device);
  space.fence();
  auto const result = on_host(device);
  for (int i = 0; i < 17; ++i)
    for (int j = 0; j < 19; ++j) {
      bool const inside = i >= 4 && i < 11 && j >= 5 && j < 13;
      ASSERT_EQ(result(i, j), inside ? from(i - 2, j - 2) : -2) << i << ", " << j;
    }
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 13; ++j) {
      bool const inside = i >= 1 && i < 8 && j >= 4 && j < 12;
      ASSERT_EQ(back(i, j), inside ? from(i + 1, j - 1) : -1) << i << ", " << j;
    }
}

// Copies parts of views, whose pitches differ on host and device; `cut` selects the part.
template <class HostView, class DeviceView, class Cut>
void long_rows(HostView const& from, HostView const& back, DeviceView const& device, Cut const& cut) {
  int next = 0;
  for (std::size_t i = 0; i < from.span(); ++i) from.data()[i] = ++next;
  Kokkos::deep_copy(back, -1);
  Kokkos::deep_copy(device, -2);
  Kokkos::deep_copy(cut(device, 3), cut(from, 1));
  Kokkos::deep_copy(cut(back, 2), cut(device, 3));
  auto const sent = cut(from, 1), received = cut(back, 2);
  std::size_t there = 0, right = 0;
  for (std::size_t i = 0; i < back.span(); ++i) there += back.data()[i] != -1;
  ASSERT_EQ(there, sent.size());
  for (std::size_t i = 0; i < sent.extent(0); ++i)
    for (std::size_t j = 0; j < sent.extent(1); ++j)
      for (std::size_t k = 0; k < sent.extent(2); ++k) right += sent(i, j, k) == received(i, j, k);
  ASSERT_EQ(right, sent.size());
  auto const all      = on_host(device);
  std::size_t written = 0;
  for (std::size_t i = 0; i < all.span(); ++i) written += all.data()[i] != -2;
  ASSERT_EQ(written, sent.size());
}

// Rows of one dimension, rows of two dimensions, and planes whose rows are not equally spaced.
template <class Layout>
void rows_of_three_dimensions() {
  using Kokkos::ALL;
  using Kokkos::make_pair;
  using Host          = Kokkos::View<int***, Layout, Kokkos::HostSpace>;
  using OnDevice      = Kokkos::View<int***, Layout, Device>;
  constexpr bool left = std::is_same_v<Layout, Kokkos::LayoutLeft>;
  auto const make     = [](auto view, int extra) {
    using View = decltype(view);
    return left ? View("view", 400 + extra, 7, 5) : View("view", 5, 7, 400 + extra);
  };
  auto const rows = [](auto const& view, int at) {
    auto const part = make_pair(at, at + 350);
    if constexpr (left)
      return Kokkos::subview(view, part, ALL, ALL);
    else
      return Kokkos::subview(view, ALL, ALL, part);
  };
  long_rows(make(Host(), 10), make(Host(), 10), make(OnDevice(), 33), rows);
  auto const middle = [](auto const& view, int at) { return Kokkos::subview(view, ALL, make_pair(at, at + 4), ALL); };
  long_rows(make(Host(), 0), make(Host(), 0), make(OnDevice(), 0), middle);
  auto const inside = [](auto const& view, int at) {
    auto const part = make_pair(at, at + 300);
    if constexpr (left)
      return Kokkos::subview(view, part, make_pair(at, at + 4), ALL);
    else
      return Kokkos::subview(view, ALL, make_pair(at, at + 4), part);
  };
  long_rows(make(Host(), 10), make(Host(), 10), make(OnDevice(), 33), inside);
}

// Short rows of more bytes in all than two pieces of pinned memory hold.
template <class HostLayout, class DeviceLayout>
void many_short_rows() {
  using Host      = Kokkos::View<int***, HostLayout, Kokkos::HostSpace>;
  using OnDevice  = Kokkos::View<int***, DeviceLayout, Device>;
  auto const part = [](auto const& view, int at) {
    return Kokkos::subview(view, Kokkos::make_pair(at, at + 200), Kokkos::make_pair(0, 71),
                           Kokkos::make_pair(at, at + 163));
  };
  long_rows(Host("from", 203, 72, 166), Host("back", 203, 72, 166), OnDevice("device", 204, 73, 167), part);
}

// One column, one row, and a whole matrix with another layout and type.
template <class DeviceLayout>
void lines_and_types() {
  Kokkos::View<int**, DeviceLayout, Device> device("device", 7, 9);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> host("host", 7, 9);
  Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 7, 9);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> real("real", 7, 9);
  number_elements(host, 1);
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(left, device);
  Kokkos::deep_copy(real, device);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j) {
      ASSERT_EQ(left(i, j), host(i, j));
      ASSERT_EQ(real(i, j), double(host(i, j)));
    }
  Kokkos::View<int*, Kokkos::HostSpace> column("column", 7), row("row", 9);
  Kokkos::deep_copy(column, Kokkos::subview(device, Kokkos::ALL, 4));
  Kokkos::deep_copy(row, Kokkos::subview(device, 5, Kokkos::ALL));
  for (int i = 0; i < 7; ++i) ASSERT_EQ(column(i), host(i, 4));
  for (int j = 0; j < 9; ++j) ASSERT_EQ(row(j), host(5, j));
}

}  // namespace StridedCopy

TEST(TEST_CATEGORY, strided_copies_between_host_and_device) {
  using Kokkos::LayoutLeft;
  using Kokkos::LayoutRight;
  for (bool with_instance : {false, true}) {
    StridedCopy::there_and_back<LayoutLeft, LayoutLeft>(with_instance);
    StridedCopy::there_and_back<LayoutLeft, LayoutRight>(with_instance);
    StridedCopy::there_and_back<LayoutRight, LayoutLeft>(with_instance);
    StridedCopy::there_and_back<LayoutRight, LayoutRight>(with_instance);
  }
  StridedCopy::lines_and_types<LayoutLeft>();
  StridedCopy::lines_and_types<LayoutRight>();
  StridedCopy::rows_of_three_dimensions<LayoutLeft>();
  StridedCopy::rows_of_three_dimensions<LayoutRight>();
  StridedCopy::many_short_rows<LayoutRight, LayoutLeft>();
  StridedCopy::many_short_rows<LayoutRight, LayoutRight>();
}

TEST(TEST_CATEGORY, copy_threads_execute_each_chunk_once) {
  constexpr std::size_t step = 7;
  Kokkos::Impl::CopyThreads threads;
  threads.start();
  for (std::size_t chunks : {std::size_t(1), std::size_t(10), std::size_t(1000)}) {
    std::vector<std::atomic<int>> executed(chunks);
    std::atomic<std::size_t> done{0};
    Kokkos::Impl::ChunkedWork work(chunks, [&](std::size_t c) {
      ++executed[c];
      ++done;
    });
    Kokkos::Impl::CopyThreads::Help help(threads, work);
    for (std::size_t allowed = 0; allowed < chunks; allowed += step) {
      ASSERT_LE(done, allowed);
      work.allow(allowed + step);
      work.work_until([&] { return done >= std::min(allowed + step, chunks); });
    }
    for (auto const& times : executed) ASSERT_EQ(times, 1);
  }
}

// A copy can end by an exception, and its work with it.
TEST(TEST_CATEGORY, copy_threads_leave_work_that_ends_early) {
  Kokkos::Impl::CopyThreads threads;
  threads.start();
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> executing{0};
    Kokkos::Impl::ChunkedWork work(1000, [&](std::size_t) {
      ++executing;
      --executing;
    });
    try {
      Kokkos::Impl::CopyThreads::Help help(threads, work);
      work.allow(500);
      throw std::runtime_error("a launch failed");
    } catch (std::runtime_error const&) {
    }
    ASSERT_EQ(executing, 0);
    ASSERT_FALSE(work.try_one());
  }
}

#ifdef __linux__
// OpenMP may have bound the thread that starts the threads.
TEST(TEST_CATEGORY, copy_threads_run_on_all_cores_of_the_process) {
  cpu_set_t const all = Kokkos::Impl::cores_of_process();
  cpu_set_t before, first;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&first);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &first);
  std::atomic<bool> end{false};
  std::thread unbound([&] {
    while (!end) std::this_thread::yield();
  });
  ASSERT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
  cpu_set_t const seen = Kokkos::Impl::cores_of_process();
  sched_setaffinity(0, sizeof before, &before);
  end = true;
  unbound.join();
  ASSERT_TRUE(CPU_EQUAL(&seen, &all));
}
#endif

}  // namespace Test

#endif
