// The number-theoretic transform over Fr in passes of radix 2^radix, in place.
//
// Inverse: values in natural order → coefficients in bit-reversed order (decimation in frequency with
// ω⁻¹, not divided by the size); forward: coefficients in bit-reversed order → values in natural order
// (decimation in time with ω). Coefficients can be scaled where an inverse ends or a forward begins.
//
// A thread holds two elements. After a stage it gives one of them to the thread that needs it in the
// next: by a shuffle inside a warp, else through shared memory. Algebra at the end.
#include "fr.cuh"

// Roots of order 2^ROOTS_LOG for the stages inside a pass.
#define ROOTS_LOG 10

// What one pass works on; the host fills it in (DeviceTransform).
struct Pass {
  uint32_t logSize;     // of the whole vector
  uint32_t logBlock;    // elements that this pass and the later ones (forward: the earlier) mix
  uint32_t radix;       // log2 of the elements of a column
  uint32_t logColumns;  // of columns that a block of threads works on
};

struct Place {
  uint32_t shift;   // of t in the thread's index
  uint32_t t;       // which pair of the column
  uint32_t base;    // offset of the column in its block of 2^logBlock elements
  uint32_t block;   // which of these blocks
  uint64_t first;   // index of the column's element 0
  uint32_t stride;  // log2 of the distance of its elements
};

DEVICE Place place(const Pass &p) {
  Place at;
  const uint32_t pairs = p.radix - 1, stride = p.logBlock - p.radix;
  uint32_t column;
  if (stride) {  // neighbouring threads take neighbouring columns
    at.shift = p.logColumns;
    at.t = threadIndex() >> p.logColumns;
    column = threadIndex() & ((1u << p.logColumns) - 1);
  } else {  // a column is contiguous
    at.shift = 0;
    at.t = threadIndex() & ((1u << pairs) - 1);
    column = threadIndex() >> pairs;
  }
  column += blockIndex() << p.logColumns;
  at.block = column >> stride;
  at.base = column & ((1u << stride) - 1);
  at.first = ((uint64_t)at.block << p.logBlock) + at.base;
  at.stride = stride;
  return at;
}

DEVICE Fr element(const uint32_t *data, const Place &at, uint32_t position) {
  return Fr::load(data + (at.first + ((uint64_t)position << at.stride)) * Fr::LIMBS);
}
DEVICE void setElement(uint32_t *data, const Place &at, uint32_t position, const Fr &x) {
  Fr::store(data + (at.first + ((uint64_t)position << at.stride)) * Fr::LIMBS, x);
}

// Where the threads' indices differ in the bit `with`, the one without it gives its second element for
// the other's first.
DEVICE void exchange(Fr &e0, Fr &e1, uint32_t with, Quad32 *shared, uint32_t &turn) {
  const bool upper = threadIndex() & with;
  Fr give = Fr::select(upper, e0, e1), got;
  if (with < 32 && blockThreads() >= 32) {
#pragma unroll
    for (int i = 0; i < 8; i++) got.v[i] = shuffleXor(0xffffffffu, give.v[i], with);
  } else {
    // Two areas in turn: a barrier later nobody reads the other one any more.
    Quad32 *area = shared + 2 * turn * blockThreads();
    turn ^= 1;
    area[threadIndex()] = {give.v[0], give.v[1], give.v[2], give.v[3]};
    area[blockThreads() + threadIndex()] = {give.v[4], give.v[5], give.v[6], give.v[7]};
    blockBarrier();
    Quad32 low = area[threadIndex() ^ with], high = area[blockThreads() + (threadIndex() ^ with)];
    got = {{low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w}};
  }
  e0 = Fr::select(upper, got, e0);
  e1 = Fr::select(upper, e1, got);
}

// A table of powers x^0, x^1, … in two levels: x^e = low[e mod 2^logLow]·high[e >> logLow], the second
// only where there is one and the exponents' range exceeds the first.
DEVICE void timesPower(
    Fr &x, const uint32_t *low, const uint32_t *high, uint32_t logLow, uint32_t logRange, uint32_t e) {
  Fr w = Fr::load(low + (uint64_t)(e & ((1u << logLow) - 1)) * Fr::LIMBS);
  if (high && logRange > logLow) w = Fr::mul(w, Fr::load(high + (uint64_t)(e >> logLow) * Fr::LIMBS));
  x = Fr::mul(x, w);
}

DEVICE uint32_t reversed(uint32_t v, uint32_t bits) { return reverseBits(v) >> (32 - bits); }

// Multiplies both elements of a thread, at positions q0 and q1 of the column, by what stands between the
// passes or, at the coefficients' end, by the scaling. A loop keeps the products' code once.
DEVICE void twiddle(
    Fr &e0, Fr &e1, const Pass &p, const Place &at, uint32_t q0, uint32_t q1, bool inverse,
    const uint32_t *low, const uint32_t *high, uint32_t logLow) {
  if (!low) return;
  uint32_t q = q0;
#pragma unroll 1
  for (int k = 0; k < 2; k++) {
    uint32_t e, range;
    if (at.stride) {
      range = p.logBlock;
      e = at.base * reversed(q, p.radix);
      if (inverse) e = ((1u << range) - e) & ((1u << range) - 1);
    } else {
      range = p.logSize;
      e = reversed((at.block << p.radix) + q, p.logSize);
    }
    timesPower(e0, low, high, logLow, range, e);
    Fr swap = e0;
    e0 = e1;
    e1 = swap;
    q = q1;
  }
}

// low, high, logLow: powers of the root of order 2^logBlock, or, in the last pass (radix = logBlock),
// of the coefficients' ratio times their factor; null for no scaling.
KERNEL(512) ntt_inverse_pass(
    uint32_t *data, uint32_t logSize, uint32_t logBlock, uint32_t radix, uint32_t logColumns,
    const uint32_t *roots, const uint32_t *low, const uint32_t *high, uint32_t logLow) {
  extern __shared__ Quad32 shared[];
  const Pass p = {logSize, logBlock, radix, logColumns};
  const Place at = place(p);
  uint32_t turn = 0;
  Fr e0 = element(data, at, at.t), e1 = element(data, at, at.t + (1u << (radix - 1)));
#pragma unroll 1
  for (uint32_t log = radix - 1;; log--) {
    Fr sum = Fr::add(e0, e1);
    e1 = Fr::sub(e0, e1);
    e0 = sum;
    if (log == 0) break;
    uint32_t e = (at.t & ((1u << log) - 1)) << (ROOTS_LOG - 1 - log);
    e = ((1u << ROOTS_LOG) - e) & ((1u << ROOTS_LOG) - 1);
    e1 = Fr::mul(e1, Fr::load(roots + e * Fr::LIMBS));
    exchange(e0, e1, 1u << (log - 1 + at.shift), shared, turn);
  }
  twiddle(e0, e1, p, at, 2 * at.t, 2 * at.t + 1, true, low, high, logLow);
  blockBarrier();  // others of the column may still read where this thread writes
  setElement(data, at, 2 * at.t, e0);
  setElement(data, at, 2 * at.t + 1, e1);
}

// The same backwards; the scaling belongs to the first pass here.
KERNEL(512) ntt_forward_pass(
    uint32_t *data, uint32_t logSize, uint32_t logBlock, uint32_t radix, uint32_t logColumns,
    const uint32_t *roots, const uint32_t *low, const uint32_t *high, uint32_t logLow) {
  extern __shared__ Quad32 shared[];
  const Pass p = {logSize, logBlock, radix, logColumns};
  const Place at = place(p);
  uint32_t turn = 0;
  Fr e0 = element(data, at, 2 * at.t), e1 = element(data, at, 2 * at.t + 1);
  twiddle(e0, e1, p, at, 2 * at.t, 2 * at.t + 1, false, low, high, logLow);
#pragma unroll 1
  for (uint32_t log = 0;; log++) {
    if (log) {
      uint32_t e = (at.t & ((1u << log) - 1)) << (ROOTS_LOG - 1 - log);
      e1 = Fr::mul(e1, Fr::load(roots + e * Fr::LIMBS));
    }
    Fr sum = Fr::add(e0, e1);
    e1 = Fr::sub(e0, e1);
    e0 = sum;
    if (log == radix - 1) break;
    exchange(e0, e1, 1u << (log + at.shift), shared, turn);
  }
  blockBarrier();
  setElement(data, at, at.t, e0);
  setElement(data, at, at.t + (1u << (radix - 1)), e1);
}

// Element i ↔ element with the bits of i backwards.
KERNEL(256) ntt_reverse(uint32_t *data, uint32_t logSize) {
  uint32_t i = globalIndex();
  if (i >= 1u << logSize) return;
  uint32_t j = reversed(i, logSize);
  if (i >= j) return;
  uint32_t *x = data + (uint64_t)i * Fr::LIMBS, *y = data + (uint64_t)j * Fr::LIMBS;
  Fr a = Fr::load(x), b = Fr::load(y);
  Fr::store(x, b);
  Fr::store(y, a);
}

// Tables of powers: table[i] = first·ratio^i, i < n, from squares[k] = ratio^(2^k).
KERNEL(256) ntt_powers(uint32_t *table, const uint32_t *first, const uint32_t *squares, uint32_t n) {
  uint32_t i = globalIndex();
  if (i >= n) return;
  Fr x = Fr::load(first);
#pragma unroll 1
  for (uint32_t rest = i; rest; rest &= rest - 1)
    x = Fr::mul(x, Fr::load(squares + trailingZeros(rest) * Fr::LIMBS));
  Fr::store(table + (uint64_t)i * Fr::LIMBS, x);
}

// Decimation in frequency of a block of B elements: stages of halves B/2, B/4, …, in which (u, v) at
// distance half become (u + v, (u − v)·w^(j mod half)), w of order 2·half. The first `radix` stages of
// it mix only elements at distance q = B/2^radix: the column base + t·q, 0 ≤ t < 2^radix. There the
// twiddle of stage d is a root of order 2^radix to the power of 2^d·t' times w_B^(2^d·base); the
// factors with base gather, at position t of the result, to w_B^(base·reversed(t)), one product behind
// the stages instead of one more in every stage. Then the q-blocks follow on their own, B ← q.
// After all stages coefficient i lies at reversed(i).
//
// In a stage of half 2^log thread t holds positions j and j + 2^log, j = t with a zero put in at bit
// log. In the next one bit log − 1 is the pair's: threads that differ in it hold two halves of each
// other's pairs, and one element goes each way (exchange). The forward transform is the same read
// backwards, w⁻¹ for w.
