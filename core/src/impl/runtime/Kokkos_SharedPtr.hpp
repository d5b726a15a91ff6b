// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_SHARED_PTR_HPP
#define KOKKOS_RUNTIME_SHARED_PTR_HPP

/// \file
/// Shared ownership of an object that counts its owners. For headers of Kokkos_Core.hpp: <memory> would be an eighth of the
/// time in which a small program compiles with few standard headers.

namespace Kokkos::Impl {

/// Base of objects that a SharedPtr owns. One owner has created the object.
class Counted {
 public:
  Counted()                          = default;
  Counted(Counted const&)            = delete;
  Counted& operator=(Counted const&) = delete;

  // A new owner copies an existing one, so that the object exists: relaxed. The last owner sees what the others did before
  // they gave up the object, and destroys it afterwards: release and acquire.
  void retain() noexcept { __atomic_fetch_add(&m_owners, 1, __ATOMIC_RELAXED); }
  /// Whether there is no owner left.
  bool release() noexcept { return __atomic_sub_fetch(&m_owners, 1, __ATOMIC_ACQ_REL) == 0; }

 private:
  int m_owners = 1;
};

/// Owns a Counted object together with its copies, as std::shared_ptr does. T is the type of the object, or has a virtual
/// destructor.
template <class T>
class SharedPtr {
 public:
  SharedPtr() = default;
  /// Becomes the first owner of a new object.
  explicit SharedPtr(T* object) noexcept : m_object(object) {}
  SharedPtr(SharedPtr const& other) noexcept : m_object(other.m_object) {
    if (m_object) m_object->retain();
  }
  SharedPtr(SharedPtr&& other) noexcept : m_object(other.m_object) { other.m_object = nullptr; }
  SharedPtr& operator=(SharedPtr other) noexcept {
    T* const object = m_object;
    m_object        = other.m_object;
    other.m_object  = object;
    return *this;
  }
  ~SharedPtr() {
    if (m_object && m_object->release()) delete m_object;
  }

  T* get() const noexcept { return m_object; }
  T* operator->() const noexcept { return m_object; }
  T& operator*() const noexcept { return *m_object; }
  explicit operator bool() const noexcept { return m_object != nullptr; }
  friend bool operator==(SharedPtr const& a, SharedPtr const& b) noexcept { return a.m_object == b.m_object; }

 private:
  T* m_object = nullptr;
};

}  // namespace Kokkos::Impl

#endif
