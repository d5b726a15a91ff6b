// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: like the MI series, the model's devices have no images, so these functions return errors.
#include "state.hpp"

using namespace hip_model;

// ROCm 5.2 names the type hipArray*.
using Array = decltype(hipMemcpy3DParms::srcArray);

namespace {
hipError_t refuse(char const* function, bool valid) {
  return api(function, [&](Call&) { return valid ? hipErrorNotSupported : hipErrorInvalidValue; });
}
}  // namespace

extern "C" {

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
hipError_t hipMallocArray(Array* out, hipChannelFormatDesc const* format, size_t, size_t, unsigned) {
  return refuse("hipMallocArray", out && format);
}
hipError_t hipMalloc3DArray(Array* out, hipChannelFormatDesc const* format, hipExtent, unsigned) {
  return refuse("hipMalloc3DArray", out && format);
}
hipError_t hipArrayCreate(Array* out, const HIP_ARRAY_DESCRIPTOR* wanted) {
  return refuse("hipArrayCreate", out && wanted);
}
hipError_t hipArray3DCreate(Array* out, const HIP_ARRAY3D_DESCRIPTOR* wanted) {
  return refuse("hipArray3DCreate", out && wanted);
}
hipError_t hipFreeArray(Array) { return refuse("hipFreeArray", false); }
hipError_t hipArrayDestroy(Array) { return refuse("hipArrayDestroy", false); }
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* out, hipChannelFormatDesc const* format, hipExtent, unsigned,
                                   unsigned) {
  return refuse("hipMallocMipmappedArray", out && format);
}
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t) { return refuse("hipFreeMipmappedArray", false); }
}
