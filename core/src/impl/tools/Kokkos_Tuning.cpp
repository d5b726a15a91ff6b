// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tuning: variables, contexts and requests.

#include <impl/tools/Kokkos_ToolsCallbacks.hpp>
#include <impl/tools/Kokkos_Tuning.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace Kokkos::Tools::Experimental {

namespace {

// A declared variable. Its description lives until the end of the program, at a fixed address: tools keep pointers to
// it.
struct Variable {
  VariableInfo info;
  std::vector<std::int64_t> int_candidates;
  std::vector<double> double_candidates;
  std::vector<char> text_candidates;  // TuningStrings
};

struct Context {
  std::size_t id;
  std::vector<VariableValue> inputs;
  bool has_goal = false;
  OptimizationGoal goal{};
};

std::atomic<std::size_t> last_variable{0};
std::atomic<std::size_t> last_context{0};

std::mutex tuning_mutex;  // guards the members below; never held while a callback runs
std::map<std::size_t, Variable> variables;
std::vector<Context> contexts;  // the contexts that were entered and not left, in this order

// The caller holds tuning_mutex. Using a context that was never entered enters it.
Context& context_of(std::size_t id) {
  auto found = std::find_if(contexts.begin(), contexts.end(), [&](Context const& c) { return c.id == id; });
  if (found != contexts.end()) return *found;
  contexts.push_back(Context{id, {}, false, {}});
  return contexts.back();
}

// Makes the caller's `set` point to a permanent copy.
void copy_candidates(Variable& v) {
  ValueSet& set = v.info.candidates.set;
  switch (v.info.type) {
    case kokkos_value_int64:
      v.int_candidates.assign(set.values.int_value, set.values.int_value + set.size);
      set.values.int_value = v.int_candidates.data();
      break;
    case kokkos_value_double:
      v.double_candidates.assign(set.values.double_value, set.values.double_value + set.size);
      set.values.double_value = v.double_candidates.data();
      break;
    case kokkos_value_string:
      v.text_candidates.resize(set.size * sizeof(TuningString));
      std::memcpy(v.text_candidates.data(), set.values.string_value, v.text_candidates.size());
      set.values.string_value = reinterpret_cast<TuningString*>(v.text_candidates.data());
      break;
  }
}

VariableInfo* keep(std::size_t id, VariableInfo const& info) {
  std::lock_guard lock(tuning_mutex);
  Variable& v = variables[id];
  v.info      = info;
  if (info.valueQuantity == kokkos_value_set) copy_candidates(v);
  return &v.info;
}

// The caller holds tuning_mutex.
void attach_metadata(VariableValue& value) {
  auto found = variables.find(value.type_id);
  if (found != variables.end()) value.metadata = &found->second.info;
}

void copy_text(TuningString& to, std::string const& from) {
  std::strncpy(to, from.c_str(), KOKKOS_TOOLS_TUNING_STRING_LENGTH - 1);
  to[KOKKOS_TOOLS_TUNING_STRING_LENGTH - 1] = '\0';
}

// make_candidate_set converts std::string to the tools' text type. These arrays are never freed: a program creates only
// a few of them, and the end of their use is unknown.
TuningString* keep_texts(std::size_t size, std::string const* texts) {
  static std::vector<std::unique_ptr<TuningString[]>>& kept = *new std::vector<std::unique_ptr<TuningString[]>>;
  auto array                                                = std::make_unique<TuningString[]>(size);
  for (std::size_t i = 0; i < size; ++i) copy_text(array[i], texts[i]);
  std::lock_guard lock(tuning_mutex);
  kept.push_back(std::move(array));
  return kept.back().get();
}

}  // namespace

bool have_tuning_tool() {
  return Kokkos::Impl::tools_loaded() && Kokkos::Impl::callback(&EventSet::request_output_values) != nullptr;
}

std::size_t get_new_context_id() { return ++last_context; }
std::size_t get_current_context_id() { return last_context; }
std::size_t get_new_variable_id() { return ++last_variable; }

std::size_t declare_input_type(std::string const& name, VariableInfo info) {
  std::size_t const id = get_new_variable_id();
  VariableInfo* kept   = keep(id, info);
  if (Kokkos::Impl::tools_loaded()) Kokkos::Impl::call_tool(&EventSet::declare_input_type, name.c_str(), id, kept);
  return id;
}

std::size_t declare_output_type(std::string const& name, VariableInfo info) {
  std::size_t const id = get_new_variable_id();
  VariableInfo* kept   = keep(id, info);
  if (Kokkos::Impl::tools_loaded()) Kokkos::Impl::call_tool(&EventSet::declare_output_type, name.c_str(), id, kept);
  return id;
}

VariableValue make_variable_value(std::size_t variable, std::int64_t value) {
  VariableValue v   = {};
  v.type_id         = variable;
  v.value.int_value = value;
  return v;
}

VariableValue make_variable_value(std::size_t variable, double value) {
  VariableValue v      = {};
  v.type_id            = variable;
  v.value.double_value = value;
  return v;
}

VariableValue make_variable_value(std::size_t variable, std::string const& value) {
  VariableValue v = {};
  v.type_id       = variable;
  copy_text(v.value.string_value, value);
  return v;
}

SetOrRange make_candidate_set(std::size_t size, std::int64_t* values) {
  SetOrRange candidates           = {};
  candidates.set.size             = size;
  candidates.set.values.int_value = values;
  return candidates;
}

SetOrRange make_candidate_set(std::size_t size, double* values) {
  SetOrRange candidates              = {};
  candidates.set.size                = size;
  candidates.set.values.double_value = values;
  return candidates;
}

SetOrRange make_candidate_set(std::size_t size, std::string* values) {
  SetOrRange candidates              = {};
  candidates.set.size                = size;
  candidates.set.values.string_value = keep_texts(size, values);
  return candidates;
}

SetOrRange make_candidate_range(std::int64_t lower, std::int64_t upper, std::int64_t step, bool open_lower,
                                bool open_upper) {
  SetOrRange candidates            = {};
  candidates.range.lower.int_value = lower;
  candidates.range.upper.int_value = upper;
  candidates.range.step.int_value  = step;
  candidates.range.openLower       = open_lower;
  candidates.range.openUpper       = open_upper;
  return candidates;
}

SetOrRange make_candidate_range(double lower, double upper, double step, bool open_lower, bool open_upper) {
  SetOrRange candidates               = {};
  candidates.range.lower.double_value = lower;
  candidates.range.upper.double_value = upper;
  candidates.range.step.double_value  = step;
  candidates.range.openLower          = open_lower;
  candidates.range.openUpper          = open_upper;
  return candidates;
}

void begin_context(std::size_t context) {
  {
    std::lock_guard lock(tuning_mutex);
    context_of(context);
  }
  if (Kokkos::Impl::tools_loaded()) Kokkos::Impl::call_tool(&EventSet::begin_tuning_context, context);
}

void declare_optimization_goal(std::size_t context, OptimizationGoal const& goal) {
  {
    std::lock_guard lock(tuning_mutex);
    Context& c = context_of(context);
    c.has_goal = true;
    c.goal     = goal;
  }
  if (Kokkos::Impl::tools_loaded()) Kokkos::Impl::call_tool(&EventSet::declare_optimization_goal, context, goal);
}

void set_input_values(std::size_t context, std::size_t count, VariableValue* values) {
  std::lock_guard lock(tuning_mutex);
  Context& c = context_of(context);
  for (std::size_t i = 0; i < count; ++i) {
    attach_metadata(values[i]);
    auto known = std::find_if(c.inputs.begin(), c.inputs.end(),
                              [&](VariableValue const& v) { return v.type_id == values[i].type_id; });
    if (known == c.inputs.end()) {
      c.inputs.push_back(values[i]);
    } else {
      *known = values[i];
    }
  }
}

void request_output_values(std::size_t context, std::size_t count, VariableValue* values) {
  if (!have_tuning_tool()) return;
  std::vector<VariableValue> inputs;
  {
    std::lock_guard lock(tuning_mutex);
    context_of(context);
    // Values of inner contexts come later and override those of outer ones.
    for (Context const& c : contexts) {
      inputs.insert(inputs.end(), c.inputs.begin(), c.inputs.end());
      if (c.id == context) break;
    }
    for (std::size_t i = 0; i < count; ++i) attach_metadata(values[i]);
  }
  Kokkos::Impl::call_tool(&EventSet::request_output_values, context, inputs.size(),
                          static_cast<VariableValue const*>(inputs.data()), count, values);
}

void end_context(std::size_t context) {
  VariableValue goal = {};
  {
    std::lock_guard lock(tuning_mutex);
    Context& c = context_of(context);
    for (VariableValue const& v : c.inputs)
      if (c.has_goal && v.type_id == c.goal.type_id) goal = v;
    contexts.erase(contexts.begin() + (&c - contexts.data()));
  }
  if (Kokkos::Impl::tools_loaded()) Kokkos::Impl::call_tool(&EventSet::end_tuning_context, context, goal);
}

}  // namespace Kokkos::Tools::Experimental
