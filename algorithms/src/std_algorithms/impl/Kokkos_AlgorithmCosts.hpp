// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_COSTS_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_COSTS_HPP

/// \file
/// Which bodies of algorithms take only a few instructions for each element. A host runs a short range of them on the
/// calling thread. Functors of programs may take any time, so a body that calls one always gets all threads.

#include <std_algorithms/impl/Kokkos_AlgorithmPlaces.hpp>

#include <impl/pattern/Kokkos_Body.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl::Algorithms {

/// The member type `cost` of a body, or of a part of a body, that takes a few instructions if its own parts do.
template <class... Parts>
struct CheapWith {};

/// Numbers, and iterators whose elements are numbers in memory.
template <class T>
inline constexpr bool is_cheap_v = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_cheap_v<T*> = std::is_arithmetic_v<T>;
template <class ViewType>
inline constexpr bool is_cheap_v<ViewIterator<ViewType>> =
    std::is_arithmetic_v<typename ViewType::value_type> &&
    std::is_same_v<typename ViewType::reference_type, typename ViewType::value_type&>;

template <class Cost>
inline constexpr bool has_cheap_parts_v = false;  // a type of the program that has the same name
template <class... Parts>
inline constexpr bool has_cheap_parts_v<CheapWith<Parts...>> = (is_cheap_v<Parts> && ...);
template <class T>
  requires requires { typename T::cost; }
inline constexpr bool is_cheap_v<T> = has_cheap_parts_v<typename T::cost>;

}  // namespace Kokkos::Impl::Algorithms

namespace Kokkos::Impl {

/// 16 threads take some 5 us to start and end, and 2048 elements of an algorithm 0.5 to 2 us.
template <class Body>
  requires(Algorithms::is_cheap_v<Body>)
inline constexpr std::uint64_t length_for_one_thread<Body> = 2048;

}  // namespace Kokkos::Impl

#endif
