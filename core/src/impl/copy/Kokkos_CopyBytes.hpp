// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYBYTES_HPP
#define KOKKOS_COPY_COPYBYTES_HPP

/// \file
/// Copies of bytes between memory spaces, for programs that name them by Kokkos::Impl::DeepCopy or specialize it for their
/// spaces. deep_copy of views uses CopyRoute, not this.

#include <Kokkos_View.hpp>
#include <impl/copy/Kokkos_DeepCopy.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// The constructor copies n bytes: before it returns, or with an instance in its order.
template <class DstSpace, class SrcSpace, class ExecSpace = typename DstSpace::execution_space, class Enable = void>
struct DeepCopy {
  DeepCopy(void* dst, void const* src, std::size_t n) { Kokkos::deep_copy(to(dst, n), from(src, n)); }
  DeepCopy(ExecSpace const& exec, void* dst, void const* src, std::size_t n) {
    Kokkos::deep_copy(exec, to(dst, n), from(src, n));
  }

 private:
  using Dst = View<unsigned char*, LayoutRight, DstSpace, MemoryUnmanaged>;
  using Src = View<unsigned char const*, LayoutRight, SrcSpace, MemoryUnmanaged>;

  static Dst to(void* dst, std::size_t n) { return Dst(static_cast<unsigned char*>(dst), n); }
  static Src from(void const* src, std::size_t n) { return Src(static_cast<unsigned char const*>(src), n); }
};

}  // namespace Kokkos::Impl

#endif
