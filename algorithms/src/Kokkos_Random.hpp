// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_HPP
#define KOKKOS_RANDOM_HPP

/// \file
/// Random numbers in kernels: pools of generators, Kokkos::rand and fill_random.
///
///     Kokkos::Random_XorShift64_Pool<> pool(seed);
///     parallel_for(n, KOKKOS_LAMBDA(int i) {
///       auto generator = pool.get_state();
///       x(i) = generator.drand(-1, 1);
///       pool.free_state(generator);
///     });
///
/// | pool | state | period | |
/// |---|---|---|---|
/// | Random_XorShift64_Pool | 8 bytes | 2^64 - 1 | the fastest for a few numbers per get_state |
/// | Random_XorShift1024_Pool | 136 bytes | 2^1024 - 1 | |
/// | Random_SFC64_Pool | 32 bytes | at least 2^64 | streams are numbered, and a pool can start at any of them |

#include <Kokkos_Core.hpp>

#include <impl/random/Kokkos_RandomEngines.hpp>
#include <impl/random/Kokkos_RandomNumbers.hpp>
#include <impl/random/Kokkos_RandomPool.hpp>
#include <impl/random/Kokkos_FillRandom.hpp>

#include <cstdint>

namespace Kokkos {

template <class DeviceType = DefaultExecutionSpace>
class Random_XorShift64_Pool;
template <class DeviceType = DefaultExecutionSpace>
class Random_XorShift1024_Pool;
template <class DeviceType = DefaultExecutionSpace>
class Random_SFC64_Pool;

/// A generator with a state of a Random_XorShift64_Pool, from its get_state(). random/Kokkos_RandomNumbers.hpp
/// documents its functions: urand, drand, normal and others. One work item uses it.
template <class DeviceType = DefaultExecutionSpace>
class Random_XorShift64 : public Impl::RandomNumbers<Impl::XorShift64Engine> {
 public:
  using device_type     = DeviceType;                            ///< the space of the pool, or Device
  using execution_space = typename DeviceType::execution_space;  ///< the space whose kernels draw numbers
  using pool_type       = Random_XorShift64_Pool<DeviceType>;    ///< the pool that lends generators

  /// An independent generator, without a pool.
  KOKKOS_FUNCTION Random_XorShift64(std::uint64_t state, int state_idx = 0)
      : RandomNumbers(Impl::XorShift64Engine(state), state_idx) {}
  /// For the pool: continues with an engine that has been in use.
  KOKKOS_FUNCTION Random_XorShift64(Impl::XorShift64Engine const& engine, int state_idx)
      : RandomNumbers(engine, state_idx) {}
};

/// A generator with a state of a Random_XorShift1024_Pool, from its get_state(). random/Kokkos_RandomNumbers.hpp
/// documents its functions: urand, drand, normal and others. One work item uses it.
template <class DeviceType = DefaultExecutionSpace>
class Random_XorShift1024 : public Impl::RandomNumbers<Impl::XorShift1024EngineOf<DeviceType>> {
  using Engine = Impl::XorShift1024EngineOf<DeviceType>;

 public:
  /// The space of the pool, or Device.
  using device_type = DeviceType;
  /// The space whose kernels draw numbers.
  using execution_space = typename DeviceType::execution_space;
  /// The pool that lends generators.
  using pool_type = Random_XorShift1024_Pool<DeviceType>;

  /// For the pool: continues with an engine that has been in use.
  KOKKOS_FUNCTION Random_XorShift1024(Engine const& engine, int state_idx)
      : Impl::RandomNumbers<Engine>(engine, state_idx) {}
};

/// A generator with a state of a Random_SFC64_Pool, from its get_state(). random/Kokkos_RandomNumbers.hpp documents its
/// functions: urand, drand, normal and others. One work item uses it.
template <class DeviceType = DefaultExecutionSpace>
class Random_SFC64 : public Impl::RandomNumbers<Impl::SFC64Engine> {
 public:
  using device_type     = DeviceType;                            ///< the space of the pool, or Device
  using execution_space = typename DeviceType::execution_space;  ///< the space whose kernels draw numbers
  using pool_type       = Random_SFC64_Pool<DeviceType>;         ///< the pool that lends generators

  /// For the pool: continues with an engine that has been in use.
  KOKKOS_FUNCTION Random_SFC64(Impl::SFC64Engine const& engine, int state_idx) : RandomNumbers(engine, state_idx) {}

  /// Whether both continue with the same numbers.
  KOKKOS_FUNCTION friend bool operator==(Random_SFC64 const& a, Random_SFC64 const& b) {
    return a.impl_engine() == b.impl_engine();
  }
};

/// A pool of states of xorshift64*. random/Kokkos_RandomPool.hpp documents the constructors and functions.
template <class DeviceType>
class Random_XorShift64_Pool
    : public Impl::RandomPool<DeviceType, Random_XorShift64<DeviceType>, Impl::XorShift64Engine> {
  using Pool = Impl::RandomPool<DeviceType, Random_XorShift64<DeviceType>, Impl::XorShift64Engine>;

 public:
  using Pool::Pool;
};

/// A pool of states of xorshift1024*. random/Kokkos_RandomPool.hpp documents the constructors and functions.
template <class DeviceType>
class Random_XorShift1024_Pool
    : public Impl::RandomPool<DeviceType, Random_XorShift1024<DeviceType>, Impl::XorShift1024EngineOf<DeviceType>> {
  using Pool = Impl::RandomPool<DeviceType, Random_XorShift1024<DeviceType>, Impl::XorShift1024EngineOf<DeviceType>>;

 public:
  using Pool::Pool;
};

/// A pool of states of SFC64. random/Kokkos_RandomPool.hpp documents the other constructors and the functions.
template <class DeviceType>
class Random_SFC64_Pool : public Impl::RandomPool<DeviceType, Random_SFC64<DeviceType>, Impl::SFC64Engine> {
  using Pool = Impl::RandomPool<DeviceType, Random_SFC64<DeviceType>, Impl::SFC64Engine>;

 public:
  using Pool::Pool;
  using typename Pool::execution_space;

  /// The streams with numbers seed_offset, ..., seed_offset + num_states - 1 of this seed. Processes that divide the
  /// streams of one seed in this way draw together the same numbers as a single pool of all these streams.
  Random_SFC64_Pool(std::uint64_t seed, std::uint64_t seed_offset, std::uint64_t num_states)
      : Random_SFC64_Pool(execution_space(), seed, seed_offset, num_states) {
    execution_space().fence("Kokkos::Random_SFC64_Pool: the states are seeded");
  }
  /// Like the constructor above, in the order of `exec`.
  Random_SFC64_Pool(execution_space const& exec, std::uint64_t seed, std::uint64_t seed_offset,
                    std::uint64_t num_states)
      : Pool(exec, seed, seed_offset, num_states) {}

  /// Whether both have the same states. Waits for kernels; no state may be lent.
  friend bool operator==(Random_SFC64_Pool const& a, Random_SFC64_Pool const& b) { return a.impl_has_states_of(b); }
};

}  // namespace Kokkos

#endif
