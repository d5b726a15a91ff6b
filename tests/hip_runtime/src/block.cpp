// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution of a kernel's blocks, and the operations that several threads of a block do together.
//
// A thread that never waits for others needs no fiber of its own: a fiber runs one thread after another until one of
// them waits. From then on the fiber belongs to that thread, and another fiber continues with the threads that have not
// begun.
#include "fiber.hpp"
#include "fork.hpp"
#include "kernels.hpp"
#include "scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace hip_model {

namespace {

enum class Waits { no, for_block, for_lanes, for_convergence, for_its_begin, ended };
enum class Together { barrier, shuffle, vote };

constexpr unsigned nobodys = 0xDBDBDBDBu;  // result of a shuffle from a lane that does not take part

struct Lane {
  ThreadPosition position{};
  Waits waits = Waits::ended;
  // The current operation with other lanes, and its result.
  Together together = Together::barrier;
  Shuffle shuffle   = Shuffle::down;
  Mask mask         = 0;
  unsigned word     = 0;
  int argument = 0, width = 0;
  unsigned word_out = 0;
  Mask mask_out     = 0;
  Fiber* fiber      = nullptr;  // while it waits
};

std::size_t stack_bytes() {
  static std::size_t const bytes = [] {
    char const* wanted = std::getenv("HIP_MODEL_STACK");
    return wanted ? std::strtoull(wanted, nullptr, 10) : std::size_t(128) << 10;
  }();
  return bytes;
}

/// Idle fibers, for later kernels. A process has space for about 30,000 stacks, so host threads share them.
class FiberPool {
 public:
  static FiberPool& get() {
    static auto* pool = new FiberPool;
    return *pool;
  }
  std::unique_ptr<Fiber> take() {
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      if (!m_idle.empty()) {
        auto fiber = std::move(m_idle.back());
        m_idle.pop_back();
        return fiber;
      }
    }
    return std::make_unique<Fiber>(stack_bytes());
  }
  void give_back(std::vector<std::unique_ptr<Fiber>>& fibers) {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (auto& fiber : fibers)
      if (fiber->is_idle()) m_idle.push_back(std::move(fiber));
    fibers.clear();  // fibers in the middle of a thread end here
  }

 private:
  ForkedMutex m_mutex;
  std::vector<std::unique_ptr<Fiber>> m_idle;
};

/// The order in which blocks, wavefronts and lanes begin, on which programs must not depend: the natural one, unless a
/// seed determines it.
struct Order {
  bool blocks_backwards    = false;
  unsigned first_wavefront = 0, lane_bits = 0;

  static Order of(std::uint64_t number) {
    static std::uint64_t const seed = [] {
      char const* wanted = std::getenv("HIP_MODEL_SEED");
      return wanted ? std::strtoull(wanted, nullptr, 10) : 0ull;
    }();
    Order order;
    if (seed == 0) return order;
    std::uint64_t bits = (seed + number) * UINT64_C(0x9E3779B97F4A7C15);
    bits ^= bits >> 31;
    bits *= UINT64_C(0xBF58476D1CE4E5B9);
    order.blocks_backwards = bits >> 63;
    order.first_wavefront  = bits >> 40 & 31;
    order.lane_bits        = bits >> 50 & 63;
    return order;
  }
};

/// The block that a host thread is running.
class Block {
 public:
  std::string run(Trampoline run, int wavefront, dim3 grid, dim3 block, void* const* arguments, std::size_t shared);

  void wait(Waits what) {
    m_lane->waits = what;
    suspend();
  }
  [[noreturn]] void fail(char const* sentence) {
    m_failure = sentence;
    m_stop    = true;
    while (true) suspend();  // it is never resumed
  }
  Lane& lane() { return *m_lane; }
  static Block& current();

 private:
  void run_one(dim3 index);
  void begin_threads();
  void resume(Lane&);
  void suspend() {
    m_lane->fiber = m_fiber;
    m_fiber->suspend();
  }
  bool go_on(unsigned wavefront);
  bool finish_together(Lane* wave, unsigned lanes);
  bool finish_barrier();
  bool converge();
  void finish(Lane* wave, unsigned lanes, Mask group);
  unsigned source(Lane* wave, Mask group, unsigned self) const;
  unsigned wavefronts() const { return (m_threads + m_wavefront - 1) / m_wavefront; }
  unsigned lanes_of(unsigned wavefront) const {
    return std::min<unsigned>(m_wavefront, m_threads - wavefront * m_wavefront);
  }
  Lane* thread_in_order(unsigned place);

  Trampoline m_run         = nullptr;
  void* const* m_arguments = nullptr;
  unsigned m_threads       = 0;
  int m_wavefront          = 64;
  std::vector<Lane> m_lanes;
  Order m_order;
  unsigned m_begun = 0;  // number of positions in the order that have begun
  unsigned m_ended = 0;  // number of threads that have ended
  Lane* m_lane     = nullptr;
  Fiber* m_fiber   = nullptr;
  std::vector<std::unique_ptr<Fiber>> m_fibers;  // of this kernel
  std::size_t m_shared_bytes = 0;
  bool m_stop                = false;
  std::string m_failure;
};

Block& Block::current() {
  thread_local Block block;
  return block;
}

void Block::resume(Lane& lane) {
  m_lane   = &lane;
  m_fiber  = lane.fiber;
  position = &lane.position;
  lane.fiber->resume();
  position = nullptr;
}

// Null if the last wavefront has no such lane.
Lane* Block::thread_in_order(unsigned place) {
  unsigned const size      = static_cast<unsigned>(m_wavefront);
  unsigned const wavefront = (place / size + m_order.first_wavefront) % wavefronts();
  unsigned const thread    = wavefront * size + (place % size ^ m_order.lane_bits % size);
  return thread < m_threads ? &m_lanes[thread] : nullptr;
}

// The task of a fiber: runs threads until one waits, and continues with more when that one has ended.
void Block::begin_threads() {
  while (m_begun < wavefronts() * m_wavefront) {
    Lane* const lane = thread_in_order(m_begun++);
    if (!lane) continue;
    m_lane     = lane;
    position   = &lane->position;
    bool threw = false;
    try {
      m_run(m_arguments);
    } catch (...) {
      threw = true;
    }
    if (threw) fail("a thread of a kernel threw an exception");
    m_lane->waits = Waits::ended;
    ++m_ended;
  }
}

// The word that a shuffle reads, within groups of `width` lanes. Beyond them CUDA's shuffles give a lane its own word, and the
// instruction of AMD's GPUs that of another lane.
unsigned Block::source(Lane* wave, Mask group, unsigned self) const {
  Lane const& l   = wave[self];
  int const width = l.width > 0 ? l.width : m_wavefront;
  int const first = int(self) / width * width, at = int(self) - first;
  int from = int(self);
  switch (l.shuffle) {
    case Shuffle::down:
      if (at + l.argument >= width) return nobodys;
      from = int(self) + l.argument;
      break;
    case Shuffle::up:
      if (at < l.argument) return nobodys;
      from = int(self) - l.argument;
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

// Everything is read before any lane continues and possibly posts a new value.
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

// Lanes that wait for each other, and have all reached the same operation, continue.
bool Block::finish_together(Lane* wave, unsigned lanes) {
  Mask left = 0, examined = 0;
  for (unsigned i = 0; i < lanes; ++i)
    if (wave[i].waits != Waits::ended) left |= Mask(1) << i;
  bool any = false;
  for (unsigned i = 0; i < lanes; ++i) {
    if (wave[i].waits != Waits::for_lanes || examined >> i & 1) continue;
    Mask const group = wave[i].mask & left;
    bool all_here    = true;
    for (unsigned j = i; j < lanes; ++j) {
      bool const with_i =
          wave[j].waits == Waits::for_lanes && wave[j].together == wave[i].together && wave[j].mask == wave[i].mask;
      if (with_i) examined |= Mask(1) << j;  // the result is the same for it
      if (group >> j & 1) all_here = all_here && with_i;
    }
    if (!all_here || (group & ((Mask(1) << i) - 1))) continue;  // one of its lanes is below i, and at another operation
    finish(wave, lanes, group);
    any = true;
  }
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

// Resumes lanes of a wavefront that query which lanes are converged, when no other thread of the block can continue.
bool Block::converge() {
  bool any = false;
  for (unsigned w = 0; w < wavefronts(); ++w) {
    Lane* const wave = &m_lanes[w * m_wavefront];
    Mask here        = 0;
    for (unsigned i = 0; i < lanes_of(w); ++i)
      if (wave[i].waits == Waits::for_convergence) here |= Mask(1) << i;
    for (unsigned i = 0; i < lanes_of(w); ++i)
      if (here >> i & 1) {
        wave[i].mask_out = here;
        wave[i].waits    = Waits::no;
        any              = true;
      }
  }
  return any;
}

// Runs the threads of a wavefront as far as possible without others. If they only poll and pause, threads of other
// wavefronts run in between.
bool Block::go_on(unsigned wavefront) {
  Lane* const wave = &m_lanes[wavefront * m_wavefront];
  bool moved       = false;
  for (int round = 0; round < 100; ++round) {
    for (unsigned i = 0; i < lanes_of(wavefront) && !m_stop; ++i) {
      if (wave[i].waits != Waits::no) continue;
      resume(wave[i]);
      moved = true;
    }
    if (m_stop || !finish_together(wave, lanes_of(wavefront))) break;
  }
  return moved;
}

void Block::run_one(dim3 index) {
  char* const shared = m_lanes[0].position.shared;
  std::memset(shared, 0xCD, m_shared_bytes);
  for (unsigned i = 0; i < m_threads; ++i) {
    m_lanes[i].position.block = index;
    m_lanes[i].waits          = Waits::for_its_begin;
  }
  m_begun = m_ended = 0;
  // One more fiber than threads that wait.
  for (std::size_t next = 0; m_begun < wavefronts() * m_wavefront && !m_stop; ++next) {
    if (next == m_fibers.size()) m_fibers.push_back(FiberPool::get().take());
    m_fiber = m_fibers[next].get();
    m_fiber->set_task([](void* self) { static_cast<Block*>(self)->begin_threads(); }, this);
    m_fiber->resume();
    position = nullptr;
  }
  while (m_ended < m_threads && !m_stop) {
    bool moved = false;
    for (unsigned w = 0; w < wavefronts() && !m_stop; ++w)
      moved = go_on((w + m_order.first_wavefront) % wavefronts()) || moved;
    if (m_stop || m_ended == m_threads) return;
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
  static std::atomic<std::uint64_t> kernels{0};
  std::uint64_t const number = kernels.fetch_add(1, std::memory_order_relaxed) << 20;
  m_run                      = run;
  m_arguments                = arguments;
  m_wavefront                = wavefront;
  m_threads                  = block.x * block.y * block.z;
  m_stop                     = false;
  m_failure.clear();
  // Exactly the requested size, so that the address sanitizer detects accesses beyond it.
  m_shared_bytes      = std::max<std::size_t>(shared, 1);
  void* shared_memory = nullptr;
  if (::posix_memalign(&shared_memory, 64, m_shared_bytes) != 0) std::abort();
  std::unique_ptr<void, decltype(&std::free)> const memory(shared_memory, &std::free);
  if (m_lanes.size() < m_threads) m_lanes.resize(m_threads);
  for (unsigned i = 0; i < m_threads; ++i) {
    dim3 const thread(i % block.x, i / block.x % block.y, i / (block.x * block.y));
    m_lanes[i].position = {thread, block, dim3(), grid, static_cast<char*>(memory.get())};
  }
  std::uint64_t const blocks = std::uint64_t(grid.x) * grid.y * grid.z;
  bool const backwards       = Order::of(number).blocks_backwards;
  for (std::uint64_t b = 0; b < blocks && !m_stop; ++b) {
    std::uint64_t const at = backwards ? blocks - 1 - b : b;
    m_order                = Order::of(number + b);
    run_one(dim3(at % grid.x, at / grid.x % grid.y, at / (std::uint64_t(grid.x) * grid.y)));
  }
  FiberPool::get().give_back(m_fibers);
  return m_stop ? m_failure : std::string();
}

Lane& together(Together what, Mask mask) {
  Block& block  = Block::current();
  Lane& lane    = block.lane();
  lane.together = what;
  lane.mask     = mask;
  unsigned const linear =
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
void trap(char const* sentence) { Block::current().fail(sentence); }

}  // namespace hip_model
