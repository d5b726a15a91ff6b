# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tables in CMake: one row is one string, whose columns are separated by '|'. The data of a configuration (backends,
# options, architectures) are such tables, so an addition is one more row.

# kokkos_row("<row>" name1 name2 ...): sets each name to the row's column, without surrounding blanks. A name `_` skips
# a column; a missing column is empty. Several values in one column are separated by blanks; a semicolon is not allowed.
macro(kokkos_row row)
  string(REPLACE "|" ";" kokkos_columns "${row}")
  set(kokkos_column_index 0)
  foreach(kokkos_column_name ${ARGN})
    set(kokkos_column "")
    list(LENGTH kokkos_columns kokkos_column_count)
    if(kokkos_column_index LESS kokkos_column_count)
      list(GET kokkos_columns ${kokkos_column_index} kokkos_column)
    endif()
    string(STRIP "${kokkos_column}" ${kokkos_column_name})
    math(EXPR kokkos_column_index "${kokkos_column_index} + 1")
  endforeach()
endmacro()

# kokkos_closest(<out> <word> <candidates...>): the candidate that a misspelt word most likely means, or nothing.
# Spelling is compared without case and underscores; otherwise the longest common beginning of three letters or more wins,
# and among equals the shorter word.
function(kokkos_closest out word)
  set(best "")
  set(best_length 2)
  string(TOUPPER "${word}" wanted)
  string(REGEX REPLACE "[_-]" "" wanted "${wanted}")
  foreach(candidate IN LISTS ARGN)
    string(TOUPPER "${candidate}" plain)
    string(REPLACE "_" "" plain "${plain}")
    set(length 0)
    string(LENGTH "${plain}" limit)
    while(length LESS limit)
      math(EXPR next "${length} + 1")
      string(SUBSTRING "${plain}" 0 ${next} beginning)
      string(FIND "${wanted}" "${beginning}" position)
      if(NOT position EQUAL 0)
        break()
      endif()
      set(length ${next})
    endwhile()
    if(plain STREQUAL wanted)
      set(length 1000)
    endif()
    string(LENGTH "${best}" best_size)
    if(length GREATER best_length OR (length EQUAL best_length AND best AND limit LESS best_size))
      set(best "${candidate}")
      set(best_length ${length})
    endif()
  endforeach()
  set(${out} "${best}" PARENT_SCOPE)
endfunction()
