// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_MESSAGES_HPP
#define KOKKOS_TEST_MESSAGES_HPP

/// \file
/// Checks of the text of exceptions. tests/structure/messages.py requires that a test quotes each message.

#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <string>

namespace Kokkos::Testing {

/// The message of an exception from an action; empty if it does not throw.
template <class Action>
std::string thrown_message(Action const& action) {
  try {
    action();
  } catch (std::exception const& error) {
    return error.what();
  }
  return "";
}

inline void expect_all(std::string const& text, std::initializer_list<std::string> parts) {
  for (std::string const& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace Kokkos::Testing

#endif
