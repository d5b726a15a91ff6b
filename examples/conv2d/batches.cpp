// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Convolves many images, batch by batch. During the convolution of a batch, the next batch is copied to the device,
/// and the results of the previous one are copied back.
///
/// Shows: overlapping instances, deep_copy with an instance, pageable host memory, filters that are part of a functor.
/// Usage: conv2d_batches [batches] [images in a batch] [output channels]

#include "BatchConvolution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using Device       = Kokkos::DefaultExecutionSpace;
using Host         = Kokkos::DefaultHostExecutionSpace;
using HostImages   = conv2d::Images<float, Host>;
using DeviceImages = conv2d::Images<float, Device>;

constexpr int inputs = 3, size = 3;
constexpr int maximum_outputs = 64;
using Filters                 = conv2d::HeldFilters<float, maximum_outputs * inputs * size * size>;

// A track is an instance with separate memory for one batch. Work in one instance runs in order; there is no order
// between instances, so their copies and kernels can overlap.
struct Track {
  Device instance;
  DeviceImages input, output;
};

float pixel(int image, int c, int y, int x) { return float((image * 7 + c * 5 + y * 3 + x) % 16) / 16; }
float weight(int n, int c, int dy, int dx) { return float((n + 2 * c + 3 * dy + 5 * dx) % 9 - 4) / 8; }

std::vector<Track> make_tracks(conv2d::Shape const& s, int count) {
  std::vector<Track> tracks;
  for (Device const& instance :
       Kokkos::Experimental::partition_space(Device(), std::vector<int>(std::size_t(count), 1))) {
    tracks.push_back({instance, DeviceImages("input", s.images, s.inputs, s.height, s.width),
                      DeviceImages("output", s.images, s.outputs, s.out_height(), s.out_width())});
  }
  return tracks;
}

// None of these calls waits for the device. A track starts its next batch when the order of its instance permits it.
void run(std::vector<Track> const& tracks, conv2d::Shape const& s, Filters const& filters,
         std::vector<HostImages> const& in, std::vector<HostImages> const& out) {
  for (std::size_t b = 0; b < in.size(); ++b) {
    Track const& track = tracks[b % tracks.size()];
    Kokkos::deep_copy(track.instance, track.input, in[b]);
    conv2d::convolve<float>(track.instance, s, track.input, filters, track.output);
    Kokkos::deep_copy(track.instance, out[b], track.output);
  }
  for (Track const& track : tracks) track.instance.fence("conv2d_batches: the host reads the results");
}

double plain(conv2d::Shape const& s, HostImages const& in, int image, int n, int y, int x) {
  double sum = 0;
  for (int c = 0; c < s.inputs; ++c) {
    for (int dy = 0; dy < s.size; ++dy) {
      for (int dx = 0; dx < s.size; ++dx) {
        int const row = y + dy - s.padding, column = x + dx - s.padding;
        if (row < 0 || row >= s.height || column < 0 || column >= s.width) continue;
        sum += double(weight(n, c, dy, dx)) * double(in(image, c, row, column));
      }
    }
  }
  return sum;
}

int count_wrong(conv2d::Shape const& s, std::vector<HostImages> const& in, std::vector<HostImages> const& out) {
  int wrong = 0;
  for (std::size_t b = 0; b < in.size(); ++b) {
    int const image = int(b) % s.images;  // one of each batch; compared at pixels that are not aligned with tiles
    for (int n = 0; n < s.outputs; ++n) {
      for (int y = 0; y < s.out_height(); y += 7) {
        for (int x = 0; x < s.out_width(); x += 5) {
          double const difference = plain(s, in[b], image, n, y, x) - double(out[b](image, n, y, x));
          wrong += !(std::abs(difference) < 1e-5);
        }
      }
    }
  }
  return wrong;
}

int argument(int argc, char* argv[], int which, int otherwise) {
  return argc > which ? std::atoi(argv[which]) : otherwise;
}

int convolve_batches(int batches, conv2d::Shape const& s) {
  std::vector<HostImages> in, out;  // in pageable memory
  for (int b = 0; b < batches; ++b) {
    in.emplace_back("images", s.images, s.inputs, s.height, s.width);
    out.emplace_back("results", s.images, s.outputs, s.out_height(), s.out_width());
    HostImages const images = in.back();
    Kokkos::parallel_for(
        "fill", Kokkos::MDRangePolicy<Host, Kokkos::Rank<4>>({0, 0, 0, 0}, {s.images, s.inputs, s.height, s.width}),
        [=](int i, int c, int y, int x) { images(i, c, y, x) = pixel(b * s.images + i, c, y, x); });
  }
  Filters filters;
  conv2d::arrange_filters(s, {s.inputs, s.size, conv2d::default_tile<Device>.outputs}, weight, filters.values);
  for (int count : {1, 3}) {
    auto const tracks = make_tracks(s, count);
    run(tracks, s, filters, in, out);  // the first run initializes the device
    Kokkos::Timer timer;
    run(tracks, s, filters, in, out);
    std::printf("%d batches of %d images, 3 to %d channels, %d instance%s of %s: %.4g s\n", batches, s.images,
                s.outputs, count, count == 1 ? "" : "s", Device::name(), timer.seconds());
    if (int const wrong = count_wrong(s, in, out); wrong > 0) {
      std::printf("%d of the pixels that were compared with a plain loop are wrong.\n", wrong);
      return EXIT_FAILURE;
    }
  }
  std::puts("The results agree with a plain loop.");
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char* argv[]) try {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const batches = argument(argc, argv, 1, 6), images = argument(argc, argv, 2, 4),
            outputs = argument(argc, argv, 3, 16);
  if (batches < 1 || images < 1 || outputs < 1 || outputs > maximum_outputs) {
    std::fputs("conv2d_batches [batches, 1 or more] [images in a batch, 1 or more] [output channels, 1 to 64]\n",
               stderr);
    return EXIT_FAILURE;
  }
  return convolve_batches(batches, conv2d::Shape{images, inputs, outputs, 65, 67, size, 1, 1});
} catch (std::exception const& error) {
  std::fprintf(stderr, "conv2d_batches: %s\n", error.what());
  return EXIT_FAILURE;
}
