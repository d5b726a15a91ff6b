# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kokkos_ARCH_<NAME>: which processor the code is compiled for. The flags reach everything that links Kokkos, because
# kernels are compiled there.
#
# Host architectures. The flags are for both GCC and Clang. The macros KOKKOS_ARCH_<...> are defined in addition to
# KOKKOS_ARCH_<name>.
set(KOKKOS_HOST_ARCH_TABLE
    # name            | flags                                                  | macros         | doc
    "NATIVE           | native                                                 |                | the processor that compiles"
    "AMDAVX           | -march=bdver1                                          | AVX            | AMD Bulldozer"
    "ZEN              | -march=znver1                                          | AMD_ZEN AVX2   | AMD Zen"
    "ZEN2             | -march=znver2                                          | AMD_ZEN2 AVX2  | AMD Zen 2"
    "ZEN3             | -march=znver3                                          | AMD_ZEN3 AVX2  | AMD Zen 3"
    "ZEN4             | -march=znver4                                          | AMD_ZEN4 AVX512XEON | AMD Zen 4"
    "ZEN5             | -march=znver5                                          | AMD_ZEN5 AVX512XEON | AMD Zen 5"
    "SNB              | -march=sandybridge                                     | AVX            | Intel Sandy Bridge"
    "HSW              | -march=haswell                                         | AVX2           | Intel Haswell"
    "BDW              | -march=broadwell                                       | AVX2           | Intel Broadwell"
    "SKL              | -march=skylake                                         | AVX2           | Intel Skylake client"
    "SKX              | -march=skylake-avx512                                  | AVX512XEON     | Intel Skylake server"
    "ICL              | -march=icelake-client                                  | AVX512XEON     | Intel Ice Lake client"
    "ICX              | -march=icelake-server                                  | AVX512XEON     | Intel Ice Lake server"
    "SPR              | -march=sapphirerapids                                  | AVX512XEON     | Intel Sapphire Rapids"
    "KNL              | -march=knl                                             | AVX512MIC      | Intel Knights Landing"
    "ARMV80           | -march=armv8-a                                         | ARM_NEON       | ARMv8.0"
    "ARMV81           | -march=armv8.1-a                                       | ARM_NEON       | ARMv8.1"
    "ARMV84           | -march=armv8.4-a                                       | ARM_NEON       | ARMv8.4"
    "ARMV84_SVE       | -march=armv8.4-a+sve                                   | ARM_SVE        | ARMv8.4 with scalable vectors"
    "ARMV8_THUNDERX   | -mcpu=thunderx                                         | ARMV80 ARM_NEON| ThunderX"
    "ARMV8_THUNDERX2  | -mcpu=thunderx2t99                                     | ARMV81 ARM_NEON| ThunderX2"
    "ARMV9_GRACE      | -mcpu=neoverse-v2 -msve-vector-bits=128                | ARM_NEON ARM_SVE | NVIDIA Grace"
    "A64FX            | -mcpu=a64fx -msve-vector-bits=512                      | ARM_NEON ARM_SVE | Fujitsu A64FX"
    "POWER7           | -mcpu=power7 -mtune=power7                             |                | IBM Power7"
    "POWER8           | -mcpu=power8 -mtune=power8                             |                | IBM Power8"
    "POWER9           | -mcpu=power9 -mtune=power9                             |                | IBM Power9"
    "RISCV_SG2042     | -march=rv64imafdcv                                     |                | Sophgo SG2042"
    "RISCV_RVA22V     | -march=rv64imafdcv_sscofpmf_sstc_svpbmt_zicbom_zicboz_zicbop_zihintpause | | RISC-V profile RVA22 with vectors"
    "RISCV_U74MC      | -march=rv64imafdc_zicntr_zicsr_zifencei_zihpm          |                | SiFive U74-MC")

# Device architectures: always recognised, used if their backend is enabled.
set(KOKKOS_DEVICE_ARCH_TABLE
    # backend | names
    "CUDA     | MAXWELL50 MAXWELL52 MAXWELL53 PASCAL60 PASCAL61 VOLTA70 VOLTA72 TURING75 AMPERE80 AMPERE86 AMPERE87 ADA89 HOPPER90 BLACKWELL100 BLACKWELL103 BLACKWELL120 BLACKWELL121 RUBIN107"
    "HIP      | AMD_GFX906 AMD_GFX908 AMD_GFX90A AMD_GFX940 AMD_GFX942 AMD_GFX942_APU AMD_GFX950 AMD_GFX1030 AMD_GFX1100 AMD_GFX1101 AMD_GFX1103 AMD_GFX1151 AMD_GFX1152 AMD_GFX1201 VEGA906 VEGA908 VEGA90A NAVI1030 NAVI1100"
    "SYCL     | INTEL_GEN INTEL_GEN9 INTEL_GEN11 INTEL_GEN12LP INTEL_DG1 INTEL_DG2 INTEL_XEHP INTEL_PVC")

# Architectures that no supported compiler generates code for.
set(KOKKOS_GONE_ARCH_TABLE
    # names                                  | reason
    "KEPLER30 KEPLER32 KEPLER35 KEPLER37     | CUDA 12, which C++20 needs, supports GPUs from MAXWELL50 on"
    "KNC                                     | compilers with C++20 have no code generator for it"
    "VEGA900                                 | ROCm supports GPUs from VEGA906 on")

include(CheckCXXCompilerFlag)

set(Kokkos_ARCH "")
set(KOKKOS_ARCH_MACROS "")
set(KOKKOS_ARCH_FLAGS "")
set(KOKKOS_ARCH_NAMES "")
set(KOKKOS_ARCH_DOCS "")
foreach(row IN LISTS KOKKOS_HOST_ARCH_TABLE)
  kokkos_row("${row}" name flags macros doc)
  list(APPEND KOKKOS_ARCH_NAMES ${name})
  list(APPEND KOKKOS_ARCH_DOCS "${name}=${doc}")
  option(Kokkos_ARCH_${name} "Compile for ${doc}" OFF)
  if(NOT Kokkos_ARCH_${name})
    continue()
  endif()
  if(Kokkos_ARCH)
    message(FATAL_ERROR "Kokkos_ARCH_${Kokkos_ARCH} and Kokkos_ARCH_${name} are both ON. Code is compiled for one host "
                        "architecture: switch one OFF.")
  endif()
  if(flags STREQUAL "native")
    # Clang for Arm and Power does not support -march=native.
    set(flags "-march=native")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ppc64)")
      set(flags "-mcpu=native")
    endif()
  endif()
  string(MAKE_C_IDENTIFIER "KOKKOS_COMPILER_HAS_${flags}" check)
  check_cxx_compiler_flag("${flags}" ${check})
  if(NOT ${check})
    message(FATAL_ERROR "Kokkos_ARCH_${name}=ON (${doc}) needs the compiler flag ${flags}, which ${CMAKE_CXX_COMPILER_ID} "
                        "${CMAKE_CXX_COMPILER_VERSION} for ${CMAKE_SYSTEM_PROCESSOR} does not accept. Choose another architecture "
                        "(Kokkos_ARCH_NATIVE is the processor of this machine) or a newer compiler.")
  endif()
  set(Kokkos_ARCH ${name})
  string(REPLACE " " ";" KOKKOS_ARCH_FLAGS "${flags}")
  string(REPLACE " " ";" macros "${macros}")
  set(KOKKOS_ARCH_MACROS ${name} ${macros})
endforeach()
foreach(row IN LISTS KOKKOS_DEVICE_ARCH_TABLE)
  kokkos_row("${row}" backend names)
  string(REPLACE " " ";" names "${names}")
  list(APPEND KOKKOS_ARCH_NAMES ${names})
  foreach(name IN LISTS names)
    if(Kokkos_ENABLE_${backend})
      option(Kokkos_ARCH_${name} "Compile kernels for ${name}" OFF)
    endif()
    if(NOT Kokkos_ARCH_${name})
      continue()
    endif()
    if(Kokkos_ENABLE_${backend})
      list(APPEND Kokkos_ARCH ${name})
      list(APPEND KOKKOS_ARCH_MACROS ${name})
      if(backend STREQUAL "CUDA")
        # Programs also check the family: KOKKOS_ARCH_HOPPER.
        string(REGEX REPLACE "[0-9]+$" "" family ${name})
        list(APPEND KOKKOS_ARCH_MACROS ${family})
      endif()
    else()
      message(WARNING "Kokkos_ARCH_${name}=ON has no effect, because Kokkos_ENABLE_${backend} is OFF.")
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES KOKKOS_ARCH_MACROS)
foreach(row IN LISTS KOKKOS_GONE_ARCH_TABLE)
  kokkos_row("${row}" names reason)
  string(REPLACE " " ";" names "${names}")
  list(APPEND KOKKOS_ARCH_NAMES ${names})
  foreach(name IN LISTS names)
    if(Kokkos_ARCH_${name})
      message(FATAL_ERROR "Kokkos_ARCH_${name}=ON is not supported: ${reason}. Choose a newer architecture, or none.")
    endif()
  endforeach()
endforeach()

# kokkos_meant_arch(<out> <word>): a sentence that suggests the architectures which the word may mean, or nothing.
function(kokkos_meant_arch out word)
  string(TOUPPER "${word}" wanted)
  string(REGEX REPLACE "[^A-Z0-9]" "" wanted "${wanted}")
  set(meant "")
  # A word of the description, as in SKYLAKE: all architectures with this word.
  foreach(entry IN LISTS KOKKOS_ARCH_DOCS)
    string(REGEX MATCH "^([^=]*)=(.*)$" matched "${entry}")
    set(name ${CMAKE_MATCH_1})
    set(doc "${CMAKE_MATCH_2}")
    string(TOUPPER "${doc}" plain)
    string(REGEX REPLACE "[^A-Z0-9]" "" plain "${plain}")
    string(LENGTH "${wanted}" length)
    string(FIND "${plain}" "${wanted}" position)
    if(length GREATER 3 AND NOT position EQUAL -1)
      list(APPEND meant "Kokkos_ARCH_${name} (${doc})")
    endif()
  endforeach()
  if(NOT meant)
    kokkos_closest(name "${word}" ${KOKKOS_ARCH_NAMES})
    # An unknown generation, as in ZEN6: the newest one of the family.
    string(REGEX REPLACE "[0-9]+$" "" family "${wanted}")
    if(name AND name STREQUAL family)
      foreach(candidate IN LISTS KOKKOS_ARCH_NAMES)
        if(candidate MATCHES "^${family}[0-9]+$")
          set(name ${candidate})
        endif()
      endforeach()
    endif()
    if(name)
      set(meant "Kokkos_ARCH_${name}")
    endif()
  endif()
  list(JOIN meant " or " meant)
  if(meant)
    set(meant "Did you mean ${meant}?")
  endif()
  set(${out} "${meant}" PARENT_SCOPE)
endfunction()

# A misspelt architecture would silently compile for the wrong processor, so it is an error.
function(kokkos_check_arch_spelling)
  get_cmake_property(cached CACHE_VARIABLES)
  foreach(variable IN LISTS cached)
    # Only names that match are looked up: CMake 4 warns when a condition reads some of its own variables.
    if(NOT variable MATCHES "^Kokkos_ARCH_(.+)$")
      continue()
    endif()
    if(NOT CMAKE_MATCH_1 IN_LIST KOKKOS_ARCH_NAMES AND ${variable})
      kokkos_meant_arch(hint "${CMAKE_MATCH_1}")
      if(NOT hint)
        list(JOIN KOKKOS_ARCH_NAMES " " names)
        set(hint "Known names: ${names}.")
      endif()
      message(FATAL_ERROR "${variable} does not name an architecture of Kokkos. ${hint} "
                          "(-U${variable} removes it from the cache.)")
    endif()
  endforeach()
endfunction()
kokkos_check_arch_spelling()
