// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_PLACES_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_PLACES_HPP

/// \file
/// The executor of an algorithm: an instance of an execution space, in a call on the host, or a team, in a call by all
/// of its threads. Both places have the same functions, so each algorithm is written once:
///
///     each(n, body)            calls body(i) for each i in [0, n)
///     reduce(n, body, join)    calls body(i, value), joins the values; every caller gets the result
///     scan(n, body, join)      calls body(i, value, final); the result is the join of all contributions
///     write_scan(n, body, join)  the same without a result, for which a host would wait
///     compact(first, n, keep)  moves the elements for which keep(i) is true to the front; returns their number
///     shift(first, from, to, n)  moves n elements within a range; the other positions do not change
///     sync()                   makes earlier writes visible to later calls
///     finish()                 the same, also for the caller
///
/// A join has a `value_type`, `init(value)` and `join(into, from)`.

#include <Kokkos_Core.hpp>
#include <impl/copy/Kokkos_ElementKernels.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Kokkos::Impl::Algorithms {

using Distance = std::ptrdiff_t;

/// The type of the elements that an iterator refers to.
template <class Iterator>
struct ElementType {
  using type = typename Iterator::value_type;
};
template <class T>
struct ElementType<T*> {
  using type = std::remove_cv_t<T>;
};
template <class Iterator>
using element_t = typename ElementType<Iterator>::type;

/// A join with the interface of a pattern's reducer.
template <class Join>
class JoinReducer : public ResultLocation<typename Join::value_type, HostSpace>, private Join {
  using Place = ResultLocation<typename Join::value_type, HostSpace>;

 public:
  using reducer = JoinReducer;
  KOKKOS_FUNCTION JoinReducer(typename Join::value_type& result, Join const& how) : Place(result), Join(how) {}
  using Join::init;
  using Join::join;
  using typename Place::value_type;
};

/// The functor of a scan, made of a join and a body.
template <class Body, class Join>
struct ScanKernel : private Join {
  using value_type = typename Join::value_type;
  Body body;
  ScanKernel(Body const& body_, Join const& join_) : Join(join_), body(body_) {}
  using Join::init;
  using Join::join;
  KOKKOS_FUNCTION void operator()(Distance i, value_type& update, bool final) const { body(i, update, final); }
};

struct CountJoin {
  using value_type = Distance;
  KOKKOS_FUNCTION void init(Distance& value) const { value = 0; }
  KOKKOS_FUNCTION void join(Distance& into, Distance const& from) const { into += from; }
};

/// Calls write(i, position) for each i with keep(i), where `position` is the number of such i before it.
template <class Keep, class Write>
struct SelectBody {
  Keep keep;
  Write write;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& position, bool final) const {
    if (!keep(i)) return;
    if (final) write(i, position);
    ++position;
  }
};

/// to[position] = from[i]. Elements are copied if possible, because other threads may still read them.
template <class From, class To>
struct PutElement {
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(Distance i, Distance position) const {
    if constexpr (std::is_copy_assignable_v<element_t<From>>)
      to[position] = from[i];
    else
      to[position] = static_cast<element_t<From>&&>(from[i]);
  }
  KOKKOS_FUNCTION void operator()(Distance i) const { (*this)(i, i); }
};

// nvcc compiles the functions of algorithms for hosts and devices, and must see each kernel in both passes. So the
// device pass must contain the calls below; this declares to nvcc that they are host calls.
#if defined(__CUDACC__) && !defined(__clang__)
#define KOKKOS_IMPL_CALLED_BY_HOSTS _Pragma("nv_exec_check_disable")
#else
#define KOKKOS_IMPL_CALLED_BY_HOSTS
#endif

/// Specialised for bodies that can process vectors, see Kokkos_AlgorithmVectors.hpp.
template <class Body>
struct VectorBody {
  static constexpr bool exists = false;
};

/// Runs the parts of an algorithm as kernels on an instance. Called only on hosts.
template <class ExecSpace>
class OnInstance {
  using Policy = RangePolicy<ExecSpace, IndexType<Distance>>;

 public:
  using execution_space         = ExecSpace;
  static constexpr bool is_team = false;

  OnInstance(std::string const& label, ExecSpace const& exec) : m_label(label), m_exec(exec) {}

  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Body>
  KOKKOS_FUNCTION void each(Distance n, Body const& body) const {
    if constexpr (in_vectors<Body>) {
      typename VectorBody<Body>::type const vectors(body, n);
      if (vectors.count() > 0) return Kokkos::parallel_for(m_label, Policy(m_exec, 0, vectors.count()), vectors);
    }
    Kokkos::parallel_for(m_label, Policy(m_exec, 0, n), body);
  }

  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Body, class Join>
  KOKKOS_FUNCTION typename Join::value_type reduce(Distance n, Body const& body, Join const& join) const {
    typename Join::value_type result{};
    join.init(result);
    JoinReducer<Join> const reducer(result, join);
    if constexpr (in_vectors<Body>) {
      typename VectorBody<Body>::type const vectors(body, n);
      if (vectors.count() > 0) {
        // At most 32 registers for a thread, so that all threads that a multiprocessor supports are resident.
        using Dense = RangePolicy<ExecSpace, IndexType<Distance>, LaunchBounds<512, 4>>;
        Kokkos::parallel_reduce(m_label, Dense(m_exec, 0, vectors.count()), vectors, reducer);
        return result;
      }
    }
    Kokkos::parallel_reduce(m_label, Policy(m_exec, 0, n), body, reducer);
    return result;
  }

  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Body, class Join>
  KOKKOS_FUNCTION typename Join::value_type scan(Distance n, Body const& body, Join const& join) const {
    typename Join::value_type result{};
    join.init(result);
    Kokkos::parallel_scan(m_label, Policy(m_exec, 0, n), ScanKernel<Body, Join>(body, join), result);
    return result;
  }

  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Body, class Join>
  KOKKOS_FUNCTION void write_scan(Distance n, Body const& body, Join const& join) const {
    Kokkos::parallel_scan(m_label, Policy(m_exec, 0, n), ScanKernel<Body, Join>(body, join));
  }

  /// Through a buffer: in place, an element could be overwritten before it is moved.
  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Iterator, class Keep>
  KOKKOS_FUNCTION Distance compact(Iterator first, Distance n, Keep const& keep) const {
    using T              = element_t<Iterator>;
    auto const kept      = buffer<T>(n);
    Distance const count = scan(n, SelectBody<Keep, PutElement<Iterator, T*>>{keep, {first, kept.data()}}, CountJoin());
    each(count, PutElement<T*, Iterator>{kept.data(), first});
    return count;
  }

  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Iterator>
  KOKKOS_FUNCTION void shift(Iterator first, Distance from, Distance to, Distance n) const {
    using T          = element_t<Iterator>;
    auto const moved = buffer<T>(n);
    each(n, PutElement<Iterator, T*>{first + from, moved.data()});
    each(n, PutElement<T*, Iterator>{moved.data(), first + to});
  }

  /// Runs call(label, instance) on the host.
  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <class Call>
  KOKKOS_FUNCTION auto call(Call const& function) const {
    return function(m_label, m_exec);
  }

  KOKKOS_FUNCTION void sync() const {}
  KOKKOS_IMPL_CALLED_BY_HOSTS
  KOKKOS_FUNCTION void finish() const { m_exec.fence(m_label + ": done"); }

 private:
  template <class T>
  View<T*, typename ExecSpace::device_type> buffer(Distance n) const {
    if constexpr (std::is_trivially_default_constructible_v<T>)
      return View<T*, typename ExecSpace::device_type>(Kokkos::view_alloc(m_exec, WithoutInitializing, m_label), n);
    else
      return View<T*, typename ExecSpace::device_type>(Kokkos::view_alloc(m_exec, m_label), n);
  }

  /// On hosts the compiler vectorises the loop over single elements.
  template <class Body>
  static constexpr bool in_vectors = VectorBody<Body>::exists && !runs_on_host_v<ExecSpace>;

  std::string const& m_label;
  ExecSpace const& m_exec;
};

/// All threads and lanes of the team.
template <class Member>
class InTeam {
 public:
  static constexpr bool is_team = true;

  KOKKOS_FUNCTION explicit InTeam(Member const& member) : m_member(member) {}

  template <class Body>
  KOKKOS_FUNCTION void each(Distance n, Body const& body) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(m_member, n), body);
  }

  template <class Body, class Join>
  KOKKOS_FUNCTION typename Join::value_type reduce(Distance n, Body const& body, Join const& join) const {
    typename Join::value_type result{};
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(m_member, n), body, JoinReducer<Join>(result, join));
    return result;
  }

  template <class Body, class Join>
  KOKKOS_FUNCTION typename Join::value_type scan(Distance n, Body const& body, Join const& join) const {
    typename Join::value_type result{};
    Kokkos::parallel_scan(Kokkos::TeamVectorRange(m_member, n), body, JoinReducer<Join>(result, join));
    return result;
  }

  template <class Body, class Join>
  KOKKOS_FUNCTION void write_scan(Distance n, Body const& body, Join const& join) const {
    (void)scan(n, body, join);
  }

  /// One thread moves the elements, because a team has no memory for a buffer.
  template <class Iterator, class Keep>
  KOKKOS_FUNCTION Distance compact(Iterator first, Distance n, Keep const& keep) const {
    sync();
    Distance count = 0;
    Kokkos::single(
        Kokkos::PerTeam(m_member),
        [&](Distance& kept) {
          // `keep` may also access the element before i, so it is called before that is moved.
          kept       = 0;
          bool keeps = n > 0 && keep(0);
          for (Distance i = 0; i < n; ++i) {
            bool const keeps_next = i + 1 < n && keep(i + 1);
            if (keeps) {
              if (kept != i) first[kept] = static_cast<element_t<Iterator>&&>(first[i]);
              ++kept;
            }
            keeps = keeps_next;
          }
        },
        count);
    return count;
  }

  template <class Iterator>
  KOKKOS_FUNCTION void shift(Iterator first, Distance from, Distance to, Distance n) const {
    sync();
    Kokkos::single(Kokkos::PerTeam(m_member), [&]() {
      for (Distance k = 0; k < n; ++k) {
        Distance const i = to < from ? k : n - 1 - k;  // starts at the end that is overwritten last
        first[to + i]    = static_cast<element_t<Iterator>&&>(first[from + i]);
      }
    });
  }

  KOKKOS_FUNCTION void sync() const { m_member.team_barrier(); }
  KOKKOS_FUNCTION void finish() const { m_member.team_barrier(); }

 private:
  Member const& m_member;
};

}  // namespace Kokkos::Impl::Algorithms

#endif
