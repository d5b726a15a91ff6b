// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_SCATTERSPARES_HPP
#define KOKKOS_IMPL_SCATTERSPARES_HPP

/// \file
/// The copies of a ScatterView for host threads whose numbers exceed the number of its other copies.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Kokkos::Impl {

/// Copies that threads get when they first contribute. Each belongs to a thread number until this object is destroyed.
class ScatterSpares {
 public:
  /// Sets `count` elements to the identity of the operation.
  using Fill = void (*)(void* elements, std::size_t count);

  ScatterSpares();
  ScatterSpares(ScatterSpares const&)            = delete;
  ScatterSpares& operator=(ScatterSpares const&) = delete;
  ~ScatterSpares();

  /// The copy of a thread number, with `count` elements of `element_size` bytes. Several threads may call this at the
  /// same time, each with its own number. Ends the program if there is not enough memory.
  void* of_thread(std::uint32_t number, std::size_t count, std::size_t element_size, Fill fill);
  /// All copies. No thread may contribute meanwhile.
  std::vector<void*> all() const;

 private:
  struct State;
  State* m_state;
};

}  // namespace Kokkos::Impl

#endif
