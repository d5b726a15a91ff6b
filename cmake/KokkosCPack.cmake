# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A package of the installation: `cpack -G DEB` or `cpack -G TGZ` in the build folder. It has a prefix of its own, so that it can be
# installed beside upstream Kokkos, and removed again.
set(CPACK_PACKAGE_NAME kokkos-steadfast)
set(CPACK_PACKAGE_VERSION ${Kokkos_STEADFAST_VERSION})
set(CPACK_PACKAGE_VENDOR "Kokkos Steadfast developers")
set(CPACK_PACKAGE_CONTACT "Kokkos Steadfast developers <maintainers@kokkos-steadfast.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/kokkos-steadfast)
set(CPACK_RESOURCE_FILE_LICENSE ${Kokkos_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.22), g++ (>= 4:12) | clang (>= 1:15)")
include(CPack)
