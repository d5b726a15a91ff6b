// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_CALL_NAMES_HPP
#define KOKKOS_GPU_CALL_NAMES_HPP

/// \file
/// The vendor's names for the operations of a runtime struct, for messages.

#include <cctype>
#include <cstddef>
#include <cstring>
#include <string>

namespace Kokkos::Impl {

/// An operation with another name in the vendor's API, or with several calls.
struct GPUCallName {
  char const* operation;
  char const* call;
};

/// "memset_async" becomes "hipMemsetAsync" with the prefix "hip", unless `others` lists the operation.
template <std::size_t N>
std::string gpu_call_name(char const* prefix, GPUCallName const (&others)[N], char const* operation) {
  for (GPUCallName const& other : others)
    if (std::strcmp(other.operation, operation) == 0) return other.call;
  std::string name = prefix;
  bool capital     = true;  // also after a digit: hipMemcpy2DAsync
  for (char const* c = operation; *c; ++c) {
    if (*c != '_') name += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(*c))) : *c;
    capital = *c == '_' || std::isdigit(static_cast<unsigned char>(*c));
  }
  return name;
}

}  // namespace Kokkos::Impl

#endif
