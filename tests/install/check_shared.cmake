# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Included by run_downstream.cmake: checks the shared libraries in ${WORK}/prefix/lib and the program with_installed, which
# is linked to them.

# The exported functions and variables are those of a list, which g++ has made. Templates and inline functions depend on the
# compiler, and are not in it.
find_program(NM nm)
find_program(CXXFILT c++filt)
if(NM AND OPENMP AND NOT COMPILER MATCHES "clang" AND SYSTEM MATCHES "x86_64|aarch64")
  run(${NM} -D --defined-only ${WORK}/prefix/lib/libkokkoscore.so ${WORK}/prefix/lib/libkokkoscontainers.so)
  string(REGEX MATCHALL " [TDBR] [^\n]+" exported "${output}")
  list(TRANSFORM exported REPLACE "^ . " "")
  list(REMOVE_DUPLICATES exported)
  list(SORT exported)
  file(STRINGS ${here}/exported_symbols.txt expected REGEX "^[^#]")
  set(added ${exported})
  set(removed ${expected})
  list(REMOVE_ITEM added ${expected})
  list(REMOVE_ITEM removed ${exported})
  if(added OR removed)
    list(JOIN exported "\n" text)
    file(WRITE ${WORK}/exported_symbols.txt "${text}\n")
    list(JOIN added "\n  " added)
    list(JOIN removed "\n  " removed)
    set(message "new:\n  ${added}\ngone:\n  ${removed}\n")
    if(CXXFILT)
      file(WRITE ${WORK}/message.txt "${message}")
      execute_process(COMMAND ${CXXFILT} INPUT_FILE ${WORK}/message.txt OUTPUT_VARIABLE message)
    endif()
    message(FATAL_ERROR "The shared libraries export other symbols than tests/install/exported_symbols.txt:\n${message}"
      "A function for the sources of the library alone belongs in a header with `#pragma GCC visibility push(hidden)`. If the change is meant, append "
      "${WORK}/exported_symbols.txt to the comment of the list; after a release, a symbol may go only with a new major version.")
  endif()
endif()

# A process with two libraries that have the interface of Kokkos ends with a sentence, whichever is loaded first.
file(WRITE ${WORK}/other.cpp "extern \"C\" void _ZN6Kokkos10initializeERiPPc() {}\n")
run(${COMPILER} -shared -fPIC ${WORK}/other.cpp -o ${WORK}/libkokkoscore.so.5.2)
function(refused expected)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0 OR NOT output MATCHES "${expected}")
    message(FATAL_ERROR "${ARGN}\nended with status ${status}, and without the sentence \"${expected}\":\n${output}")
  endif()
endfunction()
set(program ${WORK}/with_installed/downstream)
set(both "two libraries with the interface of Kokkos are in this process: .*libkokkoscore.so.steadfast.[0-9]+, and .*libkokkoscore.so.5.2")
refused("${both}" LD_PRELOAD=${WORK}/libkokkoscore.so.5.2 ${program})
refused("${both}" ${program} ${WORK}/libkokkoscore.so.5.2)
# A link with the name of another Kokkos library does not make this one usable for its programs.
file(GLOB library ${WORK}/prefix/lib/libkokkoscore.so.steadfast.[0-9])
file(MAKE_DIRECTORY ${WORK}/wrong_name)
foreach(version 3.7 4 4.7 5.2 9.0.01)
  file(CREATE_LINK ${library} ${WORK}/wrong_name/libkokkoscore.so.${version} SYMBOLIC)
  refused("under the file name of another Kokkos library" LD_PRELOAD=${WORK}/wrong_name/libkokkoscore.so.${version} ${program})
endforeach()
