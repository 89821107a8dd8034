// Error function: a polynomial in x^2 below 1.125, 1 minus a fourth power above. Error < 1.8 ULP.
static inline float opc_erf_f32(float x) {
    float a = fabsf(x);
    a = a > 3.9375f ? 3.9375f : a;
    float z = a * a;
    float y = z * z;
    float p = (0x1.06eba8p-3f - z * 0x1.81272ep-2f) + y * (0x1.ce2984p-4f - z * 0x1.b7bbdcp-6f);
    p = p + (y * y) * ((0x1.522ec4p-8f - z * 0x1.972682p-11f) + y * 0x1.2842cap-14f);
    // The fourth root of erfc.
    float t = a - 1.125f;
    float u = t * t;
    float q = (0x1.27ef8ep-1f - t * 0x1.a5f2bep-2f) + u * (0x1.77fd7ep-6f + t * 0x1.890546p-5f);
    float v = (-0x1.a17a4ep-8f - t * 0x1.53501ap-8f) + u * (0x1.e268c8p-10f - t * 0x1.824888p-13f);
    q = q + (u * u) * v;
    q = q * q;
    return copysignf(a < 1.125f ? a + a * p : 1.0f - q * q, x);
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
    float r = opc_cast_f64_f32(x < 0.0f ? 2.0 - e : e);
    return x != x ? x + x : r;
}

// erf(x) / x - 1 for |x| < 0.8125, from z = x^2. Absolute error < 2^-54.
static inline double opc_erf_ratio_f64(double z) {
    double y = z * z;
    double p = 0x1.794b25f220319p-27;
    double q = -0x1.533ec9137d858p-23;
    p = p * y + 0x1.b895e87855525p-20;
    q = q * y - 0x1.f4bb916dc8844p-17;
    p = p * y + 0x1.f9a2280391377p-14;
    q = q * y - 0x1.c02dacd2fb606p-11;
    p = p * y + 0x1.565bccee1c5bep-8;
    q = q * y - 0x1.b82ce311deccbp-6;
    p = p * y + 0x1.ce2f21a040f31p-4;
    q = q * y - 0x1.812746b0379c8p-2;
    p = p * y + 0x1.06eba8214db68p-3;
    return p + z * q;
}

// Error function: x plus x times a polynomial in x^2 below 0.8125, 1 - e^(-x^2) times a rational
// function of |x| - 0.8125 above. Error < 1.8 ULP.
static inline double opc_erf_f64(double x) {
    double a = fabs(x);
    double b = a > 6.0 ? 6.0 : a;
    double z = b * b;
    // e^(-x^2) = s + s y.
    double m = (0x1.8p+52 + 1023.0) - z * 0x1.71547652b82fep+0;
    double k = m - (0x1.8p+52 + 1023.0);
    double r = (-z - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double y = r + opc_exp_tail_f64(r);
    double s = opc_from_bits_f64(opc_bits_f64(m) << 52);
    double e = b - 0.8125;
    double v = e * e;
    double p = 0x1.2c0c0ebfe3695p-6;
    double q = 0x1.5bdf6e3fce450p-10;
    p = p * v + 0x1.68812b7874163p-2;
    q = q * v + 0x1.bf63093e96d1cp-4;
    p = p * v + 0x1.f0723ff5acdf9p-2;
    q = q * v + 0x1.3bf0983b59dbcp-1;
    double n = (s + s * y) * (p + e * q);
    p = 0x1.344c4b3254badp-9;
    q = 0x1.198f321b39793p-5;
    p = p * v + 0x1.c4ed56c7e15a5p-3;
    q = q * v + 0x1.97cdc254af219p-1;
    p = p * v + 0x1.af39af9664059p+0;
    q = q * v + 0x1.f9ab318f4e9cfp+0;
    p = p * v + 1.0;
    double far = 1.0 - n / (p + e * q);
    double near = b + b * opc_erf_ratio_f64(z);
    return copysign(a < 0.8125 ? near : far, x);
}

// 1 - erf(x), accurate in the tail. Error < 2 ULP.
static inline double opc_erfc_f64(double x) {
    double a = fabs(x) < 28.0 ? fabs(x) : 28.0;
    // x^2 = g + h, exactly.
    double u = opc_upper_f64(a);
    double g = u * u;
    double h = (a - u) * (a + u);
    // From 0.75 on: t e^(-x^2) / |x|, where t = |x| e^(x^2) erfc(|x|) is its value at 1.5 plus
    // (|x| - 1.5) times a rational function. First e^(-x^2) = (1 + r + y) 2^k.
    double m = (0x1.8p+52 + 2046.0) - g * 0x1.71547652b82fep+0;
    double k = m - (0x1.8p+52 + 2046.0);
    double o = -g - k * 0x1.62e42fefa38p-1;
    double c = k * 0x1.ef35793c7673p-45 + h;
    double r = o - c;
    double y = opc_exp_tail_f64(r) + ((o - r) - c);
    double b = a - 0.75;
    double v = b * b;
    double p = 0x1.71150e6168952p-15;
    double q = 0x1.e2c74da87081dp-20;
    p = p * v + 0x1.e45ed5b8c6aefp-9;
    q = q * v + 0x1.0c5877877f9d1p-11;
    p = p * v + 0x1.02e74e52918e3p-4;
    q = q * v + 0x1.2a04a6813090ep-6;
    p = p * v + 0x1.0a4b0e2a57c70p-2;
    q = q * v + 0x1.3dbcdb602cad6p-3;
    q = q * v + 0x1.162b0413bf609p-2;
    double n = 0x1.17016c3fb54d3p-3 + (b * q + v * p);
    p = 0x1.70d1c81a06d20p-16;
    q = 0x1.1151195651455p-11;
    p = p * v + 0x1.848a39caf507cp-8;
    q = q * v + 0x1.5964396e088ddp-5;
    p = p * v + 0x1.a655b88f24f64p-3;
    q = q * v + 0x1.713800fb8b1fdp-1;
    p = p * v + 0x1.d18d43225c34fp+0;
    q = q * v + 0x1.a0a64d96c3975p+1;
    p = p * v + 0x1.f93745e095924p+1;
    q = q * v + 0x1.75e60a1f0f11cp+1;
    double d = ((a - 1.5) * n) / (1.0 + (b * q + v * p));
    double t = 0x1.edf487f74041cp-2 + d;
    double l = (d - (t - 0x1.edf487f74041cp-2)) + 0x1.d69ce96945531p-56;
    l = t * r + (t * y + l);
    // (t + l) / a: the upper digits i of the quotient, then the remainder.
    double w = 1.0 / a;
    double i = opc_upper_f64((t + l) * w);
    t = i + (((t - i * u) + l) - i * (a - u)) * w;
    uint64_t e = opc_bits_f64(m);
    uint64_t f = e >> 1;
    t = (t * opc_from_bits_f64(f << 52)) * opc_from_bits_f64((e - f) << 52);
    double far = x < 0.0 ? 2.0 - t : t;
    // Below: 1 - x, exactly in two parts, less the rest of erf(x).
    double j = 1.0 - x;
    double near = j + (((1.0 - j) - x) - x * opc_erf_ratio_f64(g + h));
    t = fabs(x) < 0.75 ? near : far;
    return x != x ? x + x : t;
}
