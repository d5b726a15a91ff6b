// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_MD_RANGE_POLICY_HPP
#define KOKKOS_POLICY_MD_RANGE_POLICY_HPP

/// \file
/// MDRangePolicy: the iterations of an index range of 1 to 6 dimensions, run tile by tile.

#include <Kokkos_Array.hpp>
#include <impl/policy/Kokkos_PolicyErrors.hpp>
#include <impl/policy/Kokkos_PolicyTraits.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>
#include <impl/policy/Kokkos_Rank.hpp>
#include <impl/policy/Kokkos_TileTraits.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace Kokkos {

namespace Impl {

template <class Pattern>
struct PatternShape {
  static constexpr int rank                = Pattern::rank;
  static constexpr Iterate outer_direction = Pattern::outer_direction;
  static constexpr Iterate inner_direction = Pattern::inner_direction;
};
template <>
struct PatternShape<void> {
  static constexpr int rank                = 0;
  static constexpr Iterate outer_direction = Iterate::Default;
  static constexpr Iterate inner_direction = Iterate::Default;
};

/// Lists of N lower bounds and M upper ones.
template <std::size_t N, std::size_t M>
struct UnequalBounds {};

// Excludes braced lists, so that they match the array parameter, whose length is known at compile time.
template <class T>
inline constexpr bool is_initializer_list = false;
template <class T>
inline constexpr bool is_initializer_list<std::initializer_list<T>> = true;
template <class T>
concept InitializerList = is_initializer_list<T>;

}  // namespace Impl

/// Runs the iterations of the index range [lower[0], upper[0]) x [lower[1], upper[1]) x ..., each once, in unspecified
/// order. The functor is called with one index for each dimension.
///
/// Properties, in any order: `Rank<N, outer, inner>`, which is required; an execution space, Schedule, IndexType,
/// LaunchBounds, a work tag. Bounds and tile sizes are braced lists, built-in arrays, Kokkos::Array or
/// std::initializer_list of integers. The library chooses a tile size that is missing, 0 or negative.
///
/// Throws std::runtime_error for a list of the wrong length, for a tile that the space cannot run, for a bound that the
/// index type cannot represent, and for a lower bound above the upper one. In the last case, with deprecated code of
/// version 4 enabled, the index range is empty instead. Messages name the line that constructs the policy: the default
/// argument of each constructor's last parameter contains it.
template <class... Properties>
class MDRangePolicy : public Impl::PolicyTraits<Properties...> {
  using traits_type = Impl::PolicyTraits<Properties...>;
  using shape       = Impl::PatternShape<typename traits_type::iteration_pattern>;
  using tiles       = Impl::TileTraits<typename traits_type::execution_space>;
  using SourceLine  = Impl::SourceLine;
  template <class...>
  friend class MDRangePolicy;

 public:
  /// The properties with their defaults.
  using traits = traits_type;
  /// The policy itself, under the name that every policy has.
  using execution_policy = MDRangePolicy;
  /// The execution space that runs the kernel.
  using execution_space = typename traits_type::execution_space;
  /// The type of the indices that the functor receives.
  using index_type = typename traits_type::index_type;
  /// The LaunchBounds property, or its default.
  using launch_bounds = typename traits_type::launch_bounds;
  /// The type of one index: index_type.
  using member_type = index_type;
  /// The type of bounds and tile sizes.
  using array_index_type = std::int64_t;

  /// Number of dimensions: N of `Rank<N>`.
  static constexpr int rank = shape::rank;
  /// The order of tiles: Iterate::Left means that the first index varies fastest, Iterate::Right the last.
  static constexpr Iterate outer_direction = shape::outer_direction == Iterate::Default
                                                 ? default_outer_direction<execution_space>::value
                                                 : shape::outer_direction;
  /// The order of iterations in a tile: Iterate::Left means that the first index varies fastest, Iterate::Right the
  /// last.
  static constexpr Iterate inner_direction = shape::inner_direction == Iterate::Default
                                                 ? default_inner_direction<execution_space>::value
                                                 : shape::inner_direction;

  /// One number for each dimension: lower or upper bounds.
  using point_type = Array<array_index_type, static_cast<std::size_t>(rank > 0 ? rank : 1)>;
  /// One number for each dimension: the number of indices in a tile.
  using tile_type = point_type;

  /// An empty index range in the default instance.
  MDRangePolicy() = default;

  /// The index range [lower, upper) in the default instance. The library chooses each tile size that is 0.
  MDRangePolicy(point_type const& lower, point_type const& upper, tile_type const& tile = tile_type{},
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), lower, upper, tile, line) {}

  /// Like the constructor above, in the instance `space`.
  MDRangePolicy(execution_space const& space, point_type const& lower, point_type const& upper,
                tile_type const& tile = tile_type{}, SourceLine line = SourceLine::of_caller())
      : m_space(space), m_lower(lower), m_upper(upper), m_tile(tile) {
    set_up(line);
  }

  /// The index range [lower, upper) of two braced lists or built-in arrays, in the default instance.
  template <class L, class U, std::size_t N>
  MDRangePolicy(L const (&lower)[N], U const (&upper)[N], SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), point<N>(lower, line), point<N>(upper, line), tile_type{}, line) {}
  /// Like the constructor above, with tile sizes, at most one for each dimension. The library chooses the missing ones.
  template <class L, class U, class T, std::size_t N, std::size_t M>
  MDRangePolicy(L const (&lower)[N], U const (&upper)[N], T const (&tile)[M], SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), point<N>(lower, line), point<N>(upper, line), tile_from<M>(tile), line) {}
  /// The index range [lower, upper) in the instance `space`.
  template <class L, class U, std::size_t N>
  MDRangePolicy(execution_space const& space, L const (&lower)[N], U const (&upper)[N],
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(space, point<N>(lower, line), point<N>(upper, line), tile_type{}, line) {}
  /// Like the constructor above, with tile sizes.
  template <class L, class U, class T, std::size_t N, std::size_t M>
  MDRangePolicy(execution_space const& space, L const (&lower)[N], U const (&upper)[N], T const (&tile)[M],
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(space, point<N>(lower, line), point<N>(upper, line), tile_from<M>(tile), line) {}

  /// @{
  /// Refuses lower and upper bounds of different lengths with a static_assert.
  template <class L, class U, std::size_t N, std::size_t M>
    requires(N != M)
  MDRangePolicy(L const (&)[N], U const (&)[M]) : MDRangePolicy(Impl::UnequalBounds<N, M>{}) {}
  template <class L, class U, class T, std::size_t N, std::size_t M, std::size_t K>
    requires(N != M)
  MDRangePolicy(L const (&)[N], U const (&)[M], T const (&)[K]) : MDRangePolicy(Impl::UnequalBounds<N, M>{}) {}
  template <class L, class U, std::size_t N, std::size_t M>
    requires(N != M)
  MDRangePolicy(execution_space const&, L const (&)[N], U const (&)[M]) : MDRangePolicy(Impl::UnequalBounds<N, M>{}) {}
  template <class L, class U, class T, std::size_t N, std::size_t M, std::size_t K>
    requires(N != M)
  MDRangePolicy(execution_space const&, L const (&)[N], U const (&)[M], T const (&)[K])
      : MDRangePolicy(Impl::UnequalBounds<N, M>{}) {}
  /// @}

  /// The index range [lower, upper) of two Kokkos::Array, in the default instance.
  template <class L, class U, std::size_t N>
  MDRangePolicy(Array<L, N> const& lower, Array<U, N> const& upper, SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), point<N>(lower, line), point<N>(upper, line), tile_type{}, line) {}
  /// Like the constructor above, with tile sizes.
  template <class L, class U, class T, std::size_t N, std::size_t M>
  MDRangePolicy(Array<L, N> const& lower, Array<U, N> const& upper, Array<T, M> const& tile,
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), point<N>(lower, line), point<N>(upper, line), tile_from<M>(tile), line) {}
  /// The index range [lower, upper) in the instance `space`.
  template <class L, class U, std::size_t N>
  MDRangePolicy(execution_space const& space, Array<L, N> const& lower, Array<U, N> const& upper,
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(space, point<N>(lower, line), point<N>(upper, line), tile_type{}, line) {}
  /// Like the constructor above, with tile sizes.
  template <class L, class U, class T, std::size_t N, std::size_t M>
  MDRangePolicy(execution_space const& space, Array<L, N> const& lower, Array<U, N> const& upper,
                Array<T, M> const& tile, SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(space, point<N>(lower, line), point<N>(upper, line), tile_from<M>(tile), line) {}

  /// The index range [lower, upper) of two std::initializer_list, whose lengths are checked at run time.
  template <Impl::InitializerList Lower, Impl::InitializerList Upper>
  MDRangePolicy(Lower const& lower, Upper const& upper, SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), list("lower bounds", lower, line), list("upper bounds", upper, line),
                      tile_type{}, line) {}
  /// Like the constructor above, with tile sizes.
  template <Impl::InitializerList Lower, Impl::InitializerList Upper, Impl::InitializerList Tile>
  MDRangePolicy(Lower const& lower, Upper const& upper, Tile const& tile, SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(execution_space(), list("lower bounds", lower, line), list("upper bounds", upper, line),
                      list("tile sizes", tile, line), line) {}
  /// The index range [lower, upper) in the instance `space`.
  template <Impl::InitializerList Lower, Impl::InitializerList Upper>
  MDRangePolicy(execution_space const& space, Lower const& lower, Upper const& upper,
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(space, list("lower bounds", lower, line), list("upper bounds", upper, line), tile_type{}, line) {}
  /// Like the constructor above, with tile sizes.
  template <Impl::InitializerList Lower, Impl::InitializerList Upper, Impl::InitializerList Tile>
  MDRangePolicy(execution_space const& space, Lower const& lower, Upper const& upper, Tile const& tile,
                SourceLine line = SourceLine::of_caller())
      : MDRangePolicy(space, list("lower bounds", lower, line), list("upper bounds", upper, line),
                      list("tile sizes", tile, line), line) {}

  /// The same index range with other properties; rank and execution space must be the same.
  template <class... Others>
    requires(!std::is_same_v<MDRangePolicy<Others...>, MDRangePolicy> && MDRangePolicy<Others...>::rank == rank &&
             std::is_same_v<typename MDRangePolicy<Others...>::execution_space, execution_space>)
  MDRangePolicy(MDRangePolicy<Others...> const& other)
      : traits_type(static_cast<Impl::PolicyTraits<Others...> const&>(other)),
        m_space(other.m_space),
        m_lower(other.m_lower),
        m_upper(other.m_upper),
        m_tile(other.m_tile),
        m_tile_end(other.m_tile_end),
        m_num_tiles(other.m_num_tiles),
        m_prod_tile_dims(other.m_prod_tile_dims) {}

  /// The instance that runs the kernel.
  KOKKOS_FUNCTION execution_space const& space() const { return m_space; }

  /// The tile that the library chooses for this index range.
  tile_type tile_size_recommended() const {
    tile_type tile{};
    point_type extents{};
    for (std::size_t d = 0; d < rank; ++d) extents[d] = m_upper[d] - m_lower[d];
    tiles::recommend(m_space, launch_bounds::maxTperB, rank, extents.data(), inner_direction, tile.data());
    return tile;
  }
  /// The maximum product of tile sizes.
  int max_total_tile_size() const {
    return static_cast<int>(tiles::max_total_tile_size(m_space, launch_bounds::maxTperB));
  }
  /// Cuts the index range anew; a size of 0 or less is left to the library.
  void impl_change_tile_size(tile_type const& tile, SourceLine line = SourceLine::of_caller()) {
    m_tile           = tile;
    m_prod_tile_dims = 1;
    cut_into_tiles(line);
  }

 private:
  execution_space m_space{};

 public:
  // Executors read these. Tile t of dimension d begins at m_lower[d] + t * m_tile[d].
  point_type m_lower{};                   ///< first index of each dimension
  point_type m_upper{};                   ///< one more than the last index of each dimension
  tile_type m_tile{};                     ///< number of indices of a tile in each dimension
  point_type m_tile_end{};                ///< number of tiles in each dimension
  array_index_type m_num_tiles      = 0;  ///< product of m_tile_end
  array_index_type m_prod_tile_dims = 1;  ///< number of iterations in a tile

 private:
  template <std::size_t N, std::size_t M>
  explicit MDRangePolicy(Impl::UnequalBounds<N, M>) {
    static_assert(N == M,
                  "Kokkos::MDRangePolicy needs as many lower bounds as upper ones: one of each for each "
                  "dimension of its Kokkos::Rank.");
  }

  template <std::size_t N, class List>
  static point_type point(List const& given, SourceLine line) {
    static_assert(rank == 0 || N == static_cast<std::size_t>(rank),
                  "Kokkos::MDRangePolicy needs one bound for each dimension of its Kokkos::Rank.");
    point_type p{};
    for (std::size_t d = 0; d < rank; ++d) p[d] = Impl::required_bound<index_type, array_index_type>(given[d], line);
    return p;
  }
  template <std::size_t N, class List>
  static tile_type tile_from(List const& given) {
    static_assert(rank == 0 || N <= static_cast<std::size_t>(rank),
                  "Kokkos::MDRangePolicy takes at most one tile size for each dimension of its Kokkos::Rank.");
    tile_type tile{};
    for (std::size_t d = 0; d < N; ++d) tile[d] = static_cast<array_index_type>(given[d]);
    return tile;
  }
  template <class List>
  static point_type list(char const* what, List const& given, SourceLine line) {
    bool const is_tile = what[0] == 't';
    if (is_tile ? given.size() > rank : given.size() != rank) Impl::refuse_length(what, given.size(), rank, line);
    point_type p{};
    std::size_t d = 0;
    for (auto const& x : given) {
      p[d++] = is_tile ? static_cast<array_index_type>(x) : Impl::required_bound<index_type, array_index_type>(x, line);
    }
    return p;
  }

  void set_up(SourceLine line) {
    static_assert(rank >= 1 && rank <= 6, "Kokkos::MDRangePolicy needs a Kokkos::Rank<N> with N from 1 to 6.");
    for (std::size_t d = 0; d < rank; ++d) {
      (void)Impl::required_bound<index_type, array_index_type>(m_lower[d], line);
      (void)Impl::required_bound<index_type, array_index_type>(m_upper[d], line);
      if (m_upper[d] >= m_lower[d]) continue;
      Impl::report_inverted("MDRangePolicy", static_cast<int>(d), Impl::AnyInteger::of(m_lower[d]),
                            Impl::AnyInteger::of(m_upper[d]), line);
      m_upper[d] = m_lower[d];
    }
    cut_into_tiles(line);
  }

  void cut_into_tiles(SourceLine line) {
    bool none_given = true;
    for (std::size_t d = 0; d < rank; ++d) none_given = none_given && m_tile[d] <= 0;
    if (none_given) {
      m_tile = tile_size_recommended();  // which the space can run
      for (std::size_t d = 0; d < rank; ++d) m_prod_tile_dims *= m_tile[d];
    } else {
      fit_tile(line);
    }
    m_num_tiles = Impl::count_tiles(m_lower.data(), m_upper.data(), m_tile.data(), rank, m_tile_end.data(), line);
  }

  /// Chooses the sizes that the program did not give so that the tile can run, and refuses what cannot.
  void fit_tile(SourceLine line) {
    array_index_type const limit = tiles::max_total_tile_size(m_space, launch_bounds::maxTperB);
    bool all_given               = true;
    array_index_type left        = limit;  // for the sizes that the program did not give
    for (std::size_t d = 0; d < rank; ++d) {
      all_given = all_given && m_tile[d] > 0;
      if (m_tile[d] > 0) left /= m_tile[d];
    }
    if (!all_given) {
      tile_type const recommended = tile_size_recommended();
      for (std::size_t d = 0; d < rank; ++d) {
        if (m_tile[d] > 0) continue;
        m_tile[d] = recommended[d];
        while (m_tile[d] > 1 && m_tile[d] > left) m_tile[d] /= 2;
        left /= m_tile[d];
      }
    }
    for (std::size_t d = 0; d < rank; ++d) {
      if (m_tile[d] > limit / m_prod_tile_dims)
        Impl::refuse_tile(execution_space::name(), m_tile.data(), rank, limit, line);
      m_prod_tile_dims *= m_tile[d];
    }
  }
};

/// @{
/// Without template arguments, the rank is the length of the lists, and the execution space that of the instance.
template <class L, class U, std::size_t N>
MDRangePolicy(L const (&)[N], U const (&)[N]) -> MDRangePolicy<Rank<N>>;
template <class L, class U, class T, std::size_t N, std::size_t M>
MDRangePolicy(L const (&)[N], U const (&)[N], T const (&)[M]) -> MDRangePolicy<Rank<N>>;
template <class L, class U, std::size_t N>
MDRangePolicy(DefaultExecutionSpace const&, L const (&)[N], U const (&)[N]) -> MDRangePolicy<Rank<N>>;
template <class L, class U, class T, std::size_t N, std::size_t M>
MDRangePolicy(DefaultExecutionSpace const&, L const (&)[N], U const (&)[N], T const (&)[M]) -> MDRangePolicy<Rank<N>>;
template <Impl::OtherSpace ExecSpace, class L, class U, std::size_t N>
MDRangePolicy(ExecSpace const&, L const (&)[N], U const (&)[N]) -> MDRangePolicy<ExecSpace, Rank<N>>;
template <Impl::OtherSpace ExecSpace, class L, class U, class T, std::size_t N, std::size_t M>
MDRangePolicy(ExecSpace const&, L const (&)[N], U const (&)[N], T const (&)[M]) -> MDRangePolicy<ExecSpace, Rank<N>>;
/// @}

/// @{
/// Without template arguments and with bounds in Kokkos::Array, the rank is their length.
template <class L, class U, std::size_t N>
MDRangePolicy(Array<L, N> const&, Array<U, N> const&) -> MDRangePolicy<Rank<N>>;
template <class L, class U, class T, std::size_t N, std::size_t M>
MDRangePolicy(Array<L, N> const&, Array<U, N> const&, Array<T, M> const&) -> MDRangePolicy<Rank<N>>;
template <class L, class U, std::size_t N>
MDRangePolicy(DefaultExecutionSpace const&, Array<L, N> const&, Array<U, N> const&) -> MDRangePolicy<Rank<N>>;
template <class L, class U, class T, std::size_t N, std::size_t M>
MDRangePolicy(DefaultExecutionSpace const&, Array<L, N> const&, Array<U, N> const&, Array<T, M> const&)
    -> MDRangePolicy<Rank<N>>;
template <Impl::OtherSpace ExecSpace, class L, class U, std::size_t N>
MDRangePolicy(ExecSpace const&, Array<L, N> const&, Array<U, N> const&) -> MDRangePolicy<ExecSpace, Rank<N>>;
template <Impl::OtherSpace ExecSpace, class L, class U, class T, std::size_t N, std::size_t M>
MDRangePolicy(ExecSpace const&, Array<L, N> const&, Array<U, N> const&, Array<T, M> const&)
    -> MDRangePolicy<ExecSpace, Rank<N>>;
/// @}

}  // namespace Kokkos

#endif
