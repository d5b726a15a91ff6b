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
                "e276e79d9309689a0ffc1162f44fd4c98877c154ee428c99f4e887624bc7cb14",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "4e2b554f5566fa08cc12b04c097f0425f57d6aff977f02916782cb5527b67c87",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "b32bfc280182cdaada0d3078c6fa02cfd4a653cc11663d2247a579cdbcf1c8d3",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "485044a514a85385053798e0869e5e2d53f550166e5b25d40cfb955fc2627e54",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "a44d5f43b387c52453632345332404bd5eca2be38c05dac60a68224def3514a5",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "0e286ff3fcfef3fca84320e0fca4619614a0b1e9f872f7f06adac7c303f46699",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "358ae6db104dda9dc2a82e97259854584bed6bfb978821ca202b51c93926d57a",
            ),
            (
                "0008-HIP-shuffles-copy-the-words-of-a-value.patch",
                "818bd5c2ed8bed6af510255a0ddcb229f937dd1b0d1f10e13bd0a574c6d54ac5",
            ),
        ),
    ),
    "4.6.01": (
        "b9d70e4653b87a06dbb48d63291bf248058c7c7db4bd91979676ad5609bb1a3a",
        (
            (
                "0001-HIP-no-wait-for-an-event-of-an-instance-that-has-end.patch",
                "68a13bd21d9ff09f1d2fe5560a3804718020a8b09f176943a602c3a3d0f0b4a7",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "31638b163b616e6e2a9fc35ab9bdcccfa563a3db50a9698002d96e3a35b4e5b9",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "1896cb63f7b22b984609117f88ab068085a856514794ce5ff71700b5cafe3a0f",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "eca0b0ee79cae71bb2840ce0952136dbe8f0fe238853b8b23de48710a999ec48",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "f5711ff0233c8b911d37dbb53e41781a451e06a5b5bef15e44d67c35b220acd8",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "6ff7d138b37ea40764ba61e892e07ce0523809ae0e454d0669cbcd7d567b7d82",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "5e3514d1f4daad5fccf22b20f1f866e326de34264b54a142f54258838a317d21",
            ),
            (
                "0008-HIP-shuffles-copy-the-words-of-a-value.patch",
                "a750a9f57ec6c13f1c73fa16a2186b833c193ec33abb425660ddabaf7e4b2822",
            ),
        ),
    ),
    "4.7.01": (
        "404cf33e76159e83b8b4ad5d86f6899d442b5da4624820ab457412116cdcd201",
        (
            (
                "0001-HIP-launches-of-large-functors-work-during-a-capture.patch",
                "45e51fcbd40cbeadb7eef707da83d870d4c612838cb223bfd8e5f04ba6503a54",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "a2d25d9916bc3df17cd95c63af6a7fd71e07837474ffec1b88a95ab9049914d6",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "c2c7aba070dd9a5960819424cb0236c792c2d790a6e22ce796317f0e839b1b7b",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "d54090311359b1ac3589c38677d95006082f6bd2b24abfff271d5cee904080f9",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "3d5f3efb9ef52645d8faa89103a7cace513ff5d5a8324a7f597dda7197e3e575",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "2c6202e2c6df5ab925ec4d89a8c5f773b14be5102dd942b8a0c7866e4b0acc37",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "2a68c355c511f4d28a53c43ea122ea8b32f154d3cb325a752a8e6708c3fabaeb",
            ),
            (
                "0008-HIP-shuffles-copy-the-words-of-a-value.patch",
                "0d06917269e8b7fff7ee96e6c3c59158b25856da85359613d19f91c13b65dc25",
            ),
        ),
    ),
    "5.0.2": (
        "188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e",
        (
            (
                "0001-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "82d04fccd37c196111932549a67da26261cc9eb46797c406ba641e99a0ee13ec",
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
