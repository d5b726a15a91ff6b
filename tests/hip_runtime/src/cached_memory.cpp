// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cached_memory.hpp"

#include "api.hpp"

namespace hip_model {

CachedMemory& CachedMemory::get() {
  static CachedMemory* all = new CachedMemory;
  return *all;
}

bool CachedMemory::is_cached(Allocation const& a) {
  return a.memory == MemoryKind::pinned && (a.flags & hipHostMallocNonCoherent);
}

char* CachedMemory::begin(AllocationPtr const& a) {
  std::lock_guard const lock(m_mutex);
  Cache& cache = m_caches[a->base];
  if (cache.kernels++ == 0 && cache.data.empty()) {
    cache.of = a;
    cache.data.assign(a->base, a->base + a->bytes);
    cache.filled = cache.data;
  }
  return cache.data.data();
}

void CachedMemory::end(char* base) {
  std::lock_guard const lock(m_mutex);
  if (--m_caches[base].kernels == 0) m_ended.store(true, std::memory_order_release);
}

// Only the bytes that a kernel has changed, because the host may have written others meanwhile.
void CachedMemory::write_all() {
  std::lock_guard const lock(m_mutex);
  m_ended.store(false, std::memory_order_release);
  for (auto at = m_caches.begin(); at != m_caches.end();) {
    Cache& cache = at->second;
    if (cache.kernels > 0) {
      ++at;
      continue;
    }
    for (std::size_t k = 0; k < cache.data.size(); ++k)
      if (cache.data[k] != cache.filled[k]) cache.of->base[k] = cache.data[k];
    at = m_caches.erase(at);
  }
}

}  // namespace hip_model
