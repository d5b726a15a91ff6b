// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: A launch fails, or invalidates the capture, while the program captures an unrelated stream
// upstream: #7942
// needs: a GPU
// model: HIP_MODEL_PROFILE=mi250x-rocm-6.4
#include "Symptom.hpp"

#ifdef SYMPTOM_HAS_GPU
symptom::Report capture_elsewhere() {
  symptom::Device const instance;
  symptom::DeviceInts const out("out", 64);
  symptom::launch<1024>(instance, out);
  Kokkos::fence();
  symptom::Stream stream = nullptr;
  if (!symptom::create(stream) || !symptom::begin_capture(stream))
    return {symptom::Finding::not_here, "The runtime cannot capture a stream."};
  for (int i = 0; i < 3; ++i) symptom::launch<1024>(instance, out);
  bool const valid = symptom::end_capture(stream);
  Kokkos::fence();
  (void)symptom::destroy(stream);
  return symptom::found(!valid, "Launches into one stream invalidated the capture of another stream.",
                        "Three launches ran beside a capture of another stream, which remained valid.");
}
#else
symptom::Report capture_elsewhere() { return {symptom::Finding::not_here, "This Kokkos has no GPU backend."}; }
#endif
