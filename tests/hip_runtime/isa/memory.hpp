// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_MEMORY_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_MEMORY_HPP

/// \file
/// Memory as kernels see it: which addresses may be used, and how lanes read and write them.

#include "wave.hpp"

#include "../src/cached_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hip_model::isa {

/// The memory that kernels may use: allocations, and the memory that the interpreter gives each launch. The list of
/// allocations is renewed after an allocation or a release.
class LiveMemory {
 public:
  /// Memory of the launch itself: its arguments, its packet.
  void add(void const* base, std::size_t bytes);
  struct Found {
    char* data  = nullptr;  ///< null: not in live memory
    bool cached = false;    ///< memory that is not coherent, whose bytes are in the device's cache
  };
  Found find(std::uint64_t address, std::uint64_t bytes) {
    bool const again =
        address - m_last.begin < m_last.bytes && address - m_last.begin + bytes <= m_last.bytes && is_current();
    if (!again && !look_up(address, bytes)) return {};
    return {m_last.data + (address - m_last.begin), m_last.of != nullptr};
  }

 private:
  struct Range {
    std::uint64_t begin = 0, bytes = 0;
    char* data = nullptr;  ///< where the bytes are: at `begin`, or in a cache
    AllocationPtr of;      ///< set if the memory is cached
  };
  bool is_current() const;
  bool look_up(std::uint64_t address, std::uint64_t bytes);
  void refresh();
  std::vector<Range> m_own, m_ranges;
  std::vector<CachedMemory::Use> m_used;
  Range m_last;
  std::uint64_t m_generation = ~std::uint64_t(0);
};

enum class Space : std::uint8_t { global, shared, scratch };

/// The location of a lane's access.
struct Place {
  char* data;
  Space space;
  std::uint32_t offset;  ///< in shared memory or scratch
};
/// Checks that a lane may access the address; stops the kernel otherwise.
Place place_of(Wave&, std::uint64_t flat_address, unsigned lane, unsigned bytes, Access access);
Place shared_place(Wave&, std::uint64_t offset, unsigned lane, unsigned bytes, Access access);
Place scratch_place(Wave&, std::uint64_t offset, unsigned lane, unsigned bytes, Access access);
Place global_place(Wave&, std::uint64_t address, unsigned lane, unsigned bytes, Access access);

bool is_defined(Wave const&, Place const&, unsigned lane, unsigned bytes);
void set_defined(Wave&, Place const&, unsigned lane, unsigned bytes, bool defined);

/// How the addresses of an instruction are written: as 64 bits that may be in any space; as 64 bits, or 32 with a
/// scalar base, in global memory; as an offset into the private memory that a buffer describes; as an offset into
/// private memory, in a vector and a scalar register; as an offset into LDS.
enum class Addressing : std::uint8_t { flat, global, buffer, scratch, shared };

/// The address of each active lane, from the operand that `address` names and those after the data.
struct Addresses {
  Addresses(Wave&, Instruction const&, Addressing, unsigned address, unsigned base);
  Place at(Wave& w, unsigned lane, unsigned bytes, Access access, unsigned more = 0) const;
  std::uint64_t value[lanes];
  LaneMask active;
  std::uint32_t constant;  ///< the part of `value` that the instruction contains
  Addressing how;
};

/// Records that registers get a result, which is valid once s_waitcnt has waited for it.
void note_outstanding(Wave&, Addressing, Operand const* result);

}  // namespace hip_model::isa

#endif
