#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks .github/workflows: workflows.py ROOT

- A script that a workflow calls exists and is executable, and its arguments are configurations that it has.
- The token can only read unless a job declares otherwise; each job has a time limit.
- No shell command contains an expression, whose text would become code.
- An action is pinned by the hash of its commit, with the version beside it, because a tag can be moved.
- A release is published after its files are attested, and only a job that attests can sign with the workflow's identity.

Runs actionlint, too, if it is installed.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path


def run_lines(text):
    """The shell lines of each `run: ...` and `run: |`."""
    block = None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if block is not None and (not line.strip() or indent > block):
            yield line
            continue
        block = None
        match = re.match(r"^(\s*(?:- )?)run:\s*(.*)$", line)
        if match and match[2] in ("|", ">"):
            block = len(match[1])
        elif match:
            yield match[2]


def complaints_of_actions(text, jobs):
    for action in re.findall(r"^\s*(?:- )?uses:\s*(.*)$", text, re.MULTILINE):
        if not action.startswith("./") and not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", action):
            yield f"{action} is not pinned: write ACTION@<hash of the commit> # v<version>"
    for job in jobs:
        attests, publishes = job.find("uses: actions/attest@"), job.find("gh release create")
        name = job.split(":")[0]
        if publishes >= 0 and not 0 <= attests < publishes:
            yield f"job {name} publishes a release, but does not attest its files before"
        for permission in ("id-token", "attestations"):
            if (attests >= 0) != bool(re.search(rf"^      {permission}: write\b", job, re.MULTILINE)):
                yield f"job {name} {'needs' if attests >= 0 else 'does not need'} the permission {permission}: write"


def complaints(root, path):
    text = path.read_text()
    if not re.search(r"^permissions:\n  contents: read$", text, re.MULTILINE):
        yield 'does not say "permissions: contents: read" for all jobs'
    head, _, jobs = text.partition("\njobs:\n")
    jobs = [job for job in re.split(r"^  (?=\w[\w-]*:\n)", jobs, flags=re.MULTILINE) if job.strip()]
    if re.search(r"(id-token|attestations): write", head):
        yield "gives every job the workflow's identity: give it to the job that attests"
    yield from complaints_of_actions(text, jobs)
    for job in jobs:
        if "    timeout-minutes:" not in job:
            yield f"job {job.split(':')[0]} has no timeout-minutes"
    configurations = (root / "scripts" / "test").read_text()
    for line in run_lines(text):
        if "${{" in line and "matrix.configurations" not in line:
            yield f"an expression is part of the command: {line.strip()} (put it into env)"
        for script, arguments in re.findall(r"(?<![\w/])(scripts/\w+)([^&|;\n]*)", line):
            file = root / script
            if not file.is_file() or not file.stat().st_mode & 0o100:
                yield f"{script} does not exist, or is not executable"
            for name in arguments.split() if script == "scripts/test" else ():
                if re.fullmatch(r"[a-z_0-9]+", name) and not re.search(rf"\b{name}\b", configurations):
                    yield f"scripts/test has no configuration {name}"


def main(root):
    workflows = sorted((root / ".github" / "workflows").glob("*.yml"))
    found = [f"{path.name}: {complaint}" for path in workflows for complaint in complaints(root, path)]
    print("\n".join(found))
    lint = shutil.which("actionlint")
    if lint and subprocess.run([lint, *workflows]).returncode:
        return 1
    print(f"{len(workflows)} workflows checked, {'with' if lint else 'without'} actionlint")
    return 1 if found or not workflows else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
