# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Typed tests and regression/: which are built, as which programs, and with which settings they run.
# main() is from unit/main.cpp.

# Which programs of the folders of typed tests are built. A program takes a compiler 1 to 30 s of one core.
#   all      every program
#   device   the kernels that differ most, for compilers that take long and whose programs cannot run without their GPU; of the
#            other folders, only what runs without a GPU
#   apu      tests that differ where host and GPU share their memory: spaces, views and copies. lifecycle/, gpu/ and the reports
#            on streams and captures are left out, because they are the same there
#   isa      for the interpreter of AMD's machine code, tests whose kernels differ: patterns, teams, scratch, atomics, views, copies, graphs
#   team     for another host backend, tests of its thread team: patterns, teams, instances, tokens
#   optimised  for a second compiler, with optimisation: all but tests of types, views, copies, graph nodes and short algorithms,
#            which are the same for each host backend, and which another build runs under sanitizers. They take half of the time
set(kokkos_typed_folders unit containers algorithms simd differential)
set(Kokkos_TEST_CHOICE all CACHE STRING "Programs of typed tests that are built: all, device, apu, isa, team or optimised")
set_property(CACHE Kokkos_TEST_CHOICE PROPERTY STRINGS all device apu isa team optimised)
mark_as_advanced(Kokkos_TEST_CHOICE)
if(NOT Kokkos_TEST_CHOICE MATCHES "^(all|device|apu|isa|team|optimised)$")
  message(FATAL_ERROR "Kokkos_TEST_CHOICE is ${Kokkos_TEST_CHOICE}, but must be all, device, apu, isa, team or optimised.")
endif()

# The words of the second line of a source, `// choices: <word> ...`. tests/structure/choices.py explains and checks them.
function(kokkos_choices_of source result)
  file(STRINGS ${source} line REGEX "^// choices: " LIMIT_COUNT 1)
  string(REPLACE "// choices: " "" words "${line}")
  string(REPLACE " " ";" words "${words}")
  set(${result} ${words} PARENT_SCOPE)
endfunction()

# On the HIP model the tests of a build for unified memory run as on an MI300A, under each of its profiles.
set(kokkos_test_profiles default)
if(KOKKOS_HIP_IS_MODEL AND Kokkos_ENABLE_IMPL_HIP_UNIFIED_MEMORY)
  set(kokkos_test_profiles mi300a-rocm-6.2 mi300a-rocm-6.4)
endif()

# On the interpreter of machine code a program that has code for gfx906, gfx90a and gfx942 runs all of it; gfx906 is the
# default.
if(Kokkos_ENABLE_HIP AND Kokkos_TEST_HIP_MODEL_BUILD AND (Kokkos_ARCH_AMD_GFX90A OR Kokkos_ARCH_AMD_GFX942))
  set(kokkos_test_profiles "")
  if(Kokkos_ARCH_AMD_GFX906)
    list(APPEND kokkos_test_profiles default)
  endif()
  foreach(name gfx90a gfx942)
    string(TOUPPER ${name} upper)
    if(Kokkos_ARCH_AMD_${upper})
      list(APPEND kokkos_test_profiles ${name})
    endif()
  endforeach()
endif()

# Adds the tests of a source, one for each profile. Without the arguments of a program that has them, adds that, too.
function(kokkos_typed_test folder name subject source)
  set(program ${ARGN})
  if(NOT program)
    kokkos_test_program(${name} ${source} kokkos_test_main)
    set(program ${name})
  endif()
  kokkos_choices_of(${source} choices)
  foreach(profile IN LISTS kokkos_test_profiles)
    # The profile of ROCm 6.4 accepts every call that 6.2 accepts, and also memset of memory from malloc, and the library
    # treats both alike.
    if(profile STREQUAL "mi300a-rocm-6.4" AND one-rocm IN_LIST choices AND NOT Kokkos_TEST_THOROUGH)
      continue()
    endif()
    set(test ${folder}/${name})
    set(environment ${kokkos_test_environment})
    # The interpreter has no printf in kernels, and takes a register with an undefined byte, here padding, as undefined.
    if(subject STREQUAL "Printf" AND Kokkos_TEST_HIP_MODEL_BUILD)
      list(APPEND environment GTEST_FILTER=-PrintfInKernel/*)
    elseif(subject STREQUAL "AlgorithmsNumeric" AND Kokkos_TEST_HIP_MODEL_BUILD)
      list(APPEND environment GTEST_FILTER=-*ProcessesVectorsOfSmallElements)
    endif()
    if(profile MATCHES "^gfx")
      string(APPEND test /${profile})
      list(APPEND environment HIP_MODEL_ISA=${profile})
    elseif(NOT profile STREQUAL "default")
      string(APPEND test /${profile})
      list(APPEND environment HIP_MODEL_PROFILE=${profile})
    endif()
    add_test(NAME ${test} COMMAND ${program})
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT 300 LABELS ${folder})
    if(starts-first IN_LIST choices)  # so that no core waits for it in the end
      set_tests_properties(${test} PROPERTIES COST 20)
    endif()
  endforeach()
endfunction()

# Groups of short sources, each of which a compiler reads as one: a program takes it a second or more for the headers and
# for what every test instantiates, and as long again to link. A source keeps its test, which runs its suites, in a
# process of its own. In a group it is in a namespace, so a source that opens a namespace of others, has macros, or
# expects its kernels' names forms a program alone.
option(Kokkos_TEST_GROUPS "Compile short sources of typed tests in groups, for builds of every test" OFF)
mark_as_advanced(Kokkos_TEST_GROUPS)
set(kokkos_group_lines 900)    # of all sources of a group
set(kokkos_grouped_lines 350)  # maximum of one

function(kokkos_count_groupable_lines source result)
  set(${result} 0 PARENT_SCOPE)
  kokkos_choices_of(${source} choices)
  file(STRINGS ${source} obstacles LIMIT_COUNT 1
       REGEX "^ *#(define|if)|^(inline )?namespace [A-Za-z]|^template <>.*Kokkos::|^struct Kokkos::|anonymous namespace")
  file(READ ${source} text)
  string(REGEX MATCHALL "\n" ends "${text}")
  list(LENGTH ends count)
  if(Kokkos_TEST_GROUPS AND NOT obstacles AND NOT own-program IN_LIST choices AND count LESS_EQUAL kokkos_grouped_lines)
    set(${result} ${count} PARENT_SCOPE)
  endif()
endfunction()

# The arguments of a group's program that select the suites of a source.
function(kokkos_suites_of source result)
  file(STRINGS ${source} suites REGEX "^(TYPED_TEST_SUITE|TEST|TEST_F|TEST_P)\\(")
  list(TRANSFORM suites REPLACE "^[A-Z_]+\\(([A-Za-z0-9_]+).*" "\\1")
  list(REMOVE_DUPLICATES suites)
  set(filters "")
  foreach(suite IN LISTS suites)
    list(APPEND filters ${suite}.* ${suite}/*.* */${suite}.* */${suite}/*.*)
  endforeach()
  list(JOIN filters : filter)
  set(${result} ${filter} PARENT_SCOPE)
endfunction()

# Adds the program of a group of sources in one folder, and their tests.
function(kokkos_typed_test_group folder sources)
  set(includes "")
  set(bodies "")
  set(every_filter "")
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(directory ${source} DIRECTORY)
    file(STRINGS ${source} lines REGEX "^#include ")
    foreach(line IN LISTS lines)  # before the namespaces
      string(REGEX REPLACE "^#include \"(.*)\".*" "${directory}/\\1" header "${line}")
      if(EXISTS ${header})
        set(line "#include \"${header}\"")
      endif()
      string(APPEND includes "${line}\n")
    endforeach()
    string(APPEND bodies "namespace in_${name} {\n#include \"${source}\"\n}\n")
  endforeach()
  list(LENGTH sources count)
  list(GET sources 0 first)
  if(count EQUAL 1)
    get_filename_component(name ${first} NAME_WE)
    string(REGEX REPLACE "_test$" "" subject ${name})
    kokkos_typed_test(${folder} ${name} ${subject} ${first})
    return()
  endif()
  list(GET sources -1 last)
  get_filename_component(first ${first} NAME_WE)
  get_filename_component(last ${last} NAME_WE)
  string(REGEX REPLACE "_test$" "" program ${first})
  set(program ${program}_to_${last})
  file(CONFIGURE OUTPUT ${program}.cpp CONTENT "${includes}${bodies}" @ONLY)
  kokkos_test_program(${program} ${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp kokkos_test_main ${sources})
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "_test$" "" subject ${name})
    kokkos_suites_of(${source} filter)
    list(APPEND every_filter ${filter})
    kokkos_typed_test(${folder} ${name} ${subject} ${source} ${program} --gtest_filter=${filter})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})  # its suites are read here
  endforeach()
  # No suite is left out.
  list(JOIN every_filter : filter)
  set(environment ${kokkos_test_environment})
  list(GET kokkos_test_profiles 0 profile)
  if(profile MATCHES "rocm")
    list(APPEND environment HIP_MODEL_PROFILE=${profile})
  endif()
  add_test(NAME ${folder}/${program}/others COMMAND ${program} --gtest_filter=-${filter})
  set_tests_properties(${folder}/${program}/others PROPERTIES ENVIRONMENT "${environment}" TIMEOUT 60 LABELS ${folder}
                       PASS_REGULAR_EXPRESSION "Running 0 tests")
endfunction()

if(Kokkos_TEST_CHOICE STREQUAL "device")
  # A few programs of several files each, because a compiler for GPUs takes 8 to 14 s for the headers of a program.
  file(GLOB sources CONFIGURE_DEPENDS unit/*_test.cpp)
  foreach(program device1 device2 device3)
    set(includes "")
    set(name "")
    foreach(source IN LISTS sources)
      kokkos_choices_of(${source} choices)
      if(program IN_LIST choices)
        get_filename_component(file ${source} NAME)
        string(REGEX REPLACE "test[.]cpp$" "" subject ${file})
        string(APPEND includes "#include <${file}>\n")
        string(APPEND name ${subject})
      endif()
    endforeach()
    file(CONFIGURE OUTPUT ${name}test.cpp CONTENT "${includes}")
    kokkos_typed_test(unit ${name}test ${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}test.cpp)
  endforeach()
else()
  foreach(folder ${kokkos_typed_folders} regression)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
    set(group "")
    set(group_lines 0)
    foreach(source IN LISTS sources)
      get_filename_component(name ${source} NAME_WE)
      string(REGEX REPLACE "_test$" "" subject ${name})
      kokkos_choices_of(${source} choices)
      if(Kokkos_TEST_CHOICE STREQUAL "optimised")
        if(not-optimised IN_LIST choices)
          continue()
        endif()
      elseif(NOT Kokkos_TEST_CHOICE STREQUAL "all" AND NOT Kokkos_TEST_CHOICE IN_LIST choices
         AND NOT (folder STREQUAL "regression" AND Kokkos_TEST_CHOICE MATCHES "^(apu|isa)$"))
        continue()
      endif()
      kokkos_count_groupable_lines(${source} lines)
      if(lines EQUAL 0)
        kokkos_typed_test(${folder} ${name} ${subject} ${source})
        continue()
      endif()
      math(EXPR group_lines "${group_lines} + ${lines}")
      if(group_lines GREATER kokkos_group_lines AND group)
        kokkos_typed_test_group(${folder} "${group}")
        set(group "")
        set(group_lines ${lines})
      endif()
      list(APPEND group ${source})
    endforeach()
    if(group)
      kokkos_typed_test_group(${folder} "${group}")
    endif()
  endforeach()
endif()

set_source_files_properties(algorithms/RandomFastMath_test.cpp PROPERTIES COMPILE_OPTIONS -ffast-math SKIP_PRECOMPILE_HEADERS ON)
