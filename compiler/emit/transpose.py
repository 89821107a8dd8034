"""C text that turns a block of a matrix around, by elements of 1, 2, 4 or 8 bytes.

Squares of vectors are turned in rounds, in each of which row k is interleaved with row k + SIDE/2.
"""

from __future__ import annotations

from opc.target import VECTOR, WIDEST

PICK = """\
/* Elements of two vectors by number, those of the second after those of the first. */
#if defined(__clang__) || __GNUC__ >= 12
#define OPC_PICK(type, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define OPC_PICK(type, a, b, ...) __builtin_shuffle(a, b, (type){__VA_ARGS__})
#endif
"""

_SQUARE = """\
/* Turns a square around, of which the first rows are there and the first columns are wanted;
   distances are in elements. */
typedef uint{bits}_t opc_vector{vector}_u{bits} __attribute__((vector_size({vector})));
static inline void opc_square{vector}_{bits}(char *y, int64_t to, const char *x, int64_t from,
                                   int64_t rows, int64_t columns) {{
  enum {{ SIDE = {side} }};
  const opc_vector{vector}_u{bits} zero = {{0}};
  opc_vector{vector}_u{bits} v[SIDE], w[SIDE];
  for (int k = 0; k < SIDE; ++k) {{
    v[k] = zero;
    if (k < rows) {{
      memcpy(&v[k], x + k * from * {size}, {vector});
    }}
  }}
  for (int round = 1; round < SIDE; round *= 2) {{
    for (int k = 0; k < SIDE / 2; ++k) {{
      w[2 * k] = OPC_PICK(opc_vector{vector}_u{bits}, v[k], v[k + SIDE / 2],
                          {low});
      w[2 * k + 1] = OPC_PICK(opc_vector{vector}_u{bits}, v[k], v[k + SIDE / 2],
                              {high});
    }}
    for (int k = 0; k < SIDE; ++k) {{
      v[k] = w[k];
    }}
  }}
  for (int k = 0; k < SIDE; ++k) {{
    if (k < columns) {{
      memcpy(y + k * to * {size}, &v[k], {vector});
    }}
  }}
}}
"""

_BLOCK = """\
/* Turns a block around: element c * to + r of y is element r * from + c of x.  Rows or columns too
   few for a square are read or written with what lies behind them, as long as that is in the block;
   what is written so is overwritten by the next ones. */
static inline void opc_narrow_{bits}(char *y, int64_t to, const char *x, int64_t from, int64_t rows,
                                 int64_t columns) {{
  enum {{ SIDE = {small} }};
  int64_t r = 0, c = 0;
  if (rows >= SIDE) {{
    for (; (r + SIDE - 1) * from + SIDE <= (rows - 1) * from + columns; r += SIDE) {{
      opc_square16_{bits}(y + r * {size}, to, x + r * from * {size}, from, SIDE, columns);
    }}
  }} else if (columns >= SIDE && to == rows) {{
    for (; (c + SIDE - 1) * to + SIDE <= (columns - 1) * to + rows; c += SIDE) {{
      opc_square16_{bits}(y + c * to * {size}, to, x + c * {size}, from, rows, SIDE);
    }}
  }}
  for (; r < rows; ++r) {{
    for (int64_t k = c; k < columns; ++k) {{
      memcpy(y + (k * to + r) * {size}, x + (r * from + k) * {size}, {size});
    }}
  }}
}}

/* The same for any block.  What is left after whole squares goes once more in a square that ends
   where the block does. */
{kind}void {name}(void *y, int64_t to, const void *x, int64_t from, int64_t rows,
                                    int64_t columns) {{
  const int64_t least = rows < columns ? rows : columns;
  int64_t side = {small};
  if (least < {small}) {{
    opc_narrow_{bits}((char *)y, to, (const char *)x, from, rows, columns);
    return;
  }}
{choice}  for (int64_t i = 0; i < rows; i += side) {{
    const int64_t r = i < rows - side ? i : rows - side;
    for (int64_t j = 0; j < columns; j += side) {{
      const int64_t c = j < columns - side ? j : columns - side;
      char *there = (char *)y + (c * to + r) * {size};
      const char *here = (const char *)x + (r * from + c) * {size};
{case}      opc_square16_{bits}(there, to, here, from, {small}, {small});
    }}
  }}
}}
"""
_WIDE_CHOICE = """\
#ifdef __AVX512BW__
  side = least < {wide} ? side : {wide};
#endif
"""
_WIDE_CASE = """\
#ifdef __AVX512BW__
      if (side == {wide}) {{
        opc_square{vector}_{bits}(there, to, here, from, {wide}, {wide});
        continue;
      }}
#endif
"""


def transpose_name(size: int) -> str:
    """Name of the helper for elements of so many bytes."""
    return f"opc_transpose_{8 * size}"


APART = """\
/* Left out of the functions that call it. */
#if defined(__GNUC__) && !defined(__clang__)
#define OPC_APART __attribute__((noinline, noclone)) static
#else
#define OPC_APART static inline
#endif
"""


def transpose(size: int, apart: bool) -> str:
    """The helper for elements of so many bytes.

    ``apart`` it is compiled once, not in every function anew: where blocks have unknown extents,
    nothing is gained by that, and gcc takes 0.07 s for it.
    """
    text, choice, case = _square(size, 16), "", ""
    names = {"name": transpose_name(size), "bits": 8 * size, "size": size, "small": 16 // size}
    # Other instruction sets than AVX-512 interleave wide vectors in several steps each.
    if (vector := min(WIDEST, VECTOR * size)) > 16:
        wide = vector // size
        text += f"\n#ifdef __AVX512BW__\n{_square(size, vector)}#endif\n"
        choice = _WIDE_CHOICE.format(wide=wide)
        case = _WIDE_CASE.format(wide=wide, vector=vector, bits=8 * size)
    kind = "OPC_APART " if apart else "static inline "
    return f"{text}\n{_BLOCK.format(**names, kind=kind, choice=choice, case=case)}"


def _square(size: int, vector: int) -> str:
    """The helper for a square of vectors of so many bytes."""
    side = vector // size
    low, high = (
        ", ".join(str(k + first) for pair in range(side // 2) for k in (pair, pair + side))
        for first in (0, side // 2)
    )
    return _SQUARE.format(bits=8 * size, size=size, vector=vector, side=side, low=low, high=high)
