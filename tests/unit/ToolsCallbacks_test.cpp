// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Setting, reading and pausing callbacks; numbers of devices; tuning without a tool.

#include "ToolsTest.hpp"

#include <Kokkos_Profiling_Interface.hpp>

#include <atomic>
#include <cstring>
#include <thread>

namespace {

using Kokkos::Testing::events;
using Kokkos::Testing::write_down;
using Strings    = std::vector<std::string>;
namespace Tools  = Kokkos::Tools;
namespace Tuning = Kokkos::Tools::Experimental;

class Callbacks : public Kokkos::Testing::ToolsTest {};

// ---- binary layouts of the tools' interface ------------------------------------------------------------------------

static_assert(sizeof(Tuning::EventSet) == 275 * sizeof(void*));
static_assert(offsetof(Tuning::EventSet, begin_parallel_for) == 4 * sizeof(void*));
static_assert(offsetof(Tuning::EventSet, allocate_data) == 12 * sizeof(void*));
static_assert(offsetof(Tuning::EventSet, begin_fence) == 21 * sizeof(void*));
static_assert(offsetof(Tuning::EventSet, request_tool_settings) == 27 * sizeof(void*));
static_assert(offsetof(Tuning::EventSet, declare_output_type) == 37 * sizeof(void*));
static_assert(offsetof(Tuning::EventSet, declare_optimization_goal) == 42 * sizeof(void*));
static_assert(sizeof(Tools::SpaceHandle) == 64);
static_assert(sizeof(Tools::ToolSettings) == 256);
static_assert(sizeof(Tools::ToolProgrammingInterface) == 32 * sizeof(void*));
static_assert(sizeof(Tuning::VariableValue) == 80 && offsetof(Tuning::VariableValue, metadata) == 72);
static_assert(sizeof(Tuning::VariableInfo) == 16 + 3 * 64 + 8 + 8);

TEST(SpaceHandle, CutsLongNames) {
  EXPECT_STREQ(Tools::make_space_handle("Host").name, "Host");
  std::string const name(100, 'x');
  EXPECT_EQ(std::strlen(Tools::make_space_handle(name.c_str()).name), 63u);
}

// ---- setting --------------------------------------------------------------------------------------------------------

void mark_once(char const* name) { write_down(std::string("once ") + name); }

TEST_F(Callbacks, NoneAreSetUntilOneIs) {
  EXPECT_FALSE(Tools::profileLibraryLoaded());
  Tools::markEvent("nobody hears");
  Tuning::set_profile_event_callback(mark_once);
  EXPECT_TRUE(Tools::profileLibraryLoaded());
  Tools::markEvent("a");
  Tuning::set_profile_event_callback(nullptr);
  EXPECT_FALSE(Tools::profileLibraryLoaded());
  Tools::markEvent("b");
  EXPECT_EQ(events(), (Strings{"once a"}));
}

TEST_F(Callbacks, AreSetAndReadAllAtOnce) {
  Tuning::EventSet set = {};
  set.profile_event    = mark_once;
  set.padding[5]       = 9;
  Tuning::set_callbacks(set);
  Tools::markEvent("a");
  EXPECT_EQ(events(), (Strings{"once a"}));
  Tuning::EventSet got = Tuning::get_callbacks();
  EXPECT_EQ(std::memcmp(&set, &got, sizeof set), 0) << "slots without a meaning are kept, too";
}

// A setter changes only its own slot.
#define CHECK_SETTER(setter, slot)                                            \
  {                                                                           \
    Tuning::set_callbacks({});                                                \
    auto function = reinterpret_cast<decltype(Tuning::EventSet::slot)>(this); \
    Tuning::setter(function);                                                 \
    Tuning::EventSet expected = {};                                           \
    expected.slot             = function;                                     \
    Tuning::EventSet got      = Tuning::get_callbacks();                      \
    EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0) << #setter;        \
  }

TEST_F(Callbacks, HaveASetterEach) {
  CHECK_SETTER(set_init_callback, init)
  CHECK_SETTER(set_finalize_callback, finalize)
  CHECK_SETTER(set_parse_args_callback, parse_args)
  CHECK_SETTER(set_print_help_callback, print_help)
  CHECK_SETTER(set_begin_parallel_for_callback, begin_parallel_for)
  CHECK_SETTER(set_end_parallel_for_callback, end_parallel_for)
  CHECK_SETTER(set_begin_parallel_reduce_callback, begin_parallel_reduce)
  CHECK_SETTER(set_end_parallel_reduce_callback, end_parallel_reduce)
  CHECK_SETTER(set_begin_parallel_scan_callback, begin_parallel_scan)
  CHECK_SETTER(set_end_parallel_scan_callback, end_parallel_scan)
  CHECK_SETTER(set_push_region_callback, push_region)
  CHECK_SETTER(set_pop_region_callback, pop_region)
  CHECK_SETTER(set_allocate_data_callback, allocate_data)
  CHECK_SETTER(set_deallocate_data_callback, deallocate_data)
  CHECK_SETTER(set_create_profile_section_callback, create_profile_section)
  CHECK_SETTER(set_start_profile_section_callback, start_profile_section)
  CHECK_SETTER(set_stop_profile_section_callback, stop_profile_section)
  CHECK_SETTER(set_destroy_profile_section_callback, destroy_profile_section)
  CHECK_SETTER(set_profile_event_callback, profile_event)
  CHECK_SETTER(set_begin_deep_copy_callback, begin_deep_copy)
  CHECK_SETTER(set_end_deep_copy_callback, end_deep_copy)
  CHECK_SETTER(set_begin_fence_callback, begin_fence)
  CHECK_SETTER(set_end_fence_callback, end_fence)
  CHECK_SETTER(set_dual_view_sync_callback, sync_dual_view)
  CHECK_SETTER(set_dual_view_modify_callback, modify_dual_view)
  CHECK_SETTER(set_declare_metadata_callback, declare_metadata)
  CHECK_SETTER(set_request_tool_settings_callback, request_tool_settings)
  CHECK_SETTER(set_provide_tool_programming_interface_callback, provide_tool_programming_interface)
  CHECK_SETTER(set_declare_output_type_callback, declare_output_type)
  CHECK_SETTER(set_declare_input_type_callback, declare_input_type)
  CHECK_SETTER(set_request_output_values_callback, request_output_values)
  CHECK_SETTER(set_begin_context_callback, begin_tuning_context)
  CHECK_SETTER(set_end_context_callback, end_tuning_context)
  CHECK_SETTER(set_declare_optimization_goal_callback, declare_optimization_goal)
  Tuning::set_callbacks({});
}

TEST_F(Callbacks, PauseAndResume) {
  Tuning::set_profile_event_callback(mark_once);
  Tuning::pause_tools();
  Tools::markEvent("a");
  EXPECT_EQ(Tuning::get_callbacks().profile_event, mark_once) << "paused, not forgotten";
  Tuning::resume_tools();
  Tools::markEvent("b");
  EXPECT_EQ(events(), (Strings{"once b"}));
}

TEST_F(Callbacks, ResumeWithoutAPauseChangesNothing) {
  Tuning::resume_tools();
  EXPECT_FALSE(Tools::profileLibraryLoaded());
  Tuning::set_profile_event_callback(mark_once);
  Tuning::resume_tools();
  Tools::markEvent("a");
  Tuning::pause_tools();
  Tuning::resume_tools();
  Tuning::set_profile_event_callback([](char const* name) { write_down(std::string("later ") + name); });
  Tuning::resume_tools();
  Tools::markEvent("b");
  EXPECT_EQ(events(), (Strings{"once a", "later b"}));
}

TEST_F(Callbacks, SetAfterAPauseGetEvents) {
  Tuning::set_profile_event_callback([](char const* name) { write_down(std::string("paused ") + name); });
  Tuning::pause_tools();
  EXPECT_FALSE(Tools::profileLibraryLoaded());
  Tuning::set_profile_event_callback(mark_once);
  EXPECT_TRUE(Tools::profileLibraryLoaded());
  Tools::markEvent("a");
  Tuning::EventSet all = Tuning::get_callbacks();
  Tuning::pause_tools();
  Tools::markEvent("unheard");
  Tuning::set_callbacks(all);
  Tools::markEvent("b");
  Tuning::resume_tools();
  Tools::markEvent("c");
  Tuning::resume_tools();
  Tools::markEvent("d");
  EXPECT_EQ(events(), (Strings{"once a", "once b", "paused c", "paused d"}));
}

TEST_F(Callbacks, OfEventsThatHaveBegunGetTheEnd) {
  Tuning::set_begin_fence_callback([](char const*, std::uint32_t, std::uint64_t* id) { *id = 7; });
  Tuning::set_end_fence_callback([](std::uint64_t id) { write_down("end of " + std::to_string(id)); });
  {
    Kokkos::Impl::FenceReport report("a", 0);
    Tuning::pause_tools();
    Tuning::set_end_fence_callback([](std::uint64_t) { write_down("not mine"); });
  }
  EXPECT_EQ(events(), (Strings{"end of 7"}));
}

TEST_F(Callbacks, ACallbackMaySetCallbacks) {
  Tuning::set_profile_event_callback([](char const* name) {
    write_down(std::string("first ") + name);
    Tuning::set_profile_event_callback(mark_once);
  });
  Tools::markEvent("a");
  Tools::markEvent("b");
  EXPECT_EQ(events(), (Strings{"first a", "once b"}));
}

std::atomic<int> heard{0};
std::atomic<int> misheard{0};

// Two functions are set alternately; both count, and neither may receive anything but the name.
void hear(char const* name) { std::strcmp(name, "event") == 0 ? ++heard : ++misheard; }
void hear_too(char const* name) { hear(name); }

TEST_F(Callbacks, CanBeSetWhileOtherThreadsReport) {
  constexpr int reports = 20000;
  heard = misheard = 0;
  Tuning::set_profile_event_callback(hear);
  std::atomic<bool> done{false};
  std::thread setter([&] {
    for (bool odd = false; !done; odd = !odd) {
      Tuning::set_profile_event_callback(odd ? hear : hear_too);
      std::this_thread::yield();
    }
  });
  std::thread reporter([] {
    for (int i = 0; i < reports; ++i) Tools::markEvent("event");
  });
  for (int i = 0; i < reports; ++i) Tools::markEvent("event");
  reporter.join();
  done = true;
  setter.join();
  EXPECT_EQ(heard, 2 * reports) << "there was a callback at every moment";
  EXPECT_EQ(misheard, 0);
}

// ---- numbers of devices ---------------------------------------------------------------------------------------------

TEST(DeviceIdentifier, PacksKindDeviceAndInstance) {
  auto const id = Tuning::identifier_from_devid(2u << 24 | 3u << 17 | 12345u);
  EXPECT_EQ(id.type, Tuning::DeviceType::Cuda);
  EXPECT_EQ(id.device_id, 3u);
  EXPECT_EQ(id.instance_id, 12345u);
  EXPECT_EQ(Tuning::identifier_from_devid(~0u).type, Tuning::DeviceType::Unknown);
  EXPECT_EQ(Tuning::identifier_from_devid(~0u).device_id, 127u);
  EXPECT_EQ(Tuning::identifier_from_devid(~0u).instance_id, (1u << 17) - 1);
  EXPECT_EQ(static_cast<int>(Tuning::DeviceType::Serial), 0);
  EXPECT_EQ(static_cast<int>(Tuning::DeviceType::OpenMP), 1);
  EXPECT_EQ(static_cast<int>(Tuning::DeviceType::HIP), 3);
  EXPECT_EQ(static_cast<int>(Tuning::DeviceType::Threads), 6);
  EXPECT_EQ(Tuning::int_for_synchronization_reason(Tuning::GlobalDeviceSynchronization), 0u);
  EXPECT_EQ(Tuning::int_for_synchronization_reason(Tuning::DeepCopyResourceSynchronization), 0x00ffffffu);
}

struct FakeSpace {
  std::uint32_t instance;
  std::uint32_t impl_instance_id() const { return instance; }
};

}  // namespace

template <>
struct Kokkos::Tools::Experimental::DeviceTypeTraits<FakeSpace> {
  static constexpr DeviceType id = DeviceType::HIP;
  static int device_id(FakeSpace const&) { return 5; }
};

namespace {

TEST(DeviceIdentifier, OfAnInstance) {
  EXPECT_EQ(Tuning::device_id(FakeSpace{9}), 3u << 24 | 5u << 17 | 9u);
  EXPECT_EQ(Tuning::device_id_root<FakeSpace>(), 3u << 24);
  for (std::uint32_t const beyond : {1u << 17, 1u << 18, 1u << 24, 0x7ffe0000u})
    EXPECT_EQ(Tuning::device_id(FakeSpace{beyond | 4u}), 3u << 24 | 5u << 17 | 4u)
        << "an instance's number does not spill into the device's";
}

// ---- tuning ---------------------------------------------------------------------------------------------------------

TEST_F(Callbacks, TuningWithoutAToolKeepsTheDefaults) {
  EXPECT_FALSE(Tuning::have_tuning_tool());
  Tuning::VariableInfo info = {};
  info.type                 = kokkos_value_int64;
  info.valueQuantity        = kokkos_value_unbounded;
  std::size_t const first   = Tuning::declare_input_type("first", info);
  std::size_t const second  = Tuning::declare_input_type("second", info);
  EXPECT_NE(first, second);
  std::size_t const context = Tuning::get_new_context_id();
  EXPECT_NE(Tuning::get_new_context_id(), context);
  Tuning::begin_context(context);
  auto value = Tuning::make_variable_value(second, std::int64_t(17));
  Tuning::request_output_values(context, 1, &value);
  EXPECT_EQ(value.value.int_value, 17);
  Tuning::end_context(context);
}

std::vector<std::size_t> inputs_seen;

TEST_F(Callbacks, InputsOfOuterContextsHoldInInnerOnes) {
  Tuning::set_request_output_values_callback(
      [](std::size_t, std::size_t count, Tuning::VariableValue const* inputs, std::size_t, Tuning::VariableValue*) {
        inputs_seen.clear();
        for (std::size_t i = 0; i < count; ++i) inputs_seen.push_back(inputs[i].type_id);
      });
  std::size_t const outer = Tuning::get_new_context_id(), inner = Tuning::get_new_context_id();
  auto a = Tuning::make_variable_value(901, std::int64_t(1)), b = Tuning::make_variable_value(902, 2.0),
       out = Tuning::make_variable_value(903, std::string(70, 'y'));
  EXPECT_EQ(std::strlen(out.value.string_value), 63u);
  Tuning::begin_context(outer);
  Tuning::set_input_values(outer, 1, &a);
  Tuning::set_input_values(outer, 1, &a);
  Tuning::begin_context(inner);
  Tuning::set_input_values(inner, 1, &b);
  Tuning::request_output_values(inner, 1, &out);
  EXPECT_EQ(inputs_seen, (std::vector<std::size_t>{901, 902}));
  Tuning::request_output_values(outer, 1, &out);
  EXPECT_EQ(inputs_seen, (std::vector<std::size_t>{901})) << "a request in the outer one, while the inner one is open";
  Tuning::end_context(inner);
  Tuning::request_output_values(outer, 1, &out);
  EXPECT_EQ(inputs_seen, (std::vector<std::size_t>{901}));
  Tuning::end_context(outer);
}

// A variable has one value in a context, the last one.
TEST_F(Callbacks, InputsOfAContextAreReplacedOneByOne) {
  static Strings seen;
  Tuning::set_request_output_values_callback(
      [](std::size_t, std::size_t count, Tuning::VariableValue const* inputs, std::size_t, Tuning::VariableValue*) {
        seen.clear();
        for (std::size_t i = 0; i < count; ++i)
          seen.push_back(std::to_string(inputs[i].type_id) + '=' + std::to_string(inputs[i].value.int_value));
      });
  auto const value             = [](std::size_t id, std::int64_t n) { return Tuning::make_variable_value(id, n); };
  Tuning::VariableValue both[] = {value(921, 1), value(922, 2)}, first = value(921, 3), second = value(922, 4),
                        third = value(923, 5), out = value(924, 0);
  std::size_t const context = Tuning::get_new_context_id();
  auto const expect         = [&](std::size_t count, Tuning::VariableValue* values, Strings const& expected) {
    Tuning::set_input_values(context, count, values);
    Tuning::request_output_values(context, 1, &out);
    EXPECT_EQ(seen, expected);
  };
  Tuning::begin_context(context);
  expect(2, both, {"921=1", "922=2"});
  expect(1, &second, {"921=1", "922=4"});
  expect(1, &third, {"921=1", "922=4", "923=5"});
  expect(1, &first, {"921=3", "922=4", "923=5"});
  expect(2, both, {"921=1", "922=2", "923=5"});
  Tuning::end_context(context);
}

TEST_F(Callbacks, InputsAreInTheOrderInWhichContextsBegan) {
  static std::vector<std::size_t> seen;
  Tuning::set_request_output_values_callback(
      [](std::size_t, std::size_t count, Tuning::VariableValue const* inputs, std::size_t, Tuning::VariableValue*) {
        seen.clear();
        for (std::size_t i = 0; i < count; ++i) seen.push_back(inputs[i].type_id);
      });
  std::size_t const outer = Tuning::get_new_context_id(), inner = Tuning::get_new_context_id();
  auto a = Tuning::make_variable_value(911, std::int64_t(1)), b = Tuning::make_variable_value(912, 2.0),
       out = Tuning::make_variable_value(913, 3.0);
  Tuning::begin_context(outer);
  Tuning::begin_context(inner);
  Tuning::set_input_values(inner, 1, &b);
  Tuning::set_input_values(outer, 1, &a);
  Tuning::request_output_values(inner, 1, &out);
  EXPECT_EQ(seen, (std::vector<std::size_t>{911, 912}));
  Tuning::end_context(inner);
  Tuning::end_context(outer);
  Tuning::set_request_output_values_callback(nullptr);
}

// The functions that a program calls in place of the library.
TEST_F(Callbacks, GetTheArgumentsOfEachReport) {
  static std::string seen;
  auto const space = Kokkos::Tools::make_space_handle("Mine");
  auto* const data = reinterpret_cast<void*>(16);
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle s, char const* label, void const* p, std::uint64_t n) {
        seen += std::string("allocate ") + s.name + ' ' + label + ' ' +
                std::to_string(reinterpret_cast<std::uintptr_t>(p)) + ' ' + std::to_string(n) + ';';
      });
  Kokkos::Tools::Experimental::set_deallocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle s, char const* label, void const* p, std::uint64_t n) {
        seen += std::string("deallocate ") + s.name + ' ' + label + ' ' +
                std::to_string(reinterpret_cast<std::uintptr_t>(p)) + ' ' + std::to_string(n) + ';';
      });
  Kokkos::Tools::allocateData(space, "some", data, 30);
  Kokkos::Tools::deallocateData(space, "some", data, 31);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  EXPECT_EQ(seen, "allocate Mine some 16 30;deallocate Mine some 16 31;");
}

TEST(Candidates, HoldWhatTheyAreMadeOf) {
  std::int64_t numbers[] = {1, 2};
  EXPECT_EQ(Tuning::make_candidate_set(2, numbers).set.values.int_value, numbers);
  double reals[] = {0.5, 1.5, 2.5};
  EXPECT_EQ(Tuning::make_candidate_set(3, reals).set.values.double_value, reals);
  EXPECT_EQ(Tuning::make_candidate_set(3, reals).set.size, 3u);
  std::string words[] = {"one", std::string(99, 'z')};
  auto texts          = Tuning::make_candidate_set(2, words);
  EXPECT_STREQ(texts.set.values.string_value[0], "one");
  EXPECT_EQ(std::strlen(texts.set.values.string_value[1]), 63u);
  auto range = Tuning::make_candidate_range(1.0, 9.0, 0.5, true, false).range;
  EXPECT_EQ(range.lower.double_value, 1.0);
  EXPECT_EQ(range.upper.double_value, 9.0);
  EXPECT_EQ(range.step.double_value, 0.5);
  EXPECT_TRUE(range.openLower);
  EXPECT_FALSE(range.openUpper);
  auto integers = Tuning::make_candidate_range(std::int64_t(-3), std::int64_t(12), std::int64_t(5), false, true).range;
  EXPECT_EQ(integers.lower.int_value, -3);
  EXPECT_EQ(integers.upper.int_value, 12);
  EXPECT_EQ(integers.step.int_value, 5);
  EXPECT_FALSE(integers.openLower);
  EXPECT_TRUE(integers.openUpper);
}

}  // namespace
