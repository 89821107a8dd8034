"""C text that turns a block of a matrix around, by elements of 1, 2, 4 or 8 bytes."""

from __future__ import annotations

_TEXT = """\
/* Interleaves the first (low) or second (high) halves of two vectors. */
typedef uint{bits}_t opc_vector_u{bits} __attribute__((vector_size(16)));
#ifdef __clang__
#define OPC_LOW_{bits}(a, b) __builtin_shufflevector(a, b, {low})
#define OPC_HIGH_{bits}(a, b) __builtin_shufflevector(a, b, {high})
#else
#define OPC_LOW_{bits}(a, b) __builtin_shuffle(a, b, (opc_vector_u{bits}){{{low}}})
#define OPC_HIGH_{bits}(a, b) __builtin_shuffle(a, b, (opc_vector_u{bits}){{{high}}})
#endif

/* Turns a block around: element c * width + r of `to` is element r * stride + c of `from`.  What
   is left after squares goes once more in a square that ends where the block does. */
static inline void {name}(void *to, int64_t width, const void *from, int64_t stride,
                                    int64_t rows, int64_t columns) {{
  enum {{ SIZE = {size}, SIDE = 16 / SIZE }};
  char *y = (char *)to;
  const char *x = (const char *)from;
  if (rows < SIDE || columns < SIDE) {{
    for (int64_t r = 0; r < rows; ++r) {{
      for (int64_t c = 0; c < columns; ++c) {{
        memcpy(y + (c * width + r) * SIZE, x + (r * stride + c) * SIZE, SIZE);
      }}
    }}
    return;
  }}
  for (int64_t i = 0; i < rows; i += SIDE) {{
    const int64_t r = i < rows - SIDE ? i : rows - SIDE;
    for (int64_t j = 0; j < columns; j += SIDE) {{
      const int64_t c = j < columns - SIDE ? j : columns - SIDE;
      opc_vector_u{bits} v[SIDE], w[SIDE];
      for (int k = 0; k < SIDE; ++k) {{
        memcpy(&v[k], x + ((r + k) * stride + c) * SIZE, 16);
      }}
      /* Each round interleaves row k with row k + SIDE/2. */
      for (int round = 1; round < SIDE; round *= 2) {{
        for (int k = 0; k < SIDE / 2; ++k) {{
          w[2 * k] = OPC_LOW_{bits}(v[k], v[k + SIDE / 2]);
          w[2 * k + 1] = OPC_HIGH_{bits}(v[k], v[k + SIDE / 2]);
        }}
        for (int k = 0; k < SIDE; ++k) {{
          v[k] = w[k];
        }}
      }}
      for (int k = 0; k < SIDE; ++k) {{
        memcpy(y + ((c + k) * width + r) * SIZE, &v[k], 16);
      }}
    }}
  }}
}}
"""


def transpose_name(size: int) -> str:
    """Name of the helper for elements of so many bytes."""
    return f"opc_transpose_{8 * size}"


def transpose(size: int) -> str:
    """The helper for elements of so many bytes."""
    side = 16 // size
    low, high = (
        ", ".join(str(k + first) for pair in range(side // 2) for k in (pair, pair + side))
        for first in (0, side // 2)
    )
    return _TEXT.format(bits=8 * size, size=size, low=low, high=high, name=transpose_name(size))
