#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles LocalArray.cpp to PTX, and checks that its loop over the league starts from a number that differs between
threads as far as the compiler knows, so that the loop does not use uniform registers.

check_team_loop.py <source> <PTX to write> <compiler> <options...>
"""
import subprocess
import sys


def main(source, ptx, compiler, *options):
    subprocess.run([compiler, *options, "-O3", "-ptx", source, "-o", ptx], check=True)
    with open(ptx, encoding="utf-8") as file:
        kernels = [text for text in file.read().split(".entry ")[1:] if "GPULeague" in text.split("(")[0]]
    if not kernels:
        sys.exit(f"{ptx} has no kernel over a league")
    for kernel in kernels:
        if "%tid.z" not in kernel:
            sys.exit(f"{ptx}: a loop over a league does not start from %tid.z, so it uses uniform registers")
    print(f"{len(kernels)} kernels over a league start from %tid.z")


if __name__ == "__main__":
    main(*sys.argv[1:])
