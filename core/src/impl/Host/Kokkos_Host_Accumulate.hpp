// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_ACCUMULATE_HPP
#define KOKKOS_HOST_ACCUMULATE_HPP

/// \file
/// The loop of one thread over the iterations that update a value, in reductions and in the first pass of scans.
///
/// Each iteration needs the value that the one before it computed. So a sum of floating-point numbers takes the latency
/// of an addition for each of them, four cycles, although the processor could start eight additions in that time. The
/// compiler must not reorder the additions. Here a thread instead divides its iterations into some stretches with a
/// value each, just as the iterations are divided among threads, and joins these values in order.

#include <impl/Host/Kokkos_Host_Iterations.hpp>
#include <impl/Host/Kokkos_Host_Value.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>
#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/pattern/Kokkos_CombinedReduction.hpp>
#include <impl/pattern/Kokkos_Reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The number of values of a thread. Values with a location are compared by branches, which do not wait for each other;
/// the registers hold two of them, with the locations of their next iterations. An operation on numbers of 16 bits takes
/// longer than one on floats, because it includes conversions.
template <class T>
inline constexpr int host_lanes = requires(T v) { v.loc; } || requires(T v) { v.min_loc; } ? 2
                                  : is_half_precision_v<T>                                 ? 8
                                                                                           : 4;

/// The number of neighbouring iterations of which a thread updates a value each, so that compilers make vectors of their
/// additions; 0 for stretches that are far apart. For sums of floats: a join of the program may depend on the order.
/// Of other types fewer numbers fit into a vector, and stretches are as fast.
template <class Reduction>
inline constexpr int host_neighbours = 0;
template <class KernelBody, class Tag>
  requires(!HasJoin<typename KernelBody::body_type, float&, float const&> &&
           !HasJoin<typename KernelBody::body_type, Tag, float&, float const&>)
inline constexpr int host_neighbours<Reduction<KernelBody, float, FunctorCombiner<float, Tag>>> = 16;

/// Whether a value consists of the results of several reductions.
template <class Value>
inline constexpr bool host_is_pack = false;
template <class Indices, class... Ts>
inline constexpr bool host_is_pack<Pack<Indices, Ts...>> = true;

/// Whether a thread uses several values. Not for integers: compilers reorder their operations themselves, and make
/// vectors of them. Not for several results, whose operations do not wait for each other. Larger values do not fit into
/// the registers.
template <class Reduction, class Iterations>
inline constexpr bool host_uses_lanes = [] {
  using T = typename Reduction::value_type;
  return host_is_single<Reduction> && std::is_trivially_copyable_v<T> && !std::is_integral_v<T> && !host_is_pack<T> &&
         sizeof(T) <= 32 && Iterations::rank == 1;
}();

/// Whether the value is a larger structure. g++ would make vectors of the same member in neighbouring iterations, by
/// dozens of permutations. If each iteration is on its own, it makes vectors of neighbouring members.
template <class Reduction>
inline constexpr bool host_is_structure = [] {
  using T = typename Reduction::value_type;
  return host_is_single<Reduction> && std::is_class_v<T> && !host_is_pack<T> && sizeof(T) > 32;
}();

/// Returns `i`, of which g++ does not know that it follows the one of the iteration before.
template <class Index>
KOKKOS_IMPL_FORCEINLINE Index host_unrelated(Index i) {
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("" : "+r"(i));
#endif
  return i;
}

/// Stores each word of a larger structure on its own. If g++ may store several at once, it keeps them in vectors already
/// in the loop, and permutes what an iteration adds to them.
template <class T>
KOKKOS_IMPL_FORCEINLINE void host_store_words([[maybe_unused]] T& value) {
#if defined(__GNUC__) && !defined(__clang__)
  if constexpr (std::is_trivially_copyable_v<T> && alignof(T) == 8 && sizeof(T) <= 256) {
    auto const store = [place = reinterpret_cast<char*>(&value)](std::size_t offset) {
      std::uint64_t word;
      std::memcpy(&word, place + offset, 8);
      __asm__("" : "+r"(word));
      std::memcpy(place + offset, &word, 8);
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (store(8 * I), ...);
    }(std::make_index_sequence<sizeof(T) / 8>());
  }
#endif
}

/// Whether the functor does all iterations of a part in one call.
template <class Reduction, class Iterations>
inline constexpr bool host_calls_once =
    Iterations::rank == 1 && TakesStretches<typename Reduction::body_type, typename Reduction::reference_type>;

/// Updates `value` by call(i, value), or call(i, j, ..., value), for each iteration of the part.
template <class Loop, class Iterations, class Reduction, class Call>
KOKKOS_IMPL_FORCEINLINE void host_accumulate(Iterations const& iterations, HostPart part, Reduction const& reduction,
                                             typename Reduction::reference_type value, Call const& call) {
  if constexpr (host_calls_once<Reduction, Iterations>) {
    reduction.functor().stretch(iterations.stretch(part), value);
  } else if constexpr (host_uses_lanes<Reduction, Iterations>) {
    using T                  = typename Reduction::value_type;
    constexpr int neighbours = host_neighbours<Reduction>;
    constexpr int count      = neighbours != 0 ? neighbours : host_lanes<T>;
    union Lanes {
      Lanes() {}
      T values[static_cast<std::size_t>(count)];
    } lanes;
    lanes.values[0] = value;
    for (int lane = 1; lane < count; ++lane) reduction.init(&lanes.values[lane]);
    auto const update = [&](auto i, int lane) { call(i, lanes.values[lane]); };
    if constexpr (neighbours != 0)
      iterations.template run_neighbours<Loop, count>(part, update);
    else
      iterations.template run_lanes<Loop, count>(part, update);
    for (int lane = 1; lane < count; ++lane) reduction.join(&lanes.values[0], &lanes.values[lane]);
    value = lanes.values[0];
  } else if constexpr (host_is_structure<Reduction> && Iterations::rank == 1) {
    iterations.template run<Loop>(part, [&](auto i) { call(Impl::host_unrelated(i), value); });
    Impl::host_store_words(value);
  } else {
    iterations.template run<Loop>(part, [&](auto... i) { call(i..., value); });
  }
}

}  // namespace Kokkos::Impl

#endif
