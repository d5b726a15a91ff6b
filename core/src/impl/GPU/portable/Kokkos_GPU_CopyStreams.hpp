// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_STREAMS_HPP
#define KOKKOS_GPU_COPY_STREAMS_HPP

/// \file
/// Streams for copies that no instance orders: the copy engine lends one to each copy, and keeps it for the next.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The free streams of one device. Their number equals the maximum number of concurrent copies so far.
///
/// The mutex guards the list. It is not held while a stream is created or destroyed.
template <class Runtime>
class CopyStreams {
  using Stream = InstanceStream<Runtime>;

 public:
  explicit CopyStreams(int device) : m_device(device) {}

  /// Owns one of the streams. keep() returns it to the list; otherwise the destructor destroys it, because an error
  /// occurred in it.
  class Lent {
   public:
    /// \throws GPUError if no stream is free and the runtime cannot create one
    explicit Lent(CopyStreams& streams) : m_streams(streams), m_stream(streams.take()) {
      if (!m_stream) m_stream = std::make_unique<Stream>(typename Stream::Unordered{}, streams.m_device);
    }
    Stream const& get() const noexcept { return *m_stream; }
    void keep() {
      std::lock_guard<std::mutex> lock(m_streams.m_mutex);
      m_streams.m_free.push_back(std::move(m_stream));
    }

   private:
    CopyStreams& m_streams;
    std::unique_ptr<Stream> m_stream;
  };

  /// Destroys all streams. None may be lent.
  void clear() {
    std::vector<std::unique_ptr<Stream>> all;
    std::lock_guard<std::mutex> lock(m_mutex);
    all.swap(m_free);
  }

 private:
  std::unique_ptr<Stream> take() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_free.empty()) return nullptr;
    auto stream = std::move(m_free.back());
    m_free.pop_back();
    return stream;
  }

  int m_device;
  std::mutex m_mutex;
  std::vector<std::unique_ptr<Stream>> m_free;
};

}  // namespace Kokkos::Impl

#endif
