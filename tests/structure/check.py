#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the rules of docs/internals.md that no compiler checks.

usage: check.py SOURCE_TREE

- A folder includes only the layers that tests/structure/layers.py allows, and no two layers depend on each other.
- The folders of the library are in impl/, the only folder that it adds to a program's include path besides those of upstream.
- No two paths differ only by case: such a tree cannot be checked out on every system.
- No file outside of a backend's folder names a backend.
- A header of core, containers, algorithms or simd has at most MAX_LINES lines.
- docs/interfaces.md names only what the sources have.
- No file of the copies contains a size in bytes, except for the policies.
- The library takes no stream from the function for programs, after which each fence has to ask the runtime.
- A test quotes each message of an error; messages.py lists exceptions.
- A test or other code of the library names each function; unnamed.py lists exceptions.
- Every wait of a host thread is in the record of waits; waits.py lists the places in which threads poll.
- The choices of a test, in its second line, are words that choices.py explains.
- The name of a test is in CamelCase, with at most MAX_NAME letters.
- No untyped test has a KOKKOS_LAMBDA in its own body, which is a private function: nvcc refuses it.
- The test of the names of a program uses every public header; user_names.py lists headers that take no type of a program.
"""
import os
import re
import sys
from pathlib import Path

import choices
import layers
import messages
import unnamed
import user_names
import waits

MAX_LINES = 550
MAX_NAME = 50
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\((\w+),\s*(\w+)\)", re.MULTILINE)
# An untyped test, from its first line to the brace that ends it, and what only the model of HIP compiles.
TEST_BODY = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)(.*?)^}", re.MULTILINE | re.DOTALL)
GENERIC_LAMBDA = re.compile(r"\[[^\[\]]*\]\s*\([^()]*\bauto\b[^()]*\)[^{};()]*\{")
FOR_THE_MODEL = re.compile(r"^#ifdef KOKKOS_IMPL_GPU_MODEL$.*?^#(?:else|endif)", re.MULTILINE | re.DOTALL)
MODEL_TESTS = ("Model_test.cpp", "RuntimeCalls_test.cpp")

# Names that programs may include from upstream, and with them the backends' folders.
UPSTREAM_ROOTS = {"impl", "View", "desul", "mdspan", "sorting", "std_algorithms"}
BACKENDS = ("Serial", "OpenMP", "Threads", "Cuda", "HIP")
NAMES = re.compile(r"\b(Serial|OpenMP|Cuda|CudaSpace|CudaUVMSpace|CudaHostPinnedSpace|HIP|HIPSpace|HIPManagedSpace|HIPHostPinnedSpace"
                   r"|KOKKOS_ENABLE_(SERIAL|OPENMP|CUDA|HIP))\b")
# Files that may name a backend, each with the reason.
EXCEPTIONS = {
    "core/src/Kokkos_Macros.hpp": "distinguishes compilers",
    "core/src/impl/tools/Kokkos_ToolsDevice.hpp": "has the documented enumerators of DeviceType",
    "core/src/impl/GPU/Kokkos_GPU_Runtime.hpp": "gives the vendors' names as examples",
    "core/src/impl/GPU/launch/Kokkos_GPU_KernelLaunch.hpp": "the vendors define the second launch bound differently",
    "core/src/impl/runtime/doctor/Kokkos_FindHost.cpp": "reports what binds the threads of OpenMP",
    "core/src/impl/runtime/doctor/Kokkos_FindVersions.cpp": "reports on the OpenMP runtimes of compilers",
    "algorithms/src/impl/sorting/Kokkos_VendorSort.hpp": "calls each vendor's library",
    "algorithms/src/std_algorithms/impl/Kokkos_VendorScan.hpp": "calls each vendor's library",
    "algorithms/src/std_algorithms/impl/Kokkos_VendorSelect.hpp": "calls each vendor's library",
}
STREAM_FOR_PROGRAMS = re.compile(r"(\.|->)\s*(cuda|hip)_stream\(")
# A call whose failure is ignored: the runtime would keep the error for the program's next query.
KEPT_ERROR = re.compile(r"\(void\)\s*Runtime::")
# A size in bytes, as one writes it: 64 << 10, 64 * 1024, 65536.
SIZE = re.compile(r"<<\s*[123]0\b|\*\s*1024\b|\b(1024|2048|4096|8192|16384|32768|65536)\b")
COPY_CODE = re.compile(r"Copy|Copies|Staging(?!Cores)|Slot|Slab|HostSide|HostElements|PackKernels|GPU_Fill|Kokkos_Host_(Blocks|StreamingStores)")
POLICY = "CopyPolicy.hpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*<([^>]+)>', re.MULTILINE)

WORD = re.compile(r"[A-Za-z_]\w+")
COMPOSED = ("cudaStreamQuery",)  # by a macro


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    return re.sub(r"//[^\n]*", "", text)


def folder_of(path):
    """The first folder of a path relative to core/src, without impl/."""
    parts = path.parts[:-1]
    if len(parts) > 1 and parts[0] == "impl":
        parts = parts[1:]
    return parts[0] if parts else ""


def check_layers(tree, component, path, text):
    layer = layers.layer_of(component, path)
    if layer not in layers.LAYERS:
        yield f"{component}/src/{path}: tests/structure/layers.py has no row for {layer}. Add the layers that it may include"
        return
    for header in INCLUDE.findall(text):
        # A path may be in two components, and a component prefers its own.
        owners = [c for c in (component, *layers.COMPONENTS) if (tree / c / "src" / header).is_file()]
        if owners or header in layers.GENERATED_HEADERS:
            target = layers.layer_of(owners[0] if owners else "core", Path(header))
            if target != layer and target not in layers.LAYERS[layer]:
                yield (f"{component}/src/{path} includes <{header}> of {target}; "
                       f"{layer} may include {', '.join(layers.LAYERS[layer]) or 'no other layer'}")
        elif "/" in header and (Path(header).parts[0] in UPSTREAM_ROOTS or any((tree / c / "src/impl" / Path(header).parts[0]).is_dir()
                                                                             for c in layers.COMPONENTS)):
            yield f"{component}/src/{path} includes <{header}>, which does not exist; folders of the library are in impl/"


def check_headers(source):
    """Every public header that a layer claims exists."""
    for names in layers.PUBLIC_HEADERS.values():
        yield from (f"tests/structure/layers.py names Kokkos_{n}.hpp, which does not exist" for n in names.split()
                    if not (source / f"Kokkos_{n}.hpp").is_file())


def check_names(name, path, text):
    if folder_of(path) in BACKENDS or name in EXCEPTIONS:
        return
    code = re.sub(r'"(\\.|[^"\\])*"', '""', without_comments(text))
    for number, line in enumerate(code.split("\n"), 1):
        if (match := NAMES.search(line)):
            yield f"{name}:{number} names a backend: {match[0]}"


def check_streams(name, text):
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        if (match := STREAM_FOR_PROGRAMS.search(line)):
            yield f"{name}:{number} calls {match[2]}_stream(), which is for programs: use impl_instance().stream()"


def check_kept_errors(name, text):
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        if KEPT_ERROR.search(line):
            yield f"{name}:{number} ignores an error, which the runtime keeps: use (void)gpu_succeeded<Runtime>(...)"


def check_sizes(name, path, text):
    if folder_of(path) == "runtime" or not COPY_CODE.search(path.name) or path.name.endswith(POLICY):
        return
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        if (match := SIZE.search(line)):
            yield f"{name}:{number} contains a size: {match[0]}. Sizes of copies are in CopyPolicy and HostCopyPolicy"


def check_roots(component, source):
    for folder in source.iterdir():
        if folder.is_dir() and folder.name not in UPSTREAM_ROOTS and folder.name not in BACKENDS:
            yield f"{component}/src/{folder.name}/ would be a folder of every program's include path: put it into {component}/src/impl/"


def check_case(tree):
    """Compares the paths of the repository, and those of headers as an installation has them, in one folder."""
    seen = {}
    for path, name in paths_of(tree):
        other = seen.setdefault(path.lower(), (path, name))
        if other[0] != path:
            yield f"{name} and {other[1]} differ only by case: a file system that ignores case has only one of them"


def paths_of(tree):
    for folder, subfolders, files in os.walk(tree):
        subfolders[:] = [s for s in subfolders if not s.startswith("build") and s != ".git"]
        for name in (Path(folder, n).relative_to(tree).as_posix() for n in subfolders + files):
            yield name, name
            if (installed := re.match(r"(core|containers|algorithms|simd)/src/(.+)", name)):
                yield f"include: {installed[2]}", name


def check_interfaces(tree):
    """A name in the code of docs/interfaces.md is a word of the sources, or the end of a header's name, such as `_Fill`."""
    files = [f for folder in (*layers.COMPONENTS, "cmake", "tests", "patches") for f in sorted((tree / folder).rglob("*"))
             if f.suffix in (".hpp", ".cpp", ".h", ".cmake", ".txt") and "build" not in f.parts]
    words = {word for f in files for word in WORD.findall(f.read_text(errors="replace"))}
    text = re.sub(r"//.*", "", (tree / "docs/interfaces.md").read_text())
    blocks = re.split(r"```(?:cpp)?\n", text)  # text and code in turn
    spans = (span for words_and_spans in blocks[::2] for part in words_and_spans.split("\n\n") for span in part.split("`")[1::2])
    for code in (*blocks[1::2], *spans):
        for word in WORD.findall(code):
            if word not in words and not any(f.stem.startswith("Kokkos_GPU" + word) for f in files) and word not in COMPOSED:
                yield f"docs/interfaces.md names {word}, which no source has"


def check_test_names(tree):
    for file in sorted((tree / "tests").rglob("*.?pp")):
        for suite, name in TEST.findall(file.read_text()):
            if not re.fullmatch(rf"(DISABLED_)?[A-Z][A-Za-z0-9]{{0,{MAX_NAME - 1}}}", name):
                yield f"{file.relative_to(tree)}: {suite}.{name}: the name of a test is in CamelCase, with at most {MAX_NAME} letters"


def check_test_lambdas(tree):
    for file in sorted((tree / "tests").rglob("*_test.cpp")):
        if file.name in MODEL_TESTS:
            continue
        for suite, name, body in TEST_BODY.findall(FOR_THE_MODEL.sub("", file.read_text())):
            if "KOKKOS_LAMBDA" in body:
                yield f"{file.relative_to(tree)}: {suite}.{name} contains a KOKKOS_LAMBDA, which nvcc refuses there; move it to a function"


def block_from(text, start):
    """The text from the first brace after `start` to the one that closes it."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[start:brace.end()]
    return text[start:]


def check_generic_lambdas(tree):
    for folder in ("tests", "benchmarks", "examples"):
        for file in sorted((tree / folder).rglob("*.[ch]pp")):
            if file.name in MODEL_TESTS or file.parent.name == "warnings":  # compiled for hosts only
                continue
            text = without_comments(FOR_THE_MODEL.sub("", file.read_text()))
            for generic in GENERIC_LAMBDA.finditer(text):
                if "KOKKOS_LAMBDA" in block_from(text, generic.end() - 1):
                    line = text.count("\n", 0, generic.start()) + 1
                    yield f"{file.relative_to(tree)}:{line} contains a KOKKOS_LAMBDA in a generic lambda, which nvcc refuses; use a functor"


def complaints(tree):
    yield from check_test_names(tree)
    yield from check_test_lambdas(tree)
    yield from check_generic_lambdas(tree)
    yield from choices.complaints(tree)
    yield from layers.table_complaints()
    yield from check_headers(tree / "core/src")
    yield from check_case(tree)
    yield from check_interfaces(tree)
    yield from messages.unquoted(tree)
    yield from unnamed.unnamed(tree)
    yield from waits.complaints(tree, without_comments)
    yield from user_names.complaints(tree, layers.COMPONENTS, without_comments)
    for component in layers.COMPONENTS:
        source = tree / component / "src"
        yield from check_roots(component, source)
        for file in sorted(source.rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".h"):
                continue
            text, path, name = file.read_text(), file.relative_to(source), file.relative_to(tree).as_posix()
            yield from check_layers(tree, component, path, text)
            if component == "core":
                yield from check_sizes(name, path, text)
            yield from check_names(name, path, text)
            yield from check_streams(name, text)
            yield from check_kept_errors(name, text)
            if (lines := text.count("\n")) > MAX_LINES:
                yield f"{name} has {lines} lines; a file has one subject and at most {MAX_LINES} lines"
    for name in EXCEPTIONS:
        if not (tree / name).exists():
            yield f"{name} does not exist; remove it from the exceptions in tests/structure/check.py"


def main(tree):
    found = list(complaints(Path(tree)))
    print("\n".join(found) or "The structure is as docs/internals.md describes it.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
