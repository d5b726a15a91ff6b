// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <policy/Kokkos_PolicyErrors.hpp>

#include <runtime/Kokkos_Error.hpp>

#include <string>

namespace Kokkos::Impl {

namespace {

std::string text(AnyInteger value) { return (value.negative ? "-" : "") + std::to_string(value.magnitude); }

}  // namespace

void refuse_bound(const char* policy, AnyInteger bound, int index_bits, bool index_is_signed) {
  throw_runtime_exception(
      std::string("Kokkos::") + policy + ": the bound " + text(bound) +
      " does not fit the policy's index type, which is " + (index_is_signed ? "a signed" : "an unsigned") +
      " integer of " + std::to_string(index_bits) +
      " bits. Give the policy an index type that holds it, for example Kokkos::IndexType<std::int64_t>.");
}

void refuse_inverted(const char* policy, int dim, AnyInteger lower, AnyInteger upper) {
  throw_runtime_exception(std::string("Kokkos::") + policy + " bounds error: The lower bound (" + text(lower) +
                          ") is greater than the upper bound (" + text(upper) + ")" +
                          (dim < 0 ? "" : " in dimension " + std::to_string(dim)) +
                          ". A range goes up; an empty one has equal bounds.");
}

void refuse_length(const char* what, std::size_t length, int rank) {
  throw_runtime_exception(std::string("Kokkos::MDRangePolicy: ") + std::to_string(length) + " " + what +
                          " were given for a policy of rank " + std::to_string(rank) + ". Give " +
                          std::to_string(rank) + ", one for each dimension.");
}

void refuse_tile(const char* space, std::int64_t const* tile, int rank, std::int64_t limit) {
  std::string shape;
  for (int d = 0; d < rank; ++d) shape += (d == 0 ? "" : " x ") + std::to_string(tile[d]);
  throw_runtime_exception("Kokkos::MDRangePolicy: a tile of " + shape + " iterations was asked for, but " + space +
                          " runs at most " + std::to_string(limit) +
                          " iterations in a tile. Make the tile smaller, or leave its size to the library.");
}

}  // namespace Kokkos::Impl
