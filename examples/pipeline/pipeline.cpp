// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Streams a file of any size, or generated data, through the device in chunks, enciphers it there, and reports rates.

#include "Files.hpp"
#include "Options.hpp"
#include "Pipeline.hpp"

#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

// The bytes of the file are stored in words without conversion.
static_assert(std::endian::native == std::endian::little, "This program is for processors with the lowest byte first.");

namespace {

char const* name_of(Memory memory) { return memory == Memory::pinned ? "pinned" : "pageable"; }

/// One line on a terminal, or with --progress one line for each report.
class Progress {
 public:
  Progress(bool wanted, std::uint64_t total)
      : m_terminal(isatty(STDERR_FILENO) != 0), m_shown(wanted || m_terminal), m_total(total) {}

  void operator()(std::uint64_t bytes) {
    double const now = m_timer.seconds();
    if (!m_shown || (now < m_last + interval && !(bytes == m_total && !m_terminal))) return;
    m_last           = now;
    char percent[16] = "";
    if (m_total > 0) std::snprintf(percent, sizeof percent, "%3.0f %%", 100.0 * double(bytes) / double(m_total));
    std::fprintf(stderr, "%s  %s %10.3f GB %8.2f GB/s%s", m_terminal ? "\r" : "", percent, double(bytes) * 1e-9,
                 double(bytes) * 1e-9 / now, m_terminal ? "" : "\n");
  }
  ~Progress() {
    if (m_terminal && m_last > 0) std::fprintf(stderr, "\r%60s\r", "");
  }

 private:
  static constexpr double interval = 0.25;  // seconds
  bool m_terminal, m_shown;
  std::uint64_t m_total;
  double m_last = 0;
  Kokkos::Timer m_timer;
};

/// Pseudo-random numbers, the same in each run.
void make_up(unsigned char* to, std::size_t bytes) {
  std::uint64_t state = 0x9e3779b97f4a7c15;
  for (std::size_t i = 0; i < bytes; i += sizeof state) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    std::memcpy(to + i, &state, sizeof state);
  }
}

/// Enciphers `in` in a plain loop and compares. \throws std::runtime_error with the position of a difference
void compare(ChaCha20 const& cipher, unsigned char const* in, unsigned char const* out, std::size_t bytes,
             std::uint64_t position) {
  constexpr std::size_t block_bytes = ChaCha20::words_per_block * sizeof(std::uint32_t);
  for (std::size_t at = 0; at < bytes; at += block_bytes) {
    std::size_t const n                            = std::min(block_bytes, bytes - at);
    std::uint32_t block[ChaCha20::words_per_block] = {};
    std::memcpy(block, in + at, n);
    cipher.apply(block, (position + at) / block_bytes);
    if (std::memcmp(block, out + at, n) != 0) {
      throw std::runtime_error("The block at byte " + std::to_string(position + at) +
                               " differs from the plain loop's.");
    }
  }
}

template <class HostMemory>
void run(Options const& options, Memory memory, int instances) {
  std::optional<InputFile> in;
  std::optional<OutputFile> out;
  if (!options.in.empty()) in.emplace(options.in);
  if (!options.out.empty()) out.emplace(options.out);

  std::uint64_t const total = in ? in->size() : options.generate;
  // A small file needs no large chunks.
  std::size_t chunk = options.chunk;
  if (total > 0) chunk = std::size_t(std::min<std::uint64_t>(chunk, (total + 63) / 64 * 64));
  Pipeline<HostMemory> pipeline(options.cipher, instances, chunk);
  pipeline.prepare([](unsigned char* to, std::size_t bytes) { make_up(to, bytes); });

  std::uint64_t left = options.generate;
  auto const read    = [&](unsigned char* to, std::size_t most) -> std::size_t {
    if (in) return in->read(to, most);
    std::size_t const bytes = std::size_t(std::min<std::uint64_t>(left, most));  // prepare has already stored the data
    left -= bytes;
    return bytes;
  };
  auto const write = [&](unsigned char const* before, unsigned char const* after, std::size_t bytes,
                         std::uint64_t position) {
    if (options.check) compare(options.cipher, before, after, bytes, position);
    if (out) out->write(after, bytes);
  };
  Times times;
  {
    Progress progress(options.progress, total);
    times = pipeline.run(read, write, [&](std::uint64_t bytes) { progress(bytes); });
  }
  if (out) out->commit();
  if (times.bytes == 0) {
    std::printf("  %s is empty: there was nothing to do.\n", options.in.c_str());
    return;
  }
  std::printf("  %-9s %9d %10.4f %9.2f %9.4f %9.4f %9.4f %9.4f\n", name_of(memory), instances, times.total,
              double(times.bytes) * 1e-9 / times.total, times.reading, times.launching, times.waiting, times.writing);
  std::fflush(stdout);
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
  std::printf("%s on %s, chunks of up to %zu bytes\n", options.in.empty() ? "generated data" : options.in.c_str(),
              Kokkos::DefaultExecutionSpace::name(), options.chunk);
  std::printf("  %-9s %9s %10s %9s %9s %9s %9s %9s\n", "memory", "instances", "time [s]", "[GB/s]", "reading",
              "launching", "waiting", "writing");
  for (Memory const memory : options.memory) {
    for (int const instances : options.instances) {
      if (memory == Memory::pinned) {
        run<Kokkos::SharedHostPinnedSpace>(options, memory, instances);
      } else {
        run<Kokkos::HostSpace>(options, memory, instances);
      }
    }
  }
  if (options.check) std::puts("  everything agrees with the plain loop");
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "pipeline: %s\n", error.what());
  return 1;
}
