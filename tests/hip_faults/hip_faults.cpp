// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes every HIP call of the backend fail, and checks the effect on the program.
///
///     hip_faults                                  a choice of faults
///     hip_faults FUNCTION [STEP [NTH [ERROR]]]    only these
///
/// First the broad program runs once, and the model counts the calls of each step. Then the program runs in a separate
/// process for each fault, which is the failure of the n-th call of a function in a step. The choice of faults:
/// - by default, one for each function, in one of its steps;
/// - with KOKKOS_TEST_THOROUGH in the environment, or a function as an argument, the first, the middle and the last call
///   of the function in each of its steps;
/// - with HIP_FAULTS_EVERY_CALL=1, every call.
/// Calls are counted by step because some are repeated for as long as an operation takes: over the whole program, the n-th
/// call would be a different one each time.
///
/// The requirements are:
/// - the program gets an exception whose message contains the call and the error; or the call is one of those listed
///   below, which the backend can do without, and all results are still correct;
/// - the same step works when it runs again, with right results, and initialize after its failure;
/// - everything afterwards works: other steps of the program, and finalize;
/// - nothing leaks, no rule of HIP is violated, and nothing hangs;
/// - a failure that the backend handles leaves no error for the program's next hipGetLastError.
#include "BroadProgram.hpp"

#include "../unit/Thorough.hpp"

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

void print_event(char const* what, std::string const& detail) {
  std::string line = detail;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::printf("@%s %s\n", what, line.c_str());
  std::fflush(stdout);
}

/// Runs `action`; prints the exception that it throws.
template <class Action>
bool attempt(std::string const& name, Action const& action) {
  try {
    action();
    return true;
  } catch (broad::WrongResult const& wrong) {
    print_event("wrong", name + ": " + wrong.what());
  } catch (broad::OwnCallFailed const& failure) {
    (void)hipGetLastError();  // is that of the program's call
    print_event("own", name + ": " + failure.what());
  } catch (std::exception const& error) {
    print_event("threw", name + ": " + error.what());
  }
  return false;
}

/// The call that must fail; without a step, none.
struct Fault {
  std::string function, step;
  int nth   = 0;
  int error = 999;
  std::string in_words() const {
    return "call " + std::to_string(nth) + " of " + function + " in \"" + step + "\", answered by " +
           std::to_string(error);
  }
};

/// Runs a step, with the fault if it belongs to this step; prints the number of calls of each function.
template <class Action>
bool attempt_counted(Fault const& fault, std::string const& name, Action const& action) {
  // Sets the fault first: then the counts contain only calls that the fault also counts, including those of the
  // engine's threads.
  if (fault.step == name) hip_model::fail_call(fault.function.c_str(), fault.nth, fault.error);
  std::map<std::string, std::size_t> before;
  for (std::string const& function : hip_model::functions_called())
    before[function] = hip_model::call_count(function.c_str());
  bool const well = attempt(name, action);
  if (fault.step == name) hip_model::clear_faults();
  for (std::string const& function : hip_model::functions_called())
    if (auto const calls = hip_model::call_count(function.c_str()) - before[function]; calls > 0)
      print_event("count", std::to_string(calls) + " " + function + " " + name);
  hipError_t const left = hipGetLastError();
  if (left != hipSuccess) print_event("left", name + ": " + hipGetErrorName(left));
  return well;
}

/// As above; after the fault the step runs once more, because a program may try again.
template <class Action>
bool attempt_again(Fault const& fault, std::string const& name, Action const& action) {
  if (attempt_counted(fault, name, action)) return fault.step != name || attempt("again, " + name, action);
  if (fault.step == name) return attempt("again, " + name, action);
  return false;
}

int child(Fault const& fault) {
  bool initialized = attempt_counted(fault, "initialize", [] { Kokkos::initialize(); });
  if (!initialized) initialized = attempt("again, initialize", [] { Kokkos::initialize(); });
  if (initialized) {
    for (broad::Step const& step : broad::steps()) attempt_again(fault, step.name, step.run);
    attempt_again(fault, "fence", [] { Kokkos::fence(); });
    attempt_counted(fault, "finalize", [] { Kokkos::finalize(); });
  }
  for (hip_model::Report const& report : hip_model::reports()) print_event("violation", report.message);
  std::size_t const leaks = hip_model::check_leaks();
  if (leaks > 0) print_event("leaks", std::to_string(leaks) + " " + hip_model::last_report().message);
  print_event("end", "");
  hip_model::reset_reports();
  std::fflush(nullptr);
  _exit(0);
}

// ---- the parent -----------------------------------------------------------------------------------------------------

/// Calls whose failure need not be reported to a program, in any step or in one, and the reason. Results must still be
/// correct.
std::map<std::string, char const*> const tolerated = {
    {"hipGetLastError", "only clears the error that another call has already returned"},
    {"hipThreadExchangeStreamCaptureMode", "matters during captures alone; a forbidden call then fails by itself"},
    {"hipDeviceGetAttribute", "facts that a ROCm may not report have a default"},
    {"hipDeviceSynchronize", "releasing memory then waits for each instance"},
    {"hipEventCreateWithFlags", "the end of a graph then waits for its devices"},
    {"hipEventQuery", "the end of a graph then waits for its devices"},
    {"hipEventRecord", "the slot of a functor, or the end of a graph, then waits for the stream"},
    {"hipFuncGetAttributes in copies", "the kernel for long copies is then loaded by its first launch"},
    {"hipGetDevice", "releasing memory continues"},
    {"hipGetDeviceCount", "the library then assumes one device; num_devices() throws nothing"},
    {"hipHostMalloc", "without pinned memory, the runtime copies"},
    {"hipMalloc", "the memory pool frees idle memory and tries again, or allocates less"},
    {"hipMemAdvise", "managed memory then is fine-grained, which is slower"},
    {"hipMemGetInfo in initialize", "without the size of the device's memory, the memory pool keeps none of it"},
    {"hipMemsetAsync", "the memory pool then has no cleared blocks, and views are initialized one by one"},
    {"hipPointerGetAttributes", "releasing memory then waits for every instance"},
    {"hipSetDevice", "when the device of the program is restored; every launch and copy sets its own"},
    {"hipStreamCreateWithFlags", "as hipHostMalloc: a stream to try what copies need"},
    {"hipStreamWaitEvent", "work whose end cannot be observed counts as running, until a later query succeeds"},
    {"hipStreamIsCapturing", "at the end of an instance, whose stream is then drained"},
    {"hipStreamQuery", "while polling for a result; then the stream is synchronized"},
    {"hipStreamSynchronize", "at the end of an instance, whose kernels have ended before"},
    {"hipStreamWaitValue32", "at first as hipHostMalloc; at the end of a copy the host waits instead of the stream"},
    {"hipStreamWriteValue32", "as hipStreamWaitValue32"},
    {"hipFree", "the memory stays allocated; destructors do not throw"},
    {"hipFreeAsync", "as hipFree"},
    {"hipHostFree", "as hipFree"},
    {"hipEventDestroy", "as hipFree"},
    {"hipStreamDestroy", "as hipFree"},
    {"hipGraphDestroy", "as hipFree"},
    {"hipGraphExecDestroy", "as hipFree"},
    {"hipUserObjectRelease", "as hipFree"},
};
std::set<std::string> const releasing = {
    "hipFree",          "hipFreeAsync",    "hipHostFree",         "hipEventDestroy",
    "hipStreamDestroy", "hipGraphDestroy", "hipGraphExecDestroy", "hipUserObjectRelease"};

/// The reason why the failure need not be reported; null if it must be.
char const* why_tolerated(std::string const& function, std::string const& step) {
  for (std::string const& name : {function, function + " in " + step})
    if (auto at = tolerated.find(name); at != tolerated.end()) return at->second;
  return nullptr;
}

struct Outcome {
  bool ended = false;
  int status = 0;
  std::map<std::string, std::vector<std::string>> events;  // the output, by kind
  std::string others;                                      // all other output
  std::vector<std::string> const& of(char const* kind) { return events[kind]; }
};

/// Runs this program as a child process with the fault.
Outcome run_child(Fault const& fault) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) std::abort();
  std::string const command =
      "env HIP_MODEL_QUIET=1 HIP_MODEL_DEVICES=2 KOKKOS_STAGING_MB=1 KOKKOS_STAGING_THREADS=2 "
      "timeout 60 '" +
      std::string(self) + "' --child '" + fault.function + "' '" + fault.step + "' " + std::to_string(fault.nth) + " " +
      std::to_string(fault.error) + " 2>&1";
  Outcome outcome;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) std::abort();
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    auto const blank = line.find(' ');
    if (line.starts_with("@") && blank != std::string::npos)
      outcome.events[line.substr(1, blank - 1)].push_back(line.substr(blank + 1));
    else
      outcome.others += line + '\n';
    line.clear();
  }
  outcome.status = pclose(pipe);
  outcome.ended  = !outcome.of("end").empty() && WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0;
  return outcome;
}

/// Number of calls of each function in each step, in the order of the steps.
using Calls = std::map<std::string, std::vector<std::pair<std::string, int>>>;
Calls count_calls(Outcome& outcome) {
  Calls calls;
  for (std::string const& line : outcome.of("count")) {
    std::istringstream fields(line);
    int count = 0;
    std::string function, step;
    fields >> count >> function;
    std::getline(fields >> std::ws, step);
    calls[function].emplace_back(step, count);
  }
  return calls;
}

/// Whether the program called the function often enough in that step for the fault to occur.
bool has_struck(Outcome& outcome, Fault const& fault) {
  Calls counts = count_calls(outcome);
  for (auto const& [step, calls] : counts[fault.function])
    if (step == fault.step) return calls >= fault.nth;
  return false;
}

/// The error in the outcome of a failed call; empty if there is none.
std::string judge(Outcome& outcome, Fault const& fault) {
  std::string const& function  = fault.function;
  std::string const error_name = fault.error == 999 ? "hipErrorUnknown" : "hipError";
  if (!outcome.ended) return "the program did not end as it should:\n" + outcome.others;
  if (!outcome.of("wrong").empty()) return "wrong: " + outcome.of("wrong").front();
  // A call that the failed one would have allowed during a capture invalidates the capture, by the rules of HIP; this
  // must then be reported to the program.
  bool const spoilt = function == "hipThreadExchangeStreamCaptureMode" && outcome.of("violation").size() == 1 &&
                      outcome.of("violation").front().find("would have allowed it") != std::string::npos;
  if (!spoilt && !outcome.of("violation").empty()) return "violation: " + outcome.of("violation").front();
  if (!has_struck(outcome, fault)) return "";
  if (!outcome.of("left").empty()) return "left for the program's hipGetLastError: " + outcome.of("left").front();
  auto const leaks  = outcome.of("leaks");
  int const allowed = releasing.contains(function) ? 1 : 0;  // the object that could not be freed
  if (!leaks.empty() && std::atoi(leaks.front().c_str()) > allowed) return "leaks: " + leaks.front();
  auto const threw = outcome.of("threw");
  if (threw.size() > 1) return "one failure, but two exceptions: " + threw[0] + "\n    and: " + threw[1];
  if (threw.empty()) {
    if (!outcome.of("own").empty() || (why_tolerated(function, fault.step) && !spoilt)) return "";
    if (outcome.others.find(error_name) != std::string::npos) return "";  // finalize prints the message
    return "the failure was not reported";
  }
  std::string const& message = threw.front();
  auto const parts           = spoilt ? std::vector<std::string>{"hipErrorStreamCaptureUnsupported"}
                                      : std::vector<std::string>{error_name, function};
  for (std::string const& part : parts)
    if (message.find(part) == std::string::npos) return "the message does not contain " + part + ": " + message;
  return "";
}

std::vector<int> chosen_calls(int calls) {
  std::vector<int> all;
  if (std::getenv("HIP_FAULTS_EVERY_CALL") != nullptr) {
    for (int n = 1; n <= calls; ++n) all.push_back(n);
    return all;
  }
  int const three[] = {1, (calls + 1) / 2, calls};
  all.assign(std::begin(three), std::end(three));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// One of the steps and one of its chosen calls. The choice differs between functions by `turn`.
Fault one_fault(std::string const& function, std::vector<std::pair<std::string, int>> const& steps, std::size_t turn) {
  auto const& [step, count]    = steps[turn % steps.size()];
  std::vector<int> const calls = chosen_calls(count);
  return {function, step, calls[turn % calls.size()]};
}

/// The faults that the command line selects.
std::vector<Fault> chosen_faults(Calls const& calls, int argc, char** argv) {
  bool const one_for_each = argc == 1 && !Kokkos::Testing::is_thorough() && !std::getenv("HIP_FAULTS_EVERY_CALL");
  std::vector<Fault> all;
  for (auto const& [function, steps] : calls) {
    if (one_for_each) {
      all.push_back(one_fault(function, steps, all.size()));
      continue;
    }
    if (argc > 1 && function != argv[1]) continue;
    for (auto const& [step, count] : steps) {
      if (argc > 2 && step != argv[2]) continue;
      for (int const nth : argc > 3 ? std::vector<int>{std::atoi(argv[3])} : chosen_calls(count))
        all.push_back({function, step, nth, argc > 4 ? std::atoi(argv[4]) : 999});
    }
  }
  return all;
}

/// The results of the faults of one function.
struct Tally {
  int tried = 0, struck = 0, silent = 0;
  std::string example;              // of a message
  char const* tolerated = nullptr;  // reason, if tolerated
  void print(std::string const& function) const {
    std::printf("%-40s %5d of %d faults struck%s%s\n", function.c_str(), struck, tried, example.empty() ? "" : "; ",
                example.c_str());
    if (tolerated) std::printf("%-40s %d tolerated: %s\n", "", silent, tolerated);
  }
};

int run_all(int argc, char** argv) {
  Outcome plain = run_child({});
  if (!plain.ended || !plain.of("threw").empty() || !plain.of("wrong").empty() || !plain.of("leaks").empty() ||
      !plain.of("violation").empty() || !plain.of("own").empty() || !plain.of("left").empty()) {
    std::printf("The broad program fails without any fault:\n%s", plain.others.c_str());
    for (auto const& [kind, texts] : plain.events)
      for (auto const& text : texts) std::printf("%s: %s\n", kind.c_str(), text.c_str());
    return 1;
  }
  std::map<std::string, Tally> tallies;
  int tried = 0, struck = 0, failures = 0;
  for (Fault const& fault : chosen_faults(count_calls(plain), argc, argv)) {
    Outcome outcome         = run_child(fault);
    std::string const wrong = judge(outcome, fault);
    Tally& tally            = tallies[fault.function];
    bool const strikes      = has_struck(outcome, fault);
    ++tried, ++tally.tried;
    struck += strikes, tally.struck += strikes;
    if (!outcome.of("threw").empty())
      tally.example = outcome.of("threw").front();
    else if (char const* why = why_tolerated(fault.function, fault.step); why && strikes)
      ++tally.silent, tally.tolerated = why;
    if (wrong.empty()) continue;
    ++failures;
    std::printf("FAILED %s: %s\n", fault.in_words().c_str(), wrong.c_str());
    std::fflush(stdout);
  }
  for (auto const& [function, tally] : tallies) tally.print(function);
  std::printf("%zu functions, %d of %d faults struck, %d failures\n", tallies.size(), struck, tried, failures);
  return failures == 0 && struck > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 5 && std::string(argv[1]) == "--child")
    return child({argv[2], argv[3], std::atoi(argv[4]), std::atoi(argv[5])});
  return run_all(argc, argv);
}
