// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_ELEMENT_INITIALIZER_HPP
#define KOKKOS_GPU_ELEMENT_INITIALIZER_HPP

/// \file
/// Constructs and destroys the elements of views on a device.

#include <impl/GPU/launch/Kokkos_GPU_ParallelFor.hpp>
#include <impl/view/Kokkos_ConstructElements.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace Kokkos::Impl {

template <class T>
struct GPUConstruct {
  T* first;
  KOKKOS_IMPL_DEVICE void operator()(std::size_t i) const { ::new (static_cast<void*>(first + i)) T(); }
};
template <class T>
struct GPUDestroy {
  T* first;
  KOKKOS_IMPL_DEVICE void operator()(std::size_t i) const { first[i].~T(); }
};

template <class ExecSpace>
struct GPUElementInitializer {
  using Runtime = typename ExecSpace::runtime_type;

  /// Whether value_construct clears bytes instead of calling constructors.
  template <class T>
  static constexpr bool initial_bytes_are_zero = initial_bytes_are_zero_v<T>;

  /// Constructs T() at first, first + 1, ..., in the order of the instance.
  template <class T>
  static void value_construct(ExecSpace const& space, T* first, std::size_t n) {
    if (n == 0) return;
    if constexpr (initial_bytes_are_zero<T>) {
      auto& instance = space.impl_instance();
      DeviceScope<Runtime> scope(instance.device());
      instance.errors().check(Runtime::memset_async(first, 0, n * sizeof(T), instance.stream()), "memset_async",
                              "initializing a view");
    } else {
      for_each(space, n, GPUConstruct<T>{first});
    }
  }

  template <class T>
  static void destroy(ExecSpace const& space, T* first, std::size_t n) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      if (n > 0) for_each(space, n, GPUDestroy<T>{first});
    }
  }

 private:
  template <class F>
  static void for_each(ExecSpace const& space, std::size_t n, F const& f) {
    Impl::gpu_for_range<F, LaunchBounds<>, std::size_t>(space.impl_instance(), 0, n, f);
  }
};

}  // namespace Kokkos::Impl

#endif
