// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_API_HPP
#define KOKKOS_TEST_HIP_MODEL_API_HPP

/// \file
/// HIP's own header, and the common part of its functions: numbering, faults, sticky errors, the last error.

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>

#include "../hip_model_rocm6.hpp"

#include <cstdint>
#include <string>

namespace hip_model {

struct Object;

/// The state of a host thread.
struct ThreadState {
  int number                = 0;
  int device                = 0;
  hipError_t last_error     = hipSuccess;
  hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
  bool in_host_function     = false;
  std::uint64_t id          = 0;
};
ThreadState& this_thread();

/// One call of a function of HIP.
class Call {
 public:
  enum Flags { ordinary = 0, with_sticky_error = 1, keeps_last_error = 2, in_host_functions = 4 };
  explicit Call(char const* name, unsigned flags = ordinary);
  /// The error that the call must return instead of doing its work; hipSuccess if it may continue.
  hipError_t refusal() const { return m_refusal; }
  /// Sets the thread's last error as HIP does.
  hipError_t finish(hipError_t error);
  /// Reports a violation of a rule and returns `error`.
  hipError_t violation(hipError_t error, char const* rule, std::string const& sentence, Object const* object = nullptr,
                       Object const* other = nullptr) const;

  char const* name() const { return m_name; }
  std::uint64_t number() const { return m_number; }

 private:
  char const* m_name;
  unsigned m_flags;
  std::uint64_t m_number;
  hipError_t m_refusal = hipSuccess;
};

/// How many calls the calling thread is in.
int& calls_of_this_thread();
struct InCall {
  InCall() { ++calls_of_this_thread(); }
  ~InCall() { --calls_of_this_thread(); }
  InCall(InCall const&)            = delete;
  InCall& operator=(InCall const&) = delete;
};

template <class Body>
hipError_t api(char const* name, Body&& body, unsigned flags = Call::ordinary) {
  InCall const in_call;
  Call call(name, flags);
  hipError_t error = call.refusal();
  if (error == hipSuccess) error = body(call);
  return call.finish(error);
}

}  // namespace hip_model

#endif
