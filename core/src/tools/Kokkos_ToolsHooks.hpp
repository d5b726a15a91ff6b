// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_TOOLS_HOOKS_HPP
#define KOKKOS_RUNTIME_TOOLS_HOOKS_HPP

/// \file
/// The library reports events to tools through these. Without a tool each call costs one load and a branch.

#include <runtime/Kokkos_KernelLabel.hpp>
#include <tools/Kokkos_ToolsDevice.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>

namespace Kokkos::Impl {

/// Nonzero while some callback is set and tools are not paused; written by the tools' front end alone.
extern int tools_active;

/// True if there is a tool to report to.
///
/// Relaxed, because nothing is read on the strength of it: what follows loads a callback atomically and finds either
/// the function or null. A kernel that starts while a tool is being set may therefore go unreported, no more.
inline bool tools_loaded() noexcept { return __atomic_load_n(&tools_active, __ATOMIC_RELAXED) != 0; }

enum class KernelKind { parallel_for, parallel_reduce, parallel_scan };

/// Reports the begin of a kernel when constructed and its end when destroyed. An empty label becomes the name of the
/// functor's type, followed by "/" and the name of the work tag's if there is one.
class KernelReport {
 public:
  KernelReport(KernelKind kind, std::string const& label, std::type_info const& functor, std::uint32_t device_id,
               std::type_info const* work_tag = nullptr)
      : active_(tools_loaded() && !kernels_are_recorded), kind_(kind) {
    if (active_) begin(label, functor, device_id, work_tag);
  }
  ~KernelReport() {
    if (active_) end();
  }
  KernelReport(KernelReport const&)            = delete;
  KernelReport& operator=(KernelReport const&) = delete;

 private:
  void begin(std::string const& label, std::type_info const& functor, std::uint32_t device_id,
             std::type_info const* work_tag);
  void end();

  bool active_;
  KernelKind kind_;
  void (*end_)(std::uint64_t) = nullptr;  // of the tool that got the begin, which may be paused or replaced meanwhile
  std::uint64_t id_           = 0;
};

/// Reports the begin and the end of a fence.
class FenceReport {
 public:
  FenceReport(std::string const& label, std::uint32_t device_id) : active_(tools_loaded()) {
    if (active_) begin(label, device_id);
  }
  ~FenceReport() {
    if (active_) end();
  }
  FenceReport(FenceReport const&)            = delete;
  FenceReport& operator=(FenceReport const&) = delete;

 private:
  void begin(std::string const& label, std::uint32_t device_id);
  void end();

  bool active_;
  void (*end_)(std::uint64_t) = nullptr;  // as in KernelReport
  std::uint64_t id_           = 0;
};

/// Reports the begin and the end of a copy between two places in memory. Where the copy goes on after the call
/// (`asynchronous`), its end is its real end: for tools that want fences, after one; for others, when a route that has
/// detached the report says so.
class CopyReport {
 public:
  CopyReport(const char* dst_space, const char* dst_label, const void* dst, const char* src_space,
             const char* src_label, const void* src, std::size_t bytes, bool asynchronous = false)
      : active_(tools_loaded()), asynchronous_(asynchronous) {
    if (active_) begin(dst_space, dst_label, dst, src_space, src_label, src, bytes);
  }
  ~CopyReport() {
    if (active_) end();
  }
  CopyReport(CopyReport const&)            = delete;
  CopyReport& operator=(CopyReport const&) = delete;

  /// Returns the function to call, from any thread, when the copy has ended; null if there is none.
  using End = void (*)();
  End detach() noexcept {
    if (!active_ || !asynchronous_ || waits_for_tool()) return nullptr;
    active_ = false;
    return end_;
  }
  /// Calls what detach() returned, on a thread that the copy itself needs: a fence in there waits for nothing.
  static void end_in_background(End end);

 private:
  void begin(const char* dst_space, const char* dst_label, const void* dst, const char* src_space,
             const char* src_label, const void* src, std::size_t bytes);
  void end();
  static bool waits_for_tool() noexcept;

  bool active_;
  bool asynchronous_;
  End end_ = nullptr;  // as in KernelReport
};

/// In end_in_background() of this thread nothing can be waited for: the stream waits for the copy, and the copy for this
/// thread. Warns once, and returns true, so that a fence returns at once.
bool refuses_fence_in_report();

void send_allocation(const char* space, const char* label, const void* p, std::size_t bytes);
void send_deallocation(const char* space, const char* label, const void* p, std::size_t bytes);

/// Reports `bytes` bytes at `p`, after they were allocated.
inline void report_allocation(const char* space, const char* label, const void* p, std::size_t bytes) {
  if (tools_loaded()) send_allocation(space, label, p, bytes);
}
/// Reports `bytes` bytes at `p`, before they are released.
inline void report_deallocation(const char* space, const char* label, const void* p, std::size_t bytes) {
  if (tools_loaded()) send_deallocation(space, label, p, bytes);
}

}  // namespace Kokkos::Impl

#endif
