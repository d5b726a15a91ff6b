// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/tools/Kokkos_TuningSpace.hpp>

#include <impl/runtime/Kokkos_Error.hpp>

#include <algorithm>

namespace Kokkos::Tools::Experimental::Impl {

std::size_t selected_value(std::size_t count, double fraction) {
  if (count == 0)
    Kokkos::Impl::throw_runtime_exception(
        "Kokkos::Tools: a dimension of a tuning problem has no values. Each vector and map of the search space needs "
        "at "
        "least one.");
  double const place = fraction > 0 ? fraction * static_cast<double>(count) : 0.0;  // NaN counts as 0
  return place < static_cast<double>(count) ? static_cast<std::size_t>(place) : count - 1;
}

std::size_t checked_choice(std::size_t count, std::int64_t number) {
  if (number < 0 || static_cast<std::uint64_t>(number) >= count)
    Kokkos::Impl::throw_runtime_exception("Kokkos::Tools: choice number " + std::to_string(number) +
                                          " was selected of a categorical tuner that has " + std::to_string(count) +
                                          ". A tuning tool selects one from 0 up to the number of choices less 1, and "
                                          "a tuner needs at least one choice.");
  return static_cast<std::size_t>(number);
}

std::vector<std::size_t> declare_fractions(std::vector<std::string> const& names, std::size_t dimensions,
                                           std::size_t steps) {
  if (names.size() != dimensions)
    Kokkos::Impl::throw_runtime_exception("Kokkos::Tools: " + std::to_string(names.size()) +
                                          " names were given for a tuning problem with " + std::to_string(dimensions) +
                                          " dimensions. Give one for each dimension, from the outermost one.");
  // The fraction 1 is beyond the last value, so the largest candidate is below it.
  double const largest = 0.999;
  VariableInfo info{};
  info.type          = kokkos_value_double;
  info.category      = kokkos_value_interval;
  info.valueQuantity = kokkos_value_range;
  info.candidates    = make_candidate_range(0.0, largest, largest / static_cast<double>(steps), false, false);
  std::vector<std::size_t> variables;
  variables.reserve(dimensions);
  for (std::string const& name : names) variables.push_back(declare_output_type(name, info));
  return variables;
}

std::size_t request_fractions(std::vector<std::size_t> const& variables, double* fractions) {
  std::size_t const context = get_new_context_id();
  std::vector<VariableValue> values;
  values.reserve(variables.size());
  for (std::size_t variable : variables) values.push_back(make_variable_value(variable, 0.0));
  begin_context(context);
  request_output_values(context, values.size(), values.data());
  std::transform(values.begin(), values.end(), fractions, [](VariableValue const& v) { return v.value.double_value; });
  return context;
}

}  // namespace Kokkos::Tools::Experimental::Impl
