// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Copies between host and device: their rate, how long they block the host, and their overlap with kernels. Fills:
/// their rate. All are compared with raw CUDA, and the engine's settings with one another.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Cuda/Kokkos_Cuda_Runtime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <Kokkos_Core.hpp>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace Kokkos::Benchmarks;
using Space      = Kokkos::Cuda;
using DeviceView = Kokkos::View<char*, Kokkos::CudaSpace>;
using HostView   = Kokkos::View<char*, Kokkos::HostSpace>;
using PinnedView = Kokkos::View<char*, Kokkos::CudaHostPinnedSpace>;

constexpr std::size_t MiB = std::size_t(1) << 20;

HostView host_view(std::size_t bytes) {
  HostView view(Kokkos::view_alloc("host", Kokkos::WithoutInitializing), bytes);
  std::memset(view.data(), 1, bytes);  // allocates its pages
  return view;
}
DeviceView device_view(std::size_t bytes) {
  return DeviceView(Kokkos::view_alloc("device", Kokkos::WithoutInitializing), bytes);
}

// ---- the reference: pinned slabs and plain threads ------------------------------------------------------------------

/// Each thread copies a share of the bytes through two slabs and its own stream.
class SlabThread {
 public:
  SlabThread() {
    for (auto& event : m_events) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~SlabThread() {
    for (auto& event : m_events) check(cudaEventDestroy(event));
  }
  void copy(bool to_device, char* device, char* host, std::size_t bytes) {
    std::size_t const n = (bytes + slab_bytes - 1) / slab_bytes;
    auto const size     = [&](std::size_t k) { return std::min(slab_bytes, bytes - k * slab_bytes); };
    for (std::size_t k = 0; k < n + 1; ++k) {
      char* const slab = this->slab(k);
      if (to_device && k < n) {
        if (k >= 2) check(cudaEventSynchronize(m_events[k % 2]));
        std::memcpy(slab, host + k * slab_bytes, size(k));
        check(cudaMemcpyAsync(device + k * slab_bytes, slab, size(k), cudaMemcpyHostToDevice, m_stream));
        check(cudaEventRecord(m_events[k % 2], m_stream));
      } else if (!to_device) {
        if (k < n) {
          check(cudaMemcpyAsync(slab, device + k * slab_bytes, size(k), cudaMemcpyDeviceToHost, m_stream));
          check(cudaEventRecord(m_events[k % 2], m_stream));
        }
        if (k > 0) {
          check(cudaEventSynchronize(m_events[(k - 1) % 2]));
          std::memcpy(host + (k - 1) * slab_bytes, this->slab(k - 1), size(k - 1));
        }
      }
    }
    check(cudaStreamSynchronize(m_stream));
  }

 private:
  static constexpr std::size_t slab_bytes = 2 * MiB;
  char* slab(std::size_t k) const { return static_cast<char*>(m_slabs.get()) + k % 2 * slab_bytes; }
  Stream m_stream;
  PinnedBuffer m_slabs{2 * slab_bytes};
  cudaEvent_t m_events[2];
};

/// A copy by several plain threads, each with its own slabs and a share of the memory.
class PlainThreads {
 public:
  explicit PlainThreads(int count) {
    for (int t = 0; t < count; ++t) m_workers.push_back(std::make_unique<SlabThread>());
  }
  void copy(bool to_device, char* device, char* host, std::size_t bytes) {
    std::size_t const count = m_workers.size(), share = (bytes / count + 4095) / 4096 * 4096;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < count; ++t)
      threads.emplace_back([&, t] {
        std::size_t const begin = std::min(bytes, t * share), end = std::min(bytes, begin + share);
        if (begin < end) m_workers[t]->copy(to_device, device + begin, host + begin, end - begin);
      });
    for (auto& thread : threads) thread.join();
  }

 private:
  std::vector<std::unique_ptr<SlabThread>> m_workers;
};

// ---- large copies ---------------------------------------------------------------------------------------------------

/// Counters: `ours_GBps`, `reference_GBps` (pinned slabs and plain threads) and their `ratio`; the target is 0.85.
///
/// The reference is the best of 1, 2, 4, 8 and 12 threads. All of these and ours run alternately, so that other load on
/// the machine affects all of them. The median of each counts.
void synchronous(benchmark::State& state, bool to_device) {
  std::size_t const bytes = state.range(0) * MiB;
  HostView const host     = host_view(bytes);
  DeviceView const device = device_view(bytes);
  auto const copy         = [&] {
    if (to_device)
      Kokkos::deep_copy(device, host);
    else
      Kokkos::deep_copy(host, device);
  };
  copy();
  constexpr int counts[] = {1, 2, 4, 8, 12};
  std::vector<std::unique_ptr<PlainThreads>> plain;
  for (int count : counts) plain.push_back(std::make_unique<PlainThreads>(count));
  std::vector<std::vector<double>> references(plain.size());
  std::vector<double> times;
  for (auto _ : state) {
    for (std::size_t i = 0; i < plain.size(); ++i)
      references[i].push_back(seconds_of([&] { plain[i]->copy(to_device, device.data(), host.data(), bytes); }));
    times.push_back(seconds_of(copy));
    state.SetIterationTime(times.back());
  }
  double reference = 1e30;
  for (auto const& r : references) reference = std::min(reference, median(r));
  state.counters["ours_GBps"]      = bytes / median(times) / 1e9;
  state.counters["reference_GBps"] = bytes / reference / 1e9;
  state.counters["ratio"]          = reference / median(times);
}

/// `ratio` to cudaMemcpy of the same pageable memory; less than 1 is slower than without the engine.
void against_runtime(benchmark::State& state, bool to_device) {
  std::size_t const bytes = state.range(0) << 10;
  HostView const host     = host_view(bytes);
  DeviceView const device = device_view(bytes);
  auto const runtime      = [&] {
    if (to_device)
      check(cudaMemcpy(device.data(), host.data(), bytes, cudaMemcpyHostToDevice));
    else
      check(cudaMemcpy(host.data(), device.data(), bytes, cudaMemcpyDeviceToHost));
  };
  auto const ours = [&] {
    if (to_device)
      Kokkos::deep_copy(device, host);
    else
      Kokkos::deep_copy(host, device);
  };
  compare(state, 0, runtime, ours);
}

/// Counter `blocked`: the share of the copy's duration after which the call returns; the target is at most 0.02.
void with_instance(benchmark::State& state, bool to_device) {
  std::size_t const bytes = state.range(0) * MiB;
  HostView const host     = host_view(bytes);
  DeviceView const device = device_view(bytes);
  Space const space       = Kokkos::Experimental::partition_space(Space(), 1)[0];
  std::vector<double> shares, calls, times;
  for (auto _ : state) {
    double call        = 0;
    double const whole = seconds_of([&] {
      call = seconds_of([&] {
        if (to_device)
          Kokkos::deep_copy(space, device, host);
        else
          Kokkos::deep_copy(space, host, device);
      });
      space.fence();
    });
    shares.push_back(call / whole);
    calls.push_back(call);
    times.push_back(whole);
    state.SetIterationTime(whole);
  }
  state.counters["blocked"]   = median(shares);
  state.counters["call_us"]   = median(calls) * 1e6;
  state.counters["ours_GBps"] = bytes / median(times) / 1e9;
}

// ---- a pipeline -----------------------------------------------------------------------------------------------------

struct AddOne {
  DeviceView data;
  KOKKOS_FUNCTION void operator()(int i) const { data(i) += 1; }
};
__global__ void raw_add_one(char* data, int n) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] += 1;
}

/// 16 rounds of host to device, kernel, device to host, 32 MiB in each direction, on 4 instances.
///
/// `ideal_us`: only the copies in the slower direction, in raw CUDA on pinned memory. `raw_us`: all of the rounds in
/// raw CUDA on pinned memory. `over_ideal`: our time divided by the ideal; the target is at most 1.35 for pageable
/// memory, 1.08 for pinned memory.
template <class View>
void pipeline(benchmark::State& state) {
  constexpr int rounds = 16, tracks = 4;
  constexpr std::size_t bytes = 32 * MiB;
  std::vector<View> in, out;
  std::vector<DeviceView> device;
  std::vector<Stream> streams(tracks);
  auto const spaces = Kokkos::Experimental::partition_space(Space(), std::vector<int>(tracks, 1));
  PinnedBuffer pinned_in(tracks * bytes), pinned_out(tracks * bytes);
  for (int l = 0; l < tracks; ++l) {
    in.emplace_back(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), bytes);
    out.emplace_back(Kokkos::view_alloc("out", Kokkos::WithoutInitializing), bytes);
    std::memset(in[l].data(), l, bytes);
    std::memset(out[l].data(), l, bytes);
    device.push_back(device_view(bytes));
  }
  auto const one_way = [&](cudaMemcpyKind kind) {
    return [&, kind] {
      char* const pinned = static_cast<char*>(kind == cudaMemcpyHostToDevice ? pinned_in.get() : pinned_out.get());
      for (int r = 0; r < rounds; ++r) {
        char* const d    = device[r % tracks].data();
        char* const h    = pinned + r % tracks * bytes;
        bool const there = kind == cudaMemcpyHostToDevice;
        check(cudaMemcpyAsync(there ? d : h, there ? h : d, bytes, kind, streams[0]));
      }
      check(cudaStreamSynchronize(streams[0]));
    };
  };
  auto const raw = [&] {
    for (int r = 0; r < rounds; ++r) {
      int const l      = r % tracks;
      char* const d    = device[l].data();
      char* const from = static_cast<char*>(pinned_in.get()) + l * bytes;
      char* const to   = static_cast<char*>(pinned_out.get()) + l * bytes;
      check(cudaMemcpyAsync(d, from, bytes, cudaMemcpyHostToDevice, streams[l]));
      raw_add_one<<<bytes / 256, 256, 0, streams[l]>>>(d, bytes);
      check(cudaMemcpyAsync(to, d, bytes, cudaMemcpyDeviceToHost, streams[l]));
    }
    for (auto& stream : streams) check(cudaStreamSynchronize(stream));
  };
  auto const ours = [&] {
    for (int r = 0; r < rounds; ++r) {
      int const l = r % tracks;
      Kokkos::deep_copy(spaces[l], device[l], in[l]);
      Kokkos::RangePolicy<Space> const all(spaces[l], 0, static_cast<int>(bytes));
      Kokkos::parallel_for("add one", all, AddOne{device[l]});
      Kokkos::deep_copy(spaces[l], out[l], device[l]);
    }
    for (auto& space : spaces) space.fence();
  };
  std::vector<double> to_device, to_host, raw_times, our_times;
  ours();
  raw();
  for (auto _ : state) {
    to_device.push_back(seconds_of(one_way(cudaMemcpyHostToDevice)));
    to_host.push_back(seconds_of(one_way(cudaMemcpyDeviceToHost)));
    raw_times.push_back(seconds_of(raw));
    our_times.push_back(seconds_of(ours));
    state.SetIterationTime(our_times.back());
  }
  double const ideal           = std::max(median(to_device), median(to_host));
  state.counters["ours_us"]    = median(our_times) * 1e6;
  state.counters["ideal_us"]   = ideal * 1e6;
  state.counters["raw_us"]     = median(raw_times) * 1e6;
  state.counters["over_ideal"] = median(our_times) / ideal;
}

// ---- small and strided ----------------------------------------------------------------------------------------------

/// `over_raw`: our time divided by that of cudaMemcpy to pageable memory; the target is at most 0.65.
void scalar_to_host(benchmark::State& state) {
  constexpr int repeats = 100;
  Kokkos::View<double, Kokkos::CudaSpace> const device("value");
  double value = 0;
  std::vector<double> ours, raw;
  for (auto _ : state) {
    raw.push_back(seconds_of([&] {
      for (int r = 0; r < repeats; ++r) check(cudaMemcpy(&value, device.data(), sizeof value, cudaMemcpyDeviceToHost));
    }));
    ours.push_back(seconds_of([&] {
      for (int r = 0; r < repeats; ++r) Kokkos::deep_copy(value, device);
    }));
    state.SetIterationTime(ours.back());
  }
  state.counters["ours_us"]  = median(ours) / repeats * 1e6;
  state.counters["raw_us"]   = median(raw) / repeats * 1e6;
  state.counters["over_raw"] = median(ours) / median(raw);
}

/// Half of the columns of a matrix, or its transpose; `ratio` to our own contiguous copy of the same size.
template <class HostLayout, class DeviceLayout>
void matrix(benchmark::State& state, bool to_device, bool half) {
  constexpr int n = 8192;
  Kokkos::View<double**, HostLayout, Kokkos::HostSpace> const host("host", n, n);
  Kokkos::View<double**, DeviceLayout, Kokkos::CudaSpace> const device("device", n, n);
  auto const columns         = std::make_pair(0, half ? n / 2 : n);
  auto const some_host       = Kokkos::subview(host, Kokkos::ALL, columns);
  auto const some_dev        = Kokkos::subview(device, Kokkos::ALL, columns);
  std::size_t const bytes    = sizeof(double) * n * columns.second;
  HostView const block       = host_view(bytes);
  DeviceView const dev_block = device_view(bytes);
  auto const contiguous      = [&] {
    if (to_device)
      Kokkos::deep_copy(dev_block, block);
    else
      Kokkos::deep_copy(block, dev_block);
  };
  auto const ours = [&] {
    if (to_device)
      Kokkos::deep_copy(some_dev, some_host);
    else
      Kokkos::deep_copy(some_host, some_dev);
  };
  compare(state, static_cast<double>(bytes), contiguous, ours);
}

// ---- fills ----------------------------------------------------------------------------------------------------------

struct Triple {
  float x, y, z;
};

/// `ratio` of the rate at which `view` is filled to that of `clear(stream)`. Each measurement contains several
/// consecutive fills, so that the wait for them does not count.
template <class View, class Clear>
void filled_beside(benchmark::State& state, View const& view, typename View::value_type const& value,
                   Clear const& clear) {
  constexpr int repeats   = 10;
  std::size_t const bytes = view.size() * sizeof(value);
  Space const space       = Kokkos::Experimental::partition_space(Space(), 1)[0];
  Stream stream;
  auto const memset = [&] {
    for (int r = 0; r < repeats; ++r) clear(stream);
    check(cudaStreamSynchronize(stream));
  };
  auto const ours = [&] {
    for (int r = 0; r < repeats; ++r) Kokkos::deep_copy(space, view, value);
    space.fence();
  };
  compare(state, static_cast<double>(repeats * bytes), memset, ours);
}

/// Compared with cudaMemsetAsync for the same number of bytes without gaps; the target is 0.97.
template <class View>
void filled(benchmark::State& state, View const& view, typename View::value_type const& value) {
  std::size_t const bytes = view.size() * sizeof(value);
  DeviceView const block  = device_view(bytes);
  filled_beside(state, view, value,
                [&](Stream const& stream) { check(cudaMemsetAsync(block.data(), 1, bytes, stream)); });
}

/// 1 GB without gaps.
template <class T>
void fill_block(benchmark::State& state, T value) {
  std::size_t const n = 1000000000 / sizeof(T);
  filled(state, Kokkos::View<T*, Kokkos::CudaSpace>(Kokkos::view_alloc("block", Kokkos::WithoutInitializing), n),
         value);
}

/// Half of the rows of a matrix of 2 GB in which neighbouring rows are adjacent: runs of 64 KB with gaps of the same
/// size.
void fill_half_of_rows(benchmark::State& state) {
  constexpr int n = 16000;
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::CudaSpace> const matrix(
      Kokkos::view_alloc("matrix", Kokkos::WithoutInitializing), n, n);
  filled(state, Kokkos::subview(matrix, std::make_pair(0, n / 2), Kokkos::ALL), 1.5);
}

/// The interior of an index range of 1 GB: runs of 4 KB. With a `margin` of one element they begin and end within a
/// sector of 32 bytes, with a margin of four at the boundaries of sectors. Also compared with cudaMemset3DAsync for the
/// same memory.
void fill_interior(benchmark::State& state, std::size_t margin, bool beside_the_same) {
  constexpr std::size_t n = 500, row = n * sizeof(double);
  Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::CudaSpace> const range(
      Kokkos::view_alloc("index range", Kokkos::WithoutInitializing), n, n, n);
  auto const inside = std::make_pair(margin, n - margin);
  auto const view   = Kokkos::subview(range, inside, inside, inside);
  if (!beside_the_same) return filled(state, view, 1.5);
  cudaPitchedPtr const first = make_cudaPitchedPtr(view.data(), row, row, n);
  cudaExtent const extent    = make_cudaExtent(view.extent(2) * sizeof(double), view.extent(1), view.extent(0));
  filled_beside(state, view, 1.5, [&](Stream const& stream) { check(cudaMemset3DAsync(first, 1, extent, stream)); });
}

// ---- the engine's choices -------------------------------------------------------------------------------------------

/// 256 MiB through a separate engine; arguments: KiB of a piece, threads, MiB of pinned memory.
void engine(benchmark::State& state, bool to_device, bool waits) {
  using namespace Kokkos::Impl;
  CopySettings settings(CudaRuntime::copy_policy);
  settings.piece_bytes = settings.sync_piece_bytes = state.range(0) << 10;
  settings.threads                                 = static_cast<int>(state.range(1));
  settings.staging_bytes                           = state.range(2) * MiB;
  std::size_t const bytes                          = 256 * MiB;
  HostView const host                              = host_view(bytes);
  DeviceView const device                          = device_view(bytes);
  CopyEngines<CudaRuntime>::pool().stop();  // the threads of the previous setting
  CopyEngine<CudaRuntime> engine(CopyEngines<CudaRuntime>::pool(), 0, settings);
  InstanceStream<CudaRuntime> stream(0);
  auto const request = [&] {
    StagedCopy copy;
    copy.to_device = to_device;
    copy.bytes     = bytes;
    copy.device    = DeviceRows::block(device.data(), bytes);
    copy.host      = std::make_unique<HostBlock>(host.data(), bytes);
    return copy;
  };
  std::vector<double> times, calls;
  auto const run = [&] { engine.copy(request(), nullptr); };
  run();
  for (auto _ : state) {
    double call = 0;
    times.push_back(seconds_of([&] {
      if (waits) return run();
      call = seconds_of([&] { engine.copy(request(), &stream); });
      check(cudaStreamSynchronize(stream.get()));
    }));
    calls.push_back(call);
    state.SetIterationTime(times.back());
  }
  CopyEngines<CudaRuntime>::throw_pending(stream.token());
  state.counters["ours_GBps"] = bytes / median(times) / 1e9;
  if (!waits) state.counters["blocked"] = median(calls) / median(times);
}

/// The first copy of a program, which creates pinned memory and threads; the reference is the runtime's own copy.
void first_copy(benchmark::State& state) {
  using namespace Kokkos::Impl;
  std::size_t const bytes = state.range(0) * MiB;
  HostView const host     = host_view(bytes);
  DeviceView const device = device_view(bytes);
  std::vector<double> times, references;
  for (auto _ : state) {
    references.push_back(
        seconds_of([&] { check(cudaMemcpy(device.data(), host.data(), bytes, cudaMemcpyHostToDevice)); }));
    CopyEngines<CudaRuntime>::pool().stop();
    CopyEngine<CudaRuntime> engine(CopyEngines<CudaRuntime>::pool(), 0, CopySettings(CudaRuntime::copy_policy));
    StagedCopy copy;
    copy.to_device = true;
    copy.bytes     = bytes;
    copy.device    = DeviceRows::block(device.data(), bytes);
    copy.host      = std::make_unique<HostBlock>(host.data(), bytes);
    times.push_back(seconds_of([&] { engine.copy(std::move(copy), nullptr); }));
    state.SetIterationTime(times.back());
  }
  state.counters["ours_ms"]      = median(times) * 1e3;
  state.counters["reference_ms"] = median(references) * 1e3;
  state.counters["ratio"]        = median(references) / median(times);
}

/// The cost of a step in a stream for the host, in microseconds.
void steps(benchmark::State& state) {
  using namespace Kokkos::Impl;
  constexpr int repeats = 100;
  Stream stream;
  PinnedBuffer pinned(4096);
  DeviceBuffer device(4096);
  auto* const word          = static_cast<std::uint32_t*>(pinned.get());
  *word                     = 1;
  GPUValueStep const both[] = {{GPUValueStep::write, word, 1}, {GPUValueStep::wait_at_least, word, 1}};
  std::array<std::vector<double>, 4> times;
  for (auto _ : state) {
    auto const time = [&](std::vector<double>& into, auto const& step) {
      into.push_back(seconds_of([&] {
        for (int r = 0; r < repeats; ++r) step();
      }));
      check(cudaStreamSynchronize(stream));
    };
    time(times[0], [&] { check(CudaRuntime::stream_values(stream, both, 1)); });
    time(times[1], [&] { check(CudaRuntime::stream_values(stream, both + 1, 1)); });
    time(times[2], [&] { check(CudaRuntime::stream_values(stream, both, 2)); });
    time(times[3], [&] {
      check(cudaMemcpyAsync(device.get(), static_cast<char*>(pinned.get()) + 1024, 1024, cudaMemcpyDefault, stream));
    });
    state.SetIterationTime(times[0].back());
  }
  char const* const names[] = {"write_us", "wait_us", "both_us", "copy_us"};
  for (int i = 0; i < 4; ++i) state.counters[names[i]] = median(times[i]) / repeats * 1e6;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  auto add = [](std::string const& name, auto const& f, int iterations) {
    return benchmark::RegisterBenchmark(name.c_str(), f)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(iterations);
  };
  for (bool to_device : {true, false}) {
    std::string const way = to_device ? "/to_device" : "/to_host";
    add(
        "synchronous" + way, [=](benchmark::State& s) { synchronous(s, to_device); }, 9)
        ->Arg(16)
        ->Arg(64)
        ->Arg(256)
        ->Arg(1024)
        ->Arg(4096);
    add(
        "with_instance" + way, [=](benchmark::State& s) { with_instance(s, to_device); }, 15)
        ->Arg(1)
        ->Arg(4)
        ->Arg(16)
        ->Arg(32)
        ->Arg(64)
        ->Arg(256)
        ->Arg(1024);
    add(
        "against_runtime" + way, [=](benchmark::State& s) { against_runtime(s, to_device); }, 200)
        ->Arg(1)
        ->Arg(16)
        ->Arg(64)
        ->Arg(128)
        ->Arg(256)
        ->Arg(512)
        ->Arg(1024)
        ->Arg(4096);
    using Left  = Kokkos::LayoutLeft;
    using Right = Kokkos::LayoutRight;
    add("half_of_columns/left" + way, [=](benchmark::State& s) { matrix<Left, Left>(s, to_device, true); }, 5);
    add("half_of_columns/right" + way, [=](benchmark::State& s) { matrix<Right, Right>(s, to_device, true); }, 5);
    add("transpose" + way, [=](benchmark::State& s) { matrix<Right, Left>(s, to_device, false); }, 5);
  }
  add("pipeline/pageable", pipeline<HostView>, 9);
  add("pipeline/pinned", pipeline<PinnedView>, 9);
  add("scalar_to_host", scalar_to_host, 20);
  add("fill/double_1.5", [](benchmark::State& s) { fill_block(s, 1.5); }, 20);
  add("fill/double_0", [](benchmark::State& s) { fill_block(s, 0.); }, 20);
  add("fill/struct_of_12_bytes", [](benchmark::State& s) { fill_block(s, Triple{1.5f, 2.5f, 3.5f}); }, 20);
  add("fill/half_of_rows", fill_half_of_rows, 20);
  add("fill/interior", [](benchmark::State& state) { fill_interior(state, 1, false); }, 20);
  add("fill/interior_of_whole_sectors", [](benchmark::State& state) { fill_interior(state, 4, false); }, 20);
  add("fill/interior_beside_memset3d", [](benchmark::State& state) { fill_interior(state, 1, true); }, 20);
  add("first_copy", first_copy, 9)->Arg(64)->Arg(256);
  add("steps", steps, 20);
  for (bool waits : {true, false})
    for (bool to_device : {true, false})
      add(
          std::string("engine/") + (waits ? "waits" : "returns") + (to_device ? "/to_device" : "/to_host"),
          [=](benchmark::State& s) { engine(s, to_device, waits); }, 5)
          ->ArgsProduct({{512, 1024, 2048, 4096, 8192, 16384}, {4, 8, 12}, {64}});
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
