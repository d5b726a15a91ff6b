#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles TileLoops.cpp to assembly, and checks g++'s code for the loops over the tiles of MDRangePolicy.

check_tile_loops.py <source> <assembly to write> <compiler> <options...>

With -O3 for a processor with AVX2, Stencil is vectorised, and Cells is not turned into permutations of whole cache
lines, which are several times slower than its scalar loop. With -O2 neither functor is a function of its own, and the code
contains no function that the library has compiled once for all programs.
"""
import re
import sys

from assembly import functions


def count(bodies, functor, instruction):
    return sum(1 for name, lines in bodies.items() if functor in name for line in lines if re.match(rf"\s+{instruction}\b", line))


def main(source, assembly, *command):
    def compiled(*options):
        return functions(r"_Z\w+", source, assembly, command, *options)

    fast = compiled("-O3", "-march=haswell")
    if count(fast, "Stencil", "v(add|fmadd[0-9]+)pd") == 0:
        sys.exit(f"{assembly}: the loop of Stencil, with neighbouring elements, is not vectorised")
    permutations = count(fast, "Cells", "v(perm|blend|shuf|unpck)[a-z0-9]+")
    if permutations > 50:
        sys.exit(f"{assembly}: the loop of Cells, with elements far apart, consists of {permutations} permutations")
    plain = compiled("-O2")
    own = [name for name in plain if re.search(r"(Stencil|Cells)clE", name)]
    if own:
        sys.exit(f"{assembly}: with -O2 each iteration calls a function: {', '.join(own)}")
    own = [name for name in plain if re.search("allocate_elements|host_part_of_several", name)]
    if own:
        sys.exit(f"{assembly}: the program compiles functions that the library contains: {', '.join(own)}")
    print(f"Stencil is vectorised; Cells has {permutations} permutations; with -O2 both are part of the loop")


if __name__ == "__main__":
    main(*sys.argv[1:])
