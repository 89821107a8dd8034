"""Columns of blocks, added up to images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import ScatterOp

from .call import Call


def columns_as_image(
    call: Call,
    x: Any,
    image: Sequence[ex.Expr],
    block: Sequence[ex.Expr],
    strides: Sequence[int],
    dilations: Sequence[int],
    pads: Sequence[int],
) -> Any:
    """Images [N, C, image...] to which the columns x [N, C * block, positions] add their elements.

    ``pads`` are those before all axes, then those after them.
    """
    trace, rank = call.trace, len(image)
    padded = [e + pads[k] + pads[rank + k] for k, e in enumerate(image)]
    taps = ex.product(block)
    steps = [
        ex.floordiv(p - (b - 1) * d - 1, ex.const(s)) + 1
        for p, b, d, s in zip(padded, block, dilations, strides, strict=True)
    ]
    call.require("equal", ex.product(steps), x.extents[2], "there is no column for each block")
    call.require("divides", x.extents[1], taps, "channels are no whole blocks")
    channels = ex.floordiv(x.extents[1], taps)
    index: Any = 0
    for k in range(rank):
        # Blocks, and positions within them, are numbered in row-major order.
        tap = trace.given(trace.numbers(block[k]), el.I64)
        step = trace.given(trace.numbers(steps[k]), el.I64)
        tap = tap.reshape([-1, *[1] * (rank - 1 - k), *[1] * rank])
        step = step.reshape([-1, *[1] * (rank - 1 - k)])
        index = index * trace.size(padded[k]) + (tap * dilations[k] + step * strides[k])
    lead = [trace.size(x.extents[0]), trace.size(channels)]
    full = (x.extents[0], channels, ex.product(padded))
    x = x.reshape([*lead, trace.size(taps * ex.product(steps))])
    zeros = trace.full(full, 0, x.element)
    flat = trace.emit(
        ScatterOp, zeros, x, index.reshape(-1), axes=(2,), reduction="add", from_end=False
    )
    result = flat.reshape([*lead, *map(trace.size, padded)])
    for k, extent in enumerate(image):
        if pads[k] or pads[rank + k]:
            at = (slice(None),) * (2 + k)
            result = result[(*at, slice(pads[k], pads[k] + trace.size(extent)))]
    return result
