// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Allocation of host memory.

#include <Kokkos_HostSpace.hpp>
#include <runtime/Kokkos_Error.hpp>
#include <tools/Kokkos_ToolsHooks.hpp>

#include <cstdint>
#include <cstdlib>

namespace Kokkos {

namespace {

constexpr std::size_t alignment = KOKKOS_MEMORY_ALIGNMENT;

// Null if there is not enough memory. The C function requires a multiple of the alignment. Rounding up must not wrap
// around. More than PTRDIFF_MAX bytes are refused, so that differences of pointers into the block are defined.
void* allocate_aligned(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - alignment) return nullptr;
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
}

}  // namespace

void* HostSpace::allocate(std::size_t bytes) const {
  void* p = allocate_aligned(bytes);
  if (p == nullptr) Impl::throw_out_of_memory(name(), bytes, "[unlabeled]");
  return p;
}

void* HostSpace::allocate(const char* label, std::size_t bytes, std::size_t reported_bytes) const {
  void* p = allocate_aligned(bytes);
  if (p == nullptr) Impl::throw_out_of_memory(name(), bytes, label);
  Impl::report_allocation(name(), label, p, reported_bytes == 0 ? bytes : reported_bytes);
  return p;
}

void HostSpace::deallocate(void* p, std::size_t) const noexcept { std::free(p); }

void HostSpace::deallocate(const char* label, void* p, std::size_t bytes, std::size_t reported_bytes) const noexcept {
  if (p != nullptr) Impl::report_deallocation(name(), label, p, reported_bytes == 0 ? bytes : reported_bytes);
  std::free(p);
}

}  // namespace Kokkos
