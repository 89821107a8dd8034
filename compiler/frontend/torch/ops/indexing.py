"""Operators that move elements to computed places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherElementsOp, GatherOp, ScatterElementsOp, ScatterOp
from opc.frontend.models.compaction import before
from opc.frontend.models.compaction import nonzero as places_of_nonzero
from opc.frontend.models.traced import gathered, not_empty
from opc.frontend.torch.node import Node, aten

I8 = el.BY_NAME["i8"]
UPDATES = {
    "replace": "none",
    "add": "add",
    "multiply": "mul",
    "sum": "add",
    "prod": "mul",
    "mean": "add",
    "amax": "max",
    "amin": "min",
}
"""How PyTorch and how opc name that an update is combined with an element."""
OF_TRUTH = {"add": "max", "mul": "min"}
"""The same of truth values, in i8."""


@aten("embedding")
def embedding(weights: Any, indices: Any, *options: Any, node: Node) -> Any:
    """The rows of a table at indices."""
    return node.emit(GatherOp, weights, indices, axes=[0], from_end=False)


@aten("index_select")
def index_select(x: Any, axis: int, indices: Any, *, node: Node) -> Any:
    """The parts of x at a list of indices of an axis."""
    if not x.ndim:
        return node.shaped(x, node.shape_of_result())
    return node.emit(GatherOp, x, indices.reshape((-1,)), axes=[axis], from_end=False)


@aten("gather")
def gather(x: Any, axis: int, indices: Any, sparse: bool = False, *, node: Node) -> Any:
    """For each index the element at its position, with the index along one axis."""
    if not x.ndim or not indices.ndim:
        x, indices = (v if v.ndim else v.reshape((1,)) for v in (x, indices))
    shape = node.shape_of_result()
    if 0 in shape:
        return node.trace.full(shape, 0, x.element)
    return node.shaped(node.emit(GatherElementsOp, x, indices, axis=axis, from_end=False), shape)


def indexed(x: Any, indices: Sequence[Any]) -> tuple[Any, list[int], list[Any], list[int]]:
    """x, its indexed axes, their indices in i64, and the order of axes that x now has.

    Indexed axes that are not neighbours come first.
    """
    axes = [k for k, place in enumerate(indices) if place is not None]
    order = list(range(x.ndim))
    if axes != list(range(axes[0], axes[0] + len(axes))):
        order = [*axes, *(k for k in order if k not in axes)]
        x, axes = onp.transpose(x, order), list(range(len(axes)))
    places = [place.astype(el.I64) for place in indices if place is not None]
    return x, axes, places, order


def without_masks(indices: Sequence[Any], node: Node) -> list[Any]:
    """Indices in which a mask of several axes is the indices of what is true along each."""
    result: list[Any] = []
    for place in indices:
        if place is None or place.element.is_integer:
            result.append(place)
            continue
        rows = places_of_nonzero(place)
        node.learn(rows.extents[1])
        result += [rows[k] for k in range(place.ndim)]
    return result


@aten("index.Tensor", "_unsafe_index.Tensor")
def index(x: Any, indices: Sequence[Any], *, node: Node) -> Any:
    """The parts of x at indices that broadcast, along some axes; some may be negative."""
    x, axes, places, _ = indexed(x, without_masks(indices, node))
    return node.emit(GatherOp, x, *places, axes=axes)


@aten("index_put", "_unsafe_index_put", "_index_put_impl")
def index_put(
    x: Any,
    indices: Sequence[Any],
    values: Any,
    accumulate: bool = False,
    unsafe: bool = False,
    *,
    node: Node,
) -> Any:
    """x with values at indices, replaced or added."""
    masks = [place for place in indices if place is not None and place.element is el.I1]
    axes = [k for k, place in enumerate(indices) if place is not None]
    if len(masks) == len(axes) == 1:
        return masked_put(x, axes[0], masks[0], values, accumulate, node)
    x, axes, places, order = indexed(x, without_masks(indices, node))
    wanted = node.emit(GatherOp, x, *places, axes=axes).extents
    values = node.stretched(values.astype(x.element), wanted)
    type, how = x.element, "add" if accumulate else "none"
    if type is el.I1:
        x, values, how = x.astype(I8), values.astype(I8), OF_TRUTH.get(how, how)
    y = node.emit(ScatterOp, x, values, *places, axes=axes, reduction=how).astype(type)
    back = [order.index(k) for k in range(x.ndim)]
    return onp.transpose(y, back) if order != sorted(order) else y


def masked_put(x: Any, axis: int, mask: Any, values: Any, accumulate: bool, node: Node) -> Any:
    """x with values where a mask of the axes from ``axis`` on is true, in order."""
    (*lead,), behind = x.extents[:axis], x.extents[axis + mask.ndim :]
    marks = node.shaped(mask, [*mask.extents, *[1] * len(behind)])
    rank = len(lead) + 1 + len(behind)
    values = node.shaped(values, [*[1] * (rank - values.ndim), *values.extents])
    count = values.extents[axis]
    if count != 1:
        size = ex.product(mask.extents)
        places = onp.minimum(before(node.shaped(mask, [size])), node.trace.number(count - 1))
        rows = gathered(not_empty(values, axis), [axis], onp.maximum(places, 0))
    else:
        rows = values
    spread = mask.extents if count != 1 else [1] * mask.ndim
    rows = node.shaped(rows, [*rows.extents[:axis], *spread, *rows.extents[axis + 1 :]])
    rows = rows.astype(x.element)
    return onp.where(marks, onp.add(x, rows) if accumulate else rows, x)


@aten("nonzero")
def nonzero(x: Any, *, node: Node) -> Any:
    """The indices of elements that are not zero, in rows; only a run knows how many."""
    y = onp.transpose(places_of_nonzero(x))
    node.learn(y.extents[0])
    return y


@aten("masked_scatter")
def masked_scatter(x: Any, mask: Any, source: Any, *, node: Node) -> Any:
    """x with the elements of ``source`` in order where the mask is true."""
    shape = node.shape_of_result()
    x, mask = (node.stretched(v, shape) for v in (x, mask))
    size = ex.product(shape)
    marks = node.shaped(mask, [size])
    flat = node.shaped(source, [ex.product(source.extents)])
    places = onp.minimum(before(marks), node.trace.number(flat.extents[0] - 1))
    taken = gathered(not_empty(flat, 0), [0], onp.maximum(places, 0))
    return node.shaped(onp.where(marks, taken, node.shaped(x, [size])), shape)


def scattered(x: Any, axis: int, places: Any, updates: Any, how: str, node: Node) -> Any:
    """x with updates at places along an axis; there are updates beyond those that have places."""
    shape, type = x.extents, x.element
    if type is el.I1:
        x, updates, how = x.astype(I8), updates.astype(I8), OF_TRUTH.get(how, how)
    x, places, updates = (v if v.ndim else v.reshape((1,)) for v in (x, places, updates))
    updates = updates[tuple(slice(node.trace.size(e)) for e in places.extents)]
    options: dict[str, Any] = {"axis": axis, "reduction": how, "from_end": False}
    y = node.emit(ScatterElementsOp, x, updates, places.astype(el.I64), **options)
    return node.shaped(y.astype(type), shape)


@aten("scatter.src", "scatter.value", "scatter.reduce", "scatter.value_reduce", computes=True)
def scatter(
    x: Any, axis: int, places: Any, updates: Any, *, node: Node, reduce: str = "replace"
) -> Any:
    """x with elements, or a number, at places along an axis, replaced or combined."""
    if not hasattr(updates, "trace"):
        updates = node.stretched(node.number(updates, x.element), places.extents)
    return scattered(x, axis, places, updates, UPDATES[reduce], node)


@aten("scatter_add", computes=True)
def scatter_add(x: Any, axis: int, places: Any, updates: Any, *, node: Node) -> Any:
    """x with elements added at places along an axis."""
    return scattered(x, axis, places, updates, "add", node)


@aten("scatter_reduce.two", computes=True)
def scatter_reduce(
    x: Any,
    axis: int,
    places: Any,
    updates: Any,
    reduce: str,
    *,
    node: Node,
    include_self: bool = True,
) -> Any:
    """x combined with elements at places along an axis, by sum, product, mean, maximum, minimum."""
    how = UPDATES[reduce]
    one = node.trace.full(x.extents, 1, el.I64)
    ones = node.trace.full(updates.extents, 1, el.I64)
    none = node.trace.full(x.extents, 0, el.I64)
    counts = scattered(one if include_self else none, axis, places, ones, "add", node)
    if not include_self:
        start = {"add": 0, "mul": 1, "max": x.element.lowest, "min": x.element.highest}[how]
        x = onp.where(counts > 0, node.number(start, x.element), x)
    y = scattered(x, axis, places, updates, how, node)
    if reduce == "mean":
        divisor = onp.maximum(counts, 1).astype(y.element)
        y = y / divisor if y.element.is_float else onp.floor_divide(y, divisor)
    return y


@aten("embedding_dense_backward", computes=True)
def embedding_gradient(
    gradient: Any, indices: Any, count: Any, padding: int, by_frequency: bool, *, node: Node
) -> Any:
    """The gradients of rows, added up; that of the row ``padding`` is 0."""
    size = ex.product(indices.extents)
    places, rows = indices.reshape((size,)), gradient.reshape((size, gradient.extents[-1]))
    if by_frequency:
        none, ones = (node.trace.full((n,), k, rows.element) for n, k in ((count, 0), (size, 1)))
        how: dict[str, Any] = {"axes": [0], "reduction": "add", "from_end": False}
        often = node.emit(ScatterOp, none, ones, places, **how)
        rows = rows / gathered(often, [0], places).reshape((-1, 1))
    rows = onp.where((places == padding).reshape((-1, 1)), 0, rows)
    room = node.trace.full(node.shape_of_result(), 0, rows.element)
    return node.emit(ScatterOp, room, rows, places, axes=[0], reduction="add", from_end=False)


@aten("_embedding_bag", "_embedding_bag_forward_only", computes=True)
def embedding_bag(
    weights: Any,
    indices: Any,
    offsets: Any,
    by_frequency: bool = False,
    mode: int = 0,
    sparse: bool = False,
    factors: Any = None,
    has_end: bool = False,
    padding: int = -1,
    *,
    node: Node,
) -> tuple[Any, ...]:
    """Sums (mode 0), means (1) or maxima (2) of rows of a table in bags that begin at offsets.

    The other results, which only gradients need, are left out.
    """
    (count, width), (length,) = node.shape_of_result(), indices.extents
    begun = offsets[: node.trace.size(count)].reshape((1, -1))
    begun = begun <= node.trace.positions(length).reshape((-1, 1))
    bags = onp.sum(begun.astype(el.I64), axis=1) - 1
    rows = gathered(weights, [0], indices)
    rows = rows if factors is None else rows * factors.reshape((-1, 1))
    # One more bag takes the rows that do not count.
    bags = onp.where(indices == padding, node.trace.number(count), bags)
    how = "max" if mode == 2 else "add"
    start = -math.inf if mode == 2 else 0
    options: dict[str, Any] = {"axes": [0], "from_end": False}
    room = node.trace.full((count + 1, width), start, rows.element)
    every = node.emit(ScatterOp, room, rows, bags, reduction=how, **options)
    none, ones = (node.trace.full((n,), k, el.I64) for n, k in ((count + 1, 0), (length, 1)))
    sizes = node.emit(ScatterOp, none, ones, bags, reduction="add", **options).reshape((-1, 1))
    if mode == 1:
        every = every / onp.maximum(sizes, 1).astype(rows.element)
    every = onp.where(sizes == 0, 0, every)
    return every[: node.trace.size(count)], None, None, None
