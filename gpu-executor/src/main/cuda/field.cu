// Element-wise kernels over vectors of field elements, the expansion of compact assignments, and chains
// of multiplications that measure a device.
#include "fp2.cuh"
#include "fr.cuh"

template <class F, class Op>
DEVICE void each(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n, Op op) {
  uint32_t i = globalIndex() / F::LANES;
  if (i >= n) return;
  const uint64_t at = (uint64_t)i * F::LIMBS * F::LANES;
  F::store(r + at, op(F::load(a + at), F::load(b + at)));
}

#define ELEMENTWISE(name, F, operation)                                                       \
  KERNEL(256) name(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n) {           \
    each<F>(r, a, b, n, [](const F &x, const F &y) { return F::operation(x, y); });           \
  }
ELEMENTWISE(fr_mul, Fr, mul)
ELEMENTWISE(fr_add, Fr, add)
ELEMENTWISE(fr_sub, Fr, sub)
ELEMENTWISE(fp_mul, Fp, mul)
ELEMENTWISE(fp_add, Fp, add)
ELEMENTWISE(fp_sub, Fp, sub)
ELEMENTWISE(fp2_mul, Fp2Half, mul)
ELEMENTWISE(fp2_add, Fp2Half, add)
ELEMENTWISE(fp2_sub, Fp2Half, sub)
KERNEL(256) fp2_sqr(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n) {
  each<Fp2Half>(r, a, b, n, [](const Fp2Half &x, const Fp2Half &) { return Fp2Half::sqr(x); });
}
// b is not read.
KERNEL(256) fr_canonical(uint32_t *r, const uint32_t *a, const uint32_t *b, uint32_t n) {
  each<Fr>(r, a, b, n, [](const Fr &x, const Fr &) { return Fr::canonical(x); });
}

// out[i] = small[i] for i < n, 0 for n ≤ i < size.
KERNEL(256) expand_small(uint32_t *out, const int8_t *small, uint32_t n, uint32_t size) {
  uint32_t i = globalIndex();
  if (i >= size) return;
  int v = i < n ? small[i] : 0;
  Fr x = Fr::zero();
  x.v[0] = v < 0 ? -v : v;
  x = Fr::mul(x, Fr::square());
  Fr::store(out + (uint64_t)i * Fr::LIMBS, Fr::select(v < 0, Fr::neg(x), x));
}

// out[i] = bit i of bits for i < n, 0 for n ≤ i < size.
KERNEL(256) expand_bits(uint32_t *out, const uint32_t *bits, uint32_t n, uint32_t size) {
  uint32_t i = globalIndex();
  if (i >= size) return;
  bool set = i < n && (bits[i >> 5] >> (i & 31) & 1);
  Fr::store(out + (uint64_t)i * Fr::LIMBS, Fr::select(set, Fr::one(), Fr::zero()));
}

// out[rows[i]] = values[i] for i < n.
KERNEL(256) expand_wide(
    uint32_t *out, const uint32_t *rows, const uint32_t *values, uint32_t n) {
  uint32_t i = globalIndex();
  if (i >= n) return;
  Fr::store(out + (uint64_t)rows[i] * Fr::LIMBS, Fr::load(values + (uint64_t)i * Fr::LIMBS));
}

// Coordinates of points from canonical integers to Montgomery form, in place: n elements of Fp.
KERNEL(256) fp_montgomery(uint32_t *a, uint32_t n) {
  uint32_t i = globalIndex();
  if (i >= n) return;
  uint32_t *at = a + (uint64_t)i * Fp::LIMBS;
  Fp::store(at, Fp::mul(Fp::load(at), Fp::square()));
}

// r[i] = a[i]^(times + 1), a product after the other.
KERNEL(256) fr_mul_chain(uint32_t *r, const uint32_t *a, uint32_t n, uint32_t times) {
  uint32_t i = globalIndex();
  if (i >= n) return;
  Fr x = Fr::load(a + (uint64_t)i * Fr::LIMBS), y = x;
#pragma unroll 1
  for (uint32_t k = 0; k < times; k++) y = Fr::mul(y, x);
  Fr::store(r + (uint64_t)i * Fr::LIMBS, y);
}
KERNEL(256) fp_mul_chain(uint32_t *r, const uint32_t *a, uint32_t n, uint32_t times) {
  uint32_t i = globalIndex();
  if (i >= n) return;
  Fp x = Fp::load(a + (uint64_t)i * Fp::LIMBS), y = x;
#pragma unroll 1
  for (uint32_t k = 0; k < times; k++) y = Fp::mul(y, x);
  Fp::store(r + (uint64_t)i * Fp::LIMBS, y);
}
