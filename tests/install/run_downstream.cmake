# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DMETHOD= -DSYSTEM= -DSOURCE= -DBUILD= -DWORK= -DCOMPILER= -DLAUNCHER= -DGENERATOR= -DOPENMP= -DPKG_CONFIG= -DTHOROUGH= -P run_downstream.cmake
# Builds and runs downstream/ with the Kokkos that METHOD selects:
#   installed      BUILD, installed into a prefix that is then moved, since an installation must not contain its own path
#   build_tree     BUILD itself, not installed
#   shared         the source, by add_subdirectory, with BUILD_SHARED_LIBS and all warnings as errors; then again with what this
#                  build has installed, so that one build of the library serves both
#   pkg_config     BUILD, installed into a prefix that is then moved, found by pkg-config and built by the compiler alone; then
#                  with the libraries of all components by name
#   subdirectory   the source, by add_subdirectory, with no backend chosen
#   fetchcontent   the source, by FetchContent in place of find_package, for this machine's processor
# Unless THOROUGH, the last two are only configured, since shared, too, builds the library as a part of the program.
file(REMOVE_RECURSE ${WORK})
get_filename_component(here ${CMAKE_CURRENT_LIST_FILE} DIRECTORY)
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with status ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

if(METHOD STREQUAL "pkg_config")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
  file(GLOB_RECURSE pc ${WORK}/prefix/kokkos.pc)
  get_filename_component(folder "${pc}" DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  run(${PKG_CONFIG} --cflags --libs kokkos)
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${COMPILER} ${here}/downstream/main.cpp ${here}/downstream/sum.cpp -o ${WORK}/downstream ${flags})
  run(${WORK}/downstream)
  if(NOT output MATCHES "sum = 499500")
    message(FATAL_ERROR "The program printed:\n${output}")
  endif()
  # Makefiles name the libraries of all components, also of those that have only headers.
  if(SYSTEM MATCHES "Linux")
    run(${COMPILER} ${here}/downstream/main.cpp ${here}/downstream/sum.cpp -o ${WORK}/by_name ${flags} -lkokkosalgorithms -lkokkossimd)
    get_filename_component(folder "${folder}" DIRECTORY)
    foreach(part kokkosalgorithms kokkossimd kokkoscontainers kokkoscore)
      find_library(found_${part} ${part} PATHS ${folder} NO_DEFAULT_PATH NO_CACHE)
      if(NOT found_${part})
        message(FATAL_ERROR "There is no library ${part} in ${folder}.")
      endif()
    endforeach()
  endif()
  return()
endif()

if(METHOD STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
  set(found -DCMAKE_PREFIX_PATH=${WORK}/prefix -DFROM=package)
elseif(METHOD STREQUAL "build_tree")
  set(found -DKokkos_ROOT=${BUILD} -DFROM=package)
elseif(METHOD STREQUAL "shared")
  set(found -DKOKKOS_SOURCE=${SOURCE} -DFROM=subdirectory -DBUILD_SHARED_LIBS=ON -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=${OPENMP}
      -DKokkos_ENABLE_COMPILER_WARNINGS=ON -DKokkos_ENABLE_WARNINGS_AS_ERRORS=ON -DCMAKE_INSTALL_PREFIX=${WORK}/prefix
      -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DKokkos_TEST_UNITY=ON)
elseif(METHOD STREQUAL "subdirectory")
  set(found -DKOKKOS_SOURCE=${SOURCE} -DFROM=subdirectory -DKokkos_TEST_UNITY=ON)
elseif(METHOD STREQUAL "fetchcontent")
  set(found -DFETCHCONTENT_SOURCE_DIR_KOKKOS=${SOURCE} -DFROM=fetchcontent -DKokkos_ENABLE_SERIAL=ON -DKokkos_TEST_UNITY=ON
      -DKokkos_ARCH_NATIVE=ON)
else()
  message(FATAL_ERROR "METHOD is \"${METHOD}\", which is none of the above.")
endif()

# Configures, builds and runs downstream/ in a folder of that name in WORK, with the arguments of cmake that follow.
function(try_downstream folder)
  run(${CMAKE_COMMAND} -S ${here}/downstream -B ${WORK}/${folder} ${common} ${ARGN})
  if(NOT output MATCHES "downstream: devices are [A-Z;]*SERIAL")
    message(FATAL_ERROR "Kokkos_DEVICES does not name SERIAL:\n${output}")
  endif()
  if(METHOD MATCHES "^(subdirectory|fetchcontent)$" AND NOT THOROUGH)
    return()
  endif()
  run(${CMAKE_COMMAND} --build ${WORK}/${folder} --parallel 2)
  run(${WORK}/${folder}/downstream_plugin_user)
  run(${WORK}/${folder}/downstream)
  if(NOT output MATCHES "sum = 499500")
    message(FATAL_ERROR "The program printed:\n${output}")
  endif()
endfunction()

try_downstream(downstream ${found})
if(METHOD STREQUAL "installed")
  run(${CMAKE_COMMAND} -S ${here}/no_policies -B ${WORK}/no_policies ${common} ${found})
endif()
if(METHOD STREQUAL "shared")
  run(${CMAKE_COMMAND} --install ${WORK}/downstream)
  file(REMOVE_RECURSE ${WORK}/downstream)  # the installed libraries must not need those of the build
  # Names of other Kokkos libraries are libkokkoscore.so.5.2: a program that is linked to one must not load this library.
  file(GLOB versioned ${WORK}/prefix/lib/libkokkoscore.so.steadfast.[0-9]*.[0-9]* ${WORK}/prefix/lib/libkokkoscore.steadfast.[0-9]*.dylib)
  file(GLOB foreign ${WORK}/prefix/lib/libkokkos*.so.[0-9]*)
  if(NOT versioned OR foreign)
    message(FATAL_ERROR "The libraries of ${WORK}/prefix/lib must have the version of this implementation in their names; found: ${versioned} ${foreign}")
  endif()
  find_program(READELF readelf)
  if(READELF)
    run(${READELF} -d ${WORK}/prefix/lib/libkokkoscore.so)
    if(NOT output MATCHES "SONAME[^\n]*libkokkoscore.so.steadfast.[0-9.]+]")
      message(FATAL_ERROR "libkokkoscore.so has the wrong SONAME:\n${output}")
    endif()
  endif()
  try_downstream(with_installed -DCMAKE_PREFIX_PATH=${WORK}/prefix -DFROM=package)
  if(SYSTEM MATCHES "Linux")
    include(${here}/check_shared.cmake)
  endif()
endif()
