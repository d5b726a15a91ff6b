# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs PROGRAM once for each seed from 1 to SEEDS of the HIP model's schedule; stops at the first one that fails.
foreach(seed RANGE 1 ${SEEDS})
  set(ENV{HIP_MODEL_SEED} ${seed})
  execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 60)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "HIP_MODEL_SEED=${seed} ${PROGRAM} ended with ${status}:\n${output}")
  endif()
endforeach()
message(STATUS "${SEEDS} seeds passed")
