# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack's kokkos with two additions: the variant `steadfast`, which applies the patches of this repository to upstream, and a
version that is built from this repository. Everything else, including all variants, comes from Spack's own package."""
from pathlib import Path

from spack.package import *

try:
    from spack_repo.builtin.packages.kokkos.package import Kokkos as BuiltinKokkos  # Spack 1.0 and newer
except ImportError:
    from spack.pkg.builtin.kokkos import Kokkos as BuiltinKokkos

# Spack finds the patches by this path, which is relative to the folder of the package.
PATCHES = "../../../../../../patches"
ROOT = Path(__file__).resolve().parents[6]

# Each release: the checksum of its archive, and its patches in order, with their checksums. Written by packaging/spack/refresh.
# BEGIN SERIES
SERIES = {
    "4.5.01": (
        "52d003ffbbe05f30c89966e4009c017efb1662b02b2b73190670d3418719564c",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "a37d0b92527fe1e75b01e026f328e9a5ed36a29a7de29819e146114fca4b8881",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "5f1dffb1785e9d1a6df811673d645df5dd7b77ca49d8e95bab7407bbe5f5b3b5",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "9a84b62f7db04f5c04baa99fb1e4b46d027a3d9e39b5ecfb972216aea367357c",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "e9cbc48885559233afa11d4d669b0990d576ea2d3fab8975f71d3148199c434c",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "d1771ae0d10f6d7ef67c98fc9ef87d81ffb840c2425fa84b0d11ba6b8a3785c7",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "52b1e740f85ad5a93a552d2aae5f2c9b3ad643be927a7ad086bbdd24203bcdce",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "609abf753226a576dce2af14c17976ac4ff38b6ccc5071fa2b10ed5a15134d0f",
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
                "e90b76007fb8f314fc4bdf20eed708b34fe70c57f00191d9cfe2f604ccb8f5ab",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "b405526ec71529c8962fe1a1f7ccfd37d699b98110b1978ee045112dc3a888ce",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "950dc4e19714d687505f435926849fd81a51a67054c1c7627d0255018aca56c7",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "126b74d386a5116dc1b7f039cc31871f615b1801ce9ea1d8ee5a53d6036ee2ab",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "eb41a5c8001b8a3e6436d7750a5f2054f18626b8f8cf02fafa4069a461cde376",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "11d97eccaf263db6c377200e73304b1086f84ddf7062378ecf31a2bc0eeb15e2",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "7f5f0fbc735978b5cc9c601baf23e0229d68f4bbe33ac4f16b6a8985bc1830ab",
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
                "369af6bfb274a9ab06f3583aac541d589ac868ed93d2d335d9ef424f7c3d02b2",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "e73b1f4ba26a3c098c187a3616c4bf62cbbee78a23e2d4f54107a2238f2f5d8b",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "098b8b32b59ee1ec61e056e1014a88da2204e277b08c462fe87c240be749fb51",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "d88bf3008014fe7324974cd34a9b0531c38a68d9e683948fea2e6e139398cf66",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "bf292b643ad3d241664f575a157a63c138e9fc9a379206c2f56060a122075545",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "cab8c1d8f14f955a6543d13320073a797c4264641758515f96b90b3431bbed96",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "4cea027e50073111aa67ec14b4f9162595228bb9ab77aeb7aa4855bb90e908bc",
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
    for _release in SERIES:
        for _name, _checksum in SERIES[_release][1]:
            patch(f"{PATCHES}/{_release}/{_name}", sha256=_checksum, when=f"@={_release} +steadfast")

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
