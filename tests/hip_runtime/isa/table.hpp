// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_TABLE_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_TABLE_HPP

/// \file
/// The meaning of each mnemonic. Sections in comments are those of "Vega Instruction Set Architecture" (AMD, 2020) and
/// "Vega 7nm" where that document has more.

#include "instruction.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace hip_model::isa {

class Table {
 public:
  static Table const& get();
  /// Null for an unknown mnemonic. The encoding (_e32, _e64, _dpp, _sdwa) is not part of it.
  Handler find(std::string const& mnemonic) const;
  void add(std::string const& mnemonic, Handler handler) { m_handlers.emplace(mnemonic, handler); }
  std::size_t size() const { return m_handlers.size(); }

 private:
  std::unordered_map<std::string, Handler> m_handlers;
};

void add_scalar(Table&);
void add_scalar_control(Table&);
void add_scalar_memory(Table&);
void add_vector_float(Table&);
void add_vector_division(Table&);
void add_vector_half(Table&);
void add_vector_integer(Table&);
void add_vector_carry(Table&);
void add_vector_compare(Table&);
void add_vector_convert(Table&);
void add_vector_packed(Table&);
void add_vector_packed_single(Table&);
void add_cross_lane(Table&);
void add_register_index(Table&);
void add_shared_memory(Table&);
void add_global_memory(Table&);
void add_atomics(Table&);

}  // namespace hip_model::isa

#endif
