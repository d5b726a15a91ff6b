// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PACK_KERNELS_HPP
#define KOKKOS_GPU_PACK_KERNELS_HPP

/// \file
/// Kernels that copy strided elements between places that a device can access: by rows, or by tiles for transpositions.
///
/// All move words of 1 to 16 bytes, the largest size that divides all addresses, sizes and strides. The kernel is
/// chosen by the fastest dimension of each side. If it is the same on both sides, or elements consist of several words,
/// threads move along rows. Otherwise tiles go through shared memory, so that both sides are accessed contiguously.
/// Words in one dimension, such as a column of a matrix, have a kernel without divisions.

#include <impl/GPU/launch/Kokkos_GPU_KernelLaunch.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

inline constexpr unsigned gpu_pack_threads = 256;
inline constexpr unsigned gpu_pack_words   = 4;  // of a thread, where a row is one word
inline constexpr unsigned gpu_pack_blocks  = CopyPolicy::max_row_blocks;
inline constexpr unsigned gpu_tile_waves = 8;  // of blocks that copy tiles; for larger copies each block copies several

/// Extracts the index in a dimension of `extent` from a linear index. 32-bit divisions are several times faster.
KOKKOS_IMPL_DEVICE inline std::size_t gpu_take_index(std::size_t& rest, std::size_t extent) {
  if (rest >> 32 == 0 && extent >> 32 == 0) {
    unsigned const r = static_cast<unsigned>(rest), e = static_cast<unsigned>(extent), q = r / e;
    rest = q;
    return r - q * e;
  }
  std::size_t const q = rest / extent, i = rest - q * extent;
  rest = q;
  return i;
}

/// A plan in units of words, and the start of both sides.
struct GPUPackPlan {
  CopyPlan plan;  // element_bytes is the word size
  void* dst;
  void const* src;
};

/// The job in the largest words that it allows.
inline GPUPackPlan gpu_pack_plan(CopyPlan const& given, void* dst, void const* src) {
  GPUPackPlan pack{given, dst, src};
  CopyPlan& plan           = pack.plan;
  std::size_t const unit   = given.element_bytes;
  std::uintptr_t const all = reinterpret_cast<std::uintptr_t>(dst) | reinterpret_cast<std::uintptr_t>(src) | 16;
  std::size_t bits         = all | given.block * unit;
  for (int d = 0; d < given.rank; ++d)
    bits |= given.dimension[d].dst_stride * unit | given.dimension[d].src_stride * unit;
  std::size_t const word = bits & (~bits + 1);
  plan.element_bytes     = word;
  plan.block             = given.block * unit / word;
  for (int d = 0; d < plan.rank; ++d) {
    plan.dimension[d].dst_stride = given.dimension[d].dst_stride * unit / word;
    plan.dimension[d].src_stride = given.dimension[d].src_stride * unit / word;
  }
  return pack;
}

// ---- one dimension ----------------------------------------------------------------------------------------------------

/// Words at a constant distance on each side. The four loads of a thread are in flight before its first store.
template <class Intrinsics, class Word>
struct GPUCopyColumn {
  Word* dst;
  Word const* src;
  CopyDimension words;

  KOKKOS_IMPL_DEVICE void operator()() const {
    std::size_t const step = std::size_t(Intrinsics::grid_dim_x()) * gpu_pack_threads;
    std::size_t i          = std::size_t(Intrinsics::block_x()) * gpu_pack_threads + Intrinsics::thread_x();
    std::size_t const last = (gpu_pack_words - 1) * step;
    for (; words.extent > last && i < words.extent - last; i += gpu_pack_words * step) {
      Word word[gpu_pack_words];
#pragma unroll
      for (unsigned k = 0; k < gpu_pack_words; ++k) word[k] = src[(i + k * step) * words.src_stride];
#pragma unroll
      for (unsigned k = 0; k < gpu_pack_words; ++k) dst[(i + k * step) * words.dst_stride] = word[k];
    }
#pragma unroll 1
    for (; i < words.extent; i += step) dst[i * words.dst_stride] = src[i * words.src_stride];
  }
};

// ---- rows -----------------------------------------------------------------------------------------------------------

/// A block's threads form a grid of `lanes` by threads / lanes: the first index moves along a row, the second from row
/// to row.
template <class Intrinsics, class Word>
struct GPUCopyRows {
  GPUPackPlan pack;
  std::size_t rows;
  unsigned lanes;          // a power of two, at most the number of threads in a block
  unsigned blocks_of_row;  // number of blocks along a row

  KOKKOS_IMPL_DEVICE void operator()() const {
    unsigned const t           = static_cast<unsigned>(Intrinsics::thread_x());
    unsigned const block       = Intrinsics::block_x();
    unsigned const row_threads = gpu_pack_threads / lanes;
    std::size_t const first    = std::size_t(block % blocks_of_row) * lanes + t % lanes;
    std::size_t const step     = std::size_t(lanes) * blocks_of_row;
    std::size_t const row_step = std::size_t(Intrinsics::grid_dim_x() / blocks_of_row) * row_threads;
    std::size_t const row      = std::size_t(block / blocks_of_row) * row_threads + t / lanes;
    if (pack.plan.block == 1)
      copy_words(row, row_step);
    else
      for (std::size_t r = row; r < rows; r += row_step) copy_row(r, first, step);
  }

 private:
  struct Row {
    Word* dst;
    Word const* src;
  };

  KOKKOS_IMPL_DEVICE Row row_at(std::size_t r) const {
    CopyPlan const& plan = pack.plan;
    std::size_t to = 0, from = 0, rest = r;
    for (int d = 0; d < plan.rank; ++d) {
      std::size_t const i = d + 1 < plan.rank ? gpu_take_index(rest, plan.dimension[d].extent) : rest;
      to += i * plan.dimension[d].dst_stride;
      from += i * plan.dimension[d].src_stride;
    }
    return {static_cast<Word*>(pack.dst) + to, static_cast<Word const*>(pack.src) + from};
  }

  // Both functions have four loads in flight before the first store.

  /// Rows of one word.
  KOKKOS_IMPL_DEVICE void copy_words(std::size_t first, std::size_t step) const {
    for (std::size_t r = first; r < rows; r += gpu_pack_words * step) {
      Word* to[gpu_pack_words];
      Word word[gpu_pack_words];
#pragma unroll
      for (unsigned k = 0; k < gpu_pack_words; ++k) {
        if (r + k * step >= rows) break;
        Row const row = row_at(r + k * step);
        to[k]         = row.dst;
        word[k]       = *row.src;
      }
#pragma unroll
      for (unsigned k = 0; k < gpu_pack_words; ++k)
        if (r + k * step < rows) *to[k] = word[k];
    }
  }

  KOKKOS_IMPL_DEVICE void copy_row(std::size_t r, std::size_t first, std::size_t step) const {
    CopyPlan const& plan  = pack.plan;
    auto const [dst, src] = row_at(r);
    for (std::size_t c = first; c < plan.block; c += 4 * step) {
      Word word[4];
      for (int k = 0; k < 4; ++k)
        if (c + k * step < plan.block) word[k] = src[c + k * step];
      for (int k = 0; k < 4; ++k)
        if (c + k * step < plan.block) dst[c + k * step] = word[k];
    }
  }
};

// ---- tiles ----------------------------------------------------------------------------------------------------------

/// One or two dimensions of a tile. The second one continues the first one on the side where the tile's words are
/// neighbours, so that a tile is not shorter than a short first dimension.
struct GPUTileSide {
  CopyDimension first;
  std::size_t next_extent = 1, next_stride = 0;  // of the second dimension; its stride on the other side
  unsigned words    = 1;                         // of a tile
  std::size_t tiles = 1;

  KOKKOS_FUNCTION std::size_t extent() const { return first.extent * next_extent; }
  void set_words(unsigned of_tile) {
    words = of_tile;
    tiles = (extent() - 1) / words + 1;
  }
  /// The words of the tile that begins at word `begin` of the side.
  KOKKOS_FUNCTION unsigned words_from(std::size_t begin) const {
    std::size_t const left = extent() - begin;
    return left < words ? static_cast<unsigned>(left) : words;
  }
};

/// The offset, on the other side, of every `step`-th word of a side. Only start() divides.
class GPUTileWalk {
 public:
  /// \param stride the distance of the words of the side's first dimension on the other side
  KOKKOS_IMPL_DEVICE GPUTileWalk(GPUTileSide const& side, std::size_t stride, unsigned step)
      : m_stride(stride), m_step(step * stride) {
    if (side.next_extent == 1) return;
    m_extent  = static_cast<unsigned>(side.first.extent);
    m_next    = side.next_stride - m_extent * stride;
    m_in_step = step % m_extent;
    m_step += step / m_extent * m_next;
  }
  KOKKOS_IMPL_DEVICE void start(std::size_t word) {
    m_offset = word * m_stride;
    if (m_extent == 0) return;
    unsigned const at = static_cast<unsigned>(word), next = at / m_extent;
    m_in = at - next * m_extent;
    m_offset += next * m_next;
  }
  KOKKOS_IMPL_DEVICE void move() {
    m_offset += m_step;
    m_in += m_in_step;
    if (m_in < m_extent || m_extent == 0) return;
    m_in -= m_extent;
    m_offset += m_next;
  }
  KOKKOS_IMPL_DEVICE std::size_t offset() const { return m_offset; }

 private:
  std::size_t m_stride, m_step, m_offset = 0;
  std::size_t m_next = 0;                          // from the end of the first dimension to its next start
  unsigned m_extent = 0, m_in = 0, m_in_step = 0;  // of the first dimension, if there is a second one
};

/// The place of a thread in a block whose threads form rows along a side of a tile.
struct GPUTileLanes {
  unsigned rows, row;
  unsigned first;  // the first word of the thread in its row; none for threads beyond the last whole row

  KOKKOS_IMPL_DEVICE GPUTileLanes(unsigned words, unsigned thread) : rows(1), row(0), first(thread) {
    if (words >= gpu_pack_threads) return;
    rows  = gpu_pack_threads / words;
    row   = thread / words;
    first = row < rows ? thread - row * words : words;
  }
};

/// The sides of a tile.
struct GPUTileWords {
  unsigned f, g;
};

/// The sides of the tiles of a transposition, by the extents of its sides; 0 if tiles would have only a few words.
///
/// A tile has 1024 words, or more if they are small, so that a row spans several sectors. Next to a side that spans a
/// short extent, the other one is longer, by whole sectors, and by whole blocks of threads if it is longer than one.
constexpr GPUTileWords gpu_tile_words(std::size_t extent_f, std::size_t extent_g, std::size_t word_bytes) {
  unsigned const side = word_bytes <= 2 ? 64 : 32;
  auto const shorter  = [](std::size_t extent, unsigned most) {
    return extent < most ? static_cast<unsigned>(extent) : most;
  };
  GPUTileWords words{shorter(extent_f, side), shorter(extent_g, side)};
  auto const lengthen = [&](unsigned& longer, std::size_t extent, unsigned beside) {
    unsigned const most = side * side / beside, multiple = most < gpu_pack_threads ? 16 : gpu_pack_threads;
    longer = shorter(extent, most / multiple * multiple);
  };
  if (words.g < side && words.f == side) lengthen(words.f, extent_f, words.g);
  if (words.f < side && words.g == side) lengthen(words.g, extent_g, words.f);
  if (words.f * words.g < side * side / 8) return {0, 0};
  return words;
}

/// The distance of a tile's rows in shared memory, with which the words of a column that a warp loads are in different
/// banks: as many lanes as g has words, and then those of the next column.
constexpr unsigned gpu_tile_pitch(GPUTileWords words, std::size_t word_bytes) {
  unsigned const banks = word_bytes <= 4 ? 32 : static_cast<unsigned>(128 / word_bytes);
  if (words.g >= banks) return words.f | 1;
  unsigned const columns = (banks + words.g - 1) / words.g;
  unsigned pitch         = words.f;
  while (pitch % banks != columns % banks) ++pitch;
  return pitch;
}

/// With these bounds, the four words that a thread loads have registers. On an H200 such a kernel took 0.92 of the time of
/// one without bounds, and words of 16 bytes, which need more registers, 1.07.
template <class Word>
using GPUTileBounds = LaunchBounds<gpu_pack_threads, sizeof(Word) <= 8 ? 6 : 4>;

/// Transposes tiles of f.words by g.words. Side f has the fastest dimension of dst, g the fastest of src.
///
/// A thread keeps its word of the side along which it moves words, so that it has an address to add to, and no index to
/// divide. If a side is short, some threads of a block are beyond its last whole row.
template <class Intrinsics, class Word>
struct GPUCopyTiles {
  Word* dst;
  Word const* src;
  GPUTileSide f, g;
  unsigned pitch;  // the distance of a tile's rows in shared memory
  std::size_t tiles;
  int outer_rank;
  CopyDimension outer[copy_max_rank];

  /// Bytes of shared memory.
  std::size_t shared_bytes() const { return std::size_t(pitch) * g.words * sizeof(Word); }

  KOKKOS_IMPL_DEVICE void operator()() const {
    Word* const tile = reinterpret_cast<Word*>(Intrinsics::shared());
    GPUTileLanes const load_lanes(g.words, Intrinsics::thread_x()), store_lanes(f.words, Intrinsics::thread_x());
    GPUTileWalk from_f(f, f.first.src_stride, load_lanes.rows), to_g(g, g.first.dst_stride, store_lanes.rows);
    for (std::size_t k = Intrinsics::block_x(); k < tiles; k += Intrinsics::grid_dim_x()) {
      std::size_t rest     = k;
      std::size_t const f0 = gpu_take_index(rest, f.tiles) * f.words;
      std::size_t const g0 = g.tiles == 1 ? 0 : gpu_take_index(rest, g.tiles) * g.words;
      std::size_t to       = f0 * f.first.dst_stride;
      std::size_t from     = g0 * g.first.src_stride;
      for (int d = 0; d < outer_rank; ++d) {
        std::size_t const i = gpu_take_index(rest, outer[d].extent);
        to += i * outer[d].dst_stride;
        from += i * outer[d].src_stride;
      }
      unsigned const in_f = f.words_from(f0), in_g = g.words_from(g0);
      for (unsigned gi = load_lanes.first; gi < in_g; gi += gpu_pack_threads) {
        from_f.start(f0 + load_lanes.row);
        load(src + from + gi * g.first.src_stride, from_f, tile + gi * pitch, load_lanes, in_f);
      }
      Intrinsics::barrier();
      for (unsigned fi = store_lanes.first; fi < in_f; fi += gpu_pack_threads) {
        to_g.start(g0 + store_lanes.row);
        Word* const column = dst + to + fi * f.first.dst_stride;
        for (unsigned gi = store_lanes.row; gi < in_g; gi += store_lanes.rows, to_g.move())
          column[to_g.offset()] = tile[gi * pitch + fi];
      }
      Intrinsics::barrier();  // the next tile uses the same memory
    }
  }

 private:
  /// Loads every `step`-th word of a row; four loads are in flight before the first store.
  KOKKOS_IMPL_DEVICE static void load(Word const* from, GPUTileWalk& walk, Word* row, GPUTileLanes const& lanes,
                                      unsigned end) {
    unsigned const step = lanes.rows;
    for (unsigned i = lanes.row; i < end; i += gpu_pack_words * step) {
      Word word[gpu_pack_words];
#pragma unroll
      for (unsigned k = 0; k < gpu_pack_words; ++k, walk.move())
        if (i + k * step < end) word[k] = from[walk.offset()];
#pragma unroll
      for (unsigned k = 0; k < gpu_pack_words; ++k)
        if (i + k * step < end) row[i + k * step] = word[k];
    }
  }
};

// ---- the choice of a kernel, and its launch -------------------------------------------------------------------------

template <class Runtime>
class GPUPack {
  using Intrinsics = typename Runtime::intrinsics;
  using Instance   = GPUInstance<Runtime>;

 public:
  /// Enqueues a copy between places that the instance's device can access.
  static void copy(Instance& instance, CopyPlan const& plan, void* dst, void const* src) {
    if (plan.block == 0) return;
    GPUPackPlan const pack = gpu_pack_plan(plan, dst, src);
    with_gpu_word(pack.plan.element_bytes, [&](auto word) { by_words<decltype(word)>(instance, pack); });
  }

 private:
  template <class Word>
  static void by_words(Instance& instance, GPUPackPlan const& pack) {
    if (pack.plan.block == 1 && pack.plan.rank == 1) return column<Word>(instance, pack);
    GPUCopyTiles<Intrinsics, Word> tiles{};
    if (make_tiles(pack, &tiles)) {
      std::size_t const most   = gpu_tile_waves * resident_blocks(instance);
      std::size_t const blocks = tiles.tiles < most ? tiles.tiles : most;
      return Impl::gpu_launch<GPUCopyTiles<Intrinsics, Word>, GPUTileBounds<Word>>(
          instance, {dim3(static_cast<unsigned>(blocks)), dim3(gpu_pack_threads), tiles.shared_bytes()}, tiles);
    }
    GPUCopyRows<Intrinsics, Word> rows{pack, pack.plan.blocks(), 1, 1};
    while (rows.lanes < gpu_pack_threads && rows.lanes < pack.plan.block) rows.lanes *= 2;
    std::size_t const along  = (pack.plan.block + rows.lanes * 4 - 1) / (rows.lanes * 4);
    rows.blocks_of_row       = static_cast<unsigned>(along < gpu_pack_blocks ? along : gpu_pack_blocks);
    unsigned const at_once   = gpu_pack_threads / rows.lanes * (pack.plan.block == 1 ? gpu_pack_words : 1);
    std::size_t const groups = (rows.rows + at_once - 1) / at_once;
    std::size_t const most   = gpu_pack_blocks / rows.blocks_of_row;
    std::size_t const blocks = (groups < most ? groups : most) * rows.blocks_of_row;
    Impl::gpu_launch<GPUCopyRows<Intrinsics, Word>>(
        instance, {dim3(static_cast<unsigned>(blocks)), dim3(gpu_pack_threads)}, rows);
  }

  /// A thread has one word until each multiprocessor has as many threads as it runs, and then up to four.
  template <class Word>
  static void column(Instance& instance, GPUPackPlan const& pack) {
    CopyDimension const words = pack.plan.dimension[0];
    auto const blocks_for     = [&](std::size_t each) { return (words.extent - 1) / (gpu_pack_threads * each) + 1; };
    std::size_t const blocks = std::max(std::min(blocks_for(1), resident_blocks(instance)), blocks_for(gpu_pack_words));
    Impl::gpu_launch<GPUCopyColumn<Intrinsics, Word>>(
        instance, {dim3(static_cast<unsigned>(std::min<std::size_t>(blocks, gpu_pack_blocks))), dim3(gpu_pack_threads)},
        static_cast<Word*>(pack.dst), static_cast<Word const*>(pack.src), words);
  }

  /// The blocks that the device runs at the same time.
  static std::size_t resident_blocks(Instance const& instance) {
    auto const& device = instance.properties();
    return std::size_t(device.threads_per_multiprocessor / gpu_pack_threads) * device.multiprocessors;
  }

  /// Gives a side whose first dimension is short a second dimension, if one continues it. \return its number, or 0
  static int add_second(CopyPlan const& plan, GPUTileSide* side, std::size_t CopyDimension::* own,
                        std::size_t CopyDimension::* other, int fastest, int taken) {
    CopyDimension const& first = side->first;
    if (first.extent >= 32) return 0;
    for (int d = 1; d < plan.rank; ++d) {
      CopyDimension const& next = plan.dimension[d];
      if (d == fastest || d == taken || next.*own != first.extent * (first.*own)) continue;
      if (next.extent > 0xffffffffu / first.extent) continue;  // indices of both have 32 bits
      side->next_extent = next.extent;
      side->next_stride = next.*other;
      return d;
    }
    return 0;
  }

  /// Whether the copy is a transposition that benefits from tiles. If so, sets up `*tiles`.
  template <class Word>
  static bool make_tiles(GPUPackPlan const& pack, GPUCopyTiles<Intrinsics, Word>* tiles) {
    CopyPlan const& plan = pack.plan;
    if (plan.block != 1 || plan.rank < 2) return false;
    int fastest = 0;  // fastest dimension of src; dimension 0 is the fastest of dst
    for (int d = 1; d < plan.rank; ++d)
      if (plan.dimension[d].src_stride < plan.dimension[fastest].src_stride) fastest = d;
    if (fastest == 0) return false;
    tiles->f.first = plan.dimension[0];
    tiles->g.first = plan.dimension[fastest];
    // Beside a long side, tiles with a few words on the short one take 0.8 of the time of tiles with more.
    auto const [shorter, longer] = std::minmax({tiles->f.extent(), tiles->g.extent()});
    int next_f = 0, next_g = 0;
    if (longer < 32 || shorter < 4) {
      next_f = add_second(plan, &tiles->f, &CopyDimension::dst_stride, &CopyDimension::src_stride, fastest, 0);
      next_g = add_second(plan, &tiles->g, &CopyDimension::src_stride, &CopyDimension::dst_stride, fastest, next_f);
    }
    GPUTileWords const words = gpu_tile_words(tiles->f.extent(), tiles->g.extent(), sizeof(Word));
    if (words.f == 0) return false;
    tiles->f.set_words(words.f), tiles->g.set_words(words.g);
    tiles->pitch = gpu_tile_pitch(words, sizeof(Word));
    tiles->dst   = static_cast<Word*>(pack.dst);
    tiles->src   = static_cast<Word const*>(pack.src);
    tiles->tiles = tiles->f.tiles * tiles->g.tiles;
    for (int d = 1; d < plan.rank; ++d) {
      if (d == fastest || d == next_f || d == next_g) continue;
      tiles->outer[tiles->outer_rank++] = plan.dimension[d];
      tiles->tiles *= plan.dimension[d].extent;
    }
    return true;
  }
};

}  // namespace Kokkos::Impl

#endif
