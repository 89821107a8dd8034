"""C text for reductions held in lanes, one piece for each element type and number of lanes.

Unlike the functions of the library these are written from the table of reductions, so that a
reduction is spelled nowhere else.  Lanes are a struct of vectors, which compilers keep in
registers; arrays they would load and store with every step.
"""

from __future__ import annotations

from opc.dialects.element import ElementType
from opc.dialects.scalar import REDUCTIONS, SCALARS

from .ctext import Text, apply, computed, number, suffix
from .rolled import ROLLED, ROLLED_TEXT

VECTOR = """\
/* Bytes in a vector register.  How many there are shows in no result: each lane is computed by
   itself, and lanes are combined in one order. */
#if defined(__AVX512F__)
#define OPC_VECTOR 64
#elif defined(__AVX__)
#define OPC_VECTOR 32
#else
#define OPC_VECTOR 16
#endif
"""


def lanes_type(type: ElementType, lanes: int) -> str:
    """Name of the type that holds so many lanes."""
    return f"opc_{suffix(type)}x{lanes}"


def lanes_definition(type: ElementType, lanes: int) -> str:
    """The type, as vectors of at most ``OPC_VECTOR`` bytes, and how to set all of it."""
    name, c, size = lanes_type(type, lanes), computed(type), type.bytes * lanes
    limit = f"OPC_VECTOR < {size} ? OPC_VECTOR : {size}" if size < 64 else "OPC_VECTOR"
    part = f"opc_part_{suffix(type)}x{lanes}"
    return f"""\
/* {lanes} lanes of {c} in vector registers. */
typedef {c} {part} __attribute__((vector_size({limit})));
typedef struct {{
  {part} part[{size} / sizeof({part})];
}} {name};

static inline void {fill_name(type, lanes)}({name} *lanes, {c} x) {{
  const {part} zero = {{0}};
  for (size_t k = 0; k < {size} / sizeof zero; ++k) {{
    lanes->part[k] = x - zero;
  }}
}}
"""


def fill_name(type: ElementType, lanes: int) -> str:
    """Name of the helper that sets all lanes."""
    return f"opc_fill_{suffix(type)}x{lanes}"


def accumulate_name(reduction: str, type: ElementType, lanes: int) -> str:
    """Name of the helper by which every lane takes one value."""
    return f"opc_{reduction}_{suffix(type)}x{lanes}"


def _both(reduction: str, type: ElementType, a: str, b: str) -> str:
    """Two values of a reduction, or two vectors of which operators make one, combined."""
    return apply(REDUCTIONS[reduction].combine, [Text(a), Text(b)], [type, type], type).text


def _is_function(reduction: str, type: ElementType) -> bool:
    """Whether it takes a function, which has no vectors, to combine values."""
    return not SCALARS[REDUCTIONS[reduction].combine].c[type.kind].startswith("infix")


def _vectors(reduction: str, type: ElementType, vector: str, a: str, b: str) -> str:
    """Two vectors of a type, as in C, combined."""
    if not _is_function(reduction, type):
        return _both(reduction, type, a, b)
    return f"{_vector_name(reduction, vector)}({a}, {b})"


def _vector_name(reduction: str, vector: str) -> str:
    return f"opc_{reduction}_{vector.removeprefix('opc_')}"


def vector_functions(reduction: str, type: ElementType, lanes: int) -> dict[str, str]:
    """The functions that combine two vectors, by their names; none where operators do."""
    if not _is_function(reduction, type):
        return {}
    c, quad = computed(type), _quad(type, lanes)
    found = {ROLLED: ROLLED_TEXT, quad: f"typedef {c} {quad} __attribute__((vector_size(16)));\n"}
    for vector in (f"opc_part_{suffix(type)}x{lanes}", quad):
        name = _vector_name(reduction, vector)
        found[name] = f"""\
static inline {vector} {name}({vector} a, {vector} b) {{
  {ROLLED}
  for (size_t k = 0; k < sizeof a / sizeof a[0]; ++k) {{
    a[k] = {_both(reduction, type, "a[k]", "b[k]")};
  }}
  return a;
}}
"""
    return found


def _quad(type: ElementType, lanes: int) -> str:
    """Name of the type of a vector of 16 bytes."""
    return f"opc_quad_{suffix(type)}x{lanes}"


def accumulate(reduction: str, type: ElementType, lanes: int) -> str:
    """``lane k = lane k combined with x[k]``."""
    name, c, size = lanes_type(type, lanes), computed(type), type.bytes * lanes
    part = f"opc_part_{suffix(type)}x{lanes}"
    return f"""\
/* Lane k takes x[k]. */
static inline void {accumulate_name(reduction, type, lanes)}({name} *lanes, const {c} *x) {{
  for (size_t k = 0; k < {size} / sizeof({part}); ++k) {{
    {part} v;
    memcpy(&v, x + k * (sizeof v / sizeof *x), sizeof v);
    lanes->part[k] = {_vectors(reduction, type, part, "lanes->part[k]", "v")};
  }}
}}
"""


LAST = """\
/* The 64 bytes from element 16 - k on are a mask whose first k elements are 0. */
static const int32_t opc_last[32] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
"""


def accumulate_last_name(reduction: str, type: ElementType, lanes: int) -> str:
    """Name of the helper by which the last lanes take one value each."""
    return f"opc_{reduction}_last_{suffix(type)}x{lanes}"


def accumulate_last(reduction: str, type: ElementType, lanes: int) -> str:
    """``lane k = lane k combined with x[k]`` for the last ``count`` lanes."""
    name, c, size = lanes_type(type, lanes), computed(type), type.bytes * lanes
    row, part, integer = REDUCTIONS[reduction], f"opc_part_{suffix(type)}x{lanes}", 8 * type.bytes
    neutral = number(row.identity(type), type)
    return f"""\
/* Lane k takes x[k] if it is one of the last `count`. */
static inline void {accumulate_last_name(reduction, type, lanes)}({name} *lanes, const {c} *x,
                                                     int64_t count) {{
  typedef int{integer}_t mask __attribute__((vector_size(sizeof(lanes->part[0]))));
  const {part} zero = {{0}}, none = {neutral} - zero;
  const int64_t width = sizeof(mask) / sizeof *x;
  for (int64_t k = 0; k < {size} / (int64_t)sizeof(mask); ++k) {{
    const int64_t skip = {lanes} - count - k * width;
    {part} v;
    mask m;
    if (skip < width) {{
      memcpy(&m, opc_last + 16 - (skip > 0 ? skip : 0) * (int64_t)(sizeof *x / 4), sizeof m);
      memcpy(&v, x + k * width, sizeof v);
      v = ({part})(((mask)v & m) | ((mask)none & ~m));
      lanes->part[k] = {_vectors(reduction, type, part, "lanes->part[k]", "v")};
    }}
  }}
}}
"""


def combine_name(reduction: str, type: ElementType, lanes: int) -> str:
    """Name of the helper that reduces lanes to one value."""
    return f"opc_{reduction}_lanes_{suffix(type)}x{lanes}"


def combine(reduction: str, type: ElementType, lanes: int) -> str:
    """Lane k with lane k + half, halving: whole vectors, then vectors of 16 bytes, then these."""
    name, c, size = lanes_type(type, lanes), computed(type), type.bytes * lanes
    part, quad, local = f"opc_part_{suffix(type)}x{lanes}", _quad(type, lanes), ""
    if not _is_function(reduction, type):
        quad, local = "quad", f"  typedef {c} quad __attribute__((vector_size(16)));\n"

    def pairs(items: list[str]) -> str:
        half = len(items) // 2
        if not half:
            return items[0]
        level = [
            _both(reduction, type, a, b) for a, b in zip(items[:half], items[half:], strict=True)
        ]
        return pairs([f"({text})" for text in level] if half > 1 else level)

    return f"""\
/* Reduces lanes pairwise, halving: lane k with lane k + half. */
static inline {c} {combine_name(reduction, type, lanes)}(const {name} *lanes) {{
{local}  {name} v = *lanes;
  {quad} q[sizeof v.part[0] / sizeof({quad})];
  for (size_t half = {size} / sizeof v.part[0] / 2; half > 0; half /= 2) {{
    for (size_t k = 0; k < half; ++k) {{
      v.part[k] = {_vectors(reduction, type, part, "v.part[k]", "v.part[k + half]")};
    }}
  }}
  memcpy(q, v.part, sizeof q);
  for (size_t half = sizeof q / sizeof({quad}) / 2; half > 0; half /= 2) {{
    for (size_t k = 0; k < half; ++k) {{
      q[k] = {_vectors(reduction, type, quad, "q[k]", "q[k + half]")};
    }}
  }}
  return {pairs([f"q[0][{k}]" for k in range(16 // type.bytes)])};
}}
"""


def cascade_name(step: str, type: ElementType, lanes: int | None) -> str:
    """Name of the helper for one step of a cascade of partial sums; of arrays without lanes."""
    return f"opc_cascade_{step}_{suffix(type)}" + (f"x{lanes}" if lanes else "")


def cascade(step: str, type: ElementType, lanes: int) -> str:
    """Begin a block of lanes, or add the partial sums of 1, 2, 4, ... blocks to the last one."""
    name, c = lanes_type(type, lanes), computed(type)
    add = f"{accumulate_name('sum', type, lanes)}(lanes, (const {c} *)(const void *)levels)"
    if step == "next":
        return f"""\
/* Begins block number `count` of a cascade, whose level k holds the sum of 2^k blocks: the block
   before is added to it. */
static inline void {cascade_name(step, type, lanes)}({name} *lanes, {name} *levels,
                                                     int64_t count) {{
  if (count > 0) {{
    for (--count; count & 1; count >>= 1, ++levels) {{
      {add};
    }}
    *levels = *lanes;
  }}
  {fill_name(type, lanes)}(lanes, 0);
}}
"""
    return f"""\
/* Adds the levels of a cascade of `count` blocks to the last one, the fewest blocks first. */
static inline void {cascade_name(step, type, lanes)}({name} *lanes, const {name} *levels,
                                                     int64_t count) {{
  for (--count; count > 0; count >>= 1, ++levels) {{
    if (count & 1) {{
      {add};
    }}
  }}
}}
"""


def array_cascade(step: str, type: ElementType) -> str:
    """The same for arrays, as blocks of columns have them."""
    c, name = computed(type), cascade_name(step, type, None)
    if step == "next":
        return f"""\
/* Begins block number `count` of a cascade, whose level k holds the sum of 2^k blocks: the block
   before is added to it. */
static inline void {name}({c} *v, {c} *levels, int64_t count, int64_t lanes) {{
  if (count > 0) {{
    for (--count; count & 1; count >>= 1, levels += lanes) {{
      for (int64_t k = 0; k < lanes; ++k) {{
        v[k] = levels[k] + v[k];
      }}
    }}
    memcpy(levels, v, (size_t)lanes * sizeof *v);
  }}
  for (int64_t k = 0; k < lanes; ++k) {{
    v[k] = 0;
  }}
}}
"""
    return f"""\
/* Adds the levels of a cascade of `count` blocks to the last one, the fewest blocks first. */
static inline void {name}({c} *v, const {c} *levels, int64_t count, int64_t lanes) {{
  for (--count; count > 0; count >>= 1, levels += lanes) {{
    for (int64_t k = 0; k < lanes && (count & 1); ++k) {{
      v[k] = levels[k] + v[k];
    }}
  }}
}}
"""


def bitcast_name(source: ElementType, target: ElementType) -> str:
    """Name of the helper that gives the bits of one type to another."""
    return f"opc_bitcast_{suffix(source)}_{suffix(target)}"


def bitcast(source: ElementType, target: ElementType) -> str:
    """The bits of one type as another of the same width."""
    return f"""\
/* The same bits. */
static inline {computed(target)} {bitcast_name(source, target)}({computed(source)} x) {{
  {computed(target)} y;
  memcpy(&y, &x, sizeof y);
  return y;
}}
"""
