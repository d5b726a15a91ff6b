// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/Host/Kokkos_Host_Blocks.hpp>
#include <impl/copy/Kokkos_ConstantSize.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

HostFillElement::HostFillElement(FillJob const& job)
    : m_size(static_cast<unsigned>(job.plan.element_bytes)), m_is_byte_pattern(job.is_byte_pattern) {
  if (m_size <= sizeof(m_bytes))
    with_constant_size(m_size, [&](auto size) { std::memcpy(m_bytes, job.element, size); });
  else
    m_address = job.element;
}

namespace {

/// Stays in the nearest cache while it is copied again and again.
constexpr std::size_t longest_pattern = host_copy_policy.longest_pattern_bytes;

template <class Size>
void fill_with(unsigned char* to, std::size_t total, void const* element, Size size) {
  // Doubles what is written, and then repeats it.
  std::memcpy(to, element, size);
  for (std::size_t done = size, pattern = size; done < total; done += pattern) {
    if (done <= longest_pattern / 2) pattern = done;
    std::memcpy(to + done, to, std::min(pattern, total - done));
  }
}

/// One or two registers of the target, and memory of that size at any address.
typedef std::uint64_t FillVector __attribute__((vector_size(32)));
typedef std::uint64_t FillVectorInMemory __attribute__((vector_size(32), aligned(1), may_alias));

/// For elements of which a vector contains a whole number.
template <std::size_t Bytes>
void fill_with(unsigned char* to, std::size_t total, void const* element,
               std::integral_constant<std::size_t, Bytes> size) {
  static_assert(sizeof(FillVector) % Bytes == 0);
  constexpr std::size_t line = 2 * sizeof(FillVector);
  unsigned char elements[line];
  for (std::size_t i = 0; i < line; i += Bytes) std::memcpy(elements + i, element, size);
  if (total < line) {
    std::memcpy(to, elements, total);
    return;
  }
  FillVector vector;
  std::memcpy(&vector, elements, sizeof(FillVector));
  auto const write_line = [&vector](unsigned char* at) {
    reinterpret_cast<FillVectorInMemory*>(at)[0] = vector;
    reinterpret_cast<FillVectorInMemory*>(at)[1] = vector;
  };
  // A vector in two lines of the cache takes twice as long. So all but the first and the last line, which overlap
  // others, are lines of the cache. If the elements are aligned, every line begins with an element.
  std::size_t const past_boundary = reinterpret_cast<std::uintptr_t>(to) % line;
  unsigned char* const last       = to + total - line;
  write_line(to);
  for (to += line - (past_boundary % Bytes == 0 ? past_boundary : 0); to < last; to += line) write_line(to);
  write_line(last);
}

void fill_ordinarily(unsigned char* to, std::size_t total, HostFillElement const& element) {
  if (element.is_byte_pattern()) {
    std::memset(to, *static_cast<unsigned char const*>(element.data()), total);
    return;
  }
  with_constant_size(element.size(), [&](auto size) { fill_with(to, total, element.data(), size); });
}

}  // namespace

void HostBlocks::fill(void* to, HostFillElement const& element, std::size_t bytes) {
  auto* target = static_cast<unsigned char*>(to);
  if (!streams(bytes) || element.size() > longest_pattern) {
    if (bytes > 0) fill_ordinarily(target, bytes, element);
    return;
  }
  alignas(HostCopyPolicy::cache_line) unsigned char pattern[longest_pattern];
  std::size_t const pattern_bytes = std::min(longest_pattern / element.size() * element.size(), bytes);
  fill_ordinarily(pattern, pattern_bytes, element);
  for (std::size_t n; bytes > 0; target += n, bytes -= n) {
    n = std::min(pattern_bytes, bytes);
    m_stores.copy(target, pattern, n);
  }
}

}  // namespace Kokkos::Impl
