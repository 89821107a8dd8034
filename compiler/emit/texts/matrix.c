//// unit
#if defined(OPC_HAS_VECTORS) && defined(__AMX_INT8__) && defined(__linux__)
#define OPC_HAS_MATRIX
#include <immintrin.h>

/* Asks the system to let this process use matrix registers: 2 if it does, 1 if it does not. */
__attribute__((noinline, cold)) static int opc_ask_for_matrix(void) {
  long refused = 158; /* arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) */
  __asm__ volatile("syscall" : "+a"(refused) : "D"(0x1023L), "S"(18L) : "rcx", "r11", "memory");
  return refused ? 1 : 2;
}

/* Whether there are matrix registers for this process, of which the system is asked once. */
static inline int opc_has_matrix(void) {
  static int known; /* 0: not asked yet */
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    answer = opc_ask_for_matrix();
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}
#endif

//// end
/* The matrix registers of this thread are free again. */
static inline void opc_matrix_end(void) {
#ifdef OPC_HAS_MATRIX
  if (opc_has_matrix()) {
    _tile_release();
  }
#endif
}

//// begin
/* Matrix registers hold @rows@ x @columns@ sums, and factors for them. */
static inline void opc_matrix_begin_@shape@(void) {
#ifdef OPC_HAS_MATRIX
  /* The bytes in a row, and the rows, of registers 0 to 7. */
  static const struct {
    uint8_t palette, start, zeros[14];
    uint16_t bytes[16];
    uint8_t rows[16];
  } shapes = {1, 0, {0}, {@bytes@}, {@heights@}};
  if (opc_has_matrix()) {
    _tile_loadconfig(&shapes);
  }
#endif
}

//// clear
/* All @rows@ x @columns@ sums are 0. */
static inline void opc_matrix_clear_@shape@(int32_t *sums) {
#ifdef OPC_HAS_MATRIX
  if (opc_has_matrix()) {
@zeros@    /* Compilers do not see that registers are loaded: what was written before is in memory. */
    __asm__ volatile("" : : : "memory");
    return;
  }
#endif
  memset(sums, 0, @size@ * sizeof *sums);
}

//// store
/* The array has all @rows@ x @columns@ sums. */
static inline void opc_matrix_store_@shape@(int32_t *sums) {
#ifdef OPC_HAS_MATRIX
  if (opc_has_matrix()) {
@stores@  }
#endif
  (void)sums;
}

//// multiply
/* Each of @rows@ x @columns@ sums takes @count@ products, wrapping: sum c of row r those of a[r step + k]
   and b[k / 4][c][k % 4]. */
static inline void @name@(int32_t *sums, const @a@ *a, int64_t step, const @b@ *b) {
#ifdef OPC_HAS_MATRIX
  if (opc_has_matrix()) {
@products@    return;
  }
#endif
  for (int r = 0; r < @rows@; ++r) {
    const @a@ *row = a + r * step;
    for (int k = 0; k < @count@; k += 4) {
      const @b@ *of = b + k * @columns@;
      for (int c = 0; c < @columns@; ++c) {
        uint32_t sum = (uint32_t)sums[r * @columns@ + c];
        for (int n = 0; n < 4; ++n) {
          sum += (uint32_t)(row[k + n] * of[4 * c + n]);
        }
        sums[r * @columns@ + c] = (int32_t)sum;
      }
    }
  }
}
