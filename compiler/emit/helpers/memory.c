// Prefetches bytes; the address need not be valid.
static inline void opc_prefetch(const void *from, int64_t offset, int64_t bytes) {
#if defined(__GNUC__) || defined(__clang__)
    for (int64_t k = 0; k < bytes; k += 64) {
        __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)(offset + k)));
    }
#else
    (void)from, (void)offset, (void)bytes;
#endif
}

// Prefetches bytes into the second-level cache; the address need not be valid.  Most steps of a tile prefetch less
// than a line; of an unknown number of bytes, gcc would write eight prefetches and as many jumps into each step.
static inline void opc_prefetch_second(const void *from, int64_t offset, int64_t bytes) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)offset), 0, 2);
#if !defined(__clang__)
#pragma GCC unroll 1
#endif
    for (int64_t k = 64; k < bytes; k += 64) {
        __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)(offset + k)), 0, 2);
    }
#else
    (void)from, (void)offset, (void)bytes;
#endif
}

// [i8 i16 i32 i64] Whether integers lie within [low, high].
static inline bool opc_within_$t(const $T *values, int64_t count, int64_t low, int64_t high) {
    bool outside = false;
    for (int64_t k = 0; k < count; ++k) {
        outside |= ((int64_t)values[k] < low) | ((int64_t)values[k] > high);
    }
    return !outside;
}

// [u8 u16 u32 u64] Whether integers lie within [low, high], where low is at most 0.
static inline bool opc_within_$t(const $T *values, int64_t count, int64_t low, int64_t high) {
    bool outside = false;
    for (int64_t k = 0; k < count; ++k) {
        outside |= high < 0 || (uint64_t)values[k] > (uint64_t)high;
    }
    return !outside && low <= 0;
}
