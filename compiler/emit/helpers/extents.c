// [i8 i16 i32 i64 u8 u16 u32] Reads extents or axes from an input.
static inline void opc_extents_$t(const $T *values, int count, int64_t *v) {
    for (int k = 0; k < count; ++k) {
        v[k] = (int64_t)values[k];
    }
}

// Reads extents or axes from an input; values beyond int64_t are too large in any case.
static inline void opc_extents_u64(const uint64_t *values, int count, int64_t *v) {
    for (int k = 0; k < count; ++k) {
        v[k] = values[k] > INT64_MAX ? INT64_MAX : (int64_t)values[k];
    }
}

// The number of elements of a shape; -1 if an extent is negative or there are over 2^48 of them.
static inline int64_t opc_elements(const int64_t *v, int rank) {
    const int64_t most = INT64_C(1) << 48;
    int64_t total = 1;
    bool fits = true;
    bool empty = false;
    for (int k = 0; k < rank; ++k) {
        fits = fits && v[k] >= 0 && v[k] <= most;
        empty = empty || v[k] == 0;
    }
    for (int k = 0; k < rank && fits && !empty; ++k) {
        fits = total <= most / v[k];
        total = fits ? total * v[k] : 0;
    }
    return fits ? (empty ? 0 : total) : -1;
}

// Whether the values are a shape.
static inline bool opc_extents_plain(int64_t *v, int count, const int64_t *of, int rank) {
    (void)of;
    (void)rank;
    return opc_elements(v, count) >= 0;
}

// Infers the extent that is -1; whether the shape then has as many elements as a tensor.
static inline bool opc_extents_reshape_allowzero(int64_t *v, int count, const int64_t *of,
                                                 int rank) {
    int hole = -1;
    for (int k = 0; k < count; ++k) {
        if (v[k] == -1) {
            if (hole >= 0) {
                return false;
            }
            hole = k;
            v[k] = 1;
        }
    }
    const int64_t total = opc_elements(of, rank);
    const int64_t known = opc_elements(v, count);
    if (hole < 0) {
        return total >= 0 && total == known;
    }
    if (total < 0 || known <= 0 || total % known != 0) {
        return false;
    }
    v[hole] = total / known;
    return true;
}

// The same, but 0 stands for the extent of the same axis of the tensor.
static inline bool opc_extents_reshape(int64_t *v, int count, const int64_t *of, int rank) {
    for (int k = 0; k < count; ++k) {
        if (v[k] == 0) {
            if (k >= rank) {
                return false;
            }
            v[k] = of[k];
        }
    }
    return opc_extents_reshape_allowzero(v, count, of, rank);
}

// Broadcasts the shape of `count` extents with that of a tensor; v has room for both ranks.
static inline bool opc_extents_expand(int64_t *v, int count, const int64_t *of, int rank) {
    const int most = count > rank ? count : rank;
    for (int k = 0; k < most; ++k) {
        const int at = most - 1 - k;
        const int64_t a = k < rank ? of[rank - 1 - k] : 1;
        const int64_t b = k < count ? v[count - 1 - k] : 1;
        if (a != b && a != 1 && b != 1) {
            return false;
        }
        v[at] = b == 1 ? a : b;
    }
    return opc_elements(v, most) >= 0;
}

// Collects axes in a bit set; false if one is outside [-rank, rank - 1] or listed twice.
static inline bool opc_axis_set(const int64_t *axes, int count, int rank, uint32_t *set) {
    *set = 0;
    for (int k = 0; k < count; ++k) {
        if (axes[k] < -rank || axes[k] >= rank) {
            return false;
        }
        const uint32_t bit = UINT32_C(1) << (axes[k] < 0 ? axes[k] + rank : axes[k]);
        if ((*set & bit) != 0) {
            return false;
        }
        *set |= bit;
    }
    return true;
}

// [i8 i16 i32 i64 u8 u16 u32 u64] The same for axes from an input, of a rank of at most 16.
static inline bool opc_axes_$t(const $T *axes, int64_t count, int rank, uint32_t *set) {
    int64_t values[16];
    if (count > rank) {
        return false;
    }
    opc_extents_$t(axes, (int)count, values);
    return opc_axis_set(values, (int)count, rank, set);
}

// Replaces axes by the extents of a tensor without them; whether the axes had extent 1.
static inline bool opc_extents_squeeze(int64_t *v, int count, const int64_t *of, int rank) {
    uint32_t axes;
    if (!opc_axis_set(v, count, rank, &axes)) {
        return false;
    }
    int n = 0;
    for (int k = 0; k < rank; ++k) {
        const bool listed = (axes >> k & 1) != 0;
        if (listed && of[k] != 1) {
            return false;
        }
        if (!listed) {
            v[n++] = of[k];
        }
    }
    return true;
}

// Replaces axes of the result by its extents: 1 for each, between those of a tensor.
static inline bool opc_extents_unsqueeze(int64_t *v, int count, const int64_t *of, int rank) {
    uint32_t axes;
    if (!opc_axis_set(v, count, count + rank, &axes)) {
        return false;
    }
    int n = 0;
    for (int k = 0; k < count + rank; ++k) {
        v[k] = (axes >> k & 1) != 0 ? 1 : of[n++];
    }
    return true;
}

// An extent as a factor of a size: at least 1, and infinite if it is negative. Exact below 2^53.
static inline double opc_extent(int64_t n) {
    return n < 0 ? (double)INFINITY : n > 1 ? (double)n : 1.0;
}

// The greatest power of two that is at most n, and at least 1.
static inline int64_t opc_pow2(int64_t n) {
    int64_t power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

// The exponent of the least power of 2 that is at least n.
static inline int opc_bits(int64_t n) {
  int bits = 0;
  while (bits < 62 && ((int64_t)1 << bits) < n) {
    ++bits;
  }
  return bits;
}
