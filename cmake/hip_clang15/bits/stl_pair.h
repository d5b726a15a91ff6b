// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Replaces libstdc++'s header of this name when clang 15 or 16 compiles HIP.
///
/// In C++20, the assignments of std::pair in libstdc++ 12 have requires-clauses. These clangs evaluate such a clause in
/// the context of an incomplete function while they infer whether an implicit assignment is a host or a device function,
/// and crash. Any std::map with nontrivial values triggers this, for example one in GoogleTest. Without
/// __cpp_lib_concepts the header uses its C++17 form, which has the same layout.
#pragma GCC system_header
#include <compare>
#pragma push_macro("__cpp_lib_concepts")
#undef __cpp_lib_concepts
#include_next <bits/stl_pair.h>
#pragma pop_macro("__cpp_lib_concepts")
