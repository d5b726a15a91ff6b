// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_BENCHMARK_RAW_CUDA_HPP
#define KOKKOS_BENCHMARK_RAW_CUDA_HPP

/// \file
/// Owners of the resources of a benchmark's raw CUDA side.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace Kokkos::Benchmarks {

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::abort();
}

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) { check(cudaStreamCreateWithFlags(&m_stream, flags)); }
  ~Stream() { check(cudaStreamDestroy(m_stream)); }
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;
  operator cudaStream_t() const { return m_stream; }

 private:
  cudaStream_t m_stream = nullptr;
};

/// A stream that is ordered with the legacy default stream.
class OrderedStream : public Stream {
 public:
  OrderedStream() : Stream(cudaStreamDefault) {}
};

class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes) { check(cudaMalloc(&m_data, bytes)); }
  ~DeviceBuffer() { check(cudaFree(m_data)); }
  DeviceBuffer(DeviceBuffer const&)            = delete;
  DeviceBuffer& operator=(DeviceBuffer const&) = delete;
  void* get() const { return m_data; }

 private:
  void* m_data = nullptr;
};

class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t bytes) { check(cudaMallocHost(&m_data, bytes)); }
  ~PinnedBuffer() { check(cudaFreeHost(m_data)); }
  PinnedBuffer(PinnedBuffer const&)            = delete;
  PinnedBuffer& operator=(PinnedBuffer const&) = delete;
  void* get() const { return m_data; }

 private:
  void* m_data = nullptr;
};

}  // namespace Kokkos::Benchmarks

#endif
