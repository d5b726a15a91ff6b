// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "protection.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

namespace hip_model {

namespace {

/// Never destroyed: memory is freed until the program has ended.
struct Protection {
  std::mutex mutex;
  std::map<char*, std::size_t> pages;
  int accesses = 0;

  static Protection& get() {
    static auto* const protection = new Protection;
    return *protection;
  }
  void set(int access) const {
    for (auto const& [first, bytes] : pages) ::mprotect(first, bytes, access);
  }
};

// Of all protected memory so far, for the handler of a signal, which must not lock a mutex.
std::atomic<std::uintptr_t> lowest{UINTPTR_MAX}, highest{0};
struct sigaction earlier;

/// Says what the access was, and lets it fail again, now for the handler that the program had, such as a sanitizer's.
void say_why(int, siginfo_t* info, void*) {
  auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (address >= lowest && address < highest) {
    constexpr char text[] =
        "HIP model (a test instrument, not a GPU): host code accesses device memory while no work runs.\n";
    (void)!::write(STDERR_FILENO, text, sizeof text - 1);
  }
  ::sigaction(SIGSEGV, &earlier, nullptr);
}

}  // namespace

DeviceMemoryAccess::DeviceMemoryAccess() {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  if (protection.accesses++ == 0) protection.set(PROT_READ | PROT_WRITE);
}
DeviceMemoryAccess::~DeviceMemoryAccess() {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  if (--protection.accesses == 0) protection.set(PROT_NONE);
}

void protect_memory(void* pages, std::size_t bytes) {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  if (highest == 0) {
    struct sigaction action = {};
    action.sa_sigaction     = &say_why;
    action.sa_flags         = SA_SIGINFO;
    ::sigaction(SIGSEGV, &action, &earlier);
    std::atexit([] {
      static auto* const rest = new DeviceMemoryAccess;
      (void)rest;
    });  // LeakSanitizer reads all memory
  }
  auto const first = reinterpret_cast<std::uintptr_t>(pages);
  if (first < lowest) lowest = first;
  if (first + bytes > highest) highest = first + bytes;
  protection.pages[static_cast<char*>(pages)] = bytes;
  if (protection.accesses == 0) ::mprotect(pages, bytes, PROT_NONE);
}

void unprotect_memory(void* pages) {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  auto const at = protection.pages.find(static_cast<char*>(pages));
  if (at == protection.pages.end()) return;
  ::mprotect(pages, at->second, PROT_READ | PROT_WRITE);
  protection.pages.erase(at);
}

}  // namespace hip_model
