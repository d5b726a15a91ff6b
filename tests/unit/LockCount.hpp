// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_LOCK_COUNT_HPP
#define KOKKOS_TEST_LOCK_COUNT_HPP

/// \file
/// Counts the locks that the code of the program takes, without those of shared libraries: a missing lock makes a race that
/// seldom shows. To be included by one source of a program; its definitions replace those of the C library.

#if defined(__SANITIZE_THREAD__)
#define KOKKOS_TEST_HAS_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KOKKOS_TEST_HAS_THREAD_SANITIZER
#endif
#endif

#if defined(__linux__) && !defined(KOKKOS_TEST_HAS_THREAD_SANITIZER)  // that sanitizer has its own definitions
#define KOKKOS_TEST_COUNTS_LOCKS

#if defined(KOKKOS_IMPL_GPU_MODEL) || defined(KOKKOS_TEST_WITH_GPU_MODEL)
#include <hip_model.hpp>
#endif

#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>

// Of the linker: the addresses of the program's code.
extern "C" char __executable_start, etext;

namespace Kokkos::Testing {

/// Of the calling thread.
inline thread_local std::size_t locks_taken = 0;
/// An object whose locks are not counted, because their number depends on time.
inline void const *uncounted_begin = nullptr, *uncounted_end = nullptr;

inline void count_lock(void const* caller, void const* object) {
  if (object >= uncounted_begin && object < uncounted_end) return;
#if defined(KOKKOS_IMPL_GPU_MODEL) || defined(KOKKOS_TEST_WITH_GPU_MODEL)
  if (hip_model::is_in_call()) return;  // the model may use functions that the linker has taken from the program
#endif
  if (caller >= &__executable_start && caller < &etext) ++locks_taken;
}
template <class Function>
Function* next_definition(char const* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace Kokkos::Testing

#define KOKKOS_TEST_COUNT_LOCKS_OF(function, Object)                                     \
  extern "C" int function(Object* object) noexcept {                                     \
    static auto* const next = Kokkos::Testing::next_definition<int(Object*)>(#function); \
    Kokkos::Testing::count_lock(__builtin_return_address(0), object);                    \
    return next(object);                                                                 \
  }
KOKKOS_TEST_COUNT_LOCKS_OF(pthread_mutex_lock, pthread_mutex_t)
KOKKOS_TEST_COUNT_LOCKS_OF(pthread_rwlock_rdlock, pthread_rwlock_t)
KOKKOS_TEST_COUNT_LOCKS_OF(pthread_rwlock_wrlock, pthread_rwlock_t)
#undef KOKKOS_TEST_COUNT_LOCKS_OF

#endif

#endif
