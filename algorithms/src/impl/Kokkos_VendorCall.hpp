// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VENDOR_CALL_HPP
#define KOKKOS_VENDOR_CALL_HPP

/// \file
/// Calls of the libraries of GPU vendors, which work in memory that the caller provides.

#include <Kokkos_View.hpp>

#include <cstddef>
#include <string>

namespace Kokkos::Impl {

[[noreturn]] void throw_runtime_exception(std::string const& sentence);

/// Calls call(nullptr, bytes), which sets `bytes` to the memory that the vendor's library needs, then
/// call(memory, bytes). `label` names the memory. Both calls return the status of the library.
/// \throws std::runtime_error if a call fails; the message begins with `what`
template <class ExecSpace, class Call>
void call_vendor(ExecSpace const& exec, std::string const& label, char const* what, Call const& call) {
  using Runtime    = typename ExecSpace::runtime_type;
  auto const check = [&](typename Runtime::error_t status) {
    if (status == Runtime::success) return;
    Runtime::clear_last_error();
    throw_runtime_exception(std::string(what) + ": the library of the GPU's vendor failed with " +
                            Runtime::error_name(status) + ".");
  };
  auto const scope  = exec.impl_instance().device_scope();
  std::size_t bytes = 0;
  check(call(nullptr, bytes));
  View<char*, typename ExecSpace::device_type> const memory(view_alloc(exec, WithoutInitializing, label), bytes + 1);
  check(call(static_cast<void*>(memory.data()), bytes));
}

}  // namespace Kokkos::Impl

#endif
