// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_ROCPRIM_HPP
#define KOKKOS_TEST_ROCPRIM_HPP

/// \file
/// Stands in for rocPRIM in programs that use the HIP model: the functions that the library calls, with rocPRIM's
/// signatures and its order of keys.
///
/// rocPRIM orders floating-point keys by their bits: NaNs with a sign come before all numbers, other NaNs after them,
/// and -0 equals 0. Its sorts are stable. (rocprim/thread/radix_key_codec.hpp of rocPRIM)

#include <hip_model_device.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace rocprim {

/// Reads function(iterator[i]).
template <class InputIterator, class UnaryFunction>
class transform_iterator {
 public:
  using value_type      = std::invoke_result_t<UnaryFunction, typename std::iterator_traits<InputIterator>::value_type>;
  using reference       = value_type const&;
  using pointer         = value_type const*;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  transform_iterator(InputIterator iterator, UnaryFunction function) : iterator_(iterator), function_(function) {}
  value_type operator[](difference_type i) const { return function_(iterator_[i]); }

 private:
  InputIterator iterator_;
  UnaryFunction function_;
};
template <class InputIterator, class UnaryFunction>
transform_iterator<InputIterator, UnaryFunction> make_transform_iterator(InputIterator iterator,
                                                                         UnaryFunction function) {
  return {iterator, function};
}

namespace hip_model_detail {

template <class Key>
std::uint64_t ordered_bits(Key const& key) {
  constexpr int unused = 64 - 8 * static_cast<int>(sizeof(Key));
  if constexpr (std::is_floating_point_v<Key>) {
    using Bits            = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
    std::uint64_t const b = std::uint64_t{std::bit_cast<Bits>(key == 0 ? Key(0) : key)} << unused;
    return (b >> 63 != 0 ? ~b : b | std::uint64_t(1) << 63) >> unused;
  } else {
    static_assert(std::is_integral_v<Key>, "rocPRIM has no order for keys of this type.");
    std::uint64_t const sign = std::is_signed_v<Key> ? std::uint64_t(1) << 63 : 0;
    return ((static_cast<std::uint64_t>(key) << unused) ^ sign) >> unused;
  }
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
void sort_kernel(KeysIn keys, KeysOut sorted_keys, ValuesIn values, ValuesOut sorted_values, std::size_t size,
                 unsigned begin_bit, unsigned end_bit) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t const bits = ordered_bits(keys[static_cast<std::ptrdiff_t>(i)]);
    order[i] = {end_bit < 64 ? (bits & ((std::uint64_t(1) << end_bit) - 1)) >> begin_bit : bits >> begin_bit, i};
  }
  std::sort(order.begin(), order.end());  // by position among equal keys, so it is stable
  for (std::size_t i = 0; i < size; ++i) {
    auto const from = static_cast<std::ptrdiff_t>(order[i].second);
    sorted_keys[i]  = keys[from];
    if constexpr (!std::is_null_pointer_v<ValuesIn>) sorted_values[i] = values[from];
  }
}

template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
hipError_t sort(void* storage, std::size_t& storage_size, KeysIn keys, KeysOut sorted_keys, ValuesIn values,
                ValuesOut sorted_values, std::size_t size, unsigned begin_bit, unsigned end_bit, hipStream_t stream) {
  using Key = typename std::iterator_traits<KeysIn>::value_type;
  static_assert(std::is_same_v<Key, typename std::iterator_traits<KeysOut>::value_type>);
  std::size_t const required = size + 1;
  if (storage == nullptr) {
    storage_size = required;
    return hipSuccess;
  }
  if (storage_size < required || begin_bit > end_bit || end_bit > 8 * sizeof(Key)) return hipErrorInvalidValue;
  if (size == 0) return hipSuccess;
  void* arguments[] = {&keys, &sorted_keys, &values, &sorted_values, &size, &begin_bit, &end_bit};
  return hip_model::launch(hip_model::kernel_entry<&sort_kernel<KeysIn, KeysOut, ValuesIn, ValuesOut>>(), dim3(1),
                           dim3(1), arguments, 0, stream);
}

}  // namespace hip_model_detail

template <class KeysIn, class KeysOut>
hipError_t radix_sort_keys(void* storage, std::size_t& storage_size, KeysIn keys, KeysOut sorted_keys, std::size_t size,
                           unsigned begin_bit, unsigned end_bit, hipStream_t stream) {
  return hip_model_detail::sort(storage, storage_size, keys, sorted_keys, nullptr, nullptr, size, begin_bit, end_bit,
                                stream);
}
template <class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
hipError_t radix_sort_pairs(void* storage, std::size_t& storage_size, KeysIn keys, KeysOut sorted_keys, ValuesIn values,
                            ValuesOut sorted_values, std::size_t size, unsigned begin_bit, unsigned end_bit,
                            hipStream_t stream) {
  return hip_model_detail::sort(storage, storage_size, keys, sorted_keys, values, sorted_values, size, begin_bit,
                                end_bit, stream);
}

}  // namespace rocprim

#endif
