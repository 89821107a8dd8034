//// bytes
#if defined(OPC_HAS_VECTORS) && defined(__AVX512VBMI__) && defined(__AVX512BW__)
#include <immintrin.h>
#elif defined(OPC_HAS_VECTORS) && defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/* y[k] = table[x[k] + @first@] for k < count.  Vectors look all bytes up in both halves of the table, by
   7 bits, and choose by the other one; elsewhere eight bytes are stored at once. */
static inline void @name@(void *y, const void *table, const void *x, int64_t count) {
  enum { FIRST = @first@ };
  const @type@ *from = (const @type@ *)x;
  const uint8_t *entries = (const uint8_t *)table;
  uint8_t *to = (uint8_t *)y;
  int64_t k = 0;
#if defined(OPC_HAS_VECTORS) && defined(__AVX512VBMI__) && defined(__AVX512BW__)
  const uint8_t *low = entries + FIRST, *high = entries + (FIRST ^ 128);
  const __m512i a = _mm512_loadu_si512((const void *)low);
  const __m512i b = _mm512_loadu_si512((const void *)(low + 64));
  const __m512i c = _mm512_loadu_si512((const void *)high);
  const __m512i d = _mm512_loadu_si512((const void *)(high + 64));
  for (; k < count - 63; k += 64) {
    const __m512i v = _mm512_loadu_si512((const void *)(from + k));
    const __m512i l = _mm512_permutex2var_epi8(a, v, b), h = _mm512_permutex2var_epi8(c, v, d);
    const __m512i r = _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), l, h);
    _mm512_storeu_si512((void *)(to + k), r);
  }
  if (k < count) {
    const __mmask64 rest = ~(uint64_t)0 >> (64 - (count - k));
    const __m512i v = _mm512_maskz_loadu_epi8(rest, (const void *)(from + k));
    const __m512i l = _mm512_permutex2var_epi8(a, v, b), h = _mm512_permutex2var_epi8(c, v, d);
    const __m512i r = _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), l, h);
    _mm512_mask_storeu_epi8((void *)(to + k), rest, r);
    k = count;
  }
#elif defined(OPC_HAS_VECTORS) && defined(__aarch64__) && defined(__ARM_NEON)
  uint8x16x4_t part[4];
  OPC_UNROLL
  for (int n = 0; n < 16; ++n) {
    part[n / 4].val[n % 4] = vld1q_u8(entries + 16 * n);
  }
  for (; k < count - 15; k += 16) {
    const uint8x16_t v = veorq_u8(vld1q_u8((const uint8_t *)(from + k)), vdupq_n_u8(FIRST));
    uint8x16_t r = vqtbl4q_u8(part[0], v);
    r = vqtbx4q_u8(r, part[1], vsubq_u8(v, vdupq_n_u8(64)));
    r = vqtbx4q_u8(r, part[2], vsubq_u8(v, vdupq_n_u8(128)));
    r = vqtbx4q_u8(r, part[3], vsubq_u8(v, vdupq_n_u8(192)));
    vst1q_u8(to + k, r);
  }
#endif
  for (; k < count - 7; k += 8) {
    uint8_t r[8];
    OPC_UNROLL
    for (int n = 0; n < 8; ++n) {
      r[n] = entries[from[k + n] + FIRST];
    }
    memcpy(to + k, r, sizeof r);
  }
  for (; k < count; ++k) {
    to[k] = entries[from[k] + FIRST];
  }
}
