// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_FIBER_HPP
#define KOKKOS_TEST_HIP_MODEL_FIBER_HPP

/// \file
/// A fiber that runs one task after the other on the thread that resumes it, and that sanitizers can follow.

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstddef>
#include <functional>
#include <memory>

#if defined(__SANITIZE_THREAD__)
#define HIP_MODEL_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HIP_MODEL_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HIP_MODEL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HIP_MODEL_ASAN 1
#endif
#endif
#ifdef HIP_MODEL_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#ifdef HIP_MODEL_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace hip_model {

class Fiber {
 public:
  explicit Fiber(std::size_t stack_bytes) {
    boost::context::protected_fixedsize_stack allocator(stack_bytes);
    boost::context::stack_context stack = allocator.allocate();
    m_stack                             = static_cast<char*>(stack.sp) - stack.size;
    m_stack_bytes                       = stack.size;
    boost::context::preallocated place(stack.sp, stack.size, stack);
#ifdef HIP_MODEL_TSAN
    m_identity = __tsan_create_fiber(0);
#endif
    m_fiber = boost::context::fiber(std::allocator_arg, place, allocator, [this](boost::context::fiber&& caller) {
      m_caller = std::move(caller);
      arrived();
      while (true) {  // destroying the fiber unwinds it
        m_task();
        suspend();
      }
      return std::move(m_caller);
    });
  }
  ~Fiber() {
#ifdef HIP_MODEL_TSAN
    __tsan_destroy_fiber(m_identity);
#endif
  }
  Fiber(Fiber const&)            = delete;
  Fiber& operator=(Fiber const&) = delete;

  /// Called between tasks.
  template <class Task>
  void set_task(Task task) {
    m_task = task;
  }
  /// Runs the fiber until it suspends.
  void resume() {
#ifdef HIP_MODEL_TSAN
    m_caller_identity = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(m_identity, 0);
#endif
#ifdef HIP_MODEL_ASAN
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, m_stack, m_stack_bytes);
#endif
    m_fiber = std::move(m_fiber).resume();
#ifdef HIP_MODEL_ASAN
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  }
  /// Called in the fiber: goes back to whoever resumed it.
  void suspend() {
#ifdef HIP_MODEL_TSAN
    __tsan_switch_to_fiber(m_caller_identity, 0);
#endif
#ifdef HIP_MODEL_ASAN
    __sanitizer_start_switch_fiber(&m_fake, m_caller_stack, m_caller_bytes);
#endif
    m_caller = std::move(m_caller).resume();
    arrived();
  }

 private:
  void arrived() {
#ifdef HIP_MODEL_ASAN
    __sanitizer_finish_switch_fiber(m_fake, &m_caller_stack, &m_caller_bytes);
#endif
  }
  std::function<void()> m_task;
  boost::context::fiber m_fiber, m_caller;
  void *m_identity = nullptr, *m_caller_identity = nullptr;
  void* m_fake        = nullptr;
  const void *m_stack = nullptr, *m_caller_stack = nullptr;
  std::size_t m_stack_bytes = 0, m_caller_bytes = 0;
};

}  // namespace hip_model

#endif
