#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what benchmarks/tools/timeline_tool.cpp recorded: instances, copies and kernels over time, as SVG.

    timeline.py pageable.tsv pinned.tsv upstream.tsv -o timeline.svg [--title TEXT]... [--from S] [--to S]
    timeline.py pageable.tsv pinned.tsv --json result.json; timeline.py result.json -o timeline.svg

    timeline.py pageable.tsv --trace trace.json       for https://ui.perfetto.dev and chrome://tracing

--json writes the bars, with the hardware and --context, instead of a drawing; events are many times larger.
One panel per record, all with the same scale. In a panel:
  host       a row for each calling thread: grey while it is busy in a region, red while it waits in a fence
  tracks     a row for each track: each region whose name matches --tracks (default: "^track "). With --all, or if a record
             has no such region, also a row for each instance that launches kernels, and one for other copies
Operations of a track run in order, so a copy is drawn from the later of its call and the end of the track's previous copy,
to the event that reports its end. Tools get no event at the end of a kernel on a device. The kernel runs after its call
and after the track's previous copy, and ends before the next copy does, so it is drawn at the beginning of that copy; if
no copy follows, it ends with the next fence. Kernels of host backends end with their call. The event at the end of an
asynchronous copy does not name the copy, which follows from the order of tracks and of the device's copy engines.
"""

import argparse
import datetime
import json
import re
import sys
from collections import defaultdict
from html import escape
from pathlib import Path
from types import SimpleNamespace

COLOURS = {"in": "#2b7bba", "out": "#3a9d5d", "within": "#8a8f98", "kernel": "#e08214", "busy": "#b9bec6",
           "wait": "#d1495b"}
LEGEND = [("in", "copy to the device"), ("kernel", "kernel"), ("out", "copy to the host"), ("within", "other copy"),
          ("busy", "host launches"), ("wait", "host waits in a fence")]
KERNELS = ("for", "reduce", "scan")
HOST_DEVICES = (0, 1, 5, 6)  # kinds of devices, with the numbers of the tools' interface: Serial, OpenMP, HPX, Threads
HOST_SPACES = ("Host", "HostPinned", "CudaHostPinned", "HIPHostPinned", "HBW")


def fail(sentence):
    sys.exit(f"timeline.py: {sentence}")


def read_events(path):
    """The lines of a record, as objects. Ends the program if the file is not a record."""
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        fail(f"{path}: cannot be read ({error.strerror}).")
    if not lines or not lines[0].startswith("seconds\tevent\tthread\t"):
        fail(f"{path}: is not a record of the timeline tool: its first line must name the columns.")
    events = []
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        try:
            t, what, (thread, number_of, device, size) = float(fields[0]), fields[1], map(int, fields[2:6])
            events.append(SimpleNamespace(t=t, what=what, thread=thread, number=number_of, device=device, bytes=size,
                                          label=fields[6], details=fields[7]))
        except (IndexError, ValueError):
            fail(f"{path}: line {number} is damaged or incomplete: {line[:60]!r}.")
    return sorted(events, key=lambda e: e.t)


def direction(details):
    """The direction of a copy, from the names of its spaces."""
    source, _, target = details.partition(" > ")
    from_host, to_host = source in HOST_SPACES, target in HOST_SPACES
    return "within" if from_host == to_host else "in" if from_host else "out"


def instance_name(device):
    kinds = ("Serial", "OpenMP", "Cuda", "HIP", "OpenMPTarget", "HPX", "Threads", "SYCL", "OpenACC")
    kind = device >> 24
    return f"{kinds[kind] if kind < len(kinds) else 'device'} {device >> 17 & 127}, instance {device & 0x1ffff}"


class Record:
    """The steps of tracks and of host threads, built from events."""

    def __init__(self, events, track_pattern, everything):
        self.steps = defaultdict(list)  # track -> steps, in the order of their calls
        self.host = defaultdict(list)   # thread -> (kind, begin, end, text)
        self.end = events[-1].t if events else 0.0
        self.unmatched = 0
        self._regions = defaultdict(list)
        self._open_copies, self._open = [], {}
        self._free = defaultdict(float)  # when tracks, and the engines of both directions, finished their earlier work
        self._pattern = re.compile(track_pattern)
        for event in events:
            self._take(event)
        tracks = {name for name in self.steps if self._pattern.search(name)}
        if tracks and not everything:
            self.steps = {name: self.steps[name] for name in tracks}
        self._settle()

    def _track(self, event, otherwise):
        for name, _ in reversed(self._regions[event.thread]):
            if self._pattern.search(name):
                return name
        return otherwise

    def _take(self, e):
        name, is_begin = e.what[:-1], e.what.endswith("+")
        if name == "region":
            if is_begin:
                self._regions[e.thread].append((e.label, e.t))
            elif self._regions[e.thread]:
                label, begin = self._regions[e.thread].pop()
                if self._pattern.search(label):
                    self.host[e.thread].append(("busy", begin, e.t, f"launching into {label}"))
        elif name == "fence":
            if is_begin:
                self._open[e.number] = e
            elif e.number in self._open:
                b = self._open.pop(e.number)
                self.host[b.thread].append(("wait", b.t, e.t, b.label))
        elif name == "copy":
            self._copy(e) if is_begin else self._copy_ended(e)
        elif name in KERNELS and is_begin:
            track = self._track(e, instance_name(e.device))
            step = SimpleNamespace(kind="kernel", call=e.t, end=None, text=e.label, bytes=0)
            self.steps[track].append(step)
            if e.device >> 24 in HOST_DEVICES:
                self._open[e.number] = step
        elif name in KERNELS and e.number in self._open:
            self._open.pop(e.number).end = e.t

    def _copy(self, e):
        step = SimpleNamespace(kind=direction(e.details), call=e.t, end=None, text=f"{e.label} ({e.details})",
                               bytes=e.bytes, thread=e.thread, track=self._track(e, "copies"))
        self.steps[step.track].append(step)
        self._open_copies.append(step)

    def _copy_ended(self, e):
        """Finds the copy that has ended, because the event does not identify it. An event on the thread of an open copy
        ends the latest copy of that thread, for which the caller waited. An event on another thread ends an asynchronous
        copy: the first open copy of one of the tracks, since tracks are in order. Among these, the copy that could begin
        first has ended, since a device has one engine for each direction, which copies one after the other."""
        own = [step for step in self._open_copies if step.thread == e.thread]
        heads = {}
        for open_step in self._open_copies:
            heads.setdefault(open_step.track, open_step)

        def could_begin(s):  # a kernel may precede a copy to the host
            return max(s.call, self._free[s.track], self._free[s.kind]), s.kind != "in", s.call

        step = own[-1] if own else min(heads.values(), key=could_begin, default=None)
        if step is None:
            self.unmatched += 1
            return
        self._open_copies.remove(step)
        step.end = self._free[step.track] = self._free[step.kind] = e.t

    def _settle(self):
        """Turns the calls and ends of a track into bars that do not overlap."""
        waits = sorted(end for steps in self.host.values() for kind, _, end, _ in steps if kind == "wait")
        for steps in self.steps.values():
            free = 0.0
            for i, step in enumerate(steps):
                step.begin = max(step.call, free)
                if step.end is None:
                    following = steps[i + 1] if i + 1 < len(steps) else None
                    if step.kind == "kernel" and following is not None and following.kind != "kernel":
                        step.end = step.begin  # ends within the next operation
                    else:
                        step.end = next((t for t in waits if t >= step.begin), self.end)
                        if following is not None:
                            step.end = min(step.end, max(step.begin, following.call))
                step.end = max(step.end, step.begin)
                free = step.end

    def first(self):
        return min((s.call for steps in self.steps.values() for s in steps), default=0.0)

    def last(self):
        return max((s.end for steps in self.steps.values() for s in steps), default=self.end)


    def panel(self, title):
        """What is drawn, for JSON: times in microseconds after the first step."""
        first = self.first()

        def after(t):
            return round((t - first) * 1e6, 1)

        hosts = {str(thread): [[kind, after(b), after(e), text] for kind, b, e, text in bars if e >= first]
                 for thread, bars in sorted(self.host.items())}
        tracks = {track: [[s.kind, after(s.begin), after(s.end), s.text, s.bytes] for s in self.steps[track]]
                 for track in sorted(self.steps, key=natural)}
        return {"title": title, "microseconds": after(self.last()), "hosts": hosts, "tracks": tracks}


class SavedRecord:
    """A panel of a JSON file, to be drawn like a Record."""
    unmatched = 0

    def __init__(self, panel):
        self.title, self._last = panel["title"], panel["microseconds"] / 1e6
        self.host = {int(thread): [(kind, b / 1e6, e / 1e6, text) for kind, b, e, text in bars]
                     for thread, bars in panel["hosts"].items()}
        self.steps = {track: [SimpleNamespace(kind=kind, begin=b / 1e6, end=e / 1e6, text=text, bytes=size)
                             for kind, b, e, text, size in bars] for track, bars in panel["tracks"].items()}

    def first(self):
        return 0.0

    def last(self):
        return self._last


def saved_records(path):
    """The panels of a JSON file. Ends the program if it has none."""
    try:
        return [SavedRecord(panel) for panel in json.loads(Path(path).read_text(encoding="utf-8"))["panels"]]
    except OSError as error:
        fail(f"{path}: cannot be read ({error.strerror}).")
    except (KeyError, TypeError, ValueError) as error:
        fail(f"{path}: is not a file that --json wrote ({type(error).__name__}: {error}).")


def natural(name):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


class Drawing:
    WIDTH, LEFT, ROW, BAR = 1200, 150, 22, 16

    def __init__(self):
        self.parts, self.y = [], 10

    def text(self, x, y, text, size=12, anchor="start", weight="normal"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
                          f'font-weight="{weight}">{escape(text)}</text>')

    def bar(self, x, y, width, height, colour, tip):
        self.parts.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{max(width, 0.8):.2f}" height="{height}" '
                          f'fill="{colour}"><title>{escape(tip)}</title></rect>')

    def line(self, x1, y1, x2, y2):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#444"/>')

    def legend(self):
        x = self.LEFT
        for key, words in LEGEND:
            self.bar(x, self.y + 2, 12, 12, COLOURS[key], words)
            self.text(x + 17, self.y + 12, words)
            x += 35 + 7 * len(words)
        self.y += 30

    def panel(self, record, title, begin, span):
        inner = self.WIDTH - self.LEFT - 10
        scale = inner / span

        def at(t):
            return self.LEFT + min(max(t - begin, 0.0), span) * scale

        def bar(kind, b, e, y, tip, height=self.BAR):
            if e >= begin and b <= begin + span:
                self.bar(at(b), y, at(e) - at(b), height, COLOURS[kind], f"{tip}: {(b - begin) * 1e3:.3f} to "
                                                                         f"{(e - begin) * 1e3:.3f} ms")
        self.text(10, self.y + 14, title, 14, weight="bold")
        self.y += 22
        for thread in sorted(record.host):
            self.text(self.LEFT - 8, self.y + 13, f"host thread {thread}", anchor="end")
            for kind, b, e, tip in record.host[thread]:
                bar(kind, b, e, self.y, tip)
            self.y += self.ROW
        for track in sorted(record.steps, key=natural):
            self.text(self.LEFT - 8, self.y + 13, track, anchor="end")
            marks = []
            for step in record.steps[track]:
                size = f", {step.bytes} bytes" if step.bytes else ""
                if step.kind == "kernel" and step.end == step.begin:  # unknown duration: a mark at its start
                    marks.append((at(step.begin) - 1.5, self.y - 2, f"{step.text} begins here or later"))
                else:
                    bar(step.kind, step.begin, step.end, self.y, step.text + size)
            for x, y, tip in marks:  # on top of the bars
                if self.LEFT <= x <= self.WIDTH - 10:
                    self.bar(x, y, 3, self.BAR + 4, COLOURS["kernel"], tip)
            self.y += self.ROW
        self.axis(at, begin, span)

    def axis(self, at, begin, span):
        step = 10 ** len(str(int(span * 1e9))) / 1e9 / 10
        while span / step < 5:
            step /= 2
        self.line(self.LEFT, self.y + 2, self.WIDTH - 10, self.y + 2)
        for i in range(int(span / step) + 1):
            x = at(begin + i * step)
            self.line(x, self.y + 2, x, self.y + 7)
            self.text(x, self.y + 20, f"{i * step * 1e3:g} ms", 11, "middle")
        self.y += 40

    def svg(self):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.WIDTH}" height="{self.y}" '
                f'viewBox="0 0 {self.WIDTH} {self.y}" font-family="sans-serif" fill="#222">')
        return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *self.parts, "</svg>", ""])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", nargs="+", help="files of the timeline tool, or of --json")
    parser.add_argument("-o", "--output", default="timeline.svg")
    parser.add_argument("--json", metavar="FILE", help="write this file instead of a drawing")
    parser.add_argument("--trace", metavar="FILE", help="write the trace events of Chrome and Perfetto instead of a drawing")
    parser.add_argument("--context", action="append", default=[], metavar="NAME=TEXT", help="a property of the run, for --json")
    parser.add_argument("--title", action="append", default=[], help="title of a panel, in order (default: file name)")
    parser.add_argument("--tracks", default="^track ", metavar="REGEX", help="regions whose name matches are tracks")
    parser.add_argument("--all", action="store_true", help="also draw operations outside of tracks")
    parser.add_argument("--from", type=float, default=0.0, dest="start", metavar="SECONDS", help="begin of the drawing, after the first step")
    parser.add_argument("--to", type=float, metavar="SECONDS", help="end of the drawing, after the first step (default: the end of the record)")
    arguments = parser.parse_args()
    try:
        re.compile(arguments.tracks)
    except re.error as error:
        fail(f"--tracks {arguments.tracks}: is not a regular expression ({error}).")
    for text in arguments.context:
        if "=" not in text:
            fail(f"--context {text}: must be NAME=TEXT.")
    return arguments


def read_records(arguments):
    """Records with titles, in the order of the panels."""
    records = []
    for path in arguments.record:
        if path.endswith(".json"):
            records += saved_records(path)
            continue
        record = Record(read_events(path), arguments.tracks, arguments.all)
        record.title = Path(path).stem
        if not record.steps:
            fail(f"{path}: contains neither a kernel nor a copy, so there is nothing to draw.")
        if record.unmatched:
            print(f"timeline.py: {path}: {record.unmatched} ends of copies belong to no begun copy", file=sys.stderr)
        records.append(record)
    for record, title in zip(records, arguments.title):
        record.title = title
    return records


def drawing_of(records, start, span):
    drawing = Drawing()
    drawing.legend()
    for record in records:
        whole = record.last() - record.first()
        drawing.panel(record, f"{record.title}: {whole * 1e3:.1f} ms", record.first() + start, span)
    return drawing.svg()


def trace_of(records):
    """The bars as trace events of Chrome: a process for each record, with a thread for each host thread and each track.
    A kernel whose duration is not known is an instant at its begin."""
    events = []
    for process, record in enumerate(records, 1):
        rows = [(f"host thread {thread}", bars) for thread, bars in sorted(record.host.items())]
        rows += [(track, [(s.kind, s.begin, s.end, s.text, s.bytes) for s in record.steps[track]])
                 for track in sorted(record.steps, key=natural)]
        events.append({"name": "process_name", "ph": "M", "pid": process, "args": {"name": record.title}})
        for thread, (row, bars) in enumerate(rows, 1):
            events.append({"name": "thread_name", "ph": "M", "pid": process, "tid": thread, "args": {"name": row}})
            events.append({"name": "thread_sort_index", "ph": "M", "pid": process, "tid": thread, "args": {"sort_index": thread}})
            for kind, begin, end, text, *size in bars:
                event = {"name": text, "cat": dict(LEGEND)[kind], "pid": process, "tid": thread,
                         "ts": round((begin - record.first()) * 1e6, 3)}
                event |= {"ph": "X", "dur": round((end - begin) * 1e6, 3)} if end > begin else {"ph": "i", "s": "t"}
                if size and size[0]:
                    event["args"] = {"bytes": size[0]}
                events.append(event)
    return json.dumps({"displayTimeUnit": "ms", "traceEvents": events}) + "\n"


def main():
    arguments = parse_arguments()
    records = read_records(arguments)
    span = (arguments.to if arguments.to is not None else max(r.last() - r.first() for r in records)) - arguments.start
    if not span > 0:
        fail(f"--to must be after --from, which is {arguments.start} s.")
    if arguments.json:
        from record import hardware  # beside this script
        context = {"date": datetime.date.today().isoformat(), "hardware": hardware(),
                   **dict(text.split("=", 1) for text in arguments.context)}
        output = arguments.json
        text = json.dumps({"context": context, "panels": [record.panel(record.title) for record in records]}) + "\n"
    elif arguments.trace:
        output, text = arguments.trace, trace_of(records)
    else:
        output, text = arguments.output, drawing_of(records, arguments.start, span)
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{output}: cannot be written ({error.strerror}).")
    print(f"{output}: {len(records)} panel(s), {span * 1e3:.1f} ms wide")


if __name__ == "__main__":
    main()
