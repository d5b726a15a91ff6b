#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the ratios of results/*.json as bars.

    benchmarks/plot.py OUTPUT.svg TITLE RESULTS.json...

Each benchmark with a counter `ratio` becomes a bar, with a grey bar below it if it has `upstream_ratio`, too. If several
files have the same benchmark, the last file is used. A mark shows the target (claims.json); a bar that misses it is lighter.
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
    """Returns rows (name, ratio, ratio of upstream or None), in the order of the files, and sources: lines about hardware and
    commit."""
    rows, sources = {}, []
    for path in paths:
        data = json.loads(pathlib.Path(path).read_text())
        context = data["context"]
        for line in (f"commit {context.get('commit', '?')}; {context.get('hardware', '?')}", context.get("toolkit")):
            if line and line not in sources:
                sources.append(line)
        for benchmark in data["benchmarks"]:
            if "ratio" in benchmark:
                rows[evidence.short_name(benchmark["name"])] = benchmark["ratio"], benchmark.get("upstream_ratio")
    return [(name, *ratios) for name, ratios in rows.items()], sources


def draw(title, rows, sources):
    with_upstream = [row for row in rows if row[2] is not None]
    height = 70 + ROW * len(rows) + ROW // 2 * len(with_upstream) + 18 * len(sources)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="10" y="22" font-size="16">{html.escape(title)}</text>',
    ]
    if with_upstream:
        out.append(f'<text x="{WIDTH - 10}" y="22" text-anchor="end" fill="#8a8f98">grey: upstream</text>')
    y = 44
    for name, ratio, upstream in rows:
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
        if upstream is not None:
            length = min(upstream, 1.2) * SCALE
            out.append(f'<rect x="{LABEL}" y="{y - 6}" width="{length:.1f}" height="{ROW // 2 - 2}" fill="#b9bec6"/>')
            out.append(f'<text x="{LABEL + max(length, SCALE) + 12:.1f}" y="{y + 3}" font-size="11" fill="#8a8f98">{upstream:.3f}</text>')
            y += ROW // 2
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
