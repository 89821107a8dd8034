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
