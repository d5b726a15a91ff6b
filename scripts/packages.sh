#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts/test and scripts/demo: finds missing tools and libraries, and installs them with the system's
# package manager, or lists them. Installs nothing if nothing is missing. Before it installs, it prints what, and asks, unless
# CI=true or the script set assume_yes=yes, for its option --yes.

# The name of each thing in each package manager.
package_names() {  # package_names <thing> <manager>
  case "$1:$2" in
    compiler:apt-get) echo g++ ;;
    compiler:dnf | compiler:zypper) echo gcc-c++ ;;
    compiler:*) echo gcc ;;
    cmake:*) echo cmake ;;
    ninja:apt-get | ninja:dnf) echo ninja-build ;;
    ninja:*) echo ninja ;;
    googletest:apt-get) echo libgtest-dev ;;
    googletest:dnf) echo gtest-devel ;;
    googletest:zypper | googletest:pacman) echo gtest ;;
    googletest:brew) echo googletest ;;
    libpng:apt-get) echo libpng-dev ;;
    libpng:dnf) echo libpng-devel ;;
    libpng:zypper) echo libpng16-devel ;;
    libpng:*) echo libpng ;;
    mpi:apt-get) echo libopenmpi-dev openmpi-bin ;;
    mpi:dnf) echo openmpi-devel ;;
    mpi:zypper) echo openmpi4-devel ;;
    mpi:pacman) echo openmpi ;;
    mpi:brew) echo open-mpi ;;
    doxygen:*) echo doxygen ;;
    clang_format:apt-get) echo "clang-format-$clang_format_version" ;;
    clang_tidy:apt-get) echo "clang-tidy-$clang_format_version" ;;
    debootstrap:apt-get) echo debootstrap debian-archive-keyring ;;
    debootstrap:*) echo debootstrap ;;
    # HIP's headers, and the coroutines that run kernels. Other systems get them from AMD, under other names.
    hip_model:apt-get) echo libamdhip64-dev libboost-context-dev ;;
    hip:apt-get) echo hipcc libamdhip64-dev ;;
    sanitizers:dnf) echo libasan libubsan ;;
    sanitizers:*) package_names compiler "$2" ;;
    clang:apt-get) clang_packages_of_apt ;;
    clang:dnf) echo clang libomp-devel compiler-rt ;;
    clang:zypper) echo clang libomp-devel ;;
    clang:pacman) echo clang openmp compiler-rt ;;
    clang:brew) echo llvm libomp ;;
  esac
}

# Debian provides several versions of LLVM side by side; the runtime libraries must have the compiler's version.
clang_versions="22 21 20 19 18 17 16 15"  # the newest first
# Not with a pipe into grep -q, which stops reading: the next write of apt-cache then fails, and with pipefail the
# result is false.
apt_has() { [[ "$(apt-cache policy "$1" 2>/dev/null)" =~ Candidate:\ [^\(] ]]; }
clang_packages_of_apt() {
  local version
  for version in $clang_versions; do
    if apt_has "clang-$version" && apt_has "libomp-$version-dev"; then
      echo "clang-$version libomp-$version-dev"
      # Some releases have the sanitizers in a separate package.
      if apt_has "libclang-rt-$version-dev"; then echo "libclang-rt-$version-dev"; fi
      return
    fi
  done
  echo clang libomp-dev
}

has_program() { command -v "$1" >/dev/null 2>&1; }

has_header() { echo "#include <$1>" | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1; }

has_cmake() {
  has_program cmake || return 1
  local version
  version=$(cmake --version | sed -n 's/^cmake version \([0-9]*\.[0-9]*\).*/\1/p')
  [ "${version%.*}" -gt 3 ] || { [ "${version%.*}" -eq 3 ] && [ "${version#*.}" -ge 22 ]; }
}

links() {  # links <compiler> <flags...>: whether it can link a program with these flags
  local compiler=$1 file
  shift
  has_program "$compiler" || return 1
  file=$(mktemp -d)
  echo 'int main() { return 0; }' >"$file/main.cpp"
  "$compiler" "$@" "$file/main.cpp" -o "$file/main" >/dev/null 2>&1
  local status=$?
  rm -rf "$file"
  return $status
}

# Prints the clang++ that has the thread sanitizer and an OpenMP runtime of the same version, or nothing.
find_clang() {
  local candidate
  for candidate in clang++ $(for v in $clang_versions; do echo "clang++-$v"; done); do
    has_program "$candidate" || continue
    [ "$(echo __clang_major__ | "$candidate" -E -P -x c++ - 2>/dev/null)" -ge 15 ] || continue
    if links "$candidate" -fopenmp -fsanitize=thread && [ -n "$(find_archer "$candidate")" ]; then
      echo "$candidate"
      return
    fi
  done
}

# Prints the options with which a compiler links by LLVM's linker, or nothing. Several versions may be installed, for
# example with hipcc. Each can link the objects of any compiler.
lld_options() {  # lld_options <compiler>
  local name path
  for name in ld.lld $(for v in $clang_versions; do echo "ld.lld-$v"; done); do
    path=$(command -v "$name") || continue
    if links "$1" "--ld-path=$path"; then
      echo "--ld-path=$path"
      return
    fi
  done
}

# The version that formats the sources: others break some lines at other places.
clang_format_version=19
find_clang_format() {  # prints its name, or nothing
  local candidate
  for candidate in "clang-format-$clang_format_version" clang-format; do
    has_program "$candidate" || continue
    if [[ "$("$candidate" --version)" =~ version\ $clang_format_version\. ]]; then
      echo "$candidate"
      return
    fi
  done
}

# Prints ROCm's compiler, or nothing.
find_hipcc() {
  local candidate
  for candidate in hipcc "${ROCM_PATH:-/opt/rocm}/bin/hipcc"; do
    if has_program "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
}

# Prints the first compiler among $HIPCC, hipcc and ROCm's that compiles for an architecture, or nothing.
find_hipcc_for() {  # find_hipcc_for <architecture>
  local candidate
  for candidate in "${HIPCC:-}" hipcc "${ROCM_PATH:-/opt/rocm}/bin/hipcc"; do
    if [ -n "$candidate" ] && has_program "$candidate" && hipcc_knows "$1" "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
}
# What the compiler has to compile: a C++20 kernel with atomics.
hipcc_probe='#include <hip/hip_runtime.h>
#include <concepts>
template <std::integral T> __global__ void add(T* p) { atomicAdd(p, T(threadIdx.x)); }
template __global__ void add<int>(int*);'
hipcc_knows() {  # hipcc_knows <architecture> <command...>
  printf '%s\n' "$hipcc_probe" |
    "${@:2}" -std=c++20 "--offload-arch=$1" -x hip -c - -o /dev/null >/dev/null 2>&1
}

find_archer() {  # prints the path of the compiler's libarcher.so, or nothing
  local path
  for path in "$("$1" -print-file-name=libarcher.so)" \
              "$(dirname "$(readlink -f "$(command -v "$1")")")"/../lib{,64}/libarcher.so; do
    if [ -e "$path" ]; then
      echo "$path"
      return
    fi
  done
}

find_nvcc() {  # prints the path of nvcc, found in the same places as by bin/nvcc_wrapper, or nothing
  local candidate
  for candidate in ${CUDA_ROOT:+"$CUDA_ROOT/bin/nvcc"} ${CUDA_HOME:+"$CUDA_HOME/bin/nvcc"} "$(command -v nvcc || true)" \
                   /usr/local/cuda/bin/nvcc; do
    if [ -x "$candidate" ]; then
      echo "$candidate"
      return
    fi
  done
}

is_there() {
  case "$1" in
    compiler) has_program "${CXX:-c++}" ;;
    cmake) has_cmake ;;
    ninja) has_program ninja || has_program ninja-build ;;
    googletest) has_header gtest/gtest.h ;;
    debootstrap) has_program debootstrap ;;
    doxygen) has_program doxygen ;;
    libpng) has_header png.h ;;
    mpi) has_program mpicxx && has_program mpirun ;;
    hip_model) has_header boost/context/fiber.hpp && { has_header hip/hip_version.h || [ -e /opt/rocm/include/hip/hip_version.h ]; } ;;
    hip) [ -n "$(find_hipcc)" ] ;;
    sanitizers) links "${CXX:-c++}" -fsanitize=address,undefined ;;
    clang) [ -n "$(find_clang)" ] ;;
    clang_format) [ -n "$(find_clang_format)" ] ;;
    clang_tidy) has_program "clang-tidy-$clang_format_version" ;;
  esac
}

package_manager() {
  local manager
  for manager in apt-get dnf zypper pacman brew; do
    if has_program "$manager"; then
      echo "$manager"
      return
    fi
  done
}

install_by() {  # install_by <manager> <packages...>
  local manager=$1 root=()  # without packages: refreshes the lists of available packages
  shift
  if [ "$(id -u)" -ne 0 ] && [ "$manager" != brew ]; then root=(sudo); fi
  case "$manager" in
    # Never removes a package: another program may need an LLVM runtime. A machine that only runs tests may remove it.
    apt-get)
      if [ $# -eq 0 ]; then
        "${root[@]}" apt-get update -q
        return
      fi
      local options=(-y -q --no-install-recommends)
      if [ "${CI:-}" != true ]; then options+=(--no-remove); fi
      "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "$@"
      ;;
    dnf) "${root[@]}" dnf install -y "$@" ;;
    zypper) "${root[@]}" zypper --non-interactive install "$@" ;;
    pacman) "${root[@]}" pacman -S --needed --noconfirm "$@" ;;
    brew) brew install "$@" ;;
  esac
}

# Whether this run may install packages: as root, by brew, or by sudo without a password or with a terminal to ask for
# it.
may_install() {
  [ "$(id -u)" -eq 0 ] || [ "$1" = brew ] || { has_program sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

# Prints what would be installed, and returns whether the user agrees. Without a terminal nobody can.
user_agrees() {  # user_agrees <manager> <packages...>
  local answer=
  echo "$1 would install: ${*:2}"
  if [ "${CI:-}" = true ] || [ "${assume_yes:-no}" = yes ]; then return 0; fi
  if [ -t 0 ]; then read -r -p "Install them? [y/N] " answer; fi
  [[ "$answer" =~ ^[yY] ]]
}

missing_of() {  # prints the arguments that are missing
  local thing
  for thing in "$@"; do
    is_there "$thing" || echo "$thing"
  done
}

packages_of() {  # packages_of <manager> <things...>: one package per line, each once
  local manager=$1 thing
  shift
  for thing in "$@"; do package_names "$thing" "$manager"; done | tr ' ' '\n' | sort -u
}

require() {  # require <things...>: returns if all exist; otherwise ends the script and lists the missing ones
  local missing manager packages refused=no
  if [ -n "${CXX:-}" ] && ! has_program "$CXX"; then
    echo "CXX names $CXX, which was not found. Install that compiler, or unset CXX to use c++." >&2
    exit 1
  fi
  # Not with process substitution, which needs /dev/fd and so a mounted /proc.
  read -r -a missing <<<"$(missing_of "$@" | tr '\n' ' ')"
  [ ${#missing[@]} -gt 0 ] || return 0
  manager=$(package_manager)
  if [ -n "$manager" ] && may_install "$manager" && ! user_agrees "$manager" $(packages_of "$manager" "${missing[@]}"); then
    refused=yes
  elif [ -n "$manager" ] && may_install "$manager"; then
    if [ "$manager" = apt-get ]; then install_by apt-get </dev/null || true; fi  # fresh lists, in which names are looked up
    read -r -a packages <<<"$(packages_of "$manager" "${missing[@]}" | tr '\n' ' ')"
    echo "Installing with $manager: ${packages[*]}"
    install_by "$manager" "${packages[@]}" </dev/null || true
    read -r -a missing <<<"$(missing_of "$@" | tr '\n' ' ')"
    [ ${#missing[@]} -gt 0 ] || return 0
  fi
  {
    echo "Missing on this machine: ${missing[*]}."
    if [ -n "$manager" ]; then
      echo "Install them as an administrator, then run this again:"
      echo "  $manager install $(packages_of "$manager" "${missing[@]}" | tr '\n' ' ')"
      if [ $refused = yes ]; then echo "Or run $0 with --yes or CI=true, which installs them without asking."; fi
    else
      echo "None of the supported package managers (apt-get, dnf, zypper, pacman, brew) was found. Install a C++20 compiler"
      echo "(g++ 12 or clang 15, or newer), CMake 3.22 or newer, Ninja, GoogleTest and libpng yourself, then run this again."
    fi
  } >&2
  exit 1
}

# Number of concurrent compilers: one for each core, limited by memory at 1.5 GB each.
parallel_jobs() {
  local cores memory
  cores=$( (nproc || sysctl -n hw.ncpu || echo 2) 2>/dev/null | head -n 1)
  memory=$(awk '/MemTotal/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null || true)
  if [ -n "$memory" ] && [ "$memory" -ge 1 ] && [ "$memory" -lt "$cores" ]; then cores=$memory; fi
  echo "$cores"
}
