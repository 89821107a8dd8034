//// intrinsics
#if defined(__F16C__) || defined(__AVX2__)
#include <immintrin.h>
#endif

//// widen_f16
/* to[k] = from[k] for k < count. */
static inline void opc_widen_f16(float *to, const uint16_t *from, int64_t count) {
  int64_t k = 0;
#ifdef __F16C__
#ifndef __clang__
  /* clang vectorizes the next loop, and keeps its results in registers better than these. */
#ifdef __AVX512F__
  for (; k < count - count % 16; k += 16) {
    const __m256i h = _mm256_loadu_si256((const __m256i *)(const void *)(from + k));
    _mm512_storeu_ps(to + k, _mm512_cvtph_ps(h));
  }
#endif
  for (; k < count - count % 8; k += 8) {
    const __m128i h = _mm_loadu_si128((const __m128i *)(const void *)(from + k));
    _mm256_storeu_ps(to + k, _mm256_cvtph_ps(h));
  }
  k = count - count % 8;
#endif
  for (; k < count; ++k) {
    to[k] = _cvtsh_ss(from[k]);
  }
#endif
  for (; k < count; ++k) {
    to[k] = opc_cast_f16_f32(from[k]);
  }
}

//// widen_bf16
/* to[k] = from[k] for k < count. */
static inline void opc_widen_bf16(float *to, const uint16_t *from, int64_t count) {
  int64_t rest = 0;
#if defined(__AVX512BW__) && !defined(__clang__)
  /* Number k becomes the upper half of number k of the result, which is word 2 * k + 1. */
  const __m512i first = _mm512_set_epi16(15, 0, 14, 0, 13, 0, 12, 0, 11, 0, 10, 0, 9, 0, 8, 0,
                                         7, 0, 6, 0, 5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0);
  const __m512i second = _mm512_add_epi16(first, _mm512_set1_epi16(16));
  for (; rest < count - count % 32; rest += 32) {
    const __m512i h = _mm512_loadu_si512((const void *)(from + rest));
    _mm512_storeu_si512(to + rest, _mm512_maskz_permutexvar_epi16(0xAAAAAAAA, first, h));
    _mm512_storeu_si512(to + rest + 16, _mm512_maskz_permutexvar_epi16(0xAAAAAAAA, second, h));
  }
  if (count % 32 >= 16) {
    const __m256i h = _mm256_loadu_si256((const __m256i *)(const void *)(from + rest));
    _mm512_storeu_si512(to + rest, _mm512_slli_epi32(_mm512_cvtepu16_epi32(h), 16));
    rest += 16;
  }
#endif
  for (; rest < count; ++rest) {
    to[rest] = opc_cast_bf16_f32(from[rest]);
  }
}

//// narrow_f16
/* to[k] = from[k], rounded to nearest even, for k < count. */
static inline void opc_narrow_f16(uint16_t *to, const float *from, int64_t count) {
  int64_t k = 0;
#ifdef __F16C__
#ifdef __AVX512F__
  for (; k < count - count % 16; k += 16) {
    const __m512 v = _mm512_loadu_ps(from + k);
    const __m256i h = _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT);
    _mm256_storeu_si256((__m256i *)(void *)(to + k), h);
  }
#endif
  for (; k < count - count % 8; k += 8) {
    const __m128i h = _mm256_cvtps_ph(_mm256_loadu_ps(from + k), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128((__m128i *)(void *)(to + k), h);
  }
  for (k = count - count % 8; k < count; ++k) {
    const __m128i h = _mm_cvtps_ph(_mm_set_ss(from[k]), _MM_FROUND_TO_NEAREST_INT);
    to[k] = (uint16_t)_mm_extract_epi16(h, 0);
  }
#endif
  for (; k < count; ++k) {
    to[k] = opc_cast_f32_f16(from[k]);
  }
}

//// narrow_bf16
/* to[k] = from[k], rounded to nearest even, for k < count. */
static inline void opc_narrow_bf16(uint16_t *to, const float *from, int64_t count) {
  int64_t rest = 0;
#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
  __m512i any = _mm512_setzero_si512();
  for (; rest < count - count % 32; rest += 32) {
    const __m512 x = _mm512_loadu_ps(from + rest), y = _mm512_loadu_ps(from + rest + 16);
    const __mmask16 first = _mm512_fpclass_ps_mask(x, 0x20);
    const __mmask16 second = _mm512_fpclass_ps_mask(y, 0x20);
    any = _mm512_mask_or_epi32(any, first, _mm512_castps_si512(x), any);
    any = _mm512_mask_or_epi32(any, second, _mm512_castps_si512(y), any);
    _mm512_storeu_si512(to + rest, (__m512i)_mm512_cvtne2ps_pbh(y, x));
  }
  if (count % 32 >= 16) {
    const __m512 x = _mm512_loadu_ps(from + rest);
    const __mmask16 subnormal = _mm512_fpclass_ps_mask(x, 0x20);
    any = _mm512_mask_or_epi32(any, subnormal, _mm512_castps_si512(x), any);
    _mm256_storeu_si256((__m256i *)(void *)(to + rest), (__m256i)_mm512_cvtneps_pbh(x));
    rest += 16;
  }
  if (_mm512_test_epi32_mask(any, any) != 0) {
    rest = 0; /* The instruction takes subnormal numbers for zeros. */
  }
#elif defined(__AVX512F__) && !defined(__clang__)
  /* Like opc_cast_f32_bf16.  gcc would unroll a loop over 16 numbers, not vectorize it. */
  rest = count - count % 16;
  for (int64_t k = 0; k < rest; k += 16) {
    const __m512 v = _mm512_loadu_ps(from + k);
    const __m512i u = _mm512_castps_si512(v);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(_mm512_add_epi32(u, _mm512_set1_epi32(0x7fff)), odd);
    const __mmask16 nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    const __m512i r = _mm512_mask_or_epi32(up, nan, u, _mm512_set1_epi32(0x400000));
    const __m256i h = _mm512_cvtepi32_epi16(_mm512_srli_epi32(r, 16));
    _mm256_storeu_si256((__m256i *)(void *)(to + k), h);
  }
#endif
  for (; rest < count; ++rest) {
    to[rest] = opc_cast_f32_bf16(from[rest]);
  }
}

//// round_staged_f16
/* Rounds x[k] to a number of f16, to nearest even, for k < count. */
static inline void opc_round_staged_f16(float *x, int64_t count) {
  int64_t k = 0;
#ifdef __F16C__
#ifdef __AVX512F__
  for (; k < count - count % 16; k += 16) {
    const __m512 v = _mm512_loadu_ps(x + k);
    const __m256i h = _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT);
    _mm512_storeu_ps(x + k, _mm512_cvtph_ps(h));
  }
#endif
  for (; k < count - count % 8; k += 8) {
    const __m128i h = _mm256_cvtps_ph(_mm256_loadu_ps(x + k), _MM_FROUND_TO_NEAREST_INT);
    _mm256_storeu_ps(x + k, _mm256_cvtph_ps(h));
  }
  for (k = count - count % 8; k < count; ++k) {
    x[k] = _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtps_ph(_mm_set_ss(x[k]), _MM_FROUND_TO_NEAREST_INT)));
  }
#endif
  for (; k < count; ++k) {
    x[k] = opc_round_f16_f32(x[k]);
  }
}

//// round_staged_bf16
/* Rounds x[k] to a number of bf16, to nearest even, for k < count. */
static inline void opc_round_staged_bf16(float *x, int64_t count) {
  int64_t k = 0;
#if defined(__AVX512F__) && !defined(__clang__)
  /* Like opc_round_bf16_f32.  gcc would unroll a loop over 16 numbers, not vectorize it. */
  for (; k < count - count % 16; k += 16) {
    const __m512 v = _mm512_loadu_ps(x + k);
    const __m512i u = _mm512_castps_si512(v);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(_mm512_add_epi32(u, _mm512_set1_epi32(0x7fff)), odd);
    const __mmask16 number = _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q);
    const __m512i r = _mm512_mask_and_epi32(u, number, up, _mm512_set1_epi32(-0x10000));
    _mm512_storeu_ps(x + k, _mm512_castsi512_ps(r));
  }
  k = count - count % 16;
#endif
  for (; k < count; ++k) {
    x[k] = opc_round_bf16_f32(x[k]);
  }
}
