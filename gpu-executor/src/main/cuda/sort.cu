// What a multi-scalar multiplication does with scalars and indices before points are touched: signed
// digits, a radix partition of (bucket, point) pairs, and the buckets cut into tasks of bounded length,
// the longest first. Several windows of the scalars are handled at a time, one in each row of the grid.
#include "fr.cuh"

#define SIGN 0x80000000u

// ------------------------------------------------------------------------------------------------ sums

// Exclusive sum over a block of v; total is the sum of all. Every thread of the block must call it.
DEVICE uint32_t blockScan(uint32_t v, uint32_t *sums, uint32_t &total) {
  const uint32_t lane = threadIndex() & 31, warp = threadIndex() >> 5, warps = blockThreads() >> 5;
  uint32_t x = v;
#pragma unroll
  for (uint32_t by = 1; by < 32; by <<= 1) {
    uint32_t y = shuffleUp(0xffffffffu, x, by);
    if (lane >= by) x += y;
  }
  if (lane == 31) sums[warp] = x;
  blockBarrier();
  uint32_t before = 0;
  total = 0;
  for (uint32_t w = 0; w < warps; w++) {
    uint32_t s = sums[w];
    if (w < warp) before += s;
    total += s;
  }
  blockBarrier();
  return before + x - v;
}

// Exclusive sums over tiles of 4·threads elements, in place; totals[tile] = the tile's sum.
KERNEL(256) scan_tiles(uint32_t *data, uint32_t n, uint32_t *totals) {
  __shared__ uint32_t sums[8];
  const uint32_t from = 4 * globalIndex();
  uint32_t v[4], own = 0, total;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    v[k] = from + k < n ? data[from + k] : 0;
    own += v[k];
  }
  uint32_t before = blockScan(own, sums, total);
#pragma unroll
  for (int k = 0; k < 4; k++) {
    if (from + k < n) data[from + k] = before;
    before += v[k];
  }
  if (threadIndex() == 0) totals[blockIndex()] = total;
}

// Exclusive sums over totals, in place, by one block; *sum = the sum of all.
KERNEL(256) scan_totals(uint32_t *totals, uint32_t n, uint32_t *sum) {
  __shared__ uint32_t sums[8];
  uint32_t carry = 0;
  for (uint32_t from = 0; from < n; from += blockThreads()) {
    const uint32_t i = from + threadIndex();
    uint32_t total, before = blockScan(i < n ? totals[i] : 0, sums, total);
    if (i < n) totals[i] = carry + before;
    carry += total;
  }
  if (threadIndex() == 0) *sum = carry;
}

// data[i] += totals[tile of i], tiles of 4·threads elements.
KERNEL(256) scan_add(uint32_t *data, uint32_t n, const uint32_t *totals) {
  const uint32_t from = 4 * globalIndex(), add = totals[blockIndex()];
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (from + k < n) data[from + k] += add;
}

// --------------------------------------------------------------------------------------------- scalars

// The order of a polynomial's coefficients that a list of points has: io.cuzk.field.CoefficientOrder.
#define ORDER_LIST 0       // no polynomial: scalar i belongs to point i
#define ORDER_NATURAL 1
#define ORDER_BIT_REVERSED 2
#define ORDER_ROW_GROUPS 3

// Which scalar belongs to point i; the scalars of a polynomial lie bit-reversed, as a transform on this
// device leaves them.
DEVICE uint32_t scalarOf(uint32_t i, uint32_t order, uint32_t logSize) {
  if (order == ORDER_LIST || order == ORDER_BIT_REVERSED) return i;
  if (order == ORDER_ROW_GROUPS) {
    if (logSize < 6) return i;
    const uint32_t rows = logSize / 2, columns = logSize - rows, group = i >> 3;
    i = (group & ((1u << columns) - 1)) << rows | group >> columns << 3 | (i & 7);
  }
  return reverseBits(i) >> (32 - logSize);
}

// prepared[k] = the scalar of point from + k as its absolute value below 2^254, in the top bit its sign:
// s, or −(r − s) where s is above r/2. Scalars are in Montgomery form.
KERNEL(256) msm_prepare(
    uint32_t *prepared, const uint32_t *scalars, uint32_t from, uint32_t n, uint32_t order,
    uint32_t logSize) {
  const uint32_t i = globalIndex();
  if (i >= n) return;
  Fr s = Fr::canonical(Fr::load(scalars + (uint64_t)scalarOf(from + i, order, logSize) * Fr::LIMBS));
  // The halves' top limbs differ, or s is within 2^224 of r/2: either sign will do.
  if (s.v[7] > FrParameters::modulus(7) >> 1) {
    s = Fr::complement(s);
    s.v[7] |= SIGN;
  }
  Fr::store(prepared + (uint64_t)i * Fr::LIMBS, s);
}

struct Digit {
  uint32_t value;  // 0 … 2^(c−1)
  uint32_t sign;   // SIGN or 0
};

// The Booth digit of a window: s = Σ d_w·2^(where w begins), |d_w| ≤ 2^(c−1). The first `wide` windows
// have c bits, the others c − 1, so that none is much narrower than the others.
DEVICE Digit digit(
    const uint32_t *prepared, uint32_t i, uint32_t window, uint32_t c, uint32_t wide) {
  const uint32_t *s = prepared + (uint64_t)i * Fr::LIMBS;
  const uint32_t sign = s[7] & SIGN;
  uint32_t at = window * c;
  if (window >= wide) {
    at -= window - wide;
    c--;
  }
  // c + 1 bits, the lowest one of the window before.
  const int low = (int)at - 1;
  uint64_t bits;
  if (low < 0) {
    bits = (uint64_t)s[0] << 1;
  } else {
    const uint32_t word = low >> 5;
    uint32_t w0 = s[word], w1 = word < 7 ? s[word + 1] : 0;
    if (word == 7) w0 &= ~SIGN;
    if (word == 6) w1 &= ~SIGN;
    bits = ((uint64_t)w1 << 32 | w0) >> (low & 31);
  }
  const uint32_t v = (uint32_t)bits & ((2u << c) - 1);
  const int d = (int)((v + 1) >> 1) - (int)(v >> c << c);
  return {(uint32_t)(d < 0 ? -d : d), d < 0 ? sign ^ SIGN : sign};
}

// ------------------------------------------------------------------------------------------- partition

// counts[(window·parts + part)·tiles + tile] = pairs of a tile of `tile` scalars with a bucket in a part,
// a part being 2^logPart buckets. The grid is tiles × windows.
KERNEL(256) msm_count(
    uint32_t *counts, const uint32_t *prepared, uint32_t n, uint32_t c, uint32_t wide,
    uint32_t firstWindow, uint32_t logPart, uint32_t parts, uint32_t tile) {
  extern __shared__ uint32_t part[];
  for (uint32_t k = threadIndex(); k < parts; k += blockThreads()) part[k] = 0;
  blockBarrier();
  const uint32_t from = blockIndex() * tile, to = from + tile < n ? from + tile : n;
  for (uint32_t i = from + threadIndex(); i < to; i += blockThreads()) {
    Digit d = digit(prepared, i, firstWindow + blockRow(), c, wide);
    if (d.value) addShared(&part[(d.value - 1) >> logPart], 1);
  }
  blockBarrier();
  for (uint32_t k = threadIndex(); k < parts; k += blockThreads())
    counts[(blockRow() * parts + k) * gridBlocks() + blockIndex()] = part[k];
}

// pairs[…] = (bucket within its part, point and sign), at the places that the summed counts give.
KERNEL(256) msm_partition(
    Pair32 *pairs, const uint32_t *offsets, const uint32_t *prepared, uint32_t n, uint32_t c,
    uint32_t wide, uint32_t firstWindow, uint32_t logPart, uint32_t parts, uint32_t tile) {
  extern __shared__ uint32_t part[];
  for (uint32_t k = threadIndex(); k < parts; k += blockThreads())
    part[k] = offsets[(blockRow() * parts + k) * gridBlocks() + blockIndex()];
  blockBarrier();
  const uint32_t from = blockIndex() * tile, to = from + tile < n ? from + tile : n;
  for (uint32_t i = from + threadIndex(); i < to; i += blockThreads()) {
    Digit d = digit(prepared, i, firstWindow + blockRow(), c, wide);
    if (!d.value) continue;
    const uint32_t bucket = d.value - 1;
    const uint32_t at = addShared(&part[bucket >> logPart], 1);
    pairs[at] = {bucket & ((1u << logPart) - 1), i | d.sign};
  }
}

// Sorts each part by bucket, one block a part: sizes[b] = points of bucket b, starts[b] = where they
// begin in `points`, over all windows. points[…] = map[point], or the point itself, with its sign.
// The grid is parts × windows.
KERNEL(256) msm_sort(
    uint32_t *points, uint32_t *starts, uint32_t *sizes, const Pair32 *pairs, const uint32_t *offsets,
    uint32_t tiles, uint32_t logPart, const uint32_t *map) {
  extern __shared__ uint32_t cursor[];
  __shared__ uint32_t sums[8];
  const uint32_t part = blockRow() * gridBlocks() + blockIndex(), width = 1u << logPart;
  const uint32_t from = offsets[part * tiles], to = offsets[(part + 1) * tiles];
  for (uint32_t k = threadIndex(); k < width; k += blockThreads()) cursor[k] = 0;
  blockBarrier();
  for (uint32_t i = from + threadIndex(); i < to; i += blockThreads()) addShared(&cursor[pairs[i].x], 1);
  blockBarrier();
  uint32_t carry = from;
  for (uint32_t k = 0; k < width; k += blockThreads()) {
    const uint32_t b = k + threadIndex();
    const uint32_t size = b < width ? cursor[b] : 0;
    uint32_t total, start = carry + blockScan(size, sums, total);
    if (b < width) {
      cursor[b] = start;
      starts[(part << logPart) + b] = start;
      sizes[(part << logPart) + b] = size;
    }
    carry += total;
  }
  blockBarrier();
  for (uint32_t i = from + threadIndex(); i < to; i += blockThreads()) {
    const Pair32 p = pairs[i];
    const uint32_t at = addShared(&cursor[p.x], 1);
    points[at] = map ? map[p.y & ~SIGN] | (p.y & SIGN) : p.y;
  }
}

// ----------------------------------------------------------------------------------------------- tasks

// A bucket of more than `longest` points is several tasks, whose sums are added up afterwards.
// pieces[b] = tasks of bucket b; counts[(longest − length)·blocks + block] = tasks of that length among
// the block's buckets.
KERNEL(256) msm_task_count(
    uint32_t *pieces, uint32_t *counts, const uint32_t *sizes, uint32_t buckets, uint32_t longest) {
  extern __shared__ uint32_t ofLength[];
  for (uint32_t k = threadIndex(); k < longest; k += blockThreads()) ofLength[k] = 0;
  blockBarrier();
  const uint32_t b = globalIndex();
  if (b < buckets) {
    const uint32_t whole = sizes[b] / longest, rest = sizes[b] % longest;
    if (whole) addShared(&ofLength[0], whole);
    if (rest) addShared(&ofLength[longest - rest], 1);
    pieces[b] = whole + (rest ? 1 : 0);
  }
  blockBarrier();
  for (uint32_t k = threadIndex(); k < longest; k += blockThreads())
    counts[k * gridBlocks() + blockIndex()] = ofLength[k];
}

// tasks[…] = (first place in the sorted points, length, number, 0), the longest first; of[number] =
// (which piece of its bucket, pieces from there on). firsts = the summed pieces.
KERNEL(256) msm_task_list(
    Quad32 *tasks, Pair32 *of, const uint32_t *firsts, const uint32_t *offsets, const uint32_t *starts,
    const uint32_t *sizes, uint32_t buckets, uint32_t longest) {
  extern __shared__ uint32_t ofLength[];
  for (uint32_t k = threadIndex(); k < longest; k += blockThreads())
    ofLength[k] = offsets[k * gridBlocks() + blockIndex()];
  blockBarrier();
  const uint32_t b = globalIndex();
  if (b >= buckets) return;
  const uint32_t whole = sizes[b] / longest, rest = sizes[b] % longest;
  const uint32_t pieces = whole + (rest ? 1 : 0), first = firsts[b];
  if (!pieces) return;
  uint32_t start = starts[b], at = whole ? addShared(&ofLength[0], whole) : 0;
  for (uint32_t k = 0; k < whole; k++, start += longest) {
    tasks[at + k] = {start, longest, first + k, 0};
    of[first + k] = {k, pieces - k};
  }
  if (rest) {
    tasks[addShared(&ofLength[longest - rest], 1)] = {start, rest, first + whole, 0};
    of[first + whole] = {whole, 1};
  }
}

// ------------------------------------------------------------------------------------------------ bits

// counts[block] = ones among the block's words, a word a thread.
KERNEL(256) bits_count(uint32_t *counts, const uint32_t *bits, uint32_t words) {
  __shared__ uint32_t sums[8];
  const uint32_t i = globalIndex();
  uint32_t total;
  blockScan(i < words ? countBits(bits[i]) : 0, sums, total);
  if (threadIndex() == 0) counts[blockIndex()] = total;
}

// indices[…] = the places of the ones in ascending order.
KERNEL(256) bits_list(uint32_t *indices, const uint32_t *offsets, const uint32_t *bits, uint32_t words) {
  __shared__ uint32_t sums[8];
  const uint32_t i = globalIndex();
  const uint32_t word = i < words ? bits[i] : 0;
  uint32_t total, at = offsets[blockIndex()] + blockScan(countBits(word), sums, total);
  for (uint32_t rest = word; rest; rest &= rest - 1) indices[at++] = 32 * i + trailingZeros(rest);
}
