#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""line_coverage_test.py ROOT: scripts/line_coverage with a small program by g++, of which one run returns and one aborts."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
CODE = """#include <cstdlib>
template <class T>
T larger(T a, T b) {
  if (a > b)
    return a;

  return b;
}
int main(int argc, char**) {
  if (argc > 1) {
    larger(1, 2);
    std::abort();
  }
  return larger(2.0, 1.0) < 0;
}
int never(int a) {
  if (a > 0)
    return larger(a, 3);
  // as one range
  return 0;
}
"""
if not shutil.which("g++") or not shutil.which("gcov"):
    print("There is no g++ with gcov.")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "core/src").mkdir(parents=True)
    (root / "core/src/Kokkos_A.cpp").write_text(CODE)
    (root / "build").mkdir()
    subprocess.run(["g++", "-std=c++20", "--coverage", "-include", ROOT / "scripts/coverage_at_abort.hpp", "../core/src/Kokkos_A.cpp", "-o", "a"], check=True, cwd=root / "build")
    for arguments in [], ["aborts"]:
        subprocess.run([root / "build/a", *arguments], cwd=root / "build", stderr=subprocess.DEVNULL)
    script = lambda *a: subprocess.run([sys.executable, ROOT / "scripts/line_coverage", *a], capture_output=True, text=True, env={**os.environ, "GCOV": "gcov"})
    made, loaded = script(root / "build", "--save", root / "counts"), script("--load", root / "counts")
    print(made.stdout[-400:], made.stderr)
    # Each line of the template runs, in one of its instances; of the two branches in `never`, none is taken.
    failed = "| `A.cpp` | 16-20 |" not in made.stdout or "| 6 | 66.7 % |" not in made.stdout or made.stdout != loaded.stdout
    failed |= script(root / "core").returncode != 1
sys.exit(failed)
