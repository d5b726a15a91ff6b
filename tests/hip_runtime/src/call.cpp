// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../hip_model.hpp"
#include "cached_memory.hpp"
#include "faults.hpp"
#include "profile.hpp"
#include "reports.hpp"
#include "scheduler.hpp"

#include <atomic>
#include <cstring>

namespace hip_model {

namespace {
std::atomic<std::uint64_t> calls{0};
std::atomic<int> threads{0};
std::atomic<hipError_t> sticky[64];
std::atomic<std::size_t> calls_of_device[64];
std::atomic<char const*> last_of_device[64];

int device_slot() { return this_thread().device & 63; }

void count_on_device(char const* name) {
  if (std::strcmp(name, "hipGetDevice") == 0 || std::strcmp(name, "hipSetDevice") == 0) return;
  ++calls_of_device[device_slot()];
  last_of_device[device_slot()] = name;
}
}  // namespace

ThreadState& this_thread() {
  thread_local ThreadState state{.number = ++threads};
  return state;
}

hipError_t sticky_error() { return sticky[device_slot()].load(); }
hipError_t sticky_error_of_device() { return sticky_error(); }
void set_sticky_error(int device, hipError_t error) { sticky[device & 63].store(error); }

int& calls_of_this_thread() {
  thread_local int calls_now = 0;
  return calls_now;
}
bool is_in_call() { return calls_of_this_thread() > 0; }

CallsOnDevice calls_on(int device) {
  char const* const last = last_of_device[device & 63];
  return {calls_of_device[device & 63], last ? last : "nothing"};
}

Call::Call(char const* name, unsigned flags) : m_name(name), m_flags(flags), m_number(++calls) {
  count_on_device(name);
  m_refusal = Faults::get().on_call(name);
  if (m_refusal == hipSuccess && !(flags & with_sticky_error)) m_refusal = sticky_error();
  if (m_refusal == hipSuccess && this_thread().in_host_function && !(flags & in_host_functions))
    m_refusal =
        violation(hipErrorNotSupported, "call-in-host-function",
                  "a function of HIP was called by a host function or a user object's destructor, which must not");
  CachedMemory::get().write_back();
  Scheduler::get().on_call();
}

hipError_t Call::finish(hipError_t error) {
  CachedMemory::get().write_back();  // of kernels for which the call has waited
  if (m_flags & keeps_last_error) return error;
  // hipErrorNotReady is a result, not an error.
  if ((error != hipSuccess && error != hipErrorNotReady) || current_profile().last_error_is_of_last_call)
    this_thread().last_error = error;
  return error;
}

hipError_t Call::violation(hipError_t error, char const* rule, std::string const& sentence, Object const* object,
                           Object const* other) const {
  std::string message = "call " + std::to_string(m_number) + ", " + m_name + ": " + sentence + ".";
  for (Object const* o : {object, other})
    if (o) message += "\n History of " + o->name() + ":\n" + o->history.text();
  Reports::get().add({rule, m_name, static_cast<int>(error), std::move(message)});
  return error;
}

}  // namespace hip_model
