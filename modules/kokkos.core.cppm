// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The module kokkos.core: everything that Kokkos_Core.hpp declares, except macros.
///
/// `extern "C++"` attaches the declarations to the global module, so that they are those of the headers: a program may
/// import in one file and include in another, and links the same library. The standard headers come first, because
/// their declarations must not be exported.

module;
#include <Kokkos_Macros.hpp>
#include <impl/runtime/Kokkos_StandardHeaders.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <bitset>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <compare>
#include <complex>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>
#include <version>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

export module kokkos.core;
export extern "C++" {
#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
}
