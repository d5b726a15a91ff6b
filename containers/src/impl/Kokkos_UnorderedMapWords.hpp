// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_UNORDEREDMAPWORDS_HPP
#define KOKKOS_IMPL_UNORDEREDMAPWORDS_HPP

/// \file
/// The table of an UnorderedMap whose key and value fit into one word: a hash table with open addressing, in which the
/// index of an element is the position of its word. An insertion or a search that meets no other key touches one sector
/// of memory.
///
/// **Words.** The low bits of a word are the key; the high half is the value. Two bit patterns of the key mean that the
/// word is *free*: empty (no element was ever there), or erased. A key with one of these two patterns has a word of its
/// own behind the others.
///
/// **Search.** A key's search starts at the position that its hash names. It visits the words of a sector of 32 bytes,
/// the unit of a GPU's memory, then those of the other sector of a line of 64 bytes, the unit of a host's memory, then
/// the next line in the same way. It ends at the key, at an empty word, or after all words.
///
/// **Insertion.** The target is the first free word of the key's search. If the target is empty, the key does not
/// exist, because no search passes an empty word. If it is an erased word, the thread continues to the first empty one
/// to find out whether the key exists. Then one compare-exchange replaces the free word by key and value together. If
/// it fails, another thread has filled the word: either with the same key, which now exists, or with another one, and
/// the search continues.
///
/// **No key is inserted twice.** While elements are inserted, no filled word becomes free, and the key of a filled word
/// does not change. Suppose that two threads insert the same key, at the words a and b of the key's search, with a
/// before b. The second thread saw every word before b filled by other keys, a among them. So a was filled by another
/// key forever, and the first thread's exchange at a failed: a contradiction. Therefore both exchange the same word;
/// one of them succeeds, and the other one finds the key there.
///
/// **No thread waits.** Key and value appear by one instruction, so there is no state in which the progress of a thread
/// depends on the next step of another. Threads of one wavefront, some of which may not run until others have left a
/// loop, cannot block one another. A search visits each word once; it starts again only after an erased word was
/// filled.
///
/// **Stale reads.** A device reads words through caches that may be older than memory. An old word is free where the
/// current one is filled, never the reverse. The compare-exchange bypasses these caches and returns the current word,
/// so an old word costs time, but inserts nothing twice. A search that runs concurrently with the insertion of its key
/// may or may not find it; if the insertion happened before (in an earlier kernel, or before a fence or barrier that
/// both threads passed), the caches are up to date.
///
/// **Memory order.** Key and value are in one word, so a thread that sees the key also sees the value. On the host the
/// exchange is a release, and a read is an acquire.
///
/// **Erasure** replaces a word by the erased one. Afterwards forget_erased() makes all erased words empty, and refill()
/// restores those which a search must pass to reach an element. Elements keep their positions.
///
/// **A full map.** Searches become long when few words are empty. So an insertion whose target is far from the start of
/// its search examines a random sample of 1024 words. If 95 % of them are filled, the insertion fails, and so do all
/// later insertions of new keys, until elements are erased or the flag is reset. In a map with the requested number of
/// elements half of the words are filled (6/7 in the largest maps), however bad the hash function is; the sample
/// of such a map reaches 95 % with a probability below 10^-15. A map of fewer than 1024 words fails only if all are
/// filled.

#include <Kokkos_Atomic.hpp>
#include <Kokkos_Functional.hpp>
#include <Kokkos_View.hpp>
#include <impl/atomic/Kokkos_AtomicWord.hpp>
#include <impl/atomic/Kokkos_CopyBytes.hpp>
#include <impl/Kokkos_UnorderedMapResult.hpp>
#include <impl/Kokkos_UnorderedMapSlots.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

// ---- the word of a key and a value ----------------------------------------------------------------------------------

/// Whether two keys are equal exactly if their bytes are, as far as the library knows.
template <class Key, class EqualTo>
inline constexpr bool map_compares_bytes =
    std::is_same_v<EqualTo, pod_equal_to<Key>> ||
    ((std::is_integral_v<Key> || std::is_enum_v<Key> || std::is_pointer_v<Key>) &&
     (std::is_same_v<EqualTo, equal_to<Key>> || std::is_same_v<EqualTo, std::equal_to<Key>> ||
      std::is_same_v<EqualTo, std::equal_to<>>));

template <class Value>
constexpr bool map_value_fits_half_a_word() {
  if constexpr (std::is_void_v<Value>)
    return true;
  else
    return std::is_trivially_copyable_v<Value> && sizeof(Value) <= 4 && alignof(Value) <= 4;
}

/// Whether WordMapTable supports the key, the value (void for a set) and the comparison.
template <class Key, class Value, class EqualTo>
inline constexpr bool map_fits_words =
    std::endian::native == std::endian::little && std::is_trivially_copyable_v<Key> &&
    map_compares_bytes<Key, EqualTo> && sizeof(Key) <= (std::is_void_v<Value> ? 8 : 4) &&
    Impl::map_value_fits_half_a_word<Value>();

/// `Key` in the low bits, and `Value`, if it is not void, in the high half.
template <class Key, class Value>
struct MapWordFormat {
  static constexpr bool is_set = std::is_void_v<Value>;

  using Bits   = std::conditional_t<(sizeof(Key) <= 4), std::uint32_t, std::uint64_t>;
  using Word   = std::conditional_t<is_set, Bits, std::uint64_t>;
  using Stored = std::conditional_t<is_set, int, Value>;
  /// The type for accesses to words. It may alias other types, because the program accesses values inside the words.
  using Access = typename AtomicWord<sizeof(Word)>::aliasing;

  static constexpr Word empty  = static_cast<Bits>(~Bits(0));
  static constexpr Word erased = static_cast<Bits>(~Bits(1));
  /// Whether a key of the program may look like an empty or erased word.
  static constexpr bool has_reserved_keys = sizeof(Key) == sizeof(Bits);

  KOKKOS_FORCEINLINE_FUNCTION static Bits bits_of(Key const& key) {
    Bits bits = 0;
    Kokkos::Impl::copy_bytes(&bits, &key, sizeof(Key));
    return bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Key key_of(Bits bits) {
    Key key;
    Kokkos::Impl::copy_bytes(&key, &bits, sizeof(Key));
    return key;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Word word_of(Bits bits, [[maybe_unused]] Stored const& value) {
    Word word = bits;
    if constexpr (!is_set) {
      std::uint32_t high = 0;
      Kokkos::Impl::copy_bytes(&high, &value, sizeof(Stored));
      word |= static_cast<Word>(high) << 32;
    }
    return word;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool is_free(Word word) {
    return static_cast<Bits>(word) >= static_cast<Bits>(erased);
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool is_empty(Word word) {
    return static_cast<Bits>(word) == static_cast<Bits>(empty);
  }

  KOKKOS_FORCEINLINE_FUNCTION static Word load(Word* word) {
    Word value = 0;
    KOKKOS_IF_ON_HOST((value = __atomic_load_n(reinterpret_cast<Access*>(word), __ATOMIC_ACQUIRE);))
    KOKKOS_IF_ON_DEVICE((value = *reinterpret_cast<Access const*>(word);))
    return value;
  }
  /// Exchanges `expected` for `desired`. Returns the old word.
  KOKKOS_FORCEINLINE_FUNCTION static Word exchange(Word* word, Word expected, Word desired) {
    KOKKOS_IF_ON_HOST((__atomic_compare_exchange_n(reinterpret_cast<Access*>(word), &expected, desired, false,
                                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);))
    KOKKOS_IF_ON_DEVICE((expected = Kokkos::atomic_compare_exchange(word, expected, desired);))
    return expected;
  }
};

/// The search of a key among `number_of_words` words, a multiple of 2 * Sector. `Sector` is a number of words.
template <std::uint32_t Sector>
struct WordSearch {
  std::uint32_t position, start, number_of_words;

  KOKKOS_FORCEINLINE_FUNCTION WordSearch(std::uint32_t hash, std::uint32_t n)
      : position(static_cast<std::uint32_t>(place_of_hash(hash, n))), start(position), number_of_words(n) {}

  KOKKOS_FORCEINLINE_FUNCTION void next() {
    position = (position & ~(Sector - 1)) | ((position + 1) & (Sector - 1));
    if (((position ^ start) & (Sector - 1)) == 0) next_sector();
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_sector() {
    position ^= Sector;
    if (((position ^ start) & Sector) != 0) return;
    position += 2 * Sector;
    if (position >= number_of_words) position -= number_of_words;
  }
};

/// A copy of the 32 bytes of an aligned sector. Both halves are loaded at once.
template <class Word>
class WordSector {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit WordSector(Word const* words) {
    Kokkos::Impl::copy_bytes(m_halves, __builtin_assume_aligned(words, 16), 16);
    Kokkos::Impl::copy_bytes(m_halves + 1, __builtin_assume_aligned(words + in_half, 16), 16);
  }
  KOKKOS_FORCEINLINE_FUNCTION Word operator[](std::uint32_t k) const {
    return m_halves[k / in_half].words[k % in_half];
  }

 private:
  static constexpr std::uint32_t in_half = 16 / sizeof(Word);
  struct alignas(16) Half {
    Word words[in_half];
  };
  Half m_halves[2];
};

/// Makes erased words empty.
template <class Format>
struct ForgetErasedWords {
  typename Format::Word* words;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (static_cast<typename Format::Bits>(words[i]) == static_cast<typename Format::Bits>(Format::erased))
      words[i] = Format::empty;
  }
};

template <class Table>
struct CountMapElements {
  Table table;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::uint32_t& sum) const {
    sum += table.holds(static_cast<std::uint32_t>(i)) ? 1u : 0u;
  }
};

// ---- the table ------------------------------------------------------------------------------------------------------

/// Like IndexedMapTable, whose comments describe the functions.
template <class Key, class Value, class Device, class EqualTo>
class WordMapTable {
  using Format = MapWordFormat<Key, Value>;
  using Bits   = typename Format::Bits;
  using Word   = typename Format::Word;
  using Stored = typename Format::Stored;
  using Exec   = typename Device::execution_space;
  using Words  = View<Word*, typename Device::device_type>;

  static constexpr std::uint32_t line = 64 / sizeof(Word);
  using Search                        = WordSearch<line / 2>;

 public:
  // Half of the words stay empty, because the threads of a warp wait for the longest of their searches. With a third,
  // searches for absent keys take 1.45 to 1.64 times as long on an H200.
  static constexpr std::size_t capacity_for_six = 12;

  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m_words.is_allocated(); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t capacity() const { return m_capacity; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number_of_slots() const { return m_capacity; }
  void const* identity() const { return m_words.data(); }
  std::string label() const { return m_words.label(); }

  template <class Plain, class Properties>
  void allocate(Plain const& plain, Properties const&, std::uint32_t capacity) {
    m_capacity = capacity;
    m_words    = Words(plain, std::size_t(capacity) + 1);
  }
  template <class E>
  void clear_slots(E const& exec) {
    Kokkos::deep_copy(exec, m_words, Format::empty);
  }
  void clear(Exec const& exec) { clear_slots(exec); }
  std::uint32_t count() const {
    std::uint32_t sum = 0;
    Kokkos::parallel_reduce("Kokkos::UnorderedMap::size", RangePolicy<Exec, IndexType<std::size_t>>(0, m_capacity),
                            CountMapElements<WordMapTable>{*this}, sum);
    return sum;
  }
  template <class Table, class Copy>
  void copy_from(Table const& src, Copy const& copy) {
    copy(m_words, src.m_words);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool holds(std::uint32_t index) const {
    if (index >= m_capacity) return false;
    Word const word = Format::load(m_words.data() + index);
    // A filled word of a reserved key contains the bits of `erased`. One comparison with a bound, because clang 22
    // compiles a choice of two comparisons to a wrong one of 64 bits for gfx90a and gfx942.
    Bits const bound =
        static_cast<Bits>(Format::has_reserved_keys && index >= searched() ? Format::empty : Format::erased);
    return static_cast<Bits>(word) < bound;
  }
  KOKKOS_FORCEINLINE_FUNCTION Key key_at(std::uint32_t index) const {
    if (Format::has_reserved_keys && index >= searched())
      return Format::key_of(
          static_cast<Bits>(index == index_of_reserved(Bits(Format::empty)) ? Format::empty : Format::erased));
    return Format::key_of(static_cast<Bits>(Format::load(m_words.data() + index)));
  }
  KOKKOS_FORCEINLINE_FUNCTION Stored* value_at(std::uint32_t index) const {
    return reinterpret_cast<Stored*>(reinterpret_cast<std::uint32_t*>(m_words.data() + index) + 1);
  }

  KOKKOS_FUNCTION void insert(UnorderedMapInsertResult& result, Key const& key, Stored const& value, std::uint32_t hash,
                              EqualTo const&, std::uint32_t* state) const {
    Bits const bits    = Format::bits_of(key);
    Word const desired = Format::word_of(bits, value);
    if (Format::has_reserved_keys && Format::is_free(bits)) {
      insert_reserved(result, bits, desired);
      return;
    }
    while (!try_to_insert(result, bits, desired, hash, state)) {
    }
  }

  KOKKOS_FUNCTION bool erase(Key const& key, std::uint32_t hash, EqualTo const& equal_to, std::uint32_t*) const {
    std::uint32_t const index = find(key, hash, equal_to);
    if (index == no_map_index) return false;
    Word* const place   = m_words.data() + index;
    bool const reserved = Format::has_reserved_keys && index >= searched();
    // The value may change concurrently, and another call may erase the key.
    for (Word seen = Format::load(place);;) {
      if (reserved ? Format::is_empty(seen) : Format::is_free(seen)) return false;
      Word const found = Format::exchange(place, seen, reserved ? Format::empty : Format::erased);
      if (found == seen) return true;
      seen = found;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t find(Key const& key, std::uint32_t hash, EqualTo const&) const {
    Bits const bits = Format::bits_of(key);
    if (Format::has_reserved_keys && Format::is_free(bits)) {
      std::uint32_t const index = index_of_reserved(bits);
      return m_capacity != 0 && holds(index) ? index : no_map_index;
    }
    std::uint32_t index = no_map_index;
    KOKKOS_IF_ON_HOST((index = find_by_words(bits, hash);))
    KOKKOS_IF_ON_DEVICE((index = find_by_sectors(bits, hash);))
    return index;
  }

  void forget_erased(Exec const& exec) {
    Kokkos::parallel_for("Kokkos::UnorderedMap::end_erase: erased words",
                         RangePolicy<Exec, IndexType<std::size_t>>(exec, 0, searched()),
                         ForgetErasedWords<Format>{m_words.data()});
  }
  KOKKOS_FUNCTION void refill(std::uint32_t index, std::uint32_t hash) const {
    if (index >= searched()) return;
    for (Search search(hash, searched()); search.position != index; search.next()) {
      Word* const word = m_words.data() + search.position;
      if (Format::is_empty(Format::load(word))) Format::exchange(word, Format::empty, Format::erased);
    }
  }

 private:
  template <class, class, class, class>
  friend class WordMapTable;

  static constexpr std::uint32_t far      = 1024;  // steps of a search after which the map may be full
  static constexpr std::uint32_t samples  = 1024;
  static constexpr std::uint32_t too_many = samples * 61 / 64;

  /// The words that searches visit. The words behind them are those of reserved keys, and the one that value_at uses
  /// for indexes from capacity() on.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t searched() const { return m_capacity == 0 ? 0 : m_capacity - line; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t index_of_reserved(Bits bits) const {
    return m_capacity - 2 + static_cast<std::uint32_t>(bits & 1);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t find_by_words(Bits bits, std::uint32_t hash) const {
    Search search(hash, searched());
    for (std::uint32_t steps = 0; steps < searched(); ++steps, search.next()) {
      Word const seen = Format::load(m_words.data() + search.position);
      if (static_cast<Bits>(seen) == bits) return search.position;
      if (Format::is_empty(seen)) break;
    }
    return no_map_index;
  }
  /// Like find_by_words, but a search visits all words of a sector before it leaves the sector, so their order does not
  /// matter. They are loaded together, because the threads of a warp wait for the longest of their searches.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t find_by_sectors(Bits bits, std::uint32_t hash) const {
    constexpr std::uint32_t sector = line / 2;
    Search search(hash, searched());
    for (std::uint32_t steps = 0; steps < searched(); steps += sector, search.next_sector()) {
      std::uint32_t const first = search.position & ~(sector - 1);
      std::uint32_t index       = no_map_index;
      bool ends                 = false;
      WordSector<Word> const seen(m_words.data() + first);
      for (std::uint32_t k = 0; k < sector; ++k) {
        if (static_cast<Bits>(seen[k]) == bits) index = first + k;
        ends |= Format::is_empty(seen[k]);
      }
      if (ends || index != no_map_index) return index;
    }
    return no_map_index;
  }

  /// Searches once; returns false if the target was filled by another key meanwhile.
  KOKKOS_FORCEINLINE_FUNCTION bool try_to_insert(UnorderedMapInsertResult& result, Bits bits, Word desired,
                                                 std::uint32_t hash, std::uint32_t* state) const {
    std::uint32_t target = no_map_index, target_step = 0;
    Word expected   = Format::erased;
    bool const full = is_closed(state);
    Search search(hash, searched());
    for (std::uint32_t step = 0; step < searched(); ++step, search.next()) {
      Word* const place = m_words.data() + search.position;
      Word seen         = Format::load(place);
      if (Format::is_empty(seen)) {
        if (target != no_map_index) break;
        if (step >= far || full) {
          target      = search.position;
          target_step = step;
          expected    = Format::empty;
          break;
        }
        seen = Format::exchange(place, Format::empty, desired);
        if (Format::is_empty(seen)) {
          result.set_success(search.position, step);
          return true;
        }
      }
      if (static_cast<Bits>(seen) == bits) {
        result.set_existing(search.position, false, step);
        return true;
      }
      if (Format::is_free(seen) && target == no_map_index) {
        target      = search.position;
        target_step = step;
      }
    }
    if (full || target == no_map_index || (target_step >= far && is_full(hash))) {
      close(state);
      return true;
    }
    Word const seen = Format::exchange(m_words.data() + target, expected, desired);
    if (seen == expected)
      result.set_success(target, target_step);
    else if (static_cast<Bits>(seen) == bits)
      result.set_existing(target, false, target_step);
    else
      return false;
    return true;
  }

  KOKKOS_FUNCTION void insert_reserved(UnorderedMapInsertResult& result, Bits bits, Word desired) const {
    std::uint32_t const index = index_of_reserved(bits);
    Word const filled         = (desired & ~static_cast<Word>(~Bits(0))) | Format::erased;
    if (Format::is_empty(Format::exchange(m_words.data() + index, Format::empty, filled)))
      result.set_success(index, 0);
    else
      result.set_existing(index, false, 0);
  }

  // A device may read an old value from a cache, which delays the closing.
  KOKKOS_FORCEINLINE_FUNCTION static bool is_closed(std::uint32_t* state) {
    std::uint32_t closed = 0;
    KOKKOS_IF_ON_HOST((closed = __atomic_load_n(&state[map_closed], __ATOMIC_RELAXED);))
    KOKKOS_IF_ON_DEVICE((closed = state[map_closed];))
    return closed != 0;
  }
  KOKKOS_FUNCTION static void close(std::uint32_t* state) {
    if (atomic_load(&state[map_closed]) == 0) atomic_store(&state[map_closed], 1u);
    if (atomic_load(&state[map_failed_insert]) == 0) atomic_store(&state[map_failed_insert], 1u);
  }

  /// Whether too many words are filled for another insertion far from the start of its search.
  KOKKOS_FUNCTION bool is_full(std::uint32_t hash) const {
    std::uint32_t filled = 0, random = hash;
    for (std::uint64_t i = 0; i < samples; ++i) {  // one in each of 1024 equal parts
      random                      = random * 1664525u + 1013904223u;
      std::uint64_t const part_20 = i << 20 | random >> 12;
      filled += Format::is_free(Format::load(m_words.data() + (part_20 * searched() >> 30))) ? 0u : 1u;
    }
    return filled >= too_many;
  }

  Words m_words;
  std::uint32_t m_capacity = 0;
};

}  // namespace Kokkos::Impl

#endif
