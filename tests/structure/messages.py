# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the messages that no test quotes.

A message is the text that a call of an error function in core, containers, algorithms or simd contains. A test quotes it if a
string of the tests has three consecutive words of it. So a test that expects an exception only, without its text, does not count.
"""
import re

COMPONENTS = ("core", "containers", "algorithms", "simd")
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
CALL = re.compile(r"\b(throw_\w+|throw\s+[\w:<>]+|host_abort|Kokkos::abort|stop|warn|warn_once|refuse)\s*\(")
# Regular expressions separate what they match from the words of a message.
SEPARATOR = re.compile(r"\.\*|\\\S|[\[\]()|^$+*?{}]")
WORDS = 3

# Messages that no test can cause, each with the reason. The doctor's findings are no errors.
UNTESTED = {
    "the kernel of a reduction ended without a result": "only a defect of the library could cause it",
    "more than 256 owners of gpu events": "a machine has fewer devices",
    "the sorting library of the gpu's vendor failed": "the vendors' libraries fail only without memory, which other calls report",
    "the library of the gpu's vendor failed": "as above",
    "was called for": "of Threads, whose build has no tests of arguments; OpenMP has the same words",
}


def without_comments(text):
    return COMMENT.sub(lambda m: m[1] or "", text)


def phrases(text):
    """All sequences of WORDS words in a string."""
    found = set()
    for part in SEPARATOR.split(text.lower()):
        words = re.findall(r"[a-z0-9_']+", part)
        found.update(tuple(words[i:i + WORDS]) for i in range(len(words) - WORDS + 1))
    return found


def strings(text):
    """The string literals of a text; adjacent ones are one."""
    for m in re.finditer(rf"{LITERAL.pattern}(?:\s*{LITERAL.pattern})*", text):
        yield "".join(piece[1:-1] for piece in LITERAL.findall(m[0]))


def arguments_from(text, at):
    """The arguments of a call, from behind its opening parenthesis."""
    depth, end = 1, at
    while depth and end < len(text):
        if literal := LITERAL.match(text, end):
            end = literal.end()
            continue
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    return text[at:end]


def messages_of(text):
    """The line and the strings of each message that has a phrase."""
    text = COMMENT.sub(lambda m: m[1] or "\n" * m[0].count("\n"), text)
    for call in CALL.finditer(text):
        found = [s for s in strings(arguments_from(text, call.end())) if phrases(s)]
        if found:
            yield text.count("\n", 0, call.start()) + 1, found


def unquoted(root):
    """A sentence for each message that no test quotes."""
    quoted = set()
    for path in (root / "tests").rglob("*"):
        if path.suffix in (".cpp", ".hpp", ".cmake") or path.name == "CMakeLists.txt":
            for text in strings(without_comments(path.read_text())):
                quoted |= phrases(text)
    for component in COMPONENTS:
        for path in sorted((root / component / "src").rglob("*.?pp")):
            for line, found in messages_of(path.read_text()):
                reason = any(text in " ".join(found).lower() for text in UNTESTED)
                if not reason and not any(phrases(s) & quoted for s in found):
                    yield (f"{path.relative_to(root)}:{line}: no test quotes the message \"{' … '.join(found)}\". Expect {WORDS} or more "
                           "consecutive words of it where a test causes it.")
