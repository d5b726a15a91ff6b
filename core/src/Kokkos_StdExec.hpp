// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_EXEC_HPP
#define KOKKOS_STD_EXEC_HPP

/// \file
/// Kernels as senders of std::execution, with NVIDIA's implementation stdexec. An experimental addition of this
/// library, which Kokkos_Core.hpp does not include. Without <stdexec/execution.hpp> in the include path, it declares
/// nothing.

#include <Kokkos_Core.hpp>

#if __has_include(<stdexec/execution.hpp>)
#include <stdexec/execution.hpp>

#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {

/// An operation whose kernels have been enqueued.
struct PendingOperation {
  PendingOperation* next                                 = nullptr;
  virtual void complete(std::exception_ptr why) noexcept = 0;

 protected:
  ~PendingOperation() = default;
};

/// A thread that waits for the kernels of operations, and completes these in order. It exists because the runtimes'
/// own callbacks may not call the runtime, but continuations enqueue kernels.
///
/// The mutex guards the list, and is not held while the thread fences or completes an operation. An operation may end
/// in its completion, so the thread does not use it afterwards.
template <class Exec>
class CompletionThread {
 public:
  explicit CompletionThread(Exec const& exec) : m_exec(exec), m_thread([this] { run(); }) {}
  ~CompletionThread() {
    {
      std::lock_guard const lock(m_mutex);
      m_ends = true;
    }
    m_changed.notify_one();
    m_thread.join();
  }
  CompletionThread(CompletionThread const&)            = delete;
  CompletionThread& operator=(CompletionThread const&) = delete;

  Exec const& exec() const noexcept { return m_exec; }
  void add(PendingOperation* operation) noexcept {
    {
      std::lock_guard const lock(m_mutex);
      (m_last ? m_last->next : m_first) = operation;
      m_last                            = operation;
    }
    m_changed.notify_one();
  }

 private:
  PendingOperation* take() {
    std::unique_lock lock(m_mutex);
    while (!m_first && !m_ends) m_changed.wait(lock);
    PendingOperation* const operation = m_first;
    if (operation) m_first = operation->next;
    if (!m_first) m_last = nullptr;
    return operation;
  }
  void run() {
    Impl::WaitScope const waits(Impl::WaitReason::background);
    while (PendingOperation* const operation = take()) {
      std::exception_ptr why;
      try {
        m_exec.fence("Kokkos::Experimental::InstanceScheduler: end of an operation");
      } catch (...) {
        why = std::current_exception();
      }
      operation->complete(why);
    }
  }

  Exec m_exec;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  PendingOperation* m_first = nullptr;
  PendingOperation* m_last  = nullptr;
  bool m_ends               = false;
  std::thread m_thread;  // last: it uses the other members
};

}  // namespace Impl

namespace Experimental {

template <class Exec>
class InstanceScheduler;

/// The kernels `Works` after `Before`, on one instance. They are enqueued together, so there is one wait for all of
/// them.
template <class Exec, class Before, class... Works>
struct KernelSender {
  using sender_concept = stdexec::sender_t;
  using completion_signatures =
      stdexec::completion_signatures<stdexec::set_value_t(), stdexec::set_error_t(std::exception_ptr),
                                     stdexec::set_stopped_t()>;

  template <class Receiver>
  class Operation final : Impl::PendingOperation {
    struct Inner {
      using receiver_concept = stdexec::receiver_t;

      void set_value() noexcept { operation->enqueue(); }
      template <class Error>
      void set_error(Error&& error) noexcept {
        if constexpr (std::is_same_v<std::remove_cvref_t<Error>, std::exception_ptr>)
          stdexec::set_error(std::move(operation->m_receiver), static_cast<Error&&>(error));
        else
          stdexec::set_error(std::move(operation->m_receiver), std::make_exception_ptr(static_cast<Error&&>(error)));
      }
      void set_stopped() noexcept { stdexec::set_stopped(std::move(operation->m_receiver)); }
      auto get_env() const noexcept { return stdexec::get_env(operation->m_receiver); }

      Operation* operation;
    };

   public:
    Operation(KernelSender const& sender, Receiver receiver)
        : m_thread(sender.thread),
          m_works(sender.works),
          m_receiver(std::move(receiver)),
          m_before(stdexec::connect(sender.before, Inner{this})) {}
    Operation(Operation const&)            = delete;
    Operation& operator=(Operation const&) = delete;

    void start() & noexcept { stdexec::start(m_before); }

   private:
    void enqueue() noexcept {
      try {
        std::apply([&](auto const&... work) { (work(m_thread->exec()), ...); }, m_works);
      } catch (...) {
        return stdexec::set_error(std::move(m_receiver), std::current_exception());
      }
      m_thread->add(this);
    }
    void complete(std::exception_ptr why) noexcept override {
      if (why)
        stdexec::set_error(std::move(m_receiver), std::move(why));
      else
        stdexec::set_value(std::move(m_receiver));
    }

    Impl::CompletionThread<Exec>* m_thread;
    std::tuple<Works...> m_works;
    Receiver m_receiver;
    stdexec::connect_result_t<Before const&, Inner> m_before;
  };

  template <class Receiver>
  Operation<Receiver> connect(Receiver receiver) const {
    return {*this, std::move(receiver)};
  }

  Impl::CompletionThread<Exec>* thread;
  Before before;
  std::tuple<Works...> works;
};

/// A scheduler of stdexec over an instance. Kernels are enqueued by the thread that starts an operation. The operation
/// completes when they have ended, on a thread of the InstanceContext.
template <class Exec>
class InstanceScheduler {
 public:
  using scheduler_concept = stdexec::scheduler_t;

  class Sender {
    struct Environment {
      template <class... Args>
      InstanceScheduler query(stdexec::get_completion_scheduler_t<stdexec::set_value_t>,
                              Args const&...) const noexcept {
        return scheduler;
      }
      InstanceScheduler scheduler;
    };
    template <class Receiver>
    struct Operation {
      void start() & noexcept { stdexec::set_value(std::move(receiver)); }
      Receiver receiver;
    };

   public:
    using sender_concept        = stdexec::sender_t;
    using completion_signatures = stdexec::completion_signatures<stdexec::set_value_t()>;

    explicit Sender(InstanceScheduler scheduler) noexcept : m_environment{scheduler} {}
    template <class Receiver>
    Operation<Receiver> connect(Receiver receiver) const {
      return {std::move(receiver)};
    }
    Environment get_env() const noexcept { return m_environment; }

   private:
    Environment m_environment;
  };

  explicit InstanceScheduler(Impl::CompletionThread<Exec>* thread) noexcept : m_thread(thread) {}

  /// Completes at once, on the thread that starts it.
  Sender schedule() const noexcept { return Sender(*this); }
  Exec const& instance() const noexcept { return m_thread->exec(); }

  /// After `before`, which has no value: `f(i)` for each i in [0, n), as a parallel_for on the instance. Another call
  /// with the result appends a kernel, which runs in the order of the instance, without a wait between them.
  template <stdexec::sender Before, class F>
  auto bulk(Before before, std::string label, std::size_t n, F f) const {
    auto work = [label = std::move(label), n, f](Exec const& exec) {
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(exec, 0, n), f);
    };
    return append(std::move(before), std::move(work));
  }
  /// `bulk` without `before`: the first operation of a program.
  template <class F>
  auto bulk(std::string label, std::size_t n, F f) const {
    return bulk(schedule(), std::move(label), n, std::move(f));
  }

  friend bool operator==(InstanceScheduler const&, InstanceScheduler const&) noexcept = default;

 private:
  template <class Before, class Work>
  auto append(Before before, Work work) const {
    return KernelSender<Exec, Before, Work>{m_thread, std::move(before), {std::move(work)}};
  }
  template <class Before, class... Works, class Work>
  auto append(KernelSender<Exec, Before, Works...> sender, Work work) const {
    if (sender.thread != m_thread)
      Impl::throw_runtime_exception(
          "Kokkos::Experimental::InstanceScheduler::bulk: the sender before it belongs to another instance. Put "
          "stdexec::continues_on, or a stdexec::then, between them.");
    return KernelSender<Exec, Before, Works..., Work>{
        m_thread, std::move(sender.before), std::tuple_cat(std::move(sender.works), std::tuple<Work>(std::move(work)))};
  }

  Impl::CompletionThread<Exec>* m_thread;
};

/// The owner of what the operations of an instance need. It must outlive them, and end before Kokkos::finalize.
template <class Exec = DefaultExecutionSpace>
class InstanceContext {
 public:
  explicit InstanceContext(Exec const& exec = Exec()) : m_thread(exec) {}

  InstanceScheduler<Exec> get_scheduler() noexcept { return InstanceScheduler<Exec>(&m_thread); }

 private:
  Impl::CompletionThread<Exec> m_thread;
};

}  // namespace Experimental
}  // namespace Kokkos

#endif
#endif
