// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modes.hpp"

#include "state.hpp"

#include <algorithm>
#include <cstdlib>

namespace hip_model {

namespace {
Modes from_environment() {
  bool const rocm    = std::getenv("HIP_MODEL_AS_ROCM") != nullptr;
  auto const is_on   = [&](char const* name) { return rocm || std::getenv(name) != nullptr; };
  char const* queues = std::getenv("HIP_MODEL_QUEUES");
  int const wanted   = queues ? std::atoi(queues) : 0;
  Modes modes;
  modes.one_kernel       = is_on("HIP_MODEL_ONE_KERNEL");
  modes.queues           = wanted > 0 ? wanted : is_on("HIP_MODEL_QUEUES") ? rocm_queues : 0;
  modes.locked_streams   = is_on("HIP_MODEL_LOCKED_STREAMS");
  modes.signal_memory    = is_on("HIP_MODEL_SIGNAL_MEMORY");
  modes.captures_as_cuda = std::getenv("HIP_MODEL_CAPTURES_AS_CUDA") != nullptr;
  modes.protects_memory  = std::getenv("HIP_MODEL_PROTECT") != nullptr;
  return modes;
}
}  // namespace

Modes& current_modes() {
  static Modes modes = from_environment();
  return modes;
}

void use_modes(Modes const& wanted) {
  Lock lock       = Scheduler::get().lock();
  current_modes() = wanted;
  for (Device& device : State::get().devices) device.last_of_queue.clear();
}
Modes modes() {
  Lock lock = Scheduler::get().lock();
  return current_modes();
}
WorkCount work_count() {
  Lock lock = Scheduler::get().lock();
  return Scheduler::get().count(lock);
}

}  // namespace hip_model
