// x * 2^k for an integer k in [-250, 250], in two exact steps unless the result is subnormal.
static inline float opc_scale_f32(float x, float k) {
    uint32_t n = opc_bits_f32(k + 0x1.8p+23f) - opc_bits_f32(0x1.8p+23f);
    uint32_t h = (n + 512u) >> 1;
    float a = opc_from_bits_f32((h - 129u) << 23);
    float b = opc_from_bits_f32((n + 383u - h) << 23);
    return (x * a) * b;
}

// x * 2^k for an integer k in [-2040, 2040], in two exact steps unless the result is subnormal.
static inline double opc_scale_f64(double x, double k) {
    uint64_t n = opc_bits_f64(k + 0x1.8p+52) - opc_bits_f64(0x1.8p+52);
    uint64_t h = (n + 4096u) >> 1;
    double a = opc_from_bits_f64((h - 1025u) << 52);
    double b = opc_from_bits_f64((n + 3071u - h) << 52);
    return (x * a) * b;
}

// 2^k for an integer k in [-1022, 1023]. Exact.
static inline double opc_power_of_two_f64(double k) {
    uint64_t n = opc_bits_f64(k + 0x1.8p+52) - opc_bits_f64(0x1.8p+52);
    return opc_from_bits_f64((n + 1023u) << 52);
}

// e^x, exponent reduced by ln 2 and a polynomial of degree 6. Error < 1 ULP.
static inline float opc_exp_f32(float x) {
    float c = x > 89.0f ? 89.0f : x;
    c = c < -105.0f ? -105.0f : c;
    float k = (c * 0x1.715476p+0f + 0x1.8p+23f) - 0x1.8p+23f;
    float h = c - k * 0x1.62e4p-1f;
    float l = k * 0x1.7f7d1cp-20f;
    float r = h - l;
    float p = 0x1.6a25b6p-10f;
    p = p * r + 0x1.1239f4p-7f;
    p = p * r + 0x1.5558fp-5f;
    p = p * r + 0x1.555492p-3f;
    p = p * r + 0x1.fffffcp-2f;
    // The last term is the rounding error of r.
    float e = 1.0f + (r + ((r * r) * p + ((h - r) - l)));
    return x != x ? x + x : opc_scale_f32(e, k);
}

// e^x, exponent reduced by ln 2 and a polynomial of degree 12. Error < 1 ULP.
static inline double opc_exp_f64(double x) {
    double c = x > 710.0 ? 710.0 : x;
    c = c < -746.0 ? -746.0 : c;
    double k = (c * 0x1.71547652b82fep+0 + 0x1.8p+52) - 0x1.8p+52;
    double r = (c - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double p = 0x1.1f958b3a58e84p-29;
    p = p * r + 0x1.af5ecc5297436p-26;
    p = p * r + 0x1.27e4c5848db45p-22;
    p = p * r + 0x1.71ddf84cb214bp-19;
    p = p * r + 0x1.a01a01b0c6424p-16;
    p = p * r + 0x1.a01a01afe7978p-13;
    p = p * r + 0x1.6c16c16c14413p-10;
    p = p * r + 0x1.111111110f6a9p-7;
    p = p * r + 0x1.555555555555ap-5;
    p = p * r + 0x1.5555555555559p-3;
    p = p * r + 0x1p-1;
    double e = 1.0 + (r + (r * r) * p);
    return x != x ? x + x : opc_scale_f64(e, k);
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

// e^x - 1 to float precision, relative error 2^-36, for use inside f32 functions; no NaN.
static inline double opc_expm1_wide(double x) {
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
    double s = opc_power_of_two_f64(k);
    return (s - 1.0) + s * (r + (r * r) * p);
}

// e^x - 1. Error < 1.5 ULP.
static inline float opc_expm1_f32(float x) {
    float c = x > 89.0f ? 89.0f : x;
    c = c < -20.0f ? -20.0f : c;
    float k = (c * 0x1.715476p+0f + 0x1.8p+23f) - 0x1.8p+23f;
    float h = c - k * 0x1.62e4p-1f;
    float l = k * 0x1.7f7d1cp-20f;
    float r = h - l;
    float p = 0x1.6d9b9ep-10f;
    p = p * r + 0x1.1228p-7f;
    p = p * r + 0x1.555484p-5f;
    p = p * r + 0x1.5554bp-3f;
    p = p * r + 0x1p-1f;
    float q = (r * r) * p + ((h - r) - l);
    // (e^r - 1) + (1 - 2^-k), the sum s and its rounding error d, before scaling by 2^k.
    float b = 1.0f - opc_scale_f32(1.0f, -k);
    float s = b + r;
    float t = s - b;
    float d = (b - (s - t)) + (r - t);
    float m = opc_scale_f32(s + (d + q), k);
    m = fabsf(x) < 0x1p-25f ? x : m;
    return x != x ? x + x : m;
}

// e^x - 1. Error < 1.5 ULP.
static inline double opc_expm1_f64(double x) {
    double c = x > 710.0 ? 710.0 : x;
    c = c < -40.0 ? -40.0 : c;
    double k = (c * 0x1.71547652b82fep+0 + 0x1.8p+52) - 0x1.8p+52;
    double h = c - k * 0x1.62e42fefa38p-1;
    double l = k * 0x1.ef35793c7673p-45;
    double r = h - l;
    double p = 0x1.1f958b3a58e84p-29;
    p = p * r + 0x1.af5ecc5297436p-26;
    p = p * r + 0x1.27e4c5848db45p-22;
    p = p * r + 0x1.71ddf84cb214bp-19;
    p = p * r + 0x1.a01a01b0c6424p-16;
    p = p * r + 0x1.a01a01afe7978p-13;
    p = p * r + 0x1.6c16c16c14413p-10;
    p = p * r + 0x1.111111110f6a9p-7;
    p = p * r + 0x1.555555555555ap-5;
    p = p * r + 0x1.5555555555559p-3;
    p = p * r + 0x1p-1;
    double q = (r * r) * p + ((h - r) - l);
    // (e^r - 1) + (1 - 2^-k), the sum s and its rounding error d, before scaling by 2^k.
    double b = 1.0 - opc_scale_f64(1.0, -k);
    double s = b + r;
    double t = s - b;
    double d = (b - (s - t)) + (r - t);
    double m = opc_scale_f64(s + (d + q), k);
    m = fabs(x) < 0x1p-54 ? x : m;
    return x != x ? x + x : m;
}

// Natural logarithm. Error < 1 ULP.
static inline float opc_log_f32(float x) {
    float y = x < 0x1p-126f ? x * 0x1p+23f : x;
    float o = x < 0x1p-126f ? 150.0f : 127.0f;
    // Write y = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    uint32_t t = opc_bits_f32(y) + (0x3f800000u - 0x3f3504f3u);
    float k = (float)(int32_t)(t >> 23) - o;
    float f = opc_from_bits_f32((t & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    float p = -0x1.41f19ap-4f;
    p = p * f + 0x1.07e772p-3f;
    p = p * f - 0x1.0ce98cp-3f;
    p = p * f + 0x1.226ba2p-3f;
    p = p * f - 0x1.54777p-3f;
    p = p * f + 0x1.99a5aep-3f;
    p = p * f - 0x1.000224p-2f;
    p = p * f + 0x1.55554ap-2f;
    float z = f * f;
    float h = 0.5f * z;
    float r = k * 0x1.62e4p-1f + (f - (h - ((z * f) * p + k * 0x1.7f7d1cp-20f)));
    r = x == 0.0f ? -(float)INFINITY : r;
    r = x < 0.0f ? (float)NAN : r;
    r = x == (float)INFINITY ? x : r;
    return x != x ? x + x : r;
}

// Natural logarithm. Error < 1 ULP.
static inline double opc_log_f64(double x) {
    double y = x < 0x1p-1022 ? x * 0x1p+54 : x;
    double o = x < 0x1p-1022 ? 0x1p+52 + 1077.0 : 0x1p+52 + 1023.0;
    // Write y = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), then s = f / (2 + f).
    uint64_t t = opc_bits_f64(y) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    double k = opc_from_bits_f64((t >> 52) | 0x4330000000000000u) - o;
    double f = opc_from_bits_f64((t & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1.0;
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0x1.0f660053d5863p-3;
    p = p * z + 0x1.0f5c772497855p-3;
    p = p * z + 0x1.3b20af28367fep-3;
    p = p * z + 0x1.745cde20d1b4ap-3;
    p = p * z + 0x1.c71c72593f2e7p-3;
    p = p * z + 0x1.249249242b0acp-2;
    p = p * z + 0x1.9999999999e02p-2;
    p = p * z + 0x1.5555555555555p-1;
    double h = 0.5 * (f * f);
    double r = k * 0x1.62e42fefa38p-1
        - ((h - (s * (h + z * p) + k * 0x1.ef35793c7673p-45)) - f);
    r = x == 0.0 ? -(double)INFINITY : r;
    r = x < 0.0 ? (double)NAN : r;
    r = x == (double)INFINITY ? x : r;
    return x != x ? x + x : r;
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
    float r = (float)opc_log_wide(u, c - (u - 1.0));
    r = fabsf(x) < 0x1p-25f ? x : r;
    r = x == -1.0f ? -(float)INFINITY : r;
    r = x < -1.0f ? (float)NAN : r;
    r = x == (float)INFINITY ? x : r;
    return x != x ? x + x : r;
}

// log(1 + x). Error < 0.6 ULP.
static inline double opc_log1p_f64(double x) {
    double c = x > -1.0 ? (x < (double)INFINITY ? x : 0.0) : 0.0;
    opc_pair_f64 y = opc_two_sum_f64(1.0, c);
    opc_pair_f64 l = opc_log_pair_f64(y.hi, y.lo, 0.0);
    double r = l.hi + l.lo;
    r = fabs(x) < 0x1p-54 ? x : r;
    r = x == -1.0 ? -(double)INFINITY : r;
    r = x < -1.0 ? (double)NAN : r;
    r = x == (double)INFINITY ? x : r;
    return x != x ? x + x : r;
}
