// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_FORK_HPP
#define KOKKOS_TEST_HIP_MODEL_FORK_HPP

/// \file
/// The locks of the model in a child process of fork().
///
/// The child has only the thread that called fork(). A mutex that another thread held would stay locked, so fork()
/// first locks all mutexes of the model: the scheduler's, under which calls lock others, and then the others in any
/// order, because no thread that holds one of them waits for a second one.

#include <condition_variable>
#include <mutex>
#include <new>

namespace hip_model {

/// A mutex that fork() locks. It lives until the end of the process.
class ForkedMutex : public std::mutex {
 public:
  enum class Order { scheduler, other };
  /// The child calls `in_child(owner)` before it unlocks the mutex.
  explicit ForkedMutex(Order order = Order::other, void (*in_child)(void*) = nullptr, void* owner = nullptr);

 private:
  friend struct ForkHandlers;
  void (*m_in_child)(void*);
  void* m_owner;
  ForkedMutex* m_next = nullptr;
};

/// Makes a new condition in place of one for which threads of the parent wait. A notification of the old one could
/// wait for these threads, and its destructor would.
inline void forget_waiting_threads(std::condition_variable& condition) { new (&condition) std::condition_variable; }

}  // namespace hip_model

#endif
