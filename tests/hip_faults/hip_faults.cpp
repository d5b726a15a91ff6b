// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lets every call of HIP that the backend makes fail, and looks at what the program gets to see.
///
///   hip_faults                         runs all
///   hip_faults FUNCTION [NTH [ERROR]]  only these
///
/// First the broad program runs once, and the model counts its calls. Then, for each function and a choice of n (every
/// one with HIP_FAULTS_EVERY_CALL=1), the program runs in a process of its own in which the n-th call of that
/// function fails. Asked for is that
///   - the program gets an exception whose sentence names the call and the error; or the call is one of those listed below, which
///     the backend can do without, and all results are right all the same;
///   - whatever comes afterwards works: other steps of the program, and finalize;
///   - nothing is leaked, no rule of HIP is broken, and nothing hangs.
#include "BroadProgram.hpp"

#include <Kokkos_Core.hpp>
#include <hip_model.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

// ---- the child: runs the program once and prints what happened ------------------------------------------------------

void say(const char* what, std::string const& detail) {
  std::string line = detail;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::printf("@%s %s\n", what, line.c_str());
  std::fflush(stdout);
}

/// Runs `action`; says what it throws.
template <class Action>
bool attempt(std::string const& name, Action const& action) {
  try {
    action();
    return true;
  } catch (broad::WrongResult const& wrong) {
    say("wrong", name + ": " + wrong.what());
  } catch (broad::OwnCallFailed const& failure) {
    say("own", name + ": " + failure.what());
  } catch (std::exception const& error) {
    say("threw", name + ": " + error.what());
  }
  return false;
}

int child(const char* function) {
  if (attempt("initialize", [] { Kokkos::initialize(); })) {
    for (broad::Step const& step : broad::steps()) attempt(step.name, step.run);
    attempt("fence", [] { Kokkos::fence(); });
    attempt("finalize", [] { Kokkos::finalize(); });
  }
  say("calls", std::to_string(hip_model::call_count(function)));
  for (std::string const& name : hip_model::functions_called())
    say("count", name + " " + std::to_string(hip_model::call_count(name.c_str())));
  const std::size_t violations = hip_model::violation_count();
  if (violations > 0) say("violation", hip_model::last_report().message);
  const std::size_t leaks = hip_model::check_leaks();
  if (leaks > 0) say("leaks", std::to_string(leaks) + " " + hip_model::last_report().message);
  say("end", "");
  hip_model::reset_reports();
  std::fflush(nullptr);
  _exit(0);
}

// ---- the parent -----------------------------------------------------------------------------------------------------

/// Calls that a program need not hear of when they fail, and why. Results must be right all the same.
const std::map<std::string, const char*> tolerated = {
    {"hipGetLastError", "only clears the error that another call has already returned"},
    {"hipThreadExchangeStreamCaptureMode", "matters during captures alone; a call that a capture forbids says so then"},
    {"hipDeviceGetAttribute", "what a ROCm may not know of a device has a default"},
    {"hipDeviceSynchronize", "releasing memory then waits for each instance"},
    {"hipEventCreateWithFlags", "the end of a graph then waits for its streams"},
    {"hipEventQuery", "the end of a graph then waits for its streams"},
    {"hipEventRecord", "the slot of a functor, or the end of a graph, then waits for the stream"},
    {"hipGetDevice", "releasing memory goes on"},
    {"hipGetDeviceCount", "one device is no more than what is asked of several; num_devices() throws nothing"},
    {"hipHostMalloc", "copies without slabs of pinned memory go the runtime's own way"},
    {"hipPointerGetAttributes", "releasing memory then waits for every instance"},
    {"hipSetDevice", "on the way back to the program's device; every launch and copy chooses its own"},
    {"hipStreamCreateWithFlags", "as hipHostMalloc: a stream to try what copies need"},
    {"hipStreamIsCapturing", "at an instance's end; its stream is drained then"},
    {"hipStreamQuery", "while a result is watched for; the stream is waited for then"},
    {"hipStreamSynchronize", "at an instance's end, whose kernels were waited for before"},
    {"hipStreamWaitValue32", "at first as hipHostMalloc; at the end of a copy the host waits in the stream's place"},
    {"hipStreamWriteValue32", "as hipStreamWaitValue32"},
    {"hipFree", "the memory stays with the runtime; an end is no place to throw"},
    {"hipFreeAsync", "as hipFree"},
    {"hipHostFree", "as hipFree"},
    {"hipEventDestroy", "as hipFree"},
    {"hipStreamDestroy", "as hipFree"},
    {"hipGraphDestroy", "as hipFree"},
    {"hipGraphExecDestroy", "as hipFree"},
    {"hipUserObjectRelease", "as hipFree"},
};
const std::set<std::string> releasing = {"hipFree",          "hipFreeAsync",    "hipHostFree",
                                         "hipEventDestroy",  "hipStreamDestroy", "hipGraphDestroy",
                                         "hipGraphExecDestroy", "hipUserObjectRelease"};

struct Outcome {
  bool ended = false;
  int status = 0;
  std::map<std::string, std::vector<std::string>> said;  // by kind
  std::string others;                                    // everything that was printed
  std::vector<std::string> const& of(const char* kind) { return said[kind]; }
};

/// Runs this program as a child with these variables in its environment.
Outcome run_child(std::string const& environment, std::string const& function) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) std::abort();
  const std::string command = "env HIP_MODEL_QUIET=1 HIP_MODEL_DEVICES=2 KOKKOS_STAGING_MB=1 KOKKOS_STAGING_THREADS=2 " +
                              environment + " timeout 60 '" + self + "' --child " + function + " 2>&1";
  Outcome outcome;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) std::abort();
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    const auto blank = line.find(' ');
    if (line.starts_with("@") && blank != std::string::npos)
      outcome.said[line.substr(1, blank - 1)].push_back(line.substr(blank + 1));
    else
      outcome.others += line + '\n';
    line.clear();
  }
  outcome.status = pclose(pipe);
  outcome.ended  = !outcome.of("end").empty() && WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0;
  return outcome;
}

/// How often the program calls each function.
std::map<std::string, int> count_calls(Outcome& outcome) {
  std::map<std::string, int> calls;
  for (std::string const& line : outcome.of("count")) {
    std::istringstream fields(line);
    std::string name;
    fields >> name;
    fields >> calls[name];
  }
  return calls;
}

/// What is wrong with this outcome of letting the n-th call fail; empty if nothing is.
std::string judge(Outcome& outcome, std::string const& function, int nth, std::string const& error_name) {
  if (!outcome.ended) return "the program did not end as it should:\n" + outcome.others;
  for (const char* kind : {"wrong", "violation"})
    if (!outcome.of(kind).empty()) return std::string(kind) + ": " + outcome.of(kind).front();
  const bool reached = std::atoi(outcome.of("calls").front().c_str()) >= nth;
  if (!reached) return "";
  const auto leaks = outcome.of("leaks");
  const int allowed = releasing.contains(function) ? 1 : 0;  // what could not be given back
  if (!leaks.empty() && std::atoi(leaks.front().c_str()) > allowed) return "leaks: " + leaks.front();
  const auto threw = outcome.of("threw");
  if (threw.size() > 1) return "one failure, but two exceptions: " + threw[0] + "\n    and: " + threw[1];
  if (threw.empty()) {
    if (!outcome.of("own").empty() || tolerated.contains(function)) return "";
    if (outcome.others.find(error_name) != std::string::npos) return "";  // finalize prints the sentence
    return "nothing was said of it";
  }
  const std::string& sentence = threw.front();
  for (std::string const& part : {error_name, function})
    if (sentence.find(part) == std::string::npos) return "the sentence is without " + part + ": " + sentence;
  return "";
}

std::vector<int> chosen_calls(int calls) {
  const bool every = std::getenv("HIP_FAULTS_EVERY_CALL") != nullptr;
  std::vector<int> all;
  for (int n = 1; n <= calls; ++n) {
    const bool few = n <= 4 || n >= calls - 1 || n == calls / 2 || n == calls / 3 || n == calls / 5;
    if (every || few) all.push_back(n);
  }
  return all;
}

int run_all(int argc, char** argv) {
  Outcome plain = run_child("", "-");
  if (!plain.ended || !plain.of("threw").empty() || !plain.of("wrong").empty() || !plain.of("leaks").empty() ||
      !plain.of("violation").empty() || !plain.of("own").empty()) {
    std::printf("The broad program fails without any fault:\n%s", plain.others.c_str());
    for (auto const& [kind, texts] : plain.said)
      for (auto const& text : texts) std::printf("%s: %s\n", kind.c_str(), text.c_str());
    return 1;
  }
  const auto calls = count_calls(plain);
  int tried = 0, exceptions = 0, failures = 0;
  for (auto const& [function, count] : calls) {
    if (argc > 1 && function != argv[1]) continue;
    std::string example;
    int silent = 0;
    for (const int nth : argc > 2 ? std::vector<int>{std::atoi(argv[2])} : chosen_calls(count)) {
      const int error         = argc > 3 ? std::atoi(argv[3]) : 999;
      const std::string fault = function + "#" + std::to_string(nth) + "=" + std::to_string(error);
      Outcome outcome         = run_child("HIP_MODEL_FAULTS='" + fault + "'", function);
      const std::string wrong = judge(outcome, function, nth, error == 999 ? "hipErrorUnknown" : "hipError");
      ++tried;
      if (!outcome.of("threw").empty())
        ++exceptions, example = outcome.of("threw").front();
      else
        ++silent;
      if (wrong.empty()) continue;
      ++failures;
      std::printf("FAILED %s: %s\n", fault.c_str(), wrong.c_str());
    }
    std::printf("%-40s %5d calls%s%s\n", function.c_str(), count, example.empty() ? "" : "; ", example.c_str());
    if (silent > 0 && tolerated.contains(function))
      std::printf("%-40s %d tolerated: %s\n", "", silent, tolerated.at(function));
    std::fflush(stdout);
  }
  std::printf("%zu functions, %d faults, %d exceptions, %d failures\n", calls.size(), tried, exceptions, failures);
  return failures == 0 && tried > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "--child") return child(argv[2]);
  return run_all(argc, argv);
}
