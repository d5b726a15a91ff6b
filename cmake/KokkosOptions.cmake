# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The options of Kokkos beside backends and architectures, under their documented names: Kokkos_ENABLE_<NAME>.
#
#   kind    code: changes the headers, so KokkosCore_config.h defines KOKKOS_ENABLE_<NAME>
#           tpl: the same, for a library that is used if present; build: changes only what is built here
#           none: documented by Kokkos and accepted, but without effect in this version; the last column is the reason
set(kokkos_debug_default OFF)
if(KOKKOS_BUILD_TYPE STREQUAL "DEBUG")
  set(kokkos_debug_default ON)
endif()
# The default of options for features that nvcc always has here: projects call kokkos_check(OPTIONS CUDA_LAMBDA).
set(kokkos_cuda_default OFF)
if(Kokkos_ENABLE_CUDA)
  set(kokkos_cuda_default ON)
endif()
# A static concurrency() belongs to the names that Kokkos 4 deprecated.
set(kokkos_static_concurrency_default ON)
if(DEFINED Kokkos_ENABLE_DEPRECATED_CODE_4 AND NOT Kokkos_ENABLE_DEPRECATED_CODE_4)
  set(kokkos_static_concurrency_default OFF)
endif()
set(KOKKOS_OPTION_TABLE
    # name                               | kind  | default                 | doc
    "DEBUG                               | code  | ${kokkos_debug_default} | Check KOKKOS_ASSERT and other preconditions"
    "DEBUG_BOUNDS_CHECK                  | code  | OFF | Check every index of a view"
    "DEBUG_DUALVIEW_MODIFY_CHECK         | code  | ON  | Check that a DualView is not modified on both sides"
    "DEPRECATED_CODE_4                   | code  | ON  | Keep the names that Kokkos 4 deprecated"
    "DEPRECATED_CODE_5                   | code  | ON  | Keep the names that Kokkos 5 deprecated"
    "DEPRECATION_WARNINGS                | code  | ON  | Let the compiler warn where deprecated names are used"
    "STATIC_CONCURRENCY                  | code  | ${kokkos_static_concurrency_default} | Make concurrency() static, as in Kokkos 4: it is that of the default instance, also for partitions"
    "TUNING                              | code  | OFF | Report what tuning tools can change"
    "AGGRESSIVE_VECTORIZATION            | code  | OFF | Make clang vectorise the loops of vector ranges"
    "ATOMICS_BYPASS                      | code  | OFF | Replace atomic operations by non-atomic ones (for Serial alone)"
    "COMPLEX_ALIGN                       | code  | ON  | Align complex numbers to twice the size of their parts"
    "LEAN_HEADERS                        | code  | OFF | Include few standard headers in Kokkos_Core.hpp, so that programs compile faster"
    "LARGE_MEM_TESTS                     | code  | OFF | Test with very large allocations, too"
    "LIBDL                               | tpl   | ON  | Load tools by dlopen"
    "TESTS                               | build | OFF | Build the tests"
    "BENCHMARKS                          | build | OFF | Build the benchmarks"
    "EXAMPLES                            | build | OFF | Build the examples"
    "COMPILER_WARNINGS                   | build | OFF | Build with many compiler warnings"
    "WARNINGS_AS_ERRORS                  | build | OFF | Treat compiler warnings as errors"
    "HEADER_SELF_CONTAINMENT_TESTS       | build | OFF | Compile each header without any other before it"
    "HWLOC                               | none  | OFF | Let the library hwloc place threads | the operating system reports which cores the process may use"
    "LIBQUADMATH                         | none  | OFF | Support 128-bit floating-point types by libquadmath | no function takes such a type yet"
    "ONEDPL                              | none  | OFF | Use oneDPL with the SYCL backend | there is no SYCL backend"
    "ROCTHRUST                           | none  | OFF | Use rocThrust with the HIP backend | sorting needs no other library"
    "CUDA_CONSTEXPR                      | build | ${kokkos_cuda_default} | Relaxed constexpr functions with the CUDA backend (they always are)"
    "CUDA_LAMBDA                         | build | ${kokkos_cuda_default} | Lambdas as kernels with the CUDA backend (they always are)"
    "CUDA_LDG_INTRINSIC                  | none  | OFF | Read const views through the texture cache with the CUDA backend | the compiler chooses such loads by itself"
    "CUDA_RELOCATABLE_DEVICE_CODE        | code  | OFF | Relocatable device code with the CUDA backend"
    "CUDA_UVM                            | none  | OFF | Managed memory as default of the CUDA backend | Kokkos 5 removed it; name CudaUVMSpace or SharedSpace in the views that need it"
    "HIP_MULTIPLE_KERNEL_INSTANTIATIONS  | none  | OFF | Several instances of each kernel with the HIP backend | block sizes are run-time arguments of one kernel"
    "HIP_RELOCATABLE_DEVICE_CODE         | code  | OFF | Relocatable device code with the HIP backend"
    "IMPL_HIP_UNIFIED_MEMORY             | code  | OFF | Host and GPU share their memory, as on an APU"
    "IMPL_VIEW_LEGACY                    | build | ON  | Tell programs that views take layouts of their own, as with Kokkos 4.7 (they always do)"
    "IMPL_CUDA_MALLOC_ASYNC              | none  | OFF | Allocate by cudaMallocAsync with the CUDA backend | this version chooses by itself how views are allocated"
    "IMPL_HPX_ASYNC_DISPATCH             | none  | OFF | Launch without waiting with the HPX backend | there is no HPX backend"
    "SYCL_RELOCATABLE_DEVICE_CODE        | none  | OFF | Relocatable device code with the SYCL backend | there is no SYCL backend"
    "OPENACC_FORCE_HOST_AS_DEVICE        | none  | OFF | Run the OpenACC backend on the host | there is no OpenACC backend"
    "ROCM                                | none  | OFF | The backend for AMD GPUs before HIP | HIP replaced it: configure with Kokkos_ENABLE_HIP"
    "COMPILE_AS_CMAKE_LANGUAGE           | build | OFF | Build with CMake's language CUDA"
    "MULTIPLE_CMAKE_LANGUAGES            | none  | OFF | Use one installation from several languages | the targets already work from every language that can compile them"
    "DESUL_ATOMICS_EXTERNAL              | none  | OFF | Take the atomics from an installed library | atomic operations are part of this library"
    "MDSPAN_EXTERNAL                     | none  | OFF | Take mdspan from an installed library | this library needs none"
    "EXPERIMENTAL_CXX20_MODULES          | none  | OFF | Build Kokkos as C++20 modules | the sources of the modules are installed in share/kokkos/modules, and programs compile them"
    "BENCHMARKS_HEAVY                    | none  | OFF | Build long benchmarks, too | there is one set of benchmarks, Kokkos_ENABLE_BENCHMARKS"
    "UNSUPPORTED_ARCHS                   | none  | OFF | Accept architectures that are no longer supported | an architecture is accepted if the compiler has its flag"
    "DEPRECATED_CODE_3                   | none  | OFF | Keep the names that Kokkos 3 deprecated | Kokkos 4 removed them")

set(KOKKOS_OPTION_NAMES "")
set(KOKKOS_CODE_OPTIONS "")  # the options that are ON and written to KokkosCore_config.h
set(Kokkos_OPTIONS "")
set(Kokkos_TPLS "")
foreach(row IN LISTS KOKKOS_OPTION_TABLE)
  kokkos_row("${row}" name kind default doc reason)
  option(Kokkos_ENABLE_${name} "${doc}" ${default})
  list(APPEND KOKKOS_OPTION_NAMES ${name})
  if(kind STREQUAL "none")
    mark_as_advanced(Kokkos_ENABLE_${name})
  endif()
  if(NOT Kokkos_ENABLE_${name})
    continue()
  endif()
  if(kind STREQUAL "none")
    if(NOT KOKKOS_WARNED_OF_${name})  # at the first configuration of a build folder
      set(KOKKOS_WARNED_OF_${name} ON CACHE INTERNAL "a configuration has warned that Kokkos_ENABLE_${name} has no effect")
      message(WARNING "Kokkos_ENABLE_${name}=ON has no effect in this version (${Kokkos_VERSION}): ${reason}.")
    endif()
  elseif(kind STREQUAL "tpl")
    list(APPEND KOKKOS_CODE_OPTIONS ${name})
    list(APPEND Kokkos_TPLS ${name})
  else()
    list(APPEND Kokkos_OPTIONS ${name})
    if(kind STREQUAL "code")
      list(APPEND KOKKOS_CODE_OPTIONS ${name})
    endif()
  endif()
endforeach()

foreach(backend CUDA HIP)
  if(Kokkos_ENABLE_${backend}_RELOCATABLE_DEVICE_CODE AND BUILD_SHARED_LIBS)
    message(FATAL_ERROR "Kokkos_ENABLE_${backend}_RELOCATABLE_DEVICE_CODE=ON needs static libraries, because device code cannot be linked "
                        "across shared ones. Configure with -DBUILD_SHARED_LIBS=OFF or without relocatable device code.")
  endif()
endforeach()
if(Kokkos_ENABLE_ATOMICS_BYPASS AND NOT KOKKOS_BACKENDS STREQUAL "Serial")
  message(FATAL_ERROR "Kokkos_ENABLE_ATOMICS_BYPASS=ON replaces atomic operations by non-atomic ones, which is correct only if Serial "
                      "is the only backend. Enabled are: ${KOKKOS_BACKENDS}. Switch ATOMICS_BYPASS or the other backends OFF.")
endif()

# The C++ standard: the user's choice, if it is sufficient.
set(Kokkos_CXX_STANDARD 20)
if(CMAKE_CXX_STANDARD)
  if(NOT CMAKE_CXX_STANDARD MATCHES "^(20|23|26)$")
    if(PROJECT_IS_TOP_LEVEL)
      message(FATAL_ERROR "CMAKE_CXX_STANDARD is ${CMAKE_CXX_STANDARD}, but Kokkos needs C++20 or newer. "
                          "Configure with -DCMAKE_CXX_STANDARD=20 or leave it unset.")
    endif()
    # CMake compiles a target with the newest standard that the target or a linked library requires.
    message(STATUS "Kokkos: ${CMAKE_PROJECT_NAME} sets CMAKE_CXX_STANDARD to ${CMAKE_CXX_STANDARD}; Kokkos and the targets that link it "
                   "are compiled as C++20, which Kokkos needs.")
  else()
    set(Kokkos_CXX_STANDARD ${CMAKE_CXX_STANDARD})
  endif()
endif()

# Reports misspelt options, which would otherwise silently have no effect.
function(kokkos_check_spelling)
  get_cmake_property(cached CACHE_VARIABLES)
  set(known ${KOKKOS_BACKEND_OPTIONS} ${KOKKOS_OPTION_NAMES})
  foreach(variable IN LISTS cached)
    if(variable MATCHES "^[Kk][Oo][Kk][Kk][Oo][Ss]_[Ee][Nn][Aa][Bb][Ll][Ee]_(.+)$")
      set(name "${CMAKE_MATCH_1}")
      string(FIND "${variable}" "Kokkos_ENABLE_" position)
      if(position EQUAL 0 AND name IN_LIST known)
        continue()
      endif()
      if(name MATCHES "^IMPL_")
        message(WARNING "${variable} is an implementation detail of another Kokkos and has no effect in this version.")
        continue()
      endif()
      kokkos_closest(meant "${name}" ${known})
      if(meant)
        message(WARNING "${variable} is not an option of Kokkos and has no effect. Did you mean Kokkos_ENABLE_${meant}? "
                        "(-U${variable} removes it from the cache.)")
      elseif(position EQUAL 0)
        message(WARNING "${variable} is not an option of Kokkos and has no effect. The options are listed in docs/build.md. "
                        "(-U${variable} removes it from the cache.)")
      endif()
    endif()
  endforeach()
endfunction()
kokkos_check_spelling()
