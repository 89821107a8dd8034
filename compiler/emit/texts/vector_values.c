//// round
static inline void @name@(@vector@ *x) {
@body@}

//// round_each
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    (*x)[k] = @function@((*x)[k]);
  }

//// round_f16
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
  *x = (@vector@)@prefix@_cvtph_ps(@narrow@);
#else
@portable@#endif

//// read
static inline void @name@(@vector@ *to, const @c@ *from) {
  memcpy(to, from, sizeof *to);
}

//// widen_each
  float wide[@lanes@];
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    wide[k] = @value@;
  }
  memcpy(to, wide, sizeof *to);

//// widen
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
  @type@ bytes;
  memcpy(&bytes, from, sizeof bytes);
@steps@  *to = (@vector@)@result@;
#else
@portable@#endif

//// choose
/* @lanes@ of these numbers, which the four bits from bit `shift` on choose. */
static inline void @name@(@vector@ *to, const uint8_t *from, int shift) {
  static const float numbers[16] = {
      @numbers@};
@body@}

//// choose_each
  float wide[@lanes@];
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    wide[k] = numbers[from[k] >> shift & 15];
  }
  memcpy(to, wide, sizeof *to);

//// choose_8
#if defined(OPC_HAS_VECTORS) && defined(__AVX2__)
  int64_t bytes;
  memcpy(&bytes, from, sizeof bytes);
  __m256i codes = _mm256_srli_epi32(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bytes)), shift);
  __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(numbers), codes);
  __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(numbers + 8), codes);
  __m256 fourth = _mm256_castsi256_ps(_mm256_slli_epi32(codes, 28));
  *to = (@vector@)_mm256_blendv_ps(low, high, fourth);
#else
@portable@#endif

//// choose_16
#if defined(OPC_HAS_VECTORS) && defined(__AVX512F__)
  __m128i bytes;
  memcpy(&bytes, from, sizeof bytes);
  __m512i codes = _mm512_srli_epi32(_mm512_cvtepu8_epi32(bytes), (unsigned)shift);
  *to = (@vector@)_mm512_permutexvar_ps(codes, _mm512_loadu_ps(numbers));
#else
@portable@#endif

//// lift
/* A float in which the bit at `shift` is 1. */
static inline float opc_lift(int shift) {
  return (float)(8388608 >> shift);
}

//// lift_16
/* 16 codes, of the four bits from bit `shift` on, each added to opc_lift(shift). */
static inline void @name@(@vector@ *to, const uint8_t *from, int shift) {
#if defined(OPC_HAS_VECTORS) && defined(__AVX512F__)
  __m128i bytes;
  memcpy(&bytes, from, sizeof bytes);
  __m512i lift = _mm512_castps_si512(_mm512_set1_ps(opc_lift(shift)));
  __m512i mask = _mm512_set1_epi32(15 << shift);
  __m512i wide = _mm512_ternarylogic_epi32(_mm512_cvtepu8_epi32(bytes), mask, lift, 0xea);
  *to = (@vector@)_mm512_castsi512_ps(wide);
#else
  float wide[16];
  OPC_ROLLED
  for (int k = 0; k < 16; ++k) {
    wide[k] = opc_lift(shift) + (float)(from[k] >> shift & 15);
  }
  memcpy(to, wide, sizeof *to);
#endif
}

//// lift_word
/* 16 codes, of the eight bits of words from bit `shift` on, each added to @lift@. */
static inline void @name@(@vector@ *to, const uint32_t *from, int shift) {
#if defined(OPC_HAS_VECTORS) && defined(__AVX512F__)
  __m512i words = _mm512_srli_epi32(_mm512_loadu_si512(from), (unsigned)(shift & 16));
  __m512i lift = _mm512_castps_si512(_mm512_set1_ps(@lift@));
  __m512i mask = _mm512_set1_epi32(255 << (shift & 8));
  *to = (@vector@)_mm512_castsi512_ps(_mm512_ternarylogic_epi32(words, mask, lift, @table@));
#else
  float wide[16];
  OPC_ROLLED
  for (int k = 0; k < 16; ++k) {
    wide[k] = opc_lift(shift & 8) + (float)@code@;
  }
  memcpy(to, wide, sizeof *to);
#endif
}

//// float8
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
  @bytes@ bytes;
  memcpy(&bytes, from, sizeof bytes);
  @half@ half = @narrow@_slli_epi16(@narrow@_cvtepu8_epi16(@load@), 8);
@steps@#else
@portable@#endif

//// f8E5M2
  *to = (@vector@)@wide@_cvtph_ps(half);

//// f8E4M3FN
  half = @narrow@_and_@si@(@narrow@_srai_epi16(half, 1), @narrow@_set1_epi16(-0x4001));
  /* The greatest number is NaN. */
  @half@ most = @narrow@_and_@si@(half, @narrow@_set1_epi16(0x7fff));
  @half@ nan = @narrow@_cmpeq_epi16(most, @narrow@_set1_epi16(0x3f80));
  half = @narrow@_xor_@si@(half, @narrow@_and_@si@(nan, @narrow@_set1_epi16(0x4180)));
  *to = (@vector@)@wide@_mul_ps(@wide@_cvtph_ps(half), @wide@_set1_ps(0x1p+8f));

//// f8E4M3FNUZ
  half = @narrow@_and_@si@(@narrow@_srai_epi16(half, 1), @narrow@_set1_epi16(-0x4001));
  /* The negative zero is NaN. */
  @half@ nan = @narrow@_cmpeq_epi16(half, @narrow@_set1_epi16(-0x8000));
  half = @narrow@_xor_@si@(half, @narrow@_and_@si@(nan, @narrow@_set1_epi16(-0x200)));
  *to = (@vector@)@wide@_mul_ps(@wide@_cvtph_ps(half), @wide@_set1_ps(0x1p+7f));
