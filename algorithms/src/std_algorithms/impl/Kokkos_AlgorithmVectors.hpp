// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_VECTORS_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_VECTORS_HPP

/// \file
/// Vectors of 16 bytes for reductions and copies of contiguous elements on devices. With loads of one small element,
/// too few bytes are requested at a time to use the memory's bandwidth.

#include <std_algorithms/impl/Kokkos_AlgorithmParts.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// A thread's elements stay in registers only if each index is a constant.
#if defined(__CUDACC__) || defined(__clang__)
#define KOKKOS_IMPL_UNROLL _Pragma("unroll")
#else
#define KOKKOS_IMPL_UNROLL
#endif

namespace Kokkos::Impl::Algorithms {

/// Whether the elements after an iterator's element follow it in memory, and may be read several at a time.
template <class T>
inline constexpr bool fits_vectors_v =
    std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> && !std::is_volatile_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
template <class Iterator>
inline constexpr bool is_contiguous_v = false;
template <class T>
inline constexpr bool is_contiguous_v<T*> = fits_vectors_v<T>;
template <class ViewType>
inline constexpr bool is_contiguous_v<ViewIterator<ViewType>> =
    !std::is_same_v<typename ViewType::array_layout, LayoutStride> &&
    std::is_same_v<typename ViewType::reference_type, typename ViewType::value_type&> &&
    fits_vectors_v<typename ViewType::value_type>;

template <class T>
KOKKOS_FUNCTION T* pointer_of(T* iterator) {
  return iterator;
}
template <class ViewType>
KOKKOS_FUNCTION auto pointer_of(ViewIterator<ViewType> const& iterator) {
  return iterator.operator->();
}

template <class T>
struct alignas(16) Vector {
  static constexpr int width = static_cast<int>(16 / sizeof(T));
  T values[static_cast<std::size_t>(width)];
};

/// Divides an array of n elements into groups of vectors and single elements, which are before the first vector and
/// after the last group. An item processes `PerItem` vectors; the first items also process one single element each. The
/// vectors of 32 neighbouring items are neighbours.
template <class T, int PerItem>
struct VectorParts {
  static constexpr int width = Vector<T>::width, items_of_group = PerItem == 1 ? 1 : 32;
  static constexpr Distance group = Distance(width) * PerItem * items_of_group;

  Distance before, others, items;

  VectorParts(T const* first, Distance n)
      : before(static_cast<Distance>((16 - reinterpret_cast<std::uintptr_t>(first) % 16) % 16 / sizeof(T))) {
    Distance const groups = n > before ? (n - before) / group : 0;
    items                 = groups * items_of_group;
    others                = n - groups * group;
  }

  /// The number of items; 0 if they are too few for the other elements.
  Distance count() const { return items >= others ? items : 0; }
  KOKKOS_FUNCTION bool has_other(Distance item) const { return item < others; }
  KOKKOS_FUNCTION Distance other(Distance item) const {
    return item < before ? item : item + items / items_of_group * group;
  }
  /// The first element of a vector of an item.
  KOKKOS_FUNCTION Distance first_of(Distance item, int vector) const {
    return before + (item / items_of_group * items_of_group * PerItem + item % items_of_group +
                     static_cast<Distance>(vector) * items_of_group) *
                        width;
  }
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Vector<T> load_vector(T const* from) {
  return *reinterpret_cast<Vector<T> const*>(from);
}

// ---- reductions

/// Access to the iterator of a source; source_at makes the same source with another iterator.
template <class In>
In iterator_of(Element<In> const& source) {
  return source.in;
}
template <class In, class Op>
In iterator_of(Transformed<In, Op> const& source) {
  return source.in;
}
template <class T, class In>
KOKKOS_FORCEINLINE_FUNCTION Element<T*> source_at(T* elements, Element<In> const&) {
  return {elements};
}
template <class T, class In, class Op>
KOKKOS_FORCEINLINE_FUNCTION Transformed<T*, Op> source_at(T* elements, Transformed<In, Op> const& source) {
  return {elements, source.op};
}

template <class In>
struct ReducedElement {
  using type                   = element_t<In>;
  static constexpr bool exists = is_contiguous_v<In>;
};
template <class Source>
struct ReducedElementOf {
  static constexpr bool exists = false;
};
template <class In>
struct ReducedElementOf<Element<In>> : ReducedElement<In> {};
template <class In, class Op>
struct ReducedElementOf<Transformed<In, Op>> : ReducedElement<In> {};

/// Adds the elements from a source to a value, one or a vector at a time. `Add(source)` is the body for a source.
template <class Source, class Add>
class ReduceVectors {
  using T = typename ReducedElementOf<Source>::type;

  static constexpr int per_item = 4;

 public:
  static constexpr bool is_batch = true;  // a reduction on a GPU starts no more loads than those of one item

  ReduceVectors(Source const& source, Add const& add, Distance n)
      : m_source(source),
        m_add(add),
        m_first(Algorithms::pointer_of(Algorithms::iterator_of(source))),
        m_parts(m_first, n) {}
  Distance count() const { return m_parts.count(); }

  template <class Value>
  KOKKOS_FUNCTION void operator()(Distance item, Value& update) const {
    // All loads before the first use.
    Vector<T> vectors[per_item];
    KOKKOS_IMPL_UNROLL
    for (int v = 0; v < per_item; ++v) vectors[v] = Algorithms::load_vector(m_first + m_parts.first_of(item, v));
    KOKKOS_IMPL_UNROLL
    for (int v = 0; v < per_item; ++v) {
      auto const body = m_add(Algorithms::source_at(vectors[v].values, m_source));
      KOKKOS_IMPL_UNROLL
      for (int k = 0; k < Vector<T>::width; ++k) body(k, update);
    }
    if (m_parts.has_other(item)) {
      T other = m_first[m_parts.other(item)];
      m_add(Algorithms::source_at(&other, m_source))(0, update);
    }
  }

 private:
  Source m_source;
  Add m_add;
  T const* m_first;
  VectorParts<T, per_item> m_parts;
};

template <class Join, class T>
struct MakeReduceBody {
  Join join;
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION ReduceBody<Source, Join, T> operator()(Source const& source) const {
    return {source, join};
  }
};
template <class Source, class Join, class T>
struct VectorBody<ReduceBody<Source, Join, T>> {
  static constexpr bool exists = ReducedElementOf<Source>::exists;
  struct type : ReduceVectors<Source, MakeReduceBody<Join, T>> {
    type(ReduceBody<Source, Join, T> const& body, Distance n)
        : ReduceVectors<Source, MakeReduceBody<Join, T>>(body.source, {body.join}, n) {}
  };
};

struct MakeCountPasses {
  template <class Test>
  KOKKOS_FORCEINLINE_FUNCTION CountPasses<Test> operator()(Test const& test) const {
    return {test};
  }
};
template <class Test>
struct VectorBody<CountPasses<Test>> {
  static constexpr bool exists = ReducedElementOf<Test>::exists;
  struct type : ReduceVectors<Test, MakeCountPasses> {
    type(CountPasses<Test> const& body, Distance n) : ReduceVectors<Test, MakeCountPasses>(body.test, {}, n) {}
  };
};

// ---- copies

/// Copies an array in vectors, which start at aligned addresses of the destination. The source must have the same
/// alignment as the destination.
template <class T>
class CopyVectors {
 public:
  CopyVectors(T* to, T const* from, Distance n) : m_to(to), m_from(from), m_parts(to, n) {}
  Distance count() const {
    auto const apart = reinterpret_cast<std::uintptr_t>(m_to) - reinterpret_cast<std::uintptr_t>(m_from);
    return apart % 16 == 0 ? m_parts.count() : 0;
  }

  KOKKOS_FUNCTION void operator()(Distance item) const {
    Distance const first                        = m_parts.first_of(item, 0);
    *reinterpret_cast<Vector<T>*>(m_to + first) = Algorithms::load_vector(m_from + first);
    if (m_parts.has_other(item)) m_to[m_parts.other(item)] = m_from[m_parts.other(item)];
  }

 private:
  T* m_to;
  T const* m_from;
  VectorParts<T, 1> m_parts;
};

template <class Out, class In>
struct VectorBody<Assign<Out, Element<In>>> {
  static constexpr bool exists =
      is_contiguous_v<In> && is_contiguous_v<Out> && std::is_same_v<element_t<In>, element_t<Out>>;
  struct type : CopyVectors<element_t<Out>> {
    type(Assign<Out, Element<In>> const& body, Distance n)
        : CopyVectors<element_t<Out>>(Algorithms::pointer_of(body.out), Algorithms::pointer_of(body.source.in), n) {}
  };
};

}  // namespace Kokkos::Impl::Algorithms

#undef KOKKOS_IMPL_UNROLL

#endif
