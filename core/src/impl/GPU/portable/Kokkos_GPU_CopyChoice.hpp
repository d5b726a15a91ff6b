// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_CHOICE_HPP
#define KOKKOS_GPU_COPY_CHOICE_HPP

/// \file
/// The route of each copy in which a device takes part, and the division of a staged copy into pieces: two pure
/// functions.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>

#include <algorithm>
#include <cstddef>

namespace Kokkos::Impl {

/// A vendor's numbers, and what a program has chosen.
struct CopySettings : CopyPolicy {
  CopySettings() = default;
  explicit CopySettings(CopyPolicy const& policy) : CopyPolicy(policy) {}

  int threads       = 0;      ///< KOKKOS_STAGING_THREADS; 0: Kokkos_GPU_StagingCores.hpp chooses
  bool blocking     = false;  ///< every copy has ended when the call returns
  bool check        = false;  ///< KOKKOS_COPY_CHECK=1: a host destination holds a pattern until the data has arrived
  bool device_waits = true;   ///< streams may wait for words that staging threads write
  bool waits_may_hold_others = false;  ///< a stream that waits for a word may hold up every other stream
  bool starts_behind         = false;  ///< the first copies use the runtime while a thread prepares the staging buffer
  bool long_by_kernel = true;  ///< one kernel may make the steps of a long copy, so that the call returns at once
  void (*warn)(char const* sentence) = nullptr;  ///< receives one sentence if there is no staging buffer
};

/// The event that the caller of a copy waits for.
enum class CopyWait {
  nothing,
  host_memory,  ///< the host's memory is no longer in use: the source has been read, or the destination has been
                ///< written
  end,
};

/// The staging buffer and its threads.
enum class StagingState { unknown, preparing, usable, unusable };

enum class CopyShape {
  block,      ///< one block of memory on both sides
  long_rows,  ///< blocks with a pitch on each side, long enough for the runtime's pitched copy
  strided,
};

/// The facts about a copy that its caller knows. Other facts are asked for one by one, because some cost a call of the
/// runtime: see choose().
struct CopyFacts {
  std::size_t bytes = 0;
  CopyShape shape   = CopyShape::block;
  CopyOrder order   = CopyOrder::in_stream;
};

/// The route of a copy.
enum class CopyMethod {
  nothing,           ///< no bytes
  mailbox,           ///< one step with the wait for all work before it, through the mailbox of the default instance
  runtime,           ///< the runtime's copy, as a step of the stream
  between_devices,   ///< the runtime's copy that takes both devices
  kernel,            ///< a kernel of the device
  packed,            ///< a kernel of the device packs or unpacks chunks, each of which is a copy of its own
  host_threads,      ///< the threads of the host
  host_function,     ///< a host function of the stream
  graph_staged,      ///< through pinned memory of the graph that is being captured, by host functions of that graph
  runtime_reads,     ///< the runtime's copy, which has read the pageable source when the call returns
  runtime_waits,     ///< the runtime's copy, or several of them through packed memory; the host waits for the end
  slot,              ///< to the host through a pinned slot, which the caller empties, or a host function of the stream
  staged,            ///< through slabs; all steps are enqueued at once, and a caller that waits for the copy helps
  staged_by_kernel,  ///< through slabs; one kernel makes all steps
  staged_by_caller,  ///< through slabs; no step waits for the host: the caller enqueues each piece once its slab is
                     ///< ready, and waits for the copy
};
/// Whether the copy engine makes such a copy. All others are made by its caller.
constexpr bool is_by_engine(CopyMethod method) { return method >= CopyMethod::runtime_reads; }
constexpr bool is_staged(CopyMethod method) { return method >= CopyMethod::staged; }

inline char const* copy_method_name(CopyMethod method) {
  static constexpr char const* names[] = {"nothing",      "mailbox",          "runtime",         "between_devices",
                                          "kernel",       "packed",           "host_threads",    "host_function",
                                          "graph_staged", "runtime_reads",    "runtime_waits",   "slot",
                                          "staged",       "staged_by_kernel", "staged_by_caller"};
  return names[static_cast<int>(method)];
}
inline char const* memory_kind_name(MemoryKind kind) {
  static constexpr char const* names[] = {"pageable", "pinned", "managed", "device", "another device"};
  return names[static_cast<int>(kind)];
}

struct CopyDecision {
  CopyMethod method;
  char const* reason;  ///< ends a sentence: this route, because ...
};

/// Copies between pageable memory and a device that reaches it without a kernel. The host's side need not be one block.
template <class State>
CopyDecision choose_for_pageable(CopyFacts const& copy, bool to_device, CopyPolicy const& policy, State& state) {
  using Method        = CopyMethod;
  CopyWait const wait = state.wait();
  if (to_device && copy.bytes <= policy.read_by_runtime_bytes && wait != CopyWait::end && state.host_is_block() &&
      !state.reports() && state.source_may_be_early())
    return {Method::runtime_reads, "the runtime reads a source of this size during the call"};
  if (!to_device && copy.bytes <= policy.slot_bytes && state.takes_slot())
    return {Method::slot, "a pinned slot has room for it"};
  bool const waits = wait == CopyWait::end || (wait == CopyWait::host_memory && !to_device);
  std::size_t const by_runtime =
      to_device ? policy.runtime_bytes : std::min(policy.runtime_bytes, policy.runtime_to_host_bytes);
  if (waits && state.host_is_block() && copy.bytes <= by_runtime)
    return {Method::runtime_waits, "the caller waits, and for this size the runtime takes less time than slabs"};
  switch (state.staging()) {
    case StagingState::usable:
      break;
    case StagingState::unusable:
      return {Method::runtime_waits, "there is no staging buffer"};
    default:
      return {Method::runtime_waits, "there is no staging buffer yet"};
  }
  if (!state.streams_wait()) return {Method::staged_by_caller, "streams of this device do not wait for the host"};
  if (copy.bytes / policy.piece_bytes <= policy.max_pieces_ahead)
    return {Method::staged, "the queue of the driver has room for all steps"};
  if (waits) return {Method::staged_by_caller, "its steps would fill the queue of the driver, and the caller waits"};
  if (state.takes_kernel()) return {Method::staged_by_kernel, "its steps would fill the queue of the driver"};
  return {Method::staged_by_caller, "its steps would fill the queue of the driver, and no kernel can make them"};
}

/// Copies between host memory and a device that become part of a graph. A graph may run many times, so no slab and no
/// thread of the engine can take part. The runtime's node would read a pageable source when the graph is launched, and
/// not after the nodes that write it (seen with CUDA 13.0).
template <class Request>
CopyDecision choose_in_capture(Request& request) {
  using Method = CopyMethod;
  if (!request.reaches_device()) return {Method::runtime, "the stream is being captured"};  // which the request refuses
  if (!request.graph_keeps_memory())
    return {Method::runtime, "the stream is captured into a graph that keeps no memory"};
  return {Method::graph_staged, "the stream is being captured, and a graph repeats the copy through memory of its own"};
}

/// The route of every copy in which a device takes part. The result depends only on the arguments. The request and the
/// state of the engine answer questions, each of them at most once:
///
/// | question to the request | answer |
/// |---|---|
/// | `facts()` | see CopyFacts |
/// | `has_mailbox()` | whether one step can wait for all work and copy these bytes |
/// | `has_known_source()` | whether it is a copy to the device whose source is pageable memory of a view, by its type |
/// | `destination()`, `source()` | the kinds of memory |
/// | `is_captured()` | whether the stream is being captured |
/// | `may_be_graph_kernel()` | whether it becomes a node of a graph whose kernels can access both sides |
/// | `graph_keeps_memory()` | whether the graph that it is captured into can own memory |
/// | `reaches_device()` | whether the stream's device can access the memory on the device's side |
/// | `is_packed_on_device()` | whether the device's side needs no kernel: it stores the elements as the host does, or in long rows |
///
/// | question to the state | answer |
/// |---|---|
/// | `source_may_be_early()` | whether no work that was submitted before writes the source |
/// | `wait()`, `reports()` | the event that the caller waits for; whether somebody is notified of the end |
/// | `host_is_block()` | whether the host's side is one block of memory |
/// | `takes_slot()`, `takes_kernel()` | reserves a slot, or a kernel for all steps, for this copy; false if there is none |
/// | `staging()`, `streams_wait()` | the staging buffer; whether streams may wait for words that threads write |
template <class Request, class State>
CopyDecision choose(Request& request, CopyPolicy const& policy, State& state) {
  CopyFacts const copy = request.facts();
  using Method         = CopyMethod;
  if (copy.bytes == 0) return {Method::nothing, "it has no bytes"};
  if (copy.order == CopyOrder::after_all && copy.bytes <= policy.mailbox_bytes && request.has_mailbox())
    return {Method::mailbox, "for a few bytes one step can wait for all work and copy"};
  bool const in_stream = copy.order == CopyOrder::in_stream;
  // Up to these sizes the route does not depend on whether the source is registered with the runtime.
  std::size_t const unasked =
      in_stream ? std::min(policy.unasked_bytes, policy.read_by_runtime_bytes) : policy.runtime_bytes;
  if (copy.bytes <= unasked && request.has_known_source()) {
    if (!in_stream) return {Method::runtime_waits, "the caller waits, and for this size the runtime is the fastest"};
    if (state.source_may_be_early()) return {Method::runtime_reads, "the runtime reads a few bytes during the call"};
  }
  MemoryKind const dst = request.destination(), src = request.source();
  if (is_on_host(dst) && is_on_host(src)) {
    if (!in_stream) return {Method::host_threads, "both sides are memory of the host"};
    return {Method::host_function, "both sides are memory of the host, and the stream orders the copy"};
  }
  if (!is_on_host(dst) && !is_on_host(src)) {
    if (dst == MemoryKind::elsewhere || src == MemoryKind::elsewhere)
      return {Method::between_devices, "the sides are memory of two devices"};
    if (copy.shape == CopyShape::block) return {Method::runtime, "both sides are one block of memory of the device"};
    return {Method::kernel, "both sides are memory of the device, and not one block"};
  }
  bool const is_pinned = dst == MemoryKind::pinned || src == MemoryKind::pinned;
  if (is_pinned && copy.bytes <= policy.graph_kernel_bytes && request.may_be_graph_kernel())
    return {Method::kernel,
            "it is a node of a graph, the host's side is pinned, and a kernel of this size is launched faster"};
  if (is_pinned && copy.shape != CopyShape::strided && request.reaches_device())
    return {Method::runtime, "the host's side is pinned, and a block or long rows"};
  if (request.is_captured()) return choose_in_capture(request);
  if (!request.reaches_device())
    return {Method::packed, "the instance's device cannot access the memory of the other one"};
  if (!request.is_packed_on_device())
    return {Method::packed, "the device reorders elements faster than the link transfers single ones"};
  return choose_for_pageable(copy, is_on_host(src), policy, state);
}

/// The pinned memory of a staged copy.
struct StagingSpace {
  std::size_t bytes = 0;
  bool alone        = false;  ///< no other copy had pinned memory when this one got it, and none is expected soon
};

/// The division of a staged copy.
struct CopyCut {
  static constexpr unsigned max_slabs    = CopyPolicy::max_slabs;
  static constexpr std::size_t alignment = CopyPolicy::slab_alignment;

  std::size_t piece  = 0;  ///< bytes that the device copies at once; the last piece may be smaller
  std::size_t stride = 0;  ///< distance between slabs
  unsigned slabs     = 1;  ///< number of slabs, which the pieces use cyclically
  std::size_t chunk  = 0;  ///< bytes that a staging thread copies at once
  unsigned threads   = 8;  ///< maximum number of threads that work on the copy
  unsigned pieces    = 0;
};

/// A caller that does not wait pays a fixed cost for each piece. A caller that waits pays for the time in which the
/// first piece fills its slab and the last piece leaves its slab.
inline std::size_t max_piece(std::size_t bytes, bool waits, CopyPolicy const& policy) {
  std::size_t const max_bytes = waits ? policy.sync_piece_bytes : policy.piece_bytes;
  return std::clamp(bytes / (waits ? 4 : 2), std::min(policy.min_piece_bytes, max_bytes), max_bytes);
}

/// The size of the pinned memory for a copy: slabs for three or four pieces. Data that a core has just read or written
/// in a slab is still in that core's caches. The device reads it from there, or overwrites it there, more slowly than
/// in memory: with two slabs, copies to the host reach 0.6 of the rate. A fourth slab does not help copies to the
/// device.
inline std::size_t wanted_staging_bytes(std::size_t bytes, bool to_device, bool waits, CopyPolicy const& policy) {
  constexpr std::size_t rounding = 4 * CopyCut::alignment;  // of piece sizes
  return std::min(bytes + rounding, (to_device ? 3 : 4) * max_piece(bytes, waits, policy));
}

/// While other copies run, pieces are small, so that the copies interleave and keep both directions of the link busy.
/// But a large copy is not cut into hundreds of pieces. All pieces have equal size, because a small remainder takes as
/// many steps as a whole piece. A granule of `granule` bytes is never split. Returns no pieces if a granule does not
/// fit into the memory. `threads` is the number of staging threads.
inline CopyCut size_copy(std::size_t bytes, std::size_t granule, bool waits, StagingSpace const& space, int threads,
                         CopyPolicy const& policy) {
  CopyCut cut;
  if (granule > space.bytes || bytes == 0) return cut;
  constexpr std::size_t alignment = CopyCut::alignment;
  auto const whole_granules       = [&](std::size_t n) { return std::max(n / granule * granule, granule); };
  auto const align_up             = [](std::size_t n) { return (n + alignment - 1) / alignment * alignment; };
  std::size_t const max_bytes     = max_piece(bytes, waits, policy);
  std::size_t const part          = space.alone
                                        ? space.bytes / std::max<std::size_t>((space.bytes + max_bytes / 2) / max_bytes, 2)
                                        : std::clamp(bytes / 16, std::min(max_bytes / 2, space.bytes / 4), space.bytes / 2);
  std::size_t const largest       = std::max(std::min(max_bytes, part) / alignment * alignment, alignment);
  std::size_t const count         = (bytes + largest - 1) / largest;
  cut.piece                       = whole_granules(align_up((bytes + count - 1) / count));
  cut.stride                      = align_up(cut.piece);
  cut.slabs                       = std::clamp(static_cast<unsigned>(space.bytes / cut.stride), 1u, CopyCut::max_slabs);
  cut.threads                     = std::clamp(policy.copy_threads, 1u, static_cast<unsigned>(std::max(threads, 1)));
  cut.chunk =
      whole_granules(std::clamp(cut.piece / cut.threads, CopyPolicy::min_chunk_bytes, CopyPolicy::max_chunk_bytes));
  cut.pieces = static_cast<unsigned>((bytes + cut.piece - 1) / cut.piece);
  return cut;
}

}  // namespace Kokkos::Impl

#endif
