// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Copies and fills of host memory, tile by tile. Compiled once for all types: elements are treated as bytes.

#include <Host/Kokkos_Host_CopyRoute.hpp>
#include <copy/Kokkos_ConstantSize.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace Kokkos::Impl {

namespace {

/// Large enough to amortise the index arithmetic of a tile, and small relative to a thread's share.
constexpr std::size_t tile_bytes = 32 * 1024;

std::size_t ceiling_ratio(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// A value that is copied with one load and one store.
template <std::size_t Bytes>
struct Packet {
  unsigned char byte[Bytes];
};

}  // namespace

struct HostCopyTiles::Tile {
  std::size_t dst, src;      // offsets in bytes
  std::size_t run;           // bytes
  std::size_t inner, outer;  // iterations of the two loops
};

HostCopyTiles::HostCopyTiles(CopyPlan const& plan) {
  cut_block(plan);
  for (int d = 0; d < plan.rank; ++d) {
    CopyDimension const& dim = plan.dimension[d];
    m_loop[m_loops++] = {dim.extent, dim.dst_stride * plan.element_bytes, dim.src_stride * plan.element_bytes, 1};
  }
  choose_loops();
  for (int i = 0; i < m_loops; ++i) m_count *= ceiling_ratio(m_loop[i].extent, m_loop[i].tile);
}

/// Turns a large block into a loop over pieces of whole elements.
void HostCopyTiles::cut_block(CopyPlan const& plan) {
  std::size_t const block = plan.block * plan.element_bytes;
  std::size_t const piece = std::max<std::size_t>(tile_bytes / plan.element_bytes, 1) * plan.element_bytes;
  m_run                   = std::min(block, piece);
  m_last_run              = m_run;
  m_in_pieces             = block > piece;
  if (!m_in_pieces) return;
  std::size_t const pieces = ceiling_ratio(block, piece);
  m_last_run               = block - (pieces - 1) * piece;
  m_loop[m_loops++]        = {pieces, piece, piece, 1};
}

void HostCopyTiles::choose_loops() {
  if (m_in_pieces || m_loops == 0) return;
  int fastest_in_src = 0;
  for (int i = 1; i < m_loops; ++i) {
    if (m_loop[i].src_stride < m_loop[fastest_in_src].src_stride) fastest_in_src = i;
  }
  Loop& inner = m_loop[0];
  if (fastest_in_src > 0) {
    // A few cache lines in each direction.
    m_outer                = fastest_in_src;
    std::size_t const side = std::max<std::size_t>(256 / m_run, 4);
    inner.tile             = std::min(inner.extent, side);
    m_loop[m_outer].tile   = std::min(m_loop[m_outer].extent, side);
    return;
  }
  inner.tile = std::min(inner.extent, std::max<std::size_t>(tile_bytes / m_run, 1));
  if (m_loops > 1) {
    m_outer = 1;
    m_loop[m_outer].tile =
        std::min(m_loop[m_outer].extent, std::max<std::size_t>(tile_bytes / (m_run * inner.tile), 1));
  }
}

template <class Work>
void HostCopyTiles::for_tiles(std::size_t first, std::size_t last, Work const& work) const {
  for (std::size_t t = first; t < last; ++t) {
    Tile tile{0, 0, m_run, 1, 1};
    std::size_t rest = t;
    for (int i = 0; i < m_loops; ++i) {
      Loop const& loop             = m_loop[i];
      std::size_t const tiles      = ceiling_ratio(loop.extent, loop.tile);
      std::size_t const begin      = rest % tiles * loop.tile;
      std::size_t const iterations = std::min(loop.tile, loop.extent - begin);
      rest /= tiles;
      tile.dst += begin * loop.dst_stride;
      tile.src += begin * loop.src_stride;
      if (i == m_inner) tile.inner = iterations;
      if (i == m_outer && m_outer != m_inner) tile.outer = iterations;
      if (i == 0 && m_in_pieces && begin + 1 == loop.extent) tile.run = m_last_run;
    }
    work(tile);
  }
}

void HostCopyTiles::copy(CopyJob const& job, std::size_t first, std::size_t last) const {
  auto* const dst       = static_cast<unsigned char*>(job.dst);
  auto const* const src = static_cast<unsigned char const*>(job.src);
  if (first >= last) return;
  if (job.plan.rank == 0) {
    // Copies adjacent pieces in one call, because memcpy chooses its method by the total size.
    std::size_t const begin = first * m_run;
    std::size_t const end   = last == m_count ? (last - 1) * m_run + m_last_run : last * m_run;
    std::memcpy(dst + begin, src + begin, end - begin);
    return;
  }
  Loop const& inner = m_loop[m_inner];
  Loop const& outer = m_loop[m_outer];
  with_constant_size(m_run, [&](auto size) {
    for_tiles(first, last, [&](Tile const& tile) {
      // Only pieces can differ from the size of a run, and their sizes are not small constants.
      std::size_t const bytes = m_in_pieces ? tile.run : std::size_t{size};
      for (std::size_t j = 0; j < tile.outer; ++j) {
        unsigned char* to         = dst + tile.dst + j * outer.dst_stride;
        unsigned char const* from = src + tile.src + j * outer.src_stride;
        for (std::size_t i = 0; i < tile.inner; ++i) {
          if constexpr (std::is_same_v<decltype(size), std::size_t>) {
            std::memcpy(to, from, bytes);
          } else {
            std::memcpy(to, from, decltype(size)::value);
          }
          to += inner.dst_stride;
          from += inner.src_stride;
        }
      }
    });
  });
}

namespace {

/// Writes the element `n` times, at a distance of `stride` bytes.
void fill_strided(unsigned char* to, std::size_t n, std::size_t stride, void const* element,
                  std::size_t element_bytes) {
  with_constant_size(element_bytes, [&](auto size) {
    if constexpr (std::is_same_v<decltype(size), std::size_t>) {
      for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * stride, element, size);
    } else {
      // A local copy, so that the compiler knows that the stores do not alias it.
      Packet<decltype(size)::value> value;
      std::memcpy(&value, element, sizeof value);
      if (stride == sizeof value) {
        for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * sizeof value, &value, sizeof value);
      } else {
        for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * stride, &value, sizeof value);
      }
    }
  });
}

}  // namespace

void HostCopyTiles::fill(FillJob const& job, std::size_t first, std::size_t last) const {
  auto* const dst = static_cast<unsigned char*>(job.dst);
  if (first >= last) return;
  std::size_t const element_bytes = job.plan.element_bytes;
  auto const fill_run             = [&](unsigned char* to, std::size_t bytes) {
    if (job.is_byte_pattern) {
      std::memset(to, *static_cast<unsigned char const*>(job.element), bytes);
    } else {
      fill_strided(to, bytes / element_bytes, element_bytes, job.element, element_bytes);
    }
  };
  if (job.plan.rank == 0) {
    std::size_t const begin = first * m_run;
    std::size_t const end   = last == m_count ? (last - 1) * m_run + m_last_run : last * m_run;
    fill_run(dst + begin, end - begin);
    return;
  }
  Loop const& inner = m_loop[m_inner];
  Loop const& outer = m_loop[m_outer];
  for_tiles(first, last, [&](Tile const& tile) {
    for (std::size_t j = 0; j < tile.outer; ++j) {
      unsigned char* to = dst + tile.dst + j * outer.dst_stride;
      if (m_run == element_bytes) {
        fill_strided(to, tile.inner, inner.dst_stride, job.element, element_bytes);
      } else {
        for (std::size_t i = 0; i < tile.inner; ++i, to += inner.dst_stride) fill_run(to, tile.run);
      }
    }
  });
}

}  // namespace Kokkos::Impl
