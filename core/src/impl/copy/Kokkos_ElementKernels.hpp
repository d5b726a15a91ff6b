// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_ELEMENTKERNELS_HPP
#define KOKKOS_COPY_ELEMENTKERNELS_HPP

/// \file
/// Kernels that assign elements one by one: for elements of different types, and for types that are not trivially
/// copyable. They are instantiated for element types and spaces, not for ranks and layouts.

#include <Kokkos_Parallel.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>
#include <impl/copy/Kokkos_HostCopyPolicy.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

template <class ExecSpace>
inline constexpr bool runs_on_host_v = std::is_same_v<typename ExecSpace::memory_space, HostSpace>;

template <class T, class U>
concept CastsTo = requires(U const& from) { static_cast<T>(from); };
/// Whether deep_copy can copy a U to a T.
template <class T, class U>
inline constexpr bool is_element_assignable_v = CastsTo<T, U> || std::is_assignable_v<T&, U const&>;

/// The program requests a conversion that may lose digits, so it is explicit: the compiler prints no warning, and types
/// may convert that have only an explicit conversion, such as half precision numbers.
template <class T, class U>
KOKKOS_FORCEINLINE_FUNCTION void assign_element(T& to, U const& from) {
  if constexpr (!std::is_same_v<T, U> && CastsTo<T, U>) {
    to = static_cast<T>(from);
  } else {
    to = from;
  }
}

/// Elements that are read sequentially.
template <class U>
struct ElementsOfView {
  U const* first;
  KOKKOS_FORCEINLINE_FUNCTION U const& operator[](std::size_t offset) const { return first[offset]; }
};

/// One value for all elements, inside the kernel's functor.
template <class U>
struct ValueInFunctor {
  U value;
  KOKKOS_FORCEINLINE_FUNCTION U const& operator[](std::size_t) const { return value; }
};

/// Like `ValueInFunctor` above, outside of the functor. For kernels on the host, which end before the launching call
/// returns. Functors contain untracked copies of views, and if the value is a view, such a copy must not become an
/// element.
template <class U>
struct ValueOnHost {
  U const* value;
  KOKKOS_FORCEINLINE_FUNCTION U const& operator[](std::size_t) const { return *value; }
};

/// Calls row(to, from, n) for each piece of a row among elements [first, first + count) in the order of the loops: n
/// elements from the offsets `to` and `from` on, with the strides of the innermost loop.
template <class Row>
KOKKOS_FUNCTION void for_each_row(CopyPlan const& loops, std::size_t first, std::size_t count, Row const& row) {
  std::size_t index[copy_max_rank];
  std::size_t to = 0, from = 0;
  std::size_t rest = first;
  std::size_t left = loops.size() - first < count ? loops.size() - first : count;
  for (int d = 0; d < loops.rank; ++d) {
    index[d] = rest % loops.dimension[d].extent;
    rest /= loops.dimension[d].extent;
    to += index[d] * loops.dimension[d].dst_stride;
    from += index[d] * loops.dimension[d].src_stride;
  }
  CopyDimension const inner = loops.dimension[0];
  while (true) {
    std::size_t const in_row = inner.extent - index[0];
    std::size_t const n      = in_row < left ? in_row : left;
    row(to, from, n);
    left -= n;
    if (left == 0) return;
    to -= index[0] * inner.dst_stride;
    from -= index[0] * inner.src_stride;
    index[0] = 0;
    for (int d = 1; d < loops.rank; ++d) {
      CopyDimension const& dim = loops.dimension[d];
      to += dim.dst_stride;
      from += dim.src_stride;
      if (++index[d] < dim.extent) break;
      index[d] = 0;
      to -= dim.extent * dim.dst_stride;
      from -= dim.extent * dim.src_stride;
    }
  }
}

/// Number of elements for one work item on the host.
inline std::size_t elements_per_item(std::size_t n) {
  constexpr std::size_t most = host_copy_policy.item_elements, items = host_copy_policy.fewest_items;
  return n < items ? 1 : n < items * most ? n / items : most;
}

/// Assigns element i in the order of the loops. For devices, whose threads have one element each: the indices of
/// for_each_row would be in memory, and the outermost one needs no division.
template <class T, class Source>
struct AssignElement {
  T* dst;
  Source src;
  CopyPlan loops;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (loops.rank == 1 && loops.dimension[0].dst_stride == 1 && loops.dimension[0].src_stride == 1) {
      Impl::assign_element(dst[i], src[i]);
      return;
    }
    std::size_t to = 0, from = 0, rest = i;
    for (int d = 0; d < loops.rank; ++d) {
      CopyDimension const& dim = loops.dimension[d];
      std::size_t at           = rest;
      if (d + 1 < loops.rank) {
        rest = at / dim.extent;
        at -= rest * dim.extent;
      }
      to += at * dim.dst_stride;
      from += at * dim.src_stride;
    }
    Impl::assign_element(dst[to], src[from]);
  }
};

/// Assigns elements [c * chunk, (c + 1) * chunk) in the order of the loops.
template <class T, class Source>
struct AssignElements {
  T* dst;
  Source src;
  CopyPlan loops;
  std::size_t chunk;

  KOKKOS_FUNCTION void operator()(std::size_t c) const {
    CopyDimension const inner = loops.dimension[0];
    Impl::for_each_row(loops, c * chunk, chunk, [&](std::size_t to, std::size_t from, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i)
        Impl::assign_element(dst[to + i * inner.dst_stride], src[from + i * inner.src_stride]);
    });
  }
};

template <class ExecSpace, class T, class Source>
void assign_elements(char const* label, ExecSpace const& exec, CopyPlan const& plan, T* dst, Source const& src) {
  std::size_t const n = plan.size();
  if (n == 0) return;
  using Range = RangePolicy<ExecSpace, IndexType<std::size_t>>;
  if constexpr (runs_on_host_v<ExecSpace>) {
    // Numbers are converted as vectors, and in less time than other threads need to wake up.
    std::size_t const chunk = Real<T> ? host_copy_policy.item_elements : Impl::elements_per_item(n);
    Kokkos::parallel_for(label, Range(exec, 0, (n + chunk - 1) / chunk),
                         AssignElements<T, Source>{dst, src, loops_of(plan), chunk});
  } else {
    Kokkos::parallel_for(label, Range(exec, 0, n), AssignElement<T, Source>{dst, src, loops_of(plan)});
  }
}

template <class ExecSpace, class T, class U>
void copy_elements(ExecSpace const& exec, CopyPlan const& plan, T* dst, U const* src) {
  Impl::assign_elements("Kokkos::deep_copy: element by element", exec, plan, dst, ElementsOfView<U>{src});
}

template <class ExecSpace, class T>
void fill_elements(ExecSpace const& exec, CopyPlan const& plan, T* dst, T const& value) {
  if constexpr (runs_on_host_v<ExecSpace>)
    Impl::assign_elements("Kokkos::deep_copy: fill", exec, plan, dst, ValueOnHost<T>{&value});
  else
    Impl::assign_elements("Kokkos::deep_copy: fill", exec, plan, dst, ValueInFunctor<T>{value});
}

}  // namespace Kokkos::Impl

#endif
