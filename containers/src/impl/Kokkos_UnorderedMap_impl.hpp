// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_KOKKOS_UNORDEREDMAP_IMPL_HPP
#define KOKKOS_IMPL_KOKKOS_UNORDEREDMAP_IMPL_HPP

/// \file
/// A listing of a map, for programs that take it from Kokkos::Impl; the library itself does not use it.

#include <cstddef>
#include <cstdio>
#include <type_traits>

namespace Kokkos::Impl {

/// Prints the valid entries of a map.
template <class Map>
class UnorderedMapPrint {
 public:
  explicit UnorderedMapPrint(Map const& map) : m_map(map) {}

  /// Writes a line for each valid entry to the standard output: its index and, of numbers, key and value.
  void apply() const {
    typename Map::host_mirror_type entries;
    entries.create_copy_view(m_map);
    for (typename Map::size_type i = 0; i < entries.capacity(); ++i) {
      if (!entries.valid_at(i)) continue;
      std::printf("%zu:", static_cast<std::size_t>(i));
      write(entries.key_at(i));
      if constexpr (!Map::is_set) write(entries.value_at(i));
      std::printf("\n");
    }
  }

 private:
  template <class T>
  static void write(T const& value) {
    if constexpr (std::is_floating_point_v<T>) {
      std::printf(" %g", static_cast<double>(value));
    } else if constexpr (std::is_integral_v<T>) {
      std::printf(" %lld", static_cast<long long>(value));
    }
  }

  Map m_map;
};

}  // namespace Kokkos::Impl

#endif
