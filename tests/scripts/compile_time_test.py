#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks benchmarks/compile_time/measure with a compiler that only pretends: compile_time_test.py ROOT"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()

# Compiles for 0.2 s of processor time where an include folder is called slow, 0.02 s otherwise, and for 0.6 s at its first
# call. Prints as many lines as its source has, and one of the preprocessor. It appends its arguments to a log.
COMPILER = """#!/usr/bin/env python3
import os, sys, time
first = not os.path.exists({log!r})
open({log!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
source = next(a for a in sys.argv[1:] if a.endswith(".cpp"))
if "-E" in sys.argv:
    print("# 1 \\"source\\"")
    print("\\n".join("x" for _ in open(source)))
    sys.exit()
if "broken" in sys.argv:
    sys.exit(1)
end = time.process_time() + (0.6 if first else 0.2 if any("slow" in a for a in sys.argv) else 0.02)
while time.process_time() < end:
    pass
"""


class CompileTime(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = Path(work.name)
        self.log = self.work / "log"
        self.compiler = self.work / "compiler"
        self.compiler.write_text(COMPILER.format(log=str(self.log)))
        self.compiler.chmod(0o755)
        for name in ("slow", "fast"):
            (self.work / name / "include").mkdir(parents=True)

    def run_measure(self, *arguments, status=0):
        result = subprocess.run([sys.executable, str(ROOT / "benchmarks/compile_time/measure"), "--compiler", str(self.compiler),
                                 "--rounds", "2", *arguments], capture_output=True, text=True,
                                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def test_compares_with_the_last_installation(self):
        out = self.work / "out.json"
        printed = self.run_measure("--flags", "-O1 -g", "--out", str(out), f"here={self.work}/slow", f"upstream={self.work}/fast")
        rows = {row["name"]: row for row in json.loads(out.read_text())["benchmarks"]}
        self.assertEqual(sorted(rows), ["all_components_program/here_over_upstream", "small_program/here_over_upstream"])
        for program in ("small_program", "all_components_program"):
            row = rows[f"{program}/here_over_upstream"]
            self.assertGreater(row["ratio"], 1.5)
            self.assertAlmostEqual(row["ratio"], row["real_time"] / row["reference"], delta=0.1)
            self.assertGreater(row["real_time"], 0.2)
            self.assertLess(row["real_time"], 0.6)  # the shortest
            lines = len((ROOT / f"benchmarks/compile_time/{program}.cpp").read_text().splitlines())
            self.assertEqual((row["lines"], row["reference_lines"]), (lines, lines))
            self.assertIn(f"{program}/here_over_upstream: {row['real_time']} s", printed)
        compiled = [line for line in self.log.read_text().splitlines() if " -c " in line]
        self.assertEqual(len(compiled), 2 * 2 * 2)
        self.assertTrue(compiled[0].startswith(f"-O1 -g -I {self.work}/slow/include "), compiled[0])
        self.assertIn(f"-I {self.work}/fast/include ", compiled[1])  # alternately

    def test_one_build_is_compared_with_standard_headers(self):
        printed = self.run_measure("--program", "small_program", "build=/slow/a;$<INSTALL_INTERFACE:include>;/b")
        self.assertRegex(printed, r"^small_program/build_over_standard_headers: ")
        self.assertEqual(len(printed.splitlines()), 1)
        ratio = float(printed.split("= ")[1].split(";")[0])
        self.assertGreater(ratio, 1.5)
        first, second = self.log.read_text().splitlines()[:2]
        self.assertIn("-I /slow/a -I /b ", first)
        self.assertNotIn("-I", second)

    def test_refuses_wrong_arguments(self):
        self.assertIn("NAME=WHERE", self.run_measure("prefix", status=2))
        self.assertIn("another name", self.run_measure("a=/x", "a=/y", status=2))

    def test_stops_where_the_compiler_fails(self):
        self.run_measure("--flags", "broken", "a=/x", status=1)


if __name__ == "__main__":
    unittest.main()
