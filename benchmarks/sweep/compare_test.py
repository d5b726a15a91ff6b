#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of compare.py with programs that print fixed rows."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).parent / "compare.py"

# A program with one (name, size, microseconds, bytes) for each row. It appends its name to a log at each measurement.
PROGRAM = """#!{python}
import sys
print("space\\t{space}")
print("some other line")
for name, size, took, bytes in {rows}:
    while True:
        print(name, size, sep="\\t", flush=True)
        if sys.stdin.readline() != "measure\\n":
            break
        open({log!r}, "a").write({name!r})
        print(name, size, took, bytes, sep="\\t")
sys.exit({status})
"""


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log"

    def program(self, name, rows, status=0, space="Serial"):
        file = self.folder / name
        file.write_text(PROGRAM.format(python=sys.executable, rows=rows, log=str(self.log), name=name, status=status, space=space))
        file.chmod(0o755)
        return str(file)

    def compare(self, *programs, rounds="1", status=0, options=()):
        result = subprocess.run([sys.executable, COMPARE, *programs, "--rounds", rounds, *options], capture_output=True, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout.splitlines() if status == 0 else result.stderr

    def test_slow_rows_come_first(self):
        ours = [("fast", 1000, 1, 0), ("slow", 1000, 4, 0), ("slower", 1000, 10, 0)]
        upstream = [("fast", 1000, 2, 0), ("slow", 1000, 3, 0), ("slower", 1000, 5, 0)]
        lines = self.compare(self.program("a", ours), self.program("b", upstream))
        self.assertEqual([line.split()[0] for line in lines[1:]], ["slower", "slow", "--", "fast"])
        self.assertEqual(lines[1].split()[3:], ["0.500", "0.500"])
        self.assertIn("3 rows, 2 below 0.97, geometric mean 0.91", lines[3])

    def test_both_orders_start_each_program_first(self):
        log = self.folder / "starts"
        fast = f"2 if sum(1 for _ in open({str(log)!r})) > 2 else 4"  # in the second pass
        programs = []
        for name in "ab":
            program = Path(self.program(name, [("row", 1, 8, 0)]))
            text = program.read_text().replace("import sys\n", f"import sys\nopen({str(log)!r}, 'a').write({name!r} + chr(10))\n")
            program.write_text(text.replace("print(name, size, took", f"print(name, size, {fast if name == 'b' else 'took'}"))
            programs.append(str(program))
        lines = self.compare(*programs, options=("--both-orders",))
        self.assertEqual(log.read_text().split(), ["a", "b", "b", "a"])
        self.assertEqual(lines[1].split(), ["row", "1", "8", "0.250", "0.354"])  # the shortest times; the mean of 1/2 and 1/4

    def test_a_row_that_one_build_lacks_is_not_compared(self):
        rows = [("first", 1, 1, 0), ("second", 1, 1, 0), ("third", 1, 1, 0)]
        lines = self.compare(self.program("a", rows), self.program("b", [rows[0], rows[2]]))
        self.assertIn("2 rows, 0 below", lines[1])
        self.assertEqual([line.split()[0] for line in lines[2:]], ["first", "second", "third"])

    def test_a_program_that_fails_gives_the_rows_before(self):
        rows = [("a", 1, 1, 0), ("b", 1, 1, 0)]
        lines = self.compare(self.program("a", rows), self.program("b", rows[:1], status=1))
        self.assertIn("1 rows, 0 below", lines[1])

    def test_large_rows_show_their_share_of_a_copy_of_that_size(self):
        rows = [("deep_copy_dev", 10**6, 10, 16e6), ("deep_copy_dev", 10**7, 200, 16e7), ("half", 10**6, 10, 8e6), ("small", 1000, 1, 8e3),
                ("half", 10**7, 200, 8e7)]
        lines = self.compare(self.program("a", rows), self.program("b", rows))
        self.assertEqual([line.split()[-1] for line in lines[2:]], ["1.00", "1.00", "0.50", "1.000", "0.50"])

    def test_builds_measure_each_row_by_turns(self):
        rows = [("first", 1, 1, 0), ("second", 1, 1, 0)]
        self.compare(*(self.program(name, rows) for name in "abc"), rounds="3")
        self.assertEqual(self.log.read_text(), "abcbcacab" * 2)

    def test_every_program_is_measured(self):
        rows = [("first", 1, 1, 0)]
        self.compare(*(self.program(name, rows) for name in "abcdef"), rounds="1")
        self.assertEqual(self.log.read_text(), "abcdef")

    def test_two_programs_of_one_name_are_refused(self):
        rows = [("first", 1, 1, 0)]
        paths = [self.program(name, rows) for name in "ab"]
        message = self.compare(*(f"same={path}" for path in paths), status=2)
        self.assertIn("each with a name of its own; there are same, same", message)

    def test_a_row_gets_two_rounds_within_its_seconds(self):
        rows = [("first", 1, 1, 0), ("second", 1, 1, 0)]
        self.compare(*(self.program(name, rows) for name in "ab"), rounds="4", options=["--row-seconds", "0"])
        self.assertEqual(self.log.read_text(), "abba" * 2)

    def test_different_execution_spaces_are_refused(self):
        rows = [("first", 1, 1, 0)]
        message = self.compare(self.program("a", rows, space="Cuda"), self.program("b", rows), status=1)
        self.assertIn("different default execution spaces: ours Cuda, upstream Serial", message)


if __name__ == "__main__":
    unittest.main()
