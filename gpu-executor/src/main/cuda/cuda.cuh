// What the kernels need of the CUDA language, for clang without NVIDIA's headers and for nvcc.
#pragma once

#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif

typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

#define DEVICE static __device__ inline __attribute__((always_inline))
// Never static: clang would put a digest of the file's path into the name, and PTX must not depend
// on where it was made.
#define DEVICE_CALL __device__ inline __attribute__((noinline))
// Plain names, for cuModuleGetFunction.
#define KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)
// The same for kernels that must leave registers for so many blocks on a multiprocessor.
#define KERNEL_OF_BLOCKS(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)

#ifdef __clang__
struct alignas(8) Pair32 { uint32_t x, y; };
struct alignas(16) Quad32 { uint32_t x, y, z, w; };

DEVICE uint32_t threadIndex() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE uint32_t blockThreads() { return __nvvm_read_ptx_sreg_ntid_x(); }
DEVICE uint32_t blockIndex() { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE uint32_t blockRow() { return __nvvm_read_ptx_sreg_ctaid_y(); }
DEVICE uint32_t gridBlocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
DEVICE void blockBarrier() { __syncthreads(); }
DEVICE uint32_t shuffleXor(uint32_t mask, uint32_t v, uint32_t with) {
  return __nvvm_shfl_sync_bfly_i32(mask, v, with, 31);
}
DEVICE uint32_t shuffleUp(uint32_t mask, uint32_t v, uint32_t by) {
  return __nvvm_shfl_sync_up_i32(mask, v, by, 0);
}
DEVICE uint32_t reverseBits(uint32_t v) { return __builtin_bitreverse32(v); }
DEVICE uint32_t leadingZeros(uint32_t v) { return __builtin_clz(v); }
DEVICE uint32_t trailingZeros(uint32_t v) { return __builtin_ctz(v); }
DEVICE uint32_t countBits(uint32_t v) { return __builtin_popcount(v); }
#else
struct alignas(8) Pair32 { uint32_t x, y; };
struct alignas(16) Quad32 { uint32_t x, y, z, w; };

DEVICE uint32_t threadIndex() { return threadIdx.x; }
DEVICE uint32_t blockThreads() { return blockDim.x; }
DEVICE uint32_t blockIndex() { return blockIdx.x; }
DEVICE uint32_t blockRow() { return blockIdx.y; }
DEVICE uint32_t gridBlocks() { return gridDim.x; }
DEVICE void blockBarrier() { __syncthreads(); }
DEVICE uint32_t shuffleXor(uint32_t mask, uint32_t v, uint32_t with) {
  return __shfl_xor_sync(mask, v, with);
}
DEVICE uint32_t shuffleUp(uint32_t mask, uint32_t v, uint32_t by) {
  return __shfl_up_sync(mask, v, by);
}
DEVICE uint32_t reverseBits(uint32_t v) { return __brev(v); }
DEVICE uint32_t leadingZeros(uint32_t v) { return __clz(v); }
DEVICE uint32_t trailingZeros(uint32_t v) { return __ffs(v) - 1; }
DEVICE uint32_t countBits(uint32_t v) { return __popc(v); }
#endif

// The address must be in shared memory; returns what was there.
DEVICE uint32_t addShared(uint32_t *at, uint32_t v) {
#ifdef __clang__
  return __nvvm_atom_add_gen_i((int *)at, (int)v);
#else
  return atomicAdd(at, v);
#endif
}

DEVICE uint32_t globalIndex() { return blockIndex() * blockThreads() + threadIndex(); }
