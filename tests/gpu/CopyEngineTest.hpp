// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_GPU_COPY_ENGINE_TEST_HPP
#define KOKKOS_TEST_GPU_COPY_ENGINE_TEST_HPP

/// \file
/// Common parts of the tests of the copy engine: an engine with TestRuntime and few, small slabs.

#include "../unit/Deadline.hpp"
#include "GpuTest.hpp"

#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace Kokkos::Impl;
using Bytes = std::vector<char>;

/// The requests of the tests, by the one entry of an engine.
class Engine {
 public:
  explicit Engine(CopyEngine<TestRuntime>& engine) : m_engine(&engine) {}

  void enqueue(StagedCopy copy, TestStream const& stream) const { m_engine->copy(std::move(copy), &stream); }
  /// Returns when the copy has ended.
  void run(StagedCopy copy, TestStream const* stream = nullptr) const {
    copy.wait = CopyWait::end;
    m_engine->copy(std::move(copy), stream);
  }
  /// A block, for which `make_copy()` creates the StagedCopy if that is needed. Returns whether the copy, and all earlier
  /// work in the stream, has ended.
  template <class MakeCopy>
  bool enqueue_block(PageableCopy const& block, TestStream const* stream, MakeCopy const& make_copy) const {
    return m_engine->copy(PageableRequest<TestRuntime, MakeCopy>(block, stream, make_copy));
  }

  bool has_no_staging_for(std::size_t bytes) const { return m_engine->has_no_staging_for(bytes); }
  std::size_t pinned_bytes() const { return m_engine->pinned_bytes(); }
  bool is_usable() const { return m_engine->is_usable(); }
  std::string describe_staging() const { return m_engine->describe_staging(); }

 private:
  CopyEngine<TestRuntime>* m_engine;
};
struct Engines : CopyEngines<TestRuntime> {
  static Engine of(int device) { return Engine(CopyEngines<TestRuntime>::of(device)); }
};

/// Streams, and memory of the device for each.
struct StreamsWithMemory {
  StreamsWithMemory(std::size_t count, std::size_t bytes) {
    for (std::size_t i = 0; i < count; ++i) {
      streams.emplace_back(0);
      devices.emplace_back(bytes);
    }
  }
  std::deque<TestStream> streams;
  std::deque<DeviceBytes> devices;
};

class CopyEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    TestRuntime::fail_calls(0);
    TestRuntime::fail_every      = 0;
    TestRuntime::no_pinned       = false;
    TestRuntime::no_registration = false;
    TestRuntime::no_values       = false;
    TestRuntime::peak_pinned     = TestRuntime::pinned.load();
    settings.threads             = 2;
    settings.staging_bytes       = 4 << 20;  // small, so that copies reuse slabs
    settings.piece_bytes         = 512 << 10;
    settings.sync_piece_bytes    = 256 << 10;
    settings.runtime_bytes       = 0;
    settings.serialized_bytes    = 0;
    settings.long_by_kernel      = false;  // LongCopies_test has a runtime with the kernel
  }
  void TearDown() override {
    Engines::release_all();
    EXPECT_EQ(TestRuntime::pinned.load(), 0u);
    EXPECT_EQ(Engines::pool().thread_count(), 0);
  }

  Engine engine() {
    if (!m_configured) {  // else no write: several threads may call this after the first call
      Engines::configure(settings);
      m_configured = true;
    }
    return Engines::of(0);
  }

  static StagedCopy to_device(DeviceBytes const& d, Bytes const& h, std::string what = "copy") {
    StagedCopy copy;
    copy.to_device = true;
    copy.bytes     = h.size();
    copy.device    = DeviceRows::block(d.data(), h.size());
    copy.host      = std::make_unique<HostBlock>(h.data(), h.size());
    copy.what      = std::move(what);
    return copy;
  }
  static StagedCopy to_host(Bytes& h, DeviceBytes const& d, std::string what = "copy") {
    StagedCopy copy = to_device(d, h, std::move(what));
    copy.to_device  = false;
    return copy;
  }
  static void fence(TestStream const& stream) {
    check(PlainRuntime::stream_synchronize(stream.get()));
    Engines::throw_pending(stream.token());
  }

  CopySettings settings;

 private:
  Kokkos::Testing::Deadline m_deadline{"a copy has not completed, or its caller still waits", 200};
  bool m_configured = false;
};

#endif
