// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_LAUNCH_HPP
#define KOKKOS_PATTERN_LAUNCH_HPP

/// \file
/// The common parts of the three patterns: the accepted policies, the space of a plain iteration count, the copy of the
/// functor for its kernel, and the reports to tools.

#include <Kokkos_Concepts.hpp>
#include <Kokkos_TypeInfo.hpp>
#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>
#include <impl/view/Kokkos_Allocation.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>

namespace Kokkos::Impl {

/// The iterations of a pattern: a policy, or a number of iterations. Numbers are passed by value, so that a static
/// const member of a class needs no definition.
template <class T>
concept KernelPolicy = is_execution_policy_v<T>;
template <class T>
concept KernelCount = !is_execution_policy_v<T> && std::convertible_to<T, std::size_t>;

/// The space of a kernel whose caller specifies none: the functor's execution_space or device_type, or the default
/// space.
template <class Functor>
constexpr auto functor_space() {
  if constexpr (requires { typename Functor::execution_space; }) {
    return std::type_identity<typename Functor::execution_space>{};
  } else if constexpr (requires { typename Functor::device_type::execution_space; }) {
    return std::type_identity<typename Functor::device_type::execution_space>{};
  } else {
    return std::type_identity<DefaultExecutionSpace>{};
  }
}

/// [0, count) as a policy. Throws std::runtime_error if count is negative. Messages name the kernel.
template <class Functor, class Count>
auto count_policy([[maybe_unused]] std::string const& label, Count count) {
  using Policy = RangePolicy<typename decltype(functor_space<Functor>())::type>;
  using Index  = typename Policy::index_type;
  if constexpr (std::is_integral_v<Count>) {
    [[maybe_unused]] auto const name = [&] { return label.empty() ? typeid(Functor).name() : label.c_str(); };
    if constexpr (std::is_signed_v<Count>)
      if (count < 0) Impl::refuse_count(name(), AnyInteger::of(count));
    if constexpr (AnyInteger::of(std::numeric_limits<Count>::max()).magnitude >
                  AnyInteger::of(std::numeric_limits<Index>::max()).magnitude) {
      if (AnyInteger::of(count).magnitude > AnyInteger::of(std::numeric_limits<Index>::max()).magnitude) {
        KernelLabelScope const scope(name());
        return Policy(0, count);
      }
    }
    return Policy(CheckedCount(), static_cast<Index>(count));
  } else {
    return Policy(0, count);
  }
}

/// Constructs T(args...) while copies of views count no references: the kernel's copy of the functor must not own its
/// views, and counting would cost an atomic operation for each of them.
template <class T, class... Args>
T make_untracked(Args const&... args) {
  UntrackedScope scope;
  return T(args...);
}

/// The name of a work tag's type; empty for void.
template <class Tag>
constexpr std::string_view tag_name() {
  if constexpr (std::is_void_v<Tag>) {
    return {};
  } else {
    return TypeInfo<Tag>::name();
  }
}

/// Reports the begin of a kernel to tools and, at the end of its life, the kernel's end.
template <class Policy, class Functor>
class KernelScope {
 public:
  KernelScope(KernelKind kind, std::string const& label, Policy const& policy)
      : m_label(label.empty() ? typeid(Functor).name() : label.c_str()),
        m_report(kind, label, Tools::Experimental::device_id(policy.space()), functor_name, tag_name) {}

 private:
  // Constants, for which a program contains no code.
  static constexpr std::string_view functor_name = TypeInfo<Functor>::name();
  static constexpr std::string_view tag_name     = Impl::tag_name<typename Policy::work_tag>();

  KernelLabelScope m_label;
  KernelReport m_report;
};

}  // namespace Kokkos::Impl

#endif
