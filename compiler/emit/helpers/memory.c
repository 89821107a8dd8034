// Asks for bytes that will be needed soon; there need be none at that address.
static inline void opc_prefetch(const void *from, int64_t offset, int64_t bytes) {
    for (int64_t k = 0; k < bytes; k += 64) {
        __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)(offset + k)));
    }
}

// Asks for bytes that will be written soon.
static inline void opc_prefetch_write(void *to, int64_t offset, int64_t bytes) {
    for (int64_t k = 0; k < bytes; k += 64) {
        __builtin_prefetch((void *)((uintptr_t)to + (uintptr_t)(offset + k)), 1);
    }
}
