// f8E4M3FN to f32. Exact; NaN becomes quiet.
static inline float opc_cast_f8e4m3fn_f32(uint8_t v) {
    uint32_t a = v & 0x7fu;
    uint32_t r = opc_bits_f32(opc_from_bits_f32(a << 20) * 0x1p+120f);
    r = a == 0x7fu ? 0x7fc00000u : r;
    return opc_from_bits_f32(r | (uint32_t)(v & 0x80u) << 24);
}

// f8E4M3FNUZ to f32. Exact; NaN becomes quiet.
static inline float opc_cast_f8e4m3fnuz_f32(uint8_t v) {
    uint32_t r = opc_bits_f32(opc_from_bits_f32((v & 0x7fu) << 20) * 0x1p+119f);
    r |= (uint32_t)(v & 0x80u) << 24;
    return opc_from_bits_f32(v == 0x80u ? 0x7fc00000u : r);
}

// f8E5M2 to f32. Exact; NaN becomes quiet.
static inline float opc_cast_f8e5m2_f32(uint8_t v) {
    uint32_t a = v & 0x7fu;
    uint32_t r = opc_bits_f32(opc_from_bits_f32(a << 21) * 0x1p+112f);
    r = a == 0x7cu ? 0x7f800000u : r;
    r = a > 0x7cu ? 0x7fc00000u : r;
    return opc_from_bits_f32(r | (uint32_t)(v & 0x80u) << 24);
}

// f8E5M2FNUZ to f32. Exact; NaN becomes quiet.
static inline float opc_cast_f8e5m2fnuz_f32(uint8_t v) {
    uint32_t r = opc_bits_f32(opc_from_bits_f32((v & 0x7fu) << 21) * 0x1p+111f);
    r |= (uint32_t)(v & 0x80u) << 24;
    return opc_from_bits_f32(v == 0x80u ? 0x7fc00000u : r);
}

// f8E8M0FNU to f32. Exact; NaN becomes quiet.
static inline float opc_cast_f8e8m0fnu_f32(uint8_t v) {
    uint32_t r = v == 0u ? 0x00400000u : (uint32_t)v << 23;
    return opc_from_bits_f32(v == 0xffu ? 0x7fc00000u : r);
}

// f4E2M1FN to f32. Exact.
static inline float opc_cast_f4e2m1fn_f32(uint8_t v) {
    uint32_t r = opc_bits_f32(opc_from_bits_f32((v & 7u) << 22) * 0x1p+126f);
    return opc_from_bits_f32(r | (uint32_t)(v & 8u) << 28);
}

// i4 to i8. Exact.
static inline int8_t opc_cast_i4_i8(uint8_t v) {
    return (int8_t)((int)((v & 15u) ^ 8u) - 8);
}

// i2 to i8. Exact.
static inline int8_t opc_cast_i2_i8(uint8_t v) {
    return (int8_t)((int)((v & 3u) ^ 2u) - 2);
}

// The number at the position of four bits. Exact.
static inline float opc_choose_f32(uint8_t v, float a, float b, float c, float d, float e, float f,
                                   float g, float h, float i, float j, float k, float l, float m,
                                   float n, float o, float p) {
    float x = (v & 1u) != 0u ? b : a;
    float y = (v & 1u) != 0u ? d : c;
    float z = (v & 1u) != 0u ? f : e;
    float w = (v & 1u) != 0u ? h : g;
    x = (v & 2u) != 0u ? y : x;
    z = (v & 2u) != 0u ? w : z;
    x = (v & 4u) != 0u ? z : x;
    y = (v & 1u) != 0u ? j : i;
    z = (v & 1u) != 0u ? l : k;
    y = (v & 2u) != 0u ? z : y;
    z = (v & 1u) != 0u ? n : m;
    w = (v & 1u) != 0u ? p : o;
    z = (v & 2u) != 0u ? w : z;
    y = (v & 4u) != 0u ? z : y;
    return (v & 8u) != 0u ? y : x;
}

// f64 to f32 before another rounding, to at least two bits less: toward zero, with the last bit set
// if anything was lost; infinity from 2^128 on.
static inline float opc_odd_f64_f32(double x) {
    float r = opc_cast_f64_f32(x);
    double a = fabs(x);
    double b = fabs((double)r);
    uint32_t u = opc_bits_f32(r);
    u -= b > a && a < 0x1p+128 ? 1u : 0u;
    u |= (b < a || b > a) && a < 0x1p+128 ? 1u : 0u;
    return opc_from_bits_f32(u);
}

// u64 to f32 before another rounding.
static inline float opc_odd_u64_f32(uint64_t x) {
    return opc_odd_f64_f32((double)opc_sticky_u64(x));
}

// Magnitude of an i64 to f32 before another rounding.
static inline float opc_odd_i64_f32(int64_t x) {
    return opc_odd_u64_f32(x < 0 ? 0u - (uint64_t)x : (uint64_t)x);
}

// The code of |x| as a float with so many bits of mantissa and that exponent bias, ties to even, as
// if exponents had no upper limit. NaN and infinity give large codes.
static inline uint32_t opc_small_code(float x, int mantissa, int bias) {
    uint32_t a = opc_bits_f32(x) & 0x7fffffffu;
    int drop = 23 - mantissa;
    // Normal: round off bits in the integer domain.
    uint32_t n = a - ((uint32_t)(127 - bias) << 23) + (((1u << drop) >> 1) - 1u);
    n = (n + ((a >> drop) & 1u)) >> drop;
    // Subnormal: adding a power of two whose last bit is the least number rounds to that.
    uint32_t one = (uint32_t)(151 - bias - mantissa) << 23;
    uint32_t s = opc_bits_f32(fabsf(x) + opc_from_bits_f32(one)) - one;
    return a < (uint32_t)(128 - bias) << 23 ? s : n;
}

// f32 to f8E4M3FN, ties to even, to 448 beyond it. <= 0.5 ULP.
static inline uint8_t opc_cast_f32_f8e4m3fn(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = opc_small_code(x, 3, 7);
    r = r > 0x7eu ? 0x7eu : r;
    r = (u & 0x7fffffffu) > 0x7f800000u ? 0x7fu : r;
    return (uint8_t)(r | ((u >> 24) & 0x80u));
}

// f32 to f8E4M3FN, ties to even, to NaN beyond 448. <= 0.5 ULP.
static inline uint8_t opc_cast_unsaturated_f32_f8e4m3fn(float x) {
    uint32_t r = opc_small_code(x, 3, 7);
    r = r > 0x7eu ? 0x7fu : r;
    return (uint8_t)(r | ((opc_bits_f32(x) >> 24) & 0x80u));
}

// f32 to f8E4M3FNUZ, ties to even, to 240 beyond it. <= 0.5 ULP.
static inline uint8_t opc_cast_f32_f8e4m3fnuz(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = opc_small_code(x, 3, 8);
    r = r > 0x7fu ? 0x7fu : r;
    r = r != 0u ? r | ((u >> 24) & 0x80u) : r;
    return (uint8_t)((u & 0x7fffffffu) > 0x7f800000u ? 0x80u : r);
}

// f32 to f8E4M3FNUZ, ties to even, to NaN beyond 240. <= 0.5 ULP.
static inline uint8_t opc_cast_unsaturated_f32_f8e4m3fnuz(float x) {
    uint32_t r = opc_small_code(x, 3, 8);
    uint32_t s = r != 0u ? r | ((opc_bits_f32(x) >> 24) & 0x80u) : r;
    return (uint8_t)(r > 0x7fu ? 0x80u : s);
}

// f32 to f8E5M2, ties to even, to 57344 beyond it. <= 0.5 ULP.
static inline uint8_t opc_cast_f32_f8e5m2(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = opc_small_code(x, 2, 15);
    r = r > 0x7bu ? 0x7bu : r;
    r = (u & 0x7fffffffu) > 0x7f800000u ? 0x7eu : r;
    return (uint8_t)(r | ((u >> 24) & 0x80u));
}

// f32 to f8E5M2, ties to even, to infinity beyond 57344. <= 0.5 ULP.
static inline uint8_t opc_cast_unsaturated_f32_f8e5m2(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = opc_small_code(x, 2, 15);
    r = r > 0x7cu ? 0x7cu : r;
    r = (u & 0x7fffffffu) > 0x7f800000u ? 0x7eu : r;
    return (uint8_t)(r | ((u >> 24) & 0x80u));
}

// f32 to f8E5M2FNUZ, ties to even, to 57344 beyond it. <= 0.5 ULP.
static inline uint8_t opc_cast_f32_f8e5m2fnuz(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = opc_small_code(x, 2, 16);
    r = r > 0x7fu ? 0x7fu : r;
    r = r != 0u ? r | ((u >> 24) & 0x80u) : r;
    return (uint8_t)((u & 0x7fffffffu) > 0x7f800000u ? 0x80u : r);
}

// f32 to f8E5M2FNUZ, ties to even, to NaN beyond 57344. <= 0.5 ULP.
static inline uint8_t opc_cast_unsaturated_f32_f8e5m2fnuz(float x) {
    uint32_t r = opc_small_code(x, 2, 16);
    uint32_t s = r != 0u ? r | ((opc_bits_f32(x) >> 24) & 0x80u) : r;
    return (uint8_t)(r > 0x7fu ? 0x80u : s);
}

// f32 to f4E2M1FN, ties to even, to 6 beyond it; NaN gives -0. <= 0.5 ULP.
static inline uint8_t opc_cast_f32_f4e2m1fn(float x) {
    uint32_t u = opc_bits_f32(x);
    uint32_t r = opc_small_code(x, 1, 1);
    r = (r > 7u ? 7u : r) | ((u >> 28) & 8u);
    r = (u & 0x7fffffffu) > 0x7f800000u ? 8u : r;
    return (uint8_t)r;
}

// The code of |x| as a power of two. The sum with `up` units in the last place is rounded down.
// Codes `below` and `beyond` are for numbers below the least power and beyond the greatest.
static inline uint8_t opc_power_code(float x, uint32_t up, uint32_t below, uint32_t beyond) {
    uint32_t a = opc_bits_f32(x) & 0x7fffffffu;
    // Code 0 is 2^-127, a subnormal number of f32.
    uint32_t n = (a + up) >> 23;
    uint32_t s = ((2u * a + up) >> 23) - 1u;
    uint32_t r = a < 0x00800000u ? s : n;
    r = a < 0x00400000u ? below : r > 254u ? beyond : r;
    return (uint8_t)(a > 0x7f800000u ? 255u : r);
}

// f32 to f8E8M0FNU, away from zero, to the nearest power beyond the range.
static inline uint8_t opc_cast_f32_f8e8m0fnu(float x) {
    return opc_power_code(x, 0x7fffffu, 0u, 254u);
}

// f32 to f8E8M0FNU, away from zero, to NaN beyond the range.
static inline uint8_t opc_cast_unsaturated_f32_f8e8m0fnu(float x) {
    return opc_power_code(x, 0x7fffffu, 255u, 255u);
}

// f32 to f8E8M0FNU, toward zero, to the nearest power beyond the range.
static inline uint8_t opc_cast_down_f32_f8e8m0fnu(float x) {
    return opc_power_code(x, 0u, 0u, 254u);
}

// f32 to f8E8M0FNU, toward zero, to NaN beyond the range.
static inline uint8_t opc_cast_down_unsaturated_f32_f8e8m0fnu(float x) {
    return opc_power_code(x, 0u, 255u, 255u);
}

// f32 to f8E8M0FNU, nearest, ties away from zero, to the nearest power beyond the range.
static inline uint8_t opc_cast_nearest_f32_f8e8m0fnu(float x) {
    return opc_power_code(x, 0x400000u, 0u, 254u);
}

// f32 to f8E8M0FNU, nearest, ties away from zero, to NaN beyond the range.
static inline uint8_t opc_cast_nearest_unsaturated_f32_f8e8m0fnu(float x) {
    return opc_power_code(x, 0x400000u, 255u, 255u);
}
