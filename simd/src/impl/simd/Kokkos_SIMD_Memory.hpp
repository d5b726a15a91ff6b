// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_MEMORY_HPP
#define KOKKOS_SIMD_MEMORY_HPP

/// \file
/// Loads, stores, gathers and scatters as free functions, with and without a mask.
///
/// `unchecked` functions access every lane that the mask selects, so the program must guarantee that the memory exists.
/// `partial` functions also take the number of elements; lanes beyond it are 0 in a load and are not stored.

#include <impl/simd/Kokkos_SIMD_Value.hpp>

namespace Kokkos::Experimental {

namespace SimdImpl {

/// Calls f(i) for each lane that the mask selects.
template <class T, class Abi, class Function>
KOKKOS_FUNCTION void simd_for_each_lane(basic_simd_mask<T, Abi> const& mask, Function const& f) {
  for (int i = 0; i < basic_simd_mask<T, Abi>::N; ++i)
    if (mask[static_cast<simd_size_t>(i)]) f(i);
}

/// Selects the first `count` lanes.
template <class Mask>
KOKKOS_FUNCTION Mask simd_first_lanes(simd_size_t count) {
  return Mask([count](std::size_t i) { return i < count; });
}

template <class Value, class U, class Mask>
KOKKOS_FUNCTION Value simd_load_lanes(U const* memory, Mask const& mask, Value value) {
  simd_for_each_lane(mask, [&](int i) { value.impl_set(i, static_cast<typename Value::value_type>(memory[i])); });
  return value;
}

template <class Value, class U, class Mask>
KOKKOS_FUNCTION void simd_store_lanes(Value const& value, U* memory, Mask const& mask) {
  simd_for_each_lane(mask, [&](int i) { memory[i] = static_cast<U>(value[static_cast<simd_size_t>(i)]); });
}

template <class Value, class U, class Mask, class Index>
KOKKOS_FUNCTION Value simd_gather_lanes(U const& in, Mask const& mask, Index const& index, Value value) {
  simd_for_each_lane(mask, [&](int i) {
    value.impl_set(i, static_cast<typename Value::value_type>(in[index[static_cast<simd_size_t>(i)]]));
  });
  return value;
}

template <class Value, class U, class Mask, class Index>
KOKKOS_FUNCTION void simd_scatter_lanes(Value const& value, U& out, Mask const& mask, Index const& index) {
  simd_for_each_lane(mask,
                     [&](int i) { out[index[static_cast<simd_size_t>(i)]] = value[static_cast<simd_size_t>(i)]; });
}

/// The type of a loaded vector: the one that the caller specifies, or the native one of the elements.
template <class Value, class U>
using simd_loaded = std::conditional_t<std::is_void_v<Value>, simd<std::remove_cv_t<U>>, Value>;

template <class Element, class Index>
using simd_gathered = basic_simd<std::remove_cvref_t<Element>, typename Index::abi_type>;

}  // namespace SimdImpl

/// The values that start at `memory`, all of which must exist. The flags state the alignment.
template <class V = void, class U, class... Flags>
KOKKOS_FUNCTION auto simd_unchecked_load(U const* memory, simd_flags<Flags...> flags = {}) {
  SimdImpl::simd_loaded<V, U> value;
  value.copy_from(memory, flags);
  return value;
}
/// Like `simd_unchecked_load` above, with 0 in lanes that the mask does not select; only selected values must exist.
template <class V = void, class U, class... Flags>
KOKKOS_FUNCTION auto simd_unchecked_load(U const* memory, typename SimdImpl::simd_loaded<V, U>::mask_type const& mask,
                                         simd_flags<Flags...> = {}) {
  return SimdImpl::simd_load_lanes(memory, mask, SimdImpl::simd_loaded<V, U>(0));
}
/// The first `count` values that start at `memory`; 0 in the other lanes, whose memory is not accessed.
template <class V = void, class U, class... Flags>
KOKKOS_FUNCTION auto simd_partial_load(U const* memory, simd_size_t count, simd_flags<Flags...> = {}) {
  using Value = SimdImpl::simd_loaded<V, U>;
  return SimdImpl::simd_load_lanes(memory, SimdImpl::simd_first_lanes<typename Value::mask_type>(count), Value(0));
}
/// Like `simd_partial_load` above, with 0 in lanes that the mask does not select.
template <class V = void, class U, class... Flags>
KOKKOS_FUNCTION auto simd_partial_load(U const* memory, simd_size_t count,
                                       typename SimdImpl::simd_loaded<V, U>::mask_type const& mask,
                                       simd_flags<Flags...> = {}) {
  using Value = SimdImpl::simd_loaded<V, U>;
  return SimdImpl::simd_load_lanes(memory, mask && SimdImpl::simd_first_lanes<typename Value::mask_type>(count),
                                   Value(0));
}
// The documented forms without a count: the memory must contain all lanes, as for the unchecked functions.
/// The same as simd_unchecked_load.
template <class V = void, class U, class... Flags>
KOKKOS_FUNCTION auto simd_partial_load(U const* memory, simd_flags<Flags...> flags = {}) {
  return simd_unchecked_load<V>(memory, flags);
}
/// The same as simd_unchecked_load with a mask.
template <class V = void, class U, class... Flags>
KOKKOS_FUNCTION auto simd_partial_load(U const* memory, typename SimdImpl::simd_loaded<V, U>::mask_type const& mask,
                                       simd_flags<Flags...> flags = {}) {
  return simd_unchecked_load<V>(memory, mask, flags);
}

/// Stores all lanes from `memory` on. The flags state the alignment.
template <class T, class Abi, class U, class... Flags>
KOKKOS_FUNCTION void simd_unchecked_store(basic_simd<T, Abi> const& value, U* memory, simd_flags<Flags...> flags = {}) {
  value.copy_to(memory, flags);
}
/// Stores the selected lanes; memory of other lanes is not accessed.
template <class T, class Abi, class U, class... Flags>
KOKKOS_FUNCTION void simd_unchecked_store(basic_simd<T, Abi> const& value, U* memory,
                                          std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                                          simd_flags<Flags...> = {}) {
  SimdImpl::simd_store_lanes(value, memory, mask);
}
/// Stores the first `count` lanes; memory of other lanes is not accessed.
template <class T, class Abi, class U, class... Flags>
KOKKOS_FUNCTION void simd_partial_store(basic_simd<T, Abi> const& value, U* memory, simd_size_t count,
                                        simd_flags<Flags...> = {}) {
  SimdImpl::simd_store_lanes(value, memory, SimdImpl::simd_first_lanes<basic_simd_mask<T, Abi>>(count));
}
/// Stores the selected ones of the first `count` lanes.
template <class T, class Abi, class U, class... Flags>
KOKKOS_FUNCTION void simd_partial_store(basic_simd<T, Abi> const& value, U* memory, simd_size_t count,
                                        std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                                        simd_flags<Flags...> = {}) {
  SimdImpl::simd_store_lanes(value, memory, mask && SimdImpl::simd_first_lanes<basic_simd_mask<T, Abi>>(count));
}
/// The same as simd_unchecked_store.
template <class T, class Abi, class U, class... Flags>
KOKKOS_FUNCTION void simd_partial_store(basic_simd<T, Abi> const& value, U* memory, simd_flags<Flags...> flags = {}) {
  simd_unchecked_store(value, memory, flags);
}
/// The same as simd_unchecked_store with a mask.
template <class T, class Abi, class U, class... Flags>
KOKKOS_FUNCTION void simd_partial_store(basic_simd<T, Abi> const& value, U* memory,
                                        std::type_identity_t<basic_simd_mask<T, Abi>> const& mask,
                                        simd_flags<Flags...> flags = {}) {
  simd_unchecked_store(value, memory, mask, flags);
}

/// in[index[i]] in lane i. `in` is anything with an operator[]: a pointer, an array, a std::span.
template <class R, class I, class Abi, class... Flags>
KOKKOS_FUNCTION auto unchecked_gather_from(R&& in, basic_simd<I, Abi> const& index, simd_flags<Flags...> = {}) {
  using Value = SimdImpl::simd_gathered<decltype(in[I()]), basic_simd<I, Abi>>;
  return SimdImpl::simd_gather_lanes(in, typename Value::mask_type(true), index, Value(0));
}
/// Like `unchecked_gather_from` above, with a mask: lanes that it does not select are 0.
template <class R, class T, class I, class Abi, class... Flags>
KOKKOS_FUNCTION auto unchecked_gather_from(R&& in, basic_simd_mask<T, Abi> const& mask, basic_simd<I, Abi> const& index,
                                           simd_flags<Flags...> = {}) {
  using Value = SimdImpl::simd_gathered<decltype(in[I()]), basic_simd<I, Abi>>;
  return SimdImpl::simd_gather_lanes(in, mask, index, Value(0));
}
/// Like `unchecked_gather_from` above, with 0 in lanes whose index is out of range, if `in` has a size.
template <class R, class I, class Abi, class... Flags>
KOKKOS_FUNCTION auto partial_gather_from(R&& in, basic_simd<I, Abi> const& index, simd_flags<Flags...> flags = {}) {
  using Value = SimdImpl::simd_gathered<decltype(in[I()]), basic_simd<I, Abi>>;
  return partial_gather_from(in, typename Value::mask_type(true), index, flags);
}
/// Like `partial_gather_from` above, with 0 in lanes that the mask does not select.
template <class R, class T, class I, class Abi, class... Flags>
KOKKOS_FUNCTION auto partial_gather_from(R&& in, basic_simd_mask<T, Abi> const& mask, basic_simd<I, Abi> const& index,
                                         simd_flags<Flags...> flags = {}) {
  if constexpr (requires { in.size(); }) {
    basic_simd_mask<T, Abi> const inside([&](std::size_t i) { return std::size_t(index[i]) < std::size_t(in.size()); });
    return unchecked_gather_from(in, mask && inside, index, flags);
  } else {
    return unchecked_gather_from(in, mask, index, flags);
  }
}

/// Stores lane i to out[index[i]], in the order of the lanes.
template <class T, class Abi, class R, class I, class... Flags>
KOKKOS_FUNCTION void unchecked_scatter_to(basic_simd<T, Abi> const& value, R&& out, basic_simd<I, Abi> const& index,
                                          simd_flags<Flags...> = {}) {
  SimdImpl::simd_scatter_lanes(value, out, basic_simd_mask<T, Abi>(true), index);
}
/// Stores the selected lanes.
template <class T, class Abi, class R, class U, class I, class... Flags>
KOKKOS_FUNCTION void unchecked_scatter_to(basic_simd<T, Abi> const& value, R&& out, basic_simd_mask<U, Abi> const& mask,
                                          basic_simd<I, Abi> const& index, simd_flags<Flags...> = {}) {
  SimdImpl::simd_scatter_lanes(value, out, mask, index);
}
/// Like `unchecked_scatter_to` above, without lanes whose index is out of range, if `out` has a size.
template <class T, class Abi, class R, class I, class... Flags>
KOKKOS_FUNCTION void partial_scatter_to(basic_simd<T, Abi> const& value, R&& out, basic_simd<I, Abi> const& index,
                                        simd_flags<Flags...> flags = {}) {
  partial_scatter_to(value, out, basic_simd_mask<T, Abi>(true), index, flags);
}
/// Like `partial_scatter_to` above, for the selected lanes.
template <class T, class Abi, class R, class U, class I, class... Flags>
KOKKOS_FUNCTION void partial_scatter_to(basic_simd<T, Abi> const& value, R&& out, basic_simd_mask<U, Abi> const& mask,
                                        basic_simd<I, Abi> const& index, simd_flags<Flags...> flags = {}) {
  if constexpr (requires { out.size(); }) {
    basic_simd_mask<U, Abi> const inside(
        [&](std::size_t i) { return std::size_t(index[i]) < std::size_t(out.size()); });
    unchecked_scatter_to(value, out, mask && inside, index, flags);
  } else {
    unchecked_scatter_to(value, out, mask, index, flags);
  }
}

}  // namespace Kokkos::Experimental

#endif
