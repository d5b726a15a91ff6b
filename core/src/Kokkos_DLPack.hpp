// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DLPACK_HPP
#define KOKKOS_DLPACK_HPP

/// \file
/// Views as tensors of DLPack, and tensors as views, without a copy: for NumPy, CuPy, PyTorch, JAX and other libraries with
/// `from_dlpack`. Also the fields of NumPy's and Numba's array interfaces. docs/python.md has the Python side.
///
/// The structs have the binary layout that https://dmlc.github.io/dlpack/latest/ documents. A program that includes
/// <dlpack/dlpack.h> can name its structs instead: `to_dlpack<DLManagedTensor>(view)`.

#include <Kokkos_Complex.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Half.hpp>
#include <Kokkos_View.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace Kokkos::Experimental::DLPack {

/// Where the memory of a tensor is. Libraries use more values than these.
enum class DeviceType : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, rocm = 10, rocm_host = 11, cuda_managed = 13 };
/// The kind of number that the bits of an element represent.
enum class TypeCode : std::uint8_t {
  integer          = 0,
  unsigned_integer = 1,
  real             = 2,
  brain_float      = 4,
  complex          = 5,
  boolean          = 6
};

struct Version {
  std::uint32_t major, minor;
};
struct Device {
  DeviceType device_type;
  std::int32_t device_id;
};
struct DataType {
  TypeCode code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
/// Shape and strides are counted in elements. Without strides, the elements are contiguous and the last index is fastest.
struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
/// A tensor with a function that gives it back. Older libraries use it, in Python by capsules named "dltensor".
struct ManagedTensor {
  Tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(ManagedTensor*);
};
/// A tensor of DLPack 1.0 and newer, which can be read-only. In Python it is in a capsule named "dltensor_versioned".
struct ManagedTensorVersioned {
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedTensorVersioned*);
  std::uint64_t flags;
  Tensor dl_tensor;
};
inline constexpr std::uint64_t read_only = 1;  ///< a bit of ManagedTensorVersioned::flags

static_assert(sizeof(DataType) == 4 && sizeof(Device) == 8 && offsetof(Tensor, shape) == 16 + sizeof(void*),
              "These structs are shared with other libraries.");

}  // namespace Kokkos::Experimental::DLPack

namespace Kokkos::Impl {

namespace DLPack = Experimental::DLPack;

/// Memory that kernels reach is that of a vendor's spaces, which name their type; all other memory is the host's.
template <class Space>
inline constexpr DLPack::DeviceType dlpack_device_type = DLPack::DeviceType::cpu;
template <class Space>
  requires requires { Space::impl_dlpack_device_type; }
inline constexpr DLPack::DeviceType dlpack_device_type<Space> = DLPack::DeviceType(Space::impl_dlpack_device_type);

/// Whether a view of a space may refer to memory of another type, as it may to that of the corresponding space.
constexpr bool accepts_dlpack_memory(DLPack::DeviceType space, DLPack::DeviceType memory) {
  using enum DLPack::DeviceType;
  if (space == cpu) return memory == cpu || memory == cuda_host || memory == rocm_host || memory == cuda_managed;
  return memory == space || (space == cuda && memory == cuda_managed);
}

template <class T>
consteval bool is_dlpack_number() {
  return std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double> ||
         std::is_same_v<T, Experimental::half_t> || std::is_same_v<T, Experimental::bhalf_t>;
}
/// The types of elements that a tensor can have.
template <class T>
concept DLPackElement =
    is_dlpack_number<std::remove_const_t<T>>() || std::is_same_v<std::remove_const_t<T>, complex<float>> ||
    std::is_same_v<std::remove_const_t<T>, complex<double>>;

template <DLPackElement Element>
consteval DLPack::DataType dlpack_type() {
  using T    = std::remove_const_t<Element>;
  using Code = DLPack::TypeCode;
  Code code  = Code::real;
  if constexpr (std::is_same_v<T, bool>)
    code = Code::boolean;
  else if constexpr (std::is_integral_v<T>)
    code = std::is_signed_v<T> ? Code::integer : Code::unsigned_integer;
  else if constexpr (std::is_same_v<T, Experimental::bhalf_t>)
    code = Code::brain_float;
  else if constexpr (!is_dlpack_number<T>())
    code = Code::complex;
  return {code, std::uint8_t(8 * sizeof(T)), 1};
}

/// The offset of a struct's tensor and its further members differ between the two structs, also those of dlpack.h.
template <class Managed>
concept DLPackManaged = requires(Managed tensor) {
  tensor.dl_tensor.byte_offset;
  tensor.deleter;
};
template <class Managed>
concept DLPackVersioned = requires(Managed tensor) { tensor.version.major; };

/// The id of an instance's device, as the vendor's runtime counts; 0 for memory of the host.
template <class Space, class Instance>
std::int32_t dlpack_device_id(Instance const& instance) {
  using Type = DLPack::DeviceType;
  if constexpr (dlpack_device_type<Space> == Type::cuda || dlpack_device_type<Space> == Type::rocm ||
                dlpack_device_type<Space> == Type::cuda_managed)
    return Tools::Experimental::DeviceTypeTraits<Instance>::device_id(instance);
  else
    return 0;
}

/// Owns what a tensor refers to: the view, and the arrays of extents and strides.
template <class Managed, class ViewType>
struct DLPackExport {
  explicit DLPackExport(ViewType const& source) : view(source) {
    for (std::size_t r = 0; r < ViewType::rank(); ++r) {
      shape[r]   = static_cast<std::int64_t>(view.extent(r));
      strides[r] = static_cast<std::int64_t>(view.stride(r));
    }
  }
  static void destroy(Managed* tensor) { delete static_cast<DLPackExport*>(tensor->manager_ctx); }

  ViewType view;
  std::int64_t shape[ViewType::rank() + 1] = {}, strides[ViewType::rank() + 1] = {};
  Managed managed = {};
};

/// The record of views whose memory belongs to a tensor: the last view gives the tensor back.
template <class Managed>
class DLPackRecord : public AllocationRecord {
 public:
  DLPackRecord(Managed* tensor, void* data, std::size_t bytes)
      : AllocationRecord("DLPack", data, bytes, &release), m_tensor(tensor) {}

 private:
  static void release(AllocationRecord* record) {
    auto* const self = static_cast<DLPackRecord*>(record);
    if (self->m_tensor->deleter != nullptr) self->m_tensor->deleter(self->m_tensor);
    delete self;
  }
  Managed* m_tensor;
};

/// \throws std::invalid_argument with what was requested and what the tensor has
[[noreturn]] inline void refuse_dlpack(std::string const& requested, std::string const& found,
                                       std::string const& remedy) {
  throw std::invalid_argument("from_dlpack: the view " + requested + ", but the tensor " + found + ". " + remedy);
}

template <class ViewType, class Managed>
void check_dlpack_tensor(Managed const& managed, std::int32_t device_id) {
  auto const& tensor      = managed.dl_tensor;
  constexpr auto expected = dlpack_type<typename ViewType::value_type>();
  constexpr auto space    = dlpack_device_type<typename ViewType::memory_space>;
  auto const number       = [](auto n) { return std::to_string(static_cast<long long>(n)); };
  if constexpr (DLPackVersioned<Managed>) {
    if (managed.version.major != 1)
      refuse_dlpack("is made from version 1 of DLPack", "has version " + number(managed.version.major),
                    "Request a copy of version 1.");
    if ((managed.flags & DLPack::read_only) != 0 && !std::is_const_v<typename ViewType::value_type>)
      refuse_dlpack("has elements that can be written", "is read-only", "Use a view of const elements.");
  }
  if (tensor.ndim != static_cast<std::int32_t>(ViewType::rank()))
    refuse_dlpack("has rank " + number(ViewType::rank()), "has rank " + number(tensor.ndim),
                  "Choose a view of that rank.");
  if (int(tensor.dtype.code) != int(expected.code) || tensor.dtype.bits != expected.bits || tensor.dtype.lanes != 1)
    refuse_dlpack(
        "has elements of DLPack's type code " + number(expected.code) + " and " + number(expected.bits) + " bits",
        "has code " + number(tensor.dtype.code) + ", " + number(tensor.dtype.bits) + " bits and " +
            number(tensor.dtype.lanes) + " lanes",
        "Convert the tensor to the view's type, or choose another view.");
  auto const memory = DLPack::DeviceType(int(tensor.device.device_type));
  if (!accepts_dlpack_memory(space, memory))
    refuse_dlpack(
        std::string("is in ") + ViewType::memory_space::name() + " (DLPack's device type " + number(space) + ")",
        "is on a device of type " + number(memory),
        "Move the tensor to the view's device, or choose another memory space.");
  if (memory == space && space != DLPack::DeviceType::cpu && tensor.device.device_id != device_id)
    refuse_dlpack("is on device " + number(device_id), "is on device " + number(tensor.device.device_id),
                  "Pass an instance of that device before the tensor.");
}

template <class ViewType>
bool fixed_extent_differs(int r, std::int64_t extent) {
  auto const fixed = ViewType::static_extent(static_cast<std::size_t>(r));
  return fixed != 0 && fixed != dynamic_extent && static_cast<std::int64_t>(fixed) != extent;
}

/// Strides of elements without gaps, of which the first or the last index is fastest.
inline void contiguous_strides(std::int64_t const* shape, int rank, bool first_is_fastest, std::int64_t* strides) {
  std::int64_t step = 1;
  for (int i = 0; i < rank; ++i) {
    int const r = first_is_fastest ? i : rank - 1 - i;
    strides[r]  = step;
    step *= shape[r] > 1 ? shape[r] : 1;
  }
}

/// The layout of a tensor, if the view can have it. A dimension with at most one element may have any stride.
template <class ViewType, class Tensor>
typename ViewType::array_layout dlpack_layout(Tensor const& tensor) {
  using Layout           = typename ViewType::array_layout;
  constexpr int rank     = static_cast<int>(ViewType::rank());
  constexpr bool strided = std::is_same_v<Layout, LayoutStride>, left = std::is_same_v<Layout, LayoutLeft>;
  static_assert(strided || left || std::is_same_v<Layout, LayoutRight>,
                "from_dlpack makes views of LayoutLeft, LayoutRight and LayoutStride.");
  std::int64_t of_tensor[ViewType::rank() + 1], of_layout[ViewType::rank() + 1];
  contiguous_strides(tensor.shape, rank, false, of_tensor);  // what a tensor without strides has
  contiguous_strides(tensor.shape, rank, left, of_layout);
  bool empty = false;
  for (int r = 0; r < rank; ++r) empty |= tensor.shape[r] == 0;
  Layout layout;
  for (int r = 0; r < rank; ++r) {
    auto const at = [r](char const* what, auto n) {
      return what + std::to_string(n) + " in dimension " + std::to_string(r);
    };
    if (fixed_extent_differs<ViewType>(r, tensor.shape[r]))
      refuse_dlpack(at("has extent ", ViewType::static_extent(std::size_t(r))), at("has extent ", tensor.shape[r]),
                    "Choose a view with that extent.");
    if (tensor.strides != nullptr && tensor.shape[r] > 1) of_tensor[r] = tensor.strides[r];
    if (tensor.shape[r] > 1 && !empty && (strided ? of_tensor[r] < 0 : of_tensor[r] != of_layout[r]))
      refuse_dlpack(
          strided ? "needs strides that are not negative" : at("needs stride ", of_layout[r]),
          at("has stride ", of_tensor[r]),
          strided ? "Copy the tensor." : "Use LayoutStride, or make the tensor contiguous in the view's layout.");
    layout.dimension[r] = static_cast<std::size_t>(tensor.shape[r]);
    if constexpr (strided) layout.stride[r] = static_cast<std::size_t>(of_tensor[r]);
  }
  return layout;
}

template <class Managed, class Instance, class ViewType>
Managed* make_dlpack_tensor(Instance const& instance, ViewType const& view) {
  using T            = typename ViewType::value_type;
  using Space        = typename ViewType::memory_space;
  constexpr bool old = !DLPackVersioned<Managed>;
  static_assert(!old || !std::is_const_v<T>,
                "Views of const elements need DLManagedTensorVersioned, which can be read-only.");
  auto owner = std::make_unique<DLPackExport<Managed, ViewType>>(view);
  auto& made = owner->managed;
  auto& to   = made.dl_tensor;
  if constexpr (!old) {
    made.version = {1, 0};
    made.flags   = std::is_const_v<T> ? DLPack::read_only : 0;
  }
  constexpr auto type   = dlpack_type<T>();
  to.data               = const_cast<std::remove_const_t<T>*>(view.data());
  to.device.device_type = static_cast<decltype(to.device.device_type)>(dlpack_device_type<Space>);
  to.device.device_id   = dlpack_device_id<Space>(instance);
  to.ndim               = static_cast<std::int32_t>(ViewType::rank());
  to.dtype.code         = static_cast<decltype(to.dtype.code)>(type.code);
  to.dtype.bits         = type.bits;
  to.dtype.lanes        = type.lanes;
  to.shape              = owner->shape;
  to.strides            = owner->strides;
  made.manager_ctx      = owner.get();
  made.deleter          = &DLPackExport<Managed, ViewType>::destroy;
  return &owner.release()->managed;
}

template <class ViewType, class Instance, class Managed>
ViewType make_dlpack_view(Instance const& instance, Managed* tensor) {
  using Pointer = typename ViewType::pointer_type;
  static_assert(owns_memory_v<typename ViewType::traits>,
                "The view owns the tensor, so it cannot have the trait Unmanaged.");
  if (tensor == nullptr) refuse_dlpack("needs a tensor", "is a null pointer", "Check the name of the capsule.");
  check_dlpack_tensor<ViewType>(*tensor, dlpack_device_id<typename ViewType::memory_space>(instance));
  auto const& from  = tensor->dl_tensor;
  auto const layout = dlpack_layout<ViewType>(from);
  auto* const first = static_cast<char*>(from.data) + from.byte_offset;
  ViewType const plain(reinterpret_cast<Pointer>(first), layout);
  AllocationTracker const owner(
      new DLPackRecord<Managed>(tensor, first, plain.span() * sizeof(typename ViewType::value_type)));
  return ViewType(OwningHandle<typename ViewType::value_type>(plain.data(), owner), plain.mapping());
}

}  // namespace Kokkos::Impl

namespace Kokkos::Experimental {

/// A tensor with the memory, shape and strides of a view, for another library. It keeps the memory of a view that owns
/// it until the other library calls `deleter`, which must happen before Kokkos::finalize. The call waits for nothing:
/// fence the kernels that write to the view, or let the other library use the stream of their instance.
/// \tparam Managed DLPack::ManagedTensor, DLPack::ManagedTensorVersioned, or one of these structs in dlpack.h; views of
/// const elements need a versioned one
/// \return a tensor that the caller owns. Its device is that of the default instance
template <Impl::DLPackManaged Managed = DLPack::ManagedTensor, class T, class... P>
  requires Impl::DLPackElement<typename View<T, P...>::value_type>
Managed* to_dlpack(View<T, P...> const& view) {
  return Impl::make_dlpack_tensor<Managed>(typename View<T, P...>::memory_space::execution_space(), view);
}
/// Like `to_dlpack` above, for a program that uses several devices: the tensor's device is that of the instance.
template <Impl::DLPackManaged Managed = DLPack::ManagedTensor, class Instance, class T, class... P>
  requires Impl::DLPackElement<typename View<T, P...>::value_type>
Managed* to_dlpack(Instance const& instance, View<T, P...> const& view) {
  return Impl::make_dlpack_tensor<Managed>(instance, view);
}

/// A view of a tensor's memory, which owns the tensor: when the last copy of the view ends, the tensor's `deleter` is
/// called. The view must end before Kokkos::finalize. The call waits for nothing: the values of the tensor must be
/// there, or be written in the order of the instance that uses the view.
/// \tparam ViewType a view of LayoutLeft, LayoutRight or LayoutStride with the tensor's rank and type of elements; const
/// for tensors that are read-only
/// \throws std::invalid_argument if the view cannot refer to the tensor; the caller then still owns the tensor
template <class ViewType, Impl::DLPackManaged Managed>
  requires Impl::DLPackElement<typename ViewType::value_type>
ViewType from_dlpack(Managed* tensor) {
  return Impl::make_dlpack_view<ViewType>(typename ViewType::memory_space::execution_space(), tensor);
}
/// Like `from_dlpack` above, for a tensor on the device of the instance.
template <class ViewType, class Instance, Impl::DLPackManaged Managed>
  requires Impl::DLPackElement<typename ViewType::value_type>
ViewType from_dlpack(Instance const& instance, Managed* tensor) {
  return Impl::make_dlpack_view<ViewType>(instance, tensor);
}

/// The fields of the dictionaries `__array_interface__` (memory that the host accesses) and `__cuda_array_interface__`
/// (memory of CUDA), both of version 3. The dictionary owns nothing, so the program keeps the view.
struct ArrayInterface {
  std::string typestr;                ///< NumPy's name of the type, such as "<f8"
  std::vector<std::int64_t> shape;    ///< in elements
  std::vector<std::int64_t> strides;  ///< in bytes
  std::uintptr_t data = 0;            ///< the first element
  bool read_only      = false;        ///< the elements are const
};

/// The array interface of a view. NumPy has no bfloat16.
template <class T, class... P>
  requires(Impl::DLPackElement<typename View<T, P...>::value_type> &&
           !std::is_same_v<typename View<T, P...>::non_const_value_type, bhalf_t>)
ArrayInterface array_interface(View<T, P...> const& view) {
  using Element        = typename View<T, P...>::value_type;
  constexpr auto type  = Impl::dlpack_type<Element>();
  constexpr char order = sizeof(Element) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  constexpr char kind  = "iuf  cb"[int(type.code)];
  ArrayInterface made{{order, kind}, {}, {}, reinterpret_cast<std::uintptr_t>(view.data()), std::is_const_v<Element>};
  made.typestr += std::to_string(sizeof(Element));
  for (std::size_t r = 0; r < View<T, P...>::rank(); ++r) {
    made.shape.push_back(static_cast<std::int64_t>(view.extent(r)));
    made.strides.push_back(static_cast<std::int64_t>(view.stride(r) * sizeof(Element)));
  }
  return made;
}

}  // namespace Kokkos::Experimental

#endif
