// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_BIN_SORT_PUBLIC_API_HPP
#define KOKKOS_SORTING_BIN_SORT_PUBLIC_API_HPP

/// \file
/// BinSort: sorts keys by their bin number, which an operator computes, and permutes other views in the same way.

#include <sorting/Kokkos_BinOpsPublicAPI.hpp>
#include <impl/sorting/Kokkos_PermuteRows.hpp>
#include <sorting/Kokkos_SortByKeyPublicAPI.hpp>
#include <impl/sorting/Kokkos_SortInPlace.hpp>

#include <Kokkos_Atomic.hpp>
#include <Kokkos_Concepts.hpp>
#include <Kokkos_View.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The type of positions. There are fewer than 2^31 keys, and on a device every byte of a position is moved once for
/// each eight bits of the bin numbers, so positions are of 32 bits there.
template <class KeyViewType>
using bin_sort_size_t = std::conditional_t<runs_on_host_v<typename KeyViewType::memory_space::execution_space>,
                                           typename KeyViewType::memory_space::size_type,
                                           typename KeyViewType::memory_space::execution_space::size_type>;

/// The bin of each key, from the operator. An invalid number is replaced by the nearest valid one.
template <class Keys, class BinOp, class Items>
struct FindBins {
  Keys keys;
  BinOp op;
  int first, last_bin;
  Items items;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    int const key = first + static_cast<int>(i);
    int const bin = op.bin(keys, key);
    items.set(i, static_cast<std::uint32_t>(bin < 0 ? 0 : (bin > last_bin ? last_bin : bin)), key);
  }
};

/// Bin numbers and keys in two arrays, as the libraries of GPU vendors sort them.
template <class Index>
struct BinArrays {
  std::uint32_t* bins;
  Index* order;
  KOKKOS_FUNCTION void set(std::int64_t i, std::uint32_t bin, int key) const {
    bins[i]  = bin;
    order[i] = static_cast<Index>(key);
  }
  KOKKOS_FUNCTION std::uint32_t bin(std::size_t i) const { return bins[i]; }
};

/// Bin numbers and keys as pairs of 8 bytes, as all other sorts move them.
struct BinPairs {
  IndexedKey<std::uint32_t, std::uint32_t>* pairs;
  KOKKOS_FUNCTION void set(std::int64_t i, std::uint32_t bin, int key) const {
    pairs[i] = {bin, static_cast<std::uint32_t>(key)};
  }
  KOKKOS_FUNCTION std::uint32_t bin(std::size_t i) const { return pairs[i].key; }
};

template <class Index>
struct TakeOrder {
  IndexedKey<std::uint32_t, std::uint32_t> const* pairs;
  Index* order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { order[i] = static_cast<Index>(pairs[i].index); }
};

/// Takes the order, and stores the start of each bin, in one pass on a host. Called for each item, and once for the
/// position after the last. Item i writes the starts of the bins after the bin of item i - 1, up to its own bin. Only
/// for hosts: on a device, one thread could get a long gap of empty bins.
template <class Index>
struct TakeOrderAndOffsets {
  IndexedKey<std::uint32_t, std::uint32_t> const* pairs;
  std::int64_t count;
  std::uint32_t bins;
  Index* order;
  Index* offsets;

  void operator()(std::int64_t i) const {
    std::uint32_t const first = i > 0 ? pairs[i - 1].key + 1 : 0;
    std::uint32_t const end   = i < count ? pairs[i].key + 1 : bins;
    for (std::uint32_t bin = first; bin < end; ++bin) offsets[bin] = static_cast<Index>(i);
    if (i < count) order[i] = static_cast<Index>(pairs[i].index);
  }
};
template <class Index>
struct CountByOffsets {
  Index const* offsets;
  std::size_t bins, count;
  int* counts;
  void operator()(std::int64_t i) const {
    auto const bin = static_cast<std::size_t>(i);
    auto const end = bin + 1 < bins ? static_cast<std::size_t>(offsets[bin + 1]) : count;
    counts[bin]    = static_cast<int>(end - static_cast<std::size_t>(offsets[bin]));
  }
};

/// The number of keys in each bin, from sorted bin numbers: the distance between the first key of the bin and the first
/// one after it. The counts are 0 before; addition of 32-bit integers wraps around.
struct ClearCounts {
  int* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t bin) const { counts[bin] = 0; }
};
struct CountByBounds {
  std::uint32_t const* bins;
  std::int64_t count;
  int* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::uint32_t const bin = bins[i];
    if (i == 0 || bins[i - 1] != bin) atomic_add(counts + bin, -static_cast<int>(i));
    if (i + 1 == count || bins[i + 1] != bin) atomic_add(counts + bin, static_cast<int>(i + 1));
  }
};
template <class Offset>
struct OffsetsByCounts {
  int const* counts;
  Offset* offsets;
  KOKKOS_FUNCTION void operator()(std::int64_t bin, std::int64_t& sum, bool final) const {
    if (final) offsets[bin] = static_cast<Offset>(sum);
    sum += counts[bin];
  }
};

/// The start of each bin among items that are sorted by bins, and its number of keys.
template <class Items, class Offset>
struct FindBinOffsets {
  Items items;
  std::size_t count;
  Offset* offsets;
  int* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const bin          = static_cast<std::uint32_t>(i);
    std::size_t const begin = lower_bound(bin, 0, count);
    // Most bins are short, so the search for a bin's end starts at its first item.
    std::size_t low = begin, step = 1;
    while (step < count - low && items.bin(low + step - 1) <= bin) {
      low += step;
      step *= 2;
    }
    offsets[i] = static_cast<Offset>(begin);
    counts[i]  = static_cast<int>(lower_bound(bin + 1, low, step < count - low ? low + step : count) - begin);
  }
  KOKKOS_FUNCTION std::size_t lower_bound(std::uint32_t bin, std::size_t low, std::size_t high) const {
    while (low < high) {
      std::size_t const middle = (low + high) / 2;
      if (items.bin(middle) < bin)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

/// Sorts the keys of each bin with the operator.
template <class Keys, class BinOp, class Index>
struct SortBins {
  Keys keys;
  BinOp op;
  Index* order;
  Index const* offsets;
  int const* counts;

  struct Items {
    SortBins const& bins;
    Index* order;
    KOKKOS_FUNCTION bool less(std::size_t i, std::size_t j) const { return bins.op(bins.keys, order[i], order[j]); }
    KOKKOS_FUNCTION void swap(std::size_t i, std::size_t j) const { Kokkos::kokkos_swap(order[i], order[j]); }
  };
  KOKKOS_FUNCTION void operator()(std::int64_t bin) const {
    Impl::sort_alone(Items{*this, order + offsets[bin]}, static_cast<std::size_t>(counts[bin]));
  }
};

}  // namespace Impl

/// Usage: construct; create_permute_vector(); sort(view) for each view whose elements belong to the keys.
///
/// Keys of one bin keep their order, unless they are sorted, so the result depends only on the keys. Functions with an
/// instance work in its order. Functions without one wait for all earlier work, and are complete when they return.
/// `KeyViewType` may be any type with extent(0) that the operator can read.
template <class KeyViewType, class BinSortOp, class Space = typename KeyViewType::device_type,
          class SizeType = Impl::bin_sort_size_t<KeyViewType>>
class BinSort {
 public:
  using exec_space  = typename Space::execution_space;  ///< the space that sorts
  using bin_op_type = BinSortOp;                        ///< the operator that assigns keys to bins
  using size_type   = SizeType;                         ///< the type of positions
  using value_type  = size_type;                        ///< the same as size_type

  /// A position for each key or for each bin.
  using offset_type = View<size_type*, Space>;
  /// The number of keys of each bin.
  using bin_count_type = View<int const*, Space>;

  using const_key_view_type  = typename KeyViewType::const_type;            ///< the keys, read-only
  using non_const_key_scalar = typename KeyViewType::non_const_value_type;  ///< type of a key
  using const_key_scalar     = typename KeyViewType::const_value_type;      ///< type of a const key

  /// For the library: copies elements.
  template <class DstViewType, class SrcViewType>
  using copy_functor = Impl::CopyRows<DstViewType, SrcViewType>;
  /// For the library: copies elements in the order of a permutation.
  template <class DstViewType, class PermuteViewType, class SrcViewType>
  using copy_permute_functor = Impl::PermuteRows<DstViewType, PermuteViewType, SrcViewType>;

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  /// Without keys; can only be assigned to.
  KOKKOS_DEPRECATED BinSort() = default;
#endif

  /// For the keys [range_begin, range_end), or for all. With `sort_within_bins`, the operator also orders the keys of
  /// each bin.
  /// \throws std::runtime_error if this is not a valid range of keys.
  template <ExecutionSpace ExecSpace>
  BinSort(ExecSpace const& exec, const_key_view_type keys_, int range_begin_, int range_end_, BinSortOp bin_op_,
          bool sort_within_bins_ = false)
      : bin_op(bin_op_),
        range_begin(range_begin_),
        range_end(range_end_),
        sort_within_bins(sort_within_bins_),
        m_keys(keys_) {
    require_access<ExecSpace>();
    require_range();
    auto const bins = static_cast<std::size_t>(bin_op.max_bins());
    m_bin_count = View<int*, Space>(Kokkos::view_alloc(exec, WithoutInitializing, "Kokkos::BinSort::bin_count"), bins);
    bin_offsets = offset_type(Kokkos::view_alloc(exec, WithoutInitializing, "Kokkos::BinSort::bin_offsets"), bins);
    sort_order  = offset_type(Kokkos::view_alloc(exec, WithoutInitializing, "Kokkos::BinSort::sort_order"), length());
    bin_count_const = m_bin_count;
  }
  /// Like the constructor above, in the default instance.
  BinSort(const_key_view_type keys_, int range_begin_, int range_end_, BinSortOp bin_op_,
          bool sort_within_bins_ = false)
      : BinSort(exec_space(), keys_, range_begin_, range_end_, bin_op_, sort_within_bins_) {}
  /// For all keys.
  /// \throws std::runtime_error for more than INT_MAX keys.
  template <ExecutionSpace ExecSpace>
  BinSort(ExecSpace const& exec, const_key_view_type keys_, BinSortOp bin_op_, bool sort_within_bins_ = false)
      : BinSort(exec, keys_, 0, number_of(keys_), bin_op_, sort_within_bins_) {}
  /// For all keys, in the default instance.
  BinSort(const_key_view_type keys_, BinSortOp bin_op_, bool sort_within_bins_ = false)
      : BinSort(exec_space(), keys_, bin_op_, sort_within_bins_) {}

  /// Computes the permutation, and the number of keys in each bin. Must be called again after a change of the keys.
  template <ExecutionSpace ExecSpace>
  void create_permute_vector(ExecSpace const& exec) {
    require_access<ExecSpace>();
    using Policy = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
    if constexpr (Impl::sorts_by_vendor_v<ExecSpace, std::uint32_t, Impl::Ascending>) {
      sort_bins_by_vendor(exec);
    } else {
      auto const pairs = Impl::sort_buffer<Impl::IndexedKey<std::uint32_t, std::uint32_t>>(exec, length());
      Impl::BinPairs const items{pairs.data()};
      find_bins(exec, items);
      Impl::sort_array(exec, items.pairs, length(), Impl::CompareKeys<Impl::Ascending, true>(), bits_of_bins());
      if constexpr (Impl::sorts_on_host_v<ExecSpace>) {
        auto const bins = static_cast<std::size_t>(bin_op.max_bins());
        Kokkos::parallel_for("Kokkos::BinSort::order", Policy(exec, 0, length() + 1),
                             Impl::TakeOrderAndOffsets<size_type>{items.pairs, static_cast<std::int64_t>(length()),
                                                                  static_cast<std::uint32_t>(bins), sort_order.data(),
                                                                  bin_offsets.data()});
        Kokkos::parallel_for("Kokkos::BinSort::counts", Policy(exec, 0, bins),
                             Impl::CountByOffsets<size_type>{bin_offsets.data(), bins, length(), m_bin_count.data()});
      } else {
        find_offsets(exec, items);
        Kokkos::parallel_for("Kokkos::BinSort::order", Policy(exec, 0, length()),
                             Impl::TakeOrder<size_type>{items.pairs, sort_order.data()});
      }
    }
    if (sort_within_bins)
      Kokkos::parallel_for("Kokkos::BinSort::sort_bins", Policy(exec, 0, bin_op.max_bins()),
                           Impl::SortBins<const_key_view_type, BinSortOp, size_type>{
                               m_keys, bin_op, sort_order.data(), bin_offsets.data(), m_bin_count.data()});
  }
  /// Like `create_permute_vector` above, in the default instance. Waits for all earlier work, and is complete when it
  /// returns.
  void create_permute_vector() {
    Impl::run_between_fences<exec_space>("Kokkos::BinSort::create_permute_vector",
                                         [&](exec_space const& exec) { create_permute_vector(exec); });
  }

  /// Permutes values(begin), ..., values(end - 1), including all elements of their other dimensions. The first of them
  /// belongs to the first key of the range; their number must equal that of the keys.
  /// \throws std::runtime_error if this is not a valid range of the view, or its length differs from that of the keys.
  template <ExecutionSpace ExecSpace, class ValuesViewType>
  void sort(ExecSpace const& exec, ValuesViewType const& values, int values_range_begin, int values_range_end) const {
    require_access<ExecSpace>();
    static_assert(SpaceAccessibility<ExecSpace, typename ValuesViewType::memory_space>::accessible,
                  "Kokkos::BinSort::sort: the execution space must be able to access the view's memory space.");
    if (values.extent(0) == 0) return;
    require_values(values_range_begin, values_range_end, values.extent(0));
    Impl::permute_rows(exec, values, static_cast<std::size_t>(values_range_begin), sort_order,
                       values_range_begin - range_begin, length());
  }
  /// Like `sort` above, in the default instance. Waits for all earlier work, and is complete when it returns.
  template <class ValuesViewType>
    requires(!ExecutionSpace<ValuesViewType>)
  void sort(ValuesViewType const& values, int values_range_begin, int values_range_end) const {
    Impl::run_between_fences<exec_space>("Kokkos::BinSort::sort", [&](exec_space const& exec) {
      sort(exec, values, values_range_begin, values_range_end);
    });
  }
  /// Permutes values(0), ..., as many as there are keys.
  template <ExecutionSpace ExecSpace, class ValuesViewType>
  void sort(ExecSpace const& exec, ValuesViewType const& values) const {
    sort(exec, values, 0, range_end - range_begin);
  }
  /// Like `sort` above, in the default instance. Waits for all earlier work, and is complete when it returns.
  template <class ValuesViewType>
  void sort(ValuesViewType const& values) const {
    sort(values, 0, range_end - range_begin);
  }

  /// Element i of the sorted sequence was element get_permute_vector()(i) of the unsorted one.
  KOKKOS_FUNCTION offset_type get_permute_vector() const { return sort_order; }
  /// The start of each bin in the result.
  KOKKOS_FUNCTION offset_type get_bin_offsets() const { return bin_offsets; }
  /// The number of keys in each bin.
  KOKKOS_FUNCTION bin_count_type get_bin_count() const { return bin_count_const; }

  BinSortOp bin_op;                ///< assigns keys to bins
  offset_type bin_offsets;         ///< result: see get_bin_offsets()
  bin_count_type bin_count_const;  ///< result: see get_bin_count()
  offset_type sort_order;          ///< result: see get_permute_vector()
  int range_begin       = 0;       ///< the first key
  int range_end         = 0;       ///< one more than the last key
  bool sort_within_bins = false;   ///< whether the operator orders the keys of a bin

 private:
  template <class ExecSpace>
  static constexpr void require_access() {
    static_assert(SpaceAccessibility<ExecSpace, typename Space::memory_space>::accessible,
                  "Kokkos::BinSort: the execution space must be able to access the memory space of the sorter.");
  }
  static int number_of(const_key_view_type const& keys) {
    constexpr int most = std::numeric_limits<int>::max();
    if (keys.extent(0) > static_cast<std::size_t>(most))
      Impl::throw_runtime_exception("Kokkos::BinSort: a view with " + std::to_string(keys.extent(0)) +
                                    " keys was passed. There can be at most " + std::to_string(most) + ".");
    return static_cast<int>(keys.extent(0));
  }
  void require_range() const {
    if (bin_op.max_bins() <= 0)
      Impl::throw_runtime_exception("Kokkos::BinSort: the bin operator has " + std::to_string(bin_op.max_bins()) +
                                    " bins. There must be at least one.");
    if (range_begin < 0 || range_end < range_begin || static_cast<std::size_t>(range_end) > m_keys.extent(0))
      Impl::throw_runtime_exception("Kokkos::BinSort: the range [" + std::to_string(range_begin) + ", " +
                                    std::to_string(range_end) + ") was requested for a view with " +
                                    std::to_string(m_keys.extent(0)) + " keys. It must be inside the view.");
  }
  void require_values(int begin, int end, std::size_t extent) const {
    if (begin >= 0 && end - begin == range_end - range_begin && static_cast<std::size_t>(end) <= extent) return;
    Impl::throw_runtime_exception(
        "Kokkos::BinSort::sort: values range length != permutation vector length, or not inside the view. The values "
        "[" +
        std::to_string(begin) + ", " + std::to_string(end) + ") of a view with extent " + std::to_string(extent) +
        " were to be sorted by " + std::to_string(length()) + " keys.");
  }
  /// The bits that bin numbers have.
  int bits_of_bins() const {
    return std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(bin_op.max_bins() - 1))));
  }
  template <class ExecSpace, class Items>
  void find_bins(ExecSpace const& exec, Items const& items) const {
    using Policy = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
    Kokkos::parallel_for("Kokkos::BinSort::bins", Policy(exec, 0, length()),
                         Impl::FindBins<const_key_view_type, BinSortOp, Items>{m_keys, bin_op, range_begin,
                                                                               bin_op.max_bins() - 1, items});
  }
  template <class ExecSpace, class Items>
  void find_offsets(ExecSpace const& exec, Items const& items) const {
    using Policy = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
    Kokkos::parallel_for(
        "Kokkos::BinSort::offsets", Policy(exec, 0, bin_op.max_bins()),
        Impl::FindBinOffsets<Items, size_type>{items, length(), bin_offsets.data(), m_bin_count.data()});
  }
  /// The pairs of bins and positions start in the arrays from which the library's sort ends in `sort_order`.
  template <class ExecSpace>
  void sort_bins_by_vendor(ExecSpace const& exec) {
    using Sort             = Impl::VendorSort<ExecSpace>;
    using Policy           = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
    auto const bins        = Impl::sort_buffer<std::uint32_t>(exec, length());
    auto const other_bins  = Impl::sort_buffer<std::uint32_t>(exec, length());
    auto const other_order = Impl::sort_buffer<size_type>(exec, length());
    bool const stays       = Sort::ends_in_first(bits_of_bins());
    size_type* const order = stays ? sort_order.data() : other_order.data();
    size_type* const other = stays ? other_order.data() : sort_order.data();
    std::uint32_t* sorted  = bins.data();
    find_bins(exec, Impl::BinArrays<size_type>{bins.data(), order});
    if (length() > 0)
      sorted = Sort::sort_new_pairs(exec, bins.data(), other_bins.data(), order, other, sort_order.data(), length(),
                                    bits_of_bins());
    Kokkos::parallel_for("Kokkos::BinSort::no_keys", Policy(exec, 0, m_bin_count.extent(0)),
                         Impl::ClearCounts{m_bin_count.data()});
    Kokkos::parallel_for("Kokkos::BinSort::counts", Policy(exec, 0, length()),
                         Impl::CountByBounds{sorted, static_cast<std::int64_t>(length()), m_bin_count.data()});
    Kokkos::parallel_scan("Kokkos::BinSort::offsets", Policy(exec, 0, m_bin_count.extent(0)),
                          Impl::OffsetsByCounts<size_type>{m_bin_count.data(), bin_offsets.data()});
  }
  std::size_t length() const { return static_cast<std::size_t>(range_end - range_begin); }

  const_key_view_type m_keys;
  View<int*, Space> m_bin_count;
};

}  // namespace Kokkos

#endif
