// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_TOOLS_HOOKS_HPP
#define KOKKOS_RUNTIME_TOOLS_HOOKS_HPP

/// \file
/// The functions with which the library reports events to tools. Without a tool each call costs one load and a branch.

#include <impl/runtime/Kokkos_KernelLabel.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace Kokkos::Impl {

/// Nonzero while a callback is set and tools are not paused; written only by the tools' front end.
extern int tools_active;

/// True if there is a tool to report to.
///
/// Relaxed, because no other read depends on it: the code that follows loads a callback atomically and gets either the
/// function or null. At worst, a kernel that starts while a tool is being set is not reported.
inline bool tools_loaded() noexcept { return __atomic_load_n(&tools_active, __ATOMIC_RELAXED) != 0; }

enum class KernelKind { parallel_for, parallel_reduce, parallel_scan };

/// Reports the begin of a kernel when constructed and its end when destroyed. An empty label is replaced by the name of
/// the functor's type as the compiler spells it, followed by "/" and that of the work tag's type if there is one.
class KernelReport {
 public:
  KernelReport(KernelKind kind, std::string const& label, std::uint32_t device_id, std::string_view functor = {},
               std::string_view work_tag = {})
      : active_(tools_loaded() && !kernels_are_recorded), kind_(kind) {
    if (active_) begin(label, device_id, functor, work_tag);
  }
  ~KernelReport() {
    if (active_) end();
  }
  KernelReport(KernelReport const&)            = delete;
  KernelReport& operator=(KernelReport const&) = delete;

 private:
  void begin(std::string const& label, std::uint32_t device_id, std::string_view functor, std::string_view work_tag);
  void end();

  bool active_;
  KernelKind kind_;
  void (*end_)(std::uint64_t) = nullptr;  // of the tool that received the begin, which may be paused or replaced
                                          // meanwhile
  std::uint64_t id_ = 0;
};

/// Reports the begin and the end of a fence. Waits during its life are recorded as waits of the fence.
class FenceReport {
 public:
  FenceReport(std::string const& label, std::uint32_t device_id)
      : waits_(is_of_all(device_id) ? WaitReason::fence_of_all : WaitReason::fence, label.c_str()),
        active_(tools_loaded()) {
    if (active_) begin(label, device_id);
  }
  ~FenceReport() {
    if (active_) end();
  }
  FenceReport(FenceReport const&)            = delete;
  FenceReport& operator=(FenceReport const&) = delete;

 private:
  static bool is_of_all(std::uint32_t device_id) noexcept {
    return (device_id & ((1u << Tools::Experimental::num_instance_bits) - 1)) == 0;
  }
  void begin(std::string const& label, std::uint32_t device_id);
  void end();

  WaitScope waits_;
  bool active_;
  void (*end_)(std::uint64_t) = nullptr;  // as in KernelReport
  std::uint64_t id_           = 0;
};

/// Reports the begin and the end of a copy between two places in memory. If the copy continues after the call
/// (`asynchronous`), the reported end is its real end: after a fence for tools that require one; otherwise when a route
/// that has detached the report reports the end.
class CopyReport {
 public:
  CopyReport(char const* dst_space, char const* dst_label, void const* dst, char const* src_space,
             char const* src_label, void const* src, std::size_t bytes, bool asynchronous = false)
      : active_(tools_loaded() && !kernels_are_recorded), asynchronous_(asynchronous) {
    if (active_) begin(dst_space, dst_label, dst, src_space, src_label, src, bytes);
  }
  ~CopyReport() {
    if (active_) end();
  }
  CopyReport(CopyReport const&)            = delete;
  CopyReport& operator=(CopyReport const&) = delete;

  /// Whether a tool gets the report.
  bool is_active() const noexcept { return active_; }
  /// Whether detach() returns a function.
  bool is_detachable() const noexcept { return active_ && asynchronous_ && !waits_for_tool(); }
  /// Returns the function to call, from any thread, when the copy has ended; null if there is none.
  using End = void (*)();
  End detach() noexcept {
    if (!is_detachable()) return nullptr;
    active_ = false;
    return end_;
  }
  /// Calls the function from detach(), on a thread that the copy itself needs. A fence inside the callback does not
  /// wait.
  static void end_in_background(End end);

 private:
  void begin(char const* dst_space, char const* dst_label, void const* dst, char const* src_space,
             char const* src_label, void const* src, std::size_t bytes);
  void end();
  static bool waits_for_tool() noexcept;

  bool active_;
  bool asynchronous_;
  End end_ = nullptr;  // as in KernelReport
};

/// Inside end_in_background(), this thread cannot wait: the stream waits for the copy, and the copy for this thread. In
/// that case this warns once and returns true, so that a fence returns at once.
bool refuses_fence_in_report();

/// Nonzero while a program requests the memory by labels (Experimental::record_memory_labels). Relaxed, as tools_active.
extern int memory_is_recorded;
inline bool records_memory() noexcept { return __atomic_load_n(&memory_is_recorded, __ATOMIC_RELAXED) != 0; }
void record_allocation(char const* space, char const* label, void const* p, std::size_t bytes) noexcept;
void record_deallocation(void const* p) noexcept;

void send_allocation(char const* space, char const* label, void const* p, std::size_t bytes);
void send_deallocation(char const* space, char const* label, void const* p, std::size_t bytes);

/// Reports `bytes` bytes at `p`, after they were allocated.
inline void report_allocation(char const* space, char const* label, void const* p, std::size_t bytes) {
  if (records_memory()) record_allocation(space, label, p, bytes);
  if (tools_loaded()) send_allocation(space, label, p, bytes);
}
/// Reports `bytes` bytes at `p`, before they are freed.
inline void report_deallocation(char const* space, char const* label, void const* p, std::size_t bytes) {
  if (records_memory()) record_deallocation(p);
  if (tools_loaded()) send_deallocation(space, label, p, bytes);
}

}  // namespace Kokkos::Impl

#endif
