// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A stream of blocks through the device: while it processes one block, the next one is being copied there, and the
/// previous one is being copied back.
///
/// Shows: instances of an execution space, copies in the order of an instance, fences.
/// Run it: copies [blocks] [numbers in a block]

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using Device = Kokkos::DefaultExecutionSpace;
using Host   = Kokkos::DefaultHostExecutionSpace;

// A track is an instance with its own memory. Work that is enqueued in one instance runs in order: the copy to the
// device, the kernel, the copy back. Tracks are not ordered with each other, so they overlap.
struct Track {
  Device instance;
  Kokkos::View<double*, Device> block;
};

// A computation that takes a while: digits of a chaotic sequence.
void work(Track const& track) {
  auto const x = track.block;
  Kokkos::parallel_for(
      "work", Kokkos::RangePolicy<Device>(track.instance, 0, x.extent(0)), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 50; ++k) x(i) = 3.9 * x(i) * (1 - x(i));
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const blocks = argc > 1 ? std::atoi(argv[1]) : 16, length = argc > 2 ? std::atoi(argv[2]) : 50000;
  if (blocks < 1 || length < 1) {
    std::fputs("copies [blocks, 1 or more] [numbers in a block, 1 or more]\n", stderr);
    return EXIT_FAILURE;
  }

  // On the host, in pageable memory: a row for each block.
  Kokkos::View<double**, Kokkos::LayoutRight, Host> in("in", blocks, length), out("out", blocks, length);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Host, Kokkos::Rank<2>>({0, 0}, {blocks, length}),
      KOKKOS_LAMBDA(int b, int i) { in(b, i) = (b + 0.5) / blocks * (i + 0.5) / length; });

  auto const part       = Kokkos::Experimental::partition_space(Device(), 1, 1, 1);
  Track const tracks[3] = {{part[0], Kokkos::View<double*, Device>("block 0", length)},
                           {part[1], Kokkos::View<double*, Device>("block 1", length)},
                           {part[2], Kokkos::View<double*, Device>("block 2", length)}};

  // None of these calls waits for the device. A track is reused for the third block after this one; because its work
  // runs in order, it has finished the earlier block by then.
  Kokkos::Timer timer;
  for (int b = 0; b < blocks; ++b) {
    Track const& track = tracks[b % 3];
    Kokkos::deep_copy(track.instance, track.block, Kokkos::subview(in, b, Kokkos::ALL));
    work(track);
    Kokkos::deep_copy(track.instance, Kokkos::subview(out, b, Kokkos::ALL), track.block);
  }
  double const enqueued = timer.seconds();
  for (Track const& track : tracks)
    track.instance.fence("the blocks of a track are back");  // before the host reads `out`
  std::printf("%d blocks were enqueued after %.3g s and back after %.3g s on %s.\n", blocks, enqueued, timer.seconds(),
              Device::name());

  int wrong = 0;
  for (int b = 0; b < blocks; b += 5) {
    double x = in(b, length / 2);
    for (int k = 0; k < 50; ++k) x = 3.9 * x * (1 - x);
    wrong += std::abs(x - out(b, length / 2)) > 1e-3;  // compilers round chaos differently
  }
  std::printf("%d of the blocks looked at are wrong.\n", wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
