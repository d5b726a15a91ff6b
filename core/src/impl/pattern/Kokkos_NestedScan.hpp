// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_NESTEDSCAN_HPP
#define KOKKOS_PATTERN_NESTEDSCAN_HPP

/// \file
/// parallel_scan over a range inside a team.

#include <impl/pattern/Kokkos_FunctorValue.hpp>
#include <impl/pattern/Kokkos_NestedLoop.hpp>
#include <impl/pattern/Kokkos_NestedReducers.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos {
namespace Impl {

// The type of the second parameter of body(i, update, final).
template <class Body, class R, class Index, class Update>
auto nested_update_of(R (Body::*)(Index, Update&, bool) const) -> std::type_identity<Update>;
template <class Body, class R, class Index, class Update>
auto nested_update_of(R (Body::*)(Index, Update&, bool)) -> std::type_identity<Update>;
template <class Body, class R, class Index, class Update>
auto nested_update_of(R (Body::*)(Index, Update&, bool) const noexcept) -> std::type_identity<Update>;

/// The type that a body scans: its value_type, otherwise the type of its call operator's update parameter.
template <class Body>
struct NestedScanValue {
  static_assert(
      requires { Impl::nested_update_of(&Body::operator()); },
      "A parallel_scan inside a team cannot deduce from this body (it is generic, or has several calls) what "
      "type of value to scan. Pass a variable for the total, or give the body a member type value_type.");
  using type = typename decltype(Impl::nested_update_of(&Body::operator()))::type;
};
template <class Body>
  requires requires { typename Body::value_type; }
struct NestedScanValue<Body> {
  using type = typename Body::value_type;
};

/// Sets `value` to the join of the values of all workers before the caller, and `total` to the join of all values.
template <NestedLevel Level, class Member, class Reducer, class T>
KOKKOS_FORCEINLINE_FUNCTION void nested_scan_workers(Member const& member, Reducer const& reducer, T& value, T& total) {
  if constexpr (Level == NestedLevel::thread_vector) {
    member.impl_vector_scan(reducer, value, total);
  } else if constexpr (Level == NestedLevel::team_thread) {
    member.impl_team_scan(reducer, value, total);
  } else {
    T of_thread = reducer.identity();
    member.impl_vector_scan(reducer, value, of_thread);
    member.impl_team_scan(reducer, of_thread, total);
    // Lower threads come before lower lanes.
    reducer.join(of_thread, value);
    value = of_thread;
  }
}

/// The scan of a range that is divided into one block for each worker. A worker processes its block once for the
/// block's total, and once more with the total of all earlier blocks. A single worker needs only one pass.
template <class Range, class Body, class Reducer>
KOKKOS_FORCEINLINE_FUNCTION typename Reducer::value_type nested_scan_blocks(Range const& range, Body const& body,
                                                                            Reducer const& reducer) {
  using T  = typename Reducer::value_type;
  T update = reducer.identity();
  if (Impl::nested_worker<Range::level>(range.member).size == 1) {
    Impl::nested_for_each<NestedIterations::in_order>(range, [&](auto& i) { body(i, update, true); });
    return update;
  }
  Impl::nested_for_each<NestedIterations::in_order>(range, [&](auto& i) { body(i, update, false); });
  // Separate variables for data that other threads access, so that the variables of the loops can stay in registers.
  T before = static_cast<T&&>(update);
  T total  = reducer.identity();
  Impl::nested_scan_workers<Range::level>(range.member, reducer, before, total);
  update = before;
  Impl::nested_for_each<NestedIterations::in_order>(range, [&](auto& i) { body(i, update, true); });
  return total;
}

/// Workers have every n-th index. In each round, every worker computes its contribution, receives the join of all
/// earlier ones, and calls the body again with that. All workers take part in every round, because they exchange values
/// in it.
template <class Range, class Body, class Reducer>
KOKKOS_FORCEINLINE_FUNCTION typename Reducer::value_type nested_scan_rounds(Range const& range, Body const& body,
                                                                            Reducer const& reducer) {
  using T           = typename Reducer::value_type;
  using Index       = typename Range::index_type;
  auto const worker = Impl::nested_worker<Range::level>(range.member);
  auto const rank   = static_cast<std::uint64_t>(worker.rank);
  T before          = reducer.identity();
  if (!(range.start < range.end)) return before;
  auto const n = static_cast<std::uint64_t>(range.end) - static_cast<std::uint64_t>(range.start);
  for (std::uint64_t round = 0; round < n; round += static_cast<std::uint64_t>(worker.size)) {
    bool const active = round + rank < n;
    Index i           = static_cast<Index>(range.start + static_cast<Index>(round + rank));
    T lower           = reducer.identity();
    T of_round        = reducer.identity();
    if (active) body(i, lower, false);
    Impl::nested_scan_workers<Range::level>(range.member, reducer, lower, of_round);
    T update = before;
    reducer.join(update, lower);
    if (active) body(i, update, true);
    reducer.join(before, of_round);
  }
  return before;
}

template <class Range, class Body, class Reducer>
KOKKOS_FORCEINLINE_FUNCTION void nested_scan(Range const& range, Body const& body, Reducer const& reducer) {
  if constexpr (Impl::update_is_lost<Body, typename Reducer::value_type, 1>()) {
    static_assert(always_false<Body>,
                  "A parallel_scan inside a team: the body takes the value that it updates as a copy or as const, so "
                  "that its updates are lost. Take it by reference: value_type& update.");
  } else if constexpr (Range::member_type::impl_blocked) {
    reducer.store(Impl::nested_scan_blocks(range, body, reducer));
  } else {
    reducer.store(Impl::nested_scan_rounds(range, body, reducer));
  }
  // A barrier, because afterwards programs read what the last calls of the body have written.
  if constexpr (Range::level == NestedLevel::thread_vector)
    range.member.impl_vector_barrier();
  else
    range.member.team_barrier();
}

}  // namespace Impl

/// Calls body(i, update, final) for each index of the range, possibly first with `final` false, and exactly once with
/// `final` true. In the latter call the initial value of `update` is the join of the contributions of all lower
/// indices. The body adds its own contribution to `update` in either case. Values start as `T()` and are joined by
/// `+=`.
///
/// With TeamThreadRange and TeamVectorRange all threads of the team must make this call, and they wait for each other:
/// when it returns, they see the effects of all calls of the body. The same is true of the lanes with
/// ThreadVectorRange.
template <Impl::NestedPolicy Range, class Body>
KOKKOS_INLINE_FUNCTION void parallel_scan(Range const& range, Body const& body) {
  Impl::nested_scan(range, body, Impl::NestedSumOnly<typename Impl::NestedScanValue<Body>::type>());
}

/// Like `parallel_scan` above; the total of all contributions is stored in `total`, a variable or a view of rank 0, on
/// every thread that took part. With a reducer instead, values start as its identity and are joined by it.
template <Impl::NestedPolicy Range, class Body, class Total>
KOKKOS_INLINE_FUNCTION void parallel_scan(Range const& range, Body const& body, Total&& total) {
  Impl::nested_scan(range, body, Impl::nested_reducer(total));
}

}  // namespace Kokkos

#endif
