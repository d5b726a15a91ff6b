#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that alternate.py alternates programs, states noise and ratios, and names the rows that are slow."""

import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import alternate  # noqa: E402

# Writes the times that Latency_benchmark would write, and appends its name to a log.
PROGRAM = """#!/bin/sh
for argument in "$@"; do case $argument in --out=*) out=${{argument#--out=}} ;; esac; done
echo "$(basename "$0")" >> {log}
echo '{{"benchmarks": [{{"name": "copy", "real_time": {us}}}, {{"name": "raw_copy", "real_time": {us}}}]}}' > "$out"
"""


class AlternateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, name, us):
        path = self.folder / name
        path.write_text(PROGRAM.format(log=self.folder / "log", us=us))
        path.chmod(0o755)
        return f"{name}={path}"

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, alternate.__file__, *arguments], capture_output=True, text=True)

    def test_the_slow_program_is_named_and_all_rounds_are_written(self):
        out = self.folder / "out.json"
        run = self.run_script(self.program("plain", 10), self.program("same", 10), self.program("slow", 12), "--rounds=3",
                              "--group=4.7", f"--out={out}")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("| `copy` | 10.0 | 1.00 | 1.00 (1.00 to 1.00) | 1.20 (1.20 to 1.20) |", run.stdout)
        self.assertIn("same: 0 of 1 rows are slow. The ratio is at most 1.05 in 1, its range in 1.\n"
                      "slow: 1 of 1 rows are slow; copy. The ratio is at most 1.05 in 0, its range in 0.\n", run.stdout)
        written = json.loads(out.read_text())
        self.assertEqual(written["rounds"]["4.7"]["copy"],
                         {"plain": [10, 10, 10], "again": [10, 10, 10], "same": [10, 10, 10], "slow": [12, 12, 12]})
        self.assertEqual([row["result"] for row in written["benchmarks"]], ["failed", "skipped"])  # raw_copy has no bound
        read = self.run_script(f"--read={out}", "--group", "4.7")
        self.assertEqual(read.stdout, run.stdout)

    def test_each_round_starts_with_another_program(self):
        self.run_script(self.program("plain", 10), self.program("other", 10), "--rounds=3")
        self.assertEqual((self.folder / "log").read_text().split(),
                         ["plain", "plain", "other", "plain", "other", "plain", "other", "plain", "plain"])

    def rows_on_a_changing_core(self, patched):
        """Ten rows of three programs; a core is slow in a third of the rounds, and `patched` is the factor of the row "copy"."""
        draw = random.Random(7)
        times = {f"row{number}": {} for number in range(9)} | {"copy": {}}
        for who in ("plain", "again", "other"):
            for _ in range(12):
                state = 1.4 if draw.random() < 0.3 or (who == "other" and draw.random() < 0.6) else 1.0
                for name, programs in times.items():
                    factor = patched if (name, who) == ("copy", "other") else 1
                    programs.setdefault(who, []).append(10 * state * factor * draw.uniform(1, 1.02))
        return alternate.compare({"all": times}, 1.05)

    def test_the_state_of_the_core_is_no_difference_of_programs(self):
        for row in self.rows_on_a_changing_core(patched=1):
            self.assertAlmostEqual(row["other"], 1, delta=0.02)
            self.assertEqual(row["result"], "passed")

    def test_a_difference_of_programs_is_found_on_a_changing_core(self):
        row = self.rows_on_a_changing_core(patched=1.1)[-1]
        self.assertAlmostEqual(row["other"], 1.1, delta=0.02)
        self.assertEqual(row["result"], "failed")

    def test_rounds_of_several_groups_count_together(self):
        fast, same = ({"copy": {"plain": [10] * 3, "again": [10] * 3, "other": [us] * 3}} for us in (8, 10))
        row, = alternate.compare({"a": fast, "b": same}, 1.05)
        self.assertEqual(row["real_time"], [10, 10])
        self.assertEqual(row["other_range"], [0.8, 1])

    def test_programs_or_a_file_are_needed(self):
        self.assertEqual(self.run_script().returncode, 2)

    def test_a_program_that_fails_stops_the_measurement(self):
        program = self.program("plain", 10)
        (self.folder / "plain").write_text("#!/bin/sh\nexit 3\n")
        run = self.run_script(program)
        self.assertIn("ended with status 3", run.stderr)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
