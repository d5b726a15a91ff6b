// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_UNIQUE_TOKEN_HPP
#define KOKKOS_UNIQUE_TOKEN_HPP

/// \file
/// Tokens: small numbers, each held by at most one work item at a time, that index per-thread resources.

#include <Kokkos_Atomic.hpp>
#include <Kokkos_Concepts.hpp>
#include <Kokkos_Initialize.hpp>
#include <Kokkos_NestedPatterns.hpp>
#include <Kokkos_View.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Experimental {

/// The scope in which a token is unique: the users of one UniqueToken object and its copies, or all users of an
/// execution space.
enum class UniqueTokenScope : int { Instance, Global };

}  // namespace Kokkos::Experimental

namespace Kokkos::Impl {

/// The number of this thread, or the maximum value before the thread requests a number.
extern constinit thread_local std::uint32_t host_thread_number_if_any;
void number_host_thread() noexcept;

/// A different number for each live host thread: the smallest one that was free when the thread first requested it.
inline std::uint32_t host_thread_number() noexcept {
  if (host_thread_number_if_any == ~std::uint32_t(0)) number_host_thread();
  return host_thread_number_if_any;
}

/// The position at which a work item starts to search for a free token; neighbours start at different positions.
KOKKOS_INLINE_FUNCTION std::uint32_t token_hint() {
  std::uint32_t hint = 0;
  KOKKOS_IF_ON_HOST((hint = host_thread_number();))
  KOKKOS_IF_ON_DEVICE((hint = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;))
  return hint;
}

/// A word that at most one work item holds at a time; 0 while it is free. The actions of a holder happen before those
/// of the next holder: by release and acquire on the host, and by fences on devices, where atomics order nothing.
struct TokenSlot {
  /// False if another work item holds it.
  KOKKOS_FUNCTION static bool take(std::uint32_t* held) {
    bool taken = false;
    // A host reads first, so that waiting threads do not repeatedly invalidate each other's cache line. Devices exchange
    // in the cache that all multiprocessors share.
    KOKKOS_IF_ON_HOST((taken = atomic_load(held) == 0 && __atomic_exchange_n(held, 1u, __ATOMIC_ACQUIRE) == 0;))
    KOKKOS_IF_ON_DEVICE((taken = atomic_exchange(held, 1u) == 0; AtomicPrimitives::fence_acquire_release();))
    return taken;
  }

  KOKKOS_FUNCTION static void release(std::uint32_t* held) {
    KOKKOS_IF_ON_HOST((__atomic_store_n(held, 0u, __ATOMIC_RELEASE);))
    KOKKOS_IF_ON_DEVICE((AtomicPrimitives::fence_acquire_release(); atomic_store(held, 0u);))
  }
};

/// The tokens 0, ..., size() - 1 of an execution space, each free or held.
template <class ExecSpace>
class TokenTable {
 public:
  TokenTable() = default;
  /// Tokens that kernels of every instance may take.
  explicit TokenTable(std::size_t size)
      : m_held("Kokkos::UniqueToken", size * spacing), m_size(static_cast<std::uint32_t>(size)) {}
  /// Tokens that kernels may take in the order of `exec`, in which they are set to 0. Does not wait.
  TokenTable(ExecSpace const& exec, std::size_t size)
      : m_held(view_alloc(exec, "Kokkos::UniqueToken"), size * spacing), m_size(static_cast<std::uint32_t>(size)) {}

  KOKKOS_FUNCTION std::uint32_t size() const { return m_size; }

  KOKKOS_FUNCTION std::uint32_t acquire() const {
    std::uint32_t token = token_hint() % m_size;
    while (!TokenSlot::take(&m_held(token * spacing))) {
      if (++token == m_size) token = 0;
    }
    return token;
  }

  KOKKOS_FUNCTION void release(std::uint32_t token) const { TokenSlot::release(&m_held(token * spacing)); }

  /// All tokens that users of ExecSpace share; lives from the first call to finalize.
  static TokenTable const& global() {
    static TokenTable table = make_global();
    return table;
  }

 private:
  // On the host, each token has a pair of cache lines, because processors fetch both together. Devices have too many
  // tokens, and too little cache, for that.
  static constexpr std::size_t spacing =
      SpaceAccessibility<DefaultHostExecutionSpace, typename ExecSpace::memory_space>::accessible ? 32 : 1;

  static TokenTable make_global() {
    Kokkos::push_finalize_hook([] { const_cast<TokenTable&>(global()).m_held = {}; });
    return TokenTable(static_cast<std::size_t>(ExecSpace().impl_concurrency()));
  }

  View<std::uint32_t*, typename ExecSpace::device_type> m_held;
  std::uint32_t m_size = 0;
};

}  // namespace Kokkos::Impl

namespace Kokkos::Experimental {

/// Assigns tokens to the work items of kernels in ExecSpace. Objects are created on the host and copied into kernels;
/// copies share their tokens.
template <class ExecSpace = DefaultExecutionSpace, UniqueTokenScope = UniqueTokenScope::Instance>
class UniqueToken {
 public:
  using execution_space = ExecSpace;                      ///< the space whose work items take tokens
  using size_type       = typename ExecSpace::size_type;  ///< the type of a token

  /// As many tokens as the maximum number of concurrent work items on `space`.
  explicit UniqueToken(execution_space const& space = execution_space())
      : UniqueToken(static_cast<size_type>(space.impl_concurrency()), space) {}
  /// `max_size` tokens. If more work items run concurrently, they wait for each other. On GPUs that execute the lanes
  /// of a wavefront in lockstep, as AMD's do, they may wait for ever: a lane that waits stops the lane that holds the
  /// token.
  UniqueToken(size_type max_size, execution_space const& = execution_space())
      : m_table(static_cast<std::size_t>(max_size)) {}

  /// Tokens are smaller than this.
  KOKKOS_FUNCTION size_type size() const { return m_table.size(); }
  /// Waits for a free token and returns it. Writes by earlier holders before their release are then visible. A work
  /// item that requests a second token while it holds one may wait for ever.
  KOKKOS_FUNCTION size_type acquire() const { return m_table.acquire(); }
  /// Releases a token from acquire().
  KOKKOS_FUNCTION void release(size_type token) const { m_table.release(static_cast<std::uint32_t>(token)); }

 private:
  Impl::TokenTable<ExecSpace> m_table;
};

/// Tokens that are unique among all work items in ExecSpace, across all kernels and instances.
template <class ExecSpace>
class UniqueToken<ExecSpace, UniqueTokenScope::Global> {
 public:
  using execution_space = ExecSpace;                      ///< the space whose work items take tokens
  using size_type       = typename ExecSpace::size_type;  ///< the type of a token

  /// Refers to the tokens that all users of ExecSpace share.
  explicit UniqueToken(execution_space const& = execution_space()) : m_table(Impl::TokenTable<ExecSpace>::global()) {}

  /// Tokens are smaller than this.
  KOKKOS_FUNCTION size_type size() const { return m_table.size(); }
  /// Waits for a free token and returns it.
  KOKKOS_FUNCTION size_type acquire() const { return m_table.acquire(); }
  /// Releases a token from acquire().
  KOKKOS_FUNCTION void release(size_type token) const { m_table.release(static_cast<std::uint32_t>(token)); }

 private:
  Impl::TokenTable<ExecSpace> m_table;
};

/// Holds a token from construction to destruction.
template <class ExecSpace, UniqueTokenScope Scope = UniqueTokenScope::Instance>
class AcquireUniqueToken {
 public:
  using exec_space = ExecSpace;                       ///< the space whose work items take tokens
  using token_type = UniqueToken<ExecSpace, Scope>;   ///< the tokens
  using size_type  = typename token_type::size_type;  ///< the type of a token

  /// Waits for a free token. `tokens` must outlive this object.
  KOKKOS_FUNCTION explicit AcquireUniqueToken(token_type const& tokens) : m_tokens(tokens), m_value(tokens.acquire()) {}
  KOKKOS_FUNCTION ~AcquireUniqueToken() { m_tokens.release(m_value); }
  AcquireUniqueToken(AcquireUniqueToken const&)            = delete;
  AcquireUniqueToken& operator=(AcquireUniqueToken const&) = delete;

  /// The token.
  KOKKOS_FUNCTION size_type value() const { return m_value; }

 private:
  token_type const& m_tokens;
  size_type m_value;
};

/// Holds one token for a whole team from construction to destruction, both of which are team operations.
template <class TeamPolicy>
class AcquireTeamUniqueToken {
 public:
  using exec_space       = typename TeamPolicy::execution_space;  ///< the space whose teams take tokens
  using token_type       = UniqueToken<exec_space>;               ///< the tokens
  using size_type        = typename token_type::size_type;        ///< the type of a token
  using team_member_type = typename TeamPolicy::member_type;      ///< the type of the team

  /// Waits for a free token for the team. All threads of the team must call this.
  KOKKOS_FUNCTION AcquireTeamUniqueToken(token_type const& tokens, team_member_type const& team)
      : m_tokens(tokens), m_team(team) {
    Kokkos::single(Kokkos::PerTeam(team), [&](size_type& token) { token = tokens.acquire(); }, m_value);
  }
  KOKKOS_FUNCTION ~AcquireTeamUniqueToken() {
    m_team.team_barrier();  // no thread uses the token any more
    Kokkos::single(Kokkos::PerTeam(m_team), [&]() { m_tokens.release(m_value); });
  }
  AcquireTeamUniqueToken(AcquireTeamUniqueToken const&)            = delete;
  AcquireTeamUniqueToken& operator=(AcquireTeamUniqueToken const&) = delete;

  /// The token, the same for all threads of the team.
  KOKKOS_FUNCTION size_type value() const { return m_value; }
  /// Scratch memory that the kernel must reserve for this: none. The team stores the token.
  static constexpr std::size_t shmem_size() { return 0; }

 private:
  token_type const& m_tokens;
  team_member_type const& m_team;
  size_type m_value = 0;
};

}  // namespace Kokkos::Experimental

#endif
