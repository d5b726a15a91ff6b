#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles NestedLoops.cpp to PTX, and counts the copies of the loops' bodies: one in a nested parallel_for, whose copies
would only take registers; several in a parallel_reduce over threads, so that its loads overlap; and one in a parallel_reduce
over lanes, which mostly have too few iterations for that.

check_nested_loops.py <source> <PTX to write> <compiler> <options...>
"""
import subprocess
import sys


def main(source, ptx, compiler, *options):
    subprocess.run([compiler, *options, "-O3", "-ptx", source, "-o", ptx], check=True)
    with open(ptx, encoding="utf-8") as file:
        kernels = file.read().split(".entry ")[1:]
    for functor, fits, allowed in (("NestedFor", lambda copies: copies == 1, "one copy"),
                                   ("NestedReduce", lambda copies: copies > 1, "several copies"),
                                   ("LaneReduce", lambda copies: copies == 1, "one copy")):
        chosen = [text for text in kernels if functor in text.split("(")[0]]
        if not chosen:
            sys.exit(f"{ptx} has no kernel of {functor}")
        for kernel in chosen:
            copies = kernel.count("sqrt.rn.f32")
            if not fits(copies):
                sys.exit(f"{ptx}: a kernel of {functor} has {copies} copies of its loop's body, but must have {allowed}")
        print(f"{len(chosen)} kernels of {functor} have {allowed} of the loop's body")


if __name__ == "__main__":
    main(*sys.argv[1:])
