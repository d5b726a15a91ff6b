// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "faults.hpp"

#include "../hip_model.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

namespace hip_model {

Faults& Faults::get() {
  static Faults* faults = new Faults;
  return *faults;
}

Faults::Faults() {
  if (char const* text = std::getenv("HIP_MODEL_FAULTS")) parse(text);
}

void Faults::parse(char const* text) {
  std::string rest = text;
  while (!rest.empty()) {
    auto const comma       = rest.find(',');
    std::string const item = rest.substr(0, comma);
    rest                   = comma == std::string::npos ? "" : rest.substr(comma + 1);
    unsigned nth = 0, error = 0, microseconds = 0;
    char name[128] = {};
    if (std::sscanf(item.c_str(), "%127[^#~]#%u=%u", name, &nth, &error) == 3 && nth > 0)
      m_faults.push_back({name, nth, static_cast<hipError_t>(error)});
    else if (std::sscanf(item.c_str(), "%127[^#~]~%u", name, &microseconds) == 2)
      m_slow[name] = microseconds;
    else {
      std::fprintf(stderr,
                   "HIP model (a test instrument, not a GPU): HIP_MODEL_FAULTS has \"%s\"; a fault is written "
                   "hipMalloc#3=2 (third call, error 2) or hipMalloc~500 (500 microseconds).\n",
                   item.c_str());
      std::exit(2);
    }
  }
}

hipError_t Faults::on_call(char const* function) {
  unsigned wait   = 0;
  hipError_t fail = hipSuccess;
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    auto counter = m_counts.find(std::string_view(function));
    if (counter == m_counts.end()) counter = m_counts.emplace(function, 0).first;
    ++counter->second;
    if (auto slow = m_slow.find(std::string_view(function)); slow != m_slow.end()) wait = slow->second;
    for (auto fault = m_faults.begin(); fault != m_faults.end();) {
      bool const mine = fault->function == function || fault->function == "*";
      if (mine && --fault->remaining == 0) {
        fail  = fault->error;
        fault = m_faults.erase(fault);
      } else {
        ++fault;
      }
    }
  }
  if (wait) std::this_thread::sleep_for(std::chrono::microseconds(wait));
  return fail;
}

void Faults::on_operation() {
  unsigned wait = 0;
  {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (auto slow = m_slow.find(std::string_view("operation")); slow != m_slow.end()) wait = slow->second;
  }
  if (wait) std::this_thread::sleep_for(std::chrono::microseconds(wait));
}

void Faults::fail(char const* function, unsigned nth, hipError_t error) {
  std::lock_guard<std::mutex> lock(m_mutex);
  if (nth > 0) m_faults.push_back({function, nth, error});
}
void Faults::slow(char const* function, unsigned microseconds) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_slow[function] = microseconds;
}
void Faults::clear() {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_faults.clear();
  m_slow.clear();
}
void Faults::reset_counts() {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_counts.clear();
}
std::size_t Faults::count(char const* function) {
  std::lock_guard<std::mutex> lock(m_mutex);
  std::size_t n = 0;
  for (auto const& [name, calls] : m_counts)
    if (name == function || std::strcmp(function, "*") == 0) n += calls;
  return n;
}
std::vector<std::string> Faults::called() {
  std::lock_guard<std::mutex> lock(m_mutex);
  std::vector<std::string> names;
  for (auto const& entry : m_counts) names.push_back(entry.first);
  return names;
}

}  // namespace hip_model
