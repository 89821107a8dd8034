// Hyperbolic sine. Error < 0.51 ULP.
static inline float opc_sinh_f32(float x) {
    double e = opc_expm1_wide(fabs((double)x));
    float r = (float)(0.5 * (e + e / (e + 1.0)));
    return x != x ? x + x : opc_flip_sign_f32(r, x);
}

// Hyperbolic sine, from e^|x| = (1 + p) 2^k. Error < 1.5 ULP.
static inline double opc_sinh_f64(double x) {
    double a = fabs(x);
    opc_scaled_f64 e = opc_exp_scaled_f64(a, 0.0);
    double k = e.k < 60.0 ? e.k : 60.0;
    double w = opc_power_of_two_f64(-2.0 * k);
    // 1 + p - w / (1 + p) with w = 2^-2k, written as (1 - w) + p + w p - w p^2 / (1 + p).
    double g = w * ((e.hi * e.hi) / (1.0 + e.hi));
    opc_pair_f64 s = opc_two_sum_f64(1.0 - w, e.hi);
    opc_pair_f64 t = opc_two_sum_f64(s.hi, w * e.hi);
    double l = (s.lo + t.lo) + (e.lo + (w * e.lo - g));
    double r = opc_scale_f64(t.hi + l, e.k - 1.0);
    r = a < 0x1p-27 ? a : r;
    return x != x ? x + x : opc_flip_sign_f64(r, x);
}

// Hyperbolic cosine. Error < 0.51 ULP.
static inline float opc_cosh_f32(float x) {
    double e = opc_exp_wide(fabs((double)x));
    float r = (float)(0.5 * (e + 1.0 / e));
    return x != x ? x + x : r;
}

// Hyperbolic cosine, from e^|x| = (1 + p) 2^k. Error < 1.2 ULP.
static inline double opc_cosh_f64(double x) {
    opc_scaled_f64 e = opc_exp_scaled_f64(fabs(x), 0.0);
    double k = e.k < 60.0 ? e.k : 60.0;
    double w = opc_power_of_two_f64(-2.0 * k);
    opc_pair_f64 s = opc_two_sum_f64(1.0, e.hi);
    double r = opc_scale_f64(s.hi + (s.lo + (e.lo + w / s.hi)), e.k - 1.0);
    return x != x ? x + x : r;
}

// Hyperbolic tangent. Error < 1.5 ULP.
static inline float opc_tanh_f32(float x) {
    float a = fabsf(x);
    float b = a > 10.0f ? 10.0f : a;
    float z = b * b;
    float p = -0x1.76afe4p-8f;
    p = p * z + 0x1.5257e2p-6f;
    p = p * z - 0x1.b84478p-5f;
    p = p * z + 0x1.11076ap-3f;
    p = p * z - 0x1.555534p-2f;
    float s = b + (b * z) * p;
    float l = 1.0f - 2.0f / (opc_exp_f32(b + b) + 1.0f);
    float r = copysignf(b < 0.625f ? s : l, x);
    return x != x ? x + x : r;
}

// Hyperbolic tangent, as e / (e + 2) with e = e^2|x| - 1. Error < 0.8 ULP.
static inline double opc_tanh_f64(double x) {
    double a = fabs(x);
    double b = a > 22.0 ? 22.0 : a;
    opc_scaled_f64 e = opc_exp_scaled_f64(b + b, 0.0);
    double w = opc_power_of_two_f64(-e.k);
    opc_pair_f64 n = opc_two_sum_f64(1.0 - w, e.hi);
    n.lo = n.lo + e.lo;
    opc_pair_f64 d = opc_two_sum_f64(n.hi, w + w);
    d.lo = d.lo + n.lo;
    opc_pair_f64 q = opc_pair_div_f64(n, d);
    double r = a < 0x1p-27 ? a : q.hi + q.lo;
    return x != x ? x + x : opc_flip_sign_f64(r, x);
}

// Inverse hyperbolic sine. Error < 0.51 ULP.
static inline float opc_asinh_f32(float x) {
    double a = fabs((double)x);
    double b = a < (double)INFINITY ? a : 0.0;
    double y = b + (b * b) / (1.0 + sqrt(b * b + 1.0));
    double u = 1.0 + y;
    float r = (float)opc_log_wide(u, y - (u - 1.0));
    r = a < 0x1p-15 ? (float)a : r;
    r = a == (double)INFINITY ? (float)a : r;
    return x != x ? x + x : opc_flip_sign_f32(r, x);
}

// Inverse hyperbolic sine, as log1p(x + x^2 / (1 + sqrt(1 + x^2))). Error < 0.8 ULP.
static inline double opc_asinh_f64(double x) {
    double a = fabs(x);
    double b = a < 0x1p+40 ? a : 0.0;
    opc_pair_f64 z = opc_two_product_f64(b, b);
    opc_pair_f64 one = {1.0, 0.0};
    opc_pair_f64 s = opc_pair_sqrt_f64(opc_pair_add_f64(one, z));
    opc_pair_f64 g = opc_pair_div_f64(z, opc_pair_add_f64(one, s));
    opc_pair_f64 y = opc_two_sum_f64(b, g.hi);
    opc_pair_f64 u = opc_two_sum_f64(1.0, y.hi);
    u.lo = u.lo + (y.lo + g.lo);
    // From 2^40 on the argument of the logarithm is 2x to well below one rounding.
    bool far = a >= 0x1p+40;
    double h = far ? a : u.hi;
    h = a == (double)INFINITY ? 1.0 : h;
    opc_pair_f64 l = opc_log_pair_f64(h, far ? 0.0 : u.lo, far ? 1.0 : 0.0);
    double r = l.hi + l.lo;
    r = a < 0x1p-27 ? a : r;
    r = a == (double)INFINITY ? a : r;
    return x != x ? x + x : opc_flip_sign_f64(r, x);
}

// Inverse hyperbolic cosine. Error < 0.51 ULP; NaN below 1.
static inline float opc_acosh_f32(float x) {
    bool in = x >= 1.0f && x < (float)INFINITY;
    double t = (in ? (double)x : 1.0) - 1.0;
    double y = t + sqrt(t * (t + 2.0));
    double u = 1.0 + y;
    float r = (float)opc_log_wide(u, y - (u - 1.0));
    r = x < 1.0f ? (float)NAN : r;
    r = x == (float)INFINITY ? x : r;
    return x != x ? x + x : r;
}

// Inverse hyperbolic cosine, as log1p(t + sqrt(t (t + 2))) with t = x - 1. Error < 0.8 ULP; NaN
// below 1.
static inline double opc_acosh_f64(double x) {
    bool in = x >= 1.0 && x < 0x1p+40;
    double t = (in ? x : 1.0) - 1.0;
    opc_pair_f64 d = opc_two_sum_f64(t, 2.0);
    opc_pair_f64 p = {t, 0.0};
    opc_pair_f64 s = opc_pair_sqrt_f64(opc_pair_mul_f64(p, d));
    opc_pair_f64 y = opc_two_sum_f64(t, s.hi);
    opc_pair_f64 u = opc_two_sum_f64(1.0, y.hi);
    u.lo = u.lo + (y.lo + s.lo);
    bool far = x >= 0x1p+40;
    double h = far ? x : u.hi;
    h = x == (double)INFINITY ? 1.0 : h;
    opc_pair_f64 l = opc_log_pair_f64(h, far ? 0.0 : u.lo, far ? 1.0 : 0.0);
    double r = l.hi + l.lo;
    r = x < 1.0 ? (double)NAN : r;
    r = x == (double)INFINITY ? x : r;
    return x != x ? x + x : r;
}

// Inverse hyperbolic tangent. Error < 0.51 ULP; NaN outside [-1, 1].
static inline float opc_atanh_f32(float x) {
    double a = fabs((double)x);
    double b = a < 1.0 ? a : 0.0;
    double y = (b + b) / (1.0 - b);
    double u = 1.0 + y;
    float r = (float)(0.5 * opc_log_wide(u, y - (u - 1.0)));
    r = a < 0x1p-15 ? (float)a : r;
    r = a == 1.0 ? (float)INFINITY : r;
    r = a > 1.0 ? (float)NAN : r;
    r = opc_flip_sign_f32(r, a > 1.0 ? 0.0f : x);
    return x != x ? x + x : r;
}

// Inverse hyperbolic tangent, as log((1 + x) / (1 - x)) / 2. Error < 0.8 ULP; NaN outside [-1, 1].
static inline double opc_atanh_f64(double x) {
    double a = fabs(x);
    double b = a < 1.0 ? a : 0.0;
    opc_pair_f64 q = opc_pair_div_f64(opc_two_sum_f64(1.0, b), opc_two_sum_f64(1.0, -b));
    opc_pair_f64 l = opc_log_pair_f64(q.hi, q.lo, 0.0);
    double z = b < 0.17 ? b * b : 0.0;
    double p = 0x1.0f660053d5863p-3;
    p = p * z + 0x1.0f5c772497855p-3;
    p = p * z + 0x1.3b20af28367fep-3;
    p = p * z + 0x1.745cde20d1b4ap-3;
    p = p * z + 0x1.c71c72593f2e7p-3;
    p = p * z + 0x1.249249242b0acp-2;
    p = p * z + 0x1.9999999999e02p-2;
    p = p * z + 0x1.5555555555555p-1;
    double r = b < 0.17 ? b + (b * (0.5 * z)) * p : 0.5 * (l.hi + l.lo);
    r = a == 1.0 ? (double)INFINITY : r;
    r = a > 1.0 ? (double)NAN : r;
    r = opc_flip_sign_f64(r, a > 1.0 ? 0.0 : x);
    return x != x ? x + x : r;
}
