// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_GRID_HPP
#define HALO_GRID_HPP

/// \file
/// The division of a box of grid points among parts, and the points of a part that depend on its neighbours. Pure
/// functions of numbers, without Kokkos: the raw CUDA version uses them, too.

#include <array>
#include <climits>
#include <vector>

using Extents = std::array<int, 3>;  ///< x, y, z; x is the fastest one in memory

/// A range of points in each direction, in the indices of a part, which start at zero.
struct Box {
  Extents begin = {}, end = {};
  int extent(int d) const { return end[d] - begin[d]; }
  bool empty() const { return extent(0) <= 0 || extent(1) <= 0 || extent(2) <= 0; }
};

/// The six faces of a part: face 2 d is the low one of direction d, face 2 d + 1 the high one.
inline constexpr int faces = 6;
constexpr int direction_of(int face) { return face / 2; }
constexpr bool is_high(int face) { return face % 2 == 1; }
constexpr int opposite(int face) { return face ^ 1; }

/// The box of all points, divided into `parts[0]` x `parts[1]` x `parts[2]` parts.
class Grid {
 public:
  Grid(Extents points, Extents parts) : m_points(points), m_parts(parts) {}

  Extents const& points() const { return m_points; }
  Extents const& parts() const { return m_parts; }
  int number_of_parts() const { return m_parts[0] * m_parts[1] * m_parts[2]; }
  double number_of_points() const { return double(m_points[0]) * m_points[1] * m_points[2]; }

  /// Bytes of the largest part: two fields with ghost points. The buffers of faces are small beside them.
  double bytes_of_a_part() const {
    double points = 1;
    for (int d = 0; d < 3; ++d) points *= (m_points[d] + m_parts[d] - 1) / m_parts[d] + 2;
    return 2 * sizeof(double) * points;
  }

  Extents place_of(int part) const {
    return {part % m_parts[0], part / m_parts[0] % m_parts[1], part / m_parts[0] / m_parts[1]};
  }

  /// The points of a part, by their indices in the whole grid. Extents of two parts differ by at most one point.
  Box points_of(int part) const {
    Extents const place = place_of(part);
    Box box;
    for (int d = 0; d < 3; ++d) {
      box.begin[d] = cut(d, place[d]);
      box.end[d]   = cut(d, place[d] + 1);
    }
    return box;
  }

  /// The part on the other side of a face, or -1 if the face is a wall.
  int neighbor_of(int part, int face) const {
    Extents place = place_of(part);
    int const d   = direction_of(face);
    place[d] += is_high(face) ? 1 : -1;
    if (place[d] < 0 || place[d] >= m_parts[d]) return -1;
    return place[0] + m_parts[0] * (place[1] + m_parts[1] * place[2]);
  }

 private:
  int cut(int d, int place) const { return int(static_cast<long long>(m_points[d]) * place / m_parts[d]); }
  Extents m_points, m_parts;
};

/// Factors of n with the smallest sum, the largest one for z: faces across z are contiguous in memory.
inline Extents nearly_cubic(int n) {
  Extents best = {1, 1, n};
  int smallest = INT_MAX;
  for (int a = 1; a * a * a <= n; ++a) {
    if (n % a != 0) continue;
    for (int b = a; a * b * b <= n; ++b) {
      if (n / a % b != 0) continue;
      int const c = n / a / b;
      if (a + b + c < smallest) {
        smallest = a + b + c;
        best     = {a, b, c};
      }
    }
  }
  return best;
}

/// Points of a part whose update needs no neighbour, and the others, in boxes that do not overlap.
struct Split {
  Box interior;
  std::vector<Box> border;
};

inline Split split(Extents extents, std::array<bool, faces> const& has_neighbor) {
  Split result;
  Box& rest = result.interior;
  rest.end  = extents;
  // Each face removes its layer from the remaining points; z first, so that the layers with long rows are the large
  // ones.
  for (int d = 2; d >= 0; --d) {
    for (int const face : {2 * d, 2 * d + 1}) {
      if (!has_neighbor[face] || rest.empty()) continue;
      Box layer = rest;
      if (is_high(face)) {
        layer.begin[d] = --rest.end[d];
      } else {
        layer.end[d] = ++rest.begin[d];
      }
      result.border.push_back(layer);
    }
  }
  return result;
}

#endif
