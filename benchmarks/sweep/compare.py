#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs several builds of the sweep in step, and lists the rows in which the first is slower.

    benchmarks/sweep/compare.py OURS UPSTREAM [--both-orders] [--rounds N] [--seconds N] [--row-seconds N] [--bound X] [--out FILE]
                                [-- ARGUMENTS...]

All builds measure a row --rounds times by turns, each time starting with another one, before they continue with the next row. A
machine that others share is faster at times, and this way no row belongs to a better time than that of another build. A
row has the shortest time of all rounds, and two ratios of the second build's time to that of the first: of the shortest times, and
the median of those of each round. Below 1, the first build is slower. Rows come first in which both are below --bound (0.97);
the others are summarised by their geometric mean. With more than two builds, each as NAME=PROGRAM, the ratios of all
others to the first are shown. Whichever program starts first has launches that take up to 1.1 times as long (seen on an H200, cause
unknown): with --both-orders all rows are measured twice, with programs that start in the given and in the opposite order, in
--seconds each. A row then has the mean of the two medians. ARGUMENTS go to each program, for example `--sizes 1e3,1e6 --only alg_`. No row starts
later than --seconds after the first, and no round of a row after its second one later than --row-seconds after its first.

Of rows with at least 10^6 elements that memory bounds, the share of the rate of `deep_copy` at that size is shown.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

# The threads of a build spin after a measurement. They must sleep before another build measures on the same cores.
SHORT_SPINS = {"GOMP_SPINCOUNT": "20000", "KMP_BLOCKTIME": "1"}
SECONDS_UNTIL_SLEEP = 0.002


class Build:
    """A running sweep. `row` is the row that it is about to measure, None at the end."""

    def __init__(self, name, program, arguments):
        self.name, self.program, self.space, self.rows = name, program, "", {}
        environment = {**SHORT_SPINS, **os.environ}
        self.process = subprocess.Popen([os.path.abspath(program), "--in-step", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)
        self.row = self.next_row()

    def fields(self):
        """The next line that is not one of the program's others; an empty list at the end."""
        for line in self.process.stdout:
            fields = line.rstrip("\n").split("\t")
            if fields[0] == "space" and len(fields) == 2:
                self.space = fields[1]
            elif len(fields) in (2, 4):
                return fields
        if self.process.wait() != 0:
            print(f"compare.py: {self.program} ended with status {self.process.returncode}.", file=sys.stderr)
        return []

    def next_row(self):
        fields = self.fields()
        return (fields[0], int(fields[1])) if fields else None

    def write(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def measure(self):
        """Measures the row once. \returns the microseconds, or None if the program ended"""
        self.write("measure")
        fields = self.fields()
        if len(fields) != 4:
            self.row = None
            return None
        took, size = float(fields[2]), float(fields[3])
        if self.row not in self.rows or took < self.rows[self.row][0]:
            self.rows[self.row] = (took, size)
        self.row = self.next_row()  # the same one
        return took

    def skip(self):
        self.write("next")
        self.row = self.next_row()

    def end(self):
        self.process.kill()
        self.process.communicate()


def run_in_step(builds, rounds, seconds, row_seconds=math.inf, pause=SECONDS_UNTIL_SLEEP):
    """Measures all rows. \returns the median of each round's ratio to the first build, as {name: {row: ratio}}"""
    first, medians = builds[0], {build.name: {} for build in builds[1:]}
    end = time.monotonic() + seconds
    while any(build.row for build in builds) and time.monotonic() < end:
        row = next(build.row for build in builds if build.row)  # a build that lacks it waits at a later one
        present = [build for build in builds if build.row == row]
        took = {build.name: [] for build in present}
        row_end = time.monotonic() + row_seconds
        for done in range(rounds):
            if done >= 2 and time.monotonic() > row_end:
                break
            start = done % len(present)
            for build in present[start:] + present[:start]:
                if build.row == row:
                    time.sleep(pause)
                    took[build.name].append(build.measure())
        for build in present[1:] if present[0] is first else []:
            pairs = [(a, b) for a, b in zip(took[first.name], took[build.name]) if a and b]
            if pairs:
                medians[build.name][row] = statistics.median(b / a for a, b in pairs)
        for build in present:
            if build.row == row:
                build.skip()
    for build in builds:
        build.end()
    return medians


def ratios(first, other):
    """The other build's time divided by the first one's, for the rows of both."""
    return {row: other[row][0] / took for row, (took, _) in first.items() if row in other and took > 0}


def copy_rates(rows):
    """The highest rate of a copy in bytes per microsecond, by size."""
    rates = {}
    for (name, n), (took, size) in rows.items():
        if name.startswith("deep_copy_dev") and size:
            rates[n] = max(rates.get(n, 0), size / took)
    return rates


def report(builds, medians, bound):
    """The table as lines; slow rows first."""
    first, *others = builds
    compared = {name: ratios(builds[first], builds[name]) for name in others}
    rates = copy_rates(builds[first])
    lines = [f"{'row':34} {'size':>10} {'us':>10} " + " ".join(f"{name + '/' + first:>16} median" for name in others) + "  of copy"]

    def line(row):
        took, size = builds[first][row]
        rate = rates.get(row[1])
        share = f"{size / took / rate:8.2f}" if rate and size and row[1] >= 10**6 else ""
        return f"{row[0]:34} {row[1]:10} {took:10.4g} " + " ".join(
            f"{compared[name][row]:16.3f} {medians[name].get(row, math.nan):6.3f}" if row in compared[name] else " " * 23
            for name in others) + f" {share}"

    reference = compared[others[0]]

    def best(row):
        return max(reference[row], medians[others[0]].get(row, 0))

    slow = sorted((row for row in reference if best(row) < bound), key=best)
    rest = [row for row in builds[first] if row not in slow]
    lines += [line(row) for row in slow]
    for name in others:
        values = list(compared[name].values())
        if values:
            mean = math.exp(sum(map(math.log, values)) / len(values))
            below = sum(max(value, medians[name].get(row, 0)) < bound for row, value in compared[name].items())
            lines.append(f"-- {name}: {len(values)} rows, {below} below {bound}, geometric mean {mean:.2f}")
    return lines + [line(row) for row in rest]


def measure(named, starts, arguments, rounds, seconds, row_seconds):
    """Starts the programs in the order of `starts`. \returns {name: {row: (microseconds, bytes)}} and the medians"""
    started = {name: Build(name, program, arguments) for name, program in starts}
    builds = [started[name] for name, _ in named]
    spaces = {build.space for build in builds}
    if len(spaces) > 1:
        for build in builds:
            build.end()
        raise SystemExit("compare.py: the builds have different default execution spaces: " +
                         ", ".join(f"{build.name} {build.space or 'none'}" for build in builds) +
                         ". Build both with the same backends.")
    medians = run_in_step(builds, rounds, seconds, row_seconds)
    return {build.name: build.rows for build in builds}, medians


def merged(one, other, choose):
    """Both tables of rows, with choose(a, b) for a row of both."""
    return {**one, **{row: choose(one[row], value) if row in one else value for row, value in other.items()}}


def compare(named, arguments, rounds=5, seconds=math.inf, bound=0.97, out=None, row_seconds=math.inf, both_orders=False):
    """Runs the programs, given as (name, path), the first one being judged. \returns the table as lines"""
    rows, medians = measure(named, named, arguments, rounds, seconds, row_seconds)
    if both_orders:
        more, more_medians = measure(named, named[::-1], arguments, rounds, seconds, row_seconds)
        rows = {name: merged(rows[name], more[name], min) for name in rows}
        medians = {name: merged(medians[name], more_medians[name], lambda a, b: math.sqrt(a * b)) for name in medians}
    if out:
        first = named[0][0]
        out.write_text(json.dumps([
            {"name": row[0], "size": row[1], **{name: rows[name][row][0] for name in rows if row in rows[name]},
             **{f"median_{name}": round(medians[name][row], 4) for name in medians if row in medians[name]}}
            for row in rows[first]], indent=1) + "\n")
    return report(rows, medians, bound)


def with_names(programs):
    """(name, path) of each program, given as NAME=PATH or as a path."""
    defaults = ["ours", "upstream"] + [f"build {number}" for number in range(3, len(programs) + 1)]
    return [tuple(program.split("=", 1)) if "=" in program else (default, program)
            for program, default in zip(programs, defaults)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--both-orders", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--row-seconds", type=float, default=math.inf)
    parser.add_argument("--bound", type=float, default=0.97)
    parser.add_argument("--out", type=pathlib.Path)
    mine, arguments = sys.argv[1:], []
    if "--" in mine:
        mine, arguments = mine[: mine.index("--")], mine[mine.index("--") + 1:]
    options = parser.parse_args(mine)
    named = with_names(options.programs)
    if len({name for name, _ in named}) < max(2, len(named)):
        parser.error(f"two programs or more are needed, each with a name of its own; there are {', '.join(name for name, _ in named)}")
    print("\n".join(compare(named, arguments, options.rounds, options.seconds, options.bound, options.out,
                            options.row_seconds, options.both_orders)))


if __name__ == "__main__":
    main()
