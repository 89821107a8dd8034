"""Operators that make tensors of numbers."""

from __future__ import annotations

from typing import Any

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.torch.node import Node, aten


def full_of(node: Node, value: Any) -> Any:
    """A number in the shape and type of the result."""
    return node.stretched(node.as_type(value, node.kind()), node.shape_of_result())


@aten("full", "full_like", "fill.Scalar", "fill.Tensor")
def full(shape: Any, value: Any, *, node: Node, dtype: Any = None) -> Any:
    """A number in a shape, or in that of an array."""
    return full_of(node, value)


@aten("scalar_tensor")
def scalar(value: Any, *, node: Node, dtype: Any = None) -> Any:
    """A number as a tensor."""
    return full_of(node, value)


@aten("empty.memory_format", "empty_strided", "new_empty", "empty_permuted")
def empty(*shape: Any, node: Node, dtype: Any = None) -> Any:
    """Zeros: PyTorch leaves the elements open."""
    return full_of(node, 0)


@aten("arange.start_step")
def arange(start: Any, stop: Any, step: Any = 1, *, node: Node, dtype: Any = None) -> Any:
    """start + step * k, computed in i64, in which numbers are cut off, or in f64."""
    (count,) = node.shape_of_result()
    type = el.I64 if node.kind().is_whole else el.F64
    line = node.trace.positions(ex.Expr.of(count)).astype(type)
    line = line * node.number(step, type) + node.number(start, type)
    return line.astype(node.kind())
