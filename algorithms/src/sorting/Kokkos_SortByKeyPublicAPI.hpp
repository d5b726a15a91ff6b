// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORTING_SORT_BY_KEY_PUBLIC_API_HPP
#define KOKKOS_SORTING_SORT_BY_KEY_PUBLIC_API_HPP

/// \file
/// Kokkos::Experimental::sort_by_key.

#include <sorting/Kokkos_SortPublicAPI.hpp>

#include <Kokkos_Abort.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos {
namespace Impl {

template <class Index>
struct CountUp {
  Index* to;
  Index first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = static_cast<Index>(first + static_cast<Index>(i)); }
};

/// data[i] = view(order[i])
template <class ViewType, class T, class Index>
struct Permute {
  ViewType view;
  T* data;
  Index const* order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { data[i] = view(order[i]); }
};

/// Values that are cheap to move are sorted with their keys. For other values, their positions are sorted, and each
/// value moves once.
template <class T>
inline constexpr bool travels_with_key_v = std::is_trivially_copyable_v<T> && sizeof(T) <= 16;

template <class ExecSpace, class Keys, class Values, class Less>
void sort_views_by_key(ExecSpace const& exec, Keys const& keys, Values const& values, Less const& less) {
  Impl::require_sortable<ExecSpace, Keys>();
  Impl::require_sortable<ExecSpace, Values>();
  using Value             = typename Values::non_const_value_type;
  std::size_t const count = keys.extent(0);
  if (values.extent(0) < count)
    Kokkos::abort(("Kokkos::Experimental::sort_by_key: values and keys extents must be the same, but there are " +
                   std::to_string(count) + " keys and " + std::to_string(values.extent(0)) +
                   " values. Give every key a value.")
                      .c_str());
  if (count < 2) return;
  Impl::with_dense_elements(exec, keys, 0, count, [&](auto* first_key) {
    if constexpr (travels_with_key_v<Value>) {
      Impl::with_dense_elements(exec, values, 0, count, [&](auto* first_value) {
        Impl::sort_pairs(exec, first_key, first_value, count, less);
      });
    } else {
      using Policy       = RangePolicy<ExecSpace, IndexType<std::int64_t>>;
      auto const order   = Impl::sort_buffer<std::size_t>(exec, count);
      auto const ordered = Impl::sort_buffer<Value>(exec, count);
      Kokkos::parallel_for("Kokkos::sort_by_key::positions", Policy(exec, 0, count),
                           CountUp<std::size_t>{order.data(), 0});
      Impl::sort_pairs(exec, first_key, order.data(), count, less);
      Kokkos::parallel_for("Kokkos::sort_by_key::gather", Policy(exec, 0, count),
                           Permute<Values, Value, std::size_t>{values, ordered.data(), order.data()});
      Kokkos::parallel_for("Kokkos::sort_by_key::scatter", Policy(exec, 0, count),
                           CopyRange<Values, Value, true>{values, ordered.data(), 0});
    }
  });
}

}  // namespace Impl

namespace Experimental {

/// Sorts the keys in ascending order, or in that of `comparator`, and applies the same permutation to the values. In
/// the order of `exec`. Values of equal keys may change their order. The rules for comparators are those of
/// Kokkos::sort.
template <ExecutionSpace ExecSpace, class KeyData, class... KeyProperties, class ValueData, class... ValueProperties>
void sort_by_key(ExecSpace const& exec, View<KeyData, KeyProperties...> const& keys,
                 View<ValueData, ValueProperties...> const& values) {
  Kokkos::Impl::sort_views_by_key(exec, keys, values, Kokkos::Impl::Ascending());
}
/// Like `sort_by_key` above, in the order of a comparator.
template <ExecutionSpace ExecSpace, class KeyData, class... KeyProperties, class ValueData, class... ValueProperties,
          class Comparator>
void sort_by_key(ExecSpace const& exec, View<KeyData, KeyProperties...> const& keys,
                 View<ValueData, ValueProperties...> const& values, Comparator const& comparator) {
  Kokkos::Impl::sort_views_by_key(exec, keys, values, comparator);
}

/// Like `sort_by_key` above, without an instance: runs after all earlier work, and is complete when this returns.
template <class KeyData, class... KeyProperties, class ValueData, class... ValueProperties>
void sort_by_key(View<KeyData, KeyProperties...> const& keys, View<ValueData, ValueProperties...> const& values) {
  Kokkos::Impl::run_between_fences<typename View<KeyData, KeyProperties...>::execution_space>(
      "Kokkos::sort_by_key", [&](auto const& exec) { Kokkos::Experimental::sort_by_key(exec, keys, values); });
}
/// Like `sort_by_key` above, in the order of a comparator, without an instance.
template <class KeyData, class... KeyProperties, class ValueData, class... ValueProperties, class Comparator>
void sort_by_key(View<KeyData, KeyProperties...> const& keys, View<ValueData, ValueProperties...> const& values,
                 Comparator const& comparator) {
  Kokkos::Impl::run_between_fences<typename View<KeyData, KeyProperties...>::execution_space>(
      "Kokkos::sort_by_key",
      [&](auto const& exec) { Kokkos::Experimental::sort_by_key(exec, keys, values, comparator); });
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
