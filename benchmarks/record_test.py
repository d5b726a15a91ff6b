#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests how record.py interprets the output of CTest, compute-sanitizer and a benchmark."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import record  # noqa: E402

JUNIT = """<testsuite name="t">
<testcase name="b" time="1.25" status="run"><system-out>[  SKIPPED ] Devices.two (0 ms)\n</system-out></testcase>
<testcase name="a" time="0.1" status="fail"><failure message="Failed"/><system-out>no</system-out></testcase>
<testcase name="c" time="20" status="fail"><failure message="Timeout"/></testcase>
<testcase name="d" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
<testcase name="e" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>
</testsuite>"""

CLEAN = "========= COMPUTE-SANITIZER\n[       OK ] View.it\n========= ERROR SUMMARY: 0 errors\n"
DIRTY = "[  FAILED  ] View.it\n[  FAILED  ] View.it\n========= ERROR SUMMARY: 3 errors\n"


class RecordTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, path, script):
        """Writes an executable that replaces a program of the build, or a tool."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file

    def record(self, *arguments):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        command = [sys.executable, record.__file__, self.folder, *arguments, "--out", self.folder / "out", "--name", "gpu"]
        return subprocess.run([*command, "--commit", "abc"], capture_output=True, text=True,
                              env={**os.environ, "PATH": path})

    def written(self, subject):
        (file,) = (self.folder / "out").glob(f"*_gpu_{subject}.json")
        return json.loads(file.read_text())

    def test_every_way_in_which_a_test_can_end(self):
        junit = self.folder / "tests.xml"
        junit.write_text(JUNIT)
        tests = record.tests_of(junit)
        self.assertEqual([(t["name"], t["result"]) for t in tests],
                         [("a", "failed"), ("b", "passed"), ("c", record.NOT_IN_TIME), ("d", "not built"), ("e", "skipped")])
        self.assertEqual(tests[1]["skipped_cases"], ["Devices.two"])
        self.assertEqual([t.get("output") for t in tests], ["no", None, None, None, None])

    def test_verdicts_of_the_sanitizer(self):
        self.assertEqual(record.verdict(CLEAN, 0), "ERROR SUMMARY: 0 errors")
        self.assertEqual(record.verdict(DIRTY, 1), "ERROR SUMMARY: 3 errors; failed: View.it")
        self.assertEqual(record.verdict("========= ERROR SUMMARY: 9 errors\n========= ERROR SUMMARY: 7 errors were not "
                                        "printed. Use --print-limit option\n", 1), "ERROR SUMMARY: 9 errors")
        self.assertEqual(record.verdict("killed", 137), "no summary, exit status 137")
        self.assertEqual(record.verdict("[  PASSED  ] 3 tests.", 0), record.NO_CALL)

    def test_sanitizer_runs_every_tool_on_every_program(self):
        self.program("CMakeCache.txt", "")
        self.program("bin/compute-sanitizer", 'echo "========= ERROR SUMMARY: 0 errors"')
        for name in ("tests/View_test", "tests/gpu/gpu_Ring_test"):
            self.program(name, "")
        self.assertEqual(self.record("sanitizer").returncode, 0)
        runs = self.written("sanitizer")["runs"]
        self.assertEqual({(r["program"], r["tool"]) for r in runs},
                         {(p, t) for p in ("View_test", "gpu_Ring_test") for t in record.TOOLS})
        self.assertTrue(all(record.is_clean(r) for r in runs))

    def test_what_hangs_is_listed_and_is_not_well(self):
        self.program("CMakeCache.txt", "")
        # The tool starts the program, which continues if only the tool is killed.
        self.program("bin/compute-sanitizer", 'test "$1" = --version && exec echo 1; for p; do :; done; "$p"; echo ended')
        self.program("tests/View_test", f"""test "$1" && printf 'View.\\n  it\\n  hangs  # why\\nViewDeathTest.\\n  it\\n' && exit
test $GTEST_FILTER = View.it && echo '==== ERROR SUMMARY: 0 errors' && exit
sleep 3; echo on >> {self.folder / "on"}""")
        self.assertEqual(self.record("sanitizer", "--seconds", "1", "--jobs", "3").returncode, 1)
        runs = self.written("sanitizer")["runs"]
        self.assertEqual([(r["summary"], r["did_not_end"]) for r in runs],
                         3 * [("ERROR SUMMARY: 0 errors", ["View.hangs"])])
        time.sleep(3)
        self.assertFalse((self.folder / "on").exists())

    def test_of_tests_run_one_by_one_the_worst_summary_counts(self):
        self.program("CMakeCache.txt", "")
        self.program("bin/compute-sanitizer", 'test "$1" = --version && exec echo 1; for p; do :; done; "$p"')
        self.program("tests/View_test", """test "$1" && printf 'View.\\n  calls_nothing\\n  calls\\n  hangs\\n' && exit
case $GTEST_FILTER in
View.calls_nothing) ;;
View.calls) echo "= ERROR SUMMARY: $errors errors" ;;
*) sleep 3 ;;
esac""")
        for errors, summary in (("0", "ERROR SUMMARY: 0 errors"), ("2", "ERROR SUMMARY: 2 errors")):
            with unittest.mock.patch.dict(os.environ, errors=errors):
                self.assertEqual(self.record("sanitizer", "--seconds", "1", "--jobs", "6").returncode, 1)
            self.assertEqual({r["summary"] for r in self.written("sanitizer")["runs"]}, {summary})

    def test_death_tests_are_left_out_under_the_sanitizer(self):
        self.program("CMakeCache.txt", "")
        self.program("bin/compute-sanitizer", 'test "$GTEST_FILTER" = "-*DeathTest*" && echo "= ERROR SUMMARY: 0 errors"')
        self.program("tests/View_test", "")
        self.assertEqual(self.record("sanitizer").returncode, 0)
        self.assertIn("without death tests", self.written("sanitizer")["context"]["command"])

    def test_a_benchmark_keeps_its_context_and_gets_ours(self):
        (self.folder / "CMakeCache.txt").write_text("CMAKE_BUILD_TYPE:STRING=Release\nKokkos_ARCH_HOPPER90:BOOL=ON\n")
        out = """'{"context": {"num_cpus": 3, "executable": "/home/me/b"}, "benchmarks": [{"name": "scan"}]}'"""
        self.program("benchmarks/Copies_benchmark", f"echo {out} > ${{1#--benchmark_out=}}")
        self.assertEqual(self.record("benchmarks").returncode, 0)
        written = self.written("copies")
        self.assertEqual(written["benchmarks"], [{"name": "scan"}])
        self.assertEqual((written["context"]["num_cpus"], written["context"]["commit"]), (3, "abc"))
        self.assertNotIn("executable", written["context"])
        self.assertIn("HOPPER90", written["context"]["toolkit"])

    def test_a_benchmark_that_fails_is_not_well(self):
        self.program("CMakeCache.txt", "")
        self.program("benchmarks/Copies_benchmark", "exit 3")
        self.assertEqual(self.record("benchmarks").returncode, 1)

    def test_bad_arguments_are_refused_in_sentences(self):
        self.assertIn("is not a build folder", self.record().stderr)
        self.program("CMakeCache.txt", "")
        self.assertIn("'speed' cannot be recorded", self.record("speed").stderr)


if __name__ == "__main__":
    unittest.main()
