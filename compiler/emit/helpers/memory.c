// Asks for bytes that will be needed soon; there need be none at that address.
static inline void opc_prefetch(const void *from, int64_t offset, int64_t bytes) {
    for (int64_t k = 0; k < bytes; k += 64) {
        __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)(offset + k)));
    }
}
