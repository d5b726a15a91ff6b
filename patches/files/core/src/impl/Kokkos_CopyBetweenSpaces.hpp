// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_BETWEEN_SPACES_HPP
#define KOKKOS_COPY_BETWEEN_SPACES_HPP

/// \file
/// Copies between views that no execution space can both access, if a view is strided, or layouts or types differ.
/// Elements are copied in pieces through pinned memory. Elements whose types differ, or which cannot be copied as
/// bytes, are packed and unpacked, each by an execution space that can access the memory.

#include <Kokkos_View.hpp>
#include <impl/Kokkos_CopyInPieces.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

template <class DstType, class SrcType>
void view_copy(DstType const& dst, SrcType const& src);  // for views that one execution space can access

template <class Value, int Rank>
struct PackedData {
  using type = typename PackedData<Value, Rank - 1>::type*;
};
template <class Value>
struct PackedData<Value, 0> {
  using type = Value;
};

/// Layouts that a view without gaps can have.
template <class Layout>
inline constexpr bool is_packed_layout = std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;

/// Whether the elements are contiguous, in the order of `Layout`.
template <class Layout, class ViewType>
bool is_packed_as(ViewType const& view) {
  return view.span_is_contiguous() && (ViewType::rank < 2 || std::is_same_v<typename ViewType::array_layout, Layout>);
}

/// A new view with the extents of another one, in the same memory space.
template <class Value, class Layout, class ViewType>
auto packed_for(ViewType const& view) {
  using Packed = View<typename PackedData<Value, int(ViewType::rank)>::type, Layout, typename ViewType::device_type>;
  Layout layout;
  for (std::size_t r = 0; r < std::size_t(ViewType::rank); ++r) layout.dimension[r] = view.extent(r);
  return Packed(view_alloc("Kokkos::deep_copy: packed elements", WithoutInitializing), layout);
}

/// The copy is complete when this returns. The extents must be equal. Allocates memory for the elements of each side
/// that is not packed.
template <class DstType, class SrcType>
void copy_between_spaces(DstType const& dst, SrcType const& src) {
  using Value     = typename SrcType::non_const_value_type;
  using DstLayout = typename DstType::array_layout;
  using SrcLayout = typename SrcType::array_layout;
  using Layout    = std::conditional_t<is_packed_layout<DstLayout>, DstLayout,
                                       std::conditional_t<is_packed_layout<SrcLayout>, SrcLayout, LayoutRight>>;
  if (try_copy_in_pieces(dst, src)) return;
  std::size_t const bytes = src.size() * sizeof(Value);
  auto send               = [&](void* to, void const* from) {
    DeepCopy<typename DstType::memory_space, typename SrcType::memory_space>(to, from, bytes);
    Kokkos::fence("Kokkos::deep_copy: packed elements have arrived");
  };
  auto receive = [&](void const* from) {
    if constexpr (std::is_same_v<Value, typename DstType::value_type>)
      if (is_packed_as<Layout>(dst)) return send(dst.data(), from);
    auto packed = packed_for<Value, Layout>(dst);
    send(packed.data(), from);
    view_copy(dst, packed);
    Kokkos::fence("Kokkos::deep_copy: packed elements are in their places");
  };
  if (is_packed_as<Layout>(src)) return receive(src.data());
  auto packed = packed_for<Value, Layout>(src);
  view_copy(packed, src);
  Kokkos::fence("Kokkos::deep_copy: elements are packed");
  receive(packed.data());
}

}  // namespace Kokkos::Impl

#endif
