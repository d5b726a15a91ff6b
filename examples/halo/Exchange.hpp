// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_EXCHANGE_HPP
#define HALO_EXCHANGE_HPP

/// \file
/// The means of sending faces to the neighbours.

#include "Part.hpp"
#include "World.hpp"

#include <memory>
#include <string>
#include <vector>

using Parts = std::vector<std::unique_ptr<Part>>;  ///< of this process

enum class Means {
  choose,  ///< peer in one process; between processes direct if the MPI supports it, otherwise pinned
  none,    ///< no exchange: wrong results, to measure the time without one
  peer,    ///< copies between the devices of one process
  direct,  ///< MPI receives pointers to device memory
  staged,  ///< MPI receives pageable host memory, which Kokkos copies to and from the device
  pinned,  ///< the same with pinned host memory
  nccl,    ///< NCCL, or RCCL
};

/// Sends to_send(face) of each part to received(face) of its neighbour.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Called after the faces were packed. When it returns, the faces will arrive in the order of the border's instances:
  /// work that is launched there afterwards may use them.
  virtual void run(Parts const&) = 0;
};

char const* name_of(Means);
/// \throws std::runtime_error if this program was built without these means, or the world does not support them
std::unique_ptr<Exchange> make_exchange(Means, World const&, Parts const&);
/// Replaces Means::choose.
Means choose_means(Means, bool has_processes);

#endif
