// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_KERNELS_HPP
#define KOKKOS_TEST_HIP_MODEL_KERNELS_HPP

/// \file
/// The kernels and variables of a program, as it registers them, and the recorded launches.

#include "fork.hpp"
#include "state.hpp"

#include "../hip_model.hpp"
#include "../hip_model_device.hpp"

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hip_model {

struct KernelInfo {
  std::string name;
  std::vector<std::size_t> offsets, sizes;  ///< of the arguments
  bool layout_known = false;
  Trampoline run    = nullptr;
  /// Runs machine code. A kernel without this and `run` is only recorded.
  std::function<std::string(KernelCall const&)> interpret;
  int wavefront             = 0;  ///< the size it was compiled for; 0: any
  int max_threads           = 1024;
  std::size_t static_shared = 0;
};

struct SymbolInfo {
  std::string name;
  std::size_t bytes = 0;
  std::vector<AllocationPtr> storage;  ///< for each device, created at its first use, if there is no place
  std::function<char*(int device)>
      place;  ///< returns the variable's address on a device; called with the lock; may be empty
};

/// Has its own lock: programs register before main() and look up in calls that hold the lock of the model.
class Kernels {
 public:
  static Kernels& get();
  void add(void const* entry, KernelInfo info);
  void add_symbol(void const* variable, SymbolInfo info);
  void add_own_symbol(void const* variable, std::string name, std::size_t bytes);
  void forget(void const* entry);
  /// Null if the address is not a kernel.
  KernelInfo const* find(void const* entry);
  SymbolInfo* find_symbol(void const* variable);
  void record(LaunchRecord);
  std::vector<LaunchRecord> launches();
  void reset_launches();

 private:
  ForkedMutex m_mutex;
  std::unordered_map<void const*, KernelInfo> m_kernels;
  std::unordered_map<void const*, SymbolInfo> m_symbols;
  std::deque<LaunchRecord> m_launches;
};

/// Checks a launch and copies its arguments. The operation is complete except for its position in a stream.
hipError_t make_launch(Call&, void const* entry, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                       std::uint64_t stream, Operation* out);
/// Runs (or records) a launch from make_launch.
void perform_launch(KernelCall&);

/// Runs the blocks of a launch one after the other. \returns a description of the error, or an empty string
std::string run_blocks(Trampoline, int wavefront, dim3 grid, dim3 block, void* const* arguments, std::size_t shared);
int wavefront_size();
inline constexpr std::size_t shared_per_block = 64 << 10;  // LDS of gfx9

/// The address of a variable on the current device. \returns hipErrorInvalidSymbol if the program has no such variable
hipError_t find_symbol(Call&, void const* symbol, void** address, std::size_t* bytes);

}  // namespace hip_model

#endif
