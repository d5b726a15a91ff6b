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
#include <impl/copy/Kokkos_CopyPlan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

struct alignas(16) GPUWord16 {
  unsigned long long half[2];
};

inline constexpr unsigned gpu_pack_threads = 256;
inline constexpr unsigned gpu_pack_words   = 4;  // of a thread, where a row is one word
inline constexpr unsigned gpu_pack_blocks  = CopyPolicy::max_packing_blocks;

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

  KOKKOS_FUNCTION std::size_t extent() const { return first.extent * next_extent; }
  /// The distance of a word on the other side, whose stride in the first dimension is given.
  KOKKOS_FUNCTION std::size_t across(std::size_t i, std::size_t first_stride) const {
    if (next_extent == 1) return i * first_stride;
    unsigned const at = static_cast<unsigned>(i), e = static_cast<unsigned>(first.extent), next = at / e;
    return (at - next * e) * first_stride + next * next_stride;
  }
};

/// Transposes tiles of 2^log_f by 2^log_g words. Side f has the fastest dimension of dst, g the fastest of src.
template <class Intrinsics, class Word>
struct GPUCopyTiles {
  Word* dst;
  Word const* src;
  GPUTileSide f, g;
  int log_f, log_g;
  std::size_t tiles_f, tiles_g, tiles;
  int outer_rank;
  CopyDimension outer[copy_max_rank];

  /// Bytes of shared memory. Rows of a tile are padded by one word, so that the words of a column are in different
  /// banks.
  std::size_t shared_bytes() const {
    return ((std::size_t(1) << log_f) + 1) * (std::size_t(1) << log_g) * sizeof(Word);
  }

  KOKKOS_IMPL_DEVICE void operator()() const {
    Word* const tile     = reinterpret_cast<Word*>(Intrinsics::shared());
    unsigned const t     = static_cast<unsigned>(Intrinsics::thread_x());
    unsigned const size  = 1u << (log_f + log_g);
    unsigned const pitch = (1u << log_f) + 1;
    for (std::size_t k = Intrinsics::block_x(); k < tiles; k += Intrinsics::grid_dim_x()) {
      std::size_t rest     = k;
      std::size_t const f0 = gpu_take_index(rest, tiles_f) << log_f;
      std::size_t const g0 = gpu_take_index(rest, tiles_g) << log_g;
      std::size_t to = f0 * f.first.dst_stride, from = g0 * g.first.src_stride;
      for (int d = 0; d < outer_rank; ++d) {
        std::size_t const i = gpu_take_index(rest, outer[d].extent);
        to += i * outer[d].dst_stride;
        from += i * outer[d].src_stride;
      }
      for (unsigned i = t; i < size; i += gpu_pack_threads) {
        unsigned const gi = i & ((1u << log_g) - 1), fi = i >> log_g;
        if (g0 + gi < g.extent() && f0 + fi < f.extent())
          tile[gi * pitch + fi] = src[from + gi * g.first.src_stride + f.across(f0 + fi, f.first.src_stride)];
      }
      Intrinsics::barrier();
      for (unsigned i = t; i < size; i += gpu_pack_threads) {
        unsigned const fi = i & ((1u << log_f) - 1), gi = i >> log_f;
        if (g0 + gi < g.extent() && f0 + fi < f.extent())
          dst[to + fi * f.first.dst_stride + g.across(g0 + gi, g.first.dst_stride)] = tile[gi * pitch + fi];
      }
      Intrinsics::barrier();  // the next tile uses the same memory
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
    switch (pack.plan.element_bytes) {
      case 16:
        return by_words<GPUWord16>(instance, pack);
      case 8:
        return by_words<std::uint64_t>(instance, pack);
      case 4:
        return by_words<std::uint32_t>(instance, pack);
      case 2:
        return by_words<std::uint16_t>(instance, pack);
      default:
        return by_words<std::uint8_t>(instance, pack);
    }
  }

 private:
  template <class Word>
  static void by_words(Instance& instance, GPUPackPlan const& pack) {
    if (pack.plan.block == 1 && pack.plan.rank == 1) return column<Word>(instance, pack);
    GPUCopyTiles<Intrinsics, Word> tiles{};
    if (make_tiles(pack, &tiles)) {
      std::size_t const blocks = tiles.tiles < gpu_pack_blocks ? tiles.tiles : gpu_pack_blocks;
      return Impl::gpu_launch<GPUCopyTiles<Intrinsics, Word>>(
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
    auto const& device        = instance.properties();
    auto const blocks_for     = [&](std::size_t each) { return (words.extent - 1) / (gpu_pack_threads * each) + 1; };
    std::size_t const busy = std::size_t(device.threads_per_multiprocessor / gpu_pack_threads) * device.multiprocessors;
    std::size_t const blocks = std::max(std::min(blocks_for(1), busy), blocks_for(gpu_pack_words));
    Impl::gpu_launch<GPUCopyColumn<Intrinsics, Word>>(
        instance, {dim3(static_cast<unsigned>(std::min<std::size_t>(blocks, gpu_pack_blocks))), dim3(gpu_pack_threads)},
        static_cast<Word*>(pack.dst), static_cast<Word const*>(pack.src), words);
  }

  static int log2_of(std::size_t extent, int most) {
    int log = 0;
    while (log < most && (std::size_t(1) << log) < extent) ++log;
    return log;
  }

  /// Gives a side whose first dimension is shorter than a row of a tile a second dimension, if one continues it.
  /// \return the number of the second dimension, or 0
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
    tiles->f.first   = plan.dimension[0];
    tiles->g.first   = plan.dimension[fastest];
    int const next_f = add_second(plan, &tiles->f, &CopyDimension::dst_stride, &CopyDimension::src_stride, fastest, 0);
    int const next_g =
        add_second(plan, &tiles->g, &CopyDimension::src_stride, &CopyDimension::dst_stride, fastest, next_f);
    std::size_t const extent_f = tiles->f.extent(), extent_g = tiles->g.extent();
    int const log   = sizeof(Word) <= 2 ? 12 : 10;  // more words if they are small, so that a row spans several sectors
    int const log_f = log2_of(extent_f, log / 2), log_g = log2_of(extent_g, log / 2);
    tiles->log_g = log2_of(extent_g, log - log_f);
    tiles->log_f = log2_of(extent_f, log - (log_g < log / 2 ? log_g : tiles->log_g));
    if (tiles->log_f + tiles->log_g > log) tiles->log_f = log - tiles->log_g;
    if (tiles->log_f + tiles->log_g < log - 3) return false;  // tiles would have only a few words
    tiles->dst     = static_cast<Word*>(pack.dst);
    tiles->src     = static_cast<Word const*>(pack.src);
    tiles->tiles_f = ((extent_f - 1) >> tiles->log_f) + 1;
    tiles->tiles_g = ((extent_g - 1) >> tiles->log_g) + 1;
    tiles->tiles   = tiles->tiles_f * tiles->tiles_g;
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
