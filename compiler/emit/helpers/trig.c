// An angle as n quarter turns plus hi + lo, |hi| <= pi/4.
typedef struct {
    double hi, lo;
    uint64_t n;
} opc_angle_f64;

// Quarter turns in a finite |x|, for all of f32. 2/pi is cut into two pieces of 28 bits, whose
// products with x are exact, and a remainder; the size of x decides where they start, after bits
// whose products with x are multiples of 4. Relative error of the angle 2^-27.
static inline opc_angle_f64 opc_reduce_f32(float x) {
    float a = fabsf(x);
    bool b = a >= 0x1p+51f;
    bool c = a >= 0x1p+77f;
    bool d = a >= 0x1p+103f;
    double c0 = b ? 0x1.727220ap-27 : 0x1.45f306cp-1;
    double c1 = b ? 0x1.29fc274p-56 : 0x1.c9c882ap-29;
    double c2 = b ? 0x1.7d1f534ddc0dbp-84 : 0x1.4fe13abe8fa9ap-59;
    c0 = c ? 0x1.4a7f09cp-54 : c0;
    c1 = c ? 0x1.5f47d4cp-82 : c1;
    c2 = c ? 0x1.377036d8a5665p-110 : c2;
    c0 = d ? 0x1.abe8fa8p-79 : c0;
    c1 = d ? 0x1.a6ee06cp-107 : c1;
    c2 = d ? 0x1.b14acc9e21c82p-135 : c2;
    double y = (double)a;
    double p = y * c0;
    double q = y * c2;
    double k = p + 0x1.8p+52;
    p = (p - (k - 0x1.8p+52)) + y * c1;
    double l = (p + q) + 0x1.8p+52;
    double f = (p - (l - 0x1.8p+52)) + q;
    opc_angle_f64 r = {f * 0x1.921fb54442d18p+0, 0.0, opc_bits_f64(k) + opc_bits_f64(l)};
    return r;
}

// sin(r) for |r| <= pi/4, relative error 2^-37, for use inside f32 functions.
static inline double opc_sin_wide(double r) {
    double z = r * r;
    double p = 0x1.6cd5e332f4e6ap-19;
    p = p * z - 0x1.a00f938553237p-13;
    p = p * z + 0x1.1111088a1607ap-7;
    p = p * z - 0x1.5555554caa392p-3;
    return r + (r * z) * p;
}

// cos(r) for |r| <= pi/4, relative error 2^-42, for use inside f32 functions.
static inline double opc_cos_wide(double r) {
    double z = r * r;
    double p = -0x1.2429074d284cbp-22;
    p = p * z + 0x1.a011178457f4dp-16;
    p = p * z - 0x1.6c16b88be5667p-10;
    p = p * z + 0x1.5555554f427edp-5;
    return (1.0 - 0.5 * z) + (z * z) * p;
}

// sin(r) for |r| <= pi/4. Error < 1 ULP.
static inline float opc_sin_part_f32(float r) {
    float z = r * r;
    float p = (-0x1.555546p-3f + z * 0x1.110772p-7f) - (z * z) * 0x1.9950ccp-13f;
    return r + (r * z) * p;
}

// cos(r) for |r| <= pi/4. Error < 1 ULP.
static inline float opc_cos_part_f32(float r) {
    float z = r * r;
    float p = (0x1.55554ap-5f - z * 0x1.6c0c26p-10f) + (z * z) * 0x1.99e714p-16f;
    return 1.0f - (0.5f * z - (z * z) * p);
}

// Sine, for arguments of any size. Error < 1.6 ULP; NaN at the infinities.
static inline float opc_sin_f32(float x) {
    opc_angle_f64 t = opc_reduce_f32(x);
    uint32_t n = (uint32_t)t.n;
    float r = (float)t.hi;
    float s = opc_sin_part_f32(r);
    float c = opc_cos_part_f32(r);
    float v = (n & 1u) != 0 ? c : s;
    uint32_t m = ((n & 2u) << 30) ^ (opc_bits_f32(x) & 0x80000000u);
    v = opc_from_bits_f32(opc_bits_f32(v) ^ m);
    v = fabsf(x) == (float)INFINITY ? (float)NAN : v;
    return x != x ? x + x : v;
}

// Cosine, for arguments of any size. Error < 1.6 ULP; NaN at the infinities.
static inline float opc_cos_f32(float x) {
    opc_angle_f64 t = opc_reduce_f32(x);
    uint32_t n = (uint32_t)t.n;
    float r = (float)t.hi;
    float s = opc_sin_part_f32(r);
    float c = opc_cos_part_f32(r);
    float v = (n & 1u) != 0 ? s : c;
    v = opc_from_bits_f32(opc_bits_f32(v) ^ (((n + 1u) & 2u) << 30));
    v = fabsf(x) == (float)INFINITY ? (float)NAN : v;
    return x != x ? x + x : v;
}

// Tangent, for arguments of any size. Error < 0.51 ULP; NaN at the infinities.
static inline float opc_tan_f32(float x) {
    float a = fabsf(x);
    opc_angle_f64 t = opc_reduce_f32(a < (float)INFINITY ? a : 0.0f);
    double s = opc_sin_wide(t.hi);
    double c = opc_cos_wide(t.hi);
    double n = (t.n & 1u) != 0 ? -c : s;
    double d = (t.n & 1u) != 0 ? s : c;
    float r = opc_flip_sign_f32((float)(n / d), x);
    r = a == (float)INFINITY ? (float)NAN : r;
    return x != x ? x + x : r;
}

// The bits of 2/pi after the binary point, in words of 32, after two words of zeros.
static const uint32_t opc_two_over_pi[] = {
    0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
    0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u,
    0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u,
    0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
    0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau,
    0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du,
};

// Quarter turns in x, 2^20 <= x < infinity. x = m 2^e is multiplied, modulo 4, with the 192 bits
// of 2/pi that matter for its exponent e.
static inline opc_angle_f64 opc_reduce_large_f64(double x) {
    uint64_t u = opc_bits_f64(x);
    uint64_t m = (u & 0xfffffffffffffu) | 0x10000000000000u;
    // The first e - 2 bits of 2/pi, e being the biased exponent less 1075, only add multiples of 4;
    // the table has 64 zeros before them.
    uint64_t first = (u >> 52) - 1023u + 10u;
    size_t word = (size_t)(first >> 5);
    uint32_t shift = (uint32_t)(first & 31u);
    uint32_t w[6];
    uint32_t p[6] = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < 6; i++) {
        uint64_t two = (uint64_t)opc_two_over_pi[word + i] << 32;
        two |= opc_two_over_pi[word + i + 1];
        w[i] = (uint32_t)((two << shift) >> 32);
    }
    // p = m * w modulo 2^192, most significant word first.
    for (size_t j = 0; j < 2; j++) {
        uint64_t carry = 0;
        uint64_t part = j == 0 ? (m & 0xffffffffu) : (m >> 32);
        for (size_t i = 6; i-- > j;) {
            carry += part * w[i] + p[i - j];
            p[i - j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    // The two top bits count quarter turns; a fraction above one half belongs to the next one.
    uint32_t top = p[0];
    bool half = (top & 0x20000000u) != 0;
    uint32_t flip = half ? 0xffffffffu : 0u;
    double f[5];
    double unit = 0x1p-30;
    for (size_t i = 0; i < 5; i++) {
        uint32_t bits = (i == 0 ? (top & 0x3fffffffu) ^ (flip >> 2) : p[i] ^ flip);
        f[i] = (double)bits * unit;
        unit *= 0x1p-32;
    }
    opc_pair_f64 a = opc_fast_sum_f64(f[0], f[1]);
    opc_pair_f64 b = opc_two_sum_f64(a.lo, f[2]);
    opc_pair_f64 c = opc_two_sum_f64(a.hi, b.hi);
    double s = half ? -1.0 : 1.0;
    opc_pair_f64 t = opc_fast_sum_f64(c.hi, c.lo + (b.lo + (f[3] + f[4])));
    opc_pair_f64 quarter = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    t = opc_pair_mul_f64(t, quarter);
    opc_angle_f64 r = {s * t.hi, s * t.lo, (uint64_t)(top >> 30) + (half ? 1u : 0u)};
    return r;
}

// Quarter turns in a finite |x|. Relative error of the angle 2^-80.
static inline opc_angle_f64 opc_reduce_f64(double x) {
    double a = fabs(x);
    if (a >= 0x1p+20) {
        return opc_reduce_large_f64(a);
    }
    double q = a * 0x1.45f306dc9c883p-1 + 0x1.8p+52;
    double k = q - 0x1.8p+52;
    double h = a - k * 0x1.921fb544p+0;
    opc_pair_f64 b = opc_two_sum_f64(h, -(k * 0x1.0b4611a6p-34));
    opc_pair_f64 c = opc_two_sum_f64(b.hi, -(k * 0x1.3198a2ep-69));
    double l = (b.lo + c.lo) - k * 0x1.b839a252049c1p-104;
    opc_pair_f64 s = opc_fast_sum_f64(c.hi, l);
    opc_angle_f64 r = {s.hi, s.lo, opc_bits_f64(q)};
    return r;
}

// sin(hi + lo) for an angle of at most pi/4, as a pair. Relative error 2^-56.
static inline opc_pair_f64 opc_sin_pair_f64(double hi, double lo) {
    double z = hi * hi;
    double p = -0x1.aaa37e4f5e76ap-41;
    p = p * z + 0x1.61208f2eacb8fp-33;
    p = p * z - 0x1.ae645292da819p-26;
    p = p * z + 0x1.71de3a53355fdp-19;
    p = p * z - 0x1.a01a01a018ab3p-13;
    p = p * z + 0x1.111111111110bp-7;
    p = p * z - 0x1.5555555555555p-3;
    return opc_fast_sum_f64(hi, (z * hi) * p + (lo - (0.5 * z) * lo));
}

// cos(hi + lo) for an angle of at most pi/4, as a pair. Relative error 2^-56.
static inline opc_pair_f64 opc_cos_pair_f64(double hi, double lo) {
    double z = hi * hi;
    double p = 0x1.aac40841fe406p-45;
    p = p * z - 0x1.939334b4d6007p-37;
    p = p * z + 0x1.1eed8ca0a151bp-29;
    p = p * z - 0x1.27e4fb75fadd9p-22;
    p = p * z + 0x1.a01a01a018dc5p-16;
    p = p * z - 0x1.6c16c16c16c1p-10;
    p = p * z + 0x1.5555555555555p-5;
    double h = 0.5 * z;
    double w = 1.0 - h;
    return opc_fast_sum_f64(w, ((1.0 - w) - h) + ((z * z) * p - hi * lo));
}

// Sine, for arguments of any size. Error < 1 ULP; NaN at the infinities.
static inline double opc_sin_f64(double x) {
    double a = fabs(x);
    opc_angle_f64 t = opc_reduce_f64(a < (double)INFINITY ? a : 0.0);
    opc_pair_f64 s = opc_sin_pair_f64(t.hi, t.lo);
    opc_pair_f64 c = opc_cos_pair_f64(t.hi, t.lo);
    double v = (t.n & 1u) != 0 ? c.hi + c.lo : s.hi + s.lo;
    v = (t.n & 2u) != 0 ? -v : v;
    v = opc_flip_sign_f64(v, x);
    v = a == (double)INFINITY ? (double)NAN : v;
    v = a < 0x1p-27 ? x : v;
    return x != x ? x + x : v;
}

// Cosine, for arguments of any size. Error < 1 ULP; NaN at the infinities.
static inline double opc_cos_f64(double x) {
    double a = fabs(x);
    opc_angle_f64 t = opc_reduce_f64(a < (double)INFINITY ? a : 0.0);
    opc_pair_f64 s = opc_sin_pair_f64(t.hi, t.lo);
    opc_pair_f64 c = opc_cos_pair_f64(t.hi, t.lo);
    double v = (t.n & 1u) != 0 ? s.hi + s.lo : c.hi + c.lo;
    v = ((t.n + 1u) & 2u) != 0 ? -v : v;
    v = a == (double)INFINITY ? (double)NAN : v;
    return x != x ? x + x : v;
}

// Tangent, for arguments of any size. Error < 1.2 ULP; NaN at the infinities.
static inline double opc_tan_f64(double x) {
    double a = fabs(x);
    opc_angle_f64 t = opc_reduce_f64(a < (double)INFINITY ? a : 0.0);
    opc_pair_f64 s = opc_sin_pair_f64(t.hi, t.lo);
    opc_pair_f64 c = opc_cos_pair_f64(t.hi, t.lo);
    bool odd = (t.n & 1u) != 0;
    opc_pair_f64 n = {odd ? -c.hi : s.hi, odd ? -c.lo : s.lo};
    opc_pair_f64 d = {odd ? s.hi : c.hi, odd ? s.lo : c.lo};
    opc_pair_f64 q = opc_pair_div_f64(n, d);
    double v = opc_flip_sign_f64(q.hi + q.lo, x);
    v = a == (double)INFINITY ? (double)NAN : v;
    v = a < 0x1p-27 ? x : v;
    return x != x ? x + x : v;
}
