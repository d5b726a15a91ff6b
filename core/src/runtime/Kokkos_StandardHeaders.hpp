// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_STANDARDHEADERS_HPP
#define KOKKOS_RUNTIME_STANDARDHEADERS_HPP

/// \file
/// Standard headers that programs get from Kokkos_Core.hpp because earlier releases of Kokkos included them. The library
/// needs none of them here: Kokkos_ENABLE_LEAN_HEADERS=ON leaves this file out, which halves the time that a small
/// program takes to compile.

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
#include <thread>
#include <tuple>
#include <unordered_map>
#include <version>

#endif
