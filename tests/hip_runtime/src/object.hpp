// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_OBJECT_HPP
#define KOKKOS_TEST_HIP_MODEL_OBJECT_HPP

/// \file
/// HIP's objects: each object records the calls that used it, and each handle refers to its object.

#include "api.hpp"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hip_model {

/// The first call that used an object, and the last few.
class History {
 public:
  void add(Call const& call, char const* what);
  std::string text() const;

 private:
  struct Line {
    char const* what     = nullptr;
    char const* call     = nullptr;
    std::uint64_t number = 0;
    int thread           = 0;
  };
  static std::string line_text(Line const&);
  static constexpr unsigned kept = 5;
  Line m_first;
  Line m_last[kept];
  unsigned m_count = 0;  // number of lines after the first
};

struct Object {
  char const* kind;
  std::uint64_t id;
  History history;
  bool alive    = true;
  bool internal = false;  ///< created by the model itself: no leak
  explicit Object(char const* k);
  std::string name() const;
};

/// Values for handles: unique addresses that cannot be read.
class HandleValues {
 public:
  static void* take();
  static void give_back(void*);
  static void reuse(bool yes);
};

/// The objects of one kind. Guarded by the lock of the model.
///
/// Destroyed objects are kept for reports until their handle's value is reused; if there are millions, only the most
/// recent.
template <class Handle, class T>
class HandleTable {
 public:
  Handle add(std::shared_ptr<T> object) {
    void* value      = HandleValues::take();
    m_objects[value] = std::move(object);
    return static_cast<Handle>(value);
  }
  /// The object, alive or destroyed; null for a value that never was a handle of this kind.
  std::shared_ptr<T> find(Handle handle) const {
    auto it = m_objects.find(static_cast<void*>(handle));
    return it == m_objects.end() ? nullptr : it->second;
  }
  void destroy(Handle handle) {
    auto it = m_objects.find(static_cast<void*>(handle));
    if (it == m_objects.end()) return;
    it->second->alive = false;
    m_deferred.emplace_back(it->first, it->second);
    HandleValues::give_back(it->first);
    if (m_deferred.size() <= 4096) return;
    auto old = m_objects.find(m_deferred.front().first);
    if (old != m_objects.end() && old->second == m_deferred.front().second) m_objects.erase(old);
    m_deferred.pop_front();
  }
  template <class F>
  void for_each_alive(F&& f) const {
    for (auto const& [value, object] : m_objects)
      if (object->alive) f(static_cast<Handle>(value), *object);
  }

 private:
  std::unordered_map<void*, std::shared_ptr<T>> m_objects;
  std::deque<std::pair<void*, std::shared_ptr<T>>> m_deferred;
};

}  // namespace hip_model

#endif
