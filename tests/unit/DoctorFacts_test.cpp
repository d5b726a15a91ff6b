// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised own-program
/// \file
/// The findings of kokkos-doctor if one fact of a machine is replaced, or two that belong together: each fact, at its limits
/// and missing, on each of three machines. The facts that it reads if a file of the system is missing or empty. All words are
/// in a table in tests/journals.

#include "DoctorMachines.hpp"
#include "Journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Kokkos::Testing::Machines;
using Kokkos::Impl::DeviceFile;
using Kokkos::Impl::ReleaseNumber;

struct Change {
  std::string name;
  std::function<void(MachineFacts&)> apply;
};

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

std::vector<Change> changes() {
  std::vector<Change> all;
  auto const add = [&](std::string const& name, std::function<void(MachineFacts&)> apply) {
    all.push_back({name, std::move(apply)});
  };
  add("no system", [](MachineFacts& m) { m.system = ""; });
  add("no compiler", [](MachineFacts& m) { m.compiler = ""; });
  for (int const major : {0, 14, 15, 16, 17, 19, 20, 21, 22, 23})
    add("clang " + std::to_string(major), [=](MachineFacts& m) { m.clang_major = major; });
  add("no backends", [](MachineFacts& m) { m.backends.clear(); });
  add("a model", [](MachineFacts& m) { m.is_model = true; });
  for (ReleaseNumber const r : {ReleaseNumber{}, ReleaseNumber{5, 2, 0}, ReleaseNumber{6, 1, 9}, ReleaseNumber{6, 2, 0},
                                ReleaseNumber{6, 3, 0}, ReleaseNumber{7, 0, 0}, ReleaseNumber{11, 8, 0},
                                ReleaseNumber{12, 3, 0}, ReleaseNumber{12, 5, 1}, ReleaseNumber{13, 0, 0}}) {
    std::string const text = std::to_string(r.major) + '.' + std::to_string(r.minor) + '.' + std::to_string(r.patch);
    add("toolkit " + text, [=](MachineFacts& m) { m.toolkit = r; });
    add("runtime " + text, [=](MachineFacts& m) { m.runtime = r; });
    add("driver serves " + text, [=](MachineFacts& m) { m.driver_serves = r; });
    add("installed " + text, [=](MachineFacts& m) {
      if (!m.installations.empty()) m.installations[0].release = r;
    });
    add("also installed " + text, [=](MachineFacts& m) { m.installations.push_back({"ROCm", "/opt/other", r}); });
  }
  add("no driver", [](MachineFacts& m) { m.gpu_driver = ""; });
  add("no installation", [](MachineFacts& m) { m.installations.clear(); });
  add("no libraries", [](MachineFacts& m) { m.libraries.clear(); });
  for (char const* library : {"/opt/rocm-6.1.2/lib/libamdhip64.so.6.1.60102", "/opt/rocm-6.2.0/lib/librocblas.so.4",
                              "/usr/lib/libcudart.so.11.0", "/usr/lib/libcudart.so.12.4.127", "/usr/lib/libcuda.so.1",
                              "/opt/libgomp.so.1", "/opt/libomp.so", "/opt/libiomp5.so"})
    add(std::string("also ") + library, [=](MachineFacts& m) { m.libraries.push_back(library); });
  add("no devices", [](MachineFacts& m) { m.devices.clear(); });
  add("one device", [](MachineFacts& m) {
    if (m.devices.size() > 1) m.devices.resize(1);
  });
  auto const of_devices = [&](std::string const& name, auto change) {
    add(name, [=](MachineFacts& m) {
      for (auto& device : m.devices) change(device);
    });
    add(name + ", the last one", [=](MachineFacts& m) {
      if (!m.devices.empty()) change(m.devices.back());
    });
  };
  for (char const* architecture :
       {"", "gfx90a:sramecc+:xnack+", "gfx942:sramecc+:xnack-", "gfx906", "gfx1100", "sm_60", "sm_100"})
    of_devices(std::string("architecture ") + architecture, [=](auto& device) { device.architecture = architecture; });
  for (std::int64_t const free :
       {std::int64_t(-1), std::int64_t(0), GiB, 32 * GiB, 31 * GiB, 70 * GiB, 64 * GiB, 140 * GiB, 57 * GiB, 58 * GiB})
    of_devices("free bytes " + std::to_string(free), [=](auto& device) { device.free_bytes = free; });
  of_devices("unknown memory", [](auto& device) { device.total_bytes = -1; });
  of_devices("pageable access", [](auto& device) { device.pageable_access = true; });
  of_devices("no concurrent managed memory", [](auto& device) { device.managed_concurrent = false; });
  of_devices("no peers", [](auto& device) { device.peers.clear(); });
  add("no PCI devices", [](MachineFacts& m) { m.pci_devices.clear(); });
  for (char const* link : {"", "2.5 GT/s x16", "16.0 GT/s x8", "32.0 GT/s x16", "16.0 GT/s x16", "Unknown x0"}) {
    add(std::string("link ") + link, [=](MachineFacts& m) {
      for (auto& p : m.pci_devices) p.link = link;
    });
    add(std::string("fastest link ") + link, [=](MachineFacts& m) {
      for (auto& p : m.pci_devices) p.fastest_link = link;
    });
  }
  add("PCI devices of others", [](MachineFacts& m) {
    for (auto& p : m.pci_devices) p.vendor = GPUVendorName::none;
  });
  add("a second PCI device", [](MachineFacts& m) {
    if (!m.pci_devices.empty()) m.pci_devices.push_back(m.pci_devices[0]);
  });
  add("no device files", [](MachineFacts& m) { m.device_files.clear(); });
  for (int const which : {0, 1})
    for (char const* group : {"", "render", "video", "others"})
      for (bool const exists : {true, false})
        add("device file " + std::to_string(which) + " of \"" + group +
                (exists ? "\", not usable" : "\", does not exist"),
            [=](MachineFacts& m) {
              if (m.device_files.size() > 1)
                m.device_files[which] = DeviceFile{m.device_files[which].path, exists, false, group};
            });
  for (FolderState const state : {FolderState::writable, FolderState::creatable, FolderState::not_writable,
                                  FolderState::full, FolderState::no_home})
    for (char const* network : {"", "NFS"})
      for (bool const disabled : {false, true})
        add("caches in state " + std::to_string(static_cast<int>(state)) + (*network ? ", NFS" : "") +
                (disabled ? ", disabled" : ""),
            [=](MachineFacts& m) {
              for (auto& cache : m.caches)
                cache.state = state, cache.reason = "Permission denied", cache.network = network,
                cache.is_disabled = disabled;
            });
  add("no caches", [](MachineFacts& m) { m.caches.clear(); });
  for (std::int64_t const n : {std::int64_t(-2), std::int64_t(-1), std::int64_t(0), std::int64_t(255),
                               std::int64_t(256), std::int64_t(1023), std::int64_t(1024), std::int64_t(4096), 64 * KiB,
                               MiB - 1, MiB, 8 * MiB - 1, 8 * MiB, 64 * MiB, GiB, 16 * GiB, 512 * GiB}) {
    std::string const text = std::to_string(n);
    add("locked memory " + text, [=](MachineFacts& m) { m.limits.locked_memory = n; });
    add("stack " + text, [=](MachineFacts& m) { m.limits.stack = n; });
    add("processes " + text, [=](MachineFacts& m) { m.limits.processes = n; });
    add("open files " + text, [=](MachineFacts& m) { m.limits.open_files = n; });
    add("memory of the cgroup " + text, [=](MachineFacts& m) { m.cgroup.memory = n; });
    add("processes of the cgroup " + text, [=](MachineFacts& m) { m.cgroup.processes = n; });
    add("memory " + text, [=](MachineFacts& m) { m.memory = n; });
  }
  for (double const n : {-1., 0.5, 1., 1.5, 63., 64., 65.})
    add("processors of the cgroup " + std::to_string(n), [=](MachineFacts& m) { m.cgroup.processors = n; });
  for (int const n : {-1, 1, 63, 64, 65})
    add("processors online " + std::to_string(n), [=](MachineFacts& m) { m.processors_online = n; });
  for (std::size_t const n : {0, 1, 2, 32, 63, 64})
    add("allowed processors " + std::to_string(n), [=](MachineFacts& m) { m.allowed_processors.resize(n); });
  for (int const n : {-1, 0, 1, 2}) add("NUMA nodes " + std::to_string(n), [=](MachineFacts& m) { m.numa_nodes = n; });
  add("no groups", [](MachineFacts& m) { m.groups.clear(); });
  for (std::int64_t const user : {-1, 0}) add("user " + std::to_string(user), [=](MachineFacts& m) { m.user = user; });
  for (char const* name : {"AMD_COMGR_CACHE",
                           "CUDA_CACHE_DISABLE",
                           "HOME",
                           "HSA_XNACK",
                           "MIOPEN_DISABLE_CACHE",
                           "OMP_PLACES",
                           "OMP_PROC_BIND",
                           "OMP_NUM_THREADS",
                           "KOKKOS_NUM_THREADS",
                           "CUDA_VISIBLE_DEVICES",
                           "ROCR_VISIBLE_DEVICES",
                           "HIP_VISIBLE_DEVICES",
                           "GPU_MAX_HW_QUEUES",
                           "CUDA_LAUNCH_BLOCKING",
                           "AMD_SERIALIZE_KERNEL",
                           "HIP_LAUNCH_BLOCKING",
                           "LD_LIBRARY_PATH",
                           "ROCM_PATH",
                           "HIP_PATH",
                           "CUDA_HOME"})
    for (char const* value : {"", "0", "1", "false", "/opt/rocm-5.7.1", "/usr/local/cuda-11.8/lib64", "cores"})
      add(std::string(name) + "=" + value, [=](MachineFacts& m) { m.environment[name] = value; });
  for (char const* name : {"OMP_PLACES", "OMP_PROC_BIND", "HOME"})
    add(std::string("no ") + name, [=](MachineFacts& m) { m.environment.erase(name); });
  add("xnack on", [](MachineFacts& m) {
    m.environment["HSA_XNACK"] = "1";
    for (auto& d : m.devices) d.architecture = "gfx90a:sramecc+:xnack+";
  });
  for (char const* meant : {"", "KOKKOS_NUM_THREADS"})
    add(std::string("unknown variable, means ") + meant, [=](MachineFacts& m) {
      m.environment["KOKKOS_NUM_THREAD"] = "3";
      m.unknown_variables                = {{"KOKKOS_NUM_THREAD", meant}};
    });
  add("refused queries", [](MachineFacts& m) { m.refused = {"The first is refused.", "The second, too."}; });
  return all;
}

// Most changes give no new line on a machine that does not use the fact; those have no title.
TEST(DoctorFacts, OneFactIsAnotherOne) {
  for (auto const& [machine, make] :
       {std::pair{"AMD", &amd_machine}, {"NVIDIA", &nvidia_machine}, {"no GPU", &host_machine}}) {
    std::string const usual = printed(examine(make()));
    for (Change const& change : changes()) {
      MachineFacts facts = make();
      change.apply(facts);
      std::string const lines = lines_of(examine(facts), usual);
      if (!lines.empty())
        Kokkos::Testing::Journal::of_this_test().add(std::string(machine) + ", " + change.name, lines);
    }
  }
  Kokkos::Testing::Journal::of_this_test().expect_as_in("DoctorFacts");
}

// One finding depends on both facts of a pair.
TEST(DoctorFacts, FactsThatBelongTogetherAreOthers) {
  std::vector<Change> of_devices = {
      {"no devices", [](MachineFacts& m) { m.devices.clear(); }},
      {"no PCI devices", [](MachineFacts& m) { m.pci_devices.clear(); }},
      {"a second PCI device with a slow link",
       [](MachineFacts& m) { m.pci_devices.push_back({"0000:c2:00.0", m.vendor, "2.5 GT/s x16", "16.0 GT/s x16"}); }},
      {"no driver", [](MachineFacts& m) { m.gpu_driver = ""; }},
      {"a model", [](MachineFacts& m) { m.is_model = true; }}};
  std::vector<Change> of_threads = {
      {"one allowed processor", [](MachineFacts& m) { m.allowed_processors.resize(1); }},
      {"processors unknown", [](MachineFacts& m) { m.processors_online = -1; }},
  };
  for (char const* bind : {"", "false", "FALSE", "true", "close"})
    of_threads.push_back(
        {std::string("OMP_PROC_BIND=") + bind, [=](MachineFacts& m) { m.environment["OMP_PROC_BIND"] = bind; }});
  for (auto const& [machine, make] :
       {std::pair{"AMD", &amd_machine}, {"NVIDIA", &nvidia_machine}, {"no GPU", &host_machine}}) {
    std::string const usual = printed(examine(make()));
    for (auto const* changes : {&of_devices, &of_threads})
      for (auto first = changes->begin(); first != changes->end(); ++first)
        for (auto second = first + 1; second != changes->end(); ++second) {
          if (first->name.starts_with("OMP_")) continue;  // the second value replaces the first one
          MachineFacts facts = make();
          first->apply(facts);
          second->apply(facts);
          std::string const lines = lines_of(examine(facts), usual);
          if (!lines.empty())
            Kokkos::Testing::Journal::of_this_test().add(
                std::string(machine) + ", " + first->name + ", " + second->name, lines);
        }
  }
  Kokkos::Testing::Journal::of_this_test().expect_as_in("DoctorFacts");
}

TEST(DoctorFacts, AsJson) {
  MachineFacts facts = amd_machine();
  std::string all;
  for (char c = 1; c < 127; ++c) all += c;
  facts.environment["KOKKOS_TOOLS_ARGS"] = all;
  facts.limits.stack                     = 1;
  std::ostringstream out;
  print_findings_as_json(out, examine(facts));
  std::string lines = "  " + out.str();
  for (std::size_t at = 0; (at = lines.find('\n', at)) + 1 < lines.size(); at += 3) lines.replace(at, 1, "\n  ");
  Kokkos::Testing::Journal::of_this_test().add("AMD", lines);
  Kokkos::Testing::Journal::of_this_test().expect_as_in("DoctorFacts");
}

// ---- facts from files

/// A line for each fact that gather_host_facts reads, except the user's rights to a device file, because the user who runs the test owns the file.
std::vector<std::string> words_of(MachineFacts const& m) {
  std::vector<std::string> lines;
  auto const add = [&](auto const&... parts) {
    std::ostringstream line;
    line << ' ';
    ((line << ' ' << parts), ...);
    lines.push_back(line.str() + '\n');
  };
  add("system", m.system, "- driver", m.gpu_driver);
  for (auto const& i : m.installations) add(i.toolkit, i.path, to_text(i.release));
  for (auto const& l : m.libraries) add("library", l);
  for (auto const& p : m.pci_devices) add("PCI", p.address, static_cast<int>(p.vendor), p.link, "of", p.fastest_link);
  for (auto const& f : m.device_files) add(f.path, f.exists ? "exists" : "does not exist");
  for (auto const& c : m.caches) add("cache", c.variable, c.path, "state", static_cast<int>(c.state), c.reason);
  add("locked memory", m.limits.locked_memory);
  add("stack", m.limits.stack);
  add("processes", m.limits.processes);
  add("open files", m.limits.open_files);
  add("cgroup: memory", m.cgroup.memory);
  add("cgroup: processes", m.cgroup.processes);
  add("cgroup: processors", m.cgroup.processors);
  add("memory", m.memory);
  add("processors", m.processors_online, "- NUMA nodes", m.numa_nodes);
  std::ostringstream allowed, groups;
  for (int const i : m.allowed_processors) allowed << ' ' << i;
  for (auto const& g : m.groups) groups << ' ' << g;
  add("allowed processors" + allowed.str());
  add("user", m.user, "- groups" + groups.str());
  for (auto const& r : m.refused) add("refused:", r);
  return lines;
}

TEST(DoctorFacts, OneFileIsMissingOrEmpty) {
  namespace fs = std::filesystem;
  Kokkos::Testing::FakeRoot root;
  write_machine(root);
  std::vector<std::string> usual;
  auto const is_in = [](std::vector<std::string> const& lines, std::string const& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  auto const add = [&](std::string const& title) {
    MachineFacts m;
    m.vendor = GPUVendorName::amd;
    gather_host_facts(root.path(), {{"HOME", "/home/u"}, {"MIOPEN_USER_DB_PATH", "/home/u/afile/db"}}, m);
    auto const now = words_of(m);
    std::string lines;
    for (std::string const& line : now)
      if (!is_in(usual, line)) lines += line;
    if (lines.empty())
      for (std::string const& line : usual)
        if (!is_in(now, line)) lines += "  not" + line;
    if (usual.empty()) usual = now;
    Kokkos::Testing::Journal::of_this_test().add(title, lines.empty() ? "  the same\n" : lines);
  };
  auto const add_without = [&](std::string const& path) {
    fs::rename(root.at(path), root.at("/away"));
    add("without " + path);
  };
  auto const put_back = [&](std::string const& path) { fs::rename(root.at("/away"), root.at(path)); };
  add("the machine");
  std::vector<std::string> files;
  for (auto const& entry : fs::recursive_directory_iterator(root.path()))
    if (!entry.is_directory()) files.push_back(entry.path().string().substr(root.path().size()));
  std::sort(files.begin(), files.end());
  for (std::string const& file : files) {
    add_without(file);
    if (!file.starts_with("/dev/")) {
      root.write(file, "");
      add(file + " is empty");
    }
    put_back(file);
  }
  for (char const* folder :
       {"/proc", "/sys", "/sys/devices/system/node", "/opt", "/opt/rocm", "/dev", "/tmp", "/home", "/etc"}) {
    add_without(folder);
    put_back(folder);
  }
  for (char const* folder : {"/home/u/.cache", "/home/u/.cache/miopen", "/home/u/.cache/comgr"}) {
    fs::create_directories(root.at(folder));
    add(std::string("with ") + folder);
  }
  Kokkos::Testing::Journal::of_this_test().expect_as_in("DoctorFacts");
}

}  // namespace
