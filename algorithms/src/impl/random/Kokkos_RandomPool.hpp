// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_RANDOM_POOL_HPP
#define KOKKOS_RANDOM_RANDOM_POOL_HPP

/// \file
/// A pool keeps the states of many independent streams of random numbers and lends each to one work item at a time.

#include <impl/random/Kokkos_RandomEngines.hpp>

#include <Kokkos_Abort.hpp>
#include <Kokkos_Atomic.hpp>
#include <Kokkos_CopyViews.hpp>
#include <Kokkos_ExecPolicy.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_UniqueToken.hpp>
#include <Kokkos_View.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <impl/Host/Kokkos_Host_StateLease.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos::Impl {

[[noreturn]] void throw_runtime_exception(std::string const& sentence);

/// Writes the first state of every stream.
template <class Engine>
struct SeedStates {
  std::uint64_t* words;
  std::size_t state_stride, word_stride;
  std::uint64_t seed, first_stream;

  KOKKOS_FUNCTION void operator()(std::int64_t state) const {
    Engine::seed({words + static_cast<std::size_t>(state) * state_stride, word_stride}, seed,
                 first_stream + static_cast<std::uint64_t>(state));
  }
};

/// A word takes 1 to 2 ns, and 16 threads some 5 us to start and end.
template <class Engine>
inline constexpr std::uint64_t length_for_one_thread<SeedStates<Engine>> = 1024 / Engine::word_count;

template <class DeviceType>
using XorShift1024EngineOf = std::conditional_t<
    SpaceAccessibility<DefaultHostExecutionSpace, typename DeviceType::execution_space::memory_space>::accessible,
    XorShift1024HostEngine, XorShift1024DeviceEngine>;

/// The base of the documented pools.
///
/// A state is free or lent. get_state searches for a free one, starting at a position that depends only on the thread.
/// So a program that runs the same threads on the same iterations draws the same numbers. If it finds none, the pool
/// creates a new stream, which differs from all others and ends with free_state: nothing waits, and no two generators
/// share a state.
///
/// A state that is one word, and never 0, is lent by an exchange with 0, and freed when its next value is written. So it
/// needs neither a lock nor a fence. Other states have a lock each. On a host, a thread keeps the first state that it takes
/// in a kernel until its part of the kernel ends (HostStateLease).
template <class DeviceType, class Generator, class Engine>
class RandomPool {
 public:
  using device_type     = typename DeviceType::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space    = typename device_type::memory_space;
  using generator_type  = Generator;
  using state_data_type = View<std::uint64_t*, device_type>;
  using locks_type      = View<std::uint32_t*, device_type>;

  /// Without states; can only be assigned to.
  RandomPool() = default;

  /// As many states as the maximum number of concurrent work items. Returns when they are seeded.
  RandomPool(std::uint64_t seed) : RandomPool(seed, default_size(execution_space())) {}
  /// Like the constructor above, with `num_states` states.
  RandomPool(std::uint64_t seed, std::uint64_t num_states) : RandomPool(execution_space(), seed, num_states) {
    execution_space().fence("Kokkos::RandomPool: the states are seeded");
  }

  /// Like the constructor above, in the order of `exec`.
  RandomPool(execution_space const& exec, std::uint64_t seed) : RandomPool(exec, seed, default_size(exec)) {}
  RandomPool(execution_space const& exec, std::uint64_t seed, std::uint64_t num_states) {
    seed_states(exec, seed, 0, num_states);
  }

  /// Seeds the pool again. Deprecated in Kokkos 5.0: assign a new pool.
  void init(std::uint64_t seed, std::uint64_t num_states) {
    execution_space exec;
    seed_states(exec, seed, 0, num_states);
    exec.fence("Kokkos::RandomPool: the states are seeded");
  }

  /// A generator that no other work item uses, until free_state.
  KOKKOS_FUNCTION Generator get_state() const {
    require_states();
    if constexpr (on_host) {
      KOKKOS_IF_ON_HOST((HostStateLease& lease = host_state_lease; if (lease.pool == m_words.data() && !lease.is_lent) {
        lease.is_lent = true;
        return generator_of(lease.state, lease.word);
      }))
    }
    std::uint32_t state = first_choice();
    if (state >= m_num_states) state %= m_num_states;  // rarely, because a division takes as long as several numbers
    for (std::uint32_t tries = 0; tries < m_max_tries; ++tries) {
      std::uint64_t word = 0;
      if (take(state, word)) {
        if constexpr (on_host) begin_lease(state);
        return generator_of(state, word);
      }
      state += m_step;
      if (state >= m_num_states) state -= m_num_states;
    }
    return new_stream();
  }

  /// The generator with a certain state. The caller must ensure that no other work item uses it.
  KOKKOS_FUNCTION Generator get_state(int state) const {
    if (state < 0 || static_cast<std::uint32_t>(state) >= m_num_states)
      Kokkos::abort("Kokkos: get_state(i) was called with an index that is not one of the pool's states.");
    if constexpr (on_host) {
      KOKKOS_IF_ON_HOST((if (host_state_lease.is_of(m_words.data(), static_cast<std::uint32_t>(state)))
                             Impl::host_end_state_lease();))
    }
    return Generator(Engine(words_of(static_cast<std::uint32_t>(state))), state);
  }

  /// Returns a generator to the pool; the next one with its state continues its stream.
  KOKKOS_FUNCTION void free_state(Generator const& generator) const {
    if (generator.impl_state_index() < 0) return;
    auto const state = static_cast<std::uint32_t>(generator.impl_state_index());
    if constexpr (on_host) {
      KOKKOS_IF_ON_HOST((HostStateLease& lease = host_state_lease; if (lease.is_of(m_words.data(), state)) {
        generator.impl_engine().store(has_locks ? words_of(state) : StateWords{&lease.word, 1});
        lease.is_lent = false;
        return;
      }))
    }
    if constexpr (has_locks) {
      generator.impl_engine().store(words_of(state));
      TokenSlot::release(&m_locks(state * lock_spacing));
    } else {
      std::uint64_t word = 0;
      generator.impl_engine().store({&word, 1});
      Kokkos::atomic_store(words_of(state).first, word);
    }
  }

  std::uint32_t impl_num_states() const { return m_num_states; }
  bool impl_has_states_of(RandomPool const& other) const {
    if (m_num_states != other.m_num_states) return false;
    auto const mine   = Kokkos::create_mirror_view_and_copy(HostSpace(), m_words);
    auto const theirs = Kokkos::create_mirror_view_and_copy(HostSpace(), other.m_words);
    for (std::size_t i = 0; i + 1 < mine.extent(0); ++i)  // the last word is no state
      if (mine(i) != theirs(i)) return false;
    return true;
  }
  /// How many states are lent; for tests.
  std::uint32_t impl_num_lent() const {
    auto const words = Kokkos::create_mirror_view_and_copy(HostSpace(), m_words);
    auto const locks = Kokkos::create_mirror_view_and_copy(HostSpace(), m_locks);
    std::uint32_t n  = 0;
    for (std::uint32_t state = 0; state < m_num_states; ++state)
      n += has_locks ? locks(state * lock_spacing) != 0 : words(state * m_state_stride) == 0;
    return n;
  }

  /// Like get_state(), but only with this state; a new stream if it is lent.
  KOKKOS_FUNCTION Generator impl_take_state(std::uint32_t state) const {
    std::uint64_t word = 0;
    return take(state, word) ? generator_of(state, word) : new_stream();
  }

 protected:
  RandomPool(execution_space const& exec, std::uint64_t seed, std::uint64_t first_stream, std::uint64_t num_states) {
    seed_states(exec, seed, first_stream, num_states);
  }

  static std::uint64_t default_size(execution_space const& exec) {
    return static_cast<std::uint64_t>(exec.impl_concurrency());
  }

 private:
  // On a host, each state and each lock has its own pair of cache lines, because different cores use them, and
  // processors fetch lines in pairs. On a device, neighbouring threads use neighbouring states, so corresponding words
  // of these are adjacent.
  static constexpr bool on_host =
      SpaceAccessibility<DefaultHostExecutionSpace, typename execution_space::memory_space>::accessible;
  static constexpr bool has_locks            = !requires { Engine::is_never_zero; };
  static constexpr std::size_t lock_spacing  = on_host ? 32 : 1;
  static constexpr std::size_t state_spacing = (Engine::word_count + 15) / 16 * 16;

  // If a thread of a device finds a state lent, its block's other states are probably lent, too. So from this number of
  // states on, it continues far from there, and the threads of a warp continue side by side.
  static constexpr std::uint32_t fewest_distant_states = 4096;

  // First number of the streams that a pool creates when its states are lent. SeedSequence has 2^60 streams of sixteen
  // words.
  static constexpr std::uint64_t first_new_stream = std::uint64_t(1) << 59;

  void seed_states(execution_space const& exec, std::uint64_t seed, std::uint64_t first_stream,
                   std::uint64_t num_states) {
    if (num_states == 0 || num_states > 0x7fffffffU) refuse(num_states);
    m_num_states = static_cast<std::uint32_t>(num_states);
    // A pool that is made inside a kernel may end before the lease would.
    m_may_be_leased = on_host && !host_inside_kernel();
    // On a host, checking all states is cheap. A device has so many that a new stream is cheaper.
    m_max_tries             = on_host || m_num_states < 64 ? m_num_states : 64;
    m_step                  = on_host || m_num_states < fewest_distant_states ? 1 : m_num_states / 8 + 32;
    m_seed                  = seed;
    m_state_stride          = on_host ? state_spacing : 1;
    m_word_stride           = on_host ? 1 : m_num_states;
    std::size_t const words = m_num_states * (on_host ? state_spacing : std::size_t(Engine::word_count));
    // The word after the states counts new streams.
    m_words = state_data_type(Kokkos::view_alloc(exec, "Kokkos::RandomPool::states"), words + 1);
    m_locks =
        locks_type(Kokkos::view_alloc(exec, "Kokkos::RandomPool::locks"), has_locks ? m_num_states * lock_spacing : 0);
    Kokkos::parallel_for("Kokkos::RandomPool::seed",
                         RangePolicy<execution_space, IndexType<std::int64_t>>(exec, 0, m_num_states),
                         SeedStates<Engine>{m_words.data(), m_state_stride, m_word_stride, seed, first_stream});
  }

  [[noreturn]] static void refuse(std::uint64_t num_states) {
    throw_runtime_exception(
        "Kokkos: a pool of random number generators was requested with " + std::to_string(num_states) +
        " states. It can have 1 to 2147483647; omit the number to get one for each concurrent work item.");
  }

  KOKKOS_FUNCTION void require_states() const {
    if (m_num_states == 0)
      Kokkos::abort(
          "Kokkos: get_state() was called on a pool of random number generators that was constructed without a seed "
          "and has no states. Assign a pool that was constructed with a seed to it.");
  }

  // Host backends with several threads number them from 0; any other host backend has only one thread.
  KOKKOS_FUNCTION static std::uint32_t first_choice() {
    if constexpr (!on_host) {
      return token_hint();
    } else {
      std::uint32_t rank = 0;
      KOKKOS_IMPL_IF_HOST_PASS((if constexpr (requires { execution_space::impl_hardware_thread_id(); }) rank =
                                    static_cast<std::uint32_t>(execution_space::impl_hardware_thread_id());))
      return rank;
    }
  }

  KOKKOS_FUNCTION StateWords words_of(std::uint32_t state) const {
    return {m_words.data() + state * m_state_stride, m_word_stride};
  }

  /// Lends a state; false if another work item has it. Sets `word` to a state that has no lock.
  KOKKOS_FUNCTION bool take(std::uint32_t state, [[maybe_unused]] std::uint64_t& word) const {
    if constexpr (has_locks) {
      return TokenSlot::take(&m_locks(state * lock_spacing));
    } else {
      word = Kokkos::atomic_exchange(words_of(state).first, std::uint64_t(0));
      return word != 0;
    }
  }

  /// The thread keeps a state that take() has lent.
  KOKKOS_FUNCTION void begin_lease([[maybe_unused]] std::uint32_t state) const {
    KOKKOS_IF_ON_HOST((HostStateLease& lease = host_state_lease;
                       if (m_may_be_leased && lease.pool == nullptr && Impl::host_may_lease_state())
                           lease = {m_words.data(), words_of(state).first,
                                    has_locks ? &m_locks(state * lock_spacing) : nullptr, 0, state, true};))
  }

  /// The generator of a state that take() has lent.
  KOKKOS_FUNCTION Generator generator_of(std::uint32_t state, [[maybe_unused]] std::uint64_t word) const {
    if constexpr (has_locks)
      return Generator(Engine(words_of(state)), static_cast<int>(state));
    else
      return Generator(Engine(word), static_cast<int>(state));
  }

  KOKKOS_FUNCTION Generator new_stream() const {
    std::uint64_t* const counter = m_words.data() + (m_words.extent(0) - 1);
    return Generator(Engine::make(m_seed, first_new_stream + atomic_fetch_add(counter, std::uint64_t(1))), -1);
  }

  state_data_type m_words;
  locks_type m_locks;
  std::uint64_t m_seed       = 0;
  std::size_t m_state_stride = 0;
  std::size_t m_word_stride  = 0;
  std::uint32_t m_num_states = 0;
  std::uint32_t m_max_tries  = 0;
  std::uint32_t m_step       = 1;
  bool m_may_be_leased       = false;
};

}  // namespace Kokkos::Impl

#endif
