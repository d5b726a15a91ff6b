// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_HEAT_HPP
#define HALO_HEAT_HPP

/// \file
/// The time steps of this process's parts: interiors are updated while faces are exchanged.

#include "Exchange.hpp"

#include <algorithm>

/// Seconds of a step, and of its beginning until all borders were updated; means over the steps of a run.
struct StepTimes {
  double step = 0, border = 0;
};

class Heat {
 public:
  /// \param first_device the device of this process, if it has one part
  /// \param trace the host waits for each phase of the border, so that a tool sees when the phase ended
  Heat(World const& world, Grid const& grid, Means means, int first_device, bool trace)
      : m_world(world), m_grid(grid), m_trace(trace) {
    int const devices = std::max(number_of_devices(), 1);
    for (int i = 0; i < world.parts_here(); ++i) {
      m_parts.push_back(std::make_unique<Part>(grid, world.first_part() + i, (first_device + i) % devices));
    }
    m_exchange = make_exchange(means, world, m_parts);
  }

  template <class Initial>
  void initialize(Initial const& initial) {
    for (auto const& part : m_parts) part->initialize(initial);
    m_steps = 0;
  }

  /// \returns the times of the slowest process
  StepTimes run(int steps) {
    StepTimes sum;
    m_world.wait_for_all();
    Kokkos::Timer timer;
    for (int s = 0; s < steps; ++s) sum.border += step();
    sum.step = m_world.largest(timer.seconds());
    return {sum.step / steps, m_world.largest(sum.border) / steps};
  }

  /// The maximum difference from the mode with which the field began.
  double difference(Mode const& mode) const {
    double largest = 0;
    for (auto const& part : m_parts) largest = std::max(largest, part->difference(mode, mode.after(m_steps)));
    return m_world.largest(largest);
  }

  /// The whole field in the process of part 0, empty elsewhere.
  std::vector<double> gather() const {
    std::vector<std::vector<double>> here;
    for (auto const& part : m_parts) here.push_back(part->values());
    return m_world.gather(m_grid, here);
  }

 private:
  /// Seconds until the borders were updated.
  double step() {
    Kokkos::Profiling::ScopedRegion const region("step");
    Kokkos::Timer timer;
    for (auto const& part : m_parts) {
      part->pack();
      part->update_interior();
    }
    if (m_trace) fence_borders("halo: the faces are packed");
    m_exchange->run(m_parts);
    if (m_trace) fence_borders("halo: the faces have arrived");
    for (auto const& part : m_parts) part->update_border();
    fence_borders("halo: the border is updated");
    double const border = timer.seconds();
    // Both instances of all parts end before the next step, which reads their results.
    for (auto const& part : m_parts) part->interior().fence("halo: the interior is updated");
    for (auto const& part : m_parts) part->swap();
    ++m_steps;
    return border;
  }

  void fence_borders(char const* label) const {
    for (auto const& part : m_parts) part->border().fence(label);
  }

  World const& m_world;
  Grid m_grid;
  bool m_trace;
  Parts m_parts;
  std::unique_ptr<Exchange> m_exchange;
  int m_steps = 0;
};

#endif
