// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_VALUE_HPP
#define KOKKOS_SIMD_VALUE_HPP

/// \file
/// basic_simd: N values of one type, and the operators on them.

#include <impl/simd/Kokkos_SIMD_Mask.hpp>

namespace Kokkos::Experimental {

/// N values of T. Operators act lane by lane. A default-constructed vector has unspecified values.
template <class T, class Abi>
class basic_simd {
 public:
  using value_type = T;                        ///< the type of a lane
  using abi_type   = Abi;                      ///< the ABI, which sets the number of lanes
  using mask_type  = basic_simd_mask<T, Abi>;  ///< the result of a comparison

  /// Number of lanes: `size()`, or `size` as a constant.
  static constexpr std::integral_constant<simd_size_t, simd_abi::Impl::size_of_abi<Abi>> size{};

  basic_simd() = default;
  /// `value` in every lane.
  template <class U>
    requires std::is_convertible_v<U, T>
  KOKKOS_FUNCTION basic_simd(U&& value) : m_lanes(SimdImpl::simd_broadcast<T, N>(static_cast<T>(value))) {}
  /// Lane i is generator(std::integral_constant<std::size_t, i>()).
  template <class Generator>
    requires(SimdImpl::simd_generator<Generator, T> && !std::is_convertible_v<Generator, T>)
  KOKKOS_FUNCTION explicit basic_simd(Generator&& generator) {
    SimdImpl::simd_call_generator(std::make_index_sequence<static_cast<std::size_t>(N)>(), generator,
                                  [this](int i, auto const& value) { m_lanes[i] = static_cast<T>(value); });
  }
  /// Converts each lane.
  template <class U>
    requires(!std::is_same_v<U, T>)
  KOKKOS_FUNCTION explicit basic_simd(basic_simd<U, Abi> const& other)
      : m_lanes(SimdImpl::simd_convert<T, U, N>(other.impl_lanes())) {}
  /// The values that start at `memory`. The flags state the alignment; without flags there is none.
  template <class U, class... Flags>
  KOKKOS_FUNCTION explicit basic_simd(U const* memory, simd_flags<Flags...> flags = {})
      : m_lanes(SimdImpl::simd_load_register<T, N>(memory, flags)) {}
  /// Like the constructor above, with 0 in lanes that the mask does not select; only selected values must exist.
  template <class U, class... Flags>
  KOKKOS_FUNCTION explicit basic_simd(U const* memory, mask_type const& mask, simd_flags<Flags...> = {})
      : basic_simd(T(0)) {
    for (int i = 0; i < N; ++i)
      if (mask[static_cast<simd_size_t>(i)]) m_lanes[i] = static_cast<T>(memory[i]);
  }

  KOKKOS_FUNCTION T operator[](simd_size_t i) const { return m_lanes[static_cast<int>(i)]; }  ///< lane i, as a copy

  /// Loads all lanes from `memory` on. The flags state the alignment.
  template <class U, class... Flags>
  KOKKOS_FUNCTION void copy_from(U const* memory, simd_flags<Flags...> flags = {}) {
    m_lanes = SimdImpl::simd_load_register<T, N>(memory, flags);
  }
  /// Stores all lanes from `memory` on. The flags state the alignment.
  template <class U, class... Flags>
  KOKKOS_FUNCTION void copy_to(U* memory, simd_flags<Flags...> flags = {}) const {
    SimdImpl::simd_store_register<T, N>(m_lanes, memory, flags);
  }

  KOKKOS_FUNCTION basic_simd operator+() const { return *this; }                ///< the vector itself
  KOKKOS_FUNCTION basic_simd operator-() const { return impl_from(-m_lanes); }  ///< the negation of each lane
  /// Inverts the bits of each lane; integers only.
  KOKKOS_FUNCTION basic_simd operator~() const
    requires std::is_integral_v<T>
  {
    return impl_from(~m_lanes);
  }
  KOKKOS_FUNCTION mask_type operator!() const { return *this == basic_simd(T(0)); }  ///< the lanes that are 0
  KOKKOS_FUNCTION basic_simd& operator++() { return *this += basic_simd(T(1)); }     ///< adds 1 to each lane
  KOKKOS_FUNCTION basic_simd& operator--() { return *this -= basic_simd(T(1)); }     ///< subtracts 1 from each lane
  /// Adds 1 to each lane; returns the vector from before.
  KOKKOS_FUNCTION basic_simd operator++(int) { return post(*this += basic_simd(T(1)), T(-1)); }
  /// Subtracts 1 from each lane; returns the vector from before.
  KOKKOS_FUNCTION basic_simd operator--(int) { return post(*this -= basic_simd(T(1)), T(1)); }

#define KOKKOS_IMPL_SIMD_ARITHMETIC(op, requirement)                                      \
  KOKKOS_FUNCTION friend basic_simd operator op(basic_simd const& a, basic_simd const& b) \
    requires(requirement)                                                                 \
  {                                                                                       \
    return impl_from(a.m_lanes op b.m_lanes);                                             \
  }                                                                                       \
  KOKKOS_FUNCTION friend basic_simd& operator op##=(basic_simd & a, basic_simd const& b)  \
    requires(requirement)                                                                 \
  {                                                                                       \
    return a = a op b;                                                                    \
  }
  KOKKOS_IMPL_SIMD_ARITHMETIC(+, true)
  KOKKOS_IMPL_SIMD_ARITHMETIC(-, true)
  KOKKOS_IMPL_SIMD_ARITHMETIC(*, true)
  KOKKOS_IMPL_SIMD_ARITHMETIC(/, true)
  KOKKOS_IMPL_SIMD_ARITHMETIC(&, std::is_integral_v<T>)
  KOKKOS_IMPL_SIMD_ARITHMETIC(|, std::is_integral_v<T>)
  KOKKOS_IMPL_SIMD_ARITHMETIC(^, std::is_integral_v<T>)
  KOKKOS_IMPL_SIMD_ARITHMETIC(<<, std::is_integral_v<T>)
  KOKKOS_IMPL_SIMD_ARITHMETIC(>>, std::is_integral_v<T>)
#undef KOKKOS_IMPL_SIMD_ARITHMETIC

#define KOKKOS_IMPL_SIMD_COMPARISON(op)                                                                          \
  KOKKOS_FUNCTION friend mask_type operator op(basic_simd const& a, basic_simd const& b) {                       \
    return mask_type::impl_from(SimdImpl::simd_bits<typename mask_type::register_type>(a.m_lanes op b.m_lanes)); \
  }
  KOKKOS_IMPL_SIMD_COMPARISON(==)
  KOKKOS_IMPL_SIMD_COMPARISON(!=)
  KOKKOS_IMPL_SIMD_COMPARISON(<)
  KOKKOS_IMPL_SIMD_COMPARISON(<=)
  KOKKOS_IMPL_SIMD_COMPARISON(>)
  KOKKOS_IMPL_SIMD_COMPARISON(>=)
#undef KOKKOS_IMPL_SIMD_COMPARISON

  // For the library.
  static constexpr int N = static_cast<int>(size());       ///< number of lanes
  using register_type    = SimdImpl::simd_register<T, N>;  ///< the stored lanes
  KOKKOS_FUNCTION register_type const& impl_lanes() const { return m_lanes; }
  KOKKOS_FUNCTION void impl_set(int i, T value) { m_lanes[i] = value; }
  KOKKOS_FUNCTION static basic_simd impl_from(register_type const& lanes) {
    basic_simd value;
    value.m_lanes = lanes;
    return value;
  }

 private:
  static_assert(N > 0, "The second argument of basic_simd is an ABI of namespace Kokkos::Experimental::simd_abi.");
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "The first argument of basic_simd is an arithmetic type of 4 or 8 bytes.");

  KOKKOS_FUNCTION static basic_simd post(basic_simd const& now, T difference) { return now + basic_simd(difference); }

  register_type m_lanes;
};

/// a where the mask is set, else b.
template <class T, class Abi>
KOKKOS_FUNCTION basic_simd<T, Abi> simd_select(basic_simd_mask<T, Abi> const& mask,
                                               std::type_identity_t<basic_simd<T, Abi>> const& a,
                                               std::type_identity_t<basic_simd<T, Abi>> const& b) {
  using Value = basic_simd<T, Abi>;
  return Value::impl_from(SimdImpl::simd_select<T, Value::N>(mask.impl_lanes(), a.impl_lanes(), b.impl_lanes()));
}
/// The same as simd_select, under the name of Kokkos 4.0.
template <class T, class Abi>
KOKKOS_FUNCTION basic_simd<T, Abi> condition(basic_simd_mask<T, Abi> const& mask,
                                             std::type_identity_t<basic_simd<T, Abi>> const& a,
                                             std::type_identity_t<basic_simd<T, Abi>> const& b) {
  return simd_select(mask, a, b);
}
/// a if `choose` is true, else b: the same for single values, for generic code.
template <class T>
  requires std::is_arithmetic_v<T>
KOKKOS_FUNCTION T condition(bool choose, T a, T b) {
  return choose ? a : b;
}

}  // namespace Kokkos::Experimental

#endif
