//// dot
#if defined(OPC_HAS_VECTORS) && defined(__SSE2__)
#include <immintrin.h>
#endif
#ifdef __ARM_FEATURE_DOTPROD
#include <arm_neon.h>
#endif

/* Sum k takes a[0] b[@count@ k] to a[@last@] b[@count@ k + @last@], wrapping. */
static inline void @name@(@vector@ *sums, const @a@ *a, const @b@ *b) {
@text@}

//// dot_body
#ifdef OPC_HAS_VECTORS
  @more@
  @vector@ v;
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    more[k] = @products@;
  }
  memcpy(&v, more, sizeof v);
  *sums += v;
#else
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] += @products@;
  }
#endif

//// dot_load
  int32_t every;
  @type@ @operand@;
  memcpy(&every, a, sizeof every);
  memcpy(&@operand@, b, sizeof @operand@);

//// dot_bytes
#if defined(OPC_HAS_VECTORS) && @has_dot@
@load@  *sums = (@vector@)@prefix@_dpbusd_epi32(@sums@, @factors@)@part@;
#else
@portable@#endif

//// dot_alike
#if defined(OPC_HAS_VECTORS) && defined(__ARM_FEATURE_DOTPROD) && !defined(__ARM_BIG_ENDIAN)
  int32_t every;
  memcpy(&every, a, sizeof every);
  const @sign@int8x16_t v = vld1q_@kind@8(b), all = vreinterpretq_@kind@8_s32(vdupq_n_s32(every));
  *sums = (@vector@)vdotq_@kind@32((@sign@int32x4_t)*sums, v, all);
#else
@portable@#endif

//// dot_pairs
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
@load@#if @has_dot@
  *sums = (@vector@)@prefix@_dpwssd_epi32(@sums@, @factor@, v)@part@;
#else
  *sums = *sums + (@vector@)@prefix@_madd_epi16(@factor@, v)@part@;
#endif
@simd128@#else
@portable@#endif

//// dot_simd128
#elif defined(OPC_HAS_VECTORS) && defined(__wasm_simd128__)
  typedef int32_t pairs OPC_LANES(16);
  typedef int16_t halves OPC_LANES(16);
  typedef @b@ stored OPC_LANES(@bytes@);
  const int32_t pair = (int32_t)((uint32_t)(uint16_t)a[0] | (uint32_t)(uint16_t)a[1] << 16);
  const pairs every = {pair, pair, pair, pair};
  stored part;
  memcpy(&part, b, sizeof part);
  *sums += (@vector@)__builtin_wasm_dot_s_i32x4_i16x8(
      (halves)every, __builtin_convertvector(part, halves));

//// dot_one
#if @has_dual@
#include <arm_acle.h>
#endif

/* A sum takes a[0] b[0] to a[@last@] b[@last@], wrapping. */
static inline void @name@(int32_t *sum, const @a@ *a, const @b@ *b) {
@text@}

//// dot_one_body
  *sum = (int32_t)((uint32_t)*sum + @products@);

//// dot_dual
#if @has_dual@
  uint32_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  *sum = @sum@;
#else
@portable@#endif

//// dot_every
  int32_t every;
  memcpy(&every, a, sizeof every);

//// dot_half
  int32_t some;
  memcpy(&some, b, sizeof some);
  const __m128i bytes = _mm_cvtsi32_si128(some);

//// dot_eight
  const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)b);

//// dot_widen
#ifdef __SSE4_1__
  const __m128i v = _mm_cvt@kind@_epi16(bytes);
#else
  const __m128i v = @apart@;
#endif

//// dot_small
/* The same with factors of @bits@ bits, from bit `shift` on of each byte. */
static inline void @name@(@vector@ *sums, const @a@ *a, const uint8_t *b, int shift) {
#ifdef OPC_HAS_VECTORS
  typedef uint8_t bytes OPC_LANES(@bytes@);
  bytes v;
  memcpy(&v, b, sizeof v);
  v = @value@;
#else
  uint8_t v[@bytes@];
  for (int k = 0; k < @bytes@; ++k) {
    v[k] = (uint8_t)(@each@);
  }
#endif
  @plain@(sums, a, (const @b@ *)(const void *)&v);
}
