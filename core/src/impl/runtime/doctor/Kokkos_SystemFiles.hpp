// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_DOCTOR_SYSTEM_FILES_HPP
#define KOKKOS_RUNTIME_DOCTOR_SYSTEM_FILES_HPP

/// \file
/// Files of the system, below a root that tests can set, and the words in these files.

#include <cstdint>
#include <string>
#include <vector>

namespace Kokkos::Impl {
struct CacheFolder;
}

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

std::vector<std::string> split(std::string const& text, char separator);
std::vector<std::string> split_words(std::string const& text);
/// The i-th word, or an empty string.
std::string word(std::string const& text, std::size_t i);
/// The numbers of a list such as "0-3,8"; empty if the text is not such a list.
std::vector<int> parse_number_list(std::string const& text);

/// Read-only access to absolute paths below a root. The result is empty if a file cannot be read.
class SystemFiles {
 public:
  explicit SystemFiles(std::string root) : m_root(std::move(root)) {}

  std::vector<std::string> lines(std::string const& path) const;
  std::string first_line(std::string const& path) const;
  /// The names in a folder, in alphabetical order.
  std::vector<std::string> names_in(std::string const& folder) const;
  bool is_folder(std::string const& path) const;
  bool is_link(std::string const& path) const;

  struct Access {
    bool exists        = false;
    unsigned mode      = 0;
    std::int64_t owner = -1, group = -1;
  };
  Access access_of(std::string const& path) const;

  /// Fills state, reason and network of a folder whose path is set. A folder that does not exist is creatable if the
  /// nearest existing folder above it is writable. Only queries the system; writes nothing.
  void examine_folder(CacheFolder& cache) const;

 private:
  std::string at(std::string const& path) const { return m_root + path; }
  std::string m_root;
};

/// The name of the network file system with this number in the kernel's statfs(2); "" for other file systems.
char const* network_of_type(std::uint64_t type);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
