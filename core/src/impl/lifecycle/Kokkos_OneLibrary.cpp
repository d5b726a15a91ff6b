// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Refuses a second library with the interface of Kokkos in the process.
///
/// All of these libraries define Kokkos::initialize and some hundred functions more under the same names. The loader
/// binds a call to the first definition in the global scope, so that a program with two of them initializes one and
/// launches kernels of the other. Two libraries that were both loaded with RTLD_LOCAL do not see each other.
///
/// The check runs when this library is loaded, and for libraries that were loaded since in Kokkos::initialize and in
/// Kokkos::is_initialized, which code of the other library calls before it creates a view. It calls no exported function
/// of Kokkos, because that may be the other library's.

#include <Kokkos_Macros.hpp>
#include <impl/runtime/Kokkos_OneLibrary.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#if defined(__linux__) && defined(KOKKOS_ENABLE_LIBDL)
#include <dlfcn.h>
#include <link.h>

namespace Kokkos::Impl {
namespace {

/// The name of the file that contains the core library of any Kokkos, without its version.
constexpr std::string_view core_library = "libkokkoscore.so";
/// Kokkos::initialize(int&, char**), as all of them export it.
constexpr char initialize_symbol[] = "_ZN6Kokkos10initializeERiPPc";

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// An address in this library.
char const own_address = 0;

bool contains_this_library(dl_phdr_info const& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    auto const& segment = object.dlpi_phdr[i];
    auto const offset   = reinterpret_cast<ElfW(Addr)>(&own_address) - object.dlpi_addr - segment.p_vaddr;
    if (segment.p_type == PT_LOAD && offset < segment.p_memsz) return true;
  }
  return false;
}

/// The number of objects that had been loaded at the last check which found no other library.
std::atomic<unsigned long long> checked_objects{0};

struct Search {
  unsigned long long objects = 0;  ///< that the loader has loaded
  std::string other;               ///< the path of another core library
};

/// For dl_iterate_phdr, which calls it for each object until the result is not 0.
int find_other(dl_phdr_info* object, std::size_t, void* argument) {
  auto& search   = *static_cast<Search*>(argument);
  search.objects = object->dlpi_adds;
  if (search.objects == checked_objects.load(std::memory_order_relaxed)) return 1;
  if (!file_name(object->dlpi_name).starts_with(core_library) || contains_this_library(*object)) return 0;
  search.other = object->dlpi_name;
  return 1;
}

/// Whether a Kokkos library is in the global scope, where calls of all libraries find it.
bool global_scope_has_kokkos() {
  void* const program = dlopen(nullptr, RTLD_LAZY);
  bool const has      = program != nullptr && dlsym(program, initialize_symbol) != nullptr;
  if (program != nullptr) dlclose(program);
  return has;
}

std::string own_path() {
  Dl_info found;
  return dladdr(&own_address, &found) != 0 && found.dli_fname != nullptr ? found.dli_fname : "the program";
}

[[noreturn]] void refuse(std::string const& sentences) {
  std::fprintf(stderr, "Kokkos: %s\n", sentences.c_str());
  std::abort();
}

/// Whether this library has the file name of another release, such as libkokkoscore.so.5.2.
bool has_foreign_name(std::string_view path) {
  std::string_view const name = file_name(path);
  if (!name.starts_with(core_library) || name.size() < core_library.size() + 2) return false;
  char const version = name[core_library.size() + 1];
  return version >= '0' && version <= '9';
}

}  // namespace

void refuse_other_library() noexcept {
  Search search;
  dl_iterate_phdr(find_other, &search);
  if (search.other.empty()) {
    checked_objects.store(search.objects, std::memory_order_relaxed);
    return;
  }
  if (!global_scope_has_kokkos()) return;
  refuse("two libraries with the interface of Kokkos are in this process: Kokkos Steadfast in " + own_path() +
         ", and " + search.other +
         ". Their functions have the same names, so calls would reach the wrong one. Link the program and all its "
         "libraries with one of the two; `ldd` shows which library needs which.");
}

static bool check_when_loaded() {
  std::string const own = own_path();
  if (has_foreign_name(own))
    refuse(own +
           " is Kokkos Steadfast under the file name of another Kokkos library. Programs that were linked to the other "
           "one cannot use it: remove this name, and link the program with Kokkos Steadfast.");
  refuse_other_library();
  return true;
}
[[maybe_unused]] static bool const checked_when_loaded = check_when_loaded();

}  // namespace Kokkos::Impl

#else
void Kokkos::Impl::refuse_other_library() noexcept {}
#endif
