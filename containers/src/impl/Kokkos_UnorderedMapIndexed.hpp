// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_UNORDEREDMAPINDEXED_HPP
#define KOKKOS_IMPL_UNORDEREDMAPINDEXED_HPP

/// \file
/// The table of an UnorderedMap of any key and value: arrays of keys, of values, of slots, and of free indexes. The
/// algorithms are described in Kokkos_UnorderedMapSlots.hpp.

#include <Kokkos_Bitset.hpp>
#include <Kokkos_View.hpp>
#include <impl/Kokkos_UnorderedMapResult.hpp>
#include <impl/Kokkos_UnorderedMapSlots.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

/// \tparam Value void for a set
template <class Key, class Value, class Device, class EqualTo>
class IndexedMapTable {
  static constexpr bool is_set = std::is_void_v<Value>;
  using Stored                 = std::conditional_t<is_set, int, Value>;
  using device_type            = typename Device::device_type;
  using Exec                   = typename Device::execution_space;

 public:
  /// The capacity of a map for six elements, if capacities were not multiples of 128.
  static constexpr std::size_t capacity_for_six = 7;

  KOKKOS_FUNCTION constexpr bool is_allocated() const {
    return m_keys.is_allocated() && (is_set || m_values.is_allocated()) && m_slots.is_allocated();
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t capacity() const { return m_held.size(); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number_of_slots() const {
    return static_cast<std::uint32_t>(m_slots.extent(0));
  }
  /// Differs between tables that share no elements.
  void const* identity() const { return m_slots.data(); }
  std::string label() const { return m_slots.label(); }

  /// `plain` are the properties of views that need not be initialized, and `properties` those of values. The caller
  /// calls clear_slots() next.
  template <class Plain, class Properties>
  void allocate(Plain const& plain, Properties const& properties, std::uint32_t capacity) {
    m_index_mask = map_index_mask(capacity);
    m_held       = Bitset<Device>(plain, capacity);
    m_slots      = View<std::uint32_t*, device_type>(plain, 2 * std::size_t(capacity));
    m_keys       = View<Key*, device_type>(plain, capacity);
    if constexpr (!is_set) m_values = View<Stored*, device_type>(properties, std::size_t(capacity) + 1);
  }
  template <class E>
  void clear_slots(E const& exec) {
    Kokkos::deep_copy(exec, m_slots, empty_map_slot);
  }
  void clear(Exec const& exec) {
    clear_slots(exec);
    Kokkos::deep_copy(exec, m_held.impl_blocks(), 0u);
  }
  std::uint32_t count() const { return m_held.count(); }

  /// `copy(to, from)` copies all elements of a view.
  template <class Table, class Copy>
  void copy_from(Table const& src, Copy const& copy) {
    copy(m_slots, src.m_slots);
    copy(m_held.impl_blocks(), src.m_held.impl_blocks());
    copy(m_keys, src.m_keys);
    if constexpr (!is_set) copy(m_values, src.m_values);
  }

  /// Whether there is an element at an index, which may be any number.
  KOKKOS_FORCEINLINE_FUNCTION bool holds(std::uint32_t index) const { return m_held.test(index); }
  /// The key and the address of the value at an index below capacity(), for a value also at capacity().
  KOKKOS_FORCEINLINE_FUNCTION Key key_at(std::uint32_t index) const { return m_keys(index); }
  KOKKOS_FORCEINLINE_FUNCTION Stored* value_at(std::uint32_t index) const { return m_values.data() + index; }

  /// Inserts a key, unless it exists, and sets `result`; if the table is full, also the flag in `state`.
  KOKKOS_FUNCTION void insert(UnorderedMapInsertResult& result, Key const& key, Stored const& value, std::uint32_t hash,
                              EqualTo const& equal_to, std::uint32_t* state) const {
    std::uint32_t taken = no_map_index, passed = 0;
    int tries_left = -1;
    prefetch_to_insert(hash);
    for (MapSearch search = search_for(hash);;) {
      std::uint32_t word = load_published(search.slot());
      if (word == empty_map_slot) {
        if (taken == no_map_index) {
          taken = indexes(state).take(hash);
          if (taken == no_map_index) {
            if (!try_again(tries_left, state)) return;
            continue;
          }
          store_at(taken, key, value, state);
        }
        word = publish(search.slot(), empty_map_slot, search.word_of(taken));
        if (word == empty_map_slot) {
          result.set_success(taken, passed);
          return;
        }
      }
      if (matches(search, word, key, equal_to)) {
        if (taken != no_map_index) indexes(state).give_back(taken);
        result.set_existing(search.index_of(word), taken != no_map_index, passed);
        return;
      }
      search.next();
      ++passed;
    }
  }

  /// Returns whether this call erased the key.
  KOKKOS_FUNCTION bool erase(Key const& key, std::uint32_t hash, EqualTo const& equal_to, std::uint32_t* state) const {
    for (MapSearch search = search_for(hash);; search.next()) {
      std::uint32_t const word = load_published(search.slot());
      if (word == empty_map_slot) return false;
      if (!matches(search, word, key, equal_to)) continue;
      if (publish(search.slot(), word, erased_map_slot) != word) return false;  // another call erased it
      indexes(state).give_back(search.index_of(word));
      return true;
    }
  }

  /// The index of a key, or no_map_index.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t find(Key const& key, std::uint32_t hash, EqualTo const& equal_to) const {
    if (m_slots.extent(0) == 0) return no_map_index;
    prefetch_to_find(hash);
    for (MapSearch search = search_for(hash);; search.next()) {
      std::uint32_t const word = load_published(search.slot());
      if (word == empty_map_slot) return no_map_index;
      if (matches(search, word, key, equal_to)) return search.index_of(word);
    }
  }

  /// After erasures, removes everything that makes searches longer. Searches find an element again after refill() was
  /// called for its index. Every key is unique, so keys are not compared.
  void forget_erased(Exec const& exec) { clear_slots(exec); }
  KOKKOS_FUNCTION void refill(std::uint32_t index, std::uint32_t hash) const {
    MapSearch search = search_for(hash);
    while (publish(search.slot(), empty_map_slot, search.word_of(index)) != empty_map_slot) search.next();
  }

 private:
  template <class, class, class, class>
  friend class IndexedMapTable;

  // How often an insertion searches for a free index while others may be returned: more often on devices, whose many
  // threads may each hold one for a moment.
  static constexpr int tries_for_index =
      SpaceAccessibility<DefaultHostExecutionSpace, typename Device::memory_space>::accessible ? 64 : 1024;

  KOKKOS_FORCEINLINE_FUNCTION MapSearch search_for(std::uint32_t hash) const {
    return MapSearch(m_slots.data(), m_slots.extent(0), m_index_mask, hash);
  }
  KOKKOS_FORCEINLINE_FUNCTION MapIndexes indexes(std::uint32_t* state) const {
    return {m_held.impl_blocks().data(), m_held.impl_blocks().extent(0), state};
  }
  /// If a copy throws, which only values on the host do, the index is free again.
  KOKKOS_FORCEINLINE_FUNCTION void store_at(std::uint32_t index, Key const& key, [[maybe_unused]] Stored const& value,
                                            std::uint32_t* state) const {
    HeldMapIndex<!std::is_nothrow_copy_assignable_v<Key> || !std::is_nothrow_copy_assignable_v<Stored>> held{
        indexes(state), index};
    m_keys(index) = key;
    if constexpr (!is_set) m_values(index) = value;
    held.keep();
  }
  // The index of an element is most often the one that likely() names.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_to_insert(std::uint32_t hash) const {
    std::uint32_t const index = indexes(nullptr).likely(hash);
    Impl::prefetch_to_write_on_host(m_held.impl_blocks().data() + index / 32);
    Impl::prefetch_to_write_on_host(m_keys.data() + index);
    if constexpr (!is_set) Impl::prefetch_to_write_on_host(m_values.data() + index);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_to_find(std::uint32_t hash) const {
    std::uint32_t const index = indexes(nullptr).likely(hash);
    Impl::prefetch_on_host(m_keys.data() + index);
    if constexpr (!is_set) Impl::prefetch_on_host(m_values.data() + index);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool matches(MapSearch const& search, std::uint32_t word, Key const& key,
                                           EqualTo const& equal_to) const {
    return search.may_match(word) && equal_to(Impl::published_key(m_keys.data() + search.index_of(word)), key);
  }

  /// Called when no index was free: returns whether to search again. Records the failure if not.
  KOKKOS_FUNCTION static bool try_again(int& tries_left, std::uint32_t* state) {
    if (tries_left < 0) tries_left = atomic_load(&state[map_failed_insert]) != 0 ? 0 : tries_for_index;
    if (tries_left-- > 0) return true;
    atomic_store(&state[map_failed_insert], 1u);
    return false;
  }

  View<Key*, device_type> m_keys;
  View<Stored*, device_type> m_values;  // one more than there are indexes, for value_at(invalid_index)
  View<std::uint32_t*, device_type> m_slots;
  Bitset<Device> m_held;  // the indexes that are held
  std::uint32_t m_index_mask = 0;
};

}  // namespace Kokkos::Impl

#endif
