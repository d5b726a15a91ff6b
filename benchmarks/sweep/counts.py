#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the kernels of two builds of the sweep do, counted by the interpreter of AMD's machine code.

    HIP_MODEL_ISA=gfx942 HIP_MODEL_ISA_COUNTS=ours.txt     sweep --count --sizes 1e5          # of each build
    benchmarks/sweep/counts.py ours.txt upstream.txt [--out FILE]

A row has the sums over its kernels; registers and wavefronts are those of the kernel with the most instructions. Rows come
first that have more than 1.05 of the second build's instructions or cache lines, or fewer wavefronts.
"""

import argparse
import json
import math
import pathlib

MOST = 1.05
SUMS = ["launches", "instructions", "vector", "lines", "conflicts"]


def kernel_of(fields):
    """The numbers of one line of the table, without its section and name."""
    n = [[int(x) for x in field.split()] for field in fields]
    launches, pipes, (scalar_loads,), loads, stores, atomics, shared, (private,), resources = n
    return {
        "launches": launches[0],
        "instructions": sum(pipes) + scalar_loads + loads[0] + stores[0] + atomics[0] + shared[0] + private,
        "vector": pipes[0],
        "lines": loads[1] + stores[1] + atomics[1],
        "conflicts": shared[1],
        "registers": resources[0],
        "wavefronts": resources[4],
    }


def rows_of(text):
    """Each section of a table: its numbers."""
    kernels = {}
    for line in text.splitlines():
        fields = line.split(" | ", 10)
        if len(fields) == 11 and not fields[0].startswith("launches"):
            kernels.setdefault(fields[0], []).append(kernel_of(fields[1:10]))
    rows = {}
    for section, each in kernels.items():
        longest = max(each, key=lambda kernel: kernel["instructions"])
        rows[section] = {name: sum(kernel[name] for kernel in each) for name in SUMS} | {
            name: longest[name] for name in ("registers", "wavefronts")}
    return rows


def ratio(ours, theirs, name):
    return ours[name] / theirs[name] if theirs[name] else 1.0 if not ours[name] else math.inf


def misses(ours, theirs):
    """What the first build has more of, or fewer."""
    found = [name for name in ("instructions", "lines") if ratio(ours, theirs, name) > MOST]
    return found + ["wavefronts"] * (ours["wavefronts"] < theirs["wavefronts"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs=2, type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    ours, upstream = (rows_of(table.read_text()) for table in arguments.tables)
    common = sorted((row for row in ours if row in upstream), key=lambda row: not misses(ours[row], upstream[row]))
    for row in common:
        a, b = ours[row], upstream[row]
        print(f"{row:40} {ratio(a, b, 'instructions'):6.2f} {ratio(a, b, 'lines'):6.2f} {a['wavefronts']:3}/{b['wavefronts']:<3}",
              *misses(a, b))
    for name in ("instructions", "lines"):
        ratios = [ratio(ours[row], upstream[row], name) for row in common]
        ratios = [x for x in ratios if 0 < x < math.inf]
        print(f"geometric mean of {name} in {len(ratios)} rows: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    for name, rows, others in (("first", ours, upstream), ("second", upstream, ours)):
        print(f"only the {name} has kernels:", ", ".join(sorted(set(rows) - set(others))) or "none")
    if arguments.out:
        arguments.out.write_text(json.dumps([{"name": row.rsplit(" ", 1)[0], "size": int(row.rsplit(" ", 1)[1]),
                                              "ours": ours[row], "upstream": upstream[row]} for row in common]))


if __name__ == "__main__":
    main()
