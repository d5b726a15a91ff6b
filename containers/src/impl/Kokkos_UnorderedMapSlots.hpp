// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_UNORDEREDMAPSLOTS_HPP
#define KOKKOS_IMPL_UNORDEREDMAPSLOTS_HPP

/// \file
/// The parts of an IndexedMapTable other than keys and values: slots, which map a hash to an index, and indexes, each
/// free or held. Neither depends on the types of keys and values.
///
/// **Slots.** A slot is one word: empty, erased, or an index together with bits of the hash of its key. There are two
/// slots for each index, so that a search along the slots soon reaches an empty one, however full the map is.
///
/// **Insertion.** A thread searches the slots, starting at the key's own slot. At an empty slot it takes a free index,
/// writes key and value there, and then publishes the index by a compare-exchange of the slot. If another thread was
/// faster, the slot now contains the index of that thread's key. If the keys are equal, the thread returns its index to
/// the free ones and uses the other one. If they differ, it continues its search with the index that it holds.
///
/// **No thread waits.** A published slot never changes while elements are inserted, and a slot is published only after
/// its key is written. In no state does the progress of one thread depend on the next step of another: if a
/// compare-exchange fails, another thread has filled the slot permanently, and the search continues behind it. So
/// threads of one wavefront, some of which may not run until others have left a loop, cannot block one another. A
/// search ends, because at most half of the slots are filled.
///
/// **Two threads with the same key** visit the same slots in the same order, and both try to publish at the first empty
/// one. One of them succeeds; the other one finds its key there. So no key is published twice.
///
/// **Memory order.** On the host the exchange that publishes is a release, and a read of a slot is an acquire. On a
/// device there is a fence between writing the key and publishing. A reader gets the key's address from the slot, and
/// its read bypasses caches that are not coherent (published_key). Returning an index and taking it are a release and
/// an acquire, too.
///
/// **A full map.** For a moment all indexes may be held by threads that will find their key and return their index. So
/// a thread that gets none checks its slot, where its key may have appeared, and searches for an index again, a bounded
/// number of times; then the insertion fails. After the first failure, other insertions fail without another attempt.
/// The number of full blocks of 32 shows whether all indexes are held, so a full map is not searched.

#include <Kokkos_Atomic.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_View.hpp>
#include <impl/Kokkos_BitsetKernels.hpp>
#include <impl/Kokkos_UnorderedMapCount.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Kokkos::Impl {

// ---- words for publishing and taking -------------------------------------------------------------------------------

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t load_published(std::uint32_t* word) {
  std::uint32_t value = 0;
  KOKKOS_IF_ON_HOST((value = __atomic_load_n(word, __ATOMIC_ACQUIRE);))
  KOKKOS_IF_ON_DEVICE((value = atomic_load(word);))
  return value;
}

/// Exchanges `expected` for `desired`, and publishes earlier writes of this thread. Returns the old value.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t publish(std::uint32_t* word, std::uint32_t expected, std::uint32_t desired) {
  KOKKOS_IF_ON_HOST((__atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);))
  KOKKOS_IF_ON_DEVICE(
      (Impl::AtomicPrimitives::fence_acquire_release(); expected = atomic_compare_exchange(word, expected, desired);))
  return expected;
}

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t take_bit(std::uint32_t* block, std::uint32_t bit) {
  std::uint32_t before = 0;
  KOKKOS_IF_ON_HOST((before = __atomic_fetch_or(block, bit, __ATOMIC_ACQUIRE);))
  KOKKOS_IF_ON_DEVICE((before = atomic_fetch_or(block, bit);))
  return before;
}

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t give_bit_back(std::uint32_t* block, std::uint32_t bit) {
  std::uint32_t before = 0;
  KOKKOS_IF_ON_HOST((before = __atomic_fetch_and(block, ~bit, __ATOMIC_RELEASE);))
  KOKKOS_IF_ON_DEVICE((Impl::AtomicPrimitives::fence_acquire_release(); before = atomic_fetch_and(block, ~bit);))
  return before;
}

/// The key at an address that was read from a slot. On devices, keys of one or two words are read from a memory level
/// that all threads share. Other keys are read after a fence, which invalidates the thread's caches.
template <class Key>
KOKKOS_FORCEINLINE_FUNCTION Key published_key(Key const* key) {
  if constexpr ((sizeof(Key) == 4 || sizeof(Key) == 8) && alignof(Key) == sizeof(Key)) {
    KOKKOS_IF_ON_DEVICE((return Kokkos::atomic_load(const_cast<Key*>(key));))
  } else {
    KOKKOS_IF_ON_DEVICE((Impl::AtomicPrimitives::fence_acquire_release();))
  }
  return *key;
}

/// Prefetches the cache line of an address that will be read or written soon. A host thread has few searches in
/// progress, so a cache miss costs less time if it starts with the search instead of when the address is certain. A
/// device has other threads to run meanwhile, and the line may not be needed.
KOKKOS_FORCEINLINE_FUNCTION void prefetch_on_host([[maybe_unused]] void const* address) {
  KOKKOS_IF_ON_HOST((__builtin_prefetch(address);))
}
KOKKOS_FORCEINLINE_FUNCTION void prefetch_to_write_on_host([[maybe_unused]] void const* address) {
  KOKKOS_IF_ON_HOST((__builtin_prefetch(address, 1);))
}

// ---- indexes --------------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t no_map_index = ~std::uint32_t(0);

/// The state, other than its elements, that all copies of a map share. The number changes continuously while other
/// threads read the flags, so it has a separate pair of cache lines.
///
/// Copies of the elements to another map do not include the first two words, the number of KeptMapCount.
enum MapStateWord {
  map_kept_count    = 0,
  map_failed_insert = 2,
  map_closed,
  map_erasing,
  map_full_blocks = 32,
  map_state_words = 64
};

/// The values of `map_erasing` between begin_erase and end_erase: before and after the first erasure.
inline constexpr std::uint32_t map_period_begun = 1, map_period_erased = 2;

/// floor(h / 2^32 * n): the position of a hash among n positions.
KOKKOS_FORCEINLINE_FUNCTION std::size_t place_of_hash(std::uint32_t h, std::size_t n) {
  return static_cast<std::size_t>((static_cast<std::uint64_t>(h) * n) >> 32);
}

/// The indexes of a map, as bits in blocks of 32: 1 if the index is held.
struct MapIndexes {
  std::uint32_t* blocks;
  std::size_t number_of_blocks;
  std::uint32_t* state;

  /// Takes a free index near the position of `hash`; no_map_index if it finds none.
  KOKKOS_FUNCTION std::uint32_t take(std::uint32_t hash) const {
    std::size_t block = place_of_hash(hash, number_of_blocks);
    // Two rounds, because indexes may be returned behind the search position.
    for (std::size_t step = 0; step < 2 * number_of_blocks;) {
      std::uint32_t const held = atomic_load(&blocks[block]);
      if (held == ~0u) {
        if (step % 16 == 0 && atomic_load(&state[map_full_blocks]) == number_of_blocks) return no_map_index;
        ++step;
        if (++block == number_of_blocks) block = 0;
        continue;
      }
      std::uint32_t const bit    = 1u << nearest_bit(~held, hash & 31u, false);
      std::uint32_t const before = take_bit(&blocks[block], bit);
      if ((before & bit) == 0) {
        if ((before | bit) == ~0u) atomic_inc(&state[map_full_blocks]);
        return static_cast<std::uint32_t>(block * 32) + static_cast<std::uint32_t>(Kokkos::countr_zero(bit));
      }
    }
    return no_map_index;
  }

  /// The index that take() returns for a hash while few indexes are held.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t likely(std::uint32_t hash) const {
    return static_cast<std::uint32_t>(place_of_hash(hash, number_of_blocks) * 32) + (hash & 31u);
  }

  /// A thread may have counted the index meanwhile, even if it never became an element's.
  KOKKOS_FUNCTION void give_back(std::uint32_t index) const {
    if (give_bit_back(&blocks[index / 32], 1u << index % 32) == ~0u) atomic_dec(&state[map_full_blocks]);
    KeptMapCount(state + map_kept_count).forget();
  }
};

/// Returns an index to the free ones unless keep() is called. `IsNeeded` is false if nothing can fail in between.
template <bool IsNeeded>
struct HeldMapIndex {
  MapIndexes indexes;
  std::uint32_t index;

  KOKKOS_FUNCTION void keep() { index = no_map_index; }
  KOKKOS_FUNCTION ~HeldMapIndex() {
    if (index != no_map_index) indexes.give_back(index);
  }
};
template <>
struct HeldMapIndex<false> {
  KOKKOS_FUNCTION HeldMapIndex(MapIndexes const&, std::uint32_t) {}
  KOKKOS_FUNCTION void keep() {}
};

// ---- slots ----------------------------------------------------------------------------------------------------------

inline constexpr std::uint32_t empty_map_slot  = ~std::uint32_t(0);
inline constexpr std::uint32_t erased_map_slot = empty_map_slot - 1;

/// The bits of a slot for an index, for indexes below `capacity`. No index has all of them set, nor all but the lowest,
/// so no slot with an index looks empty or erased.
inline std::uint32_t map_index_mask(std::size_t capacity) {
  std::uint32_t mask = 0;
  while (mask < capacity + 1) mask = mask << 1 | 1u;
  return mask;
}

/// The search of a key along the slots.
struct MapSearch {
  std::uint32_t* slots;
  std::size_t number_of_slots;
  std::uint32_t index_mask;
  std::uint32_t
      tag;  // bits of the hash, in the bits of a slot that contain no index, so that few other keys are compared
  std::size_t position;

  KOKKOS_FORCEINLINE_FUNCTION MapSearch(std::uint32_t* all, std::size_t n, std::uint32_t mask, std::uint32_t hash)
      : slots(all),
        number_of_slots(n),
        index_mask(mask),
        // The position comes from the highest bits of the hash; the tag must depend on the others.
        tag((hash * 0x9e3779b1u) & ~mask),
        position(place_of_hash(hash, n)) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* slot() const { return slots + position; }
  KOKKOS_FORCEINLINE_FUNCTION void next() { position = position + 1 == number_of_slots ? 0 : position + 1; }
  /// Whether the key of this slot may be the searched one.
  KOKKOS_FORCEINLINE_FUNCTION bool may_match(std::uint32_t word) const {
    return ((word ^ tag) & ~index_mask) == 0 && (word & index_mask) < (erased_map_slot & index_mask);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t index_of(std::uint32_t word) const { return word & index_mask; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word_of(std::uint32_t index) const { return tag | index; }
};

}  // namespace Kokkos::Impl

#endif
