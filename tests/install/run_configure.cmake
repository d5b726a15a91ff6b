# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DSOURCE= -DCOMPILER= -DGENERATOR= -DWORK= -DARGUMENTS= -DOUTCOME=fails|warns|works -DEXPECTED= [-DBUILD=] -P run_configure.cmake
# Configures Kokkos with ARGUMENTS. The outcome must be OUTCOME, and the output must match the regex EXPECTED.
file(REMOVE_RECURSE ${WORK})
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
# CMake examines a compiler for two thirds of the time, unless it finds what it wrote about this compiler in another build.
set(known ${BUILD}/CMakeFiles/${CMAKE_VERSION})
if(BUILD AND EXISTS ${known}/CMakeCXXCompiler.cmake AND NOT ARGUMENTS MATCHES "CMAKE_CXX_COMPILER=|--preset (cuda|hip)")
  file(COPY ${known}/CMakeCXXCompiler.cmake ${known}/CMakeSystem.cmake DESTINATION ${WORK}/CMakeFiles/${CMAKE_VERSION})
  load_cache(${BUILD} READ_WITH_PREFIX known_ CMAKE_EXECUTABLE_FORMAT)
  list(PREPEND arguments -DCMAKE_PLATFORM_INFO_INITIALIZED=1 -DCMAKE_EXECUTABLE_FORMAT=${known_CMAKE_EXECUTABLE_FORMAT})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK} -DCMAKE_CXX_COMPILER=${COMPILER} ${arguments}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " text "${output}")
if(OUTCOME STREQUAL "fails" AND status EQUAL 0)
  message(FATAL_ERROR "cmake ${ARGUMENTS} was accepted:\n${output}")
elseif(NOT OUTCOME STREQUAL "fails" AND NOT status EQUAL 0)
  message(FATAL_ERROR "cmake ${ARGUMENTS} failed:\n${output}")
elseif(OUTCOME STREQUAL "works" AND text MATCHES "CMake (Deprecation )?Warning")
  message(FATAL_ERROR "cmake ${ARGUMENTS} warns:\n${output}")
elseif(OUTCOME STREQUAL "warns" AND NOT text MATCHES "CMake Warning")
  message(FATAL_ERROR "cmake ${ARGUMENTS} does not warn:\n${output}")
elseif(NOT text MATCHES "${EXPECTED}")
  message(FATAL_ERROR "cmake ${ARGUMENTS} must print \"${EXPECTED}\", but prints:\n${output}")
endif()
