// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_KERNEL_WATCH_HPP
#define KOKKOS_TEST_KERNEL_WATCH_HPP

/// \file
/// Checks that the kernels of a call run in one instance, as tools see them. With the default instance, a function that
/// ignores its argument is right, too; so use one of two partitions. Each checked call also gets a line in a journal of what
/// it costs (Journal.hpp): kernels, fences, allocations, copies, and on the HIP model the shapes of launches. So a test detects
/// a lost label, a kernel more or less, another number of bytes, and another shape of a launch.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "Journal.hpp"

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <hip_model.hpp>
#endif

namespace Kokkos::Testing {

/// The events of one call, as text.
class Events {
 public:
  /// \param stream of the instance `own`; null for a host's
  Events(std::uint32_t own, void const* stream) : m_own(own), m_stream(stream) {
#ifdef KOKKOS_IMPL_GPU_MODEL
    m_launches_before    = hip_model::call_count("hipLaunchKernel");
    m_submissions_before = hip_model::submission_count();
#endif
  }

  void add(std::string const& what, std::string const& label) { m_lines.push_back(what + " \"" + label + '"'); }
  void add(std::string const& what, std::string const& label, std::uint32_t device) {
    add(what, label);
    m_lines.back() += " in " + name_of(device);
  }

  /// The call has returned. Adds its launches.
  void end() {
#ifdef KOKKOS_IMPL_GPU_MODEL
    EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);  // the model records launches when they run
    auto const all      = hip_model::launches();
    std::size_t const n = hip_model::call_count("hipLaunchKernel") - m_launches_before;
    for (std::size_t i = all.size() - std::min(n, all.size()); i < all.size(); ++i)
      m_launches += " " + shape(all[i].grid) + '/' + shape(all[i].block) +
                    (all[i].shared > 0 ? '+' + std::to_string(all[i].shared) : "");
    auto const work        = hip_model::submissions();
    std::size_t const more = std::min(work.size(), hip_model::submission_count() - m_submissions_before);
    for (std::size_t i = work.size() - more; i < work.size(); ++i)
      m_lines.push_back("gives " + std::string(work[i].what) +
                        (work[i].bytes > 0 ? " of " + std::to_string(work[i].bytes) : "") + " to " +
                        (work[i].stream == m_stream ? "its stream" : "another stream"));
#endif
  }

  /// A line for each event; those that follow each other are counted.
  std::string text() const {
    std::string result;
    for (std::size_t i = 0, n; i < m_lines.size(); i += n) {
      for (n = 1; i + n < m_lines.size() && m_lines[i + n] == m_lines[i];) ++n;
      result += "  " + (n > 1 ? std::to_string(n) + " times " : "") + m_lines[i] + '\n';
    }
    return result + (m_launches.empty() ? "" : "  launches" + m_launches + '\n');
  }

 private:
  std::string name_of(std::uint32_t device) const {
    namespace Tools = Kokkos::Tools::Experimental;
    if (device == m_own) return "its instance";
    auto const id = Tools::identifier_from_devid(device), own = Tools::identifier_from_devid(m_own);
    if (id.type != own.type) return "another backend";
    if (id.instance_id == Tools::int_for_synchronization_reason(Tools::GlobalDeviceSynchronization)) return "all";
    return device == Tools::device_id(Kokkos::DefaultExecutionSpace()) ? "the default instance" : "another instance";
  }
  static std::string shape(unsigned const (&n)[3]) {
    return std::to_string(n[0]) + 'x' + std::to_string(n[1]) + 'x' + std::to_string(n[2]);
  }

  std::uint32_t m_own;
  [[maybe_unused]] void const* m_stream;
  std::vector<std::string> m_lines;
  std::string m_launches;
  [[maybe_unused]] std::size_t m_launches_before = 0, m_submissions_before = 0;
};

/// Records the kernels and fences that begin while it exists, the kernels with the numbers of their instances; and all events
/// for the journal. One exists at a time.
class KernelWatch {
 public:
  struct Kernel {
    std::string name;
    std::uint32_t device;
  };
  /// \param own the instance that the journal calls "own"
  template <class Space>
  explicit KernelWatch(Space const& own) {
    seen().clear();
    order().clear();
    void const* stream = nullptr;
    if constexpr (requires { own.hip_stream(); }) stream = own.hip_stream();
    events() = Events(Kokkos::Tools::Experimental::device_id(own), stream);
    set(true);
  }
  ~KernelWatch() { set(false); }
  KernelWatch(KernelWatch const&)            = delete;
  KernelWatch& operator=(KernelWatch const&) = delete;

  /// The kernels of this watch, or of the last one.
  static std::vector<Kernel>& seen() {
    static std::vector<Kernel> kernels;
    return kernels;
  }
  /// 'k' for each kernel and 'f' for each fence, in their order.
  static std::string& order() {
    static std::string events;
    return events;
  }
  /// All events.
  static Events& events() {
    static Events events(0, nullptr);
    return events;
  }

 private:
  static void see_fence(char const* name, std::uint32_t device, std::uint64_t* fence) {
    *fence = 0;
    order() += 'f';
    events().add("fence", name, device);
  }
  template <int Pattern>
  static void see(char const* name, std::uint32_t device, std::uint64_t* kernel) {
    *kernel = 0;
    seen().push_back({name, device});
    order() += 'k';
    events().add(Pattern == 0 ? "for" : Pattern == 1 ? "reduce" : "scan", name, device);
  }
  static void see_memory(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
    events().add("allocate " + std::to_string(bytes) + " for", label);
  }
  static void see_release(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
    events().add("release " + std::to_string(bytes) + " of", label);
  }
  static void see_copy(Kokkos_Profiling_SpaceHandle, char const* to, void const*, Kokkos_Profiling_SpaceHandle,
                       char const* from, void const*, std::uint64_t bytes) {
    events().add("copy " + std::to_string(bytes) + " to", std::string(to) + "\" from \"" + from);
  }
  static void set(bool on) {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_fence_callback(on ? see_fence : nullptr);
    Tools::set_begin_parallel_for_callback(on ? see<0> : nullptr);
    Tools::set_begin_parallel_reduce_callback(on ? see<1> : nullptr);
    Tools::set_begin_parallel_scan_callback(on ? see<2> : nullptr);
    Tools::set_allocate_data_callback(on ? see_memory : nullptr);
    Tools::set_deallocate_data_callback(on ? see_release : nullptr);
    Tools::set_begin_deep_copy_callback(on ? see_copy : nullptr);
  }
};

/// Two instances that share the resources of the default one; neither is the default one.
template <class Space>
std::vector<Space> two_partitions() {
  auto const parts = Kokkos::Experimental::partition_space(Space(), std::vector<int>{1, 1});
  EXPECT_NE(Kokkos::Tools::Experimental::device_id(parts[1]), Kokkos::Tools::Experimental::device_id(Space()));
  return parts;
}

/// Expects that `call` runs all kernels of the kind of `exec` in `exec`; returns their number. A kernel that initializes the
/// host's side of a view for a device is of another kind.
template <class Space, class Call>
int expect_no_kernels_elsewhere(Space const& exec, std::string const& what, Call const& call) {
  std::uint32_t const device = Kokkos::Tools::Experimental::device_id(exec);
  {
    KernelWatch const watch(exec);
    call();
    KernelWatch::events().end();
  }
  Journal::of_this_test().add(what, KernelWatch::events().text());
  exec.fence();
  namespace Tools     = Kokkos::Tools::Experimental;
  auto const kind     = Tools::identifier_from_devid(device).type;
  int kernels_of_kind = 0;
  for (KernelWatch::Kernel const& kernel : KernelWatch::seen()) {
    if (Tools::identifier_from_devid(kernel.device).type != kind) continue;
    ++kernels_of_kind;
    EXPECT_EQ(kernel.device, device) << what << ": the kernel " << kernel.name << " ran in another instance";
  }
  return kernels_of_kind;
}

/// Like `expect_no_kernels_elsewhere` above; expects at least one kernel.
template <class Space, class Call>
void expect_kernels_in(Space const& exec, std::string const& what, Call const& call) {
  EXPECT_GT(expect_no_kernels_elsewhere(exec, what, call), 0) << what << ": no kernel was reported";
}

/// Expects that `call`, which has no instance, waits for its own kernels. The result contains its kernels and fences.
template <class Call>
std::string expect_fence_after(std::string const& what, Call const& call) {
  {
    KernelWatch const watch{Kokkos::DefaultExecutionSpace()};
    call();
    KernelWatch::events().end();
  }
  Journal::of_this_test().add(what, KernelWatch::events().text());
  std::string const order = KernelWatch::order();
  EXPECT_NE(order.find('k'), std::string::npos) << what << ": no kernel was reported";
  EXPECT_TRUE(order.ends_with('f')) << what << ": " << order;
  return order;
}

/// Expects that `call`, which has no instance, waits for earlier work of all instances and for its own kernels.
template <class Call>
void expect_fences_around(std::string const& what, Call const& call) {
  std::string const order = expect_fence_after(what, call);
  EXPECT_TRUE(order.starts_with('f')) << what << ": " << order;
}

/// The table of a test for a space; empty if there is none. The shapes of launches are those of wavefronts of 64 lanes.
template <class Space>
std::string journal_of([[maybe_unused]] std::string const& test) {
#ifdef KOKKOS_IMPL_GPU_MODEL
  if constexpr (std::is_same_v<Space, Kokkos::HIP>) {
    int lanes = 0;
    EXPECT_EQ(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0), hipSuccess);
    if (lanes == 64) return test + ".HIP";
  }
#endif
  return "";
}

}  // namespace Kokkos::Testing

#endif
