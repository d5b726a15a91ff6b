/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifdef __cplusplus
#error "This file is compiled as C++."
#endif
int downstream_in_c(void) { return 1; }
