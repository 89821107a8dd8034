// Hyperbolic sine. Error < 2 ULP.
static inline float opc_sinh_f32(float x) {
    return copysignf(opc_exp_mean_f32(x, -1.0f), x);
}

// Hyperbolic sine: x plus x times a polynomial in x^2 below 1, (e^|x| - e^-|x|) / 2 above.
// Error < 1.8 ULP.
static inline double opc_sinh_f64(double x) {
    double a = fabs(x);
    double m = a * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2045.0);
    double k = m - (0x1.8p+52 + 2045.0);
    double r = (a - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    // e^|x| / 2, with 2^(k - 1) as two factors as for e^x.
    uint64_t n = opc_bits_f64(m);
    uint64_t h = n >> 1;
    double b = opc_from_bits_f64(h << 52);
    double e = (b + b * (r + opc_exp_tail_f64(r))) * opc_from_bits_f64((n - h) << 52);
    double far = e - 0.25 / e;
    double z = a * a;
    double y = z * z;
    double p = 0x1.b4cf79a77427ep-41;
    double q = 0x1.611a3a1cbd09dp-33;
    p = p * y + 0x1.ae64676694803p-26;
    q = q * y + 0x1.71de3a45f714ep-19;
    p = p * y + 0x1.a01a01a0291fcp-13;
    q = q * y + 0x1.11111111110a1p-7;
    p = p * y + 0x1.5555555555556p-3;
    double near = a + (a * z) * (p + z * q);
    y = a < 1.0 ? near : far;
    y = a > 711.0 ? (double)INFINITY : y;
    return copysign(y, x);
}

// Hyperbolic cosine. Error < 1.5 ULP.
static inline float opc_cosh_f32(float x) {
    return opc_exp_mean_f32(x, 1.0f);
}

// Hyperbolic cosine, (e^|x| + e^-|x|) / 2. Error < 1.6 ULP.
static inline double opc_cosh_f64(double x) {
    double a = fabs(x);
    double m = a * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2045.0);
    double k = m - (0x1.8p+52 + 2045.0);
    double r = (a - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    // e^|x| / 2, with 2^(k - 1) as two factors as for e^x.
    uint64_t n = opc_bits_f64(m);
    uint64_t h = n >> 1;
    double b = opc_from_bits_f64(h << 52);
    double e = (b + b * (r + opc_exp_tail_f64(r))) * opc_from_bits_f64((n - h) << 52);
    double y = e + 0.25 / e;
    y = a > 711.0 ? (double)INFINITY : y;
    return x != x ? x + x : y;
}

// Hyperbolic tangent, as (1 - e) / (1 + e) with e = e^-2|x|. Error < 2 ULP.
static inline float opc_tanh_f32(float x) {
    float y = fabsf(x + x);
    opc_exp_parts_f32 e = opc_exp_parts_neg_f32(y > 20.0f ? 20.0f : y, 0.0f);
    float m = e.a * e.p;
    return copysignf(((1.0f - e.a) - m) / ((1.0f + e.a) + m), x);
}

// Hyperbolic tangent: x plus a rational function below 0.625, 1 - 2 / (e^2|x| + 1) above.
// Error < 1.3 ULP.
static inline double opc_tanh_f64(double x) {
    double a = fabs(x);
    double b = a > 20.0 ? 20.0 : a;
    // e^-2|x| = w / (2 (1 + y)) with w = 2^(k + 1), k the nearest integer to -2|x| / ln 2.
    double c = b + b;
    double m = (0x1.8p+52 + 1024.0) - c * 0x1.71547652b82fep+0;
    double k = m - (0x1.8p+52 + 1024.0);
    double r = (c + k * 0x1.62e42fefa38p-1) + k * 0x1.ef35793c7673p-45;
    double y = r + opc_exp_tail_f64(r);
    double w = opc_from_bits_f64(opc_bits_f64(m) << 52);
    double z = b * b;
    double n = -0x1.edc5aa95ab97ep-1;
    n = n * z - 0x1.8d255f876cd85p+6;
    n = n * z - 0x1.93aa64418adfbp+10;
    double d = z + 0x1.c33dcc9067357p+6;
    d = d * z + 0x1.176e89e8d24a7p+11;
    d = d * z + 0x1.2ebfcb312827ep+12;
    bool near = a < 0.625;
    n = near ? (b * z) * n : -w;
    d = near ? d : (1.0 + 0.5 * w) + y;
    return copysign((near ? b : 1.0) + n / d, x);
}

// Inverse hyperbolic sine. Error < 0.51 ULP.
static inline float opc_asinh_f32(float x) {
    double a = fabs((double)x);
    double b = a < (double)INFINITY ? a : 0.0;
    double y = b + (b * b) / (1.0 + sqrt(b * b + 1.0));
    double u = 1.0 + y;
    float r = opc_cast_f64_f32(opc_log_wide(u, y - (u - 1.0)));
    r = a < 0x1p-15 ? (float)a : r;
    r = a == (double)INFINITY ? (float)a : r;
    return x != x ? x + x : opc_flip_sign_f32(r, x);
}

// Inverse hyperbolic sine, as log1p(x + x^2 / (1 + sqrt(1 + x^2))). Error < 1.4 ULP.
static inline double opc_asinh_f64(double x) {
    double a = fabs(x);
    double z = a * a;
    double g = z / (1.0 + sqrt(1.0 + z));
    double y = a + g;
    double u = 1.0 + y;
    double c = (y - (u - 1.0)) + (g - (y - a));
    // From 2^40 on the argument of the logarithm is 2x to well below one rounding.
    bool far = a > 0x1p+40;
    double r = opc_log_rest_f64(far ? a : u, far ? 0.0 : c, far ? 1.0 : 0.0);
    return copysign(a < (double)INFINITY ? r : a + a, x);
}

// Inverse hyperbolic cosine. Error < 0.51 ULP; NaN below 1.
static inline float opc_acosh_f32(float x) {
    bool in = x >= 1.0f && x < (float)INFINITY;
    double t = (in ? (double)x : 1.0) - 1.0;
    double y = t + sqrt(t * (t + 2.0));
    double u = 1.0 + y;
    float r = opc_cast_f64_f32(opc_log_wide(u, y - (u - 1.0)));
    r = x < 1.0f ? (float)NAN : r;
    r = x == (float)INFINITY ? x : r;
    return x != x ? x + x : r;
}

// Inverse hyperbolic cosine, as log1p(t + sqrt(t (t + 2))) with t = x - 1. Error < 1.9 ULP; NaN
// below 1.
static inline double opc_acosh_f64(double x) {
    double t = x - 1.0;
    double q = 2.0 * t + t * t;
    double s = sqrt(q < 0.0 ? 0.0 : q);
    double y = s + t;
    double u = 1.0 + y;
    double c = (y - (u - 1.0)) + (t - (y - s));
    bool far = x > 0x1p+40;
    double r = opc_log_rest_f64(far ? x : u, far ? 0.0 : c, far ? 1.0 : 0.0);
    r = x < 1.0 ? (double)NAN : r;
    return x < (double)INFINITY ? r : x + x;
}

// Inverse hyperbolic tangent. Error < 0.51 ULP; NaN outside [-1, 1].
static inline float opc_atanh_f32(float x) {
    double a = fabs((double)x);
    double b = a < 1.0 ? a : 0.0;
    double y = (b + b) / (1.0 - b);
    double u = 1.0 + y;
    float r = opc_cast_f64_f32(0.5 * opc_log_wide(u, y - (u - 1.0)));
    r = a < 0x1p-15 ? (float)a : r;
    r = a == 1.0 ? (float)INFINITY : r;
    r = a > 1.0 ? (float)NAN : r;
    r = opc_flip_sign_f32(r, a > 1.0 ? 0.0f : x);
    return x != x ? x + x : r;
}

// Inverse hyperbolic tangent: x plus x times a polynomial in x^2 below 0.17, above as
// log1p(2x / (1 - x)) / 2. Error < 1.5 ULP; NaN outside [-1, 1].
static inline double opc_atanh_f64(double x) {
    double a = fabs(x);
    // 1 - a rounds below 1/2 only, to an error of e; that of the quotient is e y / (1 - a).
    double d = 1.0 - a;
    double e = (1.0 - d) - a;
    double y = (a + a) / d;
    double u = 1.0 + y;
    double far = 0.5 * opc_log_rest_f64(u, (y - (u - 1.0)) - (e * y) * (0.76 * u), 0.0);
    double z = a * a;
    double w = z * z;
    double p = z * 0x1.999999997fb30p-2 + 0x1.5555555555593p-1;
    double q = z * 0x1.c71c51e7e43a8p-3 + 0x1.2492494217b93p-2;
    double t = z * 0x1.39a0f4a7b5feep-3 + 0x1.7466463049fe9p-3;
    p = (p + w * q) + (w * w) * (t + w * 0x1.2f0d91ef7323cp-3);
    double r = a < 0.17 ? a + (a * (0.5 * z)) * p : far;
    r = a == 1.0 ? (double)INFINITY : r;
    r = copysign(r, x);
    r = a > 1.0 ? (double)NAN : r;
    return x != x ? x + x : r;
}
