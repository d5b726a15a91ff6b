// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.hpp"
#include "state.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace hip_model {

namespace {

// Counts have a separate mutex, because references end both in code that holds the lock of the model and in code that
// does not. Destructors run on a separate thread: HIP guarantees no particular thread, and forbids them to call HIP.
class Releases {
 public:
  static Releases& get() {
    static Releases* releases = new Releases;
    return *releases;
  }
  bool retain(UserObjectPtr const& object, long count) {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (object->references <= 0) return false;
    object->references += count;
    return true;
  }
  bool release(UserObjectPtr const& object, long count) {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (object->references <= 0) return false;
    if (object->references < count && current_profile().released_too_often != hipSuccess) return false;
    object->references -= count;
    if (object->references > 0) return true;
    m_ended.push_back(object);
    if (!m_started) std::thread([this] { destroy_ended(); }).detach();
    m_started = true;
    m_changed.notify_all();
    return true;
  }
  long count(UserObjectPtr const& object) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return object->references;
  }
  void wait() {
    std::unique_lock<std::mutex> lock(m_mutex);
    m_changed.wait(lock, [&] { return m_ended.empty() && !m_busy; });
  }

 private:
  void destroy_ended() {
    this_thread().in_host_function = true;
    std::unique_lock<std::mutex> lock(m_mutex);
    while (true) {
      m_changed.wait(lock, [&] { return !m_ended.empty(); });
      UserObjectPtr object = m_ended.front();
      m_ended.pop_front();
      m_busy = true;
      lock.unlock();
      {
        Lock model = Scheduler::get().lock();
        State::get().user_objects.destroy(object->handle);
      }
      object->destroy(object->data);
      lock.lock();
      m_busy = false;
      m_changed.notify_all();
    }
  }
  void forget_threads() {
    forget_waiting_threads(m_changed);
    m_started = m_busy = false;
  }

  ForkedMutex m_mutex{ForkedMutex::Order::other, [](void* self) { static_cast<Releases*>(self)->forget_threads(); },
                      this};
  std::condition_variable m_changed;
  std::deque<UserObjectPtr> m_ended;
  bool m_started = false, m_busy = false;
};

}  // namespace

bool retain(UserObjectPtr const& object, long count) { return Releases::get().retain(object, count); }
bool release(UserObjectPtr const& object, long count) { return Releases::get().release(object, count); }
void wait_for_releases() { Releases::get().wait(); }
namespace {
long count_references(UserObjectPtr const& object) { return Releases::get().count(object); }
}  // namespace

Retained::~Retained() {
  for (auto const& [object, count] : counts) release(object, count);
}

namespace {
hipError_t find_user_object(Call& call, hipUserObject_t handle, UserObjectPtr* out) {
  return find_object(call, State::get().user_objects, handle, hipErrorInvalidValue, "user object", out);
}
}  // namespace

}  // namespace hip_model

using namespace hip_model;

extern "C" {

hipError_t hipUserObjectCreate(hipUserObject_t* out, void* data, hipHostFn_t destroy, unsigned references,
                               unsigned flags) {
  return api("hipUserObjectCreate", [&](Call& call) -> hipError_t {
    if (!out || !destroy || references == 0 || references > 0x7fffffffu || flags != hipUserObjectNoDestructorSync)
      return hipErrorInvalidValue;
    Lock lock          = Scheduler::get().lock();
    auto object        = std::make_shared<UserObject>();
    object->data       = data;
    object->destroy    = destroy;
    object->references = references;
    object->history.add(call, "created");
    *out = object->handle = State::get().user_objects.add(object);
    return hipSuccess;
  });
}

hipError_t hipUserObjectRetain(hipUserObject_t handle, unsigned count) {
  return api("hipUserObjectRetain", [&](Call& call) -> hipError_t {
    if (count == 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    UserObjectPtr object;
    if (auto error = find_user_object(call, handle, &object)) return error;
    object->history.add(call, "retained");
    return retain(object, count) ? hipSuccess : hipErrorInvalidValue;
  });
}

hipError_t hipUserObjectRelease(hipUserObject_t handle, unsigned count) {
  return api("hipUserObjectRelease", [&](Call& call) -> hipError_t {
    if (count == 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    UserObjectPtr object;
    if (auto error = find_user_object(call, handle, &object)) return error;
    object->history.add(call, "released");
    bool const too_often = count_references(object) < long(count);
    (void)release(object, count);
    lock.unlock();
    if (current_profile().user_objects_end_in_release) wait_for_releases();
    if (!too_often) return hipSuccess;
    return call.violation(current_profile().released_too_often, "released-too-often",
                          object->name() + " has fewer than " + std::to_string(count) + " references", object.get());
  });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph_handle, hipUserObject_t handle, unsigned count, unsigned flags) {
  return api("hipGraphRetainUserObject", [&](Call& call) -> hipError_t {
    if (count == 0 || (flags != 0 && flags != hipGraphUserObjectMove)) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    UserObjectPtr object;
    GraphPtr graph;
    if (auto error = find_user_object(call, handle, &object)) return error;
    if (auto error = find_object(call, State::get().graphs, graph_handle, hipErrorInvalidValue, "graph", &graph))
      return error;
    if (!(flags & hipGraphUserObjectMove) && !retain(object, count)) return hipErrorInvalidValue;
    object->history.add(call, "retained by a graph");
    graph->retained->counts[object] += count;
    return hipSuccess;
  });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph_handle, hipUserObject_t handle, unsigned count) {
  return api("hipGraphReleaseUserObject", [&](Call& call) -> hipError_t {
    if (count == 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    UserObjectPtr object;
    GraphPtr graph;
    if (auto error = find_user_object(call, handle, &object)) return error;
    if (auto error = find_object(call, State::get().graphs, graph_handle, hipErrorInvalidValue, "graph", &graph))
      return error;
    auto held        = graph->retained->counts.find(object);
    long const has   = held == graph->retained->counts.end() ? 0 : held->second;
    hipError_t error = hipSuccess;
    if (has < long(count)) {
      error = call.violation(current_profile().released_too_often, "released-too-often",
                             "the graph holds fewer than " + std::to_string(count) + " references to " + object->name(),
                             object.get());
      if (error != hipSuccess || has == 0) return error;
    }
    long const given = std::min<long>(has, count);
    held->second -= given;
    if (held->second == 0) graph->retained->counts.erase(held);
    release(object, given);
    lock.unlock();
    if (current_profile().user_objects_end_in_release) wait_for_releases();
    return error;
  });
}
}
