// Fp2 = Fp[u]/(u² + 1) with an element in two neighbouring lanes: c0 in the even one, c1 in the odd.
//
// The lanes of a pair take every branch together; other pairs may be elsewhere, so shuffles name the
// pair only.
#pragma once
#include "fp.cuh"

struct Fp2Half {
  static const uint32_t LIMBS = 12;
  static const uint32_t LANES = 2;
  Fp v;

  DEVICE bool odd() { return threadIndex() & 1; }
  DEVICE uint32_t pairMask() { return 3u << (threadIndex() & 30); }
  // What the other lane of the pair holds.
  DEVICE Fp other(const Fp &a) {
    Fp r;
    uint32_t mask = pairMask();
#pragma unroll
    for (int i = 0; i < 12; i++) r.v[i] = shuffleXor(mask, a.v[i], 1);
    return r;
  }

  DEVICE Fp2Half zero() { return {Fp::zero()}; }
  DEVICE Fp2Half one() { return {Fp::select(odd(), Fp::zero(), Fp::one())}; }
  DEVICE bool isZero(const Fp2Half &a) {
    uint32_t own = Fp::isZero(a.v);
    return own & shuffleXor(pairMask(), own, 1);
  }
  DEVICE Fp2Half load(const uint32_t *from) { return {Fp::load(from + (odd() ? 12 : 0))}; }
  DEVICE void store(uint32_t *to, const Fp2Half &a) { Fp::store(to + (odd() ? 12 : 0), a.v); }
  DEVICE Fp2Half add(const Fp2Half &a, const Fp2Half &b) { return {Fp::add(a.v, b.v)}; }
  DEVICE Fp2Half sub(const Fp2Half &a, const Fp2Half &b) { return {Fp::sub(a.v, b.v)}; }
  DEVICE Fp2Half dbl(const Fp2Half &a) { return {Fp::dbl(a.v)}; }
  DEVICE Fp2Half neg(const Fp2Half &a) { return {Fp::neg(a.v)}; }

  DEVICE Fp2Half mul(const Fp2Half &a, const Fp2Half &b) {
    bool o = odd();
    Fp a1 = other(a.v), b1 = other(b.v);
    Fp c = Fp::select(o, a1, Fp::complement(a1));
    return {Fp::mulAdd(a.v, Fp::select(o, b1, b.v), c, Fp::select(o, b.v, b1))};
  }
  DEVICE Fp2Half sqr(const Fp2Half &a) {
    bool o = odd();
    Fp a1 = other(a.v);
    Fp sum = Fp::add(Fp::select(o, a1, a.v), a1);
    return {Fp::mul(sum, Fp::select(o, a.v, Fp::sub(a.v, a1)))};
  }
};

DEVICE_CALL Fp2Half fp2MulCall(FP_PARAMETERS(a), FP_PARAMETERS(b)) {
  return Fp2Half::mul({FP_OF(a)}, {FP_OF(b)});
}
DEVICE_CALL Fp2Half fp2SqrCall(FP_PARAMETERS(a)) { return Fp2Half::sqr({FP_OF(a)}); }

// (a0 + a1·u)(b0 + b1·u) = (a0·b0 − a1·b1) + (a1·b0 + a0·b1)·u. A lane's own half of a stands first,
// so both compute own·b0 + c·b1 with c = −a1 in the even lane, a0 in the odd: one sum of two
// products, one and a half multiplications a lane.
// Squares: (a0 + a1)(a0 − a1) in the even lane, (a0 + a0)·a1 in the odd.
