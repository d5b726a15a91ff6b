// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_VENDOR_SELECT_HPP
#define KOKKOS_STD_ALGORITHMS_VENDOR_SELECT_HPP

/// \file
/// Selections from the library of a GPU's vendor: CUB, which is part of the CUDA toolkit.

#include <impl/Kokkos_VendorCall.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmVectors.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define KOKKOS_IMPL_SELECT_BY_CUB
#include <cub/device/device_select.cuh>
#endif

namespace Kokkos::Impl::Algorithms {

/// The library's selection for an execution space. `serves` is whether it can copy elements of type T that satisfy a
/// predicate of type P.
template <class ExecSpace>
struct VendorSelect {
  template <class T, class P>
  static constexpr bool serves = false;
};

#ifdef KOKKOS_IMPL_SELECT_BY_CUB
template <>
struct VendorSelect<Cuda> {
  // A kernel receives the predicate with other arguments, within the 4096 bytes that every toolkit supports.
  template <class T, class P>
  static constexpr bool serves = sizeof(P) <= 2048 && std::is_copy_constructible_v<P>;

  template <class T, class P>
  static Distance copy_if(std::string const& label, Cuda const& exec, T const* from, Distance n, T* to,
                          P const& predicate) {
    View<Distance, Cuda::device_type> const selected(view_alloc(exec, WithoutInitializing, label));
    Impl::call_vendor(exec, label, "Kokkos::Experimental::copy_if", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::If(memory, bytes, from, to, selected.data(), n, predicate,
                                   exec.impl_instance().stream());
    });
    Distance count = 0;
    Kokkos::deep_copy(exec, count, selected);
    exec.fence(label + ": done");
    return count;
  }
};
#endif

}  // namespace Kokkos::Impl::Algorithms

#endif
