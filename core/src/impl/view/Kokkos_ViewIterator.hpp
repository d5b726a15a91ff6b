// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWITERATOR_HPP
#define KOKKOS_VIEW_VIEWITERATOR_HPP

/// \file
/// Random access iterators over the elements of views of rank 1. Included by Kokkos_View.hpp.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Layout.hpp>

#include <compare>
#include <cstddef>
#include <string>  // for std::random_access_iterator_tag, without all of <iterator>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The distance of consecutive elements; empty if it is always 1.
template <class Layout>
struct IteratorStride {
  std::ptrdiff_t stride = 1;
};
template <class Layout>
  requires(!std::is_same_v<Layout, LayoutStride>)
struct IteratorStride<Layout> {
  static constexpr std::ptrdiff_t stride = 1;
};

/// Iterates over a view of rank 1. Does not keep the view's memory alive.
template <class ViewType>
class ViewIterator : private IteratorStride<typename ViewType::array_layout> {
  using Stride = IteratorStride<typename ViewType::array_layout>;

 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type        = typename ViewType::non_const_value_type;
  using difference_type   = std::ptrdiff_t;
  using pointer           = typename ViewType::pointer_type;
  using reference         = typename ViewType::reference_type;

  KOKKOS_DEFAULTED_FUNCTION constexpr ViewIterator() = default;

  KOKKOS_FUNCTION constexpr ViewIterator(ViewType const& view, std::ptrdiff_t position) : m_element(view.data()) {
    if constexpr (is_strided) this->stride = static_cast<std::ptrdiff_t>(view.stride(0));
    *this += position;
  }

  /// Converts an iterator that may write to one that only reads.
  template <class Other>
    requires(!std::is_same_v<Other, ViewType> && std::is_convertible_v<typename Other::pointer_type, pointer> &&
             std::is_same_v<typename Other::array_layout, typename ViewType::array_layout>)
  KOKKOS_FUNCTION constexpr ViewIterator(ViewIterator<Other> const& other)
      : Stride(other), m_element(other.m_element) {}

  KOKKOS_FUNCTION constexpr reference operator*() const {
    if constexpr (std::is_lvalue_reference_v<reference>)
      return *m_element;
    else
      return reference(m_element);
  }
  KOKKOS_FUNCTION constexpr pointer operator->() const { return m_element; }
  // Without the test for null of `*this + n`, after which compilers do not vectorise a loop over elements.
  KOKKOS_FUNCTION constexpr reference operator[](difference_type n) const {
    if constexpr (std::is_lvalue_reference_v<reference>)
      return m_element[n * this->stride];
    else
      return reference(m_element + n * this->stride);
  }

  KOKKOS_FUNCTION constexpr ViewIterator& operator+=(difference_type n) {
    // A null pointer belongs to a view without elements, where n is 0.
    if (m_element != nullptr) m_element += n * this->stride;
    return *this;
  }
  KOKKOS_FUNCTION constexpr ViewIterator& operator-=(difference_type n) { return *this += -n; }
  KOKKOS_FUNCTION constexpr ViewIterator& operator++() { return *this += 1; }
  KOKKOS_FUNCTION constexpr ViewIterator& operator--() { return *this -= 1; }
  KOKKOS_FUNCTION constexpr ViewIterator operator++(int) {
    ViewIterator const before = *this;
    ++*this;
    return before;
  }
  KOKKOS_FUNCTION constexpr ViewIterator operator--(int) {
    ViewIterator const before = *this;
    --*this;
    return before;
  }

  KOKKOS_FUNCTION friend constexpr ViewIterator operator+(ViewIterator it, difference_type n) { return it += n; }
  KOKKOS_FUNCTION friend constexpr ViewIterator operator+(difference_type n, ViewIterator it) { return it += n; }
  KOKKOS_FUNCTION friend constexpr ViewIterator operator-(ViewIterator it, difference_type n) { return it -= n; }
  KOKKOS_FUNCTION friend constexpr difference_type operator-(ViewIterator const& a, ViewIterator const& b) {
    // In a view whose elements all coincide (stride 0), all distances are 0.
    return a.stride == 0 ? 0 : (a.m_element - b.m_element) / a.stride;
  }
  KOKKOS_FUNCTION friend constexpr bool operator==(ViewIterator const& a, ViewIterator const& b) {
    return a.m_element == b.m_element;
  }
  KOKKOS_FUNCTION friend constexpr auto operator<=>(ViewIterator const& a, ViewIterator const& b) {
    return a.m_element <=> b.m_element;
  }

 private:
  template <class>
  friend class ViewIterator;

  static constexpr bool is_strided = std::is_same_v<typename ViewType::array_layout, LayoutStride>;

  pointer m_element = nullptr;
};

}  // namespace Impl

namespace Experimental {

/// An iterator to the first element of a view of rank 1. Dereference it only in code that can access the view, while
/// the view exists.
template <class D, class... P>
KOKKOS_INLINE_FUNCTION auto begin(View<D, P...> const& view) {
  static_assert(View<D, P...>::rank() == 1, "Kokkos::Experimental::begin: the view must have rank 1.");
  return Impl::ViewIterator<View<D, P...>>(view, 0);
}

/// The end iterator of a view of rank 1.
template <class D, class... P>
KOKKOS_INLINE_FUNCTION auto end(View<D, P...> const& view) {
  static_assert(View<D, P...>::rank() == 1, "Kokkos::Experimental::end: the view must have rank 1.");
  return Impl::ViewIterator<View<D, P...>>(view, static_cast<std::ptrdiff_t>(view.extent(0)));
}

/// @{
/// begin and end with const elements.
template <class D, class... P>
KOKKOS_INLINE_FUNCTION auto cbegin(View<D, P...> const& view) {
  static_assert(View<D, P...>::rank() == 1, "Kokkos::Experimental::cbegin: the view must have rank 1.");
  return Impl::ViewIterator<typename View<D, P...>::const_type>(view, 0);
}
template <class D, class... P>
KOKKOS_INLINE_FUNCTION auto cend(View<D, P...> const& view) {
  static_assert(View<D, P...>::rank() == 1, "Kokkos::Experimental::cend: the view must have rank 1.");
  return Impl::ViewIterator<typename View<D, P...>::const_type>(view, static_cast<std::ptrdiff_t>(view.extent(0)));
}
/// @}

/// Number of steps from first to last; negative if last comes before first.
template <class Iterator>
KOKKOS_INLINE_FUNCTION constexpr typename Iterator::difference_type distance(Iterator first, Iterator last) {
  return last - first;
}

}  // namespace Experimental
}  // namespace Kokkos

#endif
