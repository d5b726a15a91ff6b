// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/policy/Kokkos_WorkGraphLevels.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <string>

namespace Kokkos::Impl {

WorkGraphLevels::WorkGraphLevels(std::size_t rows, std::size_t entries) : m_waits_for(rows, 0), m_row_ends(rows, 0) {
  m_after.reserve(entries);
}

void WorkGraphLevels::add(std::size_t before, std::size_t after) {
  if (after >= size())
    throw_runtime_exception("Kokkos::WorkGraphPolicy: row " + std::to_string(before) +
                            " of the graph refers to iteration " + std::to_string(after) + ", but there are " +
                            std::to_string(size()) + " rows. Entries must be less than the number of rows.");
  m_after.push_back(after);
  m_row_ends[before] = m_after.size();
  ++m_waits_for[after];
}

void WorkGraphLevels::sort() {
  // A row without entries ends where the previous row ends.
  for (std::size_t row = 1; row < size(); ++row)
    if (m_row_ends[row] < m_row_ends[row - 1]) m_row_ends[row] = m_row_ends[row - 1];
  for (std::size_t row = 0; row < size(); ++row)
    if (m_waits_for[row] == 0) m_order.push_back(row);
  std::size_t begin = 0;
  while (begin < m_order.size()) {
    std::size_t const end = m_order.size();
    m_ends.push_back(end);
    for (; begin < end; ++begin) {
      std::size_t const row = m_order[begin];
      for (std::size_t e = row == 0 ? 0 : m_row_ends[row - 1]; e < m_row_ends[row]; ++e)
        if (--m_waits_for[m_after[e]] == 0) m_order.push_back(m_after[e]);
    }
  }
  if (m_order.size() < size())
    throw_runtime_exception("Kokkos::WorkGraphPolicy: " + std::to_string(size() - m_order.size()) + " of " +
                            std::to_string(size()) +
                            " iterations cannot run, because some of them depend on each other in a cycle. The graph "
                            "must have no cycles.");
}

}  // namespace Kokkos::Impl
