// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MAILBOX_COPY_HPP
#define KOKKOS_GPU_MAILBOX_COPY_HPP

/// \file
/// The shortest route for a few bytes between pageable host memory and a device, after all submitted work.
///
/// It combines the fence and the copy of `deep_copy(value, view)`. If a vendor's default instance is the only instance, a
/// copy in its stream runs after all work that was submitted to the vendor. So when the bytes have arrived, all of that
/// work has completed. The bytes go through the instance's mailbox. If the host cannot detect their arrival there, the
/// stream writes a word after them. A query of the runtime would take twice as long.

#include <impl/GPU/instance/Kokkos_GPU_DeviceReach.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingJob.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

namespace Kokkos::Impl {

template <class Runtime>
class GPUMailboxCopy {
 public:
  static constexpr std::size_t max_bytes = Runtime::copy_policy.mailbox_bytes;

  /// Whether this is possible now. Not with tools, which get a report of fence and copy; with several instances; for
  /// memory whose kind does not follow from the views' types; during a capture; and if the memory may belong to a device
  /// that the instance's device cannot access.
  static bool fits(GPUInstance<Runtime>& instance, CopyJob const& job, bool to_device) {
    if (job.plan.rank != 0 || tools_loaded() || !job.src_owner || !(job.dst_owner || job.dst_is_variable)) return false;
    if (!watches(job, to_device) && !instance.properties().stream_values) return false;
    if (!instance.is_alone() || instance.is_capturing() || !GPUDeviceReach::everywhere()) return false;
    // Work in the stream may write the source. If there is some, the fence waits for it.
    return !to_device || instance.is_idle();
  }
  /// Precondition: it fits. \throws GPUError if work that was submitted before has failed
  static void run(GPUInstance<Runtime>& instance, CopyJob const& job, bool to_device) {
    if (to_device) fence_host_backends(fence_label());
    std::uint64_t const before = instance.submissions();
    {
      // The mailbox belongs to the instance. Its other users also wait for earlier work in the stream.
      std::lock_guard<std::mutex> lock(instance.mutex());
      auto const use = instance.stream();
      GPUMailboxCopy(instance, use.get(), job, to_device).go();
    }
    instance.caught_up(before + 1);
  }

 private:
  using stream_t = typename Runtime::stream_t;

  static bool watches(CopyJob const& job, bool to_device) {
    return !to_device && ArrivalWatch::can_watch(job.plan.bytes());
  }

  GPUMailboxCopy(GPUInstance<Runtime>& instance, stream_t stream, CopyJob const& job, bool to_device)
      : m_instance(instance),
        m_stream(stream),
        m_job(job),
        m_bytes(job.plan.bytes()),
        m_to_device(to_device),
        m_watches(watches(job, to_device)),
        m_mailbox(instance.mailbox()),
        m_memory(m_mailbox.memory(max_bytes)),
        m_ticket(m_mailbox.next_ticket()) {}

  static std::string const& fence_label() {
    static std::string const label = "Kokkos::deep_copy: fence before the copy";
    return label;
  }

  void go() {
    if (m_to_device) std::memcpy(m_memory, m_job.src, m_bytes);
    ArrivalWatch const watch(m_memory, m_watches ? m_bytes : 0, m_ticket * 0x9E3779B9u);
    auto const error = Runtime::memcpy_async(m_to_device ? m_job.dst : m_memory, m_to_device ? m_memory : m_job.src,
                                             m_bytes, m_stream);
    bool const writes = error == Runtime::success && !m_watches && write_word();
    if (!m_to_device) fence_host_backends(fence_label());  // overlaps with the transfer
    if (!(m_watches ? error == Runtime::success && watch.has_arrived() : writes && is_word_written())) {
      // The fence reports failed work with a full message.
      m_instance.submitted();
      m_instance.synchronize(fence_label().c_str());
    }
    m_instance.errors().check(error, "memcpy_async", "copying a few bytes between host and device");
    if (!m_to_device) std::memcpy(m_job.dst, m_memory, m_bytes);
  }

  bool write_word() {
    if constexpr (requires(GPUValueStep const* step) { Runtime::stream_values(m_stream, step, 1); }) {
      GPUValueStep const step{GPUValueStep::write, m_mailbox.flag(), m_ticket};
      return gpu_succeeded<Runtime>(Runtime::stream_values(m_stream, &step, 1));
    }
    return false;
  }
  bool is_word_written() const { return StagingWords::awaits(m_mailbox.flag(), m_ticket); }

  GPUInstance<Runtime>& m_instance;
  stream_t m_stream;
  CopyJob const& m_job;
  std::size_t m_bytes;
  bool m_to_device, m_watches;
  GPUMailbox<Runtime>& m_mailbox;
  std::byte* m_memory;
  std::uint32_t m_ticket;
};

}  // namespace Kokkos::Impl

#endif
