// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_UNORDEREDMAPRESULT_HPP
#define KOKKOS_IMPL_UNORDEREDMAPRESULT_HPP

/// \file
/// The result of UnorderedMap::insert, and the treatment of a value whose key exists already.

#include <Kokkos_Atomic.hpp>
#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Kokkos {

/// The index of a key that does not exist.
enum : std::uint32_t { UnorderedMapInvalidIndex = ~std::uint32_t(0) };

/// The outcome of an insertion: one of success, existing and failed.
class UnorderedMapInsertResult {
 public:
  /// The key is new; it and its value were inserted.
  KOKKOS_FORCEINLINE_FUNCTION bool success() const { return (m_status & SUCCESS) != 0; }
  /// The key existed already.
  KOKKOS_FORCEINLINE_FUNCTION bool existing() const { return (m_status & EXISTING) != 0; }
  /// The map was full, or elements are being erased.
  KOKKOS_FORCEINLINE_FUNCTION bool failed() const { return m_index == UnorderedMapInvalidIndex; }
  /// The key existed already, but an index had been taken for it, which was returned.
  KOKKOS_FORCEINLINE_FUNCTION bool freed_existing() const { return (m_status & FREED_EXISTING) != 0; }
  /// The number of slots with other keys that the search passed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t list_position() const { return m_status & LIST_LENGTH_MASK; }
  /// The index of the key, unless the insertion failed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t index() const { return m_index; }

  /// @{
  /// For the library: records the outcome. `passed` is the list position.
  KOKKOS_FORCEINLINE_FUNCTION void set_existing(std::uint32_t index, bool freed, std::uint32_t passed) {
    m_index  = index;
    m_status = EXISTING | (freed ? FREED_EXISTING : 0u) | limited(passed);
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_success(std::uint32_t index, std::uint32_t passed) {
    m_index  = index;
    m_status = SUCCESS | limited(passed);
  }
  /// @}

 private:
  enum Status : std::uint32_t {
    SUCCESS          = 1u << 31,
    EXISTING         = 1u << 30,
    FREED_EXISTING   = 1u << 29,
    LIST_LENGTH_MASK = FREED_EXISTING - 1
  };
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t limited(std::uint32_t passed) {
    return passed < LIST_LENGTH_MASK ? passed : LIST_LENGTH_MASK;
  }

  std::uint32_t m_index  = UnorderedMapInvalidIndex;
  std::uint32_t m_status = 0;
};

/// The treatment of the value if the key exists already.
template <class ValueTypeView, class ValuesIdxType>
struct UnorderedMapInsertOpTypes {
  using value_type = typename ValueTypeView::non_const_value_type;  ///< type of a value

  /// The value is not changed.
  struct NoOp {
    /// Does nothing.
    KOKKOS_FUNCTION void op(ValueTypeView const&, ValuesIdxType, value_type const&) const {}
  };
  /// Adds the value to the existing one.
  struct AtomicAdd {
    /// Adds `value` to values[index] atomically.
    KOKKOS_FUNCTION void op(ValueTypeView const& values, ValuesIdxType index, value_type const& value) const {
      Kokkos::atomic_add(values.data() + index, value);
    }
  };
};

}  // namespace Kokkos

#endif
