// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_PERMUTE_ROWS_HPP
#define KOKKOS_SORTING_PERMUTE_ROWS_HPP

/// \file
/// Copies and permutes rows, the elements with one first index in a view of any rank.

#include <impl/sorting/Kokkos_MergeSort.hpp>

#include <Kokkos_ExecPolicy.hpp>
#include <Kokkos_Parallel.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// Views whose type has only one index, so that an access needs no strides.
template <class ViewType>
inline constexpr bool has_single_index_v = [] {
  if constexpr (is_view_v<ViewType>)
    return ViewType::rank() == 1;
  else
    return !requires(ViewType const& v) { v.stride(std::size_t(0)); };
}();

/// Access to the elements of each row by one number.
template <class ViewType>
struct RowElements {
  using value_type = typename ViewType::value_type;

  value_type* data;
  std::size_t row_stride;
  std::size_t row_size = 1;
  int rank;
  std::size_t extent[8];
  std::size_t stride[8];

  explicit RowElements(ViewType const& view) : data(view.data()), row_stride(view.stride(std::size_t(0))) {
    rank = static_cast<int>(view.rank()) - 1;
    for (int r = 0; r < rank; ++r) {
      extent[r] = view.extent(static_cast<std::size_t>(r + 1));
      stride[r] = view.stride(static_cast<std::size_t>(r + 1));
      row_size *= extent[r];
    }
  }
  KOKKOS_FUNCTION value_type& operator()(std::size_t row, std::size_t element) const {
    std::size_t offset = row * row_stride;
    for (int r = 0; r < rank; ++r) {
      offset += element % extent[r] * stride[r];
      element /= extent[r];
    }
    return data[offset];
  }
};
template <class ViewType>
  requires has_single_index_v<ViewType>
struct RowElements<ViewType> {
  static constexpr std::size_t row_size = 1;
  ViewType view;
  explicit RowElements(ViewType const& view_) : view(view_) {}
  KOKKOS_FUNCTION decltype(auto) operator()(std::size_t row, std::size_t) const { return view(row); }
};

/// dst(dst_offset + i, ...) = src(i, ...)
template <class DstViewType, class SrcViewType>
struct CopyRows {
  RowElements<DstViewType> dst;
  int dst_offset;
  RowElements<SrcViewType> src;

  CopyRows(DstViewType const& dst_, int dst_offset_, SrcViewType const& src_)
      : dst(dst_), dst_offset(dst_offset_), src(src_) {}
  KOKKOS_FUNCTION void operator()(int i) const {
    for (std::size_t e = 0; e < dst.row_size; ++e)
      dst(static_cast<std::size_t>(dst_offset + i), e) = src(static_cast<std::size_t>(i), e);
  }
};

/// dst(i, ...) = src(src_offset + order(i), ...)
template <class DstViewType, class PermuteViewType, class SrcViewType>
struct PermuteRows {
  RowElements<DstViewType> dst;
  typename PermuteViewType::const_type order;
  RowElements<SrcViewType> src;
  int src_offset;

  PermuteRows(DstViewType const& dst_, PermuteViewType const& order_, SrcViewType const& src_, int src_offset_)
      : dst(dst_), order(order_), src(src_), src_offset(src_offset_) {}
  KOKKOS_FUNCTION void operator()(int i) const {
    auto const from = static_cast<std::size_t>(static_cast<std::int64_t>(order(i)) + src_offset);
    for (std::size_t e = 0; e < dst.row_size; ++e) dst(static_cast<std::size_t>(i), e) = src(from, e);
  }
};

/// Copies rows of a view to a buffer in which corresponding elements of neighbouring rows are adjacent, and back.
template <class ViewType, class T, class Order>
struct TakeRows {
  RowElements<ViewType> from;
  T* to;
  Order order;
  std::int64_t offset;
  std::size_t count;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(static_cast<std::int64_t>(order(i)) + offset);
    for (std::size_t e = 0; e < from.row_size; ++e) to[e * count + static_cast<std::size_t>(i)] = from(row, e);
  }
};
template <class ViewType, class T>
struct PutRows {
  T const* from;
  RowElements<ViewType> to;
  std::size_t begin, count;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    for (std::size_t e = 0; e < to.row_size; ++e) to(begin + row, e) = from[e * count + row];
  }
};

/// Assigns values(offset + order(i), ...), as it was before, to values(begin + i, ...) for `count` rows.
template <class ExecSpace, class ViewType, class Order>
void permute_rows(ExecSpace const& exec, ViewType const& values, std::size_t begin, Order const& order,
                  std::int64_t offset, std::size_t count) {
  using T      = typename ViewType::non_const_value_type;
  using Policy = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
  RowElements<ViewType> const rows(values);
  auto const buffer = Impl::sort_buffer<T>(exec, count * rows.row_size);
  Kokkos::parallel_for("Kokkos::BinSort::take", Policy(exec, 0, count),
                       TakeRows<ViewType, T, Order>{rows, buffer.data(), order, offset, count});
  Kokkos::parallel_for("Kokkos::BinSort::put", Policy(exec, 0, count),
                       PutRows<ViewType, T>{buffer.data(), rows, begin, count});
}

}  // namespace Kokkos::Impl

#endif
