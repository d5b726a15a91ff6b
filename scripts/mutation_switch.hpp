// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SCRIPTS_MUTATION_SWITCH_HPP
#define KOKKOS_SCRIPTS_MUTATION_SWITCH_HPP

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

/// \file
/// MUT(n): whether change n of a draw is active. Included in front of every source of a build of scripts/mutation_draw.

namespace mutation {

/// Number of changes that a build can contain.
constexpr int max_changes = 4096;

/// The active change, and the map of reached changes, as environment variables request them.
struct Settings {
  int active             = 0;        ///< KOKKOS_MUTATION: the number of the active change; 0 for none
  unsigned char* reached = nullptr;  ///< KOKKOS_MUTATION_MAP: a file with a byte for each change, which MUT(n) sets
};

inline Settings read_settings() {
  Settings settings;
  if (char const* number = std::getenv("KOKKOS_MUTATION")) settings.active = std::atoi(number);
  char const* const path = std::getenv("KOKKOS_MUTATION_MAP");
  if (path == nullptr) return settings;
  int const file = ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return settings;
  // Shared, so that it contains what all processes of a test reach.
  void* const map = ::mmap(nullptr, max_changes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) settings.reached = static_cast<unsigned char*>(map);
  ::close(file);
  return settings;
}

// Not inlined, so that the optimiser treats all places alike.
__attribute__((noinline)) inline bool is_active(int n) {
  static Settings const settings = read_settings();
  if (settings.reached != nullptr) settings.reached[n] = 1;
  return settings.active == n;
}

/// False in a constant expression: such a change has no effect there.
constexpr bool is_on(int n) {
  if (__builtin_is_constant_evaluated()) return false;
  return is_active(n);
}

}  // namespace mutation

#define MUT(n) (::mutation::is_on(n))

#endif
