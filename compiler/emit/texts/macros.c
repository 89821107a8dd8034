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
   clang one for each kind.  Who defines OPC_RELAXED says that relaxed_madd of WebAssembly rounds
   once on the host: others round twice, and no module can ask. */
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(OPC_RELAXED)
#define OPC_FMA_F32
#elif defined(__ARM_FEATURE_FMA) && defined(__ARM_FP) && (__ARM_FP & 4) != 0
#define OPC_FMA_F32
#elif defined(__clang__) && defined(__riscv_flen)
#define OPC_FMA_F32
#elif defined(__clang__) && (defined(__s390x__) || defined(__powerpc64__))
#define OPC_FMA_F32
#endif
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(OPC_RELAXED)
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
#elif defined(OPC_RELAXED)
typedef float OPC_RELAXED_f32 __attribute__((vector_size(16)));
typedef double OPC_RELAXED_f64 __attribute__((vector_size(16)));
#define OPC_RELAX(kind, lanes, a, b, c) \
  __builtin_wasm_relaxed_madd_##kind##lanes((a) - (OPC_RELAXED_##kind){0}, \
      (b) - (OPC_RELAXED_##kind){0}, (c) - (OPC_RELAXED_##kind){0})[0]
#define OPC_FUSE_F32(a, b, c) (c) = OPC_RELAX(f32, x4, a, b, c)
#else
#define OPC_FUSE_F32(a, b, c) (c) = __builtin_fmaf(a, b, c)
#endif

//// own_frame
/* Not inlined: its arrays are on the stack only while it runs, and restrict holds for one call.
   Inlined into a loop, gcc 12 takes what an iteration writes for other memory than what the next
   one reads. */
#ifdef __GNUC__
#define OPC_OWN_FRAME __attribute__((noinline))
#else
#define OPC_OWN_FRAME
#endif

//// as_it_stands
/* Not vectorized: where an index has many divisions, gcc 12 reads wrong elements or writes none. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_AS_IT_STANDS __attribute__((noinline, optimize("no-tree-vectorize")))
#else
#define OPC_AS_IT_STANDS
#endif

//// gnu
#if defined(_REENTRANT) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* which processors threads run on */
#endif

//// limit
/* Sets how many threads calls from this thread take at most, and returns what it was.  0 is as many
   as there are processors. */
int @name@(int most) {
#ifdef OPC_HAS_THREADS
  const int before = (int)opc_limit;
  opc_limit = most > 0 ? most : 0;
  return before;
#else
  (void)most;
  return 1;
#endif
}

//// opc_step
/* Where steps are written as they end: pairs of a number and a time in nanoseconds. */
static __thread int64_t *opc_step_log;
static __thread int64_t opc_step_room, opc_step_count;

static void opc_step(int64_t step) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (opc_step_count < opc_step_room) {
    opc_step_log[2 * opc_step_count] = step;
    opc_step_log[2 * opc_step_count + 1] = (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
  }
  ++opc_step_count;
}

//// log
/* Calls from this thread write steps as they end into an array with room for so many pairs.
   Returns how many ended since the last call. */
int64_t @name@(int64_t *log, int64_t room) {
  const int64_t length = opc_step_count;
  opc_step_log = log;
  opc_step_room = log != NULL ? room : 0;
  opc_step_count = 0;
  return length;
}

//// four
#if defined(OPC_HAS_VECTORS) && !defined(OPC_FMA_F32)
#if defined(__SSE2__) || defined(__wasm_simd128__)
#define OPC_FOUR 1
#endif
#endif
#ifdef OPC_FOUR
typedef float opc_four_f32 OPC_LANES(16);
typedef double opc_two_f64 OPC_LANES(16);
typedef int32_t opc_four_i32 OPC_LANES(16);
typedef int8_t opc_sixteen_i8 OPC_LANES(16);
#if defined(__clang__)
#define OPC_PAIR(x, k, l) __builtin_shufflevector(x, x, k, l)
#define OPC_WIDE(x, k, l) __builtin_convertvector(OPC_PAIR(x, k, l), opc_two_f64)
#define OPC_WORDS(x, y, k) \
  __builtin_shufflevector((opc_four_i32)(x), (opc_four_i32)(y), k, k + 2, k + 4, k + 6)
#else
#define OPC_PAIR(x, k, l) __builtin_shuffle(x, (__extension__(opc_four_i32){k, l, k, l}))
#define OPC_WIDE(x, k, l) __builtin_ia32_cvtps2pd(OPC_PAIR(x, k, l))
#define OPC_WORDS(x, y, k) \
  __builtin_shuffle((opc_four_i32)(x), (opc_four_i32)(y), \
      (__extension__(opc_four_i32){k, k + 2, k + 4, k + 6}))
#endif

/* a b[k] + c[k], rounded once: by way of double, one by one where that may be rounded twice. */
static inline opc_four_f32 opc_fma_four(opc_four_f32 c, float a, const float *b) {
  opc_four_f32 x;
  const opc_four_i32 none = {0};
  const opc_two_f64 zero = {0}, factor = (double)a - zero;
  memcpy(&x, b, sizeof x);
  const opc_two_f64 low = factor * OPC_WIDE(x, 0, 1) + OPC_WIDE(c, 0, 1);
  const opc_two_f64 high = factor * OPC_WIDE(x, 2, 3) + OPC_WIDE(c, 2, 3);
  /* The halves of each double: where the lower one says that it lies in the middle, or the upper
     one, made to compare as an unsigned number, that it is not 0 and subnormal as a float. */
  const opc_four_i32 lower = OPC_WORDS(low, high, 0) & (none + 0x1fffffff);
  const opc_four_i32 upper = (OPC_WORDS(low, high, 1) & (none + 0x7fffffff)) - 1;
  const opc_four_i32 doubtful =
      (lower == 0x10000000 - none) | ((upper < 0x380fffff - none) & (upper >= none));
#if defined(__SSE2__)
  const bool is_any = __builtin_ia32_movmskps((opc_four_f32)doubtful) != 0;
#else
  const bool is_any = __builtin_wasm_any_true_v128((opc_sixteen_i8)doubtful);
#endif
  if (is_any) {
    for (int k = 0; k < 4; ++k) {
      c[k] = opc_fma_f32(a, x[k], c[k]);
    }
    return c;
  }
#if defined(__clang__)
  typedef float two __attribute__((vector_size(8)));
  return __builtin_shufflevector(__builtin_convertvector(low, two),
                                 __builtin_convertvector(high, two), 0, 1, 2, 3);
#else
  return __builtin_ia32_movlhps(__builtin_ia32_cvtpd2ps(low), __builtin_ia32_cvtpd2ps(high));
#endif
}
#endif
