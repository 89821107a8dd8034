// The parts a and p of the product a (1 + p): a power of two and a small number.
typedef struct {
    float a, p;
} opc_exp_parts_f32;

// e^r - 1 for |r| < 0.3475. Error < 1.1 ULP.
static inline float opc_exp_tail_f32(float r) {
    float z = r * r;
    float p = (0x1.5556f8p-5f + r * 0x1.1226dap-7f) + z * 0x1.6b96cep-10f;
    return r + z * ((0x1.fffffep-2f + r * 0x1.5554b2p-3f) + z * p);
}

// e^-y = a (1 + p) / 2^s with |p| < 0.42 and a power of two a, for an integer s that brings the
// exponent of a into [-127, 127], the lowest standing for a = 0. Absolute error of p < 2^-24.
static inline opc_exp_parts_f32 opc_exp_parts_neg_f32(float y, float s) {
    // The low bits of t are the biased exponent of a, which a shift moves into place.
    float t = (0x1.8p+23f + 127.0f + s) - y * 0x1.715476p+0f;
    float k = t - (0x1.8p+23f + 127.0f + s);
    float p = opc_exp_tail_f32((k * -0x1.62e4p-1f - y) - k * 0x1.7f7d1cp-20f);
    opc_exp_parts_f32 e = {opc_from_bits_f32(opc_bits_f32(t) << 23), p};
    return e;
}

// (e^|x| + e^-|x|) / 2, or for negative s (e^|x| - e^-|x|) / 2. Error < 2 ULP.
static inline float opc_exp_mean_f32(float x, float s) {
    float y = fabsf(x);
    float t = y * 0x1.715476p+0f + (0x1.8p+23f + 125.0f);
    float k = t - (0x1.8p+23f + 125.0f);
    float h = y - k * 0x1.62e4p-1f;
    float l = k * 0x1.7f7d1cp-20f;
    float r = h - l;
    float z = r * r;
    // cosh(r) - 1 and sinh(r), which has the rounding error of r in its last term.
    float c = z * ((0.5f + z * 0x1.5554e6p-5f) + (z * z) * 0x1.6d4f54p-10f);
    float d = r + ((r * z) * (0x1.5554aep-3f + z * 0x1.122934p-7f) + ((h - r) - l));
    // (2 + w) cosh(r) + (2 - w) sinh(r), before scaling by 2^(k - 2), where |w| = 2^(1 - 2k).
    uint32_t n = opc_bits_f32(t) << 23;
    float v = opc_from_bits_f32(0x7f000000u - n);
    float w = (v * copysignf(0.125f, s)) * v;
    float m = c * (2.0f + w) + d * (2.0f - w);
    // Only a negative w cancels with 2 and is exact next to it.
    m = s < 0.0f ? (2.0f + w) + m : 2.0f + (w + m);
    return y > 89.5f ? y * (float)INFINITY : m * opc_from_bits_f32(n);
}
