// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_UNORDEREDMAPCOUNT_HPP
#define KOKKOS_IMPL_UNORDEREDMAPCOUNT_HPP

/// \file
/// The number of elements of an UnorderedMap, kept from one call of size() to the next.

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_AtomicWord.hpp>

#include <cstdint>

namespace Kokkos::Impl {

/// A word in the state of a map on the host, zero if the number is not known. All copies of the map share it.
///
/// **No change is missed,** also if other threads insert or erase while size() counts. size() writes its ticket before
/// it reads an element; a thread changes an element before it reads the word, and sets the word to zero if it is not.
/// So if the count misses a change, that thread sees the ticket. The number replaces only the ticket of the same call:
/// neither zero nor the ticket of another call, which may know of more changes. A ticket is an address on the stack of
/// the call, so that no two calls have the same one.
///
/// Insertions thus only read a word that shares a cache line with another one that they read. On a device, whose
/// elements are counted in less time than the host reads a word of its memory, nothing is kept.
class KeptMapCount {
 public:
  /// \param word of 8 bytes, aligned to its size
  explicit KOKKOS_FORCEINLINE_FUNCTION KeptMapCount(void* word) : m_word(static_cast<Word*>(word)) {}

  /// Forgets the number. Called after each change.
  KOKKOS_FORCEINLINE_FUNCTION void forget() const {
    KOKKOS_IF_ON_HOST(
        (if (__atomic_load_n(m_word, __ATOMIC_SEQ_CST) != 0) __atomic_store_n(m_word, 0, __ATOMIC_RELAXED);))
  }

  /// The number, if it is known, or what `count()` returns.
  template <class Count>
  std::uint32_t get(Count const& count) const {
    std::uint64_t const known = __atomic_load_n(m_word, __ATOMIC_ACQUIRE);
    if ((known & is_known) != 0) return static_cast<std::uint32_t>(known);
    std::uint64_t ticket   = 0;
    ticket                 = reinterpret_cast<std::uintptr_t>(&ticket);
    std::uint64_t expected = ticket;
    __atomic_exchange_n(m_word, ticket, __ATOMIC_SEQ_CST);
    std::uint32_t const n = count();
    __atomic_compare_exchange_n(m_word, &expected, is_known | n, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    return n;
  }

 private:
  using Word = AtomicWord<8>::aliasing;

  static constexpr std::uint64_t is_known = std::uint64_t(1) << 63;  // no address of a program has this bit

  Word* m_word;
};

}  // namespace Kokkos::Impl

#endif
