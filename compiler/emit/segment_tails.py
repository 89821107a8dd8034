"""C helpers that add the tail of a segment to lanes: less than one group for each lane.

A row has a value for each lane.  Rows are added in fours, twos and ones, by the bits of their
number; the last row may be partial.
"""

from __future__ import annotations

from opc.dialects.element import F32, F64, ElementType
from opc.dialects.scalar import REDUCTIONS
from opc.support.target import WIDEST

from .ctext import computed, number, suffix
from .lanes import both_vectors, lane_types, load_row
from .local_arrays import ALIGNED, array
from .staging import INTRINSICS
from .texts import c_text, macro

_VECTORS = {
    F32: {"letter": "ps", "integer": "epi32", "integers": "epi32", "kind": ""},
    F64: {"letter": "pd", "integer": "epi64", "integers": "epi64x", "kind": "d"},
}
"""How functions on vectors of floats and of integers as wide end, and the types of vectors."""


def helper(reduction: str, type: ElementType, lanes: int) -> tuple[str, dict[str, str]]:
    """The name of the helper for a group, and all texts that it needs, by name."""
    kind = f"{suffix(type)}x{lanes}"
    load, load_text = load_row(type, lanes)
    texts = lane_types(reduction, type, lanes) | {load: load_text}
    common = {
        "c": computed(type),
        "struct": f"opc_{kind}",
        "part": f"opc_part_{kind}",
        "lanes": str(lanes),
        "neutral": number(REDUCTIONS[reduction].identity(type), type).text,
    }

    def both(a: str, b: str) -> str:
        return both_vectors(reduction, type, common["part"], a, b)

    def row(x: str, number: int = 0) -> str:
        return f"{load}({x}, {number}, k)"

    first, name = f"opc_first_{reduction}_{kind}", f"opc_{reduction}_group_{kind}"
    rows = [row("x", k) for k in range(4)]
    text = c_text(
        "groups.group",
        **common,
        name=name,
        first=first,
        four=4 * lanes,
        two=2 * lanes,
        rest=lanes - 1,
        one=both(row("last", -1), "v.part[k]"),
        pair=both(f"({both(row('pair'), row('pair', 1))})", "v.part[k]"),
        quad=both(f"({both(f'({both(*rows[:2])})', f'({both(*rows[2:])})')})", "v.part[k]"),
        all=both(row("lanes"), "v.part[k]"),
    )
    first_text = _first(first, type, lanes, common)
    # The header takes gcc a quarter of a second.
    needed = {"intrinsics": INTRINSICS} if "_mm" in first_text else {}
    return name, texts | needed | {ALIGNED: macro(ALIGNED), first: first_text, name: text}


def _first(name: str, type: ElementType, lanes: int, common: dict[str, str]) -> str:
    """The helper for the values after whole rows."""
    masked, end = "", ""
    width = WIDEST // type.bytes
    if type in _VECTORS and lanes >= width:
        places = ", ".join(map(str, range(width // 2)))
        more = {"parts": lanes // width, "width": width, "places": places}
        masked, end = c_text("groups.masked", **common, **_VECTORS[type], **more), "#endif\n"
    declared = array(common["c"], "first", lanes)
    return c_text("groups.first", **common, name=name, array=declared, masked=masked, end=end)
