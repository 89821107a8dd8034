// A number of 128 bits.
typedef struct {
    uint64_t hi, lo;
} opc_u128;

// a b. Exact.
static inline opc_u128 opc_wide_product(uint64_t a, uint64_t b) {
    uint64_t al = a & 0xffffffffu;
    uint64_t bl = b & 0xffffffffu;
    uint64_t low = al * bl;
    uint64_t mid = (a >> 32) * bl + (low >> 32);
    uint64_t more = al * (b >> 32) + (mid & 0xffffffffu);
    uint64_t high = (a >> 32) * (b >> 32) + (mid >> 32) + (more >> 32);
    opc_u128 r = {high, (more << 32) | (low & 0xffffffffu)};
    return r;
}

// Leading zero bits of a number that is not 0.
static inline int opc_leading_zeros(opc_u128 x) {
    uint64_t u = x.hi != 0 ? x.hi : x.lo;
    int n = x.hi != 0 ? 0 : 64;
    for (int k = 32; k > 0; k /= 2) {
        if (u >> (64 - k) == 0) {
            u <<= k;
            n += k;
        }
    }
    return n;
}

// x shifted to the left.
static inline opc_u128 opc_shift_left(opc_u128 x, int n) {
    opc_u128 r = {x.hi, x.lo};
    if (n >= 64) {
        r.hi = x.lo << (n - 64);
        r.lo = 0;
    } else if (n > 0) {
        r.hi = x.hi << n | x.lo >> (64 - n);
        r.lo = x.lo << n;
    }
    return r;
}

// x shifted to the right; the last bit is set if a lost one was.
static inline opc_u128 opc_shift_right(opc_u128 x, int n) {
    opc_u128 r = {x.hi, x.lo};
    uint64_t lost = 0;
    if (n >= 128) {
        r.hi = 0;
        r.lo = 0;
        lost = x.hi | x.lo;
    } else if (n >= 64) {
        lost = x.lo | (n > 64 ? x.hi << (128 - n) : 0);
        r.hi = 0;
        r.lo = x.hi >> (n - 64);
    } else if (n > 0) {
        lost = x.lo << (64 - n);
        r.hi = x.hi >> n;
        r.lo = x.hi << (64 - n) | x.lo >> n;
    }
    r.lo |= (uint64_t)(lost != 0);
    return r;
}

// The significand of a finite number, as an integer.
static inline uint64_t opc_significand_f64(uint64_t u) {
    uint64_t m = u & 0xfffffffffffffu;
    return (u >> 52 & 0x7ff) != 0 ? m | (uint64_t)1 << 52 : m;
}

// Its exponent: the number is the significand times 2^(exponent - 1075).
static inline int opc_exponent_f64(uint64_t u) {
    int e = (int)(u >> 52 & 0x7ff);
    return e != 0 ? e : 1;
}

// a b + c, rounded once, in integers: the product and c have 126 bits each, the last of them set if
// lower ones were lost.
static inline double opc_fma_in_integers(double a, double b, double c) {
    uint64_t ua = opc_bits_f64(a);
    uint64_t ub = opc_bits_f64(b);
    uint64_t uc = opc_bits_f64(c);
    if (a - a != 0.0 || b - b != 0.0 || a == 0.0 || b == 0.0) {
        return a * b + c;
    }
    if (c - c != 0.0) {
        return c + c;
    }
    opc_u128 x = opc_wide_product(opc_significand_f64(ua), opc_significand_f64(ub));
    opc_u128 y = {0, opc_significand_f64(uc)};
    int n = opc_leading_zeros(x) - 2;
    int e = opc_exponent_f64(ua) + opc_exponent_f64(ub) - 2150 - n;
    uint64_t sign = (ua ^ ub) >> 63;
    x = opc_shift_left(x, n);
    if (y.lo != 0) {
        n = opc_leading_zeros(y) - 2;
        int f = opc_exponent_f64(uc) - 1075 - n;
        y = opc_shift_left(y, n);
        if (f > e) {
            x = opc_shift_right(x, f - e);
            e = f;
        } else {
            y = opc_shift_right(y, e - f);
        }
        if (sign == uc >> 63) {
            x.lo += y.lo;
            x.hi += y.hi + (uint64_t)(x.lo < y.lo);
        } else {
            if (x.hi < y.hi || (x.hi == y.hi && x.lo < y.lo)) {
                opc_u128 z = x;
                x = y;
                y = z;
                sign ^= 1;
            }
            x.hi -= y.hi + (uint64_t)(x.lo < y.lo);
            x.lo -= y.lo;
            if ((x.hi | x.lo) == 0) {
                return 0.0;
            }
        }
    }
    n = opc_leading_zeros(x) - 2;
    x = n < 0 ? opc_shift_right(x, -n) : opc_shift_left(x, n);
    // 53 bits stay, fewer for a subnormal number, and two more to round by.
    e += 73 + 1075 - n;
    x = opc_shift_right(x, e < 1 ? 72 - e : 71);
    e = e < 1 ? 1 : e;
    uint64_t m = x.lo >> 2;
    m += (uint64_t)((x.lo & 3) == 3 || ((x.lo & 3) == 2 && (m & 1) != 0));
    m += (uint64_t)(e - 1) << 52;
    m = e > 2046 || m > 0x7ff0000000000000u ? 0x7ff0000000000000u : m;
    return opc_from_bits_f64(sign << 63 | m);
}
