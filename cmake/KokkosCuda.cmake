# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With the CUDA backend every source that includes Kokkos is CUDA. Two ways: the C++ compiler is bin/nvcc_wrapper (or a
# clang that knows the toolkit), or, with Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, CMake's language CUDA.
include(CheckCXXSourceCompiles)

set(names "")
foreach(row IN LISTS KOKKOS_DEVICE_ARCH_TABLE)
  kokkos_row("${row}" backend names)
  if(backend STREQUAL "CUDA")
    string(REPLACE " " ";" names "${names}")
    break()
  endif()
endforeach()
set(kokkos_cuda_archs "")
foreach(name IN LISTS names)
  if(Kokkos_ARCH_${name})
    string(REGEX REPLACE "[^0-9]" "" number "${name}")
    list(APPEND kokkos_cuda_archs ${number})
  endif()
endforeach()
if(NOT kokkos_cuda_archs)
  # The device of this machine, if there is one.
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE found ERROR_QUIET
                  RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0 AND found MATCHES "^([0-9]+)\\.([0-9])")
    set(kokkos_cuda_archs ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
  else()
    message(FATAL_ERROR "Kokkos_ENABLE_CUDA=ON needs to know the GPU, and this machine shows none. Name its architecture: "
                        "-DKokkos_ARCH_HOPPER90=ON for an H100 or H200, AMPERE80 for an A100, VOLTA70 for a V100.")
  endif()
endif()

if(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
  enable_language(CUDA)
  set(CMAKE_CUDA_ARCHITECTURES ${kokkos_cuda_archs})
  set(KOKKOS_CUDA_FLAGS --extended-lambda --expt-relaxed-constexpr "SHELL:-Xcudafe --diag_suppress=186,--diag_suppress=20012")
else()
  check_cxx_source_compiles("
    #ifndef __CUDACC__
    #error not CUDA
    #endif
    int main() {}" KOKKOS_CXX_COMPILER_IS_CUDA)
  if(NOT KOKKOS_CXX_COMPILER_IS_CUDA)
    message(FATAL_ERROR "Kokkos_ENABLE_CUDA=ON, but the C++ compiler ${CMAKE_CXX_COMPILER} does not compile CUDA. Configure with "
                        "-DCMAKE_CXX_COMPILER=${Kokkos_SOURCE_DIR}/bin/nvcc_wrapper in an empty build folder, or with "
                        "-DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON.")
  endif()
  foreach(number IN LISTS kokkos_cuda_archs)
    list(APPEND KOKKOS_ARCH_FLAGS "SHELL:-gencode arch=compute_${number},code=sm_${number}")
  endforeach()
  # Ahead-of-time code for the architectures asked for, and what later ones can compile for themselves.
  list(GET kokkos_cuda_archs -1 number)
  list(APPEND KOKKOS_ARCH_FLAGS "SHELL:-gencode arch=compute_${number},code=compute_${number}")
  if(Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)
    list(APPEND KOKKOS_ARCH_FLAGS -rdc=true)
  endif()
endif()
install(PROGRAMS ${Kokkos_SOURCE_DIR}/bin/nvcc_wrapper DESTINATION ${CMAKE_INSTALL_BINDIR})
