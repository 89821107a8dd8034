"""C helpers for reductions in lanes, by element type and number of lanes.

They are made from the table of reductions, which alone spells each reduction.
"""

from __future__ import annotations

from opc.dialects.element import ElementType
from opc.dialects.scalar import REDUCTIONS, SCALARS
from opc.emit.workarounds.unrolling import ROLLED, ROLLED_TEXT
from opc.support.target import WIDEST

from .ctext import Text, apply, computed, suffix
from .texts import c_text

VECTOR = c_text("macros.vector")


def _definition(name: str, type: ElementType, lanes: int) -> str:
    """A type that holds so many lanes, as vectors of at most ``OPC_VECTOR`` bytes."""
    c, size = computed(type), type.bytes * lanes
    limit = f"OPC_VECTOR < {size} ? OPC_VECTOR : {size}" if size < WIDEST else "OPC_VECTOR"
    part = f"opc_part_{suffix(type)}x{lanes}"
    return f"""\
/* {lanes} lanes of {c} in vector registers. */
typedef {c} {part} OPC_LANES({limit});
typedef struct {{
  {part} part[{size} / sizeof({part})];
}} {name};
"""


def _both(reduction: str, type: ElementType, a: str, b: str) -> str:
    """Two values of a reduction combined, or two vectors if C has an operator for it."""
    return apply(REDUCTIONS[reduction].combine, [Text(a), Text(b)], [type, type], type).text


def _is_function(reduction: str, type: ElementType) -> bool:
    """Whether values are combined by a function, which C does not apply to vectors."""
    return not SCALARS[REDUCTIONS[reduction].combine].c[type.kind].startswith("infix")


def both_vectors(reduction: str, type: ElementType, vector: str, a: str, b: str) -> str:
    """Two vectors of a C type combined."""
    if not _is_function(reduction, type):
        return _both(reduction, type, a, b)
    return f"{_vector_name(reduction, vector)}({a}, {b})"


def _vector_name(reduction: str, vector: str) -> str:
    return f"opc_{reduction}_{vector.removeprefix('opc_')}"


def _vector_functions(reduction: str, type: ElementType, lanes: int) -> dict[str, str]:
    """The functions that combine two vectors, by their names; none where operators do."""
    if not _is_function(reduction, type):
        return {}
    c, quad = computed(type), _quad(type, lanes)
    texts = {ROLLED: ROLLED_TEXT, quad: f"typedef {c} {quad} OPC_LANES(16);\n"}
    for vector in (f"opc_part_{suffix(type)}x{lanes}", quad):
        name = _vector_name(reduction, vector)
        texts[name] = f"""\
static inline {vector} {name}({vector} a, {vector} b) {{
#ifdef OPC_HAS_VECTORS
  {ROLLED}
  for (size_t k = 0; k < sizeof a / sizeof a[0]; ++k) {{
    a[k] = {_both(reduction, type, "a[k]", "b[k]")};
  }}
#else
  a = {_both(reduction, type, "a", "b")};
#endif
  return a;
}}
"""
    return texts


def _quad(type: ElementType, lanes: int) -> str:
    """Name of the type of a vector of 16 bytes."""
    return f"opc_quad_{suffix(type)}x{lanes}"


def lane_types(reduction: str, type: ElementType, lanes: int) -> dict[str, str]:
    """The texts, by name, of types that hold so many lanes and of functions that combine them."""
    name = f"opc_{suffix(type)}x{lanes}"
    texts = {"OPC_VECTOR": VECTOR, name: _definition(name, type, lanes)}
    return texts | _vector_functions(reduction, type, lanes)


def combine(reduction: str, type: ElementType, lanes: int) -> tuple[str, dict[str, str]]:
    """The helper that reduces an array of lanes to one value, and all texts that it needs, by name.

    Lane k with lane k + half, halving: whole vectors, vectors of 16 bytes, elements.
    """
    name, c, size = f"opc_{suffix(type)}x{lanes}", computed(type), type.bytes * lanes
    part, quad, local = f"opc_part_{suffix(type)}x{lanes}", _quad(type, lanes), ""
    if not _is_function(reduction, type):
        quad, local = "quad", f"  typedef {c} quad OPC_LANES(16);\n"

    def pairs(items: list[str]) -> str:
        half = len(items) // 2
        if not half:
            return items[0]
        level = [
            _both(reduction, type, a, b) for a, b in zip(items[:half], items[half:], strict=True)
        ]
        return pairs([f"({text})" for text in level] if half > 1 else level)

    helper = f"opc_{reduction}_array_{suffix(type)}x{lanes}"
    text = f"""\
/* Reduces an array pairwise, halving: lane k with lane k + half. */
static inline {c} {helper}(const {c} *x) {{
  {name} v;
  memcpy(&v, x, sizeof v);
  for (size_t half = {size} / sizeof v.part[0] / 2; half > 0; half /= 2) {{
    for (size_t k = 0; k < half; ++k) {{
      v.part[k] = {both_vectors(reduction, type, part, "v.part[k]", "v.part[k + half]")};
    }}
  }}
#ifdef OPC_HAS_VECTORS
{local}  {quad} q[sizeof v.part[0] / sizeof({quad})];
  memcpy(q, v.part, sizeof q);
  for (size_t half = sizeof q / sizeof({quad}) / 2; half > 0; half /= 2) {{
    for (size_t k = 0; k < half; ++k) {{
      q[k] = {both_vectors(reduction, type, quad, "q[k]", "q[k + half]")};
    }}
  }}
  return {pairs([f"q[0][{k}]" for k in range(16 // type.bytes)])};
#else
  return v.part[0];
#endif
}}
"""
    return helper, lane_types(reduction, type, lanes) | {helper: text}


def load_row(type: ElementType, lanes: int) -> tuple[str, str]:
    """The name and text of the helper that reads a vector of a row of lanes.

    gcc 12 copies a whole row through memory.
    """
    kind = f"{suffix(type)}x{lanes}"
    name, part, c = f"opc_load_{kind}", f"opc_part_{kind}", computed(type)
    text = f"""\
/* Vector k of a row of {lanes} values. */
static inline {part} {name}(const {c} *x, int64_t row, size_t k) {{
  {part} v;
  memcpy(&v, x + row * {lanes} + k * (sizeof v / sizeof *x), sizeof v);
  return v;
}}
"""
    return name, text


def cascade(
    step: str, type: ElementType, reduction: str, lanes: int | None
) -> tuple[str, dict[str, str]]:
    """The helper for one step of a cascade of partial sums or products, and all texts it needs.

    It begins a block of an array, or combines the totals of 1, 2, 4, ... blocks with the last one.
    So many ``lanes`` stay in registers, so that a sum over rows of 40 to 200 values, which are one
    block, takes 0.55 to 0.75 times as long; None if they are no vectors or too many.
    """
    c, kind = computed(type), "" if reduction == "sum" else f"{reduction}_"
    name, neutral = f"opc_cascade_{kind}{step}_{suffix(type)}", int(reduction == "prod")
    both, total = _both(reduction, type, "levels[k]", "v[k]"), "product" if neutral else "sum"
    if step == "next":
        text = f"""\
/* Begins block number `count` of a cascade.  The block before goes to the levels, of which level k
   holds the {total} of 2^k blocks. */
static inline void {name}({c} *v, {c} *levels, int64_t count, int64_t lanes) {{
  if (count > 0) {{
    for (--count; count & 1; count >>= 1, levels += lanes) {{
      for (int64_t k = 0; k < lanes; ++k) {{
        v[k] = {both};
      }}
    }}
    memcpy(levels, v, (size_t)lanes * sizeof *v);
    for (int64_t k = 0; k < lanes; ++k) {{
      v[k] = {neutral};
    }}
  }}
}}
"""
        return name, {name: text}
    needed, begin, end = dict[str, str](), "", ""
    target, loop = "v[k]", "int64_t k = 0; k < lanes"
    if lanes is not None:
        name, struct, target = f"{name}x{lanes}", f"opc_{suffix(type)}x{lanes}", "all.part[k]"
        load, load_text = load_row(type, lanes)
        needed = lane_types(reduction, type, lanes) | {load: load_text}
        begin = f"  {struct} all;\n  memcpy(&all, v, sizeof all);\n"
        end = "  memcpy(v, &all, sizeof all);\n"
        loop = "size_t k = 0; k < sizeof all / sizeof all.part[0]"
        both = _both(reduction, type, f"{load}(levels, 0, k)", target)
    text = f"""\
/* Combines the levels of a cascade of `count` blocks with the last block, lowest level first. */
static inline void {name}({c} *v, const {c} *levels, int64_t count, int64_t lanes) {{
{begin}  for (--count; count > 0; count >>= 1, levels += lanes) {{
    for ({loop} && (count & 1); ++k) {{
      {target} = {both};
    }}
  }}
{end}}}
"""
    return name, needed | {name: text}


def bitcast_name(source: ElementType, target: ElementType) -> str:
    """Name of the helper that reinterprets the bits of a type."""
    return f"opc_bitcast_{suffix(source)}_{suffix(target)}"


def bitcast(source: ElementType, target: ElementType) -> str:
    """The helper that reinterprets the bits of a type as another of the same width."""
    return f"""\
/* The same bits. */
static inline {computed(target)} {bitcast_name(source, target)}({computed(source)} x) {{
  {computed(target)} y;
  memcpy(&y, &x, sizeof y);
  return y;
}}
"""
