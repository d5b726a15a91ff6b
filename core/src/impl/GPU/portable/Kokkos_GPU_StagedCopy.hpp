// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGED_COPY_HPP
#define KOKKOS_GPU_STAGED_COPY_HPP

/// \file
/// The description of a copy for the copy engine, and the request for it.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_DeviceRows.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// The facts that the engine has about a copy between pageable host memory and a device before it allocates anything.
struct PageableCopy {
  bool to_device    = false;
  std::size_t bytes = 0;                    ///< size of both sides
  DeviceRows device;                        ///< contains the sequence of the host's side, row by row
  char* block = nullptr;                    ///< the host's side, if it is one block of memory
  HostSpan span;                            ///< of the host's side
  CopyWait wait       = CopyWait::nothing;  ///< what the caller waits for
  bool may_read_early = true;               ///< only copies of this kind are about to use the host's memory
  bool reports        = false;              ///< somebody is notified of the end
};

/// The same, and what is needed if it is not one block, or outlives its call.
struct StagedCopy : PageableCopy {
  std::unique_ptr<HostSide> host;  ///< HostBlock, or an object that packs and unpacks
  std::shared_ptr<void> keep;      ///< released after the copy has completed, by a later call of this engine or a fence
  std::string what;                ///< starts sentences about the copy: `deep_copy of "b" to "a"`
  /// Called once, by any thread, when the last byte is in place; must not call a GPU's runtime.
  std::function<void()> on_completion;
};

inline void report_completion(StagedCopy& copy) {
  if (copy.on_completion) copy.on_completion();
}

/// A request to the engine for a copy between pageable memory and a device that needs no kernel. `Make` creates the
/// StagedCopy, if that is needed. Every request has these members.
template <class Runtime, class Make>
class PageableRequest {
 public:
  /// The copy follows the earlier work of `stream`. If that is null, it starts at once: the caller has waited for all
  /// users of the memory, and waits for the copy.
  PageableRequest(PageableCopy const& outline, InstanceStream<Runtime> const* stream, Make make)
      : m_outline(outline), m_stream(stream), m_make(std::move(make)) {
    if (!stream) m_outline.wait = CopyWait::end;
  }

  // ---- questions of choose() ----
  CopyFacts facts() const {
    return {m_outline.bytes, CopyShape::block, m_stream ? CopyOrder::in_stream : CopyOrder::at_once};
  }
  bool has_mailbox() const { return false; }
  bool has_known_source() const { return false; }
  MemoryKind destination() const { return m_outline.to_device ? MemoryKind::device : MemoryKind::pageable; }
  MemoryKind source() const { return m_outline.to_device ? MemoryKind::pageable : MemoryKind::device; }
  bool is_captured() const { return false; }
  bool graph_keeps_memory() const { return false; }
  bool may_be_graph_kernel() const { return false; }
  bool reaches_device() const { return true; }
  bool is_packed_on_device() const { return true; }

  // ---- for the engine ----
  PageableCopy const& outline() const { return m_outline; }
  /// The copy with everything that it needs; made once.
  StagedCopy& whole() {
    if (!m_whole) m_whole = std::make_unique<StagedCopy>(m_make());
    return *m_whole;
  }
  /// Starts sentences about the copy.
  std::string name() { return whole().what; }
  bool has_stream() const { return m_stream != nullptr; }
  InstanceStream<Runtime> const& stream() const { return *m_stream; }
  /// The route has been chosen. For copies after all work of the program: waits for that work.
  void begin(CopyDecision const&) const {}
  void explain(CopyDecision const&) const {}  ///< writes the decision for users who want it
  /// Makes a copy that the engine does not make.
  void make(CopyMethod) { report_completion(whole()); }  // there are no bytes

 private:
  PageableCopy m_outline;
  InstanceStream<Runtime> const* m_stream;
  Make m_make;
  std::unique_ptr<StagedCopy> m_whole;
};

/// The request for a copy that exists already.
template <class Runtime>
auto pageable_request(StagedCopy copy, InstanceStream<Runtime> const* stream) {
  PageableCopy outline = copy;
  outline.block        = copy.host->block();
  outline.span         = copy.host->span();
  outline.reports      = copy.on_completion != nullptr;
  auto make            = [whole = std::move(copy)]() mutable { return std::move(whole); };
  return PageableRequest<Runtime, decltype(make)>(outline, stream, std::move(make));
}

}  // namespace Kokkos::Impl

#endif
