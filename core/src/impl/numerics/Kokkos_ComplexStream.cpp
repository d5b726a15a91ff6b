// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Input and output of complex numbers, through std::complex.

#include <Kokkos_Complex.hpp>
#include <Kokkos_Half.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>

#include <complex>
#include <istream>
#include <ostream>

namespace Kokkos {

template <class T>
std::ostream& operator<<(std::ostream& stream, complex<T> const& x) {
  using W = Impl::working_t<T>;
  return stream << std::complex<W>(static_cast<W>(x.real()), static_cast<W>(x.imag()));
}

template <class T>
std::istream& operator>>(std::istream& stream, complex<T>& x) {
  std::complex<Impl::working_t<T>> read;
  if (stream >> read) x = complex<T>(static_cast<T>(read.real()), static_cast<T>(read.imag()));
  return stream;
}

#define KOKKOS_IMPL_INSTANTIATE(T)                                     \
  template std::ostream& operator<<(std::ostream&, complex<T> const&); \
  template std::istream& operator>>(std::istream&, complex<T>&);

KOKKOS_IMPL_INSTANTIATE(float)
KOKKOS_IMPL_INSTANTIATE(double)
KOKKOS_IMPL_INSTANTIATE(long double)
KOKKOS_IMPL_INSTANTIATE(Experimental::half_t)
KOKKOS_IMPL_INSTANTIATE(Experimental::bhalf_t)

#undef KOKKOS_IMPL_INSTANTIATE

}  // namespace Kokkos
