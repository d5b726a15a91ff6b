// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_BATCH_CONVOLUTION_HPP
#define CONV2D_BATCH_CONVOLUTION_HPP

/// \file
/// The convolution of a batch of images, with padding and strides, for any number of channels.
///
/// output(b, n, y, x) = sum over c, dy, dx of filter(n, c, dy, dx) * input(b, c, y * stride + dy - padding,
///                                                                                 x * stride + dx - padding)
///
/// Outside the image the input counts as zero; no memory there is read. One work item computes a tile: some output
/// channels of some rows and columns. Its sums stay in registers. Each filter weight is used for all pixels of the
/// tile, and each pixel for all output channels of the tile.

#include <Kokkos_Core.hpp>
#include <Kokkos_Half.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

// A loop over sums in registers must be unrolled, because registers cannot be indexed. Other compilers unroll it
// without a pragma.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define CONV2D_UNROLL _Pragma("unroll")
#else
#define CONV2D_UNROLL
#endif

namespace conv2d {

struct Shape {
  int images, inputs, outputs;  ///< size of the batch; numbers of channels
  int height, width;            ///< of the input
  int size, padding, stride;  ///< the side of a filter in pixels; zeros around the image; input pixels per output pixel

  KOKKOS_FUNCTION int out_height() const { return (height + 2 * padding - size) / stride + 1; }
  KOKKOS_FUNCTION int out_width() const { return (width + 2 * padding - size) / stride + 1; }
  std::size_t weights() const { return std::size_t(outputs) * inputs * size * size; }
  /// One multiplication and one addition per weight and output pixel.
  double operations() const { return 2.0 * double(weights()) * images * out_height() * out_width(); }
  /// Input and output, each moved once between memory and registers.
  double elements_moved() const {
    return double(images) * (double(inputs) * height * width + double(outputs) * out_height() * out_width());
  }
};

/// \throws std::runtime_error if the filter is larger than the padded image, or a number is not positive.
inline void check(Shape const& s) {
  if (s.images < 1 || s.inputs < 1 || s.outputs < 1 || s.height < 1 || s.width < 1 || s.size < 1 || s.padding < 0 ||
      s.stride < 1) {
    throw std::runtime_error(
        "conv2d: images, channels, extents, filter size and stride are 1 or more, the padding 0 or more.");
  }
  if (s.height + 2 * s.padding < s.size || s.width + 2 * s.padding < s.size) {
    throw std::runtime_error("conv2d: a filter of " + std::to_string(s.size) + " x " + std::to_string(s.size) +
                             " pixels is larger than the padded image of " + std::to_string(s.height + 2 * s.padding) +
                             " x " + std::to_string(s.width + 2 * s.padding) + ".");
  }
}

/// The work of one work item.
struct Tile {
  int outputs, rows, columns;
};

/// A GPU has a thread for a few columns, which one instruction reads or writes, so that neighbouring threads access
/// neighbouring pixels. A host thread computes neighbouring columns in the elements of SIMD registers.
template <class Space>
constexpr Tile default_tile =
    std::is_same_v<typename Space::memory_space, Kokkos::HostSpace> ? Tile{4, 1, 8} : Tile{8, 2, 4};

/// [image][channel][row][column]
template <class T, class Space>
using Images = Kokkos::View<T****, Kokkos::LayoutRight, typename Space::memory_space>;

/// Sums of half-precision products are kept in single precision.
template <class T>
using Sum = std::conditional_t<sizeof(T) < sizeof(float), float, T>;

// ---- filters

/// The position of a weight in memory: the output channels of a tile are adjacent, so that one load reads several. The
/// last tile is padded with zeros.
struct FilterOrder {
  int inputs, size, tile_outputs;
  KOKKOS_FUNCTION int at(int block, int c, int dx, int dy) const {
    return (((block * inputs + c) * size + dx) * size + dy) * tile_outputs;
  }
  std::size_t length(int outputs) const {
    int const blocks = (outputs + tile_outputs - 1) / tile_outputs;
    return std::size_t(blocks) * inputs * size * size * tile_outputs;
  }
};

/// An unsigned type of `bytes` that a GPU loads and stores by one instruction. nvcc does so for its own vector types, and
/// accesses the elements of others one by one.
template <std::size_t bytes>
struct ChunkOf;
template <>
struct ChunkOf<4> {
  using type = std::uint32_t;
};
#ifdef __CUDACC__
template <>
struct ChunkOf<8> {
  using type = uint2;
};
template <>
struct ChunkOf<16> {
  using type = uint4;
};
#else
template <>
struct ChunkOf<8> {
  using type = std::uint64_t;
};
template <>
struct ChunkOf<16> {
  struct alignas(16) type {
    std::uint32_t x, y, z, w;
  };
};
#endif

/// `N` adjacent elements consist of chunks of this many bytes.
template <class T, int N>
constexpr std::size_t chunk_bytes = N * sizeof(T) % 16 == 0  ? 16
                                    : N * sizeof(T) % 8 == 0 ? 8
                                                             : 4;

/// Copies `N` adjacent elements. `from` must be aligned to a chunk.
template <int N, class T>
KOKKOS_FUNCTION void load_neighbours(T const* from, T (&to)[N]) {
  using Chunk        = typename ChunkOf<chunk_bytes<T, N>>::type;
  constexpr int each = sizeof(Chunk) / sizeof(T);
  static_assert(N % each == 0);
  CONV2D_UNROLL for (int i = 0; i < N / each; ++i) {
    Chunk const chunk = reinterpret_cast<Chunk const*>(from)[i];
    std::memcpy(to + i * each, &chunk, sizeof chunk);
  }
}

/// Copies `N` adjacent elements. `to` must be aligned to a chunk.
template <int N, class T>
KOKKOS_FUNCTION void store_neighbours(T const (&from)[N], T* to) {
  using Chunk        = typename ChunkOf<chunk_bytes<T, N>>::type;
  constexpr int each = sizeof(Chunk) / sizeof(T);
  static_assert(N % each == 0);
  CONV2D_UNROLL for (int i = 0; i < N / each; ++i) {
    Chunk chunk;
    std::memcpy(&chunk, from + i * each, sizeof chunk);
    reinterpret_cast<Chunk*>(to)[i] = chunk;
  }
}

/// Filters in the functor. They are transferred to a GPU with the launch, as kernel parameters in constant memory if
/// they are small enough, and need no memory of their own. `Capacity` is a number of weights.
template <class T, int Capacity>
struct HeldFilters {
  static constexpr int capacity = Capacity;
  alignas(16) T values[Capacity];
  KOKKOS_FUNCTION T const* at(int i) const { return &values[i]; }
};

/// Filters in memory of the space.
template <class T, class Space>
struct ViewFilters {
  Kokkos::View<T const*, typename Space::memory_space> values;
  KOKKOS_FUNCTION T const* at(int i) const { return &values(i); }
};

/// Copies weights [output][input][row][column] to `to`, in the order of FilterOrder, whose length `to` must have.
template <class T, class Weights>
void arrange_filters(Shape const& s, FilterOrder const& order, Weights const& weights, T* to) {
  for (std::size_t i = 0; i < order.length(s.outputs); ++i) to[i] = T(0);
  for (int n = 0; n < s.outputs; ++n) {
    for (int c = 0; c < s.inputs; ++c) {
      for (int dy = 0; dy < s.size; ++dy) {
        for (int dx = 0; dx < s.size; ++dx) {
          to[order.at(n / order.tile_outputs, c, dx, dy) + n % order.tile_outputs] = weights(n, c, dy, dx);
        }
      }
    }
  }
}

// ---- kernel

/// `Size` is the size of the filters as a compile-time constant, where the stride is 1; or 0 for any size and stride.
/// With `reads_ahead` a work item reads the pixels of the next channel before it uses those of the present one, so that
/// it computes while they arrive. It reads those of the last channel twice.
/// With `aligned`, the rows of input and output are equally long and consist of whole tiles, and begin at the address of
/// a chunk, so the columns of a tile are read or written together.
///
/// A GPU starts one instruction of a warp per cycle and scheduler, so what is not a multiply-add costs speed. Therefore
///  - a tile has enough sums in registers that each weight and each pixel in a register serves many of them;
///  - a patch, which is the input below a tile in one channel, is read once for all weights of the filters;
///  - whether the rows of a tile are inside the image is decided once, not for each pixel;
///  - members are copied to local variables: a functor of many filters is in device memory, and a kernel would read its
///    members there again and again;
///  - the position of a tile is computed once, from unsigned numbers, whose division is shorter;
///  - pointers to pixels advance from row to row. The compiler would keep the offset of each row in a register, and
///    would have to move sums to memory.
template <class T, class Space, class Filters, Tile tile, int Size, bool reads_ahead, bool aligned>
struct Convolve {
  Kokkos::View<T const****, Kokkos::LayoutRight, typename Space::memory_space> input;
  Images<T, Space> output;
  Filters filters;
  Shape shape;
  int out_height, out_width;  // the shape computes them by divisions
  unsigned row_tiles, column_tiles, output_tiles;
  unsigned places;  // tiles of all images, for one tile of output channels

  /// Kernels that read ahead wait for memory most. The others lose more by the divisions that this costs.
  static constexpr bool gathers_outputs =
      reads_ahead && !std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;
  static constexpr unsigned lanes = 32;

  struct Sums {
    Sum<T> of[tile.outputs][tile.rows][tile.columns] = {};
  };
  /// A channel of an image, and the position of a pixel in it, which may be outside of the image.
  struct Plane {
    T const* first;
    int height, width;

    template <bool RowsInside = false>
    KOKKOS_FUNCTION bool contains(int row, int column) const {
      return (RowsInside || unsigned(row) < unsigned(height)) && unsigned(column) < unsigned(width);
    }
    KOKKOS_FUNCTION Sum<T> pixel(int row, int column) const {
      return contains(row, column) ? static_cast<Sum<T>>(first[row * width + column]) : Sum<T>(0);
    }
  };
  /// The pixels below a tile in one channel; zeros outside of the image.
  struct Patch {
    static constexpr int rows = tile.rows + Size - 1, columns = tile.columns + Size - 1;
    Sum<T> at[rows][columns];
  };

  /// Work items that are close to each other: neighbouring threads read and write neighbouring pixels, and the threads
  /// of a warp read the same weights.
  KOKKOS_FUNCTION void operator()(unsigned work) const {
    unsigned n = 0;
    if constexpr (gathers_outputs) {
      // All output channels of the same pixels in one block of threads, which finds the pixels in its cache.
      unsigned const lane = work % lanes;
      work /= lanes;
      n    = work % output_tiles;
      work = work / output_tiles * lanes + lane;
      if (work >= places) return;
    }
    int const x = int(work % column_tiles) * tile.columns;
    work /= column_tiles;
    int const y = int(work % row_tiles) * tile.rows;
    work /= row_tiles;
    if constexpr (!gathers_outputs) {
      n = work % output_tiles;
      work /= output_tiles;
    }
    int const image  = int(work);
    int const stride = Size == 0 ? shape.stride : 1;
    Sums sums;
    add_products(image, int(n), y * stride - shape.padding, x * stride - shape.padding, sums);
    store(sums, image, int(n) * tile.outputs, y, x);
  }

 private:
  KOKKOS_FUNCTION void add_products(int image, int output_tile, int row, int column, Sums& sums) const {
    Plane plane{&input(image, 0, 0, 0), shape.height, shape.width};
    int const weight = output_tile * shape.inputs * shape.size * shape.size * tile.outputs;
    if constexpr (Size == 0) {
      add_planes(plane, row, column, weight, sums);
    } else if (row >= 0 && row + Patch::rows <= plane.height) {
      add_patches<true>(plane, row, column, weight, sums);
    } else {
      add_patches<false>(plane, row, column, weight, sums);
    }
  }

  // In these functions the weights of the next input channel begin at `weight`.

  KOKKOS_FUNCTION void add_planes(Plane plane, int row, int column, int weight, Sums& sums) const {
    int const inputs = shape.inputs, plane_size = shape.height * shape.width, size = shape.size, stride = shape.stride;
    for (int c = 0; c < inputs; ++c, plane.first += plane_size) {
      for (int dx = 0; dx < size; ++dx) {
        for (int dy = 0; dy < size; ++dy, weight += tile.outputs) {
          add_pixels(plane, row + dy, column + dx, stride, weight, sums);
        }
      }
    }
  }

  template <bool RowsInside>
  KOKKOS_FUNCTION void add_patches(Plane plane, int row, int column, int weight, Sums& sums) const {
    int const inputs = shape.inputs, plane_size = shape.height * shape.width;
    Patch patch;
    if constexpr (reads_ahead) {
      Patch next;
      read<RowsInside>(plane, row, column, next);
      for (int c = 1; c <= inputs; ++c, weight += Size * Size * tile.outputs) {
        patch = next;
        if (c < inputs) plane.first += plane_size;  // a branch around read() would cost registers
        read<RowsInside>(plane, row, column, next);
        add_patch(patch, weight, sums);
      }
    } else {
      int c = 0;
      do {  // at least once, so that the compiler need not provide for sums of no channel
        read<RowsInside>(plane, row, column, patch);
        add_patch(patch, weight, sums);
        plane.first += plane_size;
        weight += Size * Size * tile.outputs;
      } while (++c < inputs);
    }
  }

  template <bool RowsInside>
  KOKKOS_FUNCTION static void read(Plane const& plane, int row, int column, Patch& patch) {
    T const* line = plane.first + (row * plane.width + column);
    CONV2D_UNROLL for (int y = 0; y < Patch::rows; ++y, line += plane.width) {
      CONV2D_UNROLL for (int x = 0; x < Patch::columns; ++x) {
        if (aligned && x >= Size / 2 && x < Size / 2 + tile.columns) continue;
        bool const is_inside = plane.template contains<RowsInside>(row + y, column + x);
        patch.at[y][x]       = is_inside ? static_cast<Sum<T>>(line[x]) : Sum<T>(0);
      }
      if constexpr (aligned) {  // the columns of the tile itself, which are inside
        T own[tile.columns] = {};
        if (RowsInside || unsigned(row + y) < unsigned(plane.height)) load_neighbours(line + Size / 2, own);
        CONV2D_UNROLL for (int x = 0; x < tile.columns; ++x) {
          patch.at[y][x + Size / 2] = static_cast<Sum<T>>(own[x]);
        }
      }
    }
  }

  KOKKOS_FUNCTION void add_patch(Patch const& patch, int weight, Sums& sums) const {
    CONV2D_UNROLL for (int dx = 0; dx < Size; ++dx) CONV2D_UNROLL for (int dy = 0; dy < Size; ++dy) {
      Sum<T> weights[tile.outputs];
      load_weights(weight + (dx * Size + dy) * tile.outputs, weights);
      CONV2D_UNROLL for (int n = 0; n < tile.outputs; ++n) CONV2D_UNROLL for (int y = 0; y < tile.rows; ++y)
          CONV2D_UNROLL for (int x = 0; x < tile.columns; ++x)
              sums.of[n][y][x] += weights[n] * patch.at[y + dy][x + dx];
    }
  }

  /// Adds the products of one weight of each filter.
  KOKKOS_FUNCTION void add_pixels(Plane const& plane, int row, int column, int stride, int weight, Sums& sums) const {
    Sum<T> weights[tile.outputs];
    load_weights(weight, weights);
    CONV2D_UNROLL for (int y = 0; y < tile.rows; ++y) CONV2D_UNROLL for (int x = 0; x < tile.columns; ++x) {
      Sum<T> const value = plane.pixel(row + y * stride, column + x * stride);
      CONV2D_UNROLL for (int n = 0; n < tile.outputs; ++n) sums.of[n][y][x] += weights[n] * value;
    }
  }

  KOKKOS_FUNCTION void load_weights(int first, Sum<T> (&weights)[tile.outputs]) const {
    T loaded[tile.outputs];
    load_neighbours(filters.at(first), loaded);
    CONV2D_UNROLL for (int n = 0; n < tile.outputs; ++n) weights[n] = static_cast<Sum<T>>(loaded[n]);
  }

  KOKKOS_FUNCTION void store(Sums const& sums, int image, int n0, int y0, int x0) const {
    bool const is_whole =
        n0 + tile.outputs <= shape.outputs && y0 + tile.rows <= out_height && x0 + tile.columns <= out_width;
    is_whole ? store<true>(sums, image, n0, y0, x0) : store<false>(sums, image, n0, y0, x0);
  }
  /// Pointers advance from row to row, which costs less than an index of four numbers for each element.
  template <bool Whole>
  KOKKOS_FUNCTION void store(Sums const& sums, int image, int n0, int y0, int x0) const {
    int const height = out_height, width = out_width, outputs = shape.outputs;
    T* to = &output(image, n0, y0, x0);
    CONV2D_UNROLL for (int n = 0; n < tile.outputs; ++n, to += height * width) {
      if (!Whole && n0 + n >= outputs) return;
      T* row = to;
      CONV2D_UNROLL for (int y = 0; y < tile.rows; ++y, row += width) {
        T values[tile.columns];
        CONV2D_UNROLL for (int x = 0; x < tile.columns; ++x) values[x] = static_cast<T>(sums.of[n][y][x]);
        if constexpr (aligned) {
          if (Whole || y0 + y < height) store_neighbours(values, row);
        } else {
          CONV2D_UNROLL for (int x = 0; x < tile.columns; ++x) {
            if (Whole || (y0 + y < height && x0 + x < width)) row[x] = values[x];
          }
        }
      }
    }
  }
};

/// Small blocks, because the sums need many registers, and a multiprocessor allocates registers for whole blocks only.
/// With five blocks, or two for double, a thread has 128 or 255 registers. Fewer threads with more registers each are
/// slower, because they hide less of the time of a load.
template <class T>
using Bounds = std::conditional_t<sizeof(Sum<T>) == 8, Kokkos::LaunchBounds<128, 2>, Kokkos::LaunchBounds<96, 5>>;

/// From this number of input channels on, reading ahead hides more time than its last, unused patch costs.
constexpr int read_ahead_inputs = 8;

template <int Size, bool reads_ahead, bool aligned, class T, class Space, class Filters>
void launch(Space const& space, Shape const& s, Images<T, Space> const& input, Filters const& filters,
            Images<T, Space> const& output) {
  constexpr Tile tile = default_tile<Space>;
  using Functor       = Convolve<T, Space, Filters, tile, Size, reads_ahead, aligned>;
  auto const tiles_of = [](int extent, int each) { return (extent + each - 1) / each; };
  int const rows = tiles_of(s.out_height(), tile.rows), columns = tiles_of(s.out_width(), tile.columns);
  int const outputs   = tiles_of(s.outputs, tile.outputs);
  constexpr int lanes = Functor::gathers_outputs ? int(Functor::lanes) : 1;
  double const places = double(s.images) * rows * columns, work = (places + lanes - 1) * outputs;
  if (work > std::numeric_limits<int>::max()) {
    throw std::runtime_error("conv2d: the batch has " + std::to_string(work) +
                             " tiles and an int counts them. Use smaller batches.");
  }
  using Policy         = Kokkos::RangePolicy<Space, Kokkos::IndexType<unsigned>, Bounds<T>>;
  unsigned const whole = (unsigned(places) + lanes - 1) / lanes * lanes;
  Kokkos::parallel_for("conv2d", Policy(space, 0, whole * unsigned(outputs)),
                       Functor{input, output, filters, s, s.out_height(), s.out_width(), unsigned(rows),
                               unsigned(columns), unsigned(outputs), unsigned(places)});
}

/// If one instruction can read, or write, the columns of a tile.
template <int Size, class T, class Space>
bool is_aligned(Shape const& s, Images<T, Space> const& input, Images<T, Space> const& output) {
  constexpr int columns     = default_tile<Space>.columns;
  auto const begins_a_chunk = [](T const* p) {
    return reinterpret_cast<std::uintptr_t>(p) % chunk_bytes<T, columns> == 0;
  };
  return s.padding == Size / 2 && s.width % columns == 0 && begins_a_chunk(input.data()) &&
         begins_a_chunk(output.data());
}

/// Starts the convolution on `space` and returns. The filters must have the order of FilterOrder for this tile. Filters
/// of 3 x 3 without stride have specialised kernels.
template <class T, class Space, class Filters>
void convolve(Space const& space, Shape const& s, Images<T, Space> const& input, Filters const& filters,
              Images<T, Space> const& output) {
  check(s);
  if (s.size != 3 || s.stride != 1) {
    launch<0, false, false, T>(space, s, input, filters, output);
  } else if constexpr (std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>) {
    // Hosts need no other variants: the hardware prefetches, and the compiler vectorises loads.
    launch<3, false, false, T>(space, s, input, filters, output);
  } else {
    bool const reads_ahead = s.inputs >= read_ahead_inputs;
    if (is_aligned<3, T, Space>(s, input, output)) {
      reads_ahead ? launch<3, true, true, T>(space, s, input, filters, output)
                  : launch<3, false, true, T>(space, s, input, filters, output);
    } else {
      reads_ahead ? launch<3, true, false, T>(space, s, input, filters, output)
                  : launch<3, false, false, T>(space, s, input, filters, output);
    }
  }
}

}  // namespace conv2d

#endif
