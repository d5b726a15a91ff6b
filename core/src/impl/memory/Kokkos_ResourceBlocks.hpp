// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MEMORY_RESOURCE_BLOCKS_HPP
#define KOKKOS_MEMORY_RESOURCE_BLOCKS_HPP

/// \file
/// The blocks of a MemoryResource: which are in use, free, or were returned while work may still use them.

#include <Kokkos_IdleMemory.hpp>
#include <impl/runtime/Kokkos_SharedPtr.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// Divides one range of addresses, which it never reads or writes. The mutex guards everything.
class ResourceBlocks {
 public:
  static constexpr std::size_t alignment = 256;

  /// `work_has_ended(wait)` returns whether all work on devices that was submitted so far has ended, after a wait for it if
  /// `wait` is true. Null: work has always ended.
  ResourceBlocks(std::string label, char const* space, void* data, std::size_t bytes, bool (*work_has_ended)(bool));
  ~ResourceBlocks();
  ResourceBlocks(ResourceBlocks const&)            = delete;
  ResourceBlocks& operator=(ResourceBlocks const&) = delete;

  void* allocate(char const* label, std::size_t bytes);
  void deallocate(void* p) noexcept;

  Experimental::DeviceMemoryUsage usage() const;
  std::vector<Experimental::LabelledMemory> usage_by_label() const;
  std::size_t size() const noexcept { return m_bytes; }
  void* data() const noexcept { return m_data; }
  std::string const& label() const noexcept { return m_label; }

 private:
  struct Lists;  // of blocks, and the mutex; defined in the source, so that programs include no maps

  char* take(char const* label, std::size_t bytes);
  void add_free(std::size_t offset, std::size_t bytes);
  void recycle();
  [[noreturn]] void refuse(char const* label, std::size_t bytes) const;

  std::string m_label;
  char const* m_space;
  char* m_data;
  std::size_t m_bytes;
  bool (*m_work_has_ended)(bool);
  SharedPtr<Lists> m_lists;
};

}  // namespace Kokkos::Impl

#endif
