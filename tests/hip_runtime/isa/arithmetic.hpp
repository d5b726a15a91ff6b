// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_ARITHMETIC_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_ARITHMETIC_HPP

/// \file Operations that atomics and vector instructions share.

namespace hip_model::isa {

template <class T>
T add(T a, T b) {
  return a + b;
}
template <class T>
T sub(T a, T b) {
  return a - b;
}
template <class T>
T subrev(T a, T b) {
  return b - a;
}

}  // namespace hip_model::isa

#endif
