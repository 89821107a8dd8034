// [f32 f64] x^y from its magnitude m = |x|^y, by the special cases of C99 Annex F. Exact.
static inline $T opc_pow_finish_$t($T x, $T y, $T m) {
    bool whole = opc_floor_$t(y) == y;
    $T half = 0.5$f * y;
    bool odd = whole && opc_floor_$t(half) != half && fabs$f(y) < 2.0$f * $BIG;
    $T r = odd ? opc_flip_sign_$t(m, x) : m;
    r = x < 0.0$f && !whole && x != -($T)INFINITY ? ($T)NAN : r;
    r = fabs$f(x) == 1.0$f && fabs$f(y) == ($T)INFINITY ? 1.0$f : r;
    r = y != y ? y + y : r;
    r = x != x ? x + x : r;
    return y == 0.0$f || x == 1.0$f ? 1.0$f : r;
}

// x^y, all special cases as C99 Annex F. Error < 0.51 ULP.
static inline float opc_pow_f32(float x, float y) {
    double a = fabs((double)x);
    bool in = a > 0.0 && a < (double)INFINITY;
    double l = opc_log_wide(in ? a : 1.0, 0.0);
    l = a == 0.0 ? -(double)INFINITY : l;
    l = a == (double)INFINITY ? a : l;
    return opc_pow_finish_f32(x, y, (float)opc_exp_wide((double)y * l));
}

// x^y, all special cases as C99 Annex F, through a logarithm of twice the precision.
// Error < 1.2 ULP.
static inline double opc_pow_f64(double x, double y) {
    double a = fabs(x);
    bool in = a > 0.0 && a < (double)INFINITY;
    bool sub = a < 0x1p-1022;
    a = sub ? a * 0x1p+54 : a;
    opc_pair_f64 l = opc_log_pair_f64(in ? a : 1.0, 0.0, sub ? -54.0 : 0.0);
    // Beyond 2^80 the result has overflowed or vanished, and the product must not be NaN.
    double b = y > 0x1p+80 ? 0x1p+80 : y;
    b = b < -0x1p+80 ? -0x1p+80 : b;
    opc_pair_f64 p = opc_two_product_f64(b, l.hi);
    opc_scaled_f64 e = opc_exp_scaled_f64(p.hi, p.lo + b * l.lo);
    double m = opc_scale_f64(1.0 + (e.hi + e.lo), e.k);
    double z = y > 0.0 ? 0.0 : (double)INFINITY;
    double i = y > 0.0 ? (double)INFINITY : 0.0;
    m = x == 0.0 ? z : m;
    m = fabs(x) == (double)INFINITY ? i : m;
    return opc_pow_finish_f64(x, y, m);
}
