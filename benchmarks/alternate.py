#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs several builds of Latency_benchmark in short alternating rounds, and compares each row with that of the first build.

    benchmarks/alternate.py plain=PROGRAM series=PROGRAM [...] [--core N] [--rounds N] [--seconds N] [--out FILE]
    benchmarks/alternate.py --read FILE [--group NAME...]

The first program runs twice in each round, the second time under the name "again": the ratio of its two times is the noise of
a row, and both are the reference of the other programs. Each round starts with another program, so that a drift of
the machine meets all of them. The file has the times of all rounds, under the name --group; --read computes everything else
from them. A file may have several groups, for example of several versions of upstream: their rounds then count together.

On a machine that others share, a core has a fast and a slow state, which last for a second or so. The state of a core during a
row is that of the eight nearest rows in the same run: the median of their times, each relative to its fastest and its slow
times. Rows that the programs differ in are left out there. The dependence of a row on the state is the median slope between
the reference runs. A row has the ratio of medians after that dependence is subtracted, and its range: 95 % of the ratios of
resampled rounds. It is slow if its ratio is above --bound and its range above 1. The exit status is 1 if a row is slow.

Let nothing else run on the machine. With --core, the main thread has that core for itself; its process has the cores of
--cores, by default all.
"""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

AGAIN = "again"
RAW = "raw_"  # rows of calls of CUDA without Kokkos: not compared with the bound
NEAREST = 8   # rows that show the state of the core
SAMPLES = 400


def times_of(program, arguments, cores):
    """The rows of one run of a program."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "times.json"
        command = [program, f"--out={file}", *arguments]
        if cores:
            command = ["taskset", "-c", cores, *command]
        environment = dict(os.environ, OMP_PROC_BIND=os.environ.get("OMP_PROC_BIND", "false"))
        status = subprocess.run(command, stdout=subprocess.DEVNULL, env=environment).returncode
        if status != 0:
            raise SystemExit(f"alternate.py: {program} ended with status {status}.")
        return {row["name"]: row["real_time"] for row in json.loads(file.read_text())["benchmarks"]}


def shows_state(name, programs):
    """Whether a row shows the state of the core: a short one that takes the same time in all programs."""
    first = next(iter(programs))
    reference = programs[first] + programs[AGAIN]
    fastest = min(reference)
    return (not name.startswith("raw_host") and fastest < 20 and max(reference) < 1.8 * fastest and
            all(fastest / 1.1 < min(rounds) < 1.1 * fastest for rounds in programs.values()))


def states(logs, times):
    """{(row, program, round): state}, about 0 on a fast core and 1 on a slow one."""
    names = list(times)
    scale = {}  # {row that shows the state: (its number, fast time, slow time minus fast time)}
    for number, name in enumerate(names):
        if shows_state(name, times[name]):
            ordered = sorted(us for rounds in logs[name].values() for us in rounds)
            fast, slow = ordered[len(ordered) // 10], ordered[len(ordered) * 85 // 100]
            if slow > fast:
                scale[name] = number, fast, slow - fast
    found = {}
    for number, name in enumerate(names):
        near = sorted((other for other in scale if other != name), key=lambda other: abs(scale[other][0] - number))[:NEAREST]
        for who, rounds in logs[name].items():
            for done in range(len(rounds)):
                relative = [(logs[other][who][done] - scale[other][1]) / scale[other][2] for other in near]
                found[name, who, done] = statistics.median(relative) if relative else 0.0
    return found


def without_state(name, logs, state, reference):
    """The logarithms of a row's times, less their dependence on the state of the core."""
    points = [(state[name, who, done], us) for who in reference for done, us in enumerate(logs[name][who])]
    slopes = [(b - a) / (y - x) for i, (x, a) in enumerate(points) for y, b in points[i + 1:] if abs(y - x) > 0.3]
    slope = max(statistics.median(slopes), 0.0) if len(slopes) > 10 else 0.0
    return {who: [us - slope * state[name, who, done] for done, us in enumerate(rounds)] for who, rounds in logs[name].items()}


def ratio(here, there):
    """The ratio of the medians of two lists of logarithms, and the range of resampled ones."""
    draw = random.Random(1)
    sample = lambda rounds: statistics.median(draw.choices(rounds, k=len(rounds)))  # noqa: E731
    drawn = sorted(sample(here) - sample(there) for _ in range(SAMPLES))
    value = statistics.median(here) - statistics.median(there)
    return tuple(round(math.exp(x), 3) for x in (value, drawn[SAMPLES // 40], drawn[-SAMPLES // 40 - 1]))


def residuals(times):
    """{row: {program: [logarithm of a time without the state of the core, less that of the reference]}}"""
    logs = {name: {who: [math.log(us) for us in rounds] for who, rounds in programs.items()}
            for name, programs in times.items()}
    state = states(logs, times)
    found = {}
    for name, programs in times.items():
        reference = next(iter(programs)), AGAIN
        adjusted = without_state(name, logs, state, reference)
        middle = statistics.median(adjusted[reference[0]] + adjusted[AGAIN])
        found[name] = {who: [us - middle for us in rounds] for who, rounds in adjusted.items()}
    return found


def compare(groups, bound):
    """Rows from {group: {row: {program: [time of each round]}}}, of which the first program and AGAIN are the reference."""
    found = {group: residuals(times) for group, times in groups.items()}
    rows = []
    for name, programs in next(iter(groups.values())).items():
        first = next(iter(programs))
        joined = {who: [us for rows_of in found.values() for us in rows_of[name][who]] for who in programs}
        row = {"name": name, "time_unit": "us",
               "real_time": [float(f"{statistics.median(times[name][first] + times[name][AGAIN]):.4g}")
                             for times in groups.values()]}
        for who in list(programs)[1:]:
            value, low, high = ratio(joined[who], joined[first] if who == AGAIN else joined[first] + joined[AGAIN])
            row |= {who: value, f"{who}_range": [low, high]}
        compared = [who for who in programs if who not in (first, AGAIN)]
        row["result"] = "failed" if any(slow([row], who, bound) for who in compared) else "passed"
        if name.startswith(RAW):
            row["result"] = "skipped"
        rows.append(row)
    return rows


def slow(rows, who, bound):
    """Names of the rows in which a program is slow."""
    return [row["name"] for row in rows
            if not row["name"].startswith(RAW) and row[who] > bound and row[f"{who}_range"][0] > 1]


def report(rows, others, bound):
    """Prints the rows whose ratio is above the middle of 1 and the bound, and the rows that are slow."""
    print("| row | us | noise | " + " | ".join(others) + " |\n|---|---|---|" + "---|" * len(others))
    for row in rows:
        if any(row[who] > 1 + (bound - 1) / 2 for who in others):
            print(f"| `{row['name']}` | {', '.join(map(str, row['real_time']))} | {row[AGAIN]:.2f} | " +
                  " | ".join(f"{row[who]:.2f} ({row[f'{who}_range'][0]:.2f} to {row[f'{who}_range'][1]:.2f})" for who in others) +
                  " |")
    compared = [row for row in rows if not row["name"].startswith(RAW)]
    for who in (AGAIN, *others):
        names = slow(rows, who, bound)
        within = sum(row[who] <= bound for row in compared)
        surely = sum(row[f"{who}_range"][1] <= bound for row in compared)
        print(f"{who}: {len(names)} of {len(compared)} rows are slow{''.join(f'; {name}' for name in names)}. "
              f"The ratio is at most {bound} in {within}, its range in {surely}.")
    return any(slow(rows, who, bound) for who in others)


def write(file, context, rows, groups):
    """JSON with one row in each line."""
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    rounds = ",\n".join(f'  {json.dumps(group)}: {{\n' + ",\n".join(
        f'   {json.dumps(name)}: {json.dumps(programs, separators=(",", ":"))}' for name, programs in times.items()) + "\n  }"
        for group, times in groups.items())
    file.write_text(f'{{\n "context": {json.dumps(context, indent=1)},\n "benchmarks": [\n{lines}\n ],\n'
                    f' "rounds": {{\n{rounds}\n }}\n}}\n')


def measure(args):
    """The times of all rounds, which are also written after each round."""
    named = dict(text.split("=", 1) for text in args.programs)
    first = next(iter(named))
    programs = {first: named[first], AGAIN: named[first], **named}
    arguments = ["--rounds=1", f"--filter={args.filter}"] + ([f"--core={args.core}"] if args.core is not None else [])
    times = {}
    end = time.monotonic() + args.seconds
    for done in range(args.rounds):
        if time.monotonic() > end:
            break
        order = list(programs)
        start = done % len(order)
        found = {who: times_of(programs[who], arguments, args.cores) for who in order[start:] + order[:start]}
        for name in found[first]:
            for who in programs:
                times.setdefault(name, {}).setdefault(who, []).append(found[who][name])
        if args.out:
            write(args.out, {"command": " ".join(sys.argv)}, [], {args.group[0]: times})
    return {args.group[0]: times}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="NAME=PROGRAM")
    parser.add_argument("--read", type=pathlib.Path, help="a file with rounds, instead of programs")
    parser.add_argument("--group", nargs="+", default=[], help="the name of this run; with --read, the groups to compare")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no round after this time")
    parser.add_argument("--core", type=int, help="the core of the main thread")
    parser.add_argument("--cores", help="the cores of the process, as for taskset -c")
    parser.add_argument("--filter", default="", help="regular expression for the names of the rows to run")
    parser.add_argument("--bound", type=float, default=1.05)
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write; it has the rounds that have ended")
    args = parser.parse_args()
    if bool(args.programs) == bool(args.read):
        parser.error("name programs, or a file with --read")
    if args.read:
        data = json.loads(args.read.read_text())
        groups, context = data["rounds"], data["context"]
        if args.group:
            groups = {group: groups[group] for group in args.group}
    else:
        args.group = args.group[:1] or ["rounds"]
        groups, context = measure(args), {"command": " ".join(sys.argv)}
    rows = compare(groups, args.bound)
    if args.out:
        write(args.out, context, rows, groups)
    others = [who for who in next(iter(next(iter(groups.values())).values())) if who != AGAIN][1:]
    return 1 if report(rows, others, args.bound) else 0


if __name__ == "__main__":
    sys.exit(main())
