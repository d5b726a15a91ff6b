// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWHANDLE_HPP
#define KOKKOS_VIEW_VIEWHANDLE_HPP

/// \file
/// The data handle and the accessor of a view that owns its memory. A handle keeps the allocation alive, so that a
/// program can build another view from a handle and a mapping.

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_AtomicReference.hpp>
#include <impl/view/Kokkos_Allocation.hpp>
#include <impl/view/Kokkos_ViewArguments.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

/// A pointer to an element, with a share of the ownership of its allocation. A handle of a plain pointer owns nothing.
template <class T>
class OwningHandle {
 public:
  KOKKOS_DEFAULTED_FUNCTION constexpr OwningHandle() = default;
  KOKKOS_FUNCTION constexpr OwningHandle(T* pointer) : m_pointer(pointer) {}
  KOKKOS_FUNCTION constexpr OwningHandle(T* pointer, AllocationTracker const& owner)
      : m_owner(owner), m_pointer(pointer) {}
  /// From a handle of elements that are not const.
  template <class U>
    requires(!std::is_same_v<U, T> && std::is_convertible_v<U (*)[], T (*)[]>)
  KOKKOS_FUNCTION constexpr OwningHandle(OwningHandle<U> const& other)
      : m_owner(other.owner()), m_pointer(other.get()) {}

  KOKKOS_FUNCTION constexpr T* get() const { return m_pointer; }
  KOKKOS_FUNCTION constexpr operator T*() const { return m_pointer; }
  KOKKOS_FUNCTION constexpr AllocationTracker const& owner() const { return m_owner; }
  /// Whether the handle refers to an allocation of the library.
  KOKKOS_FUNCTION bool has_record() const { return m_owner.has_record(); }
  int use_count() const { return m_owner.use_count(); }
  std::string get_label() const { return m_owner.label(); }

 private:
  AllocationTracker m_owner;
  T* m_pointer = nullptr;
};

/// The type of an element of a view in an expression.
template <class Traits, class T = typename Traits::value_type>
using view_reference_t =
    std::conditional_t<Traits::memory_traits::is_atomic && !std::is_const_v<T>, AtomicReference<T>, T&>;

/// The data handle of a view: a pointer, or if the view owns its memory, a pointer with a share of the ownership.
template <class Traits, class T = typename Traits::value_type>
using view_handle_t = std::conditional_t<owns_memory_v<Traits>, OwningHandle<T>, T*>;

/// The traits of a view that determine its accessor.
template <class MemorySpace, class MemoryTraits>
struct AccessTraits {
  using memory_space               = MemorySpace;
  using memory_traits              = MemoryTraits;
  static constexpr bool is_managed = !memory_traits::is_unmanaged;
};

/// The accessor of a view of T in this memory space with these traits. An offset handle shares the ownership.
template <class T, class MemorySpace, class MemoryTraits>
struct ViewAccessor {
 private:
  using traits = AccessTraits<MemorySpace, MemoryTraits>;

 public:
  using offset_policy    = ViewAccessor;                 ///< the accessor of a part of the elements
  using element_type     = T;                            ///< type of an element
  using reference        = view_reference_t<traits, T>;  ///< what access() returns: a proxy with Atomic
  using data_handle_type = view_handle_t<traits, T>;     ///< a pointer, with a share of the ownership if managed
  using memory_space     = MemorySpace;                  ///< where the elements are stored
  using memory_traits    = MemoryTraits;                 ///< the traits of a view with this accessor

  KOKKOS_DEFAULTED_FUNCTION constexpr ViewAccessor() = default;
  /// From the accessor of elements that are not const.
  template <class U, class S, class M>
    requires(!std::is_same_v<U, T> && std::is_convertible_v<U (*)[], T (*)[]>)
  KOKKOS_FUNCTION constexpr ViewAccessor(ViewAccessor<U, S, M> const&) {}

  /// Element i of a handle.
  KOKKOS_FUNCTION constexpr reference access(data_handle_type const& handle, std::size_t i) const {
    T* const pointer = handle;
    if constexpr (std::is_lvalue_reference_v<reference>)
      return pointer[i];
    else
      return reference(pointer + i);
  }
  /// The handle of the elements from i on.
  KOKKOS_FUNCTION constexpr data_handle_type offset(data_handle_type const& handle, std::size_t i) const {
    T* const pointer = handle;
    if constexpr (std::is_pointer_v<data_handle_type>)
      return pointer + i;
    else
      return data_handle_type(pointer + i, handle.owner());
  }
};

template <class Traits>
using view_accessor_t =
    ViewAccessor<typename Traits::value_type, typename Traits::memory_space, typename Traits::memory_traits>;

}  // namespace Kokkos::Impl

namespace Kokkos::Experimental {

/// The accessor of a view of T in the memory of a space. Its type is an argument of a View that is declared like an
/// mdspan.
template <class T, class Space = DefaultExecutionSpace, class Traits = MemoryTraits<>>
using Accessor = Kokkos::Impl::ViewAccessor<T, typename Space::memory_space, Traits>;

}  // namespace Kokkos::Experimental

#endif
