// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reports of events to the current callbacks.

#include <Kokkos_Initialize.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <atomic>
#include <cstring>
#include <string>
#include <string_view>

namespace Kokkos {

namespace Impl {

namespace {

// The default for tools that do not decide: fences, so that the reported end of a kernel is its real end.
std::atomic<bool> fencing_required{true};

// True on a thread that waits on behalf of a tool.
thread_local bool fencing_for_tool = false;

std::string kernel_name(std::string const& label, std::string_view functor, std::string_view work_tag) {
  if (!label.empty()) return label;
  std::string name(functor);
  if (!work_tag.empty()) name.append("/").append(work_tag);
  return name;
}

using BeginKernel                    = Tools::beginFunction EventSet::*;
using EndKernel                      = Tools::endFunction EventSet::*;
constexpr BeginKernel begin_kernel[] = {&EventSet::begin_parallel_for, &EventSet::begin_parallel_reduce,
                                        &EventSet::begin_parallel_scan};
constexpr EndKernel end_kernel[]     = {&EventSet::end_parallel_for, &EventSet::end_parallel_reduce,
                                        &EventSet::end_parallel_scan};

// Reports an event, after a fence if the tool requires it.
template <class Function, class... Args>
void call_tool_after_fence(Function EventSet::* event, Args... args) {
  if (callback(event) == nullptr) return;
  fence_for_tool();
  call_tool(event, args...);
}

}  // namespace

bool tool_requires_fencing() noexcept { return fencing_required.load(std::memory_order_relaxed); }
void set_tool_requires_fencing(bool required) noexcept { fencing_required = required; }

void fence_for_tool() {
  if (!tool_requires_fencing() || fencing_for_tool || !is_initialized()) return;
  fencing_for_tool = true;
  Kokkos::fence("Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence");
  fencing_for_tool = false;
}

void KernelReport::begin(std::string const& label, std::uint32_t device_id, std::string_view functor,
                         std::string_view work_tag) {
  BeginKernel const event = begin_kernel[static_cast<int>(kind_)];
  end_                    = callback(end_kernel[static_cast<int>(kind_)]);
  if (callback(event) == nullptr) return;
  call_tool_after_fence(event, kernel_name(label, functor, work_tag).c_str(), device_id, &id_);
}

void KernelReport::end() {
  if (end_ == nullptr) return;
  fence_for_tool();
  end_(id_);
}

void FenceReport::begin(std::string const& label, std::uint32_t device_id) {
  active_ = !fencing_for_tool;
  end_    = callback(&EventSet::end_fence);
  if (active_) call_tool(&EventSet::begin_fence, label.c_str(), device_id, &id_);
}

void FenceReport::end() {
  if (end_ != nullptr) end_(id_);
}

void CopyReport::begin(char const* dst_space, char const* dst_label, void const* dst, char const* src_space,
                       char const* src_label, void const* src, std::size_t bytes) {
  end_ = callback(&EventSet::end_deep_copy);
  call_tool(&EventSet::begin_deep_copy, Tools::make_space_handle(dst_space), dst_label, dst,
            Tools::make_space_handle(src_space), src_label, src, static_cast<std::uint64_t>(bytes));
}

void CopyReport::end() {
  if (end_ == nullptr) return;
  if (asynchronous_) fence_for_tool();
  end_();
}

namespace {
thread_local bool reports_in_background = false;
}

void CopyReport::end_in_background(End end) {
  reports_in_background = true;
  end();
  reports_in_background = false;
}

bool refuses_fence_in_report() {
  if (!reports_in_background) return false;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    warn(
        "A tool fenced in its callback for the end of an asynchronous deep_copy. This end is reported by a thread that "
        "the copy itself needs, so the fence did not wait for anything. A tool that fences there must keep "
        "requires_global_fencing enabled.");
  return true;
}

bool CopyReport::waits_for_tool() noexcept { return tool_requires_fencing(); }

void send_allocation(char const* space, char const* label, void const* p, std::size_t bytes) {
  call_tool(&EventSet::allocate_data, Tools::make_space_handle(space), label, p, static_cast<std::uint64_t>(bytes));
}

void send_deallocation(char const* space, char const* label, void const* p, std::size_t bytes) {
  call_tool(&EventSet::deallocate_data, Tools::make_space_handle(space), label, p, static_cast<std::uint64_t>(bytes));
}

}  // namespace Impl

namespace Tools {

using Impl::call_tool;
using Impl::call_tool_after_fence;
using Impl::EventSet;

SpaceHandle make_space_handle(char const* space_name) {
  SpaceHandle handle = {};
  std::strncpy(handle.name, space_name, sizeof handle.name - 1);
  return handle;
}

bool profileLibraryLoaded() { return Impl::tools_loaded(); }

// Each of these reports nothing while tools are paused.
#define KOKKOS_IMPL_REPORT(report, event, ...) \
  if (Impl::tools_loaded()) report(&EventSet::event __VA_OPT__(, ) __VA_ARGS__)

void pushRegion(std::string const& name) { KOKKOS_IMPL_REPORT(call_tool_after_fence, push_region, name.c_str()); }
void popRegion() { KOKKOS_IMPL_REPORT(call_tool_after_fence, pop_region); }
void markEvent(std::string const& name) { KOKKOS_IMPL_REPORT(call_tool, profile_event, name.c_str()); }

void createProfileSection(std::string const& name, std::uint32_t* section) {
  KOKKOS_IMPL_REPORT(call_tool, create_profile_section, name.c_str(), section);
}
void startSection(std::uint32_t section) { KOKKOS_IMPL_REPORT(call_tool, start_profile_section, section); }
void stopSection(std::uint32_t section) { KOKKOS_IMPL_REPORT(call_tool, stop_profile_section, section); }
void destroyProfileSection(std::uint32_t section) { KOKKOS_IMPL_REPORT(call_tool, destroy_profile_section, section); }

#define KOKKOS_IMPL_KERNEL(Name, name)                                                  \
  void begin##Name(std::string const& label, std::uint32_t device, std::uint64_t* id) { \
    KOKKOS_IMPL_REPORT(call_tool_after_fence, begin_##name, label.c_str(), device, id); \
  }                                                                                     \
  void end##Name(std::uint64_t id) { KOKKOS_IMPL_REPORT(call_tool_after_fence, end_##name, id); }
KOKKOS_IMPL_KERNEL(ParallelFor, parallel_for)
KOKKOS_IMPL_KERNEL(ParallelReduce, parallel_reduce)
KOKKOS_IMPL_KERNEL(ParallelScan, parallel_scan)
#undef KOKKOS_IMPL_KERNEL

void beginFence(std::string const& name, std::uint32_t device, std::uint64_t* id) {
  KOKKOS_IMPL_REPORT(call_tool, begin_fence, name.c_str(), device, id);
}
void endFence(std::uint64_t id) { KOKKOS_IMPL_REPORT(call_tool, end_fence, id); }

void beginDeepCopy(SpaceHandle to_space, std::string const& to_label, void const* to, SpaceHandle from_space,
                   std::string const& from_label, void const* from, std::uint64_t bytes) {
  KOKKOS_IMPL_REPORT(call_tool, begin_deep_copy, to_space, to_label.c_str(), to, from_space, from_label.c_str(), from,
                     bytes);
}
void endDeepCopy() { KOKKOS_IMPL_REPORT(call_tool, end_deep_copy); }

void allocateData(SpaceHandle space, std::string const& label, void const* data, std::uint64_t bytes) {
  KOKKOS_IMPL_REPORT(call_tool, allocate_data, space, label.c_str(), data, bytes);
}
void deallocateData(SpaceHandle space, std::string const& label, void const* data, std::uint64_t bytes) {
  KOKKOS_IMPL_REPORT(call_tool, deallocate_data, space, label.c_str(), data, bytes);
}
void syncDualView(std::string const& label, void const* data, bool to_device) {
  KOKKOS_IMPL_REPORT(call_tool, sync_dual_view, label.c_str(), data, to_device);
}
void modifyDualView(std::string const& label, void const* data, bool on_device) {
  KOKKOS_IMPL_REPORT(call_tool, modify_dual_view, label.c_str(), data, on_device);
}
void declareMetadata(std::string const& key, std::string const& value) {
  KOKKOS_IMPL_REPORT(call_tool, declare_metadata, key.c_str(), value.c_str());
}

#undef KOKKOS_IMPL_REPORT

}  // namespace Tools
}  // namespace Kokkos
