// [f32 f64] Bit pattern of x. Exact.
static inline $U opc_bits_$t($T x) {
    $U u;
    memcpy(&u, &x, sizeof u);
    return u;
}

// [f32 f64] A rounded product: gcc 12 fuses products with alternating sums and differences, even
// if contraction is off. Exact.
static inline $T opc_rounded_$t($T product) {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
    return __builtin_assoc_barrier(product);
#else
    return product;
#endif
}

// [f32 f64] Number whose bit pattern is u. Exact.
static inline $T opc_from_bits_$t($U u) {
    $T x;
    memcpy(&x, &u, sizeof x);
    return x;
}

// a b + c for an exact product a b, so that one rounding or two give the same: fused where there is
// an instruction for it.
static inline float opc_add_exact_f32(float a, float b, float c) {
#ifdef OPC_FMA_F32
    OPC_FUSE_F32(a, b, c);
    return c;
#else
    return a * b + c;
#endif
}

// p + d, rounded to odd, so that rounding to float is right: one step toward the error of the sum if
// the last bit of the sum is even, away from zero if the signs agree.
static inline double opc_sum_to_odd(double p, double d) {
    double s = p + d;
    double v = s - p;
    double e = (p - (s - v)) + (d - v);
    uint64_t u = opc_bits_f64(s);
    uint64_t even = ~u & 1u;
    uint64_t step = (opc_bits_f64(e) ^ u) >> 63 ? 0u - even : even;
    return opc_from_bits_f64(u + (e - e == 0.0 && e != 0.0 ? step : 0u));
}

// a b + c, rounded once: double holds the product.  Its sum with c, rounded twice, may be wrong only
// if it lies between two floats, or is subnormal as a float.
static inline float opc_fma_f32(float a, float b, float c) {
#ifdef OPC_FMA_F32
    OPC_FUSE_F32(a, b, c);
    return c;
#else
    double p = (double)a * (double)b;
    double s = p + (double)c;
    uint64_t u = opc_bits_f64(s);
    uint32_t size = (uint32_t)(u >> 32) & 0x7fffffffu;
    if (((uint32_t)u & 0x1fffffffu) == 0x10000000u || size - 1u < 0x380fffffu) {
        s = opc_sum_to_odd(p, (double)c);
    }
    return (float)s;
#endif
}

// a b + c, rounded once: by an instruction, by a C library that is exact (newlib rounds twice), or
// in integers.
static inline double opc_fma_f64(double a, double b, double c) {
#if defined(OPC_FMA_F64) && defined(__clang__) && defined(__arm__)
    __asm__("vfma.f64 %P0, %P1, %P2" : "+w"(c) : "w"(a), "w"(b));
    return c;
#elif defined(OPC_RELAXED)
    return OPC_RELAX(f64, x2, a, b, c);
#elif defined(OPC_FMA_F64)
    return __builtin_fma(a, b, c);
#elif defined(__GLIBC__) || defined(__APPLE__)
    return fma(a, b, c);
#else
    return opc_fma_in_integers(a, b, c);
#endif
}

// [f32 f64] a b + c, where the product is rounded, then the sum.
static inline $T opc_mul_add_$t($T a, $T b, $T c) {
    return opc_rounded_$t(a * b) + c;
}

// a b - p for the rounded product p. Exact, unless it is subnormal: from both halves of a and b, or
// by a fused instruction.
static inline float opc_product_error_f32(float a, float b, float p) {
#ifdef OPC_FMA_F32
    float c = -p;
    OPC_FUSE_F32(a, b, c);
    return c;
#else
    float ah = opc_from_bits_f32(opc_bits_f32(a) & 0xfffff000u);
    float bh = opc_from_bits_f32(opc_bits_f32(b) & 0xfffff000u);
    float al = a - ah;
    float bl = b - bh;
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}

// [f32 f64] x with its sign flipped where s is negative, -0 included. Exact.
static inline $T opc_flip_sign_$t($T x, $T s) {
    return opc_from_bits_$t(opc_bits_$t(x) ^ (opc_bits_$t(s) & (($U)1 << ($BITS - 1))));
}

// [f32 f64] Absolute value. Exact.
static inline $T opc_abs_$t($T x) {
    return fabs$f(x);
}

// [f32 f64] Sign as -1, 0 or 1; +0 for both zeros, NaN for NaN. Exact.
static inline $T opc_sign_$t($T x) {
    $T s = x > 0.0$f ? 1.0$f : 0.0$f;
    s = x < 0.0$f ? -1.0$f : s;
    return x != x ? x + x : s;
}

// [f32 f64] Nearest integer, ties to even, sign of zero kept. A number from 2^23 (2^52) on is an
// integer, and a sum with it is rounded to one: that takes the place of a call. Exact.
static inline $T opc_round_$t($T x) {
#if defined(__SSE4_1__) || defined(__aarch64__) || defined(__ARM_FEATURE_DIRECTED_ROUNDING) \
    || defined(__wasm__) || defined(__s390x__)
    return rint$f(x);
#else
    const $T least = ($T)((int64_t)1 << ($BITS == 32 ? 23 : 52)), size = fabs$f(x);
    return size < least ? copysign$f(size + least - least, x) : x;
#endif
}

// [f32 f64] Largest integer not above x. Exact.
static inline $T opc_floor_$t($T x) {
    return floor$f(x);
}

// [f32 f64] Smallest integer not below x. Exact.
static inline $T opc_ceil_$t($T x) {
    return ceil$f(x);
}

// [f32 f64] Integer part, toward zero. Exact.
static inline $T opc_trunc_$t($T x) {
    return trunc$f(x);
}

// [f32 f64] Square root, rounded correctly. 1 takes the place of a negative argument, since the NaN
// of the machine and that which a compiler folds may differ in sign; with 0, clang 14 may give +0
// for -0.
static inline $T opc_sqrt_$t($T x) {
    $T r = sqrt$f(x < 0.0$f ? 1.0$f : x);
    r = x < 0.0$f ? ($T)NAN : r;
    return x != x ? x + x : r;
}

// [f32 f64] True for NaN.
static inline bool opc_is_nan_$t($T x) {
    return x != x;
}

// [f32 f64] True for both infinities.
static inline bool opc_is_inf_$t($T x) {
    return fabs$f(x) == ($T)INFINITY;
}

// [f32 f64] True for +infinity.
static inline bool opc_is_posinf_$t($T x) {
    return x == ($T)INFINITY;
}

// [f32 f64] True for -infinity.
static inline bool opc_is_neginf_$t($T x) {
    return x == -($T)INFINITY;
}

// [f32 f64] Integer that compares like x: -0 below +0, NaNs beyond the infinities. Exact.
static inline int$BITS_t opc_order_$t($T x) {
    int$BITS_t k;
    memcpy(&k, &x, sizeof k);
    // Not k < 0 ? ...: gcc would confuse that with comparisons that give x.
    return k ^ ((k >> ($BITS - 1)) & INT$BITS_MAX);
}

// [f32 f64] The same, but zeros are equal and all NaNs greater than infinity. Exact.
static inline int$BITS_t opc_rank_$t($T x) {
    int$BITS_t k;
    // NAN is negative with some compilers.
    x = x != x ? opc_from_bits_$t($NAN) : x + 0;
    memcpy(&k, &x, sizeof k);
    return k ^ ((k >> ($BITS - 1)) & INT$BITS_MAX);
}

// [f32 f64] Float with this opc_order_$t. Exact.
static inline $T opc_unorder_$t(int$BITS_t k) {
    $T x;
    k = k ^ ((k >> ($BITS - 1)) & INT$BITS_MAX);
    memcpy(&x, &k, sizeof x);
    return x;
}

// [f32 f64] Larger operand; NaN propagates, the first one first; max(-0, +0) is +0. Exact.
static inline $T opc_max_$t($T a, $T b) {
    // Equal operands have equal bits or are zeros of both signs, of which AND keeps +0.
    $T e = a == b ? opc_from_bits_$t(opc_bits_$t(a) & opc_bits_$t(b)) : b;
    $T m = a > e ? a : e;
    return a != a ? a : m;
}

// [f32 f64] Smaller operand; NaN propagates, the first one first; min(-0, +0) is -0. Exact.
static inline $T opc_min_$t($T a, $T b) {
    // Equal operands have equal bits or are zeros of both signs, of which OR keeps -0.
    $T e = a == b ? opc_from_bits_$t(opc_bits_$t(a) | opc_bits_$t(b)) : b;
    $T m = a < e ? a : e;
    return a != a ? a : m;
}

// [f32 f64] Larger operand; a where b is NaN; either of zeros of both signs. Exact.
static inline $T opc_max_number_$t($T a, $T b) {
    return b > a ? b : a;
}

// [f32 f64] Larger operand; b where a is NaN, or a zero as b is. Exact.
static inline $T opc_above_$t($T a, $T b) {
    return a > b ? a : b;
}

// [f32 f64] The same as opc_max for a number b other than -0. Exact.
static inline $T opc_at_least_$t($T a, $T b) {
    return a <= b ? b : a;
}

// [f32 f64] The same as opc_min for a number b other than +0. Exact.
static inline $T opc_at_most_$t($T a, $T b) {
    return a >= b ? b : a;
}

// [f32 f64] Remainder with the sign of the dividend a, as C fmod. Exact.
static inline $T opc_fmod_$t($T a, $T b) {
    bool bad = b == 0.0$f || fabs$f(a) == ($T)INFINITY;
    $T r = bad ? ($T)NAN : fmod$f(a, b);
    r = b != b ? b + b : r;
    return a != a ? a + a : r;
}

// [f32 f64] Remainder with the sign of the divisor b, as NumPy mod. One rounding: <= 0.5 ULP.
static inline $T opc_mod_$t($T a, $T b) {
    $T r = opc_fmod_$t(a, b);
    $T s = (r < 0.0$f) != (b < 0.0$f) ? r + b : r;
    return r == 0.0$f ? copysign$f(0.0$f, b) : s;
}

// [f32 f64] x / (1 + |x|). Error < 1.5 ULP; NaN at both infinities, as the formula gives.
static inline $T opc_softsign_$t($T x) {
    $T a = fabs$f(x);
    $T r = x / (1.0$f + a);
    r = a == ($T)INFINITY ? ($T)NAN : r;
    return x != x ? x + x : r;
}
