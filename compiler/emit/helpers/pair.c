// A number as the unevaluated sum hi + lo, |lo| at most about one rounding error of hi.
typedef struct {
    double hi, lo;
} opc_pair_f64;

// 1 + hi + lo times 2^k: what e^x becomes once a multiple of ln 2 is taken out.
typedef struct {
    double hi, lo, k;
} opc_scaled_f64;

// a + b and its rounding error. Exact.
static inline opc_pair_f64 opc_two_sum_f64(double a, double b) {
    double s = a + b;
    double t = s - a;
    opc_pair_f64 r = {s, (a - (s - t)) + (b - t)};
    return r;
}

// a + b and its rounding error, where |a| >= |b| or a is 0. Exact.
static inline opc_pair_f64 opc_fast_sum_f64(double a, double b) {
    double s = a + b;
    opc_pair_f64 r = {s, b - (s - a)};
    return r;
}

// a with the low 27 bits of its significand cleared, so that products of such parts are exact.
static inline double opc_upper_f64(double a) {
    return opc_from_bits_f64(opc_bits_f64(a) & 0xfffffffff8000000u);
}

// a * b and its rounding error, by splitting both; relative error 2^-105.
static inline opc_pair_f64 opc_two_product_f64(double a, double b) {
    double p = a * b;
    double ah = opc_upper_f64(a);
    double bh = opc_upper_f64(b);
    double al = a - ah;
    double bl = b - bh;
    opc_pair_f64 r = {p, ((ah * bh - p) + (ah * bl + al * bh)) + al * bl};
    return r;
}

// a + b. Relative error 2^-100 unless the high parts cancel.
static inline opc_pair_f64 opc_pair_add_f64(opc_pair_f64 a, opc_pair_f64 b) {
    opc_pair_f64 s = opc_two_sum_f64(a.hi, b.hi);
    return opc_fast_sum_f64(s.hi, s.lo + (a.lo + b.lo));
}

// a * b. Relative error 2^-100.
static inline opc_pair_f64 opc_pair_mul_f64(opc_pair_f64 a, opc_pair_f64 b) {
    opc_pair_f64 p = opc_two_product_f64(a.hi, b.hi);
    return opc_fast_sum_f64(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a / b. Relative error 2^-100.
static inline opc_pair_f64 opc_pair_div_f64(opc_pair_f64 a, opc_pair_f64 b) {
    double q = a.hi / b.hi;
    opc_pair_f64 p = opc_two_product_f64(q, b.hi);
    double r = ((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo);
    return opc_fast_sum_f64(q, r / b.hi);
}

// Square root of a, which is not negative. Relative error 2^-100.
static inline opc_pair_f64 opc_pair_sqrt_f64(opc_pair_f64 a) {
    double s = sqrt(a.hi);
    opc_pair_f64 p = opc_two_product_f64(s, s);
    double r = ((a.hi - p.hi) - p.lo) + a.lo;
    double d = s == 0.0 ? 1.0 : s + s;
    return opc_fast_sum_f64(s, r / d);
}

// e^(hi + lo) = (1 + p) 2^k, |p| < 0.42, relative error of p 2^-55; |hi| is clamped to 800.
static inline opc_scaled_f64 opc_exp_scaled_f64(double hi, double lo) {
    double c = hi > 800.0 ? 800.0 : hi;
    c = c < -800.0 ? -800.0 : c;
    double e = c == hi ? lo : 0.0;
    double k = (c * 0x1.71547652b82fep+0 + 0x1.8p+52) - 0x1.8p+52;
    double h = c - k * 0x1.62e42fefa38p-1;
    opc_pair_f64 r = opc_two_sum_f64(h, -(k * 0x1.ef35793c768p-45));
    r.lo = r.lo + (e - k * -0x1.9ff0342542fc3p-90);
    r = opc_two_sum_f64(r.hi, r.lo);
    double x = r.hi;
    double p = 0x1.1f958b3a58e84p-29;
    p = p * x + 0x1.af5ecc5297436p-26;
    p = p * x + 0x1.27e4c5848db45p-22;
    p = p * x + 0x1.71ddf84cb214bp-19;
    p = p * x + 0x1.a01a01b0c6424p-16;
    p = p * x + 0x1.a01a01afe7978p-13;
    p = p * x + 0x1.6c16c16c14413p-10;
    p = p * x + 0x1.111111110f6a9p-7;
    p = p * x + 0x1.555555555555ap-5;
    p = p * x + 0x1.5555555555559p-3;
    p = p * x + 0x1p-1;
    double q = r.lo + (r.lo * x + (x * x) * p);
    opc_pair_f64 s = opc_fast_sum_f64(x, q);
    opc_scaled_f64 y = {s.hi, s.lo, k};
    return y;
}

// log((hi + lo) 2^n) for a positive normal hi. Relative error 2^-63.
static inline opc_pair_f64 opc_log_pair_f64(double hi, double lo, double n) {
    // hi = 2^k m with m in [sqrt(1/2), sqrt(2)); f = m - 1 and s = f / (2 + f).
    uint64_t t = opc_bits_f64(hi) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    double k = opc_from_bits_f64((t >> 52) | 0x4330000000000000u) - (0x1p+52 + 1023.0);
    double m = opc_from_bits_f64((t & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
    opc_pair_f64 f = opc_two_sum_f64(m - 1.0, opc_scale_f64(lo, -k));
    opc_pair_f64 d = opc_two_sum_f64(2.0, f.hi);
    d.lo = d.lo + f.lo;
    opc_pair_f64 s = opc_pair_div_f64(f, d);
    // 2 atanh(s) = 2 s + 2/3 s^3 + s^5 (...): only the first two terms need both parts.
    opc_pair_f64 z = opc_pair_mul_f64(s, s);
    opc_pair_f64 third = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
    opc_pair_f64 w = opc_pair_mul_f64(opc_pair_mul_f64(s, z), third);
    double x = z.hi;
    double p = 0x1.0e45756e7870ep-3;
    p = p * x + 0x1.0f7fa00548709p-3;
    p = p * x + 0x1.3b1eef0ea3757p-3;
    p = p * x + 0x1.745ce9d36feafp-3;
    p = p * x + 0x1.c71c722d928d1p-3;
    p = p * x + 0x1.2492492457b7bp-2;
    p = p * x + 0x1.9999999999b31p-2;
    k = k + n;
    opc_pair_f64 a = opc_two_sum_f64(k * 0x1.62e42fefa38p-1, s.hi + s.hi);
    opc_pair_f64 b = opc_two_sum_f64(a.hi, w.hi);
    double l = (a.lo + b.lo) + (((s.lo + s.lo) + w.lo) + ((x * x) * s.hi) * p);
    return opc_fast_sum_f64(b.hi, l + k * 0x1.ef35793c7673p-45);
}
