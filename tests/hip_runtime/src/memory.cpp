// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include "modes.hpp"
#include "profile.hpp"
#include "protection.hpp"
#include "reports.hpp"
#include "scheduler.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hip_model {

namespace {
constexpr std::size_t filled      = std::size_t(64) << 10;  // number of bytes at the start that get a pattern
constexpr std::size_t kept_bytes  = std::size_t(64) << 20;  // maximum of freed memory that is kept
constexpr std::size_t kept_blocks = 4096;
constexpr std::size_t alignment   = 256;
}  // namespace

char const* words(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return "device memory";
    case MemoryKind::pinned:
      return "pinned host memory";
    case MemoryKind::managed:
      return "managed memory";
    case MemoryKind::registered:
      return "registered host memory";
    default:
      return "pageable host memory";
  }
}

Allocation::~Allocation() {
  if (of_program) return;
  unprotect_memory(base);
  std::free(base);
}
std::string Allocation::description() const {
  return name() + ", " + std::to_string(bytes) + " bytes of " + words(memory);
}

PageAdvice::Pages::iterator PageAdvice::split(std::size_t at) {
  auto const next = m_pages.lower_bound(at);
  return next != m_pages.end() && next->first == at ? next : m_pages.emplace_hint(next, at, std::prev(next)->second);
}

Advice PageAdvice::common(std::size_t offset, std::size_t bytes) const {
  constexpr int indeterminate = 2;  // hipMemRangeCoherencyModeIndeterminate
  auto const end              = m_pages.lower_bound((offset + bytes + page - 1) / page);
  auto at                     = std::prev(m_pages.upper_bound(offset / page));
  Advice all                  = at->second;
  while (++at != end) {
    Advice const& here = at->second;
    all.read_mostly    = all.read_mostly && here.read_mostly;
    if (all.coherency != here.coherency) all.coherency = indeterminate;
    if (all.preferred != here.preferred) all.preferred = no_device;
    if (all.prefetched != here.prefetched) all.prefetched = no_device;
    std::erase_if(all.accessed_by, [&](int device) { return here.accessed_by.count(device) == 0; });
  }
  return all;
}

MemoryTable& MemoryTable::get() {
  static MemoryTable* table = new MemoryTable;
  return *table;
}

MemoryTable::MemoryTable() {
  char const* limit = std::getenv("HIP_MODEL_MEMORY");
  m_limit           = limit ? std::strtoull(limit, nullptr, 10) : current_profile().memory;
}

AllocationPtr MemoryTable::allocate(MemoryKind kind, int device, std::size_t bytes, unsigned flags) {
  int const payer   = kind == MemoryKind::pinned ? -1 : device;
  std::size_t& used = m_used[payer];
  if (bytes > m_limit || used + bytes > m_limit) return nullptr;
  bool const protects = kind == MemoryKind::device && current_modes().protects_memory && flags != hipMallocSignalMemory;
  std::size_t const unit = kind == MemoryKind::managed || protects ? PageAdvice::page : alignment;
  std::size_t const size = (bytes + unit - 1) / unit * unit;
  void* p                = std::aligned_alloc(unit, size);
  if (!p) return nullptr;
  std::memset(p, 0xCD, std::min(bytes, filled));  // programs must not rely on the content of new memory
  if (protects) protect_memory(p, size);
  used += bytes;
  auto a                                       = std::make_shared<Allocation>();
  a->base                                      = static_cast<char*>(p);
  a->bytes                                     = bytes;
  a->memory                                    = kind;
  a->device                                    = device;
  a->flags                                     = flags;
  m_alive[reinterpret_cast<std::uintptr_t>(p)] = a;
  ++s_generation;
  return a;
}

AllocationPtr MemoryTable::adopt(MemoryKind kind, void* p, std::size_t bytes, unsigned flags) {
  auto a                                       = std::make_shared<Allocation>();
  a->base                                      = static_cast<char*>(p);
  a->bytes                                     = bytes;
  a->memory                                    = kind;
  a->of_program                                = true;
  a->device                                    = this_thread().device;
  a->flags                                     = flags;
  m_alive[reinterpret_cast<std::uintptr_t>(p)] = a;
  ++s_generation;
  return a;
}

void MemoryTable::free(AllocationPtr const& a) {
  auto const key = reinterpret_cast<std::uintptr_t>(a->base);
  if (!a->alive) return;
  if (a->of_graph) graph_memory_freed(*a);
  a->with_program = false;
  if (a->pool) a->pool->used -= a->bytes;
  a->alive = false;
  ++s_generation;
  m_alive.erase(key);
  if (a->of_program) return;  // the memory belongs to the program again
  m_used[a->memory == MemoryKind::pinned ? -1 : a->device] -= a->bytes;
  if (a->bytes > kept_bytes) return;
  {
    DeviceMemoryAccess const access;
    std::memset(a->base, 0xDB, std::min(a->bytes, filled));
  }
  m_freed[key] = a;
  m_freed_order.push_back(key);
  m_freed_bytes += a->bytes;
  while (m_freed_bytes > kept_bytes || m_freed_order.size() > kept_blocks) {
    auto oldest = m_freed.find(m_freed_order.front());
    m_freed_bytes -= oldest->second->bytes;
    m_freed.erase(oldest);
    m_freed_order.pop_front();
  }
}

void MemoryTable::revive(AllocationPtr const& a) {
  auto const key = reinterpret_cast<std::uintptr_t>(a->base);
  a->alive = true, a->free_pending = false;
  m_used[a->device] += a->bytes;
  m_alive[key] = a;
  auto freed   = m_freed.find(key);
  if (freed == m_freed.end() || freed->second != a) return;
  m_freed.erase(freed);
  m_freed_bytes -= a->bytes;
  m_freed_order.erase(std::find(m_freed_order.begin(), m_freed_order.end(), key));
}

AllocationPtr MemoryTable::in(std::map<std::uintptr_t, AllocationPtr> const& table, std::uintptr_t p) {
  auto next = table.upper_bound(p);
  if (next == table.begin()) return nullptr;
  AllocationPtr const& a = std::prev(next)->second;
  return p - std::prev(next)->first < a->bytes ? a : nullptr;
}

AllocationPtr MemoryTable::find(void const* p) const {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (auto a = in(m_alive, address)) return a;
  return in(m_freed, address);
}

bool MemoryTable::overlaps(void const* p, std::size_t bytes) const {
  auto const first = reinterpret_cast<std::uintptr_t>(p);
  auto next        = m_alive.lower_bound(first);
  return in(m_alive, first) || (next != m_alive.end() && next->first < first + bytes);
}

std::size_t MemoryTable::used(int device) const {
  auto it = m_used.find(device);
  return it == m_used.end() ? 0 : it->second;
}

hipError_t touch(Call& call, void const* address, std::size_t bytes, char const* what, Touch* out) {
  *out = {address, bytes, MemoryTable::get().find(address)};
  if (!out->allocation) return hipSuccess;
  Allocation const& a = *out->allocation;
  if (!a.alive || a.free_pending)
    return call.violation(hipErrorInvalidValue, "use-after-free",
                          std::string("the ") + what + " is in " + a.description() + ", which has been freed", &a);
  std::size_t const offset = static_cast<char const*>(address) - a.base;
  if (bytes > a.bytes - offset)
    return call.violation(hipErrorInvalidValue, "out-of-bounds",
                          std::string("the ") + what + " has " + std::to_string(bytes) + " bytes from offset " +
                              std::to_string(offset) + " in " + a.description(),
                          &a);
  return hipSuccess;
}

void check_touch(char const* what, Touch const& t) {
  if (!t.allocation) return;
  Lock lock           = Scheduler::get().lock();
  Allocation const& a = *t.allocation;
  bool const early    = a.available && !a.available->done;
  if (a.alive && !early) return;
  std::string message = std::string(what) + ": " + a.description() +
                        (early ? " is used by a stream before the stream that allocates it gets there.\n History:\n"
                               : " was freed before work that uses it was done.\n History:\n") +
                        a.history.text();
  lock.unlock();
  Reports::get().add(
      {early ? "use-before-allocation" : "freed-while-in-use", what, hipErrorIllegalAddress, std::move(message)});
}

}  // namespace hip_model
