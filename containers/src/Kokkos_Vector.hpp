// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VECTOR_HPP
#define KOKKOS_VECTOR_HPP

/// \file
/// Kokkos::vector: a DualView with the functions of std::vector on its host side. Deprecated: new programs use a View
/// or a std::vector.

#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Kokkos {

/// Functions of std::vector work on the host side: if the device side is newer, they copy it first, and they record
/// that the host side was modified. References and iterators, which write without a record, are valid until the next
/// function that changes the size.
template <class Scalar, class Arg1Type = void>
class vector : public DualView<Scalar*, LayoutLeft, Arg1Type> {
  using DV = DualView<Scalar*, LayoutLeft, Arg1Type>;

 public:
  using value_type      = Scalar;         ///< type of an element
  using pointer         = Scalar*;        ///< points to an element
  using const_pointer   = Scalar const*;  ///< points to a const element
  using reference       = Scalar&;        ///< an element
  using const_reference = Scalar const&;  ///< a const element
  using iterator        = Scalar*;        ///< pointers are iterators
  using const_iterator  = Scalar const*;  ///< iterator of const elements
  using size_type       = std::size_t;    ///< type of sizes

  vector() = default;
  /// n elements, all equal to `value`.
  vector(int n, Scalar const& value = Scalar()) { assign(static_cast<size_type>(n), value); }

  /// @{
  /// Element i of the host side; checked only in builds with KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK.
  KOKKOS_FUNCTION reference operator()(int i) const { return this->h_view(i); }
  KOKKOS_FUNCTION reference operator[](int i) const { return this->h_view(i); }
  /// @}

  /// Number of elements.
  size_type size() const { return m_size; }
  /// The same constant as in upstream; this class has no such limit.
  size_type max_size() const { return 2000000000; }
  /// Number of elements of the allocated memory.
  size_type span() const { return DV::span(); }
  /// Whether there are no elements.
  bool empty() const { return m_size == 0; }
  /// @{
  /// Address of the first element of the host side, or the address after its last element.
  pointer data() const { return this->h_view.data(); }
  iterator begin() const { return data(); }
  const_iterator cbegin() const { return data(); }
  iterator end() const { return data() + m_size; }
  const_iterator cend() const { return data() + m_size; }
  /// @}
  /// @{
  /// The first or the last element of the host side. There must be one.
  reference front() const { return (*this)[0]; }
  reference back() const { return (*this)[static_cast<int>(m_size) - 1]; }
  /// @}

  /// Allocates memory for n elements, increased by the overallocation factor.
  void reserve(size_type n) {
    change_host();
    auto const capacity = static_cast<size_type>(static_cast<float>(n) * m_extra_storage);
    if (capacity <= DV::extent(0)) return;
    if (this->is_allocated())
      DV::resize(capacity);
    else
      static_cast<DV&>(*this) = DV("Kokkos::vector", capacity);
    change_host();
  }
  /// When memory grows, it grows by this factor more than required.
  void set_overallocation(float extra) { m_extra_storage = 1.0f + extra; }

  /// @{
  /// Changes the number of elements. New elements are equal to `value`, which may refer to an element, or
  /// value-initialized. Memory never shrinks.
  void resize(size_type n) { resize(n, Scalar()); }
  void resize(size_type n, Scalar const& value) {
    Scalar const copy = value;
    if (n > DV::extent(0)) reserve(n);
    change_host();
    for (size_type i = m_size; i < n; ++i) this->h_view(i) = copy;
    m_size = n;
  }
  /// @}
  /// Replaces all elements by n elements equal to `value`, which may refer to an element.
  void assign(size_type n, Scalar const& value) {
    m_size = 0;
    resize(n, value);
  }
  /// Appends an element. Its value may refer to an element.
  void push_back(Scalar const& value) { resize(m_size + 1, value); }
  /// Removes the last element, if there is one.
  void pop_back() {
    if (m_size > 0) --m_size;
  }
  /// Removes all elements; keeps the memory.
  void clear() { m_size = 0; }

  /// @{
  /// Inserts before an iterator; returns an iterator to the first inserted element.
  iterator insert(iterator at, Scalar const& value) { return insert(at, size_type(1), value); }
  iterator insert(iterator at, size_type n, Scalar const& value) {
    Scalar const copy     = value;
    iterator const result = open_gap(at, n);
    for (size_type i = 0; i < n; ++i) result[i] = copy;
    return result;
  }
  template <class InputIterator>
    requires(!std::is_convertible_v<InputIterator, size_type>)
  iterator insert(iterator at, InputIterator first, InputIterator last) {
    size_type n = 0;
    for (InputIterator i = first; i != last; ++i) ++n;
    iterator const result = open_gap(at, n);
    for (iterator to = result; first != last; ++first, ++to) *to = *first;
    return result;
  }
  /// @}

  /// The first element of a sorted part [first, last] that is not less than `value`.
  iterator lower_bound(size_type const& first, size_type const& last, const_reference value) const {
    size_type low = first, high = last + 1;
    while (low < high) {
      size_type const middle = low + (high - low) / 2;
      if (this->h_view(middle) < value)
        low = middle + 1;
      else
        high = middle;
    }
    return begin() + low;
  }
  /// Whether the elements are in ascending order, by <.
  bool is_sorted() const {
    for (size_type i = 1; i < m_size; ++i)
      if (this->h_view(i) < this->h_view(i - 1)) return false;
    return true;
  }
  /// The first element that equals `value` in a sorted vector, or end().
  iterator find(Scalar const& value) const {
    if (m_size == 0) return end();
    iterator const at = lower_bound(0, m_size - 1, value);
    return at != end() && *at == value ? at : end();
  }

  /// @{
  /// Copies all elements to the other side.
  void device_to_host() { Kokkos::deep_copy(this->h_view, this->d_view); }
  void host_to_device() const { Kokkos::deep_copy(this->d_view, this->h_view); }
  /// @}
  /// @{
  /// Records which side was modified.
  void on_host() { this->modify_host(); }
  void on_device() { this->modify_device(); }
  /// @}

 private:
  void change_host() {
    this->sync_host();
    this->modify_host();
  }

  iterator open_gap(iterator at, size_type n) {
    size_type const place = static_cast<size_type>(at - begin());
    size_type const moved = m_size - place;
    resize(m_size + n);
    for (size_type i = moved; i > 0; --i) this->h_view(place + n + i - 1) = this->h_view(place + i - 1);
    return begin() + place;
  }

  size_type m_size      = 0;
  float m_extra_storage = 1.1f;
};

}  // namespace Kokkos

#endif
