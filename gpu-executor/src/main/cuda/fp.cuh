// The base field of BLS12-381: 12 limbs.
#pragma once
#include "montgomery.cuh"

struct FpParameters {
  static const int N = 12;
  DEVICE uint32_t m0() { return 0xfffcfffdu; }
  DEVICE constexpr uint32_t factor(int i) {
    return modulus(i);
  }
  DEVICE constexpr uint32_t modulus(int i) {
    constexpr uint32_t w[12] = {0xffffaaabu, 0xb9feffffu, 0xb153ffffu, 0x1eabfffeu,
                                0xf6b0f624u, 0x6730d2a0u, 0xf38512bfu, 0x64774b84u,
                                0x434bacd7u, 0x4b1ba7b6u, 0x397fe69au, 0x1a0111eau};
    return w[i];
  }
  DEVICE constexpr uint32_t one(int i) {
    constexpr uint32_t w[12] = {0x0002fffdu, 0x76090000u, 0xc40c0002u, 0xebf4000bu,
                                0x53c758bau, 0x5f489857u, 0x70525745u, 0x77ce5853u,
                                0xa256ec6du, 0x5c071a97u, 0xfa80e493u, 0x15f65ec3u};
    return w[i];
  }
  DEVICE constexpr uint32_t square(int i) {
    constexpr uint32_t w[12] = {0x1c341746u, 0xf4df1f34u, 0x09d104f1u, 0x0a76e6a6u,
                                0x4c95b6d5u, 0x8de5476cu, 0x939d83c0u, 0x67eb88a9u,
                                0xb519952du, 0x9a793e85u, 0x92cae3aau, 0x11988fe5u};
    return w[i];
  }
};

typedef Montgomery<FpParameters> Fp;

// Limbs as the parameters of a called function: clang would pass structures through memory.
#define FP_PARAMETERS(a)                                                                           \
  uint32_t a##0, uint32_t a##1, uint32_t a##2, uint32_t a##3, uint32_t a##4, uint32_t a##5,        \
      uint32_t a##6, uint32_t a##7, uint32_t a##8, uint32_t a##9, uint32_t a##10, uint32_t a##11
#define FP_OF(a) Fp{{a##0, a##1, a##2, a##3, a##4, a##5, a##6, a##7, a##8, a##9, a##10, a##11}}
#define FP_LIMBS(a)                                                                                \
  a.v[0], a.v[1], a.v[2], a.v[3], a.v[4], a.v[5], a.v[6], a.v[7], a.v[8], a.v[9], a.v[10], a.v[11]

// The product as a call: a quarter of the code of kernels with many products.
DEVICE_CALL Fp fpMulCall(FP_PARAMETERS(a), FP_PARAMETERS(b)) { return Fp::mul(FP_OF(a), FP_OF(b)); }
