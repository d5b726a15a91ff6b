// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_MASK_HPP
#define KOKKOS_SIMD_MASK_HPP

/// \file
/// basic_simd_mask: one truth value for each lane of a vector.

#include <impl/simd/Kokkos_SIMD_X86.hpp>

namespace Kokkos::Experimental {

namespace SimdImpl {

/// Calls a generator with an integral constant, which a program's generator may require.
template <std::size_t... I, class Generator, class Result>
KOKKOS_FUNCTION void simd_call_generator(std::index_sequence<I...>, Generator& generator, Result const& result) {
  (result(int(I), generator(std::integral_constant<std::size_t, I>())), ...);
}

template <class Generator, class T>
concept simd_generator =
    requires(Generator& generator) { static_cast<T>(generator(std::integral_constant<std::size_t, 0>())); };

}  // namespace SimdImpl

/// N truth values, for vectors of T. Regular; the result of comparisons of vectors.
template <class T, class Abi>
class basic_simd_mask {
 public:
  using value_type = bool;                ///< the type of a lane
  using simd_type  = basic_simd<T, Abi>;  ///< the vector with this mask
  using abi_type   = Abi;                 ///< the ABI, which sets the number of lanes

  /// Number of lanes: `size()`, or `size` as a constant.
  static constexpr std::integral_constant<simd_size_t, simd_abi::Impl::size_of_abi<Abi>> size{};

  basic_simd_mask() = default;
  /// `value` in every lane.
  KOKKOS_FUNCTION explicit basic_simd_mask(bool value)
      : m_lanes(SimdImpl::simd_broadcast<lane_int, N>(static_cast<lane_int>(-lane_int(value)))) {}
  /// Lane i is generator(std::integral_constant<std::size_t, i>()).
  template <SimdImpl::simd_generator<bool> Generator>
  KOKKOS_FUNCTION explicit basic_simd_mask(Generator&& generator) {
    SimdImpl::simd_call_generator(std::make_index_sequence<static_cast<std::size_t>(N)>(), generator,
                                  [this](int i, bool value) { m_lanes[i] = -lane_int(value); });
  }
  /// Converts the mask of a vector of another type; implicit if the elements have the same size.
  template <class U>
  KOKKOS_FUNCTION explicit(!std::is_same_v<SimdImpl::simd_lane_int<U>, SimdImpl::simd_lane_int<T>>)
      basic_simd_mask(basic_simd_mask<U, Abi> const& other)
      : m_lanes(SimdImpl::simd_convert<lane_int, SimdImpl::simd_lane_int<U>, N>(other.impl_lanes())) {}

  /// Whether lane i is set.
  KOKKOS_FUNCTION bool operator[](simd_size_t i) const { return m_lanes[static_cast<int>(i)] != 0; }

  /// Sets the lanes that are not set, and unsets the others; so does ~.
  KOKKOS_FUNCTION basic_simd_mask operator!() const { return impl_from(~m_lanes); }
  /// The same as operator!.
  KOKKOS_FUNCTION basic_simd_mask operator~() const { return impl_from(~m_lanes); }

#define KOKKOS_IMPL_SIMD_MASK_OPERATOR(op, expression)                                                     \
  KOKKOS_FUNCTION friend basic_simd_mask operator op(basic_simd_mask const& a, basic_simd_mask const& b) { \
    return impl_from(expression);                                                                          \
  }
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(&&, a.m_lanes& b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(||, a.m_lanes | b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(&, a.m_lanes& b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(|, a.m_lanes | b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(^, a.m_lanes ^ b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(==, ~(a.m_lanes ^ b.m_lanes))
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(!=, a.m_lanes ^ b.m_lanes)
  // A set lane is -1, so "a < b" as truth values is "a unset, b set".
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(<, ~a.m_lanes& b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(<=, ~a.m_lanes | b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(>, a.m_lanes & ~b.m_lanes)
  KOKKOS_IMPL_SIMD_MASK_OPERATOR(>=, a.m_lanes | ~b.m_lanes)
#undef KOKKOS_IMPL_SIMD_MASK_OPERATOR

  /// @{
  /// Combines each lane of `a` with that of `b`.
  KOKKOS_FUNCTION friend basic_simd_mask& operator&=(basic_simd_mask& a, basic_simd_mask const& b) { return a = a & b; }
  KOKKOS_FUNCTION friend basic_simd_mask& operator|=(basic_simd_mask& a, basic_simd_mask const& b) { return a = a | b; }
  KOKKOS_FUNCTION friend basic_simd_mask& operator^=(basic_simd_mask& a, basic_simd_mask const& b) { return a = a ^ b; }
  /// @}

  // For the library.
  static constexpr int N = static_cast<int>(size());            ///< number of lanes
  using register_type    = SimdImpl::simd_mask_register<T, N>;  ///< the stored lanes: -1 if set, otherwise 0
  KOKKOS_FUNCTION register_type const& impl_lanes() const { return m_lanes; }
  KOKKOS_FUNCTION static basic_simd_mask impl_from(register_type const& lanes) {
    basic_simd_mask mask;
    mask.m_lanes = lanes;
    return mask;
  }

 private:
  static_assert(N > 0, "The second argument of basic_simd_mask is an ABI of namespace Kokkos::Experimental::simd_abi.");
  using lane_int = SimdImpl::simd_lane_int<T>;

  register_type m_lanes;
};

namespace SimdImpl {

/// One bit for each lane, lane 0 in bit 0.
template <class T, class Abi>
KOKKOS_FUNCTION unsigned simd_mask_bits(basic_simd_mask<T, Abi> const& mask) {
  using Register = typename basic_simd_mask<T, Abi>::register_type;
  if constexpr (simd_has_instruction<SimdSignBits, Register>) {
    return SimdInstructions::run(SimdSignBits{}, mask.impl_lanes());
  } else {
    unsigned bits = 0;
    for (int i = 0; i < basic_simd_mask<T, Abi>::N; ++i) bits |= unsigned(mask[static_cast<simd_size_t>(i)]) << i;
    return bits;
  }
}

template <class T, class Abi>
inline constexpr unsigned simd_all_bits = unsigned((std::uint64_t(1) << basic_simd_mask<T, Abi>::N) - 1);

}  // namespace SimdImpl

/// Whether all lanes are set.
template <class T, class Abi>
KOKKOS_FUNCTION bool all_of(basic_simd_mask<T, Abi> const& mask) {
  return SimdImpl::simd_mask_bits(mask) == SimdImpl::simd_all_bits<T, Abi>;
}
/// Whether at least one lane is set.
template <class T, class Abi>
KOKKOS_FUNCTION bool any_of(basic_simd_mask<T, Abi> const& mask) {
  return SimdImpl::simd_mask_bits(mask) != 0;
}
/// Whether no lane is set.
template <class T, class Abi>
KOKKOS_FUNCTION bool none_of(basic_simd_mask<T, Abi> const& mask) {
  return SimdImpl::simd_mask_bits(mask) == 0;
}
KOKKOS_FUNCTION inline bool all_of(bool value) { return value; }    ///< the value
KOKKOS_FUNCTION inline bool any_of(bool value) { return value; }    ///< the value
KOKKOS_FUNCTION inline bool none_of(bool value) { return !value; }  ///< its negation

}  // namespace Kokkos::Experimental

#endif
