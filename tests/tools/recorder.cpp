// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tool that writes one line for each callback to the file that KOKKOS_TEST_RECORD names.
///
/// It declares the interface itself, like tools that are built separately from the library: so a changed layout or
/// signature in the library affects the recorded lines.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// A named namespace: nvcc makes functions static, even those with C linkage, if an argument has a type of an unnamed
// namespace.
namespace recorder {

struct Device {
  std::size_t id;
};
struct Space {
  char name[64];
};
struct Settings {
  bool requires_global_fencing;
  bool padding[255];
};
struct Interface {
  void (*fence)(std::uint32_t);
  void (*padding[31])();
};
union Value {
  std::int64_t integer;
  double real;
  char text[64];
};
struct Variable {
  std::size_t type;
  Value value;
  void* metadata;
};
struct ValueSet {
  std::size_t size;
  void* values;
};
struct ValueRange {
  Value lower, upper, step;
  bool open_lower, open_upper;
};
union Candidates {
  ValueSet set;
  ValueRange range;
};
struct VariableInfo {
  int type, category, quantity;
  Candidates candidates;
  void* tool_provided;
};
struct Goal {
  std::size_t type;
  int goal;
};

}  // namespace recorder

using namespace recorder;

namespace {

std::FILE* record          = nullptr;
std::uint64_t next_id      = 100;
std::uint32_t next_section = 7;
Interface interface        = {};

bool is_requested(char const* what) {
  char const* requests = std::getenv("KOKKOS_TEST_TOOL_REQUESTS");
  return requests != nullptr && std::strstr(requests, what) != nullptr;
}

template <class... Args>
void write(char const* format, Args... args) {
  if (record == nullptr) {
    char const* path = std::getenv("KOKKOS_TEST_RECORD");
    record           = std::fopen(path != nullptr ? path : "/dev/null", "w");
  }
  if constexpr (sizeof...(args) == 0)
    std::fputs(format, record);
  else
    std::fprintf(record, format, args...);
  std::fputc('\n', record);
  std::fflush(record);
}

void begin(char const* what, char const* name, std::uint32_t device, std::uint64_t* id) {
  *id = next_id++;
  write("begin %s '%s' type %u device %u id %llu", what, name, device >> 24, device >> 17 & 127u,
        static_cast<unsigned long long>(*id));
}
void end(char const* what, std::uint64_t id) { write("end %s id %llu", what, static_cast<unsigned long long>(id)); }

}  // namespace

extern "C" {

void kokkosp_init_library(int sequence, std::uint64_t version, std::uint32_t count, Device*) {
  write("init sequence %d version %llu devices %u", sequence, static_cast<unsigned long long>(version), count);
}
void kokkosp_finalize_library() { write("finalize"); }
void kokkosp_print_help(char* program) {
  std::printf("recorder of %s\n", std::strrchr(program, '/') ? std::strrchr(program, '/') + 1 : program);
}
void kokkosp_parse_args(int argc, char** argv) {
  write("arguments %d", argc);
  for (int i = 1; i < argc; ++i) write("argument %d '%s'", i, argv[i]);
}
void kokkosp_request_tool_settings(std::uint32_t count, Settings* settings) {
  write("settings %u fencing %d", count, settings->requires_global_fencing);
  if (is_requested("no-fencing")) settings->requires_global_fencing = false;
}
void kokkosp_provide_tool_programming_interface(std::uint32_t count, Interface given) {
  interface = given;
  write("interface %u fence %d", count, given.fence != nullptr);
}
void kokkosp_declare_metadata(char const* key, char const* value) { write("metadata '%s' '%s'", key, value); }

void kokkosp_begin_parallel_for(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin("for", name, device, id);
}
void kokkosp_end_parallel_for(std::uint64_t id) { end("for", id); }
void kokkosp_begin_parallel_reduce(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin("reduce", name, device, id);
}
void kokkosp_end_parallel_reduce(std::uint64_t id) { end("reduce", id); }
void kokkosp_begin_parallel_scan(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin("scan", name, device, id);
}
void kokkosp_end_parallel_scan(std::uint64_t id) { end("scan", id); }
void kokkosp_begin_fence(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin("fence", name, device, id);
}
void kokkosp_end_fence(std::uint64_t id) { end("fence", id); }

void kokkosp_push_profile_region(char const* name) { write("push '%s'", name); }
void kokkosp_pop_profile_region() { write("pop"); }
void kokkosp_profile_event(char const* name) {
  write("event '%s'", name);
  if (is_requested("fence-at-event")) interface.fence(0);
}
void kokkosp_create_profile_section(char const* name, std::uint32_t* section) {
  *section = next_section++;
  write("create section '%s' %u", name, *section);
}
void kokkosp_start_profile_section(std::uint32_t section) { write("start section %u", section); }
void kokkosp_stop_profile_section(std::uint32_t section) { write("stop section %u", section); }
void kokkosp_destroy_profile_section(std::uint32_t section) { write("destroy section %u", section); }

void kokkosp_allocate_data(Space space, char const* label, void const* data, std::uint64_t bytes) {
  write("allocate %s '%s' %d %llu", space.name, label, data != nullptr, static_cast<unsigned long long>(bytes));
}
void kokkosp_deallocate_data(Space space, char const* label, void const* data, std::uint64_t bytes) {
  write("deallocate %s '%s' %d %llu", space.name, label, data != nullptr, static_cast<unsigned long long>(bytes));
}
void kokkosp_begin_deep_copy(Space to, char const* to_label, void const*, Space from, char const* from_label,
                             void const*, std::uint64_t bytes) {
  write("begin copy %s '%s' from %s '%s' %llu", to.name, to_label, from.name, from_label,
        static_cast<unsigned long long>(bytes));
}
void kokkosp_end_deep_copy() { write("end copy"); }
void kokkosp_dual_view_sync(char const* label, void const*, bool device) { write("sync '%s' %d", label, device); }
void kokkosp_dual_view_modify(char const* label, void const*, bool device) { write("modify '%s' %d", label, device); }

void kokkosp_declare_input_type(char const* name, std::size_t id, VariableInfo* info) {
  write("input type '%s' %zu type %d category %d quantity %d", name, id, info->type, info->category, info->quantity);
}
void kokkosp_declare_output_type(char const* name, std::size_t id, VariableInfo* info) {
  write("output type '%s' %zu candidates %zu first %lld", name, id, info->candidates.set.size,
        static_cast<long long>(*static_cast<std::int64_t*>(info->candidates.set.values)));
}
void kokkosp_request_values(std::size_t context, std::size_t inputs, Variable const* input, std::size_t outputs,
                            Variable* output) {
  write("request context %zu inputs %zu outputs %zu metadata %d", context, inputs, outputs,
        output->metadata != nullptr);
  for (std::size_t i = 0; i < inputs; ++i) {
    write("request input %zu integer %lld", input[i].type, static_cast<long long>(input[i].value.integer));
  }
  for (std::size_t i = 0; i < outputs; ++i) output[i].value.integer = 64;
}
void kokkosp_begin_context(std::size_t context) { write("begin context %zu", context); }
void kokkosp_end_context(std::size_t context, Variable goal) {
  write("end context %zu goal %zu real %g", context, goal.type, goal.value.real);
}
void kokkosp_declare_optimization_goal(std::size_t context, Goal goal) {
  write("goal context %zu type %zu goal %d", context, goal.type, goal.goal);
}

}  // extern "C"
