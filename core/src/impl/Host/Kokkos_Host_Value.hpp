// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_VALUE_HPP
#define KOKKOS_HOST_VALUE_HPP

/// \file
/// The storage and lifetime of the threads' values in reductions and scans.

#include <impl/Host/Kokkos_Host_Instance.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// Whether a value of the reduction is an array whose length is known only at run time.
template <class Reduction>
inline constexpr bool host_is_single = !std::is_pointer_v<typename Reduction::reference_type>;

template <class T>
void host_destroy_values(T* first, std::size_t n) noexcept {
  if constexpr (!std::is_trivially_destructible_v<T>) {
    for (std::size_t i = 0; i < n; ++i) first[i].~T();
  }
}

/// A value on the stack of one thread, which starts as the identity. As long as its address stays in inlined code, the
/// compiler keeps it in a register, which is impossible for a slot in shared memory.
template <class Reduction>
class HostLocalValue {
 public:
  using value_type = typename Reduction::value_type;

  explicit HostLocalValue(Reduction const& reduction) { reduction.init(&m_value); }
  /// Calls make(place), which constructs the value there.
  template <class Make>
    requires std::invocable<Make const&, value_type*>
  explicit HostLocalValue(Make const& make) {
    make(&m_value);
  }
  HostLocalValue(HostLocalValue const&)            = delete;
  HostLocalValue& operator=(HostLocalValue const&) = delete;
  ~HostLocalValue() { Impl::host_destroy_values(&m_value, 1); }

  value_type& get() noexcept { return m_value; }

 private:
  // In a union, so that the value is not constructed before init constructs it.
  union {
    value_type m_value;
  };
};

/// The locations of the threads' values: in scratch memory, each on its own cache lines. Small, so that it can be
/// copied into the work of a thread team, whose threads then need not read it from the launching thread's stack.
template <class Value>
struct HostSlotPlaces {
  char* memory;
  std::size_t stride;
  std::size_t count;  // elements of one value

  Value* operator[](int slot) const noexcept {
    return reinterpret_cast<Value*>(memory + static_cast<std::size_t>(slot) * stride);
  }
  /// The bytes behind the value of a slot, aligned to 8 bytes.
  void* extra(int slot) const noexcept {
    return memory + static_cast<std::size_t>(slot) * stride + (count * sizeof(Value) + 7) / 8 * 8;
  }
};

/// Memory for the values of a run; the destructor destroys the values.
template <class Reduction>
class HostSlots {
 public:
  using value_type = typename Reduction::value_type;
  static_assert(alignof(value_type) <= host_line_bytes,
                "The value of a reduction may be aligned to 128 bytes at most.");

  /// `extra` is the number of bytes, at most 8, behind the value of each slot.
  HostSlots(HostInstanceLock& lock, Reduction const& reduction, int slots, std::size_t extra = 0) {
    m_places.count = reduction.value_count();
    // The value is rounded up to the alignment of the extra bytes.
    std::size_t const bytes = m_places.count * sizeof(value_type) + (extra > 0 ? 15 : 0);
    m_places.stride         = (bytes + host_line_bytes - 1) / host_line_bytes * host_line_bytes;
    m_places.memory         = static_cast<char*>(lock.scratch(static_cast<std::size_t>(slots) * m_places.stride));
  }
  HostSlots(HostSlots const&)            = delete;
  HostSlots& operator=(HostSlots const&) = delete;
  ~HostSlots() {
    for (int i = 0; i < m_made; ++i) Impl::host_destroy_values(m_places[i], m_places.count);
  }

  HostSlotPlaces<value_type> const& places() const noexcept { return m_places; }
  /// Reports that the first `slots` locations contain values, which this object must destroy.
  void made(int slots) noexcept { m_made = slots; }

 private:
  HostSlotPlaces<value_type> m_places;
  int m_made = 0;
};

/// Assigns the n elements of `from` to the existing elements of `to`.
template <class T>
void host_assign_values(T* to, T const* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

}  // namespace Kokkos::Impl

#endif
