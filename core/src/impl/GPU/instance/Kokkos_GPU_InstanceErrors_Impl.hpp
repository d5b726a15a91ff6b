// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_ERRORS_IMPL_HPP
#define KOKKOS_GPU_INSTANCE_ERRORS_IMPL_HPP

/// \file
/// The members of GPUInstanceErrors; included by the one source file of each vendor that instantiates them.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>

#include <cstdlib>
#include <string>

namespace Kokkos::Impl {

/// A failing kernel invalidates its device, so every stream reports the error. The cause can be any kernel, on any
/// instance, that no fence has shown to be successful.
template <class Runtime>
std::string GPUInstanceErrors<Runtime>::suspects(char const* first) {
  std::string all;
  GPUInstance<Runtime>::visit_all([&](GPUInstance<Runtime> const& instance) {
    std::string const kernels = instance.errors().last_kernels();
    if (!kernels.empty()) all += (all.empty() ? first : " or ") + kernels;
  });
  return all;
}

template <class Runtime>
std::string GPUInstanceErrors<Runtime>::message_of_wait(error_t error, char const* call, char const* purpose) const {
  return std::string(Runtime::vendor) + " reported an error to " + GPUVendorCallName<Runtime>::of(call) + " while " +
         purpose + ": " + Impl::gpu_error_text<Runtime>(error) + suspects(", in ") + "." + details(error);
}

template <class Runtime>
void GPUInstanceErrors<Runtime>::throw_failed_wait(error_t error, char const* call, char const* purpose) const {
  throw GPUInstanceError(message_of_wait(error, call, purpose), static_cast<int>(error));
}

template <class Runtime>
void GPUInstanceErrors<Runtime>::throw_failed(error_t error, char const* call, char const* purpose) const {
  with_context([&] { Impl::gpu_check<Runtime>(error, call, purpose); });
  std::abort();  // a launch after finalize, which is_capturing() has reported
}

template <class Runtime>
void GPUInstanceErrors<Runtime>::throw_failed(GPUError const& error) const {
  throw GPUInstanceError(error.what() + details(static_cast<typename Runtime::error_t>(error.code())), error.code());
}

/// The error code of a destroyed or captured stream is not informative, so this adds the stream's state.
template <class Runtime>
std::string GPUInstanceErrors<Runtime>::details(error_t error) const {
  std::string sentence =
      " The call was for instance " + std::to_string(m_instance.id()) +
      (&m_instance == GPUInstance<Runtime>::default_instance() ? ", the default one, on device " : " on device ") +
      std::to_string(m_instance.device());
  bool capturing    = false;
  auto const answer = Runtime::stream_is_capturing(m_instance.m_stream.get(), &capturing);
  Runtime::clear_last_error();
  if (answer == Runtime::success)
    sentence += capturing ? ", whose stream is being captured." : ", whose stream is alive and not being captured.";
  else if (Runtime::is_stale_stream(answer))
    sentence += ", whose stream has been destroyed; a stream must outlive the instances that were created with it.";
  else
    sentence += ", whose stream cannot be queried: the query returns " +
                (answer == error ? "the same error." : Impl::gpu_error_text<Runtime>(answer) + ".");
  return sentence;
}

template <class Runtime>
void GPUInstanceErrors<Runtime>::throw_refused_launch(error_t error, char const* call, char const* label) const {
  Runtime::clear_last_error();
  throw GPUInstanceError(std::string(Runtime::vendor) + " did not launch the kernel \"" + label +
                             "\": " + GPUVendorCallName<Runtime>::of(call) + " answered " +
                             Impl::gpu_error_text<Runtime>(error) + suspects(", unless this comes from ") + "." +
                             details(error),
                         static_cast<int>(error));
}

}  // namespace Kokkos::Impl

#endif
