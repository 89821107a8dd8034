// x^y, all special cases as C99 Annex F. Error < 1.3 ULP.
static inline float opc_pow_f32(float x, float y) {
    float a = fabsf(x);
    float g = a < 0x1p-126f ? a * 0x1p+23f : a;
    float o = a < 0x1p-126f ? 0x1p+23f + 150.0f : 0x1p+23f + 127.0f;
    // |x| = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
    uint32_t t = opc_bits_f32(g) + (0x3f800000u - 0x3f3504f3u);
    float k = opc_from_bits_f32((t >> 23) | 0x4b000000u) - o;
    float f = opc_from_bits_f32((t & 0x7fffffu) + 0x3f3504f3u) - 1.0f;
    k = a == 0.0f ? -(float)INFINITY : k;
    k = a == (float)INFINITY ? a : k;
    // y log2|x|; y is made finite, so that it times the logarithm of 1 is 0.
    double d = (double)f;
    double s = d / (2.0 + d);
    double z = s * s;
    double p = 0x1.a58d888300de8p-2 + z * 0x1.5ce85a622fc37p-2;
    p = (0x1.ec709d12cf29cp-1 + z * 0x1.27777fe8f7afbp-1) + (z * z) * p;
    double l = (double)k + s * (0x1.71547652bedf3p+1 + z * p);
    float b = fabsf(y);
    float c = b > 0x1.fffffep+127f ? copysignf(0x1.fffffep+127f, y) : y;
    double v = (double)c * l;
    v = v > 250.0 ? 250.0 : v;
    v = v < -250.0 ? -250.0 : v;
    // 2^v = 2^n (1 + e); 2^n in two factors, since it may be out of range where the result is not.
    double m = v + (0x1.8p+52 + 254.0);
    float r = (float)(v - (m - (0x1.8p+52 + 254.0)));
    float q = r * r;
    float e = q * (0x1.ebfbdcp-3f + r * 0x1.c6af7ap-5f);
    e = e + (q * q) * ((0x1.3b2ddap-7f + r * 0x1.5f0986p-10f) + q * 0x1.4173a2p-13f);
    e = 1.0f + (r * 0x1.62e43p-1f + e);
    uint32_t n = (uint32_t)opc_bits_f64(m) << 22;
    uint32_t h = n & 0x7f800000u;
    e = (e * opc_from_bits_f32(h)) * opc_from_bits_f32((n + n) - h);
    // Below 2^24 the last bit of u tells odd y from even; above, all y are even.
    float u = b < 0x1p+23f ? b + 0x1p+23f : b;
    float w = b < 0x1p+23f ? u - 0x1p+23f : b;
    uint32_t j = b < 0x1p+24f ? opc_bits_f32(u) << 31 : 0u;
    j = w == b ? j & opc_bits_f32(x) : 0u;
    e = opc_from_bits_f32(opc_bits_f32(e) ^ j);
    // A negative finite x has no power with a fraction.
    float i = w == b ? e : (float)NAN;
    i = a < (float)INFINITY ? i : e;
    i = a > 0.0f ? i : e;
    e = x < 0.0f ? i : e;
    e = y != y ? y + y : e;
    e = x != x ? x + x : e;
    e = x == 1.0f ? x : e;
    return y == 0.0f ? 1.0f : e;
}

// x^y, all special cases as C99 Annex F, through a logarithm of twice the precision.
// Error < 1.4 ULP.
static inline double opc_pow_f64(double x, double y) {
    double a = fabs(x);
    double g = a < 0x1p-1022 ? a * 0x1p+54 : a;
    double o = a < 0x1p-1022 ? 0x1p+52 + 1077.0 : 0x1p+52 + 1023.0;
    // |x| = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); s = f / (2 + f) in two parts u + v,
    // u of 26 bits, so that its products below are exact.
    uint64_t t = opc_bits_f64(g) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    double k = opc_from_bits_f64((t >> 52) | 0x4330000000000000u) - o;
    double f = opc_from_bits_f64((t & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1.0;
    double i = 1.0 / (2.0 + f);
    double u = opc_upper_f64(f * i);
    double b = opc_upper_f64(f);
    double v = (((f - 2.0 * u) - u * b) - u * (f - b)) * i;
    // log(1 + f) = 2 s + 2/3 s^3 + s^5 p; c + d is 2/3 u^2, c of 26 bits.
    double s = u + v;
    double z = s * s;
    double w = z * z;
    double p = z * 0x1.2492492457b7bp-2 + 0x1.9999999999b31p-2;
    double q = z * 0x1.745ce9d36feafp-3 + 0x1.c71c722d928d1p-3;
    double h = z * 0x1.0f7fa00548709p-3 + 0x1.3b1eef0ea3757p-3;
    p = (p + w * q) + (w * w) * (h + w * 0x1.0e45756e7870ep-3);
    h = u * u;
    double e = opc_upper_f64(h);
    double d = e * 0x1.555555p-1;
    double c = opc_upper_f64(d);
    d = (d - c) + (e * 0x1.5555555555555p-27 + (h - e) * 0x1.5555555555555p-1);
    h = 2.0 * v + (u * d + (2.0 * v * (u * s) + (w * s) * p));
    // The logarithm m + l: three exact terms, their rounding errors and the rest h.
    b = k * 0x1.62e42fefa38p-1;
    e = b + 2.0 * u;
    double l = 2.0 * u - (e - b);
    b = e + u * c;
    l = (l + (u * c - (b - e))) + (h + k * 0x1.ef35793c7673p-45);
    double m = opc_upper_f64(b + l);
    l = (b - m) + l;
    // Times y; beyond 2^80 the result has overflowed or vanished, and the product must stay finite.
    double j = y > 0x1p+80 ? 0x1p+80 : y;
    j = j < -0x1p+80 ? -0x1p+80 : j;
    b = opc_upper_f64(j);
    l = j * l + (j - b) * m;
    m = b * m;
    // e^(m + l) as for e^x.
    b = m * 0x1.71547652b82fep+0 + (0x1.8p+52 + 2046.0);
    k = b - (0x1.8p+52 + 2046.0);
    double r = (m - k * 0x1.62e42fefa38p-1) - (k * 0x1.ef35793c7673p-45 - l);
    uint64_t n = opc_bits_f64(b);
    t = n >> 1;
    b = opc_from_bits_f64(t << 52);
    r = (b + b * (r + opc_exp_tail_f64(r))) * opc_from_bits_f64((n - t) << 52);
    r = m < -746.0 ? 0.0 : r;
    r = m > 710.0 ? (double)INFINITY : r;
    r = a == 0.0 ? (y > 0.0 ? 0.0 : (double)INFINITY) : r;
    r = a == (double)INFINITY ? (y > 0.0 ? a : 0.0) : r;
    // Odd y keeps the sign of x. y is even from 2^53 on; below, the last bit of e is that of y.
    b = fabs(y) < 0x1p+53 ? fabs(y) : 0x1p+53;
    e = b < 0x1p+52 ? b + 0x1p+52 : b;
    bool whole = b < 0x1p+52 ? e - 0x1p+52 == b : true;
    t = whole ? opc_bits_f64(x) & (opc_bits_f64(e) << 63) : 0;
    r = opc_from_bits_f64(opc_bits_f64(r) | t);
    r = x < 0.0 && !whole && a < (double)INFINITY ? (double)NAN : r;
    r = y != y ? y + y : r;
    r = x != x ? x + x : r;
    return y == 0.0 || x == 1.0 ? 1.0 : r;
}
