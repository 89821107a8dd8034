/* Compares conversions of staged values, which use hardware, with those of single numbers, which do not.
   Usage: convert STRIDE; checks all f16 and bf16, and every STRIDE-th block of 4096 patterns of f32,
   by blocks of 61, which end in single numbers. Prints how often the two differ. "helpers.inc" is
   generated. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "helpers.inc"

enum { BLOCK = 4096, STAGED = 61 };

static uint64_t differing;

static void widening(void (*staged)(float *, const uint16_t *, int64_t), float (*one)(uint16_t)) {
  static uint16_t narrow[1 << 16];
  static float wide[1 << 16];
  for (uint32_t k = 0; k < 1 << 16; ++k) {
    narrow[k] = (uint16_t)k;
  }
  for (int64_t k = 0; k < 1 << 16; k += STAGED) {
    staged(wide + k, narrow + k, k + STAGED < 1 << 16 ? STAGED : (1 << 16) - k);
  }
  for (uint32_t k = 0; k < 1 << 16; ++k) {
    differing += opc_bits_f32(wide[k]) != opc_bits_f32(one(narrow[k]));
  }
}

/* Rounding keeps f32, so it must be conversion and back; which NaN results is left open. */
static void narrowing(const float *wide, int64_t count,
                      void (*staged)(uint16_t *, const float *, int64_t), uint16_t (*one)(float),
                      float (*back)(uint16_t), float (*rounded)(float),
                      void (*round_staged)(float *, int64_t)) {
  static uint16_t narrow[BLOCK];
  static float kept[BLOCK];
  staged(narrow, wide, count);
  memcpy(kept, wide, (size_t)count * sizeof *wide);
  round_staged(kept, count);
  for (int64_t k = 0; k < count; ++k) {
    const uint16_t h = one(wide[k]);
    const float x = back(h), r[] = {rounded(wide[k]), kept[k]};
    differing += narrow[k] != h;
    for (int i = 0; i < 2; ++i) {
      differing += opc_bits_f32(x) != opc_bits_f32(r[i]) && !(x != x && r[i] != r[i]);
    }
  }
}

int main(int argc, char **argv) {
  const uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  static float wide[BLOCK];
  widening(opc_widen_f16, opc_cast_f16_f32);
  widening(opc_widen_bf16, opc_cast_bf16_f32);
  for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BLOCK * stride) {
    for (uint32_t k = 0; k < BLOCK; ++k) {
      wide[k] = opc_from_bits_f32((uint32_t)first + k);
    }
    for (int64_t k = 0; k < BLOCK; k += STAGED) {
      const int64_t count = k + STAGED < BLOCK ? STAGED : BLOCK - k;
      narrowing(wide + k, count, opc_narrow_f16, opc_cast_f32_f16, opc_cast_f16_f32,
                opc_round_f16_f32, opc_round_staged_f16);
      narrowing(wide + k, count, opc_narrow_bf16, opc_cast_f32_bf16, opc_cast_bf16_f32,
                opc_round_bf16_f32, opc_round_staged_bf16);
    }
  }
  printf("%llu\n", (unsigned long long)differing);
  return differing != 0;
}
