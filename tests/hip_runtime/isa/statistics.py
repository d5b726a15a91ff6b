#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Summarises files of HIP_MODEL_ISA_STATISTICS as JSON: statistics.py --commit C --command "..." --hardware "..." NAME=FILE...

NAME is a processor, such as gfx906. With --single FILE, a statistics file of the programs that test each instruction alone,
the mnemonics that occur and that these programs do not execute are listed, too.
"""
import argparse
import datetime
import json
import re
from pathlib import Path


def mnemonics_of(text):
    return {re.sub(r"_(e32|e64|dpp|sdwa)$", "", name) for name in text.split(",") if name}


def read(path):
    """Programs, each with its counts, and all mnemonics. Processes of one program are added up."""
    programs, mnemonics = {}, set()
    for line in Path(path).read_text().splitlines():
        program, _, rest = line.partition(" ")
        fields = dict(field.split("=", 1) for field in rest.split())
        counts = programs.setdefault(Path(program).name, {"processes": 0, "kernels": 0, "lane_instructions": 0, "seconds": 0.0})
        counts["processes"] += 1
        for name in ("kernels", "lane_instructions"):
            counts[name] += int(fields[name])
        counts["seconds"] = round(counts["seconds"] + float(fields["seconds"]), 3)
        mnemonics |= mnemonics_of(fields["mnemonics"])
    return programs, mnemonics


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--commit", "--command", "--hardware"):
        parser.add_argument(name, required=True)
    parser.add_argument("--note", default="")
    parser.add_argument("--single", action="append", default=[])
    parser.add_argument("files", nargs="+", metavar="NAME=FILE")
    wanted = parser.parse_args()
    single = set().union(*(read(path)[1] for path in wanted.single))
    result = {"context": {"date": str(datetime.date.today()), "hardware": wanted.hardware, "commit": wanted.commit,
                          "command": wanted.command, "note": wanted.note}, "processors": []}
    for argument in wanted.files:
        name, _, path = argument.partition("=")
        programs, mnemonics = read(path)
        total = {key: sum(p[key] for p in programs.values()) for key in ("kernels", "lane_instructions", "seconds")}
        total["seconds"] = round(total["seconds"], 3)
        for counts in (*programs.values(), total):
            counts["rate"] = float(f"{counts['lane_instructions'] / max(counts['seconds'], 1e-3):.3g}")
        entry = {"name": name, "mnemonics": len(mnemonics), "total": total,
                 "programs": [{"name": program, **counts} for program, counts in sorted(programs.items())]}
        if wanted.single:
            entry["without_a_test_of_their_own"] = sorted(mnemonics - single)
        result["processors"].append(entry)
    print(json.dumps(result, indent=1))


main()
