// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances of Kokkos::OpenMP, and the backend's functions for initialize, finalize and fence.

#include <OpenMP/Kokkos_OpenMP_Patterns.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/Host/Kokkos_Host_ThreadShares.hpp>
#include <Kokkos_InitializationSettings.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string>

namespace Kokkos {
namespace {

Impl::HostInstanceList& instances() {
  static Impl::HostInstanceList& list = Impl::host_instance_list("OpenMP");
  return list;
}

Impl::HostInstance& default_instance() {
  // Never destroyed: handles in static storage may be destroyed later than any other static object.
  static auto* instance = new Impl::HostInstance(instances(), 0, /*permanent=*/true);
  return *instance;
}

/// The value of omp_get_max_threads before initialize changed it; 0 if initialize did not.
int threads_before_initialize = 0;

int checked_threads(char const* what, int threads) {
  int const limit = std::min(omp_get_thread_limit(), Impl::max_num_threads());
  if (threads < 1 || threads > limit) {
    Impl::throw_runtime_exception(std::string(what) + " was called for " + std::to_string(threads) + " threads; 1 to " +
                                  std::to_string(limit) + " are allowed here. Choose a number in that range" +
                                  (limit == omp_get_thread_limit() ? ", or raise OMP_THREAD_LIMIT." : "."));
  }
  return threads;
}

void warn_about_binding(int threads) {
  if (threads == 1 || omp_get_proc_bind() != omp_proc_bind_false || std::getenv("OMP_PROC_BIND")) return;
  Impl::warn(
      "OMP_PROC_BIND is not set, so OpenMP may move threads from core to core. For speed set OMP_PROC_BIND=spread and "
      "OMP_PLACES=threads; if several processes share the cores, set OMP_PROC_BIND=false.");
}

void warn_about_oversubscription(int threads) {
  int const processors = omp_get_num_procs();
  if (threads <= processors) return;
  Impl::warn("Kokkos::OpenMP runs " + std::to_string(threads) + " threads on " + std::to_string(processors) +
             " processors, which slows kernels down. Request at most " + std::to_string(processors) +
             " threads, or give the process more processors.");
}

// ---- regions that are opened inside a kernel ------------------------------------------------------------------------
//
// A thread's OpenMP settings are inherited by the threads of each region that it opens. One such setting, the default
// allocator, is the mark: a launch sets an allocator that behaves like the default one, and restores the former one
// when the kernel has ended. If a program has set a default allocator itself, it keeps that. Its regions then cannot be
// distinguished, so all threads of regions count as threads inside a kernel, which never wait.
//
// The mark is a predefined allocator. An allocator of our own would need a memory space, whose numbers differ between
// versions of LLVM's runtime: a program compiled with the header of version 22 and run with the library of version 19,
// as Debian combines them, fails an assertion there. The price: LLVM's runtime warns if a kernel calls omp_alloc
// without an allocator, but the allocation works as usual.

constexpr omp_allocator_handle_t mark_allocator = omp_thread_mem_alloc;
omp_allocator_handle_t initial_allocator        = omp_null_allocator;

std::uintptr_t enter_kernel() {
  omp_allocator_handle_t const before = omp_get_default_allocator();
  if (before == initial_allocator) omp_set_default_allocator(mark_allocator);
  return before;
}
void leave_kernel(std::uintptr_t before) { omp_set_default_allocator(static_cast<omp_allocator_handle_t>(before)); }
bool is_marked() { return omp_get_level() > 0 && omp_get_default_allocator() != initial_allocator; }

void set_up_mark() {
  omp_allocator_handle_t const now = omp_get_default_allocator();
  // Without a mark no region can be distinguished from one inside a kernel.
  initial_allocator      = now == omp_default_mem_alloc ? now : omp_null_allocator;
  Impl::host_region_mark = {enter_kernel, leave_kernel, is_marked};
}

// Starts the threads of the default instance, so that the first kernel does not have to.
void start_threads(int threads) {
  int started = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp atomic
    ++started;
  }
}

[[maybe_unused]] void initialize_backend(InitializationSettings const& settings) {
  int threads = omp_get_max_threads();
  if (settings.has_num_threads()) {
    int const before = threads;
    threads          = checked_threads("Kokkos::initialize", settings.get_num_threads());
    // The program's own parallel regions get as many threads, as users of Kokkos expect.
    omp_set_num_threads(threads);
    threads_before_initialize = before;
  }
  warn_about_binding(threads);
  warn_about_oversubscription(threads);
  set_up_mark();
  start_threads(threads);
  default_instance().set_threads(threads);
}

[[maybe_unused]] void finalize_backend() {
  default_instance().wait();
  default_instance().release_scratch();
  default_instance().set_threads(0);
  if (threads_before_initialize > 0) omp_set_num_threads(threads_before_initialize);
  threads_before_initialize = 0;
  Impl::host_region_mark    = {};
}

char const* bind_name() {
  switch (omp_get_proc_bind()) {
    case omp_proc_bind_false:
      return "false";
    case omp_proc_bind_true:
      return "true";
    case omp_proc_bind_master:
      return "primary";
    case omp_proc_bind_close:
      return "close";
    case omp_proc_bind_spread:
      return "spread";
    default:
      return "unknown";
  }
}

void print_backend(std::ostream& os, bool verbose) {
  os << "OpenMP: " << default_instance().threads() << " threads on " << omp_get_num_procs() << " processors\n";
  if (!verbose) return;
  os << "  _OPENMP: " << _OPENMP << "\n  bound to places: " << bind_name() << " (" << omp_get_num_places()
     << " places)\n  thread limit: " << omp_get_thread_limit() << '\n';
}

}  // namespace

OpenMP::OpenMP() : m_instance(default_instance().for_new_handle()) {}
OpenMP::OpenMP(int pool_size)
    : m_instance(default_instance().new_instance(checked_threads("Kokkos::OpenMP(pool_size)", pool_size))) {}
OpenMP::OpenMP(NewInstance) : m_instance(default_instance().new_instance(default_instance().threads())) {}

void OpenMP::fence(std::string const& label) const {
  Impl::FenceReport report(label, Tools::Experimental::device_id(*this));
  m_instance.get()->wait();
}

void OpenMP::impl_static_fence(std::string const& label) {
  Impl::FenceReport report(label, Tools::Experimental::device_id_root<OpenMP>());
  Impl::host_fence_all(instances());
}

void OpenMP::print_configuration(std::ostream& os, bool verbose) const {
  print_backend(os, verbose);
  if (verbose) os << "  instance " << impl_instance_id() << ": " << impl_concurrency() << " threads\n";
}

void OpenMP::impl_partition(double const* weights, std::size_t count, OpenMP* parts) const {
  for (int threads : Impl::host_share_threads(impl_concurrency(), {weights, weights + count}))
    *parts++ = OpenMP(threads);
}

int OpenMP::impl_is_initialized() noexcept { return default_instance().threads() > 0; }
int OpenMP::impl_thread_pool_size() noexcept { return default_instance().threads(); }
int OpenMP::impl_thread_pool_rank() noexcept { return omp_get_thread_num(); }
int OpenMP::impl_max_hardware_threads() noexcept { return default_instance().threads(); }
int OpenMP::impl_get_current_max_threads() noexcept { return omp_get_max_threads(); }
bool OpenMP::in_parallel(OpenMP const&) noexcept { return Impl::host_inside_kernel() || omp_get_level() > 0; }

namespace Impl {

#if !KOKKOS_IMPL_DEVICE_PASS  // hipcc would compile the constant, with its host functions, into device code
extern const Backend OpenMP_backend;
Backend const OpenMP_backend = {"OpenMP", initialize_backend, finalize_backend, OpenMP::impl_static_fence,
                                print_backend};
#endif

KOKKOS_IMPL_HOST_NUMBER_VIEWS(, OpenMP)

}  // namespace Impl
}  // namespace Kokkos
