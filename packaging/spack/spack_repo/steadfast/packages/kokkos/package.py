# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spack's kokkos with two additions: the variant `steadfast`, which applies the patches of this repository to upstream, and a
version that is built from this repository. All else, all variants included, is that of Spack's own package."""
from pathlib import Path

from spack.package import *

try:
    from spack_repo.builtin.packages.kokkos.package import Kokkos as BuiltinKokkos  # Spack 1.0 and newer
except ImportError:
    from spack.pkg.builtin.kokkos import Kokkos as BuiltinKokkos

# From the folder of this package to the folder of the series, where Spack looks for a patch.
PATCHES = "../../../../../../patches"
ROOT = Path(__file__).resolve().parents[6]

# The release, the checksum of its archive, and the patches in their order with theirs. Written by packaging/spack/refresh.
# BEGIN SERIES
SERIES = {
    "4.5.01": (
        "52d003ffbbe05f30c89966e4009c017efb1662b02b2b73190670d3418719564c",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "fea210516037dd67dbf83c9da02ac8438eb26ca32872f2670762e0d1c75e2280",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "0c72d66015569dd2320d476a5a08cc83ae01f1a5345bb32cc0f79db285f05bc0",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "91163b69777100f3bdd9e42866fb90edb06ee8705de9d479c9dc266a7518accc",
            ),
            (
                "0004-HIP-a-fill-with-zero-picks-a-way-that-the-memory-all.patch",
                "ed99804c505e448f83f6aa7f6284c99f31b70dc11cd76a3228691cef17b82d7b",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "3528d7f301a083d27f3d059bd86e0aad1006d5cfde55f7b05264be98c0153c9e",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "c15e317edf78a78e112a60316383d6b1027c4d93dc231a1e0b38c96cf6718195",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "69125c4a8b2350608f5546aff4404bc5c7baafcd77c105fb89bf74163f9b976c",
            ),
        ),
    ),
    "4.6.01": (
        "b9d70e4653b87a06dbb48d63291bf248058c7c7db4bd91979676ad5609bb1a3a",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "250c068110640774318bea5b71fb9a1891efee5781b48dadd35b6cfb705b5294",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "6eea511061837c72b865d72524f9862ff021c19c7564aae2150e870a510f300f",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "b8701e94c2edf9d3b1317b6453c87cb4b3de4dc53a7d73310a228e3e58e09a50",
            ),
            (
                "0004-HIP-a-fill-with-zero-picks-a-way-that-the-memory-all.patch",
                "f9c941b72b622736ba36e344ab3806b0dd54fc27f09824f59e6599bd3ec13e46",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "4053bca26c4d5a97b8285a93d23ecd20b2d5cba2a199d8d97de217992221dea5",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "a34e8ac2e7f3a99bccc5b3b3f960a5d5bb34d85f491fa147b1f73cac09fbc171",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "097099bc2c1c65ba084d8777277ced027d5a312cdf0b500af94135ac6fe16d33",
            ),
        ),
    ),
    "5.0.2": (
        "188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e",
        (
            (
                "0001-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "eb234c9c9b58270aa2aa8f2c140c733efe75df0d50ee7bff56b98a5f2b2faf07",
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
