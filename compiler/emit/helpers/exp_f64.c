// e^r - 1 - r for |r| < 0.347, by a polynomial in independent parts, which shorten the chain of
// operations. Error < 2^-56 of e^r.
static inline double opc_exp_tail_f64(double r) {
    double z = r * r;
    double a = r * 0x1.55555555554f9p-3 + 0x1.000000000000ap-1;
    double b = r * 0x1.1111111127e36p-7 + 0x1.555555555083bp-5;
    double c = r * 0x1.a01a0129d68a9p-13 + 0x1.6c16c1843a304p-10;
    double d = r * 0x1.71df25e8a2d0bp-19 + 0x1.a01999dd48f1fp-16;
    double e = r * 0x1.ad7f42a72172ap-26 + 0x1.28ada0bf2aae5p-22;
    return z * ((a + z * b) + (z * z) * ((c + z * d) + (z * z) * e));
}

// k ln 2 + log(1 + f - l) for an integer k, sqrt(1/2) <= 1 + f <= sqrt(2) and a rounding error l of
// f, from s = f / (2 + f). Error < 0.9 ULP for l = 0.
static inline double opc_log_sum_f64(double k, double f, double l) {
    double s = f / (2.0 + f);
    double z = s * s;
    double a = z * 0x1.999999997fb30p-2 + 0x1.5555555555593p-1;
    double b = z * 0x1.c71c51e7e43a8p-3 + 0x1.2492494217b93p-2;
    double c = z * 0x1.39a0f4a7b5feep-3 + 0x1.7466463049fe9p-3;
    double y = z * z;
    double p = (a + y * b) + (y * y) * (c + y * 0x1.2f0d91ef7323cp-3);
    double h = 0.5 * (f * f);
    double t = s * (h + z * p) + k * 0x1.ef35793c7673p-45;
    return k * 0x1.62e42fefa38p-1 - ((h - (t - l)) - f);
}

// log(u + c) for a positive normal u and its rounding error c; that plus log(2) for twice = 1.
// Error < 0.9 ULP for exact c.
static inline double opc_log_rest_f64(double u, double c, double twice) {
    // u = 2^k m with m in [sqrt(1/2), sqrt(2)); c joins m - 1. The factor d = 2^(1 - k) does not
    // overflow for large u.
    uint64_t t = opc_bits_f64(u) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    double k = opc_from_bits_f64((t >> 52) | 0x4330000000000000u) - (0x1p+52 + 1023.0);
    double m = opc_from_bits_f64((t & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
    double d = opc_from_bits_f64(0x7ff0000000000000u - (t & 0xfff0000000000000u));
    double r = 0.5 * (c * d);
    double f = (m - 1.0) + r;
    return opc_log_sum_f64(k + twice, f, (f - (m - 1.0)) - r);
}
