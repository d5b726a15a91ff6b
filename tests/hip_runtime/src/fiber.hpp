// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_FIBER_HPP
#define KOKKOS_TEST_HIP_MODEL_FIBER_HPP

/// \file
/// A fiber that runs one task after another on the thread that resumes it, and that sanitizers support. It may be
/// destroyed in the middle of a task; its stack is then discarded, not unwound.

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstddef>

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
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace hip_model {

class Fiber {
 public:
  explicit Fiber(std::size_t stack_bytes) : m_allocator(stack_bytes), m_stack(m_allocator.allocate()) {
    m_context = boost::context::detail::make_fcontext(m_stack.sp, m_stack.size, &Fiber::begin);
#ifdef HIP_MODEL_TSAN
    m_identity = __tsan_create_fiber(0);
#endif
  }
  ~Fiber() {
#ifdef HIP_MODEL_TSAN
    __tsan_destroy_fiber(m_identity);
#endif
#ifdef HIP_MODEL_ASAN
    __asan_unpoison_memory_region(bottom(), m_stack.size);
#endif
    m_allocator.deallocate(m_stack);
  }
  Fiber(Fiber const&)            = delete;
  Fiber& operator=(Fiber const&) = delete;

  /// Called between tasks. The fiber is idle again when `task(argument)` has returned.
  void set_task(void (*task)(void*), void* argument) {
    m_task     = task;
    m_argument = argument;
    m_idle     = false;
  }
  bool is_idle() const { return m_idle; }
  /// Runs the fiber until it suspends, or its task ends.
  void resume() {
#ifdef HIP_MODEL_TSAN
    m_caller_identity = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(m_identity, 0);
#endif
#ifdef HIP_MODEL_ASAN
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, bottom(), m_stack.size);
#endif
    m_context = boost::context::detail::jump_fcontext(m_context, this).fctx;
#ifdef HIP_MODEL_ASAN
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  }
  /// Called in the fiber: returns to the caller of resume.
  void suspend() {
#ifdef HIP_MODEL_TSAN
    __tsan_switch_to_fiber(m_caller_identity, 0);
#endif
#ifdef HIP_MODEL_ASAN
    __sanitizer_start_switch_fiber(&m_fake, m_caller_stack, m_caller_bytes);
#endif
    arrived(boost::context::detail::jump_fcontext(m_caller, nullptr));
  }

 private:
  static void begin(boost::context::detail::transfer_t from) {
    Fiber& self = *static_cast<Fiber*>(from.data);
    self.arrived(from);
    while (true) {
      self.m_task(self.m_argument);
      self.m_idle = true;
      self.suspend();
    }
  }
  void arrived(boost::context::detail::transfer_t from) {
    m_caller = from.fctx;
#ifdef HIP_MODEL_ASAN
    __sanitizer_finish_switch_fiber(m_fake, &m_caller_stack, &m_caller_bytes);
#endif
  }
  char* bottom() const { return static_cast<char*>(m_stack.sp) - m_stack.size; }

  boost::context::protected_fixedsize_stack m_allocator;
  boost::context::stack_context m_stack;
  boost::context::detail::fcontext_t m_context = nullptr, m_caller = nullptr;
  void (*m_task)(void*) = nullptr;
  void* m_argument      = nullptr;
  bool m_idle           = true;
  // Used only under sanitizers, which must be informed of the stack after each switch of fibers.
  [[maybe_unused]] void *m_identity = nullptr, *m_caller_identity = nullptr;
  [[maybe_unused]] void* m_fake               = nullptr;
  [[maybe_unused]] void const* m_caller_stack = nullptr;
  [[maybe_unused]] std::size_t m_caller_bytes = 0;
};

}  // namespace hip_model

#endif
