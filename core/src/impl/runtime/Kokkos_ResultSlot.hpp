// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_RESULT_SLOT_HPP
#define KOKKOS_RUNTIME_RESULT_SLOT_HPP

/// \file
/// The memory in which a kernel stores a value that the host reads later (Experimental::PendingResult).

#include <impl/runtime/Kokkos_SharedPtr.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// The place of one value, and a word that becomes `arrived` after the value is complete. Without that word the value is
/// complete when the launch returns.
///
/// The kernel stores the value and then the word, with release order for the whole system. The host reads the word with
/// acquire order before it reads the value, so it never sees a part of the value. Between the launch and the arrival, no
/// host thread accesses the value. After the arrival nothing changes any more, so any number of threads may read.
class ResultSlot : public Counted {
 public:
  static constexpr std::uint32_t arrived = 1;

  virtual ~ResultSlot()                    = default;
  ResultSlot(ResultSlot const&)            = delete;
  ResultSlot& operator=(ResultSlot const&) = delete;

  void* data() const noexcept { return m_data; }
  std::uint32_t* flag() const noexcept { return m_flag; }
  bool has_arrived() const noexcept { return !m_flag || __atomic_load_n(m_flag, __ATOMIC_ACQUIRE) == arrived; }

  /// Waits for the value. \throws std::runtime_error if the kernel has failed
  void wait() const {
    if (has_arrived()) return;
    HostWait const wait(WaitReason::pending_result, m_label.c_str());
    wait_for_arrival();
  }
  /// The label of the kernel, for the record of waits.
  void set_label(std::string label) { m_label = std::move(label); }

 protected:
  ResultSlot(void* data, std::uint32_t* flag) noexcept : m_data(data), m_flag(flag) {}

 private:
  virtual void wait_for_arrival() const {}

  void* m_data;
  std::uint32_t* m_flag;
  std::string m_label;
};

/// A value on the host, which is complete when the launch returns.
template <class T>
class HostResultSlot final : public ResultSlot {
 public:
  explicit HostResultSlot(T const& value = T()) : ResultSlot(&m_value, nullptr), m_value(value) {}

 private:
  T m_value;
};

/// How the kernels of an execution space deliver a value that the host reads later. By default, kernels have ended when
/// their launch returns.
template <class ExecSpace>
struct ResultSlots {
  static constexpr bool arrives_later = false;

  template <class T>
  static SharedPtr<ResultSlot> take(ExecSpace const&) {
    return SharedPtr<ResultSlot>(new HostResultSlot<T>());
  }
};

}  // namespace Kokkos::Impl

#endif
