// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMIC_WORD_HPP
#define KOKKOS_ATOMIC_WORD_HPP

/// \file
/// The machine words for atomic accesses to small objects.

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// The unsigned integer of a given size, and a variant that may alias objects of any type.
template <std::size_t Bytes>
struct AtomicWord;

#define KOKKOS_IMPL_ATOMIC_WORD(BYTES, TYPE)              \
  template <>                                             \
  struct AtomicWord<BYTES> {                              \
    using type = TYPE;                                    \
    typedef TYPE __attribute__((__may_alias__)) aliasing; \
  };

KOKKOS_IMPL_ATOMIC_WORD(1, std::uint8_t)
KOKKOS_IMPL_ATOMIC_WORD(2, std::uint16_t)
KOKKOS_IMPL_ATOMIC_WORD(4, std::uint32_t)
KOKKOS_IMPL_ATOMIC_WORD(8, std::uint64_t)

#undef KOKKOS_IMPL_ATOMIC_WORD

template <std::size_t Bytes>
using atomic_word_of_size_t = typename AtomicWord<Bytes>::type;

}  // namespace Kokkos::Impl

#endif
