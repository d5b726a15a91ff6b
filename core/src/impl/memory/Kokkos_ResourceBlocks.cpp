// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The blocks of a MemoryResource.

#include <impl/memory/Kokkos_ResourceBlocks.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace Kokkos::Impl {

struct ResourceBlocks::Lists : Counted {
  struct Block {
    std::size_t bytes;
    std::string label;
  };
  using Blocks = std::map<std::size_t, Block>;  // by offset

  std::mutex mutex;
  Blocks in_use;
  Blocks returned;
  std::map<std::size_t, std::size_t> free;                     // sizes, by offset; no two are neighbours
  std::set<std::pair<std::size_t, std::size_t>> free_by_size;  // size and offset of the same blocks
  std::size_t used    = 0;
  std::size_t highest = 0;
};

ResourceBlocks::ResourceBlocks(std::string label, char const* space, void* data, std::size_t bytes,
                               bool (*work_has_ended)(bool))
    : m_label(std::move(label)),
      m_space(space),
      m_data(static_cast<char*>(data)),
      m_bytes(bytes),
      m_work_has_ended(work_has_ended),
      m_lists(new Lists) {
  if (bytes >= alignment) add_free(0, bytes / alignment * alignment);
}

ResourceBlocks::~ResourceBlocks() = default;

void* ResourceBlocks::allocate(char const* label, std::size_t bytes) {
  if (bytes > m_bytes) refuse(label, bytes);
  std::size_t const whole = std::max((bytes + alignment - 1) / alignment, std::size_t(1)) * alignment;
  std::lock_guard const lock(m_lists->mutex);
  char* p = take(label, whole);
  for (bool const wait : {false, true}) {
    if (p || m_lists->returned.empty() || !m_work_has_ended(wait)) continue;
    recycle();
    p = take(label, whole);
  }
  if (!p) refuse(label, bytes);
  return p;
}

void ResourceBlocks::deallocate(void* p) noexcept {
  std::lock_guard const lock(m_lists->mutex);
  auto block = m_lists->in_use.extract(static_cast<std::size_t>(static_cast<char*>(p) - m_data));
  if (block.empty()) return;
  m_lists->used -= block.mapped().bytes;
  m_lists->returned.insert(std::move(block));  // allocates nothing
  if (m_work_has_ended) return;
  try {
    recycle();
  } catch (...) {  // no memory for the list of free blocks: the next allocation tries again
  }
}

// The smallest free block that fits.
char* ResourceBlocks::take(char const* label, std::size_t bytes) {
  auto const found = m_lists->free_by_size.lower_bound({bytes, 0});
  if (found == m_lists->free_by_size.end()) return nullptr;
  auto const [size, offset] = *found;
  m_lists->in_use.emplace(offset, Lists::Block{bytes, label ? label : ""});
  m_lists->free_by_size.erase(found);
  m_lists->free.erase(offset);
  if (size > bytes) add_free(offset + bytes, size - bytes);
  m_lists->used += bytes;
  m_lists->highest = std::max(m_lists->highest, m_lists->used);
  return m_data + offset;
}

// Joins the block with its free neighbours.
void ResourceBlocks::add_free(std::size_t offset, std::size_t bytes) {
  auto after        = m_lists->free.lower_bound(offset);
  auto const absorb = [&](std::map<std::size_t, std::size_t>::iterator neighbour) {
    m_lists->free_by_size.erase({neighbour->second, neighbour->first});
    return m_lists->free.erase(neighbour);
  };
  if (after != m_lists->free.end() && after->first == offset + bytes) {
    bytes += after->second;
    after = absorb(after);
  }
  if (after != m_lists->free.begin())
    if (auto const before = std::prev(after); before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      absorb(before);
    }
  m_lists->free.emplace(offset, bytes);
  m_lists->free_by_size.emplace(bytes, offset);
}

void ResourceBlocks::recycle() {
  while (!m_lists->returned.empty()) {
    auto const block = m_lists->returned.begin();
    add_free(block->first, block->second.bytes);
    m_lists->returned.erase(block);
  }
}

Experimental::DeviceMemoryUsage ResourceBlocks::usage() const {
  std::lock_guard const lock(m_lists->mutex);
  return {m_lists->used, m_bytes - m_lists->used, m_lists->highest};
}

std::vector<Experimental::LabelledMemory> ResourceBlocks::usage_by_label() const {
  std::map<std::string, Experimental::LabelledMemory> by_label;
  {
    std::lock_guard const lock(m_lists->mutex);
    for (auto const& [offset, block] : m_lists->in_use) {
      auto& row = by_label[block.label];
      row.label = block.label;
      row.bytes += block.bytes;
      ++row.count;
    }
  }
  std::vector<Experimental::LabelledMemory> rows;
  for (auto& [label, row] : by_label) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(), [](auto const& a, auto const& b) { return a.bytes > b.bytes; });
  return rows;
}

void ResourceBlocks::refuse(char const* label, std::size_t bytes) const {
  std::size_t const largest = m_lists->free_by_size.empty() ? 0 : m_lists->free_by_size.rbegin()->first;
  throw Experimental::RawMemoryAllocationFailure(
      m_space, bytes, label ? label : "",
      "The memory resource \"" + m_label + "\" of " + human_memory_size(m_bytes) + " in " + m_space +
          " could not supply " + human_memory_size(bytes) + " (" + std::to_string(bytes) + " bytes) for \"" +
          (label ? label : "") + "\": " + human_memory_size(m_lists->used) +
          " are in use, and the largest free block has " + human_memory_size(largest) +
          ". Create a larger resource, or destroy views first.");
}

}  // namespace Kokkos::Impl
