// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace {

std::string reason(int error) { return std::string(" (") + std::strerror(error) + ")."; }

}  // namespace

InputFile::InputFile(std::string const& path) : m_path(path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw std::runtime_error(path + ": is a folder, not a file.");
  m_file.reset(std::fopen(path.c_str(), "rb"));
  if (!m_file) throw std::runtime_error(path + ": cannot be opened" + reason(errno));
  std::setvbuf(m_file.get(), nullptr, _IONBF, 0);  // chunks are large: a buffer would add a copy
  if (std::filesystem::is_regular_file(path, ignored)) m_size = std::filesystem::file_size(path, ignored);
}

std::size_t InputFile::read(void* to, std::size_t most) {
  errno                   = 0;
  std::size_t const bytes = std::fread(to, 1, most, m_file.get());
  if (bytes < most && std::ferror(m_file.get())) throw std::runtime_error(m_path + ": cannot be read" + reason(errno));
  return bytes;
}

OutputFile::OutputFile(std::string const& path) : m_path(path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw std::runtime_error(path + ": is a folder; --out names a file.");
  if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored)) m_part = path + ".part";
  m_file.reset(std::fopen(m_part.empty() ? path.c_str() : m_part.c_str(), "wb"));
  if (!m_file) {
    m_part.clear();
    throw std::runtime_error(path + ": cannot be opened for writing" + reason(errno));
  }
  std::setvbuf(m_file.get(), nullptr, _IONBF, 0);
}

OutputFile::~OutputFile() {
  if (m_part.empty()) return;
  m_file.reset();
  std::remove(m_part.c_str());
}

void OutputFile::fail(int error) const { throw std::runtime_error(m_path + ": cannot be written" + reason(error)); }

void OutputFile::write(void const* from, std::size_t bytes) {
  errno = 0;
  if (std::fwrite(from, 1, bytes, m_file.get()) != bytes) fail(errno);
}

void OutputFile::commit() {
  if (std::fclose(m_file.release()) != 0) fail(errno);
  if (m_part.empty()) return;
  if (std::rename(m_part.c_str(), m_path.c_str()) != 0) fail(errno);
  m_part.clear();
}
