"""Folds chains of operators on large constants; the result is computed when it is first read.

::

    concat (constant, transpose (slice constant))  --> constant
    matmul (norm of a constant, constant)          --> constant

Three kinds of chains are worth it, since each call would compute them again: concatenations,
operands of bodies of control flow, and sums and products, such as embeddings of relative positions
times weights.  So are filters of a convolution, as a transposed one has: where these lie in pieces,
tiles could not go over all of them.  Other movement is an index map of the kernel that reads it,
and elementwise operators on weights are computed when panels are packed.

Sums and products of floats follow the order of ``dialects/order.py``, so they have the bits that a
call would give.  Not folded: chains with elementary functions, with too many products, or whose
result has more elements than their constants.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects.blob import Array, deferred
from opc.dialects.budgets import PRODUCTS, limit
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.contraction import ConvOp, MatmulOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.indexing import IndexingOp
from opc.dialects.opc.movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.reduction import ArgReduction, Reduction
from opc.dialects.opc.unary import BitcastOp, CastOp
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import element, shape_of, tensor_of
from opc.interpret.graph import apply_op

from .rewriting import Builder

MOVEMENT = (ReshapeOp, BroadcastOp, TransposeOp, CastOp, BitcastOp)
MOVED = (ReshapeOp, TransposeOp, SliceOp, ConcatOp)
"""Operators that only move elements."""
EXACT_REDUCTIONS = frozenset(
    {
        "opc.reduce_max",
        "opc.reduce_min",
        "opc.reduce_any",
        "opc.reduce_all",
    }
)
EXACT_ON_INTEGERS = frozenset(
    {
        "opc.reduce_sum",
        "opc.reduce_prod",
        "opc.reduce_l1",
        "opc.reduce_sum_square",
    }
)
EXACT_IN_PARTS = frozenset(
    {
        "opc.clip",
        "opc.is_inf",
        "opc.leaky_relu",
        "opc.max",
        "opc.mean",
        "opc.min",
        "opc.mod",
        "opc.prelu",
        "opc.reciprocal",
        "opc.relu",
        "opc.shrink",
        "opc.sum",
        "opc.thresholded_relu",
    }
)
"""Operators that ``decompose`` turns into exact scalar functions, which have the same bits."""
SUMS = frozenset(
    {
        "opc.reduce_sum",
        "opc.reduce_prod",
        "opc.reduce_mean",
        "opc.reduce_sum_square",
        "opc.reduce_l1",
        "opc.reduce_l2",
    }
)
"""Reductions whose order decides every bit."""


def is_exact(op: OpcOp) -> bool:
    """Whether the result has the same bits in whatever order it is computed."""
    if isinstance(op, (*MOVEMENT, SliceOp, ConcatOp, IndexingOp, ArgReduction)):
        return True
    if isinstance(op, Reduction):
        return op.name in EXACT_REDUCTIONS or (
            op.name in EXACT_ON_INTEGERS and element(op.tensor_types[0]).is_integer
        )
    row = op.function
    if row is None:
        return op.name in EXACT_IN_PARTS
    return SCALARS[row].exact or (row == "pow" and element(op.type).is_integer)


def computed(op: OpcOp, builder: Builder) -> SSAValue | None:
    """The constant that replaces a chain of operators on constants; None to keep the chain."""
    is_sum = _is_sum(op)
    is_taken = any(isinstance(use.operation, ControlOp | ConvOp) for use in op.result.uses)
    if not (is_sum or isinstance(op, ConcatOp) or (is_taken and isinstance(op, MOVED))):
        return None
    chain = _chain(op, is_sum)
    if chain is None:
        return None
    constants = _constants(chain)
    size = elements_of(op.result)
    # A part that is concatenated several times would be in memory as often.
    if size is None or size > sum(elements_of(c.result) or 0 for c in constants):
        return None
    if is_sum and not _is_affordable(list(chain)):
        return None

    load = _loader(op, chain)
    value = deferred(cache(load) if is_sum else load, element(op.type), _extents(op))
    return builder.add(ConstantOp(value=value))


def narrowed(op: OpcOp, type: el.ElementType, builder: Builder) -> SSAValue | None:
    """The constant, in a narrower type, that a chain of exact functions of constants computes.

    The type holds all of the integers.  None if anything else is in the chain.
    """
    chain = _chain(op, True)
    if chain is None or elements_of(op.result) is None:
        return None
    load = _loader(op, chain)
    value = deferred(lambda: load().astype(type.dtype), type, _extents(op))
    return builder.add(ConstantOp(value=value))


def _constants(chain: dict[OpcOp, list[Operation | Block]]) -> set[ConstantOp]:
    return {o for operands in chain.values() for o in operands if isinstance(o, ConstantOp)}


def _extents(op: OpcOp) -> list[int]:
    return [e.constant or 0 for e in shape_of(op.type)]


def _loader(op: OpcOp, chain: dict[OpcOp, list[Operation | Block]]) -> Callable[[], Array]:
    """What computes the elements of the last operator of a chain."""
    shape = _extents(op)

    def load() -> Array:
        arrays: dict[Operation | Block, Array] = {c: c.array() for c in _constants(chain)}
        for step, operands in chain.items():
            arrays[step] = apply_op(step, [arrays[o] for o in operands])
        return np.ascontiguousarray(arrays[op]).reshape(shape)  # of rank 0, it makes rank 1

    return load


def _is_sum(op: OpcOp) -> bool:
    return op.name in SUMS or isinstance(op, MatmulOp)


def elements_of(value: SSAValue) -> int | None:
    """How many elements a tensor has; None if an extent is unknown, even where another is 0."""
    sizes = [e.constant for e in shape_of(tensor_of(value))]
    known = [n for n in sizes if n is not None]
    return math.prod(known) if len(known) == len(sizes) else None


def _is_affordable(chain: list[OpcOp]) -> bool:
    """Whether NumPy computes a chain in seconds, within the budget for tables."""
    products = 0
    for op in chain:
        size = elements_of(op.result)
        if size is None or size > limit("table"):
            return False
        if isinstance(op, MatmulOp):
            products += size * (shape_of(op.tensor_types[0])[-1].constant or 0)
    return products <= PRODUCTS


def _chain(op: OpcOp, with_sums: bool) -> dict[OpcOp, list[Operation | Block]] | None:
    """The operators that compute a value from constants alone, in order, with their operands.

    None if the value depends on anything else.  Operands are listed, since erased operators have
    none.
    """
    chain: dict[OpcOp, list[Operation | Block]] = {}
    pending: list[Operation] = [op]
    while pending:
        step = pending[-1]
        before = [v.owner for v in step.operands]
        if not isinstance(step, OpcOp) or not before:
            return None
        if not (_is_sum(step) or is_exact(step) if with_sums else isinstance(step, MOVED)):
            return None
        new = [o for o in before if not isinstance(o, ConstantOp) and o not in chain]
        if any(isinstance(o, Block) for o in new):
            return None
        if new:
            pending += [o for o in new if isinstance(o, Operation)]
        else:
            chain[step] = before
            pending.pop()
    return chain
