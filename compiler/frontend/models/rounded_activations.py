"""Matrix products that round their activations to 8 bits, where the caller asks for that.

::

    s = max |a| * (1 / 127),  q = round(a / s)    of 8 bits, for each row and block
    y = sum over blocks of ((sum of q w - sum of q * zero) * scale) * s

The inner parentheses hold an exact integer; the outer sum is a chain (docs/numerics.md).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.named import has_form
from opc.dialects.opc.binary import MulOp, SubOp
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import SliceOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import element, shape_of, tensor_of

from .parts import filled
from .quantization import is_whole

BLOCK = 32
"""Values of a row that share a scale where weights have one scale for more of them."""
MOVES = (BroadcastOp, ReshapeOp, SliceOp, TransposeOp)


def takes_integers(x: Any) -> bool:
    """Whether the caller asks for products of integers, and x is in f32."""
    return has_form(x.trace.node.at, "activations") and x.element is el.F32


def matmul(x: Any, w: Any) -> Any:
    """opc.matmul, or ``product`` if the caller asks for it and w is dequantized."""
    parts = _weights(w) if takes_integers(x) and not _is_dequantized(x) else None
    if parts is None or x.extents[-1] != w.extents[0]:
        return x.trace.emit(MatmulOp, x, w)
    return product(x, *parts)


def product(x: Any, weights: Any, scales: Any, zeros: Any) -> Any:
    """x [..., K] times (weights - zeros) * scales; weights are [blocks, block, N], without signs.

    Scales and zeros broadcast to [blocks, 1, N]; zeros may be None.
    """
    node, (blocks, block, columns) = x.trace.node, weights.extents
    inner = x.extents[-1]
    none = node.constant(0, el.F32)
    a = filled(node, x.reshape(-1, inner).value, 1, 0, blocks * block - inner, none)
    a = x.trace.array(a).reshape(-1, blocks, block)
    s = onp.max(onp.abs(a), axis=2, keepdims=True) * float(np.float32(1 / 127))
    q = onp.round(a / s).astype("int8").astype("int32")
    sums = onp.swapaxes(q, 0, 1) @ weights.astype("uint8").astype("int32")
    if zeros is not None:
        total = onp.swapaxes(onp.sum(q, axis=2, keepdims=True).astype("int32"), 0, 1)
        sums = sums - total * zeros.astype("int32")
    y = onp.transpose(sums.astype("float32") * scales.astype("float32"), (1, 2, 0)) @ s
    return y.reshape(*x.shape[:-1], columns)


def _is_dequantized(x: Any) -> bool:
    """Whether x is integers with a scale, maybe moved: its product is one of integers anyway."""
    op = x.value.owner
    while isinstance(op, MOVES):
        op = op.operands[0].owner
    if not isinstance(op, MulOp):
        return False
    centred = op.operands[0].owner
    centred = centred.operands[0].owner if isinstance(centred, SubOp) else centred
    return isinstance(centred, CastOp) and is_whole(element(tensor_of(centred.operands[0])))


def _weights(w: Any) -> tuple[Any, Any, Any] | None:
    """The weights, scales and zeros of ``product`` that a matrix is made of; None if of others."""
    is_turned = isinstance(w.value.owner, TransposeOp)
    op = w.value.owner.operands[0].owner if is_turned else w.value.owner
    if not isinstance(op, MulOp) or w.ndim != 2 or w.element is not el.F32 or w.extents[0] == 0:
        return None
    centred, scale = op.operands
    zero = None
    if isinstance(centred.owner, SubOp):
        centred, zero = centred.owner.operands
    axis, trace = int(is_turned), w.trace
    q = _integers(trace, centred)
    zeros = None if zero is None else _integers(trace, zero)
    if q is None or q.ndim != 2 or (zero is not None and zeros is None):
        return None
    is_known = isinstance(q.value.owner, ConstantOp)
    parts = [_by_block(trace.array(scale), axis), None if zeros is None else _by_block(zeros, axis)]
    sizes = {part[1] for part in parts if part and part[1] is not None}
    is_missing = parts[0] is None or (zeros is not None and parts[1] is None)
    if not is_known or is_missing or len(sizes) > 1:
        return None
    (block,) = sizes or {BLOCK}
    inner, columns = (q.extents[k] for k in (axis, 1 - axis))
    blocks = ex.floordiv(inner + block - 1, block)
    none = trace.node.constant(0, q.element)
    q = trace.array(filled(trace.node, q.value, axis, 0, blocks * block - inner, none))
    if is_turned:
        q = onp.transpose(q.reshape(columns, blocks, block), (1, 2, 0))
    scales, zeros = (part and part[0] for part in parts)
    q = q.reshape(blocks, block, columns)
    if "signed" not in (q.element.kind, q.element.small):
        return q, scales, zeros
    # Processors multiply numbers with a sign, as those of x, by such without one.
    shift = trace.constant(1 << (q.element.bits - 1), el.BY_NAME["i32"])
    if zeros is None:
        return _raised(q, shift), scales, shift
    is_same = zeros.element is q.element
    zeros = _raised(zeros, shift) if is_same else zeros.astype("int32") + shift
    return _raised(q, shift), scales, zeros


def _raised(x: Any, by: Any) -> Any:
    """Signed numbers and half of the range of their type, without a sign."""
    return (x.astype("int32") + by).astype(f"u{x.element.name}")


def _integers(trace: Any, x: SSAValue) -> Any:
    """The integers of 8 bits or fewer that x in f32 is; None if it is none."""
    op = x.owner
    if isinstance(op, CastOp):
        type = element(tensor_of(op.operands[0]))
        return trace.array(op.operands[0]) if is_whole(type) and type.bits <= 8 else None
    if not isinstance(op, ConstantOp):
        return None
    # Casts of small constants are constants.
    values = op.array()
    for type in map(el.BY_NAME.__getitem__, ("i8", "ui8")):
        if np.array_equal(values, values.astype(type.dtype)):
            return trace.constant(values, type)
    return None


def _by_block(x: Any, axis: int) -> tuple[Any, int | None] | None:
    """x in the shape [blocks, 1, N], and the block; None of a block if there is one for all.

    x broadcasts to a matrix, of which ``axis`` is contracted.  None if x differs inside of blocks.
    """
    own = x.ndim - 2 + axis
    if x.ndim == 0:
        return x, None
    if own < 0 or x.extents[own] == 1:
        return x.reshape(1, 1, -1), None
    op = x.value.owner
    op = op.operands[0].owner if isinstance(op, SliceOp) else op
    spread = op.operands[0].owner if isinstance(op, ReshapeOp) else None
    if not isinstance(spread, BroadcastOp) or x.ndim != 2:
        return None
    source = x.trace.array(spread.operands[0])
    block = shape_of(spread.type)[axis + 1].constant if source.ndim == 3 else None
    if block is None or source.extents[axis + 1] != 1:
        return None
    by_block = source if axis == 0 else onp.transpose(source, (1, 2, 0))
    return by_block, block
