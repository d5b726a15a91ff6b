// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reproduces reports in a program of upstream Kokkos, round after round, until a call fails:
//
// - launches: kokkos #8006 (wait for an event whose stream was destroyed) and #7942 (launch while another stream is captured).
//   Instances are created and destroyed in varying order; each launches functors of 1 to 40 KB.
// - fill: #7377. Memory of malloc that a device can access is filled with zeros.
// - strided: #3567, #2603. Parts of matrices are copied to the device and back.
// - pageable: #8099. Memory of malloc is copied to the device and back in the order of short-lived instances, and the results
//   are compared. Without the option of the series this passes, too: the calls then wait.
//
// reports WHAT [rounds] [launches: functors of at most this many bytes] [launches: capture, 0 or 1]
#include <Kokkos_Core.hpp>

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

using DeviceInts = Kokkos::View<int*, Kokkos::HIPSpace>;

template <int Bytes>
struct Big {
  DeviceInts out;
  char data[Bytes];
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = data[i % Bytes]; }
};

template <int Bytes>
void launch(Kokkos::HIP const& where, DeviceInts const& out) {
  Big<Bytes> functor{out, {}};
  Kokkos::parallel_for("big", Kokkos::RangePolicy<Kokkos::HIP>(where, 0, 64), functor);
}

static void check(hipError_t error, char const* call) {
  if (error == hipSuccess) return;
  std::printf("%s: %s\n", call, hipGetErrorName(error));
  std::exit(3);
}

[[noreturn]] static void give_up(int n, std::exception const& e) {
  std::printf("round %d: %s\n", n, e.what());
  std::fflush(stdout);
  std::_Exit(1);  // the state after the failed call would cause more failures at exit
}

class Launches {
 public:
  Launches(int most, bool capture) : most(most), capture(capture) {
    check(hipStreamCreate(&captured), "hipStreamCreate");
    check(hipMalloc(&memory, 1024), "hipMalloc");
    launch<16>(Kokkos::HIP(), out);  // the first launch of a source file also sends the table of atomic locks
  }
  ~Launches() {
    check(hipFree(memory), "hipFree");
    check(hipStreamDestroy(captured), "hipStreamDestroy");
  }
  Launches(Launches const&)            = delete;
  Launches& operator=(Launches const&) = delete;

  void operator()(int n) {
    auto parts           = Kokkos::Experimental::partition_space(Kokkos::HIP(), std::vector<int>(2, 1));
    bool const capturing = capture && n % 3 == 0;
    if (capturing) {
      check(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal), "hipStreamBeginCapture");
      check(hipMemsetAsync(memory, 0, 1024, captured), "hipMemsetAsync");
    }
    try {
      launch<1024>(parts[n % 2], out);
      launch<4096>(parts[1 - n % 2], out);
      if (!capturing) parts.erase(parts.begin() + n % 2);  // ending an instance frees memory, which captures forbid
      launch<2048>(parts[0], out);
      if (most >= 40000) launch<40000>(parts[0], out);
    } catch (std::exception const& e) {
      give_up(n, e);  // here, because the end of an instance during a capture fails, too
    }
    if (capturing) {
      hipGraph_t graph = nullptr;
      check(hipStreamEndCapture(captured, &graph), "hipStreamEndCapture");
      check(hipGraphDestroy(graph), "hipGraphDestroy");
    }
  }

 private:
  int most;
  bool capture;
  DeviceInts out{"out", 64};
  hipStream_t captured = nullptr;
  void* memory         = nullptr;
};

class Fill {
 public:
  void operator()(int n) {
    Kokkos::View<double*, Kokkos::HIPSpace, Kokkos::MemoryUnmanaged> view(memory.data(), 1 + n % memory.size());
    Kokkos::deep_copy(view, 0.);
    Kokkos::deep_copy(Kokkos::HIP(), view, 0.);
    Kokkos::fence();
  }

 private:
  std::vector<double> memory = std::vector<double>(4001, 1.);
};

class Strided {
 public:
  void operator()(int n) {
    auto const rows = std::make_pair(1 + n % 3, 9), columns = std::make_pair(2, 7 + n % 5);
    auto of_host = Kokkos::subview(host, rows, columns);
    auto of_left = Kokkos::subview(device, rows, columns);
    Kokkos::deep_copy(of_left, of_host);
    Kokkos::deep_copy(Kokkos::HIP(), of_host, of_left);
    Kokkos::fence();
    long_rows(n);
  }

 private:
  // No kernel packs these, so the results can be compared on a model that runs no kernels.
  void long_rows(int n) {
    auto const rows = std::make_pair(1 + n % 3, 9), columns = std::make_pair(2, 302 + n % 5);
    auto sent     = Kokkos::subview(from, rows, columns);
    auto there    = Kokkos::subview(wide, rows, columns);
    auto received = Kokkos::subview(back, rows, columns);
    for (std::size_t i = 0; i < sent.extent(0); ++i)
      for (std::size_t j = 0; j < sent.extent(1); ++j) sent(i, j) = n + int(300 * i + j);
    Kokkos::deep_copy(there, sent);
    Kokkos::deep_copy(Kokkos::HIP(), received, there);
    Kokkos::fence();
    for (std::size_t i = 0; i < sent.extent(0); ++i)
      if (std::memcmp(&sent(i, 0), &received(i, 0), sent.extent(1) * sizeof(int)) != 0)
        throw std::runtime_error("the rows that were read back differ from the rows that were sent");
  }

  using HostRows = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  HostRows from{"from", 11, 310}, back{"back", 11, 320};
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HIPSpace> wide{"wide", 11, 330};
  HostRows host{"host", 11, 13};
  Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HIPSpace> device{"device", 11, 13};
};

class Pageable {
 public:
  void operator()(int n) {
    std::size_t const size = n % 1000 == 0 ? from.size() : 1 + std::size_t(n) * 37 % 20000;  // sometimes: many slabs
    auto const part        = std::make_pair(std::size_t(0), size);
    for (std::size_t i = 0; i < size; i += 1000) from(i) = n + int(i);
    auto instances = Kokkos::Experimental::partition_space(Kokkos::HIP(), std::vector<int>(2, 1));
    Kokkos::deep_copy(instances[n % 2], Kokkos::subview(device, part), Kokkos::subview(from, part));
    Kokkos::deep_copy(instances[n % 2], Kokkos::subview(back, part), Kokkos::subview(device, part));
    if (n % 4 == 0)
      instances.erase(instances.begin() + n % 2);  // its end waits for its copies
    else
      instances[n % 2].fence();
    if (std::memcmp(from.data(), back.data(), size * sizeof(int)) != 0)
      throw std::runtime_error("the data that was read back differs from the data that was sent");
  }

 private:
  using Ints = Kokkos::View<int*, Kokkos::HostSpace>;
  Ints from{"from", 3000001}, back{"back", 3000001};
  DeviceInts device{"device", 3000001};
};

template <class Report>
int replay(Report&& round, int rounds) {
  int n = 0;
  try {
    for (; n < rounds; ++n) round(n);
    Kokkos::fence();
  } catch (std::exception const& e) {
    give_up(n, e);
  }
  std::printf("no call failed in %d rounds\n", rounds);
  return 0;
}

int main(int argc, char** argv) {
  char const* what   = argc > 1 ? argv[1] : "launches";
  int const rounds   = argc > 2 ? std::atoi(argv[2]) : 100;
  int const most     = argc > 3 ? std::atoi(argv[3]) : 40000;
  bool const capture = argc > 4 ? std::atoi(argv[4]) != 0 : true;
  int status         = 2;
  Kokkos::initialize(argc, argv);
  if (!std::strcmp(what, "launches"))
    status = replay(Launches(most, capture), rounds);
  else if (!std::strcmp(what, "fill"))
    status = replay(Fill(), rounds);
  else if (!std::strcmp(what, "strided"))
    status = replay(Strided(), rounds);
  else if (!std::strcmp(what, "pageable"))
    status = replay(Pageable(), rounds);
  else
    std::printf("reports: \"%s\" is none of launches, fill, strided, pageable\n", what);
  Kokkos::finalize();
  return status;
}
