// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "World.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace {

/// Writes the values of one part, x fastest, to their positions in the whole grid.
void place(Grid const& grid, int part, std::vector<double> const& values, std::vector<double>& whole) {
  Box const box      = grid.points_of(part);
  auto const& points = grid.points();
  auto from          = values.begin();
  for (int z = box.begin[2]; z < box.end[2]; ++z) {
    for (int y = box.begin[1]; y < box.end[1]; ++y) {
      auto const to = whole.begin() + ((std::ptrdiff_t(z) * points[1] + y) * points[0] + box.begin[0]);
      std::copy(from, from + box.extent(0), to);
      from += box.extent(0);
    }
  }
}

}  // namespace

#if defined(HALO_HAS_MPI)

World::Session::Session(int& argc, char**& argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &m_processes);
  MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, m_rank, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &m_rank_on_host);
  MPI_Comm_free(&host);
}
World::Session::~Session() { MPI_Finalize(); }
void World::Session::wait_for_all() const { MPI_Barrier(MPI_COMM_WORLD); }
double World::Session::smallest(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return value;
}
void World::Session::abort() const {
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();  // MPI_Abort does not return, but is not declared so
}

World::World(Session const& session, int parts) : m_parts(parts) {
  if (session.processes() == 1) {
    m_here = parts;
    return;
  }
  m_first = session.rank();
  m_here  = session.rank() < parts ? 1 : 0;
  MPI_Comm_split(MPI_COMM_WORLD, m_here == 1 ? 0 : MPI_UNDEFINED, session.rank(), &m_communicator);
}
World::~World() {
  if (m_communicator != MPI_COMM_NULL) MPI_Comm_free(&m_communicator);
}
void World::wait_for_all() const {
  if (m_communicator != MPI_COMM_NULL) MPI_Barrier(m_communicator);
}
double World::largest(double value) const {
  if (m_communicator != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, m_communicator);
  return value;
}

std::vector<double> World::gather(Grid const& grid, std::vector<std::vector<double>> const& here) const {
  std::vector<double> whole;
  if (m_first == 0) {
    whole.resize(std::size_t(grid.number_of_points()));
    for (std::size_t part = 0; part < here.size(); ++part) place(grid, int(part), here[part], whole);
  }
  if (m_communicator == MPI_COMM_NULL) return whole;
  if (m_first != 0) {
    MPI_Send(here[0].data(), int(here[0].size()), MPI_DOUBLE, 0, 0, m_communicator);
    return whole;
  }
  for (int part = 1; part < m_parts; ++part) {
    Box const box = grid.points_of(part);
    std::vector<double> values(std::size_t(box.extent(0)) * box.extent(1) * box.extent(2));
    MPI_Recv(values.data(), int(values.size()), MPI_DOUBLE, part, 0, m_communicator, MPI_STATUS_IGNORE);
    place(grid, part, values, whole);
  }
  return whole;
}

#else

World::Session::Session(int&, char**&) {}
World::Session::~Session() = default;
void World::Session::wait_for_all() const {}
double World::Session::smallest(double value) const { return value; }
void World::Session::abort() const { std::exit(EXIT_FAILURE); }
World::World(Session const&, int parts) : m_parts(parts), m_here(parts) {}
World::~World() = default;
void World::wait_for_all() const {}
double World::largest(double value) const { return value; }

std::vector<double> World::gather(Grid const& grid, std::vector<std::vector<double>> const& here) const {
  std::vector<double> whole(std::size_t(grid.number_of_points()));
  for (std::size_t part = 0; part < here.size(); ++part) place(grid, int(part), here[part], whole);
  return whole;
}

#endif
