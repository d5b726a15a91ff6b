// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of matrices between host and device: long rows are copied directly, without a kernel and a buffer on the
/// device. Also rows with a larger pitch than the runtimes' pitched copies accept, and the host's side of copies of rows.

#include "DeviceTest.hpp"

#include <impl/GPU/copy/Kokkos_GPU_HostElements.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::Testing::GPU;
using Device = GPU::memory_space;

/// Number of kernels so far; always 0 on a GPU, which does not report it.
std::size_t kernels() {
#ifdef KOKKOS_IMPL_GPU_MODEL
  return hip_model::launches().size();
#else
  return 0;
#endif
}

using HostMatrix   = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using DeviceMatrix = Kokkos::View<int**, Kokkos::LayoutRight, Device>;

/// Copies some columns of a matrix in both directions; all other elements must be unchanged.
class Columns {
  static constexpr int rows = 900, columns = 700;
  template <class Matrix>
  auto part(Matrix const& matrix) const {
    return Kokkos::subview(matrix, Kokkos::ALL, std::make_pair(m_first, m_first + m_count));
  }

 public:
  Columns(int first, int count) : m_first(first), m_count(count) {}

  /// Returns the number of kernels.
  template <class Copy>
  std::size_t copy_both_ways(Copy const& copy) {
    Kokkos::deep_copy(m_device, -1);
    Kokkos::deep_copy(m_back, -2);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) m_host(i, j) = i * columns + j;
    Kokkos::fence();
    std::size_t const before = kernels();
    copy(part(m_device), part(m_host));
    copy(part(m_back), part(m_device));
    return kernels() - before;
  }
  int wrong() const {
    HostMatrix on_device("on the device", rows, columns);
    Kokkos::deep_copy(on_device, m_device);
    int n = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        bool const copied = j >= m_first && j < m_first + m_count;
        n += on_device(i, j) != (copied ? m_host(i, j) : -1);
        n += m_back(i, j) != (copied ? m_host(i, j) : -2);
      }
    return n;
  }

 private:
  int m_first, m_count;
  HostMatrix m_host{"host", rows, columns}, m_back{"back", rows, columns};
  DeviceMatrix m_device{"device", rows, columns};
};

struct CopiedRows : testing::Test {
  GPU instance = Kokkos::partition_space(GPU(), 1)[0];
  /// Copies with the instance, and without one.
  std::size_t copy_both_ways(int first, int count) {
    Columns waiting(first, count), enqueued(first, count);
    std::size_t n = waiting.copy_both_ways([](auto const& dst, auto const& src) { Kokkos::deep_copy(dst, src); });
    n += enqueued.copy_both_ways([&](auto const& dst, auto const& src) { Kokkos::deep_copy(instance, dst, src); });
    instance.fence();
    EXPECT_EQ(waiting.wrong(), 0);
    EXPECT_EQ(enqueued.wrong(), 0);
    return n;
  }
};

TEST_F(CopiedRows, LongOnesNeedNoKernel) {
  EXPECT_EQ(copy_both_ways(3, 128), 0u);  // 512 bytes
  EXPECT_EQ(copy_both_ways(0, 699), 0u);
}

TEST_F(CopiedRows, ShortOnesArePacked) {
  std::size_t const n = copy_both_ways(3, 127);
#ifdef KOKKOS_IMPL_GPU_MODEL
  EXPECT_GT(n, 0u);
#else
  (void)n;
#endif
}

template <class Space>
void expect_copied_far_apart() {
  using Far  = Kokkos::View<char**, Kokkos::LayoutStride, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Near = Kokkos::View<char**, Kokkos::LayoutRight, Space>;
  constexpr std::size_t rows = 2, width = 600, apart = std::size_t(1) << 31;
  Kokkos::View<char*, Device> const memory(Kokkos::view_alloc("memory", Kokkos::WithoutInitializing), apart + width);
  Far const far(memory.data(), Kokkos::LayoutStride(rows, apart, width, 1));
  Near const near("near", rows, width), back("back", rows, width);
  auto const number = [](std::size_t i, std::size_t j) { return static_cast<char>(i * 31 + j * 7); };
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < width; ++j) near(i, j) = number(i, j);
  Kokkos::deep_copy(far, near);
  Kokkos::deep_copy(back, far);
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < width; ++j) wrong += back(i, j) != number(i, j);
  EXPECT_EQ(wrong, 0) << Space::name();
}

TEST_F(CopiedRows, TwoGibibytesApart) {
  expect_copied_far_apart<Kokkos::HostSpace>();
  expect_copied_far_apart<Kokkos::SharedHostPinnedSpace>();
}

/// Windows of 200 elements, each 100 elements after the previous one.
template <class From, class To>
void expect_windows_copied() {
  using Windows = Kokkos::View<int const**, Kokkos::LayoutStride, From, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  constexpr int windows = 20, width = 200, step = 100, size = (windows - 1) * step + width;
  Kokkos::View<int*, Kokkos::HostSpace> const numbers("numbers", size);
  for (int i = 0; i < size; ++i) numbers(i) = i;
  Kokkos::View<int*, From> const from("from", size);
  Kokkos::deep_copy(from, numbers);
  Kokkos::View<int**, Kokkos::LayoutRight, To> const to("to", windows, width);
  Kokkos::deep_copy(to, Windows(from.data(), Kokkos::LayoutStride(windows, step, width, 1)));
  HostMatrix const found("found", windows, width);
  Kokkos::deep_copy(found, to);
  int wrong = 0;
  for (int i = 0; i < windows; ++i)
    for (int j = 0; j < width; ++j) wrong += found(i, j) != i * step + j;
  EXPECT_EQ(wrong, 0) << From::name() << " to " << To::name();
}

TEST_F(CopiedRows, OverlappingOnesOfASource) {
  expect_windows_copied<Device, Kokkos::HostSpace>();
  expect_windows_copied<Kokkos::HostSpace, Device>();
  expect_windows_copied<Device, Kokkos::SharedHostPinnedSpace>();
  expect_windows_copied<Kokkos::SharedHostPinnedSpace, Device>();
}

// The runtime copies long rows by one call, and a single one by another.
template <class Space>
void expect_few_rows_copied(GPU const& instance) {
  using Rows    = Kokkos::View<int**, Kokkos::LayoutRight, Space>;
  auto const of = [](auto const& matrix, int rows) {
    return Kokkos::subview(matrix, std::make_pair(1, 1 + rows), std::make_pair(5, 305));
  };
  HostMatrix const numbers("numbers", 6, 330), found("found", 6, 330);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 330; ++j) numbers(i, j) = 1000 * i + j;
  Rows const source("source", 6, 330), back("back", 6, 330);
  DeviceMatrix const device("device", 6, 310);
  Kokkos::deep_copy(source, numbers);
  for (int rows = 1; rows <= 4; ++rows) {
    Kokkos::deep_copy(back, -1);
    Kokkos::deep_copy(instance, of(device, rows), of(source, rows));
    Kokkos::deep_copy(instance, of(back, rows), of(device, rows));
    instance.fence();
    Kokkos::deep_copy(found, back);
    int wrong = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 330; ++j) {
        bool const copied = i >= 1 && i < 1 + rows && j >= 5 && j < 305;
        wrong += found(i, j) != (copied ? numbers(i, j) : -1);
      }
    EXPECT_EQ(wrong, 0) << rows << " rows of " << Space::name();
  }
}

TEST_F(CopiedRows, FromOneToFour) {
  expect_few_rows_copied<Kokkos::HostSpace>(instance);
  expect_few_rows_copied<Kokkos::SharedHostPinnedSpace>(instance);
  expect_few_rows_copied<Device>(instance);
}

// Each thread of the kernel copies several elements of a column. Those behind the column belong to others.
TEST_F(CopiedRows, NothingBehindAColumnIsCopied) {
  auto const& device = instance.impl_instance().properties();
  std::size_t const resident =
      static_cast<std::size_t>(device.threads_per_multiprocessor / 256 * device.multiprocessors);
  std::size_t const at_once = resident * 256;
  for (std::size_t const n : {2 * at_once + 1, 3 * at_once + 5}) {
    std::size_t const all = n + 2 * at_once;
    Kokkos::View<int**, Kokkos::LayoutRight, Device> const from("from", all, 2), to("to", all, 2);
    auto const column = [&](auto const& matrix) {
      return Kokkos::subview(matrix, std::make_pair(std::size_t(0), n), 1);
    };
    Kokkos::deep_copy(instance, from, 7);
    Kokkos::deep_copy(instance, column(to), column(from));
    instance.fence();
    HostMatrix const found("found", all, 2);
    Kokkos::deep_copy(found, to);
    int wrong = 0;
    for (std::size_t i = 0; i < all; ++i) wrong += found(i, 0) != 0 || found(i, 1) != (i < n ? 7 : 0);
    EXPECT_EQ(wrong, 0) << n << " rows of " << all;
  }
}

// ---- the host's side ------------------------------------------------------------------------------------------------

/// Elements in memory with gaps, and the bytes of their packed sequence as a loop over all indices finds them.
struct Elements {
  struct Dimension {
    std::size_t extent, stride;  // in elements; the first dimension is the fastest
  };
  Elements(std::size_t element_bytes, std::vector<Dimension> const& dimensions) {
    order.element_bytes = element_bytes;
    order.rank          = static_cast<int>(dimensions.size());
    order.size          = 1;
    order.run           = 1;
    std::vector<std::size_t> offsets{0};  // of all elements, in elements
    for (int d = 0; d < order.rank; ++d) {
      auto const [extent, stride] = dimensions[static_cast<std::size_t>(d)];
      order.dimension[d]          = {extent, stride, 0};
      if (stride == order.run) order.run *= extent;
      order.size *= extent;
      std::size_t const before = offsets.size();
      for (std::size_t i = before; i < before * extent; ++i)
        offsets.push_back(offsets[i % before] + i / before * stride);
    }
    for (std::size_t const offset : offsets)
      for (std::size_t b = 0; b < element_bytes; ++b) places.push_back(offset * element_bytes + b);
    memory.resize(places.back() + 1);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = number(i);
  }
  static char number(std::size_t i) { return static_cast<char>(i * 37 + i / 256); }

  Kokkos::Impl::PackedOrder order{};
  std::vector<std::size_t> places;  // where in `memory` each byte of the sequence is
  std::vector<char> memory;
};

/// Packs and unpacks each range of whole elements of a part of the sequence.
void expect_each_range(Elements const& elements, std::size_t first, std::size_t count) {
  std::size_t const unit = elements.order.element_bytes;
  std::vector<char> back(elements.memory.size());
  Kokkos::Impl::HostElements const from(elements.order, elements.memory.data(), first, count);
  Kokkos::Impl::HostElements const to(elements.order, back.data(), first, count);
  int wrong = 0;
  for (std::size_t begin = 0; begin < count; ++begin)
    for (std::size_t end = begin + 1; end <= count; ++end) {
      std::size_t const bytes = (end - begin) * unit;
      std::vector<char> wanted(back.size(), 'g'), slab(bytes), wanted_slab(bytes);
      for (std::size_t b = 0; b < bytes; ++b) {
        std::size_t const place = elements.places[(first + begin) * unit + b];
        wanted_slab[b] = wanted[place] = elements.memory[place];
      }
      back.assign(back.size(), 'g');
      from.gather(slab.data(), begin * unit, bytes);
      to.scatter(wanted_slab.data(), begin * unit, bytes);
      wrong += slab != wanted_slab || back != wanted;
    }
  EXPECT_EQ(wrong, 0) << "of elements of " << unit << " bytes from " << first << ", " << count << " of them";
}

TEST(HostElements, EachRangeOfEachShape) {
  Elements const table[] = {
      {1, {{5, 3}}},
      {1, {{1, 2}, {7, 3}}},
      {1, {{4, 1}, {3, 7}}},
      {2, {{3, 2}, {5, 7}}},
      {3, {{2, 2}, {3, 5}, {2, 17}}},
      {8, {{3, 2}, {4, 6}}},
      {8, {{4, 1}, {2, 5}, {3, 12}}},
      {16, {{2, 1}, {3, 2}, {3, 7}}},
      {24, {{2, 2}, {2, 4}, {2, 9}, {2, 20}}},
  };
  for (Elements const& elements : table) {
    std::size_t const n = elements.order.size;
    for (std::size_t const first : {std::size_t(0), std::size_t(1), n / 2})
      expect_each_range(elements, first, n - first);
    Kokkos::Impl::HostElements const all(elements.order, elements.memory.data(), 0, n);
    EXPECT_EQ(all.span().begin, elements.memory.data());
    EXPECT_EQ(all.span().end, elements.memory.data() + elements.memory.size());
  }
}

TEST(HostElements, ThePatternIsInElementsOnly) {
  Elements const elements(8, {{4, 1}, {2, 5}, {3, 12}});
  std::vector<char> memory(elements.memory.size(), 'g'), wanted = memory;
  Kokkos::Impl::HostElements(elements.order, memory.data(), 0, elements.order.size).poison();
  for (std::size_t const place : elements.places)
    wanted[place] = static_cast<char>(Kokkos::Impl::HostSide::poison_byte);
  EXPECT_TRUE(memory == wanted);
}

}  // namespace
