# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With the CUDA backend every source that includes Kokkos is CUDA. There are two ways to compile it: the C++ compiler is
# bin/nvcc_wrapper (or a clang that supports the toolkit), or, with Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE,
# kokkos_device_sources sets the language of the sources to CMake's CUDA.
include(CheckCXXSourceCompiles)

# Checked before the architecture, because a compiler without CUDA needs none.
if(NOT Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
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
endif()

set(KOKKOS_CUDA_LINK_FLAGS "")
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
    message(FATAL_ERROR "Kokkos_ENABLE_CUDA=ON needs the architecture of the GPU, and nvidia-smi reports no GPU. Specify it: "
                        "-DKokkos_ARCH_HOPPER90=ON for an H100 or H200, AMPERE80 for an A100, VOLTA70 for a V100.")
  endif()
endif()

# The flags of sources in CMake's language CUDA: all of Kokkos, or those of a program with such sources. The compiler is compared inside
# the condition of the language, because a program that writes these options by file(GENERATE) has no target to compare.
set(KOKKOS_CUDA_FLAGS "")
foreach(flag --extended-lambda --expt-relaxed-constexpr -Xcudafe=--diag_suppress=186 -Xcudafe=--diag_suppress=20012)
  list(APPEND KOKKOS_CUDA_FLAGS $<$<COMPILE_LANGUAGE:CUDA>:$<$<CUDA_COMPILER_ID:NVIDIA>:${flag}>>)
endforeach()
# Flags of the host's compiler are passed through nvcc.
list(TRANSFORM KOKKOS_ARCH_FLAGS REPLACE "^(-.+)$" "$<IF:$<COMPILE_LANGUAGE:CUDA>,-Xcompiler=\\1,\\1>")

if(Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
  enable_language(CUDA)
  include(KokkosCudaStandard)
  set(CMAKE_CUDA_ARCHITECTURES ${kokkos_cuda_archs})
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # like CUDA::cudart: a process has one runtime
  if(Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)
    list(APPEND KOKKOS_CUDA_FLAGS $<$<COMPILE_LANGUAGE:CUDA>:-rdc=true>)
    set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
  endif()
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Clang compiles CUDA itself, with the toolkits that it supports.
  set(kokkos_clang_cuda -x cuda --cuda-path=${CUDAToolkit_TARGET_DIR} -Wno-unknown-cuda-version)
  foreach(number IN LISTS kokkos_cuda_archs)
    list(APPEND kokkos_clang_cuda --cuda-gpu-arch=sm_${number})
  endforeach()
  string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${kokkos_clang_cuda}")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("__global__ void kernel() {} void launch() { kernel<<<1, 1>>>(); }" KOKKOS_CLANG_COMPILES_CUDA)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT KOKKOS_CLANG_COMPILES_CUDA)
    message(FATAL_ERROR "Kokkos_ENABLE_CUDA=ON, but clang ${CMAKE_CXX_COMPILER_VERSION} cannot compile for sm_${kokkos_cuda_archs} with CUDA "
                        "${CUDAToolkit_VERSION}: a clang supports only toolkits and GPUs that are older than itself (clang 15: CUDA 11.5). "
                        "Use a newer clang, or configure in an empty build folder with "
                        "-DCMAKE_CXX_COMPILER=${Kokkos_SOURCE_DIR}/bin/nvcc_wrapper, and NVCC_WRAPPER_DEFAULT_COMPILER=clang++ in the "
                        "environment where clang is to compile the host's code.")
  endif()
  foreach(flag IN LISTS kokkos_clang_cuda)
    string(APPEND flags " ${flag}")
  endforeach()
  list(APPEND KOKKOS_ARCH_FLAGS "$<$<COMPILE_LANGUAGE:CXX>:SHELL:${flags}>")
  if(Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)
    message(FATAL_ERROR "Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE=ON needs nvcc to link device code. Configure with "
                        "-DCMAKE_CXX_COMPILER=${Kokkos_SOURCE_DIR}/bin/nvcc_wrapper.")
  endif()
else()
  foreach(number IN LISTS kokkos_cuda_archs)
    list(APPEND KOKKOS_ARCH_FLAGS -gencode=arch=compute_${number},code=sm_${number})
  endforeach()
  if(NOT Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)  # relocatable code must also be linked by nvcc
    set(KOKKOS_LAUNCHES_COMPILER ON)
  endif()
  # Ahead-of-time code for the requested architectures, and code that later ones can compile at run time.
  list(GET kokkos_cuda_archs -1 number)
  list(APPEND KOKKOS_ARCH_FLAGS -gencode=arch=compute_${number},code=compute_${number})
  if(Kokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)
    list(APPEND KOKKOS_ARCH_FLAGS -rdc=true)
    # nvcc links device code for a default GPU, unless a flag specifies one.
    foreach(number IN LISTS kokkos_cuda_archs)
      list(APPEND KOKKOS_CUDA_LINK_FLAGS "SHELL:$<$<LINK_LANGUAGE:CXX>:-gencode arch=compute_${number},code=sm_${number}>")
    endforeach()
  endif()
endif()
if(CUDAToolkit_VERSION VERSION_LESS 12.4)
  message(FATAL_ERROR "Kokkos_ENABLE_CUDA=ON needs CUDA 12.4 or newer, for C++20, and found ${CUDAToolkit_VERSION} in "
                      "${CUDAToolkit_TARGET_DIR}. Specify another toolkit by -DCUDAToolkit_ROOT=<folder>.")
endif()
install(PROGRAMS ${Kokkos_SOURCE_DIR}/bin/nvcc_wrapper ${Kokkos_SOURCE_DIR}/bin/kokkos_launch_compiler DESTINATION ${CMAKE_INSTALL_BINDIR})
