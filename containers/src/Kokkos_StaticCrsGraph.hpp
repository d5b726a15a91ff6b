// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STATICCRSGRAPH_HPP
#define KOKKOS_STATICCRSGRAPH_HPP

/// \file
/// StaticCrsGraph: the entries of all rows of a sparse matrix or graph in one array, and the start of each row.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Kokkos {

/// The entries of one row.
template <class GraphType>
struct GraphRowViewConst {
  using ordinal_type = typename GraphType::data_type const;  ///< a const entry

 private:
  ordinal_type* colidx_;
  std::ptrdiff_t const stride_;

 public:
  /// A row of `count` entries at a distance of `stride` elements.
  KOKKOS_FUNCTION GraphRowViewConst(ordinal_type* entries, std::ptrdiff_t stride, std::size_t count)
      : colidx_(entries), stride_(stride), length(count) {}
  /// Like the constructor above, for the entries that start at index `first` of a view.
  template <class Offset>
  KOKKOS_FUNCTION GraphRowViewConst(typename GraphType::entries_type const& entries, std::ptrdiff_t stride,
                                    std::size_t count, Offset const& first)
      : colidx_(entries.data() + first), stride_(stride), length(count) {}

  std::size_t const length;  ///< number of entries

  /// Entry i of the row.
  KOKKOS_FORCEINLINE_FUNCTION ordinal_type& colidx(std::size_t i) const {
    return colidx_[static_cast<std::ptrdiff_t>(i) * stride_];
  }
  /// The same as colidx(i).
  KOKKOS_FORCEINLINE_FUNCTION ordinal_type& operator()(std::size_t i) const { return colidx(i); }
};

/// Row i has the entries [row_map(i), row_map(i + 1)). Copies refer to the same graph.
///
/// \tparam DataType the type of an entry
/// \tparam Arg1Type, Arg2Type, Arg3Type the properties of a View
/// \tparam SizeType the type of the offsets in row_map
template <class DataType, class Arg1Type, class Arg2Type = void, class Arg3Type = void,
          class SizeType = typename ViewTraits<DataType*, Arg1Type, Arg2Type, Arg3Type>::size_type>
class StaticCrsGraph {
 public:
  using size_type     = SizeType;                                              ///< type of the offsets in row_map
  using data_type     = DataType;                                              ///< type of an entry
  using traits        = ViewTraits<data_type*, Arg1Type, Arg2Type, Arg3Type>;  ///< the types of a view of entries
  using memory_traits = typename traits::memory_traits;                        ///< MemoryTraits of the views
  using device_type   = typename traits::device_type;                          ///< the execution and memory space
  using array_layout  = typename traits::array_layout;                         ///< layout of the views
  /// The space whose kernels use the graph.
  using execution_space     = typename device_type::execution_space;
  using staticcrsgraph_type = StaticCrsGraph;  ///< this graph
  /// The graph in memory that the host can access.
  using host_mirror_type =
      StaticCrsGraph<DataType, array_layout, typename traits::host_mirror_space, memory_traits, SizeType>;
  using HostMirror = host_mirror_type;  ///< the name from before Kokkos 5

  /// The start of each row, followed by the end of the last one.
  using row_map_type = View<size_type const*, array_layout, device_type, memory_traits>;
  /// The entries of all rows, row after row.
  using entries_type = View<data_type*, array_layout, device_type, memory_traits>;
  /// The first row of each block of a partitioning.
  using row_block_type = View<size_type*, array_layout, device_type, memory_traits>;

  /// The entries of all rows, row after row.
  entries_type entries;
  /// The start of each row, followed by the end of the last one; no elements in an empty graph.
  row_map_type row_map;
  /// Block b of a partitioning has the rows [row_block_offsets(b), row_block_offsets(b + 1)).
  row_block_type row_block_offsets;

  StaticCrsGraph() = default;
  /// Refers to the entries and the starts of rows in two views.
  template <class Entries, class RowMap>
  KOKKOS_FUNCTION StaticCrsGraph(Entries const& all_entries, RowMap const& begins)
      : entries(all_entries), row_map(begins) {}
  /// Refers to the same graph with other types.
  template <class D, class A1, class A2, class A3, class S>
    requires(std::is_constructible_v<entries_type, typename StaticCrsGraph<D, A1, A2, A3, S>::entries_type const&>)
  KOKKOS_FUNCTION StaticCrsGraph(StaticCrsGraph<D, A1, A2, A3, S> const& other)
      : entries(other.entries), row_map(other.row_map), row_block_offsets(other.row_block_offsets) {}

  /// Number of rows.
  KOKKOS_FUNCTION size_type numRows() const {
    return row_map.extent(0) == 0 ? 0 : static_cast<size_type>(row_map.extent(0) - 1);
  }
  /// Whether there is memory for rows and entries.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return row_map.is_allocated() && entries.is_allocated(); }

  /// Row i. Its entries refer to those of the graph.
  KOKKOS_FUNCTION GraphRowViewConst<StaticCrsGraph> rowConst(size_type i) const {
    size_type const first = row_map(i), end = row_map(i + 1);
    return {entries, 1, end > first ? static_cast<std::size_t>(end - first) : 0, first};
  }

  /// Divides the rows into blocks of about equal cost: the cost of a row is its number of entries plus
  /// `fix_cost_per_row`. Rows are not divided, so blocks next to a long one may be empty.
  void create_block_partitioning(size_type num_blocks, size_type fix_cost_per_row = 4) {
    View<size_type*, array_layout, device_type> const offsets(
        view_alloc(WithoutInitializing, "Kokkos::StaticCrsGraph: blocks"), static_cast<std::size_t>(num_blocks) + 1);
    Kokkos::parallel_for("Kokkos::StaticCrsGraph::create_block_partitioning",
                         RangePolicy<execution_space, IndexType<std::size_t>>(0, offsets.extent(0)),
                         PartitionRows{row_map, offsets, numRows(), num_blocks, fix_cost_per_row});
    Kokkos::fence("Kokkos::StaticCrsGraph::create_block_partitioning: fence");
    m_blocks          = offsets;
    row_block_offsets = offsets;
  }

  /// A kernel, for the library: public because nvcc does not accept private types.
  struct PartitionRows {
    row_map_type row_map;                                 ///< the start of each row
    View<size_type*, array_layout, device_type> offsets;  ///< receives the first row of each block
    size_type rows;                                       ///< number of rows
    size_type blocks;                                     ///< number of blocks
    size_type row_cost;                                   ///< the cost of a row in addition to that of its entries

    /// The cost of all rows before `row`.
    KOKKOS_FUNCTION double cost_before(size_type row) const {
      return static_cast<double>(row_map(row)) + static_cast<double>(row_cost) * static_cast<double>(row);
    }
    /// Block b starts at the row whose preceding cost is nearest to b/num_blocks of the total.
    KOKKOS_FUNCTION void operator()(std::size_t b) const {
      size_type low = 0, high = rows;  // the first row after which the cost reaches the target is in [low, high]
      if (b == static_cast<std::size_t>(blocks)) low = rows;
      double const target = rows == 0 ? 0 : cost_before(rows) * static_cast<double>(b) / static_cast<double>(blocks);
      while (low < high) {
        size_type const middle = low + (high - low) / 2;
        if (cost_before(middle) < target)
          low = middle + 1;
        else
          high = middle;
      }
      if (low > 0 && b < static_cast<std::size_t>(blocks) && target - cost_before(low - 1) < cost_before(low) - target)
        --low;
      offsets(b) = low;
    }
  };

 private:
  View<size_type*, array_layout, device_type> m_blocks;  // owns row_block_offsets, which may be unmanaged
};

namespace Impl {

template <class Graph>
Graph new_graph(std::string const& label, std::vector<std::size_t> const& begins) {
  using SizeType = typename Graph::size_type;
  if (!std::in_range<SizeType>(begins.back()))
    Impl::throw_runtime_exception(
        "Kokkos::create_staticcrsgraph(\"" + label + "\"): " + std::to_string(begins.back()) +
        " entries are more than the type of the offsets can count. Give StaticCrsGraph a larger "
        "SizeType, its last template argument.");
  View<SizeType*, typename Graph::array_layout, typename Graph::device_type> const row_map(
      view_alloc(WithoutInitializing, label), begins.size());
  auto const host = Kokkos::create_mirror_view(row_map);
  for (std::size_t i = 0; i < begins.size(); ++i) host(i) = static_cast<SizeType>(begins[i]);
  Kokkos::deep_copy(row_map, host);
  return Graph(typename Graph::entries_type(label, begins.back()), row_map);
}

/// A copy of a view's elements for the host, with the same or with const elements.
template <class To, class From>
To copied_to_host(From const& from) {
  View<typename From::non_const_data_type, typename From::array_layout, typename To::device_type> const to(
      Kokkos::view_alloc(WithoutInitializing, from.label()), from.layout());
  Kokkos::deep_copy(to, from);
  return To(to);
}

template <class Graph>
struct LargestEntry {
  typename Graph::entries_type entries;
  KOKKOS_FUNCTION void operator()(std::size_t i, typename Graph::data_type& largest) const {
    if (largest < entries(i)) largest = entries(i);
  }
};

}  // namespace Impl

/// A graph whose rows have these numbers of value-initialized entries.
template <class Graph, class Size>
typename Graph::staticcrsgraph_type create_staticcrsgraph(std::string const& label, std::vector<Size> const& sizes) {
  std::vector<std::size_t> begins(sizes.size() + 1, 0);
  for (std::size_t i = 0; i < sizes.size(); ++i) begins[i + 1] = begins[i] + static_cast<std::size_t>(sizes[i]);
  return Impl::new_graph<Graph>(label, begins);
}
/// A graph with these entries in each row.
template <class Graph, class Entry>
typename Graph::staticcrsgraph_type create_staticcrsgraph(std::string const& label,
                                                          std::vector<std::vector<Entry>> const& rows) {
  std::vector<std::size_t> begins(rows.size() + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) begins[i + 1] = begins[i] + rows[i].size();
  auto const graph = Impl::new_graph<Graph>(label, begins);
  auto const host  = Kokkos::create_mirror_view(graph.entries);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      host(begins[i] + j) = static_cast<typename Graph::data_type>(rows[i][j]);
  Kokkos::deep_copy(graph.entries, host);
  return graph;
}

/// A copy of the graph for the host.
template <class D, class A1, class A2, class A3, class S>
auto create_mirror(StaticCrsGraph<D, A1, A2, A3, S> const& graph) {
  using Mirror = typename StaticCrsGraph<D, A1, A2, A3, S>::host_mirror_type;
  Mirror mirror;
  mirror.row_map = Impl::copied_to_host<typename Mirror::row_map_type>(graph.row_map);
  mirror.entries = Impl::copied_to_host<typename Mirror::entries_type>(graph.entries);
  if (graph.row_block_offsets.is_allocated())
    mirror.row_block_offsets = Impl::copied_to_host<typename Mirror::row_block_type>(graph.row_block_offsets);
  return mirror;
}
/// The graph itself if the host can access it, otherwise a copy.
template <class D, class A1, class A2, class A3, class S>
auto create_mirror_view(StaticCrsGraph<D, A1, A2, A3, S> const& graph) {
  using Graph  = StaticCrsGraph<D, A1, A2, A3, S>;
  using Mirror = typename Graph::host_mirror_type;
  if constexpr (std::is_same_v<typename Mirror::device_type::memory_space, typename Graph::device_type::memory_space>)
    return Mirror(graph);
  else
    return Kokkos::create_mirror(graph);
}

/// The largest entry, or the smallest value of its type if there is none.
template <class D, class A1, class A2, class A3, class S>
D maximum_entry(StaticCrsGraph<D, A1, A2, A3, S> const& graph) {
  using Graph = StaticCrsGraph<D, A1, A2, A3, S>;
  D largest   = reduction_identity<D>::max();
  Kokkos::parallel_reduce(
      "Kokkos::maximum_entry",
      RangePolicy<typename Graph::execution_space, IndexType<std::size_t>>(0, graph.entries.extent(0)),
      Impl::LargestEntry<Graph>{graph.entries}, Max<D>(largest));
  return largest;
}

}  // namespace Kokkos

#endif
