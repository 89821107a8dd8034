"""C helpers that finish reductions held in lanes, one for each reduction and type.

Unlike the functions of the library these are written from the table of scalar functions, so that
a reduction is spelled nowhere else.
"""

from __future__ import annotations

from opc.dialects.element import ElementType
from opc.dialects.scalar import REDUCTIONS

from .ctext import Text, apply, computed, stored, suffix


def combine_name(reduction: str, type: ElementType) -> str:
    """Name of the helper that reduces lanes to one value."""
    return f"opc_lanes_{reduction}_{suffix(type)}"


def cascade_name(step: str, type: ElementType) -> str:
    """Name of the helper for one step of a cascade of partial sums."""
    return f"opc_cascade_{step}_{suffix(type)}"


def combine(reduction: str, type: ElementType) -> str:
    """``v[k] = combine(v[k], v[k + half])``, halving."""
    function = REDUCTIONS[reduction].combine
    c, bool_ = stored(type), type.kind == "bool"
    a, b = (
        Text(f"v[{k}]{' != 0' if bool_ else ''}", 12 if bool_ else 16) for k in ("k", "k + half")
    )
    value = apply(function, [a, b], [type, type], type)
    text = f"(uint8_t){value.within(15)}" if bool_ else value.text
    result = "v[0] != 0" if bool_ else "v[0]"
    return f"""\
/* Reduces lanes pairwise, halving; overwrites them. */
static inline {computed(type)} {combine_name(reduction, type)}({c} *v, int lanes) {{
  for (int half = lanes / 2; half > 0; half /= 2) {{
    for (int k = 0; k < half; ++k) {{
      v[k] = {text};
    }}
  }}
  return {result};
}}
"""


def cascade(step: str, type: ElementType) -> str:
    """Add a block of lanes to partial sums of 1, 2, 4, ... blocks, or add these up."""
    c, name = computed(type), cascade_name(step, type)
    if step == "push":
        return f"""\
/* Adds block number `count` to a cascade: level k holds the sum of 2^k blocks. */
static inline void {name}({c} *v, {c} *levels, int64_t count, int lanes) {{
  for (; count & 1; count >>= 1, levels += lanes) {{
    for (int k = 0; k < lanes; ++k) {{
      v[k] = levels[k] + v[k];
    }}
  }}
  memcpy(levels, v, (size_t)lanes * sizeof *v);
}}
"""
    return f"""\
/* Adds up the levels of a cascade of `count` blocks, the fewest blocks first. */
static inline void {name}({c} *v, const {c} *levels, int64_t count, int lanes) {{
  for (int k = 0; k < lanes; ++k) {{
    v[k] = 0;
  }}
  for (; count > 0; count >>= 1, levels += lanes) {{
    for (int k = 0; k < lanes && (count & 1); ++k) {{
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
