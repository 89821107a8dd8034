// 2^k for an integer k in [-1022, 1023]. Exact.
static inline double opc_power_of_two_f64(double k) {
    uint64_t n = opc_bits_f64(k + 0x1.8p+52) - opc_bits_f64(0x1.8p+52);
    return opc_from_bits_f64((n + 1023u) << 52);
}

// e^x, exponent reduced by ln 2 and a polynomial of degree 6. Error < 1.1 ULP.
static inline float opc_exp_f32(float x) {
    float t = x * 0x1.715476p+0f + (0x1.8p+23f + 254.0f);
    float k = t - (0x1.8p+23f + 254.0f);
    float p = opc_exp_tail_f32(opc_add_exact_f32(k, -0x1.62e4p-1f, x) - k * 0x1.7f7d1cp-20f);
    // 2^k in two factors, since it may be out of range where the result is not.
    uint32_t n = opc_bits_f32(t) << 22;
    uint32_t h = n & 0x7f800000u;
    float s = opc_from_bits_f32(h);
    float e = opc_add_exact_f32(p, s, s) * opc_from_bits_f32((n + n) - h);
    e = x < -104.0f ? 0.0f : e;
    return x > 88.8f ? (float)INFINITY : e;
}

// e^x, exponent reduced by ln 2 and a polynomial of degree 11. Error < 1.1 ULP.
static inline double opc_exp_f64(double x) {
    double m = x * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    double r = (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    // 2^k as a product of two factors, whose biased exponents are the halves of k + 2046, read
    // from the last bits of m. Neither overflows or vanishes before the result does.
    uint64_t n = opc_bits_f64(m);
    uint64_t h = n >> 1;
    double a = opc_from_bits_f64(h << 52);
    double b = opc_from_bits_f64((n - h) << 52);
    double e = (a + a * (r + opc_exp_tail_f64(r))) * b;
    e = x < -746.0 ? 0.0 : e;
    return x > 710.0 ? (double)INFINITY : e;
}

// e^-x for x >= 0, with the bits of opc_exp_f32(-x).
static inline float opc_exp_neg_f32(float x) {
    // 65 more than the exponent, which brings it into the range of normal numbers. The bias must be
    // even, as that of exp is: ties are rounded to even.
    float t = (0x1.8p+23f + 192.0f) - x * 0x1.715476p+0f;
    float k = t - (0x1.8p+23f + 192.0f);
    float p = opc_exp_tail_f32(opc_add_exact_f32(k, -0x1.62e4p-1f, -x) - k * 0x1.7f7d1cp-20f);
    float s = opc_from_bits_f32(opc_bits_f32(t) << 23);
    return x > 104.0f ? 0.0f : opc_add_exact_f32(p, s, s) * 0x1p-65f;
}

// e^-x for x >= 0, with the bits of opc_exp_f64(-x).
static inline double opc_exp_neg_f64(double x) {
    // 65 more than the exponent, and even, as for f32.
    double m = (0x1.8p+52 + 1088.0) - x * 0x1.71547652b82fep+0;
    double k = m - (0x1.8p+52 + 1088.0);
    double r = (k * -0x1.62e42fefa38p-1 - x) - k * 0x1.ef35793c7673p-45;
    double a = opc_from_bits_f64(opc_bits_f64(m) << 52);
    double e = (a + a * (r + opc_exp_tail_f64(r))) * 0x1p-65;
    return x > 746.0 ? 0.0 : e;
}

// e^min(x, 0), and 0 below e^-76.25: a power in a softmax. Error < 1.1 ULP.
static inline float opc_exp_softmax_f32(float x) {
    float c = 0.0f < x ? 0.0f : x;
    float t = c * 0x1.715476p+0f + (0x1.8p+23f + 127.0f);
    float k = t - (0x1.8p+23f + 127.0f);
    float p = opc_exp_tail_f32(opc_add_exact_f32(k, -0x1.62e4p-1f, c) - k * 0x1.7f7d1cp-20f);
    float s = opc_from_bits_f32(opc_bits_f32(t) << 23);
    return x < -76.25f ? 0.0f : opc_add_exact_f32(p, s, s);
}

// e^min(x, 0), and 0 below e^-76.25: a power in a softmax. Error < 1.1 ULP.
static inline double opc_exp_softmax_f64(double x) {
    double c = 0.0 < x ? 0.0 : x;
    double m = c * 0x1.71547652b82fep+0 + (0x1.8p+52 + 1023.0);
    double k = m - (0x1.8p+52 + 1023.0);
    double r = (c - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double a = opc_from_bits_f64(opc_bits_f64(m) << 52);
    return x < -76.25 ? 0.0 : a + a * (r + opc_exp_tail_f64(r));
}

// opc_exp_softmax_f32(-x), to the bit, for x >= 0.
static inline float opc_exp_softmax_neg_f32(float x) {
    float t = (0x1.8p+23f + 127.0f) - x * 0x1.715476p+0f;
    float k = t - (0x1.8p+23f + 127.0f);
    float p = opc_exp_tail_f32(opc_add_exact_f32(k, -0x1.62e4p-1f, -x) - k * 0x1.7f7d1cp-20f);
    float s = opc_from_bits_f32(opc_bits_f32(t) << 23);
    return x > 76.25f ? 0.0f : opc_add_exact_f32(p, s, s);
}

// opc_exp_softmax_f64(-x), to the bit, for x >= 0.
static inline double opc_exp_softmax_neg_f64(double x) {
    double m = (0x1.8p+52 + 1023.0) - x * 0x1.71547652b82fep+0;
    double k = m - (0x1.8p+52 + 1023.0);
    double r = (k * -0x1.62e42fefa38p-1 - x) - k * 0x1.ef35793c7673p-45;
    double a = opc_from_bits_f64(opc_bits_f64(m) << 52);
    return x > 76.25 ? 0.0 : a + a * (r + opc_exp_tail_f64(r));
}

// e^x to float precision, relative error 2^-37, for use inside f32 functions; no NaN; x is
// clamped to [-200, 200], beyond which any f32 result has overflowed or vanished.
static inline double opc_exp_wide(double x) {
    double c = x > 200.0 ? 200.0 : x;
    c = c < -200.0 ? -200.0 : c;
    double k = (c * 0x1.71547652b82fep+0 + 0x1.8p+52) - 0x1.8p+52;
    double r = (c - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double p = 0x1.a16c1bf8df5ap-16;
    p = p * r + 0x1.a16fe12c94035p-13;
    p = p * r + 0x1.6c16406ac8cebp-10;
    p = p * r + 0x1.1110b1d46b8c5p-7;
    p = p * r + 0x1.55555579a3c06p-5;
    p = p * r + 0x1.555555737a154p-3;
    p = p * r + 0x1.fffffffff5763p-2;
    return (1.0 + (r + (r * r) * p)) * opc_power_of_two_f64(k);
}

// e^x - 1. Error < 1.8 ULP.
static inline float opc_expm1_f32(float x) {
    float c = x < -20.0f ? -20.0f : x;
    opc_exp_parts_f32 e = opc_exp_parts_neg_f32(-c, -1.0f);
    // Twice (1 - 2^-k) + p, times 2^(k - 1).
    float b = 2.0f - opc_from_bits_f32(0x7f000000u - opc_bits_f32(e.a));
    float m = copysignf((b + (e.p + e.p)) * e.a, x);
    return x > 88.8f ? (float)INFINITY : m;
}

// e^x - 1. Error < 1.3 ULP.
static inline double opc_expm1_f64(double x) {
    double m = x * 0x1.71547652b82fep+0 + (0x1.8p+52 + 1022.0);
    double k = m - (0x1.8p+52 + 1022.0);
    double h = x - k * 0x1.62e42fefa38p-1;
    double l = k * 0x1.ef35793c7673p-45;
    double r = h - l;
    double q = opc_exp_tail_f64(r) + ((h - r) - l);
    // Half the result, (s - 1/2) + s r + s q with s = 2^(k - 1), the first sum with its error.
    double s = opc_from_bits_f64(opc_bits_f64(m) << 52);
    double b = s - 0.5;
    double u = s * r;
    double t = b + u;
    t = 2.0 * (t + ((u - (t - b)) + s * q));
    t = fabs(x) < 0x1p-54 ? x : t;
    t = x < -40.0 ? -1.0 : t;
    return x > 710.0 ? (double)INFINITY : t;
}

// Natural logarithm. Error < 1.5 ULP.
static inline float opc_log_f32(float x) {
    float y = x < 0x1p-126f ? x * 0x1p+23f : x;
    float o = x < 0x1p-126f ? 0x1p+23f + 150.0f : 0x1p+23f + 127.0f;
    // Write y = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    uint32_t t = opc_bits_f32(y) + (0x3f800000u - 0x3f3504f3u);
    float k = opc_from_bits_f32((t >> 23) | 0x4b000000u) - o;
    float f = opc_from_bits_f32((t & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    // An infinite k or NaN becomes the result.
    k = x == 0.0f ? -(float)INFINITY : k;
    k = x < 0.0f ? (float)NAN : k;
    k = x < (float)INFINITY ? k : x;
    float z = f * f;
    float p = (0x1.5556dap-2f - f * 0x1.00037ap-2f) + z * (0x1.98d7a6p-3f - f * 0x1.5383bp-3f);
    p = p + (z * z) * ((0x1.31783ep-3f - f * 0x1.242a34p-3f) + z * 0x1.6436dcp-4f);
    return k * 0x1.62e4p-1f + (f - ((0.5f * z - k * 0x1.7f7d1cp-20f) - (z * f) * p));
}

// Natural logarithm. Error < 1 ULP.
static inline double opc_log_f64(double x) {
    double y = x < 0x1p-1022 ? x * 0x1p+54 : x;
    double o = x < 0x1p-1022 ? 0x1p+52 + 1077.0 : 0x1p+52 + 1023.0;
    // y = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    uint64_t t = opc_bits_f64(y) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    double k = opc_from_bits_f64((t >> 52) | 0x4330000000000000u) - o;
    double f = opc_from_bits_f64((t & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1.0;
    double e = x < 0.0 ? (double)NAN : -(double)INFINITY;
    double r = opc_log_sum_f64(k, f, 0.0);
    r = x > 0.0 ? r : e;
    return x < (double)INFINITY ? r : x + x;
}

// log(u + c) to float precision, relative error 2^-42, for use inside f32 functions; u is a
// positive normal number and c its rounding error.
static inline double opc_log_wide(double u, double c) {
    uint64_t t = opc_bits_f64(u) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    double k = opc_from_bits_f64((t >> 52) | 0x4330000000000000u) - (0x1p+52 + 1023.0);
    double m = opc_from_bits_f64((t & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
    double f = (m - 1.0) + c * opc_power_of_two_f64(-k);
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0x1.91185f50d21eep-3;
    p = p * z + 0x1.c62aeca28a363p-3;
    p = p * z + 0x1.24941240bd06fp-2;
    p = p * z + 0x1.999996a900535p-2;
    p = p * z + 0x1.555555561e2a7p-1;
    return k * 0x1.62e42fefa39efp-1 + (2.0 * s + (s * z) * p);
}

// log(1 + x). Error < 0.51 ULP.
static inline float opc_log1p_f32(float x) {
    double d = (double)x;
    double c = d > -0.99999999 ? (d < 0x1p+128 ? d : 0.0) : 0.0;
    double u = 1.0 + c;
    float r = opc_cast_f64_f32(opc_log_wide(u, c - (u - 1.0)));
    r = fabsf(x) < 0x1p-25f ? x : r;
    r = x == -1.0f ? -(float)INFINITY : r;
    r = x < -1.0f ? (float)NAN : r;
    r = x == (float)INFINITY ? x : r;
    return x != x ? x + x : r;
}

// log(1 + x). Error < 1 ULP.
static inline double opc_log1p_f64(double x) {
    double u = 1.0 + x;
    double r = copysign(opc_log_rest_f64(u, x - (u - 1.0), 0.0), x);
    r = x == -1.0 ? -(double)INFINITY : r;
    r = x < -1.0 ? (double)NAN : r;
    return x < (double)INFINITY ? r : x + x;
}
