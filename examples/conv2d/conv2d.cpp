// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Applies a bank of filters (3 input channels, N output channels) to a picture on every enabled backend. Compares the
/// results with a plain loop, prints times and rates next to those of the same algorithm written by hand, and writes
/// the output channels as PNG files.

#include "Convolution.hpp"
#include "FilterBank.hpp"
#include "Options.hpp"
#include "Picture.hpp"
#include "Scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace {

using Host        = Kokkos::DefaultHostExecutionSpace;
using HostPlanes  = Planes<Host>;
using HostWeights = Weights<Host>;

// Samples as numbers in [0, 1]; the border repeats the outermost pixels.
HostPlanes to_planes(Picture const& picture, Extents const& e) {
  int const b = e.border();
  HostPlanes planes("picture", e.inputs, e.height + 2 * b, e.padded_width() + 2 * b);
  for (int y = 0; y < int(planes.extent(1)); ++y) {
    for (int x = 0; x < int(planes.extent(2)); ++x) {
      auto const* pixel = picture.at(std::clamp(x - b, 0, e.width - 1), std::clamp(y - b, 0, e.height - 1));
      for (int c = 0; c < e.inputs; ++c) planes(c, y, x) = pixel[c] / 255.0f;
    }
  }
  return planes;
}

HostWeights to_weights(std::vector<Filter> const& bank, Extents const& e) {
  HostWeights weights("weights", e.outputs, e.inputs, e.filter_size, e.filter_size);
  std::size_t const per_filter = bank.front().weights.size();
  for (std::size_t n = 0; n < bank.size(); ++n) {
    std::copy(bank[n].weights.begin(), bank[n].weights.end(), weights.data() + n * per_filter);
  }
  return weights;
}

double largest_difference(Extents const& e, HostPlanes const& a, HostPlanes const& b) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::MDRangePolicy<Host, Kokkos::Rank<2>>({0, 0}, {e.outputs, e.height}),
      [=](int n, int y, double& most) {
        for (int x = 0; x < e.width; ++x) most = std::max(most, double(std::abs(a(n, y, x) - b(n, y, x))));
      },
      Kokkos::Max<double>(largest));
  return largest;
}

void print_row(Extents const& e, std::string const& name, int threads, double seconds, double by_hand_seconds) {
  std::printf("  %-16s %7d %10.2f %14.1f %10.2f %14.2f\n", name.c_str(), threads, seconds * 1e3,
              double(e.width) * e.height * e.outputs / seconds * 1e-6, e.operations() / seconds * 1e-9,
              by_hand_seconds / seconds);
}

// The shortest of several runs, after a warm-up run.
template <class Run>
double best_seconds(int repeat, Run const& one_run) {
  double best = 1e30;
  for (int run = 0; run <= repeat; ++run) {
    Kokkos::Timer timer;
    one_run();
    if (run > 0) best = std::min(best, timer.seconds());
  }
  return best;
}

struct Reference {
  HostPlanes input, output;
  HostWeights weights;
  double by_hand;  // seconds, on all threads of the host
  double by_hand_on_one;
};

// Every result is a sum of at most a few thousand products of numbers below 1, with weights that add up to about 1.
constexpr double allowed_difference = 1e-5;

void check(Extents const& e, char const* who, HostPlanes const& result, HostPlanes const& expected) {
  double const difference = largest_difference(e, result, expected);
  if (!(difference <= allowed_difference)) {
    throw std::runtime_error(std::string(who) + " differs from the plain loop by " + std::to_string(difference) +
                             ", which is more than rounding explains.");
  }
}

// Runs on one backend, prints its row and returns the result in host memory.
template <class Space>
HostPlanes run_on(Extents const& e, Reference const& reference, int repeat) {
  Space const space;
  typename Space::memory_space const memory;
  auto const input   = Kokkos::create_mirror_view_and_copy(memory, reference.input);
  auto const weights = Kokkos::create_mirror_view_and_copy(memory, reference.weights);
  Planes<Space> const output("channels", e.outputs, e.height, e.padded_width());

  double const best = best_seconds(repeat, [&] {
    convolve(space, e, input, weights, output);
    space.fence("conv2d: end of a run");
  });
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), output);
  print_row(e, std::string("Kokkos ") + Space::name(), space.concurrency(), best,
            space.concurrency() == 1 ? reference.by_hand_on_one : reference.by_hand);
  check(e, Space::name(), result, reference.output);
  return result;
}

// The same algorithm without Kokkos, on one thread and on all.
void run_by_hand(Extents const& e, Reference& reference, int repeat) {
  HostPlanes const output("channels by hand", e.outputs, e.height, e.padded_width());
  auto const seconds = [&](int threads) {
    return best_seconds(
        repeat, [&] { convolve_by_hand(e, reference.input.data(), reference.weights.data(), output.data(), threads); });
  };
  reference.by_hand_on_one = reference.by_hand = seconds(1);
  print_row(e, "by hand", 1, reference.by_hand_on_one, reference.by_hand_on_one);
#if defined(_OPENMP)
  int const threads = Host().concurrency();
  if (threads > 1) {
    reference.by_hand = seconds(threads);
    print_row(e, "by hand, OpenMP", threads, reference.by_hand, reference.by_hand);
  }
#endif
  check(e, "The algorithm by hand", output, reference.output);
}

HostPlanes run_on_all(Extents const& e, Reference const& reference, int repeat) {
  HostPlanes result;
#ifdef KOKKOS_ENABLE_SERIAL
  result = run_on<Kokkos::Serial>(e, reference, repeat);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  result = run_on<Kokkos::OpenMP>(e, reference, repeat);
#endif
#ifdef KOKKOS_ENABLE_CUDA
  result = run_on<Kokkos::Cuda>(e, reference, repeat);
#endif
#ifdef KOKKOS_ENABLE_HIP
  result = run_on<Kokkos::HIP>(e, reference, repeat);
#endif
  return result;
}

// A blur is shown unchanged. In a contrast, zero is middle grey; strong responses may saturate, so that weak ones are
// visible.
Picture to_picture(Extents const& e, HostPlanes const& planes, int n, bool keeps_brightness) {
  double sum_of_squares = 0;
  Kokkos::parallel_reduce(
      "strength", Kokkos::RangePolicy<Host>(0, e.height),
      [=](int y, double& sum) {
        for (int x = 0; x < e.width; ++x) sum += double(planes(n, y, x)) * planes(n, y, x);
      },
      sum_of_squares);
  double const deviation = std::sqrt(sum_of_squares / (double(e.width) * e.height));
  double const scale     = keeps_brightness ? 1 : deviation > 0 ? 0.5 / (3.5 * deviation) : 0;
  double const zero      = keeps_brightness ? 0 : 0.5;
  Picture picture(e.width, e.height, 1);
  for (int y = 0; y < e.height; ++y) {
    for (int x = 0; x < e.width; ++x) {
      *picture.at(x, y) = std::uint8_t(255 * std::clamp(zero + scale * planes(n, y, x), 0.0, 1.0) + 0.5);
    }
  }
  return picture;
}

// Copies `from`, shrunk by averaging, to (left, top) of `sheet`, which has three channels.
void paste_shrunk(Picture& sheet, int left, int top, int width, int height, Picture const& from) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int const x0 = int(std::int64_t(x) * from.width / width), y0 = int(std::int64_t(y) * from.height / height);
      int const x1 = std::max<int>(x0 + 1, int(std::int64_t(x + 1) * from.width / width));
      int const y1 = std::max<int>(y0 + 1, int(std::int64_t(y + 1) * from.height / height));
      for (int c = 0; c < 3; ++c) {
        long sum = 0;
        for (int v = y0; v < y1; ++v) {
          for (int u = x0; u < x1; ++u) sum += from.at(u, v)[from.channels == 3 ? c : 0];
        }
        long const count               = long(x1 - x0) * (y1 - y0);
        sheet.at(left + x, top + y)[c] = std::uint8_t((sum + count / 2) / count);
      }
    }
  }
}

// Number of columns of a sheet that is roughly square and has few empty cells.
int columns_for(int cells) {
  int const square = int(std::ceil(std::sqrt(double(cells))));
  auto const empty = [=](int columns) { return (columns - cells % columns) % columns; };
  int best         = square;
  for (int columns = square + 1; columns * 5 <= square * 7; ++columns) {
    if (empty(columns) < empty(best)) best = columns;
  }
  return best;
}

// The picture and all channels on one sheet.
Picture make_sheet(Picture const& picture, std::vector<Picture> const& channels) {
  int const cells     = int(channels.size()) + 1;
  int const columns   = columns_for(cells);
  int const rows      = (cells + columns - 1) / columns;
  int const gap       = 6;
  double const shrink = std::min(1.0, std::min(300.0 / picture.width, 300.0 / picture.height));
  int const width     = std::max(1, int(picture.width * shrink));
  int const height    = std::max(1, int(picture.height * shrink));
  Picture sheet(columns * (width + gap) + gap, rows * (height + gap) + gap, 3);
  std::fill(sheet.samples.begin(), sheet.samples.end(), std::uint8_t(24));
  for (int i = 0; i < cells; ++i) {
    paste_shrunk(sheet, gap + i % columns * (width + gap), gap + i / columns * (height + gap), width, height,
                 i == 0 ? picture : channels[std::size_t(i) - 1]);
  }
  return sheet;
}

// One run with `outputs` channels: the table, the check, the files.
void run(Picture const& picture, Options const& options, int outputs) {
  Extents const e{picture.width, picture.height, options.filter_size, 3, outputs};
  auto const bank = make_filter_bank(outputs, options.filter_size);
  Reference reference{to_planes(picture, e), HostPlanes("plain channels", outputs, e.height, e.padded_width()),
                      to_weights(bank, e), 0, 0};
  Kokkos::Timer timer;
  convolve_plainly(e, reference.input, reference.weights, reference.output);
  double const plain_seconds = timer.seconds();

  std::printf("\n%d x %d pixels, 3 input and %d output channels, filters of %d x %d\n", e.width, e.height, outputs,
              e.filter_size, e.filter_size);
  std::printf("  %-16s %7s %10s %14s %10s %14s\n", "", "threads", "time [ms]", "[Mpixel/s out]", "[GFlop/s]",
              "vs. by hand");
  run_by_hand(e, reference, options.repeat);
  HostPlanes const result = run_on_all(e, reference, options.repeat);
  std::printf(
      "  Last column: 1 is the speed of the same algorithm without Kokkos, on as many threads.\n"
      "  All agree with the plain loop, pixel by pixel as the definition reads, to within %g; that took %.2f ms.\n",
      allowed_difference, plain_seconds * 1e3);

  PngFiles files;
  std::vector<Picture> channels;
  for (int n = 0; n < outputs; ++n) {
    channels.push_back(to_picture(e, result, n, bank[std::size_t(n)].keeps_brightness));
    char name[64];
    std::snprintf(name, sizeof name, "/conv%d_channel%02d.png", outputs, n);
    files.write(options.out + name, channels.back());
  }
  std::string const sheet = options.out + "/conv" + std::to_string(outputs) + "_overview.png";
  files.write(sheet, make_sheet(picture, channels));
  files.commit();
  std::printf("  wrote %d channels and %s\n", outputs, sheet.c_str());
}

}  // namespace

int main(int argc, char* argv[]) try {
  Kokkos::initialize(argc, argv);
  struct Finalize {
    ~Finalize() { Kokkos::finalize(); }
  } finalize_at_end;

  Options const options = parse_options(argc, argv);
  if (options.help) {
    std::fputs(usage, stdout);
    return 0;
  }
  if (!options.render.empty()) {
    PngFiles files;
    files.write(options.render, render_scene(960, 600));
    files.commit();
    return 0;
  }
  // All errors in the arguments are reported before the work begins.
  if (!std::filesystem::is_directory(options.out)) throw std::runtime_error(options.out + ": is not a folder (--out).");
  Picture const picture = options.picture.empty() ? render_scene(960, 600) : read_png(options.picture);
  for (int outputs : options.channels) run(picture, options, outputs);
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "conv2d: %s\n", error.what());
  return 1;
}
