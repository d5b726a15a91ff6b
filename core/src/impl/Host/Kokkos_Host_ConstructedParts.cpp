// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/Host/Kokkos_Host_ConstructedParts.hpp>

#include <exception>

namespace Kokkos::Impl {

struct HostConstructedParts::Exception {
  std::exception_ptr pointer;
};

HostConstructedParts::HostConstructedParts(int threads)
    : m_parts(new HostPart[static_cast<std::size_t>(threads)]()), m_threads(threads) {}

HostConstructedParts::~HostConstructedParts() {
  delete m_exception;
  delete[] m_parts;
}

void HostConstructedParts::record_exception() noexcept {
  Exception* const mine = new Exception{std::current_exception()};
  Exception* none       = nullptr;
  // The caller reads the exception after the end of the team, which orders it after this write.
  if (!__atomic_compare_exchange_n(&m_exception, &none, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) delete mine;
}

void HostConstructedParts::rethrow() const { std::rethrow_exception(m_exception->pointer); }

}  // namespace Kokkos::Impl
