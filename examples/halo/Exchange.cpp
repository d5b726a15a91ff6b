// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Exchange.hpp"

#include <cstdlib>
#include <stdexcept>
#include <type_traits>

#if defined(HALO_HAS_MPI) && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#if defined(HALO_HAS_NCCL) && defined(KOKKOS_ENABLE_CUDA)
#include <nccl.h>
#elif defined(HALO_HAS_NCCL)
#include <rccl/rccl.h>
#endif

namespace {

class NoExchange : public Exchange {
 public:
  void run(Parts const&) override {}
};

/// All parts are in this process; part i is element i.
class PeerExchange : public Exchange {
 public:
  void run(Parts const& parts) override {
    // A copy runs in the order of the receiver's instance, so the host must ensure that the sender has packed.
    for (auto const& part : parts) part->border().fence("halo: the faces can be copied");
    for (auto const& part : parts) {
      for (int face = 0; face < faces; ++face) {
        if (part->neighbor(face) < 0) continue;
        Kokkos::deep_copy(part->border(), part->received(face), parts[part->neighbor(face)]->to_send(opposite(face)));
      }
    }
  }
};

#if defined(HALO_HAS_MPI)

constexpr bool host_reaches_faces = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Face::memory_space>::accessible;

/// Each process has one part. The tag of a message is the face through which it left.
/// \tparam HostSpace the memory that MPI gets if the faces are staged there
template <class HostSpace>
class MPIExchange : public Exchange {
 public:
  MPIExchange(MPI_Comm communicator, Part const& part, bool staged) : m_communicator(communicator), m_staged(staged) {
    for (int face = 0; staged && face < faces; ++face) {
      Face const& like = part.to_send(face);
      m_send[face]     = HostFace("staged face to send", like.extent(0), like.extent(1));
      m_receive[face]  = HostFace("staged face received", like.extent(0), like.extent(1));
    }
  }

  void run(Parts const& parts) override {
    Part const& part = *parts[0];
    start_receiving(part);
    for (int face = 0; m_staged && face < faces; ++face) {
      if (part.neighbor(face) >= 0) Kokkos::deep_copy(part.border(), m_send[face], part.to_send(face));
    }
    part.border().fence("halo: the faces can be sent");
    start_sending(part);
    for (;;) {
      int face = MPI_UNDEFINED;
      MPI_Waitany(faces, m_receiving.data(), &face, MPI_STATUS_IGNORE);
      if (face == MPI_UNDEFINED) break;  // all have arrived
      if (m_staged) Kokkos::deep_copy(part.border(), part.received(face), m_receive[face]);
    }
    // Many MPIs send only while the process is in one of their functions. A process that waited for its interior now
    // would hold up its neighbours.
    MPI_Waitall(faces, m_sending.data(), MPI_STATUSES_IGNORE);
  }

 private:
  using HostFace = Kokkos::View<double**, Kokkos::LayoutLeft, HostSpace>;

  void start_receiving(Part const& part) {
    m_receiving.fill(MPI_REQUEST_NULL);
    for (int face = 0; face < faces; ++face) {
      if (part.neighbor(face) < 0) continue;
      double* const to = m_staged ? m_receive[face].data() : part.received(face).data();
      MPI_Irecv(to, int(part.received(face).size()), MPI_DOUBLE, part.neighbor(face), opposite(face), m_communicator,
                &m_receiving[face]);
    }
  }
  void start_sending(Part const& part) {
    m_sending.fill(MPI_REQUEST_NULL);
    for (int face = 0; face < faces; ++face) {
      if (part.neighbor(face) < 0) continue;
      double* const from = m_staged ? m_send[face].data() : part.to_send(face).data();
      MPI_Isend(from, int(part.to_send(face).size()), MPI_DOUBLE, part.neighbor(face), face, m_communicator,
                &m_sending[face]);
    }
  }

  MPI_Comm m_communicator;
  bool m_staged;
  std::array<HostFace, faces> m_send, m_receive;
  std::array<MPI_Request, faces> m_sending{}, m_receiving{};
};

bool mpi_takes_device_memory() {
  if (host_reaches_faces) return true;
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() == 1) return true;
#elif defined(KOKKOS_ENABLE_HIP) && defined(MPIX_ROCM_AWARE_SUPPORT)
  if (MPIX_Query_rocm_support() == 1) return true;
#endif
  char const* const mpich = std::getenv("MPICH_GPU_SUPPORT_ENABLED");
  return mpich != nullptr && std::string(mpich) == "1";
}

#endif

#if defined(HALO_HAS_NCCL)

void nccl_check(ncclResult_t result, char const* call) {
  if (result != ncclSuccess)
    throw std::runtime_error(std::string(call) + " failed: " + ncclGetErrorString(result) + ".");
}

auto stream_of(Space const& instance) {
#if defined(KOKKOS_ENABLE_CUDA)
  return instance.cuda_stream();
#else
  return instance.hip_stream();
#endif
}

/// Sends and receives in the border's streams, so the host waits for nothing.
class NCCLExchange : public Exchange {
 public:
  NCCLExchange(World const& world, Parts const& parts) : m_communicators(parts.size()) {
    ncclUniqueId id;
    if (world.first_part() == 0) nccl_check(ncclGetUniqueId(&id), "ncclGetUniqueId");
#if defined(HALO_HAS_MPI)
    if (world.has_processes()) MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, world.communicator());
#endif
    int before = 0;
    gpu_check(HALO_GPU(GetDevice)(&before), "GetDevice");
    nccl_check(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      gpu_check(HALO_GPU(SetDevice)(parts[i]->device()), "SetDevice");
      nccl_check(ncclCommInitRank(&m_communicators[i], world.parts(), id, parts[i]->index()), "ncclCommInitRank");
    }
    nccl_check(ncclGroupEnd(), "ncclGroupEnd");
    gpu_check(HALO_GPU(SetDevice)(before), "SetDevice");
  }
  ~NCCLExchange() override {
    for (auto const communicator : m_communicators) (void)ncclCommDestroy(communicator);
  }

  void run(Parts const& parts) override {
    nccl_check(ncclGroupStart(), "ncclGroupStart");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Part const& part = *parts[i];
      for (int face = 0; face < faces; ++face) {
        int const neighbor = part.neighbor(face);
        if (neighbor < 0) continue;
        auto const stream = stream_of(part.border());
        Face const &send = part.to_send(face), &receive = part.received(face);
        nccl_check(ncclSend(send.data(), send.size(), ncclDouble, neighbor, m_communicators[i], stream), "ncclSend");
        nccl_check(ncclRecv(receive.data(), receive.size(), ncclDouble, neighbor, m_communicators[i], stream),
                   "ncclRecv");
      }
    }
    nccl_check(ncclGroupEnd(), "ncclGroupEnd");
  }

 private:
  std::vector<ncclComm_t> m_communicators;
};

#endif

}  // namespace

char const* name_of(Means means) {
  switch (means) {
    case Means::none:
      return "none";
    case Means::peer:
      return "peer";
    case Means::direct:
      return "direct";
    case Means::staged:
      return "staged";
    case Means::pinned:
      return "pinned";
    case Means::nccl:
      return "nccl";
    case Means::choose:
      break;
  }
  return "auto";
}

Means choose_means(Means means, bool has_processes) {
  if (means != Means::choose) return means;
  if (!has_processes) return Means::peer;
#if defined(HALO_HAS_MPI)
  if (mpi_takes_device_memory()) return Means::direct;
#endif
  return Means::pinned;
}

std::unique_ptr<Exchange> make_exchange(Means means, World const& world, Parts const& parts) {
  bool const is_alone = world.parts() == 1;
  if (means == Means::none || (is_alone && means != Means::nccl)) return std::make_unique<NoExchange>();
  if (means == Means::nccl) {
#if defined(HALO_HAS_NCCL)
    return std::make_unique<NCCLExchange>(world, parts);
#else
    throw std::runtime_error(
        "--exchange nccl needs a program that was built with NCCL or RCCL, and CMake found neither when it configured "
        "this one: set NCCL_ROOT to the folder where it is, or choose another exchange.");
#endif
  }
  if (means == Means::peer) {
    if (world.has_processes()) {
      throw std::runtime_error(
          "--exchange peer copies within one process, and there are several: start the program "
          "without mpirun, or choose direct, staged, pinned or nccl.");
    }
    return std::make_unique<PeerExchange>();
  }
#if defined(HALO_HAS_MPI)
  if (world.has_processes()) {
    if (means == Means::pinned)
      return std::make_unique<MPIExchange<PinnedSpace>>(world.communicator(), *parts[0], /*staged=*/true);
    return std::make_unique<MPIExchange<Kokkos::HostSpace>>(world.communicator(), *parts[0], means == Means::staged);
  }
#endif
  throw std::runtime_error(std::string("--exchange ") + name_of(means) +
                           " is for several processes, and there is one: start the program by mpirun, or choose peer.");
}
