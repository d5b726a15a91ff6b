// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWMAPPING_HPP
#define KOKKOS_VIEW_VIEWMAPPING_HPP

/// \file
/// Layout mappings: from the indices of an element to its offset. A mapping owns the extents.
///
/// LayoutLeft and LayoutRight store at most one stride: the stride of the dimension next to the fastest one, and only
/// if the fastest extent is a run-time extent. A static fastest extent is itself the stride, so that `double*[3]`
/// multiplies by 3.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Layout.hpp>
#include <impl/view/Kokkos_ViewExtents.hpp>
#include <impl/view/Kokkos_ViewOffset.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

template <bool Stored>
struct PaddedStride {
  StoredSize stored_stride = {};
};
template <>
struct PaddedStride<false> {};

/// Whether the fastest extent is a run-time extent, so that the next dimension's stride can be independent of it.
template <class Layout, class Extents>
inline constexpr bool stores_stride_v = Extents::rank > 1 && Extents::static_extent(std::is_same_v<Layout, LayoutLeft>
                                                                                        ? 0
                                                                                        : Extents::rank - 1) == 0;

/// The mapping of LayoutLeft and LayoutRight.
template <class Layout, class Extents>
class DenseMapping : private Extents, private PaddedStride<stores_stride_v<Layout, Extents>> {
 public:
  using layout_type  = Layout;
  using extents_type = Extents;

  static constexpr std::size_t rank = Extents::rank;
  static constexpr bool is_left     = std::is_same_v<Layout, LayoutLeft>;
  /// The dimension with stride 1, and the dimension whose stride may be padded. Meaningful for ranks from 2 on.
  static constexpr std::size_t fastest = is_left || rank == 0 ? 0 : rank - 1;
  static constexpr std::size_t padded  = is_left ? 1 : rank - 2;
  /// Whether the stride of dimension `padded` is independent of the extents.
  static constexpr bool stores_stride = stores_stride_v<Layout, Extents>;
  /// Whether every view of this type is contiguous.
  static constexpr bool is_always_contiguous = !stores_stride;

  KOKKOS_DEFAULTED_FUNCTION constexpr DenseMapping() = default;

  KOKKOS_FUNCTION explicit constexpr DenseMapping(ExtentList const& extents) : Extents(extents) {
    if constexpr (stores_stride) this->stored_stride = StoredSize{this->extents()[fastest]};
  }

  /// With valid strides, such as those of a subview.
  KOKKOS_FUNCTION constexpr DenseMapping(ExtentList const& extents, [[maybe_unused]] ExtentList const& strides)
      : Extents(extents) {
    if constexpr (stores_stride) this->stored_stride = StoredSize{strides.value[padded]};
  }

  /// With extents and strides of another layout that `allows` has accepted.
  KOKKOS_FUNCTION static constexpr DenseMapping adopt(ExtentList const& extents, ExtentList const& strides) {
    DenseMapping result(extents);
    if constexpr (stores_stride) result.stored_stride = StoredSize{result.stride_of_rows(strides)};
    return result;
  }

  KOKKOS_FUNCTION constexpr Extents const& extents() const { return *this; }

  /// Makes rows start at multiples of `row_alignment` elements, if the stride is variable.
  KOKKOS_FUNCTION constexpr void pad([[maybe_unused]] std::size_t row_alignment) {
    if constexpr (stores_stride)
      if (extents()[fastest] >= row_alignment)
        this->stored_stride = StoredSize{(extents()[fastest] + row_alignment - 1) / row_alignment * row_alignment};
  }

  /// Beyond the rank: 1 for LayoutRight; for LayoutLeft the stride of one more dimension.
  KOKKOS_FUNCTION constexpr std::size_t stride(std::size_t r) const {
    if constexpr (rank == 0) {
      return 1;
    } else if constexpr (rank == 1) {
      return is_left && r > 0 ? extents()[0] : 1;
    } else if constexpr (is_left) {
      return r == 0 ? 1 : padded_stride() * extents().product(1, r < rank ? r : rank);
    } else {
      return r >= fastest ? 1 : padded_stride() * extents().product(r + 1, fastest);
    }
  }

  /// Number of elements from the first to the last in memory, with the gaps between them.
  KOKKOS_FUNCTION constexpr std::size_t span() const {
    std::size_t const n = extents().product();
    if constexpr (stores_stride) {
      if (n == 0) return 0;
      std::size_t const row = extents()[fastest];
      return (n / row - 1) * padded_stride() + row;
    } else {
      return n;
    }
  }

  /// The span, or unrepresentable_size if a product or the sum overflows.
  KOKKOS_FUNCTION constexpr std::size_t checked_span() const {
    std::size_t const n = extents().checked_product();
    if constexpr (stores_stride) {
      if (n == 0 || n == unrepresentable_size) return n;
      std::size_t const row = extents()[fastest];
      return Impl::add_sizes(Impl::multiply_sizes(n / row - 1, padded_stride()), row);
    } else {
      return n;
    }
  }

  KOKKOS_FUNCTION constexpr bool is_contiguous() const { return is_always_contiguous || span() == extents().product(); }

  /// Offset by Horner's rule, so that the fastest index is only added.
  template <class... Index>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t operator()(Index... index) const {
    if constexpr (rank == 0) {
      return 0;
    } else if constexpr (rank == 1) {
      return (static_cast<std::size_t>(index), ...);
    } else {
      return horner(std::make_index_sequence<rank - 1>(), static_cast<std::size_t>(index)...);
    }
  }

  /// Whether this layout can represent these extents and strides of another layout. Strides of dimensions with one
  /// index, or of views without elements, are irrelevant.
  KOKKOS_FUNCTION static constexpr bool allows(ExtentList const& extents, ExtentList const& strides) {
    for (std::size_t r = 0; r < rank; ++r)
      if (extents.value[r] == 0) return true;
    DenseMapping const mapping = adopt(extents, strides);
    for (std::size_t r = 0; r < rank; ++r)
      if (extents.value[r] != 1 && strides.value[r] != mapping.stride(r)) return false;
    return rank < 2 || mapping.padded_stride() >= extents.value[fastest];
  }

  KOKKOS_FUNCTION constexpr Layout layout() const {
    Layout result;
    for (std::size_t r = 0; r < rank; ++r) result.dimension[r] = extents()[r];
    if constexpr (stores_stride) result.stride = padded_stride();
    return result;
  }

 private:
  KOKKOS_FUNCTION constexpr std::size_t padded_stride() const {
    if constexpr (stores_stride)
      return static_cast<std::size_t>(this->stored_stride);
    else
      return extents()[fastest];
  }

  /// Factor between dimension number `Step` (counted from the slowest one) and the next faster one.
  template <std::size_t Step>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t factor() const {
    constexpr std::size_t faster = is_left ? rank - 2 - Step : Step + 1;
    if constexpr (faster == fastest)
      return padded_stride();
    else
      return extents()[faster];
  }

  template <std::size_t... Step, class... Index>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t horner(std::index_sequence<Step...>, Index... index) const {
    std::size_t const i[] = {index...};
    std::size_t offset    = i[is_left ? rank - 1 : 0];
    ((offset = offset * factor<Step>() + i[is_left ? rank - 2 - Step : Step + 1]), ...);
    return offset;
  }

  /// A dimension with one index may have any stride, so the first dimension with more indices determines the row
  /// stride.
  KOKKOS_FUNCTION constexpr std::size_t stride_of_rows(ExtentList const& strides) const {
    for (std::size_t step = 1; step < rank; ++step) {
      std::size_t const r = is_left ? step : rank - 1 - step;
      if (extents()[r] > 1) return strides.value[r];
    }
    return extents()[fastest];
  }
};

template <std::size_t N>
struct StoredStrides {
  StoredSize strides[N] = {};
};
template <>
struct StoredStrides<0> {};

/// The mapping of LayoutStride: a stride for each dimension.
template <class Extents>
class StridedMapping : private Extents, private StoredStrides<Extents::rank> {
 public:
  using layout_type  = LayoutStride;
  using extents_type = Extents;

  static constexpr std::size_t rank          = Extents::rank;
  static constexpr bool stores_stride        = true;
  static constexpr bool is_always_contiguous = rank == 0;

  KOKKOS_DEFAULTED_FUNCTION constexpr StridedMapping() = default;

  KOKKOS_FUNCTION constexpr StridedMapping(ExtentList const& extents, [[maybe_unused]] ExtentList const& given_strides)
      : Extents(extents) {
    if constexpr (rank > 0)
      for (std::size_t r = 0; r < rank; ++r) this->strides[r] = StoredSize{given_strides.value[r]};
  }

  KOKKOS_FUNCTION constexpr Extents const& extents() const { return *this; }

  KOKKOS_FUNCTION constexpr void pad(std::size_t) {}

  /// The stride of dimension r. Beyond the rank, it is 0, or 1 in a view without dimensions.
  KOKKOS_FUNCTION constexpr std::size_t stride([[maybe_unused]] std::size_t r) const {
    if constexpr (rank > 0)
      return r < rank ? static_cast<std::size_t>(this->strides[r]) : 0;
    else
      return 1;
  }

  KOKKOS_FUNCTION constexpr std::size_t span() const {
    std::size_t result = 1;
    for (std::size_t r = 0; r < rank; ++r) {
      if (extents()[r] == 0) return 0;
      result += (extents()[r] - 1) * stride(r);
    }
    return result;
  }

  /// The span, or unrepresentable_size if a product or the sum overflows.
  KOKKOS_FUNCTION constexpr std::size_t checked_span() const {
    if (extents().checked_product() == 0) return 0;
    std::size_t result = 1;
    for (std::size_t r = 0; r < rank; ++r)
      result = Impl::add_sizes(result, Impl::multiply_sizes(extents()[r] - 1, stride(r)));
    return result;
  }

  KOKKOS_FUNCTION constexpr bool is_contiguous() const { return span() == extents().product(); }

  template <class... Index>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t operator()([[maybe_unused]] Index... index) const {
    if constexpr (rank == 0)
      return 0;
    else
      return sum(std::make_index_sequence<rank>(), static_cast<std::size_t>(index)...);
  }

  KOKKOS_FUNCTION static constexpr StridedMapping adopt(ExtentList const& extents, ExtentList const& strides) {
    return StridedMapping(extents, strides);
  }
  KOKKOS_FUNCTION static constexpr bool allows(ExtentList const&, ExtentList const&) { return true; }

  KOKKOS_FUNCTION constexpr LayoutStride layout() const {
    LayoutStride result;
    for (std::size_t r = 0; r < rank; ++r) {
      result.dimension[r] = extents()[r];
      result.stride[r]    = stride(r);
    }
    return result;
  }

 private:
  template <std::size_t... R, class... Index>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t sum(std::index_sequence<R...>, Index... index) const {
    return ((index * static_cast<std::size_t>(this->strides[R])) + ...);
  }
};

template <class Layout, class Extents>
using ViewMapping = std::conditional_t<
    is_program_layout_v<Layout>, ProgramMapping<Layout, Extents>,
    std::conditional_t<std::is_same_v<Layout, LayoutStride>, StridedMapping<Extents>, DenseMapping<Layout, Extents>>>;

}  // namespace Kokkos::Impl

#endif
