# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks the -D arguments of cmake before anything uses them. CMake itself would silently treat the wrong values as OFF
# or ignore them.

# CMake treats a value that is neither ON nor OFF as the name of a variable, hence as OFF.
function(kokkos_check_switches)
  get_cmake_property(cached CACHE_VARIABLES)
  foreach(variable IN LISTS cached)
    if(NOT variable MATCHES "^Kokkos_(ENABLE|ARCH)_")
      continue()
    endif()
    string(TOUPPER "$CACHE{${variable}}" value)
    if(NOT value STREQUAL "" AND NOT value MATCHES "^(ON|OFF|YES|NO|TRUE|FALSE|Y|N|[0-9]+|IGNORE|NOTFOUND|.*-NOTFOUND)$")
      message(FATAL_ERROR "${variable} is \"$CACHE{${variable}}\", which is neither ON nor OFF. Configure with -D${variable}=ON or "
                          "-D${variable}=OFF.")
    endif()
  endforeach()
endfunction()
kokkos_check_switches()

# Variables that Kokkos sets itself, or that only other versions read.
foreach(row "DEVICES      | Name backends one by one: -DKokkos_ENABLE_OPENMP=ON."
            "ARCH         | Name the architecture: -DKokkos_ARCH_ZEN4=ON."
            "OPTIONS      | Name options one by one: -DKokkos_ENABLE_DEBUG=ON."
            "CXX_STANDARD | The standard is CMAKE_CXX_STANDARD.")
  kokkos_row("${row}" name advice)
  if(DEFINED CACHE{Kokkos_${name}})
    message(WARNING "Kokkos_${name}=$CACHE{Kokkos_${name}} has no effect, because Kokkos sets that variable itself. ${advice} "
                    "(-UKokkos_${name} removes it from the cache.)")
  endif()
endforeach()

# CMake compares build types without case, and treats an unknown one as a type without flags: not optimised. (Debian's
# packages use None, with flags in CMAKE_CXX_FLAGS.)
set(kokkos_known_types Debug RelWithDebInfo Release MinSizeRel)
string(TOUPPER "${CMAKE_BUILD_TYPE}" KOKKOS_BUILD_TYPE)
string(TOUPPER "None;${kokkos_known_types}" kokkos_upper_types)
if(KOKKOS_BUILD_TYPE AND NOT KOKKOS_BUILD_TYPE IN_LIST kokkos_upper_types AND NOT CMAKE_CXX_FLAGS_${KOKKOS_BUILD_TYPE}
   AND NOT CMAKE_CXX_FLAGS MATCHES "-O[1-9s]")
  kokkos_closest(kokkos_meant "${CMAKE_BUILD_TYPE}" ${kokkos_known_types})
  if(kokkos_meant)
    set(kokkos_meant "Did you mean ${kokkos_meant}? ")
  endif()
  message(WARNING "CMAKE_BUILD_TYPE is ${CMAKE_BUILD_TYPE}, which has no compiler flags, so nothing is optimised. ${kokkos_meant}"
                  "CMake's types are Debug, RelWithDebInfo, Release and MinSizeRel. Set the flags of another type by "
                  "-DCMAKE_CXX_FLAGS_${KOKKOS_BUILD_TYPE}.")
endif()
