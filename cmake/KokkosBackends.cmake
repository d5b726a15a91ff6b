# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The table of all backends, and the choice of those that this build enables.
#
# To add a backend: write its folder core/src/<name>/ as docs/internals.md describes and set `state` to `ready` in its row.
# The first enabled row is the default execution space.
#
#   name       the execution space; also its folder and, in capitals, its option Kokkos_ENABLE_<NAME>
#   kind       device, parallel (host, several threads) or serial; a build has at most one of each
#   state      ready, or planned: the name is known, but choosing it stops the configuration
#   package    arguments of find_package and the target to link, with a colon between, or nothing
#   classes    what KokkosCore_BackendsFwd.hpp declares
#   shared     the memory spaces SharedSpace and SharedHostPinnedSpace, when this is the device backend
#   doc        the help text of the option
set(KOKKOS_BACKEND_TABLE
    # name       | kind     | state   | package                     | classes                                                 | shared                                       | doc
    "Cuda        | device   | ready   | CUDAToolkit:CUDA::cudart    | Cuda CudaSpace CudaUVMSpace CudaHostPinnedSpace         | CudaUVMSpace CudaHostPinnedSpace             | Run on NVIDIA GPUs by CUDA"
    "HIP         | device   | ready   |                             | HIP HIPSpace HIPManagedSpace HIPHostPinnedSpace         | HIPManagedSpace HIPHostPinnedSpace           | Run on AMD GPUs by HIP"
    "SYCL        | device   | planned |                             | SYCL SYCLDeviceUSMSpace SYCLSharedUSMSpace SYCLHostUSMSpace | SYCLSharedUSMSpace SYCLHostUSMSpace      | Run on Intel GPUs by SYCL"
    "OpenACC     | device   | planned |                             | OpenACC OpenACCSpace                                    |                                              | Run on accelerators by OpenACC"
    "OpenMPTarget| device   | planned |                             | OpenMPTarget OpenMPTargetSpace                          |                                              | Run on accelerators by OpenMP target offload"
    "NextSilicon | device   | planned |                             |                                                         |                                              | Run on accelerators of NextSilicon"
    "OpenMP      | parallel | ready   | OpenMP COMPONENTS CXX:OpenMP::OpenMP_CXX | OpenMP                                     |                                              | Run on host threads by OpenMP"
    "Threads     | parallel | ready   | Threads:Threads::Threads    | Threads                                                 |                                              | Run on host threads by C++ threads"
    "HPX         | parallel | planned |                             | HPX                                                     |                                              | Run on host threads by HPX"
    "Serial      | serial   | ready   |                             | Serial                                                  |                                              | Run on one host thread")

set(KOKKOS_BACKEND_OPTIONS "")
set(kokkos_ready_options "")
foreach(row IN LISTS KOKKOS_BACKEND_TABLE)
  kokkos_row("${row}" name _ state)
  string(TOUPPER ${name} option)
  list(APPEND KOKKOS_BACKEND_OPTIONS ${option})
  if(state STREQUAL "ready")
    list(APPEND kokkos_ready_options Kokkos_ENABLE_${option})
  endif()
endforeach()
list(JOIN kokkos_ready_options " and " kokkos_ready_options)

# Serial is ON unless another host backend was chosen. Tests need every kernel on both kinds of host backend.
set(kokkos_serial_default ON)
if((Kokkos_ENABLE_OPENMP OR Kokkos_ENABLE_THREADS OR Kokkos_ENABLE_HPX) AND NOT Kokkos_ENABLE_TESTS)
  set(kokkos_serial_default OFF)
endif()

# Refuses two backends of a kind before searching for packages.
foreach(row IN LISTS KOKKOS_BACKEND_TABLE)
  kokkos_row("${row}" name kind state package classes shared doc)
  string(TOUPPER ${name} option)
  set(default OFF)
  if(kind STREQUAL "serial")
    set(default ${kokkos_serial_default})
  endif()
  option(Kokkos_ENABLE_${option} "${doc}" ${default})
  if(NOT Kokkos_ENABLE_${option})
    continue()
  endif()
  if(DEFINED kokkos_chosen_${kind})
    message(FATAL_ERROR "Kokkos_ENABLE_${kokkos_chosen_${kind}} and Kokkos_ENABLE_${option} are both ON. A build has at most one "
                        "${kind} backend, because two of them would contend for the same hardware. Switch one OFF.")
  endif()
  set(kokkos_chosen_${kind} ${option})
endforeach()
foreach(kind device parallel serial)
  unset(kokkos_chosen_${kind})
endforeach()

# The advice for a missing package.
set(kokkos_remedy_of_CUDAToolkit "Install NVIDIA's CUDA toolkit, or name its folder by -DCUDAToolkit_ROOT=<folder>")
set(kokkos_remedy_of_OpenMP "Use a compiler with OpenMP (for clang on Debian: the package libomp-<version>-dev)")
set(kokkos_remedy_of_Threads "Install the C library's headers")

set(KOKKOS_BACKENDS "")         # names, in order of preference
set(KOKKOS_BACKEND_TARGETS "")  # the targets of the backends that the library links
set(KOKKOS_BACKEND_CLASSES "")
set(KOKKOS_SHARED_SPACES HostSpace HostSpace)
set(KOKKOS_DEFAULT_HOST_BACKEND "")
set(Kokkos_DEVICES "")
foreach(row IN LISTS KOKKOS_BACKEND_TABLE)
  kokkos_row("${row}" name kind state package classes shared)
  string(TOUPPER ${name} option)
  if(NOT Kokkos_ENABLE_${option})
    continue()
  endif()
  if(NOT state STREQUAL "ready")
    message(FATAL_ERROR "Kokkos_ENABLE_${option}=ON requests the ${name} backend, which is not part of this version "
                        "(${Kokkos_VERSION}) yet. The available options are ${kokkos_ready_options}. "
                        "Configure with -DKokkos_ENABLE_${option}=OFF and one of these ON.")
  endif()
  list(APPEND KOKKOS_BACKENDS ${name})
  list(APPEND Kokkos_DEVICES ${option})
  string(REPLACE " " ";" classes "${classes}")
  list(APPEND KOKKOS_BACKEND_CLASSES ${classes})
  if(NOT kind STREQUAL "device" AND NOT KOKKOS_DEFAULT_HOST_BACKEND)
    set(KOKKOS_DEFAULT_HOST_BACKEND ${name})
  endif()
  if(kind STREQUAL "device")
    string(REPLACE " " ";" KOKKOS_SHARED_SPACES "${shared}")
  endif()
  if(package)
    string(REGEX MATCH "^([^:]+):(.+)$" matched "${package}")
    set(kokkos_package "${CMAKE_MATCH_1}")
    list(APPEND KOKKOS_BACKEND_TARGETS ${CMAKE_MATCH_2})
    list(APPEND KOKKOS_BACKEND_PACKAGES "${kokkos_package}")
    string(REPLACE " " ";" kokkos_package "${kokkos_package}")
    find_package(${kokkos_package} QUIET)
    list(GET kokkos_package 0 kokkos_package_name)
    if(NOT ${kokkos_package_name}_FOUND)
      message(FATAL_ERROR "Kokkos_ENABLE_${option}=ON, but CMake finds no ${kokkos_package_name} for the compiler ${CMAKE_CXX_COMPILER} "
                          "(${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}). ${kokkos_remedy_of_${kokkos_package_name}}, or configure "
                          "with -DKokkos_ENABLE_${option}=OFF.")
    endif()
  endif()
endforeach()

if(NOT KOKKOS_DEFAULT_HOST_BACKEND)
  message(FATAL_ERROR "No host backend is enabled, and Kokkos needs at least one. "
                      "Configure with -DKokkos_ENABLE_SERIAL=ON or -DKokkos_ENABLE_OPENMP=ON.")
endif()
list(GET KOKKOS_BACKENDS 0 KOKKOS_DEFAULT_BACKEND)
