// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_CACHED_MEMORY_HPP
#define KOKKOS_TEST_HIP_MODEL_CACHED_MEMORY_HPP

/// \file
/// Pinned memory that is not coherent (hipHostMallocNonCoherent), as interpreted kernels see it: through the device's
/// cache. The cache is filled when the first of the kernels that run at a time accesses an allocation, so that they do
/// not see what the host writes meanwhile. It is written back when they have ended and other work
/// begins, or a call of HIP begins or ends, which is when a program may synchronize. A host thread that only reads memory
/// sees nothing of them.

#include "memory.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace hip_model {

class CachedMemory {
 public:
  static CachedMemory& get();
  static bool is_cached(Allocation const& a);

  /// A kernel's use of an allocation.
  class Use {
   public:
    explicit Use(AllocationPtr const& a) : m_base(a->base), m_data(CachedMemory::get().begin(a)) {}
    Use(Use&& other) noexcept : m_base(other.m_base), m_data(other.m_data) { other.m_data = nullptr; }
    Use& operator=(Use&&) = delete;
    ~Use() {
      if (m_data) CachedMemory::get().end(m_base);
    }
    char const* base() const { return m_base; }
    /// The cached bytes of the allocation.
    char* data() const { return m_data; }

   private:
    char* m_base;
    char* m_data;
  };

  /// Writes to host memory what kernels that have ended have written.
  void write_back() {
    if (m_ended.load(std::memory_order_acquire)) write_all();
  }

 private:
  struct Cache {
    AllocationPtr of;
    std::vector<char> data, filled;  // the present bytes, and those that were read from host memory
    int kernels = 0;
  };
  char* begin(AllocationPtr const&);
  void end(char* base);
  void write_all();
  std::mutex m_mutex;
  std::map<char*, Cache> m_caches;  // by address
  std::atomic<bool> m_ended{false};
};

}  // namespace hip_model

#endif
