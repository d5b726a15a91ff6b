// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_BUFFER_HPP
#define KOKKOS_GPU_STAGING_BUFFER_HPP

/// \file
/// The staging buffer of a device: when and by whom it is created, and the reason if it does not exist.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_SlabCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingArena.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingCores.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_ValueStep.hpp>
#include <impl/GPU/portable/Kokkos_GPU_WaitNote.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace Kokkos::Impl {

/// Pinned memory and the threads that fill and empty it. They are created when a copy first needs them: immediately, or
/// by a separate thread while copies use another route.
template <class Runtime>
class StagingBuffer {
 public:
  StagingBuffer(StagingPool& pool, int device, CopySettings const& settings)
      : m_pool(pool), m_device(device), m_settings(settings) {}
  /// No copy may be in progress.
  ~StagingBuffer() {
    join();
    RelaxedCaptureScope<Runtime> relaxed;
    m_arena.reset();
  }

  /// Acquire: the arena is fully constructed.
  StagingState state() const noexcept { return m_state.load(std::memory_order_acquire); }
  /// The state for a copy that would use the buffer. If a thread is to create the buffer, copied_without() starts it.
  StagingState state_for_copy() { return m_settings.starts_behind ? state() : prepare(); }
  /// Call this after a copy of `bytes` bytes used another route because there was no buffer yet. Once such copies have
  /// moved `prepare_after_bytes` bytes, it starts the thread that creates the buffer. Copies of that size take about as
  /// long as the creation. It does not start earlier, because copies by the runtime, in this process and in others, take
  /// up to twice as long while memory is being pinned.
  void copied_without(std::size_t bytes) {
    if (m_copied_without.fetch_add(bytes, std::memory_order_relaxed) + bytes >= m_settings.prepare_after_bytes)
      (void)prepare();
  }
  /// Creates the buffer, or starts the thread that does, unless that has happened.
  StagingState prepare() {
    StagingState const now = state();
    if (now == StagingState::usable || now == StagingState::unusable) return now;
    std::lock_guard<std::mutex> lock(m_mutex);
    if (state() != StagingState::unknown) return state();
    if (m_settings.starts_behind) try {
        m_state.store(StagingState::preparing, std::memory_order_relaxed);
        m_preparing = start_staging_thread(CoreSet(), [this] {
          GPUWaitNote<Runtime> const note(GPUWaitKind::background);
          make();
        });
        return state();
      } catch (std::exception const&) {  // no thread could be started: create it here
      }
    make();
    return state();
  }
  /// Whether there is a buffer. Waits until it has been created.
  bool is_usable() {
    if (prepare() == StagingState::preparing) join();
    return state() == StagingState::usable;
  }

  /// Precondition: the buffer is usable.
  StagingArena<Runtime>& arena() const noexcept { return *m_arena; }
  int threads() const noexcept { return m_threads; }
  std::size_t bytes() const noexcept { return state() == StagingState::usable ? m_arena->bytes() : 0; }

  /// A description for users: the buffer's properties, or the reason why there is none.
  std::string describe() const {
    switch (state()) {
      case StagingState::usable:
        return std::to_string(m_arena->bytes() >> 20) + " MiB of pinned memory, " + std::to_string(m_threads) +
               " threads on " + std::to_string(m_cores) + " cores";
      case StagingState::unusable:
        return "none: " + m_reason;
      case StagingState::preparing:
        return "being made";
      default:
        return "not needed so far";
    }
  }

 private:
  void join() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_preparing.joinable()) m_preparing.join();
  }

  void make() noexcept {
    try {
      DeviceScope<Runtime> scope(m_device);
      RelaxedCaptureScope<Runtime> relaxed;
      m_reason = make_all();
    } catch (std::exception const& error) {
      m_reason = error.what();
    }
    if (!m_reason.empty()) {
      m_arena.reset();
      if (m_settings.warn)
        m_settings.warn(("Copies between pageable memory and device " + std::to_string(m_device) +
                         " use the runtime's own copies, and block: " + m_reason)
                            .c_str());
    }
    m_state.store(m_reason.empty() ? StagingState::usable : StagingState::unusable, std::memory_order_release);
  }

  /// Returns the reason for a failure; empty on success.
  std::string make_all() {
    CoreSet const cores = process_cores();
    double const quota  = process_quota();
    m_cores             = cores.count();
    m_threads           = staging_thread_count(m_settings, m_cores, quota);
    if (m_threads == 0)
      return "the process may use " + std::to_string(m_cores) + (m_cores == 1 ? " core" : " cores") +
             (quota > 0 ? " and the time of " + std::to_string(quota) + " of them" : "") +
             "; staging threads need more than two, unless KOKKOS_STAGING_THREADS sets their number.";
    if (m_settings.staging_bytes == 0) return "the settings allow no pinned memory.";
    // If no copy waits for the buffer, use few threads, because they slow down the program's own threads. Otherwise use
    // all.
    int const helpers = m_settings.starts_behind ? 2 : m_threads;
    m_arena           = std::make_unique<StagingArena<Runtime>>(m_pool, m_settings.staging_bytes, helpers);
    if (m_settings.device_waits && !streams_wait_for_words())
      return std::string("the streams of this device and driver cannot wait for words in pinned memory.");
    if (m_pool.start(m_threads, cores) == 0) return "the system allows no more threads.";
    if constexpr (HasSlabKernel<Runtime>::value) {
      if (m_settings.long_by_kernel) (void)gpu_succeeded<Runtime>(Runtime::load_slab_kernel());
    }
    return "";
  }

  /// Tests the operation: some devices and drivers refuse it, accept only other memory, or never notice the word.
  bool streams_wait_for_words() {
    typename Runtime::stream_t stream = nullptr;
    gpu_check<Runtime>(Runtime::stream_create_unordered(&stream), "stream_create_unordered",
                       "trying what streams can do");
    std::uint32_t* const word  = m_arena->spare_word();
    *word                      = 0;
    GPUValueStep const steps[] = {{GPUValueStep::write, word, 1}, {GPUValueStep::wait_at_least, word, 1}};
    bool const taken           = Runtime::stream_values(stream, steps, 2) == Runtime::success;
    bool ended                 = has_ended(stream);
    bool const works           = taken && ended && StagingWords::reached(word, 1);
    if (!ended) {  // the host's write of the word may end the wait
      StagingWords::set(word, 1);
      ended = has_ended(stream);
    }
    if (ended)
      (void)gpu_succeeded<Runtime>(
          Runtime::stream_destroy(stream));  // destroying a stream that is stuck may block for ever
    Runtime::clear_last_error();
    return works;
  }
  static bool has_ended(typename Runtime::stream_t stream) {
    // Also after a failed query: the next one may succeed.
    return StagingWords::spins_until([=] { return gpu_succeeded<Runtime>(Runtime::stream_query(stream)); },
                                     std::chrono::milliseconds(500));
  }

  StagingPool& m_pool;
  int m_device;
  CopySettings m_settings;
  int m_threads = 0, m_cores = 0;
  std::string m_reason;
  std::unique_ptr<StagingArena<Runtime>> m_arena;
  std::atomic<StagingState> m_state{StagingState::unknown};
  std::atomic<std::size_t> m_copied_without{0};  // bytes
  std::mutex m_mutex;                            // guards the thread, and ensures that there is only one
  std::thread m_preparing;
};

}  // namespace Kokkos::Impl

#endif
