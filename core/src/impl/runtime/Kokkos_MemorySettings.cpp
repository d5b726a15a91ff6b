// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The settings of memory pools, and the functions of programs that concern all of them.

#include <Kokkos_IdleMemory.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>

#include <charconv>
#include <system_error>

namespace Kokkos {

namespace Impl {

namespace {
MemoryPreferences chosen_for_memory;
}

MemoryPreferences const& memory_preferences() noexcept { return chosen_for_memory; }

void set_memory_preferences(InitializationSettings const& settings) {
  MemoryPreferences now;
  now.is_pool_size_given = settings.has_device_memory_pool_mb();
  if (now.is_pool_size_given) now.pool_bytes = static_cast<std::size_t>(settings.get_device_memory_pool_mb()) << 20;
  if (settings.has_device_memory_limit()) now.limit = settings.get_device_memory_limit();
  chosen_for_memory = now;
}

std::size_t memory_limit(std::string_view text, std::size_t device_bytes) {
  double number         = 0;
  auto const [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view const unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double const of = unit == "GiB"   ? 0x1p30
                    : unit == "MiB" ? 0x1p20
                    : unit == "%"   ? static_cast<double>(device_bytes) / 100
                                    : 0;
  if (bad != std::errc() || !(number > 0) || of == 0 || (unit == "%" && number > 100) || number > 1e9) return 0;
  return number * of < 0x1p20 ? 0 : static_cast<std::size_t>(number * of);
}

}  // namespace Impl

Experimental::DeviceMemoryUsage Experimental::device_memory_usage() {
  for (Impl::Backend const* const* backend = Impl::backend_table; *backend; ++backend)
    if ((*backend)->memory_usage) return (*backend)->memory_usage();
  return {};
}

void Experimental::release_idle_memory() {
  Impl::require_initialized("Kokkos::Experimental::release_idle_memory");
  for (Impl::Backend const* const* backend = Impl::backend_table; *backend; ++backend)
    if ((*backend)->release_memory) (*backend)->release_memory();
}

}  // namespace Kokkos
