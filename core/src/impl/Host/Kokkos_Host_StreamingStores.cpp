// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/Host/Kokkos_Host_StreamingStores.hpp>
#include <impl/runtime/doctor/Kokkos_SystemFiles.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace Kokkos::Impl {

namespace {

std::size_t bytes_of_size(std::string const& text) {  // such as 32768K
  char* unit             = nullptr;
  std::size_t const size = std::strtoull(text.c_str(), &unit, 10);
  return size << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
}

}  // namespace

std::size_t host_cache_bytes(SystemFiles const& files) {
  std::string const processors = "/sys/devices/system/cpu/";
  std::string const cache      = processors + "cpu0/cache/index3/";
  std::size_t const bytes      = bytes_of_size(files.first_line(cache + "size"));
  std::size_t const sharing    = parse_number_list(files.first_line(cache + "shared_cpu_list")).size();
  std::size_t const all        = parse_number_list(files.first_line(processors + "online")).size();
  if (bytes == 0 || sharing == 0) return host_copy_policy.usual_cache_bytes;
  return bytes * std::max<std::size_t>(all / sharing, 1);
}

#if defined(__SSE2__)

namespace {

constexpr std::size_t line_bytes = HostCopyPolicy::cache_line;
constexpr std::size_t page_bytes = HostCopyPolicy::page;

struct Processor {
  /// The number of pages that a copy reads in turn.
  std::size_t pages_in_turn;
  /// Whether a loop that only stores does not read the lines that it writes.
  bool recognises_fills;

  static Processor const& own() {
    // As measured: Intel's processors request more lines ahead if they read several pages, AMD's fewer.
    static Processor const own = __builtin_cpu_is("amd") ? Processor{1, true} : Processor{4, false};
    return own;
  }
};

/// Bytes that remain to be copied.
struct Block {
  unsigned char* to;
  unsigned char const* from;
  std::size_t bytes;

  std::size_t to_boundary(std::size_t alignment) const {
    return std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % alignment);
  }
  void advance(std::size_t n) {
    to += n;
    from += n;
    bytes -= n;
  }
};

void copy_bytes(Block& block, std::size_t n) {
  std::memcpy(block.to, block.from, n);
  block.advance(n);
}
/// `to` is a multiple of 4 bytes.
void stream_word(Block& block) {
  int word;
  std::memcpy(&word, block.from, sizeof(word));
  _mm_stream_si32(reinterpret_cast<int*>(block.to), word);
  block.advance(sizeof(word));
}
/// `to` is a multiple of a vector's size.
void stream_vector(unsigned char* to, unsigned char const* from) {
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), _mm_loadu_si128(reinterpret_cast<__m128i const*>(from)));
}
void stream_line(unsigned char* to, unsigned char const* from) {
  for (std::size_t i = 0; i < line_bytes; i += sizeof(__m128i)) stream_vector(to + i, from + i);
}

/// Less than a line, up to a boundary of lines or the end of the block.
void stream_part_of_line(Block& block, std::size_t n) {
  Block part{block.to, block.from, n};
  copy_bytes(part, part.to_boundary(sizeof(int)));
  while (part.bytes >= sizeof(int) && part.to_boundary(sizeof(__m128i)) > 0) stream_word(part);
  for (; part.bytes >= sizeof(__m128i); part.advance(sizeof(__m128i))) stream_vector(part.to, part.from);
  while (part.bytes >= sizeof(int)) stream_word(part);
  copy_bytes(part, part.bytes);
  block.advance(n);
}

}  // namespace

HostStreamingStores::~HostStreamingStores() { _mm_sfence(); }

bool HostStreamingStores::exceed_caches(std::size_t bytes) {
  static std::size_t const caches = host_cache_bytes(SystemFiles(""));
  return bytes > caches;
}
bool HostStreamingStores::recognise_fills() { return Processor::own().recognises_fills; }

void HostStreamingStores::copy(void* to, void const* from, std::size_t bytes) {
  copy_in_turn(Processor::own().pages_in_turn, to, from, bytes);
}

void HostStreamingStores::copy_in_turn(std::size_t pages, void* to, void const* from, std::size_t bytes) {
  Block block{static_cast<unsigned char*>(to), static_cast<unsigned char const*>(from), bytes};
  stream_part_of_line(block, block.to_boundary(line_bytes));
  if (std::size_t const n = pages * page_bytes; pages > 1)
    for (; block.bytes >= n; block.advance(n))
      for (std::size_t line = 0; line < page_bytes; line += line_bytes)
        for (std::size_t offset = line; offset < n; offset += page_bytes)
          stream_line(block.to + offset, block.from + offset);
  for (; block.bytes >= line_bytes; block.advance(line_bytes)) stream_line(block.to, block.from);
  stream_part_of_line(block, block.bytes);
}

#else

HostStreamingStores::~HostStreamingStores() {}

bool HostStreamingStores::exceed_caches(std::size_t) { return false; }
bool HostStreamingStores::recognise_fills() { return true; }

void HostStreamingStores::copy(void* to, void const* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void HostStreamingStores::copy_in_turn(std::size_t, void* to, void const* from, std::size_t bytes) {
  copy(to, from, bytes);
}

#endif

}  // namespace Kokkos::Impl
