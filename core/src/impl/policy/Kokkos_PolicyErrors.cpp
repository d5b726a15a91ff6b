// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/policy/Kokkos_PolicyErrors.hpp>

#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <string>

namespace Kokkos::Impl {

namespace {

std::string text(AnyInteger value) {
  std::string digits = std::to_string(value.magnitude);
  if (value.negative) digits.insert(digits.begin(), '-');
  return digits;
}

/// Names the kernel, if the error is in a launch, or the line that constructs the policy.
std::string where(SourceLine line) {
  std::string const kernel = in_which_kernel();
  if (!kernel.empty()) return kernel;
  return std::string(" The policy is constructed in ") + line.file() + ":" + std::to_string(line.line()) + ".";
}

}  // namespace

std::string describe_bound(char const* policy, AnyInteger bound, int index_bits, bool index_is_signed) {
  return std::string("Kokkos::") + policy + ": the bound " + text(bound) +
         " does not fit the policy's index type, which is " + (index_is_signed ? "a signed" : "an unsigned") +
         " integer of " + std::to_string(index_bits) +
         " bits. Give the policy an index type that can represent it, for example Kokkos::IndexType<std::int64_t>.";
}

std::string describe_inverted(char const* policy, int dim, AnyInteger lower, AnyInteger upper) {
  return std::string("Kokkos::") + policy + " bounds error: The lower bound (" + text(lower) +
         ") is greater than the upper bound (" + text(upper) + ")" +
         (dim < 0 ? "" : " in dimension " + std::to_string(dim)) +
         ". A range must be ascending; an empty one has equal bounds.";
}

void report_bound(char const* policy, AnyInteger bound, int index_bits, bool index_is_signed, SourceLine line) {
  std::string const sentence = describe_bound(policy, bound, index_bits, index_is_signed);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static int warned = 0;
  warn_once(warned, sentence + " As in Kokkos 4, it wraps around." + where(line));
#else
  throw_runtime_exception(sentence + where(line));
#endif
}

void report_inverted(char const* policy, int dim, AnyInteger lower, AnyInteger upper, SourceLine line) {
#ifndef KOKKOS_ENABLE_DEPRECATED_CODE_4
  throw_runtime_exception(describe_inverted(policy, dim, lower, upper) + where(line));
#elif defined(KOKKOS_ENABLE_DEPRECATION_WARNINGS)
  static int warned = 0;
  warn_once(warned, describe_inverted(policy, dim, lower, upper) + " As in Kokkos 4, nothing runs." + where(line));
#else
  (void)policy, (void)dim, (void)lower, (void)upper, (void)line;
#endif
}

void refuse_bound(char const* policy, AnyInteger bound, int index_bits, bool index_is_signed, SourceLine line) {
  throw_runtime_exception(describe_bound(policy, bound, index_bits, index_is_signed) + where(line));
}

void refuse_count(char const* label, AnyInteger count) {
  KernelLabelScope const scope(label);
  throw_runtime_exception("A Kokkos kernel was launched with " + text(count) +
                          " iterations. The number of iterations cannot be negative." + in_which_kernel());
}

void refuse_length(char const* what, std::size_t length, int rank, SourceLine line) {
  throw_runtime_exception(std::string("Kokkos::MDRangePolicy: ") + std::to_string(length) + " " + what +
                          " were given for a policy of rank " + std::to_string(rank) + ". Give " +
                          std::to_string(rank) + ", one for each dimension." + where(line));
}

void refuse_tile(char const* space, std::int64_t const* tile, int rank, std::int64_t limit, SourceLine line) {
  std::string shape;
  for (int d = 0; d < rank; ++d) shape += (d == 0 ? "" : " x ") + std::to_string(tile[d]);
  throw_runtime_exception("Kokkos::MDRangePolicy: a tile of " + shape + " iterations was requested, but " + space +
                          " runs at most " + std::to_string(limit) +
                          " iterations in a tile. Make the tile smaller, or leave its size to the library." +
                          where(line));
}

std::int64_t count_tiles(std::int64_t const* lower, std::int64_t const* upper, std::int64_t const* tile, int rank,
                         std::int64_t* tile_end, SourceLine line) {
  bool empty = false, overflows = false;
  for (int d = 0; d < rank; ++d) {
    std::int64_t iterations = 0;
    overflows |= __builtin_sub_overflow(upper[d], lower[d], &iterations);
    empty |= iterations == 0;
    // Divisions, without those whose quotient is known
    if (tile[d] == 1) {
      tile_end[d] = iterations;
    } else if (iterations <= tile[d]) {
      tile_end[d] = iterations != 0 ? 1 : 0;
    } else {
      tile_end[d] = iterations / tile[d] + (iterations % tile[d] != 0 ? 1 : 0);
    }
  }
  std::int64_t tiles = empty ? 0 : 1;
  for (int d = 0; d < rank && !empty; ++d) overflows |= __builtin_mul_overflow(tiles, tile_end[d], &tiles);
  if (!overflows) return tiles;
  std::string bounds, shape;
  for (int d = 0; d < rank; ++d) {
    bounds += (d == 0 ? "[" : " x [") + std::to_string(lower[d]) + ", " + std::to_string(upper[d]) + ")";
    shape += (d == 0 ? "" : " x ") + std::to_string(tile[d]);
  }
  throw_runtime_exception("Kokkos::MDRangePolicy: the iteration space " + bounds + " in tiles of " + shape +
                          " was requested. A dimension may have at most 2^63 - 1 iterations, and the policy as many "
                          "tiles. Make the tiles larger, or the iteration space smaller." +
                          where(line));
}

}  // namespace Kokkos::Impl
