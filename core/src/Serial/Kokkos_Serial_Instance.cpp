// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances of Kokkos::Serial, and the backend's functions for initialize, finalize and fence.

#include <Serial/Kokkos_Serial_Patterns.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <ostream>

namespace Kokkos {
namespace {

Impl::HostInstanceList& instances() {
  static Impl::HostInstanceList& list = Impl::host_instance_list("Serial");
  return list;
}

Impl::HostInstance& default_instance() {
  // Never destroyed: handles in static storage may be destroyed later than any other static object.
  static auto* instance = new Impl::HostInstance(instances(), 0, /*permanent=*/true);
  return *instance;
}

[[maybe_unused]] void initialize_backend(InitializationSettings const&) { default_instance().set_threads(1); }

[[maybe_unused]] void finalize_backend() {
  default_instance().wait();
  default_instance().release_scratch();
  default_instance().set_threads(0);
}

void print_backend(std::ostream& os, bool) { os << "Serial: kernels run on the thread that launches them\n"; }

}  // namespace

Serial::Serial() : m_instance(default_instance().for_new_handle()) {}
Serial::Serial(NewInstance) : m_instance(default_instance().new_instance(1)) {}

void Serial::fence(std::string const& label) const {
  Impl::FenceReport report(label, Tools::Experimental::device_id(*this));
  m_instance.get()->wait();
}

void Serial::impl_static_fence(std::string const& label) {
  Impl::FenceReport report(label, Tools::Experimental::device_id_root<Serial>());
  Impl::host_fence_all(instances());
}

void Serial::print_configuration(std::ostream& os, bool verbose) const {
  print_backend(os, verbose);
  if (verbose) os << "  instance " << impl_instance_id() << '\n';
}

void Serial::impl_partition(double const*, std::size_t count, Serial* parts) const {
  for (std::size_t i = 0; i < count; ++i) parts[i] = Serial(NewInstance());
}

int Serial::impl_is_initialized() noexcept { return default_instance().threads() > 0; }

namespace Impl {

#if !KOKKOS_IMPL_DEVICE_PASS  // hipcc would compile the constant, with its host functions, into device code
extern const Backend Serial_backend;
Backend const Serial_backend = {"Serial", initialize_backend, finalize_backend, Serial::impl_static_fence,
                                print_backend};
#endif

KOKKOS_IMPL_HOST_NUMBER_VIEWS(, Serial)

}  // namespace Impl
}  // namespace Kokkos
