// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PIPELINE_FILES_HPP
#define PIPELINE_FILES_HPP

/// \file
/// Files that are read and written in pieces. All errors are std::runtime_error with the file's name and the reason.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

class InputFile {
 public:
  explicit InputFile(std::string const& path);
  /// Size in bytes at the time of opening; 0 if it is unknown, as for pipes.
  std::uint64_t size() const { return m_size; }
  /// Reads up to `most` bytes; fewer only at the end of the file.
  std::size_t read(void* to, std::size_t most);

 private:
  std::string m_path;
  FileHandle m_file;
  std::uint64_t m_size = 0;
};

/// Writes to `<path>.part`, which replaces the file when it is complete; after an error it is removed. Special files
/// such as /dev/null are written directly.
class OutputFile {
 public:
  explicit OutputFile(std::string const& path);
  ~OutputFile();
  OutputFile(OutputFile const&)            = delete;
  OutputFile& operator=(OutputFile const&) = delete;
  void write(void const* from, std::size_t bytes);
  /// Must be called after the last write.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string m_path, m_part;
  FileHandle m_file;
};

#endif
