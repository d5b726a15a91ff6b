// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised own-program
/// \file
/// The findings of kokkos-doctor on simulated machines: each row of a table introduces one fault into a machine in good
/// order, and specifies the expected finding. Other tests read facts from the files of a simulated system.

#include "DoctorMachines.hpp"
#include "FakeRoot.hpp"
#include "Journal.hpp"

#include <Kokkos_Core.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/doctor/Kokkos_Findings.hpp>
#include <impl/runtime/doctor/Kokkos_SystemFiles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <regex>
#include <sstream>
#include <string>

#include <unistd.h>

namespace {

using namespace Kokkos::Impl;
using namespace Kokkos::Testing::Machines;
using Kokkos::Testing::FakeRoot;
using Kokkos::Testing::Journal;

bool has(Findings const& findings, Severity severity, std::string const& subject, std::string const& text) {
  return std::any_of(findings.begin(), findings.end(), [&](Finding const& f) {
    return f.severity == severity && f.subject == subject && (f.seen + ' ' + f.advice).find(text) != std::string::npos;
  });
}

TEST(Doctor, FindsNoProblemWhereThereIsNone) {
  for (MachineFacts const& m : {amd_machine(), nvidia_machine(), host_machine()}) {
    Findings const findings = examine(m);
    EXPECT_FALSE(has_problem(findings)) << printed(findings);
    EXPECT_FALSE(std::any_of(findings.begin(), findings.end(), [](Finding const& f) {
      return f.severity == Severity::note;
    })) << printed(findings);
    EXPECT_EQ(explain_failure(findings, true), "");
    Journal::of_this_test().add(m.vendor == GPUVendorName::none ? "a machine without GPU" : m.devices[0].name,
                                lines_of(findings));
  }
  Journal::of_this_test().expect_as_in("Doctor");
}

struct Row {
  char const* name;
  MachineFacts (*machine)();
  std::function<void(MachineFacts&)> spoil;
  Severity severity;
  char const *subject, *text;
};

auto const problem = Severity::problem;
auto const note    = Severity::note;
auto const ok      = Severity::ok;

Row const rows[] = {
    // The machine of the report: a home folder on a network file system, not writable, and parts of several releases.
    {"libraries of two ROCm", amd_machine,
     [](MachineFacts& m) { m.libraries.push_back("/opt/rocm-6.1.2/lib/libamd_comgr.so.2.7.60102"); }, problem,
     "libraries",
     "6.1.2 (/opt/rocm-6.1.2/lib/libamd_comgr.so.2.7.60102), 6.2 (/opt/rocm-6.2.0/lib/libamdhip64.so.6.2.60200)."},
    {"two versions of ROCm in file names", amd_machine,
     [](MachineFacts& m) {
       m.libraries = {"/usr/lib/libamdhip64.so.6.2.60200", "/usr/lib/libhsa-runtime64.so.1.13.60102"};
     },
     problem, "libraries", "6.1.2 (/usr/lib/libhsa-runtime64.so.1.13.60102)"},
    {"another libamd_comgr by its file name", amd_machine,
     [](MachineFacts& m) { m.libraries = {"/usr/lib/libamdhip64.so.6.2.60200", "/usr/lib/libamd_comgr.so.2.7.60102"}; },
     problem, "libraries", "6.1.2 (/usr/lib/libamd_comgr.so.2.7.60102)"},
    {"another libhiprtc by its file name", amd_machine,
     [](MachineFacts& m) { m.libraries = {"/usr/lib/libamdhip64.so.6.2.60200", "/usr/lib/libhiprtc.so.6.1.60102"}; },
     problem, "libraries", "6.1.2 (/usr/lib/libhiprtc.so.6.1.60102)"},
    {"two releases in one variable", amd_machine,
     [](MachineFacts& m) {
       m.environment["LD_LIBRARY_PATH"] = "/opt/rocm-6.2.0/lib:/opt/rocm-6.2.0/bin:/opt/rocm-5.7.1/lib";
     },
     problem, "environment", ": 5.7.1 in LD_LIBRARY_PATH, 6.2 in LD_LIBRARY_PATH."},
    {"environment of two ROCm", amd_machine,
     [](MachineFacts& m) {
       m.environment["ROCM_PATH"]       = "/opt/rocm-6.2.0";
       m.environment["LD_LIBRARY_PATH"] = "/a:/opt/rocm-5.7.1/lib";
     },
     problem, "environment", "5.7.1 in LD_LIBRARY_PATH, 6.2 in ROCM_PATH"},
    {"caches that cannot be written", amd_machine,
     [](MachineFacts& m) {
       m.caches[0].state  = FolderState::not_writable;
       m.caches[0].reason = "Read-only file system";
     },
     problem, "cache of COMGR and hipRTC",
     "(Read-only file system). Set AMD_COMGR_CACHE_DIR to a folder on a local disk"},
    {"home on NFS", amd_machine, [](MachineFacts& m) { m.caches[1].network = "NFS"; }, note, "cache of MIOpen",
     "network file system (NFS)"},
    {"runtime of another ROCm", amd_machine, [](MachineFacts& m) { m.runtime = {5, 7, 31921}; }, problem, "runtime",
     "built with ROCm 6.2.41133, running with 5.7.31921"},
    {"model of another ROCm", amd_machine,
     [](MachineFacts& m) {
       m.runtime  = {5, 7, 31921};
       m.is_model = true;
     },
     ok, "runtime", "running with 5.7.31921"},
    {"runtime of another minor release", amd_machine, [](MachineFacts& m) { m.runtime = {6, 3, 1}; }, note, "runtime",
     "running with 6.3.1"},
    {"two installations", amd_machine,
     [](MachineFacts& m) { m.installations.push_back({"ROCm", "/opt/rocm-6.1.2", {6, 1, 2}}); }, note, "installations",
     "/opt/rocm-6.2.0 (6.2), /opt/rocm-6.1.2 (6.1.2)"},

    {"two CUDA runtimes", nvidia_machine,
     [](MachineFacts& m) { m.libraries.push_back("/opt/app/lib/libcudart.so.11.8.89"); }, problem, "libraries",
     "11.8 (/opt/app/lib/libcudart.so.11.8.89)"},
    {"old driver", nvidia_machine, [](MachineFacts& m) { m.driver_serves = {11, 8, 0}; }, problem, "driver",
     "serves CUDA up to 11.8, and the program uses 12.4"},
    {"driver of an older minor release", nvidia_machine, [](MachineFacts& m) { m.driver_serves = {12, 2, 0}; }, note,
     "driver", "12.2"},
    {"no temporary folder", host_machine, [](MachineFacts& m) { m.caches[2].state = FolderState::creatable; }, problem,
     "cache of temporary files", "/tmp does not exist"},
    {"CUDA cache without a home", nvidia_machine, [](MachineFacts& m) { m.caches[0].state = FolderState::no_home; },
     problem, "cache of CUDA", "HOME and CUDA_CACHE_PATH are not set"},
    {"CUDA cache on a full disk", nvidia_machine, [](MachineFacts& m) { m.caches[0].state = FolderState::full; },
     problem, "cache of CUDA", "full file system"},
    {"CUDA cache disabled", nvidia_machine,
     [](MachineFacts& m) {
       m.caches[0].state       = FolderState::full;
       m.caches[0].is_disabled = true;
     },
     ok, "cache of CUDA", "disabled"},

    {"libomp older than clang", amd_machine,
     [](MachineFacts& m) { m.libraries.push_back("/usr/lib/llvm-15/lib/libomp.so.5"); }, problem, "OpenMP runtime",
     "is of LLVM 15, and this library was compiled by clang 18"},
    {"libomp newer than clang", amd_machine,
     [](MachineFacts& m) { m.libraries.push_back("/usr/lib/llvm-20/lib/libomp.so.5"); }, note, "OpenMP runtime",
     "LLVM 20"},
    {"the second of two runtimes is older", amd_machine,
     [](MachineFacts& m) {
       m.libraries.push_back("/opt/intel/libiomp5.so");
       m.libraries.push_back("/usr/lib/llvm-15/lib/libomp.so.5");
     },
     problem, "OpenMP runtime", "/usr/lib/llvm-15/lib/libomp.so.5 is of LLVM 15"},
    {"two OpenMP runtimes", amd_machine,
     [](MachineFacts& m) {
       m.libraries.push_back("/usr/lib/libgomp.so.1");
       m.libraries.push_back("/opt/intel/libiomp5.so");
     },
     problem, "OpenMP runtime", "/usr/lib/libgomp.so.1 and /opt/intel/libiomp5.so"},

    {"no kfd", amd_machine, [](MachineFacts& m) { m.device_files[0] = {"/dev/kfd", false, false, ""}; }, problem,
     "device file", "--device=/dev/kfd"},
    {"not in the group", amd_machine,
     [](MachineFacts& m) {
       m.device_files[0].usable = false;
       m.groups                 = {"users"};
     },
     problem, "device file", "belongs to the group render, and this user's groups are users"},
    {"GPU without driver", amd_machine,
     [](MachineFacts& m) {
       m.devices.clear();
       m.gpu_driver.clear();
     },
     problem, "GPUs", "the PCI bus shows 1 GPU of AMD, and the runtime finds none; no driver is loaded"},
    {"no GPU", nvidia_machine,
     [](MachineFacts& m) {
       m.devices.clear();
       m.pci_devices.clear();
     },
     problem, "GPUs", "the PCI bus shows none"},
    {"all GPUs hidden", nvidia_machine,
     [](MachineFacts& m) {
       m.devices.clear();
       m.environment["CUDA_VISIBLE_DEVICES"] = "";
     },
     problem, "visible devices", "CUDA_VISIBLE_DEVICES= is set. Unset it"},
    {"some GPUs hidden", nvidia_machine, [](MachineFacts& m) { m.environment["CUDA_VISIBLE_DEVICES"] = "0"; }, note,
     "visible devices", "hidden from this process"},
    {"GPU in use", nvidia_machine, [](MachineFacts& m) { m.devices[0].free_bytes = 1 << 20; }, note, "GPU",
     "Another process uses most of its memory"},
    {"peers", amd_machine, [](MachineFacts&) {}, ok, "GPU", "63 GiB of 64 GiB free, reaches the memory of devices 1"},
    {"no peers", amd_machine, [](MachineFacts& m) { m.devices[0].peers.clear(); }, ok, "GPU", "of devices none"},
    {"slow link", nvidia_machine, [](MachineFacts& m) { m.pci_devices[0].link = "2.5 GT/s x8"; }, note, "link",
     "2.5 GT/s x8, and could be by 32.0 GT/s x16"},
    {"XNACK refused", amd_machine, [](MachineFacts& m) { m.environment["HSA_XNACK"] = "1"; }, note, "unified memory",
     "noretry=0"},
    {"GPU and host build", host_machine, [](MachineFacts& m) { m.pci_devices = nvidia_machine().pci_devices; }, note,
     "GPUs", "configure with the backend"},

    {"little locked memory", host_machine, [](MachineFacts& m) { m.limits.locked_memory = 65536; }, note,
     "locked memory", "64 KiB"},
    {"locked memory of 64 MB", host_machine, [](MachineFacts& m) { m.limits.locked_memory = 64000000; }, note,
     "locked memory", "limit"},
    {"a stack of 8 MB", host_machine, [](MachineFacts& m) { m.limits.stack = 8000000; }, note, "stack", "limit"},
    {"small stack", host_machine, [](MachineFacts& m) { m.limits.stack = 1 << 20; }, note, "stack", "1 MiB"},
    {"few processes", host_machine, [](MachineFacts& m) { m.limits.processes = 100; }, problem, "processes",
     "limit 100"},
    {"few processes in the cgroup", host_machine, [](MachineFacts& m) { m.cgroup.processes = 128; }, problem,
     "processes of the cgroup", "--pids-limit"},
    {"little memory in the cgroup", host_machine, [](MachineFacts& m) { m.cgroup.memory = std::int64_t(4) << 30; },
     note, "memory of the cgroup", "4 GiB of 512 GiB"},
    {"few processors in the cgroup", host_machine, [](MachineFacts& m) { m.cgroup.processors = 2.5; }, note,
     "processors of the cgroup", "the quota is 2.5 processors"},
    {"bound to one", amd_machine, [](MachineFacts& m) { m.allowed_processors = {3}; }, note, "processors",
     "this thread may use 1"},
    {"bound to one by OpenMP", amd_machine, [](MachineFacts& m) { m.allowed_processors = {3}; }, note, "processors",
     "OMP_PROC_BIND=spread binds the main thread to one place"},
    {"bound to one by a launcher", host_machine,
     [](MachineFacts& m) {
       m.allowed_processors = {3};
       m.environment.erase("OMP_PROC_BIND");
     },
     note, "processors", "taskset"},
    {"threads not bound", amd_machine, [](MachineFacts& m) { m.environment.erase("OMP_PROC_BIND"); }, note,
     "binding of threads", "not set"},
    {"too many threads", host_machine, [](MachineFacts& m) { m.environment["KOKKOS_NUM_THREADS"] = "128"; }, note,
     "threads", "128 threads are requested, and this process may use 64"},

    {"a setting", host_machine, [](MachineFacts&) {}, ok, "variable", "KOKKOS_NUM_THREADS=64 is set"},
    {"a misspelt setting", host_machine,
     [](MachineFacts& m) {
       m.environment["KOKKOS_NUM_THREAD"] = "4";
       m.unknown_variables                = {{"KOKKOS_NUM_THREAD", "KOKKOS_NUM_THREADS"}};
     },
     problem, "variable",
     "KOKKOS_NUM_THREAD=4 is set, and Kokkos does not read it. Probably KOKKOS_NUM_THREADS is meant."},
    {"a foreign setting", host_machine,
     [](MachineFacts& m) {
       m.environment["KOKKOS_XYZZY"] = "4";
       m.unknown_variables           = {{"KOKKOS_XYZZY", ""}};
     },
     note, "variable", "KOKKOS_XYZZY is set"},
    {"a query that an old kernel refuses", amd_machine,
     [](MachineFacts& m) {
       m.refused = {"hipMemGetInfo of device 0 answers hipErrorInvalidValue, so its memory is not known."};
       m.devices[0].free_bytes = m.devices[0].total_bytes = -1;
     },
     note, "query", "hipMemGetInfo of device 0"},
};

TEST(Doctor, FindsWhatIsWrong) {
  for (Row const& row : rows) {
    MachineFacts m = row.machine();
    row.spoil(m);
    Findings const findings = examine(m);
    EXPECT_TRUE(has(findings, row.severity, row.subject, row.text)) << row.name << ":\n" << printed(findings);
    EXPECT_EQ(has_problem(findings), row.severity == problem) << row.name << ":\n" << printed(findings);
    Journal::of_this_test().add(row.name, lines_of(findings, printed(examine(row.machine()))));
  }
  Journal::of_this_test().expect_as_in("Doctor");
}

TEST(Doctor, ReportsOnlyVariablesThatTheRuntimeReads) {
  MachineFacts m = nvidia_machine();
  m.devices.clear();
  m.environment["HIP_VISIBLE_DEVICES"] = "";
  EXPECT_FALSE(has(examine(m), problem, "visible devices", "")) << printed(examine(m));
}

TEST(Doctor, KnowsNothingOfAnEmptyMachineAndSaysSo) {
  MachineFacts nothing;
  gather_host_facts("/nowhere", {}, nothing);
  Findings const findings = examine(nothing);
  EXPECT_TRUE(has(findings, note, "query", "/proc/self/limits could not be read")) << printed(findings);
  EXPECT_TRUE(has(findings, note, "query", "/sys/devices/system could not be read")) << printed(findings);
}

TEST(Doctor, ExplainsAFailureByProblemsOfTheBackend) {
  MachineFacts m           = amd_machine();
  m.device_files[0].usable = false;
  m.limits.processes       = 10;
  Findings const findings  = examine(m);
  std::string const device = explain_failure(findings, true), host = explain_failure(findings, false);
  EXPECT_NE(device.find("kokkos-doctor finds: device file: /dev/kfd belongs"), std::string::npos) << device;
  EXPECT_EQ(device.find("processes"), std::string::npos) << device;
  EXPECT_NE(host.find("kokkos-doctor finds: processes: limit 10"), std::string::npos) << host;
}

TEST(Doctor, PrintsOneLineForEachFinding) {
  MachineFacts m                     = host_machine();
  m.environment["KOKKOS_TOOLS_ARGS"] = "two\nlines \"quoted\" \\ \x01";
  Findings const findings            = examine(m);
  std::string const text             = printed(findings);
  EXPECT_EQ(std::size_t(std::count(text.begin(), text.end(), '\n')), findings.size());
  EXPECT_NE(text.find("ok       variable: KOKKOS_TOOLS_ARGS=two lines"), std::string::npos) << text;
  std::ostringstream json;
  print_findings_as_json(json, findings);
  EXPECT_NE(json.str().find("two\\u000alines \\\"quoted\\\" \\\\ \\u0001"), std::string::npos) << json.str();
  EXPECT_NE(json.str().find("\"problems\": 0"), std::string::npos);
}

TEST(Doctor, KnowsTheVariablesOfThisLibrary) {
  for (char const* name :
       {"KOKKOS_NUM_THREADS", "KOKKOS_VISIBLE_DEVICES", "KOKKOS_TOOLS_LIBS", "KOKKOS_TOOLS_TIMER_BINARY"})
    EXPECT_TRUE(is_known_variable(name)) << name;
  EXPECT_FALSE(is_known_variable("KOKKOS_TOOLS_LIB"));
  EXPECT_EQ(closest_variable("KOKKOS_TOOLS_LIB"), "KOKKOS_TOOLS_LIBS");
  EXPECT_EQ(closest_variable("KOKKOS_NUM_THREAD"), "KOKKOS_NUM_THREADS");
  EXPECT_EQ(closest_variable("KOKKOS_VISIBLE_DEVICE"), "KOKKOS_VISIBLE_DEVICES");
  EXPECT_EQ(closest_variable("KOKKOS_SOMETHING_ELSE_ENTIRELY"), "");
}

// ---- facts from files

TEST(Doctor, WordsOfALine) {
  for (char const* line : {"", " ", "one", "one two", "  one\ttwo  "}) {
    std::string const text = line;
    EXPECT_EQ(word(text, 0), text.find("one") != text.npos ? "one" : "") << '"' << text << '"';
    EXPECT_EQ(word(text, 1), text.find("two") != text.npos ? "two" : "") << '"' << text << '"';
    for (std::size_t const beyond : {2, 3, 100}) EXPECT_EQ(word(text, beyond), "") << '"' << text << '"';
  }
}

TEST(Doctor, ReadsTheMachineOfTheReport) {
  FakeRoot root;
  write_machine(root);
  MachineFacts m;
  m.vendor = GPUVendorName::amd;
  gather_host_facts(root.path(), {{"HOME", "/home/u/afile"}, {"XDG_CACHE_HOME", "/home/u/cache"}}, m);
  EXPECT_EQ(m.system, "Linux 5.15.0-91-generic");
  EXPECT_EQ(m.limits.locked_memory, 65536);
  EXPECT_EQ(m.limits.stack, 8388608);
  EXPECT_EQ(m.limits.processes, 4096);
  EXPECT_EQ(m.groups, (std::vector<std::string>{"users", "video", "999"}));
  EXPECT_EQ(m.user, 1000);
  EXPECT_EQ(m.allowed_processors, (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(m.libraries.size(), 2u);
  EXPECT_EQ(m.cgroup.memory, std::int64_t(16) << 30);
  EXPECT_EQ(m.cgroup.processors, 4);
  EXPECT_EQ(m.cgroup.processes, Limits::unlimited);
  EXPECT_EQ(m.memory, std::int64_t(64) << 30);
  EXPECT_EQ(m.processors_online, 16);
  EXPECT_EQ(m.numa_nodes, 2);
  ASSERT_EQ(m.pci_devices.size(), 1u) << "no GPU of another vendor";
  EXPECT_EQ(m.pci_devices[0].link, "8.0 GT/s x8");
  EXPECT_EQ(m.pci_devices[0].fastest_link, "16.0 GT/s x16");
  EXPECT_EQ(m.gpu_driver, "amdgpu 6.7.0");
  ASSERT_EQ(m.installations.size(), 2u) << "the link is no third one";
  EXPECT_EQ(m.installations[0].release, (ReleaseNumber{6, 1, 2}));
  ASSERT_EQ(m.device_files.size(), 2u) << "one for all devices, and one for rendering";
  EXPECT_EQ(m.device_files[1].path, "/dev/dri/renderD128");
  EXPECT_TRUE(m.device_files[0].exists);
  EXPECT_FALSE(m.device_files[0].usable) << "its owner and group are not this user's";
  EXPECT_TRUE(m.refused.empty());

  Findings const findings = examine(m);
  for (char const* subject : {"libraries", "device file", "GPUs", "cache of MIOpen"})
    EXPECT_TRUE(has(findings, problem, subject, "")) << subject << '\n' << printed(findings);
  EXPECT_TRUE(has(findings, ok, "cache of COMGR and hipRTC", "/home/u/cache/comgr can be created"))
      << printed(findings);
  EXPECT_TRUE(has(findings, problem, "cache of MIOpen", "(Not a directory, of /home/u/afile)")) << printed(findings);
  // The owner of a file is who runs the test.
  Findings elsewhere = findings;
  std::erase_if(elsewhere,
                [](Finding const& f) { return f.subject == "device file" || f.subject == "cache of temporary files"; });
  Journal::of_this_test().add("the machine", lines_of(elsewhere));
  Journal::of_this_test().expect_as_in("Doctor");
}

// The numbers of owner and group differ, and either may be this user's.
TEST(Doctor, TheGroupOfADeviceFileIsNotItsOwner) {
  FakeRoot root;
  write_machine(root);
  struct Row {
    uid_t owner;
    gid_t group;
    char const* name;
    bool usable;
  };
  for (Row const& row : {Row{5, 109, "render", false}, Row{44, 109, "render", false}, Row{109, 44, "video", true},
                         Row{1000, 109, "render", true}, Row{109, 1000, "1000", false}}) {
    if (::chown(root.at("/dev/kfd").c_str(), row.owner, row.group) != 0)
      GTEST_SKIP() << "this user cannot give files to others";
    MachineFacts m;
    m.vendor = GPUVendorName::amd;
    gather_host_facts(root.path(), {{"HOME", "/home/u"}}, m);
    EXPECT_EQ(m.device_files.at(0).group, row.name);
    EXPECT_EQ(m.device_files.at(0).usable, row.usable) << row.owner << ':' << row.group;
  }
}

TEST(Doctor, ReadsTheFilesOfAnNvidiaDriverAndOfOldCgroups) {
  FakeRoot root;
  root.write("/proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024");
  root.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  root.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000");
  root.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  root.write("/usr/local/cuda-12.4/x", "");
  MachineFacts m;
  m.vendor = GPUVendorName::nvidia;
  gather_host_facts(root.path(), {{"CUDA_CACHE_DISABLE", "1"}}, m);
  EXPECT_EQ(m.gpu_driver, "nvidia 550.54.15");
  EXPECT_EQ(m.cgroup.memory, Limits::unlimited);
  EXPECT_EQ(m.cgroup.processors, 1.5);
  ASSERT_EQ(m.installations.size(), 1u);
  EXPECT_EQ(m.installations[0].release, (ReleaseNumber{12, 4, 0}));
  ASSERT_FALSE(m.caches.empty());
  EXPECT_EQ(m.caches[0].state, FolderState::no_home);
  EXPECT_TRUE(m.caches[0].is_disabled);
}

TEST(Doctor, ExaminesTheCachesOfTheVendor) {
  std::vector<std::string> const cuda = {"CUDA"}, rocm = {"COMGR and hipRTC", "MIOpen", "MIOpen's database"},
                                 others = {"temporary files"};
  struct {
    GPUVendorName vendor;
    std::vector<std::vector<std::string>> owners;
  } const table[] = {{GPUVendorName::none, {cuda, rocm, others}},
                     {GPUVendorName::nvidia, {cuda, others}},
                     {GPUVendorName::amd, {rocm, others}}};
  FakeRoot root;
  for (auto const& row : table) {
    MachineFacts m;
    m.vendor = row.vendor;
    gather_host_facts(root.path(), {}, m);
    std::vector<std::string> expected, found;
    for (auto const& owners : row.owners) expected.insert(expected.end(), owners.begin(), owners.end());
    for (auto const& cache : m.caches) found.push_back(cache.owner);
    EXPECT_EQ(found, expected);
  }
  // Each has a variable of its own.
  char const* const variables[] = {"CUDA_CACHE_PATH", "AMD_COMGR_CACHE_DIR", "MIOPEN_CUSTOM_CACHE_DIR",
                                   "MIOPEN_USER_DB_PATH", "TMPDIR"};
  MachineFacts m;
  for (char const* name : variables) m.environment[name] = std::string("/folder/of/") + name;
  auto const environment = m.environment;
  gather_host_facts(root.path(), environment, m);
  ASSERT_EQ(m.caches.size(), std::size(variables));
  for (std::size_t i = 0; i < std::size(variables); ++i) {
    EXPECT_EQ(m.caches[i].variable, variables[i]);
    EXPECT_EQ(m.caches[i].path, std::string("/folder/of/") + variables[i]);
  }
}

// The numbers are those of statfs(2) and of the file systems' own headers; the upper half of a word may have the sign.
TEST(Doctor, KnowsNetworkFileSystemsByTheirNumbers) {
  std::pair<std::uint64_t, char const*> const systems[] = {
      {0x6969, "NFS"},
      {0xff534d42, "SMB"},
      {0xffffffffff534d42, "SMB"},
      {0xfe534d42, "SMB"},
      {0x0bd00bd0, "Lustre"},
      {0x47504653, "GPFS"},
      {0x19830326, "BeeGFS"},
      {0x5346414f, "AFS"},
      {0x00c36400, "Ceph"},
      {0x01021994, ""},
      {0xef53, ""},
      {0x58465342, ""},
      {0x794c7630, ""},
      {0, ""},
  };
  for (auto const& [number, name] : systems) EXPECT_STREQ(network_of_type(number), name) << std::hex << number;
}

TEST(Doctor, ReadsThisMachine) {
  MachineFacts const m = gather_machine_facts();
  EXPECT_FALSE(m.backends.empty());
  // The version as the compiler's documentation writes it: "gnu 12.2.0", "nvcc 13.0".
  EXPECT_TRUE(std::regex_search(m.compiler, std::regex("^[a-z]+ [0-9]+\\.[0-9]+"))) << m.compiler;
  EXPECT_FALSE(m.libraries.empty());
  EXPECT_FALSE(examine(m).empty());
#if defined(KOKKOS_COMPILER_CLANG)
  EXPECT_EQ(m.clang_major, __clang_major__);
#else
  EXPECT_EQ(m.clang_major, 0);
#endif
}

TEST(Doctor, ReportsVariablesOfThisProcessThatKokkosDoesNotRead) {
  std::pair<char const*, char const*> const variables[] = {{"KOKKOS_NUM_THREAD", "KOKKOS_NUM_THREADS"},
                                                           {"KOKKOS_QWERTYUIOP", ""}};
  for (auto const& [name, meant] : variables) setenv(name, "1", 1);
  MachineFacts const m = gather_machine_facts();
  for (auto const& [name, meant] : variables) {
    unsetenv(name);
    auto const& all  = m.unknown_variables;
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& u) { return u.variable == name; });
    ASSERT_NE(found, all.end()) << name;
    EXPECT_EQ(found->meant, meant);
  }
}

TEST(Doctor, IsPartOfTheVerboseConfiguration) {
  std::ostringstream brief, verbose;
  Kokkos::print_configuration(brief);
  Kokkos::print_configuration(verbose, true);
  EXPECT_EQ(brief.str().find("kokkos-doctor"), std::string::npos);
  EXPECT_NE(verbose.str().find("as kokkos-doctor reports them"), std::string::npos);
  EXPECT_NE(verbose.str().find("ok       system: "), std::string::npos) << verbose.str();
}

}  // namespace
