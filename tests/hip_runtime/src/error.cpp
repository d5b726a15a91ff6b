// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last error of a thread, and the names of errors.
#include "state.hpp"

#include <utility>

using namespace hip_model;

namespace {
struct ErrorName {
  hipError_t code;
  char const* name;
  char const* words;
};
#define ERROR(code, words) {code, #code, words}
constexpr ErrorName names[] = {
    ERROR(hipSuccess, "no error"),
    ERROR(hipErrorInvalidValue, "invalid argument"),
    ERROR(hipErrorOutOfMemory, "out of memory"),
    ERROR(hipErrorNotInitialized, "initialization error"),
    ERROR(hipErrorDeinitialized, "driver shutting down"),
    ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    ERROR(hipErrorInvalidContext, "invalid device context"),
    ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    ERROR(hipErrorNotFound, "named symbol not found"),
    ERROR(hipErrorNotReady, "device not ready"),
    ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    ERROR(hipErrorAssert, "device-side assert triggered"),
    ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ERROR(hipErrorNotSupported, "operation not supported"),
    ERROR(hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ERROR(hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    ERROR(hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    ERROR(hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    ERROR(hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    ERROR(hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    ERROR(hipErrorStreamCaptureImplicit,
          "operation would make the legacy stream depend on a capturing blocking stream"),
    ERROR(hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    ERROR(hipErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread"),
    ERROR(hipErrorGraphExecUpdateFailure,
          "the graph update was not performed because it included changes which violated constraints specific to "
          "instantiated graph update"),
    ERROR(hipErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    ERROR(hipErrorProfilerNotInitialized, "profiler is not initialized"),
    ERROR(hipErrorProfilerAlreadyStarted, "profiler already started"),
    ERROR(hipErrorProfilerAlreadyStopped, "profiler already stopped"),
    ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    ERROR(hipErrorContextAlreadyCurrent, "context is already current context"),
    ERROR(hipErrorMapFailed, "mapping of buffer object failed"),
    ERROR(hipErrorUnmapFailed, "unmapping of buffer object failed"),
    ERROR(hipErrorArrayIsMapped, "array is mapped"),
    ERROR(hipErrorAlreadyMapped, "resource already mapped"),
    ERROR(hipErrorAlreadyAcquired, "resource already acquired"),
    ERROR(hipErrorNotMapped, "resource not mapped"),
    ERROR(hipErrorNotMappedAsArray, "resource not mapped as array"),
    ERROR(hipErrorNotMappedAsPointer, "resource not mapped as pointer"),
    ERROR(hipErrorECCNotCorrectable, "uncorrectable ECC error encountered"),
    ERROR(hipErrorContextAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    ERROR(hipErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    ERROR(hipErrorFileNotFound, "file not found"),
    ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    ERROR(hipErrorRuntimeMemory, "runtime memory call returned error"),
    ERROR(hipErrorRuntimeOther, "runtime call other than memory returned error"),
    ERROR(hipErrorTbd, "to be determined"),
    ERROR(hipErrorUnknown, "unknown error"),
};
#undef ERROR

ErrorName const& find(hipError_t code) {
  for (ErrorName const& e : names)
    if (e.code == code) return e;
  static constexpr ErrorName unrecognized{hipErrorUnknown, "hipErrorUnknown", "unknown error"};
  return unrecognized;
}
constexpr unsigned query_flags = Call::keeps_last_error | Call::with_sticky_error;
}  // namespace

extern "C" {

hipError_t hipGetLastError() {
  return api(
      "hipGetLastError",
      [](Call&) {
        hipError_t const sticky = sticky_error_of_device();
        hipError_t const last   = std::exchange(this_thread().last_error, hipSuccess);
        return sticky != hipSuccess ? sticky : last;
      },
      query_flags);
}
hipError_t hipPeekAtLastError() {
  return api(
      "hipPeekAtLastError",
      [](Call&) {
        hipError_t const sticky = sticky_error_of_device();
        return sticky != hipSuccess ? sticky : this_thread().last_error;
      },
      query_flags);
}
hipError_t hipExtGetLastError() {
  return api(
      "hipExtGetLastError", [](Call&) { return std::exchange(this_thread().last_error, hipSuccess); }, query_flags);
}
char const* hipGetErrorName(hipError_t code) { return find(code).name; }
char const* hipGetErrorString(hipError_t code) { return find(code).words; }

hipError_t hipDrvGetErrorName(hipError_t code, char const** out) {
  return api("hipDrvGetErrorName", [&](Call&) -> hipError_t {
    if (!out || find(code).code != code) return hipErrorInvalidValue;
    *out = find(code).name;
    return hipSuccess;
  });
}
hipError_t hipDrvGetErrorString(hipError_t code, char const** out) {
  return api("hipDrvGetErrorString", [&](Call&) -> hipError_t {
    if (!out || find(code).code != code) return hipErrorInvalidValue;
    *out = find(code).words;
    return hipSuccess;
  });
}
}
