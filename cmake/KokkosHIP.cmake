# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With the HIP backend every source that includes Kokkos is HIP: the C++ compiler is ROCm's hipcc, or a clang with the
# AMDGPU target (amdclang++). Kokkos_HIP_PLATFORM=model instead compiles for the CPU, with tests/hip_runtime, by any
# compiler.
#
# This does not search for ROCm's package hip: hipcc does not need it, and in Debian the package refers to a library
# that Debian lacks.
include(CheckCXXSourceCompiles)

set(Kokkos_HIP_PLATFORM amd CACHE STRING "amd: an AMD GPU; model: a model of HIP on the CPU, to test Kokkos itself")
set_property(CACHE Kokkos_HIP_PLATFORM PROPERTY STRINGS amd model)
if(NOT Kokkos_HIP_PLATFORM MATCHES "^(amd|model)$")
  message(FATAL_ERROR "Kokkos_HIP_PLATFORM is \"${Kokkos_HIP_PLATFORM}\", but must be amd, for an AMD GPU, or model, for the model "
                      "of HIP on the CPU, with which Kokkos itself is tested.")
endif()

# AMD_GFX90A and VEGA90A are gfx90a; AMD_GFX942_APU is a gfx942 that shares its memory with the host.
set(kokkos_hip_archs "")
foreach(name IN LISTS Kokkos_ARCH)
  if(NOT name MATCHES "^(AMD_GFX|VEGA|NAVI)([0-9A-F]+)(_APU)?$")
    continue()
  endif()
  set(number ${CMAKE_MATCH_2})
  list(APPEND KOKKOS_ARCH_MACROS AMD_GFX${number} AMD_GPU)
  # Programs also check the older families: VEGA has wavefronts of 64 lanes, NAVI of 32.
  if(number MATCHES "^1...$")
    list(APPEND KOKKOS_ARCH_MACROS NAVI)
  else()
    list(APPEND KOKKOS_ARCH_MACROS VEGA)
  endif()
  if(CMAKE_MATCH_3)
    list(APPEND KOKKOS_CODE_OPTIONS IMPL_HIP_UNIFIED_MEMORY)
  endif()
  string(TOLOWER "gfx${number}" number)
  list(APPEND kokkos_hip_archs ${number})
endforeach()
list(REMOVE_DUPLICATES KOKKOS_ARCH_MACROS)
list(REMOVE_DUPLICATES KOKKOS_CODE_OPTIONS)
list(REMOVE_DUPLICATES kokkos_hip_archs)

# ROCm's CMake packages compile for GPU_TARGETS (AMDGPU_TARGETS in old ones), which may list features: gfx90a:xnack-.
foreach(variable GPU_TARGETS AMDGPU_TARGETS)
  if(kokkos_hip_archs AND ${variable})
    string(REGEX REPLACE ":[^;]*" "" targets "${${variable}}")
    list(SORT targets)
    set(archs ${kokkos_hip_archs})
    list(SORT archs)
    if(NOT targets STREQUAL archs)
      list(JOIN kokkos_hip_archs " " archs)
      message(WARNING "${variable} is \"${${variable}}\", but Kokkos compiles for ${archs}, which Kokkos_ARCH_* selects. ROCm's libraries "
                      "and Kokkos then have code for different GPUs. Set both to the same GPUs.")
    endif()
  endif()
endforeach()

if(Kokkos_HIP_PLATFORM STREQUAL "model")
  if(Kokkos_ENABLE_EXAMPLES)
    message(FATAL_ERROR "Kokkos_ENABLE_EXAMPLES=ON needs a package of Kokkos, and with Kokkos_HIP_PLATFORM=model, which is only for tests, "
                        "there is none. Switch Kokkos_ENABLE_EXAMPLES OFF, or build for amd.")
  endif()
  include(KokkosHIPModel)
  return()
endif()

# Checked before the architecture, because a compiler without HIP needs none.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "Kokkos_ENABLE_HIP=ON, but the C++ compiler ${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID} "
                      "${CMAKE_CXX_COMPILER_VERSION}) does not compile HIP. Configure with -DCMAKE_CXX_COMPILER=hipcc in an empty build "
                      "folder (Debian: the package hipcc), or switch Kokkos_ENABLE_HIP OFF.")
endif()

if(NOT kokkos_hip_archs)
  # The devices of this machine, if there are any.
  find_program(KOKKOS_ROCM_AGENT_ENUMERATOR rocm_agent_enumerator HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES bin)
  mark_as_advanced(KOKKOS_ROCM_AGENT_ENUMERATOR)
  if(KOKKOS_ROCM_AGENT_ENUMERATOR)
    execute_process(COMMAND ${KOKKOS_ROCM_AGENT_ENUMERATOR} OUTPUT_VARIABLE found ERROR_QUIET)
    string(REGEX MATCHALL "gfx[1-9a-f][0-9a-f]+" kokkos_hip_archs "${found}")
    list(REMOVE_DUPLICATES kokkos_hip_archs)
  endif()
  if(NOT kokkos_hip_archs)
    message(FATAL_ERROR "Kokkos_ENABLE_HIP=ON needs the architecture of the GPU, and rocm_agent_enumerator reports no GPU. Specify it: "
                        "-DKokkos_ARCH_AMD_GFX906=ON for a Radeon VII, AMD_GFX90A for an MI250X, AMD_GFX942_APU for an MI300A.")
  endif()
  foreach(name IN LISTS kokkos_hip_archs)
    string(TOUPPER "${name}" name)
    list(APPEND KOKKOS_ARCH_MACROS AMD_${name} AMD_GPU)
    list(APPEND Kokkos_ARCH AMD_${name})
  endforeach()
  list(REMOVE_DUPLICATES KOKKOS_ARCH_MACROS)
endif()

# The wavefront size is a constant in the host's code, too.
set(narrow ${kokkos_hip_archs})
list(FILTER narrow INCLUDE REGEX "^gfx1[0-9][0-9][0-9]$")
if(NOT narrow)
  set(wavefront 64)
elseif(narrow STREQUAL kokkos_hip_archs)
  set(wavefront 32)
else()
  message(FATAL_ERROR "Architectures with wavefronts of 32 and of 64 lanes are both ON: ${kokkos_hip_archs}. Code is compiled for one "
                      "width. Build Kokkos twice, once with gfx10 and later (32) and once with the others (64).")
endif()
list(APPEND KOKKOS_IMPL_MACROS "HIP_WAVEFRONT ${wavefront}")

# hipcc compiles C++ sources as HIP; a clang needs flags for that, and for linking the runtime.
set(kokkos_hip_program "
  #include <hip/hip_runtime.h>
  #ifndef __HIPCC__
  #error not HIP
  #endif
  __global__ void kernel() {}
  int main() {}")
list(GET kokkos_hip_archs 0 number)
set(CMAKE_REQUIRED_FLAGS "--offload-arch=${number}")
check_cxx_source_compiles("${kokkos_hip_program}" KOKKOS_CXX_COMPILER_IS_HIP)
if(NOT KOKKOS_CXX_COMPILER_IS_HIP AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  find_library(KOKKOS_AMDHIP64 amdhip64 HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES lib DOC "HIP's runtime")
  mark_as_advanced(KOKKOS_AMDHIP64)
  if(KOKKOS_AMDHIP64)
    set(CMAKE_REQUIRED_FLAGS "-x hip --offload-arch=${number}")
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    check_cxx_source_compiles("${kokkos_hip_program}" KOKKOS_CXX_COMPILER_HAS_HIP)
    unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  endif()
  if(KOKKOS_CXX_COMPILER_HAS_HIP)
    list(APPEND KOKKOS_ARCH_FLAGS "SHELL:$<$<COMPILE_LANGUAGE:CXX>:-x hip>")
    list(APPEND KOKKOS_BACKEND_TARGETS ${KOKKOS_AMDHIP64})
  endif()
endif()
unset(CMAKE_REQUIRED_FLAGS)
if(NOT KOKKOS_CXX_COMPILER_IS_HIP AND NOT KOKKOS_CXX_COMPILER_HAS_HIP)
  message(FATAL_ERROR "Kokkos_ENABLE_HIP=ON, but the C++ compiler ${CMAKE_CXX_COMPILER} does not compile HIP for ${number}. Configure "
                      "with -DCMAKE_CXX_COMPILER=hipcc in an empty build folder (Debian: the package hipcc), choose an architecture that "
                      "this ROCm supports, or switch Kokkos_ENABLE_HIP OFF.")
endif()
foreach(number IN LISTS kokkos_hip_archs)
  list(APPEND KOKKOS_ARCH_FLAGS --offload-arch=${number})
endforeach()

# Relocatable device code is linked like host code, so that kernels may call device functions of other files. The program
# link step also links and optimises it, with an lld of the compiler's version. Debian's hipcc finds LLVM 14's lld first,
# which cannot read clang 15's output; with -B the compiler searches its own folder first. The object with the device
# code lacks a stack marking, which ld would interpret as an executable stack.
set(KOKKOS_HIP_LINK_FLAGS "")
if(KOKKOS_CXX_COMPILER_IS_HIP OR Kokkos_ENABLE_HIP_RELOCATABLE_DEVICE_CODE)
  foreach(number IN LISTS kokkos_hip_archs)
    list(APPEND KOKKOS_HIP_LINK_FLAGS --offload-arch=${number})  # otherwise hipcc searches for GPUs in this machine
  endforeach()
endif()
if(Kokkos_ENABLE_HIP_RELOCATABLE_DEVICE_CODE)
  list(APPEND KOKKOS_HIP_LINK_FLAGS -fgpu-rdc --hip-link -Wl,-z,noexecstack)
  list(JOIN KOKKOS_ARCH_FLAGS " " CMAKE_REQUIRED_FLAGS)
  string(REGEX REPLACE "SHELL:|\\$<\\$<COMPILE_LANGUAGE:CXX>:([^>]*)>" "\\1" CMAKE_REQUIRED_FLAGS "${CMAKE_REQUIRED_FLAGS}")
  string(APPEND CMAKE_REQUIRED_FLAGS " -fgpu-rdc")
  set(CMAKE_REQUIRED_LINK_OPTIONS ${KOKKOS_HIP_LINK_FLAGS})
  set(CMAKE_REQUIRED_LIBRARIES ${KOKKOS_BACKEND_TARGETS})
  check_cxx_source_compiles("${kokkos_hip_program}" KOKKOS_HIP_LINKS_DEVICE_CODE)
  if(NOT KOKKOS_HIP_LINKS_DEVICE_CODE)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-resource-dir OUTPUT_VARIABLE folder ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(folder "${folder}/../../../bin" ABSOLUTE)  # from <prefix>/lib/clang/<version>
    list(APPEND CMAKE_REQUIRED_LINK_OPTIONS -B${folder})
    check_cxx_source_compiles("${kokkos_hip_program}" KOKKOS_HIP_LINKS_DEVICE_CODE_BY_ITS_OWN_LLD)
    if(NOT KOKKOS_HIP_LINKS_DEVICE_CODE_BY_ITS_OWN_LLD)
      message(FATAL_ERROR "Kokkos_ENABLE_HIP_RELOCATABLE_DEVICE_CODE=ON, but ${CMAKE_CXX_COMPILER} does not link device code. It needs the "
                          "lld of its own version, which is neither the first in PATH nor in ${folder} (Debian: the package lld-15 "
                          "for hipcc). Install that lld, or switch relocatable device code OFF.")
    endif()
    list(APPEND KOKKOS_HIP_LINK_FLAGS -B${folder})
  endif()
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  list(APPEND KOKKOS_ARCH_FLAGS -fgpu-rdc)
endif()

# These clangs crash on libstdc++'s std::pair; the header in that folder explains how, and is included before it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17 AND NOT CMAKE_CXX_FLAGS MATCHES "-stdlib=libc")
  set(folder ${CMAKE_INSTALL_INCLUDEDIR}/kokkos_hip_clang15)
  list(APPEND KOKKOS_ARCH_FLAGS "SHELL:$<BUILD_INTERFACE:-isystem ${Kokkos_SOURCE_DIR}/cmake/hip_clang15>"
                                "SHELL:$<INSTALL_INTERFACE:-isystem $<INSTALL_PREFIX>/${folder}>")
  install(DIRECTORY ${Kokkos_SOURCE_DIR}/cmake/hip_clang15/ DESTINATION ${folder})
endif()
