// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Picture.hpp"

#include <png.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace {

constexpr std::size_t max_file_bytes = std::size_t(1) << 28;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(std::string const& path, std::string const& why) { throw std::runtime_error(path + ": " + why); }

std::vector<std::uint8_t> read_file(std::string const& path) {
  if (std::filesystem::is_directory(path)) fail(path, "is a folder, not a PNG file.");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, std::string("cannot be opened (") + std::strerror(errno) + ").");
  std::vector<std::uint8_t> bytes;
  std::uint8_t block[65536];
  while (std::size_t n = std::fread(block, 1, sizeof block, file.get())) {
    bytes.insert(bytes.end(), block, block + n);
    if (bytes.size() > max_file_bytes) {
      fail(path, "is larger than " + std::to_string(max_file_bytes >> 20) +
                     " MiB, which is the most that this program reads.");
    }
  }
  if (std::ferror(file.get())) fail(path, std::string("cannot be read (") + std::strerror(errno) + ").");
  return bytes;
}

}  // namespace

Picture read_png(std::string const& path) {
  auto const bytes = read_file(path);
  if (bytes.empty()) fail(path, "is empty.");
  if (bytes.size() < 8 || png_sig_cmp(bytes.data(), 0, 8) != 0) {
    fail(path, "is not a PNG file (its first bytes are not PNG's signature). Convert it to PNG first.");
  }

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  // Frees libpng's memory on every exit from this function.
  std::unique_ptr<png_image, decltype(&png_image_free)> guard(&image, &png_image_free);
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) {
    fail(path, std::string("is a damaged PNG file (") + image.message + ").");
  }
  if (std::int64_t(image.width) * image.height > max_pixels) {
    fail(path, "has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
                   " pixels; this program takes up to " + std::to_string(max_pixels) + ". Scale it down first.");
  }
  image.format = PNG_FORMAT_RGB;
  Picture picture(int(image.width), int(image.height), 3);
  png_color const white{255, 255, 255};
  if (!png_image_finish_read(&image, &white, picture.samples.data(), 0, nullptr)) {
    fail(path, std::string("is a damaged or truncated PNG file (") + image.message + ").");
  }
  return picture;
}

PngFiles::~PngFiles() {
  for (auto const& [temporary, final_name] : m_pending) std::remove(temporary.c_str());
}

void PngFiles::write(std::string const& path, Picture const& picture) {
  // In the same folder, because a rename is atomic only within one file system.
  std::string const temporary = path + ".part-" + std::to_string(getpid());
  File file(std::fopen(temporary.c_str(), "wb"));
  if (!file) fail(path, std::string("cannot be written (") + std::strerror(errno) + ").");
  m_pending.emplace_back(temporary, path);

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width   = png_uint_32(picture.width);
  image.height  = png_uint_32(picture.height);
  image.format  = picture.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  if (!png_image_write_to_stdio(&image, file.get(), 0, picture.samples.data(), 0, nullptr)) {
    fail(path, std::string("cannot be written (") + image.message + ").");
  }
  // Writing the buffered data may fail only now, if the disk is full.
  if (std::fclose(file.release()) != 0) fail(path, std::string("cannot be written (") + std::strerror(errno) + ").");
}

void PngFiles::commit() {
  while (!m_pending.empty()) {
    auto const [temporary, final_name] = m_pending.back();
    if (std::rename(temporary.c_str(), final_name.c_str()) != 0) {
      fail(final_name, std::string("cannot be written (") + std::strerror(errno) + ").");
    }
    m_pending.pop_back();
  }
}
