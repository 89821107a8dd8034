// Arc sine. Error < 1.8 ULP; NaN outside [-1, 1].
static inline float opc_asin_f32(float x) {
    // Above 1/2: pi/2 - 2 asin(sqrt((1 - a) / 2)).
    float a = fabsf(x);
    float z = a > 0.5f ? 0.5f * (1.0f - a) : a * a;
    float s = a > 0.5f ? -2.0f * sqrtf(z) : a;
    float y = z * z;
    float p = (0x1.5555c8p-3f + z * 0x1.330204p-4f) + y * (0x1.747bb8p-5f + z * 0x1.8c3e4ep-6f);
    p = (s * z) * (p + (y * y) * 0x1.595c64p-5f);
    float r = a > 0.5f ? 0x1.921fb6p+0f + (s + (p - 0x1.777a5cp-25f)) : s + p;
    r = copysignf(r, x);
    return a > 1.0f ? (float)NAN : r;
}

// Arc sine. Error < 0.8 ULP; NaN outside [-1, 1].
static inline double opc_asin_f64(double x) {
    double a = fabs(x);
    bool far = a > 0.5;
    double z = far ? 0.5 * (1.0 - a) : a * a;
    z = a > 1.0 ? 0.0 : z;
    opc_pair_f64 y = {z, 0.0};
    opc_pair_f64 s = opc_pair_sqrt_f64(y);
    double p = 0x1.143cd0d186bb3p-5;
    p = p * z - 0x1.ae99cdb124855p-6;
    p = p * z + 0x1.986d46ca04ec9p-6;
    p = p * z + 0x1.4d5c86374e6dep-11;
    p = p * z + 0x1.4873885ac0a5dp-7;
    p = p * z + 0x1.36ad61301fed7p-7;
    p = p * z + 0x1.7ba74a91b2b8cp-7;
    p = p * z + 0x1.c9809164dd4a5p-7;
    p = p * z + 0x1.1c4f8841432cbp-6;
    p = p * z + 0x1.6e8b9acffee8p-6;
    p = p * z + 0x1.f1c71ca941cbcp-6;
    p = p * z + 0x1.6db6db6d46573p-5;
    p = p * z + 0x1.3333333333a67p-4;
    p = p * z + 0x1.5555555555553p-3;
    // Near 1: pi/2 - 2 asin(sqrt((1 - a) / 2)), its first two terms summed exactly.
    opc_pair_f64 b = opc_two_sum_f64(0x1.921fb54442d18p+0, -2.0 * s.hi);
    double t = b.hi + (b.lo + (0x1.1a62633145c07p-54 - 2.0 * ((s.hi * z) * p + s.lo)));
    double r = opc_flip_sign_f64(far ? t : a + (a * z) * p, x);
    r = a > 1.0 ? (double)NAN : r;
    return x != x ? x + x : r;
}

// Arc cosine. Error < 1.5 ULP; NaN outside [-1, 1].
static inline float opc_acos_f32(float x) {
    // Up to 1/2: pi/2 - asin(x). Above: 2 asin(sqrt((1 - a) / 2)), or pi minus it.
    float a = fabsf(x);
    float z = a > 0.5f ? 0.5f * (1.0f - a) : a * a;
    float s = a > 0.5f ? 2.0f * sqrtf(z) : -a;
    s = opc_flip_sign_f32(s, x);
    float h = x < 0.0f ? 0x1.921fb6p+1f : 0.0f;
    h = a > 0.5f ? h : 0x1.921fb6p+0f;
    float y = z * z;
    float p = (0x1.5555c8p-3f + z * 0x1.330204p-4f) + y * (0x1.747bb8p-5f + z * 0x1.8c3e4ep-6f);
    p = (s * z) * (p + (y * y) * 0x1.595c64p-5f);
    // Multiples of pi/2 have the same relative error.
    float r = (h + s) + (p - h * 0x1.de1228p-26f);
    r = a > 1.0f ? (float)NAN : r;
    return x != x ? x + x : r;
}

// Arc cosine. Error < 0.8 ULP; NaN outside [-1, 1].
static inline double opc_acos_f64(double x) {
    double a = fabs(x);
    bool far = a > 0.5;
    double z = far ? 0.5 * (1.0 - a) : a * a;
    z = a > 1.0 ? 0.0 : z;
    opc_pair_f64 y = {z, 0.0};
    opc_pair_f64 s = opc_pair_sqrt_f64(y);
    s.hi = far ? s.hi : a;
    s.lo = far ? s.lo : 0.0;
    double p = 0x1.143cd0d186bb3p-5;
    p = p * z - 0x1.ae99cdb124855p-6;
    p = p * z + 0x1.986d46ca04ec9p-6;
    p = p * z + 0x1.4d5c86374e6dep-11;
    p = p * z + 0x1.4873885ac0a5dp-7;
    p = p * z + 0x1.36ad61301fed7p-7;
    p = p * z + 0x1.7ba74a91b2b8cp-7;
    p = p * z + 0x1.c9809164dd4a5p-7;
    p = p * z + 0x1.1c4f8841432cbp-6;
    p = p * z + 0x1.6e8b9acffee8p-6;
    p = p * z + 0x1.f1c71ca941cbcp-6;
    p = p * z + 0x1.6db6db6d46573p-5;
    p = p * z + 0x1.3333333333a67p-4;
    p = p * z + 0x1.5555555555553p-3;
    double l = (s.hi * z) * p + s.lo;
    // A multiple of pi/2 plus or minus asin(s), once near 0 and twice near 1.
    double m = far ? 2.0 : -1.0;
    m = x < 0.0 ? -m : m;
    double u = far ? (x < 0.0 ? 2.0 : 0.0) : 1.0;
    opc_pair_f64 b = opc_two_sum_f64(u * 0x1.921fb54442d18p+0, m * s.hi);
    double r = b.hi + (b.lo + (u * 0x1.1a62633145c07p-54 + m * l));
    r = a > 1.0 ? (double)NAN : r;
    return x != x ? x + x : r;
}

// Arc tangent. Error < 1.5 ULP.
static inline float opc_atan_f32(float x) {
    // Above 1: pi/2 - atan(1 / a).
    float a = fabsf(x);
    float t = a > 1.0f ? -1.0f / a : a;
    float z = t * t;
    float y = z * z;
    float p = (-0x1.55553ep-2f + z * 0x1.9991e4p-3f) + y * (-0x1.242084p-3f + z * 0x1.c08c1ap-4f);
    float q = (-0x1.580816p-4f + z * 0x1.da24ep-5f) + y * (-0x1.fd7014p-6f + z * 0x1.64117ep-7f);
    y = y * y;
    p = (t * z) * ((p + y * q) - (y * y) * 0x1.d32f3cp-10f);
    float r = a > 1.0f ? (0x1.921fb6p+0f + t) + (p - 0x1.777a5cp-25f) : t + p;
    return copysignf(r, x);
}

// Arc tangent: atan(b) + atan((x - b) / (1 + b x)) for b in 0, 1/2, 1, 3/2, infinity.
// Error < 0.9 ULP.
static inline double opc_atan_f64(double x) {
    double a = fabs(x);
    double n = a;
    double d = 1.0;
    double h = 0.0;
    double l = 0.0;
    n = a > 0.4375 ? 2.0 * a - 1.0 : n;
    d = a > 0.4375 ? 2.0 + a : d;
    h = a > 0.4375 ? 0x1.dac670561bb4fp-2 : h;
    l = a > 0.4375 ? 0x1.a2b7f222f65e2p-56 : l;
    n = a > 0.6875 ? a - 1.0 : n;
    d = a > 0.6875 ? a + 1.0 : d;
    h = a > 0.6875 ? 0x1.921fb54442d18p-1 : h;
    l = a > 0.6875 ? 0x1.1a62633145c07p-55 : l;
    n = a > 1.1875 ? a - 1.5 : n;
    d = a > 1.1875 ? 1.0 + 1.5 * a : d;
    h = a > 1.1875 ? 0x1.f730bd281f69bp-1 : h;
    l = a > 1.1875 ? 0x1.007887af0cbbdp-56 : l;
    n = a > 2.4375 ? -1.0 : n;
    d = a > 2.4375 ? a : d;
    h = a > 2.4375 ? 0x1.921fb54442d18p+0 : h;
    l = a > 2.4375 ? 0x1.1a62633145c07p-54 : l;
    double t = n / d;
    double z = t * t;
    double p = 0x1.c0b2a7dfa5df9p-7;
    p = p * z - 0x1.0576b39ab5c8ep-5;
    p = p * z + 0x1.6b273b1b076c7p-5;
    p = p * z - 0x1.a9fe0b600c23bp-5;
    p = p * z + 0x1.e1331a37b903bp-5;
    p = p * z - 0x1.11090df6a6d1dp-4;
    p = p * z + 0x1.3b132ff496122p-4;
    p = p * z - 0x1.745d11d041bbp-4;
    p = p * z + 0x1.c71c71a16b24fp-4;
    p = p * z - 0x1.2492492445df9p-3;
    p = p * z + 0x1.9999999998fep-3;
    p = p * z - 0x1.5555555555552p-2;
    double r = h + (t + ((t * z) * p + l));
    return x != x ? x + x : opc_flip_sign_f64(r, x);
}
