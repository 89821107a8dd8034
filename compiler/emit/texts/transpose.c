//// pick
/* Elements of two vectors by number, those of the second after those of the first. */
#if defined(__clang__) || __GNUC__ >= 12
#define OPC_PICK(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define OPC_PICK(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif

//// square
/* Transposes a square of which the first `rows` are read and the first `columns` are written.
   Strides are in elements. */
typedef uint@bits@_t opc_vector@vector@_u@bits@ OPC_LANES(@vector@);
static inline void opc_square@vector@_@bits@(char *y, int64_t to, const char *x, int64_t from,
                                   int64_t rows, int64_t columns) {
  enum { SIDE = @side@, PART = @part@ };
  const opc_vector@vector@_u@bits@ zero = {0};
  opc_vector@vector@_u@bits@ v[SIDE], w[SIDE];
  OPC_UNROLL
  for (int k = 0; k < SIDE; ++k) {
    v[k] = zero;
    if (k < rows) {
      memcpy(&v[k], x + k * from * @size@, @vector@);
    }
  }
  OPC_UNROLL
  for (int round = 1; round < PART; round *= 2) {
    OPC_UNROLL
    for (int k = 0; k < SIDE / 2; ++k) {
      const int a = k / (PART / 2) * PART + k % (PART / 2), b = a + PART / 2;
      w[2 * k] = OPC_PICK(opc_vector@vector@_u@bits@, v[a], v[b],
                          @low@);
      w[2 * k + 1] = OPC_PICK(opc_vector@vector@_u@bits@, v[a], v[b],
                              @high@);
    }
    OPC_UNROLL
    for (int k = 0; k < SIDE; ++k) {
      v[k] = w[k];
    }
  }
@parts@  OPC_UNROLL
  for (int k = 0; k < SIDE; ++k) {
    if (k < columns) {
      memcpy(y + k * to * @size@, &v[k], @vector@);
    }
  }
}

//// parts
  OPC_UNROLL
  for (int round = PART; round < SIDE; round *= 2) {
    OPC_UNROLL
    for (int k = 0; k < SIDE / 2; ++k) {
      const int a = k / PART * 2 * PART + k % PART, b = a + PART;
      w[k] = OPC_PICK(opc_vector@vector@_u@bits@, v[a], v[b],
                      @even@);
      w[k + SIDE / 2] = OPC_PICK(opc_vector@vector@_u@bits@, v[a], v[b],
                                 @odd@);
    }
    OPC_UNROLL
    for (int k = 0; k < SIDE; ++k) {
      v[k] = w[k];
    }
  }

//// block
/* Transposes a block: element c * to + r of y is element r * from + c of x.  Where rows or columns
   are too few for a square, it reads or writes what lies behind them, as long as that is in the
   block; the next squares overwrite what was written so.  There are no more rows than `to`, unless
   there is one column; a compiler that knows this does not warn. */
static inline void opc_narrow_@bits@(char *y, int64_t to, const char *x, int64_t from, int64_t rows,
                                 int64_t columns) {
  enum { SIDE = @small@ };
  const int64_t end = columns > 1 && to < rows ? to : rows;
  int64_t r = 0, c = 0;
  if (rows >= SIDE) {
    for (; (r + SIDE - 1) * from + SIDE <= (rows - 1) * from + columns; r += SIDE) {
      opc_square16_@bits@(y + r * @size@, to, x + r * from * @size@, from, SIDE, columns);
    }
  } else if (columns >= SIDE && to == rows) {
    for (; (c + SIDE - 1) * to + SIDE <= (columns - 1) * to + rows; c += SIDE) {
      opc_square16_@bits@(y + c * to * @size@, to, x + c * @size@, from, rows, SIDE);
    }
  }
  for (; r < end; ++r) {
    for (int64_t k = c; k < columns; ++k) {
      memcpy(y + (k * to + r) * @size@, x + (r * from + k) * @size@, @size@);
    }
  }
}

/* The same for any block.  Tails are transposed in squares that end where the block does, and
   overlap whole squares. */
static inline void @name@(void *y, int64_t to, const void *x, int64_t from, int64_t rows,
                                    int64_t columns) {
  const int64_t least = rows < columns ? rows : columns;
  int64_t side = @small@;
  if (least < @small@) {
    opc_narrow_@bits@((char *)y, to, (const char *)x, from, rows, columns);
    return;
  }
@choice@  for (int64_t i = 0; i < rows; i += side) {
    const int64_t r = i < rows - side ? i : rows - side;
    for (int64_t j = 0; j < columns; j += side) {
      const int64_t c = j < columns - side ? j : columns - side;
      char *there = (char *)y + (c * to + r) * @size@;
      const char *here = (const char *)x + (r * from + c) * @size@;
@case@      opc_square16_@bits@(there, to, here, from, @small@, @small@);
    }
  }
}

//// plain
static inline void @name@(void *y, int64_t to, const void *x, int64_t from, int64_t rows,
                                    int64_t columns) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      memcpy((char *)y + (c * to + r) * @size@, (const char *)x + (r * from + c) * @size@, @size@);
    }
  }
}

//// wide
#if defined(__AVX512BW__)
@widest@#elif defined(__AVX2__)
@wide@#endif

//// choice
  side = least < @side@ || to < @side@ ? side : @side@;

//// case
      if (side == @side@) {
        opc_square@vector@_@bits@(there, to, here, from, @side@, @side@);
        continue;
      }

//// apart
OPC_APART void @name@_apart(void *y, int64_t to, const void *x, int64_t from, int64_t rows,
                            int64_t columns) {
  @name@(y, to, x, from, rows, columns);
}

//// noinline
/* Not inlined. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_APART __attribute__((noinline, noclone)) static
#else
#define OPC_APART static inline
#endif
