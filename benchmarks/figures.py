#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of measurements in docs/figures from results/*.json.

    benchmarks/figures.py            # draws all of them
    benchmarks/figures.py --check    # exit status 1 if a picture differs from its results

Not drawn here: architecture.svg, launches.svg and staged_copy.svg, which show no measurement.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIGURES = HERE.parent / "docs" / "figures"
PLOT, UPSTREAM, HALO = "benchmarks/plot.py", "benchmarks/plot_upstream.py", "examples/halo/plot"
TIMELINE = "benchmarks/timeline.py"
OUTPUT = object()  # stands for the picture in a command

COMMANDS = {
    "cuda_launches.svg": [PLOT, OUTPUT, "Launches on an H200, raw CUDA's time over ours", "2026-11-22_h200_launches"],
    "cuda_patterns.svg": [PLOT, OUTPUT, "Patterns on an H200, rates over those of raw CUDA and CUB", "2026-11-22_h200_patterns"],
    "cuda_small_copies.svg": [
        UPSTREAM, OUTPUT, "Copies of pageable memory on an NVIDIA H200", "2026-11-24_h200_copy_latency",
        "sync_h2d=deep_copy(device, host)", "inst_h2d=deep_copy(instance, device, host)",
        "h2d_kernel_fence=the same, a kernel, fence()", "sync_d2h=deep_copy(host, device)",
        "inst_d2h=deep_copy(instance, host, device)", "inst_d2h_fence=the same, fence()"],
    "host_patterns.svg": [PLOT, OUTPUT, "Patterns on 16 cores, rates over those of loops by hand",
                          "2026-11-23_h200_host_patterns_16_cores"],
    "halo_scaling.svg": [HALO, "2026-11-25_2_h100_halo", "--scaling", OUTPUT],
    "pipeline_timeline.svg": [TIMELINE, "2026-11-25_h100_pipeline_timeline", "-o", OUTPUT],
    "halo_timeline.svg": [HALO, "2026-11-25_2_h100_halo", "--timeline", OUTPUT],
}


def draw(name, output):
    command = []
    for word in COMMANDS[name]:
        result = HERE / "results" / f"{word}.json"
        command.append(str(output) if word is OUTPUT else str(result) if result.exists() else word)
    subprocess.run([sys.executable, *command], check=True, cwd=HERE.parent)


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        different = []
        for name in COMMANDS:
            output = Path(folder) / name
            draw(name, output)
            committed = FIGURES / name
            if not committed.exists() or committed.read_text() != output.read_text():
                different.append(name)
                if "--check" not in arguments:
                    committed.write_text(output.read_text())
                    print(f"docs/figures/{name}")
        if different and "--check" in arguments:
            sys.exit(f"docs/figures: {', '.join(different)} differ from benchmarks/results: run benchmarks/figures.py.")


if __name__ == "__main__":
    if "-h" in sys.argv or "--help" in sys.argv:
        print(__doc__)
    else:
        main(sys.argv[1:])
