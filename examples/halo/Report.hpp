// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_REPORT_HPP
#define HALO_REPORT_HPP

/// \file
/// Tables of times, and the same as JSON. The raw CUDA version uses them, too.

#include "Grid.hpp"

#include <string>
#include <vector>

struct Row {
  Grid grid;
  double step, border, alone;  ///< seconds of a step, of its beginning until its borders were updated, and of a step
                               ///< without exchange
  double error;                ///< maximum difference from the exact result
};

struct Table {
  std::string scaling;  ///< "weak" or "strong"
  std::string means;    ///< name of the exchange
  std::vector<Row> rows;
  std::vector<std::string> left_out;  ///< sentences about the grids that do not fit

  /// The share of ideal scaling from the first row, which has more than one part if the grid does not fit into one.
  double efficiency(Row const& row) const {
    double const ratio = rows.front().step / row.step;
    return scaling == "weak" ? ratio : ratio * rows.front().grid.number_of_parts() / row.grid.number_of_parts();
  }
};

void print_head(Table const&);
void print_last_row(Table const&);
void print_left_out(Table const&);
std::string does_not_fit(Grid const&, double bytes_of_a_device);
/// \throws std::runtime_error if the file cannot be written
void write_json(std::string const& file, std::string const& program, std::string const& device,
                std::vector<std::string> const& command, std::vector<Table> const&);

#endif
