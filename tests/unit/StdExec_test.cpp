// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels as senders of stdexec. Skipped without it: a clone of github.com/NVIDIA/stdexec, and -DKokkos_TEST_STDEXEC=<its
/// folder include>.

#include <Kokkos_StdExec.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "Deadline.hpp"

namespace {

#if __has_include(<stdexec/execution.hpp>)

using Exec = Kokkos::DefaultExecutionSpace;
using View = Kokkos::View<double*>;
using Kokkos::Experimental::InstanceContext;

struct Fill {
  View view;
  double value;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { view(i) = value; }
};
struct Add {
  View to, from;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to(i) += from(i); }
};

double first_of(View const& view) {
  double value = 0;
  Kokkos::deep_copy(value, Kokkos::subview(view, 0));
  return value;
}

TEST(StdExec, KernelsInOrderAndThenTheHost) {
  InstanceContext<> context;
  auto const on = context.get_scheduler();
  View const a("a", 1000), b("b", 1000);
  auto work = on.bulk(on.bulk(on.bulk("fill", 1000, Fill{a, 1}), "fill", 1000, Fill{b, 2}), "add", 1000, Add{a, b}) |
              stdexec::then([&] { return first_of(a); });
  auto [value] = stdexec::sync_wait(work).value();
  EXPECT_EQ(value, 3);
  auto [again] = stdexec::sync_wait(work).value();  // a sender may be connected many times
  EXPECT_EQ(again, 3);
  EXPECT_TRUE(on == context.get_scheduler());
}

TEST(StdExec, TwoInstances) {
  auto const instances = Kokkos::partition_space(Exec(), 1, 1);
  InstanceContext<> first(instances[0]), second(instances[1]);
  View const a("a", 1000), b("b", 1000);
  auto both = stdexec::when_all(first.get_scheduler().bulk("fill a", 1000, Fill{a, 1}),
                                second.get_scheduler().bulk("fill b", 1000, Fill{b, 2}));
  // After both, on the first instance again.
  auto work = first.get_scheduler().bulk(std::move(both), "add", 1000, Add{a, b});
  EXPECT_TRUE(stdexec::sync_wait(std::move(work)));
  EXPECT_EQ(first_of(a), 3);
  View const c("c", 10);
  EXPECT_TRUE(stdexec::sync_wait(stdexec::schedule(second.get_scheduler()) |
                                 stdexec::then([&] { Kokkos::deep_copy(c, 4.0); })));
  EXPECT_EQ(first_of(c), 4);
}

// The end of the first operation lasts until all of them are in the list.
TEST(StdExec, SeveralThatWaitAllComplete) {
  Kokkos::Testing::Deadline const deadline("an operation has not completed");
  InstanceContext<> context;
  auto const on = context.get_scheduler();
  View const a("a", 10), b("b", 10), c("c", 10), d("d", 10);
  std::atomic<bool> all_have_started{false};
  int completed  = 0;  // by the thread of the context only
  auto const one = [&](View const& view, double value) {
    return on.bulk("fill", 10, Fill{view, value}) | stdexec::then([&] { ++completed; });
  };
  auto first = one(a, 1) | stdexec::then([&] {
                 while (!all_have_started) std::this_thread::yield();
               });
  auto last  = stdexec::just() | stdexec::then([&] { all_have_started = true; });
  EXPECT_TRUE(
      stdexec::sync_wait(stdexec::when_all(std::move(first), one(b, 2), one(c, 3), one(d, 4), std::move(last))));
  EXPECT_EQ(completed, 4);
  EXPECT_EQ(first_of(a) + first_of(b) + first_of(c) + first_of(d), 10);
}

TEST(StdExec, Errors) {
  InstanceContext<> context;
  auto const on = context.get_scheduler();
  View const a("a", 10);
  bool ran  = false;
  auto work = on.bulk(on.schedule() | stdexec::then([] { throw std::runtime_error("from the host"); }), "fill", 10,
                      Fill{a, 1}) |
              stdexec::then([&] { ran = true; });
  EXPECT_THROW(stdexec::sync_wait(std::move(work)), std::runtime_error);
  EXPECT_FALSE(ran);
  EXPECT_EQ(first_of(a), 0);
  InstanceContext<> other(Kokkos::partition_space(Exec(), 1)[0]);
  try {
    (void)other.get_scheduler().bulk(on.bulk("fill", 10, Fill{a, 1}), "fill", 10, Fill{a, 2});
    FAIL() << "kernels of two instances in one chain";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("the sender before it belongs to another instance"), std::string::npos);
  }
}

#else
TEST(StdExec, IsSkipped) { GTEST_SKIP() << "<stdexec/execution.hpp> is not in the include path"; }
#endif

}  // namespace
