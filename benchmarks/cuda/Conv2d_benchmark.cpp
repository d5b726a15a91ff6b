// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The speed of the convolution of examples/conv2d relative to the limit of the GPU. The limit is the larger of two
/// times: a raw copy moves input and output once, or raw multiply-adds do the arithmetic. Both are measured in turn with
/// the convolution. `ratio` is the limit divided by the time of the convolution; 1 is the best possible value.

#include "../../examples/conv2d/BatchConvolution.hpp"
#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <memory>
#include <string>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;

constexpr int chains = 16, steps = 4096;

// Each thread has independent chains of multiply-adds, as many as are needed to hide the latency of one.
__global__ void raw_multiply_adds(float* out, float a, float b) {
  float x[chains];
#pragma unroll
  for (int k = 0; k < chains; ++k) x[k] = float(threadIdx.x + k);
#pragma unroll 8
  for (int i = 0; i < steps; ++i) {
#pragma unroll
    for (int k = 0; k < chains; ++k) x[k] = x[k] * a + b;
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < chains; ++k) sum += x[k];
  if (sum == 12345.678f) *out = sum;  // never true, but the compiler cannot prove it
}

/// Seconds per byte and per operation, measured with raw CUDA code.
struct Limits {
  double per_byte, per_operation;
};

/// Measures the limits in turn with a convolution, since the clock of a GPU depends on what it has done before.
class LimitWatch {
 public:
  void measure() {
    m_copies.push_back(seconds_of([&] {
      check(cudaMemcpyAsync(m_from.get(), m_to.get(), bytes, cudaMemcpyDeviceToDevice, m_stream));
      check(cudaStreamSynchronize(m_stream));
    }));
    m_computations.push_back(seconds_of([&] {
      raw_multiply_adds<<<blocks, threads, 0, m_stream>>>(static_cast<float*>(m_to.get()), 1.0001f, 0.5f);
      check(cudaStreamSynchronize(m_stream));
    }));
  }
  Limits limits() {
    return {median(m_copies) / (2.0 * bytes),
            median(m_computations) / (2.0 * chains * steps * double(blocks) * threads)};
  }

 private:
  static constexpr std::size_t bytes = std::size_t(1) << 31;
  static constexpr int blocks = 132 * 64, threads = 256;
  DeviceBuffer m_from{bytes}, m_to{bytes};
  Stream m_stream;
  std::vector<double> m_copies, m_computations;
};

/// Filters in a functor. The capacity fits into kernel parameters, or exceeds them and uses device memory.
template <int Capacity, class Run>
void with_held_filters(conv2d::Shape const& s, Run const& run) {
  auto const filters = std::make_unique<conv2d::HeldFilters<float, Capacity>>();
  conv2d::FilterOrder const order{s.inputs, s.size, conv2d::default_tile<Space>.outputs};
  conv2d::arrange_filters(
      s, order, [](int n, int c, int y, int x) { return 0.01f * float((n + c + y + x) % 7); }, filters->values);
  run(*filters);
}

template <class Run>
void with_viewed_filters(conv2d::Shape const& s, Run const& run) {
  conv2d::FilterOrder const order{s.inputs, s.size, conv2d::default_tile<Space>.outputs};
  Kokkos::View<float*, Space> const values("filters", order.length(s.outputs));
  Kokkos::deep_copy(values, 0.01f);
  run(conv2d::ViewFilters<float, Space>{values});
}

enum Place { functor, view };

void convolution(benchmark::State& state, int inputs, int outputs, Place place) {
  int const images = inputs <= 16 ? 512 : 128;  // as many as take a millisecond or more
  conv2d::Shape const s{images, inputs, outputs, 224, 224, 3, 1, 1};
  conv2d::Images<float, Space> const input("input", images, inputs, s.height, s.width);
  conv2d::Images<float, Space> const output("output", images, outputs, s.out_height(), s.out_width());
  Kokkos::deep_copy(input, 0.5f);
  Space const space;
  std::vector<double> times;
  LimitWatch watch;
  auto const run = [&](auto const& filters) {
    auto const one = [&] {
      conv2d::convolve<float>(space, s, input, filters, output);
      space.fence("conv2d: end of a run");
    };
    for (int i = 0; i < 3; ++i) {
      watch.measure();
      one();
    }
    for (auto _ : state) {
      watch.measure();
      times.push_back(seconds_of(one));
      state.SetIterationTime(times.back());
    }
  };
  if (place == view) {
    with_viewed_filters(s, run);
  } else if (inputs == 3) {
    with_held_filters<1728>(s, run);
  } else if (inputs == 16) {
    with_held_filters<2304>(s, run);
  } else {
    with_held_filters<36864>(s, run);
  }
  double const seconds   = median(times);
  Limits const limits    = watch.limits();
  double const moving    = s.elements_moved() * sizeof(float) * limits.per_byte,
               computing = s.operations() * limits.per_operation;
  state.SetLabel(moving > computing ? "bound by memory" : "bound by arithmetic");
  state.counters["GFlops"]     = s.operations() / seconds * 1e-9;
  state.counters["GBps"]       = s.elements_moved() * sizeof(float) / seconds * 1e-9;
  state.counters["raw_GFlops"] = 1e-9 / limits.per_operation;
  state.counters["raw_GBps"]   = 1e-9 / limits.per_byte;
  state.counters["limit_us"]   = std::max(moving, computing) * 1e6;
  state.counters["ours_us"]    = seconds * 1e6;
  state.counters["ratio"]      = std::max(moving, computing) / seconds;
}

void add(int inputs, int outputs, Place place) {
  std::string const name = "conv2d/3x3/" + std::to_string(inputs) + "_to_" + std::to_string(outputs) +
                           "_channels/filters_in_" + (place == view ? "view" : "functor");
  benchmark::RegisterBenchmark(name.c_str(), convolution, inputs, outputs, place)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(30);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  for (Place place : {functor, view}) {
    for (int outputs : {16, 24, 32, 48, 64}) add(3, outputs, place);
    for (int channels : {16, 32, 64}) add(channels, channels, place);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
