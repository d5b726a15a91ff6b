#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws times by size, beside those of upstream from the same run.

    benchmarks/plot_upstream.py OUTPUT.svg TITLE RESULTS.json OPERATION=HEADING...

Each OPERATION becomes a panel with two lines. Its points are the benchmarks <group>/OPERATION/<size> with real_time and
upstream, in microseconds. Both axes are logarithmic.
"""
import html
import json
import math
import pathlib
import sys

COLUMNS = 3
PANEL_WIDTH, PANEL_HEIGHT = 300, 230
LEFT, RIGHT, TOP, BOTTOM = 48, 14, 40, 34  # margins of the axes inside a panel
HEAD, FOOT = 58, 42
LINES = {"upstream": "#999999", "real_time": "#2f6f9f"}
UNITS = {"B": 1, "KB": 1 << 10, "MB": 1 << 20}


def bytes_of(size):
    """Returns the bytes of a size such as 16KB."""
    digits = "".join(c for c in size if c.isdigit())
    return int(digits) * UNITS[size[len(digits):]]


def points_of(benchmarks, operation):
    """Returns (size, bytes, times) of the operation by size; times has the keys of LINES."""
    points = []
    for benchmark in benchmarks:
        group, _, rest = benchmark["name"].partition("/")
        name, _, size = rest.partition("/")
        if name == operation and "upstream" in benchmark:
            points.append((size, bytes_of(size), {key: benchmark[key] for key in LINES}))
    if not points:
        sys.exit(f"No benchmark {operation}/<size> has a time of upstream. The name is the middle part of a name such as latency/sync_h2d/8B.")
    return sorted(points, key=lambda point: point[1])


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def draw_panel(heading, points, limits, x0, y0):
    """Returns the elements of one panel whose upper left corner is at x0, y0. limits: powers of ten of the times."""
    width, height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM
    first, last = math.log2(points[0][1]), math.log2(points[-1][1])

    def at(count, time):
        x = (math.log2(count) - first) / (last - first)
        y = (math.log10(time) - limits[0]) / (limits[-1] - limits[0])
        return x0 + LEFT + x * width, y0 + TOP + (1 - y) * height

    out = [f'<text x="{x0 + LEFT}" y="{y0 + TOP - 10}">{html.escape(heading)}</text>']
    for power in limits:
        _, y = at(points[0][1], 10**power)
        out.append(f'<line x1="{x0 + LEFT}" y1="{y:.1f}" x2="{x0 + LEFT + width}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        out.append(f'<text x="{x0 + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" font-size="11">{10**power:,}</text>')
    for size, count, _ in points[::3]:
        x, _ = at(count, 10 ** limits[0])
        out.append(f'<text x="{x:.1f}" y="{y0 + TOP + height + 16}" text-anchor="middle" font-size="11">{size}</text>')
    for key, colour in LINES.items():
        path = " ".join("{:.1f},{:.1f}".format(*at(count, times[key])) for _, count, times in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return out


def draw(title, sources, panels):
    """Returns the picture. sources: up to two lines below the panels. panels: (heading, points) each."""
    times = [time for _, points in panels for _, _, both in points for time in both.values()]
    limits = decades(min(times), max(times))
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = COLUMNS * PANEL_WIDTH, HEAD + rows * PANEL_HEIGHT + FOOT
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="10" y="22" font-size="16">{html.escape(title)}</text>',
        f'<text x="10" y="44">Microseconds by size: <tspan fill="{LINES["real_time"]}">this library</tspan>, '
        f'<tspan fill="{LINES["upstream"]}">upstream</tspan>. Less is faster.</text>',
    ]
    for i, (heading, points) in enumerate(panels):
        out += draw_panel(heading, points, limits, i % COLUMNS * PANEL_WIDTH, HEAD + i // COLUMNS * PANEL_HEIGHT)
    for i, line in enumerate(sources):
        out.append(f'<text x="10" y="{height - 26 + 18 * i}" font-size="11" fill="#555">{html.escape(line)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main(arguments):
    if len(arguments) < 4 or any("=" not in panel for panel in arguments[3:]):
        sys.exit(__doc__)
    output, title, results, *panels = arguments
    data = json.loads(pathlib.Path(results).read_text())
    context = data["context"]
    sources = [f"{pathlib.Path(results).name}; {context.get('hardware', '?')}", context.get("reference", "?")]
    split = [panel.split("=", 1) for panel in panels]
    drawn = draw(title, sources, [(heading, points_of(data["benchmarks"], name)) for name, heading in split])
    pathlib.Path(output).write_text(drawn)


if __name__ == "__main__":
    main(sys.argv[1:])
