# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Configures Kokkos in WORK with relocatable device code, and checks the command that links a program: it must be for
# the requested GPU. Otherwise nvcc links device code for another one, with a warning, and no kernel is found at run
# time.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
                        -DKokkos_ENABLE_CUDA=ON -DKokkos_ARCH_HOPPER90=ON -DKokkos_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE=ON
                        -DKokkos_ENABLE_EXAMPLES=ON
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "The configuration failed:\n${output}")
endif()
execute_process(COMMAND ${NINJA} -C ${WORK} -t commands pipeline OUTPUT_VARIABLE output RESULT_VARIABLE status)
string(REGEX MATCH "[^\n]* -o examples/[^\n]*libkokkoscore[^\n]*" link "${output}")
if(status OR NOT link MATCHES "-gencode arch=compute_90,code=sm_90 ")
  message(FATAL_ERROR "The command that links the program has no -gencode of sm_90:\n${link}")
endif()
