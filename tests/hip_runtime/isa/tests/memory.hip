// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests each load, store and atomic operation alone, in global memory and LDS, also through flat addresses, and
// compares with copies and arithmetic of the host.
#include "operations.hpp"

#include <algorithm>
#include <cmath>

using i8     = std::int8_t;
using u8     = std::uint8_t;
using Words3 = u32 __attribute__((ext_vector_type(3)));
using Words4 = u32 __attribute__((ext_vector_type(4)));

constexpr u32 threads = 64, stride = 32, filler = 0xa5c3e1f7;  // stride: of a thread; filler: before loads

enum class Space { global, flat, shared };

__device__ u32 shared_address(void const* p) {
  return static_cast<u32>(reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) const char*)p));
}

template <class T>
T at(char const* p) {
  T t;
  std::memcpy(&t, p, sizeof t);
  return t;
}
template <class R>
R filled() {
  R r;
  std::memset(&r, 0, sizeof r);
  u32 const word = filler;
  for (std::size_t k = 0; k < sizeof r; k += 4) std::memcpy(reinterpret_cast<char*>(&r) + k, &word, 4);
  return r;
}
u32 low(u32 half) { return (filler & 0xffff0000) | (half & 0xffff); }
u32 high(u32 half) { return (filler & 0xffff) | half << 16; }
u64 pair(u32 a, u32 b) { return a | u64(b) << 32; }
Words4 four(u64 a, u64 b) {
  return Words4{static_cast<u32>(a), static_cast<u32>(a >> 32), static_cast<u32>(b), static_cast<u32>(b >> 32)};
}

// `p` is the address of the thread's bytes on the host, too.
#define LOAD(NAME, SPACE, R, OFFSET, RESULT) LOAD_BY(NAME, #NAME, SPACE, R, OFFSET, RESULT)
#define LOAD_BY(NAME, TEXT, SPACE, R, OFFSET, RESULT)                                                              \
  struct NAME {                                                                                                    \
    using Register               = R;                                                                              \
    static constexpr char name[] = #NAME;                                                                          \
    static constexpr Space space = Space::SPACE;                                                                   \
    template <class Address>                                                                                       \
    __device__ static void device(Address address, R& r) {                                                         \
      asm volatile(TEXT " %0, %1 " OFFSET "\n s_waitcnt vmcnt(0) lgkmcnt(0)" : "+v"(r) : "v"(address) : "memory"); \
    }                                                                                                              \
    static R host(const char* p) { return RESULT; }                                                                \
  }
#define LOADS(PREFIX, SPACE, OFFSET)                                                                                  \
  LOAD(PREFIX##_load_ubyte, SPACE, u32, OFFSET, at<u8>(p + 8));                                                       \
  LOAD(PREFIX##_load_sbyte, SPACE, u32, OFFSET, static_cast<u32>(at<i8>(p + 8)));                                     \
  LOAD(PREFIX##_load_ushort, SPACE, u32, OFFSET, at<u16>(p + 8));                                                     \
  LOAD(PREFIX##_load_sshort, SPACE, u32, OFFSET, static_cast<u32>(at<i16>(p + 8)));                                   \
  LOAD_BY(PREFIX##_load_ubyte_d16, #PREFIX "_load_" SINCE_GFX11("ubyte_d16", "d16_u8"), SPACE, u32, OFFSET,           \
          low(at<u8>(p + 8)));                                                                                        \
  LOAD_BY(PREFIX##_load_ubyte_d16_hi, #PREFIX "_load_" SINCE_GFX11("ubyte_d16_hi", "d16_hi_u8"), SPACE, u32, OFFSET,  \
          high(at<u8>(p + 8)));                                                                                       \
  LOAD_BY(PREFIX##_load_sbyte_d16, #PREFIX "_load_" SINCE_GFX11("sbyte_d16", "d16_i8"), SPACE, u32, OFFSET,           \
          low(static_cast<u32>(at<i8>(p + 8))));                                                                      \
  LOAD_BY(PREFIX##_load_sbyte_d16_hi, #PREFIX "_load_" SINCE_GFX11("sbyte_d16_hi", "d16_hi_i8"), SPACE, u32, OFFSET,  \
          high(static_cast<u32>(at<i8>(p + 8))));                                                                     \
  LOAD_BY(PREFIX##_load_short_d16, #PREFIX "_load_" SINCE_GFX11("short_d16", "d16_b16"), SPACE, u32, OFFSET,          \
          low(at<u16>(p + 8)));                                                                                       \
  LOAD_BY(PREFIX##_load_short_d16_hi, #PREFIX "_load_" SINCE_GFX11("short_d16_hi", "d16_hi_b16"), SPACE, u32, OFFSET, \
          high(at<u16>(p + 8)));                                                                                      \
  LOAD(PREFIX##_load_dword, SPACE, u32, OFFSET, at<u32>(p + 8));                                                      \
  LOAD(PREFIX##_load_dwordx2, SPACE, u64, OFFSET, at<u64>(p + 8));                                                    \
  LOAD(PREFIX##_load_dwordx3, SPACE, Words3, OFFSET, at<Words3>(p + 8));                                              \
  LOAD(PREFIX##_load_dwordx4, SPACE, Words4, OFFSET, at<Words4>(p + 8))
namespace loads {
LOADS(global, global, ", off offset:8");
LOADS(flat, flat, "offset:8");
LOAD(ds_read_u8, shared, u32, "offset:8", at<u8>(p + 8));
LOAD(ds_read_i8, shared, u32, "offset:8", static_cast<u32>(at<i8>(p + 8)));
LOAD(ds_read_u16, shared, u32, "offset:8", at<u16>(p + 8));
LOAD(ds_read_i16, shared, u32, "offset:8", static_cast<u32>(at<i16>(p + 8)));
LOAD(ds_read_u8_d16, shared, u32, "offset:8", low(at<u8>(p + 8)));
LOAD(ds_read_u8_d16_hi, shared, u32, "offset:8", high(at<u8>(p + 8)));
LOAD(ds_read_i8_d16, shared, u32, "offset:8", low(static_cast<u32>(at<i8>(p + 8))));
LOAD(ds_read_i8_d16_hi, shared, u32, "offset:8", high(static_cast<u32>(at<i8>(p + 8))));
LOAD(ds_read_u16_d16, shared, u32, "offset:8", low(at<u16>(p + 8)));
LOAD(ds_read_u16_d16_hi, shared, u32, "offset:8", high(at<u16>(p + 8)));
LOAD(ds_read_b32, shared, u32, "offset:8", at<u32>(p + 8));
LOAD(ds_read_b64, shared, u64, "offset:8", at<u64>(p + 8));
LOAD(ds_read_b96, shared, Words3, "offset:8", at<Words3>(p + 8));
LOAD(ds_read_b128, shared, Words4, "offset:8", at<Words4>(p + 8));
// Offsets count elements, or 64 elements.
LOAD(ds_read2_b32, shared, u64, "offset0:3 offset1:1", pair(at<u32>(p + 12), at<u32>(p + 4)));
LOAD(ds_read2_b64, shared, Words4, "offset0:2 offset1:0", four(at<u64>(p + 16), at<u64>(p)));
LOAD(ds_read2st64_b32, shared, u64, "offset0:2 offset1:1", pair(at<u32>(p + 512), at<u32>(p + 256)));
LOAD(ds_read2st64_b64, shared, Words4, "offset0:0 offset1:1", four(at<u64>(p), at<u64>(p + 512)));
}  // namespace loads

#define STORE(NAME, SPACE, R, OPERANDS, ...) STORE_BY(NAME, #NAME, SPACE, R, OPERANDS, __VA_ARGS__)
#define STORE_BY(NAME, TEXT, SPACE, R, OPERANDS, ...)                                                           \
  struct NAME {                                                                                                 \
    using Register               = R;                                                                           \
    static constexpr char name[] = #NAME;                                                                       \
    static constexpr Space space = Space::SPACE;                                                                \
    template <class Address>                                                                                    \
    __device__ static void device(Address address, R r) {                                                       \
      asm volatile(TEXT " %0, " OPERANDS "\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(address), "v"(r) : "memory"); \
    }                                                                                                           \
    static void host(char* p, R r) { __VA_ARGS__; }                                                             \
  }
void copy(char* to, void const* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_upper(char* to, u32 from, std::size_t bytes) {
  from >>= 16;
  std::memcpy(to, &from, bytes);
}
#define STORES(PREFIX, SPACE, OPERANDS)                                                                          \
  STORE(PREFIX##_store_byte, SPACE, u32, OPERANDS, copy(p + 8, &r, 1));                                          \
  STORE(PREFIX##_store_short, SPACE, u32, OPERANDS, copy(p + 8, &r, 2));                                         \
  STORE_BY(PREFIX##_store_byte_d16_hi, #PREFIX "_store_" SINCE_GFX11("byte_d16_hi", "d16_hi_b8"), SPACE, u32,    \
           OPERANDS, copy_upper(p + 8, r, 1));                                                                   \
  STORE_BY(PREFIX##_store_short_d16_hi, #PREFIX "_store_" SINCE_GFX11("short_d16_hi", "d16_hi_b16"), SPACE, u32, \
           OPERANDS, copy_upper(p + 8, r, 2));                                                                   \
  STORE(PREFIX##_store_dword, SPACE, u32, OPERANDS, copy(p + 8, &r, 4));                                         \
  STORE(PREFIX##_store_dwordx2, SPACE, u64, OPERANDS, copy(p + 8, &r, 8));                                       \
  STORE(PREFIX##_store_dwordx3, SPACE, Words3, OPERANDS, copy(p + 8, &r, 12));                                   \
  STORE(PREFIX##_store_dwordx4, SPACE, Words4, OPERANDS, copy(p + 8, &r, 16))
namespace stores {
STORES(global, global, "%1, off offset:8");
STORES(flat, flat, "%1 offset:8");
STORE(ds_write_b8, shared, u32, "%1 offset:8", copy(p + 8, &r, 1));
STORE(ds_write_b16, shared, u32, "%1 offset:8", copy(p + 8, &r, 2));
STORE(ds_write_b8_d16_hi, shared, u32, "%1 offset:8", copy_upper(p + 8, r, 1));
STORE(ds_write_b16_d16_hi, shared, u32, "%1 offset:8", copy_upper(p + 8, r, 2));
STORE(ds_write_b32, shared, u32, "%1 offset:8", copy(p + 8, &r, 4));
STORE(ds_write_b64, shared, u64, "%1 offset:8", copy(p + 8, &r, 8));
STORE(ds_write_b96, shared, Words3, "%1 offset:8", copy(p + 8, &r, 12));
STORE(ds_write_b128, shared, Words4, "%1 offset:8", copy(p + 8, &r, 16));
STORE(ds_write2_b32, shared, u32, "%1, %1 offset0:3 offset1:1", copy(p + 12, &r, 4), copy(p + 4, &r, 4));
STORE(ds_write2_b64, shared, u64, "%1, %1 offset0:2 offset1:0", copy(p + 16, &r, 8), copy(p, &r, 8));
// 2048 bytes behind each other, so that threads do not overwrite what others have stored.
STORE(ds_write2st64_b32, shared, u32, "%1, %1 offset0:8 offset1:0", copy(p + 2048, &r, 4), copy(p, &r, 4));
STORE(ds_write2st64_b64, shared, u64, "%1, %1 offset0:4 offset1:0", copy(p + 2048, &r, 8), copy(p, &r, 8));
}  // namespace stores

constexpr u32 bytes_of_all = threads * stride + 2048 + 32;

template <class Op>
__global__ void run_load(char const* memory, typename Op::Register* out) {
  __shared__ char shared[bytes_of_all];
  for (u32 k = threadIdx.x; k < bytes_of_all; k += threads) shared[k] = memory[k];
  __syncthreads();
  typename Op::Register r;
  for (u32 k = 0; k < sizeof r / 4; ++k) reinterpret_cast<u32*>(&r)[k] = filler;
  if constexpr (Op::space == Space::shared)
    Op::device(shared_address(shared + threadIdx.x * stride), r);
  else if (Op::space == Space::flat && threadIdx.x % 2)  // half of the lanes go to LDS
    Op::device(static_cast<char const*>(shared) + threadIdx.x * stride, r);
  else
    Op::device(memory + threadIdx.x * stride, r);
  out[threadIdx.x] = r;
}
template <class Op>
void check_load(Array<char>& memory) {
  using R = typename Op::Register;
  Array<R> out(threads);
  run_load<Op><<<1, threads>>>(memory.device(), out.device());
  out.to_host();
  for (u32 t = 0; t < threads; ++t) {
    R const wanted = Op::host(memory.host.data() + t * stride);
    if (std::memcmp(&out[t], &wanted, sizeof(R) == 16 && std::is_same<R, Words3>::value ? 12 : sizeof(R)) == 0)
      continue;
    std::printf("%s: thread %u has loaded 0x%x..., not 0x%x...\n", Op::name, t,
                at<u32>(reinterpret_cast<char*>(&out[t])), at<u32>(reinterpret_cast<char const*>(&wanted)));
    ++failures;
    return;
  }
}
template <class... Ops>
void check_loads(Array<char>& memory) {
  (check_load<Ops>(memory), ...);
}

template <class Op>
__global__ void run_store(char* memory, typename Op::Register const* in) {
  __shared__ char shared[bytes_of_all];
  for (u32 k = threadIdx.x; k < bytes_of_all; k += threads) shared[k] = memory[k];
  __syncthreads();
  if constexpr (Op::space == Space::shared) {
    Op::device(shared_address(shared + threadIdx.x * stride), in[threadIdx.x]);
    __syncthreads();
    for (u32 k = threadIdx.x; k < bytes_of_all; k += threads) memory[k] = shared[k];
  } else {
    Op::device(memory + threadIdx.x * stride, in[threadIdx.x]);
  }
}
template <class Op>
void check_store(std::vector<char> const& initial) {
  using R = typename Op::Register;
  Array<char> memory(initial);
  Array<R> in(threads);
  for (u32 t = 0; t < threads; ++t)
    for (std::size_t k = 0; k < sizeof(R); ++k)
      reinterpret_cast<char*>(&in[t])[k] = static_cast<char>(t * 37 + k * 101 + 5);
  in.to_device();
  run_store<Op><<<1, threads>>>(memory.device(), in.device());
  memory.to_host();
  std::vector<char> wanted = initial;
  for (u32 t = 0; t < threads; ++t) Op::host(wanted.data() + t * stride, in[t]);
  if (memory.host == wanted) return;
  std::printf("%s has not stored the expected bytes\n", Op::name);
  ++failures;
}
template <class... Ops>
void check_stores(std::vector<char> const& initial) {
  (check_store<Ops>(initial), ...);
}

// Once with a result, once without. `a` is in memory, `b` the operand.
#define ATOMIC(LABEL, SPACE, T, DATA, WITH, WITHOUT, NEW)                                                      \
  struct LABEL {                                                                                               \
    using Value                  = T;                                                                          \
    static constexpr char name[] = #LABEL;                                                                     \
    static constexpr Space space = Space::SPACE;                                                               \
    template <class Address>                                                                                   \
    __device__ static T device(Address p, Address q, T b, T c) {                                               \
      T r;                                                                                                     \
      const DATA data = combine<DATA>(b, c);                                                                   \
      asm volatile(WITH "\n s_waitcnt vmcnt(0) lgkmcnt(0)" : "=&v"(r) : "v"(p), "v"(data), "v"(c) : "memory"); \
      asm volatile(WITHOUT "\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(q), "v"(q), "v"(data), "v"(c) : "memory"); \
      return r;                                                                                                \
    }                                                                                                          \
    static T host(T a, [[maybe_unused]] T b, [[maybe_unused]] T c) { return NEW; }                             \
  }
template <class D, class T>
__device__ D combine(T b, T c) {
  if constexpr (sizeof(D) == sizeof(T))
    return b;
  else if constexpr (sizeof(T) == 4)
    return u64(c) << 32 | b;
  else
    return D{static_cast<u32>(b), static_cast<u32>(b >> 32), static_cast<u32>(c), static_cast<u32>(c >> 32)};
}
template <class T>
T signed_min(T a, T b) {
  using S = std::make_signed_t<T>;
  return static_cast<S>(a) < static_cast<S>(b) ? a : b;
}
template <class T>
T signed_max(T a, T b) {
  return signed_min(a, b) == a ? b : a;
}
#define MEMORY_ATOMIC(PREFIX, SPACE, OPERATION, SUFFIX, T, DATA, OFF, NEW) \
  ATOMIC(PREFIX##_atomic_##OPERATION##SUFFIX, SPACE, T, DATA,              \
         #PREFIX "_atomic_" #OPERATION #SUFFIX " %0, %1, %2" OFF RETURNS,  \
         #PREFIX "_atomic_" #OPERATION #SUFFIX " %1, %2" OFF, NEW)
#define MEMORY_ATOMICS(PREFIX, SPACE, SUFFIX, T, PAIR, OFF)                          \
  MEMORY_ATOMIC(PREFIX, SPACE, add, SUFFIX, T, T, OFF, a + b);                       \
  MEMORY_ATOMIC(PREFIX, SPACE, sub, SUFFIX, T, T, OFF, a - b);                       \
  MEMORY_ATOMIC(PREFIX, SPACE, smin, SUFFIX, T, T, OFF, signed_min(a, b));           \
  MEMORY_ATOMIC(PREFIX, SPACE, smax, SUFFIX, T, T, OFF, signed_max(a, b));           \
  MEMORY_ATOMIC(PREFIX, SPACE, umin, SUFFIX, T, T, OFF, std::min(a, b));             \
  MEMORY_ATOMIC(PREFIX, SPACE, umax, SUFFIX, T, T, OFF, std::max(a, b));             \
  MEMORY_ATOMIC(PREFIX, SPACE, and, SUFFIX, T, T, OFF, a& b);                        \
  MEMORY_ATOMIC(PREFIX, SPACE, or, SUFFIX, T, T, OFF, a | b);                        \
  MEMORY_ATOMIC(PREFIX, SPACE, xor, SUFFIX, T, T, OFF, a ^ b);                       \
  MEMORY_ATOMIC(PREFIX, SPACE, inc, SUFFIX, T, T, OFF, a >= b ? 0 : a + 1);          \
  MEMORY_ATOMIC(PREFIX, SPACE, dec, SUFFIX, T, T, OFF, a == 0 || a > b ? b : a - 1); \
  MEMORY_ATOMIC(PREFIX, SPACE, swap, SUFFIX, T, T, OFF, b);                          \
  MEMORY_ATOMIC(PREFIX, SPACE, cmpswap, SUFFIX, T, PAIR, OFF, a == c ? b : a)
#define SHARED_ATOMIC(OPERATION, TYPE, T, NEW)                                                \
  ATOMIC(ds_##OPERATION##_##TYPE, shared, T, T, "ds_" #OPERATION "_rtn_" #TYPE " %0, %1, %2", \
         "ds_" #OPERATION "_" #TYPE " %1, %2", NEW)
#define SHARED_ATOMICS(BITS, T)                                                                                    \
  SHARED_ATOMIC(add, u##BITS, T, a + b);                                                                           \
  SHARED_ATOMIC(sub, u##BITS, T, a - b);                                                                           \
  SHARED_ATOMIC(rsub, u##BITS, T, b - a);                                                                          \
  SHARED_ATOMIC(min, i##BITS, T, signed_min(a, b));                                                                \
  SHARED_ATOMIC(max, i##BITS, T, signed_max(a, b));                                                                \
  SHARED_ATOMIC(min, u##BITS, T, std::min(a, b));                                                                  \
  SHARED_ATOMIC(max, u##BITS, T, std::max(a, b));                                                                  \
  SHARED_ATOMIC(and, b##BITS, T, a& b);                                                                            \
  SHARED_ATOMIC(or, b##BITS, T, a | b);                                                                            \
  SHARED_ATOMIC(xor, b##BITS, T, a ^ b);                                                                           \
  SHARED_ATOMIC(inc, u##BITS, T, a >= b ? 0 : a + 1);                                                              \
  SHARED_ATOMIC(dec, u##BITS, T, a == 0 || a > b ? b : a - 1);                                                     \
  ATOMIC(ds_wrxchg_b##BITS, shared, T, T, "ds_wrxchg_rtn_b" #BITS " %0, %1, %2", "ds_write_b" #BITS " %1, %2", b); \
  ATOMIC(ds_cmpst_b##BITS, shared, T, T,                                                                           \
         SINCE_GFX11("ds_cmpst_rtn_b" #BITS " %0, %1, %3, %2", "ds_cmpstore_rtn_b" #BITS " %0, %1, %2, %3"),       \
         SINCE_GFX11("ds_cmpst_b" #BITS " %1, %3, %2", "ds_cmpstore_b" #BITS " %1, %2, %3"), a == c ? b : a)
namespace atomics {
MEMORY_ATOMICS(global, global, , u32, u64, ", off");
MEMORY_ATOMICS(global, global, _x2, u64, Words4, ", off");
MEMORY_ATOMICS(flat, flat, , u32, u64, "");
MEMORY_ATOMICS(flat, flat, _x2, u64, Words4, "");
SHARED_ATOMICS(32, u32);
SHARED_ATOMICS(64, u64);
ATOMIC(ds_add_f32, shared, u32, u32, "ds_add_rtn_f32 %0, %1, %2", "ds_add_f32 %1, %2",
       bits_as<u32>(bits_as<float>(a) + bits_as<float>(b)));
}  // namespace atomics

template <class Op, class T>
__global__ void run_atomic(T* memory, T const* b, T const* c, T* old, u32 n) {
  __shared__ T shared[2 * threads];
  u32 const t = threadIdx.x, i = blockIdx.x * threads + t;
  if (i >= n) return;
  if constexpr (Op::space == Space::shared) {
    shared[t] = shared[t + threads] = memory[i];
    old[i]        = Op::device(shared_address(shared + t), shared_address(shared + t + threads), b[i], c[i]);
    memory[i]     = shared[t];
    memory[n + i] = shared[t + threads];
  } else if (Op::space == Space::flat && t % 2) {
    shared[t] = shared[t + threads] = memory[i];
    old[i]        = Op::device(static_cast<T*>(shared) + t, static_cast<T*>(shared) + t + threads, b[i], c[i]);
    memory[i]     = shared[t];
    memory[n + i] = shared[t + threads];
  } else {
    old[i] = Op::device(memory + i, memory + n + i, b[i], c[i]);
  }
}
template <class Op, class T>
void check_atomic(std::vector<T> const& a, Array<T>& b, Array<T>& c) {
  u32 const n = static_cast<u32>(a.size());
  std::vector<T> twice(a);
  twice.insert(twice.end(), a.begin(), a.end());
  Array<T> memory(twice), old(n);
  run_atomic<Op><<<(n + threads - 1) / threads, threads>>>(memory.device(), b.device(), c.device(), old.device(), n);
  memory.to_host(), old.to_host();
  for (u32 i = 0; i < n; ++i) {
    T const wanted = Op::host(a[i], b[i], c[i]);
    if (memory[i] == wanted && memory[n + i] == wanted && old[i] == a[i]) continue;
    std::printf("%s of 0x%llx, 0x%llx, 0x%llx: memory is 0x%llx and 0x%llx, not 0x%llx\n", Op::name,
                static_cast<unsigned long long>(a[i]), static_cast<unsigned long long>(b[i]),
                static_cast<unsigned long long>(c[i]), static_cast<unsigned long long>(memory[i]),
                static_cast<unsigned long long>(memory[n + i]), static_cast<unsigned long long>(wanted));
    ++failures;
    return;
  }
}
template <class... Ops, class T>
void check_atomics(std::vector<T> const& values) {
  std::vector<T> x, y, z;
  for (T i : values)
    for (T j : values)
      for (T k : {values[1], i}) x.push_back(i), y.push_back(j), z.push_back(k);
  Array<T> b(y), c(z);
  (check_atomic<Ops>(x, b, c), ...);
}

// Private memory by bytes and halves, at an index that only the run knows.
__global__ void run_private(u32 const* in, u32* out) {
  u8 bytes[512];  // large, so that the compiler does not move it to LDS
  i16 halves[512];
  u16 naturals[512];
  i8 small[512];
  u32 words[512];
  for (u32 k = 0; k < 64; ++k) {
    bytes[k]    = static_cast<u8>(in[k]);
    halves[k]   = static_cast<i16>(in[k] >> 8);
    small[k]    = static_cast<i8>(in[k] >> 4);
    words[k]    = in[k] * 3;
    naturals[k] = static_cast<u16>(in[k] >> 5);
  }
  __threadfence();
  __builtin_amdgcn_s_sleep(1);
  u32 const t = threadIdx.x;
  bytes[t]    = static_cast<u8>(bytes[63 - t] + t);
  out[t]      = bytes[in[t] % 64] + static_cast<u32>(halves[in[t] / 7 % 64]) + static_cast<u32>(small[t]) + bytes[t] +
           words[in[t] / 3 % 64] + naturals[in[t] / 5 % 64];
}
void test_private() {
  Array<u32> in(64), out(64);
  for (u32 k = 0; k < 64; ++k) in[k] = k * 0x9E3779B9u;
  in.to_device();
  run_private<<<1, 64>>>(in.device(), out.device());
  out.to_host();
  for (u32 t = 0; t < 64; ++t) {
    auto byte = [&](u32 k) -> u32 { return static_cast<u8>(k == t ? in[63 - t] + t : in[k]); };
    CHECK(out[t] == byte(in[t] % 64) + static_cast<u32>(static_cast<i16>(in[in[t] / 7 % 64] >> 8)) +
                        static_cast<u32>(static_cast<i8>(in[t] >> 4)) + byte(t) + in[in[t] / 3 % 64] * 3 +
                        static_cast<u16>(in[in[t] / 5 % 64] >> 5));
  }
}

// Scalar loads. One lane stores each loaded word.
using Words8  = u32 __attribute__((ext_vector_type(8)));
using Words16 = u32 __attribute__((ext_vector_type(16)));
template <class R>
__device__ u32* store_words(u32* out, R r) {
  for (u32 k = 0; k < sizeof r / 4; ++k) out[k] = r[k];
  return out + sizeof r / 4;
}
__global__ void load_scalars(u32 const* in, u32* out) {
  u32 one, before, both;
  u64 two;
  Words4 four;
  Words8 eight;
  Words16 sixteen;
  u32 const offset = 12;
  asm volatile(
      "s_load_dword %0, %7, 0x4\n s_load_dwordx2 %1, %7, %8\n s_load_dwordx4 %2, %7, 0x20\n"
      "s_load_dwordx8 %3, %7, 0x40\n s_load_dwordx16 %4, %7, 0x80\n s_load_dword %5, %7, -0x4\n"
      "s_load_dword %6, %7, %8 offset:0x18\n s_waitcnt lgkmcnt(0)"
      : "=&s"(one), "=&s"(two), "=&s"(four), "=&s"(eight), "=&s"(sixteen), "=&s"(before), "=&s"(both)
      : "s"(in + 1), "s"(offset));
  out[0]          = one;
  out[1]          = static_cast<u32>(two);
  out[2]          = static_cast<u32>(two >> 32);
  u32* const last = store_words(store_words(store_words(out + 3, four), eight), sixteen);
  last[0]         = before;
  last[1]         = both;
}
void test_scalar_loads() {
  Array<u32> in(49), out(33);
  for (u32 k = 0; k < 49; ++k) in[k] = k * 0x9E3779B9u;
  in.to_device();
  load_scalars<<<1, 1>>>(in.device(), out.device());
  out.to_host();
  u32 const* const from = in.host.data() + 1;
  CHECK(out[0] == from[1]);
  for (u32 k = 0; k < 2; ++k) CHECK(out[1 + k] == from[3 + k]);
  for (u32 k = 0; k < 4; ++k) CHECK(out[3 + k] == from[8 + k]);
  for (u32 k = 0; k < 8; ++k) CHECK(out[7 + k] == from[16 + k]);
  for (u32 k = 0; k < 16; ++k) CHECK(out[15 + k] == from[32 + k]);
  CHECK(out[31] == from[-1]);
  CHECK(out[32] == from[9]);
}

#define LOADS_OF(PREFIX)                                                                                         \
  PREFIX##_load_ubyte, PREFIX##_load_sbyte, PREFIX##_load_ushort, PREFIX##_load_sshort, PREFIX##_load_ubyte_d16, \
      PREFIX##_load_ubyte_d16_hi, PREFIX##_load_sbyte_d16, PREFIX##_load_sbyte_d16_hi, PREFIX##_load_short_d16,  \
      PREFIX##_load_short_d16_hi, PREFIX##_load_dword, PREFIX##_load_dwordx2, PREFIX##_load_dwordx3,             \
      PREFIX##_load_dwordx4
#define STORES_OF(PREFIX)                                                                             \
  PREFIX##_store_byte, PREFIX##_store_short, PREFIX##_store_byte_d16_hi, PREFIX##_store_short_d16_hi, \
      PREFIX##_store_dword, PREFIX##_store_dwordx2, PREFIX##_store_dwordx3, PREFIX##_store_dwordx4
#define ATOMICS_OF(PREFIX, SUFFIX)                                                              \
  PREFIX##_atomic_add##SUFFIX, PREFIX##_atomic_sub##SUFFIX, PREFIX##_atomic_smin##SUFFIX,       \
      PREFIX##_atomic_smax##SUFFIX, PREFIX##_atomic_umin##SUFFIX, PREFIX##_atomic_umax##SUFFIX, \
      PREFIX##_atomic_and##SUFFIX, PREFIX##_atomic_or##SUFFIX, PREFIX##_atomic_xor##SUFFIX,     \
      PREFIX##_atomic_inc##SUFFIX, PREFIX##_atomic_dec##SUFFIX, PREFIX##_atomic_swap##SUFFIX,   \
      PREFIX##_atomic_cmpswap##SUFFIX
#define SHARED_ATOMICS_OF(BITS)                                                                                    \
  ds_add_u##BITS, ds_sub_u##BITS, ds_rsub_u##BITS, ds_min_i##BITS, ds_max_i##BITS, ds_min_u##BITS, ds_max_u##BITS, \
      ds_and_b##BITS, ds_or_b##BITS, ds_xor_b##BITS, ds_inc_u##BITS, ds_dec_u##BITS, ds_wrxchg_b##BITS,            \
      ds_cmpst_b##BITS

int main() {
  std::vector<char> bytes(bytes_of_all);
  for (u32 k = 0; k < bytes_of_all; ++k) bytes[k] = static_cast<char>(k * k * 31 + k / 7);
  Array<char> memory(bytes);
  {
    using namespace loads;
    check_loads<LOADS_OF(global), LOADS_OF(flat), ds_read_u8, ds_read_i8, ds_read_u16, ds_read_i16, ds_read_u8_d16,
                ds_read_u8_d16_hi, ds_read_i8_d16, ds_read_i8_d16_hi, ds_read_u16_d16, ds_read_u16_d16_hi, ds_read_b32,
                ds_read_b64, ds_read_b96, ds_read_b128, ds_read2_b32, ds_read2_b64, ds_read2st64_b32, ds_read2st64_b64>(
        memory);
  }
  {
    using namespace stores;
    check_stores<STORES_OF(global), STORES_OF(flat), ds_write_b8, ds_write_b16, ds_write_b8_d16_hi, ds_write_b16_d16_hi,
                 ds_write_b32, ds_write_b64, ds_write_b96, ds_write_b128, ds_write2_b32, ds_write2_b64,
                 ds_write2st64_b32, ds_write2st64_b64>(bytes);
  }
  {
    using namespace atomics;
    std::vector<u32> const words{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xdeadbeef, 77};
    check_atomics<ATOMICS_OF(global, ), ATOMICS_OF(flat, ), SHARED_ATOMICS_OF(32)>(words);
    check_atomics<ATOMICS_OF(global, _x2), ATOMICS_OF(flat, _x2), SHARED_ATOMICS_OF(64)>(
        std::vector<u64>{0, 1, 0xffffffff, ~u64(0) / 2, ~u64(0) / 2 + 1, ~u64(0), 0x9E3779B97F4A7C15});
    check_atomics<ds_add_f32>(std::vector<u32>{0, 0x3f800000, 0xc0200000, 0x00000001, 0x7f000000});
  }
  test_private();
  test_scalar_loads();
  return finish();
}
