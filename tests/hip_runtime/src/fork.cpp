// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.hpp"

#include <pthread.h>

#include <atomic>

namespace hip_model {

// A list to which threads add at any time, also between the handlers of one fork: these unlock what they have locked.
struct ForkHandlers {
  static inline std::atomic<ForkedMutex*> scheduler{nullptr}, others{nullptr};
  static inline ForkedMutex *locked_first = nullptr, *locked_then = nullptr;

  static void prepare() {
    ForkedMutex *const first = scheduler, *const then = others;
    if (first) first->lock();
    for (ForkedMutex* m = then; m; m = m->m_next) m->lock();
    locked_first = first;  // under the locks: another thread may fork, too
    locked_then  = then;
  }
  static void unlock() {
    ForkedMutex* const first = locked_first;
    for (ForkedMutex* m = locked_then; m; m = m->m_next) m->unlock();
    if (first) first->unlock();
  }
  static void continue_in_child() {
    for (ForkedMutex* m = locked_then; m; m = m->m_next) renew(*m);
    if (locked_first) renew(*locked_first);
    unlock();
  }
  static void renew(ForkedMutex& mutex) {
    if (mutex.m_in_child) mutex.m_in_child(mutex.m_owner);
  }
  static void add(ForkedMutex& mutex, ForkedMutex::Order order) {
    static int const handlers = pthread_atfork(prepare, unlock, continue_in_child);
    (void)handlers;
    if (order == ForkedMutex::Order::scheduler) {
      scheduler = &mutex;
      return;
    }
    mutex.m_next = others.load();
    while (!others.compare_exchange_weak(mutex.m_next, &mutex)) {
    }
  }
};

ForkedMutex::ForkedMutex(Order order, void (*in_child)(void*), void* owner) : m_in_child(in_child), m_owner(owner) {
  ForkHandlers::add(*this, order);
}

}  // namespace hip_model
