// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <TestCuda_Category.hpp>
#include <TestLargeFunctorsBesideKernel.hpp>
