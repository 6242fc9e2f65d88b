// Points of y² = x³ + b over a field F: affine (x, y), infinity as x = y = 0; and XYZZ, x = X/ZZ, y =
// Y/ZZZ with ZZ³ = ZZZ², infinity as ZZ = 0.
//
// All sums are complete: infinity, equal and opposite operands are handled, in cold branches that
// work on copies, because the address of an accumulator would put it into local memory.
//
// M says how products are made, inlined or called, and M::Cold how in branches hardly ever taken.
#pragma once
#include "fp2.cuh"

struct FpCalled {
  typedef Fp Field;
  typedef FpCalled Cold;
  DEVICE Fp mul(const Fp &a, const Fp &b) { return fpMulCall(FP_LIMBS(a), FP_LIMBS(b)); }
  DEVICE Fp sqr(const Fp &a) { return fpMulCall(FP_LIMBS(a), FP_LIMBS(a)); }
};
struct FpInlined {
  typedef Fp Field;
  typedef FpCalled Cold;
  DEVICE Fp mul(const Fp &a, const Fp &b) { return Fp::mul(a, b); }
  DEVICE Fp sqr(const Fp &a) { return Fp::sqr(a); }
};
struct Fp2Called {
  typedef Fp2Half Field;
  typedef Fp2Called Cold;
  DEVICE Fp2Half mul(const Fp2Half &a, const Fp2Half &b) { return fp2MulCall(FP_LIMBS(a.v), FP_LIMBS(b.v)); }
  DEVICE Fp2Half sqr(const Fp2Half &a) { return fp2SqrCall(FP_LIMBS(a.v)); }
};
template <class F>
struct Affine {
  static const uint32_t WORDS = 2 * F::LIMBS * F::LANES;
  F x, y;

  DEVICE Affine load(const uint32_t *from) {
    return {F::load(from), F::load(from + F::LIMBS * F::LANES)};
  }
  DEVICE bool isInfinity(const Affine &p) { return F::isZero(p.x) && F::isZero(p.y); }
};

template <class F>
struct Xyzz {
  static const uint32_t WORDS = 4 * F::LIMBS * F::LANES;
  F x, y, zz, zzz;

  DEVICE Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  DEVICE bool isInfinity(const Xyzz &p) { return F::isZero(p.zz); }
  DEVICE Xyzz load(const uint32_t *from) {
    const uint32_t n = F::LIMBS * F::LANES;
    return {F::load(from), F::load(from + n), F::load(from + 2 * n), F::load(from + 3 * n)};
  }
  DEVICE void store(uint32_t *to, const Xyzz &p) {
    const uint32_t n = F::LIMBS * F::LANES;
    F::store(to, p.x);
    F::store(to + n, p.y);
    F::store(to + 2 * n, p.zz);
    F::store(to + 3 * n, p.zzz);
  }
};

// 2·p (dbl-2008-s-1 with a = 0). Infinity stays infinity.
template <class M>
DEVICE Xyzz<typename M::Field> doubled(const Xyzz<typename M::Field> &p) {
  typedef typename M::Field F;
  Xyzz<F> r;
  F u = F::dbl(p.y);
  F v = M::sqr(u);
  F w = M::mul(u, v);
  F s = M::mul(p.x, v);
  F m = M::sqr(p.x);
  m = F::add(F::dbl(m), m);
  r.x = F::sub(M::sqr(m), F::dbl(s));
  r.y = F::sub(M::mul(m, F::sub(s, r.x)), M::mul(w, p.y));
  r.zz = M::mul(v, p.zz);
  r.zzz = M::mul(w, p.zzz);
  return r;
}

// p += q (madd-2008-s): eight products and two squares.
template <class M>
DEVICE void addAffine(Xyzz<typename M::Field> &p, const Affine<typename M::Field> &q) {
  typedef typename M::Field F;
  if (Affine<F>::isInfinity(q)) return;
  if (Xyzz<F>::isInfinity(p)) {
    p.x = q.x;
    p.y = q.y;
    p.zz = F::one();
    p.zzz = F::one();
    return;
  }
  F dx = F::sub(M::mul(q.x, p.zz), p.x);
  F dy = F::sub(M::mul(q.y, p.zzz), p.y);
  if (F::isZero(dx)) {
    if (F::isZero(dy)) {
      p = doubled<typename M::Cold>(p);
    } else {
      p = Xyzz<F>::infinity();
    }
    return;
  }
  F xx = M::sqr(dx);
  F xxx = M::mul(dx, xx);
  F s = M::mul(p.x, xx);
  p.x = F::sub(F::sub(M::sqr(dy), xxx), F::dbl(s));
  p.y = F::sub(M::mul(dy, F::sub(s, p.x)), M::mul(p.y, xxx));
  p.zz = M::mul(p.zz, xx);
  p.zzz = M::mul(p.zzz, xxx);
}

// p += q (add-2008-s): twelve products and two squares.
template <class M>
DEVICE void add(Xyzz<typename M::Field> &p, const Xyzz<typename M::Field> &q) {
  typedef typename M::Field F;
  if (Xyzz<F>::isInfinity(q)) return;
  if (Xyzz<F>::isInfinity(p)) {
    p = q;
    return;
  }
  F x1 = M::mul(p.x, q.zz);
  F y1 = M::mul(p.y, q.zzz);
  F dx = F::sub(M::mul(q.x, p.zz), x1);
  F dy = F::sub(M::mul(q.y, p.zzz), y1);
  if (F::isZero(dx)) {
    if (F::isZero(dy)) {
      p = doubled<typename M::Cold>(p);
    } else {
      p = Xyzz<F>::infinity();
    }
    return;
  }
  F xx = M::sqr(dx);
  F xxx = M::mul(dx, xx);
  F s = M::mul(x1, xx);
  p.x = F::sub(F::sub(M::sqr(dy), xxx), F::dbl(s));
  p.y = F::sub(M::mul(dy, F::sub(s, p.x)), M::mul(y1, xxx));
  p.zz = M::mul(M::mul(p.zz, q.zz), xx);
  p.zzz = M::mul(M::mul(p.zzz, q.zzz), xxx);
}

// (X, Y, ZZ, ZZZ) stands for (X/ZZ, Y/ZZZ). With U = x2·ZZ1 − X1 (dx) and R = y2·ZZZ1 − Y1 (dy):
//   X3 = R² − U³ − 2·X1·U²,  Y3 = R·(X1·U² − X3) − Y1·U³,  ZZ3 = ZZ1·U²,  ZZZ3 = ZZZ1·U³.
// U = 0: equal x. Then R = 0 means the same point, else its opposite (no point of either subgroup,
// and none of the curves of order prime to 2, has y = 0; where y = 0, doubling gives ZZ = 0,
// infinity, as it must).
// Doubling, U = 2·Y: V = U², W = U·V, S = X·V, M = 3·X², X3 = M² − 2·S, Y3 = M·(S − X3) − W·Y,
// ZZ3 = V·ZZ, ZZZ3 = W·ZZZ.
