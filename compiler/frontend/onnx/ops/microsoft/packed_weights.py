"""Weights of 2, 4 or 8 bits with scales per block, in products and lookups.

Weights are packed in bytes, the first value in the lowest bits.  Constants are unpacked at compile
time to integers of that width.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.named import has_form
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.movement import ConstantOp, ReshapeOp
from opc.dialects.shape import shape_text
from opc.frontend.models.quantization import dequantize, in_blocks
from opc.frontend.models.rounded_activations import product as product_of_rounded
from opc.frontend.models.traced import gathered, part, value

from ..node import Node
from ..schema import Result, onnx
from .fused import MS

UI8 = el.BY_NAME["ui8"]
UNSIGNED = {2: el.BY_NAME["ui2"], 4: el.BY_NAME["ui4"], 8: UI8}
"""Element types by width in bits."""

FP4 = (0.0, 1 / 192, 2 / 3, 1.0, 1 / 3, 1 / 2, 1 / 6, 1 / 4)
NF4 = (
    *(-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453),
    *(-0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0),
    *(0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224),
    *(0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0),
)
"""Tables of 4-bit values: floats without the sign, the high bit, and quantiles of the normal
distribution (T. Dettmers et al.: QLoRA, 2023)."""


def unpacked(x: Any, bits: int) -> Any:
    """Values of ``bits`` bits unpacked along the last axis, lowest bits first."""
    per, type = 8 // bits, UNSIGNED[bits]
    if per == 1:
        return x
    shape = (*x.extents[:-1], x.extents[-1] * per)
    if (owner := _constant(x)) is not None:
        shifts = np.arange(0, 8, bits, dtype=np.uint8)
        values = owner.array().astype(np.uint8)[..., None] >> shifts & ((1 << bits) - 1)
        own = values.reshape(*values.shape[:-2], -1)
        # Whoever reads these bytes, in whatever shape, has one constant.
        return x.trace.constant(own, type).reshape(shape)
    parts = [(x >> k * bits if k else x) & ((1 << bits) - 1) for k in range(per)]
    return onp.stack(parts, axis=-1).reshape(shape).astype(type)


def _constant(x: Any) -> ConstantOp | None:
    """The constant that an array is, in another shape; None if it is computed."""
    owner = x.value.owner
    while isinstance(owner, ReshapeOp):
        owner = owner.operands[0].owner
    return owner if isinstance(owner, ConstantOp) else None


def zero_points(node: Node, packed: Any, count: ex.Expr, bits: int) -> Any:
    """``count`` zero points along the last axis, unpacked; by default half of the range."""
    if packed is None:
        return node.trace.constant(1 << (bits - 1), el.F32)
    zeros = unpacked(packed, bits)
    return zeros if zeros.extents[-1] == count else part(zeros, zeros.ndim - 1, 0, count)


def width(node: Node, bits: int) -> int:
    """A width of packed weights; an error for others than 2, 4 and 8."""
    if bits not in UNSIGNED:
        raise node.unsupported(f"weights of {bits} bits, expected 2, 4 or 8")
    return bits


def _sizes(node: Node) -> tuple[int, int, int]:
    """N, K and the block length."""
    rows, inner, block = (node.at_least(name, 1) for name in ("N", "K", "block_size"))
    return rows, inner, block


def _shaped(node: Node, position: int, *extents: int) -> Any:
    """An input reshaped to these extents."""
    shape, count = node.shape(position), int(np.prod(extents))
    what = f"input {position} is {shape_text(shape)}, expected {count} elements"
    node.require("equal", ex.product(shape), ex.const(count), what)
    return node.traced(position).reshape(extents)


def _zeros(node: Node, rows: int, blocks: int, bits: int) -> Any:
    """The zero point of each block, [rows, blocks]."""
    if node.has(3) and node.element(3) is not UI8:
        return _shaped(node, 3, rows, blocks)
    packed = _shaped(node, 3, rows, -(-blocks * bits // 8)) if node.has(3) else None
    return zero_points(node, packed, ex.const(blocks), bits)


@onnx(f"{MS}MatMulNBits", 1)
def product(node: Node) -> Result:
    """MatMulNBits(a, b, scales, zeros) --> opc.matmul of a and (b - zeros) * scales, transposed."""
    bits, (rows, inner, block) = width(node, node.attr("bits")), _sizes(node)
    if node.attr("weight_prepacked"):
        raise node.unsupported("weights in a device-specific layout")
    blocks, type = -(-inner // block), node.wide()
    packed = _shaped(node, 1, rows, blocks, block * bits // 8)
    weights, scales = unpacked(packed, bits), _shaped(node, 2, rows, blocks)
    parts = [scales, _zeros(node, rows, blocks, bits)]
    if _takes_integers(node):
        scales, zeros = (
            onp.swapaxes(v, 0, 1).reshape(blocks, 1, rows) if v.ndim else v for v in parts
        )
        weights = onp.transpose(weights, (1, 2, 0))
        y = product_of_rounded(node.traced(0, el.F32), weights, scales, zeros)
        return value(node, y + node.traced(5, type) if node.has(5) else y)
    if node.has(4):
        # Input 4 has the block of each position.
        numbers = part(node.traced(4), 0, 0, inner)
        weights = part(weights.reshape((rows, blocks * block)), 1, 0, inner)
        parts = [_looked_up(v, 1, numbers) if v.ndim else v for v in parts]
    else:
        parts = [v.reshape((rows, blocks, 1)) if v.ndim else v for v in parts]
    matrix = dequantize(weights, parts[0], parts[1], type)
    matrix = matrix if node.has(4) else matrix.reshape((rows, blocks * block))
    matrix = matrix if matrix.extents[1] == inner else part(matrix, 1, 0, inner)
    y = node.traced(0, type) @ matrix.T
    return value(node, y + node.traced(5, type) if node.has(5) else y)


def _takes_integers(node: Node) -> bool:
    """Whether a product rounds its activations to 8 bits: the caller and the model ask for that.

    Scales must be those of neighbours, and zero points integers.
    """
    is_asked = node.attr("accuracy_level") == 4 and has_form(node.op, "activations")
    return is_asked and not node.has(4) and (not node.has(3) or node.element(3) is UI8)


@onnx(f"{MS}MatMulBnb4", 1)
def product_of_table(node: Node) -> Result:
    """MatMulBnb4(a, b, absmax) --> opc.matmul of a and table values scaled per block."""
    (rows, inner, block), kind = _sizes(node), node.choice("quant_type", 0, 1)
    count, type, trace = rows * inner, node.wide(), node.trace
    packed = _shaped(node, 1, (count + 1) // 2)
    halves = unpacked(packed, 4).reshape(((count + 1) // 2, 2))
    # The first value is in the high bits.
    numbers = onp.stack([halves[:, k] for k in (1, 0)], axis=1).reshape(-1)[:count]
    table = NF4 if kind else (*FP4, *(-v for v in FP4))
    values = gathered(
        trace.constant(np.array(table, np.float32), type), (0,), numbers.astype("int32")
    )
    blocks = -(-count // block)
    spread = in_blocks(_shaped(node, 2, blocks).astype(type), 0, block, ex.const(count))
    matrix = (values * spread).reshape(rows, inner)
    x = node.traced(0, type)
    return value(node, x @ (onp.swapaxes(matrix, 0, 1) if node.attr("transB") else matrix))


def _looked_up(x: Any, axis: int, numbers: Any) -> Any:
    return x.trace.emit(GatherOp, x, numbers, axes=(axis,), from_end=False)


@onnx(f"{MS}GatherBlockQuantized", 1)
def lookup(node: Node) -> Result:
    """GatherBlockQuantized(x, indices, scales, zeros) --> (x - zeros) * scales at the indices.

    An index out of range gives zeros.
    """
    element_type, is_packed = node.element(), node.element() is UI8
    bits, rank = (
        width(node, node.attr("bits")) if is_packed else element_type.bits,
        len(node.shape()),
    )
    axis, blocked = (node.axis(node.attr(f"{k}_axis"), rank) for k in ("gather", "quantize"))
    block, trace = node.attr("block_size"), node.trace
    if axis == blocked or (is_packed and axis == rank - 1):
        raise node.unsupported("a lookup along the axis of blocks")
    index, extent = node.traced(1, el.I64), trace.extent(node.shape()[axis])
    inside = (index >= -extent) & (index < extent)
    index = onp.clip(onp.where(index < 0, index + extent, index), 0, extent - 1)
    count = len(node.shape(1))
    moved = blocked + count - 1 if blocked > axis else blocked

    def at(position: int) -> Any:
        # A broadcast value is at 0; the product with zero keeps the axes of the indices.
        shape = node.ranked(position, rank)
        place = index * 0 if shape[axis] == 1 else index
        return _looked_up(node.traced(position), axis, place)

    x = node.traced(0)
    is_table = not is_packed or _constant(x) is not None
    x = unpacked(x, bits) if is_packed and is_table else x
    x = _looked_up(x, axis, index)
    x = x if is_table else unpacked(x, bits)
    length = x.extents[moved]
    block = block or (length.constant or 0)
    scales = in_blocks(at(2), moved, block, length)
    zeros = at(3) if node.has(3) else None
    if is_packed:
        zeros = zero_points(node, zeros, at(2).extents[-1], bits)
    if zeros is not None and node.has(3):
        zeros = in_blocks(zeros, moved, block, length)
    y = dequantize(x, scales, zeros, scales.element)
    extents = y.shape[axis : axis + count]
    shown = inside.reshape(*[1] * axis, *extents, *[1] * (y.ndim - axis - count))
    return onp.where(shown, y, 0)
