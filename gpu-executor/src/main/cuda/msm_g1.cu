// Sums of points of G1, one thread an element.
#include "msm.cuh"

MSM_KERNELS(g1, FpInlined, FpCalled, 3)
