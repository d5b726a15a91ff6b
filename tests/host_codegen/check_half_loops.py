#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles HalfLoops.cpp to assembly, and checks g++'s code for loops over numbers of 16 bits.

check_half_loops.py <source> <assembly to write> <compiler> <options...>

All loops but the one that calls the C library are vectorised with AVX512FP16, and those of bfloat16 with AVX2, and so are
comparisons of half_t, also where the processor has instructions for conversions of single numbers. A conversion for a call
does not read the rest of its register, for which it would have to wait.
"""
import re
import sys

from assembly import functions


def main(source, assembly, *command):
    for options in (["-march=sapphirerapids"], ["-mavx2"], ["-march=haswell"]):
        bodies = functions(r"[a-z]+_b?half", source, assembly, command, "-O3", *options)
        if len(bodies) != 13:
            sys.exit(f"{assembly}: {len(bodies)} functions instead of 13")
        for name, lines in bodies.items():
            calls = name.startswith("exponential")
            compares = name.startswith(("choice", "smaller", "clamp"))
            scalar = calls or (options != ["-march=sapphirerapids"] and not name.endswith("bhalf") and not compares)
            if not scalar and not any(re.search(r"%[yz]mm", line) for line in lines):
                sys.exit(f"{assembly}: the loop of {name} is not vectorised with {options[0]}")
            if calls and any(re.search(r"vcvt(sh2ss|ss2sh)", line) for line in lines):
                sys.exit(f"{assembly}: conversions in {name} wait for the one before them with {options[0]}")
    print("twelve loops are vectorised with AVX512FP16, six of them with AVX2")


if __name__ == "__main__":
    main(*sys.argv[1:])
