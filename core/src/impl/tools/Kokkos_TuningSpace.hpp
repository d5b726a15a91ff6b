// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TOOLS_TUNINGSPACE_HPP
#define KOKKOS_TOOLS_TUNINGSPACE_HPP

/// \file
/// A tuning tool chooses for a program: one of several objects, a number in a range, or a point in a search space with
/// several dimensions. Without a tool the result is the first object or the default.
///
/// A search space is a vector of values, or a map from values to search spaces: the values of a dimension may depend on
/// the values of the dimensions before it. A tool has one variable for each dimension, a fraction from 0 up to 1, which
/// selects one of the remaining values.

#include <impl/tools/Kokkos_Tuning.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Kokkos::Tools::Experimental {

namespace Impl {

/// The index of the value, out of `count`, that a fraction selects. \throws std::runtime_error if there is none
std::size_t selected_value(std::size_t count, double fraction);
/// The index of the choice, out of `count`, with the number from the tool. \throws std::runtime_error if there is no
/// such choice
std::size_t checked_choice(std::size_t count, std::int64_t number);
/// Declares one output variable for each name, a fraction in steps of 1/steps.
/// \throws std::runtime_error unless there are as many names as dimensions
std::vector<std::size_t> declare_fractions(std::vector<std::string> const& names, std::size_t dimensions,
                                           std::size_t steps);
/// Begins a new context and returns its number. The tool sets the fractions; without a tool they are 0.
std::size_t request_fractions(std::vector<std::size_t> const& variables, double* fractions);

/// A new first dimension of a search space that does not depend on it.
template <class Key, class Space>
struct TuningAxis {
  std::vector<Key> keys;
  Space space;
};

/// The search of a point in a search space: the number of dimensions, and the tuple with one value for each.
template <class Space>
struct TuningLevel;

template <class T, class Allocator>
struct TuningLevel<std::vector<T, Allocator>> {
  static constexpr int dimensions = 1;
  static std::tuple<T> point(std::vector<T, Allocator> const& values, double const* fractions) {
    return {values[selected_value(values.size(), *fractions)]};
  }
};

template <class Key, class Space, class... Rest>
struct TuningLevel<std::map<Key, Space, Rest...>> {
  static constexpr int dimensions = 1 + TuningLevel<Space>::dimensions;
  static auto point(std::map<Key, Space, Rest...> const& choices, double const* fractions) {
    auto const chosen =
        std::next(choices.begin(), static_cast<std::ptrdiff_t>(selected_value(choices.size(), *fractions)));
    return std::tuple_cat(std::tuple<Key>(chosen->first), TuningLevel<Space>::point(chosen->second, fractions + 1));
  }
};

template <class Key, class Space>
struct TuningLevel<TuningAxis<Key, Space>> {
  static constexpr int dimensions = 1 + TuningLevel<Space>::dimensions;
  static auto point(TuningAxis<Key, Space> const& axis, double const* fractions) {
    return std::tuple_cat(std::tuple<Key>(axis.keys[selected_value(axis.keys.size(), *fractions)]),
                          TuningLevel<Space>::point(axis.space, fractions + 1));
  }
};

template <class T>
concept TunedNumber = std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>;

}  // namespace Impl

/// A search space with trials of a tool. Each trial is between begin(), which returns the point, and end().
///
/// \tparam MaxDimensionSize number of steps of a dimension that a tool can distinguish
template <template <class...> class Container, std::size_t MaxDimensionSize = 100, class... TemplateArguments>
class MultidimensionalSparseTuningProblem {
 public:
  using ProblemSpaceInput = Container<TemplateArguments...>;  ///< the nested container

  /// Number of dimensions: the depth of nesting.
  static constexpr int space_dimensionality = Impl::TuningLevel<ProblemSpaceInput>::dimensions;
  /// Number of steps of a dimension that a tool can distinguish.
  static constexpr std::size_t max_space_dimension_size = MaxDimensionSize;

  MultidimensionalSparseTuningProblem() = default;
  /// \param names of the dimensions, from the outermost one
  MultidimensionalSparseTuningProblem(ProblemSpaceInput space, std::vector<std::string> const& names)
      : m_space(std::move(space)),
        m_names(names),
        m_variables(Impl::declare_fractions(names, space_dimensionality, MaxDimensionSize)) {}

  /// The same search space with a new first dimension.
  template <class Key>
  auto extend(std::string const& axis_name, std::vector<Key> const& keys) const {
    std::vector<std::string> names{axis_name};
    names.insert(names.end(), m_names.begin(), m_names.end());
    using Extended = MultidimensionalSparseTuningProblem<Impl::TuningAxis, MaxDimensionSize, Key, ProblemSpaceInput>;
    return Extended(typename Extended::ProblemSpaceInput{keys, m_space}, names);
  }

  /// The point for fractions from 0 up to 1, one for each dimension.
  template <class... Fractions>
  auto get_point(Fractions... fractions) const {
    static_assert(sizeof...(Fractions) == space_dimensionality,
                  "get_point needs one fraction for each dimension of the search space.");
    double const given[] = {static_cast<double>(fractions)...};
    return Impl::TuningLevel<ProblemSpaceInput>::point(m_space, given);
  }

  /// Begins a trial and returns the point that the tool chooses, a tuple with one value for each dimension. Without a
  /// tool: the first value of each dimension.
  auto begin() {
    std::array<double, static_cast<std::size_t>(space_dimensionality)> fractions{};
    m_context = Impl::request_fractions(m_variables, fractions.data());
    return Impl::TuningLevel<ProblemSpaceInput>::point(m_space, fractions.data());
  }
  /// Ends the trial.
  void end() { end_context(m_context); }

 private:
  ProblemSpaceInput m_space;
  std::vector<std::string> m_names;
  std::vector<std::size_t> m_variables;
  std::size_t m_context = 0;
};

/// A search space made of nested maps whose innermost level is a vector.
template <std::size_t MaxDimensionSize = 100, template <class...> class Container, class... TemplateArguments>
auto make_multidimensional_sparse_tuning_problem(Container<TemplateArguments...> const& space,
                                                 std::vector<std::string> const& names) {
  return MultidimensionalSparseTuningProblem<Container, MaxDimensionSize, TemplateArguments...>(space, names);
}

/// Base of tuners with a search space, which programs can read and extend.
template <class Tuner>
struct ExtendableTunerMixin {
  /// The search space with a new first dimension.
  template <class Key>
  auto combine(std::string const& axis_name, std::vector<Key> const& keys) const {
    return static_cast<Tuner const*>(this)->get_tuner().extend(axis_name, keys);
  }
  /// The point for fractions from 0 up to 1, one for each dimension.
  template <class... Fractions>
  auto get_point(Fractions... fractions) const {
    return static_cast<Tuner const*>(this)->get_tuner().get_point(fractions...);
  }

 private:
  ExtendableTunerMixin() = default;
  friend Tuner;
};

/// A number in a closed range: double or std::int64_t.
template <Impl::TunedNumber Bound>
class SingleDimensionalRangeTuner {
 public:
  SingleDimensionalRangeTuner() = default;
  /// Declares the variable `name` to the tool, with the candidates from `lower` to `upper`, both included, in steps of
  /// `step`; 0 means any number in between.
  SingleDimensionalRangeTuner(std::string const& name, StatisticalCategory category, Bound default_value, Bound lower,
                              Bound upper, Bound step = Bound(0))
      : m_default(default_value) {
    VariableInfo info{};
    info.type          = std::is_same_v<Bound, double> ? kokkos_value_double : kokkos_value_int64;
    info.category      = category;
    info.valueQuantity = kokkos_value_range;
    info.candidates    = make_candidate_range(lower, upper, step, false, false);
    m_variable         = declare_output_type(name, info);
  }

  /// Begins a trial and returns the number that the tool chooses; without a tool, the default.
  Bound begin() {
    m_context           = get_new_context_id();
    VariableValue value = make_variable_value(m_variable, m_default);
    begin_context(m_context);
    request_output_values(m_context, 1, &value);
    if constexpr (std::is_same_v<Bound, double>) {
      return value.value.double_value;
    } else {
      return value.value.int_value;
    }
  }
  /// Ends the trial.
  void end() { end_context(m_context); }

  /// Calls f(value) as one trial.
  template <class Functor>
  void with_tuned_value(Functor& f) {
    f(begin());
    end();
  }

 private:
  Bound m_default{};
  std::size_t m_variable = 0;
  std::size_t m_context  = 0;
};

/// Lets a tool choose one of several objects of the program; the tool gets their numbers.
template <class Choice>
class CategoricalTuner {
 public:
  using choice_list = std::vector<Choice>;  ///< the objects

  /// Declares the variable `name` to the tool, with the indices of `choices` as candidates.
  CategoricalTuner(std::string const& name, choice_list choices) : m_choices(std::move(choices)) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < m_choices.size(); ++i) numbers.push_back(static_cast<std::int64_t>(i));
    VariableInfo info{};
    info.type          = kokkos_value_int64;
    info.category      = kokkos_value_categorical;
    info.valueQuantity = kokkos_value_set;
    info.candidates    = make_candidate_set(numbers.size(), numbers.data());
    m_variable         = declare_output_type(name, info);
  }

  /// Begins a trial and returns the choice of the tool; without a tool, the first. \throws std::runtime_error if the
  /// tool returns an index that does not exist
  Choice const& begin() {
    m_context           = get_new_context_id();
    VariableValue value = make_variable_value(m_variable, std::int64_t(0));
    begin_context(m_context);
    request_output_values(m_context, 1, &value);
    return m_choices[Impl::checked_choice(m_choices.size(), value.value.int_value)];
  }
  /// Ends the trial.
  void end() { end_context(m_context); }

 private:
  choice_list m_choices;
  std::size_t m_variable = 0;
  std::size_t m_context  = 0;
};

/// A CategoricalTuner whose type is deduced from `choices`.
template <class Choice>
CategoricalTuner<Choice> make_categorical_tuner(std::string const& name, std::vector<Choice> choices) {
  return CategoricalTuner<Choice>(name, std::move(choices));
}

}  // namespace Kokkos::Tools::Experimental

#endif
