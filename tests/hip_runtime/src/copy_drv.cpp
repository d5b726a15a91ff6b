// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of three dimensions in the form of CUDA's driver interface, as calls and as nodes of graphs.
#include "graph_edit.hpp"

#include <utility>

using namespace hip_model;

namespace {

/// One side of a copy: its address, and the distances between its rows and slices.
struct Side {
  hipMemoryType type;
  void const* host;
  void const* device;
  bool array;
  std::size_t x, y, z, pitch, height;  ///< pitch and height are those of the region if the program gives none
  void const* base() const { return type == hipMemoryTypeHost ? host : device; }
  char const* begin() const { return static_cast<char const*>(base()) + (z * height + y) * pitch + x; }
};

hipError_t region_of(HIP_MEMCPY3D const& p, CopyRegion* out) {
  Side const src{p.srcMemoryType,
                 p.srcHost,
                 p.srcDevice,
                 p.srcArray != nullptr,
                 p.srcXInBytes,
                 p.srcY,
                 p.srcZ,
                 p.srcPitch ? p.srcPitch : p.WidthInBytes,
                 p.srcHeight ? p.srcHeight : p.Height};
  Side const dst{p.dstMemoryType,
                 p.dstHost,
                 p.dstDevice,
                 p.dstArray != nullptr,
                 p.dstXInBytes,
                 p.dstY,
                 p.dstZ,
                 p.dstPitch ? p.dstPitch : p.WidthInBytes,
                 p.dstHeight ? p.dstHeight : p.Height};
  for (Side const* side : {&src, &dst}) {
    if (side->type == hipMemoryTypeArray) return side->array ? hipErrorNotSupported : hipErrorInvalidValue;
    if (!side->base()) return hipErrorInvalidValue;
    if (side->pitch < p.WidthInBytes + side->x) return hipErrorInvalidValue;
    if (side->pitch >= longest_pitch) return hipErrorInvalidValue;
  }
  *out = {const_cast<char*>(dst.begin()),
          src.begin(),
          p.WidthInBytes,
          p.Height,
          p.Depth,
          dst.pitch,
          dst.height,
          src.pitch,
          src.height};
  return hipSuccess;
}

hipError_t copy_3d(char const* function, const HIP_MEMCPY3D* p, hipStream_t handle, HostWaits waits) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    CopyRegion range{};
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (auto error = region_of(*p, &range)) return error;
    return copy(call, lock, range, hipMemcpyDefault, stream, waits);
  });
}

#if HIP_VERSION_MAJOR >= 6
hipError_t make_node(Call& call, const HIP_MEMCPY3D* p, Operation* out) {
  CopyRegion range{};
  if (!p) return hipErrorInvalidValue;
  if (auto error = region_of(*p, &range)) return error;
  if (auto error = make_copy(call, range, hipMemcpyDefault, out)) return error;
  out->driver_copy = *p;
  return hipSuccess;
}
#endif

}  // namespace

extern "C" {

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* p) { return copy_3d("hipDrvMemcpy3D", p, nullptr, HostWaits::yes); }
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* p, hipStream_t stream) {
  return copy_3d("hipDrvMemcpy3DAsync", p, stream, HostWaits::no);
}
hipError_t hipDrvMemcpy2DUnaligned(hip_Memcpy2D const* p) { return hipMemcpyParam2D(p); }

#if HIP_VERSION_MAJOR >= 6
hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t g, const hipGraphNode_t* d, size_t n,
                                    const HIP_MEMCPY3D* p, hipCtx_t) {
  return add_to_graph("hipDrvGraphAddMemcpyNode", out, g, d, n,
                      [&](Call& call, Operation* o) { return make_node(call, p, o); });
}
hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D* p) {
  return on_node("hipDrvGraphMemcpyNodeGetParams", node, hipGraphNodeTypeMemcpy, [&](Call&, Node& n) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    *p = n.operation.driver_copy;
    return hipSuccess;
  });
}
hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D* p) {
  return change_node("hipDrvGraphMemcpyNodeSetParams", node, hipGraphNodeTypeMemcpy,
                     [&](Call& call, Operation* o) { return make_node(call, p, o); });
}
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t g, hipGraphNode_t const* d, size_t n,
                                    const HIP_MEMSET_NODE_PARAMS* p, hipCtx_t) {
  return add_to_graph("hipDrvGraphAddMemsetNode", out, g, d, n, [&](Call& call, Operation* o) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    hipMemsetParams const same{p->dst, p->elementSize, p->height, p->pitch, p->value, p->width};
    return make_memset(call, &same, o);
  });
}
#endif
}
