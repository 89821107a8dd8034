"""Normalizations of traced arrays, in their element type; callers widen f16 and bf16."""

from __future__ import annotations

from typing import Any

import opc.numpy as onp
from opc.dialects import expr as ex
from opc.dialects.shape import type_text

from .call import Call
from .traced import NodeTrace


def mean(x: Any, axes: Any) -> Any:
    """The mean over axes, numbers or a traced array; they are kept with extent 1."""
    return onp.mean(x, tuple(axes) if isinstance(axes, range) else axes, keepdims=True)


def moments(x: Any, axes: Any, epsilon: float) -> tuple[Any, Any, Any]:
    """x - mean, the mean, and sqrt(variance + epsilon)."""
    middle = mean(x, axes)
    centred = x - middle
    return centred, middle, onp.sqrt(mean(centred * centred, axes) + epsilon)


def by_stored_moments(
    x: Any, scale: Any, bias: Any, mean: Any, variance: Any, epsilon: float
) -> Any:
    """(x - mean) * (scale / sqrt(variance + epsilon)) + bias; scale and bias may be None.

    The factor is one number for each channel: no element is divided.
    """
    deviation = onp.sqrt(variance + epsilon)
    return affine(x - mean, (1.0 if scale is None else scale) / deviation, bias)


def by_root_mean_square(x: Any, axes: Any, epsilon: float) -> tuple[Any, Any]:
    """x divided by sqrt(mean(x * x) + epsilon), and that root."""
    root = onp.sqrt(mean(x * x, axes) + epsilon)
    return x / root, root


def groups_of(call: Call, channels: ex.Expr, groups: int) -> ex.Expr:
    """The extent of each group of channels."""
    if groups < 1:
        raise call.error(f"{groups} groups, for {type_text(call[0].type)}")
    call.require("divides", channels, ex.const(groups), "channels do not make whole groups")
    return ex.floordiv(channels, ex.const(groups))


def by_groups(call: Call, x: Any, axis: int, groups: int, epsilon: float) -> Any:
    """x normalized over each group of the channels along an axis.

    Behind the axis of groups, the result has one of their channels: [N, groups, C / groups, ...].
    """
    inner = x.trace.size(groups_of(call, x.extents[axis], groups))
    split = x.reshape(*x.shape[:axis], groups, inner, *x.shape[axis + 1 :])
    axes = tuple(k for k in range(1, split.ndim) if k != axis)
    centred, _, deviation = moments(split, axes, epsilon)
    return centred / deviation


def on_axis(x: Any, axis: int, rank: int) -> Any:
    """A vector as one axis of ``rank``, the other extents 1."""
    return x.reshape(*x.shape, *[1] * (rank - 1 - axis))


def per_channel(call: Call, trace: NodeTrace, position: int, rank: int, type: Any) -> Any:
    """An input over channels (axis 1), shaped to broadcast to ``rank``."""
    x = trace.array(call.cast(call[position], type))
    if x.ndim != 1:
        raise call.error(f"input {position} must be 1-D, found {type_text(call[position].type)}")
    return on_axis(x, 1, rank)


def affine(x: Any, scale: Any, bias: Any) -> Any:
    """x * scale + bias, a bias of None left out."""
    return x * scale if bias is None else x * scale + bias


def vector(call: Call, x: Any, extent: ex.Expr) -> Any:
    """A 1-D array that fits the last axis."""
    if x.ndim != 1:
        raise call.error(f"found an input of {x.ndim} axes, expected a list of numbers")
    call.require("equal", x.extents[0], extent, "a number for each of the last axis")
    return x
