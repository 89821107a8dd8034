"""Gives donated inputs room to grow, where a function joins new elements to them.

::

    func @step(%past: <2, P, 64>, %new: <2, N, 64>, %mask: <T>)            // T is P + N
      %present = concat %past, %new {axis = 1}                             // donated: past=present
      -->
    func @step(%past: <2, P_room, 64>, %new: <2, N, 64>, %mask: <T>)
      %joined = scatter %past, %new, (T - N + iota <N>) {axes = [1]}       // what is returned
      %present = slice %joined from <0, 0, 0> to <2, T, 64>                // what others read

The array of the caller then stays where it is from step to step, and only what is new is written.
How many of its elements are there, P, must follow from other inputs, as from the length of a mask.
Inputs that grow alike have the same room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import FunctionType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects.named import donations
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import ExtentOp, IotaOp
from opc.dialects.opc.indexing import ScatterOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Requirement, Shape, shape_of, tensor_of, tensor_type

from .extent_names import extent_names
from .known_extents import substitute
from .rewriting import Builder, set_type

ROOM = "_room"
"""What follows the name of an extent in that of the room for it."""


@dataclass(frozen=True)
class _Growing:
    """A donated input, and the operator that joins new elements behind those that it holds."""

    arg: BlockArgument
    concat: ConcatOp
    result: int
    axis: int
    held: str
    """The symbol of how many elements it holds along the axis."""


def give_room(function: FuncOp) -> bool:
    """Rewrite a function with inferred types; whether any input grows."""
    rewritten = False
    growing = _growing(function)
    for name in dict.fromkeys(g.held for g in growing):
        alike = [g for g in growing if g.held == name]
        before = _given(function, alike)
        if before is not None:
            _rewrite(function, alike, before)
            rewritten = True
    return rewritten


def _growing(function: FuncOp) -> list[_Growing]:
    block = function.body.block
    end = block.last_op
    assert end is not None
    growing: list[_Growing] = []
    for number, result in donations(function).items():
        arg, concat = block.args[number], end.operands[result].owner
        are_operators = all(isinstance(use.operation, OpcOp) for use in arg.uses)
        if not isinstance(concat, ConcatOp) or concat.operands[0] is not arg or not are_operators:
            continue
        axis: int = concat.values()["axis"] % len(shape_of(arg.type))
        held = shape_of(arg.type)[axis].symbol()
        others = [e for k, e in enumerate(shape_of(arg.type)) if k != axis]
        is_apart = held is not None and not any(held in e.symbols() for e in others)
        if is_apart and len(concat.operands) == 2 and arg.type != concat.type:
            growing.append(_Growing(arg, concat, result, axis, held or ""))
    return growing


def _given(function: FuncOp, growing: Sequence[_Growing]) -> ex.Expr | None:
    """How much inputs hold by the extents of the others; None if these do not say it.

    Models name the length of a mask ``past_sequence_length + sequence_length``.
    """
    name, grown = growing[0].held, {g.arg for g in growing}
    new = shape_of(growing[0].concat.operands[1].type)[growing[0].axis]
    others = [arg for arg in function.body.block.args if arg not in grown]
    symbols = {e.symbol() for arg in others for e in shape_of(arg.type)} - {None}
    if name in symbols:
        return ex.sym(name)
    totals = [side for op in function.body.block.ops for side in _equal(op, ex.sym(name) + new)]
    names = extent_names(function)
    for symbol in sorted(filter(None, symbols)):
        first, _, rest = names.get(symbol, symbol).partition("+")
        if names.get(name, name) in (first.strip(), rest.strip()) and rest:
            totals.append(ex.sym(symbol))
    known = (t for t in totals if t.symbol() in symbols and new.symbols() <= symbols)
    total = next(known, None)
    return None if total is None else total - new


def _equal(op: Operation, extent: ex.Expr) -> list[ex.Expr]:
    """What an operation requires to equal an extent."""
    if not isinstance(op, RequireOp) or op.relation.data != "equal":
        return []
    left, right = op.sides.data
    return [a for a, b in ((left, right), (right, left)) if b == extent]


def _rewrite(function: FuncOp, growing: Sequence[_Growing], before: ex.Expr) -> None:
    """Give each input room, and write new elements behind the ``before`` that it holds."""
    block, name = function.body.block, growing[0].held
    room, first, end = ex.sym(name + ROOM), block.first_op, block.last_op
    assert first is not None and end is not None
    total = shape_of(growing[0].concat.type)[growing[0].axis].substitute({name: before})
    needs = (
        (ex.maximum(before, ex.const(0)), before, "a length is below that of the new positions"),
        (ex.maximum(room, total), room, "the donated array has no room for all positions"),
    )
    for left, right, message in needs:
        need = RequireOp.of(Requirement("equal", left, right, message))
        need.location = growing[0].concat.location
        block.insert_op_before(need, first)
    for g in growing:
        _grow(g, room, before, end)
    outputs = list(function.function_type.outputs)
    for g in growing:
        outputs[g.result] = g.arg.type
    inputs = [arg.type for arg in block.args]
    function.function_type = FunctionType.from_lists(inputs, outputs)
    substitute(function, {name: before})


def _grow(g: _Growing, room: ex.Expr, before: ex.Expr, end: Operation) -> None:
    builder, new = Builder(g.concat), g.concat.operands[1]
    shape, held = shape_of(g.arg.type), ex.sym(g.held)
    uses = [use for use in g.arg.uses if use.operation is not g.concat]
    set_type(g.arg, tensor_type(tensor_of(g.arg).element_type, _with(shape, g.axis, room)))
    if uses:
        users = [use.operation for use in uses if isinstance(use.operation, OpcOp)]
        first = Builder(min(users, key=_position))
        part = _beginning(first, g.arg, g.axis, held, ex.maximum(before, ex.const(0)))
        for use in uses:
            use.operation.operands[use.index] = part
    count = shape_of(new.type)[g.axis]
    start = builder.broadcast(builder.add(ExtentOp.of(held)), (count,))
    places = builder.apply("add", builder.add(IotaOp.of(count)), start)
    joined = builder.add(ScatterOp(g.arg, new, places, axes=(g.axis,), from_end=False))
    end.operands[g.result] = joined
    total = shape_of(g.concat.type)[g.axis]
    builder.replace(_beginning(builder, joined, g.axis, total, total))


def _position(op: Operation) -> int:
    assert op.parent is not None
    return op.parent.get_operation_index(op)


def _with(shape: Shape, axis: int, extent: ex.Expr) -> Shape:
    return (*shape[:axis], extent, *shape[axis + 1 :])


def _beginning(builder: Builder, x: SSAValue, axis: int, count: ex.Expr, stop: ex.Expr) -> SSAValue:
    """The first ``count`` elements of x along an axis; ``stop`` is as many, and not negative."""
    shape = shape_of(x.type)
    first, steps = [0] * len(shape), [1] * len(shape)
    stops = list(_with(shape, axis, stop))
    part = builder.add(SliceOp(x, starts=first, stops=stops, steps=steps))
    return builder.reshape(part, _with(shape, axis, count))
