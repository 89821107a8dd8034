//// aligned
/* gcc 12 may align an array less than its vector code for loops over it needs, which ends the
   process, unless the array is declared to be aligned as the longest vectors are. */
#ifdef __GNUC__
#define OPC_ALIGNED __attribute__((aligned(@WIDEST@)))
#else
#define OPC_ALIGNED
#endif

//// rolled
/* Unrolled, the next loop would not be vectorized. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_ROLLED _Pragma("GCC unroll 1")
#else
#define OPC_ROLLED
#endif

//// few
/* Not unrolled: values of several iterations would take the registers of sums. */
#if defined(__clang__)
#define OPC_FEW _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define OPC_FEW _Pragma("GCC unroll 1")
#else
#define OPC_FEW
#endif

//// in_order
/* Loads stay in the order of the text, which is that of memory, as processors prefetch it. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_IN_ORDER __attribute__((optimize("no-schedule-insns", "no-tree-ter", "no-ivopts")))
#else
#define OPC_IN_ORDER
#endif

//// inline
/* Called by functions with options of their own, which inline nothing else. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_INLINE __attribute__((always_inline))
#else
#define OPC_INLINE
#endif

//// no_vectors
/* This loop is not vectorized.  Where a negative step leaves out elements, gcc 12 loads those of
   several iterations with what lies between them, and begins behind the array. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_NO_VECTORS __asm__ volatile("")
#else
#define OPC_NO_VECTORS (void)0
#endif

//// unroll
/* The next loop is unrolled: its array is in registers. */
#if defined(__clang__)
#define OPC_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define OPC_UNROLL _Pragma("GCC unroll 64")
#else
#define OPC_UNROLL
#endif

//// vector
/* Bytes in a vector register.  No result depends on it: each lane is computed by itself, and lanes
   are combined in one order. */
#if defined(__AVX512F__)
#define OPC_VECTOR 64
#elif defined(__AVX__)
#define OPC_VECTOR 32
#else
#define OPC_VECTOR 16
#endif

//// each
/* What is computed of vectors, lane by lane where a compiler has none. */
#ifdef OPC_HAS_VECTORS
#define OPC_EACH(lanes)
#define OPC_AT(x) x
#else
#define OPC_EACH(lanes) for (int k = 0; k < lanes; ++k)
#define OPC_AT(x) x[k]
#endif

//// fused
/* Processors with an instruction for a b + c, rounded once.  gcc has one macro for all of them,
   clang one for each kind. */
#if defined(__FMA__) || defined(__FP_FAST_FMAF)
#define OPC_FMA_F32
#elif defined(__ARM_FEATURE_FMA) && defined(__ARM_FP) && (__ARM_FP & 4) != 0
#define OPC_FMA_F32
#elif defined(__clang__) && defined(__riscv_flen)
#define OPC_FMA_F32
#elif defined(__clang__) && (defined(__s390x__) || defined(__powerpc64__))
#define OPC_FMA_F32
#endif
#if defined(__FMA__) || defined(__FP_FAST_FMA)
#define OPC_FMA_F64
#elif defined(__ARM_FEATURE_FMA) && defined(__ARM_FP) && (__ARM_FP & 8) != 0
#define OPC_FMA_F64
#elif defined(__clang__) && defined(__riscv_flen)
#if __riscv_flen >= 64
#define OPC_FMA_F64
#endif
#elif defined(__clang__) && (defined(__s390x__) || defined(__powerpc64__))
#define OPC_FMA_F64
#endif
/* c becomes a b + c.  Without an operating system, clang for Arm calls a library function that may
   round twice; gcc for POWER vectorizes loops with vmaddfp, which flushes subnormal numbers. */
#if defined(__clang__) && defined(__arm__)
#define OPC_FUSE_F32(a, b, c) __asm__("vfma.f32 %0, %1, %2" : "+t"(c) : "t"(a), "t"(b))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__ALTIVEC__)
#define OPC_FUSE_F32(a, b, c) __asm__("fmadds %0, %1, %2, %0" : "+f"(c) : "f"(a), "f"(b))
#else
#define OPC_FUSE_F32(a, b, c) (c) = __builtin_fmaf(a, b, c)
#endif
