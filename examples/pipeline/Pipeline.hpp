// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PIPELINE_PIPELINE_HPP
#define PIPELINE_PIPELINE_HPP

/// \file
/// Chunks are copied to the device, processed by a kernel and copied back, on several instances concurrently.
///
/// Each track is an instance of the execution space with memory for one chunk. Its three steps are ordered because they
/// are enqueued in one instance. Steps of different tracks are not ordered, and overlap if copies do not block the
/// host. The host waits for a track only before it reuses the track.

#include "ChaCha20.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The host's time, by activity, in seconds.
struct Times {
  double reading = 0, launching = 0, waiting = 0, writing = 0, total = 0;
  std::uint64_t bytes = 0;
};

/// One iteration is one block of 64 bytes.
template <class Words>
struct Encipher {
  ChaCha20 cipher;
  Words words;
  KOKKOS_FUNCTION void operator()(std::size_t block) const {
    cipher.apply(&words(block * ChaCha20::words_per_block), block);
  }
};

template <class HostMemory>
class Pipeline {
 public:
  using Space       = Kokkos::DefaultExecutionSpace;
  using HostWords   = Kokkos::View<std::uint32_t*, HostMemory>;
  using DeviceWords = Kokkos::View<std::uint32_t*, Space>;

  /// Memory for `instances` chunks of `chunk` bytes, which is a multiple of 64.
  Pipeline(ChaCha20 const& cipher, int instances, std::size_t chunk) : m_cipher(cipher), m_chunk(chunk) {
    auto const spaces =
        Kokkos::Experimental::partition_space(Space(), std::vector<int>(std::size_t(instances), 1));  // works before
                                                                                                      // 5.0, too
    for (int i = 0; i < instances; ++i) {
      m_tracks.push_back(Track(spaces[std::size_t(i)], i, chunk / sizeof(std::uint32_t)));
    }
  }

  /// Calls `fill` for the input memory of each track, before run(), for data that do not change.
  template <class Fill>
  void prepare(Fill const& fill) {
    for (Track& track : m_tracks) fill(reinterpret_cast<unsigned char*>(track.input.data()), m_chunk);
  }

  /// Processes all data. `read(to, max_bytes)` returns the number of bytes that it stored there, 0 at the end;
  /// `write(in, out, bytes, position)` receives each chunk before and after, in order; `progress(bytes)` receives the
  /// number of bytes done.
  template <class Read, class Write, class Progress>
  Times run(Read const& read, Write const& write, Progress const& progress) {
    Kokkos::Timer whole;
    Times times;
    auto const finish_chunk = [&](Track& track) {
      if (track.bytes == 0) return;
      Kokkos::Timer timer;
      track.space.fence("pipeline: a chunk is back");
      times.waiting += timer.seconds();
      timer.reset();
      write(bytes_of(track.input), bytes_of(track.output), track.bytes, track.position);
      times.writing += timer.seconds();
      times.bytes += std::exchange(track.bytes, 0);
      progress(times.bytes);
    };
    std::uint64_t position = 0;
    std::size_t chunk      = 0;
    for (;; ++chunk) {
      Track& track = m_tracks[chunk % m_tracks.size()];
      finish_chunk(track);
      Kokkos::Timer timer;
      track.bytes    = read(bytes_of(track.input), m_chunk);
      track.position = position;
      times.reading += timer.seconds();
      if (track.bytes == 0) break;
      timer.reset();
      launch(track);
      times.launching += timer.seconds();
      position += track.bytes;
    }
    for (std::size_t i = 1; i < m_tracks.size(); ++i) finish_chunk(m_tracks[(chunk + i) % m_tracks.size()]);
    times.total = whole.seconds();
    return times;
  }

 private:
  struct Track {
    Track(Space const& s, int number, std::size_t words)
        : space(s),
          name("track " + std::to_string(number)),
          input(name + ": in", words),
          output(name + ": out", words),
          device(Kokkos::view_alloc(name + ": on the device", Kokkos::WithoutInitializing), words) {}

    Space space;
    std::string name;
    HostWords input, output;
    DeviceWords device;
    std::size_t bytes      = 0;  // of the chunk in progress; 0: none
    std::uint64_t position = 0;
  };

  static unsigned char* bytes_of(HostWords const& words) { return reinterpret_cast<unsigned char*>(words.data()); }

  /// Enqueues the three steps in the track's instance. The last block of a file is enciphered as a whole, whatever its
  /// end contains; only the bytes of the file are copied back.
  void launch(Track& track) const {
    Kokkos::Profiling::pushRegion(track.name);  // by this region, a tool that draws tracks finds the steps of this one
    std::size_t const words  = (track.bytes + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t);
    std::size_t const blocks = (words + ChaCha20::words_per_block - 1) / ChaCha20::words_per_block;
    auto const part          = std::make_pair(std::size_t(0), words);
    auto const device        = Kokkos::subview(track.device, part);
    ChaCha20 cipher          = m_cipher;
    cipher.first_block += track.position / (ChaCha20::words_per_block * sizeof(std::uint32_t));
    Kokkos::deep_copy(track.space, device, Kokkos::subview(track.input, part));
    Kokkos::parallel_for("encipher", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(track.space, 0, blocks),
                         Encipher<DeviceWords>{cipher, track.device});
    Kokkos::deep_copy(track.space, Kokkos::subview(track.output, part), device);
    Kokkos::Profiling::popRegion();
  }

  ChaCha20 m_cipher;
  std::size_t m_chunk;
  std::vector<Track> m_tracks;
};

#endif
