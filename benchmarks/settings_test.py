#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that settings.py starts programs under each setting, and names the rows that are slow there."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import settings  # noqa: E402

# Prints a time of 100 us, or of 150 us if its variables are those of the test.
PROGRAM = """#!/bin/sh
us=100
if [ "$OMP_PROC_BIND:$OMP_PLACES" = spread:cores ]; then us=150; fi
echo "not a row"
echo "{\\"row\\": \\"rate_whole\\", \\"us\\": $us}"
"""


class SettingsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def run_script(self, cores):
        command = [sys.executable, settings.__file__, "--ours", self.program, "--rounds", "1", "--cores", str(cores)]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_PLACES": "threads"})

    def test_a_setting_that_takes_longer_is_named(self):
        run = self.run_script(cores=1)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("| `rate_whole/unbound` | 100 | 1.00 |  |", run.stdout)
        self.assertIn("| `rate_whole/spread_cores` | 150 | 1.50 |  |", run.stdout)
        self.assertIn("| `rate_whole/4_processes` | 25 | 0.25 |  |", run.stdout)
        self.assertIn("1 rows take more than 10 % longer than unbound: rate_whole/spread_cores", run.stdout)

    def test_settings_with_too_few_cores_do_not_count(self):
        rows = [{"name": "rate_whole/on_1_cores", "cores": 1, "over_unbound": 3.0},
                {"name": "rate_holds_caller/spread_cores", "cores": 16, "over_unbound": 3.0},
                {"name": "rate_whole/close_cores", "cores": 16, "over_unbound": 1.2}]
        self.assertEqual(settings.slow(rows, 0.1, 8), ["rate_whole/close_cores"])

    def test_a_program_that_fails_stops_the_measurement(self):
        self.program.write_text("#!/bin/sh\nexit 3\n")
        run = self.run_script(cores=1)
        self.assertIn("ended with status 3", run.stderr)
        self.assertEqual(run.returncode, 1)


if __name__ == "__main__":
    unittest.main()
