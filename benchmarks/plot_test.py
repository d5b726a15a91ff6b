#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of plot.py: bars of this library and of upstream."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import plot  # noqa: E402


class PlotTest(unittest.TestCase):
    def draw(self, *benchmarks):
        with tempfile.TemporaryDirectory() as folder:
            results, output = Path(folder) / "results.json", Path(folder) / "picture.svg"
            results.write_text(json.dumps({"context": {"hardware": "a <CPU>", "commit": "abc"}, "benchmarks": benchmarks}))
            plot.main([str(output), "A title", str(results)])
            return output.read_text()

    def bars(self, picture):
        """The widths of all bars, without the background."""
        return [float(width) for width in re.findall(r'<rect x=.*? width="([\d.]+)"', picture)]

    def test_a_ratio_is_a_bar(self):
        picture = self.draw({"name": "one/min_time:0.1", "ratio": 0.5}, {"name": "no ratio"})
        self.assertEqual(self.bars(picture), [0.5 * plot.SCALE])
        self.assertIn("a &lt;CPU&gt;", picture)
        self.assertNotIn("upstream", picture)

    def test_the_bar_of_upstream_follows(self):
        picture = self.draw({"name": "one", "ratio": 1, "upstream_ratio": 0.25}, {"name": "two", "ratio": 0.75})
        self.assertEqual(self.bars(picture), [plot.SCALE, 0.25 * plot.SCALE, 0.75 * plot.SCALE])
        self.assertIn("grey: upstream", picture)

    def test_long_bars_are_cut(self):
        self.assertEqual(self.bars(self.draw({"name": "one", "ratio": 7})), [1.2 * plot.SCALE])


if __name__ == "__main__":
    unittest.main()
