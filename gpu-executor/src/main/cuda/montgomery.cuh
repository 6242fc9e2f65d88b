// Integers modulo an odd prime p of N 32-bit limbs, N even, as x·2^(32N) mod p, always reduced.
//
// P gives N, modulus(i) as literals, factor(i) = the modulus as the multiplications take it, m0() =
// −p⁻¹ mod 2^32, one(i) = 2^(32N) mod p and square(i) = 2^(64N) mod p.
#pragma once
#include "carry.cuh"

template <class P>
struct alignas(16) Montgomery {
  static const uint32_t LIMBS = P::N;
  static const uint32_t LANES = 1;
  uint32_t v[P::N];

  DEVICE Montgomery zero() {
    Montgomery r;
#pragma unroll
    for (int i = 0; i < P::N; i++) r.v[i] = 0;
    return r;
  }
  DEVICE Montgomery one() {
    Montgomery r;
#pragma unroll
    for (int i = 0; i < P::N; i++) r.v[i] = P::one(i);
    return r;
  }
  // 2^(64N) mod p: a product with it takes an integer to its Montgomery form.
  DEVICE Montgomery square() {
    Montgomery r;
#pragma unroll
    for (int i = 0; i < P::N; i++) r.v[i] = P::square(i);
    return r;
  }
  DEVICE bool isZero(const Montgomery &a) {
    uint32_t any = 0;
#pragma unroll
    for (int i = 0; i < P::N; i++) any |= a.v[i];
    return any == 0;
  }
  DEVICE Montgomery select(
      bool first, const Montgomery &a, const Montgomery &b) {
    Montgomery r;
#pragma unroll
    for (int i = 0; i < P::N; i++) r.v[i] = first ? a.v[i] : b.v[i];
    return r;
  }

  // Elements lie one after another in memory, 16 bytes aligned.
  DEVICE Montgomery load(const uint32_t *from) {
    Montgomery r;
    const Quad32 *q = (const Quad32 *)from;
#pragma unroll
    for (int i = 0; i < P::N / 4; i++) {
      Quad32 w = q[i];
      r.v[4 * i] = w.x;
      r.v[4 * i + 1] = w.y;
      r.v[4 * i + 2] = w.z;
      r.v[4 * i + 3] = w.w;
    }
    return r;
  }
  DEVICE void store(
      uint32_t *to, const Montgomery &a) {
    Quad32 *q = (Quad32 *)to;
#pragma unroll
    for (int i = 0; i < P::N / 4; i++)
      q[i] = Quad32{a.v[4 * i], a.v[4 * i + 1], a.v[4 * i + 2], a.v[4 * i + 3]};
  }

  DEVICE Montgomery add(
      const Montgomery &a, const Montgomery &b) {
    Montgomery r;
    r.v[0] = addCc(a.v[0], b.v[0]);
#pragma unroll
    for (int i = 1; i < P::N - 1; i++) r.v[i] = addcCc(a.v[i], b.v[i]);
    r.v[P::N - 1] = addc(a.v[P::N - 1], b.v[P::N - 1]);
    reduceOnce(r.v);
    return r;
  }
  DEVICE Montgomery sub(
      const Montgomery &a, const Montgomery &b) {
    Montgomery r;
    r.v[0] = subCc(a.v[0], b.v[0]);
#pragma unroll
    for (int i = 1; i < P::N; i++) r.v[i] = subcCc(a.v[i], b.v[i]);
    uint32_t borrow = subc(0, 0);
    r.v[0] = addCc(r.v[0], P::modulus(0) & borrow);
#pragma unroll
    for (int i = 1; i < P::N - 1; i++) r.v[i] = addcCc(r.v[i], P::modulus(i) & borrow);
    r.v[P::N - 1] = addc(r.v[P::N - 1], P::modulus(P::N - 1) & borrow);
    return r;
  }
  DEVICE Montgomery dbl(const Montgomery &a) {
    return add(a, a);
  }
  // p − a: for zero it is p, which products and sums of products take.
  DEVICE Montgomery complement(
      const Montgomery &a) {
    Montgomery r;
    r.v[0] = subCc(P::modulus(0), a.v[0]);
#pragma unroll
    for (int i = 1; i < P::N - 1; i++) r.v[i] = subcCc(P::modulus(i), a.v[i]);
    r.v[P::N - 1] = subc(P::modulus(P::N - 1), a.v[P::N - 1]);
    return r;
  }
  DEVICE Montgomery neg(const Montgomery &a) {
    return sub(zero(), a);
  }

  DEVICE Montgomery mul(
      const Montgomery &a, const Montgomery &b) {
    uint32_t e[P::N], o[P::N];
#pragma unroll
    for (int i = 0; i < P::N; i += 2) {
      row(e, o, a.v, b.v[i], i == 0);
      reduceRow(e, o);
      row(o, e, a.v, b.v[i + 1], false);
      reduceRow(o, e);
    }
    return joined(e, o);
  }
  DEVICE Montgomery sqr(const Montgomery &a) {
    return mul(a, a);
  }
  // a·b + c·d with one reduction. Needs 3p < 2^(32N); operands up to p are taken.
  DEVICE Montgomery mulAdd(
      const Montgomery &a, const Montgomery &b, const Montgomery &c, const Montgomery &d) {
    uint32_t e[P::N], o[P::N];
#pragma unroll
    for (int i = 0; i < P::N; i += 2) {
      row(e, o, a.v, b.v[i], i == 0);
      addRow(e, o, c.v, d.v[i]);
      reduceRow(e, o);
      row(o, e, a.v, b.v[i + 1], false);
      addRow(o, e, c.v, d.v[i + 1]);
      reduceRow(o, e);
    }
    return joined(e, o);
  }
  // a/2^(32N): from Montgomery form to the integer.
  DEVICE Montgomery canonical(
      const Montgomery &a) {
    Montgomery unit = zero();
    unit.v[0] = 1;
    return mul(a, unit);
  }

 private:
  // Σ acc += a[0, 2, …]·b, the carry left in the flag.
  DEVICE void madColumns(
      uint32_t *acc, const uint32_t *a, uint32_t b) {
    madWide(acc[0], acc[1], a[0], b);
#pragma unroll
    for (int j = 2; j < P::N; j += 2) madcWide(acc[j], acc[j + 1], a[j], b);
  }
  DEVICE void row(
      uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b, bool first) {
    if (first) {
#pragma unroll
      for (int j = 0; j < P::N; j += 2) {
        mulWide(o[j], o[j + 1], a[j + 1], b);
        mulWide(e[j], e[j + 1], a[j], b);
      }
      return;
    }
    e[0] = addCc(e[0], o[1]);
#pragma unroll
    for (int j = 0; j < P::N - 2; j += 2)
      madcWideFrom(o[j], o[j + 1], a[j + 1], b, o[j + 2], o[j + 3]);
    madcWideLast(o[P::N - 2], o[P::N - 1], a[P::N - 1], b);
    madColumns(e, a, b);
    o[P::N - 1] = addc(o[P::N - 1], 0);
  }
  DEVICE void addRow(
      uint32_t *e, uint32_t *o, const uint32_t *a, uint32_t b) {
    madColumns(o, a + 1, b);
    madColumns(e, a, b);
    o[P::N - 1] = addc(o[P::N - 1], 0);
  }
  DEVICE void reduceRow(
      uint32_t *e, uint32_t *o) {
    uint32_t q = e[0] * P::m0();
    madWide(o[0], o[1], P::factor(1), q);
#pragma unroll
    for (int j = 2; j < P::N; j += 2) madcWide(o[j], o[j + 1], P::factor(j + 1), q);
    madWide(e[0], e[1], P::factor(0), q);
#pragma unroll
    for (int j = 2; j < P::N; j += 2) madcWide(e[j], e[j + 1], P::factor(j), q);
    o[P::N - 1] = addc(o[P::N - 1], 0);
  }
  DEVICE Montgomery joined(
      const uint32_t *e, const uint32_t *o) {
    Montgomery r;
    r.v[0] = addCc(e[0], o[1]);
#pragma unroll
    for (int i = 1; i < P::N - 1; i++) r.v[i] = addcCc(e[i], o[i + 1]);
    r.v[P::N - 1] = addc(e[P::N - 1], 0);
    reduceOnce(r.v);
    return r;
  }
  DEVICE void reduceOnce(uint32_t *r) {
    uint32_t t[P::N];
    t[0] = subCc(r[0], P::modulus(0));
#pragma unroll
    for (int i = 1; i < P::N; i++) t[i] = subcCc(r[i], P::modulus(i));
    uint32_t borrow = subc(0, 0);
#pragma unroll
    for (int i = 0; i < P::N; i++) r[i] = borrow ? r[i] : t[i];
  }
};

// Products are interleaved with their reduction, a limb b_i of one factor at a time (CIOS):
//
//   T ← (T + a·b_i + q·p)/2^32,   q = T·(−p⁻¹) mod 2^32.
//
// a·b_i consists of double limbs a_j·b_i at weight j. Those of even j lie side by side in e, those
// of odd j in o, which has weights 1 … N; so each is one multiply-add of 64 bits, and a row of
// them one chain of carries. Division by 2^32 makes odd weights even: the next row takes e for o
// and o for e, and moves what is left by one double limb on the way (madcWideFrom).
//
// Bounds. Rows keep T < 2p where a, b ≤ p: (2p + p·2^32 + p·2^32)/2^32 < 2p + 1. With a second
// product T < 3p. Either is below 2^(32N) for both fields of BLS12-381 (p < 2^255 in 8 limbs, two
// products only for p < 2^381 in 12), and T + a·b_i + c·d_i + q·p below 2^(32(N+1)): o takes the
// carry of e in its last limb without overflow. The result is below (2p²/2^(32N) + p) < 2p, so that
// one conditional subtraction makes it canonical.
