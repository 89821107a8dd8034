"""C helpers that transpose a block of a matrix with elements of 1, 2, 4 or 8 bytes.

Squares of vectors are transposed in rounds.  First within parts of 16 bytes, which instructions of
all widths can mix: each round interleaves row k of a part with row k + PART/2.  Then parts of 16
bytes move between rows: each round puts the even ones of two rows into one, the odd ones into
another.
"""

from __future__ import annotations

from opc.support.target import VECTOR, WIDEST

from .texts import Helper, c_text, macro


def transpose(size: int, apart: bool) -> Helper:
    """The helper for elements of so many bytes.

    ``apart`` keeps it from being inlined: for blocks of unknown extents inlining gains nothing, and
    takes gcc 0.07 s each time.
    """
    name = f"opc_transpose_{8 * size}"
    texts = {"OPC_PICK": c_text("transpose.pick"), "OPC_UNROLL": macro("OPC_UNROLL")}
    text, choice, case = _square(size, 16), "", ""
    names = {"name": name, "bits": 8 * size, "size": size, "small": 16 // size}
    widest = min(WIDEST, VECTOR * size)
    if widest > 16:
        vectors = {"widest": widest, "wide": min(32, widest)}
        text += "\n" + c_text("transpose.wide", **{k: _square(size, n) for k, n in vectors.items()})
        choice, case = (
            c_text(
                "transpose.wide",
                **{
                    k: c_text(f"transpose.{part}", side=n // size, vector=n, bits=8 * size)
                    for k, n in vectors.items()
                },
            )
            for part in ("choice", "case")
        )
    text += "\n" + c_text("transpose.block", **names, choice=choice, case=case)
    plain = c_text("transpose.plain", **names)
    texts[name] = f"#ifdef OPC_HAS_VECTORS\n{text}#else\n{plain}#endif\n"
    if not apart:
        return name, texts
    texts |= {"OPC_APART": c_text("transpose.noinline")}
    return f"{name}_apart", texts | {f"{name}_apart": c_text("transpose.apart", name=name)}


def _square(size: int, vector: int) -> str:
    """The helper for a square of vectors of so many bytes."""
    side, part = vector // size, 16 // size
    names = {"bits": 8 * size, "vector": vector}
    every = range(0, side, part)
    low, high = (
        [k + first + at for at in every for n in range(part // 2) for k in (n, n + side)]
        for first in (0, part // 2)
    )
    even, odd = (
        [
            k + n
            for k in (*every[first::2], *(side + at for at in every[first::2]))
            for n in range(part)
        ]
        for first in (0, 1)
    )
    shown = {
        k: ", ".join(map(str, v))
        for k, v in (("low", low), ("high", high), ("even", even), ("odd", odd))
    }
    parts = c_text("transpose.parts", **names, **shown) if side > part else ""
    sizes = {"size": size, "side": side, "part": part, "parts": parts}
    return c_text("transpose.square", **names, **shown, **sizes)
