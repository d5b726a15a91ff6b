// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <algorithm>
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
    if (status == 0) return readable_type(text.get());
  }
  return readable_type(label);
}

}  // namespace

std::string readable_type(std::string_view type) {
  bool const is_lambda = type.starts_with("__nv_dl_wrapper_t<") || type.starts_with("__nv_hdl_wrapper_t<");
  auto const begin     = type.find("&(");
  if (!is_lambda || begin == type.npos) return std::string(type);
  std::string_view function = type.substr(begin + 2);
  // The first parenthesis outside template arguments, and the end of the signature.
  std::size_t parameters = function.npos;
  std::size_t end        = 0;
  for (int angles = 0, parentheses = 1; end < function.size(); ++end) {
    char const c = function[end];
    if (c == '<' && parentheses == 1) ++angles;
    if (c == '>' && parentheses == 1) --angles;
    if (c == '(' && ++parentheses == 2 && angles == 0 && parameters == function.npos) parameters = end;
    if (c == ')' && --parentheses == 0) break;
  }
  auto const number = function.substr(std::min(end, function.size()));
  std::string digits;
  for (char const c : number.substr(0, number.find('u')))
    if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
  if (digits.empty()) return std::string(type);
  return "lambda " + digits + " in " + std::string(function.substr(0, std::min(parameters, end)));
}

std::string in_which_kernel() {
  char const* label = kernel_label;
  if (label == nullptr && kernel_label_of_launcher != nullptr) label = *kernel_label_of_launcher;
  return label == nullptr ? std::string() : " In the kernel \"" + readable(label) + "\".";
}

std::string readable_kernel_label() { return kernel_label ? readable(kernel_label) : std::string(); }

}  // namespace Kokkos::Impl
