# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of the library: which folder may include which. check.py applies them, and docs/internals.md describes them."""

# A layer is a folder, without the impl/ before it, and the headers that PUBLIC_HEADERS assigns to it. It may include itself and the
# layers that its row names. A row names only earlier rows, so no two layers depend on each other.
LAYERS = {
    "base": [],
    "numerics": ["base"],
    "mdspan": ["base"],
    "atomic": ["base"],
    "runtime": ["base"],
    "tools": ["base", "runtime"],
    "view": ["base", "numerics", "mdspan", "atomic", "runtime", "tools"],
    "policy": ["base", "numerics", "runtime", "view"],
    "pattern": ["base", "numerics", "atomic", "runtime", "tools", "view", "policy"],
    "copy": ["base", "numerics", "atomic", "runtime", "tools", "view", "policy", "pattern"],
    "graph": ["base", "runtime", "tools", "view", "policy", "pattern", "copy"],
    "Host": ["base", "numerics", "atomic", "runtime", "tools", "view", "policy", "pattern", "copy", "graph"],
    "GPU/portable": [],
    "GPU": ["GPU/portable", "base", "runtime"],
    "GPU/instance": ["GPU/portable", "GPU", "base", "atomic", "runtime", "tools"],
    "GPU/memory": ["GPU/portable", "GPU", "GPU/instance", "base", "runtime", "tools"],
    "GPU/graph": ["GPU/portable", "GPU", "GPU/instance", "base", "runtime", "tools", "graph"],
    "GPU/launch": ["GPU/portable", "GPU", "GPU/instance", "base", "atomic", "runtime", "tools", "view", "policy", "pattern"],
    "GPU/copy": ["GPU/portable", "GPU", "GPU/instance", "GPU/memory", "GPU/graph", "GPU/launch", "base", "runtime", "tools", "view",
                 "policy", "pattern", "copy", "Host"],
    "GPU/backend": ["GPU/launch", "GPU/copy"],
    # The spaces of the enabled backends, by the generated KokkosCore_BackendsSpaces.hpp.
    "spaces": [],
    "memory": ["base", "runtime", "tools", "view", "copy", "spaces"],
    "lifecycle": ["base", "runtime", "tools", "spaces"],
    # Only includes, under paths of upstream's headers.
    "impl": ["base", "runtime", "tools"],
    "View": ["view"],
    "desul": ["atomic"],
    # Headers that no layer includes: those of whole components, such as Kokkos_Core.hpp, and classes on top of all.
    "top": ["base", "numerics", "atomic", "runtime", "tools", "view", "policy", "pattern", "copy", "graph", "Host", "memory", "impl", "spaces"],
    "Serial": ["base", "runtime", "tools", "Host"],
    "OpenMP": ["base", "runtime", "tools", "Host"],
    "Threads": ["base", "runtime", "tools", "Host"],
    "Cuda": ["base", "runtime", "tools", "top", "GPU/portable", "GPU", "GPU/instance", "GPU/memory", "GPU/graph", "GPU/launch", "GPU/copy",
             "GPU/backend"],
    "HIP": ["base", "runtime", "tools", "top", "GPU/portable", "GPU", "GPU/instance", "GPU/memory", "GPU/graph", "GPU/launch", "GPU/copy",
            "GPU/backend"],
    # The other components, with their folders.
    "simd": ["base", "numerics", "top"],  # Kokkos_Core.hpp, because programs that include Kokkos_SIMD.hpp rely on it
    "containers": ["base", "numerics", "atomic", "runtime", "tools", "view", "policy", "pattern", "copy", "memory", "top"],
    "algorithms": ["base", "numerics", "atomic", "runtime", "tools", "view", "policy", "pattern", "copy", "memory", "top", "Host", "containers"],
}

# The layers of the headers in core/src, without `Kokkos_` and `.hpp`. All others are at the top.
PUBLIC_HEADERS = {
    "base": "Abort AnonymousSpace Assert BitManipulation Clamp Concepts Core_fwd DetectionIdiom Graph_fwd IdleMemory "
            "InitializationSettings Initialize InitializeFinalize Layout Macros MathematicalConstants MemoryTraits MinMax NumericTraits Pair "
            "PartitionSpace PointerOwnership Printf ScopeGuard ScratchSpace SpaceAccessibility Swap Timer TypeInfo hwloc",
    "numerics": "Array Complex Half MathematicalFunctions MathematicalSpecialFunctions ReductionIdentity",
    "atomic": "Atomic Atomics_Desul_Wrapper",
    "runtime": "HostPlacement HostSpace PendingResult",
    "tools": "Profiling_Interface Profiling_ProfileSection Profiling_ScopedRegion",
    "view": "Extents Subview View",
    "policy": "ExecPolicy Rank",
    "pattern": "NestedPatterns Parallel Parallel_Reduce Parallel_Scan Tuners UniqueToken",
    "memory": "MemoryManagement MemoryResource",
}
GENERATED_HEADERS = {
    "KokkosCore_config.h": "base", "KokkosCore_BackendsFwd.hpp": "base", "KokkosCore_BackendsSpaces.hpp": "spaces",
    "KokkosCore_BackendsPatterns.hpp": "top", "KokkosCore_BackendsGraphs.hpp": "top",
}
COMPONENTS = ("core", "containers", "algorithms", "simd")


def layer_of(component, path):
    """The layer of a file, by its path relative to the component's src. None for the generated headers of the top."""
    if component != "core":
        return component
    parts = path.parts[1:] if path.parts[0] == "impl" and len(path.parts) > 2 else path.parts
    if len(parts) == 1:
        if path.name in GENERATED_HEADERS:
            return GENERATED_HEADERS[path.name]
        name = path.stem.removeprefix("Kokkos_")
        return next((layer for layer, names in PUBLIC_HEADERS.items() if name in names.split()), "top")
    return "/".join(parts[:2]) if parts[0] == "GPU" and len(parts) > 2 else parts[0]


def table_complaints():
    earlier = set()
    for layer, targets in LAYERS.items():
        yield from (f"tests/structure/layers.py: {layer} names {t}, which is no earlier row" for t in targets if t not in earlier)
        earlier.add(layer)
