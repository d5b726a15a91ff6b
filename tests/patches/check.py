#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the patch series for upstream Kokkos.

usage: check.py format                  checks that a maintainer of upstream and `git am` can accept every patch
       check.py apply [TREE...]         checks that each series applies to its version in one of the trees

A tree is a checkout of upstream, or the folder of headers of an installed Kokkos (the one with KokkosCore_config.h), to
which only the changes of headers are applied. KOKKOS_UPSTREAM_TREES may list more trees, separated by : or ;. `apply`
reports each series whose version no tree has as skipped; if it applied none, it ends with status 77.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATCHES = ROOT / "patches"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PATCHES))
import series as stored_series  # noqa: E402

SKIPPED = 77

NAME = re.compile(r"^(\d{4})-[\w.-]+\.patch$")
TOPIC = re.compile(r"^(HIP|CUDA|CUDA and HIP): \S.{10,75}$")
PARTS = ("What fails.", "What this does.", "What it costs.", "How it was shown.")
PLACEHOLDER = re.compile(r"\b(TODO|TBD|XXX|to be filled in|FIXME)\b", re.IGNORECASE)
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
MAX_CONTEXT = 3       # lines of upstream quoted before and after a hook
MAX_REMOVED = 15      # lines of upstream that a hunk removes
MAX_ADDED = 30        # lines that a hunk adds: more belong in a new file

# The small patches to offer upstream: each stands alone, except that it may need an earlier one.
SMALL_PARTS = ("What fails.", "What this does.", "Before and after.", "How it was shown.")
SMALL_LINES = 200     # lines that a small patch adds without its test
COPYRIGHT = "SPDX-FileCopyrightText: Copyright Contributors to the Kokkos project"
SMALL_NOT_HEADERS = {"hip-functor-ring"}  # changes the library
SMALL_NEEDS = {"hip-functor-ring": ["hip-kernel-arguments"], "cuda-argument-limit": ["cuda-grid-constant"]}


# The complete series, made from the stored ones for the time of this process.
COMPLETE = tempfile.TemporaryDirectory()


def all_series():
    stored_series.make(COMPLETE.name)
    return sorted(Path(COMPLETE.name).iterdir())


class Patch:
    """One file of a series: its mail, and the parts of its diff."""

    def __init__(self, path):
        self.path = path
        text = path.read_text()
        header, _, rest = text.partition("\n\n")
        self.header = re.sub(r"\n[ \t]+", " ", header)
        self.message, _, self.rest = rest.partition("\ndiff --git ")
        self.subject = self.field("Subject").removeprefix("[PATCH] ")
        self.files = re.split(r"^diff --git ", self.rest, flags=re.MULTILINE)

    def field(self, name):
        match = re.search(rf"^{name}: (.*)$", self.header, re.MULTILINE)
        return match[1] if match else ""

    def new_files(self):
        return [f.split()[0].removeprefix("a/") for f in self.files if "\nnew file mode" in f]


def check_mail(patch, parts=PARTS):
    yield from (f"has no {name}: line" for name in ("From", "Date", "Subject") if not patch.field(name))
    if not TOPIC.match(patch.subject):
        yield f'subject "{patch.subject}" must have the form "<backend>: <one topic, at most 75 letters>"'
    if f"\nSigned-off-by: {patch.field('From')}" not in patch.message:
        yield f"is not signed off by its author, {patch.field('From')}"
    yield from (f'message has no part "{part}"' for part in parts if part not in patch.message)
    if PLACEHOLDER.search(patch.message):
        yield f'message has a placeholder: "{PLACEHOLDER.search(patch.message)[0]}"'
    for paragraph in patch.message.split("\n\n"):
        # git drops lines that begin with '#' when a message is edited, and with them the end of a list of issues.
        if paragraph.count("(") != paragraph.count(")"):
            yield f'message has an unclosed bracket: "{paragraph[-40:]}"'
    yield from (f'line of the message is longer than 79: "{line}"'
                for line in patch.message.splitlines() if len(line) > 79 and "Signed-off-by" not in line)


def check_hunk(where, hunk):
    lines = [line for line in hunk.splitlines()[1:] if not line.startswith("\\")]
    kinds = "".join(line[:1] if line[:1] in "+-" else " " for line in lines)
    runs = [len(r) for r in re.findall(r" +", kinds)]
    ends = (len(kinds) - len(kinds.lstrip(" ")), len(kinds) - len(kinds.rstrip(" ")))
    if max(ends) > MAX_CONTEXT:
        yield f"{where}: more than {MAX_CONTEXT} lines of context"
    if any(r > 2 * MAX_CONTEXT for r in runs):
        yield f"{where}: more than {2 * MAX_CONTEXT} lines of context between two hooks"
    if kinds.count("-") > MAX_REMOVED:
        yield f"{where}: removes {kinds.count('-')} lines of upstream; at most {MAX_REMOVED} are allowed"
    if kinds.count("+") > MAX_ADDED:
        yield f"{where}: adds {kinds.count('+')} lines; more than {MAX_ADDED} belong into a new file"


def check_sources(where, hunk):
    """A source that a patch adds to a CMakeLists.txt must follow another source, or the word that begins the list.
    Elsewhere it is an argument that CMake ignores, or the name of the program."""
    lines = [line for line in hunk.splitlines()[1:] if line[:1] in "+ "]
    for before, line in zip(["", *lines], lines):
        if re.match(r"\+\s*\S+\.cpp$", line) and not re.search(r"\.cpp$|SOURCES\w*\}?$", before):
            yield f'{where}: "{line[1:].strip()}" follows "{before[1:].strip()}" and is not in a list of sources'


def check_files(patch):
    for part in patch.files:
        path = part.split()[0].removeprefix("a/")
        if "\nnew file mode" in part:
            first = re.search(r"^\+(.*)$", part.split("@@\n", 1)[1], re.MULTILINE)[1]
            if LICENCE not in first:
                yield f"{path}: the first line of a new file must name the licence"
            continue
        if re.search(r"^(deleted file|rename|Binary)", part, re.MULTILINE):
            yield f"{path}: a patch must not remove or rename files of upstream"
        for hunk in re.split(r"^(?=@@ )", part, flags=re.MULTILINE)[1:]:
            yield from check_hunk(f"{path}, {hunk.splitlines()[0]}", hunk)
            if path.endswith("CMakeLists.txt"):
                yield from check_sources(path, hunk)
    if not any(f.startswith("core/unit_test/") for f in patch.new_files()):
        yield "brings no test (core/unit_test)"


def table_of_needs():
    """The table of dependencies in patches/README.md: the numbers of the patches that each patch needs."""
    rows = re.findall(r"^\| (\d{4}) \| (nothing|[\d, to]+) \|", (PATCHES / "README.md").read_text(), re.MULTILINE)
    needs = {}
    for patch, text in rows:
        numbers = list(map(int, re.findall(r"\d{4}", text)))
        needs[int(patch)] = list(range(numbers[0], numbers[1] + 1)) if " to " in text else numbers
    return needs


def check_needs(patches, needs):
    """A header that a patch includes must be added by the patch, by one that it needs, or by upstream."""
    added_by = {Path(path).name: number for number, patch in patches.items() for path in patch.new_files()}
    for number, patch in patches.items():
        for header in sorted(set(re.findall(r"^\+#include <(\S+)>", patch.rest, re.MULTILINE))):
            source = added_by.get(Path(header).name, number)
            if source != number and source not in needs[number]:
                yield patch, f"includes {header} of patch {source}, which the table in patches/README.md does not list"


def check_stored(version):
    for patch in stored_series.stored(version):
        if stored_series.with_included_headers(patch) != patch.read_text():
            yield f"{version}/{patch.name}", "lacks a header that its files include: run patches/refresh"
        if stored_series.NEW_FILE.search(patch.read_text()):
            yield f"{version}/{patch.name}", "has the text of a new file: run patches/make --store"


def check_series(folder):
    patches = [Patch(p) for p in sorted(folder.iterdir())]
    needs = table_of_needs()
    if len(patches) == len(needs):
        for patch, complaint in check_needs(dict(enumerate(patches, 1)), needs):
            yield f"{folder.name}/{patch.path.name}", complaint
    elif len(patches) != 1:
        yield folder.name, f"has {len(patches)} patches; the table in patches/README.md has {len(needs)}"
    numbers = [NAME.match(p.path.name) for p in patches]
    if not all(numbers) or [int(n[1]) for n in numbers] != list(range(1, len(patches) + 1)):
        yield folder.name, f"files must be 0001-....patch to {len(patches):04}-....patch"
    if len({p.subject for p in patches}) != len(patches):
        yield folder.name, "two patches have the same subject"
    included = re.compile(r"^\+\s*#\s*include [<\"](\S+)[>\"]", re.MULTILINE)
    included = {Path(header).name for patch in patches for header in included.findall(patch.rest)}
    added, benchmarks = set(), set()
    for patch in patches:
        for path in patch.new_files():
            if path.startswith("core/src/") and Path(path).suffix == ".hpp" and Path(path).name not in included:
                yield f"{folder.name}/{patch.path.name}", f"adds {path}, which nothing includes"
        for complaint in (*check_mail(patch), *check_files(patch)):
            yield f"{folder.name}/{patch.path.name}", complaint
        new = set(patch.new_files())
        for path in added & new:
            yield f"{folder.name}/{patch.path.name}", f"adds {path}, which an earlier patch has added"
        added |= new
        for path in sorted(set(re.findall(r"^\+#include <(impl/GPU/[^>]+)>", patch.rest, re.MULTILINE))):
            if f"core/src/{path}" not in added:
                yield f"{folder.name}/{patch.path.name}", f"includes {path}, which no patch has added so far"
        benchmarks |= {Path(p).stem for p in new if p.startswith(("core/perf_test/", "benchmarks/"))}
        if not any(name in re.sub(r"_\n", "_", patch.message) for name in benchmarks):
            yield f"{folder.name}/{patch.path.name}", "message names no benchmark (core/perf_test) of the series"


def small_patches():
    """The small patches by their names, without the number of each, in the order in which they apply."""
    return {patch.stem.split("-", 1)[1]: patch for patch in sorted((PATCHES / "upstream").glob("*/*.patch"))}


def check_small(path):
    patch, lines = Patch(path), 0
    yield from check_mail(patch, SMALL_PARTS)
    for part in patch.files:
        name = part.split()[0].removeprefix("a/")
        added = re.findall(r"^\+(?!\+\+ )(.*)$", part, re.MULTILINE)
        lines += 0 if "_test/" in name else len(added)
        if "\nnew file mode" in part and not (LICENCE in added[0] and COPYRIGHT in added[1]):
            yield f"{name}: a new file must begin with the licence and the copyright of upstream's files"
        yield from (f'{name}: "{line}" ends with a space' for line in added if line != line.rstrip())
        for hunk in re.split(r"^(?=@@ )", part, flags=re.MULTILINE)[1:]:
            if name.endswith("CMakeLists.txt"):
                yield from check_sources(name, hunk)
            yield from (c for c in check_hunk(name, hunk) if "context" in c)
    if lines > SMALL_LINES:
        yield f"adds {lines} lines without its test; at most {SMALL_LINES} are allowed"
    if not any(f.startswith("core/unit_test/") for f in re.findall(r"^diff --git a/(\S+)", "diff --git " + patch.rest, re.MULTILINE)):
        yield "changes no test (core/unit_test)"


def check_format():
    failed = 0
    if not stored_series.versions():
        print("patches/ has no series")
        return 1
    for folder in all_series():
        for where, complaint in (*check_stored(folder.name), *check_series(folder)):
            failed += 1
            print(f"{where}: {complaint}")
        print(f"{folder.name}: {len(list(folder.glob('*.patch')))} patches checked")
    for name, path in small_patches().items():
        for complaint in check_small(path):
            failed += 1
            print(f"upstream/{path.parent.name}/{path.name}: {complaint}")
    print(f"upstream: {len(small_patches())} patches checked")
    return 1 if failed else 0


def git(tree, *arguments):
    return subprocess.run(["git", "-C", str(tree), *arguments], capture_output=True, text=True)


def apply_series(folder, checkout):
    commit = folder.name.removeprefix("develop-")
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "kokkos"
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(checkout), str(tree)], check=True)
        identity = {"user.name": "patch check", "user.email": "check@localhost", "commit.gpgsign": "false"}
        for name, value in identity.items():
            git(tree, "config", name, value)
        git(tree, "checkout", "--quiet", commit)
        answer = git(tree, "am", *(str(p) for p in sorted(folder.glob("*.patch"))))
        return answer.returncode == 0, answer.stdout + answer.stderr


def version_of_headers(tree):
    """`5.2.2`, or as upstream's tags had it before Kokkos 5, `4.6.01`; None if the tree is not a folder of headers."""
    config = Path(tree) / "KokkosCore_config.h"
    match = re.search(r"^#define KOKKOS_VERSION (\d+)$", config.read_text(), re.MULTILINE) if config.is_file() else None
    if not match:
        return None
    major, minor, patch = int(match[1]) // 10000, int(match[1]) // 100 % 100, int(match[1]) % 100
    return f"{major}.{minor}.{patch}" if major > 4 else f"{major}.{minor}.{patch:02}"


def apply_to_headers(folder, headers):
    """Applies the series to a copy of installed headers, which have the same paths as the headers in core/src."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(headers, Path(scratch) / "core/src")
        for patch in sorted(folder.glob("*.patch")):
            answer = subprocess.run(["git", "apply", "--include=core/src/*.hpp", str(patch)], cwd=scratch, capture_output=True,
                                    text=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": str(Path(scratch).parent)})
            if answer.returncode:
                return False, answer.stderr
    return True, ""


def apply_by_needs(folder, tree):
    """Applies each patch to upstream with only the patches that it needs by the table in patches/README.md."""
    patches = dict(enumerate(sorted(folder.glob("*.patch")), 1))
    for number, needed in table_of_needs().items() if len(patches) > 1 else ():
        with tempfile.TemporaryDirectory() as scratch:
            env = {**os.environ, "GIT_INDEX_FILE": str(Path(scratch) / "index")}
            commands = [["read-tree", folder.name.removeprefix("develop-")],
                        *(["apply", "--cached", str(patches[n])] for n in [*needed, number])]
            for command in commands:
                answer = subprocess.run(["git", "-C", tree, *command], capture_output=True, text=True, env=env)
                if answer.returncode:
                    with_others = f"with only {', '.join(map(str, needed))}" if needed else "alone"
                    return False, f"{patches[number].name} {with_others}: {answer.stderr}"
    return True, ""


def has_version(tree, version):
    if (Path(tree) / "KokkosCore_config.h").is_file():
        return version_of_headers(tree) == version
    commit = version.removeprefix("develop-")
    return git(tree, "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}").returncode == 0


def clang_format_complaint(tree):
    """What upstream's clang-format changes in the files of the last commit; "" without clang-format 16."""
    if not shutil.which("clang-format-16"):
        return ""
    files = git(tree, "diff", "--name-only", "HEAD~", "--", "*.hpp", "*.cpp").stdout.split()
    answer = subprocess.run(["clang-format-16", "--dry-run", "-Werror", *files], cwd=tree, capture_output=True, text=True)
    return answer.stderr if answer.returncode else ""


def cmake_format_complaint(tree):
    """The CMakeLists.txt of the last commit that upstream's cmake-format would change; "" without cmake-format."""
    if not shutil.which("cmake-format"):
        return ""
    for file in git(tree, "diff", "--name-only", "HEAD~", "--", "*CMakeLists.txt", "*.cmake").stdout.split():
        # "--" ends the list of configurations that -c begins.
        if subprocess.run(["cmake-format", "--check", "-c", ".cmake-format.py", "--", file], cwd=tree, capture_output=True).returncode:
            return f"cmake-format changes {file}"
    return ""


def apply_small(name, versions, checkout):
    """Applies a small patch, with those that it needs, to each version that the checkout has."""
    patches = small_patches()
    for version in versions:
        with tempfile.TemporaryDirectory() as scratch:
            tree = Path(scratch) / "kokkos"
            subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(checkout), str(tree)], check=True)
            for key, value in {"user.name": "patch check", "user.email": "check@localhost"}.items():
                git(tree, "config", key, value)
            git(tree, "checkout", "--quiet", version.removeprefix("develop-"))
            answer = git(tree, "am", *(str(patches[n]) for n in [*SMALL_NEEDS.get(name, []), name]))
            if answer.returncode:
                return f"does not apply to {version}: {answer.stdout + answer.stderr}"
            if complaint := clang_format_complaint(tree) or cmake_format_complaint(tree):
                return f"is not formatted as {version}: {complaint[:2000]}"
    return ""


def apply_small_to_headers(name, headers):
    patches = small_patches()
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(headers, Path(scratch) / "core/src")
        for n in [*SMALL_NEEDS.get(name, []), name]:
            answer = subprocess.run(["git", "apply", "--include=core/src/*.hpp", str(patches[n])], cwd=scratch, capture_output=True,
                                    text=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": str(Path(scratch).parent)})
            if answer.returncode:
                return f"does not apply to the headers: {answer.stderr}"
    return ""


# The versions for which a folder of small patches is.
SMALL_VERSIONS = {"develop": ["4.7.01", "develop-28848df", "develop-096aa4b", "develop-bba2d1f60"],
                  "4.x": ["4.5.01", "4.6.01", "4.7.01", "develop-28848df"]}


def check_apply_small(trees):
    applied = failed = 0
    for name, path in small_patches().items():
        for tree in trees:
            if version_of_headers(tree):
                if version_of_headers(tree) != "5.2.2" or path.parent.name != "develop" or name in SMALL_NOT_HEADERS:
                    continue
                words, where = apply_small_to_headers(name, tree), "5.2.2"
            else:
                versions = [v for v in SMALL_VERSIONS[path.parent.name] if has_version(tree, v)]
                words, where = apply_small(name, versions, tree), ", ".join(versions)
            applied += bool(where)
            failed += bool(words)
            print(f"upstream/{name}: {words or f'applies to {where}' if where else 'SKIPPED, no version'}")
    return applied, failed


def check_apply(trees):
    trees += [t for t in re.split("[:;]", os.environ.get("KOKKOS_UPSTREAM_TREES", "")) if t]
    applied, failed = check_apply_small(trees)
    for folder in all_series():
        having = [t for t in trees if has_version(t, folder.name)]
        if not having:
            print(f"{folder.name}: SKIPPED, no tree in KOKKOS_UPSTREAM_TREES has {folder.name.removeprefix('develop-')}")
        for tree in having:
            good, words = (apply_to_headers if version_of_headers(tree) else apply_series)(folder, tree)
            if good and not version_of_headers(tree):
                good, words = apply_by_needs(folder, tree)
            applied += 1
            failed += not good
            print(f"{folder.name}: {'applies' if good else 'does not apply'} to {tree}")
            if not good:
                print(words)
    return 1 if failed else 0 if applied else SKIPPED


if __name__ == "__main__":
    if sys.argv[1:2] == ["format"]:
        sys.exit(check_format())
    if sys.argv[1:2] == ["apply"]:
        sys.exit(check_apply(sys.argv[2:]))
    sys.exit(__doc__)
