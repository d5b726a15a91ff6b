# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack's kokkos with two additions: the variant `steadfast`, which applies the patches of this repository to upstream, and a
version that is built from this repository. Everything else, including all variants, comes from Spack's own package."""
from pathlib import Path

from spack.package import *

try:
    from spack_repo.builtin.packages.kokkos.package import Kokkos as BuiltinKokkos  # Spack 1.0 and newer
except ImportError:
    from spack.pkg.builtin.kokkos import Kokkos as BuiltinKokkos

# Spack finds the patches by this path, which is relative to the folder of the package. patches/make writes them.
PATCHES = "../../../../../../patches/made"
ROOT = Path(__file__).resolve().parents[6]

# Each release: the checksum of its archive, and its patches in order, with their checksums. Written by packaging/spack/refresh.
# BEGIN SERIES
SERIES = {
    "4.5.01": (
        "52d003ffbbe05f30c89966e4009c017efb1662b02b2b73190670d3418719564c",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "6925c4499d687232ba0769d9880f97294cd6f0cfdc279b5debe75d2690fa324d",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "92ffe57db89c5536aa2595c45fe4e8095a2f846ae4f6d6ebd804f4c40d49a34d",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "5069e1fb86b795285cefbf35af46bbd30a2b4f24c71d04c4de0711d73121d969",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "c305fed63c3791acb6a9c1a34b9d0285ac85c3ac5e552fd753fd6cfcd26a5a9b",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "bcda66e5e8da8f930f30af1280ed424f2a31a6e754379016b3f2b9f4732baa57",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "52b1e740f85ad5a93a552d2aae5f2c9b3ad643be927a7ad086bbdd24203bcdce",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "f553e438d06a50b88a0cbba5561dbf1138d8425ea5aeb4ce6fba679dd7b088f5",
            ),
            (
                "0008-HIP-shuffles-copy-the-words-of-a-value.patch",
                "9ca76492c39bc40ac3f5a0366bf5d0088b6184e60647eb8ed72030b055c3c7bf",
            ),
        ),
    ),
    "4.6.01": (
        "b9d70e4653b87a06dbb48d63291bf248058c7c7db4bd91979676ad5609bb1a3a",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "88070a7eb5c0b8644c99fd258e26d3d71c0fd9f229a5d086894860a4a1b01d3f",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "473b818ef7cbc681d3c2497f4867261f0a3af0cb7f29b2885d798988ad6df2fe",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "20500d8c550b0b5edd876fc516d4360b6a098096c2642b60aa1a0abe8e9a6237",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "bdfac13619335592dae5d3de15bf1e18712bb50d8686c3f1a71c2ae6dfc1ff0b",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "47967b3ee266bd7859bef0eb17389cf4eb7760925c1b93a674eddb951edeae63",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "11d97eccaf263db6c377200e73304b1086f84ddf7062378ecf31a2bc0eeb15e2",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "febd28fccb5d40fbe048fddeb8b546aa5ecc2b05605c65f0db5fcb66317124a6",
            ),
            (
                "0008-HIP-shuffles-copy-the-words-of-a-value.patch",
                "52413264153f3d26bfd0ffb9de4a078aeb64e68214c136ed341732a4f8ee4dcd",
            ),
        ),
    ),
    "4.7.01": (
        "404cf33e76159e83b8b4ad5d86f6899d442b5da4624820ab457412116cdcd201",
        (
            (
                "0001-HIP-launches-of-large-functors-work-during-a-capture.patch",
                "a2d7e0b75b2f51d3b63224f65326354b30c0bca5c629daa9c43ed908aeec24d2",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "43a27e797e87191945465c5840cb8c319fe3ab4653d59cba19dd3a50cef6022e",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "ea2d6f8ce35b8875e99b7733afdb4ebe2b7719a05e47ec112379bb9387b5cf9e",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "85f050950dff4c957f3a1ace04521a0901cb2f6b99c7496efc7391d40db66c1a",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "84970232c3aab5d1cf658681302321cd7b391f6cc842f4605bdfc0581c653416",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "cab8c1d8f14f955a6543d13320073a797c4264641758515f96b90b3431bbed96",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "670a8f8ec64783866a102c7ce38603a5f2efc60cd2d23528828e5fd9e1354e0b",
            ),
            (
                "0008-HIP-shuffles-copy-the-words-of-a-value.patch",
                "323c68de4335355c6b46915686da98240b798167dbfd920279e6df1baac4b15b",
            ),
        ),
    ),
    "5.0.2": (
        "188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e",
        (
            (
                "0001-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "909a8ff7f5fff889b62e7d7a364c08a5dbfa32aea0242518e4a0eaec528f3384",
            ),
        ),
    ),
}
# END SERIES


class Kokkos(BuiltinKokkos):
    __doc__ = BuiltinKokkos.__doc__

    for _release in SERIES:
        version(_release, sha256=SERIES[_release][0])

    # Upstream's newest version remains the default for a plain `kokkos`.
    _newest = max(v for v in BuiltinKokkos.versions if not v.isdevelop())
    version(str(_newest), preferred=True, **BuiltinKokkos.versions[_newest])

    # This repository, as it is checked out: dependents see version 5.2.0 of the interface.
    version("5.2.0-steadfast", git=ROOT.as_uri(), branch="main")

    variant("steadfast", default=False, description="Apply the patches of Kokkos Steadfast to upstream")
    requires(
        *(f"@={release}" for release in SERIES),
        policy="one_of",
        when="+steadfast",
        msg="+steadfast has patches for " + ", ".join(SERIES) + "; @5.2.0-steadfast has their content without the variant",
    )
    if (ROOT / "patches/made").is_dir():
        for _release in SERIES:
            for _name, _checksum in SERIES[_release][1]:
                patch(f"{PATCHES}/{_release}/{_name}", sha256=_checksum, when=f"@={_release} +steadfast")
    else:
        conflicts("+steadfast", msg=f"the patches have not been made: run {ROOT}/patches/make")

    with when("@=5.2.0-steadfast"):
        depends_on("cmake@3.22:", type="build")
        conflicts("%gcc@:11", msg="Kokkos Steadfast needs g++ 12 or newer")
        conflicts("%clang@:14", msg="Kokkos Steadfast needs clang 15 or newer")
        conflicts("+sycl", msg="Kokkos Steadfast has no SYCL backend")
        conflicts("+openmptarget", msg="Kokkos Steadfast has no OpenMPTarget backend")
        conflicts("+hpx", msg="Kokkos Steadfast has no HPX backend")
        conflicts("+openmp", when="+threads", msg="OpenMP and Threads are alternatives")
        depends_on("cuda@12.4:", when="+cuda")

    sanity_check_is_dir = ["include"]  # bin contains nvcc_wrapper, for programs that use CUDA
