// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_EXECUTE_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_EXECUTE_HPP

/// \file Execution of compiled kernels: the functions that the rest of the model calls.

#include "program.hpp"

#include "../src/graph.hpp"

#include <memory>
#include <string>

namespace hip_model::isa {

/// Whether kernels run (HIP_MODEL_ISA=1) or are only recorded.
bool is_enabled();

/// The code object of a fat binary that the interpreter executes. If there is none, reports the reason and returns
/// null.
std::shared_ptr<Program> load_program(void const* fat_binary);

/// Runs all workgroups. \returns what went wrong, or an empty string
std::string execute(Program&, std::string const& name, CompiledKernel const&, KernelCall const&);

/// The address of a variable in the memory of a device, called with the lock held; null if the code object does not
/// have it.
char* variable(Program&, std::string const& name, int device);

}  // namespace hip_model::isa

#endif
