// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PENDING_RESULT_HPP
#define KOKKOS_PENDING_RESULT_HPP

/// \file
/// Kokkos::Experimental::PendingResult: the result of a reduction for the host, which waits only when it is read.

#include <Kokkos_Concepts.hpp>
#include <impl/runtime/Kokkos_ResultSlot.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {
template <class R>
struct PendingValue {
  using type = R;
};
template <class R>
  requires is_reducer_v<R>
struct PendingValue<R> {
  using type = typename R::value_type;
};
struct PendingResultAccess;
}  // namespace Impl

namespace Experimental {

/// A result of parallel_reduce that the host reads later. An addition of this library.
///
///     Kokkos::Experimental::PendingResult<double> sum;
///     Kokkos::parallel_reduce("sum", n, functor, sum);  // returns at once
///     Kokkos::parallel_for("more work", n, other);
///     double const value = sum.get();                   // waits for the reduction, and not for the kernel after it
///
/// \tparam T the type of the value, which is then a sum, or a reducer such as Kokkos::Max<double>. The value has a
/// default constructor, and no destructor of its own.
///
/// Copies refer to the same result, and may be read by several threads at the same time. A handle may be destroyed, or
/// passed to the next reduction, before the value has arrived. It may also outlive the instance, whose end waits for the
/// reduction, and Kokkos::finalize.
template <class T>
class PendingResult {
 public:
  using value_type = typename Impl::PendingValue<T>::type;
  /// The reducer, or void for a sum.
  using reducer_type = std::conditional_t<is_reducer_v<T>, T, void>;

  static_assert(std::is_default_constructible_v<value_type> && std::is_trivially_destructible_v<value_type>,
                "Kokkos::Experimental::PendingResult: the type of the value needs a default constructor, and a trivial "
                "destructor, since a kernel on a device stores the value.");

  /// A handle without a result.
  PendingResult() = default;

  /// Whether a reduction has been given this handle.
  bool valid() const noexcept { return m_value != nullptr; }
  /// Whether get() would return without a wait. False without a result.
  bool is_ready() const noexcept { return m_slot && m_slot->has_arrived(); }
  /// Waits for the value.
  /// \throws std::runtime_error if there is no result, or if the kernel has failed
  void wait() const {
    if (!m_slot)
      Impl::throw_runtime_exception(
          "Kokkos::Experimental::PendingResult::get: no reduction has been given this handle. Pass it to "
          "parallel_reduce as the result first.");
    m_slot->wait();
  }
  /// Waits for the value, and returns it. It stays the same until the handle is given to another reduction.
  /// \throws std::runtime_error as wait()
  value_type get() const {
    wait();
    return *m_value;
  }

 private:
  friend Impl::PendingResultAccess;

  Impl::SharedPtr<Impl::ResultSlot> m_slot;  // several results of one kernel share it
  value_type const* m_value = nullptr;       // in the slot
};

}  // namespace Experimental

namespace Impl {

/// For the patterns.
struct PendingResultAccess {
  template <class T>
  static void set(Experimental::PendingResult<T>& result, SharedPtr<ResultSlot> slot,
                  typename Experimental::PendingResult<T>::value_type const* value) noexcept {
    result.m_slot  = std::move(slot);
    result.m_value = value;
  }
};

template <class R>
inline constexpr bool is_pending_result_v = false;
template <class T>
inline constexpr bool is_pending_result_v<Experimental::PendingResult<T>> = true;

}  // namespace Impl
}  // namespace Kokkos

#endif
