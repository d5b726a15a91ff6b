// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// UnorderedMap: each operation on maps and sets that are as full as their number says.

#include "Sweep.hpp"

#include <Kokkos_UnorderedMap.hpp>

#include <type_traits>

namespace sweep {
namespace {

/// Inserts every Step-th number.
template <class Map, int Step>
struct Insert {
  Map map;
  KOKKOS_FUNCTION void operator()(long i) const {
    using Key = typename Map::key_type;
    if constexpr (Map::is_set)
      map.insert(static_cast<Key>(i * Step));
    else
      map.insert(static_cast<Key>(i * Step), static_cast<typename Map::value_type>(i));
  }
};

/// The place of every seventh number, or of numbers between these.
template <class Map>
struct Find {
  Map map;
  Kokkos::View<unsigned*, Exec> found;
  long factor, offset;
  KOKKOS_FUNCTION void operator()(long i) const {
    long const k = i * factor % static_cast<long>(found.extent(0));
    found(i)     = map.find(static_cast<typename Map::key_type>(k * 7 + offset));
  }
};

template <class Map>
void operations(Sweep const& s, std::size_t n, std::string const& name) {
  Map map(static_cast<unsigned>(n));
  auto const row   = [&](char const* what, auto const& call) { s.row((name + what).c_str(), n, call); };
  auto const every = Range(0, n), half = Range(0, n / 2), quarter = Range(0, n / 4);
  Insert<Map, 7> const insert{map};
  Insert<Map, 14> const insert_half{map};
  auto const erase = KOKKOS_LAMBDA(long i) { map.erase(static_cast<typename Map::key_type>(i * 28)); };
  row("_clear", [&] { map.clear(); });
  row("_clear_insert", [&] {
    map.clear();
    Kokkos::parallel_for(every, insert);
  });
  row("_clear_insert_erase", [&] {
    map.clear();
    Kokkos::parallel_for(half, insert_half);
    map.begin_erase();
    Kokkos::parallel_for(quarter, erase);
    map.end_erase();
  });
  map.clear();
  Kokkos::parallel_for(every, insert);
  Kokkos::fence();
  row("_insert_present", [&] { Kokkos::parallel_for(every, insert); });
  Kokkos::View<unsigned*, Exec> const found("found", n);
  row("_find", [&] { Kokkos::parallel_for(every, Find<Map>{map, found, 1, 0}); });
  row("_find_scattered", [&] { Kokkos::parallel_for(every, Find<Map>{map, found, 7919, 0}); });
  row("_find_absent", [&] { Kokkos::parallel_for(every, Find<Map>{map, found, 1, 3}); });
  row("_rehash", [&] {
    map.rehash(static_cast<unsigned>(n + n / 2));
    map.rehash(static_cast<unsigned>(n));
  });
  row("_make", [&] { Map const other(static_cast<unsigned>(n)); });
  Map other;
  row("_copy", [&] { other.create_copy_view(map); });
}

}  // namespace

void maps(Sweep const& s) {
  for (std::size_t n : s.sizes()) {
    if (n < 4 || n > 10000000) continue;
    operations<Kokkos::UnorderedMap<int, int, Exec>>(s, n, "map_int_int");
    operations<Kokkos::UnorderedMap<int, void, Exec>>(s, n, "set_int");
    operations<Kokkos::UnorderedMap<long, double, Exec>>(s, n, "map_long_double");
  }
}

}  // namespace sweep
