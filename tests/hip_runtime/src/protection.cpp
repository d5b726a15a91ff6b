// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "protection.hpp"

#include "fork.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HIP_MODEL_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define HIP_MODEL_THREAD_SANITIZER
#endif

namespace hip_model {

namespace {

// The thread sanitizer holds a lock of its own while it does an atomic operation, and a handler of a signal in it would wait
// for that lock.
#if defined(HIP_MODEL_THREAD_SANITIZER)
constexpr bool opens_all_at_once = true;
#else
constexpr bool opens_all_at_once = false;
#endif

struct Region {
  std::size_t bytes;
  bool open              = false;
  char* opened_before_it = nullptr;
};

/// Work opens each region that it touches, by a signal. Opening all of them would take a call for each, and a program may
/// have a thousand, most of them freed. Never destroyed: memory is freed until the program has ended.
struct Protection {
  ForkedMutex mutex;
  std::map<char*, Region> regions;
  char* last_opened = nullptr;  // a list, because a handler of a signal must not allocate memory
  int accesses      = 0;

  static Protection& get() {
    static auto* const protection = new Protection;
    return *protection;
  }
  bool open(char* address) {
    auto at = regions.upper_bound(address);
    if (accesses == 0 || at == regions.begin()) return false;
    auto& [first, region] = *--at;
    if (address >= first + region.bytes) return false;
    if (region.open) return true;  // by another thread, meanwhile
    if (::mprotect(first, region.bytes, PROT_READ | PROT_WRITE) != 0) return false;
    region.open             = true;
    region.opened_before_it = last_opened;
    last_opened             = first;
    return true;
  }
  void open_all() {
    for (auto const& [first, region] : regions) open(first);
  }
  void close() {
    while (last_opened) {
      Region& region = regions.at(last_opened);
      ::mprotect(last_opened, region.bytes, PROT_NONE);
      region.open = false;
      last_opened = region.opened_before_it;
    }
  }
  void forget(char* first) {
    for (char** link = &last_opened; *link; link = &regions.at(*link).opened_before_it)
      if (*link == first) {
        *link = regions.at(first).opened_before_it;
        break;
      }
    regions.erase(first);
  }
};

// Of all protected memory so far, for the handler of a signal, which locks a mutex only if the access was there.
std::atomic<std::uintptr_t> lowest{UINTPTR_MAX}, highest{0};
struct sigaction earlier;

/// Opens the memory if work runs. Otherwise says what the access was, and lets it fail again, now for the handler that the
/// program had, such as a sanitizer's.
void on_access(int, siginfo_t* info, void*) {
  auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (address >= lowest && address < highest) {
    {
      Protection& protection = Protection::get();
      std::lock_guard<std::mutex> lock(protection.mutex);
      if (protection.open(static_cast<char*>(info->si_addr))) return;
    }
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
  if (protection.accesses++ == 0 && opens_all_at_once) protection.open_all();
}
DeviceMemoryAccess::~DeviceMemoryAccess() {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  if (--protection.accesses == 0) protection.close();
}

void protect_memory(void* pages, std::size_t bytes) {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  if (highest == 0) {
    struct sigaction action = {};
    action.sa_sigaction     = &on_access;
    action.sa_flags         = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &action, &earlier);
    std::atexit([] {
      static auto* const rest = new DeviceMemoryAccess;
      (void)rest;
      // LeakSanitizer reads all memory, where no handler runs.
      Protection& all = Protection::get();
      std::lock_guard<std::mutex> lock_of_all(all.mutex);
      all.open_all();
    });
  }
  auto const first = reinterpret_cast<std::uintptr_t>(pages);
  if (first < lowest) lowest = first;
  if (first + bytes > highest) highest = first + bytes;
  protection.regions.insert({static_cast<char*>(pages), Region{bytes}});
  ::mprotect(pages, bytes, PROT_NONE);
  if (opens_all_at_once) protection.open(static_cast<char*>(pages));
}

void unprotect_memory(void* pages) {
  Protection& protection = Protection::get();
  std::lock_guard<std::mutex> lock(protection.mutex);
  auto const at = protection.regions.find(static_cast<char*>(pages));
  if (at == protection.regions.end()) return;
  ::mprotect(pages, at->second.bytes, PROT_READ | PROT_WRITE);
  protection.forget(at->first);
}

}  // namespace hip_model
