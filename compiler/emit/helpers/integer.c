// [i8 i16 i32 i64 u8 u16 u32 u64] a + b, wrapping.
static inline $T opc_add_$t($T a, $T b) {
    return ($T)(($W)a + ($W)b);
}

// [i8 i16 i32 i64 u8 u16 u32 u64] a - b, wrapping.
static inline $T opc_sub_$t($T a, $T b) {
    return ($T)(($W)a - ($W)b);
}

// [i8 i16 i32 i64 u8 u16 u32 u64] a * b, wrapping.
static inline $T opc_mul_$t($T a, $T b) {
    return ($T)(($W)a * ($W)b);
}

// [i8 i16 i32 i64 u8 u16 u32 u64] a * b + c, wrapping.
static inline $T opc_fma_$t($T a, $T b, $T c) {
    return ($T)(($W)a * ($W)b + ($W)c);
}

// [i8 i16 i32 i64 u8 u16 u32 u64] -a, wrapping.
static inline $T opc_neg_$t($T a) {
    return ($T)(0u - ($W)a);
}

// [i8 i16 i32 i64] Absolute value; that of the lowest number wraps to itself.
static inline $T opc_abs_$t($T a) {
    return ($T)(a < 0 ? 0u - ($W)a : ($W)a);
}

// [u8 u16 u32 u64] Absolute value.
static inline $T opc_abs_$t($T a) {
    return a;
}

// [i8 i16 i32 i64] Sign as -1, 0 or 1.
static inline $T opc_sign_$t($T a) {
    return ($T)((a > 0) - (a < 0));
}

// [u8 u16 u32 u64] Sign as 0 or 1.
static inline $T opc_sign_$t($T a) {
    return ($T)(a > 0);
}

// [i8 i16 i32 i64 u8 u16 u32 u64] Larger operand.
static inline $T opc_max_$t($T a, $T b) {
    return a > b ? a : b;
}

// [i8 i16 i32 i64 u8 u16 u32 u64] Smaller operand.
static inline $T opc_min_$t($T a, $T b) {
    return a < b ? a : b;
}

// [i8 i16 u8 u16] a / b toward zero, where that is defined. Rounding never takes a fraction
// to the next integer.
static inline $T opc_quotient_$t($T a, $T b) {
    return ($T)((float)a / (float)b);
}

// [i32 u32] a / b toward zero, where that is defined; vectors have no integer division.
static inline $T opc_quotient_$t($T a, $T b) {
    return ($T)((double)a / (double)b);
}

// [i64 u64] a / b toward zero, where that is defined.
static inline $T opc_quotient_$t($T a, $T b) {
    return a / b;
}

// [i8 i16 i32 i64] a / b toward zero; a / 0 is 0 and the lowest number / -1 wraps to itself.
static inline $T opc_div_$t($T a, $T b) {
    bool special = b == 0 || b == -1;
    $T q = opc_quotient_$t(a, special ? ($T)1 : b);
    q = b == -1 ? ($T)(0u - ($W)a) : q;
    return b == 0 ? ($T)0 : q;
}

// [u8 u16 u32 u64] a / b toward zero; a / 0 is 0.
static inline $T opc_div_$t($T a, $T b) {
    $T q = opc_quotient_$t(a, b == 0 ? ($T)1 : b);
    return b == 0 ? ($T)0 : q;
}

// [i8 i16 i32 i64] Remainder with the sign of the dividend a, as C %; 0 where b is 0.
static inline $T opc_fmod_$t($T a, $T b) {
    $T d = b == 0 || b == -1 ? ($T)1 : b;
    return ($T)(($W)a - ($W)opc_quotient_$t(a, d) * ($W)d);
}

// [u8 u16 u32 u64] Remainder; 0 where b is 0.
static inline $T opc_fmod_$t($T a, $T b) {
    $T d = b == 0 ? ($T)1 : b;
    return ($T)(($W)a - ($W)opc_quotient_$t(a, d) * ($W)d);
}

// [i8 i16 i32 i64] Remainder with the sign of the divisor b; 0 where b is 0.
static inline $T opc_mod_$t($T a, $T b) {
    $T r = opc_fmod_$t(a, b);
    bool differ = r != 0 && (r < 0) != (b < 0);
    return ($T)(differ ? r + b : r);
}

// [u8 u16 u32 u64] Remainder; 0 where b is 0.
static inline $T opc_mod_$t($T a, $T b) {
    return opc_fmod_$t(a, b);
}

// [i8 i16 i32 i64] Remainder with the sign of the divisor b, which is positive.
static inline $T opc_residue_$t($T a, $T b) {
    $T r = ($T)(a % b);
    return ($T)(r < 0 ? r + b : r);
}

// [u8 u16 u32 u64] a^b, wrapping, by squaring; 0^0 is 1.
static inline $T opc_pow_$t($T a, $T b) {
    $W r = 1;
    $W s = a;
    for ($T e = b; e != 0; e = ($T)(e >> 1)) {
        r = (e & 1u) != 0 ? r * s : r;
        s = s * s;
    }
    return ($T)r;
}

// [i8 i16 i32 i64] a^b, wrapping, by squaring; 0^0 is 1. For negative b the result is 1 for
// a = 1, alternates for a = -1 and is 0 otherwise.
static inline $T opc_pow_$t($T a, $T b) {
    $T r = ($T)opc_pow_$u(($U)a, b < 0 ? ($U)0 : ($U)b);
    $T unit = ($T)((b & 1) != 0 ? a : 1);
    $T inverse = a == 1 || a == -1 ? unit : ($T)0;
    return b < 0 ? inverse : r;
}

// [i8 i16 i32 i64] a << b; 0 where b is negative or not below the width.
static inline $T opc_shl_$t($T a, $T b) {
    bool in = b >= 0 && b < $BITS;
    $W r = ($W)($U)a << (in ? ($W)b : 0u);
    return in ? ($T)r : ($T)0;
}

// [u8 u16 u32 u64] a << b; 0 where b is not below the width.
static inline $T opc_shl_$t($T a, $T b) {
    bool in = b < $BITS;
    $W r = ($W)a << (in ? b : 0u);
    return in ? ($T)r : ($T)0;
}

// [i8 i16 i32 i64] a >> b with the sign shifted in; only that is left where b is negative or
// not below the width.
static inline $T opc_shr_$t($T a, $T b) {
    $W n = b >= 0 && b < $BITS ? ($W)b : $BITS - 1;
    $W s = a < 0 ? ~($W)0 : 0;
    return ($T)((($W)a ^ s) >> n ^ s);
}

// [u8 u16 u32 u64] a >> b with zeros shifted in; 0 where b is not below the width.
static inline $T opc_shr_$t($T a, $T b) {
    bool in = b < $BITS;
    return in ? ($T)(a >> (in ? b : 0u)) : ($T)0;
}

// Whether a is false and b is true. Exact.
static inline bool opc_lt_i1(bool a, bool b) {
    return a < b;
}

// Whether a is false or b is true. Exact.
static inline bool opc_le_i1(bool a, bool b) {
    return a <= b;
}

// Whether a is true and b is false. Exact.
static inline bool opc_gt_i1(bool a, bool b) {
    return a > b;
}

// Whether a is true or b is false. Exact.
static inline bool opc_ge_i1(bool a, bool b) {
    return a >= b;
}
