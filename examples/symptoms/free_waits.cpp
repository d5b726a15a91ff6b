// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: Destroying a view waits for all kernels of the device, in a profile as cudaFree or cudaDeviceSynchronize between kernels
// upstream: #9307, #9433
// needs: a GPU
#include "Symptom.hpp"

#ifdef SYMPTOM_HAS_GPU
symptom::Report free_waits() {
  auto const parts = Kokkos::Experimental::partition_space(symptom::Device(), 1, 1);
  auto const named = [&parts](std::string const& label) {
    return Kokkos::view_alloc(label, parts[1], Kokkos::WithoutInitializing);
  };
  symptom::DeviceInts kept;
  symptom::HostInts const host("host", 64);
  // The view that dies while a blocked kernel still has to write to it, and its successor, which may get its memory too early.
  symptom::DeviceInts mortal("mortal", 64);
  {
    symptom::DeviceInts const unused(named("unused"), 64);
  }
  symptom::launch<16>(parts[1], mortal);
  Kokkos::fence();
  bool const early = symptom::returns_while_blocked(parts[0], [&] {
    symptom::launch<16>(parts[0], mortal);
    mortal = {};
    kept   = symptom::DeviceInts(named("kept"), 64);
    Kokkos::deep_copy(parts[1], kept, 7);
    parts[1].fence("the fill of the successor");
  });
  Kokkos::fence();
  Kokkos::deep_copy(host, kept);
  for (int i = 0; i < 64; ++i)
    if (host(i) != 7) return {symptom::Finding::present, "A kernel wrote to memory that another view had by then."};
  return symptom::found(
      !early, "The end of a view waited for the kernels of an unrelated instance.",
      "A view ended at once, and its memory was not reused before the kernel that writes to it had ended.");
}
#else
symptom::Report free_waits() { return {symptom::Finding::not_here, "This Kokkos has no GPU backend."}; }
#endif
