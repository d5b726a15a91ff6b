// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_UNORDEREDMAP_HPP
#define KOKKOS_UNORDEREDMAP_HPP

/// \file
/// UnorderedMap: a hash map, or set, into which all threads of a kernel can insert concurrently.

#include <Kokkos_Bitset.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_Functional.hpp>
#include <impl/Kokkos_UnorderedMapCount.hpp>
#include <impl/Kokkos_UnorderedMapIndexed.hpp>
#include <impl/Kokkos_UnorderedMapResult.hpp>
#include <impl/Kokkos_UnorderedMapWords.hpp>
#include <impl/Kokkos_UnorderedMap_impl.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos {

/// Elements have indexes below capacity(), which they keep until rehash. To visit all elements, visit the indexes for
/// which valid_at is true. Copies refer to the same elements.
///
/// The capacity is fixed inside kernels: an insertion into a full map fails, and failed_insert() reports that to the
/// host, which calls rehash and runs the kernel again. The map always has space for the number of distinct keys that
/// was passed to the constructor or to rehash. Elements are erased between begin_erase() and end_erase(); insertions
/// fail during that time.
///
/// \tparam Key trivially copyable; with a const key nothing can be inserted into the map
/// \tparam Value trivially copyable, or void for a set; with a const one the values are const. A value that is not
/// trivially copyable, such as a View, needs SequentialHostInit and insertions on the host.
template <class Key, class Value, class Device = DefaultExecutionSpace,
          class Hasher = pod_hash<std::remove_const_t<Key>>, class EqualTo = pod_equal_to<std::remove_const_t<Key>>>
class UnorderedMap {
 public:
  using key_type         = std::remove_const_t<Key>;    ///< a key without const
  using value_type       = std::remove_const_t<Value>;  ///< a value without const; void for a set
  using const_key_type   = key_type const;              ///< a const key
  using const_value_type = value_type const;            ///< a const value
  // The template arguments
  using declared_key_type   = Key;    ///< possibly const
  using declared_value_type = Value;  ///< possibly const, or void

  using device_type     = Device;                            ///< the Device argument
  using execution_space = typename Device::execution_space;  ///< runs the kernels of the map
  using hasher_type     = Hasher;                            ///< the hash function: a functor of a key
  using equal_to_type   = EqualTo;                           ///< compares two keys: a functor
  using size_type       = std::uint32_t;                     ///< the type of indexes and of the capacity
  using insert_result   = UnorderedMapInsertResult;          ///< what insert() returns
  /// The memory space of a copy for the host.
  using host_mirror_space = Impl::HostMirrorSpace<typename Device::memory_space>;

  /// This map. The next three differ in what may be changed: elements, only values, or nothing. All refer to the same
  /// elements.
  using declared_map_type = UnorderedMap<Key, Value, Device, Hasher, EqualTo>;
  /// The map without const, into which kernels can insert.
  using insertable_map_type = UnorderedMap<key_type, value_type, Device, Hasher, EqualTo>;
  /// The map whose keys are const: kernels can change values.
  using modifiable_map_type = UnorderedMap<const_key_type, value_type, Device, Hasher, EqualTo>;
  /// The map whose keys and values are const: kernels can only search.
  using const_map_type = UnorderedMap<const_key_type, const_value_type, Device, Hasher, EqualTo>;
  /// The map in memory that the host can access, for create_mirror and deep_copy.
  using host_mirror_type = UnorderedMap<key_type, value_type, host_mirror_space, Hasher, EqualTo>;
  /// The name from before Kokkos 5.
  using HostMirror = host_mirror_type;

  /// Whether there are only keys.
  static constexpr bool is_set = std::is_void_v<value_type>;
  /// Whether kernels cannot insert or erase, because the template argument Key is const.
  static constexpr bool has_const_key = std::is_const_v<Key>;
  /// Whether values cannot be changed. True for a set.
  static constexpr bool has_const_value = is_set || std::is_const_v<Value>;
  /// Whether kernels can insert.
  static constexpr bool is_insertable_map = !has_const_key && (is_set || !has_const_value);
  /// Whether kernels can change values, but not insert.
  static constexpr bool is_modifiable_map = has_const_key && !has_const_value;
  /// Whether kernels can only search.
  static constexpr bool is_const_map = has_const_key && has_const_value;

 private:
  using impl_value_type = std::conditional_t<is_set, int, Value>;
  using table_type      = std::conditional_t<Impl::map_fits_words<key_type, value_type, EqualTo>,
                                             Impl::WordMapTable<key_type, value_type, Device, EqualTo>,
                                             Impl::IndexedMapTable<key_type, value_type, Device, EqualTo>>;

 public:
  /// The keys by index.
  using key_type_view = View<Key*, typename Device::device_type>;
  /// The values by index; of a set, ints without a meaning.
  using value_type_view = View<impl_value_type*, typename Device::device_type>;
  /// The default operation of insert(): a key that exists keeps its value.
  using default_op_type = typename UnorderedMapInsertOpTypes<value_type_view, size_type>::NoOp;

  /// The index that find() returns for a key that is not in the map.
  static constexpr size_type invalid_index = UnorderedMapInvalidIndex;

  // ---- construction -------------------------------------------------------------------------------------------------

  /// A map with a capacity of at least `capacity_hint` elements.
  /// \throws std::runtime_error if there is not enough memory, or if an index cannot represent the capacity.
  UnorderedMap(size_type capacity_hint = 0, hasher_type const& hasher = hasher_type(),
               equal_to_type const& equal_to = equal_to_type())
      : UnorderedMap(view_alloc("Kokkos::UnorderedMap"), capacity_hint, hasher, equal_to) {}

  /// Like the constructor above, allocated with the properties of view_alloc, and in the order of its execution space
  /// instance if it has one.
  template <class L, class E, class M, bool I, bool S, bool A>
  UnorderedMap(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, size_type capacity_hint = 0,
               hasher_type const& hasher = hasher_type(), equal_to_type const& equal_to = equal_to_type())
      : m_hasher(hasher), m_equal_to(equal_to) {
    if constexpr (is_insertable_map) allocate(properties, capacity_for(properties.get_label(), capacity_hint));
  }

  /// Refers to the same elements, with const keys or const values.
  template <class K, class V>
    requires(std::is_same_v<std::remove_const_t<K>, key_type> && std::is_same_v<std::remove_const_t<V>, value_type> &&
             (std::is_const_v<Key> || !std::is_const_v<K>) && (std::is_const_v<Value> || !std::is_const_v<V>) &&
             !std::is_same_v<UnorderedMap<K, V, Device, Hasher, EqualTo>, UnorderedMap>)
  KOKKOS_FUNCTION UnorderedMap(UnorderedMap<K, V, Device, Hasher, EqualTo> const& other)
      : m_table(other.m_table), m_state(other.m_state), m_hasher(other.m_hasher), m_equal_to(other.m_equal_to) {}

  // ---- for the host -------------------------------------------------------------------------------------------------

  /// Number of elements. Waits for kernels that insert or erase. O(capacity), on the host only if the number may have
  /// changed since the last call.
  size_type size() const {
    Kokkos::fence("Kokkos::UnorderedMap::size: fence before elements are counted");
    if constexpr (keeps_count) {
      if (m_state.is_allocated()) return kept_count().get([&] { return m_table.count(); });
    }
    return m_table.count();
  }

  /// Removes all elements.
  void clear() {
    run_alone([&](execution_space const& exec) {
      m_table.clear(exec);
      Kokkos::deep_copy(exec, m_state, 0u);
    });
  }

  /// Sets the capacity to at least `requested_capacity`, and to no less than the number of elements. Elements get other
  /// indexes; copies of the map keep the old elements. Returns false if nothing can be inserted into the map.
  bool rehash(size_type requested_capacity = 0) {
    if constexpr (is_insertable_map) {
      size_type const n       = size();
      std::string const label = m_table.label();
      auto const properties   = [&] {
        if constexpr (std::is_trivially_copyable_v<impl_value_type>)
          return view_alloc(label);
        else
          return view_alloc(label, SequentialHostInit);
      }();
      UnorderedMap larger(properties, requested_capacity < n ? n : requested_capacity, m_hasher, m_equal_to);
      if (n > 0) {
        Kokkos::parallel_for("Kokkos::UnorderedMap::rehash",
                             RangePolicy<execution_space, IndexType<std::size_t>>(0, capacity()),
                             Reinsert{*this, larger});
        Kokkos::fence("Kokkos::UnorderedMap::rehash: fence before the old elements are released");
      }
      *this = larger;
    }
    return is_insertable_map;
  }
  /// Like `rehash` above; the second argument has no effect.
  bool rehash(size_type requested_capacity, bool /*bounded_insert*/) { return rehash(requested_capacity); }

  /// Whether an insertion has failed since the map was constructed, cleared or rehashed, or the flag was reset.
  bool failed_insert() const { return state(Impl::map_failed_insert) != 0; }
  /// Resets the flag that failed_insert() returns. Insertions search for a free place again.
  void reset_failed_insert_flag() { Kokkos::deep_copy(states(Impl::map_failed_insert, Impl::map_closed), 0u); }

  /// Starts a period in which elements may be erased, but not inserted. Returns false if it had already started.
  bool begin_erase() {
    bool const begins = !erasable();
    if (begins) Kokkos::deep_copy(states(Impl::map_erasing, Impl::map_erasing), Impl::map_period_begun);
    return begins;
  }
  /// Ends that period, so that elements may be inserted again. Returns false if it had not started.
  bool end_erase() {
    std::uint32_t const period = erase_period();
    if (period == 0) return false;
    run_alone([&](execution_space const& exec) {
      if (period == Impl::map_period_erased) {
        // Searches do not become longer with each erasure. Remaining elements keep their index.
        m_table.forget_erased(exec);
        Kokkos::parallel_for("Kokkos::UnorderedMap::end_erase",
                             RangePolicy<execution_space, IndexType<std::size_t>>(exec, 0, capacity()), Refill{*this});
      }
      Kokkos::deep_copy(exec, states(Impl::map_closed, Impl::map_erasing), 0u);
    });
    return true;
  }
  /// Whether the map is in a period between begin_erase and end_erase.
  bool erasable() const { return erase_period() != 0; }

  // ---- for kernels --------------------------------------------------------------------------------------------------

  /// Whether the map has memory; false if it was default-constructed without any.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m_table.is_allocated(); }
  /// Number of indexes: elements have indexes below it.
  KOKKOS_FORCEINLINE_FUNCTION size_type capacity() const { return m_table.capacity(); }
  /// Number of positions at which the search for a key may start.
  KOKKOS_FUNCTION size_type hash_capacity() const { return m_table.number_of_slots(); }

  /// Inserts a key and its value. If the key exists already, `op` determines the new value: see
  /// UnorderedMapInsertOpTypes; any object with such an `op` is accepted. Fails if the map is full, or between
  /// begin_erase and end_erase.
  template <class InsertOp = default_op_type>
  KOKKOS_FUNCTION insert_result insert(key_type const& key, impl_value_type const& value = impl_value_type(),
                                       [[maybe_unused]] InsertOp const& op = InsertOp()) const {
    static_assert(is_insertable_map,
                  "Kokkos::UnorderedMap: nothing can be inserted into a map with const keys or const values.");
    insert_result result;
    if (m_state(Impl::map_erasing) != 0) return result;
    m_table.insert(result, key, value, hash_of(key), m_equal_to, m_state.data());
    if constexpr (keeps_count) {
      if (result.success()) kept_count().forget();
    }
    if constexpr (!is_set && !std::is_same_v<InsertOp, default_op_type>) {
      if (result.existing()) op.op(values_with(result.index()), result.index(), value);
    }
    return result;
  }

  /// Erases a key between begin_erase and end_erase; has no effect at other times. Returns whether this call erased it.
  KOKKOS_FUNCTION bool erase(key_type const& key) const {
    static_assert(is_insertable_map,
                  "Kokkos::UnorderedMap: nothing can be erased from a map with const keys or values.");
    std::uint32_t* const period = &m_state(Impl::map_erasing);
    std::uint32_t seen          = 0;
    KOKKOS_IF_ON_HOST((seen = Kokkos::atomic_load(period);))
    KOKKOS_IF_ON_DEVICE((seen = *period;))  // an atomic load would not be cached
    if (seen == 0) return false;
    bool const erased = m_table.erase(key, hash_of(key), m_equal_to, m_state.data());
    if (erased && seen == Impl::map_period_begun) Kokkos::atomic_store(period, Impl::map_period_erased);
    if constexpr (keeps_count) {
      if (erased) kept_count().forget();
    }
    return erased;
  }

  /// The index of a key, or invalid_index.
  KOKKOS_FUNCTION size_type find(key_type const& key) const { return m_table.find(key, hash_of(key), m_equal_to); }
  /// Whether the map contains the key.
  KOKKOS_FUNCTION bool exists(key_type const& key) const { return find(key) != invalid_index; }

  /// Whether there is an element at an index; false from capacity() on. While a kernel inserts, the insertion of that
  /// element may not have ended.
  KOKKOS_FORCEINLINE_FUNCTION bool valid_at(size_type index) const { return m_table.holds(index); }

  /// The key at an index; a default-constructed one from capacity() on.
  KOKKOS_FORCEINLINE_FUNCTION key_type key_at(size_type index) const {
    return index < capacity() ? m_table.key_at(index) : key_type();
  }

  /// The value at an index; from capacity() on, a value that belongs to no element.
  template <class V = value_type>
    requires(!std::is_void_v<V>)
  KOKKOS_FORCEINLINE_FUNCTION std::conditional_t<has_const_value, impl_value_type, impl_value_type&> value_at(
      size_type index) const {
    return *m_table.value_at(index < capacity() ? index : capacity());
  }

  // ---- copies -------------------------------------------------------------------------------------------------------

  /// Makes this an independent map with the elements of `src`.
  template <class K, class V, class D>
  void create_copy_view(UnorderedMap<K, V, D, Hasher, EqualTo> const& src) {
    if (m_table.identity() == src.m_table.identity()) return;
    allocate_view(src);
    deep_copy_view(src);
  }
  /// Makes this an empty map with the capacity of `src`.
  template <class K, class V, class D>
  void allocate_view(UnorderedMap<K, V, D, Hasher, EqualTo> const& src) {
    insertable_map_type allocated(src.m_hasher, src.m_equal_to);
    allocated.allocate(Kokkos::view_alloc(src.m_table.label()), src.capacity());
    *this = allocated;
  }
  /// Copies the elements of `src`, which has the same capacity, with their indexes. If the capacities differ and
  /// Kokkos_ENABLE_DEPRECATED_CODE_4 is on, this map first gets new memory with the capacity of `src`.
  /// \throws std::runtime_error if the capacities differ and that option is off.
  template <class K, class V, class D>
  void deep_copy_view(UnorderedMap<K, V, D, Hasher, EqualTo> const& src) {
    copy_from(Impl::None(), src);
  }
  template <class Exec, class K, class V, class D>
  void impl_deep_copy(Exec const& exec, UnorderedMap<K, V, D, Hasher, EqualTo> const& src) {
    copy_from(exec, src);
  }

  /// A kernel, for the library: inserts the elements of `from` into `to`. Public because nvcc does not accept private
  /// types.
  struct Reinsert {
    UnorderedMap from;  ///< has the elements
    UnorderedMap to;    ///< receives them
    /// For slot i of `from`.
    KOKKOS_FUNCTION void operator()(std::size_t i) const {
      auto const index = static_cast<size_type>(i);
      if (!from.valid_at(index)) return;
      if constexpr (is_set)
        to.insert(from.key_at(index));
      else
        to.insert(from.key_at(index), *from.m_table.value_at(index));
    }
  };

  /// A kernel, for the library: makes searches find an element again.
  struct Refill {
    UnorderedMap map;  ///< has the elements
    /// For slot i of `map`.
    KOKKOS_FUNCTION void operator()(std::size_t i) const {
      auto const index = static_cast<size_type>(i);
      if (map.valid_at(index)) map.m_table.refill(index, map.hash_of(map.m_table.key_at(index)));
    }
  };

 private:
  template <class, class, class, class, class>
  friend class UnorderedMap;

  /// Without memory, for allocate_view.
  UnorderedMap(hasher_type const& hasher, equal_to_type const& equal_to) : m_hasher(hasher), m_equal_to(equal_to) {}

  /// More than requested, so that an insertion soon finds a place, in groups of 128. The largest maps have at least a
  /// sixth more.
  static size_type capacity_for(std::string const& label, std::size_t hint) {
    constexpr std::size_t most = std::size_t(1) << 31;
    auto const in_groups       = [](std::size_t n) { return (n + 127) / 128 * 128; };
    if (in_groups(hint * 7 / 6) > most) Impl::throw_map_too_large(label, hint, most / 7 * 6);
    std::size_t capacity = in_groups(hint * table_type::capacity_for_six / 6);
    if (capacity > most) capacity = most;
    return static_cast<size_type>(capacity == 0 ? 128 : capacity);
  }

  template <class Properties>
  void allocate(Properties const& properties, size_type capacity) {
    auto const plain = [&] {  // for words, which are all overwritten here
      if constexpr (Properties::has_execution_space)
        return Kokkos::view_alloc(properties.exec, properties.get_label(), WithoutInitializing);
      else
        return Kokkos::view_alloc(properties.get_label(), WithoutInitializing);
    }();
    m_table.allocate(plain, properties, capacity);
    m_state          = View<std::uint32_t[Impl::map_state_words], typename Device::device_type>(plain);
    auto const clear = [&](auto const& exec) {
      m_table.clear_slots(exec);
      Kokkos::deep_copy(exec, m_state, 0u);
    };
    if constexpr (Properties::has_execution_space)
      clear(properties.exec);
    else
      run_alone(clear);
  }

  template <class Exec, class Src>
  void copy_from([[maybe_unused]] Exec const& exec, Src const& src) {
    if (capacity() != src.capacity()) {
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
      Impl::warn_copy_allocates_map(m_table.label(), capacity(), src.capacity());
      allocate_view(src);
#else
      Impl::throw_sizes_differ("Kokkos::UnorderedMap", "indexes", capacity(), src.capacity());
#endif
    }
    auto const copy = [&](auto const& to, auto const& from) {
      using Element = typename std::remove_cvref_t<decltype(to)>::non_const_value_type;
      View<Element*, typename Device::device_type, MemoryUnmanaged> const writable(const_cast<Element*>(to.data()),
                                                                                   to.size());
      if constexpr (std::is_same_v<Exec, Impl::None>)
        Kokkos::deep_copy(writable, from);
      else
        Kokkos::deep_copy(exec, writable, from);
    };
    m_table.copy_from(src.m_table, copy);
    if (!m_state.is_allocated()) return;
    using State    = View<std::uint32_t*, typename Device::device_type, MemoryUnmanaged>;
    using SrcState = View<std::uint32_t const*, typename Src::device_type::device_type, MemoryUnmanaged>;
    constexpr std::size_t first_word = Impl::map_failed_insert, words = Impl::map_state_words - first_word;
    copy(State(m_state.data() + first_word, words), SrcState(src.m_state.data() + first_word, words));
    if constexpr (keeps_count) kept_count().forget();
  }

  // Whether size() keeps the number.
  static constexpr bool keeps_count = Impl::runs_on_host_v<execution_space>;
  KOKKOS_FORCEINLINE_FUNCTION Impl::KeptMapCount kept_count() const {
    return Impl::KeptMapCount(m_state.data() + Impl::map_kept_count);
  }

  std::uint32_t state(int word) const {
    if (!m_state.is_allocated()) return 0;
    std::uint32_t value = 0;
    Kokkos::deep_copy(value, Kokkos::subview(m_state, word));
    return value;
  }
  /// The words of the state from `first` to `last`.
  auto states(int first, int last) const { return Kokkos::subview(m_state, Kokkos::pair<int, int>(first, last + 1)); }
  std::uint32_t erase_period() const { return is_insertable_map ? state(Impl::map_erasing) : 0; }

  /// Calls `work(instance)` behind all work that was submitted to any space. Waits once, for all that `work` enqueues.
  template <class Work>
  static void run_alone(Work const& work) {
    Impl::run_ordered<execution_space>(Impl::None(), work);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t hash_of(key_type const& key) const {
    auto const h = m_hasher(key);
    if constexpr (std::is_same_v<Hasher, pod_hash<key_type>>)
      return h;
    else if constexpr (sizeof(h) > 4)
      return Impl::mix_hash(static_cast<std::uint32_t>(static_cast<std::uint64_t>(h) >> 32) * 0x9e3779b1u ^
                            static_cast<std::uint32_t>(h));
    else
      return Impl::mix_hash(static_cast<std::uint32_t>(h));
  }
  /// A view whose element `index` is the value at that index. No other element of it may be accessed, because the
  /// values of a table are not always adjacent.
  KOKKOS_FORCEINLINE_FUNCTION value_type_view values_with(size_type index) const {
    auto const address = reinterpret_cast<std::uintptr_t>(m_table.value_at(index));
    return value_type_view(reinterpret_cast<impl_value_type*>(address - std::size_t(index) * sizeof(impl_value_type)),
                           std::size_t(index) + 1);
  }

  table_type m_table;
  View<std::uint32_t[Impl::map_state_words], typename Device::device_type> m_state;
  hasher_type m_hasher;
  equal_to_type m_equal_to;
};

/// Copies all elements with their indexes. The maps must have the same capacity: create_mirror and create_copy_view
/// allocate it. As in Kokkos 4, a map of another capacity gets new memory, with a warning.
/// \throws std::runtime_error if the capacities differ and Kokkos_ENABLE_DEPRECATED_CODE_4 is off.
template <class DK, class DV, class DDevice, class SK, class SV, class SDevice, class Hasher, class EqualTo>
void deep_copy(UnorderedMap<DK, DV, DDevice, Hasher, EqualTo>& dst,
               UnorderedMap<SK, SV, SDevice, Hasher, EqualTo> const& src) {
  dst.deep_copy_view(src);
}
/// Like `deep_copy` above, in the order of an instance.
template <ExecutionSpace ExecSpace, class DK, class DV, class DDevice, class SK, class SV, class SDevice, class Hasher,
          class EqualTo>
void deep_copy(ExecSpace const& exec, UnorderedMap<DK, DV, DDevice, Hasher, EqualTo>& dst,
               UnorderedMap<SK, SV, SDevice, Hasher, EqualTo> const& src) {
  dst.impl_deep_copy(exec, src);
}

/// An empty map for the host with the capacity of `src`.
template <class K, class V, class D, class Hasher, class EqualTo>
typename UnorderedMap<K, V, D, Hasher, EqualTo>::host_mirror_type create_mirror(
    UnorderedMap<K, V, D, Hasher, EqualTo> const& src) {
  typename UnorderedMap<K, V, D, Hasher, EqualTo>::host_mirror_type mirror;
  mirror.allocate_view(src);
  return mirror;
}

}  // namespace Kokkos

#endif
