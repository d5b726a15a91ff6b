// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_LOOP_INDEX_HPP
#define KOKKOS_HOST_LOOP_INDEX_HPP

/// \file
/// The choice of the type that counts the iterations of a kernel.
///
/// By default policies count with a 64-bit type, but most functors take `int`. A loop that counts with 64 bits and
/// converts to `int` in each iteration cannot be vectorised: the converted value might wrap around, so the compiler
/// cannot assume that neighbouring iterations use neighbouring elements. It can if the loop counts with the functor's
/// own type.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

template <class... Ts>
struct TypeList {};

/// The parameters of a call operator that is neither overloaded nor a template.
template <class Call>
struct CallParameters {
  using type = TypeList<>;
};
template <class R, class F, class... Ts>
struct CallParameters<R (F::*)(Ts...) const> {
  using type = TypeList<Ts...>;
};
template <class R, class F, class... Ts>
struct CallParameters<R (F::*)(Ts...) const noexcept> {
  using type = TypeList<Ts...>;
};

/// The common type of the first Rank parameters, apart from const and reference; void if they differ or there are
/// fewer.
template <int Rank, class First, class... Ts>
constexpr auto common_parameter(TypeList<First, Ts...>) {
  using T = std::remove_cvref_t<First>;
  if constexpr (Rank == 1) {
    return std::type_identity<T>{};
  } else if constexpr (std::is_same_v<typename decltype(Impl::common_parameter<Rank - 1>(TypeList<Ts...>{}))::type,
                                      T>) {
    return std::type_identity<T>{};
  } else {
    return std::type_identity<void>{};
  }
}
template <int Rank>
constexpr auto common_parameter(TypeList<>) {
  return std::type_identity<void>{};
}
/// Like `common_parameter` above, after a work tag.
template <int Rank, class Tag, class... Ts>
constexpr auto common_parameter_after_tag(TypeList<Tag, Ts...>) {
  return Impl::common_parameter<Rank>(TypeList<Ts...>{});
}
template <int Rank>
constexpr auto common_parameter_after_tag(TypeList<>) {
  return std::type_identity<void>{};
}

template <class T, std::size_t>
using repeated = T;

/// Whether F has one call operator for (Tag, Index, Index, ..., Extra...), with exactly these parameter types.
template <class F, class Tag, class Index, class... Extra, std::size_t... D>
constexpr bool has_overload(std::index_sequence<D...>) {
  return requires { static_cast<void (F::*)(Tag, repeated<Index, D>..., Extra...) const>(&F::operator()); };
}
template <class F, class Tag, int Rank, class Index, class... Extra>
constexpr bool tagged_takes() {
  constexpr auto d = std::make_index_sequence<static_cast<std::size_t>(Rank)>{};
  return Impl::has_overload<F, Tag, Index, Extra...>(d) || Impl::has_overload<F, Tag const&, Index, Extra...>(d) ||
         Impl::has_overload<F, Tag, Index const&, Extra...>(d) ||
         Impl::has_overload<F, Tag const&, Index const&, Extra...>(d);
}

/// The type of F's indices if it can be determined, otherwise void. Extra are the parameters after the indices.
template <class F, class Tag, int Rank, class PolicyIndex, class... Extra>
constexpr auto functor_index() {
  if constexpr (requires { &F::operator(); }) {
    using parameters = typename CallParameters<decltype(&F::operator())>::type;
    if constexpr (std::is_void_v<Tag>) {
      return Impl::common_parameter<Rank>(parameters{});
    } else {
      return Impl::common_parameter_after_tag<Rank>(parameters{});
    }
  } else if constexpr (!std::is_class_v<F> || std::is_void_v<Tag>) {
    return std::type_identity<void>{};
  } else if constexpr (Impl::tagged_takes<F, Tag, Rank, PolicyIndex, Extra...>()) {
    // Checked first: any check of a template instantiates it, and this instance is needed anyway.
    return std::type_identity<void>{};
  } else if constexpr (Impl::tagged_takes<F, Tag, Rank, int, Extra...>()) {
    return std::type_identity<int>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// The type that counts iterations and that the functor is called with: the functor's own if it is narrower than the
/// policy's, otherwise the policy's.
template <class F, class Tag, int Rank, class PolicyIndex, class... Extra>
constexpr auto loop_index() {
  if constexpr (sizeof(PolicyIndex) <= sizeof(int)) {
    return std::type_identity<PolicyIndex>{};
  } else {
    using T = typename decltype(functor_index<F, Tag, Rank, PolicyIndex, Extra...>())::type;
    if constexpr (std::is_same_v<T, int> || std::is_same_v<T, unsigned>) {
      return std::type_identity<T>{};
    } else {
      return std::type_identity<PolicyIndex>{};
    }
  }
}

/// For a Body or Reduction that is called with Rank indices and then Extra.
template <class Policy, class Body, int Rank, class... Extra>
using loop_index_t = typename decltype(loop_index<typename Body::body_type, typename Policy::work_tag, Rank,
                                                  typename Policy::index_type, Extra...>())::type;

}  // namespace Kokkos::Impl

#endif
