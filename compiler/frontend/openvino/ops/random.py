"""RandomUniform and Multinomial.

Seeds that are not both 0 give the numbers of a first inference, in the order of TensorFlow: the
counter of a block of numbers is its number and the seed of the layer, and the key is the seed of
the model.  Without seeds they are those of ``opc.frontend.models.random``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape
from opc.frontend.models.random import (
    LONG,
    WORD,
    Words,
    drawn_classes,
    first_classes,
    halves,
    philox,
)
from opc.frontend.models.traced import NodeTrace, front

from .elementwise import precise
from .layer import Data, Extents, Layer
from .schema import openvino

MANTISSAS = {el.F16: 10, el.BF16: 7, el.F32: 23, el.F64: 52}
"""The mantissa bits of each type."""


def _seeds(layer: Layer) -> tuple[int, int]:
    """The seeds of the model and of the layer."""
    seeds = (layer.attr("global_seed"), layer.attr("op_seed"))
    if any(not 0 <= seed < 1 << 64 for seed in seeds):
        raise layer.error(f"seeds {list(seeds)}, expected integers of 64 bits")
    return seeds


def _blocks(trace: NodeTrace, count: ex.Expr, seeds: tuple[int, int]) -> Words:
    """Four words for each of so many blocks."""
    upper, lower = halves(trace.positions(count).astype(LONG))
    words = [trace.constant(seed >> by & 0xFFFFFFFF, WORD) for seed in seeds for by in (0, 32)]
    return philox((lower, upper, words[2], words[3]), (words[0], words[1]))


def _integers(layer: Layer, shape: Shape, type: el.ElementType) -> Any:
    """Integers of 32 or 64 bits, without a sign; of f64 the first word is the upper one."""
    seeds, total = _seeds(layer), ex.product(shape)
    is_long = type in (el.F64, el.I64)

    def long(w0: Any, w1: Any) -> Any:
        low, high = (w1, w0) if type is el.F64 else (w0, w1)
        return high.astype(LONG) * (1 << 32) + low.astype(LONG)

    if not any(seeds):
        w0, w1, _, _ = layer.stream().words(layer.trace, (total,))
        return long(w0, w1) if is_long else w0
    per_block = 2 if is_long else 4
    count = ex.floordiv(total + (per_block - 1), per_block)
    words = _blocks(layer.trace, count, seeds)
    parts = [long(*words[:2]), long(*words[2:])] if is_long else words
    return front(onp.stack(parts, 1).reshape((count * per_block,)), 0, total)


@openvino("RandomUniform", 8)
def uniform(layer: Layer, shape: Extents, *, output_type: el.ElementType, alignment: str) -> Any:
    """RandomUniform-8 --> numbers in [low, high)."""
    type = output_type
    if alignment != "tensorflow" and any(_seeds(layer)):
        raise layer.unsupported(f"alignment {alignment} is not supported")
    low, high = (layer.scalar(k, type) for k in (1, 2))
    extent, bits = high - low, _integers(layer, shape, type)
    if type.is_integer:
        rest = bits % extent.astype(LONG if type is el.I64 else WORD)
        return (rest.astype(type) + low).reshape(shape)
    count, word = MANTISSAS[type], el.BY_NAME[f"ui{type.bits}"]
    one = int(np.ones((), type.dtype).view(word.dtype))
    above = (bits.astype(word) & ((1 << count) - 1)) | one
    return ((onp.bitcast(above, type) + -1.0) * extent + low).reshape(shape)


@openvino("Multinomial", 13)
def multinomial(
    layer: Layer, probs: Data, num_samples: Extents, *, with_replacement: bool, log_probs: bool
) -> Any:
    """Multinomial-13 --> the drawn classes of each row, with or without replacement."""
    (_, classes), (count,) = layer.dims("N C"), num_samples
    model, own = _seeds(layer)
    seed = layer.constant((model << 32 ^ own) % (1 << 64), LONG) if model or own else None
    shares, stream = precise(probs), layer.stream(seed)
    if with_replacement:
        if log_probs:
            shares = np.exp(shares - np.max(shares, axis=1, keepdims=True))
        return drawn_classes(shares, count, stream)
    layer.require("within", count, classes, "more classes are drawn than there are")
    logs = shares if log_probs else onp.log(shares)
    return first_classes(logs.astype(el.F64), count, stream)
