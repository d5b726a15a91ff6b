// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_COPY_IMAGES_HPP
#define KOKKOS_TEST_COPY_IMAGES_HPP

/// \file
/// Memory of every kind, its expected content (the image), and shapes of any rank and strides in it.
///
/// The result of a copy is checked in the bytes of the whole memory, including gaps, which the simplest possible copy
/// fetches: one block of bytes. The expected result is computed by a loop over indices of the image. No kernel is
/// involved.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace Kokkos::Testing {

/// A view's extents, and the positions of its elements in an array.
struct Shape {
  int rank              = 0;
  std::size_t offset    = 0;
  std::size_t extent[8] = {}, stride[8] = {};

  std::size_t size() const {
    std::size_t n = 1;
    for (int r = 0; r < rank; ++r) n *= extent[r];
    return n;
  }
  /// Number of elements of the array that the shape spans.
  std::size_t span() const {
    std::size_t last = offset;
    for (int r = 0; r < rank; ++r) last += (extent[r] - 1) * stride[r];
    return last + 1;
  }
  /// Position of element number i; the last index is the fastest.
  std::size_t at(std::size_t i) const {
    std::size_t place = offset;
    for (int r = rank; r > 0; --r) {
      place += i % extent[r - 1] * stride[r - 1];
      i /= extent[r - 1];
    }
    return place;
  }
  std::string words() const {
    std::string text = "(";
    for (int r = 0; r < rank; ++r) text += std::to_string(extent[r]) + " by " + std::to_string(stride[r]) + ", ";
    return text + "from " + std::to_string(offset) + ")";
  }
};

/// Assigns strides to the shape: dimensions in the order `fastest_first`, with a gap of `gap` elements after each.
inline void lay_out(Shape& shape, std::vector<int> const& fastest_first, std::size_t first_gap, std::size_t gap) {
  std::size_t stride = 1 + first_gap;
  for (int r : fastest_first) {
    shape.stride[r] = stride;
    stride          = stride * shape.extent[r] + gap;
  }
}

using Random = std::mt19937;

inline int between(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

/// Strides for a random permutation of the dimensions; every other shape has no gaps.
inline void lay_out_at_random(Shape& shape, Random& random) {
  std::vector<int> order;
  for (int r = 0; r < shape.rank; ++r)
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(random() % (order.size() + 1)), r);
  bool const gaps = random() % 2 == 0;
  lay_out(shape, order, gaps && random() % 3 == 0 ? 1 + random() % 3 : 0, gaps ? random() % 4 : 0);
  shape.offset = random() % 5;
}

/// Extents with at most `most` elements in total.
inline Shape random_shape(Random& random, int rank, std::size_t most) {
  Shape shape;
  shape.rank = rank;
  for (int r = 0; r < rank; ++r) shape.extent[r] = 1;
  for (int tries = 0; tries < 3 * rank; ++tries) {
    auto& extent             = shape.extent[random() % static_cast<unsigned>(rank)];
    std::size_t const before = extent;
    extent                   = static_cast<std::size_t>(between(random, 1, tries % 2 == 0 ? 5 : 70));
    if (shape.size() > most) extent = before;
  }
  lay_out_at_random(shape, random);
  return shape;
}

template <int Rank, class T>
struct WithStars {
  using type = typename WithStars<Rank - 1, T*>::type;
};
template <class T>
struct WithStars<0, T> {
  using type = T;
};

/// An array in a memory space, or pageable memory in a view of that space, and its expected bytes.
template <class T, class Space>
class Image {
 public:
  enum class Origin { allocated, plain };

  Image(std::string const& label, std::size_t n, Origin origin = Origin::allocated) : m_wanted(n) {
    if (origin == Origin::plain) {
      m_plain.resize(n);
      m_memory = Memory(m_plain.data(), n);
    } else {
      m_owner  = View<T*, Space>(view_alloc(label, WithoutInitializing), n);
      m_memory = m_owner;
    }
  }

  std::size_t size() const { return m_wanted.size(); }
  std::vector<T>& wanted() { return m_wanted; }

  /// Numbers the elements, in memory and in the image.
  void number(int first) {
    for (std::size_t i = 0; i < size(); ++i) m_wanted[i] = static_cast<T>((first + static_cast<int>(i)) % 30011);
    send();
  }
  /// Copies the whole image to the memory.
  void send() { deep_copy(m_memory, HostBlock(m_wanted.data(), size())); }

  template <int Rank>
  auto view(Shape const& shape) const {
    LayoutStride layout;
    for (int r = 0; r < Rank; ++r) {
      layout.dimension[r] = shape.extent[r];
      layout.stride[r]    = shape.stride[r];
    }
    return View<typename WithStars<Rank, T>::type, LayoutStride, Space, MemoryTraits<Unmanaged>>(
        m_memory.data() + shape.offset, layout);
  }
  /// Applies the expected effect of a deep_copy of the shapes to the image.
  template <class Other>
  void expect_copy(Shape const& mine, Other& other, Shape const& others) {
    for (std::size_t i = 0; i < mine.size(); ++i) m_wanted[mine.at(i)] = static_cast<T>(other.wanted()[others.at(i)]);
  }
  void expect_fill(Shape const& shape, T value) {
    for (std::size_t i = 0; i < shape.size(); ++i) m_wanted[shape.at(i)] = value;
  }
  /// Number of elements that differ from the image.
  int wrong() const {
    std::vector<T> found(size());
    deep_copy(HostBlock(found.data(), size()), m_memory);
    int count = 0;
    for (std::size_t i = 0; i < size(); ++i) count += std::memcmp(&found[i], &m_wanted[i], sizeof(T)) != 0;
    return count;
  }

 private:
  using Memory    = View<T*, Space, MemoryTraits<Unmanaged>>;
  using HostBlock = View<T*, HostSpace, MemoryTraits<Unmanaged>>;

  std::vector<T> m_wanted, m_plain;
  View<T*, Space> m_owner;
  Memory m_memory;
};

}  // namespace Kokkos::Testing

#endif
