// Marks functions compiled for the host and, by nvcc, for the GPU as well.
#pragma once

#if defined(__CUDACC__)
#define LBM_HD __host__ __device__ __forceinline__
#else
#define LBM_HD inline __attribute__((always_inline))
#endif

// Full unrolling of the short loops over directions, so that their indices become constants.
#if defined(__CUDACC__)
#define LBM_UNROLL _Pragma("unroll")
#else
#define LBM_UNROLL _Pragma("GCC unroll 32")
#endif
