// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_ERRORS_HPP
#define KOKKOS_POLICY_ERRORS_HPP

/// \file
/// Checks of a policy's numbers. Messages are composed out of line.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

/// An integer of any type: its sign and its magnitude.
struct AnyInteger {
  bool negative;
  std::uint64_t magnitude;

  template <class T>
  static constexpr AnyInteger of(T value) {
    if constexpr (std::is_signed_v<T>) {
      if (value < T{}) return {true, std::uint64_t{0} - static_cast<std::uint64_t>(value)};
    }
    return {false, static_cast<std::uint64_t>(value)};
  }
  friend constexpr bool operator==(AnyInteger const&, AnyInteger const&) = default;
};

/// The line of the program that constructs a policy. A policy exists before the kernel that gets it, so an error of its
/// numbers names this line instead of the kernel. It is the last, defaulted parameter of constructors:
/// `SourceLine line = SourceLine::of_caller()`.
class SourceLine {
 public:
  static constexpr SourceLine of_caller(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return SourceLine(file, line);
  }
  constexpr char const* file() const { return m_file; }
  constexpr int line() const { return m_line; }

 private:
  constexpr SourceLine(char const* file, int line) : m_file(file), m_line(line) {}

  char const* m_file;
  int m_line;
};

// Kokkos 4 silently accepted the following two errors, and released programs rely on its behaviour. So with its
// deprecated code enabled these functions return after a warning; otherwise they throw std::runtime_error.

/// The policy's index type cannot represent a bound. The bound then wraps around.
void report_bound(char const* policy, AnyInteger bound, int index_bits, bool index_is_signed, SourceLine line);
/// The lower bound of dimension `dim` (-1: the only one) is above the upper bound. The range is then empty.
void report_inverted(char const* policy, int dim, AnyInteger lower, AnyInteger upper, SourceLine line);

/// The messages for these errors.
std::string describe_bound(char const* policy, AnyInteger bound, int index_bits, bool index_is_signed);
std::string describe_inverted(char const* policy, int dim, AnyInteger lower, AnyInteger upper);

/// Throws std::runtime_error: the policy's index type cannot represent a bound.
[[noreturn]] void refuse_bound(char const* policy, AnyInteger bound, int index_bits, bool index_is_signed,
                               SourceLine line);
/// Throws std::runtime_error: the number of iterations of the kernel `label` is negative.
[[noreturn]] void refuse_count(char const* label, AnyInteger count);
/// Throws std::runtime_error: a list of bounds or of tile sizes has the wrong length.
[[noreturn]] void refuse_length(char const* what, std::size_t length, int rank, SourceLine line);
/// Throws std::runtime_error: a tile has more iterations than the space can run in a tile.
[[noreturn]] void refuse_tile(char const* space, std::int64_t const* tile, int rank, std::int64_t limit,
                              SourceLine line);

/// The number of tiles of the iteration space [lower, upper), and in `tile_end` the number in each dimension. Throws
/// std::runtime_error if a 64-bit integer cannot represent the number of iterations in a dimension, or of tiles.
std::int64_t count_tiles(std::int64_t const* lower, std::int64_t const* upper, std::int64_t const* tile, int rank,
                         std::int64_t* tile_end, SourceLine line);

/// Converts the bound to the policy's index type; reports a bound that the type cannot represent.
template <class Index, class T>
constexpr Index checked_bound(char const* policy, T const& bound, SourceLine line) {
  auto const index = static_cast<Index>(bound);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, Index>) {
    AnyInteger const given = AnyInteger::of(bound), held = AnyInteger::of(index);
    if (given != held) {
      Impl::report_bound(policy, given, static_cast<int>(sizeof(Index) * 8), std::is_signed_v<Index>, line);
    }
  }
  return index;
}

/// The bound of an MDRangePolicy, which stores it as Stored and passes indices as Index. Kokkos 4 ended the program if
/// one of these types cannot represent it, so this throws std::runtime_error whether or not deprecated code is enabled.
template <class Index, class Stored, class T>
constexpr Stored required_bound(T const& bound, SourceLine line) {
  auto const stored = static_cast<Stored>(bound);
  if constexpr (std::is_integral_v<T>) {
    AnyInteger const given = AnyInteger::of(bound);
    AnyInteger const held = AnyInteger::of(stored), passed = AnyInteger::of(static_cast<Index>(bound));
    if (given != held || given != passed) {
      Impl::refuse_bound("MDRangePolicy", given, static_cast<int>(sizeof(Index) * 8), std::is_signed_v<Index>, line);
    }
  }
  return stored;
}

/// a < b, for operands of any integer types.
template <class A, class B>
constexpr bool is_below(A const& a, B const& b) {
  if constexpr (std::is_integral_v<A> && std::is_same_v<A, B>) {
    return a < b;
  } else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    AnyInteger const x = AnyInteger::of(a), y = AnyInteger::of(b);
    if (x.negative != y.negative) return x.negative;
    return x.negative ? x.magnitude > y.magnitude : x.magnitude < y.magnitude;
  } else {
    return false;  // equal once they are converted
  }
}

}  // namespace Kokkos::Impl

#endif
