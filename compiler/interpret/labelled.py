"""Meaning of ``opc.contract``: operands are combined from the left, as ``einsum_plan.plan`` says.

What is added up alone has the order of ``order.reduce``, what is contracted that of
``order.chain``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from opc.dialects import einsum_plan, order
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import ContractOp
from opc.dialects.shape import UNKNOWN, Shape, shape_of
from opc.errors import ArgumentError

from .elementwise import Meaning
from .precision import Array, Call, is_float, narrow, native
from .reduction import in_order


def shapes_of(op: ContractOp, arrays: Sequence[Array]) -> list[Shape]:
    """The extents of operands, numbers but where one is 1 and the type does not say so.

    There it is one like others, which must be equal: none is stretched that a call could have
    longer.  Types that are not inferred yet say nothing; then it is stretched if it must be.
    """
    terms, _ = einsum_plan.split(op.values()["equation"])
    named = [list(zip(t, a.shape, strict=True)) for t, a in zip(terms, arrays, strict=True)]
    longer = {label for axes in named for label, n in axes if n != 1}
    types = [shape_of(t) for t in op.tensor_types]
    return [
        tuple(
            ex.const(n) if n != 1 or (e == UNKNOWN and label in longer) else e
            for (label, n), e in zip(axes, type, strict=True)
        )
        for axes, type in zip(named, types, strict=True)
    ]


def _contract(call: Call) -> Array:
    terms, result = einsum_plan.split(call.params["equation"])
    plan = einsum_plan.plan(terms, result, call.params["shapes"])
    left, *rest = [
        _along_diagonals(native(x), term) for x, term in zip(call.arrays, terms, strict=True)
    ]
    left, *rest = _without_stretched([left, *rest], plan)
    names = plan.terms[0]
    for right, own, step in zip(rest, plan.terms[1:], plan.products, strict=True):
        both = _summed(left, names, step.left), _summed(right, own, step.right)
        left = _product(*both, step, call.is_rounded)
        names = step.labels
    kept = einsum_plan.taken(names, result)
    total = _summed(left, names, kept).transpose([kept.index(label) for label in result])
    return narrow(total, call.element)


def _along_diagonals(x: Array, term: str) -> Array:
    for first, second, _ in einsum_plan.diagonals(term):
        if x.shape[first] != x.shape[second]:
            raise ArgumentError(f"opc.contract: extents of a diagonal differ in {x.shape}")
        x = x.diagonal(axis1=first, axis2=second)
    return x


def _without_stretched(arrays: Sequence[Array], plan: einsum_plan.Plan) -> list[Array]:
    """The operands with the axes of the plan.  ArgumentError where extents of a label differ."""
    known: dict[str, int] = {}
    reshaped: list[Array] = []
    for x, term, shape in zip(arrays, plan.terms, plan.shapes, strict=True):
        sizes = [1 if e.constant is None else e.constant for e in shape]
        for label, n in zip(term, sizes, strict=True):
            if known.setdefault(label, n) != n:
                raise ArgumentError(
                    f"opc.contract: contracted extents of axis '{label}' differ: "
                    f"{known[label]} and {n}"
                )
        reshaped.append(x.reshape(sizes))
    return reshaped


def _summed(x: Array, names: str, kept: str) -> Array:
    """The sum over all axes that are not kept; of booleans, whether any is true."""
    axes = tuple(k for k, label in enumerate(names) if label not in kept)
    if not axes:
        return x
    if x.dtype == np.bool_:
        return np.asarray(np.logical_or.reduce(x, axis=axes))
    if is_float(x):
        return np.squeeze(in_order(x, axes, "sum"), axis=axes)
    return np.asarray(np.add.reduce(x, axis=axes, dtype=x.dtype))


def _product(x: Array, y: Array, step: einsum_plan.Product, is_rounded: bool) -> Array:
    """The contraction of two operands."""
    x, y = (_spread(array, names, step) for array, names in ((x, step.left), (y, step.right)))
    if not step.gone:
        return np.multiply(x, y)[..., 0]
    if x.dtype == np.bool_:
        return order.chain(x.astype(np.int64), y.astype(np.int64)) != 0
    return order.chain(x, y, is_rounded)


def _spread(x: Array, names: str, step: einsum_plan.Product) -> Array:
    """Axes for the labels of a product, of extent 1 if x has none, then one that is contracted."""
    own = einsum_plan.taken(step.labels, names)
    x = x.transpose([names.index(label) for label in own + step.gone])
    kept = dict(zip(own, x.shape, strict=False))
    count = np.prod(x.shape[len(own) :], dtype=np.int64)
    return x.reshape(*(kept.get(label, 1) for label in step.labels), count)


def total_of(equation: str, *arrays: Array) -> Array:
    """The sums of products, in no particular order."""
    return np.asarray(np.einsum(equation, *arrays))


def most_of(*arrays: Array) -> Array:
    """An upper bound of all partial sums and products."""
    return np.asarray(np.prod([np.maximum(np.sum(np.abs(x)), 1) for x in arrays]))


MEANINGS: dict[str, Meaning] = {"opc.contract": _contract}
