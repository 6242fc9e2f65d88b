// Chains of 32-bit additions and multiplications that hand on the carry flag.
//
// The flag lives between asm statements: they are volatile, so that the compiler keeps their order,
// and nothing else in a kernel touches it. A product's lower and upper half stand in ONE statement:
// only then does ptxas fuse the pair to one IMAD.WIDE.
#pragma once
#include "cuda.cuh"

DEVICE uint32_t addCc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
DEVICE uint32_t addcCc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
DEVICE uint32_t addc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
DEVICE uint32_t subCc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
DEVICE uint32_t subcCc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
DEVICE uint32_t subc(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

// (h, l) = a·b
DEVICE void mulWide(uint32_t &l, uint32_t &h, uint32_t a, uint32_t b) {
  asm volatile("mul.lo.u32 %0, %2, %3; mul.hi.u32 %1, %2, %3;" : "=r"(l), "=r"(h) : "r"(a), "r"(b));
}
// (h, l) += a·b; begins a chain
DEVICE void madWide(uint32_t &l, uint32_t &h, uint32_t a, uint32_t b) {
  asm volatile("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
               : "+r"(l), "+r"(h)
               : "r"(a), "r"(b));
}
// (h, l) += a·b + carry
DEVICE void madcWide(uint32_t &l, uint32_t &h, uint32_t a, uint32_t b) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
               : "+r"(l), "+r"(h)
               : "r"(a), "r"(b));
}
// (h, l) = a·b + (d, c) + carry
DEVICE void madcWideFrom(uint32_t &l, uint32_t &h, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, %4; madc.hi.cc.u32 %1, %2, %3, %5;"
               : "=r"(l), "=r"(h)
               : "r"(a), "r"(b), "r"(c), "r"(d));
}
// (h, l) = a·b + carry; ends a chain
DEVICE void madcWideLast(uint32_t &l, uint32_t &h, uint32_t a, uint32_t b) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, 0; madc.hi.u32 %1, %2, %3, 0;"
               : "=r"(l), "=r"(h)
               : "r"(a), "r"(b));
}
