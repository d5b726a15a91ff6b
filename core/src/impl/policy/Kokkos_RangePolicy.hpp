// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_RANGE_POLICY_HPP
#define KOKKOS_POLICY_RANGE_POLICY_HPP

/// \file
/// RangePolicy: the iterations begin, begin + 1, ..., end - 1.

#include <impl/policy/Kokkos_PolicyErrors.hpp>
#include <impl/policy/Kokkos_PolicyTraits.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace Kokkos {

/// Number of consecutive iterations that a thread takes at a time; a hint.
struct ChunkSize {
  /// For 0 or less the library chooses the number.
  KOKKOS_FUNCTION explicit ChunkSize(int value_) : value(value_) {}
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  template <std::convertible_to<int> T>
  KOKKOS_DEPRECATED_WITH_COMMENT("Write Kokkos::ChunkSize(n).")
  ChunkSize(T value_) : value(static_cast<int>(value_)) {}
#endif
  /// The number of iterations.
  int value;
};

namespace Impl {

template <class T, class Index>
concept Bound = std::convertible_to<T, Index>;

/// An execution space other than the default one, which the type of a deduced policy does not contain.
template <class T>
concept OtherSpace = is_execution_space_v<T> && !std::is_same_v<T, DefaultExecutionSpace>;

/// Selects the constructor of a RangePolicy that checks nothing.
struct CheckedCount {};

}  // namespace Impl

/// Runs the iterations of the half-open range [begin, end), each once, in unspecified order.
///
/// Properties, in any order: an execution space, Schedule, IndexType (or an integral type), LaunchBounds, a work tag.
/// The bounds may have any type that converts to the index type. A bound that the index type cannot represent, and a
/// lower bound above the upper one, are errors (std::runtime_error). With deprecated code of version 4 enabled, such a
/// bound wraps around, with a warning, and a lower bound above the upper one makes the range empty. Messages name the
/// line that constructs the policy: the default argument of each constructor's last parameter contains it.
// Bounds are passed by value, so that a static const member of a class, which often is a bound, needs no definition.
template <class... Properties>
class RangePolicy : public Impl::PolicyTraits<Properties...> {
  using SourceLine = Impl::SourceLine;
  template <class...>
  friend class RangePolicy;

 public:
  using traits = Impl::PolicyTraits<Properties...>;  ///< the properties with their defaults
  /// The policy itself, under the name that every policy has.
  using execution_policy = RangePolicy;
  using typename traits::execution_space;
  using typename traits::index_type;
  /// The type of the index that the functor receives.
  using member_type = index_type;

  /// An empty range in the default instance.
  RangePolicy() = default;

  /// The iterations [begin, end) in the default instance. The library chooses the chunk size.
  template <Impl::Bound<index_type> Begin, Impl::Bound<index_type> End>
  RangePolicy(Begin begin, End end, SourceLine line = SourceLine::of_caller())
      : RangePolicy(execution_space(), begin, end, line) {}

  /// Like the constructor above, with a chunk size.
  template <Impl::Bound<index_type> Begin, Impl::Bound<index_type> End>
  RangePolicy(Begin begin, End end, ChunkSize chunk, SourceLine line = SourceLine::of_caller())
      : RangePolicy(execution_space(), begin, end, chunk, line) {}

  /// The iterations [begin, end) in the instance `space`. The library chooses the chunk size.
  KOKKOS_IMPL_CALLED_BY_HOSTS
  template <Impl::Bound<index_type> Begin, Impl::Bound<index_type> End>
  KOKKOS_FUNCTION RangePolicy(execution_space const& space, Begin begin, End end,
                              SourceLine line = SourceLine::of_caller())
      : m_space(space),
        m_begin(Impl::checked_bound<index_type>("RangePolicy", begin, line)),
        m_end(Impl::checked_bound<index_type>("RangePolicy", end, line)) {
    if (m_end < m_begin || Impl::is_below(end, begin)) invert(begin, end, line);
  }

  /// Like the constructor above, with a chunk size.
  template <Impl::Bound<index_type> Begin, Impl::Bound<index_type> End>
  RangePolicy(execution_space const& space, Begin begin, End end, ChunkSize chunk,
              SourceLine line = SourceLine::of_caller())
      : RangePolicy(space, begin, end, line) {
    m_chunk = chunk.value;
  }

  /// For the library: the iterations [0, count) in the default instance, for a count that has been checked.
  RangePolicy(Impl::CheckedCount, index_type count) : m_end(count) {}

  /// The same range with other properties; the execution space must be the same.
  template <class... Others>
    requires(!std::is_same_v<RangePolicy<Others...>, RangePolicy> &&
             std::is_same_v<typename RangePolicy<Others...>::execution_space, execution_space>)
  RangePolicy(RangePolicy<Others...> const& other, SourceLine line = SourceLine::of_caller())
      : traits(static_cast<Impl::PolicyTraits<Others...> const&>(other)),
        m_space(other.m_space),
        m_begin(Impl::checked_bound<index_type>("RangePolicy", other.m_begin, line)),
        m_end(Impl::checked_bound<index_type>("RangePolicy", other.m_end, line)),
        m_chunk(other.m_chunk) {}

  KOKKOS_FUNCTION member_type begin() const { return m_begin; }  ///< the first index
  KOKKOS_FUNCTION member_type end() const { return m_end; }      ///< one more than the last index
  /// The instance that runs the kernel.
  KOKKOS_FUNCTION execution_space const& space() const { return m_space; }

  /// Number of iterations that a thread takes at a time; at least 1. The program's setting, or a sixteenth of a
  /// thread's share.
  index_type chunk_size() const {
    if (m_chunk > 0) return static_cast<index_type>(m_chunk);
    auto const count = static_cast<std::uint64_t>(m_end) - static_cast<std::uint64_t>(m_begin);
    auto const share = count / 16 / static_cast<std::uint64_t>(positive_concurrency());
    return share > 0 ? static_cast<index_type>(share) : index_type{1};
  }

  /// Sets the chunk size; for 0 or less the library chooses it.
  RangePolicy& set_chunk_size(int chunk_size_) {
    m_chunk = chunk_size_;
    return *this;
  }
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  KOKKOS_DEPRECATED_WITH_COMMENT("Use set_chunk_size(n).")
  RangePolicy& set(ChunkSize chunk) { return set_chunk_size(chunk.value); }
#endif

 private:
  int positive_concurrency() const {
    int const threads = m_space.impl_concurrency();
    return threads > 0 ? threads : 1;
  }

  template <class Begin, class End>
  void invert(Begin begin, End end, SourceLine line) {
    if constexpr (std::is_integral_v<Begin> && std::is_integral_v<End>) {
      // Otherwise a bound has wrapped around, which has already been reported.
      if (Impl::is_below(end, begin)) {
        Impl::report_inverted("RangePolicy", -1, Impl::AnyInteger::of(begin), Impl::AnyInteger::of(end), line);
      }
    } else {
      Impl::report_inverted("RangePolicy", -1, Impl::AnyInteger::of(m_begin), Impl::AnyInteger::of(m_end), line);
    }
    m_begin = m_end = 0;
  }

  execution_space m_space{};
  index_type m_begin = 0;
  index_type m_end   = 0;
  int m_chunk        = 0;
};

/// @{
/// Without template arguments, the policy is for the default execution space or for that of the instance.
RangePolicy() -> RangePolicy<>;
RangePolicy(std::int64_t, std::int64_t) -> RangePolicy<>;
RangePolicy(std::int64_t, std::int64_t, ChunkSize const&) -> RangePolicy<>;
RangePolicy(DefaultExecutionSpace const&, std::int64_t, std::int64_t) -> RangePolicy<>;
RangePolicy(DefaultExecutionSpace const&, std::int64_t, std::int64_t, ChunkSize const&) -> RangePolicy<>;
template <Impl::OtherSpace ExecSpace>
RangePolicy(ExecSpace const&, std::int64_t, std::int64_t) -> RangePolicy<ExecSpace>;
template <Impl::OtherSpace ExecSpace>
RangePolicy(ExecSpace const&, std::int64_t, std::int64_t, ChunkSize const&) -> RangePolicy<ExecSpace>;
/// @}

}  // namespace Kokkos

#endif
