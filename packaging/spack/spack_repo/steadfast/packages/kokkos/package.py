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
                "8e9d85a529fb8e7d222f182b90e0bb044a42f6d082064173f5898f779504f82c",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "28bf549e5d216a22a51e74f84a93b3acefd1b75935c7a17dc8b0ca1aea5d848f",
            ),
            (
                "0004-HIP-a-fill-with-zero-picks-a-way-that-the-memory-all.patch",
                "1ba5a16e8559bc7cce0f54f8d1f7de95a751bea9153df28c77d8f46fc11979ac",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "24f92764c051a7d7a90ed05d16170a8d620638576a59fe8bc6a196e92d451942",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "90c38525995c66ccefbbfb85dfb6942b31eea35f5cd24d4faade13ae76962262",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "6647b898b46143e3b6f5644a955ff757442f783969cf5f1cc2466f573524a38e",
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
                "0d3d843fd92dadfad83cc5a5cd496f5410c762b920aa26d62eb57ef770a4ca8b",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "02d1caa3117c4df129b2215e9cfb561ec06054eea2aff155d4b74dc7c88e0c5c",
            ),
            (
                "0004-HIP-a-fill-with-zero-picks-a-way-that-the-memory-all.patch",
                "b91fa81db972de75e23e3282ea259467b364cf2ce992de0695982488f5cc18d4",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "33ed538707fab11a9313685e101abf7d22250bf96ce88124881e2892cdbc3e1f",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "9a4ecb28e8e729c8a26a06438c754f197aafcfd7ea60abbd7e59edae8db493ca",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "efbeeaca017450a7ed3ff0a971952b1c9346ba61077f533832b2d5d8a43d0b1f",
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
