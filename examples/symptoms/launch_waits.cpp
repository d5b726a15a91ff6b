// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: Kernels of different instances run one after the other, and launches wait, for functors of more than 512 bytes
// upstream: #606, #2545, #8300
// needs: a GPU
#include "Symptom.hpp"

#ifdef SYMPTOM_HAS_GPU
symptom::Report launch_waits() {
  auto const parts = Kokkos::Experimental::partition_space(symptom::Device(), 1, 1);
  symptom::DeviceInts const first("first", 64), second("second", 64);
  for (auto const& part : parts) symptom::launch<1024>(part, first);  // loads the kernel, which may wait
  Kokkos::fence();
  bool const early = symptom::returns_while_blocked(parts[0], [&] {
    symptom::launch<1024>(parts[0], first);
    symptom::launch<1024>(parts[1], second);
    symptom::launch<1024>(parts[1], second);
    parts[1].fence("the second instance");
  });
  return symptom::found(!early, "A launch into one instance waited for the kernel of another instance.",
                        "Launches and kernels of one instance end while another instance is blocked.");
}
#else
symptom::Report launch_waits() { return {symptom::Finding::not_here, "This Kokkos has no GPU backend."}; }
#endif
