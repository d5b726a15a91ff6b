// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "races.hpp"

#include <algorithm>
#include <cstdlib>

namespace hip_model::isa {

char const* name_of(Access access) {
  return access == Access::read ? "reads" : access == Access::write ? "writes" : "updates";
}

namespace {

/// Some programs let wavefronts write the same value to the same place; HIP_MODEL_ISA_RACES=0 lets them run.
bool is_searched() {
  static bool const searched = [] {
    char const* wanted = std::getenv("HIP_MODEL_ISA_RACES");
    return !wanted || std::string(wanted) != "0";
  }();
  return searched;
}

}  // namespace

// Words still contain the accesses of earlier workgroups, so every clock starts later than all of these.
void Races::begin(unsigned waves, std::uint32_t shared_bytes) {
  m_waves = is_searched() ? waves : 1;
  if (m_waves < 2) return;
  if (waves > max_waves) throw Stop("the workgroup has more wavefronts than any GPU executes");
  for (unsigned w = 0; w < waves; ++w) {
    m_clocks[w].fill(m_latest);
    m_clocks[w][w] = m_latest + 1;
  }
  ++m_latest;
  m_words.resize(std::max<std::size_t>(m_words.size(), (shared_bytes + 3) / 4));
  m_atomics.clear();
  m_filter.reset();
}

void Races::barrier(std::uint32_t unsettled) {
  if (m_waves < 2) return;
  Clock joined{};
  for (unsigned w = 0; w < m_waves; ++w)
    for (unsigned v = 0; v < m_waves; ++v)
      if (v != w || !(unsettled >> w & 1)) joined[v] = std::max(joined[v], m_clocks[w][v]);
  for (unsigned w = 0; w < m_waves; ++w) {
    std::uint32_t const own = m_clocks[w][w] + 1;
    m_clocks[w]             = joined;
    m_clocks[w][w]          = own;
    m_latest                = std::max(m_latest, own);
  }
}

void Races::join_with(unsigned wave, std::uint64_t address) {
  Clock& own    = m_clocks[wave];
  Clock& common = m_atomics.try_emplace(address, own).first->second;
  m_filter.set(filter_of(address));
  for (unsigned v = 0; v < m_waves; ++v) own[v] = common[v] = std::max(own[v], common[v]);
  m_latest = std::max(m_latest, ++own[wave]);
}

namespace {

std::string found(Access access, unsigned other, bool has_written, Instruction const* by) {
  return std::string("race: it ") + name_of(access) + " shared memory (LDS) that wavefront " + std::to_string(other) +
         (has_written ? " has written" : " has read") + " by '" + by->text +
         "', with neither a barrier nor an atomic operation between them";
}

}  // namespace

void Races::check(unsigned wave, Instruction const* by, std::uint32_t offset, unsigned bytes, Access access) {
  if (access == Access::write && is_atomic(offset)) access = Access::update;
  if (access == Access::update) join_with(wave, offset);
  std::uint32_t const now = m_clocks[wave][wave];
  for (std::uint32_t at = offset; at < offset + bytes; at = (at / 4 + 1) * 4) {
    Word& word             = m_words[at / 4];
    unsigned const in_word = std::min(offset + bytes, (at / 4 + 1) * 4) - at;
    auto const mask        = static_cast<std::uint8_t>(((1u << in_word) - 1) << at % 4);
    bool const is_atomic   = access == Access::update;
    if (is_unordered(word.write, wave, mask) && !(is_atomic && word.write.is_atomic))
      throw Stop(found(access, word.write.wave, true, word.write.by));
    if (access != Access::read)
      for (Record const* r : {&word.read, &word.other_read})
        if (is_unordered(*r, wave, mask)) throw Stop(found(access, r->wave, false, r->by));
    Record& record = access == Access::read ? word.read : word.write;
    if (&record == &word.read && record.wave != wave) word.other_read = record;
    bool const same = record.wave == wave && record.time == now && record.is_atomic == is_atomic;
    record = {by, now, static_cast<std::uint8_t>(wave), static_cast<std::uint8_t>(same ? record.bytes | mask : mask),
              is_atomic};
  }
}

}  // namespace hip_model::isa
