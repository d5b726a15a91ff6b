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
          "\"efficiency\": %.4f, \"error\": %.3g}",
          1e3 * row.step, 1e3 * row.alone, 1e3 * row.border, 1e-9 * row.grid.number_of_points() / row.step,
          table.efficiency(row), row.error);
      text += std::string(first ? "\n" : ",\n") + "    {\"scaling\": " + quoted(table.scaling) +
              ", \"exchange\": " + quoted(table.means) + ", \"parts\": " + std::to_string(row.grid.number_of_parts()) +
              ", \"divided\": " + quoted(times(row.grid.parts())) +
              ", \"points\": " + quoted(times(row.grid.points())) + ", " + numbers;
      first = false;
    }
  }
  text += "\n  ]\n}\n";
  std::FILE* const out = std::fopen(file.c_str(), "w");
  bool written         = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out != nullptr && std::fclose(out) != 0) written = false;
  if (!written) throw std::runtime_error(file + ": the times cannot be written there; --json takes another file.");
}
