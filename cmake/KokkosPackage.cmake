# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Implements find_package(Kokkos): from an installation, from the build folder, and for a project that includes Kokkos
# by add_subdirectory or FetchContent.
include(CMakePackageConfigHelpers)

set(Kokkos_CXX_COMPILER "${CMAKE_CXX_COMPILER}")
set(Kokkos_CXX_COMPILER_ID "${CMAKE_CXX_COMPILER_ID}")
set(Kokkos_CXX_COMPILER_VERSION "${CMAKE_CXX_COMPILER_VERSION}")
set(KOKKOS_ARE_LIBS_SHARED OFF)
if(BUILD_SHARED_LIBS)
  set(KOKKOS_ARE_LIBS_SHARED ON)
endif()
set(KOKKOS_COMPILE_LANGUAGE CXX)
if(Kokkos_ENABLE_CUDA AND Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
  set(KOKKOS_COMPILE_LANGUAGE CUDA)
endif()
set(KOKKOS_FIND_DEPENDENCIES "")
foreach(package IN LISTS KOKKOS_BACKEND_PACKAGES)
  string(APPEND KOKKOS_FIND_DEPENDENCIES "find_dependency(${package})\n")
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Kokkos)
set(build_package_dir ${Kokkos_BINARY_DIR}/cmake_packages/Kokkos)
configure_file(cmake/KokkosConfigCommon.cmake.in ${build_package_dir}/KokkosConfigCommon.cmake @ONLY)
configure_package_config_file(cmake/KokkosConfig.cmake.in ${build_package_dir}/KokkosConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${build_package_dir}/KokkosVersionOfRelease.cmake
  VERSION ${Kokkos_VERSION} COMPATIBILITY AnyNewerVersion)
configure_file(cmake/KokkosConfigVersion.cmake.in ${build_package_dir}/KokkosConfigVersion.cmake @ONLY)

install(EXPORT KokkosTargets NAMESPACE Kokkos:: DESTINATION ${package_dir})
install(PROGRAMS bin/hpcbind DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES debugging/kokkos_gdb.py debugging/kokkos.natvis LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/kokkos)
if(Kokkos_ENABLE_CUDA)
  configure_file(cmake/KokkosCudaStandard.cmake ${build_package_dir}/KokkosCudaStandard.cmake COPYONLY)
  install(FILES cmake/KokkosCudaStandard.cmake DESTINATION ${package_dir})
endif()
install(FILES ${build_package_dir}/KokkosConfig.cmake ${build_package_dir}/KokkosConfigCommon.cmake
              ${build_package_dir}/KokkosConfigVersion.cmake ${build_package_dir}/KokkosVersionOfRelease.cmake DESTINATION ${package_dir})
install(DIRECTORY ${KOKKOS_GENERATED_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# From the build folder: Kokkos_ROOT=<build> and Kokkos_DIR=<build>/cmake_packages/Kokkos both work.
export(EXPORT KokkosTargets NAMESPACE Kokkos:: FILE ${build_package_dir}/KokkosTargets.cmake)
foreach(file KokkosConfig KokkosConfigVersion)
  file(CONFIGURE OUTPUT ${Kokkos_BINARY_DIR}/${file}.cmake @ONLY
       CONTENT "include(\"${build_package_dir}/${file}.cmake\")\n")
endforeach()

# Defines in a surrounding project the same variables and functions as find_package. With FetchContent's
# OVERRIDE_FIND_PACKAGE the last lines run inside the find_package call.
include(${build_package_dir}/KokkosConfigCommon.cmake)
if(NOT PROJECT_IS_TOP_LEVEL)
  foreach(variable IN LISTS KOKKOS_PACKAGE_VARIABLES)
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endforeach()
  if(CMAKE_FIND_PACKAGE_REDIRECTS_DIR)
    file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/kokkos-extra.cmake
         "include(\"${build_package_dir}/KokkosConfigCommon.cmake\")\nunset(KOKKOS_PACKAGE_VARIABLES)\n")
  endif()
endif()
