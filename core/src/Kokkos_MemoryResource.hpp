// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MEMORY_RESOURCE_HPP
#define KOKKOS_MEMORY_RESOURCE_HPP

/// \file
/// Kokkos::Experimental::MemoryResource: memory of a given size, from which views are allocated. An extension of this
/// project.

#include <Kokkos_Core_fwd.hpp>
#include <KokkosCore_BackendsSpaces.hpp>
#include <Kokkos_HostPlacement.hpp>
#include <Kokkos_IdleMemory.hpp>
#include <impl/memory/Kokkos_ResourceBlocks.hpp>
#include <impl/runtime/Kokkos_SharedPtr.hpp>
#include <impl/view/Kokkos_ViewAlloc.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Kokkos {

namespace Experimental {

/// Memory of a given size in a memory space. A view gets its memory from it by view_alloc:
///
///     Kokkos::Experimental::MemoryResource<> const pool("solver", std::size_t(1) << 30);
///     Kokkos::View<double*> const x(Kokkos::view_alloc(pool, "x"), n);
///
/// The resource allocates its memory once, when it is created, and keeps it until it and all its views are gone. A view
/// that does not fit throws; a resource takes no memory from elsewhere.
///
/// Copies refer to the same memory. Any thread may create and destroy views. Destroying a view does not wait for the
/// device. Its memory is reused when the work that may use it has ended, on the streams that the library's pool covers. If
/// there is no other memory for a view, its creation waits for the device.
template <class Space = DefaultExecutionSpace::memory_space>
class MemoryResource {
 public:
  using memory_space    = Space;
  using execution_space = typename Space::execution_space;

  /// \param label of the resource, for tools and messages
  /// \param bytes its size. Each view takes a multiple of 256 bytes
  /// \throws Experimental::RawMemoryAllocationFailure if the space has not enough memory
  MemoryResource(std::string const& label, std::size_t bytes, Space const& space = Space())
      : m_memory(new MemoryFrom<Space>(label, bytes, space)) {}
  /// Host memory on chosen NUMA nodes. `placement` takes effect when a page is first written.
  MemoryResource(std::string const& label, std::size_t bytes, HostPlacement const& placement)
    requires std::is_same_v<Space, HostSpace>
      : m_memory(new MemoryFrom<HostPlacement>(label, bytes, placement)) {}

  /// Bytes of views, the rest of the resource, and the largest value of the first so far. Memory of destroyed views counts as
  /// kept, although work in progress may still use it.
  DeviceMemoryUsage usage() const { return m_memory->blocks.usage(); }
  /// The memory of the views that exist, by their labels, the largest first.
  std::vector<LabelledMemory> usage_by_label() const { return m_memory->blocks.usage_by_label(); }
  std::size_t size() const noexcept { return m_memory->blocks.size(); }

  /// For views: `bytes` bytes, aligned to 256.
  /// \throws Experimental::RawMemoryAllocationFailure if there is no free block of that size
  void* allocate(char const* label, std::size_t bytes) const { return m_memory->blocks.allocate(label, bytes); }
  /// For views. Work that was submitted before may still use the memory.
  void deallocate(char const*, void* p, std::size_t) const noexcept { m_memory->blocks.deallocate(p); }

  friend bool operator==(MemoryResource const&, MemoryResource const&) = default;

 private:
  struct Memory : Impl::Counted {
    Memory(std::string const& label, std::size_t bytes, void* data)
        : blocks(label, Space::name(), data, bytes, work_has_ended()) {}
    virtual ~Memory() = default;

    /// Kernels of hosts have ended when their launch returns.
    static constexpr bool (*work_has_ended())(bool) {
      if constexpr (requires { Space::impl_work_has_ended(true); })
        return &Space::impl_work_has_ended;
      else
        return nullptr;
    }

    Impl::ResourceBlocks blocks;
  };
  /// From the space, or on chosen nodes.
  template <class Source>
  struct MemoryFrom final : Memory {
    MemoryFrom(std::string const& label, std::size_t bytes, Source const& s)
        : Memory(label, bytes, s.allocate(label.c_str(), bytes)), source(s) {}
    ~MemoryFrom() override {
      source.deallocate(this->blocks.label().c_str(), this->blocks.data(), this->blocks.size());
    }

    Source source;
  };

  Impl::SharedPtr<Memory> m_memory;
};

}  // namespace Experimental
}  // namespace Kokkos

#endif
