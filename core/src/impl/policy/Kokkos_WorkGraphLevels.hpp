// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_WORKGRAPHLEVELS_HPP
#define KOKKOS_POLICY_WORKGRAPHLEVELS_HPP

/// \file
/// Sorts the iterations of a WorkGraphPolicy into levels that run one after the other.

#include <cstddef>
#include <vector>

namespace Kokkos::Impl {

class WorkGraphLevels {
 public:
  WorkGraphLevels(std::size_t rows, std::size_t entries);

  std::size_t size() const { return m_waits_for.size(); }
  /// `before` runs before `after`. Rows are added in ascending order.
  /// \throws std::runtime_error if `after` is not a row
  void add(std::size_t before, std::size_t after);
  /// \throws std::runtime_error if rows depend on each other in a cycle
  void sort();

  std::vector<std::size_t> const& order() const { return m_order; }
  void swap_ends(std::vector<std::size_t>& ends) noexcept { m_ends.swap(ends); }

 private:
  std::vector<std::size_t> m_waits_for;  // number of rows that must run before this one
  std::vector<std::size_t> m_row_ends;   // indices into m_after
  std::vector<std::size_t> m_after;
  std::vector<std::size_t> m_order;
  std::vector<std::size_t> m_ends;
};

}  // namespace Kokkos::Impl

#endif
