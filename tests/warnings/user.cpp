// expect: no error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A user's source that includes every public header and instantiates the main templates. It is compiled with the
/// warnings that careful projects switch on, as errors, and with the headers as the user's own, not as system headers.
/// The bodies are ones that a compiler's vectoriser gives up on, since clang once warned about those.

#include <every_public_header.hpp>  // written by the build

using Space  = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*>;
using Matrix = Kokkos::View<double**>;

struct ScaleTag {};

struct Extremes {
  using value_type = double[];
  unsigned value_count;
  Vector x;

  KOKKOS_FUNCTION void operator()(int i, double* update) const {
    for (unsigned k = 0; k < value_count; ++k) update[k] = x(i) > update[k] ? x(i) : update[k];
  }
  KOKKOS_FUNCTION void join(double* into, double const* from) const {
    for (unsigned k = 0; k < value_count; ++k) into[k] = from[k] > into[k] ? from[k] : into[k];
  }
};

struct Scale {
  Vector x;
  double factor;

  KOKKOS_FUNCTION void operator()(ScaleTag, std::size_t i) const { x(i) *= factor; }
};

template <class Index>
void ranges(Vector const& x, Index n) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>>;
  Kokkos::parallel_for(
      "fill", Policy(0, n), KOKKOS_LAMBDA(Index i) { x(i) = 1; });
  double sum = 0, greatest = 0;
  Kokkos::parallel_reduce(
      "sum", Policy(0, n), KOKKOS_LAMBDA(Index i, double& s) { s += x(i); }, sum);
  Kokkos::parallel_reduce(
      "two", Policy(0, n, Kokkos::ChunkSize(8)),
      KOKKOS_LAMBDA(Index i, double& s, double& m) {
        s += x(i);
        m = x(i) > m ? x(i) : m;
      },
      sum, Kokkos::Max<double>(greatest));
  Kokkos::parallel_scan(
      "scan", Policy(0, n),
      KOKKOS_LAMBDA(Index i, double& s, bool is_final) {
        s += x(i);
        if (is_final) x(i) = s;
      },
      sum);
}

template <class Result, class Reducer, class Update>
void reduce_by(Vector const& x, Update const& update) {
  Result result{};
  Kokkos::parallel_reduce(
      x.extent(0), KOKKOS_LAMBDA(int i, Result& r) { update(i, x(i), r); }, Reducer(result));
}

void reducers(Vector const& x) {
  reduce_by<float, Kokkos::Min<float>>(x, [](int, double, float& r) { r = 0; });
  reduce_by<short, Kokkos::Prod<short>>(x, [](int, double, short& r) { r = 0; });
  reduce_by<int, Kokkos::LAnd<int>>(x, [](int, double v, int& r) { r = r && v > 0; });
  reduce_by<unsigned char, Kokkos::BOr<unsigned char>>(x, [](int, double, unsigned char& r) { r = 1; });
  using Location = Kokkos::MinMaxLoc<double, int>;
  reduce_by<Location::value_type, Location>(x, [](int i, double v, Location::value_type& r) {
    if (v < r.min_val) r.min_val = v, r.min_loc = i;
    if (v > r.max_val) r.max_val = v, r.max_loc = i;
  });
  double greatest[3] = {};
  Kokkos::parallel_reduce(x.extent(0), Extremes{3, x}, greatest);
  Kokkos::View<double> on_device("on device");
  Kokkos::parallel_reduce(
      x.extent(0), KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, on_device);
}

void boxes(Matrix const& a) {
  const int n = a.extent_int(0), m = a.extent_int(1);
  Kokkos::parallel_for(
      "box", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, m}), KOKKOS_LAMBDA(int i, int j) { a(i, j) = i + j; });
  Kokkos::parallel_for(
      "box of six", Kokkos::MDRangePolicy<Kokkos::Rank<6>>({0, 0, 0, 0, 0, 0}, {n, m, 1, 2, 1, 2}, {4, 4, 1, 1, 1, 1}),
      KOKKOS_LAMBDA(int i, int j, int, int, int, int) { a(i, j) = 0; });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum of box", Kokkos::MDRangePolicy<Kokkos::Rank<3>, Kokkos::IndexType<unsigned>>({0, 0, 0}, {n, m, 2}),
      KOKKOS_LAMBDA(unsigned i, unsigned j, unsigned, double& s) { s += a(i, j); }, sum);
}

void teams(Matrix const& a, Kokkos::View<int*> const& counts) {
  using Policy  = Kokkos::TeamPolicy<>;
  using Member  = Policy::member_type;
  using Scratch = Kokkos::View<double*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  const int n = a.extent_int(0), m = a.extent_int(1);
  Policy policy(n, Kokkos::AUTO);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(static_cast<std::size_t>(m))));
  Kokkos::parallel_for(
      "team", policy, KOKKOS_LAMBDA(Member const& member) {
        const int i = member.league_rank();
        Scratch row(member.team_scratch(0), m);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, m), [&](int j) { row(j) = a(i, j); });
        member.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(member, m), [&](int j) { Kokkos::atomic_add(&counts(0), j); });
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, m), [&](int j) {
          double x = row(j);
          while (x > 1) x /= 2;
          a(i, j) = x;
        });
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(member, m),
            [&](int, double& s) {
              double inner = 0;
              Kokkos::parallel_reduce(
                  Kokkos::ThreadVectorRange(member, 0, m), [&](int k, double& t) { t += row(k); }, inner);
              s += inner;
            },
            sum);
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(member, m), [&](int j, double& s, bool is_final) {
          if (is_final) a(i, j) = s;
          s += row(j);
        });
        Kokkos::parallel_for(Kokkos::TeamThreadMDRange<Kokkos::Rank<2>, Member>(member, m, 2),
                             [&](int j, int) { row(j) = 0; });
        Kokkos::parallel_for(Kokkos::TeamVectorMDRange<Kokkos::Rank<3>, Member>(member, m, 2, 2),
                             [&](int j, int, int) { Kokkos::atomic_inc(&counts(j % 2)); });
        Kokkos::single(Kokkos::PerTeam(member), [&]() { a(i, 0) = sum; });
        Kokkos::single(
            Kokkos::PerThread(member), [&](double& s) { s = 1; }, sum);
        member.team_broadcast(sum, 0);
        member.team_reduce(Kokkos::Sum<double>(sum));
        counts(0) = static_cast<int>(member.team_scan(1));
      });
}

template <class T>
void atomics(Kokkos::View<T*> const& x) {
  Kokkos::parallel_for(
      "atomics", x.extent(0), KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_store(&x(i), T(1));
        T before = Kokkos::atomic_fetch_add(&x(i), T(1));
        before   = Kokkos::atomic_exchange(&x(i), before);
        before   = Kokkos::atomic_compare_exchange(&x(i), before, T(2));
        Kokkos::View<T*, Kokkos::MemoryTraits<Kokkos::Atomic>> shared(x);
        shared(i) += before;
      });
}

void numbers(Vector const& x) {
  Kokkos::parallel_for(
      "numbers", x.extent(0), KOKKOS_LAMBDA(int i) {
        Kokkos::complex<double> z(x(i), 1);
        z = Kokkos::sqrt(z) * Kokkos::exp(z) / (z + 2.0) - Kokkos::conj(z) + Kokkos::pow(z, 2);
        Kokkos::Experimental::half_t h(1.5f);
        h += Kokkos::Experimental::half_t(2);
        x(i) =
            Kokkos::fma(Kokkos::abs(z), Kokkos::hypot(z.real(), z.imag()), static_cast<double>(static_cast<float>(h)));
        x(i) += Kokkos::popcount(7u) + Kokkos::rotl(static_cast<unsigned char>(1), 3) + Kokkos::bit_ceil(5u);
        x(i) = Kokkos::clamp(x(i), Kokkos::max(0.0, -1.0), Kokkos::Experimental::finite_max_v<double>);
      });
}

void views(Matrix const& a, Vector const& x) {
  auto row    = Kokkos::subview(a, 1, Kokkos::ALL);
  auto window = Kokkos::subview(a, Kokkos::pair<int, int>(0, 2), std::make_pair(1u, 3u));
  auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), window);
  Kokkos::deep_copy(window, mirror);
  Kokkos::deep_copy(Space(), row, 0.5);
  Kokkos::View<float*> narrow("narrow", x.extent(0));
  Kokkos::deep_copy(x, 2.0);
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::LayoutStride>(x), x);
  Kokkos::View<int* [4], Kokkos::LayoutRight> fixed(Kokkos::view_alloc("fixed", Kokkos::WithoutInitializing), 3);
  Kokkos::View<const int* [4], Kokkos::LayoutRight, Kokkos::MemoryRandomAccess> constant(fixed);
  Kokkos::resize(fixed, 5);
  Kokkos::realloc(narrow, 7);
  double numbers_of_host[6] = {};
  Kokkos::View<double[2][3], Kokkos::HostSpace> wrapped(numbers_of_host);
  wrapped(1, 2) = static_cast<double>(wrapped.span() + constant.stride(0));
  Kokkos::View<double********> deep("deep", 1, 2, 1, 2, 1, 2, 1, 2);
  deep(0, 1, 0, 1, 0, 1, 0, 1) = 1;
}

void graphs(Vector const& x) {
  auto graph = Kokkos::Experimental::create_graph(Space(), [&](auto root) {
    auto first = root.then_parallel_for(
        "first", 4, KOKKOS_LAMBDA(int i) { x(i) = i; });
    auto second = root.then_parallel_for(
        "second", 4, KOKKOS_LAMBDA(int i) { x(i + 4) = i; });
    Kokkos::Experimental::when_all(first, second)
        .then_parallel_for(
            4, KOKKOS_LAMBDA(int i) { x(i) += x(i + 4); });
  });
  graph.submit();
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Vector x("x", 100);
  Matrix a("a", 10, 20);
  ranges<int>(x, 100);
  ranges<long long>(x, 100);
  ranges<unsigned>(x, 100);
  ranges<std::size_t>(x, 100);
  reducers(x);
  boxes(a);
  teams(a, Kokkos::View<int*>("counts", 2));
  atomics(Kokkos::View<int*>("i", 4));
  atomics(Kokkos::View<unsigned char*>("c", 4));
  atomics(Kokkos::View<double*>("d", 4));
  atomics(Kokkos::View<Kokkos::complex<double>*>("z", 4));
  numbers(x);
  views(a, x);
  graphs(x);
  Kokkos::parallel_for(Kokkos::RangePolicy<ScaleTag>(0, 4), Scale{x, 2});
  Kokkos::printf("%g\n", Kokkos::Timer().seconds());
}
