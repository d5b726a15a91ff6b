# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The second line of a source of typed tests, `// choices: <word> ...`: where it is built, and how. tests/typed_tests.cmake reads it.

Without the line a source is built by Kokkos_TEST_CHOICE all and optimised.
"""

WORDS = {
    "apu": "also built by Kokkos_TEST_CHOICE apu",
    "device1": "part of the first program of device",
    "device2": "part of its second program",
    "device3": "part of its third program",
    "isa": "also built by isa",
    "team": "also built by team",
    "not-optimised": "not built by optimised",
    "one-rocm": "takes long: for unified memory, runs with one profile of ROCm",
    "own-program": "in no group, because other tests run its program or it has its own compile options",
    "starts-first": "takes long under sanitizers: CTest starts it first",
}
FOLDERS = ("unit", "containers", "algorithms", "simd", "differential", "regression")
MARK = "// choices:"


def complaints(tree):
    used = set()
    for file in sorted((tree / "tests").rglob("*.?pp")):
        name = file.relative_to(tree).as_posix()
        lines = [(number, line) for number, line in enumerate(file.read_text().split("\n"), 1) if line.startswith(MARK)]
        for number, line in lines:
            words = line[len(MARK):].split()
            used.update(words)
            if file.parent.name not in FOLDERS or file.parent.parent.name != "tests" or not name.endswith("_test.cpp"):
                yield f"{name}:{number}: only a source of typed tests has choices, so this line has no effect"
            elif number != 2:
                yield f"{name}:{number}: the choices are the second line of a source"
            elif words != [w for w in WORDS if w in words]:
                yield f"{name}:{number}: '{' '.join(words)}': the words are, in this order, {', '.join(WORDS)}"
    yield from (f"tests/structure/choices.py explains {word}, which no test has" for word in WORDS if word not in used)
