// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWDATATYPE_HPP
#define KOKKOS_VIEW_VIEWDATATYPE_HPP

/// \file
/// Decomposes the first template argument of a View, such as `const double**[3]`, and composes such types.

#include <Kokkos_Macros.hpp>
#include <impl/view/Kokkos_ViewExtents.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// The parts of a data type: `value_type` is the element, `extents` the extents, and `rebind<U>` the same array of U.
template <class T>
struct ViewDataType {
  using value_type = T;
  using extents    = ViewExtents<0>;
  template <class U>
  using rebind = U;
};

template <class T>
struct ViewDataType<T*> {
  using value_type = typename ViewDataType<T>::value_type;
  using extents    = typename ViewDataType<T>::extents::one_more_dynamic;
  template <class U>
  using rebind = typename ViewDataType<T>::template rebind<U>*;
};

template <class T, std::size_t N>
struct ViewDataType<T[N]> {
  using value_type = typename ViewDataType<T>::value_type;
  using extents    = typename ViewDataType<T>::extents::template one_more_static<N>;
  template <class U>
  using rebind = typename ViewDataType<T>::template rebind<U>[N];
};

/// The data type with element T, `DynamicRank` stars and the extents `Static...` in brackets.
template <class T, std::size_t DynamicRank, std::size_t... Static>
struct MakeViewDataType {
  using type = typename MakeViewDataType<T*, DynamicRank - 1>::type;
};
template <class T>
struct MakeViewDataType<T, 0> {
  using type = T;
};
template <class T, std::size_t DynamicRank, std::size_t N, std::size_t... Static>
struct MakeViewDataType<T, DynamicRank, N, Static...> {
  using type = typename MakeViewDataType<T, DynamicRank, Static...>::type[N];
};

}  // namespace Kokkos::Impl

#endif
