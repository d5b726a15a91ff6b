// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running the blocks of a kernel: one fiber per thread, and what threads of a block do together.
#include "fiber.hpp"
#include "kernels.hpp"
#include "scheduler.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace hip_model {

namespace {

struct KernelTrap {
  std::string sentence;
};

enum class Waits { no, for_block, for_lanes, for_convergence, ended };
enum class Together { barrier, shuffle, vote };

constexpr unsigned nobodys = 0xDBDBDBDBu;  // what a shuffle gives from a lane that takes no part

struct Lane {
  ThreadPosition position{};
  Waits waits = Waits::ended;
  // What it does together with other lanes, and what it gets.
  Together together = Together::barrier;
  Shuffle shuffle   = Shuffle::down;
  Mask mask         = 0;
  unsigned word     = 0;
  int argument = 0, width = 0;
  unsigned word_out = 0;
  Mask mask_out     = 0;
  std::unique_ptr<Fiber> fiber;
};

std::size_t stack_bytes() {
  static const std::size_t bytes = [] {
    const char* wanted = std::getenv("HIP_MODEL_STACK");
    return wanted ? std::strtoull(wanted, nullptr, 10) : std::size_t(128) << 10;
  }();
  return bytes;
}

/// The block that a thread of the host is running. Fibers are kept for the blocks to come.
class Block {
 public:
  std::string run(Trampoline run, int wavefront, dim3 grid, dim3 block, void* const* arguments, std::size_t shared);

  void wait(Waits what) {
    m_lane->waits = what;
    m_lane->fiber->suspend();
    if (m_stop) throw KernelTrap{};  // the kernel has failed: every thread leaves
  }
  Lane& lane() { return *m_lane; }
  static Block& current();

 private:
  void run_one(dim3 index, void* const* arguments);
  void resume(Lane&);
  bool finish_together();
  bool finish_barrier();
  bool converge();
  void finish(Lane* wave, unsigned lanes, Mask group);
  unsigned source(Lane* wave, Mask group, unsigned self) const;
  template <class F>
  void for_each_wave(F&& f);

  Trampoline m_run   = nullptr;
  unsigned m_threads = 0;
  int m_wavefront    = 64;
  std::vector<Lane> m_lanes;
  Lane* m_lane = nullptr;
  std::vector<char> m_shared;
  bool m_stop = false;
  std::string m_failure;
};

Block& Block::current() {
  thread_local Block block;
  return block;
}

template <class F>
void Block::for_each_wave(F&& f) {
  for (unsigned first = 0; first < m_threads; first += m_wavefront)
    f(&m_lanes[first], std::min<unsigned>(m_wavefront, m_threads - first));
}

void Block::resume(Lane& lane) {
  m_lane   = &lane;
  position = &lane.position;
  lane.fiber->resume();
  position = nullptr;
}

// The lane that a shuffle reads, within groups of `width` lanes; a lane that would read beyond its group reads itself.
unsigned Block::source(Lane* wave, Mask group, unsigned self) const {
  Lane const& l   = wave[self];
  const int width = l.width > 0 ? l.width : m_wavefront;
  const int first = int(self) / width * width, at = int(self) - first;
  int from = int(self);
  switch (l.shuffle) {
    case Shuffle::down:
      from = at + l.argument < width ? int(self) + l.argument : int(self);
      break;
    case Shuffle::up:
      from = at >= l.argument ? int(self) - l.argument : int(self);
      break;
    case Shuffle::exclusive_or:
      from = (at ^ l.argument) < width ? first + (at ^ l.argument) : int(self);
      break;
    case Shuffle::from:
      from = first + (l.argument & (width - 1));
      break;
  }
  return group >> from & 1 ? wave[from].word : nobodys;
}

// Everything is read before any lane goes on and may post something new.
void Block::finish(Lane* wave, unsigned lanes, Mask group) {
  Mask yes = 0;
  for (unsigned i = 0; i < lanes; ++i)
    if (group >> i & 1 && wave[i].word) yes |= Mask(1) << i;
  for (unsigned i = 0; i < lanes; ++i) {
    if (!(group >> i & 1)) continue;
    wave[i].mask_out = yes;
    if (wave[i].together == Together::shuffle) wave[i].word_out = source(wave, group, i);
  }
  for (unsigned i = 0; i < lanes; ++i)
    if (group >> i & 1) wave[i].waits = Waits::no;
}

// Lanes that wait for each other, and have all come to the same place, go on.
bool Block::finish_together() {
  bool any = false;
  for_each_wave([&](Lane* wave, unsigned lanes) {
    Mask left = 0;
    for (unsigned i = 0; i < lanes; ++i)
      if (wave[i].waits != Waits::ended) left |= Mask(1) << i;
    for (unsigned i = 0; i < lanes; ++i) {
      if (wave[i].waits != Waits::for_lanes) continue;
      const Mask group = wave[i].mask & left;
      bool all_here    = true;
      for (unsigned j = 0; j < lanes && all_here; ++j)
        if (group >> j & 1)
          all_here =
              wave[j].waits == Waits::for_lanes && wave[j].together == wave[i].together && wave[j].mask == wave[i].mask;
      if (!all_here) continue;
      finish(wave, lanes, group);
      any = true;
    }
  });
  return any;
}

bool Block::finish_barrier() {
  bool any = false;
  for (unsigned i = 0; i < m_threads; ++i) {
    if (m_lanes[i].waits == Waits::for_block)
      any = true;
    else if (m_lanes[i].waits != Waits::ended)
      return false;
  }
  for (unsigned i = 0; any && i < m_threads; ++i)
    if (m_lanes[i].waits == Waits::for_block) m_lanes[i].waits = Waits::no;
  return any;
}

// Lanes of a wavefront that ask who is with them, when nobody of the block can go on otherwise.
bool Block::converge() {
  bool any = false;
  for_each_wave([&](Lane* wave, unsigned lanes) {
    Mask here = 0;
    for (unsigned i = 0; i < lanes; ++i)
      if (wave[i].waits == Waits::for_convergence) here |= Mask(1) << i;
    for (unsigned i = 0; i < lanes; ++i)
      if (here >> i & 1) {
        wave[i].mask_out = here;
        wave[i].waits    = Waits::no;
        any              = true;
      }
  });
  return any;
}

void Block::run_one(dim3 index, void* const* arguments) {
  std::fill(m_shared.begin(), m_shared.end(), char(0xCD));
  for (unsigned i = 0; i < m_threads; ++i) {
    Lane& lane          = m_lanes[i];
    lane.position.block = index;
    lane.waits          = Waits::no;
    lane.fiber->set_task([this, &lane, arguments] {
      try {
        m_run(arguments);
      } catch (KernelTrap const& trap) {
        if (!m_stop) m_failure = trap.sentence;
        m_stop = true;
      }
      lane.waits = Waits::ended;
    });
  }
  while (true) {
    bool moved = false, left = false;
    for (unsigned i = 0; i < m_threads; ++i) {
      Lane& lane = m_lanes[i];
      if (m_stop && lane.waits != Waits::ended) lane.waits = Waits::no;
      if (lane.waits == Waits::no) {
        resume(lane);
        moved = true;
      }
      left = left || lane.waits != Waits::ended;
    }
    if (!left) return;
    moved = finish_together() || moved;
    moved = finish_barrier() || moved;
    if (moved || converge()) continue;
    m_failure =
        "threads of a block wait for one another in different places: some at a barrier of the block, or at a shuffle, "
        "a vote or a barrier of a wavefront, that the others will not reach";
    m_stop = true;
  }
}

std::string Block::run(Trampoline run, int wavefront, dim3 grid, dim3 block, void* const* arguments,
                       std::size_t shared) {
  m_run       = run;
  m_wavefront = wavefront;
  m_threads   = block.x * block.y * block.z;
  m_stop      = false;
  m_failure.clear();
  m_shared.resize(shared + 64);
  if (m_lanes.size() < m_threads) m_lanes.resize(m_threads);
  char* aligned =
      reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(m_shared.data()) + 63) & ~std::uintptr_t(63));
  for (unsigned i = 0; i < m_threads; ++i) {
    if (!m_lanes[i].fiber) m_lanes[i].fiber = std::make_unique<Fiber>(stack_bytes());
    const dim3 thread(i % block.x, i / block.x % block.y, i / (block.x * block.y));
    m_lanes[i].position = {thread, block, dim3(), grid, aligned};
  }
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        run_one(dim3(x, y, z), arguments);
        if (m_stop) return m_failure;
      }
  return {};
}

Lane& together(Together what, Mask mask) {
  Block& block  = Block::current();
  Lane& lane    = block.lane();
  lane.together = what;
  lane.mask     = mask;
  const unsigned linear =
      lane.position.thread.x +
      lane.position.block_dim.x * (lane.position.thread.y + lane.position.block_dim.y * lane.position.thread.z);
  if (!(mask >> (linear % static_cast<unsigned>(wavefront_size())) & 1))
    trap("a thread named a mask of lanes that does not have its own");
  block.wait(Waits::for_lanes);
  return lane;
}

}  // namespace

std::string run_blocks(Trampoline run, int wavefront, dim3 grid, dim3 block, void* const* arguments,
                       std::size_t shared) {
  return Block::current().run(run, wavefront, grid, block, arguments, shared);
}

void block_barrier() { Block::current().wait(Waits::for_block); }
void wavefront_barrier(Mask mask) { together(Together::barrier, mask); }
Mask converged_lanes() {
  Block::current().wait(Waits::for_convergence);
  return Block::current().lane().mask_out;
}
unsigned shuffle_lanes(Shuffle how, Mask mask, unsigned word, int argument, int width) {
  Lane& lane    = Block::current().lane();
  lane.shuffle  = how;
  lane.word     = word;
  lane.argument = argument;
  lane.width    = width;
  return together(Together::shuffle, mask).word_out;
}
Mask vote(Mask mask, bool yes) {
  Block::current().lane().word = yes;
  return together(Together::vote, mask).mask_out & mask;
}
void let_others_run() { Block::current().wait(Waits::no); }
void trap(const char* sentence) { throw KernelTrap{sentence}; }

}  // namespace hip_model
