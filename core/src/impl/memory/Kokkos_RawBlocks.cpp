// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The register of blocks from kokkos_malloc.

#include <Kokkos_MemoryManagement.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstring>
#include <mutex>
#include <sstream>
#include <unordered_map>

namespace Kokkos::Impl {

namespace {

struct Entry {
  char const* space;
  RawBlock block;
};

/// The lock guards only the map; no other lock is taken while it is held.
struct Register {
  std::mutex lock;
  std::unordered_map<void*, Entry> blocks;
};

/// Never destroyed: static objects may free memory at the end of the program.
Register& raw_blocks() {
  static Register& the_register = *new Register;
  return the_register;
}

[[noreturn]] void throw_no_block(char const* function, char const* space, void* p, char const* found_in) {
  std::ostringstream text;
  text << function << " was given " << p << ", which ";
  if (found_in != nullptr) {
    text << "was allocated in the memory space " << found_in << ", not in " << space;
  } else {
    text << "is not the address of a block that kokkos_malloc or kokkos_realloc returned and that is still allocated";
  }
  text << ". Free each block once, by the address that was returned, and specify the same memory space.";
  throw_runtime_exception(text.str());
}

}  // namespace

void remember_raw_block(char const* space, void* p, std::size_t bytes, std::string const& label) {
  Register& known = raw_blocks();
  std::lock_guard guard(known.lock);
  known.blocks.insert_or_assign(p, Entry{space, {bytes, label}});
}

RawBlock find_raw_block(char const* function, char const* space, void* p, bool forget) {
  Register& known = raw_blocks();
  std::unique_lock guard(known.lock);
  auto const found = known.blocks.find(p);
  // Messages are composed without the lock.
  if (found == known.blocks.end()) {
    guard.unlock();
    throw_no_block(function, space, p, nullptr);
  }
  if (std::strcmp(found->second.space, space) != 0) {
    char const* const found_in = found->second.space;
    guard.unlock();
    throw_no_block(function, space, p, found_in);
  }
  RawBlock block = found->second.block;
  if (forget) known.blocks.erase(found);
  return block;
}

}  // namespace Kokkos::Impl
