// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstddef>
#include <string>

namespace Kokkos::Impl {

[[noreturn]] void refuse_short_result(std::size_t elements, std::size_t value_count) {
  throw_runtime_exception("Kokkos::parallel_reduce: the functor reduces to an array of " + std::to_string(value_count) +
                          " elements (its value_count), but the result has space for " + std::to_string(elements) +
                          ". Pass a result of at least value_count elements.");
}

[[noreturn]] void refuse_strided_result(char const* label) {
  throw_runtime_exception(std::string("Kokkos::parallel_reduce: the elements of the result view \"") + label +
                          "\" are not contiguous, as those of an array result must be. Pass a contiguous view.");
}

}  // namespace Kokkos::Impl
