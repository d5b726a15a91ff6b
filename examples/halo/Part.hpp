// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_PART_HPP
#define HALO_PART_HPP

/// \file
/// One part of the grid on one device: the field with a layer of ghost points around it, buffers for the faces, and the
/// kernels.

#include "Devices.hpp"
#include "Grid.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

using Field = Kokkos::View<double***, Kokkos::LayoutLeft, Space>;
using Face  = Kokkos::View<double**, Kokkos::LayoutLeft, Space>;

/// The coefficient of the explicit scheme, (time step) (diffusivity) / (spacing squared); stable up to 1/6.
inline constexpr double coefficient = 0.125;

/// u += c (sum of the six neighbours - 6 u). The order of operations is the same at every point of every part, so the
/// result does not depend on the division.
struct Update {
  Kokkos::View<double const***, Kokkos::LayoutLeft, Space> from;
  Field to;
  KOKKOS_FUNCTION void operator()(int x, int y, int z) const {
    int const i = x + 1, j = y + 1, k = z + 1;  // skips the ghost points
    double const u = from(i, j, k);
    to(i, j, k) = u + coefficient * ((from(i - 1, j, k) + from(i + 1, j, k)) + (from(i, j - 1, k) + from(i, j + 1, k)) +
                                     (from(i, j, k - 1) + from(i, j, k + 1)) - 6 * u);
  }
};

/// Calls body(x, y, z) for each point of a box. A thin box gets a tile of its shape.
template <class Body>
void for_each_point(char const* label, Space const& instance, Box const& box, Body const& body) {
  if (box.empty()) return;
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                       Kokkos::IndexType<int>>;
  Kokkos::Array<int, 3> const begin = {box.begin[0], box.begin[1], box.begin[2]},
                              end   = {box.end[0], box.end[1], box.end[2]};
  if (box.extent(0) == 1) {
    Kokkos::parallel_for(label, Policy(instance, begin, end, Kokkos::Array<int, 3>{1, 32, 8}), body);
  } else {
    Kokkos::parallel_for(label, Policy(instance, begin, end), body);
  }
}

/// The slowest mode of the box with cold walls. A step multiplies it by the same factor everywhere.
class Mode {
 public:
  explicit Mode(Grid const& grid) {
    for (int d = 0; d < 3; ++d) {
      m_angle[d] = std::acos(-1.0) / (grid.points()[d] + 1);
      m_factor += coefficient * (2 * std::cos(m_angle[d]) - 2);
    }
  }
  KOKKOS_FUNCTION double operator()(int x, int y, int z) const {
    return Kokkos::sin(m_angle[0] * (x + 1)) * Kokkos::sin(m_angle[1] * (y + 1)) * Kokkos::sin(m_angle[2] * (z + 1));
  }
  double after(int steps) const { return std::pow(m_factor, steps); }

 private:
  double m_angle[3] = {}, m_factor = 1;
};

/// Hot bodies of several shapes, for the picture.
class Bodies {
 public:
  explicit Bodies(Grid const& grid) {
    for (int d = 0; d < 3; ++d) m_scale[d] = 1.0 / (grid.points()[d] + 1);
  }
  KOKKOS_FUNCTION double operator()(int i, int j, int k) const {
    double const x = (i + 1) * m_scale[0], y = (j + 1) * m_scale[1], z = (k + 1) * m_scale[2] - 0.5;
    double const ring = Kokkos::hypot(x - 0.35, y - 0.4) - 0.2;
    if (ring * ring + z * z < 0.004) return 1.0;
    if ((x - 0.75) * (x - 0.75) + (y - 0.3) * (y - 0.3) + z * z < 0.012) return 0.8;
    bool const bar = x > 0.15 && x < 0.85 && y > 0.74 && y < 0.84 && z > -0.2 && z < 0.2;
    return bar ? 0.3 + 0.7 * x : 0.0;
  }

 private:
  double m_scale[3] = {};
};

class Part {
 public:
  Part(Grid const& grid, int index, int device)
      : m_index(index),
        m_device(device),
        m_points(grid.points_of(index)),
        m_instances(std::make_unique<Instances>(device)) {
    Extents const n = extents();
    std::array<bool, faces> has_neighbor{};
    for (int face = 0; face < faces; ++face) {
      m_neighbor[face]   = grid.neighbor_of(index, face);
      has_neighbor[face] = m_neighbor[face] >= 0;
      if (!has_neighbor[face]) continue;
      int const d = direction_of(face), a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
      m_send[face]    = Face(Kokkos::view_alloc(border(), "face to send"), n[a], n[b]);
      m_receive[face] = Face(Kokkos::view_alloc(border(), "face received"), n[a], n[b]);
    }
    m_split = split(n, has_neighbor);
    // Allocated with an instance, a view gets memory of the instance's device. The walls are ghost points that stay
    // zero.
    m_now  = Field(Kokkos::view_alloc(border(), "temperature"), n[0] + 2, n[1] + 2, n[2] + 2);
    m_next = Field(Kokkos::view_alloc(border(), "next temperature"), n[0] + 2, n[1] + 2, n[2] + 2);
    fence();
  }

  int index() const { return m_index; }
  int device() const { return m_device; }
  Box const& points() const { return m_points; }
  Extents extents() const { return {m_points.extent(0), m_points.extent(1), m_points.extent(2)}; }
  int neighbor(int face) const { return m_neighbor[face]; }
  Space const& interior() const { return m_instances->interior; }
  Space const& border() const { return m_instances->border; }
  Face const& to_send(int face) const { return m_send[face]; }
  Face const& received(int face) const { return m_receive[face]; }

  template <class Initial>
  void initialize(Initial const& initial) {
    Field const now = m_now;
    int const x0 = m_points.begin[0], y0 = m_points.begin[1], z0 = m_points.begin[2];
    for_each_point(
        "initialize", border(), {{}, extents()},
        KOKKOS_LAMBDA(int x, int y, int z) { now(x + 1, y + 1, z + 1) = initial(x0 + x, y0 + y, z0 + z); });
    fence();
  }

  /// Copies the faces into buffers, in the order of the border's instance.
  void pack() const {
    for (int face = 0; face < faces; ++face) {
      if (m_neighbor[face] < 0) continue;
      with_layer(m_now, face, /*ghost=*/false,
                 [&](auto const& layer) { Kokkos::deep_copy(border(), m_send[face], layer); });
    }
  }

  void update_interior() const { for_each_point("interior", interior(), m_split.interior, Update{m_now, m_next}); }

  /// Fills the ghost points with the received values, and updates the adjacent points.
  void update_border() const {
    for (int face = 0; face < faces; ++face) {
      if (m_neighbor[face] < 0) continue;
      with_layer(m_now, face, /*ghost=*/true,
                 [&](auto const& layer) { Kokkos::deep_copy(border(), layer, m_receive[face]); });
    }
    for (Box const& box : m_split.border) for_each_point("border", border(), box, Update{m_now, m_next});
  }

  void swap() { std::swap(m_now, m_next); }

  void fence() const {
    border().fence("halo: the border is updated");
    interior().fence("halo: the interior is updated");
  }

  /// The maximum difference from `factor` times the mode.
  double difference(Mode const& mode, double factor) const {
    Field const now = m_now;
    Extents const n = extents();
    int const x0 = m_points.begin[0], y0 = m_points.begin[1], z0 = m_points.begin[2];
    double largest = 0;
    using Policy   = Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                           Kokkos::IndexType<int>>;
    Kokkos::parallel_reduce(
        "difference", Policy(border(), {0, 0, 0}, {n[0], n[1], n[2]}),
        KOKKOS_LAMBDA(int x, int y, int z, double& most) {
          double const exact = factor * mode(x0 + x, y0 + y, z0 + z);
          most               = Kokkos::fmax(most, Kokkos::fabs(now(x + 1, y + 1, z + 1) - exact));
        },
        Kokkos::Max<double>(largest));
    return largest;
  }

  /// The temperatures without ghost points, x fastest.
  std::vector<double> values() const {
    Extents const n  = extents();
    auto const range = [](int extent) { return std::pair(1, extent + 1); };
    Field const packed(Kokkos::view_alloc(border(), "packed", Kokkos::WithoutInitializing), n[0], n[1], n[2]);
    Kokkos::deep_copy(border(), packed, Kokkos::subview(m_now, range(n[0]), range(n[1]), range(n[2])));
    std::vector<double> result(packed.size());
    Kokkos::View<double***, Kokkos::LayoutLeft, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const host(
        result.data(), n[0], n[1], n[2]);
    Kokkos::deep_copy(border(), host, packed);
    border().fence("halo: the field is on the host");
    return result;
  }

 private:
  /// Calls use(view) with the outermost layer of points at a face, or with the ghost layer behind it.
  template <class Use>
  void with_layer(Field const& field, int face, bool ghost, Use const& use) const {
    Extents const n = extents();
    std::pair const x(1, n[0] + 1), y(1, n[1] + 1), z(1, n[2] + 1);
    int const d     = direction_of(face);
    int const layer = is_high(face) ? n[d] + ghost : 1 - ghost;
    if (d == 0) use(Kokkos::subview(field, layer, y, z));
    if (d == 1) use(Kokkos::subview(field, x, layer, z));
    if (d == 2) use(Kokkos::subview(field, x, y, layer));
  }

  int m_index, m_device;
  Box m_points;
  std::unique_ptr<Instances> m_instances;  // before the views, which may be freed in the order of its streams
  std::array<int, faces> m_neighbor{};
  std::array<Face, faces> m_send, m_receive;
  Split m_split;
  Field m_now, m_next;
};

#endif
