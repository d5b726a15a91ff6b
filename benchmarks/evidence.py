#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/reports/evidence.md from results/*.json.

    benchmarks/evidence.py            # writes the page, and in README.md how many rows miss their target
    benchmarks/evidence.py --check    # exit status 1 if these differ from the results, or no page shows a result
    benchmarks/evidence.py --prune    # removes from results/ what no page shows

claims.json lists the claims. `file` of a claim is a pattern, of which the newest match is used. A claim has one of
  rows       the benchmarks whose `value` (default: ratio) is shown
  outcomes   a list of tests or runs, of which those that passed are counted
  sum        a list, and the field to add
A value that misses its target is bold, and its row begins with MISS.

A result is shown if a claim counts or prints it. A file that a page of docs links, or that figures.py draws, is shown
as a whole.
"""
import json
import re
import sys
from pathlib import Path

import figures

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent / "docs"
PAGE = DOCS / "reports" / "evidence.md"
README = HERE.parent / "README.md"
MISS = "✗"
HEAD = """# Evidence

Each figure in README and docs comes from a file in [benchmarks/results](../../benchmarks/results). `benchmarks/evidence.py`
makes this page from those files and from `benchmarks/claims.json`. Absolute times differ between machines, so compare ratios.

**{misses} of {rows} rows miss their target**, at least with one value. They begin with {mark}, and the values that miss are bold. Rows without
a target are for comparison.
"""


def load_claims():
    return json.loads((HERE / "claims.json").read_text())


def short_name(benchmark):
    """The benchmark's name without the settings that Google Benchmark appends."""
    return re.sub(r"/(min_time:[^/]*|iterations:[^/]*|manual_time|real_time)", "", benchmark)


def target_of(benchmark):
    """The lowest ratio that claims.json requires of a benchmark, or None."""
    for section in load_claims():
        for claim in section["claims"]:
            if "rows" in claim and claim.get("value", "ratio") == "ratio" and re.fullmatch(claim["rows"], benchmark):
                match = re.fullmatch(r">= ([\d.]+)", claim.get("target", ""))
                return float(match[1]) if match else None
    return None


def newest(pattern):
    files = sorted((HERE / "results").glob(pattern + ".json"))
    if not files:
        raise SystemExit(f"benchmarks/claims.json: no file in benchmarks/results matches {pattern}.json.")
    return files[-1]


def meets(value, target):
    match = re.fullmatch(r"(<=|>=) ([\d.]+)", target or "")
    if not match:
        return True
    limit = float(match[2])
    shown = round(value, 2) if match[1] == ">=" else value  # a ratio counts as printed
    return shown >= limit if match[1] == ">=" else shown <= limit


def number(value):
    if float(value).is_integer() and abs(value) < 100:
        return str(int(value))
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def passed(entry):
    """Whether one test or run passed, or None if its record has no result."""
    if "result" in entry:
        return None if entry["result"] == "skipped" else entry["result"] == "passed"
    if "tests" in entry:
        return entry["passed"] == entry["tests"]
    if "0 errors" in entry.get("summary", ""):
        return True
    return None if "makes no call" in entry.get("summary", "") else False


def count(entries):
    if isinstance(entries, dict):
        entries = [entry for group in entries.values() for entry in group]
    outcomes = [passed(entry) for entry in entries]
    checked = [outcome for outcome in outcomes if outcome is not None]
    text = f"{sum(checked)} of {len(checked)}"
    return text if all(checked) else f"**{text}**"


def values(claim, data):
    if "outcomes" in claim:
        return count(data[claim["outcomes"]])
    if "sum" in claim:
        group, field = claim["sum"].split(".")
        found = [sum(entry[field] for entry in data[group])]
    else:
        found = [b[claim.get("value", "ratio")] for b in data["benchmarks"]
                 if re.fullmatch(claim["rows"], short_name(b["name"]))]
    if not found:
        raise SystemExit(f"benchmarks/claims.json: '{claim['claim']}' matches no row.")
    return ", ".join(number(v) if meets(v, claim.get("target")) else f"**{number(v)}**" for v in found)


def row(claim):
    path = newest(claim["file"])
    data = json.loads(path.read_text())
    context = data["context"]
    commit = re.match(r"[0-9a-f]{7,}", context.get("commit", ""))
    hardware = re.sub(r" \(driver.*?\)", "", context.get("hardware", "?"))
    hardware = re.split(r",(?![^(]*\))", hardware)[0]  # a comma in parentheses does not end the name
    source = f"[{path.stem}](../../benchmarks/results/{path.name})"
    shown = values(claim, data)
    mark = f"{MISS} " if "**" in shown else ""
    return (f"| {mark}{claim['claim']} | {claim.get('target', '').replace('>=', '≥').replace('<=', '≤')} | {shown} | {hardware} | "
            f"{commit[0] if commit else 'see file'} | {source} |")


def page():
    lines = []
    for section in load_claims():
        lines += [f"## {section['section']}", "", section["note"], "",
                  "| claim | target | value | hardware | commit | file |", "|---|---|---|---|---|---|"]
        lines += [row(claim) for claim in section["claims"]] + [""]
    misses, rows = missed("\n".join(lines))
    return "\n".join([HEAD.format(misses=misses, rows=rows, mark=MISS), *lines]).rstrip("\n") + "\n"


def missed(text):
    """How many rows of the page miss their target, and how many rows there are."""
    rows = re.findall(r"^\| (?!claim)[^|]+\| [^|]*\| [^|]*\|", text, re.MULTILINE)
    return sum(row.startswith(f"| {MISS}") for row in rows), len(rows)


def readme():
    """README.md with the counts of the page."""
    misses, rows = missed(page())
    return re.sub(r"\d+ of \d+ rows", f"{misses} of {rows} rows", README.read_text())


# ---- what is shown -------------------------------------------------------------------------------------------------

# Fields of Google Benchmark's rows that count rows, or repeat their names.
COUNTERS = ("family_index", "per_family_instance_index", "run_name", "run_type", "repetitions", "repetition_index", "threads")


def shown_as_a_whole(name):
    """Whether a page of docs links the file, or figures.py draws it."""
    if any(name in command for command in figures.COMMANDS.values()):
        return True
    pages = (page.read_text() for page in DOCS.rglob("*.md") if page != PAGE)
    return any(f"results/{name}.json" in text for text in pages)


def shown_parts(name, data):
    """The parts of a file that claims print or count, or None if there are none."""
    claims = [claim for section in load_claims() for claim in section["claims"] if newest(claim["file"]).stem == name]
    if not claims:
        return None
    groups = {claim[kind].split(".")[0] for claim in claims for kind in ("outcomes", "sum") if kind in claim}
    rows = [claim["rows"] for claim in claims if "rows" in claim]
    shown = {key: value for key, value in data.items() if key == "context" or key in groups}
    if rows:
        shown["benchmarks"] = [{field: value for field, value in row.items() if field not in COUNTERS}
                               for row in data["benchmarks"] if any(re.fullmatch(r, short_name(row["name"])) for r in rows)]
    return shown


def in_lines(data):
    """The data as JSON, with a line for each entry of a list."""
    parts = []
    for key, value in data.items():
        lists = value if isinstance(value, dict) and all(isinstance(v, list) for v in value.values()) else None
        if lists:
            inner = ",\n".join(f"{json.dumps(group)}: {lines_of(entries)}" for group, entries in lists.items())
            parts.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            parts.append(f"{json.dumps(key)}: {lines_of(value) if isinstance(value, list) else one_line(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def one_line(value):
    return json.dumps(value, ensure_ascii=False)


def lines_of(entries):
    return "[\n" + ",\n".join(" " + one_line(entry) for entry in entries) + "\n]"


def pruned():
    """For each file of results/, its text without what no page shows; None if nothing of it is shown."""
    for path in sorted((HERE / "results").rglob("*.json")):
        data = json.loads(path.read_text())
        kept = data if shown_as_a_whole(path.stem) else shown_parts(path.stem, data) if path.parent.name == "results" else None
        yield path, kept and in_lines(kept)


def main(arguments):
    if "--prune" in arguments:
        for path, text in pruned():
            path.write_text(text) if text else path.unlink()
        return
    text = page()
    if "--check" in arguments:
        if not PAGE.exists() or PAGE.read_text() != text:
            sys.exit("docs/reports/evidence.md differs from benchmarks/results: run benchmarks/evidence.py.")
        if README.read_text() != readme():
            sys.exit("README.md has another number of rows that miss their target: run benchmarks/evidence.py.")
        unseen = [path.name for path, kept in pruned() if kept != path.read_text()]
        if unseen:
            sys.exit(f"benchmarks/results: no page shows all of {', '.join(unseen)}: run benchmarks/evidence.py --prune.")
    else:
        PAGE.write_text(text)
        README.write_text(readme())


if __name__ == "__main__":
    if "-h" in sys.argv or "--help" in sys.argv:
        print(__doc__)
    else:
        main(sys.argv[1:])
