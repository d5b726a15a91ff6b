#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs_filter_test.py ROOT: scripts/docs_filter.py gives each heading its own name, links lead to that name, and a
condition of explicit is removed without a change of line numbers."""
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

# Two pages have the same name and the same heading; each links to both.
PAGES = {
    "scripts/docs_filter.py": None,
    "README.md": "# Top\n\n## Same heading\n\n[here](#same-heading), [below](part/README.md#same-heading)\n",
    "part/README.md": "# Part\n\n## Same heading\n\n[here](#same-heading), [above](../README.md#same-heading)\n",
    "part/header.hpp": "struct S {\n  explicit(f(1) == (2 +\n           3)) S(int);\n  explicit S(char);\n};\n",
}


def main(root):
    with TemporaryDirectory() as folder:
        copy = Path(folder).resolve()
        for name, text in PAGES.items():
            file = copy / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text((root / name).read_text() if text is None else text)

        def filtered(name):
            # Doxygen passes absolute paths.
            return subprocess.run([sys.executable, copy / "scripts/docs_filter.py", copy / name], capture_output=True, text=True,
                                  check=True).stdout

        assert filtered("part/header.hpp") == "struct S {\n  explicit\n S(int);\n  explicit S(char);\n};\n"

        labels, links = {}, {}
        for name in ("README.md", "part/README.md"):
            text = filtered(name)
            labels[name] = re.search(r"^## Same heading \{#(\w+)\}$", text, re.MULTILINE)[1]
            links[name] = re.findall(r"\]\(#(\w+)\)", text)
        assert labels["README.md"] != labels["part/README.md"], labels
        assert links["README.md"] == [labels["README.md"], labels["part/README.md"]], links
        assert links["part/README.md"] == [labels["part/README.md"], labels["README.md"]], links
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
