// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_BACKEND_HPP
#define KOKKOS_RUNTIME_BACKEND_HPP

/// \file
/// The interface of a backend for the runtime, and the table of the enabled backends.

#include <iosfwd>
#include <string>

namespace Kokkos {
class InitializationSettings;
namespace Experimental {
struct DeviceMemoryUsage;
}
namespace Impl {
struct MachineFacts;
}
}  // namespace Kokkos

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// One constant object for each backend, defined in the backend's folder as `extern const Backend <B>_backend{...};`
/// (without `extern` the table cannot refer to a constant).
///
/// initialize() may throw std::runtime_error. The runtime then finalizes the backends that were initialized before it,
/// in reverse order, and Kokkos::initialize propagates the exception.
struct Backend {
  char const* name;
  void (*initialize)(InitializationSettings const& settings);
  void (*finalize)();
  /// Waits for every instance of this backend and reports the fence to tools under `label`.
  void (*fence)(std::string const& label);
  void (*print_configuration)(std::ostream& out, bool verbose);
  /// Number of devices that the backend can use; callable at any time. Null for a backend that runs on the host.
  int (*num_devices)() = nullptr;
  /// The device in use, after initialize. Null for a backend that runs on the host.
  int (*device_id)() = nullptr;
  /// Waits for every instance and frees memory that no view uses. Null for a backend that runs on the host.
  void (*release_memory)() = nullptr;
  /// The memory of the device in use; callable at any time. Null for a backend that runs on the host.
  Experimental::DeviceMemoryUsage (*memory_usage)() = nullptr;
  /// Adds what the vendor's runtime reports to the facts for kokkos-doctor; callable at any time. Null for a backend that
  /// runs on the host.
  void (*gather_facts)(MachineFacts& facts) = nullptr;
};

/// The enabled backends in order of preference; a null pointer ends the table. Written at configure time.
extern Backend const* const backend_table[];

/// Whether Kokkos is initialized and not finalized, for the library's own use: is_initialized also looks for a second
/// library.
bool is_active() noexcept;

/// Kokkos::fence for the backends that run on the host.
void fence_host_backends(std::string const& label);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
