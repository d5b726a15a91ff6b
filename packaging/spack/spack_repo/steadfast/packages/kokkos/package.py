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
                "87131f08394066aea2f175fc097dacbb8b3bf124b22ba4c2a695fa76c6eed5d6",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "fa7cf57134783d95a66027c48068cdb36ba955f280fa202ddfc8bfbc883f0739",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "b8c17054b0b157becc1eebfcf2147b2fe0c7b19989eb874c3b84207ca4078103",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "6a1e77b9f63845b0c6846f88fcdd65526026785fe3872af7169cb2311db78c4f",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "53c66bb93cf73ae108e3701b4720240aeb3179fa3ac306fcee3759d2219cef50",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "647d749bfdd1e45ccf489a98f0fd29eaadd586ca9f7702968ee49020cbd72870",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "a1765eca2eee22d92144081969fe5a6c6342808a0259345dc843f28ff2de5f67",
            ),
        ),
    ),
    "4.6.01": (
        "b9d70e4653b87a06dbb48d63291bf248058c7c7db4bd91979676ad5609bb1a3a",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "c4c5cda4f815047dff202de0242ffec268de588645f15cd115ddc00399e18a22",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "d806b41f443fc4c4f3345b59b1dd0c3e1f274141c470349b69094172be77fd05",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "e8f0b25be5a26918cb23f9c37529bda297edf036c6c4a6b85da78654d9107b4c",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "2891e0dd7836666c090ac3410222f38ae5fb40800fb1795434985a87e64dc29f",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "3fa24eea8ae870f35ee730fa46db528e4d85e306fc88708dfc3575188f180119",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "486bfbd3fbd0bb922d602182549b65c3014cd6919fb233985afbba1601f0e249",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "acda8a0a59c0e7d5af37f8a2a9b82a07b45070003b7a53e99b12a982cd5a5c7a",
            ),
        ),
    ),
    "5.0.2": (
        "188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e",
        (
            (
                "0001-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "17aff222c130093a1db4bffcdb389c2c9bdbe46ebef23907a29689c0ff4026a0",
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

    sanity_check_is_dir = ["include"]  # bin has nvcc_wrapper, which goes with CUDA
