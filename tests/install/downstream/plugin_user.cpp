// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" double plugin_sum(int n);

int main() { return plugin_sum(1000) == 499500 ? 0 : 1; }
