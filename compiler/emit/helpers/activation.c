// 1 / (1 + e^-x). Error < 2 ULP.
static inline float opc_sigmoid_f32(float x) {
    float e = opc_exp_f32(-fabsf(x));
    float d = 1.0f + e;
    float q = (x < 0.0f ? e : 1.0f) / d;
    // Take back the rounding error of d, times an approximation of 1 / d.
    float r = q - q * ((e - (d - 1.0f)) * (1.46f - 0.5f * d));
    return x != x ? x + x : r;
}

// x / (1 + e^-v) for an exact product or other pair v; no NaN. Error < 1.2 ULP.
static inline double opc_gate_f64(double x, opc_pair_f64 v) {
    bool neg = v.hi < 0.0;
    opc_scaled_f64 e = opc_exp_scaled_f64(neg ? v.hi : -v.hi, neg ? v.lo : -v.lo);
    opc_pair_f64 m = opc_fast_sum_f64(1.0, e.hi);
    m.lo = m.lo + e.lo;
    opc_pair_f64 d = opc_two_sum_f64(1.0, opc_scale_f64(m.hi, e.k));
    d.lo = d.lo + opc_scale_f64(m.lo, e.k);
    // The factor e^v of a negative v joins last, since alone it may underflow where x e^v does not.
    opc_pair_f64 n = opc_two_product_f64(x, neg ? m.hi : 1.0);
    n.lo = n.lo + (neg ? x * m.lo : 0.0);
    opc_pair_f64 q = opc_pair_div_f64(n, d);
    return opc_scale_f64(q.hi + q.lo, neg ? e.k : 0.0);
}

// 1 / (1 + e^-x). Error < 0.8 ULP.
static inline double opc_sigmoid_f64(double x) {
    opc_pair_f64 v = {x, 0.0};
    double r = opc_gate_f64(1.0, v);
    return x != x ? x + x : r;
}

// x / (1 + e^-x), also called swish. Error < 0.51 ULP; NaN at -infinity, as the formula gives.
static inline float opc_silu_f32(float x) {
    double d = (double)x < -150.0 ? -150.0 : (double)x;
    double e = opc_exp_wide(-fabs(d));
    float r = (float)(d * ((x < 0.0f ? e : 1.0) / (1.0 + e)));
    r = x == -(float)INFINITY ? (float)NAN : r;
    return x != x ? x + x : r;
}

// x / (1 + e^-x), also called swish. Error < 1.2 ULP; NaN at -infinity, as the formula gives.
static inline double opc_silu_f64(double x) {
    double c = x < -760.0 ? -760.0 : x;
    c = x > 0x1p+60 ? 0.0 : c;
    opc_pair_f64 v = {c, 0.0};
    double r = opc_gate_f64(c, v);
    r = copysign(x > 0x1p+60 ? x : r, x);
    r = x == -(double)INFINITY ? (double)NAN : r;
    return x != x ? x + x : r;
}

// log(1 + e^x) without overflow. Error < 0.51 ULP.
static inline float opc_softplus_f32(float x) {
    double d = (double)x;
    double e = opc_exp_wide(-fabs(d));
    // log1p(e) = 2 atanh(s), s = e / (2 + e) <= 1/3.
    double s = e / (2.0 + e);
    double z = s * s;
    double p = 0x1.7f54f4d99049dp-3;
    p = p * z + 0x1.e1e410abb3083p-4;
    p = p * z + 0x1.3ece3222c4d3ap-3;
    p = p * z + 0x1.741dea06b2007p-3;
    p = p * z + 0x1.c71edc5812361p-3;
    p = p * z + 0x1.249242a10df91p-2;
    p = p * z + 0x1.999999aa89f29p-2;
    p = p * z + 0x1.555555554dd0ep-1;
    double l = 2.0 * s + (s * z) * p;
    float r = (float)((x > 0.0f ? d : 0.0) + l);
    return x != x ? x + x : r;
}

// log(1 + e^x) without overflow. Error < 1.2 ULP.
static inline double opc_softplus_f64(double x) {
    opc_scaled_f64 e = opc_exp_scaled_f64(-fabs(x), 0.0);
    opc_pair_f64 m = opc_fast_sum_f64(1.0, e.hi);
    m.lo = m.lo + e.lo;
    double h = opc_scale_f64(m.hi, e.k);
    opc_pair_f64 y = opc_two_sum_f64(1.0, h);
    opc_pair_f64 l = opc_log_pair_f64(y.hi, y.lo + opc_scale_f64(m.lo, e.k), 0.0);
    opc_pair_f64 s = opc_two_sum_f64(x > 0.0 && x < 0x1p+60 ? x : 0.0, l.hi);
    double r = s.hi + (s.lo + l.lo);
    r = x < -60.0 ? opc_scale_f64(m.hi + m.lo, e.k) : r;
    r = x >= 0x1p+60 ? x : r;
    return x != x ? x + x : r;
}

// x/2 erfc(-x / sqrt 2): the exact GELU. Error < 0.6 ULP; NaN at -infinity, as the formula gives.
static inline float opc_gelu_f32(float x) {
    double d = (double)x < -15.0 ? -15.0 : (double)x;
    // erfc(a / sqrt 2) = p e^(-a^2/2) / (1 + 1.5a) with p nearly constant in (a - 4) / (a + 4).
    double a = fabs(d);
    a = a > 15.0 ? 15.0 : a;
    double u = 1.0 + 1.5 * a;
    double v = a + 4.0;
    double i = 1.0 / (u * v);
    double t = ((a - 4.0) * u) * i;
    double p = -0x1.49f1099baaa1ep-15;
    p = p * t - 0x1.4c4b42d0dff56p-12;
    p = p * t - 0x1.563fc957b5b73p-13;
    p = p * t + 0x1.2f796bfc0d17p-9;
    p = p * t - 0x1.8d45924a4b698p-10;
    p = p * t - 0x1.fce94785c82ffp-7;
    p = p * t + 0x1.fe61b8e17d549p-5;
    p = p * t - 0x1.0507aae080c25p-3;
    p = p * t + 0x1.4293c6bf86477p-3;
    p = p * t - 0x1.516e2dac4703cp-4;
    p = p * t - 0x1.ea57dfc46067p-4;
    p = p * t + 0x1.525e241ee9cdfp+0;
    double e = opc_exp_wide(-0.5 * (a * a)) * (p * (v * i));
    float r = (float)(d * (x < 0.0f ? 0.5 * e : 1.0 - 0.5 * e));
    r = x == -(float)INFINITY ? (float)NAN : r;
    return x != x ? x + x : r;
}

// x/2 erfc(-x / sqrt 2): the exact GELU. Error < 1.5 ULP; NaN at -infinity, as the formula gives.
static inline double opc_gelu_f64(double x) {
    // erfc(a / sqrt 2) = p e^(-a^2/2) / (1 + 1.5a) with p nearly constant in (a - 5) / (a + 5).
    double a = fabs(x);
    a = a > 40.0 ? 40.0 : a;
    opc_pair_f64 j = opc_pair_div_f64(opc_two_sum_f64(-5.0, a), opc_two_sum_f64(5.0, a));
    double t = j.hi;
    double p = -0x1.057fef9a584acp-31;
    p = p * t - 0x1.1f0e9cedb0808p-29;
    p = p * t + 0x1.ff664217849abp-31;
    p = p * t + 0x1.2ed55672c1247p-26;
    p = p * t + 0x1.e57cc49f3554dp-28;
    p = p * t - 0x1.c54baad9ae6a7p-24;
    p = p * t - 0x1.1e9b6f8b98808p-24;
    p = p * t + 0x1.55216800c6c7ap-21;
    p = p * t + 0x1.491f93e623be4p-22;
    p = p * t - 0x1.17e46c3bc0fdfp-18;
    p = p * t + 0x1.f1d2f8770ce29p-22;
    p = p * t + 0x1.dd57a5234d03dp-16;
    p = p * t - 0x1.30c752365af3ep-15;
    p = p * t - 0x1.534984b2467ecp-13;
    p = p * t + 0x1.3e77d9d9df463p-11;
    p = p * t - 0x1.d128068e6b38ep-14;
    p = p * t - 0x1.57eaeee04619bp-8;
    p = p * t + 0x1.678b5b572004dp-6;
    p = p * t - 0x1.be7c459100285p-5;
    p = p * t + 0x1.8d69ddce5428bp-4;
    p = p * t - 0x1.04373caae1fbcp-3;
    p = p * t + 0x1.c635928c17e59p-4;
    p = p * t - 0x1.78777c9acfd56p-6;
    p = p * t - 0x1.0cb236a6a53e8p-3;
    // Slope of the polynomial, by which the rounding error of t is taken back.
    double d = -0x1.f4071420fe06cp-2;
    d = d * t + 0x1.457935eda8059p-1;
    d = d * t - 0x1.9e9c324e21074p-2;
    d = d * t + 0x1.2c2464ecfd17bp-2;
    d = d * t - 0x1.ed0207bf27b88p-5;
    d = d * t - 0x1.0948e452845bfp-3;
    opc_pair_f64 f = opc_fast_sum_f64(0x1.4ec0b88013f3ap+0, t * p);
    f.lo = f.lo + j.lo * d + 0x1.86f3edc6de7aap-55;
    opc_pair_f64 z = opc_two_product_f64(a, a);
    opc_scaled_f64 e = opc_exp_scaled_f64(-0.5 * z.hi, -0.5 * z.lo);
    opc_pair_f64 m = opc_fast_sum_f64(1.0, e.hi);
    m.lo = m.lo + e.lo;
    opc_pair_f64 n = opc_pair_mul_f64(m, f);
    opc_pair_f64 u = opc_two_sum_f64(1.0, 1.5 * a);
    u.lo = u.lo + (opc_two_product_f64(1.5, a).lo);
    opc_pair_f64 q = opc_pair_div_f64(n, u);
    // Negative x: x times half of q 2^k, scaled last. Positive x: x (1 - q 2^k / 2).
    opc_pair_f64 w = opc_two_sum_f64(1.0, -0.5 * opc_scale_f64(q.hi, e.k));
    w.lo = w.lo - 0.5 * opc_scale_f64(q.lo, e.k);
    bool neg = x < 0.0;
    opc_pair_f64 s = {neg ? q.hi : w.hi, neg ? q.lo : w.lo};
    double k = neg ? e.k - 1.0 : 0.0;
    // Near 0 that polynomial is steep: take x (1/2 + erf(x / sqrt 2) / 2) there.
    bool near = fabs(x) < 0.5;
    double b = near ? x : 0.0;
    double bb = b * b;
    double g = -0x1.d5be0c4927f37p-34;
    g = g * bb + 0x1.3805def6d7f98p-29;
    g = g * bb - 0x1.6220506820073p-25;
    g = g * bb + 0x1.658a1b825b3d1p-21;
    g = g * bb - 0x1.3ce8fab6e672ap-17;
    g = g * bb + 0x1.e42b0d5200959p-14;
    g = g * bb - 0x1.37403f6ba1024p-10;
    g = g * bb + 0x1.46d04297691dap-7;
    g = g * bb - 0x1.1058377e2ceep-4;
    g = g * bb + 0x1.9884533d43651p-2;
    opc_pair_f64 c = opc_two_sum_f64(0.5, b * g);
    s.hi = near ? c.hi : s.hi;
    s.lo = near ? c.lo : s.lo;
    k = near ? 0.0 : k;
    opc_pair_f64 y = opc_two_product_f64(neg ? -a : a, s.hi);
    double r = opc_scale_f64(y.hi + (y.lo + (neg ? -a : a) * s.lo), k);
    r = x > 39.0 ? x : r;
    r = copysign(r, x);
    r = x == -(double)INFINITY ? (double)NAN : r;
    return x != x ? x + x : r;
}

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the GELU of the tanh formula. Error < 0.51 ULP;
// NaN at -infinity, as the formula gives.
static inline float opc_gelu_tanh_f32(float x) {
    double d = (double)x < -25.0 ? -25.0 : (double)x;
    double c = d > 25.0 ? 25.0 : d;
    // (1 + tanh u) / 2 = 1 / (1 + e^-2u).
    double v = c * (0x1.9884533d43651p+0 + 0x1.2444f2a4d8b4bp-4 * (c * c));
    double e = opc_exp_wide(-fabs(v));
    float r = (float)(d * ((x < 0.0f ? e : 1.0) / (1.0 + e)));
    r = x == -(float)INFINITY ? (float)NAN : r;
    return x != x ? x + x : r;
}

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), the GELU of the tanh formula. Error < 1.2 ULP;
// NaN at -infinity, as the formula gives.
static inline double opc_gelu_tanh_f64(double x) {
    double c = x > 30.0 ? 30.0 : x;
    c = c < -30.0 ? -30.0 : c;
    // (1 + tanh u) / 2 = 1 / (1 + e^-2u), with 2u = x (b + a x^2) as a pair.
    opc_pair_f64 b = {0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54};
    opc_pair_f64 a = {0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c7p-61};
    opc_pair_f64 p = {c, 0.0};
    opc_pair_f64 z = opc_pair_mul_f64(a, opc_two_product_f64(c, c));
    double r = opc_gate_f64(c, opc_pair_mul_f64(p, opc_pair_add_f64(b, z)));
    r = x > 30.0 ? x : r;
    r = copysign(r, x);
    r = x == -(double)INFINITY ? (double)NAN : r;
    return x != x ? x + x : r;
}

// x tanh(log(1 + e^x)). Error < 0.51 ULP; NaN at -infinity, as the formula gives.
static inline float opc_mish_f32(float x) {
    double d = (double)x < -150.0 ? -150.0 : (double)x;
    double e = opc_exp_wide(-fabs(d));
    // tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2), divided by e^2 for positive x.
    double n = x < 0.0f ? e * (e + 2.0) : 1.0 + 2.0 * e;
    double m = x < 0.0f ? n + 2.0 : n + 2.0 * (e * e);
    float r = (float)(d * (n / m));
    r = x == -(float)INFINITY ? (float)NAN : r;
    return x != x ? x + x : r;
}

// x tanh(log(1 + e^x)). Error < 1.5 ULP; NaN at -infinity, as the formula gives.
static inline double opc_mish_f64(double x) {
    double c = x < -760.0 ? -760.0 : x;
    c = x > 60.0 ? 60.0 : c;
    bool neg = x < 0.0;
    opc_scaled_f64 e = opc_exp_scaled_f64(-fabs(c), 0.0);
    opc_pair_f64 m = opc_fast_sum_f64(1.0, e.hi);
    m.lo = m.lo + e.lo;
    opc_pair_f64 y = {opc_scale_f64(m.hi, e.k), opc_scale_f64(m.lo, e.k)};
    opc_pair_f64 one = {1.0, 0.0};
    opc_pair_f64 two = {2.0, 0.0};
    opc_pair_f64 sq = opc_pair_mul_f64(y, y);
    opc_pair_f64 dbl = {2.0 * y.hi, 2.0 * y.lo};
    // Negative x: (e + 2) / (e^2 + 2e + 2), then times e; positive: (1 + 2e) / (1 + 2e + 2e^2).
    opc_pair_f64 t = opc_pair_add_f64(one, dbl);
    opc_pair_f64 n = opc_pair_mul_f64(m, opc_pair_add_f64(two, y));
    n.hi = neg ? n.hi : t.hi;
    n.lo = neg ? n.lo : t.lo;
    opc_pair_f64 sq2 = {2.0 * sq.hi, 2.0 * sq.lo};
    opc_pair_f64 dn = opc_pair_add_f64(opc_pair_add_f64(two, dbl), sq);
    opc_pair_f64 dp = opc_pair_add_f64(t, sq2);
    opc_pair_f64 d = {neg ? dn.hi : dp.hi, neg ? dn.lo : dp.lo};
    opc_pair_f64 q = opc_pair_div_f64(n, d);
    opc_pair_f64 r = opc_two_product_f64(c, q.hi);
    double v = opc_scale_f64(r.hi + (r.lo + c * q.lo), neg ? e.k : 0.0);
    v = x > 60.0 ? x : v;
    v = copysign(v, x);
    v = x == -(double)INFINITY ? (double)NAN : v;
    return x != x ? x + x : v;
}
