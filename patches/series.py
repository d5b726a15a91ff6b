# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The series of patches as they are stored here, and as they are made for `git am`.

A stored patch, NNNN-subject.hooks, is a mail of `git format-patch` in which each new file is two lines: its `diff --git` line, and
ADDED. The text of the file is that of this repository: shared headers are in core/src/impl/GPU, all others in patches/files.
"""
import hashlib
import re
from pathlib import Path

PATCHES = Path(__file__).resolve().parent
MADE = PATCHES / "made"  # ignored by git
ADDED = "the source in this repository is added"
STORED_FILE = re.compile(rf"^diff --git a/(?P<path>\S+) b/(?P=path)\n{ADDED}\n", re.MULTILINE)
NEW_FILE = re.compile(
    r"^diff --git a/(?P<path>\S+) b/(?P=path)\nnew file mode 100644\nindex 0+\.\.[0-9a-f]+\n--- /dev/null\n\+\+\+ b/(?P=path)\n"
    r"@@ -0,0 \+1(?:,\d+)? @@\n(?P<text>(?:\+[^\n]*\n)*(?:\\ No newline at end of file\n)?)",
    re.MULTILINE)
INCLUDED = re.compile(r"^#include <(impl/[^>]+)>$", re.MULTILINE)


def versions():
    """The folders of series."""
    return sorted(d.name for d in PATCHES.iterdir() if any(d.glob("*.hooks")))


def stored(version):
    return sorted((PATCHES / version).glob("*.hooks"))


def source_of(path):
    """The source of a new file in this repository, or None."""
    for root in (PATCHES / "files", PATCHES.parent):
        if (root / path).is_file():
            return root / path
    return None


def text_of(path, patch):
    source = source_of(path)
    if source is None:
        raise SystemExit(f"{patch}: the new file {path} has no source here. Put it into patches/files.")
    return source.read_text()


def new_file_section(path, text):
    """The part of a patch that adds the file, as `git format-patch` writes it."""
    data = text.encode()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    lines = text.splitlines()
    if not text.endswith("\n") or not lines:
        raise SystemExit(f"{path}: a file of a patch must not be empty, and must end with a newline.")
    count = "" if len(lines) == 1 else f",{len(lines)}"
    return (f"diff --git a/{path} b/{path}\nnew file mode 100644\nindex 000000000..{blob[:9]}\n--- /dev/null\n+++ b/{path}\n"
            f"@@ -0,0 +1{count} @@\n" + "".join(f"+{line}\n" for line in lines))


def stored_section(path):
    return f"diff --git a/{path} b/{path}\n{ADDED}\n"


def complete(patch):
    """The text of a stored patch for `git am`."""
    return STORED_FILE.sub(lambda m: new_file_section(m["path"], text_of(m["path"], patch)), patch.read_text())


def to_be_stored(text):
    """The stored form of a complete patch. The text of a new file is lost if it has no source here."""
    for match in NEW_FILE.finditer(text):
        text_of(match["path"], "the patch")
    return NEW_FILE.sub(lambda m: stored_section(m["path"]), text)


def new_files(text):
    return {match["path"] for match in STORED_FILE.finditer(text)}


def with_included_headers(patch):
    """The text of a stored patch, to which each shared header is added that its new files include, directly or not, and that no
    earlier patch of the series has. Files are sorted by path, as in git's patches."""
    text = patch.read_text()
    earlier = [p for p in stored(patch.parent.name) if p.name < patch.name]
    there = set().union(*(new_files(p.read_text()) for p in earlier))
    while True:
        included = {h for path in new_files(text) for h in INCLUDED.findall(text_of(path, patch))}
        missing = sorted({f"core/src/{header}" for header in included} - new_files(text) - there)
        # A header of impl/ is upstream's unless the patches bring it.
        missing = [path for path in missing if (PATCHES / "files" / path).is_file() or
                   path.startswith("core/src/impl/GPU/") and source_of(path)]
        if not missing:
            return text
        path = missing[0]
        after = [m.start() for m in re.finditer(r"^diff --git a/(\S+) b/", text, re.MULTILINE) if m[1] > path]
        if not after:
            raise SystemExit(f"{path} cannot be added to the patch: a new file needs another file after it, by order of paths.")
        text = text[:after[0]] + stored_section(path) + text[after[0]:]


def make(folder, wanted=None):
    """Writes the complete series into FOLDER/VERSION."""
    for version in wanted or versions():
        if not stored(version):
            raise SystemExit(f"patches/{version} has no series: there are {', '.join(versions())}.")
        to = Path(folder) / version
        to.mkdir(parents=True, exist_ok=True)
        for old in to.glob("*.patch"):
            old.unlink()
        for patch in stored(version):
            (to / f"{patch.stem}.patch").write_text(complete(patch))
