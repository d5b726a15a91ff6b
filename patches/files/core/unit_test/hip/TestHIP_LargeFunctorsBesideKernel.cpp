// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <TestHIP_Category.hpp>
#include <TestLargeFunctorsBesideKernel.hpp>
