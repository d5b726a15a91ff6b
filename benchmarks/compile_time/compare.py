#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the time that a compiler needs for programs with several installations of Kokkos.

compare.py [--compiler g++] [--flags "-O2 -std=c++20 -fopenmp"] [--rounds 8] [--out FILE] NAME=PREFIX... REFERENCE=PREFIX

Compiles each program of this folder with each installation in turn, and takes the shortest processor time of all rounds.
The last installation is the reference. Prints the ratios, and writes them to the JSON file. The machine should be idle.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import tempfile

PROGRAMS = ("small_program", "all_components_program")


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lines_after_preprocessing(command):
    text = subprocess.run([*command, "-E"], check=True, capture_output=True, text=True).stdout
    return sum(1 for line in text.splitlines() if not line.startswith("#"))


def compare(program, installations, compiler, flags, rounds):
    """Returns one row for each installation but the last."""
    source = str(pathlib.Path(__file__).parent / f"{program}.cpp")
    commands = {name: [compiler, *flags, "-I", str(pathlib.Path(prefix) / "include"), source] for name, prefix in installations}
    seconds = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as work:
        for _ in range(rounds):
            for name, command in commands.items():
                seconds[name].append(processor_seconds([*command, "-c", "-o", f"{work}/object.o"]))
    best = {name: min(times) for name, times in seconds.items()}
    lines = {name: lines_after_preprocessing(command) for name, command in commands.items()}
    *names, reference = commands
    return [{"name": f"{program}/{name}_over_{reference}", "ratio": round(best[name] / best[reference], 3),
             "real_time": round(best[name], 3), "reference": round(best[reference], 3), "time_unit": "s",
             "lines": lines[name], "reference_lines": lines[reference]} for name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O2 -std=c++20 -fopenmp")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--out")
    parser.add_argument("installations", nargs="+", metavar="NAME=PREFIX")
    options = parser.parse_args()
    installations = [tuple(given.split("=", 1)) for given in options.installations]
    if len(installations) < 2 or any(len(given) != 2 for given in installations):
        parser.error("name two installations or more, each as NAME=PREFIX, the reference last.")
    rows = [row for program in PROGRAMS
            for row in compare(program, installations, options.compiler, options.flags.split(), options.rounds)]
    for row in rows:
        print(f"{row['name']}: {row['real_time']} s, {row['reference']} s, {row['ratio']}; "
              f"{row['lines']} lines, {row['reference_lines']}")
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps({"context": {}, "benchmarks": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
