// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_FUNCTIONAL_HPP
#define KOKKOS_FUNCTIONAL_HPP

/// \file
/// Function objects for keys: a hash and a comparison of the bytes of an object, and the comparison operators of its
/// type.

#include <Kokkos_Macros.hpp>
#include <impl/Kokkos_MurmurHash.hpp>

#include <cstdint>

namespace Kokkos {

/// MurmurHash3 of the bytes of an object. Types with padding need a different hash, because padding bytes are
/// undefined.
template <class T>
struct pod_hash {
  using argument_type        = T;              ///< the object
  using first_argument_type  = T;              ///< the object
  using second_argument_type = std::uint32_t;  ///< the seed
  using result_type          = std::uint32_t;  ///< the hash

  /// @{
  /// The hash of `t` with a seed, or with the seed 0.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(T const& t) const { return (*this)(t, 0); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(T const& t, std::uint32_t seed) const {
    return Impl::murmur_hash<sizeof(T)>(&t, seed);
  }
  /// @}
};

/// Whether all bytes are equal.
template <class T>
struct pod_equal_to {
  using first_argument_type  = T;     ///< the left object
  using second_argument_type = T;     ///< the right object
  using result_type          = bool;  ///< the answer

  /// Compares the bytes of both objects, including padding.
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& a, T const& b) const {
    return Impl::equal_bytes<sizeof(T)>(&a, &b);
  }
};

/// Whether any byte differs.
template <class T>
struct pod_not_equal_to {
  using first_argument_type  = T;     ///< the left object
  using second_argument_type = T;     ///< the right object
  using result_type          = bool;  ///< the answer

  /// Compares the bytes of both objects, including padding.
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& a, T const& b) const {
    return !Impl::equal_bytes<sizeof(T)>(&a, &b);
  }
};

#define KOKKOS_IMPL_COMPARISON(NAME, OPERATOR)                                                         \
  template <class T>                                                                                   \
  struct NAME {                                                                                        \
    using first_argument_type  = T;                                                                    \
    using second_argument_type = T;                                                                    \
    using result_type          = bool;                                                                 \
                                                                                                       \
    KOKKOS_FORCEINLINE_FUNCTION bool operator()(T const& a, T const& b) const { return a OPERATOR b; } \
  };

KOKKOS_IMPL_COMPARISON(equal_to, ==)
KOKKOS_IMPL_COMPARISON(not_equal_to, !=)
KOKKOS_IMPL_COMPARISON(greater, >)
KOKKOS_IMPL_COMPARISON(less, <)
KOKKOS_IMPL_COMPARISON(greater_equal, >=)
KOKKOS_IMPL_COMPARISON(less_equal, <=)

#undef KOKKOS_IMPL_COMPARISON

}  // namespace Kokkos

#endif
