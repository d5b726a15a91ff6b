// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_BODY_HPP
#define KOKKOS_PATTERN_BODY_HPP

/// \file
/// The interface of a kernel's functor for executors: called with indices or a team member, with or without a work tag.

#include <Kokkos_Macros.hpp>
#include <impl/policy/Kokkos_PolicyTraits.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// Calls functor(args...), or functor(Tag(), args...) if the policy has a work tag.
template <class Tag, class Functor>
class Body {
 public:
  using body_type   = Functor;
  using kernel_body = Body;

  explicit Body(Functor const& functor) : m_functor(functor) {}

  template <class... Args>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Args&&... args) const {
    if constexpr (std::is_void_v<Tag>) {
      m_functor(static_cast<Args&&>(args)...);
    } else {
      m_functor(Tag(), static_cast<Args&&>(args)...);
    }
  }

  KOKKOS_FUNCTION Functor const& functor() const { return m_functor; }

 private:
  Functor m_functor;
};

/// A body that does not exist yet. An executor constructs it directly in the memory from which the kernel reads it,
/// without an intermediate copy: initializing a kernel_body with a DeferredBody copies the functor in an UntrackedScope.
template <class Tag, class Functor>
class DeferredBody {
 public:
  using body_type   = Functor;
  using kernel_body = Body<Tag, Functor>;

  explicit DeferredBody(Functor const& functor) : m_functor(functor) {}
  operator kernel_body() const { return kernel_body(m_functor); }
  Functor const& functor() const { return m_functor; }

 private:
  Functor const& m_functor;
};

/// Executors of parallel_for that accept a DeferredBody have a member `makes_bodies`.
template <class Executor>
concept MakesBodies = requires { Executor::makes_bodies; };

/// Neighbouring indices [begin, end) of a range, all for one thread.
struct Stretch {
  std::int64_t begin, end;
};
/// A functor of this library that can process a stretch in one call, `stretch(indices)`, or in a reduction
/// `stretch(indices, value)`, with the same result as a call for each index in ascending order. Executors on hosts use
/// it.
template <class Functor, class... Value>
concept TakesStretches =
    requires(Functor const& functor, Stretch indices, Value... value) { functor.stretch(indices, value...); };

/// Hosts run ranges of up to this length on the calling thread. Longer than 1 for functors of this library whose
/// iterations together take less time than to wake other threads.
template <class Functor>
inline constexpr std::uint64_t length_for_one_thread = 1;

// ---- can the functor be called? -----------------------------------------------------------------------------------

template <class Functor, class... Args>
concept FunctorTakes = requires(Functor const& functor, Args&&... args) { functor(static_cast<Args&&>(args)...); };

template <class Functor, class Tag, class... Args>
constexpr bool takes_with_tag() {
  if constexpr (std::is_void_v<Tag>) {
    return FunctorTakes<Functor, Args...>;
  } else {
    return FunctorTakes<Functor, Tag, Args...>;
  }
}

template <class Functor, class Policy, class Index, std::size_t... D, class... Extra>
constexpr bool takes_indices(std::index_sequence<D...>, PropertyTag<Extra>...) {
  return Impl::takes_with_tag<Functor, typename Policy::work_tag,
                              decltype((static_cast<void>(D), std::declval<Index&>()))..., Extra...>();
}

/// Whether the functor accepts the policy's arguments (indices or a member), followed by arguments of types Extra.
template <class Functor, class Policy, class... Extra>
constexpr bool takes_iterations_of() {
  if constexpr (requires { Policy::rank; }) {
    return Impl::takes_indices<Functor, Policy, typename Policy::index_type const>(
        std::make_index_sequence<Policy::rank>{}, PropertyTag<Extra>{}...);
  } else {
    return Impl::takes_with_tag<Functor, typename Policy::work_tag, typename Policy::member_type const&, Extra...>();
  }
}

}  // namespace Kokkos::Impl

#endif
