# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kokkos.pc, for programs that are built without CMake: c++ program.cpp $(pkg-config --cflags --libs kokkos). It uses
# paths relative to itself, so that an installation can be moved. The compiler must be the one that built Kokkos.
set(cflags "-I\${includedir} ${CMAKE_CXX${Kokkos_CXX_STANDARD}_STANDARD_COMPILE_OPTION}")
foreach(flag IN LISTS KOKKOS_ARCH_FLAGS)
  string(REGEX REPLACE "^SHELL:" "" flag "${flag}")
  string(REGEX REPLACE "^\\$<\\$<COMPILE_LANGUAGE:CXX>:(SHELL:)?(.*)>$" "\\2" flag "${flag}")
  if(flag MATCHES "INSTALL_INTERFACE:(.*)\\$<INSTALL_PREFIX>(.*)>$")
    set(flag "${CMAKE_MATCH_1}\${prefix}${CMAKE_MATCH_2}")
  endif()
  if(NOT flag MATCHES "\\$<")  # for another language, or for the build folder
    string(APPEND cflags " ${flag}")
  endif()
endforeach()

set(libs "-L\${libdir}")
foreach(library kokkossimd kokkosalgorithms kokkoscontainers kokkoscore)  # before the libraries that they use
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    string(APPEND libs " -l${library}")
  endif()
endforeach()
if(BUILD_SHARED_LIBS)
  string(APPEND libs " -Wl,-rpath,\${libdir}")
endif()
if(Kokkos_ENABLE_OPENMP)
  string(APPEND cflags " ${OpenMP_CXX_FLAGS}")
  string(APPEND libs " ${OpenMP_CXX_FLAGS}")
endif()
if(Kokkos_ENABLE_CUDA)
  string(APPEND libs " -lcudart")
endif()
foreach(flag IN LISTS KOKKOS_HIP_LINK_FLAGS)
  string(APPEND libs " ${flag}")
endforeach()
foreach(library IN LISTS CMAKE_DL_LIBS)
  if(Kokkos_ENABLE_LIBDL)
    string(APPEND libs " -l${library}")
  endif()
endforeach()

# From <prefix>/<libdir>/pkgconfig to <prefix>.
file(RELATIVE_PATH up "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" up "${up}")
file(CONFIGURE OUTPUT ${Kokkos_BINARY_DIR}/kokkos.pc @ONLY CONTENT "prefix=\${pcfiledir}/${up}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: Kokkos
Description: ${Kokkos_DESCRIPTION}
Version: ${Kokkos_VERSION}
Cflags: ${cflags}
Libs: ${libs}
")
install(FILES ${Kokkos_BINARY_DIR}/kokkos.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
