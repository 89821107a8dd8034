// f64 to f32, ties to even. <= 0.5 ULP. The comparison changes no value: without it, gcc 12 drops a
// conversion and its inverse where it vectorizes straight code.
static inline float opc_cast_f64_f32(double x) {
    float y = (float)x;
    return y <= -(float)INFINITY ? -(float)INFINITY : y;
}

// f16 to f32. Exact; NaN becomes quiet.
static inline float opc_cast_f16_f32(uint16_t h) {
    // The f16 exponent is rebiased by a product, which also normalizes subnormal numbers.
    float x = opc_from_bits_f32((uint32_t)(h & 0x7fffu) << 13) * 0x1p+112f;
    uint32_t r = opc_bits_f32(x) | (x >= 0x1p+16f ? 0x7f800000u : 0u);
    r |= x > 0x1p+16f ? 0x00400000u : 0u;
    return opc_from_bits_f32(r | (uint32_t)(h & 0x8000u) << 16);
}

// bf16 to f32. Exact.
static inline float opc_cast_bf16_f32(uint16_t h) {
    return opc_from_bits_f32((uint32_t)h << 16);
}

// f32 to f16, ties to even, to infinity from 65520 on. <= 0.5 ULP.
static inline uint16_t opc_cast_f32_f16(float x) {
    uint32_t u = opc_bits_f32(x);
    // Signed, since not all instruction sets compare vectors of unsigned integers.
    int32_t a = (int32_t)(u & 0x7fffffffu);
    // Normal: round off 13 bits in the integer domain. Subnormal: adding 1/2 rounds at 2^-24.
    int32_t n = (a - 0x38000000 + 0xfff + ((a >> 13) & 1)) >> 13;
    int32_t s = (int32_t)opc_bits_f32(fabsf(x) + 0.5f) - 0x3f000000;
    int32_t r = a < 0x38800000 ? s : n;
    r = a >= 0x477ff000 ? 0x7c00 : r;
    r = a > 0x7f800000 ? 0x7e00 | ((a >> 13) & 0x1ff) : r;
    return (uint16_t)((uint32_t)r | ((u >> 16) & 0x8000u));
}

// f32 to bf16, ties to even. <= 0.5 ULP.
static inline uint16_t opc_cast_f32_bf16(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = u + 0x7fffu + ((u >> 16) & 1u);
    r = x == x ? r : u | 0x00400000u;
    return (uint16_t)(r >> 16);
}

// Integer that compares like the f16 with these bits: see opc_order_f32. Exact.
static inline int16_t opc_order_f16(uint16_t h) {
    int16_t k;
    memcpy(&k, &h, sizeof k);
    return (int16_t)(k ^ ((k >> 15) & INT16_MAX));
}

// Bits of the f16 with this opc_order_f16. Exact.
static inline uint16_t opc_unorder_f16(int16_t k) {
    uint16_t h;
    k = (int16_t)(k ^ ((k >> 15) & INT16_MAX));
    memcpy(&h, &k, sizeof h);
    return h;
}

// Integer that compares like the bf16 with these bits. Exact.
static inline int16_t opc_order_bf16(uint16_t h) {
    return opc_order_f16(h);
}

// Bits of the bf16 with this opc_order_bf16. Exact.
static inline uint16_t opc_unorder_bf16(int16_t k) {
    return opc_unorder_f16(k);
}

// f32 rounded to a number of f16, ties to even, to infinity from 65520 on. <= 0.5 ULP of f16.
static inline float opc_round_f16_f32(float x) {
    uint32_t u = opc_bits_f32(x);
    // The sum with 3/2 * 2^13 times the power of two below |x| has the last bit of f16.
    int32_t e = (int32_t)(u & 0x7f800000u);
    e = e < 0x38800000 ? 0x38800000 : e;
    float big = opc_from_bits_f32((uint32_t)e + 0x06c00000u);
    float a = fabsf(x);
    float r = (a + big) - big;
    r = a >= 65520.0f ? (float)INFINITY : r;
    return opc_from_bits_f32(opc_bits_f32(r) | (u & 0x80000000u));
}

// f32 rounded to a number of bf16, ties to even. <= 0.5 ULP of bf16.
static inline float opc_round_bf16_f32(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = (u + 0x7fffu + ((u >> 16) & 1u)) & 0xffff0000u;
    return x == x ? opc_from_bits_f32(r) : x;
}

// f64 to f16, rounded once, ties to even, to infinity from 65520 on. <= 0.5 ULP.
static inline uint16_t opc_cast_f64_f16(double x) {
    uint64_t u = opc_bits_f64(x);
    uint64_t a = u & 0x7fffffffffffffffu;
    // Normal: round off 42 bits in the integer domain. Subnormal: adding 2^28 rounds at 2^-24.
    uint64_t n = (a - 0x3f00000000000000u + 0x1ffffffffffu + ((a >> 42) & 1u)) >> 42;
    uint64_t s = opc_bits_f64(fabs(x) + 0x1p+28) - 0x41b0000000000000u;
    uint64_t r = a < 0x3f10000000000000u ? s : n;
    r = a >= 0x40effe0000000000u ? 0x7c00u : r;
    r = a > 0x7ff0000000000000u ? 0x7e00u | ((a >> 42) & 0x1ffu) : r;
    return (uint16_t)(r | ((u >> 48) & 0x8000u));
}

// f64 to bf16, rounded once, ties to even. <= 0.5 ULP.
static inline uint16_t opc_cast_f64_bf16(double x) {
    uint64_t u = opc_bits_f64(x);
    uint64_t a = u & 0x7fffffffffffffffu;
    // Normal: round off 45 bits in the integer domain. Subnormal: adding 2^-81 rounds at 2^-133.
    uint64_t n = (a - 0x3800000000000000u + 0xfffffffffffu + ((a >> 45) & 1u)) >> 45;
    uint64_t s = opc_bits_f64(fabs(x) + 0x1p-81) - 0x3ae0000000000000u;
    uint64_t r = a < 0x3810000000000000u ? s : n;
    r = a >= 0x47eff00000000000u ? 0x7f80u : r;
    r = a > 0x7ff0000000000000u ? 0x7fc0u | ((a >> 45) & 0x3fu) : r;
    return (uint16_t)(r | ((u >> 48) & 0x8000u));
}

// [i8 i16 u8 u16] Integer to f16, rounded once: exact as f32.
static inline uint16_t opc_cast_$t_f16($T x) {
    return opc_cast_f32_f16((float)x);
}

// [i8 i16 u8 u16] Integer to bf16, rounded once: exact as f32.
static inline uint16_t opc_cast_$t_bf16($T x) {
    return opc_cast_f32_bf16((float)x);
}

// [i32 u32] Integer to f16, rounded once: exact as f64.
static inline uint16_t opc_cast_$t_f16($T x) {
    return opc_cast_f64_f16((double)x);
}

// [i32 u32] Integer to bf16, rounded once: exact as f64.
static inline uint16_t opc_cast_$t_bf16($T x) {
    return opc_cast_f64_bf16((double)x);
}

// [i64 u64] Integer to f16, rounded once: exact as f64 wherever the result is finite.
static inline uint16_t opc_cast_$t_f16($T x) {
    return opc_cast_f64_f16((double)x);
}

// The upper 53 bits of x, the lowest of them set if lower bits were lost, so that rounding the
// result to fewer bits is the same as rounding x.
static inline uint64_t opc_sticky_u64(uint64_t x) {
    uint64_t s = (x & ~(uint64_t)0x7ffu) | (uint64_t)((x & 0x7ffu) != 0) << 11;
    return x >> 53 != 0 ? s : x;
}

// u64 to bf16, rounded once, ties to even.
static inline uint16_t opc_cast_u64_bf16(uint64_t x) {
    return opc_cast_f64_bf16((double)opc_sticky_u64(x));
}

// i64 to bf16, rounded once, ties to even.
static inline uint16_t opc_cast_i64_bf16(int64_t x) {
    uint16_t r = opc_cast_u64_bf16(x < 0 ? 0u - (uint64_t)x : (uint64_t)x);
    return (uint16_t)(x < 0 ? r | 0x8000u : r);
}

// [i8 i16] f32 to integer, toward zero, saturating; NaN is 0. The float is limited before the
// conversion, in vectors of the wider type, and is 0 if the result is: gcc 12 takes (float)(int)x
// for a rounding of x, which makes -0 of -0.5.  It would choose among narrow results, by masks for
// each vector, but for opc_rounded_f32.
static inline $T opc_cast_f32_$t(float x) {
    x = fabsf(x) >= 1.0f ? x : 0.0f;
    x = x < (float)$MAX ? x : (float)$MAX;
    return ($T)(int32_t)opc_rounded_f32(x > (float)$MIN ? x : (float)$MIN);
}

// [i8 i16] f64 to integer, as from f32.
static inline $T opc_cast_f64_$t(double x) {
    x = fabs(x) >= 1.0 ? x : 0.0;
    x = x < (double)$MAX ? x : (double)$MAX;
    return ($T)(int32_t)(x > (double)$MIN ? x : (double)$MIN);
}

// [u8 u16] f32 to integer, toward zero, saturating; NaN is 0. See signed integers.
static inline $T opc_cast_f32_$t(float x) {
    x = x > 0.0f ? x : 0.0f;
    return ($T)(int32_t)opc_rounded_f32(x < (float)$MAX ? x : (float)$MAX);
}

// [u8 u16] f64 to integer, as from f32.
static inline $T opc_cast_f64_$t(double x) {
    x = x > 0.0 ? x : 0.0;
    return ($T)(int32_t)(x < (double)$MAX ? x : (double)$MAX);
}

// [i32] f32 to integer, toward zero, saturating; NaN is 0. The float is 0 if the result is;
// f32 does not hold the greatest integer.
static inline $T opc_cast_f32_$t(float x) {
    float a = fabsf(x);
    $T r = ($T)(a >= 1.0f && a < $F32_ABOVE ? x : 0.0f);
    r = x >= $F32_ABOVE ? $MAX : r;
    return x <= -$F32_ABOVE ? $MIN : r;
}

// [i32] f64 to integer, as from f32.
static inline $T opc_cast_f64_$t(double x) {
    double a = fabs(x);
    $T r = ($T)(a >= 1.0 && a < $F64_ABOVE ? x : 0.0);
    r = x >= $F64_ABOVE ? $MAX : r;
    return x <= -$F64_ABOVE ? $MIN : r;
}

// [i64] f32 to integer, as to i32. Where there are no vectors, gcc makes jumps of two conditions at
// once, and those for small numbers are not foreseen.
static inline $T opc_cast_f32_$t(float x) {
    float a = fabsf(x), y = a >= 1.0f ? x : 0.0f;
    $T r = ($T)(a < $F32_ABOVE ? y : 0.0f);
    r = x >= $F32_ABOVE ? $MAX : r;
    return x <= -$F32_ABOVE ? $MIN : r;
}

// [i64] f64 to integer, as from f32.
static inline $T opc_cast_f64_$t(double x) {
    double a = fabs(x), y = a >= 1.0 ? x : 0.0;
    $T r = ($T)(a < $F64_ABOVE ? y : 0.0);
    r = x >= $F64_ABOVE ? $MAX : r;
    return x <= -$F64_ABOVE ? $MIN : r;
}

// [u32 u64] f32 to integer, toward zero, saturating; NaN is 0. See signed integers.
static inline $T opc_cast_f32_$t(float x) {
    $T r = ($T)(x >= 1.0f && x < $F32_ABOVE ? x : 0.0f);
    return x >= $F32_ABOVE ? $MAX : r;
}

// [u32 u64] f64 to integer, as from f32.
static inline $T opc_cast_f64_$t(double x) {
    $T r = ($T)(x >= 1.0 && x < $F64_ABOVE ? x : 0.0);
    return x >= $F64_ABOVE ? $MAX : r;
}

// The integer nearest to (sum scale + bias) / step, as floats give it.
static inline int32_t opc_quantized_i32(float scale, float bias, float step, int32_t sum) {
    float x = (opc_rounded_f32((float)sum * scale) + bias) / step;
    return opc_cast_f32_i32(opc_round_f32(x));
}

// The same by integers where they are certain to give it: the quotient and a half, times 2^bits, is
// within error of the product of factor and the sum, of which 2^held and more gives a result that
// is limited. Exact.
static inline int32_t opc_requantize_i32(float scale, float bias, float step, int32_t sum,
                                         int32_t factor, int32_t start, int32_t held,
                                         int32_t bits, int32_t error) {
    int32_t most = (int32_t)(UINT32_MAX >> (32 - held)), s = sum < most ? sum : most;
    s = (int32_t)((uint32_t)(s > -most ? s : -most) << (31 - held));
    uint32_t q = (uint32_t)((uint64_t)((int64_t)s * factor) >> 32) + (uint32_t)start;
    if (((q + (uint32_t)error) & ((1u << bits) - 1u)) < 2u * (uint32_t)error) {
        return opc_quantized_i32(scale, bias, step, sum);
    }
    return (int32_t)((q ^ 0x80000000u) >> bits) - (int32_t)(0x80000000u >> bits);
}
