// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_INITIALIZE_HPP
#define KOKKOS_INITIALIZE_HPP

/// \file
/// Start and end of Kokkos, and queries in between.

#include <Kokkos_Macros.hpp>
#include <Kokkos_InitializationSettings.hpp>

#include <atomic>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {
enum class Lifecycle : int { never_initialized, initializing, finalized, active, finalizing };
/// The library's state. A thread that reads `active` sees everything that initialize did before (release there, acquire in
/// the queries).
extern std::atomic<Lifecycle> lifecycle;
}  // namespace Impl

/// Initializes Kokkos. Settings come from `--kokkos-*` arguments and, for settings without an argument, from `KOKKOS_*`
/// environment variables. Recognised arguments are removed from `argv` and `argc` is reduced.
///
/// Throws std::runtime_error if a value is not valid or a backend cannot start. Nothing is initialized then, and the
/// program may continue or exit. Aborts if Kokkos is or was initialized.
void initialize(int& argc, char* argv[]);

/// Initializes Kokkos with `settings`; environment variables supply settings that are not given. Errors are
/// those of the overload above.
void initialize(InitializationSettings const& settings = {});

/// Calls the finalize hooks, the last one first, and ends Kokkos, which cannot be initialized again. Aborts if Kokkos
/// is not initialized. Every view must have been destroyed.
void finalize();

/// True between initialize and finalize.
[[nodiscard]] bool is_initialized() noexcept;
/// True after finalize was called.
[[nodiscard]] bool is_finalized() noexcept;

#ifndef KOKKOS_IMPL_DEFINES_QUERIES
// Only for inlining (gnu_inline): these definitions give a program no symbol of these names. Code that was compiled with
// the headers of another Kokkos calls the functions of the library, where is_initialized refuses a second library.
extern inline __attribute__((gnu_inline, always_inline)) bool is_initialized() noexcept {
  return Impl::lifecycle.load(std::memory_order_acquire) >= Impl::Lifecycle::active;
}
extern inline __attribute__((gnu_inline, always_inline)) bool is_finalized() noexcept {
  return Impl::lifecycle.load(std::memory_order_acquire) == Impl::Lifecycle::finalized;
}
#endif

/// Waits for all asynchronous work of every backend. `label` is the name of the fence in tools.
void fence(std::string const& label);
/// Like `fence` above, under a default name.
void fence();

/// Number of threads of DefaultHostExecutionSpace.
[[nodiscard]] int num_threads() noexcept;
/// Number of devices available to the device backend, or -1 if only host backends are enabled. May be called at any
/// time.
[[nodiscard]] int num_devices() noexcept;
/// The device that DefaultExecutionSpace uses, as its number among the visible devices: from 0 to num_devices() - 1, as
/// in the setting device_id. -1 if only host backends are enabled.
[[nodiscard]] int device_id() noexcept;

/// Writes version, compiler, options, and the configuration of each backend.
void print_configuration(std::ostream& out, bool verbose = false);

/// False if warnings were disabled by a setting.
[[nodiscard]] bool show_warnings() noexcept;
/// True if a setting requests that a tool tunes launch parameters.
[[nodiscard]] bool tune_internals() noexcept;

namespace Impl {
// A hook consists of an object on the free store and functions that call and delete it: std::function without its
// header.
void push_finalize_hook(void* hook, void (*call)(void*), void (*destroy)(void*));
}  // namespace Impl

/// Registers a callable for finalize, which calls hooks in reverse order before it releases anything. An exception of a
/// hook calls std::terminate.
template <class Hook, class Stored = std::decay_t<Hook>>
  requires(std::is_invocable_v<Stored&>)
void push_finalize_hook(Hook&& hook) {
  Impl::push_finalize_hook(
      new Stored(std::forward<Hook>(hook)), [](void* h) { (*static_cast<Stored*>(h))(); },
      [](void* h) { delete static_cast<Stored*>(h); });
}

/// The constructor calls initialize with its arguments, and the destructor calls finalize.
class [[nodiscard]] ScopeGuard {
 public:
  /// Calls `initialize(args...)`: without arguments, with argc and argv, or with InitializationSettings.
  template <class... Args>
    requires requires(Args&&... args) { Kokkos::initialize(std::forward<Args>(args)...); }
  [[nodiscard]] explicit(sizeof...(Args) == 1) ScopeGuard(Args&&... args) {
    Kokkos::initialize(std::forward<Args>(args)...);
  }
  ~ScopeGuard() { finalize(); }

  ScopeGuard(ScopeGuard const&)            = delete;
  ScopeGuard& operator=(ScopeGuard const&) = delete;
};

}  // namespace Kokkos

#endif
