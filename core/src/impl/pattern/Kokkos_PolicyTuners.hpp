// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_POLICYTUNERS_HPP
#define KOKKOS_PATTERN_POLICYTUNERS_HPP

/// \file
/// Tuners of execution policies: team sizes and vector lengths, tiles, and occupancy.

#include <impl/policy/Kokkos_Hints.hpp>
#include <impl/policy/Kokkos_MDRangePolicy.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>
#include <impl/policy/Kokkos_TeamPolicy.hpp>
#include <impl/tools/Kokkos_TuningSpace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace Kokkos::Tools::Experimental {

/// The limits of a kernel's launch parameters according to its policy. They are the limits of the search spaces below.
struct LaunchLimits {
  /// Maximum number of threads of a team.
  template <class Policy, class Functor, class Tag>
  int get_max_team_size(Policy const& policy, Functor const& functor, Tag const& tag) const {
    return policy.team_size_max(functor, tag);
  }
  /// Maximum number of iterations in a tile.
  template <class Policy, class Functor, class Tag>
  int get_mdrange_max_tile_size_product(Policy const& policy, Functor const&, Tag const&) const {
    return policy.max_total_tile_size();
  }
};

/// Tunes the parameters of a TeamPolicy that are AUTO: the team size, the vector length, or both.
class TeamSizeTuner : public ExtendableTunerMixin<TeamSizeTuner> {
  using Choices = std::map<std::int64_t, std::vector<std::int64_t>>;  // team sizes for each vector length
  using Problem = decltype(make_multidimensional_sparse_tuning_problem<20>(std::declval<Choices>(), {}));

 public:
  TeamSizeTuner() = default;
  /// Declares the variables to the tool, under names that begin with `name`.
  template <class Functor, class Tag, class... Properties, class Limits = LaunchLimits>
  TeamSizeTuner(std::string const& name, TeamPolicy<Properties...> const& policy, Functor const& functor,
                Tag const& tag, Limits const& limits = {})
      : m_problem(choices(policy, functor, tag, limits), {name + "_vector_length", name + "_team_size"}) {}

  /// The policy with the choice of the tool; without a tool, the policy itself.
  template <class... Properties>
  TeamPolicy<Properties...> tune(TeamPolicy<Properties...> const& policy) {
    TeamPolicy<Properties...> tuned(policy);
    if (have_tuning_tool()) {
      auto const [vector_length, team_size] = m_problem.begin();
      tuned.impl_set_vector_length(static_cast<int>(vector_length));
      tuned.impl_set_team_size(static_cast<int>(team_size));
    }
    return tuned;
  }
  /// Ends the trial that tune began. Call it when the kernel has run.
  void end() {
    if (have_tuning_tool()) m_problem.end();
  }
  /// The search space.
  Problem get_tuner() const { return m_problem; }

 private:
  template <class Policy, class Functor, class Tag, class Limits>
  static Choices choices(Policy policy, Functor const& functor, Tag const& tag, Limits const& limits) {
    Choices found;
    int const requested = policy.impl_vector_length();
    bool const either   = policy.impl_auto_vector_length();
    for (int length = either ? Policy::vector_length_max() : std::max(requested, 1); length >= 1; length /= 2) {
      policy.impl_set_vector_length(length);
      int const largest = limits.get_max_team_size(policy, functor, tag);
      std::vector<std::int64_t> sizes;
      if (policy.impl_auto_team_size()) {
        for (int size = largest; size >= 1; size /= 2) sizes.push_back(size);
      } else if (policy.team_size() <= largest || !either) {
        sizes.push_back(policy.team_size());
      }
      if (!sizes.empty()) found[length] = std::move(sizes);
      if (!either) break;
    }
    return found;
  }

  Problem m_problem;
};

namespace Impl {

template <int Depth>
struct NestedTiles {
  using type = std::map<int, typename NestedTiles<Depth - 1>::type>;
};
template <>
struct NestedTiles<1> {
  using type = std::vector<int>;
};

/// Powers of two whose product is at most `largest`.
inline void add_tiles(std::vector<int>& tiles, int largest) {
  for (int size = 1; size <= largest; size *= 2) tiles.push_back(size);
}
template <class Inner>
void add_tiles(std::map<int, Inner>& tiles, int largest) {
  for (int size = 1; size <= largest; size *= 2) add_tiles(tiles[size], largest / size);
}

}  // namespace Impl

/// Tunes the tile of an MDRangePolicy of rank MDRangeRank.
template <int MDRangeRank>
class MDRangeTuner : public ExtendableTunerMixin<MDRangeTuner<MDRangeRank>> {
  using Choices = typename Impl::NestedTiles<MDRangeRank>::type;
  using Problem = decltype(make_multidimensional_sparse_tuning_problem<15>(std::declval<Choices>(), {}));
  // Larger tiles exceed the caches, and the search space of rank 6 must stay small.
  static constexpr int largest_tile = 4096;

 public:
  MDRangeTuner() = default;
  /// Declares the variables to the tool, under names that begin with `name`.
  template <class Functor, class Tag, class... Properties, class Limits = LaunchLimits>
  MDRangeTuner(std::string const& name, MDRangePolicy<Properties...> const& policy, Functor const& functor,
               Tag const& tag, Limits const& limits = {})
      : m_problem(choices(limits.get_mdrange_max_tile_size_product(policy, functor, tag)), names(name)) {}

  /// The policy with the tile of the tool's choice; without a tool, the policy itself.
  template <class... Properties>
  MDRangePolicy<Properties...> tune(MDRangePolicy<Properties...> const& policy) {
    MDRangePolicy<Properties...> tuned(policy);
    if (have_tuning_tool()) {
      std::apply([&](auto... sizes) { tuned.impl_change_tile_size({static_cast<std::int64_t>(sizes)...}); },
                 m_problem.begin());
    }
    return tuned;
  }
  /// Ends the trial that tune began. Call it when the kernel has run.
  void end() {
    if (have_tuning_tool()) m_problem.end();
  }
  /// The search space.
  Problem get_tuner() const { return m_problem; }

 private:
  static Choices choices(int limit) {
    Choices found;
    Impl::add_tiles(found, std::clamp(limit, 1, largest_tile));
    return found;
  }
  static std::vector<std::string> names(std::string const& name) {
    std::vector<std::string> all;
    for (int d = 0; d < MDRangeRank; ++d) all.push_back(name + "_tile_size_" + std::to_string(d));
    return all;
  }

  Problem m_problem;
};

/// Tunes the occupancy that a kernel over a RangePolicy requests, from 5 to 100 per cent of a GPU's threads.
class RangePolicyOccupancyTuner {
  using Tuner = SingleDimensionalRangeTuner<std::int64_t>;

 public:
  RangePolicyOccupancyTuner() = default;
  /// Declares the variable to the tool, under `name`.
  template <class Functor, class Tag, class... Properties, class Limits = LaunchLimits>
  RangePolicyOccupancyTuner(std::string const& name, RangePolicy<Properties...> const&, Functor const&, Tag const&,
                            Limits const& = {})
      : m_tuner(name, kokkos_value_ratio, 100, 5, 100, 5) {}

  /// The policy with the occupancy of the tool's choice; without a tool, 100 per cent.
  template <class... Properties>
  auto tune(RangePolicy<Properties...> const& policy) {
    std::int64_t const percent = have_tuning_tool() ? m_tuner.begin() : 100;
    return Kokkos::Experimental::prefer(policy, Kokkos::Experimental::DesiredOccupancy(static_cast<int>(percent)));
  }
  /// Ends the trial that tune began. Call it when the kernel has run.
  void end() {
    if (have_tuning_tool()) m_tuner.end();
  }
  /// The tuner of the percentage.
  Tuner get_tuner() const { return m_tuner; }

 private:
  Tuner m_tuner;
};

}  // namespace Kokkos::Tools::Experimental

#endif
