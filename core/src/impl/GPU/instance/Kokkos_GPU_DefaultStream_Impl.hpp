// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEFAULT_STREAM_IMPL_HPP
#define KOKKOS_GPU_DEFAULT_STREAM_IMPL_HPP

/// \file
/// A wait for raw work that the program gave to the default stream, and so to no instance.

#include <impl/GPU/instance/Kokkos_GPU_FenceMarks.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CompletionEvent.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

template <class Runtime>
struct GPUInstanceList;

/// An error, and the function of the runtime that answered it.
template <class Runtime>
struct GPUAnswer {
  typename Runtime::error_t error = Runtime::success;
  char const* call                = nullptr;
};

/// Queries the default stream of `device`. If it has work, records `end` behind it. \return unknown if this could disturb a
/// capture
template <class Runtime>
GPUInstanceState mark_default_stream(int device, std::optional<CompletionEvent<Runtime>>& end,
                                     GPUAnswer<Runtime>& failure) {
  auto state = GPUInstanceState::unknown;
  DeviceScope<Runtime> scope(device);
  RelaxedCaptureScope<Runtime> const relaxed;
  (void)GPUInstance<Runtime>::visit_default_stream([&] {
    auto const stream = Runtime::default_stream();
    bool capturing    = false;
    if (!Impl::gpu_succeeded<Runtime>(Runtime::stream_is_capturing(stream, &capturing)) || capturing)
      return GPUInstance<Runtime>::note_capture_in_default_stream();
    GPUAnswer<Runtime> answer{Runtime::stream_query(stream), "stream_query"};
    (void)Impl::gpu_succeeded<Runtime>(answer.error);
    state = GPUInstanceState::idle;
    if (answer.error == Runtime::not_ready) {
      try {
        answer = {end.emplace().record(stream, true), "event_record"};
      } catch (GPUError const& error) {  // the event could not be made
        answer = {static_cast<typename Runtime::error_t>(error.code()), "event_create"};
      }
      if (answer.error == Runtime::success) state = GPUInstanceState::busy;
    }
    if (answer.error != Runtime::success) failure = answer;
  });
  return state;
}

/// Waits for the work that is in the default stream of `device`. Returns false if this could disturb a capture.
///
/// Waits for an event and not for the stream, for two reasons. Streams of Kokkos are ordered with the default stream, so
/// that it may never be empty while other threads launch. And during a visit of the default stream no other thread can
/// take the handle of a stream, although the raw work may be a function of the host that waits for such a thread. So the
/// wait comes after the visit.
template <class Runtime>
bool wait_for_default_stream(int device, GPUAnswer<Runtime>& failure) {
  std::optional<CompletionEvent<Runtime>> end;
  auto const state = Impl::mark_default_stream<Runtime>(device, end, failure);
  if (state != GPUInstanceState::busy) return state == GPUInstanceState::idle;
  RelaxedCaptureScope<Runtime> const relaxed;
  if (auto const error = end->synchronize(device); error != Runtime::success) failure = {error, "event_synchronize"};
  return true;
}

// ---- the default stream together with an instance -------------------------------------------------------------------

template <class Runtime>
struct GPUInstance<Runtime>::MarkedEnd {
  int device;
  std::uint32_t id;         // of the instance, which may end before the wait does
  std::uint64_t submitted;  // until then
  FunctorRing<Runtime>* ring;
  std::uint64_t ticket;
};

template <class Runtime>
bool GPUInstance<Runtime>::has_older_with_work() const noexcept {
  auto& list = GPUInstanceList<Runtime>::get();
  std::lock_guard<std::mutex> lock(list.mutex);
  for (GPUInstance* i = m_next; i; i = i->m_next)
    if (!i->m_leaving && i->device() == device() && i->has_work()) return true;
  return false;
}

// An event in a stream that is ordered with the default stream replaces the query of the default stream. That query takes
// 1.7 us on an H200, and the device idles meanwhile. The caller visits the instance, so that no thread begins a capture of its
// stream meanwhile, but waits after the visit, for the reason above. Another thread may end the stream between the two. It
// drains the stream first, so the event has happened then, and the runtime allows a wait for it.
template <class Runtime>
bool GPUInstance<Runtime>::mark_end(std::vector<MarkedEnd>& ends, std::vector<GPUFenceMarks<Runtime>>& marks) noexcept {
  if (!Runtime::ordered_event_covers_default_stream || m_adopted) return false;
  try {
    DeviceScope<Runtime> scope(device());
    RelaxedCaptureScope<Runtime> const relaxed;
    auto* const ring = FunctorRings<Runtime>::find(device());
    MarkedEnd const end{device(), m_id, m_submitted.load(std::memory_order_acquire), ring,
                        ring ? ring->next_ticket() : 0};
    CopyEngines<Runtime>::pool().help_stream(m_stream.token());
    auto const of_device =
        std::find_if(marks.begin(), marks.end(), [&](auto const& m) { return m.device() == device(); });
    bool const is_first = of_device == marks.end();
    auto& mine          = is_first ? marks.emplace_back(device()) : *of_device;
    if (!Impl::gpu_succeeded<Runtime>(mine.add(m_stream.get(), !is_first || has_older_with_work()))) return false;
    ends.push_back(end);
    return true;
  } catch (std::exception const&) {
    return false;
  }
}

}  // namespace Kokkos::Impl

#endif
