// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_COMBINED_REDUCTION_HPP
#define KOKKOS_PATTERN_COMBINED_REDUCTION_HPP

/// \file
/// Several reductions in one pass: their values are members of one struct, which executors treat as a single value.

#include <Kokkos_Macros.hpp>
#include <impl/pattern/Kokkos_Body.hpp>

#include <cstddef>
#include <utility>

namespace Kokkos::Impl {

template <std::size_t I, class T>
struct PackElement {
  T value;
};

/// A struct of Ts...; compiles faster than std::tuple, and works on devices, too.
template <class Indices, class... Ts>
struct Pack;
template <std::size_t... I, class... Ts>
struct Pack<std::index_sequence<I...>, Ts...> : PackElement<I, Ts>... {};

template <std::size_t I, class T>
KOKKOS_FORCEINLINE_FUNCTION T& element(PackElement<I, T>& pack) {
  return pack.value;
}
template <std::size_t I, class T>
KOKKOS_FORCEINLINE_FUNCTION T const& element(PackElement<I, T> const& pack) {
  return pack.value;
}

/// Combines each element of a Pack with its own combiner.
template <class Indices, class... Combiners>
struct PackCombiner;
template <std::size_t... I, class... Combiners>
struct PackCombiner<std::index_sequence<I...>, Combiners...> {
  using value_type = Pack<std::index_sequence<I...>, typename Combiners::value_type...>;

  Pack<std::index_sequence<I...>, Combiners...> combiners;

  // Constructs the elements one by one in the raw memory of the pack, so that each is constructed exactly once.
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void init(Functor const& functor, value_type* v) const {
    (Impl::element<I>(combiners).init(functor, &Impl::element<I>(*v)), ...);
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void join(Functor const& functor, value_type* into, value_type const* from) const {
    (Impl::element<I>(combiners).join(functor, &Impl::element<I>(*into), &Impl::element<I>(*from)), ...);
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void final(Functor const& functor, value_type* v) const {
    (Impl::element<I>(combiners).final(functor, &Impl::element<I>(*v)), ...);
  }
};

/// Like `PackCombiner` above, for results that the kernel stores itself: after the final step, each element goes to its
/// destination. A null destination gets nothing.
template <class Indices, class... Combiners>
struct StoringPackCombiner;
template <std::size_t... I, class... Combiners>
struct StoringPackCombiner<std::index_sequence<I...>, Combiners...>
    : PackCombiner<std::index_sequence<I...>, Combiners...> {
  using base = PackCombiner<std::index_sequence<I...>, Combiners...>;

  Pack<std::index_sequence<I...>, typename Combiners::value_type*...> destinations;

  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void final(Functor const& functor, typename base::value_type* v) const {
    base::final(functor, v);
    (store(Impl::element<I>(destinations), Impl::element<I>(*v)), ...);
  }

 private:
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void store(T* to, T const& value) {
    if (to) *to = value;
  }
};

/// Passes the elements of the pack to the functor as separate arguments.
template <class Tag, class Functor, class PackValue>
class UnpackingBody;
template <class Tag, class Functor, std::size_t... K, class... Ts>
class UnpackingBody<Tag, Functor, Pack<std::index_sequence<K...>, Ts...>> {
  using pack_type = Pack<std::index_sequence<K...>, Ts...>;

 public:
  using body_type = Functor;

  explicit UnpackingBody(Functor const& functor) : m_body(functor) {}

  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(A const& a, pack_type& v) const {
    m_body(a, Impl::element<K>(v)...);
  }
  template <class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(A const& a, B const& b, pack_type& v) const {
    m_body(a, b, Impl::element<K>(v)...);
  }
  template <class A, class B, class C>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(A const& a, B const& b, C const& c, pack_type& v) const {
    m_body(a, b, c, Impl::element<K>(v)...);
  }
  template <class A, class B, class C, class D>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(A const& a, B const& b, C const& c, D const& d, pack_type& v) const {
    m_body(a, b, c, d, Impl::element<K>(v)...);
  }
  template <class A, class B, class C, class D, class E>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(A const& a, B const& b, C const& c, D const& d, E const& e,
                                              pack_type& v) const {
    m_body(a, b, c, d, e, Impl::element<K>(v)...);
  }
  template <class A, class B, class C, class D, class E, class F>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(A const& a, B const& b, C const& c, D const& d, E const& e, F const& f,
                                              pack_type& v) const {
    m_body(a, b, c, d, e, f, Impl::element<K>(v)...);
  }

  KOKKOS_FUNCTION Functor const& functor() const { return m_body.functor(); }

 private:
  Body<Tag, Functor> m_body;
};

}  // namespace Kokkos::Impl

#endif
