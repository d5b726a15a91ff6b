// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/policy/Kokkos_WorkGraphLevels.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <string>
#include <vector>

namespace Kokkos::Impl {

struct WorkGraphLevels::Lists {
  std::vector<std::size_t> waits_for;  // number of rows that must run before this one
  std::vector<std::size_t> row_ends;   // indices into after
  std::vector<std::size_t> after;
  std::vector<std::size_t> order;
  std::vector<std::size_t> ends;
};

WorkGraphLevels::WorkGraphLevels(std::size_t rows, std::size_t entries)
    : m_lists(new Lists{std::vector<std::size_t>(rows), std::vector<std::size_t>(rows), {}, {}, {}}), m_rows(rows) {
  m_lists->after.reserve(entries);
}

WorkGraphLevels::~WorkGraphLevels() { delete m_lists; }

void WorkGraphLevels::add(std::size_t before, std::size_t after) {
  if (after >= size())
    throw_runtime_exception("Kokkos::WorkGraphPolicy: row " + std::to_string(before) +
                            " of the graph refers to iteration " + std::to_string(after) + ", but there are " +
                            std::to_string(size()) + " rows. Entries must be less than the number of rows.");
  m_lists->after.push_back(after);
  m_lists->row_ends[before] = m_lists->after.size();
  ++m_lists->waits_for[after];
}

void WorkGraphLevels::sort() {
  auto& [waits_for, row_ends, after, order, ends] = *m_lists;
  // A row without entries ends where the previous row ends.
  for (std::size_t row = 1; row < size(); ++row)
    if (row_ends[row] < row_ends[row - 1]) row_ends[row] = row_ends[row - 1];
  for (std::size_t row = 0; row < size(); ++row)
    if (waits_for[row] == 0) order.push_back(row);
  std::size_t begin = 0;
  while (begin < order.size()) {
    std::size_t const end = order.size();
    ends.push_back(end);
    for (; begin < end; ++begin) {
      std::size_t const row = order[begin];
      for (std::size_t e = row == 0 ? 0 : row_ends[row - 1]; e < row_ends[row]; ++e)
        if (--waits_for[after[e]] == 0) order.push_back(after[e]);
    }
  }
  if (order.size() < size())
    throw_runtime_exception("Kokkos::WorkGraphPolicy: " + std::to_string(size() - order.size()) + " of " +
                            std::to_string(size()) +
                            " iterations cannot run, because some of them depend on each other in a cycle. The graph "
                            "must have no cycles.");
  waits_for = row_ends = after = {};
  m_order                      = order.data();
  m_level_ends                 = ends.data();
  m_level_count                = ends.size();
}

}  // namespace Kokkos::Impl
