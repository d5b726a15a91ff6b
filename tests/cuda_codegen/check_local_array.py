#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles LocalArray.cpp to PTX, and checks that no loop with arithmetic stores to local memory.

check_local_array.py <source> <PTX to write> <compiler> <options...>
"""
import re
import subprocess
import sys


def innermost_loops(lines):
    """Yields the lines from each label to a branch back to it, if there is no other label in between."""
    label, start = None, 0
    for number, line in enumerate(lines):
        if found := re.match(r"(\$L\w+):", line):
            label, start = found.group(1), number
        elif label and re.search(r"\bbra(\.uni)?\s+" + re.escape(label) + ";", line):
            yield lines[start:number]


def main(source, ptx, compiler, *options):
    subprocess.run([compiler, *options, "-O3", "-ptx", source, "-o", ptx], check=True)
    with open(ptx, encoding="utf-8") as file:
        loops = [loop for loop in innermost_loops(file.read().split("\n")) if any("fma.rn.f32" in line for line in loop)]
    if not loops:
        sys.exit(f"{ptx} has no loop with arithmetic: the check does not fit this compiler's code")
    for loop in loops:
        for line in loop:
            if "st.local" in line:
                sys.exit(f"{ptx}: the loop after {loop[0]} stores its local array to memory in every iteration:{line}")
    print(f"{len(loops)} loops with arithmetic, none stores to local memory")


if __name__ == "__main__":
    main(*sys.argv[1:])
