// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays two reports in a program of upstream Kokkos: kokkos #8006 (wait for an event whose stream is gone) and #7942
// (launch while another stream is being captured). Instances come and go in changing order, each launches functors of
// 1 to 40 KB, and every third round a stream of the program is captured meanwhile.
//
//   reports [rounds] [functors of at most this many bytes] [capture: 0 or 1]
#include <Kokkos_Core.hpp>

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

template <int Bytes>
struct Big {
  Kokkos::View<int*, Kokkos::HIPSpace> out;
  char data[Bytes];
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = data[i % Bytes]; }
};

template <int Bytes>
void launch(Kokkos::HIP const& where, Kokkos::View<int*, Kokkos::HIPSpace> const& out) {
  Big<Bytes> functor{out, {}};
  Kokkos::parallel_for("big", Kokkos::RangePolicy<Kokkos::HIP>(where, 0, 64), functor);
}

static void check(hipError_t error, const char* call) {
  if (error == hipSuccess) return;
  std::printf("%s: %s\n", call, hipGetErrorName(error));
  std::exit(3);
}

static void round(int n, int most, bool capture, hipStream_t captured, void* memory,
                  Kokkos::View<int*, Kokkos::HIPSpace> const& out) {
  auto parts = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1, 1);
  const bool capturing = capture && n % 3 == 0;
  if (capturing) {
    check(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal), "hipStreamBeginCapture");
    check(hipMemsetAsync(memory, 0, 1024, captured), "hipMemsetAsync");
  }
  launch<1024>(parts[n % 2], out);
  launch<4096>(parts[1 - n % 2], out);
  if (!capturing) parts.erase(parts.begin() + n % 2);  // ending an instance frees memory, which captures forbid
  launch<2048>(parts[0], out);
  if (most >= 40000) launch<40000>(parts[0], out);
  if (capturing) {
    hipGraph_t graph = nullptr;
    check(hipStreamEndCapture(captured, &graph), "hipStreamEndCapture");
    check(hipGraphDestroy(graph), "hipGraphDestroy");
  }
}

int main(int argc, char** argv) {
  const int rounds   = argc > 1 ? std::atoi(argv[1]) : 100;
  const int most     = argc > 2 ? std::atoi(argv[2]) : 40000;
  const bool capture = argc > 3 ? std::atoi(argv[3]) != 0 : true;
  int status         = 0;
  Kokkos::initialize(argc, argv);
  {
    Kokkos::View<int*, Kokkos::HIPSpace> out("out", 64);
    hipStream_t captured;
    void* memory;
    check(hipStreamCreate(&captured), "hipStreamCreate");
    check(hipMalloc(&memory, 1024), "hipMalloc");
    launch<16>(Kokkos::HIP(), out);  // the first launch of a source file also sends the table of atomic locks
    int n = 0;
    try {
      for (; n < rounds; ++n) round(n, most, capture, captured, memory, out);
      Kokkos::fence();
      std::printf("no call failed in %d rounds\n", rounds);
    } catch (std::exception const& e) {
      std::printf("round %d: %s\n", n, e.what());
      status = 1;
      std::fflush(stdout);
      std::_Exit(status);
    }
    check(hipFree(memory), "hipFree");
    check(hipStreamDestroy(captured), "hipStreamDestroy");
  }
  Kokkos::finalize();
  return status;
}
