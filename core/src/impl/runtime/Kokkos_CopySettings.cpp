// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The settings of copies.

#include <impl/runtime/Kokkos_CopySettings.hpp>

namespace Kokkos::Impl {

namespace {
CopyPreferences chosen_for_copies;
}

CopyPreferences const& copy_preferences() noexcept { return chosen_for_copies; }

void set_copy_preferences(InitializationSettings const& settings) {
  CopyPreferences now;
  if (settings.has_pageable_copy())
    now.pageable = settings.get_pageable_copy() == "blocking" ? PageableCopies::blocking
                   : settings.get_pageable_copy() == "async"  ? PageableCopies::always_async
                                                              : PageableCopies::by_ownership;
  if (settings.has_copy_check()) now.check = settings.get_copy_check();
  if (settings.has_staging_mb()) now.staging_bytes = static_cast<std::size_t>(settings.get_staging_mb()) << 20;
  if (settings.has_staging_threads()) now.staging_threads = settings.get_staging_threads();
  copies_are_explained = settings.has_copy_explain() && settings.get_copy_explain();
  chosen_for_copies    = now;
}

}  // namespace Kokkos::Impl
