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
                "ba65ddc532fd2a8b5a22f881e54feb7c5936f204f3491d6c50f23a883b820f2b",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "36c537b29b41bced75b948e8cc5714eb052c21c6f33fd0e13610daaf1338902c",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "e5fd6bfb74f67b7d7c82849d85713afe3daba21699ad82abf901477a3ef55552",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "7f77eca33e8555f9e7f340e8d6bccd3b70dac4b0d0f2e6755d84392ae2719b5d",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "2e61d361b8b2a38335f75e6d7c42adcb0a673df281f854296383a4cf562491ce",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "0e286ff3fcfef3fca84320e0fca4619614a0b1e9f872f7f06adac7c303f46699",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "2c050fdf8febb777c1d5245df6c8446dcd3f7fb7f73b5376175711b6be210d82",
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
                "44bd48b03ce9b0224b1b17961a501325824ad4214cf322c3f2afc71df50735a3",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "cd9bbfc2c73a48f8b0010455e3932cc8b053c79bb03e9164727958d9961f279e",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "756f64c265cdfa0bd8d6cd3557c06a019e88179b937e4a04033a29bff7b0c3a9",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "6de6a3d9fe3fae3f1ef98c696e73abc54ca99c5b3f71824f7ed51256a73e0392",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "c3d251dfb5e3120dd2abf5e171501581017f06f5ce5d334d752791a74eaed9e2",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "6ff7d138b37ea40764ba61e892e07ce0523809ae0e454d0669cbcd7d567b7d82",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "c52cb3b37c4f35618521524f4ad56d40c8a127afb4039a17dd3613a729581d23",
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
                "f72646c9f2e3de3a78a4f80b5ff0291a296d4f017ca61e10374e27a7c7f8531b",
            ),
            (
                "0002-HIP-launches-of-large-functors-wait-neither-for-one-.patch",
                "c4ad3aa97d396ea9458a916f6f35c0ea43e4f86604754a968bbd6fab88f3ee0a",
            ),
            (
                "0003-CUDA-large-functors-are-kernel-parameters-beyond-tha.patch",
                "c31fabe9625e6124f0662921bcc0c58bef6b8f2c3ceb8e1e9588d2ec9c35a812",
            ),
            (
                "0004-HIP-fill-memory-of-malloc-without-hipMemsetAsync.patch",
                "1a73550b7dbd7851e5dc5064d8cff25275a511f89abdaf83ff2563e72721ca04",
            ),
            (
                "0005-CUDA-and-HIP-fills-with-any-value-at-the-speed-of-me.patch",
                "da29e3d8976dd0655e7f00d66c8706ea51d22caff3b9b36e4a21353e65b23d54",
            ),
            (
                "0006-CUDA-and-HIP-copies-of-strided-views-between-host-an.patch",
                "2c6202e2c6df5ab925ec4d89a8c5f773b14be5102dd942b8a0c7866e4b0acc37",
            ),
            (
                "0007-CUDA-and-HIP-asynchronous-copies-of-pageable-memory-.patch",
                "be0bfe94a676dd77d657049bcb849e6268b21852bcba7db533673de29ce5e449",
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
