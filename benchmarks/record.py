#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records the results of tests, compute-sanitizer and benchmarks on a machine with a GPU, as JSON files for results/.

    cmake -S . -B build/gpu -G Ninja -DCMAKE_CXX_COMPILER=$PWD/bin/nvcc_wrapper -DCMAKE_BUILD_TYPE=Release \\
      -DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_TESTS=ON -DKokkos_ENABLE_BENCHMARKS=ON
    cmake --build build/gpu && benchmarks/record.py build/gpu

Name any of tests, sanitizer and benchmarks (default: all). Each writes one or more files <date>_<hardware>_<what>.json.
Programs that exceed their time are listed as such. The exit status is 0 if all tests passed, no sanitizer reported an
error and all benchmarks ran.
"""
import argparse
import concurrent.futures
import datetime
import fnmatch
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = ("memcheck", "racecheck", "initcheck")
NOT_IN_TIME = "did not end in time"
NO_CALL = "makes no call of CUDA"  # compute-sanitizer prints nothing then
MOST_OUTPUT = 4000  # maximum number of characters kept of a failed test's output
DEATH = "*DeathTest*"  # the names of suites of death tests


def say_of(command, pattern="(.*)"):
    """The first match in the output of a command, or None if the command cannot be run."""
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(pattern, out)
    return match and match[1].strip()


def hardware():
    gpus = say_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], r"(?s)(.+)")
    cpu = say_of(["lscpu"], r"Model name:\s*(.+)") or platform.processor() or "unknown processor"
    host = f"{os.cpu_count()} cores of {cpu}"
    if not gpus:
        return f"no GPU, {host}"
    lines = gpus.splitlines()
    name, driver = (field.strip() for field in lines[0].split(","))
    return f"{f'{len(lines)} x ' if len(lines) > 1 else ''}{name} (driver {driver}), {host}"


def cached(build, name):
    """A value of the build's CMakeCache.txt; empty if it has none."""
    match = re.search(rf"^{re.escape(name)}:[A-Z]+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return match[1] if match else ""


def toolkit(build):
    """The toolkit, host compiler, flags and architectures of the build."""
    cuda = say_of(["nvcc", "--version"], r"release [\d.]+, V([\d.]+)")
    compiler = say_of([os.environ.get("NVCC_WRAPPER_DEFAULT_COMPILER", "g++"), "--version"])
    kind = cached(build, "CMAKE_BUILD_TYPE")
    flags = f"{cached(build, 'CMAKE_CXX_FLAGS')} {cached(build, 'CMAKE_CXX_FLAGS_' + kind.upper())}".strip()
    archs = re.findall(r"^Kokkos_ARCH_(\w+):BOOL=ON$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return ", ".join(part for part in (cuda and f"CUDA {cuda}", compiler, flags, " ".join(archs)) if part)


def result_of(case):
    """CTest's result of a test: passed, failed, skipped, not built, or not ended in time."""
    status = case.get("status")
    message = "".join(note.get("message", "") for kind in ("failure", "skipped") for note in case.iter(kind))
    if status == "notrun":
        return "skipped" if message.startswith("SKIP_") else "not built"
    if "Timeout" in message:
        return NOT_IN_TIME
    return {"run": "passed", "fail": "failed"}.get(status, status)


def tests_of(junit):
    """The tests in CTest's JUnit file. A test that passed also lists its skipped cases; one that failed has the end of its
    output."""
    tests = []
    for case in xml.parse(junit).getroot().iter("testcase"):
        test = {"name": case.get("name"), "result": result_of(case), "seconds": round(float(case.get("time", 0)), 2)}
        skipped = set(re.findall(r"^\[  SKIPPED \] (\w+\S*\.\S+)", "".join(case.itertext()), re.MULTILINE))
        if skipped and test["result"] == "passed":
            test["skipped_cases"] = sorted(skipped)
        elif test["result"] == "failed":
            test["output"] = "".join(text.text or "" for text in case.iter("system-out"))[-MOST_OUTPUT:]
        tests.append(test)
    return sorted(tests, key=lambda t: t["name"])


def run_tests(build, jobs, seconds):
    command = f"ctest -j {jobs} -LE 'compile_fail|install|patches' --timeout {seconds}"
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "tests.xml"
        subprocess.run(f"{command} --output-junit {junit}", shell=True, cwd=build, stdout=subprocess.DEVNULL)
        if not junit.exists():
            raise SystemExit(f"ctest wrote no results in {build}: is that a build with Kokkos_ENABLE_TESTS=ON?")
        tests = tests_of(junit)
    return command, {"tests": tests}, all(t["result"] in ("passed", "skipped") for t in tests)


def verdict(output, status):
    """The summary of compute-sanitizer, or how the program ended without one."""
    summaries = re.findall(r"^=+ ((?:ERROR|RACECHECK) SUMMARY: .*)$", output, re.MULTILINE)
    failed = re.findall(r"^\[  FAILED  \] (\S+)", output, re.MULTILINE)
    if summaries:
        summary = summaries[-1] if "not printed" not in summaries[-1] else summaries[-2]
    else:
        summary = NO_CALL if status == 0 else f"no summary, exit status {status}"
    return summary + (f"; failed: {' '.join(sorted(set(failed)))}" if failed else "")


def is_clean_summary(summary):
    return summary in (NO_CALL, "ERROR SUMMARY: 0 errors",
                       "RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)")


def worst_first(summary):
    return is_clean_summary(summary), summary == NO_CALL


def is_clean(run):
    return is_clean_summary(run["summary"]) and not run.get("did_not_end")


def under_tool(build, program, tool, tests, seconds):
    """The output and the exit status of a program's matching tests under a tool; None if they do not end in time."""
    # Otherwise the first launch of a kernel loads it and waits for the device, which some tests block.
    environment = {**os.environ, "CUDA_MODULE_LOADING": "EAGER", "KOKKOS_NUM_THREADS": "2", "GTEST_FILTER": tests}
    command = ["compute-sanitizer", "--require-cuda-init", "no", "--tool", tool, program]
    # A separate process group, so that the program ends with the tool.
    with subprocess.Popen(command, cwd=build, env=environment, start_new_session=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        try:
            return process.communicate(timeout=seconds)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None


def tests_in(program):
    """The names of a program's tests, without death tests: the tool would wait forever for the process that aborts."""
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True).stdout
    names, suite = [], ""
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if not line.startswith(" "):
            suite = name
        elif not fnmatch.fnmatch(suite, DEATH):
            names.append(suite + name.strip())
    return names


def sanitize(build, programs, jobs, seconds):
    """Runs each tool on each program. If a program does not end, its tests are run one by one, to find those that hang:
    the tools synchronise the device where programs do not, and a test that blocks the device then waits forever."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pairs = [(p, t) for p in programs for t in TOOLS]
        whole = list(pool.map(lambda pair: under_tool(build, *pair, f"-{DEATH}", seconds), pairs))
        single = [(*pair, name) for pair, end in zip(pairs, whole) if end is None for name in tests_in(pair[0])]
        ends = dict(zip(single, pool.map(lambda one: under_tool(build, *one, seconds), single)))
    runs = []
    for (program, tool), end in zip(pairs, whole):
        run = {"program": program.name, "tool": tool}
        if end is not None:
            runs.append({**run, "summary": verdict(*end)})
            continue
        mine = {name: e for (p, t, name), e in ends.items() if (p, t) == (program, tool)}
        summaries = sorted((verdict(*e) for e in mine.values() if e is not None), key=worst_first)
        runs.append({**run, "summary": summaries[0] if summaries else NOT_IN_TIME,
                     "did_not_end": [name for name, e in mine.items() if e is None]})
    return runs


def run_sanitizer(build, jobs, seconds, only):
    if say_of(["compute-sanitizer", "--version"]) is None:
        raise SystemExit("compute-sanitizer is not in PATH. Add the folder bin of the CUDA toolkit to PATH.")
    programs = sorted(p for p in (build / "tests").glob("**/*_test")
                      if p.is_file() and os.access(p, os.X_OK) and re.search(only, p.name))
    runs = sanitize(build, programs, jobs, seconds)
    command = (f"compute-sanitizer --tool <tool> tests/<program>, {seconds} seconds at most, CUDA_MODULE_LOADING=EAGER, "
               f"without death tests (GTEST_FILTER=-{DEATH})")
    return command, {"runs": runs}, bool(runs) and all(is_clean(run) for run in runs)


def run_benchmark(build, program):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        status = subprocess.run([program, f"--benchmark_out={out}", "--benchmark_out_format=json"], cwd=build,
                                stdout=subprocess.DEVNULL).returncode
        written = json.loads(out.read_text()) if out.exists() and out.stat().st_size else {"benchmarks": []}
        for name in ("host_name", "executable"):  # of the machine, not of the measurement
            written.get("context", {}).pop(name, None)
    return f"benchmarks/{program.name} --benchmark_out=<file>", written, status == 0 and bool(written["benchmarks"])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="a build folder")
    parser.add_argument("what", nargs="*", default=[], help="tests, sanitizer, benchmarks (default: all)")
    parser.add_argument("--out", type=Path, default=HERE / "results", help="where files go (default: results/)")
    parser.add_argument("--name", help="the hardware's part of file names (default: from the GPU's name)")
    parser.add_argument("--commit", help="of the sources (default: from git)")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="programs that run at once")
    parser.add_argument("--seconds", type=int, default=120, help="time limit of a test, or of a program under a sanitizer")
    parser.add_argument("--only", default="", help="regular expression for the names of the programs that the sanitizer runs")
    given = parser.parse_args()
    unknown = set(given.what) - {"tests", "sanitizer", "benchmarks"}
    if unknown:
        parser.error(f"'{sorted(unknown)[0]}' cannot be recorded. Choose among tests, sanitizer and benchmarks.")
    if not (given.build / "CMakeCache.txt").is_file():
        parser.error(f"{given.build} is not a build folder: it has no CMakeCache.txt.")
    return given


def main():
    given = arguments()
    build = given.build.resolve()
    what = given.what or ["tests", "sanitizer", "benchmarks"]
    context = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
               "hardware": hardware(), "toolkit": toolkit(build),
               "commit": given.commit or say_of(["git", "-C", str(HERE), "describe", "--always", "--dirty"]) or "unknown"}
    gpu = re.search(r"\b([A-Z]+\d+\w*)\b", context["hardware"]) if "no GPU" not in context["hardware"] else None
    name = given.name or (gpu[1].lower() if gpu else "host")
    given.out.mkdir(parents=True, exist_ok=True)
    well = True

    def write(subject, command, content, good):
        nonlocal well
        well = well and good
        file = given.out / f"{context['date'][:10]}_{name}_{subject}.json"
        whole = {"context": {**content.pop("context", {}), **context, "command": command}, **content}
        file.write_text(json.dumps(whole, indent=1) + "\n")
        print(f"{file}: {'all passed' if good else 'NOT all passed'}", flush=True)

    if "benchmarks" in what:  # first, while nothing else runs
        for program in sorted((build / "benchmarks").glob("*_benchmark")):
            write(program.name.replace("_benchmark", "").lower(), *run_benchmark(build, program))
    if "tests" in what:
        write("unit_tests", *run_tests(build, given.jobs, given.seconds))
    if "sanitizer" in what:
        write("sanitizer", *run_sanitizer(build, given.jobs, given.seconds, given.only))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
