// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_PICTURE_HPP
#define CONV2D_PICTURE_HPP

/// \file
/// Pictures in memory, and as PNG files.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// 8-bit samples, rows from top to bottom, channels interleaved: 3 (red, green, blue) or 1 (grey).
struct Picture {
  int width    = 0;
  int height   = 0;
  int channels = 3;
  std::vector<std::uint8_t> samples;

  Picture() = default;
  Picture(int w, int h, int c) : width(w), height(h), channels(c), samples(std::size_t(w) * h * c) {}
  std::uint8_t* at(int x, int y) { return &samples[(std::size_t(y) * width + x) * channels]; }
  std::uint8_t const* at(int x, int y) const { return &samples[(std::size_t(y) * width + x) * channels]; }
};

/// Larger pictures are refused: 32 channels of them would need 2 GiB.
constexpr std::int64_t max_pixels = 16 * 1024 * 1024;

/// Reads a PNG file of any colour type as red, green and blue; transparent pixels become white.
/// \throws std::runtime_error with the file's name, if it is missing, not a PNG, damaged or larger than max_pixels.
Picture read_png(std::string const& path);

/// Writes several files so that each exists either whole or not at all: first under a temporary name, then renamed by
/// commit(). Files without a commit are removed.
class PngFiles {
 public:
  PngFiles()                           = default;
  PngFiles(PngFiles const&)            = delete;
  PngFiles& operator=(PngFiles const&) = delete;
  ~PngFiles();
  /// \throws std::runtime_error if the file cannot be written.
  void write(std::string const& path, Picture const& picture);
  void commit();

 private:
  std::vector<std::pair<std::string, std::string>> m_pending;  // temporary name, final name
};

#endif
