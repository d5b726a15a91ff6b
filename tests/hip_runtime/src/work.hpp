// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_WORK_HPP
#define KOKKOS_TEST_HIP_MODEL_WORK_HPP

/// \file
/// Streams, and their work. All of it is guarded by the lock of the model (Scheduler::lock).

#include "object.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace hip_model {

struct Capture;
struct Node;

/// Whether a piece of work has completed. Events and streams refer to it.
struct Completion {
  bool done = false;
  std::chrono::steady_clock::time_point when;
};
using CompletionPtr = std::shared_ptr<Completion>;

/// The part of the device that executes a piece of work. If hardware queues are modelled, they execute kernels, events
/// and host functions, and a separate queue executes copies.
enum class Engine { kernel, queue, copy };

struct Work {
  char const* what = "";
  Engine engine    = Engine::queue;
  std::function<void()> run;         ///< called without the lock; may be empty
  std::vector<CompletionPtr> after;  ///< begins when these are done, too
  std::function<bool()> ready;       ///< begins only when this returns true, too; called with the lock
  CompletionPtr completion = std::make_shared<Completion>();
};

struct Stream : Object {
  Stream() : Object("stream") {}
  hipStream_t handle = nullptr;
  int device         = 0;
  unsigned flags     = hipStreamDefault;
  int priority       = 0;
  std::vector<std::uint32_t> compute_units;  ///< the mask that it was created with
  int number      = 0;                       ///< of the streams of its device; picks the hardware queue
  bool is_default = false;                   ///< the legacy default stream of its device
  std::deque<Work> queue;
  bool running = false;
  CompletionPtr last;  ///< of the youngest work; null before the first
  int locked_by = 0;   ///< number of the host thread that synchronizes it, if the mode `locked_streams` is on

  std::shared_ptr<Capture> capture;
  std::vector<std::shared_ptr<Node>> tail;  ///< nodes that the next captured node depends on

  bool ordered_with_default() const { return !is_default && !(flags & hipStreamNonBlocking); }
  bool drained() const { return queue.empty() && !running; }
};
using StreamPtr = std::shared_ptr<Stream>;

struct Event : Object {
  Event() : Object("event") {}
  int device     = 0;
  unsigned flags = 0;
  CompletionPtr recorded;            ///< null before the first hipEventRecord
  StreamPtr stream;                  ///< the stream in which it was last recorded, even if that was destroyed
  std::shared_ptr<Capture> capture;  ///< set if it was last recorded in a stream that was being captured
  std::vector<std::shared_ptr<Node>> captured_after;
};
using EventPtr = std::shared_ptr<Event>;

}  // namespace hip_model

#endif
