// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TOOLS_C_INTERFACE_H
#define KOKKOS_TOOLS_C_INTERFACE_H

/**
 * \file
 * What the library and a tool exchange, in C: a shared object that was built against any Kokkos since 3.4 finds these
 * layouts, so none of them may change. Can be included from C.
 */

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/** Date of the last change of the interface; the second argument of kokkosp_init_library. */
#define KOKKOSP_INTERFACE_VERSION 20240906

/* ---- values ---- */

/** A device that the program uses. */
struct Kokkos_Profiling_KokkosPDeviceInfo {
  size_t deviceID;
};

/** A memory space, by its name; ends with a null character. */
struct Kokkos_Profiling_SpaceHandle {
  char name[64];
};

/** A callback of unknown signature. */
typedef void (*Kokkos_Tools_functionPointer)();

/** Requests of a tool to the library, which it makes in kokkosp_request_tool_settings. */
struct Kokkos_Tools_ToolSettings {
  /** Wait for all devices before kernels and regions are reported. */
  bool requires_global_fencing;
  bool padding[255];
};

typedef void (*Kokkos_Tools_toolInvokedFenceFunction)(uint32_t const device);

/** What a tool may call. */
struct Kokkos_Tools_ToolProgrammingInterface {
  /** Waits for all work; 0 means every device. */
  Kokkos_Tools_toolInvokedFenceFunction fence;
  Kokkos_Tools_functionPointer padding[31];
};

/* ---- values of tuning ---- */

enum Kokkos_Tools_VariableInfo_ValueType { kokkos_value_double, kokkos_value_int64, kokkos_value_string };

/** What arithmetic makes sense: none, order, differences, ratios. */
enum Kokkos_Tools_VariableInfo_StatisticalCategory {
  kokkos_value_categorical,
  kokkos_value_ordinal,
  kokkos_value_interval,
  kokkos_value_ratio
};

/** Whether `candidates` holds a set, a range or nothing; the last is for inputs alone. */
enum Kokkos_Tools_VariableInfo_CandidateValueType { kokkos_value_set, kokkos_value_range, kokkos_value_unbounded };

#define KOKKOS_TOOLS_TUNING_STRING_LENGTH 64
struct Kokkos_Tools_VariableInfo;
typedef char Kokkos_Tools_Tuning_String[KOKKOS_TOOLS_TUNING_STRING_LENGTH];

union Kokkos_Tools_VariableValue_ValueUnion {
  int64_t int_value;
  Kokkos_Tools_Tuning_String string_value;
  double double_value;
};

union Kokkos_Tools_VariableValue_ValueUnionSet {
  int64_t* int_value;
  Kokkos_Tools_Tuning_String* string_value;
  double* double_value;
};

/** A value of the variable `type_id`. */
struct Kokkos_Tools_VariableValue {
  size_t type_id;
  union Kokkos_Tools_VariableValue_ValueUnion value;
  struct Kokkos_Tools_VariableInfo* metadata;
};

/** `size` candidates. */
struct Kokkos_Tools_ValueSet {
  size_t size;
  union Kokkos_Tools_VariableValue_ValueUnionSet values;
};

/** Candidates from lower to upper in steps; an open end is not a candidate itself. */
struct Kokkos_Tools_ValueRange {
  union Kokkos_Tools_VariableValue_ValueUnion lower;
  union Kokkos_Tools_VariableValue_ValueUnion upper;
  union Kokkos_Tools_VariableValue_ValueUnion step;
  bool openLower;
  bool openUpper;
};

enum Kokkos_Tools_OptimizationType { Kokkos_Tools_Minimize, Kokkos_Tools_Maximize };

struct Kokkos_Tools_OptimizationGoal {
  size_t type_id;
  enum Kokkos_Tools_OptimizationType goal;
};

union Kokkos_Tools_VariableInfo_SetOrRange {
  struct Kokkos_Tools_ValueRange range;
  struct Kokkos_Tools_ValueSet set;
};

/** The type of a variable. `toolProvidedInfo` belongs to the tool. */
struct Kokkos_Tools_VariableInfo {
  enum Kokkos_Tools_VariableInfo_ValueType type;
  enum Kokkos_Tools_VariableInfo_StatisticalCategory category;
  enum Kokkos_Tools_VariableInfo_CandidateValueType valueQuantity;
  union Kokkos_Tools_VariableInfo_SetOrRange candidates;
  void* toolProvidedInfo;
};

/* ---- signatures of callbacks ---- */

typedef void (*Kokkos_Profiling_initFunction)(int const sequence, uint64_t const version, uint32_t const device_count,
                                              struct Kokkos_Profiling_KokkosPDeviceInfo* devices);
typedef void (*Kokkos_Profiling_finalizeFunction)();
typedef void (*Kokkos_Profiling_parseArgsFunction)(int argc, char** argv);
typedef void (*Kokkos_Profiling_printHelpFunction)(char* program);
typedef void (*Kokkos_Tools_requestToolSettingsFunction)(uint32_t const count,
                                                         struct Kokkos_Tools_ToolSettings* settings);
typedef void (*Kokkos_Tools_provideToolProgrammingInterfaceFunction)(
    uint32_t const count, struct Kokkos_Tools_ToolProgrammingInterface actions);

/** A tool writes its number for the event to `id` and gets it back when the event ends. */
typedef void (*Kokkos_Profiling_beginFunction)(char const* name, uint32_t const device, uint64_t* id);
typedef void (*Kokkos_Profiling_endFunction)(uint64_t id);
typedef Kokkos_Profiling_beginFunction Kokkos_Profiling_beginFenceFunction;
typedef Kokkos_Profiling_endFunction Kokkos_Profiling_endFenceFunction;

typedef void (*Kokkos_Profiling_pushFunction)(char const* name);
typedef void (*Kokkos_Profiling_popFunction)();
typedef void (*Kokkos_Profiling_profileEventFunction)(char const* name);
typedef void (*Kokkos_Profiling_createProfileSectionFunction)(char const* name, uint32_t* section);
typedef void (*Kokkos_Profiling_startProfileSectionFunction)(uint32_t const section);
typedef void (*Kokkos_Profiling_stopProfileSectionFunction)(uint32_t const section);
typedef void (*Kokkos_Profiling_destroyProfileSectionFunction)(uint32_t const section);

typedef void (*Kokkos_Profiling_allocateDataFunction)(const struct Kokkos_Profiling_SpaceHandle space,
                                                      char const* label, void const* data, uint64_t const bytes);
typedef Kokkos_Profiling_allocateDataFunction Kokkos_Profiling_deallocateDataFunction;
typedef void (*Kokkos_Profiling_beginDeepCopyFunction)(struct Kokkos_Profiling_SpaceHandle to_space,
                                                       char const* to_label, void const* to,
                                                       struct Kokkos_Profiling_SpaceHandle from_space,
                                                       char const* from_label, void const* from, uint64_t bytes);
typedef void (*Kokkos_Profiling_endDeepCopyFunction)();
typedef void (*Kokkos_Profiling_dualViewSyncFunction)(char const* label, void const* const data, bool to_device);
typedef void (*Kokkos_Profiling_dualViewModifyFunction)(char const* label, void const* const data, bool on_device);
typedef void (*Kokkos_Profiling_declareMetadataFunction)(char const* key, char const* value);

typedef void (*Kokkos_Tools_outputTypeDeclarationFunction)(char const* name, size_t const variable,
                                                           struct Kokkos_Tools_VariableInfo* info);
typedef Kokkos_Tools_outputTypeDeclarationFunction Kokkos_Tools_inputTypeDeclarationFunction;
typedef void (*Kokkos_Tools_requestValueFunction)(size_t const context, size_t const input_count,
                                                  const struct Kokkos_Tools_VariableValue* inputs,
                                                  size_t const output_count,
                                                  struct Kokkos_Tools_VariableValue* outputs);
typedef void (*Kokkos_Tools_contextBeginFunction)(size_t const context);
typedef void (*Kokkos_Tools_contextEndFunction)(size_t const context, struct Kokkos_Tools_VariableValue goal);
typedef void (*Kokkos_Tools_optimizationGoalDeclarationFunction)(size_t const context,
                                                                 const struct Kokkos_Tools_OptimizationGoal goal);

/**
 * The callbacks, as X(signature, name in the set, symbol in a tool's shared object). The first list fills the first 28
 * slots of the set, the second one slots 37 to 42.
 */
#define KOKKOS_TOOLS_PROFILING_CALLBACKS(X)                                                                     \
  X(Kokkos_Profiling_initFunction, init, "kokkosp_init_library")                                                \
  X(Kokkos_Profiling_finalizeFunction, finalize, "kokkosp_finalize_library")                                    \
  X(Kokkos_Profiling_parseArgsFunction, parse_args, "kokkosp_parse_args")                                       \
  X(Kokkos_Profiling_printHelpFunction, print_help, "kokkosp_print_help")                                       \
  X(Kokkos_Profiling_beginFunction, begin_parallel_for, "kokkosp_begin_parallel_for")                           \
  X(Kokkos_Profiling_endFunction, end_parallel_for, "kokkosp_end_parallel_for")                                 \
  X(Kokkos_Profiling_beginFunction, begin_parallel_reduce, "kokkosp_begin_parallel_reduce")                     \
  X(Kokkos_Profiling_endFunction, end_parallel_reduce, "kokkosp_end_parallel_reduce")                           \
  X(Kokkos_Profiling_beginFunction, begin_parallel_scan, "kokkosp_begin_parallel_scan")                         \
  X(Kokkos_Profiling_endFunction, end_parallel_scan, "kokkosp_end_parallel_scan")                               \
  X(Kokkos_Profiling_pushFunction, push_region, "kokkosp_push_profile_region")                                  \
  X(Kokkos_Profiling_popFunction, pop_region, "kokkosp_pop_profile_region")                                     \
  X(Kokkos_Profiling_allocateDataFunction, allocate_data, "kokkosp_allocate_data")                              \
  X(Kokkos_Profiling_deallocateDataFunction, deallocate_data, "kokkosp_deallocate_data")                        \
  X(Kokkos_Profiling_createProfileSectionFunction, create_profile_section, "kokkosp_create_profile_section")    \
  X(Kokkos_Profiling_startProfileSectionFunction, start_profile_section, "kokkosp_start_profile_section")       \
  X(Kokkos_Profiling_stopProfileSectionFunction, stop_profile_section, "kokkosp_stop_profile_section")          \
  X(Kokkos_Profiling_destroyProfileSectionFunction, destroy_profile_section, "kokkosp_destroy_profile_section") \
  X(Kokkos_Profiling_profileEventFunction, profile_event, "kokkosp_profile_event")                              \
  X(Kokkos_Profiling_beginDeepCopyFunction, begin_deep_copy, "kokkosp_begin_deep_copy")                         \
  X(Kokkos_Profiling_endDeepCopyFunction, end_deep_copy, "kokkosp_end_deep_copy")                               \
  X(Kokkos_Profiling_beginFenceFunction, begin_fence, "kokkosp_begin_fence")                                    \
  X(Kokkos_Profiling_endFenceFunction, end_fence, "kokkosp_end_fence")                                          \
  X(Kokkos_Profiling_dualViewSyncFunction, sync_dual_view, "kokkosp_dual_view_sync")                            \
  X(Kokkos_Profiling_dualViewModifyFunction, modify_dual_view, "kokkosp_dual_view_modify")                      \
  X(Kokkos_Profiling_declareMetadataFunction, declare_metadata, "kokkosp_declare_metadata")                     \
  X(Kokkos_Tools_provideToolProgrammingInterfaceFunction, provide_tool_programming_interface,                   \
    "kokkosp_provide_tool_programming_interface")                                                               \
  X(Kokkos_Tools_requestToolSettingsFunction, request_tool_settings, "kokkosp_request_tool_settings")

#define KOKKOS_TOOLS_TUNING_CALLBACKS(X)                                                            \
  X(Kokkos_Tools_outputTypeDeclarationFunction, declare_output_type, "kokkosp_declare_output_type") \
  X(Kokkos_Tools_inputTypeDeclarationFunction, declare_input_type, "kokkosp_declare_input_type")    \
  X(Kokkos_Tools_requestValueFunction, request_output_values, "kokkosp_request_values")             \
  X(Kokkos_Tools_contextBeginFunction, begin_tuning_context, "kokkosp_begin_context")               \
  X(Kokkos_Tools_contextEndFunction, end_tuning_context, "kokkosp_end_context")                     \
  X(Kokkos_Tools_optimizationGoalDeclarationFunction, declare_optimization_goal, "kokkosp_declare_optimization_goal")

#define KOKKOS_TOOLS_SLOT(signature, name, symbol) signature name;
/** Every callback; null where a tool has none. 275 pointers, of which some are kept for callbacks to come. */
struct Kokkos_Profiling_EventSet {
  KOKKOS_TOOLS_PROFILING_CALLBACKS(KOKKOS_TOOLS_SLOT)
  char profiling_padding[9 * sizeof(Kokkos_Tools_functionPointer)];
  KOKKOS_TOOLS_TUNING_CALLBACKS(KOKKOS_TOOLS_SLOT)
  char padding[232 * sizeof(Kokkos_Tools_functionPointer)];
};
#undef KOKKOS_TOOLS_SLOT

#ifdef __cplusplus
}
#endif

#endif
