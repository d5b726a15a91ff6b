#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the short form of scripts/amd_evidence on the HIP model, with programs of this build, and checks its file.

    amd_evidence_test.py <scripts/amd_evidence> <build folder>
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as XML
from pathlib import Path

STEPS = ["tests", "launches and copies beside raw HIP", "under a profiler"]
BENCHMARKS = ["launch_and_fence", "100_launches_and_fence", "pageable_to_device_8_bytes", "pageable_to_host_8_bytes",
              "pageable_to_device_large", "pageable_to_host_large"]


def complaints(result):
    steps = {s["step"]: s["outcome"] for s in result["steps"]}
    judged = {s["statement"]: s["outcome"] for s in result["statements"]}
    tests = {t["name"]: t["outcome"] for t in result["tests"]}
    if steps != dict.fromkeys(STEPS, "passed"):
        yield f"steps: {steps}"
    if [b["name"] for b in result["benchmarks"]] != BENCHMARKS:
        yield f"benchmarks: {result['benchmarks']}"
    if tests != {"gpu/Ring_test": "passed", "under_profiler": "passed"}:
        yield f"tests: {tests}"
    for statement, outcome in {1: "confirmed", 7: "confirmed", 4: "not tested"}.items():
        if judged.get(statement) != outcome:
            yield f"statement {statement} is {judged.get(statement)}, not {outcome}"
    if "HIP model" not in result["context"]["hardware"]:
        yield f"hardware: {result['context']['hardware']}"


def load(script):
    loader = importlib.machinery.SourceFileLoader("amd_evidence", script)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("amd_evidence", loader))
    loader.exec_module(module)
    return module


def wrong_outcomes(module):
    for text, expected in [('<testcase status="run"/>', "passed"), ('<testcase status="fail"/>', "failed"),
                           ('<testcase status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>', "skipped"),
                           ('<testcase status="notrun"><skipped message="Unable to find executable"/></testcase>', "not built")]:
        found = module.outcome_of(XML.fromstring(text))
        if found != expected:
            yield f"{text} is {found}, not {expected}"


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:  # it has ended, perhaps while its file was read
        return False


def processes_after_the_limit(module):
    """A build that exceeds its time must end, so that it does not write to the folder that the script removes."""
    kit = module.Kit(argparse.Namespace(minutes=1, built=None))
    try:
        outcome, output = kit.run("a child that does not end", ["sh", "-c", "sleep 1000 & echo $!; wait"], share=0.03)
    finally:
        shutil.rmtree(kit.temporary)
    if outcome != "out of time":
        yield f"a step that does not end: {outcome}"
    # A signal is delivered when the process is scheduled next: on a busy machine later than here.
    end = time.monotonic() + 20
    while is_running(output.strip()) and time.monotonic() < end:
        time.sleep(0.01)
    if is_running(output.strip()):
        os.kill(int(output), signal.SIGKILL)
        yield "a step that is out of time leaves a process behind"


def main():
    script, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evidence.json"
        run = subprocess.run([sys.executable, script, "--model", "--built", build, "--only", "^gpu/Ring_test$", "--minutes", "4",
                              "--out", str(file)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # Times on the model mean nothing, so a ratio may contradict a statement, which is status 1.
        wrong = list(complaints(json.loads(file.read_text()))) if file.exists() else ["no file was written"]
        if run.returncode not in (0, 1):
            wrong.append(f"status {run.returncode}")
        module = load(script)
        wrong += [*wrong_outcomes(module), *processes_after_the_limit(module)]
        if wrong:
            print(run.stdout)
            print("\n".join(f"amd_evidence_test: {w}" for w in wrong))
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
