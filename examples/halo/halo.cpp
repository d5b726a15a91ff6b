// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The heat equation in a box, on several devices: compares the result with that of one part, and prints how the time
/// of a step scales.

#include "Heat.hpp"
#include "Options.hpp"
#include "Picture.hpp"
#include "Report.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace {

constexpr double tolerance = 1e-12;

class Program {
 public:
  Program(World::Session const& session, Options const& options)
      : m_session(session), m_options(options), m_means(choose_means(options.means, session.processes() > 1)) {
    if (session.processes() > 1 && options.parts > 0) {
      throw std::runtime_error("--parts is for one process; started by mpirun, each process has one part.");
    }
    m_parts  = session.processes() > 1 ? session.processes()
               : options.parts > 0     ? options.parts
                                       : std::max(number_of_devices(), 1);
    m_device = number_of_devices() > 0 ? session.rank_on_host() % number_of_devices() : 0;
    m_memory = session.smallest(memory_of_a_device());
  }

  bool is_first() const { return m_session.rank() == 0; }
  int parts() const { return m_parts; }

  /// Computes the same grid with all parts and with one, from the same initial values.
  /// \throws std::runtime_error if they differ
  void compare() const {
    constexpr int steps  = 60;
    int const n          = m_options.check;
    Extents const points = {n, n + 1, n + 3};  // no direction divides evenly
    World const all(m_session, m_parts);
    auto const field = run_bodies(all, Grid(points, nearly_cubic(m_parts)), m_means, steps);
    if (is_first()) {
      World const alone;
      auto const expected = run_bodies(alone, Grid(points, {1, 1, 1}), Means::none, steps);
      long differ         = 0;
      double largest      = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        differ += field[i] != expected[i];
        largest = std::fmax(largest, std::fabs(field[i] - expected[i]));
      }
      std::printf("%d parts and one part: %ld of %zu points differ after %d steps, by %.1e at most\n", m_parts, differ,
                  expected.size(), steps, largest);
      if (!(largest <= tolerance)) throw std::runtime_error("The result depends on the number of parts.");
      if (!m_options.picture.empty()) draw(points, field);
    }
    m_session.wait_for_all();
  }

  /// One row for 1, 2, 4, ... parts, and for all. A grid that does not fit into the devices' memory gets none.
  Table scale(std::string const& scaling, int points) const {
    Table table{scaling, name_of(m_means), {}, {}};
    if (is_first()) print_head(table);
    for (int parts = 1;; parts = std::min(2 * parts, m_parts)) {
      Extents const divided = nearly_cubic(parts);
      Extents all           = {points, points, points};
      for (int d = 0; scaling == "weak" && d < 3; ++d) all[d] *= divided[d];
      Grid const grid(all, divided);
      if (grid.bytes_of_a_part() * parts_on_a_device(parts) <= m_memory) {
        table.rows.push_back(measure(grid));
        if (is_first()) print_last_row(table);
        if (table.rows.back().error > tolerance) throw std::runtime_error("The result differs from the exact one.");
      } else {
        table.left_out.push_back(does_not_fit(grid, m_memory));
        if (is_first()) print_left_out(table);
      }
      if (parts == m_parts) return table;
    }
  }

 private:
  int parts_on_a_device(int parts) const {
    int const devices = std::max(number_of_devices(), 1);
    return m_session.processes() > 1 ? 1 : (parts + devices - 1) / devices;
  }

  std::vector<double> run_bodies(World const& world, Grid const& grid, Means means, int steps) const {
    Heat heat(world, grid, means, m_device, false);
    heat.initialize(Bodies(grid));
    heat.run(steps);
    return heat.gather();
  }

  void draw(Extents const& points, std::vector<double> const& field) const {
    std::size_t const plane = std::size_t(points[0]) * points[1];
    auto const begin        = field.begin() + std::ptrdiff_t(plane) * (points[2] / 2);
    write_picture(m_options.picture, points[0], std::vector<double>(begin, begin + std::ptrdiff_t(plane)));
    std::printf("%s shows the middle of the grid\n", m_options.picture.c_str());
  }

  /// Processes without a part wait; the first process gets the row.
  Row measure(Grid const& grid) const {
    Row row{grid, 0, 0, 0, 0};
    {
      World const world(m_session, grid.number_of_parts());
      if (world.parts_here() > 0) {
        StepTimes const with = fastest(world, grid, m_means, &row.error);
        row.step             = with.step;
        row.border           = with.border;
        row.alone            = fastest(world, grid, Means::none, nullptr).step;
      }
    }
    m_session.wait_for_all();
    return row;
  }

  StepTimes fastest(World const& world, Grid const& grid, Means means, double* error) const {
    Kokkos::Profiling::ScopedRegion const region(std::to_string(grid.number_of_parts()) + " parts, exchange " +
                                                 name_of(means));
    Heat heat(world, grid, means, m_device, m_options.trace);
    Mode const mode(grid);
    heat.initialize(mode);
    heat.run(2);  // the first use allocates memory and opens connections
    StepTimes best = heat.run(m_options.steps);
    for (int repeat = 1; repeat < m_options.repeats; ++repeat) {
      StepTimes const times = heat.run(m_options.steps);
      if (times.step < best.step) best = times;
    }
    if (error != nullptr) *error = heat.difference(mode);
    return best;
  }

  World::Session const& m_session;
  Options const& m_options;
  Means m_means;
  int m_parts = 1, m_device = 0;
  double m_memory = 0;  ///< bytes that a device has for parts
};

std::string device_name() {
#if defined(HALO_HAS_GPU)
  HALO_GPU_PROPERTIES properties;
  gpu_check(HALO_GPU(GetDeviceProperties)(&properties, 0), "GetDeviceProperties");
  return properties.name;
#else
  return std::to_string(Space().concurrency()) + " threads for each process";
#endif
}

void run(World::Session const& session, Options const& options, std::vector<std::string> const& command) {
  Program const program(session, options);
  if (program.is_first()) {
    std::printf("%d %s on %s: %s\n", program.parts(), program.parts() == 1 ? "part" : "parts", Space::name(),
                device_name().c_str());
  }
  if (options.check > 0) program.compare();
  std::vector<Table> tables;
  if (options.weak > 0) tables.push_back(program.scale("weak", options.weak));
  for (int const points : options.strong) tables.push_back(program.scale("strong", points));
  if (program.is_first() && !options.json.empty()) write_json(options.json, "halo", device_name(), command, tables);
}

}  // namespace

/// All processes get the same arguments; the first one reports errors in them.
bool parse(World::Session const& session, int argc, char* argv[], Options& options) {
  try {
    options = parse_options(argc, argv);
    return true;
  } catch (std::exception const& error) {
    if (session.rank() == 0) std::fprintf(stderr, "halo: %s\n", error.what());
    return false;
  }
}

int main(int argc, char* argv[]) {
  std::vector<std::string> const command(argv, argv + argc);
  World::Session session(argc, argv);
  try {
    Kokkos::initialize(argc, argv);
    struct Finalize {
      ~Finalize() { Kokkos::finalize(); }
    } const finalize_at_end;
    Options options;
    if (!parse(session, argc, argv, options)) return 1;
    if (!options.help) {
      run(session, options, command);
    } else if (session.rank() == 0) {
      std::fputs(usage, stdout);
    }
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "halo, process %d: %s\n", session.rank(), error.what());
    if (session.processes() > 1) session.abort();  // the others wait for this one
    return 1;
  }
}
