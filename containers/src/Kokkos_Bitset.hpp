// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_BITSET_HPP
#define KOKKOS_BITSET_HPP

/// \file
/// Bitset and ConstBitset: bits whose number is fixed at run time, which kernels set and reset atomically.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_BitsetKernels.hpp>
#include <impl/Kokkos_ContainerErrors.hpp>

#include <type_traits>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <iomanip>  // which programs get from this header and from Kokkos_UnorderedMap.hpp in other releases
#endif

namespace Kokkos {

template <class Device = DefaultExecutionSpace>
class ConstBitset;

/// Copies refer to the same bits. Kernels (and the host, if it can access the memory) call the functions of a single
/// bit and the searches. Functions of all bits are for the host, and are complete when they return.
template <class Device = DefaultExecutionSpace>
class Bitset {
 public:
  /// Runs the kernels of functions of all bits.
  using execution_space = typename Device::execution_space;
  /// Type of the numbers of bits.
  using size_type = unsigned;

  /// @{
  /// Flags of a search, which may be combined: the direction within the hint's block (BIT_SCAN_), and whether the next
  /// hint is the next block or the one before (MOVE_HINT_).
  static constexpr unsigned MOVE_HINT_BACKWARD = 2u, BIT_SCAN_REVERSE = 1u;

  static constexpr unsigned BIT_SCAN_FORWARD_MOVE_HINT_FORWARD  = 0u;
  static constexpr unsigned BIT_SCAN_REVERSE_MOVE_HINT_FORWARD  = BIT_SCAN_REVERSE;
  static constexpr unsigned BIT_SCAN_FORWARD_MOVE_HINT_BACKWARD = MOVE_HINT_BACKWARD;
  static constexpr unsigned BIT_SCAN_REVERSE_MOVE_HINT_BACKWARD = BIT_SCAN_REVERSE | MOVE_HINT_BACKWARD;
  /// @}

  /// Number of bits in a block, which a search examines together.
  static constexpr unsigned block_size = 32;

  /// No bits, and no memory.
  Bitset() = default;
  /// Bits that are all 0.
  Bitset(unsigned size) : Bitset(view_alloc("Kokkos::Bitset"), size) {}
  /// Like the constructor above, allocated with the properties of view_alloc, and in the order of its execution space
  /// instance if it has one.
  template <class L, class E, class M, bool I, bool S, bool A>
  Bitset(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, unsigned size)
      : m_blocks(Impl::with_default_properties(properties, "Kokkos::Bitset"), Impl::bit_blocks(size)), m_size(size) {
    if constexpr (!I) {
      if constexpr (std::is_same_v<E, Impl::None>)
        Kokkos::deep_copy(m_blocks, 0u);
      else
        Kokkos::deep_copy(properties.exec, m_blocks, 0u);
    }
  }

  /// Number of bits.
  KOKKOS_FUNCTION unsigned size() const { return m_size; }
  /// Whether there is memory for bits.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m_blocks.is_allocated(); }

  /// Number of bits that are 1.
  unsigned count() const { return Impl::count_bits<execution_space>(m_blocks); }

  /// Sets all bits to 1.
  void set() {
    Kokkos::deep_copy(m_blocks, ~0u);
    if (unsigned const rest = m_size % block_size; rest != 0) {
      auto const last = Kokkos::subview(m_blocks, m_blocks.extent(0) - 1);
      Kokkos::deep_copy(last, (1u << rest) - 1);
    }
  }
  /// Sets all bits to 0.
  void reset() { Kokkos::deep_copy(m_blocks, 0u); }
  /// Sets all bits to 0.
  void clear() { reset(); }

  /// Sets a bit to 1. Returns whether this call changed it; false for a bit that does not exist.
  KOKKOS_FUNCTION bool set(unsigned i) const {
    if (i >= m_size) return false;
    unsigned const mask = 1u << i % block_size;
    return (Kokkos::atomic_fetch_or(&m_blocks(i / block_size), mask) & mask) == 0;
  }
  /// Sets a bit to 0. Returns whether this call changed it; false for a bit that does not exist.
  KOKKOS_FUNCTION bool reset(unsigned i) const {
    if (i >= m_size) return false;
    unsigned const mask = 1u << i % block_size;
    return (Kokkos::atomic_fetch_and(&m_blocks(i / block_size), ~mask) & mask) != 0;
  }
  /// Whether a bit is 1; false for a bit that does not exist.
  KOKKOS_FUNCTION bool test(unsigned i) const {
    return i < m_size && (Kokkos::atomic_load(&m_blocks(i / block_size)) >> i % block_size & 1u) != 0;
  }

  /// This number of searches, each with the hint from the one before, examines every bit.
  KOKKOS_FUNCTION unsigned max_hint() const { return static_cast<unsigned>(m_blocks.extent(0)); }

  /// Searches for a bit that is 1 in the block of 32 bits that contains `hint`, starting at `hint` and wrapping around.
  /// Returns whether there was one, and the bit or the next hint. The bit may change at any time, so only a set
  /// or reset that returns true is reliable.
  KOKKOS_FUNCTION Kokkos::pair<bool, unsigned> find_any_set_near(
      unsigned hint, unsigned scan_direction = BIT_SCAN_FORWARD_MOVE_HINT_FORWARD) const {
    return find(hint, scan_direction, 0u);
  }
  /// Searches for a bit that is 0, in the same way.
  KOKKOS_FUNCTION Kokkos::pair<bool, unsigned> find_any_unset_near(
      unsigned hint, unsigned scan_direction = BIT_SCAN_FORWARD_MOVE_HINT_FORWARD) const {
    return find(hint, scan_direction, ~0u);
  }

  // For the library
  KOKKOS_FUNCTION auto const& impl_blocks() const { return m_blocks; }

 private:
  template <class>
  friend class ConstBitset;

  KOKKOS_FUNCTION Kokkos::pair<bool, unsigned> find(unsigned hint, unsigned direction, unsigned invert) const {
    if (m_size == 0) return {false, 0u};
    unsigned const blocks = max_hint();
    unsigned const block  = hint / block_size < blocks ? hint / block_size : 0;
    unsigned const offset = hint % block_size;
    unsigned candidates   = Kokkos::atomic_load(&m_blocks(block)) ^ invert;
    if (block == blocks - 1 && m_size % block_size != 0) candidates &= (1u << m_size % block_size) - 1;
    if (candidates != 0)
      return {true, block * block_size + Impl::nearest_bit(candidates, offset, (direction & BIT_SCAN_REVERSE) != 0)};
    unsigned const next =
        (direction & MOVE_HINT_BACKWARD) != 0 ? (block == 0 ? blocks - 1 : block - 1) : (block + 1) % blocks;
    return {false, next * block_size + offset};
  }

  View<unsigned*, typename Device::device_type> m_blocks;
  unsigned m_size = 0;
};

/// Read-only access to the bits of a Bitset.
template <class Device>
class ConstBitset {
 public:
  /// Runs the kernels of functions of all bits.
  using execution_space = typename Device::execution_space;
  /// Type of the numbers of bits.
  using size_type = unsigned;

  /// Number of bits in a block, which a search examines together.
  static constexpr unsigned block_size = 32;

  /// No bits, and no memory.
  ConstBitset() = default;
  /// Refers to the bits of a Bitset.
  KOKKOS_FUNCTION ConstBitset(Bitset<Device> const& bits) : m_blocks(bits.m_blocks), m_size(bits.m_size) {}

  /// Number of bits.
  KOKKOS_FUNCTION unsigned size() const { return m_size; }
  /// Whether there is memory for bits.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m_blocks.is_allocated(); }
  /// Number of bits that are 1. For the host; complete when it returns.
  unsigned count() const { return Impl::count_bits<execution_space>(m_blocks); }
  /// Whether a bit is 1; false for a bit that does not exist.
  KOKKOS_FUNCTION bool test(unsigned i) const {
    return i < m_size && (m_blocks(i / block_size) >> i % block_size & 1u) != 0;
  }

  // For the library
  KOKKOS_FUNCTION auto const& impl_blocks() const { return m_blocks; }

 private:
  View<unsigned const*, typename Device::device_type> m_blocks;
  unsigned m_size = 0;
};

namespace Impl {

template <class Dst, class Src>
void require_equal_bitsets(Dst const& dst, Src const& src) {
  if (dst.size() != src.size()) Impl::throw_sizes_differ("Kokkos::Bitset", "bits", dst.size(), src.size());
}

}  // namespace Impl

/// @{
/// Copies all bits.
/// \throws std::runtime_error if the numbers of bits differ.
template <class DstDevice, class SrcDevice>
void deep_copy(Bitset<DstDevice>& dst, Bitset<SrcDevice> const& src) {
  Impl::require_equal_bitsets(dst, src);
  Kokkos::deep_copy(dst.impl_blocks(), src.impl_blocks());
}
template <class DstDevice, class SrcDevice>
void deep_copy(Bitset<DstDevice>& dst, ConstBitset<SrcDevice> const& src) {
  Impl::require_equal_bitsets(dst, src);
  Kokkos::deep_copy(dst.impl_blocks(), src.impl_blocks());
}
/// @}
/// @{
/// Like `deep_copy` above, in the order of an instance.
template <ExecutionSpace ExecSpace, class DstDevice, class SrcDevice>
void deep_copy(ExecSpace const& exec, Bitset<DstDevice>& dst, Bitset<SrcDevice> const& src) {
  Impl::require_equal_bitsets(dst, src);
  Kokkos::deep_copy(exec, dst.impl_blocks(), src.impl_blocks());
}
template <ExecutionSpace ExecSpace, class DstDevice, class SrcDevice>
void deep_copy(ExecSpace const& exec, Bitset<DstDevice>& dst, ConstBitset<SrcDevice> const& src) {
  Impl::require_equal_bitsets(dst, src);
  Kokkos::deep_copy(exec, dst.impl_blocks(), src.impl_blocks());
}
/// @}

}  // namespace Kokkos

#endif
