// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: memory and registers as specified by "Kernel Dispatch" and "Initial Kernel Execution State" in LLVM's User
// Guide for AMDGPU Backend, and the order in which wavefronts advance.
#include "execute.hpp"
#include "counts.hpp"
#include "memory.hpp"
#include "register_index.hpp"
#include "statistics.hpp"
#include "wave.hpp"

#include "../hip_model.hpp"
#include "../src/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace hip_model::isa {

namespace {

/// hsa_kernel_dispatch_packet_t, from which kernels read the extents of the launch.
struct DispatchPacket {
  std::uint16_t header = 0, setup = 3, workgroup[3] = {}, reserved0 = 0;
  std::uint32_t grid[3] = {}, private_bytes = 0, group_bytes = 0;
  std::uint64_t kernel = 0, arguments = 0, reserved1 = 0, signal = 0;
};
static_assert(sizeof(DispatchPacket) == 64);

constexpr unsigned vector_registers   = 512;       // that instructions can name, with those for accumulation
constexpr std::uint32_t dynamic_stack = 16 << 10;  // bytes of a lane, for kernels whose calls are not known

std::uint64_t seed_of_environment() {
  static std::uint64_t const seed = [] {
    char const* wanted = std::getenv("HIP_MODEL_SEED");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 0ull;
  }();
  return seed;
}

/// A workgroup that runs, with the memory of its wavefronts. Used again for the next one.
struct Slot {
  Workgroup group;
  std::vector<std::uint32_t> vector;
  std::vector<LaneMask> vector_defined;
  std::vector<char> scratch;
  std::vector<LaneMask> scratch_defined;
  bool busy      = false;
  unsigned alive = 0;  // wavefronts
};

class Launch {
 public:
  Launch(Program&, std::string const& name, CompiledKernel const&, KernelCall const&);
  std::string run();

 private:
  void lay_out_arguments(CompiledKernel const&, KernelCall const&);
  void start(Slot&, std::uint64_t number);
  void set_scalars(Wave&, unsigned const* group);
  void set_vectors(Wave&);
  void advance(Slot&);
  void run_slice(Wave&);
  void release_barrier(Slot&);
  unsigned random(unsigned below) { return static_cast<unsigned>(m_random() % below); }
  void count_launch(std::uint64_t workgroups);
  std::string place_of_failure(Wave const&, char const* why) const;

  Program& m_program;
  std::string m_name;
  dim3 m_grid, m_block;
  unsigned m_width = 0;  // lanes of a wavefront
  KernelDescriptor m_descriptor{};
  std::uint64_t m_base = 0, m_entry = 0;
  std::uint32_t m_shared_bytes = 0, m_scratch_bytes = 0;
  unsigned m_threads = 0;
  alignas(64) DispatchPacket m_packet;
  std::vector<std::uint64_t> m_queue = std::vector<std::uint64_t>(64);
  std::unique_ptr<char[]> m_argument_memory;
  char* m_arguments = nullptr;
  LiveMemory m_memory;
  std::uint64_t m_seed = 0;
  std::mt19937_64 m_random;
  Wave* m_current              = nullptr;
  Instruction const* m_running = nullptr;
  Instruction m_indexed;  // the running one, if registers are indexed
  Counts m_counts;
  KernelCounts m_kernel_counts;
};

Launch::Launch(Program& program, std::string const& name, CompiledKernel const& kernel, KernelCall const& call)
    : m_program(program),
      m_name(name),
      m_grid(call.grid),
      m_block(call.block),
      m_width(program.processor().wavefront),
      m_seed(seed_of_environment()),
      m_kernel_counts(program.processor()) {
  static std::atomic<std::uint64_t> launches{0};
  m_random.seed(m_seed * 0x9E3779B97F4A7C15u + launches++);
  std::uint64_t descriptor_offset = 0;
  m_descriptor                    = program.descriptor(kernel.symbol, &descriptor_offset);
  {
    Lock const lock = Scheduler::get().lock();
    m_base          = program.image(call.device).base();
  }
  m_entry                  = m_base + descriptor_offset + static_cast<std::uint64_t>(m_descriptor.entry_offset);
  m_threads                = m_block.x * m_block.y * m_block.z;
  m_shared_bytes           = m_descriptor.shared_bytes + static_cast<std::uint32_t>(call.shared);
  m_scratch_bytes          = m_descriptor.private_bytes + (m_descriptor.properties >> 11 & 1 ? dynamic_stack : 0);
  m_scratch_bytes          = (m_scratch_bytes + 15) / 16 * 16;
  unsigned const wavefront = m_descriptor.properties >> 10 & 1 ? 32 : 64;
  if (wavefront != m_width)
    throw Stop("wavefronts of " + std::to_string(wavefront) + " lanes are not interpreted for " +
               program.processor().name);
  unsigned const mode = m_descriptor.resources1 >> 12 & 0xff;
  if (mode != 0xf0)
    throw Stop("the kernel flushes subnormal numbers or rounds other than to nearest, which is not interpreted");

  for (int k = 0; k < 3; ++k) {
    m_packet.workgroup[k] = static_cast<std::uint16_t>((&m_block.x)[k]);
    m_packet.grid[k]      = (&m_grid.x)[k] * (&m_block.x)[k];
  }
  m_packet.private_bytes = m_scratch_bytes;
  m_packet.group_bytes   = m_shared_bytes;
  lay_out_arguments(kernel, call);
  m_packet.arguments = reinterpret_cast<std::uintptr_t>(m_arguments);
  m_memory.add(&m_packet, sizeof m_packet);
  m_memory.add(m_queue.data(), m_queue.size() * sizeof m_queue[0]);
}

// After the program's arguments come the hidden arguments of the compiler ("value_kind" in the metadata).
void Launch::lay_out_arguments(CompiledKernel const& kernel, KernelCall const& call) {
  std::size_t const bytes = std::max<std::size_t>({kernel.argument_bytes, call.arguments.size(), 16});
  m_argument_memory       = std::make_unique<char[]>(bytes + 64);
  m_arguments             = m_argument_memory.get();
  m_arguments += (64 - reinterpret_cast<std::uintptr_t>(m_arguments) % 64) % 64;
  std::copy(call.arguments.begin(), call.arguments.end(), m_arguments);
  for (auto const& hidden : kernel.hidden) {
    std::uint64_t value = 0;
    auto axis           = [&](char const* prefix) -> int {
      std::size_t const n = std::strlen(prefix);
      return hidden.kind.compare(0, n, prefix) == 0 && hidden.kind.size() == n + 1 ? hidden.kind[n] - 'x' : -1;
    };
    if (int k = axis("hidden_block_count_"); k >= 0) value = (&m_grid.x)[k];
    if (int k = axis("hidden_group_size_"); k >= 0) value = (&m_block.x)[k];
    if (hidden.kind == "hidden_grid_dims")
      value = m_grid.z > 1 || m_block.z > 1 ? 3 : m_grid.y > 1 || m_block.y > 1 ? 2 : 1;
    if (hidden.kind == "hidden_private_base") value = aperture_of_private << 16;
    if (hidden.kind == "hidden_shared_base") value = aperture_of_shared << 16;
    if (hidden.kind == "hidden_queue_ptr") value = reinterpret_cast<std::uintptr_t>(m_queue.data());
    std::memcpy(m_arguments + hidden.offset, &value, std::min<std::size_t>(hidden.bytes, sizeof value));
  }
  m_memory.add(m_arguments, bytes);
}

void Launch::set_scalars(Wave& w, unsigned const* group) {
  unsigned next = 0;
  auto put      = [&](std::uint32_t value) {
    w.scalar[next]             = value;
    w.scalar_undefined[next++] = 0;
  };
  auto put_pointer = [&](std::uint64_t value) {
    put(static_cast<std::uint32_t>(value));
    put(static_cast<std::uint32_t>(value >> 32));
  };
  unsigned const wanted = m_descriptor.properties, resources = m_descriptor.resources2;
  if (wanted & 1) {  // the buffer that is private memory
    put_pointer(reinterpret_cast<std::uintptr_t>(w.scratch));
    put(~0u);
    put(0);
  }
  if (wanted & 2) put_pointer(reinterpret_cast<std::uintptr_t>(&m_packet));
  if (wanted & 4) put_pointer(reinterpret_cast<std::uintptr_t>(m_queue.data()));
  if (wanted & 8) put_pointer(reinterpret_cast<std::uintptr_t>(m_arguments));
  if (wanted & 16) put_pointer(1);  // number of the dispatch
  if (wanted & 32) put_pointer(0);  // flat scratch
  if (wanted & 64) put(m_scratch_bytes);
  next = resources >> 1 & 31;
  for (unsigned k = 0; k < 3; ++k)
    if (resources >> (7 + k) & 1) put(group[k]);
  if (resources >> 10 & 1) put(0);  // information on the workgroup
  // Offset of the wavefront in the buffer, whose base is its own.
  if (resources & 1 && !m_program.processor().has_private_segment) put(0);
}

/// Vector registers that the kernel may use, without those for accumulation.
unsigned registers_of(Processor const& processor, KernelDescriptor const& d) {
  return processor.has_accumulation ? ((d.resources3 & 63) + 1) * 4
                                    : ((d.resources1 & 63) + 1) * processor.register_granule;
}

// Thread indices in v0, v1 and v2, as many as the kernel descriptor requests, or all in v0.
void Launch::set_vectors(Wave& w) {
  unsigned const count = std::min(m_descriptor.resources2 >> 11 & 3, 2u) + 1;
  for (unsigned k = 0; k < count; ++k) w.vector_defined[k] = all_lanes;
  for (unsigned l = 0; l < lanes; ++l) {
    unsigned const thread = w.number * m_width + l;
    w.lanes_of(0)[l]      = thread % m_block.x;
    w.lanes_of(1)[l]      = thread / m_block.x % m_block.y;
    w.lanes_of(2)[l]      = thread / (m_block.x * m_block.y);
    if (m_program.processor().packs_thread_numbers) w.lanes_of(0)[l] |= w.lanes_of(1)[l] << 10 | w.lanes_of(2)[l] << 20;
  }
}

void Launch::start(Slot& slot, std::uint64_t number) {
  unsigned const waves = (m_threads + m_width - 1) / m_width;
  Workgroup& g         = slot.group;
  g.memory             = &m_memory;
  g.index[0]           = static_cast<unsigned>(number % m_grid.x);
  g.index[1]           = static_cast<unsigned>(number / m_grid.x % m_grid.y);
  g.index[2]           = static_cast<unsigned>(number / (std::uint64_t(m_grid.x) * m_grid.y));
  g.shared_bytes       = m_shared_bytes;
  g.shared.assign(m_shared_bytes, static_cast<char>(0xCD));
  g.shared_defined.assign(m_shared_bytes, 0);
  slot.vector.resize(std::size_t(waves) * vector_registers * lanes);
  slot.vector_defined.assign(std::size_t(waves) * vector_registers, 0);
  slot.scratch.resize(std::size_t(waves) * lanes * m_scratch_bytes);
  slot.scratch_defined.assign(std::size_t(waves) * (m_scratch_bytes / 4), 0);
  g.waves.assign(waves, {});
  g.races.begin(waves, m_shared_bytes);
  for (unsigned k = 0; k < waves; ++k) {
    Wave& w            = g.waves[k];
    w.number           = k;
    w.group            = &g;
    w.width            = m_width;
    w.is_rdna          = m_program.processor().is_rdna;
    w.pc               = m_entry;
    w.mode             = m_descriptor.resources1 >> 12 & 0xff;
    w.vector           = slot.vector.data() + std::size_t(k) * vector_registers * lanes;
    w.vector_defined   = slot.vector_defined.data() + std::size_t(k) * vector_registers;
    w.scratch          = slot.scratch.data() + std::size_t(k) * lanes * m_scratch_bytes;
    w.scratch_defined  = slot.scratch_defined.data() + std::size_t(k) * (m_scratch_bytes / 4);
    w.scratch_bytes    = m_scratch_bytes;
    w.counts           = counts_kernels() ? &m_kernel_counts : nullptr;
    w.vector_registers = registers_of(m_program.processor(), m_descriptor);
    std::fill(std::begin(w.scalar_undefined), std::end(w.scalar_undefined), ~0u);
    unsigned const left = m_threads - k * m_width;
    w.set_mask(exec_register, left >= m_width ? all_lanes : (LaneMask(1) << left) - 1);
    set_scalars(w, g.index);
    set_vectors(w);
  }
  slot.busy  = true;
  slot.alive = waves;
}

bool is_indexed(Wave const& w, Instruction const& i) {
  return (w.mode & index_enabled) && i.indexing != Indexing::ignored;
}

/// Stops the kernel if an instruction uses a register whose value has not arrived.
void check_waits(Wave const& w, Instruction const& i) {
  if (i.second) check_waits(w, *i.second);
  for (auto const* queue : {&w.vector_memory, &w.lgkm})
    for (Outstanding const& o : *queue) {
      if (o.words == 0) continue;
      for (unsigned k = 0; k < i.count; ++k) {
        Operand const& used = i[k];
        if ((o.is_vector ? !used.is_vector() : !used.is_scalar()) || (k == 0 && i.is_load && o.in_order)) continue;
        if (used.first < o.first + o.words && o.first < used.first + used.words)
          throw Stop(std::string("missing s_waitcnt: ") + (o.is_vector ? "v" : "s") +
                     std::to_string(std::max(used.first, o.first)) +
                     " is used, and nothing has waited for the load that fills it (" +
                     (queue == &w.lgkm ? "lgkmcnt)" : "vmcnt)"));
      }
    }
}

/// Prints each instruction of the first wavefront of each workgroup, for debugging (HIP_MODEL_ISA_TRACE=1).
void trace(Wave const& w, Instruction const& i) {
  std::fprintf(stderr, "%6llx %-60s", static_cast<unsigned long long>(i.at), i.text.c_str());
  if (i.count > 0 && i[0].is_vector())
    std::fprintf(stderr, " lane 0: %08x, defined %016llx", w.vector[i[0].first * lanes],
                 static_cast<unsigned long long>(w.vector_defined[i[0].first]));
  if (i.count > 0 && i[0].is_scalar())
    std::fprintf(stderr, " %08x, undefined %08x", w.scalar[i[0].first], w.scalar_undefined[i[0].first]);
  std::fprintf(stderr, " exec %016llx\n", static_cast<unsigned long long>(w.exec()));
}
bool is_traced() {
  static bool const traced = std::getenv("HIP_MODEL_ISA_TRACE") != nullptr;
  return traced;
}

// Runs a wavefront for a slice: 2000 steps, or with a seed a random number of steps.
void Launch::run_slice(Wave& w) {
  unsigned steps    = m_seed ? 1 + random(random(4) ? 20 : 400) : 2000;
  m_current         = &w;
  w.yields          = false;
  bool const traced = is_traced() && w.number == 0;
  for (; steps > 0 && w.state == Wave::State::running && !w.yields; --steps) {
    Instruction const& decoded = m_program.at(w.pc - m_base);
    m_running = w.running = &decoded;
    bool const indexed    = is_indexed(w, decoded);
    if (indexed) m_indexed = with_index(w, decoded);
    Instruction const& i = indexed ? m_indexed : decoded;
    if (!w.vector_memory.empty() || !w.lgkm.empty()) check_waits(w, i);
    m_counts.lane_instructions += i.is_vector ? static_cast<unsigned>(std::popcount(w.exec())) : 1;
    ++m_counts.instructions;
    if (w.counts) w.counts->add(i);
    w.pc += i.bytes;
    i.run(w, i);
    if (traced) trace(w, i);
  }
}

/// Whether the wavefront has not yet waited for an access to LDS. Scalar loads share the counter.
bool has_shared_access(Wave const& w) {
  return std::any_of(w.lgkm.begin(), w.lgkm.end(), [](Outstanding const& o) { return o.is_vector && o.in_memory; });
}

void Launch::release_barrier(Slot& slot) {
  std::uint32_t unsettled = 0;
  for (Wave const& w : slot.group.waves) {
    if (w.state == Wave::State::running) return;
    if (has_shared_access(w)) unsettled |= 1u << w.number;
  }
  slot.group.races.barrier(unsettled);
  for (Wave& w : slot.group.waves)
    if (w.state == Wave::State::at_barrier) w.state = Wave::State::running;
}

void Launch::advance(Slot& slot) {
  auto& waves          = slot.group.waves;
  unsigned const count = static_cast<unsigned>(waves.size()), first = m_seed ? random(count) : 0;
  for (unsigned k = 0; k < count; ++k) {
    Wave& w = waves[(first + k) % count];
    if (w.state != Wave::State::running) continue;
    run_slice(w);
    if (w.state == Wave::State::ended && --slot.alive == 0) {
      slot.busy = false;
      return;
    }
    if (m_seed) break;
  }
  release_barrier(slot);
}

std::string Launch::place_of_failure(Wave const& w, char const* why) const {
  unsigned const* g = w.group->index;
  char where[120];
  std::snprintf(where, sizeof where, "wavefront %u of workgroup (%u, %u, %u), ", w.number, g[0], g[1], g[2]);
  return std::string(where) +
         (m_running ? m_program.function_at(m_running->at) + ": '" + m_running->text + "': " : "") + why;
}

void Launch::count_launch(std::uint64_t groups) {
  unsigned const r1 = m_descriptor.resources1;
  Resources const resources{((r1 & 63) + 1) * m_program.processor().register_granule,
                            ((r1 >> 6 & 15) / 2 + 1) * 16,  // gfx9
                            m_shared_bytes, m_scratch_bytes, m_threads};
  m_kernel_counts.add_launch(resources, groups, groups * ((m_threads + m_width - 1) / m_width));
  add_counts(m_name, m_kernel_counts);
}

// Workgroups start in order, as on the hardware, and several run at the same time.
std::string Launch::run() {
  std::uint64_t const groups = std::uint64_t(m_grid.x) * m_grid.y * m_grid.z;
  std::vector<Slot> slots(std::min<std::uint64_t>(groups, m_seed ? 1 + random(8) : 2));
  std::uint64_t next = 0, busy = 0;
  try {
    for (unsigned at = 0; next < groups || busy > 0; ++at) {
      Slot& slot = slots[m_seed ? random(static_cast<unsigned>(slots.size())) : at % slots.size()];
      if (!slot.busy) {
        if (next == groups) continue;
        start(slot, next++);
        ++busy;
      }
      advance(slot);
      if (!slot.busy) --busy;
    }
  } catch (Stop const& why) {
    return m_current ? place_of_failure(*m_current, why.what()) : why.what();
  }
  m_counts.workgroups = groups;
  m_counts.kernels    = 1;
  add_counts(m_counts);
  if (counts_kernels()) count_launch(groups);
  return "";
}

}  // namespace

std::string execute(Program& program, std::string const& name, CompiledKernel const& kernel, KernelCall const& call) {
  try {
    Timer const timer;
    return Launch(program, name, kernel, call).run();
  } catch (Stop const& why) {
    return why.what();
  }
}

bool is_enabled() {
  static bool const enabled = [] {
    char const* wanted = std::getenv("HIP_MODEL_ISA");
    return wanted && std::string(wanted) != "0";
  }();
  return enabled;
}

namespace {

/// Lists what would stop kernels, before any of them runs (HIP_MODEL_ISA_UNKNOWN=1).
void report_unknown_instructions(Program& program) {
  if (!std::getenv("HIP_MODEL_ISA_UNKNOWN")) return;
  for (auto const& [name, count] : program.unknown_instructions())
    std::fprintf(stderr, "HIP model: unknown on %s, %u times: %s\n", program.processor().name, count, name.c_str());
}

}  // namespace

// The processor that HIP_MODEL_ISA names, or the first of those that are interpreted for which the program has code.
std::shared_ptr<Program> load_program(void const* fat_binary) {
  char const* const wanted = std::getenv("HIP_MODEL_ISA");
  auto const objects       = code_objects_of(fat_binary);
  // "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-"
  auto name_of_processor = [](CodeObject const& o) { return o.target.substr(o.target.rfind("--") + 2); };
  for (Processor const& processor : processors) {
    if (wanted && std::string(wanted).rfind("gfx", 0) == 0 && std::string(wanted) != processor.name) continue;
    for (CodeObject const& object : objects) try {
        if (find_processor(name_of_processor(object)) == &processor) {
          set_wavefront_size(static_cast<int>(processor.wavefront));
          auto program = std::make_shared<Program>(object.elf, processor);
          report_unknown_instructions(*program);
          return program;
        }
      } catch (Stop const& why) {
        std::fprintf(stderr, "HIP model (a test instrument, not a GPU): %s.\n", why.what());
      }
  }
  std::string found, known;
  for (CodeObject const& object : objects) found += " " + name_of_processor(object);
  for (Processor const& processor : processors) known += std::string(" ") + processor.name;
  std::fprintf(stderr,
               "HIP model (a test instrument, not a GPU): kernels are recorded and do not run, because the program has "
               "code for%s, and the interpreter executes%s.\n",
               found.empty() ? " no GPU" : found.c_str(), known.c_str());
  return nullptr;
}

char* variable(Program& program, std::string const& name, int device) {
  std::uint64_t offset = 0, bytes = 0;
  if (!program.find(name, &offset, &bytes)) return nullptr;
  return program.image(device).memory->base + offset;
}

}  // namespace hip_model::isa
