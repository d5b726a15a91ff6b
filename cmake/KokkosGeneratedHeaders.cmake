# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes the generated files that docs/interfaces.md lists. A file is written only when its content changes, so that a
# new configure run does not rebuild everything.
set(KOKKOS_GENERATED_DIR ${Kokkos_BINARY_DIR}/generated)

function(kokkos_write_header name content)
  string(MAKE_C_IDENTIFIER "${name}" guard)
  string(TOUPPER "${guard}" guard)
  # The include guard of KokkosCore_config.h is KOKKOS_CORE_CONFIG_H, because programs check that name.
  string(REPLACE "KOKKOSCORE_" "KOKKOS_CORE_" guard "${guard}")
  file(CONFIGURE OUTPUT ${KOKKOS_GENERATED_DIR}/${name} @ONLY
       CONTENT "// Written by the configuration of Kokkos; changes are lost.\n#ifndef ${guard}\n#define ${guard}\n${content}#endif\n")
endfunction()

set(config "")
math(EXPR version "${Kokkos_VERSION_MAJOR} * 10000 + ${Kokkos_VERSION_MINOR} * 100 + ${Kokkos_VERSION_PATCH}")
string(APPEND config "#define KOKKOS_VERSION ${version}\n")
string(REPLACE "." ";" steadfast ${Kokkos_STEADFAST_VERSION})
list(GET steadfast 0 major)
list(GET steadfast 1 minor)
list(GET steadfast 2 patch)
math(EXPR version "${major} * 10000 + ${minor} * 100 + ${patch}")
string(APPEND config "#define KOKKOS_STEADFAST_VERSION ${version}\n")
foreach(name IN LISTS Kokkos_DEVICES KOKKOS_CODE_OPTIONS)
  string(APPEND config "#define KOKKOS_ENABLE_${name}\n")
endforeach()
foreach(standard 20 23 26)
  if(Kokkos_CXX_STANDARD EQUAL standard)
    string(APPEND config "#define KOKKOS_ENABLE_CXX${standard}\n")
  endif()
endforeach()
foreach(name IN LISTS KOKKOS_ARCH_MACROS)
  string(APPEND config "#define KOKKOS_ARCH_${name}\n")
endforeach()
string(TOUPPER ${KOKKOS_DEFAULT_BACKEND} default_device)
string(APPEND config "#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_${default_device}\n")
if("AGGRESSIVE_VECTORIZATION" IN_LIST KOKKOS_CODE_OPTIONS)
  string(APPEND config "#define KOKKOS_OPT_RANGE_AGGRESSIVE_VECTORIZATION 1\n")
endif()
foreach(macro IN LISTS KOKKOS_IMPL_MACROS)  # with its value
  string(APPEND config "#define KOKKOS_IMPL_${macro}\n")
endforeach()
kokkos_write_header(KokkosCore_config.h "${config}")

set(fwd "namespace Kokkos {\nclass HostSpace;\n")
foreach(class IN LISTS KOKKOS_BACKEND_CLASSES)
  string(APPEND fwd "class ${class};\n")
endforeach()
string(APPEND fwd "}  // namespace Kokkos\n")
string(APPEND fwd "#define KOKKOS_IMPL_DEFAULT_EXECUTION_SPACE ::Kokkos::${KOKKOS_DEFAULT_BACKEND}\n")
string(APPEND fwd "#define KOKKOS_IMPL_DEFAULT_HOST_EXECUTION_SPACE ::Kokkos::${KOKKOS_DEFAULT_HOST_BACKEND}\n")
if(KOKKOS_SHARED_SPACES)
  list(GET KOKKOS_SHARED_SPACES 0 shared_space)
  list(GET KOKKOS_SHARED_SPACES 1 pinned_space)
  string(APPEND fwd "#define KOKKOS_IMPL_SHARED_SPACE ::Kokkos::${shared_space}\n")
  string(APPEND fwd "#define KOKKOS_IMPL_SHARED_HOST_PINNED_SPACE ::Kokkos::${pinned_space}\n")
endif()
kokkos_write_header(KokkosCore_BackendsFwd.hpp "${fwd}")

set(spaces "")
set(patterns "")
set(graphs "")
set(declarations "")
set(entries "")
foreach(backend IN LISTS KOKKOS_BACKENDS)
  string(APPEND spaces "#include <${backend}/Kokkos_${backend}.hpp>\n")
  string(APPEND patterns "#include <${backend}/Kokkos_${backend}_Patterns.hpp>\n")
  string(APPEND graphs "#include <${backend}/Kokkos_${backend}_Graph.hpp>\n")
  string(APPEND declarations "extern const Backend ${backend}_backend;\n")
  string(APPEND entries "&${backend}_backend, ")
endforeach()
kokkos_write_header(KokkosCore_BackendsSpaces.hpp "${spaces}")
kokkos_write_header(KokkosCore_BackendsPatterns.hpp "${patterns}")
kokkos_write_header(KokkosCore_BackendsGraphs.hpp "${graphs}")
# The commit of the source, for print_configuration; empty if the source is not a checkout.
set(kokkos_commit "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${Kokkos_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${Kokkos_SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE kokkos_commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${KOKKOS_GENERATED_DIR}/KokkosCore_Commit.cpp @ONLY
     CONTENT "// Written by the configuration of Kokkos; changes are lost.
#include <impl/runtime/Kokkos_Configuration.hpp>
namespace Kokkos::Impl {
const char* const source_commit = \"${kokkos_commit}\";
}  // namespace Kokkos::Impl
")
file(CONFIGURE OUTPUT ${KOKKOS_GENERATED_DIR}/KokkosCore_Backends.cpp @ONLY
     CONTENT "// Written by the configuration of Kokkos; changes are lost.
#include <impl/runtime/Kokkos_Backend.hpp>
namespace Kokkos::Impl {
${declarations}const Backend* const backend_table[] = {${entries}nullptr};
}  // namespace Kokkos::Impl
")
