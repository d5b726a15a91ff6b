// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The NUMA nodes of the machine, and pages on them.

#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_NumaNodes.hpp>
#include <impl/runtime/doctor/Kokkos_SystemFiles.hpp>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace Kokkos::Impl {

namespace {

// Of <linux/mempolicy.h>, which is not installed everywhere.
constexpr int preferred = 1, interleave = 3;

std::string list_of(std::vector<int> const& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 < numbers.size() ? ", " : " and ") + std::to_string(numbers[i]);
  return text;
}

bool contains(std::vector<int> const& numbers, int n) {
  return std::find(numbers.begin(), numbers.end(), n) != numbers.end();
}

}  // namespace

NumaNodes numa_nodes(std::string const& root) {
  SystemFiles const files(root);
  NumaNodes nodes;
  for (char const* const file : {"has_memory", "online"})
    if (nodes.with_memory.empty())
      nodes.with_memory = Impl::parse_number_list(files.first_line(std::string("/sys/devices/system/node/") + file));
  if (nodes.with_memory.empty()) nodes.with_memory = {0};
  std::vector<int> cpuset;
  std::string const key = "Mems_allowed_list:";
  for (std::string const& line : files.lines("/proc/self/status"))
    if (line.starts_with(key)) cpuset = Impl::parse_number_list(Impl::word(line, 1));
  for (int const node : nodes.with_memory)
    if (cpuset.empty() || Impl::contains(cpuset, node)) nodes.allowed.push_back(node);
  if (nodes.allowed.empty()) nodes.allowed = nodes.with_memory;
  return nodes;
}

PagePolicy plan_pages(Experimental::HostPlacement const& placement, NumaNodes const& nodes) {
  using Kind = Experimental::HostPlacement::Kind;
  std::vector<int> wanted;
  if (placement.kind() == Kind::interleaved) wanted = nodes.allowed;
  if (placement.kind() == Kind::node) wanted = {placement.node()};
  if (wanted.empty() || nodes.allowed.size() < 2) return {};
  constexpr int bits = CHAR_BIT * sizeof(unsigned long);
  PagePolicy policy{placement.kind() == Kind::node ? preferred : interleave, {}};
  policy.nodes.resize(static_cast<std::size_t>(*std::max_element(wanted.begin(), wanted.end()) / bits + 1));
  for (int const node : wanted) policy.nodes[static_cast<std::size_t>(node / bits)] |= 1ul << node % bits;
  return policy;
}

void require_numa_node(int node, NumaNodes const& nodes) {
  std::string const call = "Kokkos::Experimental::HostPlacement::on_node(" + std::to_string(node) + "): ";
  auto const describe    = [](std::vector<int> const& list) {
    return (list.size() == 1 ? "node " : "nodes ") + Impl::list_of(list);
  };
  if (!Impl::contains(nodes.with_memory, node))
    Impl::throw_runtime_exception(call + "this machine has memory on NUMA " + describe(nodes.with_memory) +
                                  ". Give one of these, or HostPlacement::first_touch().");
  if (!Impl::contains(nodes.allowed, node))
    Impl::throw_runtime_exception(call + "the cpuset of this process allows memory on NUMA " + describe(nodes.allowed) +
                                  " only. Give one of these, or start the process with another cpuset.");
}

#ifdef __linux__

namespace {

// Fewer page faults and fewer reads of page tables, as in HostSpace. Interleaved memory is distributed by pages, so
// each node must get several.
constexpr std::size_t large_page = std::size_t(2) << 20, min_large = 2 * large_page,
                      min_large_per_node = 8 * large_page;

std::size_t whole_pages(std::size_t bytes) {
  static std::size_t const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (std::max(bytes, std::size_t(1)) + page - 1) / page * page;
}

// Null if there is no memory. Unmaps what was mapped only for the alignment.
char* map_aligned(std::size_t bytes, std::size_t alignment) {
  void* const mapped = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(mapped);
  std::size_t const before =
      alignment == 0 ? 0 : (alignment - reinterpret_cast<std::uintptr_t>(begin) % alignment) % alignment;
  if (before > 0) (void)munmap(begin, before);
  if (alignment > before) (void)munmap(begin + before + bytes, alignment - before);
  return begin + before;
}

int call_mbind(void* first, std::size_t bytes, int mode, unsigned long const* nodes, unsigned long bits) {
  return syscall(SYS_mbind, first, bytes, mode, nodes, bits, 0u) == 0 ? 0 : errno;
}

}  // namespace

void* map_pages(std::size_t bytes, PagePolicy const& policy, PlacePages place) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - large_page) return nullptr;
  std::size_t const whole = whole_pages(bytes);
  std::size_t nodes       = 0;
  for (unsigned long const word : policy.nodes) nodes += static_cast<std::size_t>(__builtin_popcountl(word));
  bool const large = whole >= (policy.mode == interleave ? nodes * min_large_per_node : min_large);
  char* const p    = map_aligned(whole, large ? large_page : 0);
  if (!p) return nullptr;
#ifdef MADV_HUGEPAGE
  if (large) (void)madvise(p, whole, MADV_HUGEPAGE);
#endif
  if (policy.mode == 0) return p;
  // One more than there are: the system subtracts one before it reads the nodes.
  unsigned long const bits = CHAR_BIT * sizeof(unsigned long) * policy.nodes.size() + 1;
  if (int const error = place(p, whole, policy.mode, policy.nodes.data(), bits); error != 0) {
    static int warned = 0;
    Impl::warn_once(
        warned,
        std::string("Kokkos::Experimental::HostPlacement: the system refuses to place memory on NUMA nodes (mbind: ") +
            std::strerror(error) +
            "). Each page is on the node of the thread that first writes to it. A container may need a "
            "capability: docker run --cap-add SYS_NICE.");
  }
  return p;
}

void* map_pages(std::size_t bytes, Experimental::HostPlacement const& placement) {
  static NumaNodes const nodes = numa_nodes();
  return map_pages(bytes, plan_pages(placement, nodes), call_mbind);
}

void unmap_pages(void* first, std::size_t bytes) noexcept {
  if (first) (void)munmap(first, whole_pages(bytes));
}

#else

void* map_pages(std::size_t bytes, PagePolicy const&, PlacePages) {
  constexpr std::size_t page = std::size_t(4) << 10;
  return std::aligned_alloc(page, (bytes + page - 1) / page * page);
}
void* map_pages(std::size_t bytes, Experimental::HostPlacement const&) {
  return map_pages(bytes, PagePolicy(), nullptr);
}
void unmap_pages(void* first, std::size_t) noexcept { std::free(first); }

#endif

}  // namespace Kokkos::Impl
