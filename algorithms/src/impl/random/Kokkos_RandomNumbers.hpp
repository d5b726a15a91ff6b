// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANDOM_RANDOM_NUMBERS_HPP
#define KOKKOS_RANDOM_RANDOM_NUMBERS_HPP

/// \file
/// The numbers that a generator draws from its engine: integers, floating-point numbers and normal deviates, in ranges;
/// and Kokkos::rand, which draws a number of a given type.

#include <Kokkos_Complex.hpp>
#include <Kokkos_Half.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The upper half of a 128-bit product.
KOKKOS_INLINE_FUNCTION std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b, std::uint64_t& low) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  Wide const product       = static_cast<Wide>(a) * b;
  low                      = static_cast<std::uint64_t>(product);
  return static_cast<std::uint64_t>(product >> 64);
#else
  std::uint64_t const a_low = a & 0xffffffffU, a_high = a >> 32;
  std::uint64_t const b_low = b & 0xffffffffU, b_high = b >> 32;
  std::uint64_t const lowest = a_low * b_low;
  std::uint64_t const cross  = a_high * b_low + (lowest >> 32);
  std::uint64_t const middle = a_low * b_high + (cross & 0xffffffffU);
  low                        = (middle << 32) | (lowest & 0xffffffffU);
  return a_high * b_high + (cross >> 32) + (middle >> 32);
#endif
}

/// In [0, 1), from a random word: every multiple of 2^-24, or of 2^-53, with the same probability.
///
/// On NVIDIA's GPUs, the generators keep the integer unit busy, which also shifts words and converts 32-bit integers.
/// Another unit converts 64-bit integers, so the whole word is converted there. The factor is the greatest number below
/// 2^-64: a word that is rounded up to 2^64 becomes the greatest number below 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T random_unit(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(word) * 0x1.fffffep-65f;
  else
    return static_cast<double>(word) * 0x1.fffffffffffffp-65;
#else
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(static_cast<std::int32_t>(word >> 40)) * 0x1p-24f;
  else
    return static_cast<double>(word >> 11) * 0x1p-53;
#endif
}

/// A number for a unit whose sum below is not less than `end`: rounding has produced `end`, or `distance` has overflowed.
template <class T>
KOKKOS_INLINE_FUNCTION T random_real_elsewhere(T start, T end, T distance, T unit) {
  if (distance > finite_max_v<T>) {
    // A range of half the size. Halving and doubling are exact, because both ends are huge.
    T const half = start / 2 + (end / 2 - start / 2) * unit;
    return 2 * half < end ? 2 * half : start;
  }
  T const sum = start + distance * unit;
  return sum == end ? start : sum;
}

/// start + unit * distance, for distance = end - start and a unit in [0, 1). The result is in [start, end): rounding
/// moves the product and the sum at most to the distance and to `end`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T random_real(T start, T end, T distance, T unit) {
  T const sum = start + distance * unit;
  return sum < end ? sum : Impl::random_real_elsewhere(start, end, distance, unit);
}

/// Like random_real for a start of 0. The greatest unit is 1 - u, where rounding moves a result by at most u of it. So
/// the product is below the range if all results are normal numbers, and is not compared with it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T random_real_below(T range, T unit) {
  T const magnitude = range < T(0) ? -range : range;
  return magnitude >= 2 * norm_min_v<T> && magnitude <= finite_max_v<T> ? range * unit
                                                                        : Impl::random_real(T(0), range, range, unit);
}

/// Draws numbers from an engine. Ranges are half-open; for an empty one, [5, 5) or [5, 3) of integers, the result is
/// its start.
template <class Engine>
class RandomNumbers {
 public:
  using impl_engine_type = Engine;

  // Upper bounds of urand(), urand64(), rand() and rand64().
  static constexpr std::uint32_t MAX_URAND   = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint64_t MAX_URAND64 = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::int32_t MAX_RAND     = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int64_t MAX_RAND64   = std::numeric_limits<std::int64_t>::max();

  /// A generator that draws from `engine`, which a pool stores at this index (-1: no pool stores it).
  KOKKOS_FUNCTION explicit RandomNumbers(Engine const& engine, int state_index)
      : m_engine(engine), m_state_index(state_index) {}

  // ---- integers, equidistributed ------------------------------------------------------------------------------------

  KOKKOS_FUNCTION std::uint32_t urand() { return static_cast<std::uint32_t>(m_engine.next() >> 32); }
  /// In [0, range). A product replaces the remainder of a division; the few values that would favour some results are
  /// drawn again (Lemire 2019).
  KOKKOS_FUNCTION std::uint32_t urand(std::uint32_t const& range) {
    std::uint64_t product = static_cast<std::uint64_t>(urand()) * range;
    if (static_cast<std::uint32_t>(product) < range) {
      std::uint32_t const surplus = (0u - range) % range;
      while (static_cast<std::uint32_t>(product) < surplus) product = static_cast<std::uint64_t>(urand()) * range;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  KOKKOS_FUNCTION std::uint32_t urand(std::uint32_t const& start, std::uint32_t const& end) {
    return end > start ? start + urand(end - start) : start;
  }

  KOKKOS_FUNCTION std::uint64_t urand64() { return m_engine.next() - 1; }
  KOKKOS_FUNCTION std::uint64_t urand64(std::uint64_t const& range) {
    std::uint64_t low;
    std::uint64_t high = Impl::multiply_high(m_engine.next(), range, low);
    if (low < range) {
      std::uint64_t const surplus = (std::uint64_t(0) - range) % range;
      while (low < surplus) high = Impl::multiply_high(m_engine.next(), range, low);
    }
    return high;
  }
  KOKKOS_FUNCTION std::uint64_t urand64(std::uint64_t const& start, std::uint64_t const& end) {
    return end > start ? start + urand64(end - start) : start;
  }

  KOKKOS_FUNCTION int rand() { return static_cast<int>(urand() / 2); }
  KOKKOS_FUNCTION int rand(int const& range) { return rand(0, range); }
  // Differences of signed integers are computed as unsigned ones, which cannot overflow.
  KOKKOS_FUNCTION int rand(int const& start, int const& end) {
    if (end <= start) return start;
    std::uint32_t const first = static_cast<std::uint32_t>(start);
    return static_cast<int>(first + urand(static_cast<std::uint32_t>(end) - first));
  }

  KOKKOS_FUNCTION std::int64_t rand64() { return static_cast<std::int64_t>(urand64() / 2); }
  KOKKOS_FUNCTION std::int64_t rand64(std::int64_t const& range) { return rand64(0, range); }
  KOKKOS_FUNCTION std::int64_t rand64(std::int64_t const& start, std::int64_t const& end) {
    if (end <= start) return start;
    std::uint64_t const first = static_cast<std::uint64_t>(start);
    return static_cast<std::int64_t>(first + urand64(static_cast<std::uint64_t>(end) - first));
  }

  // ---- floating point, uniform --------------------------------------------------------------------------------------

  KOKKOS_FUNCTION float frand() { return Impl::random_unit<float>(m_engine.next()); }
  KOKKOS_FUNCTION float frand(float const& range) { return Impl::random_real_below(range, frand()); }
  KOKKOS_FUNCTION float frand(float const& start, float const& end) {
    return Impl::random_real(start, end, end - start, frand());
  }

  KOKKOS_FUNCTION double drand() { return Impl::random_unit<double>(m_engine.next()); }
  KOKKOS_FUNCTION double drand(double const& range) { return Impl::random_real_below(range, drand()); }
  KOKKOS_FUNCTION double drand(double const& start, double const& end) {
    return Impl::random_real(start, end, end - start, drand());
  }

  // ---- normal -------------------------------------------------------------------------------------------------------

  /// A normal deviate with mean 0 and standard deviation 1.
  KOKKOS_FUNCTION double normal() {
    double deviate = 0;
    KOKKOS_IF_ON_HOST((deviate = normal_of_disc();))
    KOKKOS_IF_ON_DEVICE((deviate = normal_of_circle();))
    return deviate;
  }
  KOKKOS_FUNCTION double normal(double const& mean, double const& std_dev = 1) { return mean + normal() * std_dev; }

  KOKKOS_FUNCTION Engine const& impl_engine() const { return m_engine; }
  KOKKOS_FUNCTION int impl_state_index() const { return m_state_index; }

 private:
  /// From a point in the unit disc (Marsaglia 1962): 2.5 uniform numbers on average, and no cosine, which takes a host
  /// longer than those.
  KOKKOS_FUNCTION double normal_of_disc() {
    double x, square;
    do {
      x              = 2 * drand() - 1;
      double const y = 2 * drand() - 1;
      square         = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * Kokkos::sqrt(-2 * Kokkos::log(square) / square);
  }
  /// From a radius and an angle (Box and Muller 1958): two uniform numbers, no rejection, so that the threads of a warp
  /// stay together.
  KOKKOS_FUNCTION double normal_of_circle() {
    double const radius = Kokkos::sqrt(-2 * Kokkos::log(1 - drand()));  // the argument of the logarithm is in (0, 1]
    return radius * Kokkos::cos(2 * Kokkos::numbers::pi * drand());
  }

  Engine m_engine;
  int m_state_index;
};

}  // namespace Impl

/// Draws numbers of type Scalar: any integral or floating-point type, half_t, bhalf_t or complex. A program may
/// specialise it for its own types; fill_random then accepts views of these.
///
/// - max(): the upper bound of draw(gen)
/// - draw(gen): in [0, max())
/// - draw(gen, range): in [0, range)
/// - draw(gen, start, end): in [start, end)
///
/// For complex numbers, ranges apply to the real and to the imaginary part.
template <class Generator, class Scalar>
struct rand;

/// Integers, characters and bool.
template <class Generator, std::integral Scalar>
struct rand<Generator, Scalar> {
 private:
  static constexpr bool is_signed = std::is_signed_v<Scalar>;
  static constexpr bool is_wide   = sizeof(Scalar) > 4;

 public:
  /// The type of a drawn number. A char may be signed or unsigned; the numbers drawn for it are in the range of both.
  using result_type = std::conditional_t<std::is_same_v<Scalar, char>, short, Scalar>;

  /// The upper bound of draw(gen). For 8 and 16 bits it is the largest number of the type; for more bits, the
  /// generator's.
  KOKKOS_FUNCTION static constexpr result_type max() {
    if constexpr (sizeof(Scalar) < 4)
      return std::is_same_v<Scalar, char> ? result_type(127) : std::numeric_limits<result_type>::max();
    else if constexpr (is_wide)
      return is_signed ? static_cast<result_type>(Generator::MAX_RAND64)
                       : static_cast<result_type>(Generator::MAX_URAND64);
    else
      return is_signed ? static_cast<result_type>(Generator::MAX_RAND) : static_cast<result_type>(Generator::MAX_URAND);
  }
  /// A number in [0, max()); for bool, either value.
  KOKKOS_FUNCTION static result_type draw(Generator& gen) {
    if constexpr (std::is_same_v<Scalar, bool>)
      return gen.urand(2) != 0;
    else if constexpr (sizeof(Scalar) < 4)
      return static_cast<result_type>(gen.urand(static_cast<std::uint32_t>(max())));
    else if constexpr (is_wide)
      return is_signed ? static_cast<result_type>(gen.rand64()) : static_cast<result_type>(gen.urand64());
    else
      return is_signed ? static_cast<result_type>(gen.rand()) : static_cast<result_type>(gen.urand());
  }
  /// A number in [0, range).
  KOKKOS_FUNCTION static result_type draw(Generator& gen, Scalar const& range) { return draw(gen, Scalar(0), range); }
  /// A number in [start, end).
  KOKKOS_FUNCTION static result_type draw(Generator& gen, Scalar const& start, Scalar const& end) {
    if constexpr (is_wide && is_signed)
      return static_cast<result_type>(gen.rand64(start, end));
    else if constexpr (is_wide)
      return static_cast<result_type>(gen.urand64(start, end));
    else if constexpr (is_signed)
      return static_cast<result_type>(gen.rand(start, end));
    else
      return static_cast<result_type>(gen.urand(start, end));
  }
};

/// Single precision and less. Conversion to half_t or bhalf_t rounds; a number that rounds to `end` becomes the
/// greatest number below it.
template <class Generator, class Scalar>
  requires(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, Experimental::half_t> ||
           std::is_same_v<Scalar, Experimental::bhalf_t>)
struct rand<Generator, Scalar> {
  /// The upper bound of draw(gen): 1.
  KOKKOS_FUNCTION static constexpr Scalar max() { return static_cast<Scalar>(1.0f); }
  /// A number in [0, 1).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen) { return draw(gen, Scalar(0.0f), Scalar(1.0f)); }
  /// A number in [0, range).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen, Scalar const& range) {
    if constexpr (std::is_same_v<Scalar, float>)
      return gen.frand(range);
    else
      return draw(gen, Scalar(0.0f), range);
  }
  /// A number in [start, end).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen, Scalar const& start, Scalar const& end) {
    Scalar const drawn = static_cast<Scalar>(gen.frand(static_cast<float>(start), static_cast<float>(end)));
    if constexpr (sizeof(Scalar) < sizeof(float)) {
      if (drawn == end) return Kokkos::nextafter(end, start);  // `end` itself if the range is empty
    }
    return drawn;
  }
};

/// Double precision and more. The numbers of a long double range are as many as those of a double range.
template <class Generator, class Scalar>
  requires(std::is_same_v<Scalar, double> || std::is_same_v<Scalar, long double>)
struct rand<Generator, Scalar> {
  /// The upper bound of draw(gen): 1.
  KOKKOS_FUNCTION static constexpr Scalar max() { return 1.0; }
  /// A number in [0, 1).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen) { return gen.drand(); }
  /// A number in [0, range).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen, Scalar const& range) {
    if constexpr (std::is_same_v<Scalar, double>)
      return gen.drand(range);
    else
      return draw(gen, Scalar(0), range);
  }
  /// A number in [start, end).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen, Scalar const& start, Scalar const& end) {
    return Impl::random_real<Scalar>(start, end, end - start, gen.drand());
  }
};

/// Complex numbers; both parts are drawn independently, first the real part.
template <class Generator, class Real>
struct rand<Generator, complex<Real>> {
  using Scalar = complex<Real>;  ///< the type of a drawn number
  /// The upper bounds of both parts: 1 + i.
  KOKKOS_FUNCTION static constexpr Scalar max() { return Scalar(1, 1); }
  /// Both parts are in [0, 1).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen) { return draw(gen, Scalar(0, 0), max()); }
  /// The parts are in [0, range.real()) and [0, range.imag()).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen, Scalar const& range) { return draw(gen, Scalar(0, 0), range); }
  /// The parts are in [start.real(), end.real()) and [start.imag(), end.imag()).
  KOKKOS_FUNCTION static Scalar draw(Generator& gen, Scalar const& start, Scalar const& end) {
    Real const re = rand<Generator, Real>::draw(gen, start.real(), end.real());
    Real const im = rand<Generator, Real>::draw(gen, start.imag(), end.imag());
    return Scalar(re, im);
  }
};

}  // namespace Kokkos

#endif
