// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Deadline.hpp"

#include <TestSpaces.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// Compare-exchange of structs whose padding contains other bytes than that of the expected value, because no copy of a
// struct has to preserve its padding. One kernel goes through a table of types of 1 to 64 bytes.

namespace {

template <class Space>
class AtomicPaddingTest : public ::testing::Test {};
TYPED_TEST_SUITE(AtomicPaddingTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

// ---- types ----------------------------------------------------------------------------------------------------------

/// N elements of one type and one of another; padding may follow them.
template <class First, int N, class Second>
struct Plain {
  First first[N];
  Second second;
};
template <class First, int N, class Second>
struct Comparable : Plain<First, N, Second> {
  KOKKOS_FUNCTION friend bool operator==(Comparable const& a, Comparable const& b) {
    for (int i = 0; i < N; ++i) {
      if (!(a.first[i] == b.first[i])) return false;
    }
    return a.second == b.second;
  }
  /// Adds numbers of set(). The padding of the result is undefined.
  KOKKOS_FUNCTION friend Comparable operator+(Comparable const& a, Comparable const& b) {
    Comparable sum;
    set(sum, number_of(a) + number_of(b));
    return sum;
  }
};
template <class T>
constexpr bool is_comparable_v = false;
template <class First, int N, class Second>
constexpr bool is_comparable_v<Comparable<First, N, Second>> = true;

/// The padding of these is unknown to some compilers, because no constant expression can create or read an object.
template <class First, class Second>
struct Opaque {
  First first;
  Second second;
  KOKKOS_FUNCTION Opaque(First f, Second s) : first(f), second(s) {}
  KOKKOS_FUNCTION friend bool operator==(Opaque const& a, Opaque const& b) {
    return a.first == b.first && a.second == b.second;
  }
};
template <class T>
constexpr bool is_opaque_v = false;
template <class First, class Second>
constexpr bool is_opaque_v<Opaque<First, Second>> = true;

struct BitFields {
  unsigned : 5;
  unsigned first : 10;
  KOKKOS_FUNCTION friend bool operator==(BitFields const& a, BitFields const& b) { return a.first == b.first; }
};
/// All values are in the second byte, which contains a bit of padding. Some compilers do not reveal the padding of
/// bit-fields, and there is no ==, so whether equal values are the same is unspecified.
struct PlainBitFields {
  unsigned : 5;
  unsigned first : 10;
};

/// Accessed as a word or under a lock, depending on the address.
using Halves = Comparable<int, 1, signed char>;
static_assert(sizeof(Halves) == 8 && alignof(Halves) == 4);

using Types = std::tuple<
    signed char, int, double, Comparable<char, 1, char>, Comparable<char, 2, char>, Comparable<short, 1, signed char>,
    Comparable<short, 1, short>, Comparable<char, 4, char>, Comparable<short, 2, char>, Comparable<char, 6, char>,
    Halves, Comparable<int, 1, int>, Comparable<short, 3, char>, Comparable<float, 1, int>, Comparable<float, 1, char>,
    Comparable<float, 1, float>, Comparable<int, 2, char>, Comparable<int, 2, int>, Comparable<double, 1, char>,
    Comparable<double, 1, int>, Comparable<double, 1, double>, Comparable<double, 2, int>,
    Comparable<double, 2, double>, Comparable<double, 4, short>, Comparable<double, 7, char>,
    Comparable<double, 7, double>, Plain<short, 1, char>, Plain<int, 1, char>, Plain<float, 1, short>,
    Plain<double, 1, int>, Plain<double, 2, char>, Plain<int, 15, char>, Opaque<short, char>, Opaque<float, char>,
    Opaque<double, short>, Opaque<char*, char>, BitFields, Kokkos::pair<int, char>, Kokkos::pair<float, short>,
    Kokkos::pair<double, int>, Kokkos::ValLocScalar<float, short>, Kokkos::ValLocScalar<double, int>,
    Kokkos::complex<float>, Kokkos::complex<double>, PlainBitFields>;
constexpr int number_of_types = std::tuple_size_v<Types>, number_of_counters = number_of_types - 1;
template <std::size_t I>
using type_at = std::tuple_element_t<I, Types>;

// ---- members --------------------------------------------------------------------------------------------------------

/// A member that is no bit-field, possibly an array.
template <class T>
KOKKOS_FUNCTION auto& first_member(T& object) {
  if constexpr (std::is_arithmetic_v<T>) {
    return object;
  } else if constexpr (requires { object.loc; }) {
    return object.val;
  } else if constexpr (requires { object.imag(); }) {
    return object.real();
  } else {
    return object.first;
  }
}
template <class T>
constexpr bool has_bit_fields = std::is_same_v<T, BitFields> || std::is_same_v<T, PlainBitFields>;
template <class T>
constexpr bool starts_with_floating_point() {
  if constexpr (has_bit_fields<T>) {
    return false;
  } else {
    using Member = std::remove_reference_t<decltype(first_member(std::declval<T&>()))>;
    return std::is_floating_point_v<std::remove_extent_t<Member>>;
  }
}

template <class M, class N>
KOKKOS_FUNCTION void set_member(M& member, N n) {
  if constexpr (std::is_array_v<M>) {
    for (auto& element : member) set_member(element, n);
  } else if constexpr (std::is_pointer_v<M>) {
    member = reinterpret_cast<M>(static_cast<std::uintptr_t>(n));
  } else {
    member = static_cast<M>(n);
  }
}

constexpr int numbers = 100;  // fit every member

/// Assigns `n % numbers` to the members one by one, so that the padding keeps its bytes.
template <class T>
KOKKOS_FUNCTION void set(T& object, int n) {
  n %= numbers;
  if constexpr (has_bit_fields<T>) {
    object.first = n << 3;
  } else {
    set_member(first_member(object), n);
    if constexpr (requires { object.loc; }) {
      set_member(object.loc, n);
    } else if constexpr (requires { object.imag(); }) {
      set_member(object.imag(), n);
    } else if constexpr (std::is_class_v<T>) {
      set_member(object.second, n);
    }
  }
}

/// The number that set() assigned.
template <class T>
KOKKOS_FUNCTION int number_of(T const& object) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<int>(object);
  } else if constexpr (requires { object.loc; }) {
    return static_cast<int>(object.loc);
  } else if constexpr (requires { object.imag(); }) {
    return static_cast<int>(object.imag());
  } else if constexpr (has_bit_fields<T>) {
    return static_cast<int>(object.first >> 3);
  } else {
    return static_cast<int>(object.second);
  }
}

// ---- checks of one object -------------------------------------------------------------------------------------------

/// Memory for an object of one type after the other.
struct Cell {
  alignas(64) unsigned char bytes[64];

  /// Fills all bytes, and with them the padding of an object that is assigned afterwards.
  KOKKOS_FUNCTION void fill(unsigned char byte) {
    for (unsigned char& b : bytes) b = byte;
  }
  template <class T>
  KOKKOS_FUNCTION T& as() {
    static_assert(sizeof(T) <= sizeof bytes);
    return *reinterpret_cast<T*>(bytes);
  }
};

enum Check { equal_value, other_value, strong_succeeds, strong_fails, zeros, not_a_number, number_of_checks };
constexpr char const* check_names[] = {
    "if the object equals the expected value, it is written and the old value is returned",
    "if the object differs from the expected value, it is left and its value is returned",
    "atomic_compare_exchange_strong reports that it has written",
    "atomic_compare_exchange_strong reports that it has not written, and the value of the object",
    "zeros of either sign are equal in classes with ==, and differ in numbers",
    "a NaN is written if the expected value has the same bits except padding"};
static_assert(std::size(check_names) == number_of_checks);

constexpr desul::MemoryOrderRelaxed relaxed;
constexpr desul::MemoryScopeDevice device_scope;

template <class T>
KOKKOS_FUNCTION bool strong(T& object, T& expected, T const& desired) {
  return desul::atomic_compare_exchange_strong(&object, expected, desired, relaxed, relaxed, device_scope);
}

/// The bit `1 << check` of the result is set if the check failed.
template <class T>
KOKKOS_FUNCTION unsigned failed_checks(Cell* cells) {
  T& object          = cells[0].as<T>();
  T& expected        = cells[1].as<T>();
  T& desired         = cells[2].as<T>();
  unsigned failed    = 0;
  auto const check   = [&](Check which, bool holds) { failed |= holds ? 0u : 1u << which; };
  auto const set_all = [&](int of_object, int of_expected) {
    for (int i = 0; i < 3; ++i) cells[i].fill(static_cast<unsigned char>(0x5a + 0x31 * i));
    set(object, of_object), set(expected, of_expected), set(desired, 7);
  };
  set_all(5, 5);
  int const hit = number_of(Kokkos::atomic_compare_exchange(&object, expected, desired));
  check(equal_value, hit == 5 && number_of(object) == 7);
  set_all(5, 6);
  int const miss = number_of(Kokkos::atomic_compare_exchange(&object, expected, desired));
  check(other_value, miss == 5 && number_of(object) == 5);
  set_all(5, 5);
  check(strong_succeeds, strong(object, expected, desired) && number_of(object) == 7);
  set_all(5, 6);
  check(strong_fails, !strong(object, expected, desired) && number_of(object) == 5 && number_of(expected) == 5);
  if constexpr (starts_with_floating_point<T>()) {
    set_all(5, 5);
    set_member(first_member(object), -0.0), set_member(first_member(expected), 0.0);
    check(zeros, strong(object, expected, desired) == (std::is_class_v<T> && requires { object == object; }));
    set_all(5, 5);
    auto const nan = Kokkos::Experimental::quiet_NaN_v<double>;
    set_member(first_member(object), nan), set_member(first_member(expected), nan);
    check(not_a_number, strong(object, expected, desired) || is_opaque_v<T>);
  }
  constexpr unsigned unspecified = std::is_same_v<T, PlainBitFields> ? 1u << equal_value | 1u << strong_succeeds : 0u;
  return failed & ~unspecified;
}

template <class Space, std::size_t... I>
void expect_checks_hold(std::index_sequence<I...>) {
  Kokkos::View<Cell[3], Space> cells("cells");
  Kokkos::View<unsigned[number_of_types], Space> failed("failed");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1),
      KOKKOS_LAMBDA(int) { ((failed(I) = failed_checks<type_at<I>>(cells.data())), ...); });
  auto host                      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, failed);
  constexpr std::size_t bytes[]  = {sizeof(type_at<I>)...};
  std::string const type_names[] = {::testing::internal::GetTypeName<type_at<I>>()...};
  for (int i = 0; i < number_of_types; ++i) {
    for (int k = 0; k < number_of_checks; ++k) {
      EXPECT_EQ(host(i) >> k & 1u, 0u) << type_names[i] << " of " << bytes[i] << " bytes: " << check_names[k];
    }
  }
}

TYPED_TEST(AtomicPaddingTest, ValuesAreComparedWithoutPadding) {
  expect_checks_hold<TypeParam>(std::make_index_sequence<number_of_types>());
}

// ---- loops of several threads ---------------------------------------------------------------------------------------

template <class T>
constexpr int number_of_updates = is_comparable_v<T> ? 3 : 2;

/// Adds 1 to the object by each form of the usual loop and, if T has it, by its own operator. Returns false after
/// `limit` attempts.
template <class T>
KOKKOS_FUNCTION bool update(T& object, T& next, int limit) {
  int attempts = 0;
  T old        = Kokkos::atomic_load(&object);
  for (bool written = false; !written;) {
    if (++attempts > limit) return false;
    T const assumed = old;
    set(next, number_of(assumed) + 1);
    old     = Kokkos::atomic_compare_exchange(&object, assumed, next);
    written = number_of(old) == number_of(assumed);
  }
  T expected = Kokkos::atomic_load(&object);
  do {
    if (++attempts > limit) return false;
    set(next, number_of(expected) + 1);
  } while (!desul::atomic_compare_exchange_weak(&object, expected, next, relaxed, relaxed, device_scope));
  if constexpr (is_comparable_v<T>) {
    set(next, 1);
    Kokkos::atomic_add(&object, next);
  }
  return true;
}

template <class Space, std::size_t... I>
void expect_loops_count(std::index_sequence<I...>) {
  constexpr int n = 117, limit = 100 * n;
  // The object of each type, and a cell of each iteration.
  Kokkos::View<Cell*, Space> objects("objects", number_of_counters), cells("cells", n);
  Kokkos::View<int, Space> endless("endless");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        for (int i = 0; i < number_of_counters; ++i) objects(i).fill(0x5a);
        (set(objects(I).template as<type_at<I>>(), 0), ...);
      });
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        cells(i).fill(static_cast<unsigned char>(i));
        bool const end =
            (update(objects(I).template as<type_at<I>>(), cells(i).template as<type_at<I>>(), limit) & ...);
        if (!end) Kokkos::atomic_inc(&endless());
      });
  auto host                      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, objects);
  int const counts[]             = {number_of(host(I).template as<type_at<I>>())...};
  int const updates[]            = {number_of_updates<type_at<I>>...};
  std::string const type_names[] = {::testing::internal::GetTypeName<type_at<I>>()...};
  for (int i = 0; i < number_of_counters; ++i) {
    EXPECT_EQ(counts[i], updates[i] * n % numbers) << type_names[i];
  }
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, endless)(), 0);
}

TYPED_TEST(AtomicPaddingTest, LoopsCountEachUpdate) {
  expect_loops_count<TypeParam>(std::make_index_sequence<number_of_counters>());
}

/// A number with a note that a comparison ignores. The next comparison lets another thread write before it, which must not need
/// the lock of this exchange, so the object is aligned as a word of the machine is.
struct alignas(8) Noted {
  float number;
  std::uint32_t note;

  static inline std::function<void()> write_meanwhile;
  KOKKOS_FUNCTION friend bool operator==(Noted const& a, Noted const& b) {
    KOKKOS_IF_ON_HOST((if (write_meanwhile) std::exchange(write_meanwhile, nullptr)();))
    return a.number == b.number;
  }
};

// Between the comparison and the exchange, another thread writes the same number with another note, or another number.
// The test plays that thread in the comparison.
TEST(AtomicPadding, AWriteDuringTheComparisonIsSeen) {
  Kokkos::Testing::Deadline const deadline("a compare-exchange still expects a value that another thread has replaced");
  Noted object{1, 5};
  Noted::write_meanwhile = [&] { Kokkos::atomic_store(&object, Noted{1, 6}); };
  EXPECT_EQ(Kokkos::atomic_compare_exchange(&object, Noted{1, 0}, Noted{2, 0}).number, 1);
  EXPECT_EQ(object.number, 2) << "the same number is exchanged";
  object                 = {1, 5};
  Noted::write_meanwhile = [&] { Kokkos::atomic_store(&object, Noted{3, 5}); };
  EXPECT_EQ(Kokkos::atomic_compare_exchange(&object, Noted{1, 0}, Noted{2, 0}).number, 3);
  EXPECT_EQ(object.number, 3) << "another number is kept";
  EXPECT_EQ(Noted::write_meanwhile, nullptr);
}

}  // namespace
