// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_ELEMENTS_HPP
#define KOKKOS_GPU_HOST_ELEMENTS_HPP

/// \file
/// Gather and scatter of a strided host view's elements by the copy engine's threads.

#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/copy/Kokkos_ConstantSize.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace Kokkos::Impl {

/// A part of the packed sequence of a view on the host: its elements in the order of their addresses, without gaps.
class HostElements final : public HostSide {
 public:
  /// Elements [first, first + count) of the sequence; `data` is the view's first element.
  HostElements(PackedOrder const& order, void const* data, std::size_t first, std::size_t count)
      : m_order(order),
        m_run(order.run * order.element_bytes),
        m_data(static_cast<char*>(const_cast<void*>(data))),
        m_first(first * order.element_bytes),
        m_bytes(count * order.element_bytes) {
    int in_run = 0;
    for (std::size_t run = 1; run < order.run; ++in_run) run *= order.dimension[in_run].extent;
    m_order.rank = order.rank - in_run;
    for (int d = 0; d < m_order.rank; ++d) {
      m_order.dimension[d] = order.dimension[d + in_run];
      m_order.dimension[d].stride *= order.element_bytes;
    }
  }

  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    char* to = static_cast<char*>(slab);
    for_each_run(first, bytes, [&](char const* run, std::size_t n, std::size_t runs, std::size_t stride) {
      with_constant_size(n, [&](auto size) {
        for (std::size_t r = 0; r < runs; ++r) std::memcpy(to + r * size, run + r * stride, size);
      });
      to += n * runs;
    });
  }

  void scatter(void const* slab, std::size_t first, std::size_t bytes) const override {
    char const* from = static_cast<char const*>(slab);
    for_each_run(first, bytes, [&](char* run, std::size_t n, std::size_t runs, std::size_t stride) {
      with_constant_size(n, [&](auto size) {
        for (std::size_t r = 0; r < runs; ++r) {
          if constexpr (std::is_same_v<decltype(size), std::size_t>)
            Impl::copy_past_cache(run + r * stride, from + r * size, size);
          else
            std::memcpy(run + r * stride, from + r * size, size);
        }
      });
      from += n * runs;
    });
  }

  std::size_t granule() const override {
    return m_order.element_bytes <= CopyPolicy::max_granule_bytes ? m_order.element_bytes : 1;
  }
  HostSpan span() const override {
    char const* last = m_data + m_run;
    for (int d = 0; d < m_order.rank; ++d) last += (m_order.dimension[d].extent - 1) * m_order.dimension[d].stride;
    return {m_data, last};
  }

  void poison() const override {
    for_each_run(0, m_bytes, [](char* run, std::size_t n, std::size_t runs, std::size_t stride) {
      for (std::size_t r = 0; r < runs; ++r) std::memset(run + r * stride, poison_byte, n);
    });
  }

 private:
  /// Calls move(first run, bytes of a run, number of runs, stride in bytes) for runs with a constant stride, as many as
  /// possible in one call, because there may be millions of runs of a few bytes each.
  template <class Move>
  void for_each_run(std::size_t first, std::size_t bytes, Move const& move) const {
    first += m_first;
    std::size_t in_run = first % m_run, rest = first / m_run;
    std::size_t index[copy_max_rank];
    char* run = m_data;
    for (int d = 0; d < m_order.rank; ++d) {
      index[d] = rest % m_order.dimension[d].extent;
      rest /= m_order.dimension[d].extent;
      run += index[d] * m_order.dimension[d].stride;
    }
    while (bytes > 0) {
      std::size_t runs = 1, n = std::min(m_run - in_run, bytes);
      if (n == m_run && m_order.rank > 0) {
        runs = std::min(m_order.dimension[0].extent - index[0], bytes / m_run);
      }
      move(run + in_run, n, runs, m_order.rank > 0 ? m_order.dimension[0].stride : 0);
      bytes -= n * runs;
      in_run           = 0;
      std::size_t step = runs;
      for (int d = 0; d < m_order.rank; ++d) {
        PackedOrder::Dimension const& dim = m_order.dimension[d];
        index[d] += step;
        run += step * dim.stride;
        if (index[d] < dim.extent) break;
        run -= dim.extent * dim.stride;
        index[d] = 0;
        step     = 1;
      }
    }
  }

  PackedOrder m_order;  // without the dimensions that form a run; strides in bytes
  std::size_t m_run;    // bytes
  char* m_data;
  std::size_t m_first;  // bytes
  std::size_t m_bytes;
};

}  // namespace Kokkos::Impl

#endif
