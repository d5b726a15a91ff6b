// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_FOREIGN_SPACE_HPP
#define KOKKOS_TEST_FOREIGN_SPACE_HPP

/// \file
/// A memory space that no code can access, according to its types. With it any machine can test copies between host and
/// device memory: their route, plan and order.

#include <Kokkos_Core.hpp>

#include <string>
#include <vector>

namespace Kokkos::Testing {

class ForeignSpace {
 public:
  using memory_space    = ForeignSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;

  static constexpr char const* name() { return "Foreign"; }

  void* allocate(std::size_t bytes) const { return Kokkos::HostSpace().allocate(bytes); }
  void* allocate(char const* label, std::size_t bytes) const { return Kokkos::HostSpace().allocate(label, bytes); }
  template <class ExecSpace>
  void* allocate(ExecSpace const&, char const* label, std::size_t bytes) const {
    return allocate(label, bytes);
  }
  void deallocate(void* p, std::size_t bytes) const noexcept { Kokkos::HostSpace().deallocate(p, bytes); }
  void deallocate(char const* label, void* p, std::size_t bytes) const noexcept {
    Kokkos::HostSpace().deallocate(label, p, bytes);
  }
};

/// The calls of routes to and from ForeignSpace.
struct RouteCall {
  std::string route;  // "host <- foreign", "fill foreign", ...
  int plan_rank;
  std::size_t bytes;
  bool in_instance;
};
inline std::vector<RouteCall>& route_calls() {
  static std::vector<RouteCall> calls;
  return calls;
}

}  // namespace Kokkos::Testing

namespace Kokkos::Impl {

template <class Space>
std::string foreign_or_host() {
  return std::is_same_v<Space, Testing::ForeignSpace> ? "foreign" : "host";
}

template <class Dst, class Src>
struct ForeignRoute {
  static void run(CopyJob const& job) { run_and_note(job, false); }
  static void run(DefaultHostExecutionSpace const&, CopyJob const& job) { run_and_note(job, true); }

 private:
  static void run_and_note(CopyJob const& job, bool in_instance) {
    Testing::route_calls().push_back(
        {foreign_or_host<Dst>() + " <- " + foreign_or_host<Src>(), job.plan.rank, job.plan.bytes(), in_instance});
    CopyRoute<HostSpace, HostSpace>::run(job);
  }
};

template <>
struct CopyRoute<Testing::ForeignSpace, HostSpace> : ForeignRoute<Testing::ForeignSpace, HostSpace> {};
template <>
struct CopyRoute<HostSpace, Testing::ForeignSpace> : ForeignRoute<HostSpace, Testing::ForeignSpace> {};
template <>
struct CopyRoute<Testing::ForeignSpace, Testing::ForeignSpace>
    : ForeignRoute<Testing::ForeignSpace, Testing::ForeignSpace> {};

/// Supports no instances, so every fill fences the given one.
template <>
struct FillRoute<Testing::ForeignSpace> {
  static void run(FillJob const& job) {
    Testing::route_calls().push_back({"fill foreign", job.plan.rank, job.plan.bytes(), false});
    FillRoute<HostSpace>::run(job);
  }
};

}  // namespace Kokkos::Impl

#endif
