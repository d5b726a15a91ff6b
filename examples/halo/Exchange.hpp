// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_EXCHANGE_HPP
#define HALO_EXCHANGE_HPP

/// \file
/// The means by which faces reach the neighbours.

#include "Part.hpp"
#include "World.hpp"

#include <memory>
#include <string>
#include <vector>

using Parts = std::vector<std::unique_ptr<Part>>;  ///< of this process

enum class Means {
  choose,  ///< peer in one process; between processes direct where the MPI can, otherwise staged
  none,    ///< no exchange: wrong results, and the time that is left without one
  peer,    ///< copies between the devices of one process
  direct,  ///< MPI gets pointers to device memory
  staged,  ///< MPI gets pageable host memory, which Kokkos copies to and from the device
  nccl,    ///< NCCL, or RCCL
};

/// Moves to_send(face) of each part to received(face) of its neighbour.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Is called after the faces were packed. Returns when the faces are received in the order of the border's instances:
  /// what is launched there afterwards may use them.
  virtual void run(Parts const&) = 0;
  /// Waits until buffers of the host may be used again.
  virtual void end_step() {}
};

char const* name_of(Means);
/// \throws std::runtime_error if this program was built without these means, or the world does not allow them
std::unique_ptr<Exchange> make_exchange(Means, World const&, Parts const&);
/// Replaces Means::choose.
Means choose_means(Means, bool has_processes);

#endif
