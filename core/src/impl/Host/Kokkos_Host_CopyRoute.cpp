// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Copies and fills of host memory, tile by tile. Compiled once for all types: elements are treated as bytes.

#include <impl/Host/Kokkos_Host_CopyRoute.hpp>
#include <impl/copy/Kokkos_ConstantSize.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace Kokkos::Impl {

namespace {

constexpr std::size_t cache_line = HostCopyPolicy::cache_line;

std::size_t ceiling_ratio(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace

struct HostCopyTiles::Tile {
  std::size_t dst, src;      // offsets in bytes
  std::size_t run;           // bytes
  std::size_t inner, outer;  // iterations of the two loops
};

HostCopyTiles::HostCopyTiles(CopyPlan const& plan, int threads) {
  std::size_t const block = plan.block * plan.element_bytes;
  m_run                   = block;
  for (int d = 0; d < plan.rank; ++d) {
    CopyDimension const& dim = plan.dimension[d];
    m_loop[m_loops++] = {dim.extent, dim.dst_stride * plan.element_bytes, dim.src_stride * plan.element_bytes, 1};
  }
  std::size_t const bytes   = bytes_through_cache();
  m_for_one_thread          = bytes <= host_copy_policy.alone_bytes;
  std::size_t const sharing = m_for_one_thread || threads < 1 ? 1 : static_cast<std::size_t>(threads);
  // Threads get equal shares: as many tiles each if tiles are equal, else several, so that one more is a small part.
  std::size_t const share      = ceiling_ratio(bytes, sharing);
  std::size_t const wanted     = std::min(share / host_copy_policy.least_tile_bytes, host_copy_policy.wanted_tiles);
  std::size_t const tiles      = std::max({ceiling_ratio(share, host_copy_policy.tile_bytes), wanted, std::size_t{1}});
  std::size_t const tile_bytes = ceiling_ratio(share, tiles * cache_line) * cache_line;
  cut_block(block, plan.element_bytes, tile_bytes);
  choose_loops(sharing, tile_bytes);
  for (int i = 0; i < m_loops; ++i) m_count *= ceiling_ratio(m_loop[i].extent, m_loop[i].tile);
}

/// Turns a large block into a loop over pieces of whole elements, the fastest loop.
void HostCopyTiles::cut_block(std::size_t block, std::size_t element_bytes, std::size_t tile_bytes) {
  // Equal pieces of whole elements and, if elements allow it, whole cache lines.
  std::size_t const unit  = cache_line % element_bytes == 0 ? cache_line : element_bytes;
  std::size_t const equal = ceiling_ratio(block, std::max<std::size_t>(ceiling_ratio(block, tile_bytes), 1));
  std::size_t const piece = std::max<std::size_t>(ceiling_ratio(equal, unit), 1) * unit;
  m_run                   = std::min(block, piece);
  m_last_run              = m_run;
  m_in_pieces             = block > piece;
  if (!m_in_pieces) return;
  std::size_t const pieces = ceiling_ratio(block, piece);
  m_last_run               = block - (pieces - 1) * piece;
  std::copy_backward(m_loop, m_loop + m_loops, m_loop + m_loops + 1);
  m_loop[0] = {pieces, piece, piece, 1};
  ++m_loops;
}

void HostCopyTiles::choose_loops(std::size_t threads, std::size_t tile_bytes) {
  if (m_in_pieces || m_loops == 0) return;
  int fastest_in_src = 0;
  for (int i = 1; i < m_loops; ++i) {
    if (m_loop[i].src_stride < m_loop[fastest_in_src].src_stride) fastest_in_src = i;
  }
  Loop& inner = m_loop[0];
  if (fastest_in_src > 0) {
    m_outer         = fastest_in_src;
    auto const most = [this](std::size_t bytes) {
      return std::max(bytes / m_run, host_copy_policy.fewest_transposed_runs);
    };
    auto const tile_of = [](Loop const& loop, std::size_t most_iterations) {
      return ceiling_ratio(loop.extent, ceiling_ratio(loop.extent, most_iterations));  // equal tiles
    };
    Loop& outer = m_loop[m_outer];
    inner.tile  = tile_of(inner, most(host_copy_policy.transposed_dst_bytes));
    // A thread gets whole rows of dst, because tiles beside each other can write the same cache lines.
    outer.tile =
        tile_of(outer, std::min(most(host_copy_policy.transposed_src_bytes), ceiling_ratio(outer.extent, threads)));
    return;
  }
  std::size_t const runs_per_tile = std::max<std::size_t>(tile_bytes / bytes_per_run(), 1);
  inner.tile                      = std::min(inner.extent, runs_per_tile);
  if (m_loops > 1) {
    m_outer              = 1;
    m_loop[m_outer].tile = std::min(m_loop[m_outer].extent, std::max<std::size_t>(runs_per_tile / inner.tile, 1));
  }
}

std::size_t HostCopyTiles::bytes_per_run() const {
  std::size_t dst_distance = cache_line, src_distance = cache_line;
  for (int i = 0; i < m_loops; ++i) {
    dst_distance = std::min(dst_distance, m_loop[i].dst_stride);
    src_distance = std::min(src_distance, m_loop[i].src_stride);
  }
  return std::max({m_run, dst_distance, src_distance});
}

std::size_t HostCopyTiles::bytes_through_cache() const {
  std::size_t bytes = bytes_per_run();
  for (int i = 0; i < m_loops; ++i) bytes *= m_loop[i].extent;
  return bytes;
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

namespace {

/// Runs of bytes at equal distances, for writing and for reading.
///
/// Bytes may alias everything that has an address, also the variables of a loop that an object or a reference names.
/// So each function below keeps its variables in locals, and the compiler keeps these in registers.
struct ByteRuns {
  unsigned char* to;
  unsigned char const* from;
  std::size_t to_stride, from_stride;  // in bytes
  std::size_t count;
};

template <class Size>
void copy_runs(ByteRuns runs, Size bytes) {
  for (std::size_t i = 0; i < runs.count; ++i)
    std::memcpy(runs.to + i * runs.to_stride, runs.from + i * runs.from_stride, bytes);
}

/// Transposes a square of words, one vector for each row, in registers that every target has.
template <class Word>
struct Square;
template <>
struct Square<std::uint64_t> {
  typedef std::uint64_t Row __attribute__((vector_size(16)));
  static void transpose(Row (&row)[2]) {
    Row const first = __builtin_shufflevector(row[0], row[1], 0, 2);
    row[1]          = __builtin_shufflevector(row[0], row[1], 1, 3);
    row[0]          = first;
  }
};
template <>
struct Square<std::uint32_t> {
  typedef std::uint32_t Row __attribute__((vector_size(16)));
  static void transpose(Row (&row)[4]) {
    Row const left0  = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    Row const left2  = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    Row const right0 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    Row const right2 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    row[0]           = __builtin_shufflevector(left0, left2, 0, 1, 4, 5);
    row[1]           = __builtin_shufflevector(left0, left2, 2, 3, 6, 7);
    row[2]           = __builtin_shufflevector(right0, right2, 0, 1, 4, 5);
    row[3]           = __builtin_shufflevector(right0, right2, 2, 3, 6, 7);
  }
};

/// Writes `rows` rows, where row j is column j of a matrix whose rows are contiguous, too. `first` is the first row, and
/// `distance` that of the rows in bytes. Each access to memory is to a vector of words.
template <class Word>
void transpose(ByteRuns const first, std::size_t rows, std::size_t distance) {
  using Row                  = typename Square<Word>::Row;
  constexpr std::size_t side = sizeof(Row) / sizeof(Word);
  std::integral_constant<std::size_t, sizeof(Word)> const size;
  std::size_t const squares = first.count / side * side;
  auto const part_of_row    = [&](std::size_t j, std::size_t begin) {
    return ByteRuns{first.to + j * distance + begin * size, first.from + j * size + begin * first.from_stride,
                    first.to_stride, first.from_stride, first.count - begin};
  };
  std::size_t j = 0;
  for (; j + side <= rows; j += side) {
    for (std::size_t i = 0; i < squares; i += side) {
      Row square[side];
      for (std::size_t k = 0; k < side; ++k)
        std::memcpy(&square[k], first.from + (i + k) * first.from_stride + j * size, sizeof(Row));
      Square<Word>::transpose(square);
      for (std::size_t k = 0; k < side; ++k)
        std::memcpy(first.to + (j + k) * distance + i * size, &square[k], sizeof(Row));
    }
    for (std::size_t k = j; k < j + side; ++k) copy_runs(part_of_row(k, squares), size);
  }
  for (; j < rows; ++j) copy_runs(part_of_row(j, 0), size);
}

/// Writes the element `n` times, at a distance of `stride` bytes.
template <class Size>
void fill_strided(unsigned char* to, std::size_t n, std::size_t stride, void const* element, Size bytes) {
  for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * stride, element, bytes);
}
template <std::size_t Bytes>
void fill_strided(unsigned char* to, std::size_t n, std::size_t stride, void const* element,
                  std::integral_constant<std::size_t, Bytes> bytes) {
  struct {
    unsigned char byte[Bytes];
  } value;
  std::memcpy(&value, element, bytes);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * stride, &value, bytes);
}

}  // namespace

bool HostStridedRuns::for_one_thread(std::size_t count) const {
  std::size_t const through_cache = std::max(m_run, std::min(cache_line, std::max(m_dst_stride, m_src_stride)));
  return count * through_cache <= host_copy_policy.alone_bytes;
}

void HostStridedRuns::copy(std::size_t first, std::size_t last) const {
  ByteRuns const runs{m_dst + first * m_dst_stride, m_src + first * m_src_stride, m_dst_stride, m_src_stride,
                      last - first};
  with_constant_size(m_run, [&](auto size) { copy_runs(runs, size); });
}

void HostCopyTiles::copy(CopyJob const& job, std::size_t first, std::size_t last, bool streamed) const {
  auto* const dst         = static_cast<unsigned char*>(job.dst);
  auto const* const src   = static_cast<unsigned char const*>(job.src);
  Loop const& inner       = m_loop[m_inner];
  Loop const& outer       = m_loop[m_outer];
  bool const is_transpose = m_outer != m_inner && inner.dst_stride == m_run && outer.src_stride == m_run;
  HostBlocks blocks(streamed);
  with_constant_size(m_run, [&](auto size) {
    for_tiles(first, last, [&](Tile const& tile) {
      ByteRuns runs{dst + tile.dst, src + tile.src, inner.dst_stride, inner.src_stride, tile.inner};
      using Size = decltype(size);
      if constexpr (std::is_same_v<Size, std::integral_constant<std::size_t, 4>>) {
        if (is_transpose) return transpose<std::uint32_t>(runs, tile.outer, outer.dst_stride);
      } else if constexpr (std::is_same_v<Size, std::integral_constant<std::size_t, 8>>) {
        if (is_transpose) return transpose<std::uint64_t>(runs, tile.outer, outer.dst_stride);
      }
      for (std::size_t j = 0; j < tile.outer; ++j) {
        // Only pieces can differ from the size of a run, and their sizes are not small constants.
        if constexpr (std::is_same_v<Size, std::size_t>)
          for (std::size_t i = 0; i < runs.count; ++i)
            blocks.copy(runs.to + i * runs.to_stride, runs.from + i * runs.from_stride, tile.run);
        else
          copy_runs(runs, size);
        runs.to += outer.dst_stride;
        runs.from += outer.src_stride;
      }
    });
  });
}

void HostCopyTiles::fill(FillJob const& job, std::size_t first, std::size_t last, bool streamed) const {
  auto* const dst = static_cast<unsigned char*>(job.dst);
  HostFillElement const element(job);
  Loop const& inner = m_loop[m_inner];
  HostBlocks blocks(streamed);
  // Columns of elements, which are in the nearest cache: a run of few takes longer than to write each.
  bool const in_columns =
      m_run == element.size() || (!m_in_pieces && m_run <= cache_line && has_constant_size(element.size()));
  for_tiles(first, last, [&](Tile const& tile) {
    unsigned char* to = dst + tile.dst;
    for (std::size_t j = 0; j < tile.outer; ++j, to += m_loop[m_outer].dst_stride) {
      if (in_columns) {
        with_constant_size(element.size(), [&](auto size) {
          for (std::size_t column = 0; column < m_run; column += size)
            fill_strided(to + column, tile.inner, inner.dst_stride, job.element, size);
        });
      } else {
        unsigned char* run = to;
        for (std::size_t i = 0; i < tile.inner; ++i, run += inner.dst_stride) blocks.fill(run, element, tile.run);
      }
    }
  });
}

}  // namespace Kokkos::Impl
