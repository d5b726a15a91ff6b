#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of compare.py with programs that print fixed rows."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).parent / "compare.py"


def program(folder, name, rows, status=0):
    """A program that prints one row for each (name, size, microseconds, bytes)."""
    file = folder / name
    lines = "\n".join("\t".join(map(str, row)) for row in rows)
    file.write_text(f"#!/bin/sh\ncat <<'END'\n{lines}\nsome other line\nEND\nexit {status}\n")
    file.chmod(0o755)
    return str(file)


class CompareTest(unittest.TestCase):
    def compare(self, ours, others, *options):
        with tempfile.TemporaryDirectory() as folder:
            programs = [program(Path(folder), f"p{i}", rows, status) for i, (rows, status) in enumerate([ours, *others])]
            result = subprocess.run([sys.executable, COMPARE, *programs, "--rounds", "1", *options], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout.splitlines()

    def test_slow_rows_come_first(self):
        ours = [("fast", 1000, 1, 0), ("slow", 1000, 4, 0), ("slower", 1000, 10, 0)]
        upstream = [("slow", 1000, 3, 0), ("fast", 1000, 2, 0), ("slower", 1000, 5, 0)]
        lines = self.compare((ours, 0), [(upstream, 0)])
        self.assertEqual([line.split()[0] for line in lines[1:]], ["slower", "slow", "--", "fast"])
        self.assertIn("0.500", lines[1])
        self.assertIn("3 rows, 2 below 0.97, geometric mean 0.91", lines[3])

    def test_a_program_that_fails_gives_the_rows_before(self):
        lines = self.compare(([("a", 1, 1, 0), ("b", 1, 1, 0)], 0), [([("a", 1, 2, 0)], 1)])
        self.assertIn("1 rows, 0 below", lines[1])

    def test_large_rows_show_their_share_of_a_copy(self):
        rows = [("deep_copy_dev", 10**6, 10, 16e6), ("half", 10**6, 10, 8e6), ("small", 1000, 1, 8e3)]
        lines = self.compare((rows, 0), [(rows, 0)])
        self.assertEqual([line.split()[-1] for line in lines[2:]], ["1.00", "0.50", "1.000"])

    def test_each_round_starts_with_another_program(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            programs = []
            for name in "abc":
                file = Path(folder) / name
                file.write_text(f"#!/bin/sh\nprintf {name} >>{log}\nprintf 'row\\t1\\t1\\t0\\n'\n")
                file.chmod(0o755)
                programs.append(str(file))
            subprocess.run([sys.executable, COMPARE, *programs, "--rounds", "3"], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(log.read_text(), "abcbcacab")


if __name__ == "__main__":
    unittest.main()
