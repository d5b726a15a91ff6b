// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CRS_HPP
#define KOKKOS_CRS_HPP

/// \file
/// Crs: rows of different lengths in two views (compressed sparse rows).

#include <Kokkos_CopyViews.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_Parallel_Scan.hpp>
#include <Kokkos_View.hpp>
#include <Kokkos_Atomic.hpp>
#include <Kokkos_ExecPolicy.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

/// The entries of row i are `entries(j)` for j in [row_map(i), row_map(i + 1)).
///
/// \tparam DataType the type of an entry
/// \tparam Arg1,Arg2 a layout and a space, like those of a View
template <class DataType, class Arg1, class Arg2 = void,
          class SizeType = typename ViewTraits<DataType*, Arg1, Arg2>::size_type>
class Crs {
  template <class T>
  using Column = View<T*, typename ViewTraits<DataType*, Arg1, Arg2>::array_layout,
                      typename ViewTraits<DataType*, Arg1, Arg2>::device_type>;

 public:
  /// The start of each row, followed by the end of the last one.
  using row_map_type = Column<SizeType>;
  /// The entries of all rows, row after row.
  using entries_type = Column<DataType>;

  using size_type = SizeType;  ///< type of the offsets in row_map
  using data_type = DataType;  ///< type of an entry
  // The types of the views
  using device_type     = typename entries_type::device_type;     ///< the execution and memory space
  using memory_space    = typename device_type::memory_space;     ///< stores the elements
  using execution_space = typename device_type::execution_space;  ///< the space whose kernels use the graph
  using array_layout    = typename entries_type::array_layout;    ///< layout of the views

  /// Like `entries_type` above, in memory that the host can access.
  using host_mirror_type = Crs<DataType, array_layout, typename entries_type::host_mirror_space, SizeType>;
  using HostMirror       = host_mirror_type;  ///< the name from before Kokkos 5
  /// The type itself.
  using staticcrsgraph_type = Crs;

  /// The start of each row, followed by the end of the last one.
  row_map_type row_map;
  /// The entries of all rows, row after row.
  entries_type entries;

  KOKKOS_DEFAULTED_FUNCTION Crs() = default;
  /// Refers to the rows and the entries in two views.
  template <class EntriesType, class RowMapType>
  KOKKOS_INLINE_FUNCTION Crs(RowMapType const& rows, EntriesType const& all) : row_map(rows), entries(all) {}

  /// Number of rows; 0 for a default-constructed object.
  KOKKOS_INLINE_FUNCTION size_type numRows() const {
    auto const ends = row_map.extent(0);
    return static_cast<size_type>(ends == 0 ? 0 : ends - 1);
  }
};

namespace Impl {

/// Sets `begin(i + 1)` to the sum of the lengths of rows 0 to i. The range has one more iteration than there are rows.
/// The sum has 64 bits, so that it shows whether there are more entries than an offset can count.
template <class Begins, class Lengths>
struct AccumulateRowLengths {
  using offset_type = typename Begins::non_const_value_type;
  using value_type  = std::conditional_t<std::is_signed_v<offset_type>, std::int64_t, std::uint64_t>;
  Begins begins;
  Lengths lengths;

  KOKKOS_FUNCTION void operator()(std::size_t row, value_type& sum, bool last_pass) const {
    if (last_pass) begins(row) = static_cast<offset_type>(sum);
    if (row < lengths.extent(0)) sum += static_cast<value_type>(lengths(row));
  }
};

template <class Counts, class Entries>
struct CountTargets {
  Counts counts;
  Entries entries;
  KOKKOS_FUNCTION void operator()(std::size_t e) const { Kokkos::atomic_inc(&counts(entries(e))); }
};

/// Writes each entry of a row to the next free position in the row that the entry refers to.
template <class From, class To, class Places>
struct PlaceTransposed {
  From from;
  To to;
  Places places;
  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    for (auto e = from.row_map(row); e < from.row_map(row + 1); ++e)
      to.entries(Kokkos::atomic_fetch_inc(&places(from.entries(e)))) = static_cast<typename To::data_type>(row);
  }
};

template <class Counts, class Count>
struct MeasureRows {
  Counts counts;
  Count count;
  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    counts(row) = static_cast<typename Counts::value_type>(
        count(static_cast<typename Counts::value_type>(row), static_cast<typename Count::data_type*>(nullptr)));
  }
};

/// The functor of count_and_fill_crs, with its entry type.
template <class CrsType, class Functor>
struct CrsFiller {
  using data_type = typename CrsType::data_type;
  Functor functor;
  KOKKOS_FUNCTION auto operator()(typename CrsType::size_type row, data_type* entries) const {
    return functor(row, entries);
  }
};

template <class CrsType, class Filler>
struct FillRows {
  CrsType crs;
  Filler fill;
  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    if (crs.row_map(row) < crs.row_map(row + 1))
      fill(static_cast<typename CrsType::size_type>(row), &crs.entries(crs.row_map(row)));
  }
};

template <class ExecSpace, class Body>
void for_each_row(char const* label, std::size_t rows, Body const& body) {
  Kokkos::parallel_for(label, RangePolicy<ExecSpace, IndexType<std::size_t>>(0, rows), body);
}

}  // namespace Impl

/// Creates `row_map` from the lengths of rows, with one element more than there are rows. Returns the total number of
/// entries.
/// \throws std::runtime_error if the value type of `row_map` cannot count the entries; `row_map` is unchanged then
template <class RowMap, class Lengths>
typename RowMap::value_type get_crs_row_map_from_counts(RowMap& row_map, Lengths const& lengths,
                                                        std::string const& name = "row_map") {
  using ExecSpace = typename RowMap::execution_space;
  using Offset    = typename RowMap::non_const_value_type;
  using Body      = Impl::AccumulateRowLengths<RowMap, Lengths>;
  RowMap const begins(view_alloc(WithoutInitializing, name), lengths.extent(0) + 1);
  typename Body::value_type total{};
  Kokkos::parallel_scan("Kokkos::get_crs_row_map_from_counts",
                        RangePolicy<ExecSpace, IndexType<std::size_t>>(0, lengths.extent(0) + 1), Body{begins, lengths},
                        total);
  if (!std::in_range<Offset>(total))
    Impl::throw_runtime_exception("Kokkos::get_crs_row_map_from_counts(\"" + name + "\"): " + std::to_string(total) +
                                  " entries are more than the type of the offsets can count. Give Crs a larger "
                                  "SizeType, its last template argument.");
  row_map = begins;
  return static_cast<Offset>(total);
}

/// Counts for each row how many entries refer to it.
template <class Counts, class D, class A1, class A2, class S>
void get_crs_transpose_counts(Counts& counts, Crs<D, A1, A2, S> const& in,
                              std::string const& name = "transpose_counts") {
  using Entries = typename Crs<D, A1, A2, S>::entries_type;
  counts        = Counts(name, in.numRows());
  Impl::for_each_row<typename Entries::execution_space>("Kokkos::get_crs_transpose_counts", in.entries.extent(0),
                                                        Impl::CountTargets<Counts, Entries>{counts, in.entries});
  typename Entries::execution_space().fence("Kokkos::get_crs_transpose_counts: fence after counting");
}

/// Row j of `out` contains i if row i of `in` contains j, in unspecified order.
template <class D, class A1, class A2, class S>
void transpose_crs(Crs<D, A1, A2, S>& out, Crs<D, A1, A2, S> const& in) {
  using CrsType   = Crs<D, A1, A2, S>;
  using ExecSpace = typename CrsType::execution_space;
  using Places    = typename CrsType::row_map_type;
  CrsType result;
  Places counts;
  Kokkos::get_crs_transpose_counts(counts, in);
  Kokkos::get_crs_row_map_from_counts(result.row_map, counts, "transpose_row_map");
  result.entries = typename CrsType::entries_type("transpose_entries", in.entries.extent(0));
  // From here on `counts` contains the next free position of each row.
  Kokkos::deep_copy(counts, Kokkos::subview(result.row_map, std::pair<std::size_t, std::size_t>(0, counts.extent(0))));
  Impl::for_each_row<ExecSpace>("Kokkos::transpose_crs", in.numRows(),
                                Impl::PlaceTransposed<CrsType, CrsType, Places>{in, result, counts});
  ExecSpace().fence("Kokkos::transpose_crs: fence after the entries are placed");
  out = result;
}

/// Creates `rows` rows. The functor is called as functor(row, nullptr) and returns the row's number of entries. Then,
/// for non-empty rows, it is called as functor(row, pointer) and writes the entries.
template <class CrsType, class Functor>
void count_and_fill_crs(CrsType& crs, typename CrsType::size_type rows, Functor const& functor) {
  using ExecSpace = typename CrsType::execution_space;
  using Counts    = typename CrsType::row_map_type;
  using Filler    = Impl::CrsFiller<CrsType, Functor>;
  CrsType result;
  Counts const counts("counts", rows);
  Impl::for_each_row<ExecSpace>("Kokkos::count_and_fill_crs: count", rows,
                                Impl::MeasureRows<Counts, Filler>{counts, Filler{functor}});
  auto const total = Kokkos::get_crs_row_map_from_counts(result.row_map, counts);
  result.entries   = typename CrsType::entries_type("entries", total);
  Impl::for_each_row<ExecSpace>("Kokkos::count_and_fill_crs: fill", rows,
                                Impl::FillRows<CrsType, Filler>{result, Filler{functor}});
  ExecSpace().fence("Kokkos::count_and_fill_crs: fence after the entries are written");
  crs = result;
}

/// Like `count_and_fill_crs` above, as the constructor of an object.
template <class CrsType, class Functor>
struct CountAndFill {
  /// Calls count_and_fill_crs.
  CountAndFill(CrsType& crs, typename CrsType::size_type rows, Functor const& functor) {
    Kokkos::count_and_fill_crs(crs, rows, functor);
  }
};

}  // namespace Kokkos

#endif
