# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds functions that no test reaches, because neither a test nor other code of the library contains their name.

Such a function may be wrong without notice: a template is not even compiled. Functions of the same name in two classes count as
one, so this finds only some of them; scripts/line_coverage finds others.
"""
import collections
import re

COMPONENTS = ("core", "containers", "algorithms", "simd")
NOT_CODE = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"')
# The head of a function with a body: words of its type, its name, parameters, and what may follow them.
HEAD = re.compile(r"""^[\ ]*(?!return\b|else\b|throw\b|case\b)\w[\w:<>,&*\ ]*[\ &*>](\w+)\([^;{}]*?\)\s*
                      (?:const\b|noexcept\b|override\b|->[^;{]*|requires[^;{]*|\s)*\{""", re.VERBOSE | re.MULTILINE)
# Tests that only compile the names, or look at the text.
NO_RUN = {"coverage", "compile_fail", "names"}

# Functions that no test can reach, each with the reason.
UNREACHED = {
    "TwiddleIn": "CUB calls it",
    "TwiddleOut": "CUB calls it",
    "cuda_capture": "the tests of graphs paste the name from the backend's",
    "hip_capture": "as above",
}


def words_of(text):
    return re.findall(r"\w+", NOT_CODE.sub("", text))


def unnamed(root):
    """A sentence for each function whose name occurs only where it is defined."""
    named = collections.Counter()
    for path in (root / "tests").rglob("*.?pp"):
        if not NO_RUN & set(path.parts):
            named.update(words_of(path.read_text()))
    places = collections.defaultdict(list)
    for component in COMPONENTS:
        for path in sorted((root / component / "src").rglob("*.?pp")):
            text = NOT_CODE.sub("", path.read_text())
            named.update(re.findall(r"\w+", text))
            for head in HEAD.finditer(text):
                places[head[1]].append(f"{path.relative_to(root)}:{text.count(chr(10), 0, head.start(1)) + 1}")
    for name, at in sorted(places.items()):
        if named[name] <= len(at) and name not in UNREACHED:
            yield f"{at[0]}: no test and no other code calls {name}. Call it in a test, or delete it."
    for name, reason in sorted(UNREACHED.items()):
        if name not in places:
            yield f"tests/structure/unnamed.py: {name} ({reason}) is no function any more."
