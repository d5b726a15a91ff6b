// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/Kokkos_ScatterSpares.hpp>

#include <Kokkos_Abort.hpp>

#include <map>
#include <mutex>
#include <new>

namespace Kokkos::Impl {

namespace {

/// As those of views, so that elements are aligned for vectors.
constexpr std::align_val_t alignment{64};

}  // namespace

struct ScatterSpares::State {
  mutable std::mutex mutex;
  std::map<std::uint32_t, void*> copies;

  ~State() {
    for (auto const& [number, elements] : copies) ::operator delete(elements, alignment);
  }
};

ScatterSpares::ScatterSpares() : m_state(new State) {}
ScatterSpares::~ScatterSpares() { delete m_state; }

void* ScatterSpares::of_thread(std::uint32_t number, std::size_t count, std::size_t element_size, Fill fill) {
  // The lock guards only the map, and is not held while elements are set: other threads have other numbers.
  {
    std::lock_guard const lock(m_state->mutex);
    if (auto const found = m_state->copies.find(number); found != m_state->copies.end()) return found->second;
  }
  void* const elements = ::operator new(count * element_size, alignment, std::nothrow);
  if (elements == nullptr)
    Kokkos::abort(
        "Kokkos::ScatterView: there is not enough memory for the copy of a thread. Create the ScatterView with fewer "
        "elements, or with ScatterNonDuplicated.");
  fill(elements, count);
  std::lock_guard const lock(m_state->mutex);
  m_state->copies.emplace(number, elements);
  return elements;
}

std::vector<void*> ScatterSpares::all() const {
  std::lock_guard const lock(m_state->mutex);
  std::vector<void*> copies;
  for (auto const& [number, elements] : m_state->copies) copies.push_back(elements);
  return copies;
}

}  // namespace Kokkos::Impl
