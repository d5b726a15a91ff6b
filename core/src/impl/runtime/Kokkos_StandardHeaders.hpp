// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_STANDARDHEADERS_HPP
#define KOKKOS_RUNTIME_STANDARDHEADERS_HPP

/// \file
/// Standard headers that Kokkos_Core.hpp provides to programs because earlier releases of Kokkos included them. The
/// library itself does not need them: Kokkos_ENABLE_LEAN_HEADERS=ON omits this file, which halves the compile time of a
/// small program.

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cfloat>
#include <chrono>
#include <cinttypes>
#include <complex>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <vector>
#include <version>

#endif
