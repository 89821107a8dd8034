"""Evaluates operators on constants, and removes operators that do nothing.

::

    add(constant 1, constant 2)       --> constant 3
    identity(x)                       --> x
    reshape (reshape x)               --> reshape x
    transpose (transpose x)           --> transpose x, or x
    transpose that moves only axes of 1  --> reshape
    transpose (scatter (transpose x), u, i)  --> scatter x, (transpose u), i
    broadcast (broadcast x)           --> broadcast x
    reshape, broadcast, cast, transpose that change nothing  --> x
    abs (abs x), relu (relu x)        --> abs x, relu x
    neg (neg x)                       --> x
    extent <4>                        --> constant 4

Folding never changes a bit.  It evaluates exact scalar functions, operators that consist of these,
such as ``opc.clip``, reductions whose order has no effect (integers, booleans, min, max) and
operators that move data; ``constant_chains`` evaluates sums and products in their order.
Elementary functions are not evaluated.  There is no algebra on floats: x * 1, x + 0 and x - x stay,
because of NaN, -0 and infinities.

An operator stays where its result would have over 65536 elements, or over four times those of the
operands.  A broadcast of one value stays, unless it is a factor of a contraction.  So does a cast
to a wider type, and a lookup by it in a table, if only matrix products read what is computed of it:
weights are laid out as they are stored (``schedule.stored``); and a transpose of weights that a
gather reads, see ``sink_functions``.  Operators without uses are erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import deferred
from opc.dialects.budgets import FOLDED, GROWTH, limit
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import ConvOp, ConvTransposeOp, MatmulOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.indexing import GatherOp, ScatterOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.unary import CastOp, IdentityOp
from opc.dialects.shape import element, shape_of, tensor_of
from opc.interpret.graph import apply_op

from .constant_chains import MOVEMENT, computed, elements_of, is_exact
from .rewriting import Builder, functions, operators, remove_unused
from .sink_functions import is_gathered_weight


def evaluate(op: OpcOp, builder: Builder) -> SSAValue | None:
    """op(constants) --> constant."""
    if not op.operands or not is_exact(op) or _stays_narrow(op) or is_gathered_weight(op.result):
        return None
    sources = [value.owner for value in op.operands]
    constants = [c for c in sources if isinstance(c, ConstantOp)]
    extents = [e.constant for e in shape_of(op.type)]
    sizes = [e for e in extents if e is not None]
    if len(constants) != len(sources) or len(sizes) != len(extents):
        return None
    size = np.prod(sizes, dtype=object)
    elements = sum(elements_of(c.result) or 0 for c in constants)
    if isinstance(op, BroadcastOp) and size > 1 and elements == 1:
        return _filled(op, constants[0], sizes, builder) if size <= limit("table") else None
    if size > min(FOLDED, GROWTH * max(elements, 1)):
        return None
    result = apply_op(op, [c.array() for c in constants])
    return builder.add(ConstantOp.of(result, element(op.type)))


def _filled(
    op: BroadcastOp, constant: ConstantOp, sizes: Sequence[int], builder: Builder
) -> SSAValue | None:
    """A broadcast value as a full constant, if it is a factor of contractions only.

    Contractions pack it like other weights.
    """
    users = [use.operation for use in op.result.uses]
    contractions = MatmulOp | ConvOp | ConvTransposeOp
    if not users or not all(isinstance(user, contractions) for user in users):
        return None
    type, value = element(op.type), constant.array().reshape(-1)[0]
    filled = deferred(lambda: np.full(sizes, value), type, sizes)
    return builder.add(ConstantOp(value=filled))


def _is_dequantized(op: OpcOp) -> bool:
    """Whether an operator converts narrow integers, which are quantized weights, to floats."""
    source = element(tensor_of(op.operands[0]))
    return isinstance(op, CastOp) and source.is_integer and source.bits <= 16


def _stays_narrow(op: OpcOp) -> bool:
    """Whether an operator widens stored weights, or scales and zero points of these."""
    if not isinstance(op, CastOp):
        return False
    source, target = element(tensor_of(op.operands[0])), element(op.type)
    is_stored = source.is_small or target is el.F32
    return (
        is_stored
        and source.bits < target.bits
        and elements_of(op.operands[0]) != 1
        and _leads_to_products(op.result)
    )


def _leads_to_products(value: SSAValue) -> bool:
    """Whether only matrix products read a value, or what functions and movement make of it."""
    users = [use.operation for use in value.uses]
    return bool(users) and all(
        isinstance(user, MatmulOp)
        or (isinstance(user, GatherOp) and value is not user.operands[0])
        or (
            isinstance(user, OpcOp)
            and (user.function is not None or isinstance(user, (*MOVEMENT, SliceOp)))
            and _leads_to_products(user.result)
        )
        for user in users
    )


def at_once(new: Iterable[Operation]) -> dict[SSAValue, SSAValue]:
    """The constants that replace results of new operators on few elements, such as shapes.

    ``new`` is in order: producers come before their users.
    """
    folded: dict[SSAValue, SSAValue] = {}
    for op in new:
        if not isinstance(op, OpcOp) or not op.operands or _is_dequantized(op):
            continue
        for k, operand in enumerate(op.operands):
            op.operands[k] = folded.get(operand, operand)
        if not all(isinstance(operand.owner, ConstantOp) for operand in op.operands):
            continue
        size = ex.product(e for v in op.operands for e in shape_of(tensor_of(v))).constant
        if size is not None and size <= limit("elements"):
            value = evaluate(op, Builder(op))
            if value is not None:
                folded[op.result] = value
    return folded


def simplify(op: OpcOp, builder: Builder) -> SSAValue | None:
    """The value that replaces an operator, or a pair of operators, that does nothing."""
    if isinstance(op, ExtentOp):
        value = op.extent.constant
        return None if value is None else builder.constant(value, el.I64)
    if isinstance(op, IdentityOp):
        return op.operands[0]
    if op.is_idempotent or op.is_involution:
        twice = op.operands[0].owner
        if isinstance(twice, type(op)):
            return twice.result if op.is_idempotent else twice.operands[0]
    if isinstance(op, SliceOp):
        return op.operands[0] if op.is_whole() else None
    if isinstance(op, ConcatOp):
        return op.operands[0] if len(op.operands) == 1 else None
    if isinstance(op, ScatterOp):
        return _without_transposes(op, builder)
    if not isinstance(op, MOVEMENT):
        return None
    x = op.operands[0]
    if _is_known(op) and not isinstance(op, TransposeOp) and x.type == op.type:
        return x
    inner = x.owner
    if isinstance(op, TransposeOp):
        order = op.values()["permutation"]
        if order == tuple(range(len(order))):
            return x
        moved = [k for k in order if shape_of(x.type)[k] != 1]
        if _is_known(op) and moved == sorted(moved):
            return builder.add(ReshapeOp(x, result_type=op.type))
        if isinstance(inner, TransposeOp):
            first = inner.values()["permutation"]
            composed = tuple(first[k] for k in order)
            return builder.add(TransposeOp(inner.operands[0], permutation=composed))
    if isinstance(op, ReshapeOp | BroadcastOp) and isinstance(inner, type(op)) and _is_known(op):
        return builder.add(type(op)(inner.operands[0], result_type=op.type))
    return None


def _without_transposes(op: ScatterOp, builder: Builder) -> SSAValue | None:
    """``transpose (scatter (transpose x), u, i) --> scatter x, (transpose u), i``, along one axis.

    Updates of one element keep their order, which is that of the indices.
    """
    inner, params = op.operands[0].owner, op.values()
    if not isinstance(inner, TransposeOp) or len(params["axes"]) != 1:
        return None
    order: tuple[int, ...] = inner.values()["permutation"]
    (axis,) = op.axes(len(order), params)
    back = tuple(map(order.index, range(len(order))))
    users = [use.operation for use in op.result.uses]
    if not any(isinstance(u, TransposeOp) and u.values()["permutation"] == back for u in users):
        return None
    x, updates, *indices = inner.operands[0], *op.operands[1:]
    more = len(shape_of(updates.type)) - len(order)
    places = {k: [k + more * (k > axis)] for k in back} | {axis: [*range(axis, axis + more + 1)]}
    moved = tuple(place for k in back for place in places[k])
    updates = builder.add(TransposeOp(updates, permutation=moved))
    params["axes"] = (order[axis],)
    result = builder.add(ScatterOp(x, updates, *indices, **params))
    return builder.add(TransposeOp(result, permutation=order))


def _is_known(op: OpcOp) -> bool:
    # Two unknown extents `?` need not be equal.
    return not any("?" in e.symbols() for e in shape_of(op.type))


@dataclass(frozen=True)
class FoldConstantsPass(ModulePass):
    """op(constants)  -->  constant; identity(x)  -->  x."""

    name = "fold-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function; operands are folded before their users."""
        for _, block in functions(op):
            for operator in operators(block):
                fold(operator)
            remove_unused(block)


def fold(op: OpcOp) -> None:
    """Replace an operator until no rewrite applies."""
    while True:
        builder = Builder(op)
        value = simplify(op, builder)
        if value is None:
            value = evaluate(op, builder) or computed(op, builder)
        if value is None:
            return
        builder.replace(value)
        if not builder.added:
            return
        op = builder.added[-1]
