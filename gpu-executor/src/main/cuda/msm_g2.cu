// Sums of points of G2, two lanes an element.
#include "msm.cuh"

// Called throughout: ten products of two and a half thousand instructions each would not fit a
// multiprocessor's instruction cache.
MSM_KERNELS(g2, Fp2Called, Fp2Called, 2)
