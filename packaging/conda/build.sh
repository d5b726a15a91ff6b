#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# conda-build runs this in the folder of the sources, with PREFIX, the folder of the package, and CPU_COUNT.
set -euo pipefail
cmake -S . -B build_conda -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DBUILD_SHARED_LIBS=ON -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON -DKokkos_ARCH_NATIVE=OFF ${CMAKE_ARGS:-}
cmake --build build_conda -j "${CPU_COUNT:-2}"
cmake --install build_conda
