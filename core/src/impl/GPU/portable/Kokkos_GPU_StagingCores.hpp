// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_CORES_HPP
#define KOKKOS_GPU_STAGING_CORES_HPP

/// \file
/// The cores, number and start of the copy engine's threads.
///
/// If OMP_PROC_BIND is set, OpenMP runtimes bind the main thread to one place before `main`, so the mask of the calling
/// thread is not the mask of the process. The places of OpenMP list the cores that the process was allowed at its
/// start. Without OpenMP, the masks of the process's other threads give the same information. The engine's threads run
/// on all of these cores.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#ifdef __linux__
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#endif

#ifdef __linux__
// OpenMP's own functions; null in programs without an OpenMP runtime. They are declared under other names because
// <omp.h> may declare these.
extern "C" {
int kokkos_impl_omp_num_places() __asm__("omp_get_num_places") __attribute__((weak));
int kokkos_impl_omp_place_num_procs(int place) __asm__("omp_get_place_num_procs") __attribute__((weak));
void kokkos_impl_omp_place_proc_ids(int place, int* ids) __asm__("omp_get_place_proc_ids") __attribute__((weak));
}
#endif

namespace Kokkos::Impl {

/// A set of core numbers.
class CoreSet {
 public:
#ifdef __linux__
  CoreSet() { CPU_ZERO(&m_cores); }
  void add(int core) {
    if (core >= 0 && core < CPU_SETSIZE) CPU_SET(core, &m_cores);
  }
  void add(CoreSet const& other) { CPU_OR(&m_cores, &m_cores, &other.m_cores); }
  int count() const { return CPU_COUNT(&m_cores); }
  bool has(int core) const { return CPU_ISSET(core, &m_cores); }

  /// The cores of a thread of this process; 0 is the calling thread. Empty if the thread has ended.
  static CoreSet of_thread(int id) {
    CoreSet set;
    if (sched_getaffinity(id, sizeof set.m_cores, &set.m_cores) != 0) CPU_ZERO(&set.m_cores);
    return set;
  }
  /// Binds the calling thread to these cores, if the system allows it.
  void adopt() const {
    if (count() > 0) (void)pthread_setaffinity_np(pthread_self(), sizeof m_cores, &m_cores);
  }

 private:
  cpu_set_t m_cores;
#else
  void add(CoreSet const&) {}
  int count() const { return static_cast<int>(std::thread::hardware_concurrency()); }
  void adopt() const {}
#endif
};

/// The cores that the process may use, even if the calling thread is bound to fewer.
inline CoreSet process_cores() {
  CoreSet all;
#ifdef __linux__
  all = CoreSet::of_thread(0);
  if (kokkos_impl_omp_num_places && kokkos_impl_omp_place_num_procs && kokkos_impl_omp_place_proc_ids)
    for (int place = 0; place < kokkos_impl_omp_num_places(); ++place) {
      std::vector<int> ids(static_cast<std::size_t>(std::max(kokkos_impl_omp_place_num_procs(place), 0)));
      if (!ids.empty()) kokkos_impl_omp_place_proc_ids(place, ids.data());
      for (int id : ids) all.add(id);
    }
  if (DIR* const threads = opendir("/proc/self/task")) {
    while (dirent const* entry = readdir(threads))
      if (int const id = std::atoi(entry->d_name)) all.add(CoreSet::of_thread(id));
    closedir(threads);
  }
#endif
  return all;
}

/// The CPU quota of a control group in cores, from the text of `cpu.max`: "200000 100000" is two. 0: no quota.
inline double cores_of_quota(std::string const& cpu_max) {
  double quota = 0, period = 0;
  if (std::sscanf(cpu_max.c_str(), "%lf %lf", &quota, &period) != 2 || period <= 0) return 0;
  return quota / period;
}

/// The quota of this process: the minimum over its group and the enclosing groups (version 2 of control groups).
inline double process_quota([[maybe_unused]] std::string const& root = "") {
  double least = 0;
#ifdef __linux__
  const auto first_line = [](std::string const& path, const char* start) {
    std::string found;
    if (std::FILE* const file = std::fopen(path.c_str(), "r")) {
      char line[4096];
      while (found.empty() && std::fgets(line, sizeof line, file))
        if (std::strncmp(line, start, std::strlen(start)) == 0) found = line + std::strlen(start);
      std::fclose(file);
    }
    return found.substr(0, found.find('\n'));
  };
  std::string group = first_line(root + "/proc/self/cgroup", "0::");
  for (;;) {
    double const cores = cores_of_quota(first_line(root + "/sys/fs/cgroup" + group + "/cpu.max", ""));
    if (cores > 0 && (least == 0 || cores < least)) least = cores;
    if (group.empty()) return least;
    group.erase(std::min(group.rfind('/'), group.size()));
  }
#endif
  return least;
}

/// Number of staging threads for `cores` cores and a quota in cores (0: none): the setting, or half of the cores up to
/// eight. None on one or two cores, where the runtime's own copies are as fast.
inline int staging_thread_count(CopySettings const& settings, int cores, double quota) {
  constexpr int most = 8;
  if (settings.threads > 0) return settings.threads;
  if (quota > 0) cores = std::min(cores, std::max(static_cast<int>(quota), 1));
  return cores <= 2 ? 0 : std::min(cores / 2, most);
}

/// Starts a thread of the engine on `cores`, with a name. It blocks all signals, so that the system delivers to it no
/// signal that the program handles on another thread. \throws std::system_error if no more threads can be created
template <class Work>
std::thread start_staging_thread(CoreSet const& cores, Work work) {
#ifdef __linux__
  // A thread inherits the mask of its creator: setting the mask in the new thread would be too late for an immediate
  // signal.
  struct SignalsBlocked {
    SignalsBlocked() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    sigset_t before;
  } const blocked;
#endif
  return std::thread([cores, work = std::move(work)] {
#ifdef __linux__
    (void)pthread_setname_np(pthread_self(), "kokkos-staging");
#endif
    cores.adopt();
    work();
  });
}

}  // namespace Kokkos::Impl

#endif
