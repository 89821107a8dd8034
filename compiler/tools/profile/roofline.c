#include <stddef.h>

/* As wide as the registers are, so that every accumulator is one of them. */
#if defined(__AVX512F__)
#define WIDTH 16
#elif defined(__AVX__)
#define WIDTH 8
#else
#define WIDTH 4
#endif

typedef float vector __attribute__((vector_size(4 * WIDTH)));

/* Where there is an instruction for it; elsewhere a function would be called for each number. */
#if defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA)
static inline void fused(vector *c, const vector *a, const vector *b) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 1
#endif
  for (int k = 0; k < WIDTH; ++k) {
    (*c)[k] = __builtin_fmaf((*c)[k], (*a)[k], (*b)[k]);
  }
}
#else
static inline void fused(vector *c, const vector *a, const vector *b) { *c = *c * *a + *b; }
#endif

/* So many rounds; how many operations these are. */
double peak(size_t rounds, float *result) {
  const vector a = {0.5f}, b = {0.25f};
  /* Twelve chains hide the latency of each.  They begin with different numbers: a compiler would
     compute equal ones once. */
  vector c0 = {1.0f}, c1 = {2.0f}, c2 = {3.0f}, c3 = {4.0f}, c4 = {5.0f}, c5 = {6.0f};
  vector c6 = {7.0f}, c7 = {8.0f}, c8 = {9.0f}, c9 = {10.0f}, c10 = {11.0f}, c11 = {12.0f};
  for (size_t k = 0; k < rounds; ++k) {
    fused(&c0, &a, &b), fused(&c1, &a, &b), fused(&c2, &a, &b), fused(&c3, &a, &b);
    fused(&c4, &a, &b), fused(&c5, &a, &b), fused(&c6, &a, &b), fused(&c7, &a, &b);
    fused(&c8, &a, &b), fused(&c9, &a, &b), fused(&c10, &a, &b), fused(&c11, &a, &b);
  }
  c0 += c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;
  *result = c0[0];
  return 2.0 * 12.0 * WIDTH * (double)rounds;
}
