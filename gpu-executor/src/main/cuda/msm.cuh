// Sums of points for one group; M is its products (curve.cuh). A group's kernels are these with a name.
#pragma once
#include "curve.cuh"

#define SIGN 0x80000000u

// Threads of a block, and so the elements of a block's tree: blockThreads() / LANES.
#define MSM_THREADS 128

// sums[number] = Σ ± points over a task's places in `index`. One element (LANES threads) a task.
template <class M>
DEVICE void accumulate(
    uint32_t *sums, const uint32_t *points, const uint32_t *index, const Quad32 *tasks,
    const uint32_t *count) {
  typedef typename M::Field F;
  const uint32_t i = globalIndex() / F::LANES;
  if (i >= *count) return;
  const Quad32 task = tasks[i];
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (uint32_t k = 0; k < task.y; k++) {
    const uint32_t p = index[task.x + k];
    Affine<F> q = Affine<F>::load(points + (uint64_t)(p & ~SIGN) * Affine<F>::WORDS);
    if (p & SIGN) q.y = F::neg(q.y);
    addAffine<M>(sum, q);
  }
  Xyzz<F>::store(sums + (uint64_t)task.z * Xyzz<F>::WORDS, sum);
}

// Adds up the tasks of a bucket in rounds of eight: piece 8·d·k of a bucket gets the sum of the pieces
// 8·d·k + d·j, j < 8, which the round before left.
template <class M>
DEVICE void combine(uint32_t *sums, const Pair32 *of, const uint32_t *count, uint32_t distance) {
  typedef typename M::Field F;
  const uint32_t i = globalIndex() / F::LANES;
  if (i >= *count) return;
  const Pair32 piece = of[i];
  if (piece.x % (8 * distance) || piece.y <= distance) return;
  uint32_t *at = sums + (uint64_t)i * Xyzz<F>::WORDS;
  Xyzz<F> sum = Xyzz<F>::load(at);
#pragma unroll 1
  for (uint32_t j = 1; j < 8 && j * distance < piece.y; j++)
    add<M>(sum, Xyzz<F>::load(at + (uint64_t)j * distance * Xyzz<F>::WORDS));
  Xyzz<F>::store(at, sum);
}

// The sum over a block, left in its first element. The tree's size must be a power of two.
template <class M>
DEVICE void blockSum(Xyzz<typename M::Field> &sum, uint32_t *shared) {
  typedef typename M::Field F;
  const uint32_t e = threadIndex() / F::LANES;
#pragma unroll 1
  for (uint32_t d = blockThreads() / F::LANES / 2; d; d >>= 1) {
    if (e >= d && e < 2 * d) Xyzz<F>::store(shared + (e - d) * Xyzz<F>::WORDS, sum);
    blockBarrier();
    if (e < d) add<M>(sum, Xyzz<F>::load(shared + e * Xyzz<F>::WORDS));
    blockBarrier();
  }
}

// out[window·blocks + block] = the block's part of Σ (b + 1)·bucket b. An element takes `run` buckets;
// half as many in the grid's windows behind the first `wide`, whose upper half of buckets is empty.
// Bucket b is sums[firsts[b]], infinity where it has no points. The grid is blocks × windows. Shared
// memory holds two points an element, so that no more than two are in registers.
template <class M>
DEVICE void reduce(
    uint32_t *out, const uint32_t *sums, const uint32_t *firsts, const uint32_t *sizes,
    uint32_t buckets, uint32_t run, uint32_t wide, uint32_t *shared) {
  typedef typename M::Field F;
  if (blockRow() >= wide) run = (run + 1) / 2;
  const uint32_t element = globalIndex() / F::LANES, low = element * run;
  const uint32_t window = blockRow() * buckets;
  uint32_t *own = shared + threadIndex() / F::LANES * Xyzz<F>::WORDS;
  uint32_t *factor = own + blockThreads() / F::LANES * Xyzz<F>::WORDS;
  // total = Σ bucket, sum = Σ (k + 1)·bucket (low + k): running sums from the top.
  Xyzz<F> total = Xyzz<F>::infinity();
  Xyzz<F>::store(own, total);
#pragma unroll 1
  for (uint32_t k = run; k-- > 0;) {
    const uint32_t b = low + k;
    if (b < buckets && sizes[window + b])
      add<M>(total, Xyzz<F>::load(sums + (uint64_t)firsts[window + b] * Xyzz<F>::WORDS));
    Xyzz<F> sum = total;
    add<M>(sum, Xyzz<F>::load(own));
    Xyzz<F>::store(own, sum);
  }
  // low·total, from the highest bit down.
  if (low && low < buckets) {
    Xyzz<F>::store(factor, total);
    Xyzz<F> product = total;
#pragma unroll 1
    for (int bit = 30 - leadingZeros(low); bit >= 0; bit--) {
      product = doubled<M>(product);
      if (low >> bit & 1) add<M>(product, Xyzz<F>::load(factor));
    }
    add<M>(product, Xyzz<F>::load(own));
    Xyzz<F>::store(own, product);
  }
  Xyzz<F> sum = Xyzz<F>::load(own);
  blockBarrier();
  blockSum<M>(sum, shared);
  if (threadIndex() < F::LANES)
    Xyzz<F>::store(out + (uint64_t)(blockRow() * gridBlocks() + blockIndex()) * Xyzz<F>::WORDS, sum);
}

// out[block] = the block's part of Σ points[index[j]], j < *count; neighbours take neighbours.
template <class M>
DEVICE void sumListed(
    uint32_t *out, const uint32_t *points, const uint32_t *index, const uint32_t *count,
    uint32_t *shared) {
  typedef typename M::Field F;
  const uint32_t elements = gridBlocks() * blockThreads() / F::LANES, n = *count;
  Xyzz<F> sum = Xyzz<F>::infinity();
#pragma unroll 1
  for (uint32_t j = globalIndex() / F::LANES; j < n; j += elements)
    addAffine<M>(sum, Affine<F>::load(points + (uint64_t)index[j] * Affine<F>::WORDS));
  blockSum<typename M::Cold>(sum, shared);
  if (threadIndex() < F::LANES)
    Xyzz<F>::store(out + (uint64_t)blockIndex() * Xyzz<F>::WORDS, sum);
}

#define MSM_KERNELS(group, Inlined, Called, Blocks)                                                    \
  KERNEL_OF_BLOCKS(MSM_THREADS, Blocks) group##_accumulate(                                            \
      uint32_t *sums, const uint32_t *points, const uint32_t *index, const Quad32 *tasks,              \
      const uint32_t *count) {                                                                         \
    accumulate<Inlined>(sums, points, index, tasks, count);                                            \
  }                                                                                                    \
  KERNEL(MSM_THREADS) group##_combine(                                                                 \
      uint32_t *sums, const Pair32 *of, const uint32_t *count, uint32_t distance) {                    \
    combine<Called>(sums, of, count, distance);                                                        \
  }                                                                                                    \
  KERNEL(MSM_THREADS) group##_reduce(                                                                  \
      uint32_t *out, const uint32_t *sums, const uint32_t *firsts, const uint32_t *sizes,              \
      uint32_t buckets, uint32_t run, uint32_t wide) {                                                 \
    extern __shared__ Quad32 shared[];                                                                 \
    reduce<Called>(out, sums, firsts, sizes, buckets, run, wide, (uint32_t *)shared);                  \
  }                                                                                                    \
  KERNEL(MSM_THREADS) group##_sum_listed(                                                              \
      uint32_t *out, const uint32_t *points, const uint32_t *index, const uint32_t *count) {           \
    extern __shared__ Quad32 shared[];                                                                 \
    sumListed<Inlined>(out, points, index, count, (uint32_t *)shared);                                 \
  }
