// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.hpp"

#include <cstdio>
#include <stdexcept>

namespace {

std::string times(Extents const& e) {
  return std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]);
}

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

}  // namespace

void print_head(Table const& table) {
  std::printf("%s scaling, exchange %s\n", table.scaling.c_str(), table.means.c_str());
  std::printf("  %5s %9s %18s %10s %12s %12s %11s %10s %9s\n", "parts", "divided", "points", "ms/step", "no exchange",
              "border after", "Gpoints/s", "efficiency", "error");
}

void print_last_row(Table const& table) {
  Row const& row = table.rows.back();
  std::printf("  %5d %9s %18s %10.4f %12.4f %12.4f %11.3f %10.3f %9.1e\n", row.grid.number_of_parts(),
              times(row.grid.parts()).c_str(), times(row.grid.points()).c_str(), 1e3 * row.step, 1e3 * row.alone,
              1e3 * row.border, 1e-9 * row.grid.number_of_points() / row.step, table.efficiency(row), row.error);
  std::fflush(stdout);
}

std::string does_not_fit(Grid const& grid, double bytes_of_a_device) {
  char text[160];
  std::snprintf(text, sizeof text, "%s points in %s parts: a part takes %.1f GiB, and a device has %.1f GiB for it",
                times(grid.points()).c_str(), times(grid.parts()).c_str(), grid.bytes_of_a_part() / (1 << 30),
                bytes_of_a_device / (1 << 30));
  return text;
}

void print_left_out(Table const& table) {
  std::printf("  left out: %s\n", table.left_out.back().c_str());
  std::fflush(stdout);
}

void write_json(std::string const& file, std::string const& program, std::string const& device,
                std::vector<std::string> const& command, std::vector<Table> const& tables) {
  std::string text =
      "{\n  \"program\": " + quoted(program) + ",\n  \"device\": " + quoted(device) + ",\n  \"command\": [";
  for (std::string const& word : command) text += (&word == &command[0] ? "" : ", ") + quoted(word);
  text += "],\n  \"rows\": [";
  bool first = true;
  for (Table const& table : tables) {
    for (Row const& row : table.rows) {
      char numbers[320];
      std::snprintf(
          numbers, sizeof numbers,
          "\"ms_per_step\": %.6g, \"ms_without_exchange\": %.6g, \"ms_until_border\": %.6g, \"gpoints_per_s\": %.6g, "
          "\"efficiency\": %.4f, \"efficiency_from\": %d, \"error\": %.3g}",
          1e3 * row.step, 1e3 * row.alone, 1e3 * row.border, 1e-9 * row.grid.number_of_points() / row.step,
          table.efficiency(row), table.rows.front().grid.number_of_parts(), row.error);
      text += std::string(first ? "\n" : ",\n") + "    {\"scaling\": " + quoted(table.scaling) +
              ", \"exchange\": " + quoted(table.means) + ", \"parts\": " + std::to_string(row.grid.number_of_parts()) +
              ", \"divided\": " + quoted(times(row.grid.parts())) +
              ", \"points\": " + quoted(times(row.grid.points())) + ", " + numbers;
      first = false;
    }
  }
  text += "\n  ],\n  \"left_out\": [";
  first = true;
  for (Table const& table : tables) {
    for (std::string const& sentence : table.left_out) {
      text += (first ? "\n    " : ",\n    ") + quoted(table.scaling + " scaling, " + sentence);
      first = false;
    }
  }
  text += first ? "]\n}\n" : "\n  ]\n}\n";
  std::FILE* const out = std::fopen(file.c_str(), "w");
  bool written         = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out != nullptr && std::fclose(out) != 0) written = false;
  if (!written) throw std::runtime_error(file + ": the times cannot be written there; --json takes another file.");
}
