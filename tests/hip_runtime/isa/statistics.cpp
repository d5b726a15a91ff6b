// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statistics.hpp"

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

namespace hip_model::isa {

namespace {

struct Total {
  std::mutex mutex;
  Counts counts;
  std::set<std::string> mnemonics;
  double seconds = 0;

  static Total& get() {
    static auto* total = new Total;
    return *total;
  }
  void write(char const* path) {
    std::FILE* file = std::fopen(path, "a");
    if (!file) return;
    char program[256] = {};
    if (::readlink("/proc/self/exe", program, sizeof program - 1) < 0) program[0] = 0;
    std::fprintf(
        file,
        "%s kernels=%llu workgroups=%llu instructions=%llu lane_instructions=%llu seconds=%.3f mnemonics=", program,
        static_cast<unsigned long long>(counts.kernels), static_cast<unsigned long long>(counts.workgroups),
        static_cast<unsigned long long>(counts.instructions), static_cast<unsigned long long>(counts.lane_instructions),
        seconds);
    for (auto const& name : mnemonics) std::fprintf(file, "%s%s", name == *mnemonics.begin() ? "" : ",", name.c_str());
    std::fprintf(file, "\n");
    std::fclose(file);
  }

 private:
  Total() {
    if (std::getenv("HIP_MODEL_ISA_STATISTICS"))
      std::atexit([] { get().write(std::getenv("HIP_MODEL_ISA_STATISTICS")); });
  }
};

double thread_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

void add_counts(Counts const& c) {
  Total& total = Total::get();
  std::lock_guard<std::mutex> const lock(total.mutex);
  total.counts.kernels += c.kernels;
  total.counts.workgroups += c.workgroups;
  total.counts.instructions += c.instructions;
  total.counts.lane_instructions += c.lane_instructions;
}

void add_mnemonic(std::string const& name) {
  Total& total = Total::get();
  std::lock_guard<std::mutex> const lock(total.mutex);
  total.mnemonics.insert(name);
}

Timer::Timer() : m_begin(thread_seconds()) {}

Timer::~Timer() {
  double const seconds = thread_seconds() - m_begin;
  Total& total         = Total::get();
  std::lock_guard<std::mutex> const lock(total.mutex);
  total.seconds += seconds;
}

}  // namespace hip_model::isa
