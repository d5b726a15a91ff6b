// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counts.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace hip_model::isa {

namespace {

constexpr unsigned banks = 32;  // of LDS, 4 bytes each

bool contains(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }
bool begins(std::string const& text, char const* part) { return text.rfind(part, 0) == 0; }

/// Cycles of an access to LDS beyond the fewest that its words need. The hardware serves 32 lanes at a time, and a bank
/// gives one word in a cycle, to any number of lanes.
unsigned conflicts_of(std::uint64_t const* addresses, std::uint64_t active, unsigned bytes) {
  unsigned conflicts = 0;
  for (unsigned half = 0; half < lanes; half += 32) {
    std::uint32_t words[32 * 4];
    unsigned count = 0;
    for (unsigned l = half; l < half + 32; ++l)
      for (unsigned k = 0; (active >> l & 1) && k < std::max(bytes / 4, 1u); ++k)
        words[count++] = static_cast<std::uint32_t>(addresses[l]) / 4 + k;
    std::sort(words, words + count);
    count                   = static_cast<unsigned>(std::unique(words, words + count) - words);
    unsigned of_bank[banks] = {}, most = 0;
    for (unsigned k = 0; k < count; ++k) most = std::max(most, ++of_bank[words[k] % banks]);
    conflicts += most - (count + banks - 1) / banks;
  }
  return conflicts;
}

struct Total {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, KernelCounts> kernels;  // by section and name

  static Total& get() {
    static auto* total = new Total;
    return *total;
  }

 private:
  Total() {
    std::atexit([] { get().write(); });
  }
  void write() {
    std::FILE* file = std::fopen(std::getenv("HIP_MODEL_ISA_COUNTS"), "a");
    if (!file) return;
    std::fprintf(file, "%s | kernel\n", KernelCounts::heading().c_str());
    for (auto const& [key, counts] : kernels) {
      auto const& [section, name] = key;
      int status                  = 0;
      char* demangled             = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
      if (!section.empty()) std::fprintf(file, "%s | ", section.c_str());
      std::fprintf(file, "%s | %s\n", counts.row().c_str(), demangled ? demangled : name.c_str());
      std::free(demangled);
    }
    std::fclose(file);
  }
};

}  // namespace

unsigned wavefronts_of_unit(Processor const& p, Resources const& r) {
  unsigned const granules = (std::max(r.vector_registers, 1u) + p.allocation_granule - 1) / p.allocation_granule;
  unsigned of_simd        = std::min(p.simd_wavefronts, p.simd_registers / (granules * p.allocation_granule));
  if (!p.is_rdna) of_simd = std::min(of_simd, 800 / std::max(r.scalar_registers, 1u));
  unsigned const waves = (r.threads + p.wavefront - 1) / p.wavefront;
  unsigned groups      = of_simd * p.simds / waves;
  if (waves > 1) groups = std::min(groups, 16u);
  if (r.shared_bytes) groups = std::min(groups, 65536 / r.shared_bytes);
  return groups * waves;
}

// Lines are sorted because lanes may go through memory in any order.
unsigned KernelCounts::lines(std::uint64_t const* addresses, std::uint64_t active, unsigned bytes) const {
  std::uint64_t touched[2 * lanes];
  unsigned count = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    if (!(active >> l & 1)) continue;
    touched[count++] = addresses[l] / m_processor->line_bytes;
    touched[count++] = (addresses[l] + bytes - 1) / m_processor->line_bytes;
  }
  std::sort(touched, touched + count);
  return static_cast<unsigned>(std::unique(touched, touched + count) - touched);
}

void KernelCounts::add_access(Instruction const& i, Addressing how, std::uint64_t const* addresses,
                              std::uint64_t active) {
  using enum Instruction::Kind;
  if (how == Addressing::shared) {
    m_conflicts += conflicts_of(addresses, active, i.access_bytes);
    return;
  }
  if (how == Addressing::buffer || how == Addressing::scratch) return;
  for (unsigned l = 0; l < lanes; ++l)
    if (addresses[l] >> 48) active &= ~(std::uint64_t(1) << l);  // LDS and private memory
  std::uint64_t& lines_of = i.kind == load ? m_load_lines : i.kind == store ? m_store_lines : m_atomic_lines;
  lines_of += lines(addresses, active, i.access_bytes);
}

void KernelCounts::add_launch(Resources const& resources, std::uint64_t workgroups, std::uint64_t wavefronts) {
  m_launches   = 1;
  m_workgroups = workgroups;
  m_wavefronts = wavefronts;
  m_resources  = resources;
}

void KernelCounts::add(KernelCounts const& other) {
  for (unsigned k = 0; k < kinds; ++k) m_instructions[k] += other.m_instructions[k];
  m_launches += other.m_launches;
  m_workgroups += other.m_workgroups;
  m_wavefronts += other.m_wavefronts;
  m_load_lines += other.m_load_lines;
  m_store_lines += other.m_store_lines;
  m_atomic_lines += other.m_atomic_lines;
  m_conflicts += other.m_conflicts;
  m_resources = other.m_resources;
}

std::string KernelCounts::heading() {
  return "launches workgroups wavefronts | vector scalar branches waits | scalar_loads | loads lines | stores lines | "
         "atomics lines | LDS conflicts | private | VGPRs SGPRs LDS_bytes private_bytes wavefronts_per_unit";
}

std::string KernelCounts::row() const {
  using enum Instruction::Kind;
  auto n = [](std::uint64_t x) { return static_cast<unsigned long long>(x); };
  char text[512];
  std::snprintf(text, sizeof text,
                "%llu %llu %llu | %llu %llu %llu %llu | %llu | %llu %llu | %llu %llu | %llu %llu | %llu %llu | %llu | "
                "%u %u %u %u %u",
                n(m_launches), n(m_workgroups), n(m_wavefronts), n(of(vector)), n(of(scalar) + of(other)),
                n(of(branch)), n(of(wait)), n(of(scalar_load)), n(of(load)), n(m_load_lines), n(of(store)),
                n(m_store_lines), n(of(atomic)), n(m_atomic_lines), n(of(shared)), n(m_conflicts), n(of(scratch)),
                m_resources.vector_registers, m_resources.scalar_registers, m_resources.shared_bytes,
                m_resources.private_bytes, wavefronts_of_unit(*m_processor, m_resources));
  return text;
}

bool counts_kernels() {
  static bool const yes = std::getenv("HIP_MODEL_ISA_COUNTS") != nullptr;
  return yes;
}

void add_counts(std::string const& kernel, KernelCounts const& counts) {
  Total& total              = Total::get();
  char const* const section = std::getenv("HIP_MODEL_ISA_SECTION");  // the program may change it
  std::lock_guard<std::mutex> const lock(total.mutex);
  auto const [place, is_new] = total.kernels.emplace(std::pair(section ? section : "", kernel), counts);
  if (!is_new) place->second.add(counts);
}

Instruction::Kind kind_of(std::string const& name) {
  using enum Instruction::Kind;
  if (begins(name, "s_waitcnt")) return wait;
  if (begins(name, "s_branch") || begins(name, "s_cbranch") || contains(name, "setpc") || contains(name, "swappc"))
    return branch;
  if (begins(name, "s_load") || begins(name, "s_buffer_load")) return scalar_load;
  if (begins(name, "s_")) return scalar;
  if (begins(name, "v_")) return vector;
  if (begins(name, "ds_")) return shared;
  if (begins(name, "scratch_") || begins(name, "buffer_load") || begins(name, "buffer_store")) return scratch;
  if (contains(name, "_atomic_")) return atomic;
  if (contains(name, "_load_")) return load;
  if (contains(name, "_store_")) return store;
  return other;
}

std::uint8_t access_bytes(std::string const& name) {
  if (contains(name, "byte") || contains(name, "_u8") || contains(name, "_i8") || contains(name, "_b8")) return 1;
  if (contains(name, "short") || contains(name, "16")) return contains(name, "st64") ? 4 : 2;
  if (contains(name, "x4") || contains(name, "b128")) return 16;
  if (contains(name, "x3") || contains(name, "b96")) return 12;
  if (contains(name, "x2") || contains(name, "b64") || contains(name, "f64") || contains(name, "u64") ||
      contains(name, "i64"))
    return 8;
  return 4;
}

}  // namespace hip_model::isa
