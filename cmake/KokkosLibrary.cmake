# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Common functions for the libraries of Kokkos.

# Warnings for the library's own build; never passed on to programs that use Kokkos.
set(KOKKOS_WARNINGS -Wall -Wextra)
if(Kokkos_ENABLE_COMPILER_WARNINGS)
  list(APPEND KOKKOS_WARNINGS -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
endif()
if(Kokkos_ENABLE_WARNINGS_AS_ERRORS)
  list(APPEND KOKKOS_WARNINGS -Werror)
endif()

if(Kokkos_ENABLE_CUDA)
  list(TRANSFORM KOKKOS_WARNINGS REPLACE "^(.+)$" "$<IF:$<COMPILE_LANGUAGE:CUDA>,-Xcompiler=\\1,\\1>")
endif()

# The linker's list of the symbols that shared libraries export.
set(KOKKOS_EXPORTS LINKER:--version-script=${Kokkos_SOURCE_DIR}/cmake/kokkos_symbols.map)
if(BUILD_SHARED_LIBS)
  include(CheckLinkerFlag)
  check_linker_flag(CXX ${KOKKOS_EXPORTS} KOKKOS_LINKER_READS_VERSION_SCRIPTS)
endif()

# kokkos_device_sources(<files...>): sources of this folder that include Kokkos. If requested, their language becomes
# CMake's CUDA.
function(kokkos_device_sources)
  if(Kokkos_ENABLE_CUDA AND Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()

# kokkos_library(<name> INCLUDE <folder> SOURCES <files...> LINK <libraries...>): the library <name>, installed and exported
# as Kokkos::<name> with the headers of <folder>. Without sources it is a header library.
function(kokkos_library name)
  cmake_parse_arguments(PARSE_ARGV 1 lib "" "INCLUDE" "SOURCES;LINK")
  if(lib_SOURCES)
    add_library(${name} ${lib_SOURCES})
    kokkos_device_sources(${lib_SOURCES})
    set(scope PUBLIC)
    target_compile_options(${name} PRIVATE ${KOKKOS_WARNINGS})
    # Static libraries, too, can be linked into a shared object. Calls between their functions are nevertheless direct.
    if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      if(NOT BUILD_SHARED_LIBS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT Kokkos_ENABLE_CUDA)
        target_compile_options(${name} PRIVATE -fno-semantic-interposition)
      endif()
    endif()
    # The name of a shared library is that of this implementation and its version: it cannot replace another library that has
    # the same interface. Before version 1, every minor version may change the binary interface.
    string(REGEX MATCH "^(0[.])?[0-9]+" kokkos_abi ${Kokkos_STEADFAST_VERSION})
    # Symbols are visible in a shared library, whatever the settings of a surrounding project, if the linker does not hide
    # them below.
    set_target_properties(${name} PROPERTIES
      CXX_STANDARD ${Kokkos_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
      CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF
      VERSION steadfast.${Kokkos_STEADFAST_VERSION} SOVERSION steadfast.${kokkos_abi})
    get_target_property(type ${name} TYPE)
    if(type STREQUAL "SHARED_LIBRARY" AND KOKKOS_LINKER_READS_VERSION_SCRIPTS)
      target_link_options(${name} PRIVATE ${KOKKOS_EXPORTS})
      set_target_properties(${name} PROPERTIES LINK_DEPENDS ${Kokkos_SOURCE_DIR}/cmake/kokkos_symbols.map)
    endif()
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
    # Makefiles link the libraries of an installation by name, such as -lkokkossimd. These are the bytes of an archive without members.
    if(UNIX AND NOT APPLE)
      set(archive ${Kokkos_BINARY_DIR}/${CMAKE_STATIC_LIBRARY_PREFIX}${name}${CMAKE_STATIC_LIBRARY_SUFFIX})
      file(WRITE ${archive} "!<arch>\n")
      install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
  endif()
  add_library(Kokkos::${name} ALIAS ${name})
  target_link_libraries(${name} ${scope} ${lib_LINK})
  target_compile_features(${name} ${scope} cxx_std_${Kokkos_CXX_STANDARD})
  target_include_directories(${name} ${scope} $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${name} EXPORT KokkosTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # A component without headers has no folder in a clone, and CMake refuses imported targets with nonexistent paths.
  # Because of the glob, the build configures itself again when the first header is added.
  file(GLOB headers CONFIGURE_DEPENDS ${lib_INCLUDE}/*.hpp)
  if(EXISTS ${lib_INCLUDE})
    target_include_directories(${name} ${scope} $<BUILD_INTERFACE:${lib_INCLUDE}>)
    install(DIRECTORY ${lib_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
  endif()
endfunction()
