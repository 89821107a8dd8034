//// copy
/* A non-temporal store of a vector.  The header with names for this takes gcc a quarter of a
   second. */
#if !defined(OPC_HAS_VECTORS)
#elif defined(__AVX512F__)
typedef long long opc_vector_to_store OPC_LANES(64);
#define OPC_NON_TEMPORAL(to, v) __builtin_ia32_movntdq512(to, v)
#elif defined(__AVX__)
typedef long long opc_vector_to_store OPC_LANES(32);
#define OPC_NON_TEMPORAL(to, v) __builtin_ia32_movntdq256(to, v)
#elif defined(__SSE2__)
typedef long long opc_vector_to_store OPC_LANES(16);
#define OPC_NON_TEMPORAL(to, v) __builtin_ia32_movntdq(to, v)
#endif
#ifdef __clang__
#undef OPC_NON_TEMPORAL
#define OPC_NON_TEMPORAL(to, v) __builtin_nontemporal_store(v, to)
#endif

/* Copies to memory that is not read soon.  Whole cache lines bypass the caches, which would first
   read what is overwritten.  Parts of lines do not, nor short pieces that do not start at a line.
   Without the empty statements compilers call memcpy, which takes longer for so few bytes. */
static inline void opc_non_temporal(void *to, const void *from, int64_t bytes) {
  char *y = (char *)to;
  const char *x = (const char *)from;
  int64_t k = 0;
#if defined(__SSE2__) && defined(OPC_HAS_VECTORS)
  const int64_t past = (int64_t)((uintptr_t)to % 64);
  const int64_t head = past == 0 ? 0 : bytes >= @PIECE@ ? 64 - past : bytes;
  for (; k < head - 63; k += 64) {
    memcpy(y + k, x + k, 64);
    __asm__ volatile("");
  }
  for (; k < head - 15; k += 16) {
    memcpy(y + k, x + k, 16);
    __asm__ volatile("");
  }
  for (; k < head; ++k) {
    y[k] = x[k];
    __asm__ volatile("");
  }
  for (; k < bytes - 63; k += 64) {
    for (int64_t i = k; i < k + 64; i += (int64_t)sizeof(opc_vector_to_store)) {
      opc_vector_to_store v;
      memcpy(&v, x + i, sizeof v);
      OPC_NON_TEMPORAL((opc_vector_to_store *)(void *)(y + i), v);
    }
  }
  for (; k < bytes - 15; k += 16) {
    memcpy(y + k, x + k, 16);
    __asm__ volatile("");
  }
#endif
  for (; k < bytes; ++k) {
    y[k] = x[k];
  }
}

/* Makes non-temporal stores visible to other threads. */
static inline void opc_stream_end(void) {
#if defined(__SSE2__) && defined(OPC_HAS_VECTORS)
  __builtin_ia32_sfence();
#endif
}

//// part
/* The same for a part of a row that is copied in order.  Both ends move on to a cache line, where
   the next part begins. */
static inline void opc_non_temporal_part(
    void *to, const void *from, int64_t offset, int64_t bytes, int64_t whole) {
  const int64_t skip = (int64_t)(-(uintptr_t)to % 64);
  const int64_t more = offset + bytes < whole ? skip : 0;
  if (bytes > 0 && offset == 0) {
    opc_non_temporal(to, from, skip);
  }
  if (bytes > 0) {
    opc_non_temporal((char *)to + skip, (const char *)from + skip, bytes - skip + more);
  }
}
