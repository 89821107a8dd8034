"""Rewrites ``opc.contract`` as matrix products, elementwise products and sums, left to right.

::

    contract(x, y) "bij,bjk->bik"  -->  matmul(x, y)
    contract(x, y) "ijk,mkj->mi"   -->  transpose (matmul(reshape x, reshape (transpose y)))
    contract(x, y) "i,j->ij"       -->  mul(reshape x to [I, 1], reshape y to [1, J])
    contract(x) "ij->j"            -->  reduce_sum(x) {axes = [0]}
    contract(x) "ii->i"            -->  slice (reshape (concat (reshape x, zeros)))

``dialects/einsum_plan.py`` plans which operands and axes are combined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.ir import SSAValue

from opc.dialects import einsum_plan
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.contraction import MatmulOp
from opc.dialects.opc.parts import TO_THE_END, SliceOp
from opc.dialects.shape import element, shape_of, tensor_of

from .rewriting import Builder


def contract(b: Builder, params: Mapping[str, Any], args: Sequence[SSAValue]) -> SSAValue:
    """contract(x, y, ...) --> operators of two operands."""
    terms, result = einsum_plan.split(params["equation"])
    plan = einsum_plan.plan(terms, result, [shape_of(tensor_of(x)) for x in args])
    left, *rest = [
        b.reshape(_along_diagonals(b, x, term), shape)
        for x, term, shape in zip(args, terms, plan.shapes, strict=True)
    ]
    names = plan.terms[0]
    for right, own, step in zip(rest, plan.terms[1:], plan.products, strict=True):
        x, y = _summed(b, left, names, step.left), _summed(b, right, own, step.right)
        x, y = (
            _with_extents(b, v, axes, step.both, plan.extents)
            for v, axes in ((x, step.left), (y, step.right))
        )
        left, names = _product(b, x, y, step), step.labels
    kept = einsum_plan.taken(names, result)
    return b.transpose(_summed(b, left, names, kept), [kept.index(label) for label in result])


def _along_diagonals(b: Builder, x: SSAValue, term: str) -> SSAValue:
    """The elements whose indices along axes of one label are equal.

    With n more elements behind n rows of n, they are the first elements of n rows of n + 1.
    """
    for first, second, _ in einsum_plan.diagonals(term):
        shape = shape_of(tensor_of(x))
        rest = [k for k in range(len(shape)) if k not in (first, second)]
        outer, extent = [shape[k] for k in rest], shape[first]
        flat = b.reshape(b.transpose(x, [*rest, first, second]), (*outer, extent * extent))
        more = b.broadcast(b.constant(0, element(tensor_of(x))), (*outer, extent))
        rows = b.reshape(b.concat([flat, more], len(outer)), (*outer, extent, extent + 1))
        starts, steps = (0,) * (len(outer) + 2), (1,) * (len(outer) + 2)
        stops = (*[TO_THE_END] * (len(outer) + 1), 1)
        x = b.reshape(
            b.add(SliceOp(rows, starts=starts, stops=stops, steps=steps)), (*outer, extent)
        )
    return x


def _summed(b: Builder, x: SSAValue, names: str, kept: str) -> SSAValue:
    """The sum over all axes that are not kept; for booleans, whether any is true."""
    axes = [k for k, label in enumerate(names) if label not in kept]
    return b.reduce("any" if element(tensor_of(x)) is el.I1 else "sum", x, axes)


def _with_extents(
    b: Builder, x: SSAValue, names: str, both: str, extents: Mapping[str, ex.Expr]
) -> SSAValue:
    """The operand with one expression for the extent of each label in ``both``.

    Requirements state that the extents of the two operands are equal.
    """
    own = zip(names, shape_of(tensor_of(x)), strict=True)
    return b.broadcast(x, [extents[label] if label in both else e for label, e in own])


def _product(b: Builder, x: SSAValue, y: SSAValue, step: einsum_plan.Product) -> SSAValue:
    """The product of two operands."""
    first, second = step.left, step.right
    type = element(tensor_of(x))
    if not step.gone:
        x = _grouped(b, x, [[first.index(k)] if k in first else [] for k in step.labels])
        y = _grouped(b, y, [[second.index(k)] if k in second else [] for k in step.labels])
        return b.apply("and" if type is el.I1 else "mul", x, y)
    in_x = [[first.index(k) for k in group] for group in (*step.both, step.rows, step.gone)]
    in_y = [[second.index(k) for k in group] for group in (*step.both, step.gone, step.columns)]
    shapes = [shape_of(tensor_of(v)) for v in (x, y)]
    x, y = _grouped(b, x, in_x), _grouped(b, y, in_y)
    if type is el.I1:
        x, y = b.cast(x, el.I64), b.cast(y, el.I64)
    product = b.cast(b.add(MatmulOp(x, y)), type)
    extents = [
        *shape_of(tensor_of(product))[: len(step.both)],
        *(shapes[0][first.index(label)] for label in step.rows),
        *(shapes[1][second.index(label)] for label in step.columns),
    ]
    return b.reshape(product, extents)


def _grouped(b: Builder, x: SSAValue, groups: Sequence[Sequence[int]]) -> SSAValue:
    """x transposed and reshaped to one axis for each group; an empty group has extent 1."""
    shape = shape_of(tensor_of(x))
    moved = b.transpose(x, [k for group in groups for k in group])
    return b.reshape(moved, [ex.product(shape[k] for k in group) for group in groups])
