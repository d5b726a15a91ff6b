// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Stands before libstdc++'s header of this name when clang 15 or 16 compiles HIP.
///
/// In C++20 libstdc++ 12 writes the assignments of std::pair with requires-clauses. While those clangs infer where an
/// implicit assignment may run, they look at such a clause with a half-made function as their context, and crash: at any
/// std::map whose values are not trivial, GoogleTest's for one. Without __cpp_lib_concepts the header says the same in
/// the way of C++17; layouts do not change.
#pragma GCC system_header
#include <compare>
#pragma push_macro("__cpp_lib_concepts")
#undef __cpp_lib_concepts
#include_next <bits/stl_pair.h>
#pragma pop_macro("__cpp_lib_concepts")
