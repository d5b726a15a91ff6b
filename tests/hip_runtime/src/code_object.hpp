// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_CODE_OBJECT_HPP
#define KOKKOS_TEST_HIP_MODEL_CODE_OBJECT_HPP

/// \file
/// The metadata of compiled kernels about their arguments.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace hip_model {

struct CompiledKernel {
  std::vector<std::size_t> offsets, sizes;  ///< of the arguments that the program passes
  std::size_t static_shared = 0;
  int max_threads           = 1024;
};

/// The kernels of the code objects in a bundle of clang's (or in a single code object), by name. Empty for unsupported
/// formats such as compressed bundles.
std::map<std::string, CompiledKernel> kernels_of(const void* binary);

}  // namespace hip_model

#endif
