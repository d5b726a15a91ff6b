#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a file in a form that Doxygen can read: docs_filter.py FILE

Pages and comments are written for GitHub. Doxygen needs names for the headings that are targets of links, code spans that
end on their line, escaped angle brackets, and no conditions of `explicit`. docs/Doxyfile uses this script as its filter.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def slug(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).strip().lower()).replace(" ", "-")


def label(page, anchor):
    """A name for a heading that is unique on the site. Several pages are named README, so the folder is part of it."""
    place = page.resolve()
    if place.is_relative_to(ROOT):
        place = place.relative_to(ROOT)
    return "page_" + re.sub(r"\W", "_", f"{place.with_suffix('')}_{anchor}")


def page_for_doxygen(path):
    """Converts a page, except for fenced and indented code."""
    result = []
    for i, part in enumerate(re.split(r"(^```.*?^```$|(?:^    [^\n]*\n)+)", path.read_text(), flags=re.MULTILINE | re.DOTALL)):
        if i % 2 == 0:
            part = re.sub(r"`[^`]+`", lambda m: m[0].replace("\n", " "), part)
            part = re.sub(r"^(#+) (.*)$", lambda m: f"{m[0]} {{#{label(path, slug(m[2]))}}}", part, flags=re.MULTILINE)
            part = re.sub(r"\]\(#([\w-]+)\)", lambda m: f"](#{label(path, m[1])})", part)
            part = re.sub(r"\]\(([\w./-]+\.md)#([\w-]+)\)", lambda m: f"](#{label(path.parent / m[1], m[2])})", part)
            part = re.sub(r"\]\((?:[\w./-]*/)?start\.md\)", "](index.html)", part)  # the first page of the site
            # A folder is a place in the repository, not a page of the site.
            part = re.sub(r"\[([^\]]*)\]\((?!https?:|#)([^)]*?)\)", keep_link_to_page, part)
        result.append(part)
    return "".join(result)


def keep_link_to_page(match):
    if re.search(r"\.(md|svg|png|html)$", match[2]):
        return match[0]
    return match[1]


def without_conditions(text):
    """Replaces explicit(condition) by explicit, because Doxygen takes the condition for the start of a declaration."""
    result, done = [], 0
    for match in re.finditer(r"\bexplicit\s*(?=\()", text):
        if match.start() < done:
            continue
        end, depth = match.end() + 1, 1
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        # The line breaks stay, so that line numbers are those of the file.
        result += [text[done:match.start()], "explicit", "\n" * text.count("\n", match.start(), end)]
        done = end
    return "".join(result) + text[done:]


def source_for_doxygen(path):
    """Removes conditions of explicit, and escapes <name> in comments outside of code spans."""
    def escape(match):
        return "".join(part if i % 2 else re.sub(r"(?<!\\)<([A-Za-z_]+)>", r"\\<\1\\>", part)
                       for i, part in enumerate(re.split(r"(`[^`]*`)", match[0])))
    return re.sub(r"///.*$", escape, without_conditions(path.read_text()), flags=re.MULTILINE)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    sys.stdout.write(page_for_doxygen(file) if file.suffix == ".md" else source_for_doxygen(file))
