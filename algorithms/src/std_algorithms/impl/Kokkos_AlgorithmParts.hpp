// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_PARTS_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_PARTS_HPP

/// \file
/// The parts of algorithms: values by position, tests by position, assignments, searches, selections,
/// reductions and the joins of scans.

#include <std_algorithms/impl/Kokkos_AlgorithmCosts.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmPlaces.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmStretches.hpp>

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl::Algorithms {

// ---- operations ----------------------------------------------------------------------------------------------------

struct Plus {
  using cost = CheapWith<>;
  template <class A, class B>
  KOKKOS_FUNCTION auto operator()(A const& a, B const& b) const {
    return a + b;
  }
};
struct Minus {
  using cost = CheapWith<>;
  template <class A, class B>
  KOKKOS_FUNCTION auto operator()(A const& a, B const& b) const {
    return a - b;
  }
};
struct Times {
  using cost = CheapWith<>;
  template <class A, class B>
  KOKKOS_FUNCTION auto operator()(A const& a, B const& b) const {
    return a * b;
  }
};
struct Equal {
  using cost = CheapWith<>;
  template <class A, class B>
  KOKKOS_FUNCTION bool operator()(A const& a, B const& b) const {
    return a == b;
  }
};
struct Less {
  using cost = CheapWith<>;
  template <class A, class B>
  KOKKOS_FUNCTION bool operator()(A const& a, B const& b) const {
    return a < b;
  }
};
template <class T>
struct EqualTo {
  using cost = CheapWith<T>;
  T value;
  template <class A>
  KOKKOS_FUNCTION bool operator()(A const& a) const {
    return a == value;
  }
};
template <class Predicate>
struct Not {
  using cost = CheapWith<Predicate>;
  Predicate predicate;
  template <class... A>
  KOKKOS_FUNCTION bool operator()(A const&... a) const {
    return !predicate(a...);
  }
};
/// Returns compare(a, b) for the arguments (b, a).
template <class Compare>
struct Reversed {
  using cost = CheapWith<Compare>;
  Compare compare;
  template <class A, class B>
  KOKKOS_FUNCTION bool operator()(A const& a, B const& b) const {
    return compare(b, a);
  }
};
struct Identity {
  using cost = CheapWith<>;
  template <class A>
  KOKKOS_FUNCTION A const& operator()(A const& a) const {
    return a;
  }
};

// ---- values by position --------------------------------------------------------------------------------------------

template <class T>
struct Constant {
  using cost = CheapWith<T>;
  T value;
  KOKKOS_FUNCTION T const& operator()(Distance) const { return value; }
};
template <class Generator>
struct Generated {
  Generator generator;
  KOKKOS_FUNCTION auto operator()(Distance) const { return generator(); }
};
/// The element at a position, and the element at a position counted from the last of n.
template <class In>
struct Element {
  using cost = CheapWith<In>;
  In in;
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const { return in[i]; }
};
template <class In>
struct MovedElement {
  using cost = CheapWith<In>;
  In in;
  /// An expiring element, as that of std::move: a constant one is copied, and a proxy's value is what it reads.
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const {
    using reference = decltype(in[i]);
    if constexpr (std::is_lvalue_reference_v<reference>)
      return static_cast<std::remove_reference_t<reference>&&>(in[i]);
    else
      return in[i];
  }
};
template <class In>
struct ReversedElement {
  using cost = CheapWith<In>;
  In in;
  Distance last;
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const { return in[last - i]; }
};
/// The elements from `middle` on, followed by the elements before it.
template <class In>
struct RotatedElement {
  using cost = CheapWith<In>;
  In in;
  Distance middle, n;
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const {
    return in[i < n - middle ? i + middle : i - (n - middle)];
  }
};
template <class In, class Op>
struct Transformed {
  using cost = CheapWith<In, Op>;
  In in;
  Op op;
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const { return op(in[i]); }
};
template <class In1, class In2, class Op>
struct TransformedPair {
  using cost = CheapWith<In1, In2, Op>;
  In1 in1;
  In2 in2;
  Op op;
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const { return op(in1[i], in2[i]); }
};
/// `first` if the condition is true, otherwise `second`: a number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T selected(bool condition, T const& first, T const& second) {
#if !KOKKOS_IMPL_DEVICE_PASS && (defined(__AVX2__) || !defined(__x86_64__))
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    // g++ makes a branch of the operator, and processors cannot predict many conditions. With fewer instructions than
    // those of AVX2, such a loop could not be vectorised.
    using Bits      = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    Bits const mask = condition ? ~Bits(0) : Bits(0);
    Bits const bits = Kokkos::bit_cast<Bits>(second);
    return Kokkos::bit_cast<T>(bits ^ ((bits ^ Kokkos::bit_cast<Bits>(first)) & mask));
  }
#endif
  return condition ? first : second;
}

template <class In, class Predicate, class T>
struct Replaced {
  using cost = CheapWith<In, Predicate, T>;
  In in;
  Predicate predicate;
  T value;
  KOKKOS_FUNCTION element_t<In> operator()(Distance i) const {
    if constexpr (std::is_arithmetic_v<element_t<In>> && std::is_same_v<element_t<In>, T>) {
      element_t<In> const element = in[i];
      return Algorithms::selected<T>(predicate(element), value, element);
    } else {
      return predicate(in[i]) ? static_cast<element_t<In>>(value) : static_cast<element_t<In>>(in[i]);
    }
  }
};
/// Applies an operation to an element and its predecessor.
template <class In, class Op>
struct AdjacentPair {
  using cost = CheapWith<In, Op>;
  In in;
  Op op;
  KOKKOS_FUNCTION decltype(auto) operator()(Distance i) const { return op(in[i], in[i - 1]); }
};

// ---- assignments ---------------------------------------------------------------------------------------------------

template <class Out, class Source>
struct Assign {
  using cost = CheapWith<Out, Source>;
  Out out;
  Source source;
  KOKKOS_FUNCTION void operator()(Distance i) const { out[i] = source(i); }
};

/// out[i] = source(i) for i in [0, n); returns out + n.
template <class Place, class Out, class Source>
KOKKOS_FUNCTION Out assign(Place const& place, Out out, Distance n, Source const& source) {
  place.each(n, Assign<Out, Source>{out, source});
  place.finish();
  return out + n;
}

template <class A, class B>
struct SwapElements {
  using cost = CheapWith<A, B>;
  A a;
  B b;
  KOKKOS_FUNCTION void operator()(Distance i) const { Kokkos::kokkos_swap(a[i], b[i]); }
};

/// Swaps elements at the same distance from the first and from the last.
template <class Iterator>
struct SwapMirrored {
  using cost = CheapWith<Iterator>;
  Iterator first;
  Distance last;
  KOKKOS_FUNCTION void operator()(Distance i) const { Kokkos::kokkos_swap(first[i], first[last - i]); }
};
template <class Place, class Iterator>
KOKKOS_FUNCTION void reverse_range(Place const& place, Iterator first, Distance n) {
  place.each(n / 2, SwapMirrored<Iterator>{first, n - 1});
}

/// Moves the elements from `middle` on before the others. Reversing a part twice restores its order.
template <class Place, class Iterator>
KOKKOS_FUNCTION void rotate_range(Place const& place, Iterator first, Distance middle, Distance n) {
  if (middle <= 0 || middle >= n) return;
  Algorithms::reverse_range(place, first, middle);
  Algorithms::reverse_range(place, first + middle, n - middle);
  place.sync();
  Algorithms::reverse_range(place, first, n);
}

/// Moves elements by `shift` to the front, or to the end; returns how many still belong to the range.
template <class Place, class Iterator>
KOKKOS_FUNCTION Distance shift_range(Place const& place, Iterator first, Distance n, Distance shift, bool to_front) {
  if (shift <= 0) return n;
  if (shift >= n) return 0;
  place.shift(first, to_front ? shift : 0, to_front ? 0 : shift, n - shift);
  place.finish();
  return n - shift;
}

// ---- searches ------------------------------------------------------------------------------------------------------

struct LeastJoin {
  using value_type = Distance;
  KOKKOS_FUNCTION void init(Distance& value) const { value = Experimental::finite_max_v<Distance>; }
  KOKKOS_FUNCTION void join(Distance& into, Distance const& from) const {
    if (from < into) into = from;
  }
};
struct GreatestJoin {
  using value_type = Distance;
  KOKKOS_FUNCTION void init(Distance& value) const { value = -1; }
  KOKKOS_FUNCTION void join(Distance& into, Distance const& from) const {
    if (into < from) into = from;
  }
};

// Once a worker has found a position, it tests only better ones.
template <class Test>
struct FindFirst {
  using cost = CheapWith<Test>;
  Test test;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& found) const {
    if (i < found && test(i)) found = i;
  }
  void stretch(Stretch positions, Distance& found) const {
    if (positions.begin >= found) return;
    Distance const first = Algorithms::first_match(positions, test);
    if (first < positions.end && first < found) found = first;
  }
};
template <class Test>
struct FindLast {
  using cost = CheapWith<Test>;
  Test test;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& found) const {
    if (found < i && test(i)) found = i;
  }
  void stretch(Stretch positions, Distance& found) const {
    if (positions.end - 1 <= found) return;
    Distance const last = Algorithms::last_match(positions, test);
    if (last >= positions.begin && found < last) found = last;
  }
};

/// The lowest position in [0, n) that passes the test; n if none does.
template <class Place, class Test>
KOKKOS_FUNCTION Distance find_first(Place const& place, Distance n, Test const& test) {
  Distance const found = place.reduce(n, FindFirst<Test>{test}, LeastJoin());
  return found < n ? found : n;
}
/// The highest position in [0, n) that passes the test; -1 if none does.
template <class Place, class Test>
KOKKOS_FUNCTION Distance find_last(Place const& place, Distance n, Test const& test) {
  return place.reduce(n, FindLast<Test>{test}, GreatestJoin());
}

/// Whether the pattern, of one or more elements, occurs at this position.
template <class In, class Pattern, class Predicate>
struct MatchesAt {
  In in;
  Pattern pattern;
  Distance length;
  Predicate equal;
  KOKKOS_FUNCTION bool operator()(Distance i) const {
    for (Distance j = 0; j < length; ++j)
      if (!equal(in[i + j], pattern[j])) return false;
    return true;
  }
  bool may_pass_in_block(Distance i) const {
    return Algorithms::passes_in_block(i, [this](Distance k) { return equal(in[k], pattern[0]); });
  }
};

template <class Test>
struct CountPasses {
  using cost = CheapWith<Test>;
  Test test;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& count) const {
    if (test(i)) ++count;
  }
};

// ---- reductions ----------------------------------------------------------------------------------------------------

/// A value, or none yet: for operations whose identity is not known.
template <class T>
struct Maybe {
  T value{};
  bool exists = false;
};

template <class T, class Op>
struct MaybeJoin {
  using value_type = Maybe<T>;
  Op op;
  KOKKOS_FUNCTION void init(Maybe<T>& v) const { v = Maybe<T>(); }
  KOKKOS_FUNCTION void join(Maybe<T>& into, Maybe<T> const& from) const {
    if (from.exists) add(into, from.value);
  }
  KOKKOS_FUNCTION void add(Maybe<T>& into, T const& x) const {
    into.value  = into.exists ? static_cast<T>(op(into.value, x)) : x;
    into.exists = true;
  }
  KOKKOS_FUNCTION T after(T const& before, Maybe<T> const& v) const {
    return v.exists ? static_cast<T>(op(before, v.value)) : before;
  }
  KOKKOS_FUNCTION static T value_of(Maybe<T> const& v) { return v.value; }
};

/// Sums of numbers start at 0.
template <class T>
struct SumJoin {
  using cost       = CheapWith<T>;
  using value_type = T;
  KOKKOS_FUNCTION explicit SumJoin(Plus = {}) {}
  KOKKOS_FUNCTION void init(T& v) const { v = T(0); }
  KOKKOS_FUNCTION void join(T& into, T const& from) const { into += from; }
  KOKKOS_FUNCTION void add(T& into, T const& x) const { into += x; }
  KOKKOS_FUNCTION T after(T const& before, T const& v) const { return static_cast<T>(before + v); }
  KOKKOS_FUNCTION static T value_of(T const& v) { return v; }
};

template <class T, class Op>
using join_by = std::conditional_t<std::is_same_v<Op, Plus> && std::is_arithmetic_v<T>, SumJoin<T>, MaybeJoin<T, Op>>;

template <class Source, class Join, class T>
struct ReduceBody {
  using cost = CheapWith<Source, Join>;
  Source source;
  Join join;
  KOKKOS_FUNCTION void operator()(Distance i, typename Join::value_type& update) const {
    join.add(update, static_cast<T>(source(i)));
  }
};

/// The join of init, source(0), ..., source(n - 1).
template <class Place, class T, class Op, class Source>
KOKKOS_FUNCTION T reduce_values(Place const& place, Distance n, Source const& source, T const& init, Op const& op) {
  using Join = join_by<T, Op>;
  Join const join{op};
  return join.after(init, place.reduce(n, ReduceBody<Source, Join, T>{source, join}, join));
}

/// Copies the elements with keep(i) to `out`, in order; returns the end of the copies.
template <class Place, class In, class Out, class Keep>
KOKKOS_FUNCTION Out select_into(Place const& place, In in, Distance n, Out out, Keep const& keep) {
  Distance const count = place.scan(n, SelectBody<Keep, PutElement<In, Out>>{keep, {in, out}}, CountJoin());
  place.finish();
  return out + count;
}

}  // namespace Kokkos::Impl::Algorithms

#endif
