// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <cctype>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace Kokkos::Impl {

constinit thread_local char const* kernel_label                    = nullptr;
constinit thread_local char const* const* kernel_label_of_launcher = nullptr;
constinit thread_local bool kernels_are_recorded                   = false;

namespace {

/// Returns a label unchanged, but demangles a type name (from typeid). Only names of classes are demangled: "f" would
/// become float.
std::string readable(char const* label) {
  if (std::isdigit(static_cast<unsigned char>(*label)) || *label == 'N' || *label == 'Z') {
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(label, nullptr, nullptr, &status), std::free);
    if (status == 0) return text.get();
  }
  return label;
}

}  // namespace

std::string in_which_kernel() {
  char const* label = kernel_label;
  if (label == nullptr && kernel_label_of_launcher != nullptr) label = *kernel_label_of_launcher;
  return label == nullptr ? std::string() : " In the kernel \"" + readable(label) + "\".";
}

std::string readable_kernel_label() { return kernel_label ? readable(kernel_label) : std::string(); }

}  // namespace Kokkos::Impl
