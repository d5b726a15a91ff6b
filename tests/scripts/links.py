#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the links of all pages: links.py ROOT

A link to a file or folder of the repository must name one that exists, and an anchor must name a heading of that page. A page
that a page of the site (docs/Doxyfile) links to must be part of the site. Web addresses are not visited.
"""
import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")


def pages(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True)
    names = listed.stdout.split("\n") if listed.returncode == 0 else [p.relative_to(root) for p in root.rglob("*.md")]
    return sorted(root / name for name in names if name and (root / name).is_file() and not str(name).startswith("build"))


def text_of(page):
    """The page without code, where brackets mean something else."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "code", text)


def anchors(page):
    """The anchors that GitHub generates for the headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[`*]", "", heading))
        found.add(re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-"))
    return found


def pages_of_site(root):
    """The pages that docs/Doxyfile reads, or None if there is no such file."""
    file = root / "docs" / "Doxyfile"
    if not file.is_file():
        return None
    text = file.read_text().replace("\\\n", " ")
    read, excluded = ([root / path for path in re.search(rf"^{name} *= *(.*)$", text, re.MULTILINE)[1].split()]
                      for name in ("INPUT", "EXCLUDE"))
    return {page for page in pages(root)
            if any(map(page.is_relative_to, read)) and not any(map(page.is_relative_to, excluded))}


def complaints(root):
    site = pages_of_site(root)
    for page in pages(root):
        for link in LINK.findall(text_of(page)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            where = page.relative_to(root)
            if not target.exists():
                yield f"{where}: {link} does not exist"
            elif not target.is_relative_to(root):
                yield f"{where}: {link} leads out of the repository"
            elif site and page in site and target.suffix == ".md" and target not in site:
                yield f"{where}: {link} is not a page of the site: add it to INPUT in docs/Doxyfile"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{where}: {target.name} has no heading #{anchor}"


def main(root):
    found = list(complaints(root))
    print("\n".join(found) or f"links: all links of {len(pages(root))} pages are valid")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
