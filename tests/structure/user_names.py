# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tests/warnings/user_names.cpp uses every public header with types of a program; check.py applies this.

A call without a qualifier finds a function of the program only if the compiler instantiates it with a type of the program. So the test uses
a name of each public header that contains templates, and of each algorithm. A header in NO_TYPES takes none of a program's types.
"""
import re

TEST = "tests/warnings/user_names.cpp"
USED = re.compile(r"\b(?:Kokkos|Experimental|KE)::(\w+)")
CLASS = re.compile(r"^\s*(?:class|struct|concept)\s+(\w+)|^\s*(?:struct|concept)\s+(\w+)", re.MULTILINE)
FUNCTION = re.compile(r"\b([a-z]\w+)\([^;{}]*\)\s*(?:const)?\s*(?:noexcept)?\s*(?:requires[^{;]*)?\{")
ALGORITHM = re.compile(r"KOKKOS_IMPL_STD_ALGORITHM\w*\((\w+)")

NO_TYPES = {
    "Kokkos_Complex": "numbers of the language",
    "Kokkos_Concepts": "asks about types without a call",
    "Kokkos_DLPack": "elements that are numbers of the language",
    "Kokkos_DetectionIdiom": "asks about types without a call",
    "Kokkos_Graph_fwd": "declares only",
    "Kokkos_IdleMemory": "a space",
    "Kokkos_MathematicalFunctions": "numbers of the language",
    "Kokkos_MemoryManagement": "a space, and bytes",
    "Kokkos_MemoryPool": "a space",
    "Kokkos_MemoryResource": "a space",
    "Kokkos_NumericTraits": "asks about types without a call",
    "Kokkos_PartitionSpace": "a space, and numbers of the language",
    "Kokkos_PointerOwnership": "takes a pointer apart without a call",
    "Kokkos_Printf": "numbers of the language, and pointers",
    "Kokkos_ScratchSpace": "a space, and bytes",
    "Kokkos_SpaceAccessibility": "asks about types without a call",
    "Kokkos_TypeInfo": "asks about types without a call",
}


def names_of(text):
    return {*(name for pair in CLASS.findall(text) for name in pair if name), *FUNCTION.findall(text), *ALGORITHM.findall(text)}


def complaints(tree, components, without_comments):
    used = set(USED.findall(without_comments((tree / TEST).read_text())))
    public = [h for c in components for folder in (f"{c}/src", f"{c}/src/std_algorithms") for h in sorted((tree / folder).glob("*.hpp"))]
    for header in public:
        text = without_comments(header.read_text())
        has_templates = "template" in text or "KOKKOS_IMPL_STD_ALGORITHM" in text
        if header.stem in NO_TYPES:
            if not has_templates or used & names_of(text):
                yield f"tests/structure/user_names.py: {header.stem} need not be in NO_TYPES"
        elif has_templates and not used & names_of(text):
            yield (f"{TEST} uses nothing of {header.relative_to(tree)}: call a function of it with a type of the program, "
                   "or add it to NO_TYPES in tests/structure/user_names.py with the reason")
    stems = {h.stem for h in public}
    yield from (f"tests/structure/user_names.py names {name}.hpp, which is no public header" for name in NO_TYPES if name not in stems)
