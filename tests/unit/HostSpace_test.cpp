// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos::HostSpace: its types, its allocations, and its error when memory is exhausted.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using Kokkos::HostSpace;

TEST(HostSpace, IsAMemorySpace) {
  static_assert(Kokkos::is_memory_space_v<HostSpace>);
  static_assert(std::is_same_v<HostSpace::memory_space, HostSpace>);
  static_assert(std::is_same_v<HostSpace::execution_space, Kokkos::DefaultHostExecutionSpace>);
  static_assert(std::is_same_v<HostSpace::device_type, Kokkos::Device<HostSpace::execution_space, HostSpace>>);
  static_assert(std::is_unsigned_v<HostSpace::size_type>);
  static_assert(std::is_same_v<HostSpace::index_type, std::make_signed_t<HostSpace::size_type>>);
  static_assert(std::is_trivially_copyable_v<HostSpace>);
  EXPECT_STREQ(HostSpace::name(), "Host");
  EXPECT_TRUE(HostSpace() == HostSpace());
}

TEST(HostSpace, AllocatesAlignedMemoryOfAnySize) {
  HostSpace space;
  for (std::size_t bytes : {0, 1, 63, 64, 65, 4097, 1 << 20}) {
    void* p = space.allocate(bytes);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % KOKKOS_MEMORY_ALIGNMENT, 0u) << bytes;
    std::memset(p, 1, bytes);
    space.deallocate(p, bytes);
  }
  space.deallocate(nullptr, 0);
  space.deallocate("null", nullptr, 0);
}

/// The flags of the mapping that contains the address, as the system's list of the process's mappings tells them.
std::string mapping_flags(void const* address) {
  auto const sought = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream mappings("/proc/self/smaps");
  bool contains = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (std::istringstream(line) >> std::hex >> begin >> dash >> end && dash == '-')
      contains = begin <= sought && sought < end;
    if (contains && line.rfind("VmFlags:", 0) == 0) return line + " ";
  }
  return "";
}

TEST(HostSpace, AsksForLargePagesForLargeBlocks) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "This system has no transparent large pages.";
  HostSpace space;
  if (mapping_flags(&space).empty()) GTEST_SKIP() << "The system does not tell the flags of mappings.";
  std::size_t const small_size = std::size_t(3) << 20, large_size = std::size_t(4) << 20;
  char* const small = static_cast<char*>(space.allocate(small_size));
  char* const large = static_cast<char*>(space.allocate(large_size));
  for (std::size_t i : {std::size_t(0), large_size - 1})
    EXPECT_NE(mapping_flags(large + i).find(" hg "), std::string::npos) << mapping_flags(large + i);
  EXPECT_EQ(mapping_flags(small + small_size / 2).find(" hg "), std::string::npos);
  space.deallocate(large, large_size);
  space.deallocate(small, small_size);
}

/// Large blocks that were freed are used again, but never for two blocks at the same time, nor for one that is longer.
TEST(HostSpace, ReusesLargeBlocksForOneOwner) {
  HostSpace space;
  constexpr std::size_t mega = std::size_t(1) << 20;
  auto const work            = [space](unsigned char own) {
    for (int round = 0; round < 4; ++round) {
      std::size_t const sizes[] = {5 * mega, (own % 2 ? 6 : 5) * mega, 33 * mega, 4 * mega - 64};
      unsigned char* blocks[4];
      for (int b = 0; b < 4; ++b) {
        blocks[b] = static_cast<unsigned char*>(space.allocate(sizes[b]));
        for (std::size_t i = 0; i < sizes[b]; i += 4096) blocks[b][i] = own;
        blocks[b][sizes[b] - 1] = own;
      }
      bool kept = true;
      for (int b = 0; b < 4; ++b) {
        for (std::size_t i = 0; i < sizes[b]; i += 4096) kept = kept && blocks[b][i] == own;
        kept = kept && blocks[b][sizes[b] - 1] == own;
        space.deallocate(blocks[b], sizes[b]);
      }
      EXPECT_TRUE(kept);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned char t = 1; t <= 3; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KOKKOS_TEST_CHECKS_ADDRESSES 1
#endif
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(KOKKOS_TEST_CHECKS_ADDRESSES)
  void* const first = space.allocate(8 * mega);
  space.deallocate(first, 8 * mega);
  void* const again = space.allocate(8 * mega - 1000);
  EXPECT_EQ(first, again);
  space.deallocate(again, 8 * mega - 1000);
  // Sizes that are no multiple of the alignment, too.
  for (std::size_t const bytes : {4 * mega - 1, 5 * mega + 1, 5 * mega - 1, 4 * mega + 12345, 9 * mega + 777}) {
    void* const odd = space.allocate(bytes);
    space.deallocate(odd, bytes);
    void* const reused = space.allocate(bytes);
    EXPECT_EQ(reused, odd) << bytes;
    space.deallocate(reused, bytes);
  }
#endif
}

TEST(HostSpace, AllocatesForAnInstance) {
  HostSpace space;
  Kokkos::DefaultHostExecutionSpace exec;
  void* p = space.allocate(exec, "label", 10);
  void* q = space.allocate(exec, 10);
  EXPECT_NE(p, q);
  space.deallocate("label", p, 10);
  space.deallocate(q, 10);
}

template <class Call>
std::string message_of(Call const& call) {
  try {
    call();
  } catch (Kokkos::Experimental::RawMemoryAllocationFailure const& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST(HostSpace, TellsToolsTheSizeThatTheProgramUses) {
  static std::uint64_t reported[2];
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t bytes) { reported[0] = bytes; });
  Kokkos::Tools::Experimental::set_deallocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t bytes) { reported[1] = bytes; });
  HostSpace const space;
  void* p = space.allocate("label", 100, 80);
  space.deallocate("label", p, 100, 80);
  EXPECT_EQ(reported[0], 80u);
  EXPECT_EQ(reported[1], 80u);
  p = space.allocate(Kokkos::DefaultHostExecutionSpace(), "label", 100, 70);
  space.deallocate("label", p, 100);
  EXPECT_EQ(reported[0], 70u);
  EXPECT_EQ(reported[1], 100u);
  Kokkos::Tools::Experimental::set_callbacks({});
}

TEST(HostSpace, SaysSizeSpaceAndLabelWhenThereIsNoMemory) {
  std::size_t const bytes   = ~std::size_t(0) - 3;
  std::string const message = message_of([&] { HostSpace().allocate("my label", bytes); });
  EXPECT_NE(message.find("Host memory space failed to allocate 16 EiB (label=\"my label\")"), message.npos) << message;
  EXPECT_NE(message.find(std::to_string(bytes)), message.npos) << message;
  std::string const unnamed = message_of([&] { HostSpace().allocate(bytes); });
  EXPECT_NE(unnamed.find("(label=\"[unlabeled]\")"), unnamed.npos) << unnamed;
  EXPECT_THROW(HostSpace().allocate(bytes), std::runtime_error);
}

}  // namespace
