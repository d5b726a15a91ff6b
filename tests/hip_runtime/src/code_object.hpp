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
  std::string symbol;              ///< of the kernel's descriptor
  std::size_t argument_bytes = 0;  ///< including the hidden arguments of the compiler
  struct Hidden {
    std::size_t offset, bytes;
    std::string kind;
  };
  std::vector<Hidden> hidden;
};

/// A code object in a bundle.
struct CodeObject {
  std::string target;  ///< "hipv4-amdgcn-amd-amdhsa--gfx906"
  unsigned char const* elf;
};
std::vector<CodeObject> code_objects_of(void const* binary);
/// The kernels of one code object, by name.
std::map<std::string, CompiledKernel> kernels_of_code_object(unsigned char const* elf);

/// The kernels of the code objects in a bundle of clang's (or in a single code object), by name. Empty for unsupported
/// formats such as compressed bundles.
std::map<std::string, CompiledKernel> kernels_of(void const* binary);

}  // namespace hip_model

#endif
