// 1 / (1 + e^-x). Error < 1.8 ULP.
static inline float opc_sigmoid_f32(float x) {
    // Divided by 2^32 on both sides, so that e^-x does not overflow before the result is 0.
    opc_exp_parts_f32 e = opc_exp_parts_neg_f32(x > 20.0f ? 20.0f : x, -32.0f);
    float s = 0x1p-32f + e.a;
    float q = 0x1p-32f / (s + (e.a * e.p + (0x1p-32f - (s - e.a))));
    return x < -105.0f ? 0.0f : q;
}

// 1 / (1 + e^-x). Error < 1.8 ULP.
static inline double opc_sigmoid_f64(double x) {
    double c = x > 40.0 ? 40.0 : x;
    c = c < -746.0 ? -746.0 : c;
    double m = c * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    // e^-x = (1 + y) / w with w = 2^k = a b, as for e^x; the result is w / (w + 1 + y).
    double r = k * 0x1.ef35793c7673p-45 - (c - k * 0x1.62e42fefa38p-1);
    double y = r + opc_exp_tail_f64(r);
    uint64_t n = opc_bits_f64(m);
    uint64_t h = n >> 1;
    double a = opc_from_bits_f64(h << 52);
    double b = opc_from_bits_f64((n - h) << 52);
    double w = a * b;
    // 1 + w loses a part of w only where w < 1; y gets it back.
    double s = 1.0 + w;
    double q = (a / (s + (y + (w - (s - 1.0))))) * b;
    return x != x ? x + x : q;
}

// x / (1 + e^-x), also called swish. Error < 1.8 ULP; NaN at -infinity, as the formula gives.
static inline float opc_silu_f32(float x) {
    // Divided by 2^32 on both sides, so that e^-x does not overflow before the result is 0.
    opc_exp_parts_f32 e = opc_exp_parts_neg_f32(x < 20.0f ? x : 20.0f, -32.0f);
    float s = 0x1p-32f + e.a;
    float q = (0x1p-32f * x) / (s + (e.a * e.p + (0x1p-32f - (s - e.a))));
    q = fabsf(x) < 0x1p-60f ? 0.5f * x : q;
    return x < -109.0f ? 0.0f * x : q;
}

// x / (1 + e^-x), also called swish. Error < 1.9 ULP; NaN at -infinity, as the formula gives.
static inline double opc_silu_f64(double x) {
    double v = x < -760.0 ? -760.0 : x;
    double c = x > -760.0 ? x : -760.0;
    c = c > 40.0 ? 40.0 : c;
    double m = c * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    // As the sigmoid, with x in place of 1. c is never NaN, but v is where x is.
    double r = k * 0x1.ef35793c7673p-45 - (c - k * 0x1.62e42fefa38p-1);
    double y = r + opc_exp_tail_f64(r);
    uint64_t n = opc_bits_f64(m);
    uint64_t h = n >> 1;
    double a = opc_from_bits_f64(h << 52);
    double b = opc_from_bits_f64((n - h) << 52);
    double w = a * b;
    double s = 1.0 + w;
    double q = ((v / (s + (y + (w - (s - 1.0))))) * a) * b;
    return x == -(double)INFINITY ? (double)NAN : q;
}

// log(1 + e^x) without overflow. Error < 1.9 ULP.
static inline float opc_softplus_f32(float x) {
    float y = fabsf(x);
    opc_exp_parts_f32 v = opc_exp_parts_neg_f32(y > 105.0f ? 105.0f : y, 32.0f);
    // With e = e^-y: log1p(e) = 2 atanh(s) = e - s (e - s^2 p), s = e / (2 + e) <= 1/3, where e
    // and p are scaled by 2^32.
    float m = v.a * v.p;
    float e = v.a + m;
    float s = e / (0x1p+33f + e);
    float z = s * s;
    float p = (0x1.555502p+31f + z * 0x1.99d1ccp+30f)
        + (z * z) * (0x1.1ec04p+30f + z * 0x1.1eca1cp+30f);
    float l = m - s * (e - z * p);
    return ((x > 0.0f ? x : 0.0f) + 0x1p-32f * l) + 0x1p-32f * v.a;
}

// log(1 + e^x) without overflow. Error < 1.8 ULP.
static inline double opc_softplus_f64(double x) {
    double a = -fabs(x);
    a = a > -746.0 ? a : -746.0;
    // f = e^-|x| as in the exponential; 1 + f is halved where it exceeds sqrt(2).
    double m = a * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    double r = (a - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    uint64_t n = opc_bits_f64(m);
    uint64_t h = n >> 1;
    double s = opc_from_bits_f64(h << 52);
    double f = (s + s * (r + opc_exp_tail_f64(r))) * opc_from_bits_f64((n - h) << 52);
    double e = f > 0.414 ? 0.5 * (f - 1.0) : f;
    double l = opc_log_sum_f64(f > 0.414 ? 1.0 : 0.0, e, 0.0);
    return (x < 0.0 ? 0.0 : x) + l;
}

// x/2 erfc(-x / sqrt 2): the exact GELU. Error < 2 ULP; NaN at -infinity, as the formula gives.
static inline float opc_gelu_f32(float x) {
    // max(x, 0) - a q with a = |x| and q = erfc(a / sqrt 2) / 2 = e^(-a^2/2) (1 + p) / (2 + 2a).
    // Limited as an integer, which limits a NaN, too; the maximum below keeps it.
    uint32_t u = opc_bits_f32(x) & 0x7fffffffu;
    float a = opc_from_bits_f32(u < 0x41680000u ? u : 0x41680000u);
    // a^2, its rounding error included, less a multiple of 2 ln 2 is hi + lo. The factor k has a
    // bias of 191, the exponent of 2^64.
    float b = a * a;
    float kb = b * -0x1.715476p-1f + (0x1.8p+23f + 191.0f);
    float k = kb - (0x1.8p+23f + 191.0f);
    float hi = opc_add_exact_f32(k, 0x1.62e4p+0f, b);
    float lo = opc_add_exact_f32(k, 0x1.7f7ep-19f, opc_product_error_f32(a, a, b));
    float r = hi + lo;
    // e^(-r/2) - 1 + hi/2.
    float z = r * r;
    float e = z * (0x1.fffffcp-4f - r * 0x1.55549p-6f);
    e = e + (z * z) * ((0x1.5558acp-9f - r * 0x1.123b2cp-12f) + z * 0x1.6a570ap-16f);
    e = opc_add_exact_f32(-0.5f, lo, e);
    // p, a quotient of polynomials within [-0.21, 0.05].
    float n = (0x1.9deec4p-3f + a * 0x1.76cc8p-5f) + b * (-0x1.5bf618p-6f - a * 0x1.a6f88p-7f);
    n = n - (b * b) * 0x1.3c977cp-9f;
    float d = (1.0f + a * 0x1.b340f8p+0f) + b * (0x1.3e2394p+0f + a * 0x1.fc8d6p-2f);
    d = d + (b * b) * (0x1.c6c0dp-4f + a * 0x1.879c14p-7f);
    float v = 1.0f + a;
    float t = a / v;
    // Undo the rounding error of v, times 1 / v.
    float p = (a * n) / d - (a - (v - 1.0f)) * (1.0f - t);
    // e^(-r/2) (1 + p) - 1, so that only one product rounds a number as large as the result.
    hi = 0.5f * hi;
    float w = (e + (p + (e - hi) * p)) - hi;
    t = (t * opc_from_bits_f32(opc_bits_f32(kb) << 23)) * 0x1p-65f;
    // x or -0, or NaN for -infinity.
    return x * (x <= -0x1p-149f ? 0.0f : 1.0f) - (t + t * w);
}

// x/2 erfc(-x / sqrt 2): the exact GELU. Error < 1.9 ULP; NaN at -infinity, as the formula gives.
static inline double opc_gelu_f64(double x) {
    bool near = fabs(x) < 1.0;
    double a = fabs(x) < 40.0 ? fabs(x) : 40.0;
    // x^2 = g + h, exactly.
    double u = opc_upper_f64(a);
    double g = u * u;
    double h = (a - u) * (a + u);
    // From 1 on: max(x, 0) - t e^(-x^2/2), where t = |x|/2 e^(x^2/2) erfc(|x| / sqrt 2) is its
    // value at 2 plus (|x| - 2) times a rational function of |x| - 1, positive in all
    // terms. First e^(-x^2/2) = (1 + r + y) 2^k.
    double m = (-0.5 * g) * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    double o = -0.5 * g - k * 0x1.62e42fefa38p-1;
    double c = k * 0x1.ef35793c7673p-45 + 0.5 * h;
    double r = o - c;
    double y = opc_exp_tail_f64(r) + ((o - r) - c);
    double b = a - 1.0;
    double v = b * b;
    double p = 0x1.b1f29668f0f55p-20;
    double q = 0x1.9716925936cc1p-25;
    p = p * v + 0x1.160b0bd1a7251p-12;
    q = q * v + 0x1.b8a43fa38c37ep-16;
    p = p * v + 0x1.237048f0a5f44p-7;
    q = q * v + 0x1.dee7112e4932cp-10;
    p = p * v + 0x1.26fe0c3c65cdcp-4;
    q = q * v + 0x1.f589460b82552p-6;
    q = q * v + 0x1.b10699dec0cdfp-4;
    double n = 0x1.31aabaa631872p-4 + (b * q + v * p);
    p = 0x1.958ac4a1c9c65p-21;
    q = 0x1.a3a0552339f75p-16;
    p = p * v + 0x1.a0fc6acb1b60cp-12;
    q = q * v + 0x1.035861cdeb614p-8;
    p = p * v + 0x1.bc0e462ed4a3cp-6;
    q = q * v + 0x1.0ff3e9ab9e5a7p-3;
    p = p * v + 0x1.e0a9e57be2c66p-2;
    q = q * v + 0x1.2d9d43ad027e4p+0;
    p = p * v + 0x1.00846bf860f9fp+1;
    q = q * v + 0x1.0a63559d2c960p+1;
    double d = ((a - 2.0) * n) / (1.0 + (b * q + v * p));
    double t = 0x1.5845dcad2a54ep-2 + d;
    double l = (d - (t - 0x1.5845dcad2a54ep-2)) + 0x1.c9ff43b08bf90p-56;
    uint64_t e = opc_bits_f64(m);
    uint64_t f = e >> 1;
    t = (t + (t * r + (t * y + l))) * opc_from_bits_f64(f << 52);
    t = t * opc_from_bits_f64((e - f) << 52);
    double far = (x < 0.0 ? 0.0 : x) - t;
    // Below: x/2 + x^2 / sqrt(2 pi) + x^4 (...), the second term as an exact product and a rest.
    double z = g + h;
    double w = z * z;
    p = -0x1.e57e9890d31ecp-34;
    q = 0x1.1b41d83cc734cp-38;
    p = p * w - 0x1.621b3b8b43926p-25;
    q = q * w + 0x1.37f730e5f5105p-29;
    p = p * w - 0x1.3ce8f92ed4644p-17;
    q = q * w + 0x1.6589deed728a5p-21;
    p = p * w - 0x1.37403f6b8555cp-10;
    q = q * w + 0x1.e42b0d45ffcf3p-14;
    p = p * w - 0x1.1058377e2ceddp-4;
    q = q * w + 0x1.46d0429768db0p-7;
    double i = opc_upper_f64(z);
    double j = i * 0x1.988453p-2;
    l = i * 0x1.ea1b284687e5ap-29 + ((g - i) + h) * 0x1.9884533d43651p-2;
    n = 0.5 * (x < 2.0 ? x : 2.0);
    double s = n + j;
    s = s + (w * (p + z * q) + ((j - (s - n)) + l));
    s = copysign(near ? s : far, x);
    return x == -(double)INFINITY ? (double)NAN : s;
}

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the GELU of the tanh formula. Error < 2 ULP;
// NaN at -infinity, as the formula gives.
static inline float opc_gelu_tanh_f32(float x) {
    // max(x, 0) - a / (1 + 2^-y) with a = |x| and -y = 2u / ln 2 for the argument u of the tanh.
    float a = fabsf(x);
    a = a > 11.0f ? 11.0f : a;
    double d = (double)a;
    double y = d * (-0x1.26aec21bce759p+1 - 0x1.a5a7cf7572a98p-4 * (d * d));
    // y = k + r for an integer k, biased by 191, the exponent of 2^64.
    double k = y + (0x1.8p+52 + 191.0);
    float r = (float)(y - (k - (0x1.8p+52 + 191.0)));
    float s = opc_from_bits_f32((uint32_t)opc_bits_f64(k) << 23);
    // 2^-r - 1 + r ln 2.
    float z = r * r;
    float q = z * (0x1.ebfbdcp-3f - r * 0x1.c6af7ap-5f);
    q = q + (z * z) * ((0x1.3b2ddap-7f - r * 0x1.5f0986p-10f) + z * 0x1.4173a2p-13f);
    // Both sides of the quotient times 2^k: the largest exponentials vanish, none overflows.
    float v = 1.0f + (s * 0x1p-64f + (q - r * 0x1.62e43p-1f));
    float t = ((a * s) / v) * 0x1p-64f;
    // From -0 where x is negative; for x < 0.0f here, clang 14 would take max(x, -0), wrong at +0.
    t = (x <= -0x1p-149f ? -0.0f : x) - t;
    return x == -(float)INFINITY ? (float)NAN : t;
}

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the GELU of the tanh formula. Error < 1.9 ULP;
// NaN at -infinity, as the formula gives.
static inline double opc_gelu_tanh_f64(double x) {
    // (1 + tanh u) / 2 = 1 / (1 + e^-2u). c is never NaN, but v is where x is.
    double v = x < -23.0 ? -23.0 : x;
    double c = x > -23.0 ? x : -23.0;
    c = c > 8.0 ? 8.0 : c;
    double u = opc_upper_f64(c);
    double l = c - u;
    // 2u = c (f + o) = d + e with a product d that is exact: x^2 = g + h, f has 26 bits and o is
    // the rest of 2 sqrt(2/pi) (1 + 0.044715 x^2), whose constants are cut in two as well.
    double g = u * u;
    double h = l * (c + u);
    double f = opc_upper_f64(0x1.9884533d43651p+0 + 0x1.2444f2a4d8b4bp-4 * g);
    double i = opc_upper_f64(g);
    double o = ((g - i) + h) * 0x1.2444f2a4d8b4bp-4 + 0x1.ea1b284687e5ap-27;
    o = (i * 0x1.2444f28p-4 - (f - 0x1.988453p+0)) + (i * 0x1.26c5a57a4def1p-31 + o);
    double d = u * f;
    double e = l * f + c * o;
    // From here on as x / (1 + e^-x).
    double m = d * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    double r = (k * 0x1.ef35793c7673p-45 - e) - (d - k * 0x1.62e42fefa38p-1);
    double y = r + opc_exp_tail_f64(r);
    uint64_t n = opc_bits_f64(m);
    uint64_t p = n >> 1;
    double a = opc_from_bits_f64(p << 52);
    double b = opc_from_bits_f64((n - p) << 52);
    double w = a * b;
    double s = 1.0 + w;
    double q = ((v / (s + (y + (w - (s - 1.0))))) * a) * b;
    return x == -(double)INFINITY ? (double)NAN : q;
}

// x tanh(log(1 + e^x)). Error < 1.9 ULP; NaN at -infinity, as the formula gives.
static inline float opc_mish_f32(float x) {
    float y = fabsf(x);
    opc_exp_parts_f32 v = opc_exp_parts_neg_f32(y < 109.0f ? y : 109.0f, 32.0f);
    float e = (v.a + v.a * v.p) * 0x1p-32f;
    float f = e * e;
    float h = e + f;
    // With e = e^-|x|, the result is x n / d, n = 2e + e^2 and d = n + 2 for negative x, for others
    // n = 1 + 2e and d = n + 2e^2. It is taken as b + b g with an exact b near it, x / 2 where e is
    // near 1 and else x a or x, so that an error of g counts little. a and b are scaled by 2^32.
    bool neg = x < 0.0f;
    float d = (neg ? 2.0f : 1.0f + f) + (h + e);
    float b = neg ? v.a : 0x1p+32f;
    float c = neg ? v.p : 0.0f;
    float n = neg ? h + v.p * h : f + f;
    bool near = v.a == 0x1p+32f;
    b = near ? 0x1p+31f : b;
    c = near ? 0.0f : c;
    n = near ? -1.0f - v.p * (neg ? 3.0f + e : -2.0f * e) : n;
    b = x * b;
    float r = (b + b * (c - n / d)) * 0x1p-32f;
    r = x > 20.0f ? x : r;
    return x < -109.0f ? 0.0f * x : r;
}

// x tanh(log(1 + e^x)). Error < 1.9 ULP; NaN at -infinity, as the formula gives.
static inline double opc_mish_f64(double x) {
    double z = x < -760.0 ? -760.0 : x;
    double c = x > -760.0 ? x : -760.0;
    c = c > 40.0 ? 40.0 : c;
    double m = c * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    double k = m - (0x1.8p+52 + 2046.0);
    // e^-x = (1 + y) / w with w = 2^k = a b, as for silu. The result is 2x / (v + 1 / v) with
    // v = 1 + 2 e^-x. In terms of h = w / 2, d = 1 + y and e = h + d it is x w / (e + h^2 / e), or
    // the same as x w / (w + d^2 / e).
    double r = k * 0x1.ef35793c7673p-45 - (c - k * 0x1.62e42fefa38p-1);
    double y = r + opc_exp_tail_f64(r);
    uint64_t n = opc_bits_f64(m);
    uint64_t p = n >> 1;
    double a = opc_from_bits_f64(p << 52);
    double b = opc_from_bits_f64((n - p) << 52);
    double w = a * b;
    double h = 0.5 * w;
    double s = 1.0 + h;
    double l = y + (h - (s - 1.0));
    double d = 1.0 + y;
    double e = s + l;
    bool low = x < 1.0;
    double f = low ? h : d;
    f = f * (f / e);
    double q = ((z / (low ? s + (l + f) : w + f)) * a) * b;
    return x == -(double)INFINITY ? (double)NAN : q;
}
