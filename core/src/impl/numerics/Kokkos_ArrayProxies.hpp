// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_ARRAYPROXIES_HPP
#define KOKKOS_NUMERICS_ARRAYPROXIES_HPP

/// \file
/// Arrays of Kokkos 4 that refer to elements in other memory: `Array<T, KOKKOS_INVALID_INDEX, Array<>::contiguous>` and
/// `Array<>::strided`. Included by Kokkos_Array.hpp.

#include <Kokkos_Array.hpp>

#include <cstddef>

namespace Kokkos {
namespace Impl {

struct ArrayContiguousTag {};
struct ArrayStridedTag {};

/// Refers to `size` elements at `data`, with the given `stride`.
template <class Derived, class T>
class ArrayProxy {
 public:
  using value_type      = T;
  using reference       = T&;
  using const_reference = T const&;
  using pointer         = T*;
  using const_pointer   = T const*;
  using size_type       = std::size_t;
  using difference_type = std::ptrdiff_t;

  KOKKOS_FUNCTION constexpr ArrayProxy(T* data, std::size_t size, std::size_t stride)
      : m_data(data), m_size(size), m_stride(stride) {}
  ArrayProxy(ArrayProxy const&) = delete;

  KOKKOS_FUNCTION constexpr std::size_t size() const { return m_size; }
  KOKKOS_FUNCTION constexpr std::size_t max_size() const { return m_size; }
  KOKKOS_FUNCTION constexpr bool empty() const { return m_size == 0; }
  KOKKOS_FUNCTION constexpr T* data() { return m_data; }
  KOKKOS_FUNCTION constexpr T const* data() const { return m_data; }
  KOKKOS_FUNCTION constexpr T& operator[](std::size_t i) {
    check_array_index(i, m_size);
    return m_data[i * m_stride];
  }
  KOKKOS_FUNCTION constexpr T const& operator[](std::size_t i) const {
    check_array_index(i, m_size);
    return m_data[i * m_stride];
  }

 protected:
  /// Assigns as many elements as both have.
  template <class Source>
  KOKKOS_FUNCTION Derived& assign(Source const& source) {
    std::size_t const n = m_size < source.size() ? m_size : source.size();
    for (std::size_t i = 0; i < n; ++i) (*this)[i] = source[i];
    return static_cast<Derived&>(*this);
  }

 private:
  T* m_data;
  std::size_t m_size;
  std::size_t m_stride;
};

}  // namespace Impl

/// Contains the tags of the proxies.
template <>
struct Array<void, ~std::size_t(0), void> {
  using contiguous = Impl::ArrayContiguousTag;  ///< elements next to each other
  using strided    = Impl::ArrayStridedTag;     ///< elements at a constant distance
};

/// Refers to `size` elements of the program that are next to each other.
template <class T>
struct Array<T, ~std::size_t(0), Impl::ArrayContiguousTag>
    : Impl::ArrayProxy<Array<T, ~std::size_t(0), Impl::ArrayContiguousTag>, T> {
  /// The elements from `data` on. The third argument, a stride, is ignored.
  KOKKOS_FUNCTION constexpr Array(T* data, std::size_t size, std::size_t = 0)
      : Impl::ArrayProxy<Array, T>(data, size, 1) {}
  /// @{
  /// Assigns the elements.
  KOKKOS_FUNCTION Array& operator=(Array const& source) { return this->assign(source); }
  template <std::size_t N, class Proxy>
  KOKKOS_FUNCTION Array& operator=(Array<T, N, Proxy> const& source) {
    return this->assign(source);
  }
  /// @}
};

/// Refers to `size` elements of the program, each `stride` elements after the one before.
template <class T>
struct Array<T, ~std::size_t(0), Impl::ArrayStridedTag>
    : Impl::ArrayProxy<Array<T, ~std::size_t(0), Impl::ArrayStridedTag>, T> {
  /// The elements data[0], data[stride], ..., data[(size - 1) * stride].
  KOKKOS_FUNCTION constexpr Array(T* data, std::size_t size, std::size_t stride)
      : Impl::ArrayProxy<Array, T>(data, size, stride) {}
  /// @{
  /// Assigns the elements.
  KOKKOS_FUNCTION Array& operator=(Array const& source) { return this->assign(source); }
  template <std::size_t N, class Proxy>
  KOKKOS_FUNCTION Array& operator=(Array<T, N, Proxy> const& source) {
    return this->assign(source);
  }
  /// @}
};

}  // namespace Kokkos

#endif
