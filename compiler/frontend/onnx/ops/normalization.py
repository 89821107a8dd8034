"""Normalization operators and Dropout.

f16 and bf16 are computed in f32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.binary import EqualOp, PowOp, WhereOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.reduction import ReduceL1Op, ReduceL2Op, ReduceMeanOp
from opc.dialects.opc.unary import ReciprocalOp, SqrtOp
from opc.dialects.shape import type_text
from opc.frontend.models.known import Known
from opc.frontend.models.moving import sums_around
from opc.frontend.models.op_builder import Result

from .node import Node
from .schema import element_numbered, onnx


def wide(type: el.ElementType) -> el.ElementType:
    """The accumulation type."""
    return el.F32 if type.is_small_float else type


def mean(node: Node, x: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The mean over axes, which are kept with extent 1."""
    return node.add(ReduceMeanOp(x, axes=tuple(axes), keepdims=True))


def moments(
    node: Node, x: SSAValue, axes: Sequence[int], epsilon: float
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """x - mean, the mean, and sqrt(variance + epsilon)."""
    middle = mean(node, x, axes)
    centred = node.binary("sub", x, middle)
    variance = mean(node, node.binary("mul", centred, centred), axes)
    return centred, middle, node.add(SqrtOp(node.scaled("add", variance, epsilon)))


def per_channel(node: Node, position: int, rank: int, type: el.ElementType) -> SSAValue:
    """A vector over channels (axis 1), shaped to broadcast to ``rank``."""
    value, extents = node.cast(node[position], type), node.shape(position)
    if len(extents) != 1:
        raise node.error(f"input {position} must be 1-D, found {type_text(node[position].type)}")
    return node.reshape(value, (extents[0], *[ex.const(1)] * (rank - 2)))


def stash(node: Node) -> el.ElementType:
    """The element type of mean and deviation, a lower bound of the first stage's."""
    number = node.attr("stash_type")
    type = element_numbered(number)
    if type not in (el.F32, el.BF16, el.F64, el.F16):
        raise node.error(f"attribute stash_type is {number}, which is not a floating-point type")
    return type


def stage_one(node: Node) -> el.ElementType:
    """The element type of the first stage."""
    return max((wide(stash(node)), wide(node.element())), key=lambda t: t.bits)


@onnx("LayerNormalization", 17)
def layer(node: Node) -> tuple[Result | None, ...]:
    """LayerNormalization(x, scale, b) --> (x - mean) / deviation * scale + b."""
    rank = len(node.shape())
    axes = range(node.axis(node.attr("axis"), rank), rank)
    type, saved = stage_one(node), stash(node)
    centred, middle, deviation = moments(node, node.cast(node[0], type), axes, node.attr("epsilon"))
    y = node.binary("div", centred, deviation)
    y = node.binary("mul", y, node.cast(node[1], type))
    if node.has(2):
        y = node.binary("add", y, node.cast(node[2], type))
    extra: list[Result | None] = [None, None]
    count = len(node.op.outputs)
    if count > 1:
        extra[0] = node.cast(middle, saved)
    if count > 2:
        extra[1] = node.cast(node.add(ReciprocalOp(deviation)), saved)
    return (node.cast(y, node.element()), *extra[: max(count - 1, 0)])


@onnx("RMSNormalization", 23)
def root_mean_square(node: Node) -> Result:
    """RMSNormalization(x, scale) --> x / sqrt(mean(x * x) + epsilon) * scale."""
    rank = len(node.shape())
    axes = range(node.axis(node.attr("axis"), rank), rank)
    type = stage_one(node)
    x = node.cast(node[0], type)
    square = mean(node, node.binary("mul", x, x), axes)
    y = node.binary("div", x, node.add(SqrtOp(node.scaled("add", square, node.attr("epsilon")))))
    return node.cast(node.binary("mul", y, node.cast(node[1], type)), node.element(1))


def trained_batch(node: Node) -> tuple[Result | None, ...]:
    """BatchNormalization --> by the moments of x, and updated running moments."""
    rank = len(node.shape())
    if rank < 2:
        raise node.error(f"expected axes for batch and channels, found {type_text(node[0].type)}")
    type = max(map(wide, map(node.element, range(5))), key=lambda t: t.bits)
    x = node.cast(node[0], type)
    axes = [k for k in range(rank) if k != 1]
    centred, middle, deviation = moments(node, x, axes, node.attr("epsilon"))
    scale, bias, *before = (per_channel(node, k, rank, type) for k in range(1, 5))
    y = node.binary("add", node.binary("mul", node.binary("div", centred, deviation), scale), bias)
    variance = mean(node, node.binary("mul", centred, centred), axes)
    momentum, results = node.attr("momentum"), [node.cast(y, node.element())]
    for old, now, k in zip(before, (middle, variance), (3, 4), strict=True):
        kept = node.scaled("mul", old, momentum)
        new = node.binary("add", kept, node.scaled("mul", now, 1 - momentum))
        results.append(node.cast(node.reshape(new, node.shape(k)), node.element(k)))
    return tuple(results[: len(node.op.outputs)])


@onnx("BatchNormalization", 1, 6, 7, 9, 14, 15)
def batch(node: Node) -> Result | tuple[Result | None, ...]:
    """BatchNormalization(x, scale, b, mean, var) --> (x - mean) / sqrt(var + eps) * scale + b."""
    training = (
        not node.attr("is_test")
        if node.since < 7
        else (node.since >= 14 and bool(node.attr("training_mode")))
    )
    outputs = len(node.op.outputs)
    if training and node.since >= 14:
        return trained_batch(node)
    if training or outputs > 1:
        raise node.unsupported(
            "training mode is not supported; export the model for inference"
            + (", with is_test = 1" if node.since < 7 else "")
        )
    type, rank = wide(node.element()), len(node.shape())
    spatial = node.since >= 9 or bool(node.attr("spatial"))
    if spatial and rank < 2:
        raise node.error(f"expected axes for batch and channels, found {type_text(node[0].type)}")
    scale, bias, middle, variance = (
        per_channel(node, k, rank, type) if spatial else node.cast(node[k], type)
        for k in range(1, 5)
    )
    x = node.binary("sub", node.cast(node[0], type), middle)
    deviation = node.add(SqrtOp(node.scaled("add", variance, node.attr("epsilon"))))
    y = node.binary("mul", node.binary("div", x, deviation), scale)
    return node.cast(node.binary("add", y, bias), node.element())


@onnx("InstanceNormalization", 1, 6, 22)
def instance(node: Node) -> Result:
    """InstanceNormalization(x, scale, b) --> (x - mean) / deviation * scale + b per channel."""
    type, rank = wide(node.element()), len(node.shape())
    if rank < 3:
        raise node.error(f"expected rank 3 or more, found {type_text(node[0].type)}")
    x = node.cast(node[0], type)
    centred, _, deviation = moments(node, x, range(2, rank), node.attr("epsilon"))
    scale, bias = (per_channel(node, k, rank, type) for k in (1, 2))
    y = node.binary("mul", node.binary("div", centred, deviation), scale)
    return node.cast(node.binary("add", y, bias), node.element())


@onnx("GroupNormalization", 18, 21)
def group(node: Node) -> Result:
    """GroupNormalization(x, scale, bias) --> InstanceNormalization over groups of channels.

    Scale and bias are per group in version 18 and per channel since 21.
    """
    shape, groups = node.shape(), node.attr("num_groups")
    if len(shape) < 2 or groups < 1:
        raise node.error(f"num_groups is {groups}, for {type_text(node[0].type)}")
    type = stage_one(node) if node.since >= 21 else wide(node.element())
    node.require("divides", shape[1], ex.const(groups), "channels do not make whole groups")
    inner = ex.floordiv(shape[1], ex.const(groups))
    split = (shape[0], ex.const(groups), inner, *shape[2:])
    x = node.reshape(node.cast(node[0], type), split)
    centred, _, deviation = moments(node, x, range(2, len(split)), node.attr("epsilon"))
    y = node.binary("div", centred, deviation)
    values = [node.cast(node[k], type) for k in (1, 2)]
    if node.since < 21:
        scale, bias = (node.reshape(v, (groups, *[1] * (len(split) - 2))) for v in values)
        y = node.binary("add", node.binary("mul", y, scale), bias)
        return node.cast(node.reshape(y, shape), node.element())
    scale, bias = (node.reshape(v, (shape[1], *[1] * (len(shape) - 2))) for v in values)
    y = node.binary("add", node.binary("mul", node.reshape(y, shape), scale), bias)
    return node.cast(y, node.element())


@onnx("MeanVarianceNormalization", 9, 13)
def mean_variance(node: Node) -> Result:
    """MeanVarianceNormalization(x) --> (x - mean) / (sqrt(variance) + 1e-9)."""
    type = wide(node.element())
    axes = node.axes(node.attr("axes"), len(node.shape()))
    centred, _, deviation = moments(node, node.cast(node[0], type), axes, 0.0)
    y = node.binary("div", centred, node.scaled("add", deviation, 1e-9))
    return node.cast(y, node.element())


@onnx("LpNormalization", 1, 22)
def lp(node: Node) -> Result:
    """LpNormalization(x) --> x / norm, and 0 where the norm is 0."""
    p, type = node.attr("p"), wide(node.element())
    if p not in (1, 2):
        raise node.error(f"attribute p is {p}, expected 1 or 2")
    axis = node.axis(node.attr("axis"), len(node.shape()))
    x = node.cast(node[0], type)
    norm = node.add((ReduceL1Op if p == 1 else ReduceL2Op)(x, axes=(axis,), keepdims=True))
    zero = node.constant(0, type)
    y = node.add(WhereOp(node.add(EqualOp(norm, zero)), zero, node.binary("div", x, norm)))
    return node.cast(y, node.element())


@onnx("LRN", 1, 13)
def lrn(node: Node) -> Result:
    """LRN(x) --> x / (bias + alpha / size * sum of squares of ``size`` channels around)**beta."""
    size, type = node.attr("size"), wide(node.element())
    if size < 1 or len(node.shape()) < 2:
        raise node.error(f"attribute size is {size} for rank {len(node.shape())}")
    x = node.cast(node[0], type)
    squares = sums_around(node, node.binary("mul", x, x), [1], (size - 1) // 2, size // 2)
    scale = node.attr("alpha") / size
    norm = node.scaled("add", node.scaled("mul", squares, scale), node.attr("bias"))
    power = node.add(PowOp(norm, node.constant(node.attr("beta"), type)))
    return node.cast(node.binary("div", x, power), node.element())


@onnx("Dropout", 1, 6, 7, 10, 12, 13, 22)
def dropout(node: Node) -> tuple[Result | None, ...]:
    """Dropout(x) --> x, and a mask that is all true."""
    training = node.since < 7 and not node.attr("is_test")
    if node.since >= 12 and node.has(2):
        training = node.known_numbers(2) != [0] and not _drops_nothing(node)
    if training and node.since >= 12:
        from .random import dropout as trained

        return trained(node)
    if training:
        raise node.unsupported(
            "training mode is not supported; export the model for inference, with is_test = 1"
        )
    if len(node.op.outputs) < 2:
        return (node.value(0),)
    type = el.I1 if node.since >= 10 else node.element()
    return node.value(0), node.broadcast(node.constant(1, type), node.shape())


def _drops_nothing(node: Node) -> bool:
    """Whether the ratio, input 1, is the constant 0."""
    value = node.inputs[1] if node.has(1) else None
    if value is None or isinstance(value, Known) or not isinstance(value.owner, ConstantOp):
        return False
    return not value.owner.array().any()
