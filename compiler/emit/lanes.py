"""C helpers for reductions in lanes, by element type and number of lanes.

They are made from the table of reductions, which alone spells each reduction.
"""

from __future__ import annotations

from opc.dialects.element import F32, F64, ElementType
from opc.dialects.scalar import REDUCTIONS, SCALARS
from opc.support.target import WIDEST

from .ctext import Text, apply, computed, number, suffix
from .local_arrays import ALIGNED, array
from .texts import INTRINSICS, ROLLED, Helper, c_text, macro


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
    texts = {ROLLED: macro(ROLLED), quad: f"typedef {c} {quad} OPC_LANES(16);\n"}
    for vector in (f"opc_part_{suffix(type)}x{lanes}", quad):
        name = _vector_name(reduction, vector)
        lane, vectors = _both(reduction, type, "a[k]", "b[k]"), _both(reduction, type, "a", "b")
        texts[name] = c_text("lanes.both", name=name, vector=vector, lane=lane, vectors=vectors)
    return texts


def _quad(type: ElementType, lanes: int) -> str:
    """Name of the type of a vector of 16 bytes."""
    return f"opc_quad_{suffix(type)}x{lanes}"


def lane_types(reduction: str, type: ElementType, lanes: int) -> dict[str, str]:
    """The texts, by name, of types that hold so many lanes and of functions that combine them.

    The lanes are vectors of at most ``OPC_VECTOR`` bytes.
    """
    kind, size = f"{suffix(type)}x{lanes}", type.bytes * lanes
    limit = f"OPC_VECTOR < {size} ? OPC_VECTOR : {size}" if size < WIDEST else "OPC_VECTOR"
    name, values = f"opc_{kind}", {"c": computed(type), "lanes": lanes, "size": size}
    text = c_text("lanes.type", name=name, part=f"opc_part_{kind}", limit=limit, **values)
    texts = {"OPC_VECTOR": macro("OPC_VECTOR"), name: text}
    return texts | _vector_functions(reduction, type, lanes)


def combine(reduction: str, type: ElementType, lanes: int) -> Helper:
    """The helper that reduces an array of lanes to one value, and all texts that it needs, by name.

    Lane k with lane k + half, halving: whole vectors, vectors of 16 bytes, elements.
    """
    name, c, size = f"opc_{suffix(type)}x{lanes}", computed(type), type.bytes * lanes
    part, quad, local = f"opc_part_{suffix(type)}x{lanes}", _quad(type, lanes), ""
    if not _is_function(reduction, type):
        quad, local = "quad", f"  typedef {c} quad OPC_LANES(16);\n"

    def pairs(items: list[str]) -> str:
        """Item k with item k + half, halving, as one expression."""
        half = len(items) // 2
        if not half:
            return items[0]
        level = [
            _both(reduction, type, a, b) for a, b in zip(items[:half], items[half:], strict=True)
        ]
        return pairs([f"({text})" for text in level] if half > 1 else level)

    helper = f"opc_{reduction}_array_{suffix(type)}x{lanes}"
    text = c_text(
        "lanes.combine",
        **{"c": c, "helper": helper, "name": name, "size": size, "local": local, "quad": quad},
        parts=both_vectors(reduction, type, part, "v.part[k]", "v.part[k + half]"),
        quads=both_vectors(reduction, type, quad, "q[k]", "q[k + half]"),
        elements=pairs([f"q[0][{k}]" for k in range(16 // type.bytes)]),
    )
    return helper, lane_types(reduction, type, lanes) | {helper: text}


def load_row(type: ElementType, lanes: int) -> tuple[str, str]:
    """The name and text of the helper that reads a vector of a row of lanes.

    gcc 12 copies a whole row through memory.
    """
    kind = f"{suffix(type)}x{lanes}"
    name, part, c = f"opc_load_{kind}", f"opc_part_{kind}", computed(type)
    return name, c_text("lanes.load_row", name=name, part=part, c=c, lanes=lanes)


def cascade(step: str, type: ElementType, reduction: str, lanes: int | None) -> Helper:
    """The helper for one step of a cascade of partial sums or products, and all texts it needs.

    It begins a block of an array, or combines the totals of 1, 2, 4, ... blocks with the last one.
    So many ``lanes`` stay in registers, so that a sum over rows of 40 to 200 values, which are one
    block, takes 0.55 to 0.75 times as long; None if they are no vectors or too many.
    """
    c, kind = computed(type), "" if reduction == "sum" else f"{reduction}_"
    name, neutral = f"opc_cascade_{kind}{step}_{suffix(type)}", int(reduction == "prod")
    both, total = _both(reduction, type, "levels[k]", "v[k]"), "product" if neutral else "sum"
    if step == "next":
        values = {"name": name, "c": c, "both": both, "total": total, "neutral": neutral}
        text = c_text("lanes.next", **values)
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
    values = {"begin": begin, "loop": loop, "target": target, "both": both, "end": end}
    text = c_text("lanes.finish", name=name, c=c, **values)
    return name, needed | {name: text}


def bitcast(source: ElementType, target: ElementType) -> Helper:
    """The helper that reinterprets the bits of a type as another of the same width."""
    name = f"opc_bitcast_{suffix(source)}_{suffix(target)}"
    values = {"name": name, "source": computed(source), "target": computed(target)}
    return name, {name: c_text("lanes.bitcast", **values)}


_VECTORS = {
    F32: {"letter": "ps", "integer": "epi32", "integers": "epi32", "kind": ""},
    F64: {"letter": "pd", "integer": "epi64", "integers": "epi64x", "kind": "d"},
}
"""How functions on vectors of floats and of integers as wide end, and the types of vectors."""


def group(reduction: str, type: ElementType, lanes: int) -> Helper:
    """The helper that adds the tail of a segment to lanes, and all texts that it needs, by name.

    It has less than one group for each lane, and a row has a value for each lane.  Rows are added
    in fours, twos and ones, by the bits of their number; the last row may be partial.
    """
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
