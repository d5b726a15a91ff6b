# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the HIP model by programs that are linked with it. Included by CMakeLists.txt here, or by
# tests/CMakeLists.txt in a build of Kokkos for the model, where tests/gpu contains the tests of the copy engine.
set(hip_model_tests_folder ${CMAKE_CURRENT_LIST_DIR})

function(hip_model_test name source)  # hip_model_test(<name> <source> <environment...>)
  add_executable(hip_runtime_${name} ${source})
  target_link_libraries(hip_runtime_${name} PRIVATE hip_model GTest::gtest_main)
  target_compile_options(hip_runtime_${name} PRIVATE -Wall -Wextra)
  target_include_directories(hip_runtime_${name} PRIVATE ${hip_model_tests_folder}/../../core/src   # GPU/: the headers that need only a runtime
                                                         ${hip_model_tests_folder}/../gpu)
  add_test(NAME hip_runtime/${name} COMMAND hip_runtime_${name})
  set_tests_properties(hip_runtime/${name} PROPERTIES TIMEOUT 300 LABELS hip_runtime
                       ENVIRONMENT "HIP_MODEL_QUIET=1;HIP_MODEL_STRICT_EXIT=1;${ARGN}")
endfunction()

# The headers of the first test are precompiled for all of them.
function(hip_model_precompiled name)
  get_property(first GLOBAL PROPERTY hip_model_precompiled)
  if(first)
    target_precompile_headers(hip_runtime_${name} REUSE_FROM ${first})
  else()
    target_precompile_headers(hip_runtime_${name} PRIVATE ${hip_model_tests_folder}/HipModelTest.hpp)
    set_property(GLOBAL PROPERTY hip_model_precompiled hip_runtime_${name})
  endif()
endfunction()

find_package(GTest QUIET)
if(TARGET GTest::gtest_main)
  file(GLOB sources CONFIGURE_DEPENDS ${hip_model_tests_folder}/*_test.cpp)
  if(NOT TARGET Kokkos::kokkos)
    foreach(name CopyChoice CopyEngine CopyEngineShapes CopyEngineFaults StagingArena StagingMemory StagingQueue)
      list(APPEND sources ${hip_model_tests_folder}/../gpu/${name}_test.cpp)  # also run with CUDA
    endforeach()
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    hip_model_test(${name} ${source})
    if(NOT source MATCHES "/gpu/")  # whose helper classes have the same names
      hip_model_precompiled(${name})
    endif()
  endforeach()
  hip_model_test(Kernels_of_32_lanes_test ${hip_model_tests_folder}/Kernels_test.cpp HIP_MODEL_WAVEFRONT=32)
  target_compile_definitions(hip_runtime_Kernels_of_32_lanes_test PRIVATE HIP_MODEL_WAVEFRONT=32)
endif()

# Reports on upstream's HIP backend, as plain HIP calls: upstream's protocol fails under the profile of the reported
# platform, and this project's protocol passes there.
function(hip_model_regression name profile what expected)
  if(NOT TARGET ${name})
    add_executable(${name} ${hip_model_tests_folder}/../regression/${name}.cpp)
    target_link_libraries(${name} PRIVATE hip_model)
    target_compile_options(${name} PRIVATE -Wall -Wextra)
  endif()
  add_test(NAME ${name}/${what}/${profile} COMMAND ${name} ${what})
  set_tests_properties(${name}/${what}/${profile} PROPERTIES TIMEOUT 60 LABELS "hip_runtime;regression" PASS_REGULAR_EXPRESSION
    "${expected}" ENVIRONMENT "HIP_MODEL_PROFILE=${profile};HIP_MODEL_QUIET=1")
  if(what STREQUAL remedy)  # and violates no rule
    set_tests_properties(${name}/${what}/${profile} PROPERTIES FAIL_REGULAR_EXPRESSION "violation")
  endif()
endfunction()
hip_model_regression(kokkos_8006_event_of_destroyed_stream radeon-pro-vii-rocm-6.4 upstream "hipEventSynchronize.*hipErrorCapturedEvent")
hip_model_regression(kokkos_7942_capture_elsewhere mi250x-rocm-6.4 upstream "hipEventSynchronize.*hipErrorStreamCaptureUnsupported")
hip_model_regression(kokkos_7377_memset_of_host_memory mi300a-rocm-6.2 upstream "hipMemsetAsync.*hipErrorInvalidValue")
hip_model_regression(kokkos_7377_memset_of_host_memory mi300a-rocm-6.4 upstream "no call failed")
foreach(profile strict radeon-pro-vii-rocm-6.4 mi300a-rocm-6.2 mi300a-rocm-6.4 mi250x-rocm-6.4)
  hip_model_regression(kokkos_8006_event_of_destroyed_stream ${profile} remedy "no call failed")
  hip_model_regression(kokkos_7942_capture_elsewhere ${profile} remedy "no call failed")
endforeach()
hip_model_regression(kokkos_7377_memset_of_host_memory mi300a-rocm-6.2 remedy "no call failed")
hip_model_regression(kokkos_7377_memset_of_host_memory mi300a-rocm-6.4 remedy "no call failed")

# Another project can include the model. Only configured: its program is compiled by hand.
add_test(NAME hip_runtime/downstream COMMAND ${CMAKE_COMMAND} -S ${hip_model_tests_folder}/downstream -B ${CMAKE_CURRENT_BINARY_DIR}/hip_model_downstream
         -G ${CMAKE_GENERATOR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug)
set_tests_properties(hip_runtime/downstream PROPERTIES TIMEOUT 120 LABELS hip_runtime PASS_REGULAR_EXPRESSION "HIP model [0-9]+[.][0-9]+")
