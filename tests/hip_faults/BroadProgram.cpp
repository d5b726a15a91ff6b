// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BroadProgram.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

#include <hip/hip_runtime_api.h>

#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace broad {

namespace {

using GPU    = Kokkos::HIP;
using Host   = Kokkos::HostSpace;
using Values = Kokkos::View<double*, GPU>;

void require(bool condition, char const* what) {
  if (!condition) throw WrongResult(what);
}
void own(hipError_t error, char const* call) {
  if (error != hipSuccess) throw OwnCallFailed(call);
}

template <class View>
bool all_are(View const& view, double expected) {
  auto const host = Kokkos::create_mirror_view_and_copy(Host(), view);
  for (std::size_t i = 0; i < host.size(); ++i)
    if (host.data()[i] != expected) return false;
  return true;
}

/// Bytes of payload; functors of 4 KB or more use the ring.
template <int Bytes>
struct Add {
  Values values;
  double payload[Bytes / 8];
  explicit Add(Values v) : values(v) {
    for (double& x : payload) x = 1;
  }
  KOKKOS_FUNCTION void operator()(int i) const { values(i) += payload[Bytes / 8 - 1]; }
};

template <int Bytes>
void launch(GPU const& instance, Values const& values) {
  int const n = static_cast<int>(values.extent(0));
  Kokkos::parallel_for("add", Kokkos::RangePolicy<GPU>(instance, 0, n), Add<Bytes>(values));
}

struct Wide {  // too large for an atomic instruction
  double a, b, c;
  KOKKOS_FUNCTION friend Wide operator+(Wide const& x, Wide const& y) { return {x.a + y.a, x.b + y.b, x.c + y.c}; }
};

// ---- steps --------------------------------------------------------------------------------------------------------

void memory() {
  Values const device("device", 100);
  Kokkos::View<double*, Kokkos::HIPManagedSpace> const managed("managed", 100);
  Kokkos::View<double*, Kokkos::HIPHostPinnedSpace> const pinned("pinned", 100);
  Kokkos::fence();
  require(all_are(device, 0) && all_are(managed, 0) && all_are(pinned, 0), "new views are zero");
  void* p = Kokkos::kokkos_malloc<Kokkos::HIPSpace>("by hand", 1000);
  Kokkos::kokkos_free<Kokkos::HIPSpace>(p);
  const GPU instance;
  Values const ordered(Kokkos::view_alloc("ordered", instance), 100);
  instance.fence();
  require(all_are(ordered, 0), "a view made on an instance is zero");
}

void fills() {
  Values const device("device", 1000);
  Kokkos::View<double*, Kokkos::HIPHostPinnedSpace> const pinned("pinned", 1000);
  const GPU instance;
  Kokkos::deep_copy(device, 3.0);
  require(all_are(device, 3), "a fill without an instance");
  Kokkos::deep_copy(instance, device, 0.0);
  instance.fence();
  require(all_are(device, 0), "a fill with zeros on an instance");
  Kokkos::deep_copy(instance, pinned, 2.0);
  instance.fence();
  require(all_are(pinned, 2), "a fill of pinned memory");
}

void copies() {
  std::size_t const n = 200000;  // several slabs of staging
  Kokkos::View<double*, Host> const from("from", n), to("to", n);
  Kokkos::View<double*, Kokkos::HIPHostPinnedSpace> const pinned("pinned", n);
  Values const device("device", n), other("other", n);
  Kokkos::deep_copy(from, 5.0);
  Kokkos::deep_copy(device, from);
  Kokkos::deep_copy(to, device);
  require(all_are(to, 5), "to the device and back");
  const GPU instance = Kokkos::partition_space(GPU(), 1)[0];
  Kokkos::deep_copy(from, 6.0);
  Kokkos::deep_copy(instance, device, from);
  Kokkos::deep_copy(instance, other, device);
  Kokkos::deep_copy(instance, pinned, other);
  Kokkos::deep_copy(instance, to, other);
  instance.fence();
  require(all_are(to, 6) && all_are(pinned, 6), "on an instance");
  Kokkos::deep_copy(pinned, 8.0);
  Kokkos::deep_copy(instance, to, pinned);
  instance.fence();
  require(all_are(to, 8), "from pinned memory to the host, by a function in the stream");
  Kokkos::View<double, GPU> const scalar("scalar");
  Kokkos::deep_copy(scalar, 7.0);
  double value = 0;
  Kokkos::deep_copy(value, scalar);
  require(value == 7, "a scalar");
}

void strided_copies() {
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const device("device", 60, 40);
  Kokkos::View<double**, Kokkos::LayoutLeft, Host> const host("host", 60, 40);
  auto const rows    = std::make_pair(10, 50);
  auto const part    = Kokkos::subview(device, rows, Kokkos::ALL);
  auto const of_host = Kokkos::subview(host, rows, Kokkos::ALL);
  Kokkos::deep_copy(host, 2.0);
  Kokkos::deep_copy(part, of_host);
  Kokkos::deep_copy(host, 0.0);
  Kokkos::deep_copy(of_host, part);
  require(host(9, 3) == 0 && host(10, 3) == 2 && host(49, 39) == 2 && host(50, 0) == 0, "a part of rows");
}

void converting_copies() {
  Kokkos::View<float*, GPU> const device("device", 3000);
  Kokkos::View<double**, Kokkos::LayoutRight, Host> const right("right", 50, 60);
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const left("left", 50, 60);
  Kokkos::View<double*, Host> const host("host", 3000);
  Kokkos::deep_copy(host, 1.5);
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(host, 0.0);
  Kokkos::deep_copy(host, device);
  require(all_are(host, 1.5), "of other types");
  Kokkos::deep_copy(right, 2.0);
  const GPU instance = Kokkos::partition_space(GPU(), 1)[0];
  Kokkos::deep_copy(instance, left, right);
  Kokkos::deep_copy(instance, right, 0.0);
  Kokkos::deep_copy(instance, right, left);
  instance.fence();
  require(right(0, 0) == 2 && right(49, 59) == 2, "of another layout");
}

void kernels() {
  Values const values("values", 300);
  const GPU instance;
  launch<64>(instance, values);
  launch<2000>(instance, values);
  launch<6000>(instance, values);
  launch<50000>(instance, values);
  instance.fence();
  require(all_are(values, 4), "functors of four sizes");
  Kokkos::View<double**, GPU> const table("table", 20, 30);
  Kokkos::parallel_for(
      "table", Kokkos::MDRangePolicy<GPU, Kokkos::Rank<2>>({0, 0}, {20, 30}),
      KOKKOS_LAMBDA(int i, int j) { table(i, j) = 9; });
  Kokkos::fence();
  require(all_are(table, 9), "a kernel of two dimensions");
}

void reductions() {
  Values const values("values", 2000);
  Kokkos::deep_copy(values, 1.0);
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<GPU>(0, 2000), KOKKOS_LAMBDA(int i, double& s) { s += values(i); }, sum);
  require(sum == 2000, "a sum for the host");
  Kokkos::View<double, GPU> const result("result");
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<GPU>(0, 2000), KOKKOS_LAMBDA(int i, double& s) { s += values(i); }, result);
  Kokkos::fence();
  require(all_are(result, 2000), "a sum for a view");
  double total = 0;
  Kokkos::parallel_scan(
      "scan", Kokkos::RangePolicy<GPU>(0, 2000),
      KOKKOS_LAMBDA(int i, double& s, bool last) {
        s += 1;
        if (last) values(i) = s;
      },
      total);
  require(total == 2000, "a scan");
}

void teams() {
  using Policy  = Kokkos::TeamPolicy<GPU>;
  using Scratch = Kokkos::View<double*, GPU::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Values const values("values", 8);
  auto const bytes  = Scratch::shmem_size(64);
  auto const each   = Kokkos::PerTeam(bytes);
  auto const policy = Policy(8, 32).set_scratch_size(0, each).set_scratch_size(1, each);
  Kokkos::parallel_for(
      "team", policy, KOKKOS_LAMBDA(Policy::member_type const& member) {
        Scratch const near(member.team_scratch(0), 64), far(member.team_scratch(1), 64);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, 64), [&](int i) { near(i) = far(i) = 1; });
        member.team_barrier();
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(member, 64), [&](int i, double& s) { s += near(i) + far(i); }, sum);
        Kokkos::single(Kokkos::PerTeam(member), [&] { values(member.league_rank()) = sum; });
      });
  Kokkos::fence();
  require(all_are(values, 128), "teams with scratch memory");
}

void wide_atomics() {
  Kokkos::View<Wide, GPU> const wide("wide");
  Kokkos::parallel_for(
      "wide", Kokkos::RangePolicy<GPU>(0, 100), KOKKOS_LAMBDA(int) { Kokkos::atomic_add(&wide(), Wide{1, 2, 3}); });
  Wide value{};
  Kokkos::deep_copy(value, wide);
  require(value.a == 100 && value.b == 200 && value.c == 300, "atomics with locks");
}

void instances() {
  Values const values("values", 50);
  for (int round = 0; round < 3; ++round) {
    auto const parts = Kokkos::partition_space(GPU(), 1, 1);
    launch<64>(parts[0], values);
    parts[0].fence();
    launch<6000>(parts[1], values);
    parts[1].fence();
    launch<6000>(parts[0], values);
  }
  Kokkos::fence();
  require(all_are(values, 9), "instances that come and go");
  std::ostringstream text;
  GPU().print_configuration(text, true);
  require(!text.str().empty(), "print_configuration");
  // This throws nothing: if devices cannot be counted, there are none.
  require(Kokkos::num_devices() > 0 || Kokkos::num_devices() > 0, "num_devices");
  require(Kokkos::device_id() == 0, "device_id");
}

struct OwnStream {
  hipStream_t stream = nullptr;
  explicit OwnStream(int device) {
    int before = 0;
    own(hipGetDevice(&before), "hipGetDevice");
    own(hipSetDevice(device), "hipSetDevice");
    auto const error = hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
    if (error != hipSuccess) (void)hipGetLastError();  // the program's own error
    if (hipSetDevice(before) != hipSuccess) (void)hipSetDevice(before);
    own(error, "hipStreamCreateWithFlags");
  }
  ~OwnStream() {
    if (hipStreamDestroy(stream) == hipSuccess) return;
    (void)hipGetLastError();
    (void)hipStreamDestroy(stream);
  }
};

void adopted_streams() {
  int devices = 0;
  own(hipGetDeviceCount(&devices), "hipGetDeviceCount");
  for (int device = 0; device < devices; ++device) {
    OwnStream const stream(device);
    const GPU instance(stream.stream);
    Values const values(Kokkos::view_alloc("values", instance), 50);
    launch<64>(instance, values);
    launch<6000>(instance, values);
    double sum = 0;
    Kokkos::parallel_reduce(
        "sum", Kokkos::RangePolicy<GPU>(instance, 0, 50), KOKKOS_LAMBDA(int i, double& s) { s += values(i); }, sum);
    require(sum == 100, "on a stream of the program's");
  }
}

void graphs() {
  Values const values("values", 50);
  Kokkos::fence();
  const GPU instance = Kokkos::partition_space(GPU(), 1)[0];
  auto graph         = Kokkos::Experimental::create_graph(instance, [&](auto root) {
    Kokkos::RangePolicy<GPU> const range(0, 50);
    auto first  = root.then_parallel_for("first", range, Add<64>(values));
    auto second = first.then_parallel_for("second", range, Add<6000>(values));
    Kokkos::Experimental::when_all(first, second).then_parallel_for("third", range, Add<64>(values));
  });
  graph.submit(instance);
  graph.submit(instance);
  instance.fence();
  require(all_are(values, 6), "a graph that was submitted twice");
}

/// A graph captured from a stream of the program. Always ends the capture, so that later steps are not affected. (If
/// necessary, the program repeats its own calls.)
struct Capture {
  hipStream_t stream;
  hipGraph_t graph    = nullptr;
  hipGraphExec_t exec = nullptr;
  bool open           = true;
  explicit Capture(hipStream_t s) : stream(s) {
    own(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), "hipStreamBeginCapture");
  }
  void end() {
    own(hipStreamEndCapture(stream, &graph), "hipStreamEndCapture");
    open = false;
    own(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0), "hipGraphInstantiate");
  }
  ~Capture() {
    // An invalidated capture has ended after the first call, although that returns an error.
    for (int i = 0; i < 2 && open; ++i) {
      (void)hipStreamEndCapture(stream, &graph);
      auto status = hipStreamCaptureStatusNone;
      open        = hipStreamIsCapturing(stream, &status) != hipSuccess || status != hipStreamCaptureStatusNone;
    }
    if (exec && hipGraphExecDestroy(exec) != hipSuccess) (void)hipGraphExecDestroy(exec);
    if (graph && hipGraphDestroy(graph) != hipSuccess) (void)hipGraphDestroy(graph);
  }
};

std::optional<Values> captured;  // the content of the captured launches' functors

void captures() {
  OwnStream const stream(Kokkos::device_id());
  const GPU instance(stream.stream);
  Values const values("values", 50), beside("beside", 50);
  captured = values;
  Kokkos::fence();
  Capture capture(stream.stream);
  launch<64>(instance, values);
  launch<6000>(instance, values);
  const GPU other = Kokkos::partition_space(GPU(), 1)[0];  // continues during the capture
  launch<6000>(other, beside);
  other.fence();
  capture.end();
  own(hipGraphLaunch(capture.exec, stream.stream), "hipGraphLaunch");
  own(hipStreamSynchronize(stream.stream), "hipStreamSynchronize");
  require(all_are(values, 2) && all_are(beside, 1), "launches into a captured stream, and beside it");
}

/// HIP reports a graph's end on its own thread; a later fence frees the graph's objects.
void end_of_captures() {
  if (!captured) return;
  Values const values = *captured;
  captured.reset();
  for (int i = 0; i < 60000 && values.use_count() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Kokkos::fence();
  }
  require(values.use_count() == 1, "a graph that has ended keeps nothing");
}

}  // namespace

std::vector<Step> const& steps() {
  static std::vector<Step> const all = {{"memory", memory},
                                        {"fills", fills},
                                        {"copies", copies},
                                        {"strided copies", strided_copies},
                                        {"converting copies", converting_copies},
                                        {"kernels", kernels},
                                        {"reductions", reductions},
                                        {"teams", teams},
                                        {"wide atomics", wide_atomics},
                                        {"instances", instances},
                                        {"adopted streams", adopted_streams},
                                        {"graphs", graphs},
                                        {"captures", captures},
                                        {"end of captures", end_of_captures}};
  return all;
}

}  // namespace broad
