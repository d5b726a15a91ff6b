#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs two builds of the sweep alternately, and lists the rows in which the first is slower.

    benchmarks/sweep/compare.py OURS UPSTREAM [--rounds N] [--seconds N] [--bound X] [--out FILE] [-- ARGUMENTS...]

A row has the shortest time of all rounds, and the ratio of the second build's time to that of the first: below 1, the first
build is slower. Rows below --bound (0.97) come first; the others are summarised by their geometric mean. With more than two
builds, each as NAME=PROGRAM, the ratios of all others to the first are shown. ARGUMENTS go to each program, for example
`--sizes 1e3,1e6 --only alg_`. Each round starts with another build, and none starts later than --seconds after the first.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import time


def run(program, arguments):
    """The rows of one run, as {(name, size): (microseconds, bytes)}; those before a failure if the program fails."""
    result = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        print(f"compare.py: {program} ended with status {result.returncode}.", file=sys.stderr)
    rows = {}
    for line in result.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) == 4:
            rows[fields[0], int(fields[1])] = (float(fields[2]), float(fields[3]))
    return rows


def merge(best, rows):
    """Keeps the shortest time of each row."""
    for row, (time, size) in rows.items():
        if row not in best or time < best[row][0]:
            best[row] = (time, size)


def ratios(first, other):
    """The other program's time divided by the first one's, for the rows of both."""
    return {row: other[row][0] / time for row, (time, _) in first.items() if row in other and time > 0}


def copy_rate(rows):
    """The highest rate of a copy in bytes per microsecond, or None."""
    rates = [size / time for (name, _), (time, size) in rows.items() if name.startswith("deep_copy_dev") and size]
    return max(rates, default=None)


def report(builds, bound):
    """The table as lines; slow rows first."""
    first, *others = builds
    compared = {name: ratios(builds[first], builds[name]) for name in others}
    rate = copy_rate(builds[first])
    lines = [f"{'row':34} {'size':>10} {'us':>10} " + " ".join(f"{name + '/' + first:>16}" for name in others) + "  of copy"]

    def line(row):
        time, size = builds[first][row]
        share = f"{size / time / rate:8.2f}" if rate and size and row[1] >= 10**6 else ""
        return f"{row[0]:34} {row[1]:10} {time:10.4g} " + " ".join(
            f"{compared[name][row]:16.3f}" if row in compared[name] else " " * 16 for name in others) + f" {share}"

    reference = compared[others[0]]
    slow = sorted((row for row in reference if reference[row] < bound), key=reference.get)
    rest = [row for row in builds[first] if row not in slow]
    lines += [line(row) for row in slow]
    for name in others:
        values = list(compared[name].values())
        if values:
            mean = math.exp(sum(map(math.log, values)) / len(values))
            lines.append(f"-- {name}: {len(values)} rows, {sum(v < bound for v in values)} below {bound}, geometric mean {mean:.2f}")
    return lines + [line(row) for row in rest]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--bound", type=float, default=0.97)
    parser.add_argument("--out", type=pathlib.Path)
    mine, arguments = sys.argv[1:], []
    if "--" in mine:
        mine, arguments = mine[: mine.index("--")], mine[mine.index("--") + 1:]
    options = parser.parse_args(mine)
    named = [program.split("=", 1) if "=" in program else (default, program)
             for program, default in zip(options.programs, ["ours", "upstream", "third", "fourth"])]
    if len(named) < 2:
        parser.error("two programs are needed")
    builds = {name: {} for name, _ in named}
    end = time.monotonic() + options.seconds
    for done in range(options.rounds):
        if time.monotonic() > end:
            break
        start = done % len(named)  # another one in each round, so that neither a drift nor a predecessor favours a build
        for name, program in named[start:] + named[:start]:
            merge(builds[name], run(program, arguments))
    print("\n".join(report(builds, options.bound)))
    if options.out:
        options.out.write_text(json.dumps([
            {"name": row[0], "size": row[1], **{name: rows[row][0] for name, rows in builds.items() if row in rows}}
            for row in builds[named[0][0]]], indent=1) + "\n")


if __name__ == "__main__":
    main()
