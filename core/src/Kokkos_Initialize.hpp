// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_INITIALIZE_HPP
#define KOKKOS_INITIALIZE_HPP

/// \file
/// Start and end of Kokkos, and what a program can ask in between.

#include <Kokkos_Macros.hpp>
#include <Kokkos_InitializationSettings.hpp>

#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

/// Starts Kokkos. Settings come from `--kokkos-*` arguments and, where these say nothing, from `KOKKOS_*` environment
/// variables. Recognised arguments are removed from `argv` and `argc` is reduced.
///
/// Throws std::runtime_error if a value is not valid or a backend cannot start; nothing is initialized then, and the
/// program may go on or exit. Aborts if Kokkos is or was initialized.
void initialize(int& argc, char* argv[]);

/// Starts Kokkos with `settings`; an environment variable of the same name takes precedence over a setting.
/// Errors as above.
void initialize(InitializationSettings const& settings = {});

/// Calls the finalize hooks, the last one first, and ends Kokkos. It cannot be started again.
/// Aborts if Kokkos is not initialized. Every view must have been destroyed.
void finalize();

/// True between initialize and finalize.
[[nodiscard]] bool is_initialized() noexcept;
/// True from finalize on.
[[nodiscard]] bool is_finalized() noexcept;

/// Waits for all asynchronous work of every backend. `label` names the fence in tools.
void fence(std::string const& label);
void fence();

/// Threads of DefaultHostExecutionSpace.
[[nodiscard]] int num_threads() noexcept;
/// Devices available to the device backend, or -1 if only host backends are enabled. May be called at any time.
[[nodiscard]] int num_devices() noexcept;
/// The device that DefaultExecutionSpace uses, or -1 if only host backends are enabled.
[[nodiscard]] int device_id() noexcept;

/// Writes version, compiler, options, and what each backend says about itself.
void print_configuration(std::ostream& out, bool verbose = false);

/// False if warnings were disabled by a setting.
[[nodiscard]] bool show_warnings() noexcept;
/// True if tuning of launch parameters by a tool was asked for.
[[nodiscard]] bool tune_internals() noexcept;

namespace Impl {
// A hook is an object on the free store, how to call it and how to delete it: std::function without its header.
void push_finalize_hook(void* hook, void (*call)(void*), void (*destroy)(void*));
}  // namespace Impl

/// Registers a callable for finalize, which calls hooks in reverse order before it releases anything. A hook that
/// throws ends the program by std::terminate.
template <class Hook, class Stored = std::decay_t<Hook>>
  requires(std::is_invocable_v<Stored&>)
void push_finalize_hook(Hook&& hook) {
  Impl::push_finalize_hook(
      new Stored(std::forward<Hook>(hook)), [](void* h) { (*static_cast<Stored*>(h))(); },
      [](void* h) { delete static_cast<Stored*>(h); });
}

/// Initializes with its constructor's arguments and finalizes when it is destroyed.
class [[nodiscard]] ScopeGuard {
 public:
  template <class... Args>
  requires requires(Args&&... args) { initialize(std::forward<Args>(args)...); }
  [[nodiscard]] explicit(sizeof...(Args) == 1) ScopeGuard(Args&&... args) { initialize(std::forward<Args>(args)...); }
  ~ScopeGuard() { finalize(); }

  ScopeGuard(ScopeGuard const&)            = delete;
  ScopeGuard& operator=(ScopeGuard const&) = delete;
};

}  // namespace Kokkos

#endif
