// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Sharing the memory of views with a second process through CUDA's IPC handles, as MPI does between processes of one
/// node.

#include "DeviceTest.hpp"

#include <impl/GPU/memory/Kokkos_GPU_ViewMemory.hpp>

#include <spawn.h>
#include <unistd.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

extern char** environ;

namespace {

using namespace Kokkos::Testing;
using View = Kokkos::View<unsigned char*, Kokkos::CudaSpace>;

constexpr std::size_t sizes[] = {8, 300, 4096, 100000, std::size_t(1) << 20, std::size_t(64) << 20};

/// The description of a view for another process.
struct Message {
  cudaIpcMemHandle_t handle;
  std::size_t offset;  // of the view in the handle's allocation
  std::size_t bytes;
};

std::size_t offset_in_allocation(void* p) {
  using Function = CUresult(CUDAAPI*)(CUdeviceptr*, std::size_t*, CUdeviceptr);
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 3020, cudaEnableDefault, &found),
            cudaSuccess);
  CUdeviceptr base  = 0;
  std::size_t bytes = 0;
  EXPECT_EQ(reinterpret_cast<Function>(function)(&base, &bytes, reinterpret_cast<CUdeviceptr>(p)), CUDA_SUCCESS);
  return reinterpret_cast<CUdeviceptr>(p) - base;
}

/// The second process: each byte of the described memory must be 1, and becomes 2.
TEST(SharedMemory, SeenByTheSecondProcess) {
  char const* file = std::getenv("KOKKOS_TEST_MESSAGES");
  if (!file) return;  // the next test starts this one as the second process
  std::ifstream messages(file, std::ios::binary);
  for (Message message; messages.read(reinterpret_cast<char*>(&message), sizeof message);) {
    void* base = nullptr;
    ASSERT_EQ(cudaIpcOpenMemHandle(&base, message.handle, cudaIpcMemLazyEnablePeerAccess), cudaSuccess);
    std::vector<unsigned char> bytes(message.bytes);
    char* const data = static_cast<char*>(base) + message.offset;
    ASSERT_EQ(cudaMemcpy(bytes.data(), data, message.bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    for (unsigned char byte : bytes) ASSERT_EQ(byte, 1);
    ASSERT_EQ(cudaMemset(data, 2, message.bytes), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    ASSERT_EQ(cudaIpcCloseMemHandle(base), cudaSuccess);
  }
}

TEST(SharedMemory, OfViewsOfAllSizes) {
  if (device_count() == 0) GTEST_SKIP() << "needs a GPU and its driver";
  Kokkos::ScopeGuard guard;
  std::string const file = ::testing::TempDir() + "kokkos_shared_memory_" + std::to_string(::getpid());
  for (std::size_t const n : sizes) {  // one at a time: a process may open an allocation once
    View view(Kokkos::view_alloc("shared", Kokkos::WithoutInitializing), n);
    Kokkos::deep_copy(view, 1);
    Message message{};
    ASSERT_EQ(cudaIpcGetMemHandle(&message.handle, view.data()), cudaSuccess) << n << " bytes";
    message.offset = offset_in_allocation(view.data());
    message.bytes  = n;
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<char*>(&message), sizeof message);
    ::setenv("KOKKOS_TEST_MESSAGES", file.c_str(), 1);
    std::string self = "/proc/self/exe", filter = "--gtest_filter=SharedMemory.SeenByTheSecondProcess";
    char* arguments[] = {self.data(), filter.data(), nullptr};
    pid_t child       = 0;
    ASSERT_EQ(::posix_spawn(&child, self.c_str(), nullptr, nullptr, arguments, environ), 0);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << n << " bytes";
    ::unsetenv("KOKKOS_TEST_MESSAGES");
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(host(i), 2) << "byte " << i << " of " << n;
  }
  std::remove(file.c_str());
}

}  // namespace
