// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_SCANS_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_SCANS_HPP

/// \file
/// The common part of inclusive_scan, exclusive_scan and their variants with a transformation.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/impl/Kokkos_VendorScan.hpp>

#include <string>
#include <type_traits>

namespace Kokkos::Impl::Algorithms {

enum class ScanKind { inclusive, exclusive };

/// Element i of the result is the join of an optional `init` and source(0), ..., source(i), or without the last of
/// these.
template <ScanKind Kind, bool HasInit, class Out, class Source, class Join, class T>
struct ScanBody {
  Out out;
  Source source;
  Join join;
  T init;
  KOKKOS_FUNCTION void operator()(Distance i, typename Join::value_type& update, bool final) const {
    // Read before writing, because the result may overwrite the input.
    T const x = static_cast<T>(source(i));
    if constexpr (Kind == ScanKind::exclusive) {
      if (final) out[i] = join.after(init, update);
      join.add(update, x);
    } else {
      join.add(update, x);
      if (final) out[i] = HasInit ? join.after(init, update) : Join::value_of(update);
    }
  }
};

/// Like `source`, with `init` joined to the first value.
template <class Source, class T, class Op>
struct WithInit {
  Source source;
  T init;
  Op op;
  KOKKOS_FUNCTION T operator()(Distance i) const {
    T const x = static_cast<T>(source(i));
    return i == 0 ? static_cast<T>(op(init, x)) : x;
  }
};

template <class Vendor, ScanKind Kind, bool HasInit, class T, class Source, class Op>
struct ScanByVendor {
  T* out;
  Distance n;
  Source const& source;
  T const& init;
  Op const& op;

  template <class ExecSpace>
  void operator()(std::string const& label, ExecSpace const& exec) const {
    if constexpr (Kind == ScanKind::exclusive)
      Vendor::exclusive(label, exec, source, n, out, op, init);
    else if constexpr (HasInit)
      Vendor::inclusive(label, exec, WithInit<Source, T, Op>{source, init, op}, n, out, op);
    else
      Vendor::inclusive(label, exec, source, n, out, op);
  }
};

/// Whether the vendor's library scans: only values without a known identity.
template <class Place, class Out, class Source, class T, class Op>
constexpr bool scans_by_vendor() {
  if constexpr (Place::is_team || !is_contiguous_v<Out> || std::is_same_v<join_by<T, Op>, SumJoin<T>>)
    return false;
  else
    return std::is_same_v<element_t<Out>, T> &&
           VendorScan<typename Place::execution_space>::template serves<T, Source, Op>;
}

/// The scan of source(0), ..., source(n - 1); returns the end of the results.
template <ScanKind Kind, bool HasInit, class Place, class Out, class Source, class T, class Op>
KOKKOS_FUNCTION Out scan_values(Place const& place, Out out, Distance n, Source const& source, T const& init,
                                Op const& op) {
  if constexpr (scans_by_vendor<Place, Out, Source, T, Op>()) {
    using Vendor = VendorScan<typename Place::execution_space>;
    if (n >= Vendor::fewest && n <= Vendor::most) {
      place.call(ScanByVendor<Vendor, Kind, HasInit, T, Source, Op>{Algorithms::pointer_of(out), n, source, init, op});
      place.finish();
      return out + n;
    }
  }
  using Join = join_by<T, Op>;
  Join const join{op};
  place.write_scan(n, ScanBody<Kind, HasInit, Out, Source, Join, T>{out, source, join, init}, join);
  place.finish();
  return out + n;
}

}  // namespace Kokkos::Impl::Algorithms

#endif
