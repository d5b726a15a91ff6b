#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mutation_draw_test.py ROOT COMPILER: plants changes into a small program by scripts/mutation_draw, and checks which of them its
tests detect, survive and do not reach."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2]
CODE = """#include <cstdlib>
int larger(int a, int b) {
  if (a > b) return a;
  return b;
}
int smaller(int a, int b) {
  return a < b ? a : b;
}
int main(int argc, char** argv) {
  if (std::atoi(argv[1]) < 0) return smaller(1, 2);
  return larger(argc, 1) != argc;
}
"""
DRAW = """code.cpp:4: if (a > b) return a;
code.cpp:4: return b;
code.cpp:7: return a < b ? a : b;
code.cpp:1: #include <cstdlib>
code.cpp:11: return larger(argc, 1) != argc;
"""
CHANGES = """# The first place is one line above the number in the draw.
1: a > b ==> (!M && a > b) ## never the first one
2: return b ==> return M ? a : b ## always the first one
3: a : ==> (M ? b : a) : ## the larger one
4: skip declaration
5: 1) ==> M ? 3 : 1) ## compares with another number
5: != argc ==> != argc + (M ? 7 : 0)
"""
failures = []


def expect(condition, words):
    if not condition:
        failures.append(words)


def script(*arguments, **options):
    return subprocess.run([sys.executable, str(ROOT / "scripts/mutation_draw"), *map(str, arguments)], capture_output=True, text=True, **options)


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "code.cpp").write_text(CODE)
    (root / "draw").write_text(DRAW)
    (root / "changes").write_text(CHANGES)
    applied = script("apply", root / "draw", root / "changes", root)
    expect(applied.returncode == 0 and "4 changes" in applied.stdout, f"apply: {applied}")
    subprocess.run([COMPILER, "-std=c++20", "-include", ROOT / "scripts/mutation_switch.hpp", root / "code.cpp", "-o", root / "program"], check=True)

    # In place of CTest's list of a build: two tests that pass, one of them with a change too, one that never passes, one of scripts.
    def test(name, argument, label="unit", **properties):
        properties["LABELS"] = [label]
        return {"name": name, "command": [str(root / "program"), argument],
                "properties": [{"name": key, "value": value} for key, value in properties.items()]}

    tests = [test("unit/larger", "1"), test("unit/fails", "-1"), test("unit/prints", "1", PASS_REGULAR_EXPRESSION=["nothing like this"]),
             test("scripts/any", "1", "scripts")]
    # A program of GoogleTest, one of whose tests fails without a change.
    (root / "gtest").write_text(f"""#!/bin/sh
[ "$1" = --gtest_filter=A.*-C.d:A.b ] || {{ echo '[  FAILED  ] A.b (3 ms)'; exit 1; }}
'{root}/program' 1 || {{ echo '[  FAILED  ] A.c'; exit 1; }}
""")
    (root / "gtest").chmod(0o755)
    tests.append(test("unit/gtest", "--gtest_filter=A.*-C.d"))
    tests[-1]["command"][0] = str(root / "gtest")
    (root / "tests.json").write_text(json.dumps({"tests": tests}))
    (root / "programs").mkdir()
    (root / "programs/ctest").write_text(f"#!/bin/sh\ncat '{root}/tests.json'\n")
    (root / "programs/ctest").chmod(0o755)
    path = {**os.environ, "PATH": f"{root}/programs:{os.environ['PATH']}"}
    ran = script("run", root, root / "out", "--workers", "2", env=path)
    expect("4 tests" in ran.stdout and "without a change: A.b\n" in ran.stdout and "unit/fails (status 1)" in ran.stdout and "unit/prints" in ran.stdout, f"run: {ran}")
    results = (root / "out/results.tsv").read_text()
    # Two tests detect these changes; the one that was the faster is tried first.
    detectors = {"unit/larger\tstatus 1": "`larger` (status 1)", "unit/gtest\tA.c": "`A.c`"}
    found = [line.split("\t", 2) for line in results.splitlines()]
    expect([line[:2] for line in found] == [["1", "detected"], ["5", "detected"]] and all(line[2] in detectors for line in found), f"results: {results}")

    rows = script("table", root / "draw", root / "changes", root / "out").stdout.splitlines()
    expect(rows[0] == f"| 1 | `code.cpp:4` | never the first one | {detectors.get(found[0][2])} |", f"table: {rows}")
    expect(len(rows) == 4 and rows[2] == "| 3 | `code.cpp:7` | the larger one | **unreached** |", f"table: {rows}")

    # A place that is gone, and a text that is not there.
    (root / "changes").write_text("1: a > b ==> M ## gone\n3: c ==> M ## no such text\n")
    (root / "code.cpp").write_text(CODE.replace("if (a > b) return a;", ""))
    applied = script("apply", root / "draw", root / "changes", root)
    expect(applied.returncode == 1 and "no longer in code.cpp" in applied.stdout and "is not in" in applied.stdout, f"apply: {applied}")
    expect((root / "code.cpp").read_text() == CODE.replace("if (a > b) return a;", ""), "apply: changes the code without a change")

print("\n".join(failures))
sys.exit(bool(failures))
