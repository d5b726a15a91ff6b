// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_FENCEOFALL_IMPL_HPP
#define KOKKOS_GPU_FENCEOFALL_IMPL_HPP

/// \file
/// The steps of a fence of all instances; part of Kokkos_GPU_Instance_Impl.hpp.

#include <impl/GPU/instance/Kokkos_GPU_DefaultStream_Impl.hpp>
#include <impl/GPU/instance/Kokkos_GPU_FenceMarks.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// The devices that a fence waits for as a whole, because another thread may capture one of their streams.
class GPUDeviceSet {
 public:
  void add(int device) noexcept { m_devices |= std::uint64_t(1) << device; }
  bool contains(int device) const noexcept { return (m_devices >> device & 1) != 0; }
  template <class F>
  void for_each(F const& f) const {
    for (int device = 0; m_devices >> device != 0; ++device) {
      if (contains(device)) f(device);
      if (device == 63) return;
    }
  }

 private:
  std::uint64_t m_devices = 0;
};

/// One fence of all instances. Its functions are called once each, in the order in which they are declared.
///
/// An instance is waited for in one of three ways: by its stream; by the newest mark of its device, if it has one; or with
/// its whole device, if another thread may capture the stream. Errors do not end the fence: the first one of the runtime
/// and all of copies are thrown at the end.
template <class Runtime>
class GPUInstance<Runtime>::FenceOfAll {
 public:
  FenceOfAll(char const* purpose, GPUInstance* next)
      : m_purpose(purpose), m_next(next && next->may_wait() && !next->m_adopted ? next : nullptr) {
    if (m_next) m_covered.add(m_next->device());
  }

  /// Waits for the streams of instances with work, or notes what covers them.
  void wait_for_instances() {
    auto const has_work = [&](GPUInstance const& instance) {
      m_used.add(instance.device());
      return &instance != m_next && instance.has_work();
    };
    visit_if(has_work, [&](GPUInstance& instance) {
      if (!instance.may_wait()) return m_whole.add(instance.device());
      if (instance.mark_end(m_ends, m_marks)) return m_covered.add(instance.device());
      std::uint64_t const submitted = instance.m_submitted.load(std::memory_order_acquire);
      if (auto const error = instance.wait(); error != Runtime::success)
        return fail(instance, error, "stream_synchronize");
      note_end(instance, submitted);
    });
  }

  /// Waits for the newest mark of each device, which comes after the work of all instances that have marks there.
  void wait_for_marks() {
    for (GPUFenceMarks<Runtime>& marks : m_marks) {
      RelaxedCaptureScope<Runtime> const relaxed;
      auto const error = marks.synchronize();
      if (error != Runtime::success) Runtime::clear_last_error();
      visit_marked(marks.device(), [&](GPUInstance& instance, MarkedEnd const& end) {
        if (error != Runtime::success) return fail(instance, error, "event_synchronize");
        instance.note_end(end.ring, end.ticket);
        note_end(instance, end.submitted);
      });
      fail_default_instance(error, "event_synchronize");
    }
  }

  /// Waits for raw work of the program in default streams that no mark covers.
  void wait_for_default_streams() {
    m_used.for_each([&](int device) {
      if (m_whole.contains(device) || m_covered.contains(device)) return;
      GPUAnswer<Runtime> failed;
      if (!Impl::wait_for_default_stream<Runtime>(device, failed)) return m_whole.add(device);
      fail_default_instance(failed.error, failed.call);
    });
  }

  /// Waits for whole devices.
  void wait_for_devices() {
    m_whole.for_each([&](int device) {
      auto const error   = wait_for_all_of(device);
      auto const is_used = [&](GPUInstance const& i) { return i.device() == device && !i.m_stream.users().is_empty(); };
      visit_if(is_used, [&](GPUInstance& instance) {
        if (error != Runtime::success) return fail(instance, error, "free_device");
        add(instance.errors_of_copies());
      });
      fail_default_instance(error, "free_device");
    });
  }

  /// \throws GPUInstanceError if a wait has failed, std::runtime_error if only the host's side of copies has
  void throw_failures() const {
    if (m_failure != Runtime::success) throw GPUInstanceError(m_sentences, static_cast<int>(m_failure));
    if (!m_sentences.empty()) throw std::runtime_error(m_sentences);
  }

 private:
  void add(std::string const& sentences) {
    if (!sentences.empty()) m_sentences += (m_sentences.empty() ? "" : " ") + sentences;
  }
  /// Keeps the first error only.
  void fail(GPUInstance const& instance, typename Runtime::error_t error, char const* call) {
    if (m_failure != Runtime::success) return;
    m_failure = error;
    add(instance.m_errors.message_of_wait(error, call, m_purpose));
  }
  void fail_default_instance(typename Runtime::error_t error, char const* call) {
    if (error != Runtime::success && default_instance()) fail(*default_instance(), error, call);
  }
  /// The work that `instance` had when `submitted` was read has ended.
  void note_end(GPUInstance& instance, std::uint64_t submitted) {
    instance.m_ended.store(submitted, std::memory_order_relaxed);
    add(instance.errors_of_copies());
  }
  /// Visits the instances of `device` that have a mark. Both lists are from the newest instance to the oldest.
  template <class F>
  void visit_marked(int device, F const& f) {
    auto end               = m_ends.cbegin();
    auto const is_the_next = [&](GPUInstance const& instance) {
      while (end != m_ends.cend() && (end->id > instance.m_id || end->device != device)) ++end;
      return end != m_ends.cend() && end->id == instance.m_id;
    };
    visit_if(is_the_next, [&](GPUInstance& instance) { f(instance, *end); });
  }

  char const* m_purpose;
  GPUInstance const* m_next;  // whose work and whose device's default stream are not waited for
  GPUDeviceSet m_used;        // devices of all instances
  GPUDeviceSet
      m_covered;         // devices whose default stream is not waited for: a mark, or the next operation, is behind it
  GPUDeviceSet m_whole;  // devices to wait for as a whole
  std::vector<MarkedEnd> m_ends;
  std::vector<GPUFenceMarks<Runtime>> m_marks;
  typename Runtime::error_t m_failure = Runtime::success;
  std::string m_sentences;
};

}  // namespace Kokkos::Impl

#endif
