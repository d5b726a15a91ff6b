// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "object.hpp"

#include "fork.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace hip_model {

void History::add(Call const& call, char const* what) {
  Line const line{what, call.name(), call.number(), this_thread().number};
  if (!m_first.call)
    m_first = line;
  else
    m_last[m_count++ % kept] = line;
}

std::string History::line_text(Line const& line) {
  return std::string("  ") + line.what + " by call " + std::to_string(line.number) + ", " + line.call + ", thread " +
         std::to_string(line.thread) + "\n";
}

std::string History::text() const {
  if (!m_first.call) return {};
  std::string all       = line_text(m_first);
  unsigned const hidden = m_count > kept ? m_count - kept : 0;
  if (hidden) all += "  ... " + std::to_string(hidden) + " more ...\n";
  for (unsigned i = hidden; i < m_count; ++i) all += line_text(m_last[i % kept]);
  return all;
}

Object::Object(char const* k) : kind(k) {
  static std::atomic<std::uint64_t> last{0};
  id = ++last;
}

std::string Object::name() const { return std::string(kind) + " " + std::to_string(id); }

namespace {
struct Values {
  ForkedMutex mutex;
  char* next = nullptr;
  char* end  = nullptr;
  std::vector<void*> returned;
  bool reuse = std::getenv("HIP_MODEL_REUSE_HANDLES") != nullptr;
};
Values& values() {
  static Values* v = new Values;
  return *v;
}
constexpr std::size_t region = std::size_t(1) << 36, step = 16;
}  // namespace

// Unused address space costs nothing; 2^32 handles fit into one region.
void* HandleValues::take() {
  Values& v = values();
  std::lock_guard<std::mutex> lock(v.mutex);
  if (!v.returned.empty()) {
    void* last = v.returned.back();
    v.returned.pop_back();
    return last;
  }
  if (v.next == v.end) {
    void* p = mmap(nullptr, region, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
      std::fputs("HIP model (a test instrument, not a GPU): no address space left for handles.\n", stderr);
      std::abort();
    }
    v.next = static_cast<char*>(p);
    v.end  = v.next + region;
  }
  return std::exchange(v.next, v.next + step);
}

void HandleValues::give_back(void* value) {
  Values& v = values();
  std::lock_guard<std::mutex> lock(v.mutex);
  if (v.reuse) v.returned.push_back(value);
}

void HandleValues::reuse(bool yes) {
  Values& v = values();
  std::lock_guard<std::mutex> lock(v.mutex);
  v.reuse = yes;
  v.returned.clear();
}

}  // namespace hip_model
