// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCTION_HPP
#define KOKKOS_PATTERN_REDUCTION_HPP

/// \file
/// The interface of a reduction or scan for executors: the identity, the join of two values, the final step, and the
/// body of one iteration. This file selects their source: the functor, a reducer, or the operators of the value.

#include <Kokkos_Macros.hpp>
#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/policy/Kokkos_PolicyTraits.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace Kokkos::Impl {

/// The destination of a reduction's value: `data` is in MemorySpace, or null if only the functor's `final` takes the
/// value. With `asynchronous` the value is stored in the order of the instance, otherwise before the pattern returns. An
/// asynchronous kernel on a device sets `flag`, if it is not null, to ResultSlot::arrived after the value.
template <class T, class MemorySpace>
struct ReductionTarget {
  using value_type   = T;
  using memory_space = MemorySpace;

  T* data;
  bool asynchronous;
  std::uint32_t* flag = nullptr;
};

// ---- the operations of a reducer, or of a functor with members init, join and final --------------------------------

template <class Op, class... Args>
concept HasInit = requires(Op const& op, Args... args) { op.init(args...); };
template <class Op, class... Args>
concept HasJoin = requires(Op const& op, Args... args) { op.join(args...); };
template <class T>
concept HasSum =
    requires(T& into, T const& from) { into += from; } || requires(T& into, T const& from) { into = into + from; };
template <class Op, class... Args>
concept HasFinal = requires(Op const& op, Args... args) { op.final(args...); };

/// Sums: T() and +=.
template <class T>
struct SumCombiner {
  using value_type = T;

  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void init(Functor const&, T* v) const {
    ::new (static_cast<void*>(v)) T();
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void join(Functor const&, T* into, T const* from) const {
    if constexpr (requires { *into += *from; }) {
      *into += *from;
    } else if constexpr (requires { *into = *into + *from; }) {
      *into = *into + *from;
    } else {
      static_assert(always_false<T>,
                    "A Kokkos reduction or scan adds values by default, but this value type has no "
                    "operator +=; give it one, or pass a reducer, or give the functor a member function join.");
    }
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void final(Functor const&, T*) const {}
};

/// The operations of a reducer; init and final are optional.
template <class Reducer>
struct ReducerCombiner {
  using value_type = typename Reducer::value_type;

  Reducer reducer;

  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void init(Functor const&, value_type* v) const {
    if constexpr (!HasInit<Reducer, value_type&>) {
      ::new (static_cast<void*>(v)) value_type();
    } else if constexpr (std::is_default_constructible_v<value_type>) {
      ::new (static_cast<void*>(v)) value_type;
      reducer.init(*v);
    } else {
      static_assert(std::is_trivially_copyable_v<value_type>,
                    "The value type of a Kokkos reducer needs a default constructor, unless it is trivially copyable.");
      reducer.init(*v);
    }
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void join(Functor const&, value_type* into, value_type const* from) const {
    reducer.join(*into, *from);
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void final(Functor const&, value_type* v) const {
    if constexpr (HasFinal<Reducer, value_type&>) reducer.final(*v);
  }
};

/// Whether values can be joined. Patterns check this before other instantiations, so that it is the first error that
/// the compiler prints.
template <class Combiner>
inline constexpr bool can_join = true;
template <class Reducer>
inline constexpr bool can_join<ReducerCombiner<Reducer>> =
    HasJoin<Reducer, typename Reducer::value_type&, typename Reducer::value_type const&>;

/// The functor's own members init, join and final, all of them optional. With a work tag they must also be tagged:
/// untagged ones belong to other kernels of the same class.
template <class T, class Tag>
struct FunctorCombiner {
  using value_type = T;
  using sum        = SumCombiner<T>;

  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void init(Functor const& functor, T* v) const {
    constexpr bool defaulted = std::is_default_constructible_v<T>;
    if constexpr (HasInit<Functor, T&> && std::is_void_v<Tag>) {
      if constexpr (defaulted) ::new (static_cast<void*>(v)) T;
      functor.init(*v);
    } else if constexpr (HasInit<Functor, Tag, T&>) {
      if constexpr (defaulted) ::new (static_cast<void*>(v)) T;
      functor.init(Tag(), *v);
    } else {
      sum{}.init(functor, v);
    }
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void join(Functor const& functor, T* into, T const* from) const {
    if constexpr (HasJoin<Functor, T&, T const&> && std::is_void_v<Tag>) {
      functor.join(*into, *from);
    } else if constexpr (HasJoin<Functor, Tag, T&, T const&>) {
      functor.join(Tag(), *into, *from);
    } else {
      sum{}.join(functor, into, from);
    }
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void final(Functor const& functor, T* v) const {
    if constexpr (HasFinal<Functor, T&> && std::is_void_v<Tag>) {
      functor.final(*v);
    } else if constexpr (HasFinal<Functor, Tag, T&>) {
      functor.final(Tag(), *v);
    }
  }
};

/// Like the constructor above, for a functor with `value_type = T[]` and a member value_count.
template <class T, class Tag>
struct FunctorCombiner<T[], Tag> {
  using value_type = T;

  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void init(Functor const& functor, T* v) const {
    auto const n = static_cast<std::size_t>(functor.value_count);
    if constexpr (HasInit<Functor, T*> && std::is_void_v<Tag>) {
      for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(v + i)) T;
      functor.init(v);
    } else if constexpr (HasInit<Functor, Tag, T*>) {
      for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(v + i)) T;
      functor.init(Tag(), v);
    } else {
      for (std::size_t i = 0; i < n; ++i) ::new (static_cast<void*>(v + i)) T();
    }
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void join(Functor const& functor, T* into, T const* from) const {
    // The second argument is documented both as T const[] and as T[], so functors use either.
    if constexpr (HasJoin<Functor, T*, T const*> && std::is_void_v<Tag>) {
      functor.join(into, from);
    } else if constexpr (HasJoin<Functor, T*, T*> && std::is_void_v<Tag>) {
      functor.join(into, const_cast<T*>(from));
    } else if constexpr (HasJoin<Functor, Tag, T*, T const*>) {
      functor.join(Tag(), into, from);
    } else if constexpr (HasJoin<Functor, Tag, T*, T*>) {
      functor.join(Tag(), into, const_cast<T*>(from));
    } else {
      auto const n = static_cast<std::size_t>(functor.value_count);
      for (std::size_t i = 0; i < n; ++i) SumCombiner<T>{}.join(functor, into + i, from + i);
    }
  }
  template <class Functor>
  KOKKOS_FORCEINLINE_FUNCTION void final(Functor const& functor, T* v) const {
    if constexpr (HasFinal<Functor, T*> && std::is_void_v<Tag>) {
      functor.final(v);
    } else if constexpr (HasFinal<Functor, Tag, T*>) {
      functor.final(Tag(), v);
    }
  }
};

// ---- the reduction ------------------------------------------------------------------------------------------------

/// The object that executors get. Value is a type, or T[] for an array of functor.value_count elements.
template <class KernelBody, class Value, class Combiner>
class Reduction {
 public:
  using body_type      = typename KernelBody::body_type;
  using value_type     = std::remove_extent_t<Value>;
  using reference_type = std::conditional_t<std::is_array_v<Value>, value_type*, value_type&>;

  Reduction(body_type const& functor, Combiner const& combiner) : m_body(functor), m_combiner(combiner) {}

  /// Number of elements in one value.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t value_count() const {
    if constexpr (std::is_array_v<Value>) {
      return static_cast<std::size_t>(functor().value_count);
    } else {
      return 1;
    }
  }
  /// Constructs the identity in raw memory.
  KOKKOS_FORCEINLINE_FUNCTION void init(value_type* v) const { m_combiner.init(functor(), v); }
  KOKKOS_FORCEINLINE_FUNCTION void join(value_type* into, value_type const* from) const {
    m_combiner.join(functor(), into, from);
  }
  KOKKOS_FORCEINLINE_FUNCTION void final(value_type* v) const { m_combiner.final(functor(), v); }

  KOKKOS_FORCEINLINE_FUNCTION static reference_type reference(value_type* v) {
    if constexpr (std::is_array_v<Value>) {
      return v;
    } else {
      return *v;
    }
  }

  /// One iteration: (indices..., update) or (member, update); of a scan (index, update, is_final).
  template <class... Args>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Args&&... args) const {
    m_body(static_cast<Args&&>(args)...);
  }

  KOKKOS_FORCEINLINE_FUNCTION body_type const& functor() const { return m_body.functor(); }

 private:
  KernelBody m_body;
  KOKKOS_IMPL_NO_UNIQUE_ADDRESS Combiner m_combiner;
};

}  // namespace Kokkos::Impl

#endif
