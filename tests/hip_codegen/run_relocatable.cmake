# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and installs Kokkos with relocatable device code, for one architecture, and a program that needs it; runs that on
# the HIP model's library, where there is one.
#
#   cmake -DSOURCE=<Kokkos> -DCOMPILER=<hipcc> -DGENERATOR=<g> -DARCH=<gfx906> -DWORK=<folder> [-DMODEL=<build folder>] -P ...
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
endfunction()

string(TOUPPER "${ARCH}" arch)
set(common -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER= -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_FLAGS_RELEASE=-O1)
run("Configuring Kokkos" ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/kokkos ${common} -DCMAKE_INSTALL_PREFIX=${WORK}/prefix
    -DKokkos_ENABLE_HIP=ON -DKokkos_ARCH_AMD_${arch}=ON -DKokkos_ENABLE_HIP_RELOCATABLE_DEVICE_CODE=ON -DKokkos_TEST_UNITY=ON)
run("Building and installing Kokkos" ${CMAKE_COMMAND} --build ${WORK}/kokkos --target install --parallel 2)
run("Configuring the program" ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/relocatable -B ${WORK}/program ${common}
    -DKokkos_ROOT=${WORK}/prefix)
run("Building the program" ${CMAKE_COMMAND} --build ${WORK}/program)
if(MODEL)
  run("Running the program" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${MODEL}/rocm5:${MODEL}/rocm6 HIP_MODEL_STRICT_EXIT=1
      ${WORK}/program/relocatable kernels-do-not-run)
endif()
