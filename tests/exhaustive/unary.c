/* Compares the unary f32 helpers with double precision references over a range of bit patterns.
   Usage: unary NAME FIRST STRIDE; checks the patterns FIRST, FIRST + STRIDE, ... below 2^32 and
   prints the largest error in ULP, the argument where it occurs, and the count of results with a
   wrong NaN, infinity or sign. "helpers.inc" is generated. */
#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <string.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "helpers.inc"

static double ref_abs(double x) { return fabs(x); }
static double ref_sign(double x) { return x != x ? x : (double)((x > 0) - (x < 0)); }
static double ref_ceil(double x) { return ceil(x); }
static double ref_floor(double x) { return floor(x); }
static double ref_trunc(double x) { return trunc(x); }
static double ref_round(double x) { return nearbyint(x); }
static double ref_sqrt(double x) { return sqrt(x); }
static double ref_exp(double x) { return exp(x); }
static double ref_expm1(double x) { return expm1(x); }
static double ref_log(double x) { return log(x); }
static double ref_log1p(double x) { return log1p(x); }
static double ref_sin(double x) { return sin(x); }
static double ref_cos(double x) { return cos(x); }
static double ref_tan(double x) { return tan(x); }
static double ref_asin(double x) { return asin(x); }
static double ref_acos(double x) { return acos(x); }
static double ref_atan(double x) { return atan(x); }
static double ref_sinh(double x) { return sinh(x); }
static double ref_cosh(double x) { return cosh(x); }
static double ref_tanh(double x) { return tanh(x); }
static double ref_asinh(double x) { return asinh(x); }
static double ref_acosh(double x) { return acosh(x); }
static double ref_atanh(double x) { return atanh(x); }
static double ref_erf(double x) { return erf(x); }
static double ref_erfc(double x) { return erfc(x); }
static double ref_softsign(double x) { return x / (1.0 + fabs(x)); }
static double ref_sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }
static double ref_silu(double x) { return x / (1.0 + exp(-x)); }
static double ref_softplus(double x)
{
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}
static double ref_gelu(double x) { return 0.5 * x * erfc(-x * 0.70710678118654752440); }
static double ref_gelu_tanh(double x)
{
    double u = 0.79788456080286535588 * x * (1.0 + 0.044715 * x * x);
    return x / (1.0 + exp(-2.0 * u));
}
static double ref_mish(double x)
{
    double e = exp(-fabs(x));
    double n = x < 0.0 ? e * (e + 2.0) : 1.0 + 2.0 * e;
    return x * (n / (x < 0.0 ? n + 2.0 : n + 2.0 * e * e));
}
static double ref_is_nan(double x) { return isnan(x) ? 1.0 : 0.0; }
static double ref_is_inf(double x) { return isinf(x) ? 1.0 : 0.0; }
static double ref_exp_neg(double x) { return exp(-x); }
static double ref_is_posinf(double x) { return x == (double)INFINITY ? 1.0 : 0.0; }
static double ref_is_neginf(double x) { return x == -(double)INFINITY ? 1.0 : 0.0; }

static double worst;
static uint32_t worst_at;
static uint64_t wrong;
static uint32_t wrong_at;

static inline void check(uint32_t bits, float y, double r)
{
    float f = (float)r;
    if (isnan(f) || isnan(y)) {
        if (isnan(f) && isnan(y)) {
            return;
        }
    } else if (signbit(f) == signbit(y)) {
        double a = fabs(r);
        double b = fabs((double)y);
        if (f == y && (isinf(y) || y == 0.0f)) {
            return; /* The rounded reference; r itself may be neither. */
        }
        /* An infinity stands for 2^128 when the other result is finite. */
        a = isinf(f) && a > 0x1p128 ? 0x1p128 : a;
        b = isinf(y) ? 0x1p128 : b;
        /* One ULP is 2^(e - 23) for 2^e <= a, with e between -126 and 127. */
        uint64_t biased = opc_bits_f64(a) >> 52;
        biased = biased < 1023 - 126 ? 1023 - 126 : biased > 1023 + 127 ? 1023 + 127 : biased;
        double error = fabs(a - b) * opc_from_bits_f64((2 * 1023 + 23 - biased) << 52);
        if (error > worst) {
            worst = error;
            worst_at = bits;
        }
        return;
    }
    wrong++;
    wrong_at = bits;
}

#define CHECK(name) CHECK_TO(0xffffffffu, name)
#define CHECK_TO(last, name) \
    if (strcmp(argv[1], #name) == 0) { \
        for (uint64_t u = first; u <= last; u += stride) { \
            float x = opc_from_bits_f32((uint32_t)u); \
            check((uint32_t)u, (float)opc_##name##_f32(x), ref_##name((double)x)); \
        } \
    }

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    uint64_t first = strtoull(argv[2], NULL, 10);
    uint64_t stride = strtoull(argv[3], NULL, 10);
    CHECK(abs) CHECK(sign) CHECK(ceil) CHECK(floor) CHECK(trunc) CHECK(round) CHECK(sqrt)
    CHECK_TO(0x7fffffffu, exp_neg) /* Of numbers that are not negative. */
    CHECK(exp) CHECK(expm1) CHECK(log) CHECK(log1p) CHECK(sin) CHECK(cos) CHECK(tan)
    CHECK(asin) CHECK(acos) CHECK(atan) CHECK(sinh) CHECK(cosh) CHECK(tanh)
    CHECK(asinh) CHECK(acosh) CHECK(atanh) CHECK(erf) CHECK(erfc)
    CHECK(sigmoid) CHECK(softplus) CHECK(softsign)
    CHECK(silu) CHECK(gelu) CHECK(gelu_tanh) CHECK(mish)
    CHECK(is_nan) CHECK(is_inf) CHECK(is_posinf) CHECK(is_neginf)
    printf("%.4f %08x %llu %08x\n", worst, (unsigned)worst_at, (unsigned long long)wrong,
           (unsigned)wrong_at);
    return 0;
}
