// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWALLOCATE_HPP
#define KOKKOS_VIEW_VIEWALLOCATE_HPP

/// \file
/// Allocates and constructs the elements of a view, and destroys and frees them at the end of its life.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <impl/runtime/Kokkos_RequireWaitable.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>
#include <impl/view/Kokkos_Allocation.hpp>
#include <impl/view/Kokkos_ConstructElements.hpp>
#include <impl/view/Kokkos_ViewAlloc.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

/// Aborts unless Kokkos is initialized and not yet finalized.
void require_initialized_for_view(std::string const& label);

/// "<what> [label]" for a tool; without a tool no string is composed.
std::string view_report_label(char const* what, char const* label);

/// A memory space that may have zeroed memory in stock.
template <class MemorySpace>
concept AllocatesZeros =
    requires(MemorySpace const& space, bool* cleared) { space.impl_allocate_zeros("", std::size_t(), cleared); };
/// Elements that zero bytes initialize, according to their execution space.
template <class ExecSpace, class T>
concept InitialBytesAreZero = bool(ElementInitializer<ExecSpace>::template initial_bytes_are_zero<T>);

/// The address that data() of an allocated view without elements returns. It is not null, because programs compare data()
/// with null to find out whether a view is allocated. No element is at this address, so no code accesses it.
inline void* place_of_no_elements() noexcept {
  return reinterpret_cast<void*>(std::uintptr_t(KOKKOS_MEMORY_ALIGNMENT));
}

/// An allocation whose elements need no destruction.
template <class MemorySpace>
class MemoryRecord : public AllocationRecord {
 public:
  template <class ExecSpace>
  MemoryRecord(MemorySpace const& space, ExecSpace const& exec, std::string const& label, std::size_t bytes,
               bool* cleared = nullptr)
      : MemoryRecord(space, exec, label, bytes, &release, cleared) {}

 protected:
  template <class ExecSpace>
  MemoryRecord(MemorySpace const& space, ExecSpace const& exec, std::string const& label, std::size_t bytes,
               ReleaseFunction how_to_release, bool* cleared = nullptr)
      : AllocationRecord(label, allocate(space, exec, label.c_str(), bytes, cleared), bytes, how_to_release),
        m_space(space) {}

  ~MemoryRecord() {
    if (bytes() == 0) return;
    if constexpr (requires(MemorySpace& space) { space.deallocate("", data(), bytes()); })
      m_space.deallocate(label(), data(), bytes());
    else
      m_space.deallocate(data(), bytes());
  }

 private:
  template <class ExecSpace>
  static void* allocate(MemorySpace const& space, [[maybe_unused]] ExecSpace const& exec, char const* label,
                        std::size_t bytes, [[maybe_unused]] bool* cleared) {
    if (bytes == 0) return place_of_no_elements();
    if constexpr (AllocatesZeros<MemorySpace>) {
      if (cleared) {
        if constexpr (std::is_same_v<ExecSpace, typename MemorySpace::execution_space>)
          return space.impl_allocate_zeros(exec, label, bytes, cleared);
        else if constexpr (std::is_same_v<ExecSpace, None>)
          return space.impl_allocate_zeros(label, bytes, cleared);
      }
    }
    // Spaces of programs may offer only some of these functions.
    if constexpr (requires { space.allocate(exec, label, bytes); } && !std::is_same_v<ExecSpace, None>)
      return space.allocate(exec, label, bytes);
    else if constexpr (requires { space.allocate(label, bytes); })
      return space.allocate(label, bytes);
    else
      return space.allocate(bytes);
  }

  static void release(AllocationRecord* record) { delete static_cast<MemoryRecord*>(record); }

  MemorySpace m_space;
};

/// An allocation whose elements are destroyed: on ExecSpace or, if Sequential, one by one on the host.
template <class MemorySpace, class ExecSpace, class T, bool Sequential>
class ElementRecord : public MemoryRecord<MemorySpace> {
 public:
  template <class PropertyExec>
  ElementRecord(MemorySpace const& space, PropertyExec const& property_exec, ExecSpace const& exec,
                std::string const& label, std::size_t bytes)
      : MemoryRecord<MemorySpace>(space, property_exec, label, bytes, &release), m_exec(exec) {}

  /// Marks the elements as constructed, so that they will be destroyed.
  void set_constructed() noexcept { this->set_destroys_elements(); }

 private:
  ~ElementRecord() {
    if (this->destroys_elements()) destroy();
  }

  void destroy() {
    T* const first      = static_cast<T*>(this->data());
    std::size_t const n = this->bytes() / sizeof(T);
    if constexpr (Sequential) {
      // Kernels that use the elements may still be running.
      ExecSpace::impl_static_fence(Impl::view_report_label("Kokkos::View::destruction fence", this->label()));
      for (std::size_t i = n; i > 0; --i) first[i - 1].~T();
    } else {
      try {
        KernelReport const report(KernelKind::parallel_for,
                                  Impl::view_report_label("Kokkos::View::destruction", this->label()),
                                  Tools::Experimental::device_id(m_exec));
        ElementInitializer<ExecSpace>::destroy(m_exec, first, n);
        m_exec.fence(Impl::view_report_label("Kokkos::View::destruction fence", this->label()));
      } catch (...) {
        // A kernel has failed, here or before; the next fence reports it. Views that are destroyed while that exception
        // propagates must not end the program.
      }
    }
  }

  static void release(AllocationRecord* record) { delete static_cast<ElementRecord*>(record); }

  ExecSpace m_exec;
};

/// The type for which allocate_elements is instantiated in the place of T: types of one size that begin as zero bytes share
/// their code.
template <class T>
using allocated_t =
    std::conditional_t<initial_bytes_are_zero_v<T> && sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<initial_bytes_are_zero_v<T> && sizeof(T) == 8, std::uint64_t, T>>;

/// Allocates memory for n elements and constructs them according to the properties. Without an execution space instance
/// in the properties, the elements exist when this returns; with one, they are constructed in its order. If a constructor
/// throws on a host, the elements that exist are destroyed, the memory is freed, and the exception reaches the caller.
template <class T, class ExecSpace, class MemorySpace, class Properties>
AllocationTracker allocate_elements(Properties const& properties, std::string const& label, std::size_t n) {
  static_assert(!Properties::has_pointer, "Kokkos::View: view_alloc takes a pointer only where nothing is allocated.");
  require_initialized_for_view(label);
  auto const space = [&] {
    if constexpr (Properties::has_memory_space) {
      static_assert(std::is_same_v<typename Properties::memory_space, MemorySpace>,
                    "Kokkos::View: the memory space given to view_alloc is not the view's memory_space.");
      return properties.space;
    } else {
      return MemorySpace();
    }
  }();
  using Source            = std::remove_const_t<decltype(space)>;  // the memory space, or a resource in it
  std::size_t const bytes = n * sizeof(T);
  if constexpr (!Properties::initialize) {
    return AllocationTracker(new MemoryRecord<Source>(space, properties.exec, label, bytes));
  } else {
    static_assert(std::is_default_constructible_v<T>,
                  "Kokkos::View: the elements have no default constructor; allocate with "
                  "view_alloc(Kokkos::WithoutInitializing, ...) and construct them in place.");
    // A given instance runs the initialization; otherwise the default instance does.
    constexpr bool given = Properties::has_execution_space;
    using Exec           = std::conditional_t<given, typename Properties::execution_space, ExecSpace>;
    static_assert(SpaceAccessibility<Exec, MemorySpace>::accessible,
                  "Kokkos::View: the execution space given to view_alloc cannot access the view's memory space.");
    Exec const exec = [&] {
      if constexpr (given)
        return properties.exec;
      else
        return Exec();
    }();
    if constexpr (!given) Impl::require_waitable(exec, "The allocation of a Kokkos::View");
    constexpr bool sequential = Properties::sequential_host_init;
    constexpr bool trivial    = std::is_trivially_destructible_v<T>;
    using Record = std::conditional_t<trivial, MemoryRecord<Source>, ElementRecord<Source, Exec, T, sequential>>;
    // Small views get memory that already contains zeros, so only work in progress may have to be waited for.
    bool initialized = false;
    Record* record;
    if constexpr (trivial && !sequential && AllocatesZeros<Source> && InitialBytesAreZero<Exec, T>)
      record = new Record(space, properties.exec, label, bytes, tools_loaded() ? nullptr : &initialized);
    else if constexpr (trivial)
      record = new Record(space, properties.exec, label, bytes);
    else
      record = new Record(space, properties.exec, exec, label, bytes);
    AllocationTracker tracker(record);
    T* const first = static_cast<T*>(record->data());
    if (n == 0) return tracker;
    if constexpr (sequential) {
      static_assert(SpaceAccessibility<HostSpace, MemorySpace>::accessible,
                    "Kokkos::View: SequentialHostInit needs a memory space that the host can access.");
      Impl::construct_sequentially(first, n);
    } else if (!initialized) {
      KernelReport const report(KernelKind::parallel_for,
                                Impl::view_report_label("Kokkos::View::initialization", record->label()),
                                Tools::Experimental::device_id(exec));
      ElementInitializer<Exec>::value_construct(exec, first, n);
    }
    if constexpr (!trivial) record->set_constructed();
    if constexpr (!given && !sequential)
      exec.fence(Impl::view_report_label("Kokkos::View::initialization fence", record->label()));
    return tracker;
  }
}

}  // namespace Kokkos::Impl

#endif
