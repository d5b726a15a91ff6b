// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_TUNING_HPP
#define KOKKOS_RUNTIME_TUNING_HPP

/// \file
/// Tuning: a program declares variables, and within a context a tool chooses the values of output variables, given the
/// values of the input variables.

#include <impl/tools/Kokkos_Tools_C_Interface.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos::Tools::Experimental {

/// @{
/// The types of the tools' C interface, tools/Kokkos_Tools_C_Interface.h, under the names of this namespace.
using ValueSet            = Kokkos_Tools_ValueSet;
using ValueRange          = Kokkos_Tools_ValueRange;
using ValueType           = Kokkos_Tools_VariableInfo_ValueType;
using CandidateValueType  = Kokkos_Tools_VariableInfo_CandidateValueType;
using SetOrRange          = Kokkos_Tools_VariableInfo_SetOrRange;
using StatisticalCategory = Kokkos_Tools_VariableInfo_StatisticalCategory;
using VariableInfo        = Kokkos_Tools_VariableInfo;
using VariableValue       = Kokkos_Tools_VariableValue;
using TuningString        = Kokkos_Tools_Tuning_String;
using OptimizationGoal    = Kokkos_Tools_OptimizationGoal;
using OptimizationType    = Kokkos_Tools_OptimizationType;

using outputTypeDeclarationFunction       = Kokkos_Tools_outputTypeDeclarationFunction;
using inputTypeDeclarationFunction        = Kokkos_Tools_inputTypeDeclarationFunction;
using requestValueFunction                = Kokkos_Tools_requestValueFunction;
using contextBeginFunction                = Kokkos_Tools_contextBeginFunction;
using contextEndFunction                  = Kokkos_Tools_contextEndFunction;
using optimizationGoalDeclarationFunction = Kokkos_Tools_optimizationGoalDeclarationFunction;
/// @}

/// @{
/// Sets one callback of the tool; a null pointer removes it.
void set_declare_output_type_callback(outputTypeDeclarationFunction);
void set_declare_input_type_callback(inputTypeDeclarationFunction);
void set_request_output_values_callback(requestValueFunction);
void set_begin_context_callback(contextBeginFunction);
void set_end_context_callback(contextEndFunction);
void set_declare_optimization_goal_callback(optimizationGoalDeclarationFunction);
/// @}

/// True if some tool chooses values.
bool have_tuning_tool();

/// Declares an input variable and returns its number. A candidate set is copied.
std::size_t declare_input_type(std::string const& name, VariableInfo info);
/// Declares an output variable, which needs candidates, and returns its number. A candidate set is copied.
std::size_t declare_output_type(std::string const& name, VariableInfo info);

/// @{
/// The value of a variable, which is a number from declare_input_type or declare_output_type. Texts are truncated to 63
/// characters.
VariableValue make_variable_value(std::size_t variable, std::int64_t value);
VariableValue make_variable_value(std::size_t variable, double value);
VariableValue make_variable_value(std::size_t variable, std::string const& value);
/// @}

/// @{
/// A set of `size` candidates. It refers to the caller's array of numbers, which must exist until the variable is
/// declared; texts are copied, and truncated to 63 characters.
SetOrRange make_candidate_set(std::size_t size, std::int64_t* values);
SetOrRange make_candidate_set(std::size_t size, double* values);
SetOrRange make_candidate_set(std::size_t size, std::string* values);
/// @}
/// @{
/// The candidates from `lower` to `upper` in steps of `step`. An open end is not a candidate itself.
SetOrRange make_candidate_range(std::int64_t lower, std::int64_t upper, std::int64_t step, bool open_lower,
                                bool open_upper);
SetOrRange make_candidate_range(double lower, double upper, double step, bool open_lower, bool open_upper);
/// @}

/// Returns a new number for a context.
std::size_t get_new_context_id();
/// Returns the number of a context that get_new_context_id returned last.
std::size_t get_current_context_id();
/// A new number for a variable.
std::size_t get_new_variable_id();

/// Enters a context. Contexts nest: inputs of outer contexts also apply in inner ones.
void begin_context(std::size_t context);
/// Declares the goal of the optimisation in this context: the value of a variable that will be set in it.
void declare_optimization_goal(std::size_t context, OptimizationGoal const& goal);
/// Sets input variables for the rest of the context.
void set_input_values(std::size_t context, std::size_t count, VariableValue* values);
/// Lets the tool choose. `values` contains the defaults, which remain without a tool; `type_id` selects the variables.
void request_output_values(std::size_t context, std::size_t count, VariableValue* values);
/// Leaves a context: its inputs are removed, and the tool receives the value of the goal if there is one.
void end_context(std::size_t context);

}  // namespace Kokkos::Tools::Experimental

#endif
