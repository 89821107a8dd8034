// A number as the unevaluated sum hi + lo, |lo| at most about one rounding error of hi.
typedef struct {
    double hi, lo;
} opc_pair_f64;

// a + b and its rounding error. Exact.
static inline opc_pair_f64 opc_two_sum_f64(double a, double b) {
    double s = a + b;
    double t = s - a;
    opc_pair_f64 r = {s, (a - (s - t)) + (b - t)};
    return r;
}

// a + b and its rounding error, where |a| >= |b| or a is 0. Exact.
static inline opc_pair_f64 opc_fast_sum_f64(double a, double b) {
    double s = a + b;
    opc_pair_f64 r = {s, b - (s - a)};
    return r;
}

// a with the low 27 bits of its significand cleared, so that products of such parts are exact.
static inline double opc_upper_f64(double a) {
    return opc_from_bits_f64(opc_bits_f64(a) & 0xfffffffff8000000u);
}

// a * b and its rounding error, by splitting both; relative error 2^-105.
static inline opc_pair_f64 opc_two_product_f64(double a, double b) {
    double p = a * b;
    double ah = opc_upper_f64(a);
    double bh = opc_upper_f64(b);
    double al = a - ah;
    double bl = b - bh;
    opc_pair_f64 r = {p, ((ah * bh - p) + (ah * bl + al * bh)) + al * bl};
    return r;
}

// a * b. Relative error 2^-100.
static inline opc_pair_f64 opc_pair_mul_f64(opc_pair_f64 a, opc_pair_f64 b) {
    opc_pair_f64 p = opc_two_product_f64(a.hi, b.hi);
    return opc_fast_sum_f64(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

// a / b. Relative error 2^-100.
static inline opc_pair_f64 opc_pair_div_f64(opc_pair_f64 a, opc_pair_f64 b) {
    double q = a.hi / b.hi;
    opc_pair_f64 p = opc_two_product_f64(q, b.hi);
    double r = ((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo);
    return opc_fast_sum_f64(q, r / b.hi);
}

// Square root of a, which is not negative. Relative error 2^-100.
static inline opc_pair_f64 opc_pair_sqrt_f64(opc_pair_f64 a) {
    double s = sqrt(a.hi);
    opc_pair_f64 p = opc_two_product_f64(s, s);
    double r = ((a.hi - p.hi) - p.lo) + a.lo;
    double d = s == 0.0 ? 1.0 : s + s;
    return opc_fast_sum_f64(s, r / d);
}
