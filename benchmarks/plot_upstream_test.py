#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of plot_upstream.py: the lines of a panel, and results that it refuses."""

import json
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import plot_upstream  # noqa: E402


def benchmark(name, here, upstream):
    return {"name": name, "real_time": here, "upstream": upstream}


class PlotUpstreamTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.output = Path(self.folder.name) / "picture.svg"

    def draw(self, benchmarks, panel):
        results = Path(self.folder.name) / "results.json"
        results.write_text(json.dumps({"context": {"hardware": "a <GPU>"}, "benchmarks": benchmarks}))
        plot_upstream.main([str(self.output), "A title", str(results), panel])

    def test_slower_points_are_higher_and_larger_sizes_are_to_the_right(self):
        self.draw([benchmark("latency/copy/1MB", 100, 1000), benchmark("latency/copy/8B", 1, 10),
                   benchmark("latency/other/8B", 5, 5)], "copy=a copy")
        lines = [element for element in xml.parse(self.output).iter() if element.tag.endswith("polyline")]
        self.assertEqual(len(lines), 2)
        upstream, here = [[float(v) for v in re.split("[ ,]", line.get("points"))] for line in lines]
        self.assertEqual(upstream[0], here[0])
        self.assertLess(upstream[1], here[1])  # the first y: upstream takes longer, and y grows downwards
        self.assertLess(upstream[0], upstream[2])
        self.assertAlmostEqual(2 * (here[1] - upstream[1]), upstream[1] - upstream[3], delta=0.3)  # 10 times, and 100 times
        texts = " ".join(element.text or "" for element in xml.parse(self.output).iter())
        for words in ("A title", "a copy", "8B", "a <GPU>"):
            self.assertIn(words, texts)

    def test_an_operation_without_times_of_upstream_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "No benchmark copy/<size> has a time of upstream"):
            self.draw([{"name": "latency/copy/8B", "real_time": 1}], "copy=a copy")

    def test_a_panel_without_a_heading_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "OPERATION=HEADING"):
            self.draw([benchmark("latency/copy/8B", 1, 2)], "copy")


if __name__ == "__main__":
    unittest.main()
