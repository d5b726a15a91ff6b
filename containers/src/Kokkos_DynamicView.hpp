// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DYNAMICVIEW_HPP
#define KOKKOS_DYNAMICVIEW_HPP

/// \file
/// DynamicView: a one-dimensional array in chunks, which grows and shrinks without moving its elements.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_ContainerErrors.hpp>
#include <impl/Kokkos_ContainerMirror.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {
namespace Impl {

/// Keeps a chunk of a DynamicView. The type does not depend on the view's space, so that views for several spaces can
/// share chunks, such as a view for Serial and its mirror for OpenMP.
struct DynamicViewChunk {
  AllocationTracker owner;
  std::uintptr_t address = 0;  // of the first element
};

}  // namespace Impl

namespace Experimental {

template <class DataType, class... Properties>
class DynamicView;

/// @{
/// Whether T is a DynamicView, possibly a const one. False for references.
template <class T>
inline constexpr bool is_dynamic_view_v = false;
template <class D, class... P>
inline constexpr bool is_dynamic_view_v<DynamicView<D, P...>> = true;
template <class D, class... P>
inline constexpr bool is_dynamic_view_v<DynamicView<D, P...> const> = true;
/// @}

/// Copies share elements and size: resizing one resizes all. An access to an element also reads the table of chunks.
///
/// \tparam DataType an element type followed by one star
/// \tparam Properties as for View; the layout has no meaning
template <class DataType, class... Properties>
class DynamicView : public ViewTraits<DataType, Properties...> {
 public:
  using traits = ViewTraits<DataType, Properties...>;  ///< documents the inherited types
  using typename traits::device_type;
  using typename traits::memory_space;
  using typename traits::value_type;
  static_assert(traits::dimension::rank == 1 && traits::dimension::rank_dynamic == 1,
                "Kokkos::DynamicView: the data type is an element type followed by one star.");

  /// The view with only its data type and its Device.
  using array_type = DynamicView<typename traits::data_type, device_type>;
  /// Like `array_type` above, with const elements.
  using const_type = DynamicView<typename traits::const_data_type, device_type>;
  /// Like `array_type` above, with elements without const.
  using non_const_type = DynamicView<typename traits::non_const_data_type, device_type>;
  /// Like `array_type` above, without const, in memory that the host can access.
  using host_mirror_type = DynamicView<typename traits::non_const_data_type,
                                       Device<DefaultHostExecutionSpace, typename traits::host_mirror_space>>;
  using HostMirror       = host_mirror_type;  ///< the name from before Kokkos 5

  /// @{
  /// One type for equivalent view types, as View has them. The extent is always one at run time.
  using uniform_type = array_type;
  using uniform_nomemspace_type =
      DynamicView<typename array_type::data_type, Device<typename device_type::execution_space, AnonymousSpace>>;
  using uniform_runtime_type            = uniform_type;
  using uniform_runtime_nomemspace_type = uniform_nomemspace_type;
  using uniform_const_type              = const_type;
  using uniform_const_nomemspace_type =
      DynamicView<typename const_type::data_type, Device<typename device_type::execution_space, AnonymousSpace>>;
  using uniform_runtime_const_type            = uniform_const_type;
  using uniform_runtime_const_nomemspace_type = uniform_const_nomemspace_type;
  using uniform_device                        = Device<typename device_type::execution_space, AnonymousSpace>;
  /// @}
  template <class Space>
  using impl_mirror_in = DynamicView<typename traits::non_const_data_type, Space>;

  using reference_type = value_type&;  ///< an element
  using pointer_type   = value_type*;  ///< points to an element

  static constexpr bool reference_type_is_lvalue_reference = true;  ///< always true
  static constexpr Kokkos::Impl::RankConstant<1> rank{};            ///< number of dimensions: 1
  enum : unsigned { Rank = 1 };

  DynamicView() = default;

  /// @{
  /// No elements; the table of chunks has space for `max_extent` elements. Chunks have at least `min_chunk_size`
  /// elements; their size is a power of two.
  explicit DynamicView(std::string const& label, unsigned min_chunk_size, unsigned max_extent)
      : DynamicView(view_alloc(label), min_chunk_size, max_extent) {}
  template <class L, class E, class M, bool I, bool S, bool A>
  explicit DynamicView(Kokkos::Impl::ViewProperties<L, E, M, Kokkos::Impl::None, I, S, A> const& properties,
                       unsigned min_chunk_size, unsigned max_extent) {
    while ((std::size_t(1) << m_shift) < min_chunk_size) ++m_shift;
    std::size_t const chunks = (max_extent + chunk_size() - 1) >> m_shift;
    m_owned = decltype(m_owned)(Kokkos::view_alloc(properties.get_label(), SequentialHostInit), chunks);
    m_table = Table(properties.get_label() + " table", chunks + 1);
    m_host  = Kokkos::create_mirror_view(m_table);
  }
  /// @}

  /// Refers to the same elements with another type.
  template <class D, class... P>
    requires(std::is_convertible_v<typename DynamicView<D, P...>::value_type (*)[], value_type (*)[]> &&
             SpaceAccessibility<memory_space, typename DynamicView<D, P...>::memory_space>::assignable)
  DynamicView(DynamicView<D, P...> const& other)
      : m_owned(other.m_owned), m_table(other.m_table), m_host(other.m_host), m_shift(other.m_shift) {}

  /// Changes the number of elements, outside of kernels. Elements that exist before and after do not move; new ones, in
  /// whole chunks, are value-initialized.
  /// \throws std::runtime_error if `n` is more than the constructor's max_extent, rounded up to whole chunks.
  template <Kokkos::Impl::ExtentLike N>
  void resize_serial(N const& n) {
    auto const wanted = static_cast<std::size_t>(n);
    if (wanted > max_size()) Kokkos::Impl::throw_dynamic_view_too_small(label(), wanted, max_size());
    Kokkos::fence("Kokkos::DynamicView::resize_serial: fence before chunks are released");
    std::size_t const chunks = (wanted + chunk_size() - 1) >> m_shift, most = m_owned.extent(0);
    std::size_t const before = allocation_extent() >> m_shift;
    // The first chunks stay. If an earlier call could not allocate all, there may be more than the size needs.
    for (std::size_t c = chunks < before ? chunks : before; c < most; ++c) {
      if (c < chunks) {
        if (m_owned(c).address == 0) m_owned(c) = new_chunk();
      } else {
        if (m_owned(c).address == 0) break;
        m_owned(c) = {};
      }
      m_host(c + 1) = m_owned(c).address;
    }
    if (most > 0) m_host(0) = wanted;
    if (m_table.data() != m_host.data()) Kokkos::deep_copy(m_table, m_host);
  }

  /// @{
  /// Element i, which must be less than size(); checked only in builds with KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK. The
  /// memory must be accessible where this is called.
  KOKKOS_FORCEINLINE_FUNCTION reference_type operator()(std::size_t i) const {
    check_bounds(i);
    return chunk(i >> m_shift)[i & (chunk_size() - 1)];
  }
  KOKKOS_FORCEINLINE_FUNCTION reference_type operator[](std::size_t i) const { return (*this)(i); }
  /// @}

  /// Number of elements.
  KOKKOS_FUNCTION std::size_t size() const noexcept {
    std::size_t n = 0;
    KOKKOS_IF_ON_HOST((n = m_host.data() ? m_host(0) : 0;))
    KOKKOS_IF_ON_DEVICE((n = m_table.data() ? m_table(0) : 0;))
    return n;
  }
  /// Number of elements in the allocated chunks.
  KOKKOS_FUNCTION std::size_t allocation_extent() const noexcept {
    return (size() + chunk_size() - 1) >> m_shift << m_shift;
  }
  /// Number of elements of a chunk; a power of two.
  KOKKOS_FUNCTION std::size_t chunk_size() const noexcept { return std::size_t(1) << m_shift; }
  /// Maximum number of chunks.
  KOKKOS_FUNCTION std::size_t chunk_max() const noexcept { return m_table.extent(0) == 0 ? 0 : m_table.extent(0) - 1; }
  /// @{
  /// size() for r = 0, and 1 for every other dimension.
  template <Kokkos::Impl::IndexLike I>
  KOKKOS_FUNCTION std::size_t extent(I const& r) const {
    return static_cast<std::size_t>(r) == 0 ? size() : 1;
  }
  template <Kokkos::Impl::IndexLike I>
  KOKKOS_FUNCTION int extent_int(I const& r) const {
    return static_cast<int>(extent(r));
  }
  /// @}

  /// @{
  /// 0, false or null, because elements are in several chunks: there are no strides, no span and no pointer to all of
  /// them.
  template <class I>
  KOKKOS_FUNCTION static constexpr std::size_t stride(I const&) {
    return 0;
  }
  KOKKOS_FUNCTION static constexpr std::size_t stride_0() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_1() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_2() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_3() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_4() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_5() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_6() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t stride_7() { return 0; }
  KOKKOS_FUNCTION static constexpr std::size_t span() { return 0; }
  KOKKOS_FUNCTION static constexpr bool span_is_contiguous() { return false; }
  KOKKOS_FUNCTION static constexpr pointer_type data() { return nullptr; }
  /// @}

  /// Number of copies that share the elements.
  int use_count() const { return m_table.use_count(); }
  /// The label of the constructor.
  std::string label() const { return m_owned.label(); }
  /// Whether there are elements.
  KOKKOS_FUNCTION bool is_allocated() const { return size() > 0; }

  // For the library
  template <class Mirror, class P>
  Mirror impl_new_mirror(P const& properties, std::string const& label) const {
    Mirror mirror(Kokkos::Impl::with_default_properties(properties, label), static_cast<unsigned>(chunk_size()),
                  static_cast<unsigned>(max_size()));
    mirror.resize_serial(size());
    return mirror;
  }
  /// Elements [first, first + n) of one chunk as a view.
  auto impl_chunk_view(std::size_t first, std::size_t n) const {
    return View<value_type*, device_type, MemoryUnmanaged>(
        reinterpret_cast<value_type*>(m_owned(first >> m_shift).address) + (first & (chunk_size() - 1)), n);
  }

 private:
  template <class, class...>
  friend class DynamicView;

  using Chunk = Kokkos::Impl::DynamicViewChunk;
  using Table = View<std::uintptr_t*, device_type>;

  Chunk new_chunk() const {
    View<typename traits::non_const_value_type*, device_type> const elements(label(), chunk_size());
    return {elements.impl_track(), reinterpret_cast<std::uintptr_t>(elements.data())};
  }

  std::size_t max_size() const { return m_owned.extent(0) << m_shift; }

  KOKKOS_FORCEINLINE_FUNCTION value_type* chunk(std::size_t c) const {
    // Not by the view's operator, which would check whether the host can access the chunks.
    return reinterpret_cast<value_type*>(m_table.data()[c + 1]);
  }

  KOKKOS_FORCEINLINE_FUNCTION void check_bounds([[maybe_unused]] std::size_t i) const {
    if constexpr (!SpaceAccessibility<HostSpace, memory_space>::accessible) {
      KOKKOS_IF_ON_HOST((Kokkos::Impl::abort_inaccessible(label().c_str(), memory_space::name());))
    }
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    if (i >= size()) {
      KOKKOS_IF_ON_HOST((Kokkos::Impl::abort_out_of_bounds(label().c_str(), 1, Kokkos::Impl::ExtentList{{i}},
                                                           Kokkos::Impl::ExtentList{{size()}});))
      Kokkos::Impl::abort_on_device("Kokkos::DynamicView: out of bounds access.");
    }
#endif
  }

  View<Chunk*, HostSpace> m_owned;          // the chunks, which are freed with the last copy
  Table m_table;                            // the size, then the address of each chunk
  typename Table::host_mirror_type m_host;  // the table's copy on the host
  unsigned m_shift = 0;                     // a chunk has 2^m_shift elements
};

}  // namespace Experimental

/// Whether T is a DynamicView, possibly a const one. False for references.
template <class T>
inline constexpr bool is_dynamic_view_v = Experimental::is_dynamic_view_v<T>;
template <class T>
struct is_dynamic_view : std::bool_constant<is_dynamic_view_v<T>> {};

namespace Impl {

/// Two sides of a copy, of which at least one is a DynamicView and the other one a View or a DynamicView.
template <class Dst, class Src>
concept DynamicCopy = (is_dynamic_view_v<Dst> && (is_dynamic_view_v<Src> || is_view_v<Src>)) ||
                      (is_view_v<Dst> && is_dynamic_view_v<Src>);

template <class V>
std::size_t elements_in_one_piece(V const& view, std::size_t first, std::size_t n) {
  if constexpr (is_dynamic_view_v<V>) {
    std::size_t const left = view.chunk_size() - first % view.chunk_size();
    return left < n ? left : n;
  } else {
    return n;
  }
}
template <class V>
auto piece_of(V const& view, std::size_t first, std::size_t n) {
  if constexpr (is_dynamic_view_v<V>)
    return view.impl_chunk_view(first, n);
  else
    return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(first, first + n));
}

/// Calls copy(piece of dst, piece of src) for pieces that are in one chunk on both sides.
template <class Dst, class Src, class Copy>
void for_each_piece(Dst const& dst, Src const& src, Copy const& copy) {
  std::size_t const n = dst.extent(0) < src.extent(0) ? dst.extent(0) : src.extent(0);
  for (std::size_t first = 0; first < n;) {
    std::size_t const count =
        Impl::elements_in_one_piece(src, first, Impl::elements_in_one_piece(dst, first, n - first));
    copy(Impl::piece_of(dst, first, count), Impl::piece_of(src, first, count));
    first += count;
  }
}

}  // namespace Impl

/// @{
/// Copies the number of elements of the smaller side. With `exec`, in the order of that instance; otherwise the copy is
/// complete when this returns.
template <class Dst, class Src>
  requires Impl::DynamicCopy<Dst, Src>
void deep_copy(Dst const& dst, Src const& src) {
  Impl::for_each_piece(dst, src, [](auto const& to, auto const& from) { Kokkos::deep_copy(to, from); });
}
template <ExecutionSpace ExecSpace, class Dst, class Src>
  requires Impl::DynamicCopy<Dst, Src>
void deep_copy(ExecSpace const& exec, Dst const& dst, Src const& src) {
  Impl::for_each_piece(dst, src, [&exec](auto const& to, auto const& from) { Kokkos::deep_copy(exec, to, from); });
}
/// @}
/// @{
/// Assigns a value to every element. With `exec`, in the order of that instance; otherwise complete on return.
template <class D, class... P>
void deep_copy(Experimental::DynamicView<D, P...> const& dst, typename ViewTraits<D, P...>::const_value_type& value) {
  Impl::for_each_piece(dst, dst, [&value](auto const& to, auto const&) { Kokkos::deep_copy(to, value); });
}
template <ExecutionSpace ExecSpace, class D, class... P>
void deep_copy(ExecSpace const& exec, Experimental::DynamicView<D, P...> const& dst,
               typename ViewTraits<D, P...>::const_value_type& value) {
  Impl::for_each_piece(dst, dst, [&](auto const& to, auto const&) { Kokkos::deep_copy(exec, to, value); });
}
/// @}

namespace Impl {
template <class D, class... P>
struct ContainerCopy<Experimental::DynamicView<D, P...>> {
  template <class Dst, class... Exec>
  static void run(Dst const& dst, Experimental::DynamicView<D, P...> const& src, Exec const&... exec) {
    Kokkos::deep_copy(exec..., dst, src);
  }
};
}  // namespace Impl

}  // namespace Kokkos

#endif
