//// opening
#include <float.h>

/* Results have the same bits with every compiler and instruction set as long as arithmetic is that
   of IEEE 754 and a * b + c is not contracted to one operation.  Flags that break this are refused
   where compilers tell of them; clang must not get -ffp-contract=fast. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "this file must not be compiled with -ffast-math or parts of it"
#elif defined(_M_FP_FAST)
#error "this file must not be compiled with /fp:fast"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "this file must not be compiled with flags under which arithmetic is not that of IEEE 754"
#elif (defined(__x86_64__) || defined(__i386__)) && defined(__GCC_IEC_559) && __GCC_IEC_559 == 0
#error "this file must not be compiled with flags under which arithmetic is not that of IEEE 754"
#elif FLT_RADIX != 2 || FLT_MANT_DIG != 24 || DBL_MANT_DIG != 53
#error "float and double must be those of IEEE 754, of 32 and 64 bits"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && defined(__s390__)
#error "float and double must not be computed in wider types: use -fexcess-precision=fast"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "float and double must not be computed in wider types: on x86 use -msse2 -mfpmath=sse"
#elif defined(__clang__) && (defined(__x86_64__) || defined(__i386__)) && !defined(__SSE2__)
#error "float and double must not be computed in wider types: on x86 use -msse2 -mfpmath=sse"
#elif defined(__clang__) && defined(__arm__) && defined(__ARM_NEON)
#error "clang computes with NEON here, which flushes subnormal numbers: use -mfpu=vfpv4-d16 or gcc"
#elif defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2) != 0
#error "MVE flushes subnormal numbers: use +nomve, as in -mcpu=cortex-m55+nomve"
#elif defined(__ALTIVEC__) && !defined(__VSX__)
#error "AltiVec flushes subnormal numbers: use -mvsx, or -mno-altivec"
#endif
extern char OPC_constants_are_double[sizeof(1.0) == 8 ? 1 : -1];

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma clang fp contract(off)
#pragma clang diagnostic push
/* The instruction set decides which functions are used. */
#pragma clang diagnostic ignored "-Wunused-function"
/* Sanitizers leave loops as they are. */
#pragma clang diagnostic ignored "-Wpass-failed"
#ifndef OPC_CHECKED /* by a file before this one */
#define OPC_CHECKED
#if __has_attribute(error)
extern void opc_refuse_flags(void)
    __attribute__((error("this file must not be compiled with parts of -ffast-math")));
#else
extern void opc_refuse_flags(void);
#endif
/* No macro tells of parts of -ffast-math, but what clang takes for equal, or for known, does.  This
   is never called, and empty under other flags. */
static inline void opc_check_flags(float a, float b) __attribute__((used));
static inline void opc_check_flags(float a, float b) {
  const float all[6] = {(a + b) - a, b, a / 3.0f, a * (1.0f / 3.0f), a + 0.0f, a};
  uint32_t bits[6];
  memcpy(bits, all, sizeof bits);
  if (__builtin_constant_p(bits[0] ^ bits[1]) || __builtin_constant_p(bits[2] ^ bits[3]) ||
      __builtin_constant_p(bits[4] ^ bits[5]) || __builtin_constant_p(a == a) ||
      __builtin_constant_p(__builtin_isinf(b))) {
    opc_refuse_flags();
  }
}
#endif
#elif defined(__GNUC__)
#pragma GCC push_options
/* gcc 12 deletes stores to arrays that string instructions then copy (-fdse), and exchanges loops
   of serial accumulation (-floop-interchange). */
#pragma GCC optimize("fp-contract=off", "no-dse", "no-loop-interchange")
#pragma GCC diagnostic push
/* A loop without iterations leaves an array uninitialized, which is passed on but not read. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#else
#pragma STDC FP_CONTRACT OFF
#endif

#if defined(__cplusplus) || defined(_MSC_VER)
#define OPC_RESTRICT __restrict
#else
#define OPC_RESTRICT restrict
#endif

//// vectors
/* Vectors are those of GNU C.  Where a compiler has none, or under -DOPC_PLAIN, a vector of lanes
   is one number, and a register with sums an array: that is C99, with the same bits, and slow. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__) && !defined(OPC_PLAIN)
#define OPC_HAS_VECTORS 1
#define OPC_LANES(bytes) __attribute__((vector_size(bytes)))
#define OPC_SUMS(lanes, bytes) __attribute__((vector_size(bytes)))
typedef float opc_four_numbers OPC_LANES(16);
extern char opc_vectors_are_there[sizeof(opc_four_numbers) == 16 ? 1 : -1];
#else
#define OPC_LANES(bytes)
#define OPC_SUMS(lanes, bytes) [lanes]
#endif

//// byte_order
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_@ORDER@_ENDIAN__
#ifndef @PREFIX@_WEIGHTS_IN_C
#error "the weights are in a file for @order@-endian processors: use --emit c,h,weights-c"
#endif
#endif

//// closing
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif
