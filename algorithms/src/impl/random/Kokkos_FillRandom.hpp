// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_FILL_RANDOM_HPP
#define KOKKOS_RANDOM_FILL_RANDOM_HPP

/// \file
/// fill_random: random numbers for every element of a view of any rank.

#include <impl/random/Kokkos_RandomLanes.hpp>
#include <impl/random/Kokkos_RandomNumbers.hpp>

#include <Kokkos_ExecPolicy.hpp>
#include <Kokkos_Initialize.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <impl/copy/Kokkos_ElementKernels.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// Access by one number to the elements of a view that is not contiguous. For a contiguous view, a pointer does that.
template <class T>
struct FilledElements {
  T* first;
  int rank;
  std::size_t extent[8];
  std::size_t stride[8];

  template <class ViewType>
  explicit FilledElements(ViewType const& view) : first(view.data()), rank(static_cast<int>(view.rank())) {
    for (int r = 0; r < rank; ++r) {
      extent[r] = view.extent(static_cast<std::size_t>(r));
      stride[r] = view.stride(static_cast<std::size_t>(r));
    }
  }
  KOKKOS_FUNCTION T& operator[](std::size_t i) const {
    std::size_t offset = 0;
    for (int r = 0; r < rank; ++r) {
      offset += i % extent[r] * stride[r];
      i /= extent[r];
    }
    return first[offset];
  }
};

/// Each work item always draws with the same state of the pool, so the result depends only on the seed, the number of
/// states and the number of elements. On a device, neighbouring work items write neighbouring elements; on a host, each
/// work item writes a block. For a long block it draws only one number, the seed of eight streams in vector lanes.
template <class Elements, class T, class Pool, bool InBlocks>
struct FillRandom {
  using Generator = typename Pool::generator_type;
  using Number    = rand<Generator, T>;

  /// An engine names the number of draws after which its words are in the same registers again.
  static constexpr int draws_per_round = [] {
    using Engine = typename Generator::impl_engine_type;
    if constexpr (requires { Engine::draws_per_round; })
      return Engine::draws_per_round;
    else
      return 1;
  }();

  Elements elements;
  Pool pool;
  std::size_t count;
  std::uint32_t workers;
  T begin, end;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    std::size_t const worker = static_cast<std::size_t>(item);
    auto generator           = pool.impl_take_state(static_cast<std::uint32_t>(worker));
    if constexpr (InBlocks) {
      std::size_t const first = block_of(worker), last = block_of(worker + 1);
      if (drawn_from_lanes<T> && last - first >= fewest_from_random_lanes) {
        if constexpr (drawn_from_lanes<T>) {
          KOKKOS_IF_ON_HOST((Impl::fill_from_lanes<typename Generator::impl_engine_type>(
                                 generator.urand64(), elements, first, last, begin, end,
                                 HostStreamingStores::pay_off(count * sizeof(T)));))
        }
      } else {
        for (std::size_t i = first; i < last; ++i) elements[i] = Number::draw(generator, begin, end);
      }
    } else {
      std::size_t i = worker;
      if constexpr (draws_per_round > 1) {
        for (; i + (draws_per_round - 1) * std::size_t(workers) < count;)
          for (int draw = 0; draw < draws_per_round; ++draw, i += workers)
            elements[i] = Number::draw(generator, begin, end);
      }
      for (; i < count; i += workers) elements[i] = Number::draw(generator, begin, end);
    }
    pool.free_state(generator);
  }

 private:
  /// The first element of a worker's block. Long blocks begin at multiples of a cache line, where the elements do.
  KOKKOS_FUNCTION std::size_t block_of(std::size_t worker) const {
    constexpr std::size_t per_line = sizeof(T) < 64 ? 64 / sizeof(T) : 1;
    std::size_t const share = count / workers, rest = count % workers;
    std::size_t const first = worker * share + (worker < rest ? worker : rest);
    return worker < workers && share >= fewest_from_random_lanes + per_line ? first / per_line * per_line : first;
  }
};

template <class ExecSpace, class Elements, class T, class Pool>
void fill_random_elements(ExecSpace const& exec, Elements const& elements, std::size_t count, Pool const& pool,
                          T const& begin, T const& end) {
  constexpr bool in_blocks = runs_on_host_v<ExecSpace>;
  std::uint32_t const workers =
      count < pool.impl_num_states() ? static_cast<std::uint32_t>(count) : pool.impl_num_states();
  Kokkos::parallel_for("Kokkos::fill_random", RangePolicy<ExecSpace, IndexType<std::int64_t>>(exec, 0, workers),
                       FillRandom<Elements, T, Pool, in_blocks>{elements, pool, count, workers, begin, end});
}

}  // namespace Impl

/// Sets every element of `view` to a number in [begin, end) from Kokkos::rand, in the order of `exec`.
template <ExecutionSpace ExecSpace, class ViewType, class Pool, class Index = std::int64_t>
void fill_random(ExecSpace const& exec, ViewType const& view, Pool const& pool,
                 typename ViewType::const_value_type begin, typename ViewType::const_value_type end) {
  using T = typename ViewType::value_type;
  static_assert(!std::is_const_v<T>, "Kokkos::fill_random: the elements of the view must not be const.");
  static_assert(SpaceAccessibility<ExecSpace, typename ViewType::memory_space>::accessible,
                "Kokkos::fill_random: the execution space must be able to access the view's memory space.");
  std::size_t count = 1;
  for (std::size_t r = 0; r < static_cast<std::size_t>(view.rank()); ++r) count *= view.extent(r);
  if (count == 0) return;
  using Value = typename ViewType::non_const_value_type;
  if (view.span_is_contiguous())
    Impl::fill_random_elements<ExecSpace, T*, Value>(exec, view.data(), count, pool, begin, end);
  else
    Impl::fill_random_elements<ExecSpace, Impl::FilledElements<T>, Value>(exec, Impl::FilledElements<T>(view), count,
                                                                          pool, begin, end);
}

/// Like `fill_random` above, with numbers in [0, range).
template <ExecutionSpace ExecSpace, class ViewType, class Pool, class Index = std::int64_t>
void fill_random(ExecSpace const& exec, ViewType const& view, Pool const& pool,
                 typename ViewType::const_value_type range) {
  Kokkos::fill_random(exec, view, pool, static_cast<typename ViewType::const_value_type>(0), range);
}

/// @{
/// fill_random without an instance: runs after all earlier work, and is complete when this returns.
template <class ViewType, class Pool, class Index = std::int64_t>
  requires(!ExecutionSpace<ViewType>)
void fill_random(ViewType const& view, Pool const& pool, typename ViewType::const_value_type begin,
                 typename ViewType::const_value_type end) {
  Kokkos::fence("Kokkos::fill_random: before");
  typename ViewType::execution_space exec;
  Kokkos::fill_random(exec, view, pool, begin, end);
  exec.fence("Kokkos::fill_random: after");
}
template <class ViewType, class Pool, class Index = std::int64_t>
  requires(!ExecutionSpace<ViewType>)
void fill_random(ViewType const& view, Pool const& pool, typename ViewType::const_value_type range) {
  Kokkos::fill_random(view, pool, static_cast<typename ViewType::const_value_type>(0), range);
}
/// @}

}  // namespace Kokkos

#endif
