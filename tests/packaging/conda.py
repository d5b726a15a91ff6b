#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the recipe for conda without conda-build: its syntax, its version, its files, and the options of its script.

usage: conda.py <source folder>      ends with status 77 without PyYAML
"""
import re
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("SKIPPED, because PyYAML is not installed")
    sys.exit(77)

ROOT = Path(sys.argv[1])
RECIPE = ROOT / "packaging" / "conda"


def recipe():
    """The recipe as conda-build sees it on Linux: its expressions of Jinja are replaced."""
    text = (RECIPE / "meta.yaml").read_text()
    pattern = re.search(r'load_file_regex\(load_file="([^"]+)", regex_pattern="([^"]+)"', text)
    version = re.search(pattern[2].replace("\\\\", "\\"), (RECIPE / pattern[1]).read_text())[1]
    text = re.sub(r"^\{%.*%\}$", "", text, flags=re.MULTILINE).replace("{{ version }}", version)
    return version, yaml.safe_load(re.sub(r"\{\{ compiler\('(\w+)'\) \}\}", r"\1-compiler", text))


def complaints():
    version, meta = recipe()
    wanted = re.search(r"set\(Kokkos_STEADFAST_VERSION (\S+)\)", (ROOT / "CMakeLists.txt").read_text())[1]
    if version != wanted or meta["package"]["version"] != wanted:
        yield f"the version is {meta['package']['version']}, not {wanted}"
    if "{{" in str(meta):
        yield f"an expression of Jinja is left: {meta}"
    if (RECIPE / meta["source"]["path"]).resolve() != ROOT.resolve():
        yield f"the source is {meta['source']['path']}, not the root of the repository"
    for name in [*meta["test"]["files"], "build.sh"]:
        if not (RECIPE / name).is_file():
            yield f"there is no file {name}"
    if not (ROOT / meta["about"]["license_file"]).is_file():
        yield f"there is no licence {meta['about']['license_file']}"
    syntax = subprocess.run(["bash", "-n", RECIPE / "build.sh"], capture_output=True, text=True)
    if syntax.returncode:
        yield f"build.sh: {syntax.stderr}"
    # A package for others must not be compiled for the processor of the machine that builds it.
    if "-DKokkos_ARCH_NATIVE=OFF" not in (RECIPE / "build.sh").read_text():
        yield "build.sh does not switch Kokkos_ARCH_NATIVE off"


found = list(complaints())
for complaint in found:
    print(f"packaging/conda: {complaint}")
print(f"packaging/conda: {len(found)} complaints")
sys.exit(1 if found else 0)
