// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEEP_COPY_HPP
#define KOKKOS_GPU_DEEP_COPY_HPP

/// \file
/// The routes of copies and fills that touch a device's memory.
///
/// What is contiguous goes by the runtime's copy; blocks at a pitch by its pitched copy; several pitches by several of
/// those where the host's memory is involved, and by a kernel where the device reaches both sides.

#include <GPU/Kokkos_GPU_ParallelFor.hpp>
#include <copy/Kokkos_CopyRoute.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Moves an element of a strided plan in each iteration; Word divides the size and alignment of elements.
template <class Word>
struct GPUStridedCopy {
  CopyPlan plan;
  char* dst;
  char const* src;
  std::size_t words;  // of an element

  KOKKOS_IMPL_DEVICE void operator()(std::size_t i) const {
    std::size_t at_dst = i % plan.block, at_src = at_dst;
    i /= plan.block;
    for (int d = 0; d < plan.rank; ++d) {
      const std::size_t k = i % plan.dimension[d].extent;
      i /= plan.dimension[d].extent;
      at_dst += k * plan.dimension[d].dst_stride;
      at_src += k * plan.dimension[d].src_stride;
    }
    Word* to         = reinterpret_cast<Word*>(dst + at_dst * plan.element_bytes);
    Word const* from = reinterpret_cast<Word const*>(src + at_src * plan.element_bytes);
    for (std::size_t w = 0; w < words; ++w) to[w] = from[w];
  }
};

/// Writes one element in each iteration.
template <class Word>
struct GPUStridedFill {
  CopyPlan plan;
  char* dst;
  Word value[16 / sizeof(Word)];
  std::size_t words;

  KOKKOS_IMPL_DEVICE void operator()(std::size_t i) const {
    std::size_t at = i % plan.block;
    i /= plan.block;
    for (int d = 0; d < plan.rank; ++d) {
      at += i % plan.dimension[d].extent * plan.dimension[d].dst_stride;
      i /= plan.dimension[d].extent;
    }
    Word* to = reinterpret_cast<Word*>(dst + at * plan.element_bytes);
    for (std::size_t w = 0; w < words; ++w) to[w] = value[w];
  }
};

struct alignas(16) GPUWord16 {
  unsigned long long half[2];
};

/// Writes 16 bytes in each iteration: the value, repeated; for contiguous memory.
struct GPUBlockFill {
  GPUWord16* dst;
  GPUWord16 value;
  KOKKOS_IMPL_DEVICE void operator()(std::size_t i) const { dst[i] = value; }
};

template <class ExecSpace>
struct GPUCopies {
  using Runtime    = typename ExecSpace::runtime_type;
  using Intrinsics = typename Runtime::intrinsics;
  using Instance   = GPUInstance<Runtime>;

  static void copy_bytes(Instance& instance, void* dst, void const* src, std::size_t bytes) {
    gpu_check<Runtime>(Runtime::memcpy_async(dst, src, bytes, instance.stream()), "memcpy_async", "copying a view");
  }

  /// Copies by the runtime alone: one call for each pair of innermost dimensions.
  static void copy_by_runtime(Instance& instance, CopyJob const& job) {
    DeviceScope<Runtime> scope(instance.device());
    const CopyPlan& plan    = job.plan;
    const std::size_t width = plan.block * plan.element_bytes;
    if (plan.rank == 0) return copy_bytes(instance, job.dst, job.src, width);
    std::size_t outer = 1;
    for (int d = 1; d < plan.rank; ++d) outer *= plan.dimension[d].extent;
    const std::size_t dst_pitch = plan.dimension[0].dst_stride * plan.element_bytes;
    const std::size_t src_pitch = plan.dimension[0].src_stride * plan.element_bytes;
    const std::size_t rows      = plan.dimension[0].extent;
    for (std::size_t k = 0; k < outer; ++k) {
      std::size_t rest = k, at_dst = 0, at_src = 0;
      for (int d = 1; d < plan.rank; ++d) {
        const std::size_t i = rest % plan.dimension[d].extent;
        rest /= plan.dimension[d].extent;
        at_dst += i * plan.dimension[d].dst_stride;
        at_src += i * plan.dimension[d].src_stride;
      }
      char* dst       = static_cast<char*>(job.dst) + at_dst * plan.element_bytes;
      char const* src = static_cast<char const*>(job.src) + at_src * plan.element_bytes;
      if (width <= dst_pitch && width <= src_pitch) {
        gpu_check<Runtime>(Runtime::memcpy_2d_async(dst, dst_pitch, src, src_pitch, width, rows, instance.stream()),
                           "memcpy_2d_async", "copying a strided view");
      } else {
        for (std::size_t r = 0; r < rows; ++r) copy_bytes(instance, dst + r * dst_pitch, src + r * src_pitch, width);
      }
    }
  }

  /// Copies by a kernel; the device reaches both sides.
  static void copy_by_kernel(Instance& instance, CopyJob const& job) {
    if (job.plan.rank == 0) return copy_by_runtime(instance, job);
    const auto both = reinterpret_cast<std::uintptr_t>(job.dst) | reinterpret_cast<std::uintptr_t>(job.src) |
                      job.plan.element_bytes;
    const std::size_t n = job.plan.size();
    char* dst           = static_cast<char*>(job.dst);
    auto* src           = static_cast<char const*>(job.src);
    if (both % 8 == 0)
      for_each(instance, n, GPUStridedCopy<unsigned long long>{job.plan, dst, src, job.plan.element_bytes / 8});
    else if (both % 4 == 0)
      for_each(instance, n, GPUStridedCopy<unsigned>{job.plan, dst, src, job.plan.element_bytes / 4});
    else
      for_each(instance, n, GPUStridedCopy<char>{job.plan, dst, src, job.plan.element_bytes});
  }

  static void fill(Instance& instance, FillJob const& job) {
    const CopyPlan& plan = job.plan;
    if (plan.rank == 0 && job.is_byte_pattern) {
      DeviceScope<Runtime> scope(instance.device());
      gpu_check<Runtime>(Runtime::memset_async(job.dst, *static_cast<unsigned char const*>(job.element), plan.bytes(),
                                               instance.stream()),
                         "memset_async", "filling a view");
      return;
    }
    const bool tiles_16 = 16 % plan.element_bytes == 0;
    if (plan.rank == 0 && tiles_16 && reinterpret_cast<std::uintptr_t>(job.dst) % 16 == 0 && plan.bytes() >= 16)
      return fill_block(instance, job);
    if (plan.element_bytes <= 16 && plan.element_bytes % 4 == 0 && reinterpret_cast<std::uintptr_t>(job.dst) % 4 == 0)
      return fill_words<unsigned>(instance, job);
    if (plan.element_bytes <= 16) return fill_words<unsigned char>(instance, job);
    fill_by_doubling(instance, job);
  }

 private:
  template <class F>
  static void for_each(Instance& instance, std::size_t n, F const& f) {
    const std::size_t blocks = (n + 255) / 256;
    const dim3 grid(static_cast<unsigned>(blocks < 1u << 30 ? blocks : 1u << 30));
    using Range = GPURange<Intrinsics, std::size_t>;
    gpu_launch<GPUForDriver<Range, F>>(instance, {grid, dim3(256)}, Range{0, n}, f);
  }

  static void fill_block(Instance& instance, FillJob const& job) {
    const std::size_t bytes = job.plan.bytes();
    GPUBlockFill fill{static_cast<GPUWord16*>(job.dst), {}};
    char pattern[16];
    for (std::size_t at = 0; at < 16; at += job.plan.element_bytes)
      std::memcpy(pattern + at, job.element, job.plan.element_bytes);
    std::memcpy(&fill.value, pattern, 16);
    for_each(instance, bytes / 16, fill);
    if (const std::size_t rest = bytes % 16; rest > 0) {
      FillJob tail    = job;
      tail.dst        = static_cast<char*>(job.dst) + bytes - rest;
      tail.plan.block = rest / job.plan.element_bytes;
      fill_words<unsigned char>(instance, tail);
    }
  }

  template <class Word>
  static void fill_words(Instance& instance, FillJob const& job) {
    GPUStridedFill<Word> fill{job.plan, static_cast<char*>(job.dst), {}, job.plan.element_bytes / sizeof(Word)};
    std::memcpy(fill.value, job.element, job.plan.element_bytes);
    for_each(instance, job.plan.size(), fill);
  }

  /// Large elements: the first one is sent over, and copied to the others. The element must stay until it has been
  /// read, so this waits.
  static void fill_by_doubling(Instance& instance, FillJob const& job) {
    DeviceScope<Runtime> scope(instance.device());
    copy_bytes(instance, job.dst, job.element, job.plan.element_bytes);
    instance.synchronize("filling a view with a large element");
    CopyJob copy{job.plan, job.dst, job.dst, nullptr, nullptr};
    for (int d = 0; d < copy.plan.rank; ++d) copy.plan.dimension[d].src_stride = 0;
    if (copy.plan.block > 1) {
      // The block itself becomes a dimension.
      for (int d = copy.plan.rank; d > 0; --d) copy.plan.dimension[d] = copy.plan.dimension[d - 1];
      copy.plan.dimension[0] = {copy.plan.block, 1, 0};
      copy.plan.block        = 1;
      ++copy.plan.rank;
    }
    copy_by_kernel(instance, copy);
  }
};

/// Copies between two spaces of which ExecSpace reaches both if `Reached`, and the runtime always does.
template <class ExecSpace, bool Reached>
struct GPUCopyRoute {
  using Copies = GPUCopies<ExecSpace>;

  static void run(ExecSpace const& exec, CopyJob const& job) {
    auto& instance = exec.impl_instance();
    if constexpr (Reached)
      Copies::copy_by_kernel(instance, job);
    else
      Copies::copy_by_runtime(instance, job);
  }
  static void run(CopyJob const& job) {
    const ExecSpace exec;
    run(exec, job);
    exec.impl_instance().synchronize("Kokkos::deep_copy");
  }
};

template <class ExecSpace>
struct GPUFillRoute {
  static void run(ExecSpace const& exec, FillJob const& job) { GPUCopies<ExecSpace>::fill(exec.impl_instance(), job); }
  static void run(FillJob const& job) {
    const ExecSpace exec;
    run(exec, job);
    exec.impl_instance().synchronize("Kokkos::deep_copy");
  }
};

}  // namespace Kokkos::Impl

#endif
