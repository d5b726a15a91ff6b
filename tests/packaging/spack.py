#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks packaging/spack without Spack: spack.py ROOT

The package is executed with replacements for Spack's directives, which record the calls.

- Each patch is a file that patches/make writes, has the checksum that the package states, and applies to one version with the variant.
- Without these files the variant is refused, by a message that names patches/make.
- The series of a release is complete and in order, and patches/ has no release that the package leaves out.
- A version with a series is known; a version without one is refused with the variant, by a message that names those with one.
- A plain `kokkos` stays upstream's newest version.
"""
import hashlib
import shutil
import sys
import tempfile
import types
from pathlib import Path


class Version(tuple):
    def __new__(cls, text):
        return super().__new__(cls, map(int, text.split(".")))

    def __str__(self):
        return f"{self[0]}.{self[1]}.{self[2]:02}" if self[0] < 5 else ".".join(map(str, self))

    def isdevelop(self):
        return False


class Nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def execute(package):
    """Executes the text of the package. Returns the calls of directives, as (name, positional, named)."""
    calls = []

    def directive(name):
        def record(*positional, **named):
            calls.append((name, positional, named))
            return Nothing()
        return record

    directives = types.ModuleType("spack.package")
    for name in ("version", "variant", "requires", "patch", "depends_on", "conflicts", "when"):
        setattr(directives, name, directive(name))
    builtin = types.ModuleType("builtin")
    builtin.Kokkos = type("Kokkos", (), {"versions": {Version("4.6.1"): {"sha256": "a"}, Version("5.1.1"): {"sha256": "b"}}})
    names = {"spack": types.ModuleType("spack"), "spack.package": directives}
    for part in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.packages", "spack_repo.builtin.packages.kokkos"):
        names[part] = types.ModuleType(part)
    names["spack_repo.builtin.packages.kokkos.package"] = builtin
    sys.modules.update(names)
    exec(compile(package.read_text(), package, "exec"), {"__name__": "package", "__file__": str(package)})
    return calls


def complaints(root):
    package = root / "packaging/spack/spack_repo/steadfast/packages/kokkos/package.py"
    calls = execute(package)
    series = {}
    for name, positional, named in calls:
        if name != "patch":
            continue
        file = (package.parent / positional[0]).resolve()
        if not file.is_file():
            yield f"there is no {file}"
            continue
        if hashlib.sha256(file.read_bytes()).hexdigest() != named["sha256"]:
            yield f"{file.name} has another checksum: run packaging/spack/refresh"
        if named["when"] != f"@={file.parent.name} +steadfast":
            yield f"{file.parent.name}/{file.name} is applied when {named['when']}"
        series.setdefault(file.parent.name, []).append(file)
    for folder in sorted((root / "patches/made").glob("[0-9]*")):
        if folder.name == "5.2.2":
            continue  # newer than Spack's package
        if series.get(folder.name) != sorted(folder.glob("*.patch")):
            yield f"patches/{folder.name} is not the series of the package: run packaging/spack/refresh"
    versions = {positional[0]: named for name, positional, named in calls if name == "version"}
    yield from (f"{release} has a series and is no version" for release in series if release not in versions)
    if not versions.get("5.1.1", {}).get("preferred"):
        yield "upstream's newest version is not preferred"
    interface = next(line.split()[2] for line in (root / "CMakeLists.txt").read_text().splitlines() if line.startswith("project(Kokkos VERSION"))
    if versions.get(f"{interface}-steadfast", {}).get("git") != root.as_uri():
        yield f"{interface}-steadfast is not a version that is built from {root}"
    refusals = [(positional, named) for name, positional, named in calls if name == "requires" and named.get("when") == "+steadfast"]
    if len(refusals) != 1 or set(refusals[0][0]) != {f"@={release}" for release in series}:
        yield "+steadfast is not limited to the versions with a series"
    elif not all(release in refusals[0][1]["msg"] for release in series):
        yield "the message about +steadfast does not name the versions with a series"


def complaint_without_patches(root):
    calls = execute(root / "packaging/spack/spack_repo/steadfast/packages/kokkos/package.py")
    refused = [named["msg"] for name, positional, named in calls if name == "conflicts" and positional == ("+steadfast",)]
    if any(name == "patch" for name, _, _ in calls) or len(refused) != 1 or f"{root}/patches/make" not in refused[0]:
        yield "without patches/made, +steadfast must be refused by a message that names patches/make"


def main(root):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(root / "patches"))
    import series
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve()
        shutil.copytree(root / "packaging/spack", copy / "packaging/spack")
        shutil.copy(root / "CMakeLists.txt", copy)
        found = list(complaint_without_patches(copy))
        series.make(copy / "patches/made")
        found += complaints(copy)
    print("\n".join(found) or "packaging/spack: patches, checksums and versions agree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
