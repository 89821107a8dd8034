// Arc sine. Error < 0.51 ULP; NaN outside [-1, 1].
static inline float opc_asin_f32(float x) {
    double a = fabs((double)x);
    double z = a > 0.5 ? 0.5 * (1.0 - a) : a * a;
    z = a > 1.0 ? 0.0 : z;
    double s = a > 0.5 ? sqrt(z) : a;
    double p = 0x1.0dee2054070f7p-5;
    p = p * z + 0x1.fcd259a7c2307p-10;
    p = p * z + 0x1.5284ec2fb0182p-6;
    p = p * z + 0x1.663244a2f4b5cp-6;
    p = p * z + 0x1.f283984bd160cp-6;
    p = p * z + 0x1.6db24db128ad5p-5;
    p = p * z + 0x1.333340bf06e6ep-4;
    p = p * z + 0x1.5555554799384p-3;
    double t = s + (s * z) * p;
    t = a > 0.5 ? 0x1.921fb54442d18p+0 - 2.0 * t : t;
    float r = opc_flip_sign_f32((float)t, x);
    r = a > 1.0 ? (float)NAN : r;
    return x != x ? x + x : r;
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

// Arc cosine. Error < 0.51 ULP; NaN outside [-1, 1].
static inline float opc_acos_f32(float x) {
    double a = fabs((double)x);
    double z = a > 0.5 ? 0.5 * (1.0 - a) : a * a;
    z = a > 1.0 ? 0.0 : z;
    double s = a > 0.5 ? sqrt(z) : a;
    double p = 0x1.0dee2054070f7p-5;
    p = p * z + 0x1.fcd259a7c2307p-10;
    p = p * z + 0x1.5284ec2fb0182p-6;
    p = p * z + 0x1.663244a2f4b5cp-6;
    p = p * z + 0x1.f283984bd160cp-6;
    p = p * z + 0x1.6db24db128ad5p-5;
    p = p * z + 0x1.333340bf06e6ep-4;
    p = p * z + 0x1.5555554799384p-3;
    double t = s + (s * z) * p;
    double n = a > 0.5 ? 0x1.921fb54442d18p+1 - 2.0 * t : 0x1.921fb54442d18p+0 + t;
    double o = a > 0.5 ? 2.0 * t : 0x1.921fb54442d18p+0 - t;
    float r = (float)(x < 0.0f ? n : o);
    r = a > 1.0 ? (float)NAN : r;
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

// Arc tangent. Error < 0.51 ULP.
static inline float opc_atan_f32(float x) {
    double a = fabs((double)x);
    double t = a > 1.0 ? 1.0 / a : a;
    double z = t * t;
    double p = -0x1.2b5da248852fap-12;
    p = p * z + 0x1.2bbd2838161f4p-9;
    p = p * z - 0x1.19e31b0eb12b9p-7;
    p = p * z + 0x1.50ac86baebd0ep-6;
    p = p * z - 0x1.266756068037cp-5;
    p = p * z + 0x1.a167ae212f723p-5;
    p = p * z - 0x1.05cbbb7cf7ee9p-4;
    p = p * z + 0x1.383ed89d977e4p-4;
    p = p * z - 0x1.73df5a8a77042p-4;
    p = p * z + 0x1.c70e38ffb8168p-4;
    p = p * z - 0x1.2491ce82b826cp-3;
    p = p * z + 0x1.99999569c06bp-3;
    p = p * z - 0x1.5555554eea0b8p-2;
    double s = t + (t * z) * p;
    float r = (float)(a > 1.0 ? 0x1.921fb54442d18p+0 - s : s);
    return x != x ? x + x : opc_flip_sign_f32(r, x);
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
