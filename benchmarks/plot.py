#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the ratios of results/*.json as bars.

    benchmarks/plot.py OUTPUT.svg TITLE RESULTS.json...

Each benchmark with a counter `ratio` becomes a bar. If several files have the same benchmark, the last file is used. A
mark shows the target (claims.json); a bar that misses it is lighter.
"""
import html
import json
import pathlib
import sys

import evidence

ROW = 22
LABEL = 330
SCALE = 360  # pixels for a ratio of 1
WIDTH = LABEL + int(1.2 * SCALE) + 150


def read(paths):
    """Returns rows (name, ratio), in the order of the files, and sources: lines about hardware and commit."""
    rows, sources = {}, []
    for path in paths:
        data = json.loads(pathlib.Path(path).read_text())
        context = data["context"]
        line = f"commit {context.get('commit', '?')}; {context.get('hardware', '?')}; {context.get('toolkit', '?')}"
        if line not in sources:
            sources.append(line)
        for benchmark in data["benchmarks"]:
            if "ratio" in benchmark:
                rows[evidence.short_name(benchmark["name"])] = benchmark["ratio"]
    return list(rows.items()), sources


def draw(title, rows, sources):
    height = 70 + ROW * len(rows) + 18 * len(sources)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="10" y="22" font-size="16">{html.escape(title)}</text>',
    ]
    y = 44
    for name, ratio in rows:
        wanted = evidence.target_of(name)
        met = wanted is None or ratio >= wanted
        length = min(ratio, 1.2) * SCALE
        out.append(f'<text x="{LABEL - 8}" y="{y + 12}" text-anchor="end">{html.escape(name)}</text>')
        out.append(
            f'<rect x="{LABEL}" y="{y}" width="{length:.1f}" height="{ROW - 6}" fill="{"#2f6f9f" if met else "#c9a06a"}"/>'
        )
        if wanted is not None:
            x = LABEL + wanted * SCALE
            out.append(f'<line x1="{x:.1f}" y1="{y - 2}" x2="{x:.1f}" y2="{y + ROW - 4}" stroke="black" stroke-width="2"/>')
        out.append(f'<text x="{LABEL + max(length, SCALE) + 12:.1f}" y="{y + 12}">{ratio:.3f}</text>')
        y += ROW
    x = LABEL + SCALE
    out.append(f'<line x1="{x}" y1="38" x2="{x}" y2="{y}" stroke="#888" stroke-dasharray="3,3"/>')
    y += 16
    for line in sources:
        out.append(f'<text x="10" y="{y}" font-size="11" fill="#555">{html.escape(line)}</text>')
        y += 18
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    output, title, *results = arguments
    rows, sources = read(results)
    pathlib.Path(output).write_text(draw(title, rows, sources))


if __name__ == "__main__":
    main(sys.argv[1:])
