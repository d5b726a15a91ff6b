// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_BIN_OPS_PUBLIC_API_HPP
#define KOKKOS_SORTING_BIN_OPS_PUBLIC_API_HPP

/// \file
/// Bin operators for BinSort: equal intervals of one number, and equal cuboids for three.
///
/// A program's own bin operator has the same functions: `max_bins()`, `bin(keys, i)`, and, for sorting within bins,
/// `operator()(keys, i, j)`, which is true if key i comes before key j.

#include <Kokkos_Macros.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/sorting/Kokkos_SortOrder.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The bin, of `bins`, for a position in units of bins: the nearest one, and the last one for a NaN. A position that is
/// no int must not be converted to one.
KOKKOS_INLINE_FUNCTION int nearest_bin(double position, int bins) {
  if (!(position < bins)) return bins - 1;
  return position > 0 ? static_cast<int>(position) : 0;
}

/// The number of bins. Throws std::runtime_error if it is no int.
inline int require_bins(char const* op, std::int64_t bins) {
  constexpr int most = std::numeric_limits<int>::max();
  if (bins > most)
    Impl::throw_runtime_exception("Kokkos::" + std::string(op) + ": " + std::to_string(bins) +
                                  " or more bins were requested. There can be at most " + std::to_string(most) + ".");
  return static_cast<int>(bins);
}

}  // namespace Impl

/// Divides [min, max] into `max_bins` equal intervals, and one more for max itself.
template <class KeyViewType>
struct BinOp1D {
  using key_type = typename KeyViewType::const_value_type;  ///< type of a key

  int max_bins_ = 0;  ///< number of bins
  double mul_   = 0;  ///< bins per unit of a key
  double min_   = 0;  ///< the key at which bin 0 starts

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  /// Without bins; can only be assigned to.
  KOKKOS_DEPRECATED BinOp1D() = default;
#endif
  /// `max_bins` intervals of [min, max]. Keys outside of [min, max] get the nearest bin, and NaNs the last one.
  /// \throws std::runtime_error if max_bins is INT_MAX
  BinOp1D(int max_bins, key_type min, key_type max)
      : max_bins_(Impl::require_bins("BinOp1D", std::int64_t{max_bins} + 1)),
        mul_(max_bins / distance(min, max)),
        min_(static_cast<double>(min)) {
    // If the range of integers is small enough, each value has its own bin, so bins need not be sorted.
    if (std::is_integral_v<key_type> && distance(min, max) <= max_bins) mul_ = 1;
  }

  /// The bin of key i: a number in [0, max_bins()).
  template <class ViewType>
  KOKKOS_FUNCTION int bin(ViewType& keys, int const& i) const {
    return Impl::nearest_bin((static_cast<double>(keys(i)) - min_) * mul_, max_bins_);
  }
  KOKKOS_FUNCTION int max_bins() const { return max_bins_; }  ///< number of bins: one more than the number of intervals

  /// Whether key i1 comes before key i2 in a bin. NaNs come after all numbers.
  template <class ViewType, class Index1, class Index2>
  KOKKOS_FUNCTION bool operator()(ViewType& keys, Index1& i1, Index2& i2) const {
    return Impl::Ascending()(keys(i1), keys(i2));
  }

 private:
  // In floating point, where the difference does not overflow.
  static double distance(key_type min, key_type max) { return static_cast<double>(max) - static_cast<double>(min); }
};

/// Divides the cuboid [min, max) of keys(i, 0), keys(i, 1), keys(i, 2) into max_bins[0] x max_bins[1] x max_bins[2]
/// cuboids, of which the last coordinate is the fastest. Within a bin, keys are in descending order, and NaNs after all
/// numbers.
template <class KeyViewType>
struct BinOp3D {
  using key_type = typename KeyViewType::const_value_type;  ///< type of a coordinate

  double min_[3]   = {};  ///< start of each dimension
  double mul_[3]   = {};  ///< bins per unit
  int max_bins_[3] = {};  ///< bins in each dimension

  /// Three numbers each. A coordinate outside of [min[d], max[d]) gets the nearest bin, and a NaN the last one.
  /// \throws std::runtime_error if there are more than INT_MAX bins
  BinOp3D(int max_bins[], key_type min[], key_type max[]) {
    std::int64_t product = 1;
    for (int d = 0; d < 3; ++d) {
      product      = Impl::require_bins("BinOp3D", product * max_bins[d]);
      max_bins_[d] = max_bins[d];
      min_[d]      = static_cast<double>(min[d]);
      mul_[d]      = max_bins[d] / (static_cast<double>(max[d]) - min_[d]);
    }
  }
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  /// Without bins; can only be assigned to.
  KOKKOS_DEPRECATED BinOp3D() = default;
#endif

  /// The bin of key i: a number in [0, max_bins()).
  template <class ViewType>
  KOKKOS_FUNCTION int bin(ViewType& keys, int const& i) const {
    int number = 0;
    for (int d = 0; d < 3; ++d)
      number = number * max_bins_[d] +
               Impl::nearest_bin((static_cast<double>(keys(i, d)) - min_[d]) * mul_[d], max_bins_[d]);
    return number;
  }
  /// Product of the three numbers of bins.
  KOKKOS_FUNCTION int max_bins() const { return max_bins_[0] * max_bins_[1] * max_bins_[2]; }

  /// Whether key i1 comes before key i2 in a bin.
  template <class ViewType, class Index1, class Index2>
  KOKKOS_FUNCTION bool operator()(ViewType& keys, Index1& i1, Index2& i2) const {
    for (int d = 0; d < 3; ++d) {
      if (comes_before(keys(i1, d), keys(i2, d))) return true;
      if (comes_before(keys(i2, d), keys(i1, d))) return false;
    }
    return false;
  }

 private:
  template <class T>
  KOKKOS_FUNCTION static bool comes_before(T const& a, T const& b) {
    if constexpr (Impl::has_nan_v<T>)
      return b < a || (b != b && a == a);
    else
      return b < a;
  }
};

}  // namespace Kokkos

#endif
