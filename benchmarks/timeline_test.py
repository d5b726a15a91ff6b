#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of timeline.py: the drawings of records, and the records that it refuses."""

import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import timeline  # noqa: E402

HEAD = "seconds\tevent\tthread\tnumber\tdevice\tbytes\tlabel\tdetails"
CUDA = 2 << 24


def event(t, what, thread=0, number=0, device=0, size=0, label="", details=""):
    return f"{t}\t{what}\t{thread}\t{number}\t{device}\t{size}\t{label}\t{details}"


def track(t, n, number, copied_in, copied_out):
    """The calls of one track for one chunk at time t; the copies end asynchronously on thread 1."""
    calls = [event(t, "region+", label=f"track {n}"),
             event(t + 1, "copy+", number=number, size=8, label="in", details="Host > Cuda"),
             event(t + 2, "for+", number=number + 1, device=CUDA, label="kernel"),
             event(t + 2.5, "for-", number=number + 1),
             event(t + 3, "copy+", number=number + 2, size=8, label="out", details="Cuda > Host"),
             event(t + 4, "region-")]
    return calls + [event(copied_in, "copy-", thread=1), event(copied_out, "copy-", thread=1)]


class TimelineTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, lines, name="record.tsv"):
        path = Path(self.folder.name) / name
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    def record(self, lines, everything=False):
        return timeline.Record(timeline.read_events(self.file([HEAD, *lines])), "^track ", everything)

    def run_script(self, *arguments):
        script = Path(__file__).parent / "timeline.py"
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True)

    def refused(self, saying, *arguments):
        result = self.run_script(*arguments)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(saying, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_json_draws_the_same_picture(self):
        events = self.file([HEAD, *track(0.25, 0, 1, 10, 20), *track(0.5, 1, 4, 12, 21),
                            event(5, "fence+", number=9, label="wait"), event(21, "fence-", number=9)])
        saved, drawn, redrawn = (str(Path(self.folder.name) / name) for name in ("saved.json", "drawn.svg", "redrawn.svg"))
        for arguments in ((events, "--title", "a < b", "-o", drawn), (saved, "-o", redrawn)):
            self.assertEqual(self.run_script(events, "--title", "a < b", "--context", "commit=abc", "--json", saved).returncode, 0)
            result = self.run_script(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(Path(drawn).read_text(), Path(redrawn).read_text())
        self.assertIn('"commit": "abc"', Path(saved).read_text())
        self.assertEqual(xml.parse(redrawn).getroot().tag.rpartition("}")[2], "svg")

    def test_trace_has_the_same_bars(self):
        events = self.file([HEAD, *track(0.25, 0, 1, 10, 20), event(5, "fence+", number=9, label="wait"), event(21, "fence-", number=9)])
        trace = str(Path(self.folder.name) / "trace.json")
        self.assertEqual(self.run_script(events, "--title", "run", "--trace", trace).returncode, 0)
        written = json.loads(Path(trace).read_text())["traceEvents"]
        rows = {e["tid"]: e["args"]["name"] for e in written if e["name"] == "thread_name"}
        self.assertEqual(sorted(rows.values()), ["host thread 0", "track 0"])
        bars = {(rows[e["tid"]], e["cat"], e["ts"], e.get("dur")) for e in written if e["ph"] in "Xi"}
        # Times are in microseconds after the first call, at 1.25 s.
        self.assertIn(("track 0", "copy to the device", 0, 8.75e6), bars)
        self.assertIn(("track 0", "copy to the host", 8.75e6, 10e6), bars)
        self.assertIn(("track 0", "kernel", 8.75e6, None), bars)
        self.assertIn(("host thread 0", "host waits in a fence", 3.75e6, 16e6), bars)
        self.assertEqual([e["args"] for e in written if e.get("cat") == "copy to the host"], [{"bytes": 8}])

    def test_json_of_others_is_refused(self):
        self.refused("is not a file that --json wrote", self.file(['{"benchmarks": []}'], "other.json"))
        self.refused("is not a file that --json wrote", self.file(["no json"], "none.json"))
        self.refused("must be NAME=TEXT", self.file([HEAD]), "--context", "commit")

    def test_asynchronous_copies_last_until_they_have_ended(self):
        record = self.record(track(0, 0, 1, 10, 20))
        copy_in, kernel, copy_out = record.steps["track 0"]
        self.assertEqual((copy_in.kind, copy_in.begin, copy_in.end), ("in", 1, 10))
        self.assertEqual((kernel.kind, kernel.begin), ("kernel", 10))
        self.assertEqual((copy_out.kind, copy_out.begin, copy_out.end), ("out", 10, 20))
        self.assertEqual(record.host[0], [("busy", 0, 4, "launching into track 0")])

    def test_ends_of_several_tracks(self):
        """One engine for each direction: in 0, in 1, out 0, out 1."""
        calls = track(0, 0, 1, 10, 30)[:-2] + track(5, 1, 4, 20, 40)[:-2]
        ends = [event(t, "copy-", thread=1) for t in (10, 20, 30, 40)]
        record = self.record(calls + ends)
        self.assertEqual([s.end for s in record.steps["track 0"]], [10, 10, 30])
        self.assertEqual([s.end for s in record.steps["track 1"]], [20, 20, 40])

    def test_copies_that_the_caller_waits_for_end_on_its_thread(self):
        calls = track(0, 0, 1, 10, 20)
        own = [event(5, "copy+", number=9, label="own", details="Host > Host"), event(6, "copy-")]
        record = self.record([*calls[:-2], *own, *calls[-2:]], True)
        self.assertEqual([(s.kind, s.begin, s.end) for s in record.steps["copies"]], [("within", 5, 6)])
        self.assertEqual([s.end for s in record.steps["track 0"]], [10, 10, 20])

    def test_without_tracks_there_is_a_row_for_each_instance(self):
        record = self.record([event(0, "for+", number=1, device=CUDA + 3, label="k"), event(1, "for-", number=1),
                              event(2, "fence+", number=2, device=CUDA + 3), event(5, "fence-", number=2)])
        self.assertEqual(list(record.steps), ["Cuda 0, instance 3"])
        self.assertEqual(record.steps["Cuda 0, instance 3"][0].end, 5)

    def test_kernels_of_host_backends_end_when_their_call_does(self):
        record = self.record([event(0, "for+", number=1, device=1 << 24, label="k"), event(1, "for-", number=1)])
        self.assertEqual(record.steps["OpenMP 0, instance 0"][0].end, 1)

    def test_what_lies_outside_of_tracks_is_drawn_on_request(self):
        other = event(0, "for+", number=90, device=CUDA, label="k")
        self.assertEqual(list(self.record([other, *track(1, 0, 1, 10, 20)]).steps), ["track 0"])
        self.assertIn("Cuda 0, instance 0", self.record([other, *track(1, 0, 1, 10, 20)], True).steps)

    def test_a_picture_of_two_records(self):
        first = self.file([HEAD, *track(0, 0, 1, 10, 20), *track(5, 1, 4, 15, 25)])
        second = self.file([HEAD, *track(0, 0, 1, 10, 20)], "a<b.tsv")
        out = str(Path(self.folder.name) / "out.svg")
        result = self.run_script(first, second, "-o", out, "--title", "one & two")
        self.assertEqual(result.returncode, 0, result.stderr)
        words = [node.text for node in xml.parse(out).iter("{http://www.w3.org/2000/svg}text")]
        for expected in ("one & two: 24000.0 ms", "a<b: 19000.0 ms", "track 0", "track 1", "host thread 0"):
            self.assertIn(expected, words)

    def test_refusals(self):
        self.refused("cannot be read", "nowhere.tsv")
        self.refused("is not a record", self.file(["hello"]))
        self.refused("is not a record", self.file([""]))
        self.refused("line 2 is damaged", self.file([HEAD, "0.5\tcopy+\tx"]))
        self.refused("nothing to draw", self.file([HEAD, event(0, "fence+", number=1)]))
        good = self.file([HEAD, *track(0, 0, 1, 10, 20)])
        self.refused("cannot be written", good, "-o", self.folder.name + "/nowhere/out.svg")
        self.refused("is not a regular expression", good, "--tracks", "(")
        self.refused("must be after", good, "--to", "-1")


if __name__ == "__main__":
    unittest.main()
