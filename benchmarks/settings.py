#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures copies of pageable memory under the settings with which users start programs, and prints a table.

    benchmarks/settings.py --ours build/benchmarks/CopyLatency_benchmark [--upstream PROGRAM] [--out FILE]

Each setting sets variables of OpenMP, leaves the program some of the cores, or lets several processes share the GPU. A row is the
shortest time of --rounds runs of `CopyLatency_benchmark rate`. "over unbound" compares it with the setting "unbound" of the
same run; for N processes at once it is the time of the slowest process, divided by N. The exit status is 1 if a time is more than
--tolerance above that of "unbound" in a setting that leaves the program at least --cores cores.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

UNBOUND = "unbound"


def settings(cores):
    """For each setting its name, the variables, the number of cores of the program, and the number of processes."""
    rows = [(UNBOUND, {"OMP_PROC_BIND": "false"}, cores, 1)]
    for bind in ("spread", "close"):
        for places in ("threads", "cores", "sockets"):
            rows.append((f"{bind}_{places}", {"OMP_PROC_BIND": bind, "OMP_PLACES": places}, cores, 1))
    for some in sorted({1, 2, max(1, cores // 2)}):
        rows.append((f"on_{some}_cores", {"OMP_PROC_BIND": "false"}, some, 1))
    rows.append(("4_processes", {"OMP_PROC_BIND": "false"}, cores, 4))
    return rows


def times_of(program, variables, cores, processes):
    """The rows of a run; each is the time of the slowest process, divided by the number of processes."""
    mask = ",".join(str(core) for core in sorted(os.sched_getaffinity(0))[:cores])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    running = [subprocess.Popen(["taskset", "-c", mask, program, "rate"], stdout=subprocess.PIPE, text=True,
                                env={**environment, **variables}) for _ in range(processes)]
    times = {}
    for process in running:
        output, _ = process.communicate()
        if process.returncode != 0:
            raise SystemExit(f"settings.py: {program} ended with status {process.returncode} under {variables}.")
        for line in output.splitlines():
            if line.startswith('{"row"'):
                row = json.loads(line)
                times[row["row"]] = max(times.get(row["row"], 0.0), row["us"] / processes)
    return times


def measure(programs, rounds, cores):
    """Rows with setting, name, the best time of each program, and the number of cores that the program had."""
    rows = {}
    for _ in range(rounds):
        for setting, variables, some, processes in settings(cores):
            for who, program in programs.items():
                for name, us in times_of(program, variables, some, processes).items():
                    row = rows.setdefault((setting, name), {"name": f"{name}/{setting}", "cores": some})
                    row[who] = min(us, row.get(who, us))
    for (_, name), row in rows.items():
        row["over_unbound"] = row["us"] / rows[UNBOUND, name]["us"]
        if "upstream_us" in row:
            row["ratio"] = row["us"] / row["upstream_us"]
    return list(rows.values())


def slow(rows, tolerance, cores):
    """Names of rows that take longer than unbound although the program had enough cores; not of calls' own time."""
    return [row["name"] for row in rows
            if row["cores"] >= cores and "_whole/" in row["name"] and row["over_unbound"] > 1 + tolerance]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, type=pathlib.Path, help="CopyLatency_benchmark of this build")
    parser.add_argument("--upstream", type=pathlib.Path, help="the same program with another Kokkos")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cores", type=int, default=8, help="cores that copies at the rate of the link need")
    parser.add_argument("--tolerance", type=float, default=0.1)
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    args = parser.parse_args()
    programs = {"us": args.ours.resolve()}
    if args.upstream:
        programs["upstream_us"] = args.upstream.resolve()
    rows = measure(programs, args.rounds, len(os.sched_getaffinity(0)))
    print("| row | us | over unbound | over upstream |\n|---|---|---|---|")
    for row in rows:
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
        print(f"| `{row['name']}` | {row['us']:.0f} | {row['over_unbound']:.2f} | {ratio} |")
    if args.out:
        args.out.write_text(json.dumps({"context": {"command": " ".join(sys.argv)}, "benchmarks": rows}, indent=1))
    names = slow(rows, args.tolerance, args.cores)
    if names:
        print(f"{len(names)} rows take more than {100 * args.tolerance:.0f} % longer than unbound: " + ", ".join(names))
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
