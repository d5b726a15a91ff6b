// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies and fills of memory of another device than the instance's: blocks, strided, to and from every other memory,
/// with and without access between the devices. Skipped if there is only one device.

#include <CopyImages.hpp>

#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <impl/GPU/instance/Kokkos_GPU_DeviceReach.hpp>

#include "DeviceTest.hpp"

#include <memory>

namespace {

using Kokkos::Testing::CapturedGraph;
using Kokkos::Testing::device_count;
using Kokkos::Testing::expect_all;
using Kokkos::Testing::GPU;
using Kokkos::Testing::Image;
using Kokkos::Testing::lay_out_at_random;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Random;
using Kokkos::Testing::random_shape;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::Shape;
using Kokkos::Testing::thrown_message;

using Device  = GPU::memory_space;
using Bytes   = Kokkos::View<int*, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using Block   = Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using Strided = Kokkos::View<int***, Kokkos::LayoutStride, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Memory of the second device, whatever the device of the program's instances.
class Elsewhere {
 public:
  explicit Elsewhere(std::size_t n)
      : m_wanted(n), m_owner(Kokkos::view_alloc(GPU(m_stream.get()), "elsewhere"), n), m_memory(m_owner.data(), n) {}
  Elsewhere(Elsewhere const&)            = delete;
  Elsewhere& operator=(Elsewhere const&) = delete;

  void number(int first) {
    for (std::size_t i = 0; i < m_wanted.size(); ++i) m_wanted[i] = first + static_cast<int>(i);
    Kokkos::deep_copy(m_memory, Block(m_wanted.data(), m_wanted.size()));
  }
  std::vector<int>& wanted() { return m_wanted; }
  Strided view(Shape const& s) const {
    return Strided(m_memory.data() + s.offset,
                   Kokkos::LayoutStride(s.extent[0], s.stride[0], s.extent[1], s.stride[1], s.extent[2], s.stride[2]));
  }
  Bytes const& all() const { return m_memory; }
  Kokkos::View<int*, Device> const& owner() const { return m_owner; }
  int wrong() const {
    std::vector<int> found(m_wanted.size());
    Kokkos::deep_copy(Block(found.data(), found.size()), m_memory);
    int count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) count += found[i] != m_wanted[i];
    return count;
  }

 private:
  OwnStream m_stream{1};
  std::vector<int> m_wanted;
  Kokkos::View<int*, Device> m_owner;
  Bytes m_memory;
};

/// 20 rows of 200 elements.
Shape rows(std::size_t pitch) {
  Shape s;
  s.rank      = 3;
  s.extent[0] = 20, s.extent[1] = 1, s.extent[2] = 200;
  s.stride[0] = pitch, s.stride[1] = pitch, s.stride[2] = 1;
  return s;
}

template <class Space>
void expect_copied_both_ways() {
  Random random(3);
  for (int round = 0; round < 9; ++round) {
    Shape here = random_shape(random, 3, 2000), there = here;
    lay_out_at_random(there, random);
    if (round < 2) here = there;  // the same strides on both sides
    if (round == 2) here = rows(210), there = rows(300);
    Elsewhere other(there.span() + 3);
    Image<int, Space> image("image", here.span() + 3);
    for (bool with_instance : {false, true}) {
      const GPU exec;
      auto copy = [&](auto const& dst, auto const& src) {
        if (!with_instance) return Kokkos::deep_copy(dst, src);
        Kokkos::deep_copy(exec, dst, src);
        exec.fence();
      };
      other.number(5);
      image.number(1000);
      copy(other.view(there), image.template view<3>(here));
      for (std::size_t i = 0; i < here.size(); ++i) other.wanted()[there.at(i)] = image.wanted()[here.at(i)];
      EXPECT_EQ(other.wrong(), 0) << Space::name() << " there " << here.words() << there.words();
      image.number(77);
      copy(image.template view<3>(here), other.view(there));
      for (std::size_t i = 0; i < here.size(); ++i) image.wanted()[here.at(i)] = other.wanted()[there.at(i)];
      EXPECT_EQ(image.wrong(), 0) << Space::name() << " back " << there.words() << here.words();
    }
  }
}

/// During its life, devices 0 and 1 cannot access one another's memory.
class CutOff {
 public:
  CutOff() { set(false); }
  ~CutOff() { set(true); }
  CutOff(CutOff const&)            = delete;
  CutOff& operator=(CutOff const&) = delete;

 private:
  static void set(bool reach) {
    for (int device : {0, 1}) (void)Kokkos::Impl::GPUInstance<Runtime>::properties_of(device);
    Kokkos::Impl::GPUDeviceReach::set(0, 1, reach);
#ifdef KOKKOS_ENABLE_CUDA
    // Copies that do not specify both devices fail, as on hardware without a link between them.
    for (int owner : {0, 1}) {
      cudaMemPool_t pool = nullptr;
      cudaMemAccessDesc access{};
      access.location.type = cudaMemLocationTypeDevice;
      access.location.id   = 1 - owner;
      access.flags         = reach ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
      EXPECT_EQ(cudaDeviceGetMemPool(&pool, owner), cudaSuccess);
      EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
    }
#endif
  }
};

TEST(CopiesElsewhere, ToAndFromEveryMemory) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  ASSERT_EQ(Kokkos::device_id(), 0);
  expect_copied_both_ways<Kokkos::HostSpace>();
  expect_copied_both_ways<Device>();
  expect_copied_both_ways<Kokkos::SharedSpace>();
  expect_copied_both_ways<Kokkos::SharedHostPinnedSpace>();
}

TEST(CopiesElsewhere, ToAndFromEveryMemoryOutOfReach) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  CutOff const cut_off;
  expect_copied_both_ways<Kokkos::HostSpace>();
  expect_copied_both_ways<Device>();
  expect_copied_both_ways<Kokkos::SharedSpace>();
  expect_copied_both_ways<Kokkos::SharedHostPinnedSpace>();
}

void expect_filled() {
  Random random(4);
  for (int round = 0; round < 8; ++round) {
    Shape const shape = random_shape(random, 3, 2000);
    Elsewhere other(shape.span() + 3);
    for (int value : {0, 12345}) {
      other.number(5);
      if (round % 2 == 0) {
        Kokkos::deep_copy(other.view(shape), value);
      } else {
        const GPU exec;
        Kokkos::deep_copy(exec, other.view(shape), value);
        exec.fence();
      }
      for (std::size_t i = 0; i < shape.size(); ++i) other.wanted()[shape.at(i)] = value;
      EXPECT_EQ(other.wrong(), 0) << shape.words();
    }
  }
}

TEST(CopiesElsewhere, Fills) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  expect_filled();
}

TEST(CopiesElsewhere, FillsOutOfReach) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  CutOff const cut_off;
  expect_filled();
}

TEST(CopiesElsewhere, LargerThanTheBufferOutOfReach) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  CutOff const cut_off;
  const GPU exec;
  std::size_t const n = (Runtime::copy_policy.packing_bytes * 2 + 4000) / sizeof(int);
  Elsewhere other(n);
  other.number(7);
  std::vector<int> found(n);
  Kokkos::deep_copy(exec, Block(found.data(), n), other.all());
  exec.fence();
  EXPECT_EQ(found, other.wanted());
}

// The values of the fill are in a buffer that the graph keeps after the stream has been destroyed.
TEST(CopiesElsewhere, AFillInACaptureOutlivesItsStream) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  Elsewhere other(100);
  other.number(5);
  std::unique_ptr<CapturedGraph> graph;
  {
    OwnStream const stream;
    const GPU exec(stream.get());
    graph = std::make_unique<CapturedGraph>(stream.get());
    Kokkos::deep_copy(exec, other.all(), 12345);
    graph->end();
  }
  OwnStream const stream;
  graph->launch(stream.get());
  EXPECT_EQ(Runtime::stream_synchronize(stream.get()), Runtime::success);
  other.wanted().assign(100, 12345);
  EXPECT_EQ(other.wrong(), 0);
}

TEST(CopiesElsewhere, OutOfReachAreRefusedInACapture) {
  if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
  CutOff const cut_off;
  Elsewhere other(100);
  Kokkos::View<int*, Device> const here("here", 100);
  Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> const host("on the host", 100);
  OwnStream const stream;
  const GPU exec(stream.get());
  CapturedGraph graph(stream.get());
  Kokkos::deep_copy(exec, here, 3);
  for (auto const& sentence : {thrown_message([&] { Kokkos::deep_copy(exec, here, other.all()); }),
                               thrown_message([&] { Kokkos::deep_copy(exec, other.all(), here); }),
                               thrown_message([&] { Kokkos::deep_copy(exec, other.owner(), here); }),
                               thrown_message([&] { Kokkos::deep_copy(exec, other.all(), 4); }),
                               thrown_message([&] { Kokkos::deep_copy(exec, host, other.all()); }),
                               thrown_message([&] { Kokkos::deep_copy(exec, other.all(), host); })})
    expect_all(sentence, {"cannot be captured", "device 0 cannot access the memory of device 1", "before or after"});
  graph.end();
  graph.launch(stream.get());
  exec.fence();
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), here)(99), 3);
}

}  // namespace
