#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the modules of Kokkos and a program that imports them all with clang, and runs it.

usage: import.py CLANG MODULES SOURCES LIBRARY,... FLAG...

MODULES is the folder of the modules, SOURCES that of the program. The exit status is 77 if CLANG is no clang 18 or later.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    clang, modules, sources, libraries, *flags = sys.argv[1:]
    try:
        version = subprocess.run([clang, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        version = ""
    found = re.search(r"clang version (\d+)", version)
    if not found or int(found[1]) < 18:
        print(f"import.py: {clang} is no clang 18 or later, so modules are not compiled.")
        return 77
    # clang warns of includes between braces, which is what these modules do.
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-include-angled-in-module-purview", "-Wno-unknown-warning-option",
             "-Wno-TU-local-entity-exposure", "-Wno-unused-command-line-argument", *flags]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = sorted(path.stem for path in pathlib.Path(modules).glob("*.cppm"))
        names.sort(key=lambda name: name != "kokkos.core")  # the others import it
        imports, objects = [], []
        for name in names:
            compiled = folder / f"{name}.pcm"
            subprocess.run([clang, *flags, *imports, "--precompile", f"{modules}/{name}.cppm", "-o", compiled], check=True)
            objects.append(folder / f"{name}.o")
            subprocess.run([clang, *flags, *imports, "-c", compiled, "-o", objects[-1]], check=True)
            imports.append(f"-fmodule-file={name}={compiled}")
        for source in ("use", "headers"):
            objects.append(folder / f"{source}.o")
            used = imports if source == "use" else []
            subprocess.run([clang, *flags, *used, "-c", f"{sources}/{source}.cpp", "-o", objects[-1]], check=True)
        program = folder / "program"
        links = [flag for flag in flags if flag == "-fopenmp"]
        subprocess.run([clang, *links, *objects, *libraries.split(","), "-ldl", "-pthread", "-o", program], check=True)
        return subprocess.run([program], check=False).returncode


sys.exit(main())
