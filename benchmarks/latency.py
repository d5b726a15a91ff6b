#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Latency_benchmark with this build and with another installed Kokkos alternately, and prints the ratios of times.

    benchmarks/latency.py --ours build/benchmarks/Latency_benchmark --upstream /opt/kokkos [--out FILE]

--upstream is the prefix of the other Kokkos, against which the program is then built, or a program that was built before.
The two programs run alternately, --rounds times each; a row is the shortest time of its runs. A ratio below 1 means that
this build takes less time. The exit status is 1 if a row is slower by more than --tolerance.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "cuda"

PROJECT = """cmake_minimum_required(VERSION 3.22)
project(latency CXX)
find_package(Kokkos REQUIRED)
add_executable(Latency_benchmark {source}/Latency_benchmark.cpp)
target_compile_features(Latency_benchmark PRIVATE cxx_std_20)
target_link_libraries(Latency_benchmark PRIVATE Kokkos::kokkos)
"""


def build(prefix, folder, extra):
    """Builds the program against the Kokkos installed in `prefix`."""
    (folder / "CMakeLists.txt").write_text(PROJECT.format(source=SOURCE))
    wrapper = prefix / "bin" / "nvcc_wrapper"
    command = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
               "-DCMAKE_BUILD_TYPE=Release", *extra]
    if wrapper.exists():
        command.append(f"-DCMAKE_CXX_COMPILER={wrapper}")
    subprocess.run(command, check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", folder / "build"], check=True, stdout=sys.stderr)
    return folder / "build" / "Latency_benchmark"


def best(rows, file):
    """Adds the times of a run to those of earlier runs."""
    for row in json.loads(pathlib.Path(file).read_text())["benchmarks"]:
        rows[row["name"]] = min(rows.get(row["name"], float("inf")), row["real_time"])


def table(ours, upstream, tolerance):
    """The lines of a Markdown table, and the rows that are too slow."""
    lines, slow = ["| row | upstream, us | here, us | ratio of times |", "|---|---|---|---|"], []
    for name, here in ours.items():
        there = upstream.get(name)
        if there is None:
            continue
        ratio = here / there
        too_slow = ratio > 1 + tolerance and not name.startswith("raw_")
        lines.append(f"| `{name}` | {there:.4g} | {here:.4g} | {'**' if too_slow else ''}{ratio:.2f}{'**' if too_slow else ''} |")
        if too_slow:
            slow.append(name)
    return lines, slow


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, type=pathlib.Path, help="the program of this build")
    parser.add_argument("--upstream", required=True, type=pathlib.Path, help="prefix of the other Kokkos, or its program")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--filter", default="", help="regular expression for the names of the rows to run")
    parser.add_argument("--tolerance", type=float, default=0.05)
    parser.add_argument("--out", type=pathlib.Path, help="where the JSON of both goes")
    parser.add_argument("--cmake", action="append", default=[], help="argument for the configuration of the other program")
    args = parser.parse_args()
    environment = dict(os.environ, OMP_PROC_BIND=os.environ.get("OMP_PROC_BIND", "false"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        theirs = build(args.upstream, folder, args.cmake) if args.upstream.is_dir() else args.upstream.resolve()
        times = {"ours": {}, "upstream": {}}
        for _ in range(args.rounds):
            for name, program in (("upstream", theirs), ("ours", args.ours.resolve())):
                file = folder / "times.json"
                subprocess.run([program, f"--out={file}", f"--filter={args.filter}"], check=True,
                               stdout=subprocess.DEVNULL, env=environment)
                best(times[name], file)
                context = json.loads(file.read_text())["context"]
    lines, slow = table(times["ours"], times["upstream"], args.tolerance)
    print("\n".join(lines))
    if args.out:
        rows = [{"name": f"{name}/{who}", "real_time": us, "time_unit": "us"}
                for who in times for name, us in times[who].items()]
        args.out.write_text(json.dumps({"context": dict(context, rounds=args.rounds), "benchmarks": rows}, indent=1))
    if slow:
        print(f"{len(slow)} rows are more than {100 * args.tolerance:.0f} % slower: " + ", ".join(slow))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
