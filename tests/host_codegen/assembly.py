# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a source to assembly, for the checks of g++'s code."""
import re
import subprocess


def functions(name_pattern, source, assembly, command, *options):
    """Compiles `source` by `command` with `options`. Returns the lines of each function whose name matches, by its name."""
    subprocess.run([*command, *options, "-S", source, "-o", assembly], check=True)
    bodies, name = {}, None
    with open(assembly, encoding="utf-8") as file:
        for line in file:
            if found := re.match(rf"({name_pattern}):", line):
                name = found.group(1)
            elif name and ".cfi_endproc" in line:
                name = None
            elif name:
                bodies.setdefault(name, []).append(line)
    return bodies
