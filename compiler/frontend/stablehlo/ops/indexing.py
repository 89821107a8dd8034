"""Operations that move elements to computed places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.traced import extended, gathered, lined
from opc.frontend.stablehlo.node import Node, operation

REDUCTIONS = {
    "stablehlo.add": "add",
    "stablehlo.multiply": "mul",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
}
OF_BOOLEANS = {
    **{f"stablehlo.{name}": "max" for name in ("add", "or", "maximum")},
    **{f"stablehlo.{name}": "min" for name in ("multiply", "and", "minimum")},
}


def clamped(start: Any, extent: ex.Expr, size: ex.Expr) -> Any:
    """A start, i64, so that ``size`` elements from there are inside of an axis."""
    return onp.minimum(onp.maximum(start.astype("i64"), 0), start.trace.number(extent - size))


@operation("dynamic_slice")
def dynamic_slice(x: Any, *starts: Any, node: Node) -> Any:
    """The part of x that begins at computed places, moved so that it is inside."""
    sizes: list[int] = node.attributes.get("sizes") or node.attr("slice_sizes")
    for axis, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        if x.extents[axis] != size:
            first = clamped(start, x.extents[axis], ex.const(size))
            places = first + node.trace.positions(ex.const(size))
            x = node.trace.emit(GatherOp, x, places, axes=[axis], from_end=False)
    return x


@operation("dynamic_update_slice")
def dynamic_update_slice(x: Any, update: Any, *starts: Any, node: Node) -> Any:
    """x with a part replaced that begins at computed places, moved so that it is inside."""
    axes = [k for k in range(x.ndim) if x.extents[k] != update.extents[k]]
    if not axes:
        return update
    places = [
        clamped(starts[k], x.extents[k], update.extents[k])
        + lined(node.trace.positions(update.extents[k]), n, len(axes))
        for n, k in enumerate(axes)
    ]
    before = list(range(axes[0]))
    after = [k for k in range(axes[0], x.ndim) if k not in axes]
    update = update.transpose([*before, *axes, *after])
    return node.trace.emit(ScatterOp, x, update, *places, axes=axes, from_end=False)


@dataclass(frozen=True)
class Slices:
    """Slices of an array at index vectors, by the dimension numbers of gather and scatter.

    Axes that no slice takes as a whole have a place for each element: i64 arrays [batch...,
    extents of a slice along ``partial`` axes].
    """

    batch: list[ex.Expr]
    """The extents of the index vectors."""
    full: list[int]
    """The axes that each slice takes as a whole."""
    partial: list[int]
    """Other axes that slices have."""
    places: dict[int, Any]
    """Axis --> places."""
    shape: list[ex.Expr]
    """The extents that all places have together."""


NAMES = {
    "gather": ("collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
               "start_index_map"),
    "scatter": ("inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
                "scatter_dims_to_operand_dims"),
}  # fmt: skip
"""The dimension numbers of axes that slices lack, of batch axes of arrays and of indices, and of
the axes that index vectors are about; those that the text leaves out are none."""


def slices_at(
    node: Node,
    x: Any,
    indices: Any,
    numbers: dict[str, Any],
    kind: str,
    sizes: Sequence[ex.Expr],
) -> Slices:
    """Slices of x, whose sizes a gather has for all axes, a scatter for those that slices have.

    Slices of a gather are moved so that they are inside.
    """
    collapsed, batched, of_indices, mapped = (numbers.get(name, []) for name in NAMES[kind])
    vector: int = numbers.get("index_vector_dim", 0)
    kept = [k for k in range(x.ndim) if k not in (*collapsed, *batched)]
    moves = kind == "gather"
    length = dict(zip(kept, [sizes[k] for k in kept] if moves else sizes, strict=True))
    full = [k for k in kept if x.extents[k] == length[k] and (moves or k not in mapped)]
    partial = [k for k in kept if k not in full]
    starts, batch = split_indices(indices, vector, len(partial))
    rank = len(batch) + len(partial)
    places: dict[int, Any] = {}
    for k in (k for k in range(x.ndim) if k not in full):
        place = node.trace.constant(0, el.I64)
        if k in mapped:
            place = starts[mapped.index(k)]
            if moves:
                place = clamped(place, x.extents[k], length.get(k, ex.const(1)))
        if k in batched:
            axis: int = of_indices[batched.index(k)]
            axis -= vector < axis
            place = lined(node.trace.positions(batch[axis]), axis, rank)
        if k in partial:
            along = node.trace.positions(length[k])
            place = place + lined(along, len(batch) + partial.index(k), rank)
        places[k] = place
    return Slices(batch, full, partial, places, [*batch, *(length[k] for k in partial)])


def split_indices(indices: Any, vector: int, rank: int) -> tuple[list[Any], list[ex.Expr]]:
    """The components of index vectors in i64, with ``rank`` axes of 1 behind, and their shape."""
    if indices.element.kind == "unsigned":
        indices = onp.minimum(indices, (1 << min(indices.element.bits, 63)) - 1)
    indices = indices.astype("i64")
    if vector == indices.ndim:
        indices = indices[..., None]
    indices = onp.moveaxis(indices, vector, -1)
    batch = list(indices.extents[:-1])
    count = indices.extents[-1].constant or 0
    return [indices[..., k].reshape([*batch, *[1] * rank]) for k in range(count)], batch


@operation("gather", "dynamic_gather")
def gather(x: Any, indices: Any, sizes: Any = None, *, node: Node) -> Any:
    """Slices of x at index vectors, moved so that they are inside."""
    numbers: dict[str, Any] = node.attr("dimension_numbers")
    stated = node.extents(2) if sizes is not None else node.attr("slice_sizes")
    at = slices_at(node, x, indices, numbers, "gather", list(map(ex.Expr.of, stated)))
    own = [("batch", n) for n in range(len(at.batch))] + [("axis", k) for k in at.partial]
    if at.places:
        # The first place has all extents, so that the result has them.
        first, *places = at.places.values()
        places = [onp.broadcast_to(first, at.shape), *places]
        x = node.trace.emit(GatherOp, x, *places, axes=list(at.places), from_end=False)
        before = sum(k < min(at.places) for k in at.full)
    else:
        x = onp.broadcast_to(x, [*at.batch, *x.extents])
        before = 0
    others = [("axis", k) for k in at.full]
    have = [*others[:before], *own, *others[before:]]
    kept = iter(sorted(label for label in have if label[0] == "axis"))
    batches = iter(own[: len(at.batch)])
    offsets = numbers.get("offset_dims", [])
    wanted = [next(kept) if k in offsets else next(batches) for k in range(len(have))]
    return x.transpose([have.index(label) for label in wanted])


@operation("scatter")
def scatter(*arrays: Any, node: Node) -> list[Any]:
    """Operands with updates at index vectors; what is outside of them is left out."""
    numbers: dict[str, Any] = node.attr("scatter_dimension_numbers")
    count = len(arrays) // 2
    operands, indices, updates = arrays[:count], arrays[count], arrays[count + 1 :]
    x, update, windows = operands[0], updates[0], numbers.get("update_window_dims", [])
    sizes = [update.extents[axis] for axis in windows]
    at = slices_at(node, x, indices, numbers, "scatter", sizes)
    flat: Any = node.trace.constant(0, el.I64)
    inside: Any = node.trace.constant(True, el.I1)
    for k, place in at.places.items():
        extent = node.trace.number(x.extents[k])
        inside = inside & (place >= 0) & (place < extent)
        flat = flat * extent + place
    size, rows = ex.product([x.extents[k] for k in at.places]), ex.product(at.shape)
    flat = onp.broadcast_to(onp.where(inside, flat, -1), at.shape).reshape([rows])
    order, rest = [*at.places, *at.full], [x.extents[k] for k in at.full]
    scatters = [k for k in range(update.ndim) if k not in windows]
    axis_of_update = dict(zip(sorted((*at.partial, *at.full)), windows, strict=True))
    of_update = [*scatters, *(axis_of_update[k] for k in (*at.partial, *at.full))]
    flats = [v.transpose(order).reshape([size, *rest]) for v in operands]
    news = [v.transpose(of_update).reshape([rows, *rest]) for v in updates]
    results = scattered(node, flats, flat, news, 0)
    shape, back = [x.extents[k] for k in order], [order.index(k) for k in range(x.ndim)]
    return [v.reshape(shape).transpose(back) for v in results]


def scattered(
    node: Node, operands: Sequence[Any], places: Any, updates: Sequence[Any], body: int
) -> list[Any]:
    """Rows of operands [P, ...] combined with updates [N, ...] at places [N]; -1 is no place."""
    size = operands[0].extents[0]
    name = node.only_operator(body)
    type = operands[0].element
    # One more row takes the updates that have no place.
    places = onp.where(places < 0, node.trace.number(size), places)
    padded = [extended(v, 0, 0, 1) for v in operands]
    how = (OF_BOOLEANS if type is el.I1 else REDUCTIONS).get(name or "")
    block = node.op.bodies[body].block
    end = block.last_op
    yielded = [] if end is None or end is not block.first_op else list(end.operands)
    replaces = yielded == list(block.args[len(operands) :])
    if replaces:
        how = "none"
    if how is not None and (replaces or (len(operands) == 1 and not type.is_small)):
        results: list[Any] = []
        for v, u in zip(padded, updates, strict=True):
            if type is el.I1 and not replaces:
                v, u = v.astype("i8"), u.astype("i8")
            options: dict[str, Any] = {"axes": [0], "reduction": how, "from_end": False}
            results.append(node.trace.emit(ScatterOp, v, u, places, **options).astype(type))
    else:
        results = in_turn(node, padded, places, updates, body)
    return [v[: node.trace.size(size)] for v in results]


def in_turn(
    node: Node, operands: Sequence[Any], places: Any, updates: Sequence[Any], body: int
) -> list[Any]:
    """Rows combined with updates one after the other, by the body."""
    half = len(operands)

    def step(*arguments: Any) -> tuple[Arrays, Arrays]:
        values, place, news = arguments[:half], arguments[half], arguments[half + 1 :]
        rows = node.body(body, [*(gathered(v, [0], place) for v in values), *news])
        return [
            place.trace.emit(ScatterOp, v, row, place, axes=[0], from_end=False)
            for v, row in zip(values, rows, strict=True)
        ], []

    results, _ = scan(places.extents[0], operands, [places, *updates], [], step)
    return results
