# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiles headers for hipcc, which reads a source once for the host and once for each architecture. CMake's own precompiled
# headers serve only one of these passes. Here each pass has its own, and clang takes from their folder the one that fits.
# They need Ninja, in whose builds an object of one target may depend on an object of another. Tried with clang 15 (ROCm 5.2).
option(Kokkos_TEST_PRECOMPILE_FOR_HIP "Precompile headers for hipcc, for the compiler and options of scripts/test" OFF)
mark_as_advanced(Kokkos_TEST_PRECOMPILE_FOR_HIP)

# As C++20 modules, which no source uses, clang 15 takes the host's and the device's function of one name for two definitions.
set(kokkos_hip_precompiled_options "SHELL:-Xclang -fno-cxx-modules")

# kokkos_hip_precompile(<name> HEADERS <headers...> LINK <libraries...>): the precompiled headers <name>
function(kokkos_hip_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LINK")
  if(NOT Kokkos_TEST_PRECOMPILE_FOR_HIP)
    return()
  endif()
  list(TRANSFORM arg_HEADERS REPLACE "(.+)" "#include <\\1>\n")
  list(JOIN arg_HEADERS "" content)
  set(sources "")
  set(objects "")
  foreach(pass host ${kokkos_hip_archs})
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}/${pass}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "${content}")
    list(APPEND sources ${source})
    list(APPEND objects ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/${name}/${pass}.cpp.o)
    set(options -S -Xclang -emit-pch)  # -S: nothing is linked, as the device's code otherwise is
    if(pass STREQUAL "host")
      list(APPEND options --offload-host-only)
    else()
      set(others ${kokkos_hip_archs})
      list(REMOVE_ITEM others ${pass})
      list(TRANSFORM others PREPEND --no-offload-arch=)
      list(APPEND options --offload-device-only ${others})
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
  endforeach()
  add_library(${name} OBJECT ${sources})
  target_link_libraries(${name} PRIVATE Kokkos::kokkos ${arg_LINK})
  target_compile_options(${name} PRIVATE ${kokkos_hip_precompiled_options})
  set_property(GLOBAL PROPERTY kokkos_objects_of_${name} ${objects})
endfunction()

# kokkos_use_hip_precompiled(<name> <targets...>): compiles the sources of the targets with the precompiled headers <name>. The
# targets have the same definitions as these: for others, clang finds no header that fits, which is an error.
function(kokkos_use_hip_precompiled name)
  get_property(objects GLOBAL PROPERTY kokkos_objects_of_${name})
  if(NOT objects)
    return()
  endif()
  list(GET objects 0 folder)
  get_filename_component(folder ${folder} DIRECTORY)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${kokkos_hip_precompiled_options} "SHELL:-Xclang -include-pch -Xclang ${folder}")
    get_target_property(sources ${target} SOURCES)
    get_target_property(source_folder ${target} SOURCE_DIR)
    set_property(SOURCE ${sources} DIRECTORY ${source_folder} APPEND PROPERTY OBJECT_DEPENDS ${objects})
  endforeach()
endfunction()
