// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_FENCE_MARKS_HPP
#define KOKKOS_GPU_FENCE_MARKS_HPP

/// \file
/// One wait of the host for several streams.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The marks that a fence sets on one device: an event behind the work of each stream.
///
/// Each wait of the host takes more than 1 us on an H200, even for work that has ended. So the *joining* stream waits for
/// the events of several streams, and the host for one event in it. The joining stream has no other work, and no stream
/// waits for it, so a fence delays no later launch.
///
/// The events and the stream are kept for the next fence, until release_all(). No two fences have them at the same time.
template <class Runtime>
class GPUFenceMarks {
 public:
  using error_t  = typename Runtime::error_t;
  using stream_t = typename Runtime::stream_t;

  /// No call of the runtime.
  explicit GPUFenceMarks(int device) : m_objects(take(device)) {}
  GPUFenceMarks(GPUFenceMarks&&) noexcept = default;
  ~GPUFenceMarks() {
    if (m_objects) keep(std::move(m_objects));
  }

  int device() const noexcept { return m_objects->device; }

  /// Sets a mark behind the work of `stream`, a stream of the current device. The caller excludes captures of it.
  /// \param joins whether this fence has several marks; otherwise the host waits for the event itself
  /// \throws GPUError if an event cannot be made
  error_t add(stream_t stream, bool joins) {
    if (m_used == m_objects->events.size()) m_objects->events.emplace_back();
    auto const event = m_objects->events[m_used].get();
    if (auto const error = Runtime::event_record(event, stream); error != Runtime::success) return error;
    ++m_used;
    if (joins && m_objects->can_join() &&
        Impl::gpu_succeeded<Runtime>(Runtime::stream_wait_event(m_objects->joining, event)))
      m_joins = true;
    else
      m_alone.push_back(event);
    return Runtime::success;
  }

  /// Waits for the work before all marks.
  error_t synchronize() {
    auto error = Runtime::success;
    if (m_joins) {
      error = Runtime::event_record(m_objects->joined->get(), m_objects->joining);
      if (error == Runtime::success) error = Runtime::event_synchronize(m_objects->joined->get());
    }
    for (auto const event : m_alone)
      if (error == Runtime::success) error = Runtime::event_synchronize(event);
    return error;
  }

  /// Called by finalize, when no fence is in progress.
  static void release_all() noexcept {
    std::lock_guard<std::mutex> lock(mutex());
    free_objects().clear();
  }

 private:
  struct Objects {
    explicit Objects(int d) : device(d) {}
    ~Objects() {
      if (joining) (void)Impl::gpu_succeeded<Runtime>(Runtime::stream_destroy(joining));
    }
    Objects(Objects const&)            = delete;
    Objects& operator=(Objects const&) = delete;

    /// Whether there is a joining stream; makes it if it is the first time.
    bool can_join() {
      if (joining) return true;
      if (!joined) joined = std::make_unique<Event<Runtime>>();
      if (!Impl::gpu_succeeded<Runtime>(Runtime::stream_create_unordered(&joining))) joining = nullptr;
      return joining != nullptr;
    }

    int device;
    std::vector<Event<Runtime>> events;
    std::unique_ptr<Event<Runtime>> joined;
    stream_t joining = nullptr;
  };

  static std::unique_ptr<Objects> take(int device) {
    {
      std::lock_guard<std::mutex> lock(mutex());
      auto& all = free_objects();
      for (auto& one : all)
        if (one->device == device) {
          auto taken = std::move(one);
          one        = std::move(all.back());
          all.pop_back();
          return taken;
        }
    }
    return std::make_unique<Objects>(device);
  }
  static void keep(std::unique_ptr<Objects> objects) noexcept {
    std::lock_guard<std::mutex> lock(mutex());
    try {
      free_objects().push_back(std::move(objects));
    } catch (std::bad_alloc const&) {
    }
  }
  static std::vector<std::unique_ptr<Objects>>& free_objects() {
    static auto* const all =
        new std::vector<std::unique_ptr<Objects>>;  // never destroyed, as the runtime ends before static objects
    return *all;
  }
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }

  std::unique_ptr<Objects> m_objects;
  std::size_t m_used = 0;
  bool m_joins       = false;
  std::vector<typename Runtime::event_t> m_alone;  // for which the host waits
};

}  // namespace Kokkos::Impl

#endif
