# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets `flags` to the compiler flags of a source that uses Kokkos, for tests that call the compiler themselves. The
# headers are included as a user's own (-I), not as system headers, in which compilers do not warn.
set(flags "")
foreach(option IN LISTS KOKKOS_ARCH_FLAGS)
  # `SHELL:-a b` is CMake's syntax for options that belong together.
  if(option MATCHES "^SHELL:(.+)$")
    separate_arguments(option UNIX_COMMAND "${CMAKE_MATCH_1}")
  endif()
  list(APPEND flags ${option})
endforeach()
if(Kokkos_ENABLE_OPENMP)
  separate_arguments(openmp_flags UNIX_COMMAND "${OpenMP_CXX_FLAGS}")
  list(APPEND flags ${openmp_flags})
endif()
foreach(folder core containers algorithms simd)
  list(APPEND flags -I${Kokkos_SOURCE_DIR}/${folder}/src)
endforeach()
if(KOKKOS_HIP_IS_MODEL)
  list(APPEND flags -D__HIP_PLATFORM_AMD__=1 -I${Kokkos_SOURCE_DIR}/tests/hip_runtime -idirafter ${HIP_MODEL_HEADERS})
endif()
list(APPEND flags -I${KOKKOS_GENERATED_DIR} ${CMAKE_CXX${Kokkos_CXX_STANDARD}_STANDARD_COMPILE_OPTION})
