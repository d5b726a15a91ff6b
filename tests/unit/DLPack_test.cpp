// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views as tensors of DLPack, and tensors as views. Each test plays the other library: it owns a tensor of its own, or calls the
// deleter of a view's.
#include <Kokkos_DLPack.hpp>
#include <TestSpaces.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace Kokkos::Experimental;
using DLPack::DeviceType;
using DLPack::ManagedTensor;
using DLPack::ManagedTensorVersioned;
using DLPack::TypeCode;
template <class T, class Layout = Kokkos::LayoutRight>
using HostView = Kokkos::View<T, Layout, Kokkos::HostSpace>;

/// A tensor of another library, which counts how often it was given back.
template <class Managed>
struct Foreign {
  std::vector<double> memory = std::vector<double>(24);
  std::vector<std::int64_t> shape, strides;
  Managed managed = {};
  int given_back  = 0;

  Foreign(std::vector<std::int64_t> extents, std::vector<std::int64_t> steps) : shape(extents), strides(steps) {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = double(i);
    if constexpr (Kokkos::Impl::DLPackVersioned<Managed>) managed.version = {1, 1};
    managed.dl_tensor   = {memory.data(),
                           {DeviceType::cpu, 0},
                           std::int32_t(shape.size()),
                           {TypeCode::real, 64, 1},
                           shape.data(),
                         strides.empty() ? nullptr : strides.data(),
                           0};
    managed.manager_ctx = this;
    managed.deleter     = [](Managed* tensor) { ++static_cast<Foreign*>(tensor->manager_ctx)->given_back; };
  }
  Foreign(Foreign const&)            = delete;
  Foreign& operator=(Foreign const&) = delete;
};

template <class ViewType, class Managed>
std::string refusal(Foreign<Managed>& foreign) {
  try {
    (void)from_dlpack<ViewType>(&foreign.managed);
  } catch (std::invalid_argument const& e) {
    EXPECT_EQ(foreign.given_back, 0) << "the caller still owns the tensor";
    return e.what();
  }
  return "";
}

TEST(DLPack, TensorKeepsTheMemoryOfItsView) {
  HostView<int**> view("view", 2, 3);
  view(1, 2)          = 7;
  auto* const tensor  = to_dlpack(view);
  auto const& content = tensor->dl_tensor;
  EXPECT_EQ(view.use_count(), 2);
  view = {};
  EXPECT_EQ(content.ndim, 2);
  EXPECT_EQ(content.shape[0], 2);
  EXPECT_EQ(content.shape[1], 3);
  EXPECT_EQ(content.strides[0], 3);
  EXPECT_EQ(content.strides[1], 1);
  EXPECT_EQ(content.byte_offset, 0u);
  EXPECT_EQ(content.device.device_type, DeviceType::cpu);
  EXPECT_EQ(content.device.device_id, 0);
  EXPECT_EQ(static_cast<int*>(content.data)[5], 7);
  tensor->deleter(tensor);  // the address sanitizer reports it if the view's memory remains
}

template <class T>
void expect_type(TypeCode code, int bits) {
  auto* const tensor = to_dlpack(HostView<T*>("view", 1));
  EXPECT_EQ(tensor->dl_tensor.dtype.code, code);
  EXPECT_EQ(tensor->dl_tensor.dtype.bits, bits);
  EXPECT_EQ(tensor->dl_tensor.dtype.lanes, 1);
  tensor->deleter(tensor);
}
TEST(DLPack, TypesOfElements) {
  expect_type<bool>(TypeCode::boolean, 8);
  expect_type<std::int8_t>(TypeCode::integer, 8);
  expect_type<std::uint16_t>(TypeCode::unsigned_integer, 16);
  expect_type<std::int64_t>(TypeCode::integer, 64);
  expect_type<half_t>(TypeCode::real, 16);
  expect_type<bhalf_t>(TypeCode::brain_float, 16);
  expect_type<float>(TypeCode::real, 32);
  expect_type<Kokkos::complex<double>>(TypeCode::complex, 128);
}

TEST(DLPack, ConstViewsAreReadOnly) {
  HostView<double const*> const view = HostView<double*>("view", 3);
  auto* const tensor                 = to_dlpack<ManagedTensorVersioned>(view);
  EXPECT_EQ(tensor->flags, DLPack::read_only);
  EXPECT_EQ(tensor->version.major, 1u);
  EXPECT_THROW((void)from_dlpack<HostView<double*>>(tensor), std::invalid_argument);
  EXPECT_EQ((from_dlpack<HostView<double const*>>(tensor).data()), view.data());
}

template <class Layout>
void expect_elements_of_each_small_shape() {
  constexpr bool is_left = std::is_same_v<Layout, Kokkos::LayoutLeft>;
  for (std::int64_t i = 1; i <= 2; ++i)
    for (std::int64_t j = 1; j <= 3; ++j)
      for (std::int64_t k = 1; k <= 4; ++k) {
        std::vector<std::int64_t> const steps =
            is_left ? std::vector<std::int64_t>{1, i, i * j} : std::vector<std::int64_t>{j * k, k, 1};
        Foreign<ManagedTensor> foreign({i, j, k}, steps);
        auto const view    = from_dlpack<HostView<double***, Layout>>(&foreign.managed);
        std::int64_t right = 0;
        for (std::int64_t a = 0; a < i; ++a)
          for (std::int64_t b = 0; b < j; ++b)
            for (std::int64_t c = 0; c < k; ++c)
              right += view(a, b, c) == double(a * steps[0] + b * steps[1] + c * steps[2]);
        EXPECT_EQ(right, i * j * k) << i << " x " << j << " x " << k;
      }
}
TEST(DLPack, ElementsOfEachSmallShape) {
  expect_elements_of_each_small_shape<Kokkos::LayoutRight>();
  expect_elements_of_each_small_shape<Kokkos::LayoutLeft>();
}

TEST(DLPack, LastViewGivesTheTensorBack) {
  Foreign<ManagedTensor> foreign({2, 3, 4}, {});
  {
    HostView<double***> second;
    {
      auto const view = from_dlpack<HostView<double***>>(&foreign.managed);
      EXPECT_EQ(view.data(), foreign.memory.data());
      EXPECT_EQ(view.label(), "DLPack");
      EXPECT_EQ(view(1, 2, 3), 23);
      second = view;
    }
    EXPECT_EQ(foreign.given_back, 0);
  }
  EXPECT_EQ(foreign.given_back, 1);
}

TEST(DLPack, StridesAndOffsetsOfTensors) {
  Foreign<ManagedTensorVersioned> foreign({3, 2}, {2, 12});
  foreign.managed.dl_tensor.byte_offset = sizeof(double);
  auto const view                       = from_dlpack<HostView<double**, Kokkos::LayoutStride>>(&foreign.managed);
  EXPECT_EQ(view(2, 1), 1 + 2 * 2 + 12);

  Foreign<ManagedTensor> columns({4, 6}, {1, 4});
  EXPECT_EQ((from_dlpack<HostView<double**, Kokkos::LayoutLeft>>(&columns.managed)(3, 5)), 23);
  Foreign<ManagedTensor> row({1, 6}, {99, 1});  // a stride that is not used
  EXPECT_EQ((from_dlpack<HostView<double* [6]>>(&row.managed)(0, 5)), 5);
  Foreign<ManagedTensor> empty({0, 6}, {1, 1});
  EXPECT_EQ((from_dlpack<HostView<double**>>(&empty.managed).size()), 0u);
  for (std::vector<std::int64_t> const& shape : {std::vector<std::int64_t>{0, 6}, {6, 0}, {0, 0}}) {
    Foreign<ManagedTensor> odd(shape, {7, 5});  // strides of no element
    EXPECT_EQ((from_dlpack<HostView<double**>>(&odd.managed).size()), 0u);
  }
  Foreign<ManagedTensor> scalar({}, {});
  EXPECT_EQ((from_dlpack<HostView<double>>(&scalar.managed)()), 0);
}

TEST(DLPack, ErrorsNameBothSides) {
  Foreign<ManagedTensor> foreign({4, 6}, {1, 4});
  EXPECT_NE((refusal<HostView<double**>>(foreign)).find("needs stride 6 in dimension 0, but the tensor has stride 1"),
            std::string::npos);
  EXPECT_NE((refusal<HostView<double*>>(foreign)).find("rank 1, but the tensor has rank 2"), std::string::npos);
  EXPECT_NE(
      (refusal<HostView<float**, Kokkos::LayoutLeft>>(foreign)).find("32 bits, but the tensor has code 2, 64 bits"),
      std::string::npos);
  EXPECT_NE((refusal<HostView<double* [5], Kokkos::LayoutLeft>>(foreign)).find("extent 5 in dimension 1"),
            std::string::npos);
  auto& type        = foreign.managed.dl_tensor.dtype;
  auto const of_two = [&](auto wrong) {
    type                   = wrong;
    std::string const text = refusal<HostView<double**, Kokkos::LayoutLeft>>(foreign);
    type                   = {TypeCode::real, 64, 1};
    return text;
  };
  using Type = std::decay_t<decltype(type)>;
  EXPECT_NE(of_two(Type{TypeCode::real, 64, 4}).find("64 bits and 4 lanes"), std::string::npos);
  EXPECT_NE(of_two(Type{TypeCode::real, 64, 0}).find("64 bits and 0 lanes"), std::string::npos);
  EXPECT_NE(of_two(Type{TypeCode::real, 32, 1}).find("code 2, 32 bits"), std::string::npos);
  EXPECT_NE(of_two(Type{TypeCode::integer, 64, 1}).find("code 0, 64 bits"), std::string::npos);
  foreign.managed.dl_tensor.device = {DeviceType::cuda, 0};
  EXPECT_NE((refusal<HostView<double**, Kokkos::LayoutLeft>>(foreign)).find("on a device of type 2"),
            std::string::npos);
  foreign.managed.dl_tensor.device = {DeviceType::cpu, 0};
  foreign.strides[1]               = -4;
  EXPECT_NE((refusal<HostView<double**, Kokkos::LayoutStride>>(foreign)).find("not negative"), std::string::npos);
  Foreign<ManagedTensorVersioned> newer({2}, {1});
  newer.managed.version.major = 2;
  EXPECT_NE((refusal<HostView<double*>>(newer)).find("version 2"), std::string::npos);
  EXPECT_THROW((void)from_dlpack<HostView<double*>>(static_cast<ManagedTensor*>(nullptr)), std::invalid_argument);
}

// Each error ends with what the program can do.
TEST(DLPack, ErrorsSayWhatToDo) {
  auto const ends_with = [](std::string const& text, char const* remedy) {
    EXPECT_TRUE(text.ends_with(std::string(". ") + remedy)) << text;
  };
  Foreign<ManagedTensorVersioned> versioned({4, 6}, {1, 4});
  versioned.managed.version.major = 2;
  ends_with(refusal<HostView<double**>>(versioned), "Request a copy of version 1.");
  versioned.managed.version.major = 1;
  versioned.managed.flags         = DLPack::read_only;
  ends_with(refusal<HostView<double**>>(versioned), "Use a view of const elements.");
  Foreign<ManagedTensor> foreign({4, 6}, {1, 4});
  ends_with(refusal<HostView<double*>>(foreign), "Choose a view of that rank.");
  ends_with(refusal<HostView<int**>>(foreign), "Convert the tensor to the view's type, or choose another view.");
  ends_with(refusal<HostView<double* [5], Kokkos::LayoutLeft>>(foreign), "Choose a view with that extent.");
  ends_with(refusal<HostView<double**>>(foreign),
            "Use LayoutStride, or make the tensor contiguous in the view's layout.");
  foreign.strides[1] = -4;
  ends_with(refusal<HostView<double**, Kokkos::LayoutStride>>(foreign), "Copy the tensor.");
}

TEST(DLPack, ArrayInterface) {
  HostView<Kokkos::complex<float>**, Kokkos::LayoutLeft> const view("view", 3, 2);
  auto const fields = array_interface(view);
  EXPECT_EQ(fields.typestr, "<c8");
  EXPECT_EQ(fields.shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(fields.strides, (std::vector<std::int64_t>{8, 24}));
  EXPECT_EQ(fields.data, reinterpret_cast<std::uintptr_t>(view.data()));
  EXPECT_FALSE(fields.read_only);
  EXPECT_EQ(array_interface(HostView<bool const*>()).typestr, "|b1");
  EXPECT_TRUE(array_interface(HostView<bool const*>()).read_only);
  EXPECT_EQ(array_interface(HostView<half_t>()).typestr, "<f2");
  EXPECT_EQ(array_interface(HostView<std::uint16_t>()).typestr, "<u2");
}

// ---- memory of the default execution space ------------------------------------------------------------------------------

using Exec       = Kokkos::DefaultExecutionSpace;
using DeviceView = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;

struct AddIndex {
  DeviceView view;
  KOKKOS_FUNCTION void operator()(int i) const {
    for (std::size_t j = 0; j < view.extent(1); ++j) view(i, j) += 10 * i + double(j);
  }
};

TEST(DLPack, DeviceMemoryReturnsAsTheSameView) {
  constexpr auto type = Kokkos::Impl::dlpack_device_type<DeviceView::memory_space>;
  EXPECT_EQ(type == DeviceType::cpu,
            (Kokkos::SpaceAccessibility<Kokkos::HostSpace, DeviceView::memory_space>::accessible))
      << int(type);
  DeviceView const view("view", 3, 4);
  Exec const instance;
  auto* const tensor = to_dlpack(instance, view);
  EXPECT_EQ(tensor->dl_tensor.device.device_type, type);
  EXPECT_EQ(tensor->dl_tensor.data, view.data());
  auto const same = from_dlpack<DeviceView>(tensor);
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(instance, 0, 3), AddIndex{same});
  EXPECT_EQ(view.use_count(), 2);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  EXPECT_EQ(host(2, 3), 23);
}

TEST(DLPack, WrongDeviceIsRefused) {
  using Space = DeviceView::memory_space;
  if (Kokkos::Impl::dlpack_device_type<Space> == DeviceType::cpu)
    GTEST_SKIP() << "the memory of the host has no device";
  auto* const tensor = to_dlpack(DeviceView("view", 1, 1));
  ++tensor->dl_tensor.device.device_id;
  EXPECT_THROW((void)from_dlpack<DeviceView>(tensor), std::invalid_argument);
  EXPECT_THROW((void)from_dlpack<HostView<double**>>(tensor), std::invalid_argument);
  tensor->deleter(tensor);
}

}  // namespace
