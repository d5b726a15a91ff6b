#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_help.py WRAPPER NVCC: passes every option that `nvcc --help` lists through bin/nvcc_wrapper, in each form that nvcc
accepts, and fails if the wrapper gives one to the host compiler, or gives nvcc one that it does not list."""

import re
import shlex
import subprocess
import sys

# Options that the wrapper handles itself.
OWN = {
    "-ccbin": "selects the host compiler",
    "--compiler-bindir": "selects the host compiler",
    "-x": "every source is CUDA",
    "--x": "every source is CUDA",
    "--version": "the version of the host compiler, which CMake asks for",
    "-v": "CMake reads the commands of the host compiler",
    "-Werror": "each kind is given to the compiler that knows it",
}
# Options that the wrapper writes in another form.
REWRITTEN = {
    "-std": "-std={}", "--std": "-std={}", "-O": "-O{}", "--optimize": "-O{}",
    "--compiler-options": "-Xcompiler {}", "-Xcompiler": "-Xcompiler {}",
    "--linker-options": "-Xlinker {}", "-Xlinker": "-Xlinker {}", "--shared": "-shared",
}
LINE = re.compile(r"^(--\S+)( \S.*?)?\s+(\(-\S+\)|--\S+)\s*$")
# The help text omits this argument.
TAKES_A_FILE = {"--dependency-output", "-MF"}


def options_of(nvcc):
    """(name, whether it has an argument) for each name of each option."""
    text = subprocess.run([nvcc, "--help"], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            long, argument, short = match.groups()
            for name in sorted({long, short.strip("()")}):
                yield name, argument is not None or name in TAKES_A_FILE


def command_of(wrapper, words):
    shown = subprocess.run(["bash", wrapper, "--nvcc-wrapper-show", *words, "-c", "source.cpp"], check=True, capture_output=True, text=True)
    return shlex.split(shown.stdout)


def contains(command, words):
    """Whether the words are neighbours in the command, and not options of the host compiler."""
    for i in range(len(command) - len(words) + 1):
        if command[i:i + len(words)] == words and command[i - 1] != "-Xcompiler":
            return True
    return False


def main(wrapper, nvcc):
    value = "2"
    wrong = []
    options = list(options_of(nvcc))
    forms = []
    for name, has_argument in options:
        if name not in OWN:
            forms += [[name, value], [name + "=" + value]] if has_argument else [[name]]
    # One command for all options that may be repeated; a command for each takes half a minute.
    together = [form for form in forms if form[0].split("=")[0] not in REWRITTEN]
    of_all = command_of(wrapper, [word for form in together for word in form])
    for form in forms:
        name = form[0].split("=")[0]
        expected = REWRITTEN[name].format(value).split() if name in REWRITTEN else form
        command = command_of(wrapper, form) if name in REWRITTEN else of_all
        if not contains(command, expected):
            wrong.append(f"{' '.join(form)}: not found, or given to the host compiler")
    known = {name for name, _ in options}
    for flag in ("-Wall", "-march=native", "-fopenmp", "-Os", "-funroll-loops", "-fno-exceptions", "-mavx2", "-pipe", "-s", "-Wreturn-type"):
        if flag in known or not contains(command_of(wrapper, [flag]), ["-Xcompiler", flag]):
            wrong.append(f"{flag} is an option of the host compiler")
    print(f"{len(known)} options, {len(forms)} forms, {len(wrong)} wrong")
    print("\n".join(wrong))
    return 1 if wrong or len(known) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
