// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_SORT_ARRAYS_HPP
#define KOKKOS_SORTING_SORT_ARRAYS_HPP

/// \file
/// Sorts contiguous elements, alone or each with a value, with the method that choose_sort_method selects. All other
/// sorts convert their elements to this form.

#include <impl/sorting/Kokkos_HostSort.hpp>
#include <impl/sorting/Kokkos_MergeSort.hpp>
#include <impl/sorting/Kokkos_SortOrder.hpp>
#include <impl/sorting/Kokkos_VendorSort.hpp>

#include <Kokkos_SpaceAccessibility.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

template <class ExecSpace>
inline constexpr bool sorts_on_host_v =
    SpaceAccessibility<DefaultHostExecutionSpace, typename ExecSpace::memory_space>::accessible &&
    SpaceAccessibility<ExecSpace, HostSpace>::accessible;

/// The vendors' radix sorts sort numbers in ascending order. Their comparison sorts may access other memory if a
/// comparator contradicts itself, so the library's own sort is used for all other orders.
template <class ExecSpace, class T, class Less>
inline constexpr bool sorts_by_vendor_v =
    VendorSort<ExecSpace>::exists && has_radix_key_v<T> && std::is_same_v<Less, Ascending>;

template <class ExecSpace, class T, class Less>
SortFacts sort_facts(ExecSpace const& exec, std::size_t count) {
  return {.count           = count,
          .threads         = exec.impl_concurrency(),
          .on_host         = sorts_on_host_v<ExecSpace>,
          .has_radix_key   = has_radix_key_v<T> && is_ascending_v<Less>,
          .is_trivial      = std::is_trivially_copyable_v<T>,
          .vendor_has_sort = sorts_by_vendor_v<ExecSpace, T, Less>};
}

/// `key_bits`: the number of significant bits in the radix keys.
template <class ExecSpace, class T, class Less>
void sort_array(ExecSpace const& exec, T* data, std::size_t count, Less const& less, int key_bits = 64) {
  SortMethod const method = Impl::choose_sort_method(Impl::sort_facts<ExecSpace, T, Less>(exec, count));
  if (method == SortMethod::nothing) return;
  if constexpr (sorts_on_host_v<ExecSpace>) {
    if (Impl::is_sorted_on_host(data, count, less)) return;
    if (method == SortMethod::one_thread) return Impl::sort_on_one_thread(data, data + count, less);
    if constexpr (has_radix_key_v<T> && is_ascending_v<Less>) {
      int const bits = 8 * static_cast<int>(sizeof(Impl::radix_key(*data)));
      Impl::radix_sort_by_threads(exec, data, count, key_bits < bits ? key_bits : bits);  // never SortMethod::merge
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      Impl::merge_sort_by_threads(exec, data, count, less);
    }
  } else if constexpr (sorts_by_vendor_v<ExecSpace, T, Less>) {
    VendorSort<ExecSpace>::sort(exec, data, count);
  } else {
    Impl::merge_sort_by_teams(exec, data, count, less);
  }
}

template <class Key, class Value>
struct JoinPairs {
  Key const* keys;
  Value const* values;
  IndexedKey<Key, Value>* pairs;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { pairs[i] = {keys[i], values[i]}; }
};
template <class Key, class Value>
struct SplitPairs {
  IndexedKey<Key, Value> const* pairs;
  Key* keys;
  Value* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    keys[i]   = pairs[i].key;
    values[i] = pairs[i].index;
  }
};

/// Sorts keys, and moves values with them.
template <class ExecSpace, class Key, class Value, class Less>
void sort_pairs(ExecSpace const& exec, Key* keys, Value* values, std::size_t count, Less const& less,
                int key_bits = 8 * sizeof(Key)) {
  if (count < 2) return;
  if constexpr (sorts_by_vendor_v<ExecSpace, Key, Less> && std::is_trivially_copyable_v<Value>) {
    VendorSort<ExecSpace>::sort_pairs(exec, keys, values, count, key_bits);
  } else {
    using Policy     = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
    auto const pairs = Impl::sort_buffer<IndexedKey<Key, Value>>(exec, count);
    Kokkos::parallel_for("Kokkos::sort::join", Policy(exec, 0, count),
                         JoinPairs<Key, Value>{keys, values, pairs.data()});
    Impl::sort_array(exec, pairs.data(), count, CompareKeys<Less, false>{less}, key_bits);
    Kokkos::parallel_for("Kokkos::sort::split", Policy(exec, 0, count),
                         SplitPairs<Key, Value>{pairs.data(), keys, values});
  }
}

// ---- elements of views ---------------------------------------------------------------------------------------------

/// Copies view(begin + i) to data[i], or back.
template <class ViewType, class T, bool ToView>
struct CopyRange {
  ViewType view;
  T* data;
  std::size_t begin;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const at = static_cast<std::size_t>(i);
    if constexpr (ToView)
      view(begin + at) = data[at];
    else
      data[at] = view(begin + at);
  }
};

/// Calls work(first) with the elements view(begin), ..., view(begin + count - 1) in contiguous memory: in place if they
/// are contiguous, otherwise in a copy that is copied back.
template <class ExecSpace, class ViewType, class Work>
void with_dense_elements(ExecSpace const& exec, ViewType const& view, std::size_t begin, std::size_t count,
                         Work const& work) {
  using T = typename ViewType::non_const_value_type;
  if constexpr (is_view_v<ViewType>) {
    if (view.span_is_contiguous()) return work(view.data() + begin);
  }
  using Policy      = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
  auto const buffer = Impl::sort_buffer<T>(exec, count);
  Kokkos::parallel_for("Kokkos::sort::gather", Policy(exec, 0, count),
                       CopyRange<ViewType, T, false>{view, buffer.data(), begin});
  work(buffer.data());
  Kokkos::parallel_for("Kokkos::sort::scatter", Policy(exec, 0, count),
                       CopyRange<ViewType, T, true>{view, buffer.data(), begin});
}

}  // namespace Kokkos::Impl

#endif
