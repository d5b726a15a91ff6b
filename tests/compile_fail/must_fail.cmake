# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DCOMPILER=... -DFLAGS=... -DSOURCE=file.cpp -P must_fail.cmake
# Succeeds if the compiler refuses SOURCE with a diagnostic that matches the regex of its first line, `// expect: <regex>`;
# with `// expect: no error`, if it accepts SOURCE. The diagnostic must be within the first 20 lines of output.
file(STRINGS ${SOURCE} first LIMIT_COUNT 1)
if(NOT first MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${SOURCE}: the first line is \"${first}\", but must be \"// expect: <regex>\".")
endif()
set(expected "${CMAKE_MATCH_1}")
# The expected messages are the compilers' English ones.
set(ENV{LC_ALL} C)
execute_process(COMMAND ${COMPILER} ${FLAGS} ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(expected STREQUAL "no error")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} must compile, but the compiler reports:\n${output}")
  endif()
elseif(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but must be refused with: ${expected}")
elseif(NOT output MATCHES "${expected}")
  message(FATAL_ERROR "${SOURCE} is refused, but not with \"${expected}\". The compiler reports:\n${output}")
else()
  string(FIND "${output}" "${CMAKE_MATCH_0}" position)
  string(SUBSTRING "${output}" 0 ${position} before)
  string(REGEX REPLACE "[^\n]+" "" before "${before}")
  string(LENGTH "${before}" lines)
  math(EXPR line "${lines} + 1")
  if(line GREATER 20)
    message(FATAL_ERROR "${SOURCE}: the compiler reports \"${CMAKE_MATCH_0}\" only in line ${line} of its output; it must be within the "
                        "first 20 lines:\n${output}")
  endif()
endif()
