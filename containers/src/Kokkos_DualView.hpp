// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DUALVIEW_HPP
#define KOKKOS_DUALVIEW_HPP

/// \file
/// DualView: the same elements on the device and on the host, with a record of which side was modified.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_Interface.hpp>
#include <impl/Kokkos_ContainerErrors.hpp>
#include <impl/Kokkos_DualSides.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace Kokkos {

template <class DataType, class... Properties>
class DualView;

/// @{
/// Whether T is a DualView, possibly a const one. False for references.
template <class T>
inline constexpr bool is_dual_view_v = false;
template <class D, class... P>
inline constexpr bool is_dual_view_v<DualView<D, P...>> = true;
template <class D, class... P>
inline constexpr bool is_dual_view_v<DualView<D, P...> const> = true;
/// @}
template <class T>
struct is_dual_view : std::bool_constant<is_dual_view_v<T>> {};

/// A view on the device (view_device) and its mirror on the host (view_host). If the host can access the memory of the
/// device, both refer to the same elements.
///
/// The program reports changes by `modify`, and `sync` copies if the other side was modified. Copies and subviews of a
/// DualView share this record. A default-constructed DualView has none: modify and sync have no effect. Changes on both
/// sides without a sync in between would lose one of them, so modify then ends the program with a message (option
/// Kokkos_ENABLE_DEBUG_DUALVIEW_MODIFY_CHECK, ON by default). Without that option the side that was modified last is
/// the newer one.
template <class DataType, class... Properties>
class DualView : public ViewTraits<DataType, Properties...> {
 public:
  // The types of both sides: views with writable and with const elements
  using t_dev        = View<DataType, Properties...>;                         ///< on the device
  using t_dev_const  = View<typename t_dev::const_data_type, Properties...>;  ///< on the device, const elements
  using t_host       = typename t_dev::host_mirror_type;                      ///< on the host
  using t_host_const = typename t_dev_const::host_mirror_type;                ///< on the host, const elements

  using traits            = typename t_dev::traits;             ///< documents the inherited types
  using host_mirror_space = typename t_dev::host_mirror_space;  ///< the memory space of the host's side

 private:
  template <class ViewType, unsigned Traits>
  using with_traits = View<typename ViewType::data_type, typename ViewType::array_layout,
                           typename ViewType::device_type, MemoryTraits<Traits>>;
  using host_const =
      View<typename t_host::const_data_type, typename t_host::array_layout, typename t_host::device_type>;

 public:
  /// @{
  /// Views of both sides with other MemoryTraits. In their names, `randomread` means RandomAccess, and `um` Unmanaged.
  using t_dev_const_randomread     = with_traits<t_dev_const, RandomAccess>;
  using t_host_const_randomread    = typename t_dev_const_randomread::host_mirror_type;
  using t_dev_um                   = with_traits<t_dev, Unmanaged>;
  using t_host_um                  = with_traits<t_host, Unmanaged>;
  using t_dev_const_um             = with_traits<t_dev_const, Unmanaged>;
  using t_host_const_um            = with_traits<host_const, Unmanaged>;
  using t_dev_const_randomread_um  = with_traits<t_dev_const, Unmanaged | RandomAccess>;
  using t_host_const_randomread_um = with_traits<host_const, Unmanaged | RandomAccess>;
  /// @}
  /// The record of changes: a counter for the host, then one for the device.
  using t_modified_flags = View<unsigned[2], LayoutLeft, HostSpace>;

  /// Whether both sides are one view, so that there is never anything to copy.
  static constexpr bool impl_dualview_is_single_device =
      std::is_same_v<typename t_dev::device_type, typename t_host::device_type>;

  /// The view on the device. Prefer view_device() and view_host().
  t_dev d_view;
  /// The view on the host.
  t_host h_view;

  // ---- construction -------------------------------------------------------------------------------------------------

  DualView() = default;

  /// Allocates both sides under a label.
  template <class... N>
    requires(Impl::ExtentLike<N> && ...)
  explicit DualView(std::string const& label, N... n) : DualView(view_alloc(label), n...) {}

  /// Allocates both sides with the properties of view_alloc. With SequentialHostInit, elements are constructed on the
  /// host and copied. An execution space instance orders the side whose memory it can access.
  template <class L, class E, class M, bool I, bool S, bool A, class... N>
    requires(Impl::ExtentLike<N> && ...)
  explicit DualView(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, N... n) {
    if constexpr (S) {
      h_view = t_host(Impl::properties_of_side<t_host>(properties), n...);
      d_view = copied_to_device(h_view.label());
    } else {
      d_view = t_dev(Impl::properties_of_side<t_dev>(properties), n...);
      h_view = mirror<I>();
    }
    m_flags = new_flags();
  }

  /// Uses existing views for both sides, which must have equal elements now.
  DualView(t_dev const& device, t_host const& host) : d_view(device), h_view(host), m_flags(new_flags()) {
    if constexpr (impl_dualview_is_single_device)
      if (device.data() != host.data()) Impl::refuse_dual_view_of_two_views(device.label(), host.label());
  }

  /// Refers to the same elements, and shares the record of changes.
  template <class D, class... P>
    requires(std::is_constructible_v<t_dev, typename DualView<D, P...>::t_dev const&>)
  DualView(DualView<D, P...> const& other) : d_view(other.d_view), h_view(other.h_view), m_flags(other.m_flags) {}

  /// The part of both sides that the slices select; shares the record of changes of `whole`.
  template <class D, class... P, class First, class... Slices>
  DualView(DualView<D, P...> const& whole, First const& first, Slices... slices)
      : d_view(Kokkos::subview(whole.d_view, first, slices...)),
        h_view(Kokkos::subview(whole.h_view, first, slices...)),
        m_flags(whole.m_flags) {}

  // ---- the two sides ------------------------------------------------------------------------------------------------

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  // By value, as in Kokkos 4, because programs use member types of decltype(v.view_host()).
  KOKKOS_FUNCTION t_dev view_device() const { return d_view; }
  KOKKOS_FUNCTION t_host view_host() const { return h_view; }
#else
  /// The view on the device. Call sync_device() before a kernel uses it, and modify_device() after a kernel changed it.
  KOKKOS_FUNCTION t_dev const& view_device() const { return d_view; }
  /// The view on the host. Call sync_host() before the host uses it, and modify_host() after the host changed it.
  KOKKOS_FUNCTION t_host const& view_host() const { return h_view; }
#endif

  /// The side that `Space` selects: a Device, a memory space or an execution space.
  template <class Space>
  KOKKOS_FUNCTION decltype(auto) view() const {
    if constexpr (side_of<Space>() == Impl::DualSide::device)
      return view_device();
    else
      return view_host();
  }
  /// 1 for the device, 0 for the host, -1 for neither.
  template <class Space>
  static constexpr int get_device_side() {
    return static_cast<int>(Impl::dual_side<Space, t_dev, t_host>());
  }

  /// Whether both sides have memory.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return d_view.is_allocated() && h_view.is_allocated(); }

  // ---- which side is newer ------------------------------------------------------------------------------------------

  /// Records that the elements on the device were changed.
  void modify_device() { modify_side(Impl::DualSide::device); }
  /// Records that the elements on the host were changed.
  void modify_host() { modify_side(Impl::DualSide::host); }
  /// Records that the elements of the side that `Space` selects were changed.
  template <class Space>
  void modify() {
    modify_side(side_of<Space>());
  }

  /// Whether sync_device() would copy.
  bool need_sync_device() const { return needs_sync(Impl::DualSide::device); }
  /// Whether sync_host() would copy.
  bool need_sync_host() const { return needs_sync(Impl::DualSide::host); }
  /// Whether sync of the side that `Space` selects would copy.
  template <class Space>
  bool need_sync() const {
    return needs_sync(side_of<Space>());
  }

  /// Makes a side equal to the other one, if that was modified; afterwards both are unmodified. Without an instance the
  /// copy is complete when this returns; with an instance it runs in the order of that instance.
  /// \throws std::runtime_error if there is something to copy and the elements are const, or if the extents of both
  /// sides differ because only one of them was resized.
  void sync_device() { sync_side<Impl::DualSide::device>(Impl::None()); }
  /// Like `sync_device` above, for the host.
  void sync_host() { sync_side<Impl::DualSide::host>(Impl::None()); }
  /// Like `sync_device` above, in the order of an instance.
  template <ExecutionSpace ExecSpace>
  void sync_device(ExecSpace const& exec) {
    sync_side<Impl::DualSide::device>(exec);
  }
  /// Like `sync_device` above, for the host, in the order of an instance.
  template <ExecutionSpace ExecSpace>
  void sync_host(ExecSpace const& exec) {
    sync_side<Impl::DualSide::host>(exec);
  }
  /// Like `sync_device` above, for the side that `Space` selects.
  template <class Space>
  void sync() {
    sync_side<side_of<Space>()>(Impl::None());
  }
  /// Like `sync` above, for the side that `Space` selects, in the order of an instance.
  template <class Space, ExecutionSpace ExecSpace>
  void sync(ExecSpace const& exec) {
    sync_side<side_of<Space>()>(exec);
  }

  /// Removes all recorded changes.
  void clear_sync_state() {
    if (has_flags()) m_flags(0) = m_flags(1) = 0;
  }

  // ---- shape --------------------------------------------------------------------------------------------------------

  /// Distance from the first to the last element of a side in memory, in elements, inclusive.
  KOKKOS_FUNCTION constexpr std::size_t span() const { return d_view.span(); }
  /// Whether the elements of a side have no gaps in memory.
  KOKKOS_FUNCTION bool span_is_contiguous() const { return d_view.span_is_contiguous(); }
  /// Writes the stride of each dimension in elements, then the span: rank + 1 numbers.
  template <class I>
  void stride(I* strides) const {
    d_view.stride(strides);
  }
  /// Number of indices of dimension r, which must be less than the rank.
  template <Impl::IndexLike I>
  KOKKOS_FUNCTION constexpr std::size_t extent(I const& r) const {
    return d_view.extent(r);
  }
  /// `extent(r)` as an int.
  template <Impl::IndexLike I>
  KOKKOS_FUNCTION constexpr int extent_int(I const& r) const {
    return d_view.extent_int(r);
  }

  /// Changes the extents of both sides. The side that was modified last keeps its elements and counts as modified, so
  /// sync the other one before using it. Has no effect if the extents are equal.
  template <class... N>
    requires(Impl::ExtentLike<N> && ...)
  void resize(N... n) {
    resize(view_alloc(), n...);
  }
  /// Like `resize` above, with properties of view_alloc, such as WithoutInitializing or an execution space instance of
  /// either side. A side whose memory the instance can access is resized in its order. For the other side, this waits
  /// for the earlier work of the instance and returns when that side is complete.
  template <Impl::ResizeProperty Property, class... N>
  void resize(Property const& given, N... n) {
    auto const properties = Impl::resize_properties(given);
    using P               = std::remove_const_t<decltype(properties)>;
    auto const layout     = typename t_dev::array_layout(static_cast<std::size_t>(n)...);
    if (Impl::has_shape(d_view, layout)) return;
    if constexpr (impl_dualview_is_single_device) {
      Impl::resize_side(properties, d_view, n...);
      h_view = d_view;
    } else if constexpr (P::sequential_host_init) {
      sync_host();
      resize_on_host(properties, n...);
    } else if (need_sync_device()) {
      resize_on_host(properties, n...);
    } else {
      Impl::resize_side(properties, d_view, n...);
      Impl::fence_instance(properties, "Kokkos::DualView::resize: before the mirror is made");
      h_view = mirror<P::initialize>();
      if (!has_flags()) m_flags = new_flags();
      m_flags(1) = m_flags(0) + 1;
    }
  }

  /// Changes the extents of both sides and creates new elements; both sides are unmodified then.
  template <class... N>
    requires(Impl::ExtentLike<N> && ...)
  void realloc(N... n) {
    realloc(view_alloc(), n...);
  }
  /// Like `realloc` above, with properties of view_alloc, such as WithoutInitializing or an execution space instance of
  /// either side, which orders the sides as in resize.
  template <Impl::ResizeProperty Property, class... N>
  void realloc(Property const& given, N... n) {
    auto const properties = Impl::resize_properties(given);
    using P               = std::remove_const_t<decltype(properties)>;
    if constexpr (P::sequential_host_init) {
      std::string const label = d_view.label();
      if constexpr (impl_dualview_is_single_device) d_view = t_dev();
      Impl::realloc_side(properties, h_view, n...);
      d_view = copied_to_device(label);
    } else {
      if constexpr (!impl_dualview_is_single_device)
        Impl::fence_instance(properties, "Kokkos::DualView::realloc: before the mirror is released");
      h_view = t_host();
      Impl::realloc_side(properties, d_view, n...);
      h_view = mirror<P::initialize>();
    }
    if (!has_flags()) m_flags = new_flags();
    clear_sync_state();
  }

 private:
  template <class D, class... P>
  friend class DualView;

  template <class Space>
  KOKKOS_FUNCTION static constexpr Impl::DualSide side_of() {
    constexpr Impl::DualSide side = Impl::dual_side<Space, t_dev, t_host>();
    static_assert(side != Impl::DualSide::neither,
                  "Kokkos::DualView: view, modify, sync and need_sync take a Device, a memory space or an execution "
                  "space of the device's or of the host's side; this one belongs to neither.");
    return side;
  }

  /// Zeros, without a kernel of the host's default instance, which other work may keep busy.
  static t_modified_flags new_flags() {
    t_modified_flags flags(view_alloc(WithoutInitializing, "DualView::modified_flags"));
    flags(0) = flags(1) = 0;
    return flags;
  }
  bool has_flags() const { return m_flags.data() != nullptr; }

  template <bool Initialize>
  t_host mirror() const {
    if constexpr (impl_dualview_is_single_device)
      return t_host(d_view);
    else if constexpr (Initialize)
      return Kokkos::create_mirror_view(d_view);
    else
      return Kokkos::create_mirror_view(WithoutInitializing, d_view);
  }
  /// A new device side with the elements of the host side. It gets a label of its own, because that of the host side
  /// may be the label of a mirror.
  t_dev copied_to_device([[maybe_unused]] std::string const& label) const {
    if constexpr (std::is_same_v<typename t_dev::memory_space, typename t_host::memory_space>) {
      return t_dev(h_view);
    } else {
      t_dev const device(view_alloc(WithoutInitializing, label), h_view.layout());
      Kokkos::deep_copy(device, h_view);
      return device;
    }
  }

  template <class Properties_, class... N>
  void resize_on_host(Properties_ const& properties, N... n) {
    Impl::resize_side(properties, h_view, n...);
    if constexpr (std::is_same_v<typename t_dev::memory_space, typename t_host::memory_space>)
      d_view = t_dev(h_view);
    else
      d_view = t_dev(Kokkos::view_alloc(WithoutInitializing, d_view.label()), h_view.layout());
    if (!has_flags()) m_flags = new_flags();
    m_flags(0) = m_flags(1) + 1;
    if constexpr (Properties_::sequential_host_init) sync_device();
  }

  void modify_side(Impl::DualSide side) {
    if (impl_dualview_is_single_device || !has_flags()) return;
    int const own = static_cast<int>(side), other = 1 - own;
#ifdef KOKKOS_ENABLE_DEBUG_DUALVIEW_MODIFY_CHECK
    if (m_flags(other) > m_flags(own))
      Impl::abort_dual_view_modified_on_both_sides(d_view.label(), side == Impl::DualSide::host ? "host" : "device");
#endif
    m_flags(own) = (m_flags(own) > m_flags(other) ? m_flags(own) : m_flags(other)) + 1;
    if (Impl::tools_loaded()) report(Tools::modifyDualView, side);
  }

  /// Reports a change of one side to the tool.
  void report(void (&event)(std::string const&, void const*, bool), Impl::DualSide side) const {
    if (side == Impl::DualSide::device)
      event(d_view.label(), d_view.data(), true);
    else
      event(h_view.label(), h_view.data(), false);
  }

  bool needs_sync(Impl::DualSide side) const {
    if (impl_dualview_is_single_device || !has_flags()) return false;
    int const own = static_cast<int>(side);
    return m_flags(own) < m_flags(1 - own);
  }

  template <Impl::DualSide Side, class Exec>
  void sync_side([[maybe_unused]] Exec const& exec) {
    if (needs_sync(Side)) copy_to_side<Side>(exec);
    // In shared memory there is nothing to copy. Programs rely on sync alone to see the results of kernels there, also
    // if they did not report the change.
    if constexpr (std::is_same_v<Exec, Impl::None> && !impl_dualview_is_single_device &&
                  std::is_same_v<typename t_dev::memory_space, typename t_host::memory_space>) {
      typename t_dev::execution_space().fence("Kokkos::DualView::sync: memory that both sides share");
      typename t_host::execution_space().fence("Kokkos::DualView::sync: memory that both sides share");
    }
  }

  template <Impl::DualSide Side, class Exec>
  void copy_to_side([[maybe_unused]] Exec const& exec) {
    constexpr bool to_device = Side == Impl::DualSide::device;
    if constexpr (std::is_const_v<typename t_dev::value_type>) {
      Impl::throw_sync_of_const_dual_view(d_view.label(), to_device ? "device" : "host");
    } else {
      auto const copy = [&](auto const& dst, auto const& src) {
        if constexpr (std::is_same_v<Exec, Impl::None>)
          Kokkos::deep_copy(dst, src);
        else
          Kokkos::deep_copy(exec, dst, src);
      };
      if constexpr (to_device)
        copy(d_view, h_view);
      else
        copy(h_view, d_view);
      clear_sync_state();
      if (Impl::tools_loaded()) report(Tools::syncDualView, Side);
    }
  }

  // The number of modifications of each side: [0] the host, [1] the device. The side with the greater number is newer;
  // equal numbers mean that they are in sync.
  t_modified_flags m_flags;
};

namespace Impl {

template <class ViewType>
struct DualViewOf;
template <class D, class... P>
struct DualViewOf<View<D, P...>> {
  using type = DualView<D, P...>;
};

}  // namespace Impl

/// The part of both sides that the slices select, like subview of a View.
template <class D, class... P, class... Slices>
auto subview(DualView<D, P...> const& whole, Slices... slices) {
  using Part = decltype(Kokkos::subview(whole.d_view, slices...));
  return typename Impl::DualViewOf<Part>::type(whole, slices...);
}

/// Copies the newer side of `src` to the same side of `dst`, and marks that as modified.
template <class DT, class... DP, class ST, class... SP>
void deep_copy(DualView<DT, DP...>& dst, DualView<ST, SP...> const& src) {
  if (src.need_sync_device()) {
    Kokkos::deep_copy(dst.h_view, src.h_view);
    dst.modify_host();
  } else {
    Kokkos::deep_copy(dst.d_view, src.d_view);
    dst.modify_device();
  }
}
/// Like `deep_copy` above, in the order of an instance.
template <ExecutionSpace ExecSpace, class DT, class... DP, class ST, class... SP>
void deep_copy(ExecSpace const& exec, DualView<DT, DP...>& dst, DualView<ST, SP...> const& src) {
  if (src.need_sync_device()) {
    Kokkos::deep_copy(exec, dst.h_view, src.h_view);
    dst.modify_host();
  } else {
    Kokkos::deep_copy(exec, dst.d_view, src.d_view);
    dst.modify_device();
  }
}

/// Changes the extents of both sides; see DualView::resize.
template <class D, class... P, class... N>
  requires(Impl::ExtentLike<N> && ...)
void resize(DualView<D, P...>& view, N... n) {
  view.resize(n...);
}
/// Like `resize` above, with properties of view_alloc.
template <Impl::ResizeProperty Property, class D, class... P, class... N>
void resize(Property const& property, DualView<D, P...>& view, N... n) {
  view.resize(property, n...);
}
/// Changes the extents of both sides and creates new elements; see DualView::realloc.
template <class D, class... P, class... N>
  requires(Impl::ExtentLike<N> && ...)
void realloc(DualView<D, P...>& view, N... n) {
  view.realloc(n...);
}
/// Like `realloc` above, with properties of view_alloc.
template <Impl::ResizeProperty Property, class D, class... P, class... N>
void realloc(Property const& property, DualView<D, P...>& view, N... n) {
  view.realloc(property, n...);
}

}  // namespace Kokkos

#endif
