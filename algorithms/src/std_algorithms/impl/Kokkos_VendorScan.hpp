// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_VENDOR_SCAN_HPP
#define KOKKOS_STD_ALGORITHMS_VENDOR_SCAN_HPP

/// \file
/// Scans by an operation without a known identity, from the library of a GPU's vendor: CUB, which is part of the CUDA
/// toolkit. A scan of values with a flag that they exist moves twice as many bytes through shared memory.

#include <impl/Kokkos_VendorCall.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmVectors.hpp>

#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)
#define KOKKOS_IMPL_SCAN_BY_CUB
#include <cub/device/device_scan.cuh>
#endif

namespace Kokkos::Impl::Algorithms {

/// The library's scan for an execution space. `serves` is whether it can scan the values of type T of a source, `fewest`
/// the number of values from which it is faster, and `most` the number that it counts.
template <class ExecSpace>
struct VendorScan {
  template <class T, class Source, class Op>
  static constexpr bool serves     = false;
  static constexpr Distance fewest = 0, most = 0;
};

#ifdef KOKKOS_IMPL_SCAN_BY_CUB
/// The values of a source as an iterator.
template <class T, class Source>
class SourceIterator {
 public:
  using value_type        = T;
  using difference_type   = Distance;
  using reference         = T;
  using pointer           = T const*;
  using iterator_category = std::random_access_iterator_tag;

  explicit SourceIterator(Source const& source) : m_source(source) {}
  KOKKOS_FUNCTION T operator*() const { return static_cast<T>(m_source(m_at)); }
  KOKKOS_FUNCTION T operator[](Distance i) const { return static_cast<T>(m_source(m_at + i)); }
  KOKKOS_FUNCTION SourceIterator& operator+=(Distance i) {
    m_at += i;
    return *this;
  }
  KOKKOS_FUNCTION SourceIterator& operator++() { return *this += 1; }
  KOKKOS_FUNCTION SourceIterator operator+(Distance i) const { return SourceIterator(*this) += i; }
  KOKKOS_FUNCTION SourceIterator operator-(Distance i) const { return SourceIterator(*this) += -i; }
  KOKKOS_FUNCTION Distance operator-(SourceIterator const& other) const { return m_at - other.m_at; }
  KOKKOS_FUNCTION bool operator==(SourceIterator const& other) const { return m_at == other.m_at; }
  KOKKOS_FUNCTION bool operator!=(SourceIterator const& other) const { return m_at != other.m_at; }

 private:
  Source m_source;
  Distance m_at = 0;
};

/// The operation with operands and results of one type.
template <class T, class Op>
struct OperationOn {
  Op op;
  KOKKOS_FUNCTION T operator()(T const& a, T const& b) const { return static_cast<T>(op(a, b)); }
};

template <>
struct VendorScan<Cuda> {
  // Older toolkits count in 32 bits.
  static constexpr Distance fewest = Distance(1) << 16, most = 0x7fffffff;

  // A kernel receives source and operation with other arguments, within the 4096 bytes that every toolkit supports.
  template <class T, class Source, class Op>
  static constexpr bool serves =
      sizeof(Source) + sizeof(Op) <= 2048 && sizeof(T) <= 64 && std::is_trivially_copyable_v<T> &&
      std::is_default_constructible_v<T> && std::is_copy_constructible_v<Source> && std::is_copy_constructible_v<Op>;

  template <class T, class Source, class Op>
  static void inclusive(std::string const& label, Cuda const& exec, Source const& source, Distance n, T* out,
                        Op const& op) {
    Impl::call_vendor(exec, label, "Kokkos::Experimental: a scan", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(memory, bytes, SourceIterator<T, Source>(source), out,
                                            OperationOn<T, Op>{op}, n, exec.impl_instance().stream());
    });
  }
  template <class T, class Source, class Op>
  static void exclusive(std::string const& label, Cuda const& exec, Source const& source, Distance n, T* out,
                        Op const& op, T const& init) {
    Impl::call_vendor(exec, label, "Kokkos::Experimental: a scan", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(memory, bytes, SourceIterator<T, Source>(source), out,
                                            OperationOn<T, Op>{op}, init, n, exec.impl_instance().stream());
    });
  }
};
#endif

}  // namespace Kokkos::Impl::Algorithms

#endif
