#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles ScratchLevel.cpp to PTX, and checks that its kernels keep the team's member in registers.

check_scratch_level.py <source> <PTX to write> <compiler> <options...>
"""
import re
import subprocess
import sys

PRINTF_BYTES = 16  # the arguments of printf, in case that the scratch memory does not suffice


def main(source, ptx, compiler, *options):
    subprocess.run([compiler, *options, "-O3", "-ptx", source, "-o", ptx], check=True)
    with open(ptx, encoding="utf-8") as file:
        kernels = [text for text in file.read().split(".entry ")[1:] if "GPULeague" in text.split("(")[0]]
    if not kernels:
        sys.exit(f"{ptx} has no kernel over a league")
    for kernel in kernels:
        frame = sum(int(size) for size in re.findall(r"__local_depot\d+\[(\d+)\]", kernel))
        if frame > PRINTF_BYTES:
            sys.exit(f"{ptx}: a kernel over a league has {frame} bytes of local memory, so it stores its member there")
    print(f"{len(kernels)} kernels over a league have at most {PRINTF_BYTES} bytes of local memory")


if __name__ == "__main__":
    main(*sys.argv[1:])
