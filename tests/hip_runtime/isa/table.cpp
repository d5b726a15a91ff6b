// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table.hpp"

namespace hip_model::isa {

Table const& Table::get() {
  static Table const* table = [] {
    auto* t = new Table;
    for (auto add : {add_scalar, add_scalar_control, add_scalar_memory, add_vector_float, add_vector_division,
                     add_vector_half, add_vector_integer, add_vector_carry, add_vector_compare, add_vector_convert,
                     add_vector_packed, add_vector_packed_single, add_cross_lane, add_register_index, add_shared_memory,
                     add_global_memory, add_atomics})
      add(*t);
    return t;
  }();
  return *table;
}

Handler Table::find(std::string const& mnemonic) const {
  auto it = m_handlers.find(mnemonic);
  return it == m_handlers.end() ? nullptr : it->second;
}

}  // namespace hip_model::isa
