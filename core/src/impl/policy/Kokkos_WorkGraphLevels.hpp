// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_WORKGRAPHLEVELS_HPP
#define KOKKOS_POLICY_WORKGRAPHLEVELS_HPP

/// \file
/// Sorts the iterations of a WorkGraphPolicy into levels that run one after the other.

#include <impl/runtime/Kokkos_SharedPtr.hpp>

#include <cstddef>

namespace Kokkos::Impl {

class WorkGraphLevels : public Counted {
 public:
  WorkGraphLevels(std::size_t rows, std::size_t entries);
  ~WorkGraphLevels();

  std::size_t size() const { return m_rows; }
  /// `before` runs before `after`. Rows are added in ascending order.
  /// \throws std::runtime_error if `after` is not a row
  void add(std::size_t before, std::size_t after);
  /// \throws std::runtime_error if rows depend on each other in a cycle
  void sort();

  // After sort():
  std::size_t const* order() const { return m_order; }
  std::size_t level_count() const { return m_level_count; }
  std::size_t const* level_ends() const { return m_level_ends; }  ///< the end of each level in that order

 private:
  struct Lists;  // defined in the source, so that programs do not include <vector>

  Lists* m_lists;
  std::size_t m_rows;
  std::size_t const* m_order      = nullptr;
  std::size_t const* m_level_ends = nullptr;
  std::size_t m_level_count       = 0;
};

}  // namespace Kokkos::Impl

#endif
