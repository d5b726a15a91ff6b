// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_ERRORS_HPP
#define KOKKOS_GPU_INSTANCE_ERRORS_HPP

/// \file
/// The messages of failed calls for an instance, and the kernels that may be the cause.

#include <impl/GPU/instance/Kokkos_GPU_LaunchLog.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <mutex>
#include <string>

namespace Kokkos::Impl {

template <class Runtime>
class GPUInstance;

/// A failed call of the runtime for an instance. The last sentence of the message identifies the instance and states
/// whether its stream is alive, is being captured, or was destroyed.
class GPUInstanceError : public GPUError {
  using GPUError::GPUError;
};

/// Turns error codes of calls for one instance into exceptions, and keeps the labels of its last kernels for them.
template <class Runtime>
class GPUInstanceErrors {
 public:
  using error_t = typename Runtime::error_t;

  explicit GPUInstanceErrors(GPUInstance<Runtime> const& instance) noexcept : m_instance(instance) {}

  void launched(char const* label) noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_log.add(label);
  }
  /// Every kernel that was launched so far has succeeded.
  void all_done() noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_log.all_done();
  }
  /// See LaunchLog::window().
  std::string last_kernels() const {
    std::lock_guard<std::mutex> lock(m_mutex);
    return m_log.window();
  }

  /// Throws if `error` says that `call` failed, which was an operation other than a wait or a launch.
  /// \throws GPUInstanceError
  void check(error_t error, char const* call, char const* purpose) const {
    if (error != Runtime::success) throw_failed(error, call, purpose);
  }
  /// Runs `action`, whose functions report errors without an instance, and adds to an error which instance it was for.
  /// \throws GPUInstanceError in place of GPUError
  template <class Action>
  decltype(auto) with_context(Action const& action) const {
    try {
      return action();
    } catch (GPUInstanceError const&) {
      throw;
    } catch (GPUError const& error) {
      throw_failed(error);
    }
  }
  /// A wait or a query failed, for which any earlier kernel may be the cause: the message lists them.
  /// \throws GPUInstanceError
  [[noreturn]] void throw_failed_wait(error_t error, char const* call, char const* purpose) const;
  std::string message_of_wait(error_t error, char const* call, char const* purpose) const;
  /// The runtime refused `call`, so the kernel was not launched. The message also lists the earlier kernels, because the
  /// call may report an error of one of them.
  /// \throws GPUInstanceError
  [[noreturn]] void throw_refused_launch(error_t error, char const* call, char const* label) const;
  /// A sentence, preceded by a blank, that identifies the instance and describes the state of its stream, for a call
  /// that returned `error`.
  std::string details(error_t error) const;

 private:
  [[noreturn]] void throw_failed(error_t error, char const* call, char const* purpose) const;
  [[noreturn]] void throw_failed(GPUError const& error) const;
  static std::string suspects(char const* first);

  GPUInstance<Runtime> const& m_instance;
  mutable std::mutex m_mutex;
  LaunchLog m_log;
};

}  // namespace Kokkos::Impl

#endif
