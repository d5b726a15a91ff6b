// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances of Kokkos::Threads, and the backend's functions for initialize, finalize and fence.

#include <Threads/Kokkos_Threads_Patterns.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/Host/Kokkos_Host_ThreadShares.hpp>
#include <Kokkos_InitializationSettings.hpp>
#include <Threads/Kokkos_Threads_Pool.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <thread>

namespace Kokkos {
namespace {

Impl::HostInstanceList& instances() {
  static Impl::HostInstanceList& list = Impl::host_instance_list("Threads");
  return list;
}

Impl::HostInstance& default_instance() {
  // Never destroyed: handles in static storage may be destroyed later than any other static object.
  static auto* instance = new Impl::HostInstance(instances(), 0, /*permanent=*/true);
  return *instance;
}

/// The number of processors that the process may use.
int processors() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

int checked_threads(char const* what, int threads) {
  int const limit = Impl::max_num_threads();
  if (threads < 1 || threads > limit) {
    Impl::throw_runtime_exception(std::string(what) + " was called for " + std::to_string(threads) + " threads; 1 to " +
                                  std::to_string(limit) + " are allowed here. Choose a number in that range.");
  }
  return threads;
}

[[maybe_unused]] void initialize_backend(InitializationSettings const& settings) {
  int const threads =
      settings.has_num_threads() ? checked_threads("Kokkos::initialize", settings.get_num_threads()) : processors();
  Impl::start_workers(threads - 1);
  default_instance().set_threads(threads);
}

[[maybe_unused]] void finalize_backend() {
  default_instance().wait();
  default_instance().release_scratch();
  default_instance().set_threads(0);
  Impl::end_workers();
}

void print_backend(std::ostream& os, bool) {
  os << "Threads: " << default_instance().threads() << " threads on " << processors() << " processors\n";
}

}  // namespace

Threads::Threads() : m_instance(default_instance().for_new_handle()) {}
Threads::Threads(int threads)
    : m_instance(default_instance().new_instance(checked_threads("Kokkos::Threads(threads)", threads))) {}
Threads::Threads(NewInstance) : m_instance(default_instance().new_instance(default_instance().threads())) {}

void Threads::fence(std::string const& label) const {
  Impl::FenceReport report(label, Tools::Experimental::device_id(*this));
  m_instance.get()->wait();
}

void Threads::impl_static_fence(std::string const& label) {
  Impl::FenceReport report(label, Tools::Experimental::device_id_root<Threads>());
  Impl::host_fence_all(instances());
}

void Threads::print_configuration(std::ostream& os, bool verbose) const {
  print_backend(os, verbose);
  if (verbose) os << "  instance " << impl_instance_id() << ": " << impl_concurrency() << " threads\n";
}

void Threads::impl_partition(double const* weights, std::size_t count, Threads* parts) const {
  for (int threads : Impl::host_share_threads(impl_concurrency(), {weights, weights + count}))
    *parts++ = Threads(threads);
}

int Threads::impl_is_initialized() noexcept { return default_instance().threads() > 0; }
int Threads::impl_thread_pool_size() noexcept { return default_instance().threads(); }
int Threads::impl_thread_pool_rank() noexcept { return Impl::worker_rank(); }
bool Threads::in_parallel(Threads const&) noexcept { return Impl::host_inside_kernel(); }

namespace Impl {

#if !KOKKOS_IMPL_DEVICE_PASS  // hipcc would compile the constant, with its host functions, into device code
extern const Backend Threads_backend;
Backend const Threads_backend = {"Threads", initialize_backend, finalize_backend, Threads::impl_static_fence,
                                 print_backend};
#endif

KOKKOS_IMPL_HOST_NUMBER_VIEWS(, Threads)

}  // namespace Impl
}  // namespace Kokkos
