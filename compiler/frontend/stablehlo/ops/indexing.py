"""Operations that move elements to computed places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.frontend.models.bodies import Arrays, scan
from opc.frontend.models.traced import gathered
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


def clamped(node: Node, start: Any, extent: ex.Expr, size: ex.Expr) -> Any:
    """A start, i64, so that ``size`` elements from there are inside of an axis."""
    zero, last = node.constant_of(0, el.I64), node.trace.number(extent - size)
    return onp.minimum(onp.maximum(start.astype("i64"), zero), last)


def line(node: Node, extent: ex.Expr, axis: int, rank: int) -> Any:
    """0, 1, 2, ... along one axis of a rank."""
    shape = [extent if k == axis else ex.const(1) for k in range(rank)]
    return node.shaped(node.trace.positions(extent), shape)


@operation("dynamic_slice")
def dynamic_slice(x: Any, *starts: Any, node: Node) -> Any:
    """The part of x that begins at computed places, moved so that it is inside."""
    sizes: list[int] = node.attributes.get("sizes") or node.attr("slice_sizes")
    for axis, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        if x.extents[axis] != size:
            first = clamped(node, start, x.extents[axis], ex.const(size))
            places = first + node.trace.positions(ex.const(size))
            x = node.emit(GatherOp, x, places, axes=[axis], from_end=False)
    return x


@operation("dynamic_update_slice")
def dynamic_update_slice(x: Any, update: Any, *starts: Any, node: Node) -> Any:
    """x with a part replaced that begins at computed places, moved so that it is inside."""
    axes = [k for k in range(x.ndim) if x.extents[k] != update.extents[k]]
    if not axes:
        return update
    places = [
        clamped(node, starts[k], x.extents[k], update.extents[k])
        + line(node, update.extents[k], n, len(axes))
        for n, k in enumerate(axes)
    ]
    before = list(range(axes[0]))
    after = [k for k in range(axes[0], x.ndim) if k not in axes]
    update = node.permuted(update, [*before, *axes, *after])
    return node.emit(ScatterOp, x, update, *places, axes=axes, from_end=False)


def split_indices(
    node: Node, indices: Any, vector: int, rank: int
) -> tuple[list[Any], list[ex.Expr]]:
    """The components of index vectors in i64, with ``rank`` axes of 1 behind, and their shape."""
    if indices.element.kind == "unsigned":
        most = node.constant_of((1 << min(indices.element.bits, 63)) - 1, indices.element)
        indices = onp.minimum(indices, most)
    indices = indices.astype("i64")
    if vector == indices.ndim:
        indices = node.shaped(indices, [*indices.extents, 1])
    order = [k for k in range(indices.ndim) if k != vector]
    indices = node.permuted(indices, [*order, vector])
    batch = list(indices.extents[:-1])
    count = indices.extents[-1].constant or 0
    return [node.shaped(indices[..., k], [*batch, *[1] * rank]) for k in range(count)], batch


def axes_named(numbers: dict[str, Any], *names: str) -> list[list[int]]:
    """Axes that dimension numbers give, none for names that are left out."""
    return [numbers.get(name, []) for name in names]


@operation("gather", "dynamic_gather")
def gather(x: Any, indices: Any, sizes: Any = None, *, node: Node) -> Any:
    """Slices of x at index vectors, moved so that they are inside."""
    numbers: dict[str, Any] = node.attr("dimension_numbers")
    stated = node.extents(2) if sizes is not None else node.attr("slice_sizes")
    lengths = [ex.Expr.of(n) for n in stated]
    offsets, collapsed, batched, of_indices, mapped = axes_named(
        numbers,
        "offset_dims",
        "collapsed_slice_dims",
        "operand_batching_dims",
        "start_indices_batching_dims",
        "start_index_map",
    )
    vector: int = numbers.get("index_vector_dim", 0)
    gone = {*collapsed, *batched}
    full = [k for k in range(x.ndim) if k not in gone and x.extents[k] == lengths[k]]
    partial = [k for k in range(x.ndim) if k not in gone and k not in full]
    starts, batch = split_indices(node, indices, vector, len(partial))
    rank = len(batch) + len(partial)
    places: dict[int, Any] = {}
    for k in (*gone, *partial):
        place = node.constant_of(0, el.I64)
        if k in mapped:
            place = clamped(node, starts[mapped.index(k)], x.extents[k], lengths[k])
        if k in batched:
            axis = of_indices[batched.index(k)]
            axis -= vector < axis
            place = line(node, batch[axis], axis, rank)
        if k in partial:
            place = place + line(node, lengths[k], len(batch) + partial.index(k), rank)
        places[k] = place
    axes = sorted(places)
    own = [("batch", n) for n in range(len(batch))] + [("axis", k) for k in partial]
    if axes:
        # The first place has all extents, so that the result has them.
        shape = [*batch, *(lengths[k] for k in partial)]
        arrays = [node.stretched(places[axes[0]], shape), *(places[k] for k in axes[1:])]
        x = node.emit(GatherOp, x, *arrays, axes=axes, from_end=False)
        before = [("axis", k) for k in full if k < axes[0]]
        have = [*before, *own, *(("axis", k) for k in full if k > axes[0])]
    else:
        shape = [*batch, *x.extents]
        x = node.stretched(node.shaped(x, [*[1] * len(batch), *x.extents]), shape)
        have = [*own, *(("axis", k) for k in full)]
    kept = iter([("axis", k) for k in range(len(lengths)) if k not in gone])
    batches = iter([("batch", n) for n in range(len(batch))])
    wanted = [next(kept) if k in offsets else next(batches) for k in range(len(have))]
    return node.permuted(x, [have.index(label) for label in wanted])


@operation("scatter")
def scatter(*arrays: Any, node: Node) -> list[Any]:
    """Operands with updates at index vectors; what is outside of them is left out."""
    numbers: dict[str, Any] = node.attr("scatter_dimension_numbers")
    count = len(arrays) // 2
    operands, indices, updates = arrays[:count], arrays[count], arrays[count + 1 :]
    windows, inserted, batched, of_indices, mapped = axes_named(
        numbers,
        "update_window_dims",
        "inserted_window_dims",
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims",
    )
    vector: int = numbers.get("index_vector_dim", 0)
    x, update = operands[0], updates[0]
    gone = {*inserted, *batched}
    kept = [k for k in range(x.ndim) if k not in gone]
    lengths = {k: update.extents[a] for k, a in zip(kept, windows, strict=True)}
    full = [k for k in kept if k not in mapped and x.extents[k] == lengths[k]]
    partial = [k for k in kept if k not in full]
    starts, batch = split_indices(node, indices, vector, len(partial))
    rank = len(batch) + len(partial)
    shape = [*batch, *(lengths[k] for k in partial)]
    flat: Any = node.constant_of(0, el.I64)
    inside: Any = node.constant_of(True, el.I1)
    axes = [k for k in range(x.ndim) if k not in full]
    for k in axes:
        place = node.constant_of(0, el.I64)
        if k in mapped:
            place = starts[mapped.index(k)]
        if k in batched:
            axis = of_indices[batched.index(k)]
            axis -= vector < axis
            place = line(node, batch[axis], axis, rank)
        if k in partial:
            place = place + line(node, lengths[k], len(batch) + partial.index(k), rank)
        extent = node.trace.number(x.extents[k])
        inside = inside & (place >= 0) & (place < extent)
        flat = flat * extent + place
    size, rows = ex.product([x.extents[k] for k in axes]), ex.product(shape)
    flat = onp.where(inside, flat, node.constant_of(-1, el.I64))
    flat = node.shaped(node.stretched(flat, shape), [rows])
    order = [*axes, *full]
    rest = [x.extents[k] for k in full]
    scatters = [k for k in range(update.ndim) if k not in windows]
    of_update = [*scatters, *(windows[kept.index(k)] for k in (*partial, *full))]
    flats = [node.shaped(node.permuted(v, order), [size, *rest]) for v in operands]
    news = [node.shaped(node.permuted(v, of_update), [rows, *rest]) for v in updates]
    results = scattered(node, flats, flat, news, 0)
    back = [order.index(k) for k in range(x.ndim)]
    return [node.permuted(node.shaped(v, [x.extents[k] for k in order]), back) for v in results]


def scattered(
    node: Node, operands: Sequence[Any], places: Any, updates: Sequence[Any], body: int
) -> list[Any]:
    """Rows of operands [P, ...] combined with updates [N, ...] at places [N]; -1 is no place."""
    size = operands[0].extents[0]
    name = node.only_operator(body)
    type = operands[0].element
    # One more row takes the updates that have no place.
    places = onp.where(places < 0, node.trace.number(size), places)
    padded: list[Any] = []
    for v in operands:
        zero = node.constant_of(0, v.element)
        row = node.stretched(zero, [1, *v.extents[1:]])
        padded.append(onp.concatenate([v, row], axis=0))
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
            options = {"axes": [0], "reduction": how, "from_end": False}
            results.append(node.emit(ScatterOp, v, u, places, **options).astype(type))
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
