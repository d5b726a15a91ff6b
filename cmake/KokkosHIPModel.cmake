# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kokkos_HIP_PLATFORM=model: kernels are functions of the program, and tests/hip_runtime runs them. It only serves tests
# of Kokkos itself, so such a build cannot be installed.
set(Kokkos_HIP_MODEL_WAVEFRONT 64 CACHE STRING "Lanes of a wavefront of the HIP model: 32 or 64")
set_property(CACHE Kokkos_HIP_MODEL_WAVEFRONT PROPERTY STRINGS 32 64)
list(APPEND KOKKOS_IMPL_MACROS "GPU_MODEL 1" "HIP_WAVEFRONT ${Kokkos_HIP_MODEL_WAVEFRONT}")
set(KOKKOS_HIP_IS_MODEL ON)
install(CODE "message(FATAL_ERROR \"A build with Kokkos_HIP_PLATFORM=model only serves tests of Kokkos itself and cannot be installed.\")")
set(HIP_MODEL_LIBRARY_ONLY ON)  # tests/CMakeLists.txt adds the tests of the model
add_subdirectory(${Kokkos_SOURCE_DIR}/tests/hip_runtime ${Kokkos_BINARY_DIR}/tests/hip_runtime EXCLUDE_FROM_ALL)
if(NOT TARGET hip_model)
  message(FATAL_ERROR "Kokkos_HIP_PLATFORM=model needs the HIP model in tests/hip_runtime, which cannot be built here. The message "
                      "above names what is missing.")
endif()
list(APPEND KOKKOS_BACKEND_TARGETS hip_model)
list(APPEND KOKKOS_ARCH_FLAGS -Wno-unknown-pragmas)  # loops of kernels contain pragmas of a GPU's compiler
