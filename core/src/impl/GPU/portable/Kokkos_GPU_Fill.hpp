// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_FILL_HPP
#define KOKKOS_GPU_FILL_HPP

/// \file
/// Overwrites memory with a value, 16 bytes at a time, in stream order, without waiting for anything.
///
/// It uses the runtime's `launch`, `memset_async`, `launch_host_function`, `stream_is_capturing` and the type `dim3_t`,
/// and from `Runtime::intrinsics` `thread_x`, `block_dim_x`, `block_x`, `grid_dim_x`, `barrier` and `shared`.
///
/// The kind of memory determines who writes. No call is made in the expectation that it may fail.
///
/// | memory | all bytes of the value are equal, no gaps | else |
/// |---|---|---|
/// | of the runtime: device, managed, pinned, registered | its memset | a kernel |
/// | pageable host memory that the device can access | a kernel | a kernel |
/// | pageable host memory that it cannot access | a function on the host, in stream order | the same |
///
/// A runtime may refuse to memset pageable memory even if kernels can access it (HIP on MI300A, ROCm 6.2 and before).
///
/// Kernels store 16 bytes at a time. If the size of a value does not divide 16, the value is laid out as a pattern of
/// 16-byte words that repeats after the least common multiple of both sizes. A pattern of at most 3.5 KB is passed in
/// the kernel's parameters. Larger values are written once, in pieces that are passed in the same way, and copied from
/// there.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_GraphKeeper.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define KOKKOS_IMPL_FILL_DEVICE __device__
#else  // a model of a GPU on the host
#define KOKKOS_IMPL_FILL_DEVICE
#endif

namespace Kokkos::Impl {

/// The executor of a fill.
enum class GPUFillMethod {
  runtime,  ///< memory that the runtime's memset accepts
  kernel,   ///< only kernels can access it
  host,     ///< no kernel can access it
};

/// Chooses the method for host memory. `of_runtime`: the runtime allocated or registered the memory.
/// `pageable_access`: kernels of the device can access pageable memory.
inline GPUFillMethod gpu_fill_method(bool of_runtime, bool pageable_access) noexcept {
  if (of_runtime) return GPUFillMethod::runtime;
  return pageable_access ? GPUFillMethod::kernel : GPUFillMethod::host;
}

/// The region to fill: rows of `row` values without gaps, in up to 8 dimensions. Rank 0 is one row.
struct GPUFillJob {
  static constexpr int max_rank = 8;
  struct Dimension {
    std::size_t extent;
    std::size_t stride;  ///< bytes
  };
  void* dst;
  void const* value;  ///< on the host; read before the call returns
  std::size_t value_bytes;
  std::size_t row;
  int rank                      = 0;
  Dimension dimension[max_rank] = {};

  std::size_t rows() const noexcept {
    std::size_t n = 1;
    for (int d = 0; d < rank; ++d) n *= dimension[d].extent;
    return n;
  }
  bool is_byte_pattern() const noexcept {
    auto const* b = static_cast<unsigned char const*>(value);
    return std::memcmp(b, b + 1, value_bytes - 1) == 0;  // each byte equals the next one
  }
};

// ---- kernels ------------------------------------------------------------------------------------------------------

/// The largest word that a thread moves at once.
struct alignas(16) GPUWord16 {
  unsigned long long half[2];
};

/// Calls f(Word()) with the type of words of `bytes` bytes: 1, 2, 4, 8 or 16.
template <class F>
void with_gpu_word(std::size_t bytes, F const& f) {
  switch (bytes) {
    case 16:
      return f(GPUWord16());
    case 8:
      return f(std::uint64_t());
    case 4:
      return f(std::uint32_t());
    case 2:
      return f(std::uint16_t());
    default:
      return f(std::uint8_t());
  }
}

inline constexpr unsigned gpu_fill_threads      = 256;
inline constexpr unsigned gpu_fill_unroll       = 4;   // words that a thread stores in each iteration of its block
inline constexpr unsigned gpu_fill_row_words    = 16;  // minimum number of words of a row for each thread
inline constexpr std::size_t gpu_fill_parameter = CopyPolicy::fill_parameter_bytes;
// The maximum number of bytes that one kernel fills, just under 256 GiB: HIP refuses a grid of 2^32 threads.
inline constexpr std::size_t gpu_fill_kernel_bytes =
    (0xffffffffu / gpu_fill_threads - 1) * std::size_t(gpu_fill_threads * gpu_fill_unroll) * sizeof(GPUWord16);

// The model requires the calling convention of a kernel, whose threads share the parameters.
#if defined(KOKKOS_IMPL_GPU_MODEL)
template <class Work>
void gpu_fill_kernel(Work const& work) {
  work();
}
template <class Work>
void const* gpu_fill_entry() {
  return ::hip_model::kernel_entry<&gpu_fill_kernel<Work>>();
}
#else
// If CUDA allows it, indexed parameters stay in parameter memory instead of being copied for each thread.
template <class Work>
#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
__global__ void __launch_bounds__(gpu_fill_threads) gpu_fill_kernel(const __grid_constant__ Work work) {
#else
__global__ void __launch_bounds__(gpu_fill_threads) gpu_fill_kernel(const Work work) {
#endif
  work();
}
template <class Work>
void const* gpu_fill_entry() {
  return reinterpret_cast<void const*>(&gpu_fill_kernel<Work>);
}
#endif

/// The bytes before the first and after the last whole word.
struct GPUFillEnds {
  unsigned char* first;
  unsigned char* last;
  unsigned char first_bytes[15], first_count;
  unsigned char last_bytes[15], last_count;

  KOKKOS_IMPL_FILL_DEVICE void write(unsigned thread) const {
    if (thread < first_count) first[thread] = first_bytes[thread];
    if (thread < last_count) last[thread] = last_bytes[thread];
  }
};

/// One row that repeats one 16-byte word.
template <class Intrinsics>
struct GPUFillWords {
  GPUWord16* dst;
  std::size_t words;
  GPUWord16 word;
  GPUFillEnds ends;

  KOKKOS_IMPL_FILL_DEVICE void operator()() const {
    unsigned const t       = static_cast<unsigned>(Intrinsics::thread_x());
    std::size_t const tile = gpu_fill_threads * gpu_fill_unroll;
    std::size_t i          = Intrinsics::block_x() * tile + t;
    if (i - t + tile <= words) {
#if defined(__CUDACC__) || defined(__HIPCC__)
#pragma unroll
#endif
      for (unsigned k = 0; k < gpu_fill_unroll; ++k) dst[i + k * gpu_fill_threads] = word;
    } else {
      for (; i < words; i += gpu_fill_threads) dst[i] = word;
    }
    if (Intrinsics::block_x() == 0) ends.write(t);
  }
};

/// One row that repeats a pattern of several words.
template <class Intrinsics>
struct GPUFillPattern {
  GPUWord16* dst;
  std::size_t words;
  unsigned period;  // words
  GPUFillEnds ends;
  GPUWord16 pattern[gpu_fill_parameter / sizeof(GPUWord16)];

  KOKKOS_IMPL_FILL_DEVICE void operator()() const {
    // Threads read different words at the same time: shared memory serves them in parallel, parameter memory serially.
    auto* const shared = reinterpret_cast<GPUWord16*>(Intrinsics::shared());
    unsigned const t   = static_cast<unsigned>(Intrinsics::thread_x());
    for (unsigned i = t; i < period; i += gpu_fill_threads) shared[i] = pattern[i];
    Intrinsics::barrier();
    std::size_t const tile = gpu_fill_threads * gpu_fill_unroll;
    unsigned const block   = Intrinsics::block_x();
    std::size_t i          = block * tile + t;
    // The position in the pattern, in 32-bit arithmetic: period is at most 224.
    unsigned const step = gpu_fill_threads % period;
    unsigned at         = (block % period * (tile % period) + t) % period;
    for (unsigned k = 0; k < gpu_fill_unroll && i < words; ++k, i += gpu_fill_threads) {
      dst[i] = shared[at];
      at += step;
      if (at >= period) at -= period;
    }
    if (block == 0) ends.write(t);
  }
};

/// Rows. The threads of a block form a grid of `lanes` by threads / lanes: the first index moves along a row, the
/// second from row to row.
template <class Intrinsics>
struct GPUFillRows {
  char* dst;
  std::size_t row_words;
  std::size_t rows;
  std::size_t period;      // words after which the pattern repeats
  unsigned lanes;          // a power of two, at most the number of threads in a block
  unsigned blocks_of_row;  // number of blocks along a row; the index of a block is row group * blocks_of_row + part
  int rank;
  GPUFillJob::Dimension dimension[GPUFillJob::max_rank];

  /// Calls store(start of the row, index of the word in it, index in the pattern, index of the row) for each word of
  /// this thread.
  template <class Word, class Store>
  KOKKOS_IMPL_FILL_DEVICE void visit(Store const& store) const {
    unsigned const t           = static_cast<unsigned>(Intrinsics::thread_x());
    unsigned const block       = Intrinsics::block_x();
    unsigned const row_threads = gpu_fill_threads / lanes;
    std::size_t const first    = std::size_t(block % blocks_of_row) * lanes + t % lanes;
    std::size_t const step     = std::size_t(lanes) * blocks_of_row;
    std::size_t const first_at = first % period, step_at = step % period;  // advances the position in the pattern
                                                                           // without a division
    std::size_t const row_step = std::size_t(Intrinsics::grid_dim_x() / blocks_of_row) * row_threads;
    for (std::size_t r = std::size_t(block / blocks_of_row) * row_threads + t / lanes; r < rows; r += row_step) {
      Word* const row = reinterpret_cast<Word*>(start_of(r));
      std::size_t at  = first_at;
#if defined(__CUDACC__) || defined(__HIPCC__)
#pragma unroll 4
#endif
      for (std::size_t c = first; c < row_words; c += step) {
        store(row, c, at, r);
        at += step_at;
        if (at >= period) at -= period;
      }
    }
  }

 private:
  KOKKOS_IMPL_FILL_DEVICE char* start_of(std::size_t r) const {
    if (rank == 0) return dst;
    return rows >> 32 == 0 ? start_of<unsigned>(static_cast<unsigned>(r)) : start_of<std::size_t>(r);
  }
  /// A 64-bit division takes several times as long as a 32-bit one.
  template <class Index>
  KOKKOS_IMPL_FILL_DEVICE char* start_of(Index rest) const {
    char* row = dst;
    for (int d = 0; d < rank - 1; ++d) {
      auto const extent = static_cast<Index>(dimension[d].extent);
      row += std::size_t(rest % extent) * dimension[d].stride;
      rest /= extent;
    }
    return row + std::size_t(rest) * dimension[rank - 1].stride;
  }
};

/// Rows that repeat a pattern in the parameters. Strides, sizes and addresses are multiples of sizeof(Word).
template <class Intrinsics, class Word>
struct GPUFillRowsPattern {
  GPUFillRows<Intrinsics> rows;
  Word pattern[gpu_fill_parameter / sizeof(Word)];

  KOKKOS_IMPL_FILL_DEVICE void operator()() const {
    auto* const shared = reinterpret_cast<Word*>(Intrinsics::shared());
    for (unsigned i = static_cast<unsigned>(Intrinsics::thread_x()); i < rows.period; i += gpu_fill_threads)
      shared[i] = pattern[i];
    Intrinsics::barrier();
    rows.template visit<Word>([shared](Word* row, std::size_t c, std::size_t at, std::size_t) { row[c] = shared[at]; });
  }
};

/// Rows that repeat a value stored at the start of the first row.
template <class Intrinsics, class Word>
struct GPUFillRowsFromFirst {
  GPUFillRows<Intrinsics> rows;

  KOKKOS_IMPL_FILL_DEVICE void operator()() const {
    auto const* const value = reinterpret_cast<Word const*>(rows.dst);
    rows.template visit<Word>([value, this](Word* row, std::size_t c, std::size_t at, std::size_t r) {
      // Other threads read the value itself meanwhile.
      if (r > 0 || c >= rows.period) row[c] = value[at];
    });
  }
};

/// Writes bytes that are passed in the parameters.
template <class Intrinsics>
struct GPUFillBytes {
  unsigned char* dst;
  unsigned count;
  unsigned char bytes[gpu_fill_parameter];
  KOKKOS_IMPL_FILL_DEVICE void operator()() const {
    for (unsigned i = static_cast<unsigned>(Intrinsics::thread_x()); i < count; i += gpu_fill_threads)
      dst[i] = bytes[i];
  }
};

// ---- on the host --------------------------------------------------------------------------------------------------

/// A fill by the host, with a copy of the value.
class GPUHostFill {
 public:
  explicit GPUHostFill(GPUFillJob const& job) : m_job(job), m_value(new char[job.value_bytes]) {
    std::memcpy(m_value.get(), job.value, job.value_bytes);
    m_job.value = m_value.get();
  }

  void operator()() const {
    std::size_t const n = m_job.rows();
    for (std::size_t r = 0; r < n; ++r) {
      std::size_t rest = r;
      char* row        = static_cast<char*>(m_job.dst);
      for (int d = 0; d < m_job.rank; ++d) {
        row += rest % m_job.dimension[d].extent * m_job.dimension[d].stride;
        rest /= m_job.dimension[d].extent;
      }
      fill_row(row, m_job);
    }
  }

 private:
  /// Writes the value once, then doubles the written part, up to the size of a cache.
  static void fill_row(char* row, GPUFillJob const& job) {
    std::size_t const bytes = job.row * job.value_bytes;
    std::memcpy(row, job.value, job.value_bytes);
    for (std::size_t done = job.value_bytes; done < bytes;) {
      bool const doubles = done < CopyPolicy::fill_repeated_bytes || job.value_bytes > CopyPolicy::fill_repeated_bytes;
      std::size_t n      = doubles ? done : CopyPolicy::fill_repeated_bytes / job.value_bytes * job.value_bytes;
      if (n > bytes - done) n = bytes - done;
      std::memcpy(row + done, row, n);
      done += n;
    }
  }

  GPUFillJob m_job;
  std::unique_ptr<char[]> m_value;
};

// ---- the fill -----------------------------------------------------------------------------------------------------

template <class Runtime>
class GPUFill {
 public:
  using stream_t   = typename Runtime::stream_t;
  using Intrinsics = typename Runtime::intrinsics;

  /// Enqueues the fill in `stream`, a stream of `device`. Never waits; the stream may be under capture.
  /// \throws GPUError if the runtime refuses
  static void enqueue(stream_t stream, int device, GPUFillMethod method, GPUFillJob const& job) {
    if (job.row == 0 || job.value_bytes == 0 || job.rows() == 0) return;
    DeviceScope<Runtime> scope(device);
    if (method == GPUFillMethod::host) return by_host(stream, job);
    bool const one_row = job.rank == 0;
    if (one_row && method == GPUFillMethod::runtime && job.is_byte_pattern())
      return check(Runtime::memset_async(job.dst, *static_cast<unsigned char const*>(job.value),
                                         job.row * job.value_bytes, stream),
                   "memset_async");
    std::size_t const in_words = job.value_bytes / std::gcd(job.value_bytes, sizeof(GPUWord16));
    if (one_row && in_words * sizeof(GPUWord16) <= gpu_fill_parameter) return in_pieces(stream, job);
    with_gpu_word(word_bytes(job), [&](auto word) { in_rows<decltype(word)>(stream, job); });
  }

 private:
  static void check(typename Runtime::error_t error, char const* call) {
    gpu_check<Runtime>(error, call, "filling a view");
  }

  template <class Work>
  static void launch(stream_t stream, std::size_t blocks, std::size_t shared, Work work) {
    void* arguments[] = {&work};
    static_assert(sizeof(Work) <= CopyPolicy::parameter_bytes, "These are too many bytes for a kernel's parameters.");
    using Dim = typename Runtime::dim3_t;
    check(Runtime::launch(gpu_fill_entry<Work>(), Dim(static_cast<unsigned>(blocks)), Dim(gpu_fill_threads), arguments,
                          shared, stream),
          "launch");
  }

  static void by_host(stream_t stream, GPUFillJob const& job) {
    bool capturing = false;
    check(Runtime::stream_is_capturing(stream, &capturing), "stream_is_capturing");
    check(Impl::enqueue_host_call<Runtime>(stream, capturing, GPUHostFill(job)), "launch_host_function");
  }

  /// The largest word size that divides the address, strides and sizes.
  static std::size_t word_bytes(GPUFillJob const& job) {
    std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(job.dst) | 16;
    bits |= job.value_bytes > gpu_fill_parameter ? job.value_bytes : job.row * job.value_bytes;
    for (int d = 0; d < job.rank; ++d) bits |= job.dimension[d].stride;
    std::size_t bytes = bits & (~bits + 1);
    // Either a pattern of words of this size fits into the parameters, or one value consists of such words.
    while (bytes > 1 && job.value_bytes / std::gcd(job.value_bytes, bytes) * bytes > gpu_fill_parameter &&
           job.value_bytes % bytes != 0)
      bytes /= 2;
    return bytes;
  }

  /// Writes `bytes` bytes of the endlessly repeated value, starting at its byte `from`.
  static void repeat(GPUFillJob const& job, std::size_t from, void* to, std::size_t bytes) {
    auto const* value = static_cast<unsigned char const*>(job.value);
    auto* out         = static_cast<unsigned char*>(to);
    for (std::size_t i = 0, at = from % job.value_bytes; i < bytes; ++i) {
      out[i] = value[at];
      if (++at == job.value_bytes) at = 0;
    }
  }

  /// Fills one row by as many kernels as it needs. Each begins with a whole value, at the row's alignment.
  static void in_pieces(stream_t stream, GPUFillJob job) {
    std::size_t const period = std::lcm(job.value_bytes, sizeof(GPUWord16));
    std::size_t const most   = gpu_fill_kernel_bytes / period * period / job.value_bytes;
    GPUFillJob piece         = job;
    for (; job.row > most; job.row -= most, job.dst = static_cast<char*>(job.dst) + most * job.value_bytes) {
      piece.dst = job.dst;
      piece.row = most;
      one_block(stream, piece);
    }
    one_block(stream, job);
  }

  static void one_block(stream_t stream, GPUFillJob const& job) {
    constexpr std::size_t word = sizeof(GPUWord16);
    std::size_t const bytes    = job.row * job.value_bytes;
    auto* const dst            = static_cast<unsigned char*>(job.dst);
    std::size_t head           = (word - reinterpret_cast<std::uintptr_t>(dst) % word) % word;
    if (head > bytes) head = bytes;
    std::size_t const words  = (bytes - head) / word;
    std::size_t const tail   = bytes - head - words * word;
    std::size_t const blocks = words / (gpu_fill_threads * gpu_fill_unroll) + 1;
    GPUFillEnds ends{};
    ends.first       = dst;
    ends.last        = dst + head + words * word;
    ends.first_count = static_cast<unsigned char>(head);
    ends.last_count  = static_cast<unsigned char>(tail);
    repeat(job, 0, ends.first_bytes, head);
    repeat(job, head + words * word, ends.last_bytes, tail);
    auto* const aligned   = reinterpret_cast<GPUWord16*>(dst + head);
    unsigned const period = static_cast<unsigned>(job.value_bytes / std::gcd(job.value_bytes, word));
    if (period == 1) {
      GPUFillWords<Intrinsics> work{aligned, words, {}, ends};
      repeat(job, head, &work.word, word);
      launch(stream, blocks, 0, work);
    } else {
      GPUFillPattern<Intrinsics> work{aligned, words, period, ends, {}};
      repeat(job, head, work.pattern, period * word);
      launch(stream, blocks, period * word, work);
    }
  }

  template <class Word>
  static GPUFillRows<Intrinsics> rows_of(GPUFillJob const& job, std::size_t* blocks) {
    constexpr std::size_t max_blocks = CopyPolicy::max_row_blocks;
    constexpr unsigned warp          = 32;
    GPUFillRows<Intrinsics> rows{};
    rows.dst       = static_cast<char*>(job.dst);
    rows.row_words = job.row * job.value_bytes / sizeof(Word);
    rows.rows      = job.rows();
    rows.period    = job.value_bytes / std::gcd(job.value_bytes, sizeof(Word));
    rows.rank      = job.rank;
    for (int d = 0; d < job.rank; ++d) rows.dimension[d] = job.dimension[d];
    // Use more threads than a warp only for rows with several words for each of them: finding a row takes as long as
    // that.
    rows.lanes = 1;
    while (rows.lanes < gpu_fill_threads && rows.lanes < rows.row_words &&
           (rows.lanes < warp || rows.lanes * gpu_fill_row_words < rows.row_words))
      rows.lanes *= 2;
    std::size_t const round  = rows.lanes * (rows.lanes < gpu_fill_threads ? gpu_fill_row_words : gpu_fill_unroll);
    std::size_t const along  = (rows.row_words + round - 1) / round;
    rows.blocks_of_row       = static_cast<unsigned>(along < max_blocks ? along : max_blocks);
    std::size_t const groups = (rows.rows + gpu_fill_threads / rows.lanes - 1) / (gpu_fill_threads / rows.lanes);
    std::size_t const limit  = max_blocks / rows.blocks_of_row;
    *blocks                  = (groups < limit ? groups : limit) * rows.blocks_of_row;
    return rows;
  }

  template <class Word>
  static void in_rows(stream_t stream, GPUFillJob const& job) {
    std::size_t blocks             = 0;
    auto const rows                = rows_of<Word>(job, &blocks);
    std::size_t const pattern_size = rows.period * sizeof(Word);
    if (pattern_size <= gpu_fill_parameter) {
      GPUFillRowsPattern<Intrinsics, Word> work{rows, {}};
      repeat(job, 0, work.pattern, pattern_size);
      return launch(stream, blocks, pattern_size, work);
    }
    for (std::size_t done = 0; done < job.value_bytes; done += gpu_fill_parameter) {
      GPUFillBytes<Intrinsics> piece;
      std::size_t const left = job.value_bytes - done;
      piece.dst              = static_cast<unsigned char*>(job.dst) + done;
      piece.count            = static_cast<unsigned>(left < gpu_fill_parameter ? left : gpu_fill_parameter);
      std::memcpy(piece.bytes, static_cast<char const*>(job.value) + done, piece.count);
      launch(stream, 1, 0, piece);
    }
    if (job.row > 1 || job.rank > 0) launch(stream, blocks, 0, GPUFillRowsFromFirst<Intrinsics, Word>{rows});
  }
};

}  // namespace Kokkos::Impl

#undef KOKKOS_IMPL_FILL_DEVICE

#endif
