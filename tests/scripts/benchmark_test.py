#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how scripts/benchmark interprets the output of programs, without building any: benchmark_test.py ROOT"""
import contextlib
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)).resolve()

PROGRAM = """#!/usr/bin/env python3
import json, sys
if "--benchmark_list_tests" in sys.argv:
    print("copy/real_time\\nsort")
    sys.exit()
if {status}:
    sys.exit({status})
out = next(a.split("=", 1)[1] for a in sys.argv if a.startswith("--benchmark_out="))
print("copy/real_time      12.5 us      12 us      100 ratio=0.9")
print("sort                 4.0 us       4 us      100")
rows = [dict(name="copy/real_time", real_time={copy}, time_unit="us", ratio=0.9), dict(name="sort", real_time=4.0, time_unit="us")]
json.dump(dict(benchmarks=rows), open(out, "w"))
"""


def load():
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("benchmark", str(ROOT / "scripts" / "benchmark"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("benchmark", loader))
    loader.exec_module(module)
    return module


class Benchmark(unittest.TestCase):
    def setUp(self):
        self.script = load()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def program(self, name, copy=12.5, status=0):
        path = self.folder / name
        path.write_text(PROGRAM.format(copy=copy, status=status))
        path.chmod(0o755)
        return path

    def measure(self, ours, upstream, rounds=1):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            rows, failed = self.script.measure({"P": (ours, None)}, {"P": upstream} if upstream else {}, rounds, self.folder)
        return rows, failed, said.getvalue()

    def test_a_ratio_above_one_says_that_ours_is_faster(self):
        rows, failed, _ = self.measure(self.program("ours", copy=10.0), self.program("upstream", copy=15.0))
        self.assertEqual(failed, [])
        self.assertEqual([row["upstream_ratio"] for row in rows], [1.5, 1.0])
        self.assertIn("1.50", self.script.table(rows))

    def test_progress_counts_every_row_of_every_run(self):
        _, _, said = self.measure(self.program("ours"), self.program("upstream"), rounds=2)
        self.assertIn("[1 of 8, about ", said)
        self.assertIn("[8 of 8, about 0 s left] upstream: sort", said)

    def test_without_upstream_there_is_no_ratio_to_it(self):
        rows, _, _ = self.measure(self.program("ours"), None)
        self.assertEqual(len(rows), 2)
        self.assertFalse(any("upstream_ratio" in row for row in rows))

    def test_a_program_that_fails_is_named(self):
        _, failed, _ = self.measure(self.program("ours", status=3), None)
        self.assertEqual(failed, [str(self.folder / "ours")])

    def test_the_best_run_counts(self):
        best = {}
        for time in (3.0, 2.0, 5.0):
            self.script.merge(best, {"row": {"real_time": time}})
        self.assertEqual(best["row"]["real_time"], 2.0)


if __name__ == "__main__":
    unittest.main()
