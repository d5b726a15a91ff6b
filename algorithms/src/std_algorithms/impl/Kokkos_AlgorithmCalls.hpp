// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_CALLS_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_CALLS_HPP

/// \file
/// The forms in which every algorithm can be called:
///
///     algorithm(exec, arguments...)            by the host, on an instance; complete when it returns
///     algorithm(label, exec, arguments...)     the same with a name for tools
///     algorithm(team, arguments...)            in a kernel, by all threads of a team; complete for all when it returns
///
/// A range is two iterators or a view of rank 1; the beginning of a result or of a second range is an iterator or a
/// view. An algorithm is a struct with `run(place, arguments...)`, which expects iterators, and with `takes`, which
/// specifies the iterators that replace each view.

#include <std_algorithms/impl/Kokkos_AlgorithmParts.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmVectors.hpp>

#include <Kokkos_Concepts.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <Kokkos_View.hpp>

#include <string>
#include <type_traits>

namespace Kokkos::Impl::Algorithms {

enum class Takes {
  range,          // the first view is [begin, end), each other view only its begin
  range_to_end,   // the first view is [begin, end), each other view only its end
  ranges,         // the first two views are [begin, end)
  counted,        // each view is its begin; a count is the next argument
  rotated_range,  // the first view and the number after it are begin, begin + number, end
};

template <class Algorithm>
inline constexpr Takes takes_v = [] {
  if constexpr (requires { Algorithm::takes; })
    return Algorithm::takes;
  else
    return Takes::range;
}();

// ---- algorithms that differ from each other in only one part

/// Assigns Source(element) to the corresponding position of `out`; returns the end of the results.
template <template <class> class Source>
struct AssignRange {
  template <class Place, class In, class Out>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out) {
    return Algorithms::assign(place, out, last - first, Source<In>{first});
  }
};

/// Like `AssignRange` above, with results that end at `out_last`; returns their beginning.
template <template <class> class Source>
struct AssignRangeBackward {
  static constexpr Takes takes = Takes::range_to_end;
  template <class Place, class In, class Out>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out_last) {
    Out const out = out_last - (last - first);
    AssignRange<Source>::run(place, first, last, out);
    return out;
  }
};

/// Assigns Source(x) to each element.
template <template <class> class Source>
struct AssignEach {
  template <class Place, class It, class X>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, X const& x) {
    Algorithms::assign(place, first, last - first, Source<X>{x});
  }
};

/// Like `AssignEach` above, for n elements, or none if n is negative; returns the position after them.
template <template <class> class Source>
struct AssignCounted {
  static constexpr Takes takes = Takes::counted;
  template <class Place, class It, class Size, class X>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, Size n, X const& x) {
    return Algorithms::assign(place, first, n > 0 ? static_cast<Distance>(n) : 0, Source<X>{x});
  }
};

/// An algorithm with a predicate, applied to elements that are equal to a value, which is the last argument.
template <class Algorithm>
struct ForEqualElements {
  template <class Place, class It, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, T const& value) {
    return Algorithm::run(place, first, last, EqualTo<T>{value});
  }
  template <class Place, class In, class Out, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, T const& value) {
    return Algorithm::run(place, first, last, out, EqualTo<T>{value});
  }
};

/// Like `ForEqualElements` above, for elements for which the predicate is false.
template <class Algorithm>
struct ForOtherElements {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    return Algorithm::run(place, first, last, Not<P>{predicate});
  }
  template <class Place, class In, class Out, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, P const& predicate) {
    return Algorithm::run(place, first, last, out, Not<P>{predicate});
  }
};

/// Whether a search has no result.
template <class Search>
struct FindsNothing {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static bool run(Place const& place, It first, It last, P const& predicate) {
    return Search::run(place, first, last, predicate) == last;
  }
};

// ---- calls

template <class T>
concept TeamHandle = is_team_handle_v<T>;

template <Takes Kind, class Arg>
KOKKOS_FUNCTION decltype(auto) as_iterator(Arg const& arg) {
  if constexpr (!is_view_v<Arg>)
    return arg;
  else if constexpr (Kind == Takes::range_to_end)
    return Experimental::end(arg);
  else
    return Experimental::begin(arg);
}

template <class Algorithm, class Place, class V1, class V2, class... Args>
KOKKOS_FUNCTION auto run_with_ranges(Place const& place, V1 const& v1, V2 const& v2, Args const&... args) {
  return Algorithm::run(place, Experimental::begin(v1), Experimental::end(v1), Experimental::begin(v2),
                        Experimental::end(v2), args...);
}
template <class Algorithm, class Place, class View, class Count, class... Args>
KOKKOS_FUNCTION auto run_rotated(Place const& place, View const& view, Count const& count, Args const&... args) {
  return Algorithm::run(place, Experimental::begin(view), Experimental::begin(view) + static_cast<Distance>(count),
                        Experimental::end(view), Algorithms::as_iterator<takes_v<Algorithm>>(args)...);
}

template <class Algorithm, class Place, class First, class... Args>
KOKKOS_FUNCTION auto run_with_iterators(Place const& place, First const& first, Args const&... args) {
  if constexpr (!is_view_v<First>)
    return Algorithm::run(place, first, Algorithms::as_iterator<takes_v<Algorithm>>(args)...);
  else if constexpr (takes_v<Algorithm> == Takes::ranges)
    return Algorithms::run_with_ranges<Algorithm>(place, first, args...);
  else if constexpr (takes_v<Algorithm> == Takes::counted)
    return Algorithm::run(place, Experimental::begin(first), Algorithms::as_iterator<takes_v<Algorithm>>(args)...);
  else if constexpr (takes_v<Algorithm> == Takes::rotated_range)
    return Algorithms::run_rotated<Algorithm>(place, first, args...);
  else
    return Algorithm::run(place, Experimental::begin(first), Experimental::end(first),
                          Algorithms::as_iterator<takes_v<Algorithm>>(args)...);
}
template <class ExecSpace, class Arg>
constexpr bool is_accessible_argument() {
  if constexpr (is_view_v<Arg>)
    return SpaceAccessibility<ExecSpace, typename Arg::memory_space>::accessible;
  else
    return true;
}

template <class Algorithm, class ExecSpace, class... Args>
auto call_on_instance(std::string const& label, ExecSpace const& exec, Args const&... args) {
  static_assert((Algorithms::is_accessible_argument<ExecSpace, Args>() && ...),
                "Kokkos::Experimental: an algorithm was given a view whose memory its execution space cannot access.");
  return Algorithms::run_with_iterators<Algorithm>(OnInstance<ExecSpace>(label, exec), args...);
}
/// Default labels for tools, which also show whether the arguments were views or iterators.
template <class Algorithm, class ExecSpace, class First, class... Args>
auto call_without_label(char const* name, ExecSpace const& exec, First const& first, Args const&... args) {
  std::string const label =
      std::string("Kokkos::") + name + (is_view_v<First> ? "_view_api_default" : "_iterator_api_default");
  return Algorithms::call_on_instance<Algorithm>(label, exec, first, args...);
}
template <class Algorithm, class Team, class... Args>
KOKKOS_FUNCTION auto call_in_team(Team const& team, Args const&... args) {
  return Algorithms::run_with_iterators<Algorithm>(InTeam<Team>(team), args...);
}

}  // namespace Kokkos::Impl::Algorithms

/// Declares Kokkos::Experimental::NAME in its three forms.
#define KOKKOS_IMPL_STD_ALGORITHM(NAME, ALGORITHM)                                                               \
  namespace Kokkos::Experimental {                                                                               \
  template <ExecutionSpace ExecSpace, class First, class... Args>                                                \
  auto NAME(ExecSpace const& exec, First const& first, Args const&... args) {                                    \
    return Kokkos::Impl::Algorithms::call_without_label<Kokkos::Impl::Algorithms::ALGORITHM>(#NAME, exec, first, \
                                                                                             args...);           \
  }                                                                                                              \
  template <ExecutionSpace ExecSpace, class First, class... Args>                                                \
  auto NAME(std::string const& label, ExecSpace const& exec, First const& first, Args const&... args) {          \
    return Kokkos::Impl::Algorithms::call_on_instance<Kokkos::Impl::Algorithms::ALGORITHM>(label, exec, first,   \
                                                                                           args...);             \
  }                                                                                                              \
  template <Kokkos::Impl::Algorithms::TeamHandle Team, class First, class... Args>                               \
  KOKKOS_FUNCTION auto NAME(Team const& team, First const& first, Args const&... args) {                         \
    return Kokkos::Impl::Algorithms::call_in_team<Kokkos::Impl::Algorithms::ALGORITHM>(team, first, args...);    \
  }                                                                                                              \
  }

#endif
