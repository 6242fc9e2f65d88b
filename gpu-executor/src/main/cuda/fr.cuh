// The scalar field of BLS12-381: 8 limbs.
#pragma once
#include "montgomery.cuh"

// Modulus and −p⁻¹ from constant memory: as literals, 1 and 2^32 − 1 among them, ptxas would take
// the products apart (270 instead of 218 instructions a multiplication).
__device__ __constant__ uint32_t FR_MODULUS[8] = {0x00000001u, 0xffffffffu, 0xfffe5bfeu, 0x53bda402u,
                                                  0x09a1d805u, 0x3339d808u, 0x299d7d48u, 0x73eda753u};
__device__ __constant__ uint32_t FR_M0 = 0xffffffffu;

struct FrParameters {
  static const int N = 8;
  DEVICE uint32_t m0() { return FR_M0; }
  DEVICE uint32_t factor(int i) {
    return FR_MODULUS[i];
  }
  DEVICE constexpr uint32_t modulus(int i) {
    constexpr uint32_t w[8] = {0x00000001u, 0xffffffffu, 0xfffe5bfeu, 0x53bda402u,
                               0x09a1d805u, 0x3339d808u, 0x299d7d48u, 0x73eda753u};
    return w[i];
  }
  DEVICE constexpr uint32_t one(int i) {
    constexpr uint32_t w[8] = {0xfffffffeu, 0x00000001u, 0x00034802u, 0x5884b7fau,
                               0xecbc4ff5u, 0x998c4fefu, 0xacc5056fu, 0x1824b159u};
    return w[i];
  }
  DEVICE constexpr uint32_t square(int i) {
    constexpr uint32_t w[8] = {0xf3f29c6du, 0xc999e990u, 0x87925c23u, 0x2b6cedcbu,
                               0x7254398fu, 0x05d31496u, 0x9f59ff11u, 0x0748d9d9u};
    return w[i];
  }
};

typedef Montgomery<FrParameters> Fr;

// r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001, r − 1 divisible by 2^32.
