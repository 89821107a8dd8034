// Error function: a polynomial in x^2 below 0.875, 1 - e^(-polynomial) above. Error < 1.5 ULP.
static inline float opc_erf_f32(float x) {
    float a = fabsf(x);
    float b = a > 4.0f ? 4.0f : a;
    float z = b * b;
    float p = 0x1.6cdc72p-14f;
    p = p * z - 0x1.aec8a6p-11f;
    p = p * z + 0x1.5542a6p-8f;
    p = p * z - 0x1.b81a72p-6f;
    p = p * z + 0x1.ce2e8ep-4f;
    p = p * z - 0x1.812744p-2f;
    p = p * z + 0x1.06eba8p-3f;
    float s = b + b * p;
    float q = 0x1.4f0c2ep-16f;
    q = q * b - 0x1.ba16a6p-12f;
    q = q * b + 0x1.0d538ap-8f;
    q = q * b - 0x1.98f18ep-6f;
    q = q * b + 0x1.ba858p-4f;
    q = q * b + 0x1.44626cp-1f;
    q = q * b + 0x1.212102p+0f;
    q = q * b - 0x1.41805ap-13f;
    float l = 1.0f - opc_exp_f32(-q);
    float r = copysignf(b < 0.875f ? s : l, x);
    return x != x ? x + x : r;
}

// erfc(a) to float precision, relative error 2^-30, for 0 <= a, for use inside f32 functions. The
// polynomial is (1 + 2a) e^(a^2) erfc(a), nearly constant, in (a - 3) / (a + 3).
static inline double opc_erfc_wide(double a) {
    double b = a > 11.0 ? 11.0 : a;
    double u = 1.0 + 2.0 * b;
    double v = b + 3.0;
    double i = 1.0 / (u * v);
    double t = ((b - 3.0) * u) * i;
    double p = 0x1.4e80b75597a4dp-15;
    p = p * t - 0x1.63df9fe5b01d5p-13;
    p = p * t - 0x1.7f9baa7e513f7p-11;
    p = p * t + 0x1.fe3b1107195cdp-10;
    p = p * t + 0x1.4aa6e81d024a5p-9;
    p = p * t - 0x1.85c05626545e2p-6;
    p = p * t + 0x1.17c989204831ep-4;
    p = p * t - 0x1.e88905dd7a9cbp-4;
    p = p * t + 0x1.09837a00aa159p-3;
    p = p * t - 0x1.85a198e718d14p-5;
    p = p * t - 0x1.15c0854e3f7dbp-3;
    p = p * t + 0x1.40c522dbbaa11p+0;
    return opc_exp_wide(-(b * b)) * (p * (v * i));
}

// 1 - erf(x), accurate in the tail. Error < 0.6 ULP.
static inline float opc_erfc_f32(float x) {
    double e = opc_erfc_wide(fabs((double)x));
    float r = (float)(x < 0.0f ? 2.0 - e : e);
    return x != x ? x + x : r;
}

// erfc(a) = (hi + lo) 2^k for a >= 0, by (1 + 2a) e^(a^2) erfc(a), nearly constant, as a polynomial
// in (a - 4) / (a + 4). Relative error 2^-55; a is clamped to 28.
static inline opc_scaled_f64 opc_erfc_scaled_f64(double a) {
    double b = a > 28.0 ? 28.0 : a;
    opc_pair_f64 w = opc_pair_div_f64(opc_two_sum_f64(-4.0, b), opc_two_sum_f64(4.0, b));
    double t = w.hi;
    double p = 0x1.2ad8e45b11fecp-32;
    p = p * t + 0x1.1914b8213c3f2p-29;
    p = p * t + 0x1.d15c34cc89a91p-30;
    p = p * t - 0x1.1a6bd1b01912ap-26;
    p = p * t - 0x1.46ad8f7ef9255p-26;
    p = p * t + 0x1.e5a28f5c6fd78p-24;
    p = p * t + 0x1.4a1ab8a9487c6p-24;
    p = p * t - 0x1.bc52ee71b930ep-21;
    p = p * t + 0x1.39522d28ba813p-22;
    p = p * t + 0x1.7f3d51a029e4bp-18;
    p = p * t - 0x1.78838947a93adp-17;
    p = p * t - 0x1.995b06734ffe7p-16;
    p = p * t + 0x1.3be0375660e53p-13;
    p = p * t - 0x1.a1df18a2e92d9p-13;
    p = p * t - 0x1.8d4a999b2707cp-11;
    p = p * t + 0x1.49c672770293cp-8;
    p = p * t - 0x1.096238855dec6p-6;
    p = p * t + 0x1.3079edf6af1fep-5;
    p = p * t - 0x1.0fb06dfe47f0ap-4;
    p = p * t + 0x1.7fee004e112fap-4;
    p = p * t - 0x1.9ddb23c3e9197p-4;
    p = p * t + 0x1.16ecefcfa5406p-4;
    p = p * t + 0x1.f7f5df66fd7dp-7;
    p = p * t - 0x1.1df1ad154a28fp-3;
    // Slope of the polynomial, by which the rounding error of t is taken back.
    double d = -0x1.d55b9303705e6p-1;
    d = d * t + 0x1.6e992b92ce43dp-1;
    d = d * t - 0x1.5c479e063c23bp-4;
    d = d * t + 0x1.26b2029d2ef77p-3;
    d = d * t - 0x1.8a359b9e61477p-7;
    d = d * t - 0x1.18e155449aa17p-3;
    opc_pair_f64 f = opc_fast_sum_f64(0x1.3ba5916e9fd7fp+0, t * p);
    f.lo = f.lo + w.lo * d + -0x1.ab389c477f3c8p-55;
    opc_pair_f64 z = opc_two_product_f64(b, b);
    opc_scaled_f64 e = opc_exp_scaled_f64(-z.hi, -z.lo);
    opc_pair_f64 m = opc_fast_sum_f64(1.0, e.hi);
    m.lo = m.lo + e.lo;
    opc_pair_f64 q = opc_pair_div_f64(opc_pair_mul_f64(m, f), opc_two_sum_f64(1.0, 2.0 * b));
    opc_scaled_f64 r = {q.hi, q.lo, e.k};
    return r;
}

// erf(x) / x - 1 for |x| < 0.875. Absolute error 2^-56.
static inline double opc_erf_ratio_f64(double x) {
    double z = x * x;
    double p = -0x1.dc3f2083e7691p-31;
    p = p * z + 0x1.e535d0dbebb48p-27;
    p = p * z - 0x1.5dcde35480637p-23;
    p = p * z + 0x1.b9c0d017a5c59p-20;
    p = p * z - 0x1.f4d0172d17f47p-17;
    p = p * z + 0x1.f9a30fb9f861bp-14;
    p = p * z - 0x1.c02db3632aad4p-11;
    p = p * z + 0x1.565bcd0bc89fbp-8;
    p = p * z - 0x1.b82ce3127b60ep-6;
    p = p * z + 0x1.ce2f21a0429b3p-4;
    p = p * z - 0x1.812746b0379e5p-2;
    p = p * z + 0x1.06eba8214db69p-3;
    return p;
}

// Error function. Error < 1 ULP.
static inline double opc_erf_f64(double x) {
    double a = fabs(x);
    double b = a < 0.875 ? a : 0.0;
    opc_scaled_f64 e = opc_erfc_scaled_f64(a);
    double l = 1.0 - opc_scale_f64(e.hi, e.k);
    double r = copysign(a < 0.875 ? b + b * opc_erf_ratio_f64(b) : l, x);
    return x != x ? x + x : r;
}

// 1 - erf(x), accurate in the tail. Error < 1 ULP.
static inline double opc_erfc_f64(double x) {
    opc_scaled_f64 e = opc_erfc_scaled_f64(fabs(x));
    opc_pair_f64 s = opc_two_sum_f64(2.0, -opc_scale_f64(e.hi, e.k));
    double n = s.hi + (s.lo - opc_scale_f64(e.lo, e.k));
    double r = x < 0.0 ? n : opc_scale_f64(e.hi + e.lo, e.k);
    // Near 0 the polynomial of the tail is steep: take 1 - erf(x) there.
    double b = fabs(x) < 0.5 ? x : 0.0;
    opc_pair_f64 c = opc_two_sum_f64(1.0, -b);
    r = fabs(x) < 0.5 ? c.hi + (c.lo - b * opc_erf_ratio_f64(b)) : r;
    return x != x ? x + x : r;
}
