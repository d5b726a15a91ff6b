// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWEXTENTS_HPP
#define KOKKOS_VIEW_VIEWEXTENTS_HPP

/// \file
/// The extents of a View: run-time extents (stars) come first and are stored, static ones (brackets) are part of the
/// type.
///
/// Members of a view that may be empty are base classes, here and in the mapping: every compiler then allocates no
/// space for them, in device code as on the host. Compilers disagree on the size of members with [[no_unique_address]].

#include <Kokkos_Macros.hpp>
#include <Kokkos_Layout.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// The type in which views store sizes. The aliasing rules treat an enumeration as a distinct type. So while a kernel
/// writes integers into a view, the compiler knows that extents and strides do not change, keeps them in registers, and
/// vectorises.
enum class StoredSize : std::size_t {};

template <std::size_t N>
struct StoredExtents {
  StoredSize value[N] = {};
};
template <>
struct StoredExtents<0> {};

/// Up to 8 numbers, one for each dimension, as constructors pass them to a view.
struct ExtentList {
  std::size_t value[ARRAY_LAYOUT_MAX_RANK] = {};
};

/// Stands for every size that std::size_t cannot represent. No memory has so many bytes.
inline constexpr std::size_t unrepresentable_size = ~std::size_t(0);

/// The product of two sizes. Device code has no arithmetic that reports an overflow.
KOKKOS_INLINE_FUNCTION constexpr std::size_t multiply_sizes(std::size_t a, std::size_t b) {
  return b != 0 && a > unrepresentable_size / b ? unrepresentable_size : a * b;
}
/// The sum of two sizes.
KOKKOS_INLINE_FUNCTION constexpr std::size_t add_sizes(std::size_t a, std::size_t b) {
  return a > unrepresentable_size - b ? unrepresentable_size : a + b;
}

template <class N>
KOKKOS_FUNCTION constexpr bool is_negative([[maybe_unused]] N const& n) {
  if constexpr (std::is_signed_v<N>)
    return n < 0;
  else
    return false;
}

/// One bit for each of these numbers, set if it is negative: an unsigned number never is, however large.
template <class... N>
KOKKOS_FUNCTION constexpr unsigned negative_bits([[maybe_unused]] N... n) {
  unsigned bits                 = 0;
  [[maybe_unused]] unsigned bit = 1;
  ((bits |= Impl::is_negative(n) ? bit : 0, bit *= 2), ...);
  return bits;
}

template <std::size_t DynamicRank, std::size_t... Static>
class ViewExtents : private StoredExtents<DynamicRank> {
 public:
  static constexpr std::size_t rank         = DynamicRank + sizeof...(Static);
  static constexpr std::size_t rank_dynamic = DynamicRank;

  using one_more_dynamic = ViewExtents<DynamicRank + 1, Static...>;
  template <std::size_t N>
  using one_more_static = ViewExtents<DynamicRank, N, Static...>;

  KOKKOS_FUNCTION constexpr ViewExtents() { require_rank(); }

  /// Takes the run-time extents from the first `rank_dynamic` numbers.
  KOKKOS_FUNCTION explicit constexpr ViewExtents([[maybe_unused]] ExtentList const& list) {
    require_rank();
    if constexpr (DynamicRank > 0)
      for (std::size_t r = 0; r < DynamicRank; ++r) this->value[r] = StoredSize{list.value[r]};
  }

  /// The static extent of dimension r; 0 for a run-time extent.
  KOKKOS_FUNCTION static constexpr std::size_t static_extent([[maybe_unused]] std::size_t r) {
    if constexpr (DynamicRank > 0)
      if (r < DynamicRank) return 0;
    if constexpr (sizeof...(Static) > 0) {
      constexpr std::size_t all[] = {Static...};
      if (r < rank) return all[r - DynamicRank];
    }
    return 1;
  }

  /// Dimensions beyond the rank have extent 1.
  KOKKOS_FUNCTION constexpr std::size_t operator[](std::size_t r) const {
    if constexpr (DynamicRank > 0)
      if (r < DynamicRank) return static_cast<std::size_t>(this->value[r]);
    return static_extent(r);
  }

  /// Product of the extents of dimensions [first, last).
  KOKKOS_FUNCTION constexpr std::size_t product(std::size_t first = 0, std::size_t last = rank) const {
    std::size_t result = 1;
    for (std::size_t r = first; r < last; ++r) result *= (*this)[r];
    return result;
  }

  /// Product of all extents, or unrepresentable_size.
  KOKKOS_FUNCTION constexpr std::size_t checked_product() const {
    for (std::size_t r = 0; r < rank; ++r)
      if ((*this)[r] == 0) return 0;
    std::size_t result = 1;
    for (std::size_t r = 0; r < rank; ++r) result = Impl::multiply_sizes(result, (*this)[r]);
    return result;
  }

 private:
  /// Refuses objects, not types: recursive traits of programs name the members of views that they never have.
  KOKKOS_FUNCTION static constexpr void require_rank() {
    static_assert(rank <= ARRAY_LAYOUT_MAX_RANK, "Kokkos::View: a view has at most 8 dimensions.");
  }
};

}  // namespace Kokkos::Impl

#endif
