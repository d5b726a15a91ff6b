// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>
#include <impl/runtime/doctor/Kokkos_SystemFiles.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace Kokkos::Impl {

std::vector<std::string> split(std::string const& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::string> split_words(std::string const& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string next; stream >> next;) words.push_back(next);
  return words;
}

std::string word(std::string const& text, std::size_t i) {
  auto const words = split_words(text);
  return i < words.size() ? words[i] : std::string();
}

std::vector<int> parse_number_list(std::string const& text) {
  constexpr int longest = 1 << 16;  // the largest length of a range; a longer one is not a list of processors
  std::vector<int> numbers;
  for (std::string const& part : split(text, ',')) {
    int first = 0, last = 0;
    char const* const end = part.data() + part.size();
    auto [p, error]       = std::from_chars(part.data(), end, first);
    if (error != std::errc()) return {};
    last = first;
    if (p != end && *p == '-') {
      if (std::from_chars(p + 1, end, last).ec != std::errc()) return {};
    }
    if (last < first || last - first > longest) return {};
    for (int n = first; n <= last; ++n) numbers.push_back(n);
  }
  return numbers;
}

std::vector<std::string> SystemFiles::lines(std::string const& path) const {
  std::vector<std::string> found;
  std::ifstream file(at(path));
  for (std::string line; std::getline(file, line);) found.push_back(line);
  return found;
}

std::string SystemFiles::first_line(std::string const& path) const {
  std::ifstream file(at(path));
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<std::string> SystemFiles::names_in(std::string const& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(at(folder), error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool SystemFiles::is_folder(std::string const& path) const {
  struct stat info;
  return ::stat(at(path).c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool SystemFiles::is_link(std::string const& path) const {
  struct stat info;
  return ::lstat(at(path).c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

SystemFiles::Access SystemFiles::access_of(std::string const& path) const {
  struct stat info;
  if (::stat(at(path).c_str(), &info) != 0) return {};
  return {true, info.st_mode & 0777u, std::int64_t(info.st_uid), std::int64_t(info.st_gid)};
}

// Caches with file locks work badly on each of these.
char const* network_of_type(std::uint64_t type) {
  static constexpr std::pair<std::uint32_t, char const*> networks[] = {
      {0x6969, "NFS"},      {0xff534d42, "SMB"},    {0xfe534d42, "SMB"}, {0x0bd00bd0, "Lustre"},
      {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"}, {0x5346414f, "AFS"}, {0x00c36400, "Ceph"},
  };
  for (auto const& [number, name] : networks)
    if (number == static_cast<std::uint32_t>(type)) return name;
  return "";
}

namespace {

std::string folder_above(std::string const& path) {
  std::size_t const slash = path.find_last_of('/');
  return slash == std::string::npos || slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

void SystemFiles::examine_folder(CacheFolder& cache) const {
  std::string path = cache.path;
  struct stat info;
  while (::stat(at(path).c_str(), &info) != 0) {
    if ((errno != ENOENT && errno != ENOTDIR) || path == "/") {
      cache.state  = FolderState::not_writable;
      cache.reason = std::strerror(errno);
      return;
    }
    path = folder_above(path);
  }
  struct statfs system;
  cache.network =
      ::statfs(at(path).c_str(), &system) == 0 ? network_of_type(static_cast<std::uint64_t>(system.f_type)) : "";
  cache.state = path == cache.path ? FolderState::writable : FolderState::creatable;
  if (!S_ISDIR(info.st_mode)) errno = ENOTDIR;
  if (!S_ISDIR(info.st_mode) || ::access(at(path).c_str(), W_OK | X_OK) != 0) {
    cache.state  = FolderState::not_writable;
    cache.reason = std::strerror(errno) + std::string(path == cache.path ? "" : ", of " + path);
    return;
  }
  struct statvfs space;
  if (::statvfs(at(path).c_str(), &space) == 0 && space.f_blocks > 0 && space.f_bavail == 0)
    cache.state = FolderState::full;
}

}  // namespace Kokkos::Impl
