"""RandomUniform and Multinomial.

Seeds that are not both 0 give the numbers of a first inference, in the order of TensorFlow: the
counter of a block of numbers is its number and the seed of the layer, and the key is the seed of
the model.  Without seeds they are those of ``opc.frontend.models.random``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc import unary as u
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.shape import Shape, shape_of, shape_text, tensor_of, tensor_type
from opc.frontend.models.parts import sliced
from opc.frontend.models.random import (
    LONG,
    WORD,
    Words,
    drawn_classes,
    first_classes,
    halves,
    philox,
)
from opc.frontend.models.traced import NodeTrace

from .layer import Layer
from .schema import openvino

WORD16 = el.BY_NAME["ui16"]
MANTISSAS = {el.F16: (10, WORD16), el.BF16: (7, WORD16), el.F32: (23, WORD), el.F64: (52, LONG)}
"""The mantissa bits of each type, and the integer of its width."""


def _seeds(layer: Layer) -> tuple[int, int]:
    """The seeds of the model and of the layer."""
    seeds = (layer.attr("global_seed"), layer.attr("op_seed"))
    if any(not 0 <= seed < 1 << 64 for seed in seeds):
        raise layer.error(f"seeds {list(seeds)}, expected integers of 64 bits")
    return seeds


def _blocks(layer: Layer, count: ex.Expr, seeds: tuple[int, int]) -> Words:
    """Four words for each of so many blocks."""
    trace = NodeTrace(layer)
    upper, lower = halves(trace.positions(count).astype(LONG))
    words = [trace.constant(seed >> by & 0xFFFFFFFF, WORD) for seed in seeds for by in (0, 32)]
    return philox((lower, upper, words[2], words[3]), (words[0], words[1]))


def _listed(layer: Layer, parts: list[Any], count: ex.Expr, total: ex.Expr) -> SSAValue:
    """The words of all blocks in order, the first ``total`` of them."""
    lines = [layer.reshape(part.value, (count, 1)) for part in parts]
    flat = layer.reshape(layer.add(ConcatOp(*lines, axis=1)), (count * len(parts),))
    return layer.reshape(sliced(layer, flat, [0], [(0, total, 1)]), (total,))


def _integers(layer: Layer, shape: Shape, type: el.ElementType) -> SSAValue:
    """Integers of 32 or 64 bits, without a sign; of f64 the first word is the upper one."""
    seeds, total = _seeds(layer), ex.product(shape)
    is_long = type in (el.F64, el.I64)

    def long(w0: Any, w1: Any) -> Any:
        low, high = (w1, w0) if type is el.F64 else (w0, w1)
        return high.astype(LONG) * (1 << 32) + low.astype(LONG)

    if not any(seeds):
        w0, w1, _, _ = layer.stream().words(layer, (total,))
        return (long(w0, w1) if is_long else w0).value
    per_block = 2 if is_long else 4
    count = ex.floordiv(total + (per_block - 1), per_block)
    w0, w1, w2, w3 = _blocks(layer, count, seeds)
    if is_long:
        return _listed(layer, [long(w0, w1), long(w2, w3)], count, total)
    return _listed(layer, [w0, w1, w2, w3], count, total)


@openvino("RandomUniform", 8)
def uniform(layer: Layer) -> SSAValue:
    """RandomUniform-8 --> numbers in [low, high)."""
    type: el.ElementType = layer.attr("output_type")
    shape = layer.extents(0)
    if layer.attr("alignment") != "tensorflow" and any(_seeds(layer)):
        raise layer.unsupported(f"alignment {layer.attr('alignment')} is not supported")
    low, high = (layer.cast(layer.scalar(k), type) for k in (1, 2))
    extent = layer.binary("sub", high, low)
    bits = _integers(layer, shape, type)
    if type.is_integer:
        wide = LONG if type is el.I64 else WORD
        rest = layer.add(b.ModOp(bits, layer.cast(extent, wide)))
        result = layer.binary("add", layer.cast(rest, type), low)
        return layer.reshape(result, shape)
    count, word = MANTISSAS[type]
    one = int(np.ones((), type.dtype).view(word.dtype))
    mantissa = layer.add(
        b.BitwiseAndOp(layer.cast(bits, word), layer.constant((1 << count) - 1, word))
    )
    above = layer.add(b.BitwiseOrOp(mantissa, layer.constant(one, word)))
    wanted = tensor_type(type, shape_of(tensor_of(above)))
    number = layer.add(u.BitcastOp(above, result_type=wanted))
    number = layer.scaled("add", number, -1.0)
    result = layer.binary("add", layer.binary("mul", number, extent), low)
    return layer.reshape(result, shape)


@openvino("Multinomial", 13)
def multinomial(layer: Layer) -> SSAValue:
    """Multinomial-13 --> the drawn classes of each row, with or without replacement."""
    shape = layer.shape()
    (count,) = layer.extents(1)
    if len(shape) != 2:
        raise layer.error(f"probabilities {shape_text(shape)}")
    model, own = _seeds(layer)
    seed = layer.constant((model << 32 ^ own) % (1 << 64), LONG) if model or own else None
    x = layer.precise(layer[0])
    trace = NodeTrace(layer)
    shares = trace.array(x)
    is_log, stream = layer.attr("log_probs"), layer.stream(seed)
    if layer.attr("with_replacement"):
        if is_log:
            shares = np.exp(shares - np.max(shares, axis=1, keepdims=True))
        chosen = drawn_classes(layer, shares.value, count, stream)
    else:
        layer.require("within", count, shape[1], "more classes are drawn than there are")
        logs = x if is_log else layer.add(u.LogOp(x))
        chosen = first_classes(layer, layer.op, layer.cast(logs, el.F64), count, stream)
    return layer.cast(chosen, layer.attr("convert_type"))
