# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DASSEMBLY=<file> -P check_nested_body.cmake: checks that the body of two nested ranges has at most two copies
# for each range, three for indices of 8 bytes, in each of the two kernels of a team pattern.
foreach(bytes_and_most 4,8 8,18)
  string(REGEX MATCH "(.*),(.*)" all ${bytes_and_most})
  set(bytes ${CMAKE_MATCH_1})
  set(most ${CMAKE_MATCH_2})
  file(STRINGS ${ASSEMBLY} copies REGEX "body of the nested ranges, ${bytes}")
  list(LENGTH copies count)
  if(count LESS 1 OR count GREATER most)
    message(SEND_ERROR "${ASSEMBLY} has ${count} copies of the body of two nested ranges with an index of ${bytes} bytes; at most ${most} are allowed")
  endif()
endforeach()
