// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of waits: its columns, and the advice for each reason.

#include <impl/runtime/Kokkos_WaitReport.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace Kokkos::Impl {

namespace {

struct ReasonText {
  WaitReason reason;
  char const* name;
  char const* advice;
};

constexpr ReasonText texts[] = {
    {WaitReason::fence, "fence of an instance",
     "Kernels and copies on one instance run in order, so they need no fence between them. Fence only before the host "
     "reads their results."},
    {WaitReason::fence_of_all, "fence of all instances",
     "Kokkos::fence() waits for every instance. Fence only the instance whose results the host reads: "
     "instance.fence()."},
    {WaitReason::view_initialization, "initialization of a view",
     "Construct the view by view_alloc(instance, label), which initializes it in the order of the instance, or by "
     "view_alloc(WithoutInitializing, label) if a kernel writes all elements before they are read."},
    {WaitReason::view_destruction, "destruction of a view's elements",
     "The elements have destructors, which run before the memory is reused. Keep the view, or use elements without "
     "destructors."},
    {WaitReason::copy_in_other_space, "copy that the instance cannot order",
     "The given instance cannot access both views, so the copy waits for it. Pass an instance of a device that can."},
    {WaitReason::library_fence, "fence in a function of Kokkos",
     "The label names the function, which waits because it got no instance. Pass one if an overload takes it."},
    {WaitReason::tool_fence, "fence for a tool",
     "The loaded tool requires a fence around each event. Measure without the tool."},
    {WaitReason::copy_without_instance, "deep_copy without an instance",
     "The call waits for all instances, and for its own end. Pass an instance, deep_copy(instance, dst, src), and "
     "fence "
     "it before the host reads dst or changes src. A fill, deep_copy(instance, dst, value), needs no fence."},
    {WaitReason::copy_of_unmanaged, "copy of memory that no view owns",
     "The call returns when the copy no longer uses the host's memory, which might be on the stack. Copy from and to "
     "views that own their memory, or set KOKKOS_PAGEABLE_COPY=async."},
    {WaitReason::copy_blocking, "copy with KOKKOS_PAGEABLE_COPY=blocking",
     "The setting makes copies of pageable memory wait. Use the default, or async."},
    {WaitReason::copy_of_pageable, "copy of pageable memory",
     "Keep the host's data in views of SharedHostPinnedSpace, or set KOKKOS_PAGEABLE_COPY=async. KOKKOS_COPY_EXPLAIN=1 "
     "writes why a copy takes a route that waits."},
    {WaitReason::small_copy, "small copy to pageable memory",
     "The call watches for its data for some microseconds. Copy several values at once, or to a view of "
     "SharedHostPinnedSpace."},
    {WaitReason::result, "result of a kernel in a host variable",
     "Pass a view that the device can access as the result of the reduction or scan, use it in later kernels, and read "
     "it on the host once. One parallel_reduce can have several results. If the host needs the value, pass an "
     "Experimental::PendingResult, and enqueue more work before get()."},
    {WaitReason::pending_result, "get() of a pending result",
     "The host reads the value before it has arrived. Enqueue work that does not need the value between the reduction "
     "and "
     "get(), so that the device does not idle while the host waits."},
    {WaitReason::functor_slot, "no free slot for a large functor",
     "A functor that is too large for a kernel parameter uses one of 64 slots until its kernel has ended. Move the "
     "functor's arrays into a view."},
    {WaitReason::allocation, "memory from the runtime",
     "The pool had no free block. Create views once and reuse them. If views of the same sizes come and go, raise "
     "KOKKOS_DEVICE_MEMORY_POOL_MB, so that the pool keeps their memory."},
    {WaitReason::memory_short, "memory of the device exhausted",
     "Kokkos freed the memory that no view uses, and tried again. Destroy views before others are created, or use "
     "smaller ones."},
    {WaitReason::pool_bound, "memory beyond the pool's bound",
     "The pool freed memory of destroyed views. If later views need as much, raise KOKKOS_DEVICE_MEMORY_POOL_MB, or "
     "keep the views."},
    {WaitReason::pool_barrier, "pool during possible captures",
     "Another thread may capture a stream, so the pool cannot query streams, and waits for the device. Destroy fewer "
     "views, or give the stream's handle to the thread that creates and destroys them."},
    {WaitReason::unpooled, "memory without a pool",
     "Managed memory, and all device memory with KOKKOS_DEVICE_MEMORY_POOL_MB=0, comes from the runtime, and is freed "
     "after a wait for the device. Create such views once."},
    {WaitReason::library_memory, "memory of the library itself",
     "Kokkos allocated buffers, such as scratch memory of reductions and teams. They are kept, so later kernels do not "
     "wait. Run each kind of kernel once before a measurement."},
    {WaitReason::first_launch, "first launch of a kernel",
     "The runtime loads a kernel when it is first used. Launch it once before a measurement; on CUDA, "
     "CUDA_MODULE_LOADING=EAGER loads all kernels at the start."},
    {WaitReason::recording, "kernel recorded into a graph",
     "Its functor or its scratch memory was prepared at once. Record the graph once, and submit it many times."},
    {WaitReason::graph_end, "destruction of a running graph", "Keep the graph until its last submission has ended."},
    {WaitReason::instance_end, "end of an instance",
     "Destroying the last handle of an instance waits for its work. Create instances once, and keep them."},
    {WaitReason::instance_busy, "instance in use by another thread",
     "Give each host thread an instance of its own, by partition_space."},
    {WaitReason::idle_memory, "release_idle_memory",
     "The call waits for all instances. Call it only before another library or process needs the memory."},
    {WaitReason::finalize, "finalize", "Nothing: finalize waits for the work that is left, and frees all memory."},
    {WaitReason::other, "other", "No reason is known. The label is the operation of the runtime that waited."},
};

ReasonText const& text_of(WaitReason reason) {
  for (ReasonText const& text : texts)
    if (text.reason == reason) return text;
  return texts[sizeof texts / sizeof *texts - 1];
}

template <class... Args>
std::string print(char const* format, Args... args) {
  int const length = std::snprintf(nullptr, 0, format, args...);
  std::string text(static_cast<std::size_t>(length), '\0');
  std::snprintf(text.data(), text.size() + 1, format, args...);
  return text;
}

// Breaks a text that begins in the column `indent` into lines that begin there, too.
std::string wrapped(std::string const& sentence, std::size_t indent) {
  constexpr std::size_t width = 110;
  std::string text;
  std::size_t column = indent;
  for (std::size_t begin = 0; begin < sentence.size();) {
    std::size_t const end = std::min(sentence.find(' ', begin), sentence.size());
    if (column + end - begin > width && column > indent) {
      text.back() = '\n';
      text += std::string(indent, ' ');
      column = indent;
    }
    text += sentence.substr(begin, end - begin) + ' ';
    column += end - begin + 1;
    begin = end + 1;
  }
  text.back() = '\n';
  return text;
}

constexpr std::size_t most_lines = 40;

}  // namespace

std::string wait_report(std::vector<WaitRow> const& rows, WaitTotals totals) {
  if (rows.empty()) return "Kokkos: no host thread waited for a device.\n";
  WaitRow all{WaitReason::other, "in all", 0, 0, 0};
  std::size_t name_width = 3;
  for (WaitRow const& row : rows) {
    all.count += row.count;
    all.nanoseconds += row.nanoseconds;
    all.longest = std::max(all.longest, row.longest);
    name_width  = std::max(name_width, std::string(text_of(row.reason).name).size());
  }
  int const threads    = std::max(totals.threads, 1);
  double const of_time = totals.seconds > 0 ? 1e-7 / (totals.seconds * threads) : 0;
  auto const line      = [&](WaitRow const& row, char const* why) {
    return print("%12.3f %7.1f %9zu %11.3f  %-*s%s\n", static_cast<double>(row.nanoseconds) * 1e-6,
                      static_cast<double>(row.nanoseconds) * of_time, row.count, static_cast<double>(row.longest) * 1e-6,
                 row.where.empty() ? 0 : static_cast<int>(name_width) + 2, why, row.where.c_str());
  };
  std::string text = print(
      "Kokkos: waits of the host between initialize and finalize, which took %.3f s; %d host thread%s "
      "waited.\n%12s %7s %9s %11s  %-*s  %s\n",
      totals.seconds, threads, threads == 1 ? "" : "s", "ms in all", "% time", "count", "longest ms",
      static_cast<int>(name_width), "why", "where");
  WaitRow rest{WaitReason::other, "", 0, 0, 0};
  std::vector<WaitReason> reasons;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    WaitRow const& row = rows[i];
    if (std::find(reasons.begin(), reasons.end(), row.reason) == reasons.end()) reasons.push_back(row.reason);
    if (i < most_lines) {
      text += line(row, text_of(row.reason).name);
    } else {
      rest.count += row.count;
      rest.nanoseconds += row.nanoseconds;
      rest.longest = std::max(rest.longest, row.longest);
    }
  }
  if (rest.count > 0) {
    rest.where = print("in %zu more places", rows.size() - most_lines);
    text += line(rest, "");
  }
  text += line(all, "");
  text += "To wait less:\n";
  for (WaitReason reason : reasons) {
    ReasonText const& known = text_of(reason);
    text += print("  %-*s  ", static_cast<int>(name_width), known.name) + wrapped(known.advice, name_width + 4);
  }
  return text;
}

}  // namespace Kokkos::Impl
