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
#include <impl/GPU/portable/Kokkos_GPU_ValueStep.hpp>
#include <impl/copy/Kokkos_CopyRoute.hpp>
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
      copy(instance, use.get(), job, to_device);
    }
    instance.caught_up(before + 1);
  }

 private:
  using stream_t = typename Runtime::stream_t;

  static bool watches(CopyJob const& job, bool to_device) {
    return !to_device && ArrivalWatch::can_watch(job.plan.bytes());
  }
  static std::string const& fence_label() {
    static std::string const label = fence_before_copy;
    return label;
  }

  static void copy(GPUInstance<Runtime>& instance, stream_t stream, CopyJob const& job, bool to_device) {
    GPUMailbox<Runtime>& mailbox = instance.mailbox();
    std::byte* const memory      = mailbox.memory(max_bytes);
    std::uint32_t const ticket   = mailbox.next_ticket();
    std::size_t const bytes      = job.plan.bytes();
    bool const is_watched        = watches(job, to_device);
    if (to_device) std::memcpy(memory, job.src, bytes);
    ArrivalWatch const watch(memory, is_watched ? bytes : 0, ticket * 0x9E3779B9u);
    auto const error = Runtime::memcpy_async(to_device ? job.dst : memory, to_device ? memory : job.src, bytes, stream);
    bool const taken = error == Runtime::success && (is_watched || write_word(stream, mailbox.flag(), ticket));
    if (!to_device) fence_host_backends(fence_label());  // overlaps with the transfer
    if (!taken || !(is_watched ? watch.has_arrived() : StagingWords::awaits(mailbox.flag(), ticket))) {
      // The fence reports failed work with a full message.
      instance.submitted();
      instance.synchronize(fence_before_copy);
    }
    instance.errors().check(error, "memcpy_async", "copying a few bytes between host and device");
    if (!to_device) std::memcpy(job.dst, memory, bytes);
  }

  static bool write_word(stream_t stream, std::uint32_t* word, std::uint32_t value) {
    GPUValueStep const step{GPUValueStep::write, word, value};
    return gpu_succeeded<Runtime>(Runtime::stream_values(stream, &step, 1));
  }
};

}  // namespace Kokkos::Impl

#endif
