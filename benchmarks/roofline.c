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

/* Twelve chains of multiplications and additions hide the latency of both. */
static float chains(size_t rounds) {
  const vector a = {0.5f}, b = {0.25f};
  vector c0 = a, c1 = b, c2 = a, c3 = b, c4 = a, c5 = b;
  vector c6 = a, c7 = b, c8 = a, c9 = b, c10 = a, c11 = b;
  for (size_t k = 0; k < rounds; ++k) {
    c0 = c0 * a + b, c1 = c1 * a + b, c2 = c2 * a + b, c3 = c3 * a + b;
    c4 = c4 * a + b, c5 = c5 * a + b, c6 = c6 * a + b, c7 = c7 * a + b;
    c8 = c8 * a + b, c9 = c9 * a + b, c10 = c10 * a + b, c11 = c11 * a + b;
  }
  c0 += c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;
  return c0[0];
}

/* Operations of `rounds` rounds on every thread, those of one thread returned. */
double peak(size_t rounds, float *result) {
#ifdef _OPENMP
#pragma omp parallel
#endif
  {
    const float found = chains(rounds);
    if (found != 0.0f) {
      *result = found;
    }
  }
  return 2.0 * 12.0 * WIDTH * (double)rounds;
}
