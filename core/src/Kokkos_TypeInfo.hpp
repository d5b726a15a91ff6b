// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TYPEINFO_HPP
#define KOKKOS_TYPEINFO_HPP

/// \file
/// The name of a type as a compile-time string.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <string_view>

namespace Kokkos::Impl {

// Not a member of TypeInfo, because clang would also write the arguments of TypeInfo.
template <class T>
constexpr std::string_view signature_with_type() {
#if defined(_MSC_VER)
  return __FUNCSIG__;
#else
  return __PRETTY_FUNCTION__;
#endif
}

template <class T>
class TypeInfo {
 public:
  /// As the compiler spells it: "int", "Kokkos::View<double*>".
  static constexpr std::string_view name() {
    // The text around the name in the signature is as long as the text around "int".
    constexpr std::string_view with_int = signature_with_type<int>();
    constexpr std::size_t begin         = with_int.rfind("int");
    constexpr std::size_t after         = with_int.size() - begin - 3;
    constexpr std::string_view whole    = Impl::signature_with_type<T>();
    return whole.substr(begin, whole.size() - begin - after);
  }
};

}  // namespace Kokkos::Impl

#endif
