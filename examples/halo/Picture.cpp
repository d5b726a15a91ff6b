// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace {

using Bytes = std::string;

void append_number(Bytes& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += char(value >> shift & 0xff);
}

std::uint32_t crc(std::string_view bytes) {
  std::uint32_t remainder = 0xffffffff;
  for (char const byte : bytes) {
    remainder ^= std::uint8_t(byte);
    for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ (remainder & 1 ? 0xedb88320 : 0);
  }
  return ~remainder;
}

void append_chunk(Bytes& png, std::string_view type, Bytes const& content) {
  append_number(png, std::uint32_t(content.size()));
  Bytes const checked = Bytes(type) + content;
  png += checked;
  append_number(png, crc(checked));
}

/// A zlib stream of stored blocks: every reader accepts it, and no library is needed.
Bytes stored(Bytes const& content) {
  Bytes result("\x78\x01", 2);
  constexpr std::size_t most = 65535;
  for (std::size_t at = 0; at < content.size(); at += most) {
    std::size_t const n = std::min(most, content.size() - at);
    result += char(at + n == content.size());
    for (unsigned const value : {unsigned(n), ~unsigned(n)}) {
      result += char(value & 0xff);
      result += char(value >> 8 & 0xff);
    }
    result.append(content, at, n);
  }
  std::uint32_t a = 1, b = 0;
  for (char const byte : content) {
    a = (a + std::uint8_t(byte)) % 65521;
    b = (b + a) % 65521;
  }
  append_number(result, b << 16 | a);
  return result;
}

/// From black through red and yellow to white.
std::array<char, 3> color(double value) {
  double const heat = std::clamp(value, 0.0, 1.0);
  auto const level  = [&](double from) { return char(std::lround(255 * std::clamp(3 * (heat - from), 0.0, 1.0))); };
  return {level(0), level(1.0 / 3), level(2.0 / 3)};
}

}  // namespace

void write_picture(std::string const& file, int width, std::vector<double> const& values) {
  int const height = int(values.size()) / width, scale = std::max(1, 480 / std::max(width, height));
  Bytes pixels;
  for (int row = height * scale - 1; row >= 0; --row) {
    pixels += '\0';  // no filter
    for (int column = 0; column < width * scale; ++column) {
      auto const rgb = color(std::sqrt(std::max(0.0, values[std::size_t(row / scale) * width + column / scale])));
      pixels.append(rgb.data(), rgb.size());
    }
  }
  Bytes png("\x89PNG\r\n\x1a\n"), header;
  append_number(header, std::uint32_t(width * scale));
  append_number(header, std::uint32_t(height * scale));
  header += Bytes("\x08\x02\x00\x00\x00", 5);  // 8 bits for each of red, green and blue
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", stored(pixels));
  append_chunk(png, "IEND", "");

  std::FILE* const out = std::fopen(file.c_str(), "wb");
  bool written         = out != nullptr && std::fwrite(png.data(), 1, png.size(), out) == png.size();
  if (out != nullptr && std::fclose(out) != 0) written = false;
  if (!written) throw std::runtime_error(file + ": the picture cannot be written there; --picture takes another file.");
}
