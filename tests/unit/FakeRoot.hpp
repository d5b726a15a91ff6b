// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_FAKE_ROOT_HPP
#define KOKKOS_FAKE_ROOT_HPP

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <unistd.h>

namespace Kokkos::Testing {

/// A folder that replaces the root of a machine.
class FakeRoot {
 public:
  FakeRoot() : m_path(std::filesystem::temp_directory_path() / ("kokkos_fake_root_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(m_path);
    std::filesystem::create_directories(m_path);
  }
  ~FakeRoot() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  FakeRoot(FakeRoot const&)            = delete;
  FakeRoot& operator=(FakeRoot const&) = delete;

  std::string path() const { return m_path.string(); }
  std::filesystem::path at(std::string const& absolute) const { return m_path.string() + absolute; }
  void write(std::string const& absolute, std::string const& text) const {
    std::filesystem::create_directories(at(absolute).parent_path());
    std::ofstream(at(absolute)) << text << '\n';
  }

 private:
  std::filesystem::path m_path;
};

}  // namespace Kokkos::Testing

#endif
