// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: hipErrorCapturedEvent after an instance has been destroyed
// upstream: #8006
// needs: a GPU
// model: HIP_MODEL_PROFILE=radeon-pro-vii-rocm-6.4
#include "Symptom.hpp"

#include <vector>

#ifdef SYMPTOM_HAS_GPU
symptom::Report ended_instance() {
  symptom::DeviceInts const out("out", 64);
  for (int i = 0; i < 100; ++i) {
    auto parts = Kokkos::Experimental::partition_space(symptom::Device(), std::vector<int>{1, 1});
    symptom::launch<1024>(parts[0], out);
    parts.erase(parts.begin());
    symptom::launch<1024>(parts[0], out);
  }
  Kokkos::fence();
  return {symptom::Finding::absent, "100 rounds launched functors of 1 KiB after the end of another instance."};
}
#else
symptom::Report ended_instance() { return {symptom::Finding::not_here, "This Kokkos has no GPU backend."}; }
#endif
