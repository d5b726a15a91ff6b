// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_WORLD_HPP
#define HALO_WORLD_HPP

/// \file
/// The parts of one grid, and their processes: several parts in one process, or one in each of several processes of
/// MPI. Without MPI there is one process.

#include <vector>

#if defined(HALO_HAS_MPI)
#include <mpi.h>
#endif

#include "Grid.hpp"

class World {
 public:
  /// Starts MPI if the program was built with it, and ends it.
  class Session {
   public:
    Session(int& argc, char**& argv);
    Session(Session const&)            = delete;
    Session& operator=(Session const&) = delete;
    ~Session();
    int processes() const { return m_processes; }
    int rank() const { return m_rank; }
    int rank_on_host() const { return m_rank_on_host; }  ///< selects this process's device
    void wait_for_all() const;
    double smallest(double) const;    ///< of the values of all processes
    [[noreturn]] void abort() const;  ///< ends the other processes, too

   private:
    int m_processes = 1, m_rank = 0, m_rank_on_host = 0;
  };

  /// One part in each of the first `parts` processes; a single process gets all of them. All processes call this.
  World(Session const&, int parts);
  /// This process alone, with one part.
  World()                        = default;
  World(World const&)            = delete;
  World& operator=(World const&) = delete;
  ~World();

  int parts() const { return m_parts; }
  int first_part() const { return m_first; }  ///< of this process
  int parts_here() const { return m_here; }   ///< zero if this process does not take part
  bool has_processes() const { return m_here != m_parts; }

  void wait_for_all() const;
  double largest(double) const;
  /// Gathers the values of all parts in the process of part 0: the whole grid, x fastest. Empty in other processes.
  std::vector<double> gather(Grid const&, std::vector<std::vector<double>> const& values_of_parts_here) const;
#if defined(HALO_HAS_MPI)
  MPI_Comm communicator() const { return m_communicator; }
#endif

 private:
  int m_parts = 1, m_first = 0, m_here = 1;
#if defined(HALO_HAS_MPI)
  MPI_Comm m_communicator = MPI_COMM_NULL;
#endif
};

#endif
